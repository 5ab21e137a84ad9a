#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# agg.t: no update of an aggregation is lost unreported.  Shown and dropped counts add up to the calls of a program,
# in spite of concurrent printa, clear and trunc.
#
# guests: none
. "${0%/*}/lib.sh"

calls=$top/build/test-calls
fewer=${GUEST:+20} # divides the counts where everything is slow

# sum FILE: adds up the first numbers of all lines.
sum() {
	awk '{ sum += $1 } END { printf "%d\n", sum }' "$1"
}

dropped() {
	awk '/ aggregation drops? on CPU/ { sum += $2 } END { printf "%d\n", sum }' "$work/err"
}

# adds_up TEXT N KEYS THREADS PROGRAM [OPTION...]: PROGRAM counts the calls as @n, with or without a key, and prints
# everything as lines that begin with a count.
adds_up() {
	local text=$1 n=$(($2 / ${fewer:-1})) keys=$3 threads=$4 program=$5
	shift 5
	dtrace_run -q "$@" -n "$program" -c "$calls $n $keys $threads"
	is "$(($(sum "$work/out") + $(dropped)))" $((n * threads)) "$text"
	is "$(grep -vc ' aggregation drop\|^dtrace: option aggsize' "$work/err")" 0 "$text: nothing else is reported" ||
		note_file errors "$work/err"
}

count='syscall::lseek:entry /pid == $target'
adds_up "printa and trunc" 1000000 1 1 \
	"$count/ { @n = count(); } tick-50ms { printa(@n); trunc(@n); } END { printa(@n); }"
adds_up "printa and trunc in two clauses" 1000000 1 2 \
	"$count/ { @n = count(); } tick-20ms { printa(@n); } tick-20ms { trunc(@n); } END { printa(@n); }"
adds_up "printa and clear, two threads, by CPU" 1000000 1 2 \
	"$count/ { @n[cpu] = count(); } tick-50ms { printa(\"%@d\n\", @n); clear(@n); }
	END { printa(\"%@d\n\", @n); }"
adds_up "a sum of long keys" 300000 100 2 \
	"$count/ { @n[execname, probefunc, arg1] = sum(1); }
	tick-50ms { printa(\"%@d\n\", @n); trunc(@n); } END { printa(\"%@d\n\", @n); }"
adds_up "a million keys" 1000000 1000000 1 "$count/ { @n[arg1] = count(); } END { printa(\"%@d\n\", @n); }" \
	-x aggsize=256m
is "$(dropped)" 0 "a million keys: aggsize has room for them"
adds_up "a million keys at the default size" 1000000 1000000 2 \
	"$count/ { @n[arg1] = count(); } tick-200ms { printa(\"%@d\n\", @n); trunc(@n); }
	END { printa(\"%@d\n\", @n); }"
# 50,000 keys in all, with room for 8,192 on a CPU: 2^20 / (8 + 8 + 8 + 64), a power of two.
dtrace_run -q -x aggsize=1m -n "$count && arg1 % 100 == 0/ { @n[arg1] = count(); } END { printa(\"%@d\n\", @n); }" \
	-c "$calls $((5000000 / ${fewer:-1})) 5000000"
is "$(sum "$work/out")" $((50000 / ${fewer:-1})) "rows are taken out before there is no room for another"
is "$(cat "$work/err")" "" "rows are taken out before there is no room for another: no drop"

# Until interrupts are on again the kernel allocates nothing.  Rows of quantize() are wide.
for value in 'count()' 'quantize(cpu)'; do
	dtrace_run -q -c "$top/build/test-events crowd 200" -n "
		sched:::wakeup /args[1]->pr_pid == \$target/ { @keys[args[0]->pr_lwpid] = $value; }
		END { printa(\"%d %@d\n\", @keys); }"
	is "$(grep own "$work/out")" "own 200" "200 threads are woken up at once"
	between "$(grep -cE '^[0-9]+ ?' "$work/out")" 200 201 "$value of each of them" # and the one that woke them up
	ok "$value of each of them: no drop" dtrace_is_quiet
done

adds_up "a key larger than aggsize" 1000 10 1 "$count/ { @n[arg1] = count(); } END { printa(\"%@d\n\", @n); }" \
	-x aggsize=8

# Programs at functions of processes can sleep, in any of several threads.
threads=3
n=$((60000 / ${fewer:-1}))
dtrace_run -q -n 'pid$target:test-pid:leaf:entry { @n[tid, uregs[R_SP] ? copyin(uregs[R_SP], 1) != 0 : 0] = count(); }
	tick-20ms { printa("%@d\n", @n); trunc(@n); } END { printa("%@d\n", @n); }' \
	-c "$top/build/test-pid threads $threads $n"
is "$(($(sum "$work/out") + $(dropped)))" $((threads * n)) "calls of a function, by threads"

# Numbers from 0 to 99, in any printed state that has seen each often enough.
dtrace_run -q -n "$count/ { @lo = min(arg1 + 5); @hi = max(arg1 + 5); @avg = avg(arg1); @n = count(); }
	tick-20ms { printa(\"%@d %@d %@d %@d\n\", @lo, @hi, @avg, @n); trunc(@lo); trunc(@hi); trunc(@avg); trunc(@n); }
	END { printa(\"%@d %@d %@d %@d\n\", @lo, @hi, @avg, @n); }" -c "$calls $((500000 / ${fewer:-1})) 100"
positive "$(awk '$4 >= 2000' "$work/out" | wc -l)" "min, max and avg: enough numbers"
is "$(awk 'NF && ($1 < 5 || $2 > 104 || ($4 >= 2000 && ($1 != 5 || $2 != 104 || $3 < 45 || $3 > 54)))' "$work/out" | head -n 3)" "" \
	"min, max and avg start over"
positive "$(grep -c . "$work/out")" "min, max and avg are shown"

# A stack of a hundred frames is a large key; a profile of a build has thousands of such stacks.
dtrace_run -q -n "$count/ { @n[arg1, stack(), ustack()] = count(); } tick-5s { exit(1); }
	END { printa(\"%@d\n\", @n); }" -c "$calls 3000 3000"
is "$(grep -c '^1$' "$work/out")" 3000 "3000 keys with stacks at the default size"
is "$(cat "$work/err")" "" "3000 keys with stacks: no drop"

done_testing
