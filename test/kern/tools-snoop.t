#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-snoop.t: the tools that show system calls and events one by one, all at the same time, compared with strace and the
# programs' own output.
#
# guests: none
# needs: python3 strace
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"
[ -n "${UNSHARED:-}" ] || UNSHARED=1 exec unshare --mount --propagation private bash "$0"

cd "$work" || exit 1
program tnstat stat
program tnsh dash
program tndd dd
program tnpriv setpriv
program tnpy "$(python3 -c 'import sys; print(sys.executable)')"
mkdir mnt

# rows TOOL FIELD...: prints these fields of its output, without the head line.
rows() {
	awk -v fields="${*:2}" 'BEGIN { n = split(fields, f, " ") } NR > 1 && NF {
		for (i = 1; i <= n; i++)
			printf "%s%s", (i > 1 ? " " : ""), $f[i]
		print ""
	}' "$work/$1.out"
}

# of_strace CALLS COMMAND...: counts the calls with strace, in $work/strace.
of_strace() {
	strace -f -o "$work/strace" -e "trace=$1" "${@:2}" >"$work/program.out" 2>&1
	grep -c '^[0-9]* *[a-z0-9_]*(' "$work/strace"
}

together_start exitsnoop -P $$ : statsnoop -n tnstat : syncsnoop -n tndd : mountsnoop -n mount : setuids -n tnpriv : \
	bindsnoop -n tnpy : mmapsnoop -n tnstat : threadsnoop -n tnpy

"$work/tnsh" -c 'exit 3'
{ "$work/tnsh" -c 'kill -9 $$'; } 2>/dev/null
"$work/tnstat" /etc/passwd nowhere >"$work/program.out" 2>&1
"$work/tndd" if=/dev/zero of=copy bs=1000 count=3 conv=fsync 2>/dev/null
mount -t tmpfs -o size=4k toolfs "$work/mnt"
umount "$work/mnt"
"$work/tnpriv" --reuid 65534 --regid 65533 --clear-groups true
"$work/tnpriv" --reuid 65534 "$work/tnpriv" --reuid 0 true 2>/dev/null
cat >"$work/sockets.py" <<'END'
import os, socket, sys, threading
t = socket.socket()
t.bind(("127.0.0.1", 0))
t.listen(5)
u = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
u.bind(("::1", 0))
l = socket.socket(socket.AF_UNIX)
l.bind(sys.argv[1])
a = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
a.bind("\0" + sys.argv[1])
try:
    socket.socket().bind(t.getsockname())
except OSError:
    pass
print("tcp", t.getsockname()[1], "udp", u.getsockname()[1])
tids = []
def run():
    tids.append(threading.get_native_id())
threads = [threading.Thread(target=run) for _ in range(7)]
for thread in threads:
    thread.start()
    thread.join()
print("pid", os.getpid())
print("tids", *tids)
END
"$work/tnpy" -S "$work/sockets.py" "$work/socket" >"$work/sockets" || note_file sockets "$work/sockets"
together_stop

is "$(rows exitsnoop 4 6 7 | grep tnsh)" $'tnsh 3 0\ntnsh 0 9' "exitsnoop: a status and a signal"
is "$(rows exitsnoop 4 6 7 | grep tnstat)" "tnstat 1 0" "exitsnoop: a program that fails"
is "$(rows exitsnoop 3 | sort -u)" "$$" "exitsnoop -P: children of one process"

of_strace %%stat,%fstat "$work/tnstat" /etc/passwd nowhere >"$work/count"
positive "$(cat "$work/count")" "strace counts stat"
is "$(rows statsnoop 2 | wc -l)" "$(cat "$work/count")" "statsnoop: each call"
is "$(rows statsnoop 4 5 6 | grep statx)" $'statx 0 /etc/passwd\nstatx 2 nowhere' "statsnoop: paths, and which is not there"

is "$(rows syncsnoop 3 4 6 7)" "tndd fsync 0 $work/copy" "syncsnoop: the file of an fsync"
has "$work/mountsnoop.out" ' (move_mount|mount) +0 .* '"$work/mnt"'$' "mountsnoop: where it is mounted"
has "$work/mountsnoop.out" ' (fsopen|mount) +0 tmpfs ' "mountsnoop: what kind"

is "$(rows setuids 1 4 5 6 7 8 9)" "$(cat <<-'END'
	0 setresuid 65534 65534 65534 0 0
	65534 setresgid 65533 65533 65533 0 0
	0 setresuid 65534 65534 65534 0 0
	65534 setresuid 0 0 0 -1 1
END
)" "setuids: who wants to be whom, and who may not"

read -r _ tcp _ udp <"$work/sockets"
is "$(rows bindsnoop 4 5 6 7 8)" "$(cat <<-END
	bind stream 0 $tcp 127.0.0.1
	listen stream 0 $tcp 127.0.0.1
	bind datagram 0 $udp ::1
	bind stream 0 0 $work/socket
	bind datagram 0 0 @$work/socket
	bind stream 98 0 127.0.0.1
END
)" "bindsnoop: what each socket is given"
is "$(rows threadsnoop 5 | paste -sd ' ')" "$(sed -n 's/^tids //p' "$work/sockets")" "threadsnoop: each thread"
is "$(rows threadsnoop 2 4 | sort -u)" "$(sed -n 's/^pid \(.*\)/\1 \1/p' "$work/sockets")" "threadsnoop: who makes them"

is "$(rows mmapsnoop 4 | paste -sd ' ')" "$(of_strace mmap "$work/tnstat" /etc/passwd nowhere >/dev/null
	sed -n 's/.* mmap([^,]*, \([0-9]*\), .*/\1/p' "$work/strace" | paste -sd ' ')" "mmapsnoop: lengths"
is "$(rows mmapsnoop 5 9 | grep -c '^r-x .*/libc.so.6$')" 1 "mmapsnoop: the code of the C library"

done_testing
