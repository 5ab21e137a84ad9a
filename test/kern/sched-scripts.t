#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sched-scripts.t: the ready scripts about processors, compared with what threads count themselves.
#
# guests: none
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# A name that no other test has, because tests run in parallel.
switch=$work/ss-switch
cp "$top/build/test-switch" "$switch"
cpu=$(($(nproc) - 1))

# own FIELD...: prints the sum of these fields over the threads of the last run of switch.
own() {
	awk -v fields="$*" 'BEGIN { n = split(fields, f, " ") }
		$1 == "thread" { for (i = 1; i <= n; i++) sum += $f[i] } END { print sum + 0 }' "$work/switch"
}

context_switches() {
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}

idle_ticks() {
	awk '$1 == "cpu" { print $5 }' /proc/stat
}

# A thread has a few switches outside of its marks, at its start and its end.
ok "cpudists tells its usage" test "$("$top/scripts/cpudists" -h 2>&1 | head -n 1)" = "usage: cpudists [-ahV] [-t top] [interval [count]]"
tool_start_quiet cpudists -a -V
idle=$(idle_ticks)
"$switch" ping "$cpu" 300 >"$work/switch"
sleep 0.5
idle=$(($(idle_ticks) - idle))
tool_stop
between "$(distribution_total ss-switch)" $(($(own 3 4) * 97 / 100)) $(($(own 3 4) + 100)) \
	"cpudists -a: how often a process had a processor"
if [ $idle -gt 0 ]; then
	positive "$(distribution_total IDLE)" "cpudists -a: processors idle"
else
	skip "cpudists -a: processors idle" "the processors had work all the time"
fi
DTRACE=$dtrace "$top/scripts/cpudists" -t 1 1 1 >"$work/out" 2>"$work/err"
is "$(grep -c Distribution "$work/out")" 1 "cpudists -t 1 1 1: one distribution, once"
has "$work/out" '^20[0-9][0-9] .*,$' "cpudists: with the time of day"

# A process that is nearly always in the kernel: the samples agree with its kernel time, by the kernel's own count.
dd if=/dev/zero of=/dev/null bs=1M 2>/dev/null &
load=$!
own_pids+=("$load")
in_kernel() {
	awk '{ print $15 }' "/proc/$load/stat"
}
# On an emulated processor, starting takes longer than sampling: only the time with events counts.
is_sampling() {
	local stat line
	for stat in /proc/[0-9]*/stat; do
		# Without a process for each read, because it samples meanwhile.
		{ read -r line <"$stat"; } 2>/dev/null
		[[ $line == *") "?" $script_pid "* ]] || continue
		find "${stat%stat}fd" -lname '*perf_event*' 2>/dev/null | grep -q . && return
	done
	return 1
}
: >"$work/out"
DTRACE=$dtrace "$top/scripts/hotkernel" -p "$load" 2 >"$work/out" 2>"$work/err" &
script_pid=$!
own_pids+=("$script_pid")
wait_for 60 is_sampling
before=$(in_kernel)
wait "$script_pid"
ticks=$(($(in_kernel) - before))
samples=$(awk '$2 ~ /^[0-9]+$/ { n += $2 } END { print n + 0 }' "$work/out")
has "$work/out" '^FUNCTION +COUNT +PCNT$' "hotkernel: the heading"
has "$work/out" '^vmlinux`(read_zero|clear_user|rep_stos|__clear_user|clear_user_erms)[a-z_]* +[0-9]+ +[0-9.]+%$' "hotkernel: where a copy of zeros is"
# On an emulated processor, attaching and detaching all events takes longer than sampling.
part=2
[ -z "${GUEST:-}" ] || part=4
between "$samples" $((ticks * 10 / part)) $((ticks * 11 + 100)) "hotkernel: a sample for each millisecond in the kernel"
between "$(awk '$3 ~ /%$/ { n += $3 } END { print int(n + 0.5) }' "$work/out")" 97 103 "hotkernel: the parts are the whole"
DTRACE=$dtrace "$top/scripts/hotkernel" -m -p "$load" 1 >"$work/out" 2>"$work/err"
has "$work/out" '^vmlinux +[0-9]+ +(100|9[0-9])\.[0-9]%$' "hotkernel -m: by modules"
ok "hotkernel tells its usage" test "$("$top/scripts/hotkernel" -h 2>&1 | head -n 1)" = "usage: hotkernel [-hm] [-n name] [-p pid] [seconds]"
kill "$load"

tool_start Sampling cpuwalk -n ss-switch
"$switch" hogs "$cpu" 300 1 >"$work/switch"
tool_stop
samples=$(awk '/CMD:/ { f = $NF == "ss-switch" } f && /\|/ { n += $NF } END { print n + 0 }' "$work/out")
there=$(awk -v cpu="$cpu" '/CMD:/ { f = $NF == "ss-switch" } f && /\|/ && $1 == cpu { n += $NF } END { print n + 0 }' "$work/out")
positive "$there" "cpuwalk: a busy process is sampled"
between "$there" $((samples * 2 / 3)) "$samples" "cpuwalk: on the processor that it is bound to soon"
is "$(awk '/CMD:/ { print $NF }' "$work/out" | sort -u)" ss-switch "cpuwalk -n: nobody else"

switches_seen() {
	awk '/^2/ { n += $5 } END { print n + 0 }' "$work/out"
}
before=$(context_switches)
tool_start NUM cswstat
"$switch" ping "$cpu" 300 >"$work/switch"
sleep 2.2
tool_stop
between "$(switches_seen)" $(($(own 3 4) * 97 / 100)) \
	$(($(context_switches) - before)) "cswstat: switches, no more than the kernel has counted"
tool_start NUM cswstat -n ss-switch
"$switch" ping "$cpu" 300 >"$work/switch"
sleep 2.2
tool_stop
between "$(switches_seen)" $(($(own 3 4) * 97 / 100)) $(($(own 3 4) + 100)) "cswstat -n: to this process only"

tool_start Tracing runqlat
"$switch" hogs "$cpu" 30 3 >"$work/switch"
tool_stop
positive "$(awk '/\|/ && $1 >= 1024 { n += $NF } END { print n + 0 }' "$work/out")" "runqlat: who takes turns waits for milliseconds"
between "$(awk '/\|/ { n += $NF } END { print n + 0 }' "$work/out")" $(($(own 5) * 97 / 100)) 10000000 \
	"runqlat: each slice of time ends a wait"
tool_start Tracing runqlat -Pn ss-switch
"$switch" hogs "$cpu" 30 3 >"$work/switch"
tool_stop
is "$(awk '/CMD:/ { print $NF }' "$work/out" | sort -u)" ss-switch "runqlat -P -n: nobody else"

done_testing
