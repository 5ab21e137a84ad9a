/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plockstat.d: mutexes and reader-writer locks of a process, plockstat1234:::mutex-acquire.  For
 * each process in a description this text becomes a library, with the pid instead of the macro
 * variable.
 *
 * The C library has no probes of its own, so the sites are the entries and returns of its
 * functions.  A thread waits for a lock if such a function makes a futex(2) call.
 */

provider plockstat$target {
	probe mutex__acquire(uintptr_t mutex, int recursive, int spins);
	probe mutex__block(uintptr_t mutex);
	probe mutex__blocked(uintptr_t mutex, int success);
	probe mutex__spin(uintptr_t mutex);
	probe mutex__spun(uintptr_t mutex, int success, int spins);
	probe mutex__release(uintptr_t mutex, int recursive);
	probe mutex__error(uintptr_t mutex, int error);
	probe rw__acquire(uintptr_t lock, int is_writer);
	probe rw__block(uintptr_t lock, int is_writer);
	probe rw__blocked(uintptr_t lock, int is_writer, int success);
	probe rw__release(uintptr_t lock, int is_writer);
	probe rw__error(uintptr_t lock, int is_writer, int error);
};

/* The lock that the thread is taking, and how often it has waited for it; then the lock taken
 * last. */
self uintptr_t plockstat_mutex_$target;
self uintptr_t plockstat_rw_$target;
self int plockstat_writes_$target;
self int plockstat_waits_$target;
self uintptr_t plockstat_had_mutex_$target;
self uintptr_t plockstat_had_rw_$target;
self int plockstat_had_waits_$target;
self uintptr_t plockstat_cond_$target;

/* int lock, unsigned count, int owner, unsigned nusers, int kind (struct __pthread_mutex_s). */
inline unsigned int plockstat_kind_$target[uintptr_t m] = *(unsigned int *)copyin(m + 16, 4);
inline int plockstat_recursive_$target[uintptr_t m] =
    (plockstat_kind_$target[m] & 3) == 1 && *(unsigned int *)copyin(m + 4, 4) > 1;

/* The seventh word is the writing thread (struct __pthread_rwlock_arch_t). */
inline int plockstat_is_writer_$target[uintptr_t l] = *(int *)copyin(l + 24, 4) == tid;

/* lock, trylock, timedlock, clocklock */
pid$target::pthread_mutex_[!u]*ock:entry
{
	self->plockstat_mutex_$target = arg0;
	self->plockstat_waits_$target = 0;
}

pid$target::pthread_mutex_[!u]*ock:return
{
	self->plockstat_had_mutex_$target = self->plockstat_mutex_$target;
	self->plockstat_had_waits_$target = self->plockstat_waits_$target;
	self->plockstat_mutex_$target = 0;
	self->plockstat_waits_$target = 0;
}

pid$target::pthread_rwlock_*rdlock:entry
{
	self->plockstat_rw_$target = arg0;
	self->plockstat_writes_$target = 0;
	self->plockstat_waits_$target = 0;
}

pid$target::pthread_rwlock_*wrlock:entry
{
	self->plockstat_rw_$target = arg0;
	self->plockstat_writes_$target = 1;
	self->plockstat_waits_$target = 0;
}

pid$target::pthread_rwlock_*[rw][dr]lock:return
{
	self->plockstat_had_rw_$target = self->plockstat_rw_$target;
	self->plockstat_had_waits_$target = self->plockstat_waits_$target;
	self->plockstat_rw_$target = 0;
	self->plockstat_waits_$target = 0;
}

/* A wait for a condition releases the mutex and takes it again. */
pid$target::pthread_cond_*wait:entry
{
	self->plockstat_cond_$target = arg1;
}

syscall::futex:entry
/pid == $target && (self->plockstat_mutex_$target || self->plockstat_rw_$target)/
{
	self->plockstat_waits_$target = self->plockstat_waits_$target + 1;
}

site plockstat$target:::mutex-block from syscall::futex:entry
/pid == $target && self->plockstat_mutex_$target && self->plockstat_waits_$target == 1/
{
	return (self->plockstat_mutex_$target);
}

site plockstat$target:::mutex-blocked from pid$target::pthread_mutex_[!u]*ock:return
/self->plockstat_had_mutex_$target && self->plockstat_had_waits_$target/
{
	return (self->plockstat_had_mutex_$target, arg1 == 0);
}

site plockstat$target:::mutex-acquire from pid$target::pthread_mutex_[!u]*ock:return
/self->plockstat_had_mutex_$target && arg1 == 0/
{
	return (self->plockstat_had_mutex_$target,
	    plockstat_recursive_$target[self->plockstat_had_mutex_$target], 0);
}

site plockstat$target:::mutex-error from pid$target::pthread_mutex_[!u]*ock:return
/self->plockstat_had_mutex_$target && arg1 != 0/
{
	return (self->plockstat_had_mutex_$target, arg1);
}

site plockstat$target:::mutex-release from pid$target::pthread_mutex_unlock:entry
{
	return (arg0, plockstat_recursive_$target[arg0]);
}

site plockstat$target:::mutex-release from pid$target::pthread_cond_*wait:entry
{
	return (arg1, 0);
}

site plockstat$target:::mutex-acquire from pid$target::pthread_cond_*wait:return
/self->plockstat_cond_$target/
{
	return (self->plockstat_cond_$target, 0, 0);
}

site plockstat$target:::rw-block from syscall::futex:entry
/pid == $target && self->plockstat_rw_$target && self->plockstat_waits_$target == 1/
{
	return (self->plockstat_rw_$target, self->plockstat_writes_$target);
}

site plockstat$target:::rw-blocked from pid$target::pthread_rwlock_*[rw][dr]lock:return
/self->plockstat_had_rw_$target && self->plockstat_had_waits_$target/
{
	return (self->plockstat_had_rw_$target, self->plockstat_writes_$target, arg1 == 0);
}

site plockstat$target:::rw-acquire from pid$target::pthread_rwlock_*[rw][dr]lock:return
/self->plockstat_had_rw_$target && arg1 == 0/
{
	return (self->plockstat_had_rw_$target, self->plockstat_writes_$target);
}

site plockstat$target:::rw-error from pid$target::pthread_rwlock_*[rw][dr]lock:return
/self->plockstat_had_rw_$target && arg1 != 0/
{
	return (self->plockstat_had_rw_$target, self->plockstat_writes_$target, arg1);
}

site plockstat$target:::rw-release from pid$target::pthread_rwlock_unlock:entry
{
	return (arg0, plockstat_is_writer_$target[arg0]);
}
