/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.d: subroutines for objects of the kernel: open files, namespaces and locks.  Scripts for
 * other systems read symbols that Linux lacks: an inline kernel_x replaces a missing symbol `x.
 */

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* enum pid_type of the kernel. */
inline int PIDTYPE_PID = 0;
inline int PIDTYPE_TGID = 1;
inline int PIDTYPE_PGID = 2;
inline int PIDTYPE_SID = 3;

/* Namespaces have numbers from this one on (include/linux/proc_ns.h). */
inline uint32_t PROC_DYNAMIC_FIRST = 0xf0000000;

/* An open file of the current process, NULL if there is none. */
inline struct files_struct *open_files = curthread->files;

inline struct file *getf[int64_t fd] =
    open_files != NULL && fd >= 0 && fd < open_files->fdt->max_fds ?
    open_files->fdt->fd[fd] : NULL;
#pragma D binding "1.10" getf

/* The owner is kept with flags in its low three bits (kernel/locking/mutex.c). */
inline struct task_struct *mutex_owner[struct mutex *m] =
    (struct task_struct *)(m->owner.counter & ~7);

inline int mutex_owned[struct mutex *m] = mutex_owner[m] != NULL;

/* Every mutex can sleep. */
inline int mutex_type_adaptive[struct mutex *m] = 1;
inline int mutex_type_spin[struct mutex *m] = 0;

/*
 * A queued lock counts its readers from bit 9 on.  The lower bits are a byte for the writer and a
 * bit for a waiting writer (include/asm-generic/qrwlock.h).
 */
inline int rw_read_held[rwlock_t *l] = ((uint32_t)l->raw_lock.cnts.counter >> 9) != 0;
inline int rw_write_held[rwlock_t *l] = (l->raw_lock.cnts.counter & 0xff) == 0xff;
inline int rw_iswriter[rwlock_t *l] = (l->raw_lock.cnts.counter & 0x1ff) != 0;

/*
 * With option cgroup: a service that restarts has a new cgroup at the same path.  The kernel reports
 * the path from the root of the hierarchy; the hierarchy of version 2 has the number 0.  cgroup_path
 * is the path below the root of the mount through which dtrace sees the cgroup, and begins with "/".
 */
uint64_t cgroup_again;

inline int cgroup_ends[string path] = strlen(path) >= strlen(cgroup_path) &&
    substr(path, strlen(path) - strlen(cgroup_path)) == cgroup_path;

rawtp:::cgroup_mkdir
/cgroup_level > cgroup_root_level && args[0]->level == cgroup_level &&
    args[0]->root->hierarchy_id == 0 && args[0]->ancestors[cgroup_root_level]->kn->id == cgroup_root &&
    cgroup_ends[stringof(args[1])]/
{
	cgroup_again = args[0]->kn->id;
}

/* Is C that cgroup or a descendant?  Is the current thread in one of them? */
inline int cgroup_is_scope[struct cgroup *c] =
    c->kn->id == cgroup_scope || (cgroup_again != 0 && c->kn->id == cgroup_again);
inline int cgroup_in_scope[struct cgroup *c] = cgroup_is_scope[c] ||
    (c->level > cgroup_level && cgroup_is_scope[c->ancestors[cgroup_level]]);
inline int thread_in_scope = cgroup_in_scope[curthread->cgroups->dfl_cgrp];

/*
 * Load averages of 1, 5 and 15 minutes, memory in pages, the clock in ticks.  machine_state() has
 * the values that dtrace reads from /proc/loadavg and /proc/meminfo each second.
 */
inline int64_t kernel_hp_avenrun[int n] =
    n == 0 ? machine_state(0) : n == 1 ? machine_state(1) : machine_state(2);
inline int64_t kernel_avenrun[int n] = kernel_hp_avenrun[n] >> 5;
inline uint64_t kernel_freemem = machine_state(3);
inline uint64_t kernel_availrmem = machine_state(4);
inline uint64_t kernel_physmem = machine_state(5);
inline uint64_t kernel_maxmem = machine_state(5);
inline int64_t kernel_lbolt = timestamp / jiffy_ns;
inline int64_t kernel_lbolt64 = timestamp / jiffy_ns;
inline int kernel_hz = 1000000000 / jiffy_ns;
inline int64_t kernel_time = walltimestamp / 1000000000;
