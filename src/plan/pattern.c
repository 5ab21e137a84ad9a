/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.c: whether a description names a probe.
 *
 * On other systems stable probes are in modules and functions of the kernel.  Here they are in
 * none, but published scripts name them: `tcp:ip::send`, `proc::proc_exit:exit`.  The names of
 * functions are from illumos' manual and listings.
 */
#include <fnmatch.h>
#include <string.h>

#include "plan/probe.h"

bool probe_glob(const char *pattern, const char *s)
{
	if (!pattern || !*pattern)
		return true;
	if (!strpbrk(pattern, "*?[\\"))
		return strcmp(pattern, s) == 0;
	return fnmatch(pattern, s, 0) == 0;
}

bool probe_mod_glob(const char *pattern, const char *mod, enum mod_kind kind)
{
	static const char base[] = "LM0`";
	size_t n;

	if (probe_glob(pattern, mod))
		return true;
	if (kind == MOD_NAME)
		return false;
	if (strncmp(pattern, base, strlen(base)) == 0)
		return probe_mod_glob(pattern + strlen(base), mod, kind);
	n = strlen(pattern);
	return (kind == MOD_PROGRAM && probe_glob(pattern, "a.out")) ||
	       (strncmp(pattern, mod, n) == 0 && mod[n] == '.');
}

/* ---- places of stable probes on other systems ---- */

static bool foreign_is_module(const char *pattern)
{
	static const char *const names[] = {"vmlinux", "kernel", "genunix", "unix", "ip"};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (probe_glob(pattern, names[i]))
			return true;
	return false;
}

static bool foreign_is_function(const char *prov, const char *func, const char *name)
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

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *at = strstr(rows[i].names, name);

		if (at && at[strlen(name)] == ' ' && (at == rows[i].names || at[-1] == ' ') &&
		    strcmp(rows[i].prov, prov) == 0 && probe_glob(func, rows[i].func))
			return true;
	}
	return false;
}

/* ---- descriptions ---- */

/*
 * Most stable probes have no module and no function.  A description that names their provider may
 * use the module and function of any system's kernel.  Otherwise the module must be declared with
 * the probe, as "nfs" of io.
 */
static bool module_matches(const struct pdesc *d, const struct probe *p)
{
	if (p->decl && !*p->mod && d->prov && *d->prov && foreign_is_module(d->mod))
		return true;
	return probe_mod_glob(d->mod, p->mod, p->mod_kind);
}

bool probe_is_alias(const char *const *aliases, const char *func)
{
	for (; aliases && *aliases; aliases++)
		if (func && strcmp(*aliases, func) == 0)
			return true;
	return false;
}

static bool function_matches(const struct pdesc *d, const struct probe *p)
{
	if (probe_glob(d->func, p->func) || probe_is_alias(p->aliases, d->func) ||
	    (p->func_source && probe_glob(d->func, p->func_source)))
		return true;
	return p->decl && !*p->func && d->func && d->prov && *d->prov &&
	       foreign_is_function(p->prov, d->func, p->name);
}

bool probe_matches(const struct pdesc *d, const struct probe *p)
{
	if (d->id)
		return d->id == p->id;
	return probe_glob(d->prov, p->prov) && module_matches(d, p) && function_matches(d, p) &&
	       probe_glob(d->name, p->name);
}
