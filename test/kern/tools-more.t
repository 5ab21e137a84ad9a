#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-more.t: tools about privileges, system calls, processors, waking and host names, all at the same time, compared with
# strace and the programs' own output.
#
# guests: none
# needs: python3 strace
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

cd "$work" || exit 1
touch a b
program tmcat cat
program tmwaits dash
program tmwaker dash
program tmpy "$(python3 -c 'import sys; print(sys.executable)')"
cp "$top/build/test-events" toolcap
cp "$top/build/test-switch" toolhogs

cat >hosts.py <<'END'
import socket, time
for host, flags in ("localhost", 0), ("no.number", socket.AI_NUMERICHOST):
    began = time.monotonic_ns()
    try:
        socket.getaddrinfo(host, None, flags=flags)
        result = 0
    except socket.gaierror as error:
        result = error.errno
    print(host, result, (time.monotonic_ns() - began) // 1000)
END

needed=
[ -d /sys/kernel/tracing/events/capability/cap_capable ] || may_probe_functions || needed="no tracepoint cap_capable"
together_start syslatency -n tmcat : profile -n toolhogs -f 3 : wakeuptime -m 1000 -n tmwaits : gethostlatency -n tmpy \
	${needed:-: capable -n toolcap}
"$work/tmcat" a nowhere b >program.out 2>&1
"$work/toolhogs" hogs $(($(nproc) - 1)) 1000 1 >hogs
began=${EPOCHREALTIME/./}
# shellcheck disable=SC2016
"$work/tmwaker" -c 'sleep 0.5; echo x; sleep 0.1' | "$work/tmwaits" -c 'read x'
ended=${EPOCHREALTIME/./}
"$work/tmpy" -S hosts.py >hosts
[ "$needed" ] || { "$work/toolcap" allowed 7; "$work/toolcap" denied 5; } >program.out
together_stop

strace -f -c -o strace "$work/tmcat" a nowhere b >program.out 2>&1
is "$(awk 'NF == 1 && !/\|/ { call = $1 } /\|/ { n[call] += $NF } END { for (call in n) print call, n[call] }' syslatency.out | sort)" \
	"$(awk 'NF >= 5 && $1 ~ /^[0-9.]+$/ && $NF != "total" && $NF !~ /^(execve|exit_group)$/ { print $NF, $4 }' strace | sort)" \
	"syslatency: a time for each call"

samples=$(awk '$1 == "thread" { n += $7 } END { printf "%d", n / 10101010 }' hogs)
positive "$samples" "the hog runs"
between "$(awk 'NF == 1 && /^ +[0-9]+$/ { n += $1 } END { print n + 0 }' profile.out)" $((samples / 2)) $((samples * 12 / 10 + 10)) \
	"profile: as many samples as it has had time"
has profile.out '^toolhogs`' "profile: where"
is "$(awk '/`/ { n++; next } { max = n > max ? n : max; n = 0 } END { print max }' profile.out)" 3 "profile -f: three frames"

# The two can also wait for a page or a lock of the shell that they are copies of.
positive "$(awk '$1 == "tmwaits" && $2 == "tmwaker" { print $3 }' wakeuptime.out)" "wakeuptime: who wakes whom"
between "$(awk '$1 == "tmwaits" && $2 == "tmwaker" { print $4 }' wakeuptime.out)" 100000 $((ended - began)) "wakeuptime: after what time"

is "$(awk '$2 == "tmpy" { print $5, $4 }' gethostlatency.out)" "$(awk '{ print $1, $2 }' hosts)" "gethostlatency: each name, and what is returned"
is "$(grep -c . hosts)" 2 "two names are looked up"
while read -r host _ us; do
	between "$(awk -v host="$host" '$5 == host { print $3 }' gethostlatency.out)" 1 "$us" "gethostlatency: $host: how long"
done <hosts

if [ -z "$needed" ]; then
	is "$(awk '$3 == "toolcap" && $4 == 18 { print $5, $6 }' capable.out | uniq -c | awk '{ print $1, $2, $3 }' | paste -sd ,)" \
		"7 SYS_CHROOT 1,5 SYS_CHROOT 0" "capable: each time, and the answer"
	tool_start Tracing capable -cx -n toolcap
	"$work/toolcap" allowed 7 >program.out
	"$work/toolcap" denied 5 >program.out
	tool_stop
	is "$(awk '$2 == "toolcap" && $3 == 18 { print $4, $5, $6 }' out)" "SYS_CHROOT 0 5" "capable -cx: what is refused, counted"
else
	skip "capable" "$needed, and the kernel lets no functions be traced"
fi

done_testing
