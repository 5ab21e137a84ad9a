/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procfs.d: processes and threads: psinfo_t, lwpsinfo_t, and both for the current thread.
 */
#pragma D depends_on library regs.d
#pragma D depends_on library cpu.d
#pragma D depends_on library kernel.d

/* ---- constants (illumos, procfs.h) ---- */

inline int PR_STOPPED = 0x1;
inline int PR_ISTOP = 0x2;
inline int PR_DSTOP = 0x4;
inline int PR_STEP = 0x8;
inline int PR_ASLEEP = 0x10;
inline int PR_PCINVAL = 0x20;
inline int PR_ASLWP = 0x40;
inline int PR_AGENT = 0x80;
inline int PR_DETACH = 0x100;
inline int PR_DAEMON = 0x200;
inline int PR_IDLE = 0x400;
inline int PR_ISSYS = 0x1000;
inline int PR_VFORKP = 0x2000;
inline int PR_ORPHAN = 0x4000;
inline int PR_NOSIGCHLD = 0x8000;
inline int PR_WAITPID = 0x10000;
inline int PR_FORK = 0x100000;
inline int PR_RLC = 0x200000;
inline int PR_KLC = 0x400000;
inline int PR_ASYNC = 0x800000;
inline int PR_MSACCT = 0x1000000;
inline int PR_BPTADJ = 0x2000000;
inline int PR_PTRACE = 0x4000000;
inline int PR_MSFORK = 0x8000000;

inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

/* ---- processes ---- */

/*
 * The arguments of the program, up to the size of a string; a kernel thread has none.  A title that
 * a program writes over its arguments can continue into its environment (fs/proc/base.c,
 * get_mm_cmdline).
 */
inline struct mm_struct *proc_mm = curthread->mm;
inline size_t proc_arglen[struct mm_struct *m] = m == NULL || m->arg_end < m->arg_start ? 0 :
    m->arg_end - m->arg_start;
inline int proc_is_titled[struct mm_struct *m] = *(char *)copyin(m->arg_end - 1, 1) != 0;
inline size_t proc_upto[uintptr_t from, uintptr_t to] =
    to - from < sizeof (string) ? to - from : sizeof (string);
inline string proc_title[struct mm_struct *m] =
    stringof((char *)copyin(m->arg_start, proc_upto[m->arg_start, m->env_end]));
inline string proc_text[struct mm_struct *m] = proc_is_titled[m] ? proc_title[m] :
    argstr((userland char *)m->arg_start, proc_arglen[m]);
inline string execargs = proc_arglen[proc_mm] == 0 ? execname : proc_text[proc_mm];

/*
 * The arguments of other processes, whose memory cannot be read: from the start of tracing, from a
 * later exec, or from the parent.  CLONE_THREAD is 0x10000.
 */
string proc_args[pid_t];

iter:::task
/tid == pid && proc_mm != NULL/
{
	proc_args[pid] = execargs;
}

rawtp:::sched_process_exec
{
	proc_args[pid] = execargs;
}

rawtp:::task_newtask
/(args[1] & 0x10000) == 0 && args[0]->mm != NULL/
{
	proc_args[args[0]->tgid] = proc_args[pid];
}

rawtp:::sched_process_exit
/curthread->signal->live.counter == 0/
{
	proc_args[pid] = NULL;
}

inline string proc_args_of[struct task_struct *T] =
    proc_args[T->tgid] == NULL ? stringof(T->group_leader->comm) : proc_args[T->tgid];

/* A new program finds the number of its arguments on its stack, followed by the vectors
 * (fs/binfmt_elf.c). */
inline int proc_argc = proc_mm == NULL || proc_mm->start_stack == 0 ? 0 :
    *(int *)copyin(proc_mm->start_stack, sizeof (int));

/* Splits nanoseconds into seconds and nanoseconds. */
translator timestruc_t < uint64_t N > {
	tv_sec = N / 1000000000;
	tv_nsec = N % 1000000000;
};

/*
 * A container is a PID namespace other than the namespace of process 1.  Its name is the cgroup of
 * its first process, without the parts that engines add.
 */
inline struct pid_namespace *proc_pidns[struct task_struct *T] =
    T->thread_pid->numbers[T->thread_pid->level].ns;
inline int proc_is_contained[struct task_struct *T] =
    T->thread_pid != NULL && proc_pidns[T]->ns.inum != host_pidns;
inline zoneid_t proc_zone[struct task_struct *T] =
    proc_is_contained[T] ? proc_pidns[T]->ns.inum - PROC_DYNAMIC_FIRST : 0;

/*
 * On a host with hierarchies of version 1, engines make a container's cgroup there, and its
 * processes stay in the root of version 2, or in the engine's own cgroup.  Version 2 is hierarchy 0.
 */
inline int zone_is_old[struct cgroup *c] = c->root->hierarchy_id != 0 && c->level > 0;
inline struct cgroup *zone_old[struct css_set *s] =
    zone_is_old[s->subsys[cpu_cgrp_id]->cgroup] ? s->subsys[cpu_cgrp_id]->cgroup :
    zone_is_old[s->subsys[devices_cgrp_id]->cgroup] ? s->subsys[devices_cgrp_id]->cgroup :
    zone_is_old[s->subsys[freezer_cgrp_id]->cgroup] ? s->subsys[freezer_cgrp_id]->cgroup :
    zone_is_old[s->subsys[memory_cgrp_id]->cgroup] ? s->subsys[memory_cgrp_id]->cgroup :
    s->dfl_cgrp;
inline struct cgroup *zone_leaf[struct css_set *s] =
    zone_is_old[s->subsys[pids_cgrp_id]->cgroup] ? s->subsys[pids_cgrp_id]->cgroup :
    s->dfl_cgrp->level > 0 ? s->dfl_cgrp : zone_old[s];

/*
 * crun (container), systemd (init.scope), systemd-nspawn (payload) and Docker in Docker (init) put
 * processes below the cgroup of the container.
 */
this struct css_set *zone_set;
this struct cgroup *zone_group;
this string zone_folder;
this int zone_prefix;
inline int zone_is_inner = this->zone_group->level > 1 && (this->zone_folder == "container" ||
    this->zone_folder == "init.scope" || this->zone_folder == "payload" ||
    this->zone_folder == "init");
inline struct cgroup *zone_outer =
    zone_is_inner ? this->zone_group->ancestors[this->zone_group->level - 1] : this->zone_group;
inline string zone_read[struct cgroup *c] =
    (this->zone_group = c, this->zone_folder = stringof(this->zone_group->kn->name));

/* The number of bytes in front of the engine's id: docker-ID.scope, libpod-ID.scope ... */
inline int zone_prefix_of[string s] = index(s, "docker-") == 0 || index(s, "libpod-") == 0 ? 7 :
    index(s, "crio-") == 0 ? 5 : index(s, "cri-containerd-") == 0 ? 15 :
    index(s, "nerdctl-") == 0 || index(s, "machine-") == 0 ? 8 :
    index(s, "lxc.payload.") == 0 ? 12 :
    index(s, ":cri-containerd:") > 0 ? index(s, ":cri-containerd:") + 16 : 0;
inline int zone_end[string s] = index(s, ".scope") < 0 ? strlen(s) : index(s, ".scope");
inline string zone_id = (this->zone_prefix = zone_prefix_of[this->zone_folder]) == 0 ?
    this->zone_folder : substr(this->zone_folder, this->zone_prefix,
    zone_end[this->zone_folder] - this->zone_prefix);

inline string proc_zone_name[struct task_struct *T] =
    (this->zone_set = proc_pidns[T]->child_reaper->cgroups,
    zone_read[zone_leaf[this->zone_set]], zone_read[zone_outer], zone_read[zone_outer], zone_id);

inline string zonename = proc_is_contained[curthread] ? proc_zone_name[curthread] : "global";
inline zoneid_t jid = proc_zone[curthread];
inline string jailname = proc_is_contained[curthread] ? proc_zone_name[curthread] : "0";

typedef struct psinfo {
	int pr_flag;          /* 0 */
	int pr_nlwp;          /* threads */
	pid_t pr_pid;         /* process id */
	pid_t pr_ppid;        /* parent process id */
	pid_t pr_pgid;        /* process group */
	pid_t pr_sid;         /* session */
	uid_t pr_uid;         /* real user */
	uid_t pr_euid;        /* effective user */
	gid_t pr_gid;         /* real group */
	gid_t pr_egid;        /* effective group */
	uintptr_t pr_addr;    /* the struct task_struct */
	size_t pr_size;       /* size of its memory, KB */
	dev_t pr_ttydev;      /* its terminal, -1: none */
	timestruc_t pr_start; /* start time, since 1970 */
	timestruc_t pr_ctime; /* CPU time of its children that have ended */
	char pr_fname[16];    /* its name */
	string pr_psargs;     /* its arguments */
	uint_t pr_arglen;     /* bytes of the arguments */
	int pr_wstat;         /* exit status */
	int pr_argc;          /* number of arguments; only for the current process */
	uintptr_t pr_argv;    /* address of the arguments in its memory */
	uintptr_t pr_envp;    /* address of its environment; only for the current process */
	char pr_dmodel;       /* PR_MODEL_ILP32 or PR_MODEL_LP64 */
	taskid_t pr_taskid;   /* 0 */
	projid_t pr_projid;   /* 0 */
	poolid_t pr_poolid;   /* 0 */
	zoneid_t pr_zoneid;   /* its container, 0: none */
	ctid_t pr_contract;   /* 0 */
	uint_t pr_jailid;     /* as pr_zoneid */
} psinfo_t;

/* The number of a terminal has 20 bits for the minor number (include/linux/kdev_t.h). */
inline dev_t proc_tty[struct tty_struct *t] = t == NULL ? (dev_t)-1 :
    (t->driver->major << 20) + t->driver->minor_start + t->index;

/*
 * Only for the current process the number of arguments is known.  A page is 4 KB; the address space
 * of a 32-bit process ends below 4 GB.
 */
translator psinfo_t < struct task_struct *T > {
	pr_flag = 0;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm << 2;
	pr_ttydev = proc_tty[T->signal->tty];
	pr_start = xlate <timestruc_t> ((uint64_t)(walltimestamp - timestamp) +
	    T->group_leader->start_time);
	pr_ctime = xlate <timestruc_t> (T->signal->cutime + T->signal->cstime);
	pr_fname = stringof(T->group_leader->comm);
	pr_psargs = T->tgid == pid ? execargs : proc_args_of[T];
	pr_arglen = proc_arglen[T->mm];
	pr_wstat = T->exit_code;
	pr_argc = T->tgid == pid ? proc_argc : 0;
	pr_argv = T->mm == NULL ? 0 : T->mm->start_stack + 8;
	pr_envp = T->tgid != pid || T->mm == NULL ? 0 : T->mm->start_stack + ((proc_argc + 2) << 3);
	pr_dmodel = T->mm != NULL && T->mm->task_size < 0x100000000 ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = proc_zone[T];
	pr_contract = 0;
	pr_jailid = proc_zone[T];
};

/* The current process: its arguments are read from its memory, so none have to be kept. */
struct proc_current;

translator psinfo_t < struct proc_current *C > {
	pr_flag = xlate <psinfo_t> (curthread).pr_flag;
	pr_nlwp = xlate <psinfo_t> (curthread).pr_nlwp;
	pr_pid = xlate <psinfo_t> (curthread).pr_pid;
	pr_ppid = xlate <psinfo_t> (curthread).pr_ppid;
	pr_pgid = xlate <psinfo_t> (curthread).pr_pgid;
	pr_sid = xlate <psinfo_t> (curthread).pr_sid;
	pr_uid = xlate <psinfo_t> (curthread).pr_uid;
	pr_euid = xlate <psinfo_t> (curthread).pr_euid;
	pr_gid = xlate <psinfo_t> (curthread).pr_gid;
	pr_egid = xlate <psinfo_t> (curthread).pr_egid;
	pr_addr = xlate <psinfo_t> (curthread).pr_addr;
	pr_size = xlate <psinfo_t> (curthread).pr_size;
	pr_ttydev = xlate <psinfo_t> (curthread).pr_ttydev;
	pr_start = xlate <psinfo_t> (curthread).pr_start;
	pr_ctime = xlate <psinfo_t> (curthread).pr_ctime;
	pr_fname = xlate <psinfo_t> (curthread).pr_fname;
	pr_psargs = execargs;
	pr_arglen = xlate <psinfo_t> (curthread).pr_arglen;
	pr_wstat = xlate <psinfo_t> (curthread).pr_wstat;
	pr_argc = xlate <psinfo_t> (curthread).pr_argc;
	pr_argv = xlate <psinfo_t> (curthread).pr_argv;
	pr_envp = xlate <psinfo_t> (curthread).pr_envp;
	pr_dmodel = xlate <psinfo_t> (curthread).pr_dmodel;
	pr_taskid = xlate <psinfo_t> (curthread).pr_taskid;
	pr_projid = xlate <psinfo_t> (curthread).pr_projid;
	pr_poolid = xlate <psinfo_t> (curthread).pr_poolid;
	pr_zoneid = xlate <psinfo_t> (curthread).pr_zoneid;
	pr_contract = xlate <psinfo_t> (curthread).pr_contract;
	pr_jailid = xlate <psinfo_t> (curthread).pr_jailid;
};

/* ---- threads ---- */

typedef struct lwpsinfo {
	int pr_flag;              /* PR_STOPPED, PR_ASLEEP, PR_ISSYS and so on */
	id_t pr_lwpid;            /* thread id */
	uintptr_t pr_addr;        /* the struct task_struct */
	uintptr_t pr_wchan;       /* 0 */
	char pr_stype;            /* SOBJ_NONE */
	char pr_state;            /* SSLEEP, SRUN, SZOMB, SSTOP or SWAIT */
	char pr_sname;            /* the same as a letter: S, R, Z, T or W */
	short pr_syscall;         /* its current system call; only for the current thread */
	int pr_pri;               /* kernel priority; lower numbers are more important */
	char pr_clname[8];        /* scheduling class */
	char pr_name[16];         /* its name */
	processorid_t pr_onpro;   /* its current or last CPU */
	processorid_t pr_bindpro; /* the only CPU that it may use, -1: several */
	psetid_t pr_bindpset;     /* -1 */
	lgrp_id_t pr_lgrp;        /* memory node of its CPU */
} lwpsinfo_t;

/*
 * The state in which a thread leaves its processor is the state that the scheduler used.  Meanwhile
 * another processor can be waking the thread, and a preempted thread continues with its work.
 */
this struct task_struct *lwp_left;
this unsigned int lwp_left_state;
inline unsigned int lwp_now[struct task_struct *T] =
    this->lwp_left == T ? this->lwp_left_state : T->__state;

/*
 * __state: 0 running, 1 interruptible, 2 uninterruptible, 4 stopped, 8 traced, 0x100 wakes for a
 * deadly signal, 0x200 waking; exit_state: 16, 32 (include/linux/sched.h).
 */
inline char lwp_state[struct task_struct *T] =
    (lwp_now[T] & 3) != 0 ? SSLEEP : (lwp_now[T] & 12) != 0 ? SSTOP :
    (T->exit_state & 48) != 0 ? SZOMB : (lwp_now[T] & 0x300) != 0 ? SWAIT : SRUN;

/* PF_KTHREAD is 0x200000; idle threads have the number 0. */
inline int lwp_flag[struct task_struct *T] =
    ((T->flags & 0x200000) != 0 ? PR_ISSYS : 0) | (T->pid == 0 ? PR_IDLE : 0) |
    (T->ptrace != 0 ? PR_PTRACE : 0) | (lwp_state[T] == SSTOP ? PR_STOPPED : 0) |
    (lwp_state[T] == SSLEEP ? PR_ASLEEP : 0);

/* Scheduling classes, with the names of ps(1). */
inline string lwp_class[unsigned int policy] =
    policy == 0 ? "TS" : policy == 1 ? "FF" : policy == 2 ? "RR" : policy == 3 ? "B" :
    policy == 5 ? "IDL" : policy == 6 ? "DLN" : "?";

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = lwp_flag[T];
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = SOBJ_NONE;
	pr_state = lwp_state[T];
	pr_sname = lwp_state[T] == SSLEEP ? 'S' : lwp_state[T] == SSTOP ? 'T' :
	    lwp_state[T] == SZOMB ? 'Z' : lwp_state[T] == SWAIT ? 'W' : 'R';
	pr_syscall = T->pid != tid || T->mm == NULL ? 0 : (int)uregs[R_SYSCALL];
	pr_pri = T->prio;
	pr_clname = lwp_class[T->policy];
	pr_name = stringof(T->comm);
	pr_onpro = T->thread_info.cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? (processorid_t)T->thread_info.cpu : PBIND_NONE;
	pr_bindpset = PS_NONE;
	pr_lgrp = cpu_of[(processorid_t)T->thread_info.cpu]->cpu_lgrp;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> ((struct proc_current *)curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
