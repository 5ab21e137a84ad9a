/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.c: places of stable probes on other systems.  Here these probes have no module and no
 * function, but published scripts name them: `tcp:ip::send`, `proc::proc_exit:exit`.  The names of
 * functions are from illumos' manual and listings.
 */
#include <string.h>

#include "plan/plan.h"

bool foreign_is_module(const char *pattern)
{
	static const char *const names[] = {"vmlinux", "kernel", "genunix", "unix", "ip"};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (probe_glob(pattern, names[i]))
			return true;
	return false;
}

bool foreign_is_function(const char *prov, const char *func, const char *name)
{
	static const struct {
		const char *prov, *func, *names; /* names of probes, with a blank after each */
	} rows[] = {
	    {"io", "bdev_strategy", "start "},
	    {"io", "biodone", "done "},
	    {"io", "biowait", "wait-start wait-done "},
	    {"lockstat", "lock_clear", "spin-release "},
	    {"lockstat", "lock_set", "spin-acquire spin-spin "},
	    {"lockstat", "mutex_enter",
	     "adaptive-acquire adaptive-block adaptive-spin spin-acquire "},
	    {"lockstat", "mutex_exit", "adaptive-release spin-release "},
	    {"lockstat", "mutex_tryenter", "adaptive-acquire spin-acquire "},
	    {"lockstat", "mutex_vector_enter",
	     "adaptive-acquire adaptive-block adaptive-spin spin-acquire "},
	    {"lockstat", "rw_downgrade", "rw-downgrade "},
	    {"lockstat", "rw_enter", "rw-acquire rw-block "},
	    {"lockstat", "rw_exit", "rw-release "},
	    {"lockstat", "rw_tryenter", "rw-acquire "},
	    {"lockstat", "rw_tryupgrade", "rw-upgrade "},
	    {"lockstat", "thread_lock", "thread-spin "},
	    {"proc", "cfork", "create "},
	    {"proc", "exec_common", "exec exec-failure exec-success "},
	    {"proc", "lwp_create", "lwp-create "},
	    {"proc", "lwp_exit", "lwp-exit "},
	    {"proc", "lwp_rtt_initial", "lwp-start start "},
	    {"proc", "proc_exit", "exit lwp-exit "},
	    {"proc", "psig", "signal-handle "},
	    {"proc", "sigtimedwait", "signal-clear "},
	    {"proc", "sigtoproc", "signal-send signal-discard "},
	    {"proc", "trap", "fault "},
	    {"sched", "cpu_surrender", "surrender "},
	    {"sched", "disp", "dequeue "},
	    {"sched", "dispdeq", "dequeue "},
	    {"sched", "preempt", "preempt "},
	    {"sched", "resume", "on-cpu remain-cpu "},
	    {"sched", "setbackdq", "enqueue "},
	    {"sched", "setfrontdq", "enqueue "},
	    {"sched", "swtch", "off-cpu "},
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *at = strstr(rows[i].names, name);

		if (at && at[strlen(name)] == ' ' && (at == rows[i].names || at[-1] == ' ') &&
		    strcmp(rows[i].prov, prov) == 0 && probe_glob(func, rows[i].func))
			return true;
	}
	return false;
}
