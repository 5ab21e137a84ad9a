#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# loaded.t: probes of files that a named process loads miss no call: of constructors, and of functions called at once.
# The process continues whatever happens to dtrace.
#
# guests: 6.1
# alone: it gives all processors something to do
. "${0%/*}/lib.sh"
# On Linux 6.1 each place is an event of its own.

program=$top/build/test-usdt
lib=$program-lib.so
# Before Linux 6.6 the kernel takes time to remove each breakpoint.
libs=15 tries=4
[ -z "${GUEST:-}" ] || libs=4 tries=2
n=25
sum=$((n * (n - 1) / 2))

copies=()
for ((i = 0; i < libs; i++)); do
	cp "$lib" "$work/lib$i.so"
	copies+=("$work/lib$i.so")
done

clauses='testlib$target:::loaded { @each[probemod] = sum(arg0); @loaded = count(); }
	pid$target:lib?*.so:begin_library:entry { @began = count(); }
	pid$target:lib?*.so:add:entry { @add = sum(arg0); }
	END { printa("loaded %@d\n", @loaded); printa("began %@d\n", @began); printa("add %@d\n", @add);
		printa("each %s %@d\n", @each); }'

# All processors are busy meanwhile.
for ((i = $(nproc); i > 0; i--)); do
	while :; do :; done &
	own_pids+=($!)
done
dtrace_run -Zqn "$clauses" -c "$program now $n ${copies[*]}"
for ((i = $(nproc); i > 0; i--)); do
	end_pid "${own_pids[-i]}"
done
is "$(grep -c "^each lib[0-9]*\.so $sum\$" "$work/out")" $libs "static probes of libraries that are loaded later"
is "$(value loaded) $(value add) $(value began)" "$((n * libs)) $((sum * libs)) $libs" \
	"their functions, and constructors"

# A program executed later, and its libraries.
mkfifo "$work/line"
"$program" exec "$program" now $n "${copies[0]}" <"$work/line" &
first=$!
own_pids+=("$first")
exec 7>"$work/line"
dtrace_start -Zqn "${clauses//\$target/$first}"
echo >&7
exec 7>&-
wait "$first"
dtrace_stop
is "$(value loaded) $(value add) $(value began)" "$n $sum 1" "of a program that is executed later"

# ---- the process continues

"$program" forever "$lib" >"$work/said" &
first=$!
own_pids+=("$first")
goes_on() {
	local before
	before=$(wc -l <"$work/said")
	wait_for 20 eval '[ "$(wc -l <"$work/said")" -gt '$((before + 2))' ]'
}

stopped=0
ended=0
for ((i = 0; i < tries; i++)); do
	"$dtrace" -Zqn "testlib$first:::loaded { @ = count(); }" >"$work/out" 2>"$work/err" &
	sleep 0.$((RANDOM % 40 + 10))
	# dtrace runs, though its target is gone whenever it looks.
	kill -KILL $! || ended=1
	wait $! 2>/dev/null
	grep -q '^[0-9]* ([^)]*) [RSD]' "/proc/$first/stat" && goes_on || stopped=$((stopped + 1))
done
is $stopped 0 "a process goes on when dtrace has been killed"
is $ended 0 "a library that is loaded and unloaded all the time is traced"

"$dtrace" -Zqn "testlib$first:::loaded { @ = count(); } END { printa(\"loaded %@d\n\", @); }" >"$work/out" 2>"$work/err" &
pid=$!
own_pids+=("$pid")
sleep 1
kill -STOP $pid
ok "a process goes on when dtrace is stopped" goes_on
kill -CONT $pid
ok "and later" goes_on
kill -TERM $pid
wait $pid
positive "$(value loaded)" "it is traced then"

done_testing
