/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched.d: the sched provider.
 *
 * off-cpu and on-cpu are the two sides of a switch between threads, including idle threads (number
 * 0).  off-cpu fires in the leaving thread, with the next one as arguments, on-cpu in the incoming
 * one.  A thread is in a run queue from enqueue until dequeue, when it gets the processor or moves
 * to another queue.  It is never in a queue while it runs.
 *
 * The processor argument is the queue's; the integer after it is 0.  schedctl-* and cpucaps-* have
 * no meaning on Linux and never fire.
 */
#pragma D depends_on library cpu.d
#pragma D depends_on library procfs.d

provider sched {
	probe on__cpu();
	probe off__cpu(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe remain__cpu();
	probe enqueue(struct task_struct *lwp, struct task_struct *proc, cpuinfo_t *cpu, int head) :
	    (lwpsinfo_t *lwp, psinfo_t *proc, cpuinfo_t *cpu, int head);
	probe dequeue(struct task_struct *lwp, struct task_struct *proc, cpuinfo_t *cpu, int head) :
	    (lwpsinfo_t *lwp, psinfo_t *proc, cpuinfo_t *cpu, int head);
	probe sleep();
	probe wakeup(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe preempt();
	probe change__pri(struct task_struct *lwp, struct task_struct *proc, int pri) :
	    (lwpsinfo_t *lwp, psinfo_t *proc, int pri);
	probe lend__pri(struct task_struct *lwp, struct task_struct *proc, int pri,
	    struct task_struct *lender) :
	    (lwpsinfo_t *lwp, psinfo_t *proc, int pri, lwpsinfo_t *lender);
	probe surrender(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe tick(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe load__change(int cpu, int load);
	probe schedctl__nopreempt(struct task_struct *lwp, struct task_struct *proc, int preempted) :
	    (lwpsinfo_t *lwp, psinfo_t *proc, int preempted);
	probe schedctl__preempt(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe schedctl__yield(int yielded);
	probe cpucaps__sleep(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
	probe cpucaps__wakeup(struct task_struct *lwp, struct task_struct *proc) :
	    (lwpsinfo_t *lwp, psinfo_t *proc);
};

/*
 * The sites of a switch stand in the order of their events.  Their clauses run in this order,
 * whatever the order in the program.
 */

/* ---- reasons to leave ---- */

/* The state in which a thread leaves: always running if it is preempted. */
inline unsigned int sched_left[int is_preempted, unsigned int state] = is_preempted ? 0 : state;

/* The scheduler ran and chose the same thread: 6.18 reports that, 6.12 does not. */
site sched:::remain-cpu from rawtp:::sched_exit_tp
/!args[0]/
{
	return ();
}

/* Interruptible, uninterruptible, and waiting for a lock of PREEMPT_RT (include/linux/sched.h). */
site sched:::sleep from rawtp:::sched_switch
/(sched_left[args[0], args[3]] & 0x1003) != 0/
{
	this->lwp_left = args[1];
	this->lwp_left_state = args[3];
	return ();
}

/* A thread that yields leaves like a preempted one. */
site sched:::preempt from rawtp:::sched_switch
/sched_left[args[0], args[3]] == 0 && args[1]->pid != 0/
{
	this->lwp_left = args[1];
	this->lwp_left_state = 0;
	return ();
}

/* ---- run queues ---- */

site sched:::wakeup from rawtp:::sched_waking
{
	return (args[0], args[0]);
}

/* A thread that is still on its processor continues to run. */
site sched:::enqueue from rawtp:::sched_wakeup
/args[0]->on_cpu == 0/
{
	return (args[0], args[0], cpu_of[args[0]->thread_info.cpu], 0);
}

site sched:::enqueue from rawtp:::sched_wakeup_new
{
	return (args[0], args[0], cpu_of[args[0]->thread_info.cpu], 0);
}

site sched:::enqueue from rawtp:::sched_switch
/sched_left[args[0], args[3]] == 0 && args[1]->pid != 0/
{
	return (args[1], args[1], curcpu, 0);
}

/*
 * The thread to which each processor switched last, as far as programs saw.  The kernel hides a
 * switch from a protected process, in which it runs no programs.  So a thread that leaves the
 * scheduler, and was not announced, shows that switch.
 */
struct task_struct *sched_next[int];

rawtp:::sched_switch
{
	sched_next[cpu] = args[2];
}

site sched:::dequeue from rawtp:::sched_switch
/args[2]->pid != 0/
{
	return (args[2], args[2], curcpu, 0);
}
and from rawtp:::sched_exit_tp
/args[0] && curthread->pid != 0 && sched_next[cpu] != NULL && sched_next[cpu] != curthread/
{
	return (curthread, curthread, curcpu, 0);
}

/* ---- from one thread to the next, when the queues are already updated ---- */

site sched:::off-cpu from rawtp:::sched_switch
{
	this->lwp_left = args[1];
	this->lwp_left_state = sched_left[args[0], args[3]];
	return (args[2], args[2]);
}

/*
 * The site is where the thread leaves the scheduler.  Only a new thread takes another way.  There, a
 * clause can read the thread's memory, and the kernel also shows switches from protected processes,
 * in which it runs no programs.  6.12 has no tracepoint there.  The first function that the kernel
 * runs in any thread, even a new one, is finish_task_switch(), which compilers rename.
 */
site sched:::on-cpu from rawtp:::sched_exit_tp
/args[0]/
{
	return ();
}
and from rawtp:::sched_switch for (args[2])
/args[2]->nvcsw + args[2]->nivcsw == 0/
{
	return ();
}
else from rawtp:::sched_switch for (args[2])
{
	return ();
}
else from fbt::finish_task_switch*:entry
{
	return ();
}

/* ---- moves and load ---- */

/*
 * A thread that waits in a queue is moved to another one (TASK_ON_RQ_MIGRATING is 2,
 * kernel/sched/sched.h).  Since 6.12 a sleeping thread can still have its place there.
 */
site sched:::dequeue from rawtp:::sched_migrate_task
/args[0]->on_rq == 2 && args[0]->se.sched_delayed == 0/
{
	return (args[0], args[0], cpu_of[args[0]->thread_info.cpu], 0);
}
else from rawtp:::sched_migrate_task
/args[0]->on_rq == 2/
{
	return (args[0], args[0], cpu_of[args[0]->thread_info.cpu], 0);
}

site sched:::enqueue from rawtp:::sched_migrate_task
/args[0]->on_rq == 2 && args[0]->se.sched_delayed == 0/
{
	return (args[0], args[0], cpu_of[args[1]], 0);
}
else from rawtp:::sched_migrate_task
/args[0]->on_rq == 2/
{
	return (args[0], args[0], cpu_of[args[1]], 0);
}

/* The queue of a processor becomes longer or shorter. */
site sched:::load-change from rawtp:::sched_update_nr_running_tp
{
	return (args[0]->cpu, args[0]->nr_running);
}

/* ---- priorities ---- */

/*
 * Priorities of the kernel (task_struct.prio): 0 to 98 real time, 100 to 139 nice values, -1 a
 * deadline; lower numbers are more important.
 */
inline int sched_nice_pri[int64_t nice] = 120 + (int)(nice < -20 ? -20 : nice > 19 ? 19 : nice);

inline int sched_policy_pri[unsigned int policy, int rt, int other] =
    policy == 6 ? -1 : policy == 1 || policy == 2 ? 99 - rt : other;

inline int sched_attr_pri[struct sched_attr *A] =
    sched_policy_pri[A->sched_policy, A->sched_priority, sched_nice_pri[A->sched_nice]];

/* A policy can contain SCHED_RESET_ON_FORK. */
inline int sched_param_pri[unsigned int policy, uintptr_t param] =
    sched_policy_pri[policy & ~0x40000000, *(int *)copyin(param, sizeof (int)),
    curthread->static_prio];

/* A thread that waits for a lock lends its priority to the owner. */
inline int sched_lent_pri[struct task_struct *T, struct task_struct *waiter] =
    waiter != NULL && waiter->prio < T->normal_prio ? waiter->prio : T->normal_prio;

site sched:::lend-pri from rawtp:::sched_pi_setprio
/args[1] != NULL/
{
	return (args[0], args[0], sched_lent_pri[args[0], args[1]], args[1]);
}

site sched:::change-pri from rawtp:::sched_pi_setprio
/sched_lent_pri[args[0], args[1]] != args[0]->prio/
{
	return (args[0], args[0], sched_lent_pri[args[0], args[1]]);
}

/*
 * If functions cannot be traced, changes that a thread requests for itself are seen, at the
 * request.  Changes to other threads are not, because system calls identify threads by number.
 */
inline int sched_is_own[int64_t id] = id == 0 || id == tid;

site sched:::change-pri from fbt::set_user_nice:entry
/args[0]->prio >= 100 && args[1] >= -20 && args[1] <= 19 &&
    sched_nice_pri[args[1]] != args[0]->prio/
{
	return (args[0], args[0], sched_nice_pri[args[1]]);
}
else from syscall::setpriority:entry
/(int)arg0 == 0 && sched_is_own[(int)arg1] && curthread->prio >= 100 &&
    sched_nice_pri[(int)arg2] != curthread->prio/
{
	return (curthread, curthread, sched_nice_pri[(int)arg2]);
}

site sched:::change-pri from fbt::__sched_setscheduler:entry
/sched_attr_pri[args[1]] != args[0]->prio/
{
	return (args[0], args[0], sched_attr_pri[args[1]]);
}
else from syscall::sched_setattr:entry
/sched_is_own[(int)arg0] &&
    sched_attr_pri[(struct sched_attr *)copyin(arg1, sizeof (struct sched_attr))] !=
    curthread->prio/
{
	return (curthread, curthread,
	    sched_attr_pri[(struct sched_attr *)copyin(arg1, sizeof (struct sched_attr))]);
}
and from syscall::sched_setscheduler:entry
/sched_is_own[(int)arg0] && sched_param_pri[(int)arg1, arg2] != curthread->prio/
{
	return (curthread, curthread, sched_param_pri[(int)arg1, arg2]);
}
and from syscall::sched_setparam:entry
/sched_is_own[(int)arg0] && sched_param_pri[curthread->policy, arg1] != curthread->prio/
{
	return (curthread, curthread, sched_param_pri[curthread->policy, arg1]);
}

/* ---- requests to reschedule, and the clock ---- */

/* A thread that already has the request does not get it again. */
site sched:::surrender from rawtp:::sched_set_need_resched_tp
{
	return (args[0], args[0]);
}
else from fbt::resched_curr:entry
/(args[0]->curr->thread_info.flags & (1 << TIF_NEED_RESCHED)) == 0/
{
	return (args[0]->curr, args[0]->curr);
}

/* An idle processor can have no ticks. */
site sched:::tick from fbt::sched_tick:entry
{
	return (curthread, curthread);
}
else from fbt::scheduler_tick:entry
{
	return (curthread, curthread);
}
else from rawtp:::hrtimer_expire_entry
/(uintptr_t)args[0]->function == (uintptr_t)&`tick_nohz_handler/
{
	return (curthread, curthread);
}
else from rawtp:::hrtimer_expire_entry
/(uintptr_t)args[0]->function == (uintptr_t)&`tick_sched_timer/
{
	return (curthread, curthread);
}
