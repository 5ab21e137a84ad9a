/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procfs.d: processes and threads: psinfo_t, lwpsinfo_t, and those of the current thread.
 */

inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	string pr_fname;
	string pr_psargs;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	int pr_taskid;
	int pr_projid;
	int pr_poolid;
	int pr_zoneid;
	int pr_contract;
} psinfo_t;

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
	pr_fname = stringof(T->comm);
	pr_psargs = stringof(T->comm);
	pr_argc = 0;
	pr_argv = 0;
	pr_envp = 0;
	pr_dmodel = PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
};

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	short pr_syscall;
	int pr_pri;
	string pr_name;
	processorid_t pr_onpro;
} lwpsinfo_t;

/* __state: 0 running, 1 interruptible, 2 uninterruptible, 4 stopped, 8 traced; exit_state: 16, 32. */
translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = 0;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = 0;
	pr_state = (T->__state & 3) != 0 ? SSLEEP : (T->__state & 12) != 0 ? SSTOP :
	    (T->exit_state & 48) != 0 ? SZOMB : (T->__state & 0x300) != 0 ? SWAIT : SRUN;
	pr_sname = (T->__state & 3) != 0 ? 'S' : (T->__state & 12) != 0 ? 'T' :
	    (T->exit_state & 48) != 0 ? 'Z' : (T->__state & 0x300) != 0 ? 'W' : 'R';
	pr_syscall = 0;
	pr_pri = T->prio;
	pr_name = stringof(T->comm);
	pr_onpro = T->thread_info.cpu;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
