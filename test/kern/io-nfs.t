#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# io-nfs.t: the io provider on a file system of NFS, with a server in the same kernel, in a network namespace of the
# test's own.  It is compared with the client's counts in /proc/self/mountstats, and with the server's part of a
# file for which it had no room.
#
# guests: 6.12
[ -n "${NFS_NAMESPACE:-}" ] || exec env NFS_NAMESPACE=1 unshare --net --mount --propagation private bash "$0"
. "${0%/*}/lib.sh"
. "${0%/*}/nfs.sh"

insert_module nfsd
if grep -qw nfsd /proc/filesystems; then
	mkdir "$mnt" "$export"
	ip link set lo up
	ok "a server of NFS" nfs_serve -3 || done_testing
fi
if [ ! -e /sys/module/nfs ]; then
	dtrace_run -ln io:::start
	is "$(awk '$2 == "io"' "$work/out" | wc -l)" 1 "without the module there is io:::start alone"
fi
insert_module nfsv4
grep -qw nfsd /proc/filesystems && grep -qw nfs4 /proc/filesystems || { skip "requests to NFS" "no NFS"; done_testing; }
ok "its file system is mounted" mount -i -t nfs4 127.0.0.1:/ "$mnt" \
	-o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,rsize=65536,wsize=65536 || done_testing
number=$(awk -v mnt="$mnt" '$5 == mnt { print $3 }' /proc/self/mountinfo)

cat >"$work/nfs.d" <<'END_D'
#pragma D option quiet

io:nfs::start
/args[0]->b_edev == $1/
{
	@starts[args[2]->fi_name == "full", args[0]->bio_cmd] = count();
	began[arg0]++;
	blocks[args[0]->b_blkno, args[0]->b_bcount]++;
}

io:nfs::done
/args[0]->b_edev == $1/
{
	this->full = args[2]->fi_name == "full";
	@dones[this->full, args[0]->bio_cmd] = count();
	@bytes[this->full, args[0]->bio_cmd] = sum(args[0]->b_bcount - args[0]->b_resid);
	@left[this->full, args[0]->bio_cmd] = sum(args[0]->b_resid);
	@errors[this->full, args[0]->b_error] = count();
	@pairs[began[arg0], blocks[args[0]->b_blkno, args[0]->b_bcount] > 0] = count();
	@devs[args[1]->dev_major, args[1]->dev_minor, args[1]->dev_name, args[1]->dev_statname, args[1]->dev_pathname] = count();
	@files[args[2]->fi_pathname, args[2]->fi_mount, args[2]->fi_fs, (args[0]->b_flags & B_PHYS) != 0] =
	    max(args[2]->fi_offset + args[0]->b_bcount);
	began[arg0]--;
	blocks[args[0]->b_blkno, args[0]->b_bcount]--;
}

END
{
	printa("starts %d %d %@d\n", @starts);
	printa("dones %d %d %@d\n", @dones);
	printa("bytes %d %d %@d\n", @bytes);
	printa("left %d %d %@d\n", @left);
	printa("errors %d %d %@d\n", @errors);
	printa("pairs %d %d %@d\n", @pairs);
	printa("dev %d:%d %s %s %s %@d\n", @devs);
	printa("file %s %s %s %d %@d\n", @files);
}
END_D

# Data that is read again is not in the cache; direct reads extend beyond the end of the file.
load() {
	dd if=/dev/zero of="$mnt/one" bs=4k count=100 conv=fsync
	dd of="$mnt/one" oflag=nocache conv=notrunc,fdatasync count=0
	dd if="$mnt/one" of=/dev/null bs=32k
	mkdir "$mnt/dir"
	dd if=/dev/zero of="$mnt/dir/two" bs=70001 count=1 conv=fsync
	dd if="$mnt/dir/two" of=/dev/null bs=64k iflag=direct
	dd if=/dev/zero of="$mnt/three" bs=100k count=1 oflag=direct
} 2>/dev/null

# The server has room for only a part.
full_load() {
	dd if=/dev/zero of="$mnt/full" bs=64k count=9 oflag=direct
} 2>/dev/null

dev=$((${number%:*} << 20 | ${number#*:}))
dtrace_run -ln io:::start
is "$(awk '$2 == "io" && $3 == "nfs"' "$work/out" | wc -l)" 1 "io:::start is io:nfs::start, too"
dtrace_start -s "$work/nfs.d" $dev || done_testing
ok "the server lets files be opened" wait_for 30 timeout 1 touch "$mnt/one"
load
awk -v mnt="$mnt" '$4 == "on" { ours = $5 == mnt } ours' /proc/self/mountstats >"$work/stats"
full_load
dtrace_stop

# operations NAME...: prints the sum of these requests of the client.
operations() {
	awk -v names=" $* " 'index(names, " " $1 " ") { n += $2 } END { print n + 0 }' "$work/stats"
}

# of NAME FILE read|write: of all files except the full one, or of that one.
of() {
	value "$1" "$([ "$2" = full ] && echo 1 || echo 0)" "$([ "$3" = read ] && echo 1 || echo 2)"
}

reads=$(operations READ: READ_PLUS:) writes=$(operations WRITE:)
read -r read_bytes write_bytes < <(awk '$1 == "bytes:" { print $6, $7 }' "$work/stats")
positive "$reads" "the client reads"
positive "$writes" "the client writes"
is "$(of starts rest read) $(of dones rest read) $(of bytes rest read)" "$reads $reads $read_bytes" "reads and their bytes"
is "$(of starts rest write) $(of dones rest write) $(of bytes rest write)" "$writes $writes $write_bytes" \
	"writes and their bytes"
is "$(of bytes rest read) $(of bytes rest write)" "$((409600 + 70001)) $((409600 + 70001 + 102400))" \
	"... which are the bytes of the load"
is "$(value errors 0 0) $(of left rest write)" "$((reads + writes)) 0" "all is done, without errors"
all=$((reads + writes + $(of dones full write)))
is "$(grep '^pairs' "$work/out")" "pairs 1 1 $all" "each was started once, with this address, block and size"
is "$(grep '^dev' "$work/out")" "dev $number nfs nfs${number#*:} <nfs> $all" "the device"
is "$(value file "$mnt/one" "$mnt" nfs4 0) $(value file "$mnt/three" "$mnt" nfs4 1)" "409600 102400" \
	"a file, its mount, where in it, and whether past the page cache"
is "$(value file "$mnt/dir/two" "$mnt" nfs4 0)" 70001 "a file in a directory"
between "$(value file "$mnt/dir/two" "$mnt" nfs4 1)" 70001 $((70001 + 65536)) "... and what was asked behind its end"

# A file that lacks room is written in part.
had=$(wc -c <"$export/full")
between "$had" 1 $((9 * 65536 - 1)) "the server has no room for all"
is "$(of bytes full write)" "$had" "a request that fails has what was written of it"
positive "$(value errors 1 28)" "... and the number of the error"
positive "$(of left full write)" "... and what was not written"

done_testing
