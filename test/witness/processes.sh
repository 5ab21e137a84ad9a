#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# processes.sh SEED COUNT: proc and sched, by process, beside what a random load in a PID namespace did, the kernel's accounting (acct),
# getrusage and /proc/PID/schedstat.  Prints what differs, and "N values compared, N of them not zero, N wrong".
. "${0%/*}/lib.sh"

seed=${1:-1} count=${2:-40}
cat >"$work/d" <<'END'
inline int level[struct task_struct *t] = t->group_leader->thread_pid->level;
inline int number[struct task_struct *t] = t == NULL || t->pid == 0 ? 0 :
    t->group_leader->thread_pid->numbers[level[t]].nr;
inline uintptr_t space[struct task_struct *t] =
    (uintptr_t)t->group_leader->thread_pid->numbers[level[t]].ns;
int ours;
uintptr_t our_space;

syscall::getpriority:entry /progenyof($target) && arg1 == 1000003/ { ours = 1; our_space = space[curthread]; }
syscall::getpriority:entry /progenyof($target) && arg1 == 1000004/ { ours = 0; }

proc:::create, proc:::lwp-create, proc:::start, proc:::lwp-start, proc:::lwp-exit, proc:::exec-success, proc:::fault
/ours && progenyof($target)/
{ @[probename, number[curthread]] = count(); }
proc:::exit /ours && progenyof($target)/
{ @two[probename, number[curthread], args[0]] = count(); }
proc:::exec-failure /ours && progenyof($target)/
{ @two[probename, number[curthread], args[0]] = count(); }
proc:::signal-handle, proc:::signal-clear /ours && progenyof($target)/
{ @two[probename, number[curthread], args[0]] = count(); }
proc:::signal-send, proc:::signal-discard
/ours && ((pid != 0 && progenyof($target)) || (pid == 0 && space[(struct task_struct *)arg0] == our_space))/
{ @three[probename, pid == 0 ? 0 : number[curthread], number[(struct task_struct *)arg0], args[2]] = count(); }

/* Switches of a thread between its marks; a mark that repeats counts again. */
syscall::getpriority:entry /progenyof($target) && arg1 == 1000001/
{ self->counts = 1; self->on = self->off = self->sleep = self->preempt = 0; }
sched:::on-cpu /self->counts/ { self->on++; }
sched:::off-cpu /self->counts/ { self->off++; }
sched:::sleep /self->counts/ { self->sleep++; }
sched:::preempt /self->counts/ { self->preempt++; }
syscall::getpriority:entry /self->counts && arg1 == 1000002/
{
	@on[number[curthread]] = max(self->on);
	@off[number[curthread]] = max(self->off);
	@sleep[number[curthread]] = max(self->sleep);
	@preempt[number[curthread]] = max(self->preempt);
}
dtrace:::END
{
	printa("%s %d %@d\n", @); printa("%s %d %d %@d\n", @two); printa("%s %d %d %d %@d\n", @three);
	printa("on-cpu %d %@d\n", @on); printa("off-cpu %d %@d\n", @off);
	printa("sleep %d %@d\n", @sleep); printa("preempt %d %@d\n", @preempt);
}
END
run_traced -qs "$work/d" -- "$top/test/witness/load_processes.py" "$work" "$seed" "$count"
"${0%/*}/processes.py" "$work" >"$work/table" || exit 2
report_table "$work/table"
