/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysinfo.d: the sysinfo provider: counts of system events.
 *
 * arg0 is the increment.  arg1 is 0, because Linux keeps no such counters, or keeps them where no
 * pointer leads.  Reads and writes count when they return, all other system calls when they are
 * made.
 *
 * Never fire: intrblk, phread, phwrite (no threads serve interrupts, no raw devices), ufs*.
 */
#pragma D depends_on library errno.d
#pragma D depends_on library lockstat.d

provider sysinfo {
	probe bawrite(int n, uint64_t *value);
	probe bread(int n, uint64_t *value);
	probe bwrite(int n, uint64_t *value);
	probe cpu_ticks_idle(int n, uint64_t *value);
	probe cpu_ticks_kernel(int n, uint64_t *value);
	probe cpu_ticks_user(int n, uint64_t *value);
	probe cpu_ticks_wait(int n, uint64_t *value);
	probe idlethread(int n, uint64_t *value);
	probe intrblk(int n, uint64_t *value);
	probe inv_swtch(int n, uint64_t *value);
	probe lread(int n, uint64_t *value);
	probe lwrite(int n, uint64_t *value);
	probe modload(int n, uint64_t *value);
	probe modunload(int n, uint64_t *value);
	probe msg(int n, uint64_t *value);
	probe mutex_adenters(int n, uint64_t *value);
	probe namei(int n, uint64_t *value);
	probe nthreads(int n, uint64_t *value);
	probe phread(int n, uint64_t *value);
	probe phwrite(int n, uint64_t *value);
	probe procovf(int n, uint64_t *value);
	probe pswitch(int n, uint64_t *value);
	probe readch(int64_t n, uint64_t *value);
	probe rw_rdfails(int n, uint64_t *value);
	probe rw_wrfails(int n, uint64_t *value);
	probe sema(int n, uint64_t *value);
	probe sysexec(int n, uint64_t *value);
	probe sysfork(int n, uint64_t *value);
	probe sysread(int n, uint64_t *value);
	probe sysvfork(int n, uint64_t *value);
	probe syswrite(int n, uint64_t *value);
	probe trap(int n, uint64_t *value);
	probe ufsdirblk(int n, uint64_t *value);
	probe ufsiget(int n, uint64_t *value);
	probe ufsinopage(int n, uint64_t *value);
	probe ufsipage(int n, uint64_t *value);
	probe wait_ticks_io(int n, uint64_t *value);
	probe writech(int64_t n, uint64_t *value);
	probe xcalls(int n, uint64_t *value);
};

/* ---- reads and writes ---- */

site sysinfo:::sysread from syscall::read:return, syscall::readv:return, syscall::pread64:return,
    syscall::preadv:return, syscall::preadv2:return
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::syswrite from syscall::write:return, syscall::writev:return,
    syscall::pwrite64:return, syscall::pwritev:return, syscall::pwritev2:return
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::readch from syscall::read:return, syscall::readv:return, syscall::pread64:return,
    syscall::preadv:return, syscall::preadv2:return, syscall::sendfile:return,
    syscall::copy_file_range:return, syscall::splice:return
/(int64_t)arg1 > 0/
{
	return ((int64_t)arg1, (uint64_t *)NULL);
}

site sysinfo:::writech from syscall::write:return, syscall::writev:return,
    syscall::pwrite64:return, syscall::pwritev:return, syscall::pwritev2:return,
    syscall::sendfile:return, syscall::copy_file_range:return, syscall::splice:return
/(int64_t)arg1 > 0/
{
	return ((int64_t)arg1, (uint64_t *)NULL);
}

/* ---- buffers and requests: REQ_OP_READ is 0, REQ_OP_WRITE 1, in the low eight bits ---- */

site sysinfo:::lread from rawtp:::block_touch_buffer
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::lwrite from rawtp:::block_dirty_buffer
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::bread from rawtp:::block_bio_queue
/(args[0]->bi_opf & 0xff) == 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::bwrite from rawtp:::block_bio_queue
/(args[0]->bi_opf & 0xff) == 1/
{
	return (1, (uint64_t *)NULL);
}

/* No thread waits for it. */
site sysinfo:::bawrite from rawtp:::block_bio_queue
/(args[0]->bi_opf & 0xff) == 1 && (args[0]->bi_opf & (1 << __REQ_SYNC)) == 0/
{
	return (1, (uint64_t *)NULL);
}

/* ---- the clock: a hundred times a second, whatever the kernel's own rate ---- */

site sysinfo:::cpu_ticks_idle from profile:::profile-100hz
/curthread->pid == 0 && arg0 != 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::cpu_ticks_kernel from profile:::profile-100hz
/curthread->pid != 0 && arg0 != 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::cpu_ticks_user from profile:::profile-100hz
/arg0 == 0/
{
	return (1, (uint64_t *)NULL);
}

/* Idle, while threads of this processor wait for a disk. */
site sysinfo:::cpu_ticks_wait from profile:::profile-100hz
/curthread->pid == 0 && `runqueues.nr_iowait.counter > 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::wait_ticks_io from profile:::profile-100hz
/curthread->pid == 0 && `runqueues.nr_iowait.counter > 0/
{
	return (1, (uint64_t *)NULL);
}

/* ---- threads ---- */

site sysinfo:::pswitch from rawtp:::sched_switch
{
	return (1, (uint64_t *)NULL);
}

/* The kernel's definition of an involuntary switch. */
site sysinfo:::inv_swtch from rawtp:::sched_switch
/(args[0] || args[3] == 0) && args[1]->pid != 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::idlethread from rawtp:::sched_switch
/args[2]->pid == 0/
{
	return (1, (uint64_t *)NULL);
}

/* CLONE_VFORK 0x4000, CLONE_THREAD 0x10000 (include/uapi/linux/sched.h); PF_KTHREAD 0x200000. */
inline int sysinfo_is_fork[struct task_struct *T, uint64_t flags] =
    (flags & 0x10000) == 0 && (T->flags & 0x200000) == 0;

site sysinfo:::nthreads from rawtp:::task_newtask
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::sysfork from rawtp:::task_newtask
/sysinfo_is_fork[args[0], args[1]] && (args[1] & 0x4000) == 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::sysvfork from rawtp:::task_newtask
/sysinfo_is_fork[args[0], args[1]] && (args[1] & 0x4000) != 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::procovf from syscall::clone:return, syscall::clone3:return, syscall::fork:return,
    syscall::vfork:return
/errno == EAGAIN/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::sysexec from syscall::execve:entry, syscall::execveat:entry
{
	return (1, (uint64_t *)NULL);
}

/* ---- other system calls ---- */

site sysinfo:::msg from syscall::msgsnd:entry, syscall::msgrcv:entry
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::sema from syscall::semop:entry, syscall::semtimedop:entry, syscall::semget:entry,
    syscall::semctl:entry
{
	return (1, (uint64_t *)NULL);
}

/* ---- modules, names, traps ---- */

site sysinfo:::modload from rawtp:::module_load
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::modunload from rawtp:::module_free
{
	return (1, (uint64_t *)NULL);
}

/* A path that is opened, and a path looked up for another reason. */
site sysinfo:::namei from fbt::do_filp_open:entry
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::namei from fbt::filename_lookup:entry
{
	return (1, (uint64_t *)NULL);
}

/* The kernel reports only page faults, not other traps. */
site sysinfo:::trap from rawtp:::page_fault_user, rawtp:::page_fault_kernel
{
	return (1, (uint64_t *)NULL);
}

/*
 * Each request to other processors to call a function counts.  A request to reschedule has no
 * function.  The tracepoints exist since 6.4.
 */
site sysinfo:::xcalls from rawtp:::ipi_send_cpu, rawtp:::ipi_send_cpumask
/(uintptr_t)args[2] != 0/
{
	return (1, (uint64_t *)NULL);
}
else from fbt::smp_call_function_many_cond:entry
{
	return (1, (uint64_t *)NULL);
}
and from fbt::generic_exec_single:entry
{
	return (1, (uint64_t *)NULL);
}

/* ---- locks ---- */

/* The kernel reports a new wait for a mutex whenever its waiter changes between spinning and
 * sleep. */
site sysinfo:::mutex_adenters from rawtp:::contention_begin
/(args[1] & LCB_F_MUTEX) != 0 && !self->lockstat_again/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::rw_rdfails from rawtp:::contention_begin
/(args[1] & LCB_F_READ) != 0/
{
	return (1, (uint64_t *)NULL);
}

site sysinfo:::rw_wrfails from rawtp:::contention_begin
/(args[1] & LCB_F_WRITE) != 0/
{
	return (1, (uint64_t *)NULL);
}
