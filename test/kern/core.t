#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# core.t: the program itself: BEGIN, END, exit status, tables, aggregations, tick, a command, errors.
# rows: -s -c
# guests: 6.1
. "${0%/*}/lib.sh"

dtrace_run -n 'BEGIN { exit(0); }'
is $status 0 "BEGIN with exit(0) ends with status 0"
has "$work/err" "description 'BEGIN ' matched 1 probe" "the matched line"
has "$work/out" '^CPU +ID +FUNCTION:NAME *$' "the header of the table"
has "$work/out" '^ *[0-9]+ +1 +:BEGIN' "the row of BEGIN, which is probe 1"

dtrace_run -n 'BEGIN { exit(3); }'
is $status 3 "exit(3) gives the status 3"

dtrace_run -q -n 'BEGIN { printf("%d %s %x\n", 42, "text", 255); exit(0); }'
is "$(cat "$work/out")" "42 text ff" "-q prints what the program prints and nothing else"

dtrace_run -q -n 'BEGIN { @a["x"] = count(); @a["x"] = count(); @s = sum(40); @s = sum(2); exit(0); }'
is "$(value x)" 2 "count() by a key"
has "$work/out" '^ +42$' "sum() without a key"

dtrace_run -q -n 'BEGIN { i = 5; exit(0); } END { printf("i is %d\n", i); }'
has "$work/out" '^i is 5$' "a global variable lasts from BEGIN to END"

mkdir "$work/lib"
cat >"$work/lib/found.d" <<'END_D'
int lib_found, lib_first, lib_second;
inline int lib_is_large = lib_found > 3 ? 1 : 0;
dtrace:::BEGIN
{
	lib_found = 5;
	lib_first = lib_is_large;
	lib_found = 1;
	lib_second = lib_is_large;
}
END_D
dtrace_run -L "$work/lib" -qn 'BEGIN { printf("%d %d", lib_first, lib_second); exit(0); }'
is "$(cat "$work/out")" "1 0" "an inline of a library sees that a variable of the library has changed"

if fast_here "records that come faster than they are printed"; then
	dtrace_run -q -n 'profile-4000 { @[cpu] = count(); printa(@); clear(@); }' -c 'sleep 0.1'
	is $status 0 "the end of a process is seen although records come faster than they are printed"
fi

dtrace_run -q -n 'string kept[string]; int n[4];
	BEGIN { this->n = ((struct task_struct *)strjoin("a", "b"))->pid + ((struct task_struct *)execname)->pid +
		((struct task_struct *)kept["x"])->pid + ((struct task_struct *)&n[1])->pid + ((int *)"x")[400]; }
	BEGIN { exit(0); }'
is $status 0 "pointers to less than their types say"

dtrace_run -q -n 'tick-10hz { i++; } tick-10hz /i == 3/ { printf("ticks %d\n", i); exit(0); }'
is "$(cat "$work/out")" "ticks 3" "tick-10hz counts"

dtrace_run -q -n 'tick-100hz { @q["a"] = quantize(1); @q["b"] = quantize(1); @q["c"] = quantize(1); }
	tick-100hz { a["a"] = "x"; a["b"] = "x"; a["c"] = "y"; printf("%s", a["c"]); exit(0); }'
is "$(head -n 1 "$work/out")" y "a firing with interrupts off adds several elements"
is "$(grep -c '^  [abc] ' "$work/out")" 3 "and several keys"
is "$(cat "$work/err")" "" "and loses nothing"

dtrace_run -q -n 'int z; tick-100hz { n++; x = 1 / z; } tick-100hz { x = 2 / z; } tick-100hz { x = 3 / z; }
	tick-100hz /n == 2/ { exit(0); } ERROR { @[(int)arg1, n] = quantize(1); @all = count(); }
	END { printa("%@d\n", @all); trunc(@all); }'
is "$(head -n 1 "$work/out")" 6 "ERROR fires for each fault with interrupts off"
is "$(grep -c '^ *[1-9] *[12] *$' "$work/out")" 6 "and adds a key each time"
is "$(grep -c drop "$work/err")" 0 "and loses none"

dtrace_run -q -n 'rawtp:::sched_switch /pid == $target/ { n++; @[n, 1] = count(); @[n, 2] = count(); @[n, 3] = count(); }
	END { printf("%d", n); trunc(@); }' -c 'sleep 0.1'
positive "$(head -n 1 "$work/out")" "a process is switched away from"
is "$(grep -c drop "$work/err")" 0 "several keys of each time are kept"

dtrace_run -q -n 'int n; syscall:::entry /pid == $target && n < 200/ { n++; @[n] = lquantize(n, 0, 1000, 1); }
	END { printf("%d", n); trunc(@); }' -c 'dd if=/dev/zero of=/dev/null bs=1 count=150' -o "$work/wide"
is "$(cat "$work/wide")" 200 "200 system calls"
is "$(grep drop "$work/err")" "" "keys with wide histograms come faster than the kernel makes pages of them"

ulimit -Sn 256 # each program needs a descriptor or two
# An emulator of several processors can lose track of instructions that one processor rewrites.  Enabling a
# tracepoint rewrites instructions, and thousands of them are too many.
[ -n "${GUEST:-}" ] && all='rawtp:::sched_*' || all=rawtp:::
dtrace_run -q -n "$all"' /pid == $target/ { @[probename] = count(); @all = count(); }
	END { printa("key %s %@d\n", @); printa("all %@d\n", @all); }' -c 'sh -c "sleep 0.1; sleep 0.1; :"'
positive "$(awk '$1 == "all" { print $2 }' "$work/out")" "every tracepoint, for one process"
is "$(awk '$1 == "key" { n += $3 } END { print n }' "$work/out")" \
	"$(awk '$1 == "all" { print $2 }' "$work/out")" "and no key of their programs is lost"

dtrace_run -q -n 'BEGIN { printf("%d\n", $target); }' -c true
is $status 0 "-c: ends when the command does"
has "$work/out" '^[0-9]+$' "-c: the process is \$target"

dtrace_run -q -n 'BEGIN { printf("%d %s\n", $1, $$2); exit(0); }' 17 word
is "$(cat "$work/out")" "17 word" "macro arguments"

printf '#!/usr/sbin/dtrace -s\n#pragma D option quiet\nBEGIN\n{\n\ttrace("a script");\n\texit(0);\n}\n' \
	>"$work/script.d"
dtrace_run -s "$work/script.d"
is "$(cat "$work/out")" "a script" "-s runs a file"

dtrace_run -n 'BEGIN { x = ; }'
is $status 1 "a syntax error gives the status 1"
has "$work/err" '^dtrace: ' "a syntax error is reported"

dtrace_run -n 'nonesuch:::probe { }'
is $status 1 "a description without a probe gives the status 1"
has "$work/err" 'probe description nonesuch:::probe does not match any probes' "and is reported"

dtrace_run -q -n 'BEGIN { trace(*(int *)0); } ERROR { printf("fault %d\n", arg4); exit(0); }'
has "$work/out" '^fault 1$' "a bad address fires ERROR with fault 1"

# Verifiers before Linux 6.8 forget the result of a comparison with a number on the stack.
dtrace_run -q -n 'self uint32_t i; struct s { int f:29; int8_t b[4]; }; this struct s a;
	struct t { int f:7; }; this struct t c;
	BEGIN { printf("%x %+d\n", (this->a.f ? 1 : this->a.b[self->i]), 10); }
	BEGIN /this->c.f/ { } BEGIN { exit(0); }'
is "$(cat "$work/out")" "0 +10" "an index that was on the stack when it was compared"

dtrace_run -q -x bufsize=1024g -n 'tick-1s { exit(0); } BEGIN { trace("begun"); exit(0); }'
is "$status $(cat "$work/out")" "0 begun" "a buffer larger than the machine"
has "$work/err" '^dtrace: buffer size lowered to [0-9]+[km]$' "... is lowered, with a message"
dtrace_run -q -x bufsize=1024g -x bufresize=manual -n 'tick-1s { exit(0); }'
is $status 1 "... and refused with bufresize=manual"

"$dtrace" -qn 'BEGIN { trace("lost"); exit(0); }' >/dev/full 2>"$work/err" </dev/null
is $? 1 "output that cannot be written gives the status 1"
has "$work/err" '^dtrace: failed to write to <stdout>: No space left on device$' "and a message"
dtrace_run -o /dev/full -qn 'BEGIN { trace("lost"); exit(0); }'
has "$work/err" '^dtrace: failed to write to /dev/full: No space left on device$' "... with -o, too"

done_testing
