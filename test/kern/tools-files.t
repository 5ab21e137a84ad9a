#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-files.t: the tools about system calls and files, compared with strace's counts of the same program.
#
# guests: none
# needs: python3 strace
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
touch a b c
program tfcat cat
program tfdd dd
reading() {
	"$work/tfcat" a nowhere b c nowhere
}

# calls OPTION...: prints strace's counts of a program: lines "COUNT CALL ERRORS".
calls() {
	strace -f -c -o "$work/strace" "$@" >"$work/program.out" 2>&1
	awk 'NF >= 5 && $1 ~ /^[0-9.]+$/ && $NF != "total" { print $4, $NF, NF == 6 ? $5 : 0 }' "$work/strace" | sort
}

# number CALL FIELD: prints a field of these lines.
number() {
	awk -v name="$1" -v field="$2" '$2 == name { n = $field } END { print n + 0 }' "$work/calls"
}

calls "$work/tfcat" a nowhere b c nowhere >"$work/calls"
positive "$(number openat 3)" "strace counts calls that fail"

tool_start PATH opensnoop -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(grep -c ' tfcat ' "$work/out")" "$(number openat 1)" "opensnoop: every file that is opened"
is "$(awk '$3 == "tfcat" && $4 >= 0 { print $5 }' "$work/out" | tail -n 3 | paste -sd ' ')" "a b c" "opensnoop: their names"
tool_start PATH opensnoop -xe -n tfcat -f nowhere
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/tfcat/ { print $1, $3, $4, $5, $6 }' "$work/out")" $'0 tfcat -1 2 nowhere\n0 tfcat -1 2 nowhere' \
	"opensnoop -xe -f: who, what, why not"

tool_start NAME errinfo -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^tfcat/ { print $2 }' "$work/out" | sort | uniq -c | awk '{ print $2, $1 }')" \
	"$(awk '$3 { print $2, $3 }' "$work/calls" | sort)" "errinfo: each call that fails"
is "$(awk '$2 == "openat" { print $3, $4 }' "$work/out" | sort -u)" "2 ENOENT" "errinfo: its number and name"
tool_start_quiet errinfo -cn tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^tfcat/ { n[$2] += $5 } END { for (call in n) print n[call], call }' "$work/out" | sort)" "$(awk '$3 { print $3, $2 }' "$work/calls" | sort)" \
	"errinfo -c: how many"

# Neither tool sees the exec and the end of the program.
tool_start Tracing procsystime -a -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
awk '/Counts/ { on = 1 } on && NF == 2 && $1 !~ /SYSCALL|TOTAL|Sys/ { print $2, $1 }' "$work/out" | sort >"$work/counts"
is "$(cat "$work/counts")" "$(awk '$2 != "execve" && $2 != "exit_group" { print $1, $2 }' "$work/calls" | sort)" "procsystime: counts"
is "$(awk '/TOTAL/ { print $2 }' "$work/out" | tail -n 1)" "$(awk '{ n += $1 } END { print n }' "$work/counts")" "procsystime: their sum"
is "$(awk '/Elapsed/ { on = 1 } /CPU/ { on = 0 } on && NF == 2 && $2 ~ /^[0-9]+$/ && $2 > 0' "$work/out" | grep -vc TOTAL)" "$(wc -l <"$work/counts")" \
	"procsystime: each takes time"

tool_start SYSCALL dtruss -c -n tfcat
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/^CALL/ { on = 1; next } on && NF == 2 { print $2, $1 }' "$work/out" | sort)" "$(cat "$work/counts")" "dtruss -c: counts"
has "$work/out" '^openat\(AT_FDCWD, "nowhere", O_RDONLY\)[[:space:]]+ = -1 ENOENT$' "dtruss: a path, and why not"
printf '%s a\n%s b\ntrue\n' "$work/tfcat" "$work/tfcat" >script
timeout 20 "$top/scripts/dtruss" -f -t execve sh script >"$work/out" 2>"$work/err"
is "$(grep -c "^execve(\"$work/tfcat\"" "$work/out")" 2 "dtruss -f: children of a command"

# A program whose arguments have names, and whose calls fail.
cat >names.py <<'END'
import mmap, os, signal, socket, sys
def fails(function, *args):
    try:
        function(*args)
    except OSError:
        pass
d = sys.argv[1]
os.chdir(d)
ip4, ip6, unix = socket.AF_INET, socket.AF_INET6, socket.AF_UNIX
l4 = socket.create_server(("127.0.0.1", 0))
c4 = socket.create_connection(l4.getsockname())
a4, _ = l4.accept()
l6 = socket.create_server(("::1", 0), family=ip6)
c6 = socket.create_connection(l6.getsockname()[:2])
a6, _ = l6.accept()
for s in l4, l6:
    s.getsockname()
fails(socket.socket(ip4).connect, ("127.0.0.1", 9))
fails(socket.socket(ip6).connect, ("::1", 9))
fails(socket.socket(unix).connect, d + "/nosocket")
fails(socket.socket(ip4).bind, ("192.0.2.1", 9))
u = socket.socket(unix)
u.bind(d + "/socket")
fails(socket.socket(unix).bind, d + "/socket")
b = socket.socket(unix)
b.bind("\0tools-files" + d)
socket.socket(ip4, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", 9))
socket.socket(ip6, socket.SOCK_DGRAM).sendto(b"hello", ("::1", 9))
f = os.open(d + "/file", os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_SYNC | os.O_NOFOLLOW)
os.open(d, os.O_RDWR | os.O_TMPFILE | os.O_DSYNC)
os.open(d, os.O_PATH | os.O_DIRECTORY | os.O_NOATIME)
r = os.open(d + "/file", os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
fails(os.open, d + "/file", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_TRUNC)
fails(os.write, r, b"x")
fails(os.read, 99, 1)
fails(os.close, 99)
fails(os.fsync, u.fileno())
fails(os.mkdir, d)
fails(os.chdir, "")
fails(os.rmdir, d + "/file")
fails(os.readlink, d + "/file")
fails(os.setxattr, d + "/nofile", "user.a", b"b")
fails(os.kill, 1 << 22, signal.SIGTERM)
fails(os.lseek, c4.fileno(), 0, os.SEEK_SET)
os.write(f, b"x" * 4100)
for whence in range(5):
    os.lseek(f, 0, whence)
mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
mmap.mmap(-1, 4096, prot=0)
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGUSR2)
os.kill(os.getpid(), 0)
signal.raise_signal(signal.SIGUSR2)
for s in c4, a4, l4, c6, a6, l6:
    host, port = s.getsockname()[:2]
    print("[%s]:%d" % (host, port) if ":" in host else "%s:%d" % (host, port), file=sys.stderr)
os.chdir("/")
END
program tfpy "$(python3 -c 'import sys; print(sys.executable)')"

# named TRACER...: runs the program with a tracer, in a directory that it can fill.
named() {
	rm -rf named
	mkdir named
	"$@" "$work/tfpy" -SE names.py "$work/named" >"$work/program.out" 2>"$work/program.err" </dev/null
}

# plain_addresses: a filter that prints addresses of strace as the tools do.
plain_addresses() {
	sed -E -e 's/\{sa_family=AF_INET, sin_port=htons\(([0-9]+)\), sin_addr=inet_addr\("([^"]*)"\)\}/\2:\1/' \
		-e 's/\{sa_family=AF_INET6, sin6_port=htons\(([0-9]+)\), .*inet_pton\(AF_INET6, "([^"]*)".*\}/[\2]:\1/' \
		-e 's/\{sa_family=AF_UNIX, sun_path=(@?)"([^"]*)"\}/\1\2/'
}

# Each prints names in lines of strace or dtruss, which are the same in all runs of the program.
opens() {
	sed -nE 's/^openat\(AT_FDCWD, "([^"]*named[^"]*)", ([A-Z_|]+)[,)].*= (-1 [A-Z]+|[0-9]).*/\1 \2 \3/p' "$1" | sed 's/ [0-9]$//'
}
addresses() {
	plain_addresses <"$1" |
		sed -nE 's/^(connect|bind|sendto)\(.* ((\[[0-9a-f:]+\]|[0-9.]+):[09]|@?[^", ]*\/[^", ]*)[,)].*= (-1 [A-Z]+|[05]).*/\1 \2 \4/p'
}
words() {
	sed -nE -e '/chdir\("[^"]*named"/,/chdir\("\/"/s/^(lseek|mmap|mprotect|kill|tgkill|rt_sigaction)\(/&/p' "$1" |
		grep -oE '\b(SEEK_[A-Z]+|PROT_[A-Z_|]+|SIG[A-Z0-9]+)'
}

named strace -o "$work/strace"
named "$top/scripts/dtruss"
mv program.out out
for names in opens addresses words; do
	positive "$($names strace | wc -l)" "strace shows $names"
	is "$($names out)" "$($names strace)" "dtruss: $names"
done
is "$(sed '/^chdir("\/"/q' out | grep '^getsockname' | tail -n 6 | cut -d ' ' -f 2)" "$(sed 's/$/,/' program.err)" "dtruss: addresses that the kernel fills in"
is "$(grep -c '^accept4*([^,]*, \(127.0.0.1\|\[::1\]\):[0-9]' out)" 2 "dtruss: addresses of peers"

# failures: prints strace's calls that fail, with the name of the error and the argument.
failures() {
	sed -E -e '/ = -1 E/!d' -e 's/AT_FDCWD<[^>]*>/AT_FDCWD/' "$work/strace" | plain_addresses | sed -nE \
		-e 's/^([a-z0-9_]+)\((.*)= -1 ([A-Z0-9]+).*/\1 \3 (\2/' -e 't next' -e ':next' -e '/^kill /s/\(.*/-/;t done' \
		-e 's/\([^ ]* ((\[[0-9a-f:]+\]|[0-9.]+):[0-9]+|@?[^", ]*\/[^", ]*), [0-9]+\).*/\1/;t done' \
		-e 's/\([0-9]+<(\/[^>]*)>.*/\1/;t done' -e 's/\(([0-9]+)[<,)].*/fd \1/;t done' \
		-e 's/\([^"]*"([^"]+)".*/\1/;t done' -e 's/\([^"]*"".*/""/;t done' -e 's/\(.*/-/' -e ':done' -e p | sort
}
named strace -y -o "$work/strace"
tool_start NAME errinfo -n tfpy
named
tool_stop
failures >want
positive "$(wc -l <want)" "strace shows failures"
awk '$1 == "tfpy" { print $2, $4, (NF > 5 ? $5 " " $6 : $5) }' out | sort >got
ok "errinfo: errors and arguments" diff want got
tool_start_quiet errinfo -cn tfpy
named
tool_stop
awk '$1 == "tfpy" { print $5, $2, $4, (NF > 6 ? $6 " " $7 : $6) }' out | sort >got
ok "errinfo -c: the same, counted" diff <(uniq -c want | sed 's/^ *//' | sort) got

# The table of errors has the numbers and names of the C library's headers.
if compiler_here "errinfo: all errors"; then
	echo '#include <errno.h>' | gcc -E -dM - | awk '$2 ~ /^E[A-Z0-9]+$/ && $3 ~ /^[0-9]+$/ { print $3, $2 }' | sort -n >want
	(
		. "$top/scripts/calls.sh"
		echo "$errors"
		awk '{ printf "dtrace:::BEGIN { printf(\"%d %%s\\n\", error_name[%d]); }\n", $1, $1 }' want
		echo 'dtrace:::BEGIN { exit(0); }'
	) >errors.d
	"$dtrace" -q -s errors.d 2>err | grep . >got
	ok "errinfo: all errors" diff want got
fi

# dd prints how much it has copied.
copying() {
	"$work/tfdd" if=/dev/zero of=copy bs=1000 count=37
}
tool_start BYTES rwsnoop -n tfdd
copying 2>"$work/program.out"
tool_stop
is "$(awk -v file="$work/copy" '$4 == "W" && $6 == file { n++; sum += $5 } END { print n, sum }' "$work/out")" "37 37000" "rwsnoop: writes"
is "$(awk '$4 == "R" && $6 == "/dev/zero" { n++; sum += $5 } END { print n, sum }' "$work/out")" "37 37000" "rwsnoop: reads"
calls "$work/tfdd" if=/dev/zero of=copy bs=1000 count=37 >"$work/calls"
is "$(grep -c ' tfdd ' "$work/out")" $(($(number read 1) + $(number write 1) + $(number pread64 1))) "rwsnoop: all of them"

tool_start Tracing vfslatency -o vop_read -n tfdd
copying 2>"$work/program.out"
tool_stop
is "$(awk '/\|/ { n += $NF } END { print n + 0 }' "$work/out")" $(($(number read 1) + $(number pread64 1))) "vfslatency: a time for each read"

strace -o "$work/strace" -e trace=read,pread64,write "$work/tfdd" if=/dev/zero of=copy bs=1000 count=37 2>"$work/program.out"
bytes() {
	awk -v call="$1" '$0 ~ call && $NF > 0 { sum += $NF } END { print sum + 0 }' "$work/strace"
}
tool_start Tracing rwtop -n tfdd 2 1
copying 2>"$work/program.out"
tool_wait
is "$(awk '$4 == "tfdd" && $5 == "R" { print $6 }' "$work/out")" "$(bytes '^p?read')" "rwtop: bytes that are read"
# The last line of dd contains its own time.
between "$(awk '$4 == "tfdd" && $5 == "W" { print $6 }' "$work/out")" 37000 $(($(bytes '^write') + 20)) "rwtop: bytes that are written"
is "$(grep -c '^.*app_r' "$work/out")$(grep -c $'\033' "$work/out")" 10 "rwtop: one interval, no control of a terminal"
# Copies, io_submit() and io_uring count; a splice into a pipe (6000 bytes) writes the pipe.
mkdir "$work/roads"
for tool in rwtop filetop; do
	tool_start Tracing $tool -Cn test-roads 60
	"$top/build/test-roads" "$work/roads" >"$work/program.out"
	tool_stop
	has "$work/out" '^not counted: mapped files' "$tool: bytes that it cannot count"
	[ $tool = rwtop ] || continue
	is "$(awk '$4 == "test-roads" && $5 == "W" { print $6 }' "$work/out")" \
		"$(awk '$1 == "write" { n += $3 } END { print n + 6000 }' "$work/program.out" |
			awk -v size="$(stat -c %s "$work/program.out")" '{ print $1 + size }')" "rwtop: bytes by every road"
done
is "$(awk '$8 ~ /\/roads\/calls$/ { print $7 }' "$work/out")" $(($(awk '$2 == "calls" { print $3 }' "$work/program.out") / 1024)) \
	"filetop: kilobytes that are copied"

# Requests that the tools cannot count, and pipes without files.
for tool in rwtop filetop rwsnoop; do
	case $tool in
	rwsnoop) tool_start BYTES rwsnoop -n test-roads ;;
	*) tool_start Tracing $tool -Cn test-roads 60 ;;
	esac
	"$top/build/test-roads" "$work/roads" many >"$work/program.out"
	has "$work/program.out" '^write many 700$' "$tool: the load ran"
	tool_stop
	has "$work/out" '^not counted as a whole: 3 requests of io_submit' "$tool: requests that it cannot count"
	cp "$work/out" "$work/$tool.out"
done
is "$(awk '$4 == "test-roads" && $5 == "W" { print $6 }' "$work/rwtop.out")" $((700 + 1000 + 15)) "rwtop: bytes into pipes"
is "$(awk '$3 == "test-roads" && $5 == 500 { print $4 }' "$work/rwsnoop.out" | paste -sd ' ')" "W R W R R" "rwsnoop: pipes"
is "$(awk '$4 == "W" && $6 ~ /roads\/many$/ { print $5 }' "$work/rwsnoop.out")" 700 "rwsnoop: io_submit()"

# A copy is an operation of both files; io_uring is none.
tool_start BYTES rwsnoop -n test-roads
"$top/build/test-roads" "$work/roads" >"$work/program.out"
tool_stop
for way in R W; do
	is "$(awk -v way=$way '$4 == way && $6 ~ /\/roads\// { n[$6] += $5 } END { for (f in n) { sub(".*/", "", f); print f } }' "$work/out" | sort)" \
		"$(awk -v way=$way '$1 == (way == "R" ? "read" : "write") { print $2 }' "$work/program.out" | sort)" "rwsnoop $way: files by every road"
	is "$(awk -v way=$way '$4 == way && $6 ~ /\/roads\// { n += $5 } END { print n }' "$work/out")" \
		"$(awk -v way=$way '$1 == (way == "R" ? "read" : "write") { n += $3 } END { print n }' "$work/program.out")" "rwsnoop $way: bytes by every road"
done
tool_start Tracing vopstat -n test-roads
"$top/build/test-roads" "$work/roads" >"$work/program.out"
tool_stop
is "$(grep -c '^write .*\(uring\|worker\|polled\)' "$work/program.out" | awk '{ print 2 + 5 * $1 }')" \
	"$(sed -n 's/^not shown: \([0-9]*\) reads and writes.*/\1/p' "$work/out")" "vopstat: operations that it cannot time"
# The three reads of the C library and three copies; two writes, three copies, and the line of the program.
is "$(awk '$2 ~ /^vop_(read|write)$/ { print $2, $3, $4 }' "$work/out" | sort | paste -sd ' ')" "vop_read 6 0 vop_write 6 0" "vopstat: copies"

# A terminal is cleared before each interval.
for option in '' -C; do
	timeout 20 script -qec "$top/scripts/rwtop $option -t 1 1 1" /dev/null >"$work/out" 2>"$work/err"
	is "$(grep -c $'\033\[H\033\[J20' "$work/out") $(grep -c app_r "$work/out")" "$([ "$option" ] && echo 0 || echo 1) 1" \
		"rwtop $option: on a terminal"
done

# The tool prints nothing when it starts tracing.
sees_opened() {
	"$work/tfcat" "$1" >"$work/program.out" 2>&1
	sleep 0.2
	grep -q " tfcat $1\$" "$work/out"
}
tool_start matched filebyproc -n tfcat
wait_for 30 sees_opened c
reading >"$work/program.out" 2>&1
cat a >"$work/program.out"
tool_stop
is "$(grep -c 'openat:return tfcat nowhere$' "$work/out")" 2 "filebyproc: who opens what"
is "$(grep 'openat:return' "$work/out" | grep -vc ' tfcat ')" 0 "filebyproc -n: nobody else"
tool_start matched filebyproc -f b
wait_for 30 sees_opened b
reading >"$work/program.out" 2>&1
tool_stop
is "$(awk '/openat:return/ { print $NF }' "$work/out" | sort -u)" b "filebyproc -f: one file"

done_testing
