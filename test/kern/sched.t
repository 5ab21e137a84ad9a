#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# sched.t: the sched provider, compared with what threads count themselves (test/kern/switch.c).
#
# rows: curthread curlwpsinfo
. "${0%/*}/lib.sh"

switch=$top/build/test-switch

# window: prints clauses that count events of a thread between its marks.
window() {
	cat <<-'EOD'
	syscall::getpgid:entry
	/pid == $target && arg0 == 0x7ffffff1/
	{
		self->in = in[tid] = 1;
		self->off = self->on = self->sleep = self->preempt = 0;
		enqueued[tid] = dequeued[tid] = woken[tid] = waited[tid] = lost[tid] = 0;
	}
	syscall::getpgid:entry
	/self->in && arg0 == 0x7ffffff2/
	{
		printf("seen %d %d %d %d %d %d %d %d %d %d\n", tid, self->sleep, self->preempt, self->off,
		    self->on, enqueued[tid], dequeued[tid], lost[tid], woken[tid], waited[tid]);
	}
	EOD
}

switches() {
	cat <<-'EOD'
	sched:::off-cpu /self->in/ { self->off++; }
	sched:::on-cpu /self->in/ { self->on++; }
	sched:::sleep /self->in/ { self->sleep++; }
	sched:::preempt /self->in/ { self->preempt++; }
	EOD
}

queues() {
	cat <<-'EOD'
	sched:::wakeup /in[args[0]->pr_lwpid]/ { woken[args[0]->pr_lwpid]++; }
	sched:::enqueue
	/in[args[0]->pr_lwpid]/
	{
		this->t = args[0]->pr_lwpid;
		enqueued[this->t]++;
		since[this->t] = timestamp;
		queue[this->t] = args[2]->cpu_id + 1;
	}
	sched:::dequeue
	/in[args[0]->pr_lwpid]/
	{
		this->t = args[0]->pr_lwpid;
		dequeued[this->t]++;
		lost[this->t] += queue[this->t] != args[2]->cpu_id + 1;
		waited[this->t] += timestamp - since[this->t];
		queue[this->t] = 0;
	}
	EOD
}

# traced D ARGUMENT...: runs switch under dtrace.  The kernel skips a firing that interrupts one of the same probe, and
# dtrace reports it.  The counts are then too small, so the run is repeated.
traced() {
	local program=$1
	shift
	for _ in 1 2 3; do
		dtrace_run -q -x dynvarsize=4m -c "$switch $*" -n "$program" && dtrace_is_quiet && return
		grep -q 'nested firings missed' "$work/err" || break
	done
	ok "dtrace ends well and drops nothing: $*" false
	note_file "standard error of dtrace" "$work/err"
}

# differs WANT GOT: prints lines of threads for which these awk expressions in t[] (the thread's counts) and s[] (as
# seen) have different values; `none` if there is no thread.
differs() {
	awk '$1 == "thread" { for (i = 1; i <= NF; i++) own[$2, i] = $i; n++; tids[n] = $2 }
	$1 == "seen" { for (i = 1; i <= NF; i++) seen[$2, i] = $i }
	END {
		for (k = 1; k <= n; k++) {
			for (i = 1; i <= 12; i++) { t[i] = own[tids[k], i]; s[i] = seen[tids[k], i] }
			if (('"$1"') != ('"$2"'))
				print "thread " tids[k] ": " ('"$1"') " by itself, " ('"$2"') " seen"
		}
		if (!n) print "none"
	}' "$work/out"
}

same() {
	is "$(differs "$1" "$2")" "" "$3"
}

cpu=$(($(nproc) - 1))
n=200
[ -z "${GUEST:-}" ] || n=50

undisturbed traced "$(window; switches)" ping "$cpu" $n
same 't[3]' 's[3]' "sleep is each voluntary switch"
same 't[4]' 's[4]' "preempt is each involuntary switch"
same 't[3] + t[4]' 's[5]' "off-cpu is both"
same 't[5]' 's[6]' "on-cpu is each slice of time"

undisturbed traced "$(window; queues)" ping "$cpu" $n
same 't[5]' 's[7]' "enqueue is each wakeup and each preemption"
same 't[5]' 's[8]' "dequeue is each slice of time"
same 0 's[9]' "a thread leaves the queue that it was put into"
same 1 't[3] <= s[10]' "each sleep ends by a wakeup"

undisturbed traced "$(window; switches; queues)" hogs "$cpu" 30 3
same 't[4]' 's[4]' "threads that take turns: preempt is each involuntary switch"
same 't[5]' 's[6]' "on-cpu is each slice of time"
same 't[5]' 's[8]' "dequeue is, too"
# The clocks of an emulated machine's processors differ, and stop while it waits for a real one.
slack='t[6] * 0.1'
[ -z "${GUEST:-}" ] || slack='(t[6] * 0.5 + 20000000)'
same 1 "t[6] - $slack < s[11] && s[11] < t[6] + $slack" "they wait in the queue as long as the kernel says"
positive "$(awk '$1 == "seen" && $5 > 0' "$work/out" | wc -l)" "they were switched"

if [ "$cpu" -gt 0 ]; then
	undisturbed traced "$(window; queues)" move 10
	same 0 's[9]' "a thread that is moved leaves the queue that it was put into"
	same 's[7]' 's[8]' "it is put into queues as often as it leaves them"
fi

# The state of the leaving thread, the next thread, and that on-cpu fires in that one.
traced '
sched:::off-cpu /pid == $target/ { next[cpu] = args[0]->pr_lwpid; @["state", curlwpsinfo->pr_state] = count(); }
sched:::off-cpu /pid == $target && args[1]->pr_pid == $target/ { @["inside", 0] = count(); }
sched:::on-cpu /pid == $target && next[cpu] != 0/ { @["next", next[cpu] == tid] = count(); }
sched:::on-cpu /pid == $target/ { @["name", execname == "test-switch"] = count();
    @["running", curlwpsinfo->pr_lwpid == tid && curpsinfo->pr_pid == pid] = count(); }
sched:::off-cpu { next[cpu] = args[0]->pr_lwpid; }' ping "$cpu" $n
positive "$(value state 1)" "a thread that waits leaves asleep"
positive "$(value inside 0)" "the arguments of off-cpu are the next thread"
is "$(value next 0)" 0 "on-cpu fires for the thread that off-cpu has named"
positive "$(value next 1)" "there were such"
is "$(value name 0) $(value running 0)" "0 0" "on-cpu has the name and numbers of that thread"

# A protected process hides the switch from it, which only the incoming thread can show.
if grep -q ' __traceiter_sched_exit_tp$' /proc/kallsyms; then
	is "$("$dtrace" -lvn sched:::on-cpu | awk '/Sites/ { on = 1; next } on && NF { print $1; exit }')" rawtp:::sched_exit_tp \
		"on-cpu fires in the incoming thread"
fi

# A switch from a protected process is hidden.  Here, the switch has announced another thread.
if grep -aq btf_trace_sched_exit_tp /sys/kernel/btf/vmlinux; then
	traced 'rawtp:::sched_switch /args[2]->tgid == $target/ { sched_next[cpu] = args[1]; }
	sched:::dequeue /args[1]->pr_pid == $target && args[0]->pr_lwpid != tid/ { @["announced"] = count(); }
	sched:::dequeue /pid == $target && args[0]->pr_lwpid == tid/ { @["shown"] = count(); }' ping "$cpu" $n
	positive "$(value announced)" "a thread leaves the queue when it is announced"
	# A new thread does not leave the scheduler there.
	between "$(value shown)" $(($(value announced) - 10)) $(($(value announced) + 10)) \
		"a thread that was not announced leaves the queue when it comes"
else
	skip "dequeue after a hidden switch" "this kernel has no tracepoint behind switches"
fi

# stack() of the incoming thread; ustack() where the kernel has a site for it.
traced 'sched:::off-cpu /pid == $target/ { self->slept = curlwpsinfo->pr_state == 1; }
sched:::on-cpu /self->slept/ { @[stack()] = count(); @n["slept", 0] = count(); }' ping "$cpu" $n
has "$work/out" 'pipe_read' "stack() in on-cpu is what the thread waits in"
ok "each thread that slept has one" test "$(awk '/pipe_read/ { f = 1 } f && NF == 1 && $1 ~ /^[0-9]+$/ { print $1; exit }' "$work/out")" -gt 0

undisturbed traced "$(window; switches)
sched:::on-cpu /pid == \$target && !self->came/ { self->came = 1; @new[\"first\"] = count(); }
syscall::getpgid:entry /pid == \$target && !self->came/ { @new[\"missed\"] = count(); }
sched:::on-cpu /self->in/ { @[ustack()] = count(); }" ping "$cpu" $n
same 't[5]' 's[6]' "with ustack(), on-cpu is each slice of time"
is "$(value missed) $(value first)" "0 3" "with ustack(), new threads are seen, too"
if grep -aq btf_trace_sched_exit_tp /sys/kernel/btf/vmlinux || may_probe_functions; then
	has "$work/out" 'test-switch.p[io]ng|libc.*read' "ustack() is the stack of the new thread"
else
	skip "ustack() of the thread that comes" "the kernel lets no functions be traced, and has no tracepoint behind switches"
fi
if grep -aq btf_trace_sched_exit_tp /sys/kernel/btf/vmlinux; then
	traced 'syscall::sched_yield:entry /pid == $target/ { self->y = 1; @["yields"] = count(); }
	syscall::sched_yield:return { self->y = 0; }
	sched:::remain-cpu, sched:::off-cpu /self->y/ { @["decisions"] = count(); }
	sched:::remain-cpu /self->y/ { @["remain"] = count(); }' yield "$cpu" $n
	is "$(value yields)" $n "all yields are seen"
	between "$(value decisions)" $n $((n + n / 10)) "each makes the scheduler decide"
	positive "$(value remain)" "remain-cpu is when it goes on with the same thread"
else
	skip remain-cpu "this kernel has no tracepoint behind switches"
fi

traced 'syscall::getpgid:entry /pid == $target/ { in[tid] = arg0 == 0x7ffffff1; }
sched:::tick /in[args[0]->pr_lwpid]/ { @["tick", args[0]->pr_lwpid] = count(); }
sched:::surrender /in[args[0]->pr_lwpid]/ { @["surrender", args[0]->pr_lwpid] = count(); }
sched:::preempt /in[tid]/ { @["preempt", tid] = count(); }' hogs "$cpu" 200 2
# A shared processor can lose ticks, and an emulated one most of them.  A thread that gets the processor at each tick, and
# loses it in between, has more ticks than time.
is "$(awk -v guest="${GUEST:-}" '$1 == "thread" { t[$2] = $8 } $1 == "tick" { n[$2] = $3; have++ }
	END { if (!have) print "none"; for (k in t) if (n[k] < (guest ? t[k] > 30 : t[k] * 0.1 - 3) || n[k] > t[k] * 2 + 10) print k, t[k], n[k] }' "$work/out")" "" \
	"tick is each tick of the clock in a thread"
# The first preemption can follow a surrender from before the thread was watched.
is "$(awk '$1 == "surrender" { s[$2] = $3 } $1 == "preempt" { p[$2] = $3; n++ }
	END { for (k in p) if (s[k] + 1 < p[k]) print k, s[k], p[k]; if (!n) print "none" }' "$work/out")" "" \
	"the kernel asks a thread to give up its processor before it preempts the thread"

traced 'sched:::load-change { @[arg0] = max(arg1); }' hogs "$cpu" 60 3
between "$(value "$cpu")" 3 100 "load-change tells how many threads a processor has"

# The one-liners of the field's talks.
dtrace_run -q -c "$switch ping $cpu $n" -n 'sched:::sleep { @prog[execname] = count() }'
between "$(value test-switch)" 10 $((4 * n)) "sleep by name"
dtrace_run -c "$switch pri" -n 'sched:::change-pri /pid == $target/ { printf("%s %d %d", execname, curlwpsinfo->pr_pri, arg2); }'
is "$(awk '/change-pri/ { print $4, $5, $6 }' "$work/out")" "test-switch 120 125
test-switch 125 92
test-switch 92 125
test-switch 125 126" "change-pri tells the priority and the new one"
dtrace_run -q -c "$switch lend" -n 'sched:::lend-pri /args[1]->pr_pid == $target/ {
	printf("lent %d %d %d\n", args[0]->pr_lwpid == $target, args[2], args[3]->pr_lwpid); }
sched:::change-pri /args[0]->pr_lwpid == $target/ { printf("change %d %d\n", args[0]->pr_pri, args[2]); }'
is "$(grep lent "$work/out" | sort -u)" "lent 1 92 $(sed -n 's/^lender //p' "$work/out")" "lend-pri: to whom, what, and who lends"
is "$(grep change "$work/out")" "change 120 92
change 92 120" "change-pri tells of it as well"

dtrace_run -q -n 'BEGIN { exit(0); } sched:::cpucaps-*, sched:::schedctl-* { trace(execname); }'
is "$status" 0 "probes that never fire do not stop a run"

# A translated argument can be translated again, as scripts for native arguments do.
dtrace_run -q -c "$switch ping $cpu $n" -n 'sched:::off-cpu /xlate <psinfo_t *> (args[1])->pr_pid == $target/ { @["again"] = count(); }'
positive "$(value again)" "xlate of an argument"

# A site for another thread asks about that thread's ancestors.
dtrace_run -qn 'sched:::on-cpu /progenyof($target)/ { @[pid == $target ? "own" : "foreign"] = count(); }' -c "sleep 0.2"
positive "$(value own)" "progenyof() of the incoming thread"
is "$(value foreign)" 0 "... and of no other"

done_testing
