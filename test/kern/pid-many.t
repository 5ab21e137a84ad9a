#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-many.t: functions of many processes: of all processes that run a file (pid*), and of the children of one (-x
# follow).  Each process calls leaf a known number of times (pid.c).
# rows: -xfollow
# guests: 6.1
. "${0%/*}/lib.sh"

program=$top/build/test-pid
n=20

# ---- all processes that run a file

"$program" loop &
looping=$!
own_pids+=("$looping")
dtrace_start -qn 'pid*:test-pid:leaf:entry, pid*:test-pid:leaf:return /progenyof('$$')/ {
		@[pid == '$looping', probeprov, probename] = count(); }
	END { printa("loops %d %s %s %@d\n", @); }'
"$program" leaves $n
"$program" fork $n
dtrace_stop
positive "$(value loops 1 'pid*' entry)" "pid*: one that runs"
is "$(value loops 0 'pid*' entry) $(value loops 0 'pid*' return)" "$((4 * n)) $((4 * n))" \
	"pid*: those that begin later, and their children"
dtrace_run -ln 'pid*:test-pid:leaf:entry'
has "$work/out" "^ *[0-9]+ +pid$looping +test-pid +leaf entry$" "a listing tells each process"
dtrace_run -qn "pid${looping%?}*:test-pid:leaf:entry"' { @[probeprov] = count(); } tick-10ms /i++ == 20/ { exit(0); }
	END { printa("%s %@d\n", @); }'
positive "$(value "pid$looping")" "a pattern of some numbers"
dtrace_run -x errtags -n 'pid*::leaf:entry'
has "$work/err" '\[D_PROC_LIB\] a pattern of all processes needs the name of a file' \
	"a module has to be named"

# No process runs this file yet: calls of its first process before dtrace notices are not seen.
cp "$program" "$work/another"
dtrace_start -Zqn 'pid*:another:leaf:entry { @[arg0] = count(); @all = count(); } END { printa("all %@d\n", @all); }'
"$work/another" loop &
noticed=$!
own_pids+=("$noticed")
wait_for 20 grep -q . "/proc/$noticed/maps"
sleep 0.5
end_pid "$noticed"
dtrace_stop
positive "$(value all)" "pid*: a file that nobody ran"

# dtrace does not trace itself: each record would cause more.
if fast_here "what traces is not traced"; then
	cp "$dtrace" "$work/tracer"
	"$work/tracer" -qn 'tick-100ms { printf("x\n"); }' >"$work/other" 2>&1 &
	other=$!
	own_pids+=("$other")
	wait_for 20 grep -q x "$work/other"
	timeout 20 "$work/tracer" -qn 'pid*:tracer:out_flush:entry { @[pid == $pid] = count(); }
		tick-10ms { printf("x\n"); } tick-10ms /i++ == 60/ { exit(0); }
		END { printa("self %d %@d\n", @); }' >"$work/out" 2>"$work/err" </dev/null
	positive "$(value self 0)" "another dtrace is traced"
	is "$(value self 1)" 0 "itself it does not trace"
	end_pid "$other"
fi

# ---- children of a process

for follow in '' '-x follow'; do
	wanted="$n 0 0"
	[ -z "$follow" ] || wanted="$n $((2 * n)) 2"
	# shellcheck disable=SC2086
	dtrace_run $follow -qn 'pid$target:test-pid:leaf:entry { @[pid == $target] = count(); }
		pid$target:test-pid:leaf:entry /pid != $target && !seen[pid]/ { seen[pid] = 1; children++; }
		END { printa("is %d %@d\n", @); printf("children %d\n", children); }' -c "$program fork $n"
	is "$(value is 1) $(value is 0) $(value children)" "$wanted" "fork and vfork ${follow:-without it}"
done
dtrace_run -x follow -qn 'pid$target:test-pid:leaf:entry { @[pid == $target, execname] = count(); }
	END { printa("%d %s %@d\n", @); }' -c "$program exec $n"
is "$(value 1 test-pid) $(value 0 exe)" "$n $n" "a child that executes a program"
dtrace_run -x follow -qn 'testprov$target:::idle { @[pid == $target] = count(); }
	END { printa("is %d %@d\n", @); }' -c "$top/build/test-usdt fork 4 2"
is "$(($(value is 0) + $(value is 1)))" 8 "static probes of children"

# A child that exists already, with a file that its parent does not have.
bash -c '"$@" & wait' bash "$program-debug" loop &
parent=$!
own_pids+=("$parent")
children_of() { cat "/proc/$1/task/$1/children"; }
wait_for 20 grep -q . "/proc/$parent/task/$parent/children"
child=$(children_of "$parent" | xargs)
own_pids+=("$child")
wait_for 20 grep -q test-pid-debug "/proc/$child/maps"
dtrace_run -x follow -qn 'pid$target:test-pid-debug:leaf:entry { @[pid] = count(); } tick-10ms /i++ == 30/ { exit(0); }
	END { printa("%d %@d\n", @); }' -p "$parent"
positive "$(value "$child")" "a child that already exists"
is "$(grep -c . "$work/out")" 1 "and no other process"
end_pid "$child"
end_pid "$parent"
end_pid "$looping"

done_testing
