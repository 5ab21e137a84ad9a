#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# tools-cpu.t: the tools about processors and locks, compared with what threads count themselves.
#
# guests: none
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# A name that no other test has, because tests run in parallel.
switch=$work/tc-switch
cp "$top/build/test-switch" "$switch"
cp "$top/build/test-locks" "$work/tc-locks"
cpu=$(($(nproc) - 1))

# own FIELD...: prints the sum of these fields over the threads of the last run of switch.
own() {
	awk -v fields="$*" 'BEGIN { n = split(fields, f, " ") }
		$1 == "thread" { for (i = 1; i <= n; i++) sum += $f[i] } END { printf "%.0f", sum }' "$work/switch"
}

# in_distributions LEAST: prints the count in rows from this value on.
in_distributions() {
	awk -v least="$1" '/\|/ && $1 >= least { n += $NF } END { print n + 0 }' "$work/out"
}

# A thread has a few switches outside of its marks, at its start and its end.
tool_start Tracing cpudist -n tc-switch
"$switch" ping "$cpu" 300 >"$work/switch"
tool_stop
between "$(in_distributions 0)" $(($(own 3 4) * 97 / 100)) $(($(own 3 4) + 100)) "cpudist: how often threads had a processor"
tool_start Tracing cpudist -mOP -n tc-naptime
program tc-naptime sleep
"$work/tc-naptime" 0.3
tool_stop
is "$(in_distributions 256)" 1 "cpudist -mO: who sleeps has no processor for that long, once"
has "$work/out" ' msecs +[0-9]+ +tc-naptime' "cpudist -P: whose it is"

nap() {
	tool_start Tracing offcpu -k -m 200000 -n tc-naptime
	began=${EPOCHREALTIME/./}
	"$work/tc-naptime" 0.3
	ended=${EPOCHREALTIME/./}
	tool_stop
}
undisturbed nap
has "$work/out" 'do_nanosleep\+0x' "offcpu: where the kernel waits"
is "$(grep -c 'libc' "$work/out")" 0 "offcpu -k: no stack of the process"
is "$(grep -c 'tc-naptime$' "$work/out")" 1 "offcpu -m: only long waits"
between "$(awk 'last { print $1; exit } $1 == "tc-naptime" { last = 1 }' "$work/out")" 300000 $((ended - began)) "offcpu: how long"

# samples NAME: prints the samples of a process, from a table that also has percentages.
samples() {
	awk -v name="$1" '$1 == name || $2 == name { n += $(NF - 1) } END { print n + 0 }' "$work/out"
}

# There is a sample per millisecond of processor time, which the shell reports.
program tcbash bash
printf 'for ((i = 0; i < 150000; i++)); do :; done\ntimes\n' >"$work/script"
timeout 20 "$top/scripts/hotuser" -l "$work/tcbash" "$work/script" >"$work/out" 2>"$work/err"
is $? 0 "hotuser ends with its command"
ms=$(sed -n '1s/^0m\([0-9]*\)\.\([0-9]*\)s.*/\1\2/p' "$work/out")
between "$(awk '$NF ~ /%/ { n += $(NF - 1) } END { print n + 0 }' "$work/out")" $((10#$ms / 2)) $((10#$ms * 12 / 10 + 100)) \
	"hotuser -l: a sample a millisecond"
has "$work/out" '^tcbash +[0-9]+ +[0-9.]+%$' "hotuser -l: in the program itself"
timeout 20 "$top/scripts/hotuser" "$work/tcbash" "$work/script" >"$work/out" 2>"$work/err"
has "$work/out" '^tcbash`execute_command_internal +[0-9]+ +[0-9.]+%$' "hotuser: functions"

tool_start Sampling sampleproc 997
"$switch" hogs "$cpu" 300 1 >"$work/switch"
tool_stop
between "$(samples tc-switch)" $(($(own 7) / 2000000)) $(($(own 7) * 12 / 10000000 + 100)) "sampleproc: a sample a millisecond"

tool_start Sampling pridist -n tc-switch
nice -n 15 "$switch" hogs "$cpu" 300 1 >"$work/switch"
tool_stop
between "$(awk '/CMD:/ { on = $2 == "tc-switch" } on && /\|/ && $1 == 130 { print $NF }' "$work/out")" \
	$(($(own 7) / 2000000)) $(($(own 7) * 12 / 10000000 + 100)) "pridist: the priority of a nice process"
is "$(awk '/CMD:/ { print $2 }' "$work/out" | sort -u)" tc-switch "pridist -n: of nobody else"

timeout 30 "$top/scripts/plockstat" "$top/build/test-plocks" >"$work/out" 2>"$work/err"
read -r _ _ busy _ < <(grep '^counts' "$work/out")
between "$(awk '$1 == "mutex-block" { n += $2 } END { print n + 0 }' "$work/out")" 2 $((busy + 1)) \
	"plockstat: no more waits than the program has seen"
is "$(awk '$1 == "rw-block" { print $2, ($3 >= 200000000) }' "$work/out")" "1 1" "plockstat: one wait for a writer's lock, as long as it is held"
has "$work/out" 'test-plocks`contend\+0x' "plockstat: where"
timeout 30 "$top/scripts/plockstat" -H "$top/build/test-plocks" >"$work/out" 2>"$work/err"
read -r _ rounds _ < <(grep '^counts' "$work/out")
between "$(awk '$1 == "mutex-hold" { n = n > $2 ? n : $2 } END { print n + 0 }' "$work/out")" "$rounds" "$rounds" "plockstat -H: each lock is held"

# The kernel's own trace of these threads.
instance=/sys/kernel/tracing/instances/dtr$$
if mkdir "$instance" 2>/dev/null; then
	trap 'echo 0 >"$instance/events/lock/enable"; rmdir "$instance"; cleanup' EXIT
	tool_start Tracing lockstat -n tc-locks
	echo 1 >"$instance/events/lock/contention_end/enable"
	"$work/tc-locks" 200 4 >"$work/locks"
	echo 0 >"$instance/events/lock/contention_end/enable"
	tool_stop contention_end
	between "$(awk '$1 ~ /^(adaptive|spin|rw)-/ { n += $2 } END { print n + 0 }' "$work/out")" 1 \
		$(($(grep -c ' tc-locks-' "$instance/trace") * 2)) "lockstat: waits for locks of the kernel"
	has "$work/out" '^vmlinux`' "lockstat: where"
else
	skip "lockstat" "no instances of the kernel's trace"
fi

# The name is the process's, whatever its threads are called.
if compiler_here "a thread with a name of its own"; then
	cat >"$work/names.c" <<-'END'
		#include <fcntl.h>
		#include <pthread.h>
		#include <sys/prctl.h>
		static void *work(void *arg)
		{
			prctl(PR_SET_NAME, "tc-other");
			for (int i = 0; i < 50; i++)
				open("/nonexistent/tc", O_RDONLY);
			return arg;
		}
		int main(void)
		{
			pthread_t thread;
			return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0);
		}
	END
	gcc -o "$work/tc-names" "$work/names.c" -pthread
	tool_start EXEC errinfo -n tc-names
	"$work/tc-names"
	tool_stop
	is "$(grep -c '^tc-names  *openat  *2 ENOENT  */nonexistent/tc$' "$work/out")" 50 "errinfo -n: what a thread of the process did"
	is "$(grep -c '^tc-other' "$work/out")" 0 "... under the name of the process"
fi

done_testing
