/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched.d: the sched provider.
 *
 * off-cpu and on-cpu are the two sides of a switch from one thread to the next, the idle threads
 * (number 0) included: off-cpu fires in the thread that leaves, with the next one as arguments,
 * on-cpu in the one that comes.  A thread is in a run queue from enqueue to dequeue, which is when
 * it is given the processor or moved to another; it is never there while it runs.
 *
 * The processor is that of the queue; the integer behind it is 0.  schedctl-* and cpucaps-* have
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

/* ---- switches ---- */

/* What a thread leaves in: nothing else than running if it is preempted. */
inline unsigned int sched_left[int is_preempted, unsigned int state] = is_preempted ? 0 : state;

site sched:::off-cpu from rawtp:::sched_switch
{
	this->lwp_left = (uintptr_t)args[1];
	this->lwp_left_state = sched_left[args[0], args[3]];
	return (args[2], args[2]);
}

site sched:::on-cpu from rawtp:::sched_switch for (args[2])
{
	return ();
}

/* The scheduler was asked and went on with the same thread.  Kernels before 6.17 do not tell. */
site sched:::remain-cpu from rawtp:::sched_exit_tp
/!args[0]/
{
	return ();
}

/* Interruptible, uninterruptible, and waiting for a lock of PREEMPT_RT (include/linux/sched.h). */
site sched:::sleep from rawtp:::sched_switch
/(sched_left[args[0], args[3]] & 0x1003) != 0/
{
	this->lwp_left = (uintptr_t)args[1];
	this->lwp_left_state = args[3];
	return ();
}

/* A thread that yields leaves as a preempted one does. */
site sched:::preempt from rawtp:::sched_switch
/sched_left[args[0], args[3]] == 0 && args[1]->pid != 0/
{
	this->lwp_left = (uintptr_t)args[1];
	this->lwp_left_state = 0;
	return ();
}

/* ---- run queues ---- */

site sched:::wakeup from rawtp:::sched_waking
{
	return (args[0], args[0]);
}

/* One that is still on its processor goes on running. */
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

site sched:::dequeue from rawtp:::sched_switch
/args[2]->pid != 0/
{
	return (args[2], args[2], curcpu, 0);
}

/*
 * One that waits in a queue is moved to another (TASK_ON_RQ_MIGRATING is 2, kernel/sched/sched.h);
 * since 6.12 one that sleeps may still have its place there.
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

/* The queue of a processor is longer or shorter. */
site sched:::load-change from rawtp:::sched_update_nr_running_tp
{
	return (args[0]->cpu, args[0]->nr_running);
}

/* ---- priorities ---- */
