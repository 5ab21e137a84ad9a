#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# actions.t: destructive actions on a process of the test's own, and actions that cannot be done.
# rows: chill stop panic breakpoint
# guests: 6.1
. "${0%/*}/lib.sh"

dtrace_run -qwn 'BEGIN { t = timestamp; chill(20000000); }
	BEGIN { printf("%d\n", timestamp - t >= 20000000); }
	BEGIN { chill(490000000); }
	BEGIN { chill(999999999); }
	BEGIN { exit(0); }
	ERROR { printf("fault %d\n", arg4); }'
is "$(cat "$work/out")" "1
fault 3
fault 3" "chill() takes its time, and no more than half a second of each"

stopped() {
	grep -q '^State:.*stopped' "/proc/$victim/status"
}
dd if=/dev/zero of=/dev/null bs=1 count=2000000000 2>/dev/null &
victim=$!
dtrace_run -qwn 'syscall::write:entry /pid == $1/ { stop(); exit(0); }' "$victim"
ok "stop() stops the process" wait_for 50 stopped
kill -CONT "$victim"
kill "$victim"

# Counts made between the action and the moment when the consumer reads it are lost, too: that time must be short.
dtrace_run -qn 'BEGIN { i = 0; } tick-200ms /i < 10/ { @t[i] = count(); @c[i % 2] = sum(i); i++; }
	tick-200ms /i == 5/ { trunc(@t); clear(@c); } tick-200ms /i == 10/ { exit(0); }
	END { printa("%d ", @t); printa("%@d ", @c); }'
is "$(head -n 1 "$work/out")" "5 6 7 8 9 14 21 " "trunc() and clear() are done at once"

dtrace_run -qn 'BEGIN { print(curthread->cred->rcu); exit(0); }'
has "$work/out" '^    void \(\*\)\(\) func = ' "print() leaves out what functions take"

# Programs that BEGIN makes the consumer run are traced.
cp "$top/build/test-calls" "$work/calls$$"
dtrace_run -qwn "BEGIN { system(\"$work/calls$$ 50 1\"); } tick-10ms { i++; }
	syscall::lseek:entry /execname == \"calls$$\" && (int)arg0 == -1/ { @ = count(); n++; }
	tick-10ms /n == 50 || i == 300/ { exit(0); }"
is "$(grep . "$work/out" | tr -d ' ')" 50 "all probes fire when the output of BEGIN is read"

for action in panic breakpoint; do
	dtrace_run -wn "BEGIN { $action(); }"
	is $status 1 "$action() is refused"
	has "$work/err" "this kernel does not support $action\(\)" "$action(): the message"
done

done_testing
