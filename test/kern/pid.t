#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid.t: functions and instructions of bash, and of the test's own programs, built as compilers and distributions
# do.  Their functions are called a known number of times (pid.c).
# rows: -xevaltime
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-pid
functions='leaf tail computed several chosen split fib eight'
n=30

# Calls of a function in "calls $n".  fib(5) makes 15 calls; leaf is called by tail, by computed and, when i % 5 =
# 1, by chosen.
times() {
	case $1 in
	leaf) echo $((n * 3 + n / 5)) ;;
	fib) echo $((n * 15)) ;;
	*) echo $n ;;
	esac
}

# ---- entry and return of every kind of function, in every kind of file

for kind in '' -debug -static -stripped; do
	dtrace_run -qn 'pid$target:a.out:leaf:,pid$target:a.out:tail:,pid$target:a.out:computed:,
		pid$target:a.out:several:,pid$target:a.out:chosen:,pid$target:a.out:split:,
		pid$target:a.out:fib:,pid$target:a.out:eight:
		/probename == "entry" || probename == "return"/ { @[probefunc, probename] = count(); }
		END { printa("%s %s %@d\n", @); }' -c "$program$kind calls $n"
	for function in $functions; do
		is "$(value $function entry)" "$(times $function)" "test-pid$kind: entries of $function"
		is "$(value $function return)" "$(times $function)" "test-pid$kind: returns of $function"
	done
done

# ---- arguments, results, places

for kind in '' -debug; do
	dtrace_run -qn 'pid$target:a.out:eight:entry { printf("%d %d %d %d %d %d %d %d\n", arg0, arg1,
			arg2, arg3, arg4, arg5, arg6, arg7); }
		pid$target:a.out:eight:return { printf("eight %d\n", arg1); }
		pid$target:a.out:several:return { printf("several %d\n", arg1); @[arg0] = count(); }
		pid$target:a.out:fib:entry { @in = sum(arg0); }
		pid$target:a.out:fib:return { @out = sum(arg1); }
		END { printa("at %d %@d\n", @); printa("in %@d\n", @in); printa("out %@d\n", @out); }' \
		-c "$program$kind calls 3"
	is "$(grep -c '^1 2 3 4 5 6 7 8$' "$work/out")" 3 "test-pid$kind: arguments, on the stack as well"
	is "$(grep -c '^eight 36$' "$work/out")" 3 "test-pid$kind: results"
	is "$(grep '^several' "$work/out" | tr '\n' ' ')" 'several 10 several 20 several 30 ' \
		"test-pid$kind: results of several returns"
	# fib(5): the arguments and results of 15 calls.
	is "$(grep '^in' "$work/out") $(grep '^out' "$work/out")" "in 78 out 60" \
		"test-pid$kind: arguments and results of calls within calls"
done
positive "$(grep -c '^at [1-9]' "$work/out")" "places at which a function returns"

dtrace_run -qn 'pid$target:a.out:several:entry { self->start = uregs[R_PC]; }
	pid$target:a.out:several:return { printf("%d\n", uregs[R_PC] - self->start == arg0); }' \
	-c "$program calls 6"
is "$(grep -c '^1$' "$work/out")" 6 "arg0 of a return is where it is in the function"

dtrace_run -qn 'pid$target:a.out:say:entry { printf("%s\n", copyinstr(arg0)); }
	pid$target:a.out:say:entry { @[copyinstr(arg0)] = count(); }' -c "$program calls $n"
is "$(grep -c '^a text that nobody reads$' "$work/out")" $n "text whose page was not there"
dtrace_run -qx nspec=4 -n 'pid$target:a.out:say:entry { self->s = speculation(); }
	pid$target:a.out:say:entry { speculate(self->s); printf("%s\n", probefunc); }
	pid$target:a.out:say:return { commit(self->s); }' -c "$program calls $n"
is "$(grep -c '^say$' "$work/out")" $n "speculations"

# ---- instructions

dtrace_run -ln 'pid$target:a.out:leaf:' -c "$program-debug calls 1"
listed=$(grep -c ' leaf ' "$work/out")
dtrace_run -qn 'pid$target:a.out:leaf: { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c "$program-debug calls $n"
instructions=$(grep -c "^[0-9a-f]* $(times leaf)$" "$work/out")
between "$instructions" 5 50 "every instruction runs as often as the function"
is $((instructions + 2)) "$listed" "entry and return besides them"
is "$(value 0)" "$(times leaf)" "the first one has offset 0"

dtrace_run -qn 'pid$target:a.out:leaf:0 { printf("0x%x %d\n", uregs[R_PC], arg0); exit(0); }' \
	-c "$program-debug calls 1"
address=$(sed -n 's/^0x\([0-9a-f]*\) 0$/\1/p' "$work/out")
dtrace_run -qn 'pid$target:a.out:-:'"$address"' { @[probefunc, probename] = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$program-debug calls $n"
is "$(value - "$address")" "$(times leaf)" "an instruction by its address"

# ---- stacks, also before the frame is set up and after it is removed; -bare and -landing have no unwind tables

for kind in '' -debug -frames -bare -landing; do
	dtrace_run -qn 'pid$target:a.out:several:entry, pid$target:a.out:several:return {
			ustack(2); @[probename, ufunc(ucaller)] = count(); }
		END { printa("%s %A %@d\n", @); }' -c "$program$kind calls $n"
	caller=$(sed -n 's/^entry \(.*\) [0-9]*$/\1/p' "$work/out")
	has "$work/out" "^entry test-pid$kind\`(main|calls) $n\$" "test-pid$kind: the caller at entry"
	has "$work/out" "^return $caller $n\$" "test-pid$kind: and at return"
	is "$(grep -c "^  *$caller+0x" "$work/out")" $((2 * n)) "test-pid$kind: in stacks"
done
# The depth of the 15 calls of fib(5) does not depend on the instruction.
for kind in -debug -frames -bare; do
	dtrace_run -qn 'pid$target:a.out:fib:0, pid$target:a.out:fib:1, pid$target:a.out:fib:4,
		pid$target:a.out:fib:entry, pid$target:a.out:fib:return { @[probename, ustackdepth] = count(); }
		END { printa("%s %d %@d\n", @); }' -c "$program$kind calls 1"
	depths=$(sed -n 's/^entry //p' "$work/out" | sort)
	is "$(awk '{ n += $2 } END { print n, NR }' <<<"$depths")" "15 5" "test-pid$kind: depths of calls"
	for name in 0 1 4 return; do
		is "$(sed -n "s/^$name //p" "$work/out" | sort)" "$depths" "test-pid$kind: at $name"
	done
done

# ---- libraries, and several names for a function

dtrace_run -qn 'pid$target:libc.so*:malloc:entry /arg0 == 12345/ { @[probemod, probefunc] = count(); }
	pid$target::__libc_malloc:entry /arg0 == 12345/ { @[probemod, probefunc] = count(); }
	pid$target:libc.so.6:m*lloc:return { @r = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$program calls $n"
is "$(value libc.so.6 malloc)" $n "a function of a library"
is "$(value libc.so.6 __libc_malloc)" $n "under another name"
dtrace_run -ln 'pid$target:libc.so.6:*write:entry' -c "$program calls 1"
is "$(awk '$4 ~ /^(_*libc_)?_*write$/ { print $4 }' "$work/out")" write "of several names the best stands for all"
dtrace_run -qn 'pid$target:libc:malloc:entry, pid$target:libc.so:malloc:return /arg0 == 12345 || probename == "return"/ {
		@[probemod, probename] = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$program calls $n"
is "$(value libc.so.6 entry)" $n "the name of a library without what follows a dot"
positive "$(value libc.so.6 return)" "another such name"
if fast_here "LM0"; then
	dtrace_run -qn 'pid$target:LM0`libc:malloc:entry, pid$target:LM0`a.out:leaf:entry /probefunc == "leaf" || arg0 == 12345/ {
			@[probemod] = count(); }
		END { printa("%s %@d\n", @); }' -c "$program calls $n"
	is "$(value libc.so.6) $(value test-pid)" "$n $(times leaf)" "the prefix of what the dynamic linker loaded first"
fi

# ---- threads; other processes

# A breakpoint takes milliseconds in an emulated guest.  While one emulated processor steps through the copy of an
# instruction that another has just written, the program can crash.
threads=4
each=5000
[ -z "${GUEST:-}" ] || { threads=1; each=300; }
dtrace_run -qn 'pid$target:a.out:leaf:entry { @ = count(); @max = max(arg0); @t[tid] = count(); }
	pid$target:a.out:leaf:return { @s = sum(arg1); }
	END { printa("count %@d\n", @); printa("max %@d\n", @max); printa("sum %@d\n", @s);
		printa("%d thread %@d\n", @t); }' -c "$program threads $threads $each"
is "$(value count) $(value max) $(value sum)" "$((each * threads)) $((each - 1)) $((each * (each + 1) * threads / 2))" \
	"threads, none lost"
is "$(grep -c "thread $each\$" "$work/out")" $threads "of each"

dtrace_run -qn 'pid$target:a.out:leaf:entry { @[pid == $target] = count(); }
	END { printa("%d %@d\n", @); }' -c "$program fork $n"
is "$(cat "$work/out")" "1 $n" "children have none of the probes"

"$program" loop &
first=$!
"$program-stripped" loop &
second=$!
own_pids+=("$first" "$second")
sleep 0.2
dtrace_run -qn 'pid$1::leaf:entry,pid$2::leaf:entry { @[probeprov, probemod, pid] = count(); }
	tick-10ms /i++ == 50/ { exit(0); } END { printa("%s %s %d %@d\n", @); }' "$first" "$second"
positive "$(value "pid$first" test-pid "$first")" "one of two processes"
positive "$(value "pid$second" test-pid-stripped "$second")" "and the other"
dtrace_run -ln 'pid$target::leaf:entry' -p "$first"
has "$work/out" "^ *[0-9]+ +pid$first +test-pid +leaf entry$" "a listing"
dtrace_run -qn 'pid$target::leaf:return { @[ustackdepth > 0] = count(); ustack(1); exit(0); }' -p "$first"
has "$work/out" 'test-pid`leaf' "ustack()"
# byte_at PROCESS ADDRESS: prints the byte there, perhaps a breakpoint.
byte_at() {
	dd if="/proc/$1/mem" bs=1 skip=$(($2)) count=1 2>/dev/null | od -An -tx1
}
dtrace_run -qn 'pid$target:a.out:leaf:entry { printf("0x%x\n", uregs[R_PC]); exit(0); }' -p "$first"
leaf=$(grep 0x "$work/out")
plain=$(byte_at "$first" "$leaf")
bare() { [ "$(byte_at "$first" "$leaf")" = "$plain" ]; }
dtrace_start -qn 'pid$target:a.out:[a-l]*:entry { @ = count(); }' -p "$first"
is_broken() { ! bare; }
ok "a breakpoint while it is traced" is_broken
dtrace_stop
ok "none when that is over, at once or soon" wait_for 60 bare
end_pid "$first"
end_pid "$second"

# ---- names longer than any of the kernel's

name=$(printf 'long%.0s' {1..20})
cat >"$work/long.c" <<END
__attribute__((noipa)) int ${name}_1(void) { return 1; }
__attribute__((noipa)) int ${name}_2(void) { return 2; }
int main(void) { return ${name}_1() + ${name}_2() != 3; }
END
if compiler_here "functions with long names"; then
	gcc -o "$work/long" "$work/long.c"
	dtrace_run -qn 'pid$target:long:long*:entry { @[probefunc] = count(); }
		END { printa("%s %@d\n", @); }' -c "$work/long"
	is "$(value "${name}_1") $(value "${name}_2")" "1 1" "functions with long names are separate"
fi

# ---- where a created process stops

for when in exec preinit postinit main; do
	dtrace_run -qx evaltime=$when -n 'pid$target:a.out:early:entry { @ = count(); }
		syscall::openat:entry /pid == $target/ { @open = count(); }
		END { printa("early %@d\n", @); printa("open %@d\n", @open); }' -c "$program-debug calls 1"
	case $when in
	exec) positive "$(value open)" "evaltime=exec: before the libraries are opened" ;;
	*) is "$(value open)" 0 "evaltime=$when: after that" ;;
	esac
	case $when in
	main) is "$(value early)" 0 "evaltime=main: after the program's constructors" ;;
	*) is "$(value early)" 1 "evaltime=$when: before the program's constructors" ;;
	esac
done
if fast_here "evaltime=preinit of libraries"; then
	for when in preinit postinit; do
		dtrace_run -qx evaltime=$when -x setenv=LD_PRELOAD="$top/build/test-usdt-lib.so" \
			-n 'pid$target:test-usdt-lib:begin_library:entry { @ = count(); } END { printa("began %@d\n", @); }' \
			-c "$program calls 1"
		case $when in
		preinit) is "$(value began)" 1 "evaltime=preinit: before a library's constructors" ;;
		*) is "$(value began)" 0 "evaltime=$when: after them" ;;
		esac
	done
	dtrace_run -qx evaltime=preinit -n 'pid$target:a.out:leaf:entry { @ = count(); }
		END { printa("leaf %@d\n", @); }' -c "$program-static calls $n"
	is "$(value leaf)" "$(times leaf)" "evaltime=preinit of a static program"
fi
dtrace_run -qx evaltime=main -n 'pid$target:a.out:leaf:entry { @ = count(); }
	END { printa("leaf %@d\n", @); }' -c "$program-stripped calls $n"
is "$(value leaf)" "$(times leaf)" "evaltime=main"
dtrace_run -n 'pid$target::leaf:entry' -c "$program nothing"
has "$work/err" 'exited with status 2' "its status"

# ---- many at once

before_6_6() {
	[ "$(printf '%s\n' 6.6 "$(uname -r)" | sort -V | head -n 1)" != 6.6 ]
}

if before_6_6; then
	skip "all functions of bash" "before Linux 6.6 a perf event for each place, which takes minutes to end"
else
	echo 'f() { local i; for ((i = 0; i < 20; i++)); do case $i in 1*) : ;; esac; done; }
	f; trap "echo left >\$1" EXIT; f; exit 3' >"$work/script"
	dtrace_run -n 'pid$target:bash::entry { @[probefunc] = count(); @all = count(); }
		pid$target:bash::return { @r[probefunc] = count(); }
		pid$target:libc.so.6::return { @libc = count(); }
		END { printa("entry %s %@d\n", @); printa("return %s %@d\n", @r); printa("all %@d\n", @all); }' \
		-c "bash $work/script $work/left"
	between "$(value all)" 1000 1000000 "functions of bash"
	is "$(cat "$work/left")" left "which is not disturbed by it"
	has "$work/err" 'exited with status 3' "and leaves by longjmp()"
	# Functions in which bash ends do not return, nor do functions that it leaves by longjmp.
	between "$(awk '$1 == "entry" { e[$2] = $3 } $1 == "return" { r[$2] = $3 } END {
		for (f in e) if (e[f] != r[f]) n++
		print n + 0 }' "$work/out")" 0 10 "all but a few return as often as they are called"
fi

# ---- a nop that newer kernels turn into a call, which would overwrite variables of the function

dtrace_run -qn 'pid$target:a.out:below: { @ = count(); } END { printa("firings %@d\n", @); }' -c "$program below 20"
has "$work/out" '^wrong 0$' "a function is not disturbed by breakpoints on all of its instructions"
between "$(value firings)" 100 10000 "which are traced"

# ---- conditional jumps out of a function, each counted by the program

if [ "$(uname -m)" = x86_64 ] && fast_here "conditions"; then
	dtrace_run -qn 'pid$target:a.out:cond_*:return { @[probefunc, arg0] = count(); }
		END { printa("%s %d %@d\n", @); }' -c "$program conditions"
	is "$(grep -c '^jumps ' "$work/out")" 16 "conditions"
	while read -r _ condition taken; do
		places=$(awk -v name="cond_$condition" '$1 == name { print $2, $3 }' "$work/out" | sort -n)
		is "$(awk '{ print $2 }' <<<"$places" | xargs)" "$taken $((32 - taken))" \
			"j$condition: returns by the jump, and behind it"
	done < <(grep '^jumps ' "$work/out")
fi

# ---- many functions, whose names come from a table

if compiler_here "the names of 40 functions"; then
	awk 'BEGIN {
		for (i = 0; i < 40; i++)
			printf "__attribute__((noipa)) int many_%d(int x) { return x + %d; }\n", i, i
		print "int main(void) { int x = 0;"
		for (i = 0; i < 40; i++)
			printf "x = many_%d(x);\n", i
		print "return x != 780; }"
	}' >"$work/many.c"
	cc -O1 -o "$work/many" "$work/many.c"
	dtrace_run -qn 'pid$target:many:many_*:entry { trace(probefunc); trace("\n"); }' -c "$work/many"
	is "$(sort -u "$work/out" | grep -c '^many_')" 40 "the names of 40 functions in records"
fi

done_testing
