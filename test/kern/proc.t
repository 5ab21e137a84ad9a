#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# proc.t: the proc provider: every probe fires as often as a program gives reason for, in order, with the right
# arguments.
# rows: FLTILL
# guests: 6.1
. "${0%/*}/lib.sh"

procs=$top/build/test-procs
cd "$work" || exit
cat >"$work/count.d" <<'END'
#pragma D option quiet
proc:::create, proc:::start, proc:::exit, proc:::lwp-create, proc:::lwp-start, proc:::lwp-exit,
proc:::exec, proc:::exec-success, proc:::exec-failure, proc:::fault, proc:::signal-clear,
proc:::signal-handle
/progenyof($target)/
{
	@[probename] = count();
}

proc:::signal-send, proc:::signal-discard
/progenyof($target) && args[1]->pr_pid != $pid/
{
	@[probename] = count();
}

proc:::exit /progenyof($target)/ { @n["reason", args[0]] = count(); }
proc:::fault /progenyof($target)/ { @n["number", args[0]] = count(); }
END { printa("%s %@d\n", @); printa("%s %d %@d\n", @n); }
END

# counts CASE: compares the program's counts with dtrace's.
counts() {
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/count.d" -c "$procs $1"
	is "$status" 0 "$1: dtrace ends with status 0"
	ok "$1: dtrace reports no drops, errors or faults" dtrace_is_quiet
	grep -v ' 0$' "$work/out" | sort >"$work/want"
	grep . "$work/got" | sort >"$work/seen"
	ok "$1: every probe as often as the program says" cmp -s "$work/want" "$work/seen" ||
		note "$(diff "$work/want" "$work/seen")"
	ok "$1: the program has done it" test "$(grep -c . "$work/want")" -gt 3
}

for case in fork plain-fork vfork spawn script threads thread-exec races signals deaths faults; do
	counts $case
done

# ---- arguments and order

cat >"$work/events.d" <<'END'
#pragma D option quiet
int child;
proc:::exit /progenyof($target) && pid != $target/ { printf("exit %d %d\n", args[0], pid == child); }
proc:::lwp-exit /progenyof($target) && pid != $target/ { printf("lwp-exit %d\n", tid == child); }
proc:::start /progenyof($target)/ { printf("start %d\n", pid == child); }
proc:::lwp-start /progenyof($target)/ { printf("lwp-start %d\n", tid == child); }
proc:::create /progenyof($target)/
{
	child = args[0]->pr_pid;
	printf("create %d %d\n", args[0]->pr_ppid == pid, args[0]->pr_pid != pid);
}
proc:::lwp-create /progenyof($target)/
{
	child = args[1]->pr_pid;
	printf("lwp-create %d\n", args[0]->pr_lwpid == args[1]->pr_pid);
}
proc:::exec /progenyof($target)/ { printf("exec %s %s\n", stringof(args[0]), copyinstr(arg0)); }
proc:::exec-success /progenyof($target)/ { printf("exec-success %s %s\n", args[0], execargs); }
proc:::exec-failure /progenyof($target)/ { printf("exec-failure %d\n", args[0]); }
proc:::signal-send /progenyof($target) && args[1]->pr_pid != $pid/
{
	printf("signal-send %d %d %d\n", args[2], args[1]->pr_pid == $target,
	    args[0]->pr_lwpid == args[1]->pr_pid);
}
proc:::signal-discard /progenyof($target) && args[1]->pr_pid != $pid/
{
	printf("signal-discard %d %d\n", args[2], args[1]->pr_pid == $target);
}
END

# events CASE EXPECTED: checks the probes of one case, in order.
events() {
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/events.d" -c "$procs $1"
	ok "$1: dtrace reports no drops, errors or faults" dtrace_is_quiet
	is "$(grep . "$work/got")" "$2" "$1: the events in order, with their arguments"
}

begin="lwp-create 1
create 1 1
lwp-start 1
start 1"
end="lwp-exit 1
exit 1 1
signal-send 17 1 1
signal-discard 17 1"
events plain-fork "$begin
$end"
events script "$begin
exec /dev/fd/3 /dev/fd/3
exec-success /dev/fd/3 $procs nothing /dev/fd/3
$end"
events missing "$begin
exec /nowhere/missing /nowhere/missing
exec-failure 2
$end"

cat >"$work/siginfo.d" <<'END'
#pragma D option quiet
proc:::signal-handle /pid == $target/
{
	printf("handle %d %d %d %d %d\n", args[0], args[1]->si_signo, args[1]->si_code == SI_QUEUE,
	    args[1]->si_pid == pid, args[1]->si_uid == uid);
	printf("value %d handler %x\n", args[1]->si_value.sival_int, (uintptr_t)args[2]);
}
proc:::signal-clear /pid == $target/
{
	printf("clear %d %d %d %d\n", args[0], args[1]->si_signo, args[1]->si_code == SI_USER,
	    args[1]->si_pid == pid);
}
proc:::fault /progenyof($target)/
{
	printf("fault %d %d %d %x\n", args[0] == FLTBOUNDS, args[1]->si_signo,
	    args[1]->si_code == SEGV_MAPERR, (uintptr_t)args[1]->si_addr);
}
END
dtrace_run -s "$work/siginfo.d" -c "$procs queue wait bounds"
has "$work/out" '^handle 10 10 1 1 1$' "signal-handle: who has sent it, and how"
is "$(sed -n 's/^value //p' "$work/out")" "4711 handler $(sed -n 's/^handler //p' "$work/out")" \
	"signal-handle: the value and the handler"
has "$work/out" '^clear 15 15 1 1$' "signal-clear: the signal, as the process sees it"
has "$work/out" '^fault 1 11 1 40$' "fault: the signal, its code and the address"

# ---- signals of a timer

# The timer's interrupt comes while another process has the processor.
timeout 60 taskset -c 0 sh -c 'while :; do :; done' &
bystander=$!
own_pids+=("$bystander")
dtrace_run -qn 'proc:::signal-send /args[1]->pr_pid == $target && args[2] == SIGALRM/ { @["sent by", pid, ipl] = count(); @u[ustack()] = count(); }
	proc:::signal-send /pid == $target/ { @["sent itself", pid == $target, ipl] = count(); } END { trunc(@u); }' \
	-c "taskset -c 0 $procs timer"
is "$(grep sent "$work/out" | tr -s ' ' | cut -d' ' -f1-5 | sort)" " sent by 0 1
 sent itself 1 0" "signal-send: a timer's signal is sent by nobody, what the process sends by itself"
# SIGTERM makes timeout(1) end its child; SIGKILL would not.
end_pid "$bystander"

# ---- 32-bit processes

# Failed execs of 32-bit processes are seen only where functions can be traced.
if [ -x "$top/build/test-exec32" ] && "$top/build/test-exec32" "$procs" nothing; then
	echo "$top/build/test-exec32 $procs nothing; :" >"$work/run32"
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/events.d" -c "sh $work/run32"
	failure=
	may_probe_functions && failure="exec /nowhere
exec-failure 2
"
	is "$(grep '^exec' "$work/got")" "exec $top/build/test-exec32 $top/build/test-exec32
exec-success $top/build/test-exec32 $top/build/test-exec32 $procs nothing
${failure/nowhere/nowhere \/nowhere}exec $procs $procs
exec-success $procs $procs nothing" "programs that a 32-bit process executes"
	# With a timer, the tracepoints of all calls see them as well.
	{ cat "$work/events.d"; echo 'tick-1s { }'; } >"$work/timed.d"
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/timed.d" -c "sh $work/run32"
	is "$(grep '^exec' "$work/got")" "exec $top/build/test-exec32 $top/build/test-exec32
exec-success $top/build/test-exec32 $top/build/test-exec32 $procs nothing
exec /nowhere /nowhere
exec-failure 2
exec $procs $procs
exec-success $procs $procs nothing" "once, if two probes see them"
else
	skip "programs that a 32-bit process executes" "no 32-bit programs"
	skip "once, if two probes see them" "no 32-bit programs"
fi

# ---- a build

# A project of 30 files, built with two jobs: programs that dtrace and strace see executed.
make_project() {
	mkdir "$1"
	for ((i = 0; i < 30; i++)); do
		echo "int f$i(void) { return $i; }" >"$1/f$i.c"
	done
	echo 'int main(void) { return 0; }' >"$1/main.c"
	{
		echo 'objects = $(patsubst %.c,%.o,$(wildcard *.c))'
		printf 'program: $(objects)\n\tgcc -o $@ $(objects)\n%%.o: %%.c\n\tgcc -c -o $@ $< && :\n'
	} >"$1/Makefile"
}

if type -P gcc >/dev/null && ! type -P make strace >/dev/null; then
	skip "a build" "not installed: make or strace"
elif compiler_here "a build"; then
	make_project "$work/one"
	make_project "$work/two"
	strace -f -qq -o "$work/strace" -e trace=execve make -s -j2 -C "$work/one"
	rm -f "$work/got"
	dtrace_run -o "$work/got" -s "$work/count.d" -c "make -s -j2 -C $work/two"
	ok "the build: dtrace reports no drops, errors or faults" dtrace_is_quiet
	ok "the build has made the program" test -x "$work/two/program"
	of() { awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }' "$work/got"; }
	positive "$(of create)" "the build: processes"
	is "$(of exit)" $(($(of create) + 1)) "the build: as many processes end as are made, and make"
	is "$(of start)" "$(of create)" "the build: as many start as are made"
	is "$(of exec-success)" $(($(grep -c 'execve.* = 0$' "$work/strace") - 1)) \
		"the build: programs that are executed, but for make, as strace counts"
	is "$(of exec-failure)" "$(grep -c 'execve.* = -1 ' "$work/strace")" \
		"the build: failures to execute, as strace counts"
	is "$(of exec)" "$(($(of exec-success) + $(of exec-failure)))" "the build: all that was tried"
fi

done_testing
