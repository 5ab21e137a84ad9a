/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lockstat.d: the lockstat provider: locks of the kernel.
 *
 * *-block and *-spin fire when a lock has been taken after a wait, with the time that the thread
 * slept or spun.  A mutex can have both.  Where functions can be traced, adaptive-* fire for each
 * mutex and rw-* for each rw_semaphore that is taken and released.  There is nothing for spin
 * locks, rwlocks included, because recording a firing takes spin locks itself.  So spin-acquire and
 * spin-release never fire; nor does rw-upgrade, which Linux lacks.
 */
#pragma D depends_on library kernel.d

provider lockstat {
	probe adaptive__acquire(struct mutex *lock);
	probe adaptive__acquire__error(struct mutex *lock, int error);
	probe adaptive__block(struct mutex *lock, uint64_t ns);
	probe adaptive__spin(struct mutex *lock, uint64_t ns);
	probe adaptive__release(struct mutex *lock);
	probe spin__acquire(spinlock_t *lock);
	probe spin__spin(spinlock_t *lock, uint64_t ns);
	probe spin__release(spinlock_t *lock);
	probe rw__acquire(struct rw_semaphore *lock, int kind);
	probe rw__block(struct rw_semaphore *lock, uint64_t ns, int kind, int writer, int readers);
	probe rw__spin(rwlock_t *lock, uint64_t ns, int kind);
	probe rw__upgrade(struct rw_semaphore *lock);
	probe rw__downgrade(struct rw_semaphore *lock);
	probe rw__release(struct rw_semaphore *lock, int kind);
};

/* ---- waiting ---- */

/*
 * Kinds of contention (include/trace/events/lock.h).  A waiter for a mutex spins before it sleeps,
 * and each time that it wakes up as the first in line.  The kernel reports a new begin each time,
 * but only one end.
 */
inline unsigned int LCB_F_SPIN = 1;
inline unsigned int LCB_F_READ = 2;
inline unsigned int LCB_F_WRITE = 4;
inline unsigned int LCB_F_RT = 8;
inline unsigned int LCB_F_PERCPU = 16;
inline unsigned int LCB_F_MUTEX = 32;

inline int lockstat_is_spin[unsigned int flags] = (flags & (LCB_F_SPIN | LCB_F_MUTEX)) == LCB_F_SPIN;

/*
 * A spinning thread keeps the processor.  Until it gets the lock, only interrupts can wait for other
 * locks, and they finish first.  So spin locks form a stack for each processor, eight deep.  If a
 * wait ends for another lock than the top of the stack, the wait began before tracing.
 */
int lockstat_depth[1024];
uintptr_t lockstat_spun[8192];
uint64_t lockstat_spun_since[8192];
unsigned int lockstat_spun_flags[8192];

inline int lockstat_top = (cpu << 3) + (lockstat_depth[cpu] & 7);

rawtp:::contention_begin
/lockstat_is_spin[args[1]]/
{
	lockstat_depth[cpu] = lockstat_depth[cpu] + 1;
	lockstat_spun[lockstat_top] = (uintptr_t)args[0];
	lockstat_spun_flags[lockstat_top] = args[1];
	lockstat_spun_since[lockstat_top] = timestamp;
}

/*
 * A thread sleeps for one lock at a time; only the writer of a percpu_rw_semaphore can wait for
 * others meanwhile.  Times of spinning and of sleeping are added up separately.
 */
self uintptr_t lockstat_lock;
self int lockstat_again;
self unsigned int lockstat_flags;
self uint64_t lockstat_since;
self uint64_t lockstat_spin;
self uint64_t lockstat_block;
self int64_t lockstat_count;
self uintptr_t lockstat_percpu;
self uint64_t lockstat_percpu_since;
self unsigned int lockstat_percpu_flags;

this uint64_t lockstat_now;

inline uint64_t lockstat_spin_time = self->lockstat_spin +
    ((self->lockstat_flags & LCB_F_SPIN) != 0 ? this->lockstat_now - self->lockstat_since : 0);
inline uint64_t lockstat_block_time = self->lockstat_block +
    ((self->lockstat_flags & LCB_F_SPIN) == 0 ? this->lockstat_now - self->lockstat_since : 0);

inline int lockstat_is_rw[unsigned int flags] = (flags & (LCB_F_READ | LCB_F_WRITE)) != 0;

/* The count of a rw_semaphore when its waiter begins: bit 0 a writer, readers from bit 8 on. */
inline int64_t lockstat_count_of[void *lock, unsigned int flags] =
    lockstat_is_rw[flags] && (flags & LCB_F_RT) == 0 ?
    ((struct rw_semaphore *)lock)->count.counter : 0;

rawtp:::contention_begin
/!lockstat_is_spin[args[1]] && (args[1] & LCB_F_PERCPU) == 0/
{
	this->lockstat_now = timestamp;
	self->lockstat_again = self->lockstat_lock == (uintptr_t)args[0];
	self->lockstat_spin = self->lockstat_again ? lockstat_spin_time : 0;
	self->lockstat_block = self->lockstat_again ? lockstat_block_time : 0;
	self->lockstat_lock = (uintptr_t)args[0];
	self->lockstat_flags = args[1];
	self->lockstat_since = this->lockstat_now;
	self->lockstat_count = lockstat_count_of[args[0], args[1]];
}

rawtp:::contention_begin
/(args[1] & LCB_F_PERCPU) != 0/
{
	self->lockstat_percpu = (uintptr_t)args[0];
	self->lockstat_percpu_flags = args[1];
	self->lockstat_percpu_since = timestamp;
}

/*
 * The wait that has ended, with its flags and durations: a wait of this thread, or of this
 * processor for a spin lock.  The error shows that a lock was given up and not taken.
 */
this unsigned int lockstat_ended;
this uint64_t lockstat_spin_ns;
this uint64_t lockstat_block_ns;
this int64_t lockstat_found;
this unsigned int lockstat_cpu_ended;
this uint64_t lockstat_cpu_ns;

rawtp:::contention_end
{
	this->lockstat_ended = 0;
	this->lockstat_spin_ns = 0;
	this->lockstat_block_ns = 0;
	this->lockstat_found = 0;
}

rawtp:::contention_end
{
	this->lockstat_cpu_ended = 0;
	this->lockstat_cpu_ns = 0;
}

rawtp:::contention_end
/lockstat_depth[cpu] > 0 && lockstat_spun[lockstat_top] == (uintptr_t)args[0]/
{
	this->lockstat_cpu_ended = lockstat_spun_flags[lockstat_top];
	this->lockstat_cpu_ns = timestamp - lockstat_spun_since[lockstat_top];
	lockstat_depth[cpu] = lockstat_depth[cpu] - 1;
}

rawtp:::contention_end
/self->lockstat_lock == (uintptr_t)args[0]/
{
	this->lockstat_now = timestamp;
	this->lockstat_ended = self->lockstat_flags;
	this->lockstat_spin_ns = lockstat_spin_time;
	this->lockstat_block_ns = lockstat_block_time;
	this->lockstat_found = self->lockstat_count;
	self->lockstat_lock = 0;
}

rawtp:::contention_end
/self->lockstat_percpu == (uintptr_t)args[0]/
{
	this->lockstat_ended = self->lockstat_percpu_flags;
	this->lockstat_block_ns = timestamp - self->lockstat_percpu_since;
	self->lockstat_percpu = 0;
}

/* Has a lock been taken that is (not) a reader-writer lock, after a time of this kind? */
inline int lockstat_taken[unsigned int flags, int is_rw, uint64_t ns, int error] =
    error == 0 && ns != 0 && lockstat_is_rw[flags] == is_rw;

inline int lockstat_is_adaptive = (this->lockstat_ended & (LCB_F_MUTEX | LCB_F_RT)) != 0;

inline int lockstat_kind[unsigned int flags] = (flags & LCB_F_READ) != 0 ? RW_READER : RW_WRITER;

site lockstat:::adaptive-spin from rawtp:::contention_end
/lockstat_taken[this->lockstat_ended, 0, this->lockstat_spin_ns, args[1]] &&
    lockstat_is_adaptive/
{
	return ((struct mutex *)args[0], this->lockstat_spin_ns);
}

site lockstat:::adaptive-block from rawtp:::contention_end
/lockstat_taken[this->lockstat_ended, 0, this->lockstat_block_ns, args[1]] &&
    lockstat_is_adaptive/
{
	return ((struct mutex *)args[0], this->lockstat_block_ns);
}

site lockstat:::spin-spin from rawtp:::contention_end
/lockstat_taken[this->lockstat_cpu_ended, 0, this->lockstat_cpu_ns, args[1]]/
{
	return ((spinlock_t *)args[0], this->lockstat_cpu_ns);
}

site lockstat:::rw-spin from rawtp:::contention_end
/lockstat_taken[this->lockstat_cpu_ended, 1, this->lockstat_cpu_ns, args[1]]/
{
	return ((rwlock_t *)args[0], this->lockstat_cpu_ns, lockstat_kind[this->lockstat_cpu_ended]);
}

site lockstat:::rw-block from rawtp:::contention_end
/lockstat_taken[this->lockstat_ended, 1, this->lockstat_block_ns, args[1]]/
{
	return ((struct rw_semaphore *)args[0], this->lockstat_block_ns,
	    lockstat_kind[this->lockstat_ended],
	    this->lockstat_found & 1, (this->lockstat_found & 0x7fffffffffffffff) >> 8);
}

/* ---- taking and releasing ---- */

/* The lock that the function is about to take, for its return; interrupts call none of these
 * functions. */
self struct mutex *lockstat_mutex;
self struct rw_semaphore *lockstat_rw;

fbt::mutex_lock:entry, fbt::mutex_lock_interruptible:entry, fbt::mutex_lock_killable:entry,
fbt::mutex_trylock:entry
{
	self->lockstat_mutex = args[0];
}

fbt::down_read:entry, fbt::down_read_interruptible:entry, fbt::down_read_killable:entry,
fbt::down_read_trylock:entry, fbt::down_write:entry, fbt::down_write_killable:entry,
fbt::down_write_trylock:entry
{
	self->lockstat_rw = args[0];
}

site lockstat:::adaptive-acquire from fbt::mutex_lock:return
/self->lockstat_mutex != NULL/
{
	return (self->lockstat_mutex);
}

site lockstat:::adaptive-acquire from fbt::mutex_lock_interruptible:return,
    fbt::mutex_lock_killable:return
/self->lockstat_mutex != NULL && (int)arg1 == 0/
{
	return (self->lockstat_mutex);
}

site lockstat:::adaptive-acquire from fbt::mutex_trylock:return
/self->lockstat_mutex != NULL && (int)arg1 != 0/
{
	return (self->lockstat_mutex);
}

site lockstat:::adaptive-acquire-error from fbt::mutex_lock_interruptible:return,
    fbt::mutex_lock_killable:return
/self->lockstat_mutex != NULL && (int)arg1 != 0/
{
	return (self->lockstat_mutex, (int)arg1);
}

site lockstat:::adaptive-release from fbt::mutex_unlock:entry
{
	return (args[0]);
}

site lockstat:::rw-acquire from fbt::down_read:return
/self->lockstat_rw != NULL/
{
	return (self->lockstat_rw, RW_READER);
}

site lockstat:::rw-acquire from fbt::down_read_interruptible:return,
    fbt::down_read_killable:return
/self->lockstat_rw != NULL && (int)arg1 == 0/
{
	return (self->lockstat_rw, RW_READER);
}

site lockstat:::rw-acquire from fbt::down_read_trylock:return
/self->lockstat_rw != NULL && (int)arg1 != 0/
{
	return (self->lockstat_rw, RW_READER);
}

site lockstat:::rw-acquire from fbt::down_write:return
/self->lockstat_rw != NULL/
{
	return (self->lockstat_rw, RW_WRITER);
}

site lockstat:::rw-acquire from fbt::down_write_killable:return
/self->lockstat_rw != NULL && (int)arg1 == 0/
{
	return (self->lockstat_rw, RW_WRITER);
}

site lockstat:::rw-acquire from fbt::down_write_trylock:return
/self->lockstat_rw != NULL && (int)arg1 != 0/
{
	return (self->lockstat_rw, RW_WRITER);
}

site lockstat:::rw-downgrade from fbt::downgrade_write:entry
{
	return (args[0]);
}

site lockstat:::rw-release from fbt::up_read:entry
{
	return (args[0], RW_READER);
}

site lockstat:::rw-release from fbt::up_write:entry
{
	return (args[0], RW_WRITER);
}
