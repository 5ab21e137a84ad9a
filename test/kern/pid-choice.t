#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-choice.t: functions with several implementations, one of which is chosen when the program starts
# (STT_GNU_IFUNC).  A function of the program, and strlen and memcpy of the C library, are called a known number of
# times (pid.c).  time is in the kernel's code.
#
# guests: none
. "${0%/*}/lib.sh"

program=$top/build/test-pid
n=20

for kind in '' -debug -static -stripped; do
	dtrace_run -qx evaltime=main -n 'pid$target:a.out:pick:entry { @[probefunc, probename] = count(); @in = sum(arg0); }
		pid$target:a.out:pick:return { @[probefunc, probename] = count(); @out = sum(arg1); }
		pid$target::strlen:return /arg1 == 1237/ { @[probefunc, probename] = count(); }
		pid$target::memcpy:entry /arg2 == 1237/ { @[probefunc, probename] = count(); }
		END { printa("%s %s %@d\n", @); printa("in %@d\n", @in); printa("out %@d\n", @out); }' \
		-c "$program$kind choice $n"
	is "$(value pick entry) $(value pick return)" "$n $n" "test-pid$kind: one that the program chooses"
	is "$(value in) $(value out)" "$((n * (n - 1) / 2)) $((n * (n + 3) / 2))" "test-pid$kind: its arguments and results"
	is "$(value strlen return) $(value memcpy entry)" "$n $n" "test-pid$kind: strlen and memcpy"
done

# ---- names

dtrace_run -ln 'pid$target:a.out:pick*:entry' -c "$program-debug choice 1"
is "$(awk '$5 == "entry" { print $4 }' "$work/out" | sort | xargs)" "pick pick_first" \
	"a pattern tells of what is chosen by the name that all know"
dtrace_run -qn 'pid$target:a.out:pick_second:entry, pid$target:a.out:pick:entry { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c "$program-debug choice $n"
is "$(value pick) $(value pick_second)" "$n $n" "by its own name, too"

# ---- unknown functions

dtrace_run -x errtags -n 'pid$target:a.out:pick:entry' -c "$program-static choice 1"
has "$work/err" '\[D_PROC_CREATEFAIL\] .* function pick of pid[0-9]+ is not chosen yet' \
	"a static program that has not begun"
dtrace_run -x errtags -n 'pid$target:libc:time:entry' -c "$program choice 1"
has "$work/err" '\[D_PROC_CREATEFAIL\] .* function time of pid[0-9]+ is not chosen yet' \
	"what nothing calls"
dtrace_run -x errtags -x setenv=LD_BIND_NOW=1 -n 'pid$target:libc:time:entry' -c 'bash -c :'
has "$work/err" "\[D_PROC_CREATEFAIL\] .* function time of pid[0-9]+ is in the kernel's code" \
	"what is in no file"

done_testing
