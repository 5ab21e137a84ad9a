/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.d: subroutines that look at objects of the kernel: open files and locks.
 */

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* enum pid_type of the kernel. */
inline int PIDTYPE_PID = 0;
inline int PIDTYPE_TGID = 1;
inline int PIDTYPE_PGID = 2;
inline int PIDTYPE_SID = 3;

/* An open file of the current process, NULL if there is none. */
inline struct files_struct *kernel_files = curthread->files;

inline struct file *getf[int64_t fd] =
    kernel_files != NULL && fd >= 0 && fd < kernel_files->fdt->max_fds ?
    kernel_files->fdt->fd[fd] : NULL;
#pragma D binding "1.10" getf

/* The owner is kept with flags in its low three bits (kernel/locking/mutex.c). */
inline struct task_struct *mutex_owner[struct mutex *m] =
    (struct task_struct *)(m->owner.counter & ~7);

inline int mutex_owned[struct mutex *m] = mutex_owner[m] != NULL;

/* Every mutex may sleep. */
inline int mutex_type_adaptive[struct mutex *m] = 1;
inline int mutex_type_spin[struct mutex *m] = 0;

/*
 * A queued lock counts its readers above bit 9; below are a byte for the writer and a bit for one that
 * waits (include/asm-generic/qrwlock.h).
 */
inline int rw_read_held[rwlock_t *l] = ((uint32_t)l->raw_lock.cnts.counter >> 9) != 0;
inline int rw_write_held[rwlock_t *l] = (l->raw_lock.cnts.counter & 0xff) == 0xff;
inline int rw_iswriter[rwlock_t *l] = (l->raw_lock.cnts.counter & 0x1ff) != 0;
