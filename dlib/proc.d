/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.d: the proc provider: processes and threads from their creation to their end, the programs
 * that they execute, and signals.
 *
 * Every thread is created, starts and exits once, including the first of a process; lwp- probes
 * come before the probes of the process.
 */
#pragma D depends_on library procfs.d
#pragma D depends_on library signal.d

/* Faults (illumos, sys/fault.h). */
inline int FLTILL = 1;
inline int FLTPRIV = 2;
inline int FLTBPT = 3;
inline int FLTTRACE = 4;
inline int FLTACCESS = 5;
inline int FLTBOUNDS = 6;
inline int FLTIOVF = 7;
inline int FLTIZDIV = 8;
inline int FLTFPE = 9;
inline int FLTSTACK = 10;
inline int FLTPAGE = 11;

provider proc {
	probe create(struct task_struct *t) : (psinfo_t *t);
	probe exec(userland char *path);
	probe exec__failure(int error);
	probe exec__success(string path);
	probe exit(int reason);
	probe fault(int fault, struct kernel_siginfo *i) : (int fault, siginfo_t *i);
	probe lwp__create(struct task_struct *t) : (lwpsinfo_t *t, psinfo_t *t);
	probe lwp__exit();
	probe lwp__start();
	probe signal__clear(int sig, struct kernel_siginfo *i) : (int sig, siginfo_t *i);
	probe signal__discard(struct task_struct *t, int sig) : (lwpsinfo_t *t, psinfo_t *t, int sig);
	probe signal__handle(int sig, struct kernel_siginfo *i, void (*handler)(void)) :
	    (int sig, siginfo_t *i, void (*handler)(void));
	probe signal__send(struct task_struct *t, int sig) : (lwpsinfo_t *t, psinfo_t *t, int sig);
	probe start();
};

/* ---- creation ---- */

/* The idle threads of all processors have the number 0. */
site proc:::lwp-create from rawtp:::task_newtask
/args[0]->pid != 0/
{
	return (args[0]);
}

site proc:::create from rawtp:::task_newtask
/args[0]->pid != 0 && args[0]->tgid == args[0]->pid/
{
	return (args[0]);
}

/* Kernel threads never return from a system call: they are seen where functions can be traced. */
site proc:::lwp-start from fbt::schedule_tail:return
{
	return ();
}
else from syscall::clone:return, syscall::clone3:return, syscall::fork:return, syscall::vfork:return
/arg1 == 0/
{
	return ();
}

site proc:::start from fbt::schedule_tail:return
/tid == pid/
{
	return ();
}
else from syscall::clone:return, syscall::clone3:return, syscall::fork:return, syscall::vfork:return
/arg1 == 0 && tid == pid/
{
	return ();
}

/* ---- programs ---- */

/*
 * At the beginning of the call, the path is often on a page that the process has not touched, such
 * as a literal string in the child of a fork.  Then the probe fires just before exec-success, when
 * the path is on the new stack, or before exec-failure, when the kernel has read the path.
 *
 * The same holds for programs that the kernel itself executes, and for 32-bit processes if
 * functions cannot be traced.  A success increments the number of programs that the thread has
 * executed.
 */
self uintptr_t proc_exec_path;
self uint64_t proc_exec_id;

/*
 * Calls of 32-bit processes are seen by the functions that serve them, and by the syscall probes
 * unless these are at tracepoints of single calls.  Whichever fires first stores the number of the
 * program here: the call at entry, the function at return.
 */
self uint64_t proc_exec_entered;
self uint64_t proc_exec_failed;

syscall::execve:entry
{
	self->proc_exec_path = arg0;
	self->proc_exec_id = 0;
	self->proc_exec_entered = curthread->self_exec_id + 1;
	self->proc_exec_failed = 0;
}

syscall::execveat:entry
{
	self->proc_exec_path = arg1;
	self->proc_exec_id = 0;
	self->proc_exec_entered = curthread->self_exec_id + 1;
	self->proc_exec_failed = 0;
}

syscall::execve:return, syscall::execveat:return
{
	self->proc_exec_entered = 0;
}

/* False if the path cannot be read. */
inline int proc_is_there[uintptr_t path] = strlen(copyinstr(path)) < 4096;

site proc:::exec from syscall::execve:entry, syscall::execveat:entry
/proc_is_there[self->proc_exec_path]/
{
	self->proc_exec_id = curthread->self_exec_id + 1;
	return ((userland char *)self->proc_exec_path);
}

site proc:::exec from syscall::execve:return, syscall::execveat:return
/errno != 0 && self->proc_exec_id == 0/
{
	return ((userland char *)self->proc_exec_path);
}

inline uintptr_t proc_compat_path[struct pt_regs *regs, int is_at] =
    (is_at ? regs->cx : regs->bx) & 0xffffffff;

site proc:::exec from fbt::__ia32_compat_sys_execve:entry, fbt::__ia32_compat_sys_execveat:entry
/self->proc_exec_entered != curthread->self_exec_id + 1 &&
    proc_is_there[proc_compat_path[args[0], probefunc == "__ia32_compat_sys_execveat"]]/
{
	self->proc_exec_id = curthread->self_exec_id + 1;
	return ((userland char *)proc_compat_path[args[0], probefunc == "__ia32_compat_sys_execveat"]);
}

site proc:::exec from rawtp:::sched_process_exec
/self->proc_exec_id != curthread->self_exec_id/
{
	return ((userland char *)args[2]->exec);
}

site proc:::exec-success from rawtp:::sched_process_exec
{
	return (stringof(args[2]->filename));
}

site proc:::exec-failure from syscall::execve:return, syscall::execveat:return
/errno != 0 && self->proc_exec_failed != curthread->self_exec_id + 1/
{
	return (errno);
}

site proc:::exec-failure from fbt::__ia32_compat_sys_execve:return,
    fbt::__ia32_compat_sys_execveat:return
/arg1 < 0/
{
	self->proc_exec_failed = curthread->self_exec_id + 1;
	return (-arg1);
}

/* ---- the end ---- */

/*
 * Since 6.16 the tracepoint says whether the thread is the last.  Before, two threads that end at
 * the same time can both seem to be the last, so the site is the kernel's accounting.
 * SIGNAL_GROUP_EXIT is 4; the status has the format of wait(2).
 */
inline int proc_status[struct task_struct *T] = (T->signal->flags & 4) != 0 ?
    T->signal->group_exit_code : T->group_leader->exit_code;
inline int proc_reason[struct task_struct *T] = (proc_status[T] & 0x7f) == 0 ? CLD_EXITED :
    (proc_status[T] & 0x80) != 0 ? CLD_DUMPED : CLD_KILLED;

site proc:::lwp-exit from rawtp:::sched_process_exit
/args[1] || !args[1]/
{
	return ();
}
else from fbt::taskstats_exit:entry
{
	return ();
}
else from rawtp:::sched_process_exit
{
	return ();
}

site proc:::exit from rawtp:::sched_process_exit
/args[1]/
{
	return (proc_reason[args[0]]);
}
else from fbt::taskstats_exit:entry
/args[1]/
{
	return (proc_reason[args[0]]);
}
else from rawtp:::sched_process_exit
/args[0]->signal->live.counter == 0/
{
	return (proc_reason[args[0]]);
}

/* ---- signals ---- */

/*
 * A signal caused by an instruction has a positive code, which no process can send.  Instead of the
 * information there can be a small number (SEND_SIG_NOINFO, SEND_SIG_PRIV).
 */
inline int proc_is_fault[int sig, struct kernel_siginfo *i] =
    (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGTRAP) &&
    (uintptr_t)i > 1 && i->si_code > 0;
inline int proc_fault[int sig, int code] =
    sig == SIGILL ? (code == ILL_PRVOPC || code == ILL_PRVREG ? FLTPRIV : FLTILL) :
    sig == SIGTRAP ? (code == TRAP_TRACE ? FLTTRACE : FLTBPT) :
    sig == SIGFPE ? (code == FPE_INTDIV ? FLTIZDIV : code == FPE_INTOVF ? FLTIOVF : FLTFPE) :
    sig == SIGBUS ? (code == BUS_ADRALN ? FLTACCESS : FLTPAGE) :
    code == SEGV_ACCERR ? FLTACCESS : FLTBOUNDS;

site proc:::fault from rawtp:::signal_generate
/args[2] == curthread && proc_is_fault[args[0], args[1]]/
{
	return (proc_fault[args[0], args[1]->si_code], args[1]);
}

/*
 * TRACE_SIGNAL_IGNORED is 1; with TRACE_SIGNAL_OVERFLOW_FAIL, 3, the signal is not sent.
 *
 * A signal from an interrupt, such as a timer's, has no sender: the interrupted thread has nothing
 * to do with it.  The processor's idle thread, with number 0, stands for the kernel, like the
 * interrupt threads of illumos, which belong to process 0.
 */
site proc:::signal-send from rawtp:::signal_generate
/args[4] != 3 && !ipl/
{
	return (args[2], args[0]);
}

site proc:::signal-send from rawtp:::signal_generate for (curthread->se.cfs_rq->rq->idle)
/args[4] != 3 && ipl/
{
	return (args[2], args[0]);
}
else from rawtp:::signal_generate for (curthread)
/args[4] != 3 && ipl/
{
	return (args[2], args[0]);
}

site proc:::signal-discard from rawtp:::signal_generate
/args[4] == 1 && !ipl/
{
	return (args[2], args[0]);
}

site proc:::signal-discard from rawtp:::signal_generate for (curthread->se.cfs_rq->rq->idle)
/args[4] == 1 && ipl/
{
	return (args[2], args[0]);
}
else from rawtp:::signal_generate for (curthread)
/args[4] == 1 && ipl/
{
	return (args[2], args[0]);
}

/* SIG_DFL is 0, SIG_IGN 1. */
site proc:::signal-handle from rawtp:::signal_deliver
/(uintptr_t)args[2]->sa.sa_handler > 1/
{
	return (args[0], args[1], args[2]->sa.sa_handler);
}

/* Address where the call stores the information of the signal. */
self uintptr_t proc_siginfo;

syscall::rt_sigtimedwait:entry
{
	self->proc_siginfo = arg1;
}

site proc:::signal-clear from syscall::rt_sigtimedwait:return
/arg1 > 0/
{
	return (arg1, (userland struct kernel_siginfo *)self->proc_siginfo);
}
