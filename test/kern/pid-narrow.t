#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-narrow.t: functions of a 32-bit program, called a known number of times (pid-narrow.c).
#
# guests: 6.1
. "${0%/*}/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "the test has 32-bit programs for x86 only"

program=$top/build/test-pid-narrow
narrow_here "functions of such a program" || done_testing
n=20

dtrace_run -qn 'pid$target:a.out::entry, pid$target:a.out::return { @[probefunc, probename] = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$program"
for function in leaf tail several chosen three; do
	calls=$n
	# Called directly, by tail, and when i % 5 = 1 by chosen.
	[ $function != leaf ] || calls=$((2 * n + n / 5))
	is "$(value $function entry) $(value $function return)" "$calls $calls" "$function: entries and returns"
done
dtrace_run -qn 'pid$target:a.out:three:entry { printf("%x %d %s\n", arg0, (int)arg1, copyinstr(arg2)); }
	pid$target:a.out:three:return { printf("three %x\n", arg1); }
	pid$target:a.out:several:return { @[(int)arg1] = count(); }
	END { printa("several %d %@d\n", @); }' -c "$program"
for ((i = 0; i < n; i++)); do
	has "$work/out" "^fffffff0 $((-i)) a text\$" "arguments: $i"
done
is "$(grep -c '^three fffffff1$' "$work/out")" $n "results"
is "$(grep '^several' "$work/out" | sort -k 2n | xargs)" 'several -10 7 several 20 7 several 30 6' "results of several returns"
dtrace_run -qn 'pid$target:a.out:leaf: { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c "$program"
positive "$(grep -c "^[0-9a-f]* $((2 * n + n / 5))\$" "$work/out")" "instructions"

done_testing
