#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# nfs-server.t: the nfsv3 and nfsv4 providers, compared with the server's counts in /proc/net/rpc/nfsd and with the client.
#
# alone: loads modules that another test finds missing
[ -n "${NFS_NAMESPACE:-}" ] || exec env NFS_NAMESPACE=1 unshare --net --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/nfs.sh"

# Without the modules a program compiles, and dtrace reports that no probe can fire.
if [ ! -e /sys/module/sunrpc ]; then
	dtrace_run -qn 'nfsv3:::op-read-start { @read[args[0]->ci_remote, args[1]->noi_curpath] = sum(args[2]->count); }
		nfsv4:::op-write-done, nfsv4:::op-write-start { @[args[0]->ci_remote, args[1]->noi_curpath] = count(); }
		nfsv3:::op-write-start { @bytes = sum(args[2]->data.data_len); } BEGIN { exit(0); }'
	is $status 0 "a program without the server"
	has "$work/err" 'this kernel has none of' "... which says so"
	dtrace_run -ln nfsv3:::
	is "$(grep -c nfsv3 "$work/out")" 44 "probes of version 3"
	has "$work/out" ' op-readdirplus-done$' "their names"
fi

insert_module nfsd
insert_module nfsv4
grep -qw nfsd /proc/filesystems && grep -qw nfs4 /proc/filesystems || { skip "requests to NFS" "no NFS"; done_testing; }
mkdir "$mnt" "$export"
ip link set lo up
ok "a server of NFS" nfs_serve +3 || done_testing
ok "its file system is mounted" mount -i -t nfs4 127.0.0.1:/ "$mnt" \
	-o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1,rsize=65536,wsize=65536 || done_testing
ok "the server lets files be opened" wait_for 30 timeout 1 touch "$mnt/one"

# served KIND NUMBER: prints the server's count of this operation.
served() {
	awk -v kind="$1" -v at=$(($2 + 3)) '$1 == kind { n = $at - n } END { print n + 0 }' "$work/before" "$work/after"
}

# ---- version 3

ops3="null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename link readdir \
	readdirplus fsstat fsinfo pathconf commit"

# probes3 start|done: prints the probes of all operations.
probes3() {
	# shellcheck disable=SC2086
	printf "nfsv3:::op-%s-$1, " $ops3 | sed 's/, $//'
}

dd if=/dev/zero of="$export/three" bs=1k count=4 2>/dev/null
cat /proc/net/rpc/nfsd >"$work/before"
dtrace_start -qn '
	'"$(probes3 start), $(probes3 'done')"' { @ops[probename] = count(); @who[args[0]->ci_local, args[0]->ci_remote, args[0]->ci_protocol] = count(); }
	'"$(probes3 start)"' { start[args[1]->noi_xid] = timestamp; }
	'"$(probes3 'done')"' /start[args[1]->noi_xid]/ { @pairs[timestamp > start[args[1]->noi_xid]] = count(); start[args[1]->noi_xid] = 0; }
	nfsv3:::op-read-start { @bytes["read", args[1]->noi_curpath] = sum(args[2]->count); @offset["read"] = sum(args[2]->offset); }
	nfsv3:::op-write-start { @bytes["write", args[1]->noi_curpath] = sum(args[2]->data.data_len); @offset["write"] = sum(args[2]->offset); }
	nfsv3:::op-getattr-done { @path[args[1]->noi_curpath] = count(); }
	END { printa("op %s %@d\n", @ops); printa("who %s %s %s %@d\n", @who); printa("pairs %d %@d\n", @pairs);
		printa("bytes %s %s %@d\n", @bytes); printa("offset %s %@d\n", @offset); printa("path %s %@d\n", @path); }' || done_testing
"$top/build/test-nfs3" dtr "$export/three" >"$work/requests" 2>&1
dtrace_stop
cat /proc/net/rpc/nfsd >"$work/after"
is "$(awk '$2 != 0' "$work/requests" | paste -sd' ')" "getattr 10001" "version 3: the server serves all but a wrong handle"
number=0
for op in $ops3; do
	n=$(grep -c "^$op " "$work/requests")
	is "$(value op "op-$op-start") $(value op "op-$op-done") $(served proc3 $number)" "$n $n $n" "version 3: $op"
	number=$((number + 1))
done
all=$(wc -l <"$work/requests")
is "$(value who 127.0.0.1 127.0.0.1 ipv4)" $((2 * all)) "version 3: the addresses"
is "$(value pairs 1)" "$all" "version 3: each request is done after it has started"
is "$(value bytes read "$export/three") $(value bytes write "$export/three")" "1000 406" "version 3: lengths, and the path"
is "$(value offset read) $(value offset write)" "100 6000" "version 3: offsets"
is "$(value path "$export/three") $(value path '<unknown>')" "3 1" "version 3: the path of a handle"

# ---- version 4

cat >"$work/nfs4.d" <<'END_D'
nfsv4:::op-*-start, nfsv4:::op-*-done, nfsv4:::compound-start, nfsv4:::compound-done, nfsv4:::null-start { @ops[probename] = count(); }
nfsv4:::compound-start { self->inside = 1; @who[args[0]->ci_remote, args[0]->ci_protocol] = count(); }
nfsv4:::op-*-start { self->inside++; @nested[self->inside] = count(); }
nfsv4:::op-*-done { self->inside--; }
nfsv4:::op-read-start { @bytes["read", args[1]->noi_curpath] = sum(args[2]->count); }
nfsv4:::op-write-start { @bytes["write", args[1]->noi_curpath] = sum(args[2]->data_len); @offset = max(args[2]->offset); }
nfsv4:::op-write-done { @done[args[1]->noi_curpath] = count(); }
END { printa("op %s %@d\n", @ops); printa("who %s %s %@d\n", @who); printa("nested %d %@d\n", @nested);
	printa("bytes %s %s %@d\n", @bytes); printa("offset %@d\n", @offset); printa("done %s %@d\n", @done); }
END_D
dtrace_start -qs "$work/nfs4.d" || done_testing
cat /proc/net/rpc/nfsd >"$work/before"
mkdir "$mnt/dir"
dd if=/dev/zero of="$mnt/dir/two" bs=100k count=3 oflag=direct 2>/dev/null
dd if="$mnt/dir/two" of=/dev/null bs=60k iflag=direct 2>/dev/null
mv "$mnt/dir/two" "$mnt/dir/moved"
rm "$mnt/dir/moved"
rmdir "$mnt/dir"
cat /proc/net/rpc/nfsd >"$work/after"
dtrace_stop
while read -r number op; do
	n=$(served proc4ops "$number")
	# No probe shows the start of a request's first operation.
	[ "$op" = sequence ] && started=0 || started=$n
	is "$(value op "op-$op-start") $(value op "op-$op-done")" "$started $n" "version 4: $op"
	case $op in
	read | write | remove | rename | putfh | sequence) positive "$n" "version 4: $op: there are some" ;;
	esac
done <<-END
	3 access
	4 close
	6 create
	9 getattr
	10 getfh
	15 lookup
	18 open
	22 putfh
	25 read
	28 remove
	29 rename
	32 savefh
	34 setattr
	38 write
	53 sequence
END
is "$(value op compound-start) $(value op compound-done)" "$(served proc4 1) $(served proc4 1)" "version 4: compounds"
is "$(value who 127.0.0.1 ipv4)" "$(served proc4 1)" "version 4: their address"
is "$(awk '$1 == "nested"' "$work/out" | wc -l) $(value nested 1)" "1 $(awk '$1 == "op" && $2 ~ /^op-.*start/ { n += $3 } END { print n }' "$work/out")" \
	"version 4: one operation ends before the next starts"
is "$(value bytes write "$export/dir/two")" 307200 "version 4: bytes that are written, and the path"
between "$(value bytes read "$export/dir/two")" 307200 400000 "version 4: bytes that are asked for"
positive "$(value offset)" "version 4: offsets"
is "$(value done "$export/dir/two")" "$(served proc4ops 38)" "version 4: the path of what is done"

done_testing
