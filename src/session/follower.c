/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follower.c: events of processes during tracing.  A newly mapped file may have probes, and
 * unwinding and names of addresses need its mapping.
 *
 * A named process waits until the consumer has examined the files that its dynamic linker mapped
 * (pause.h).  Other processes run on, untraced for the milliseconds between a mapping and its
 * breakpoints.  If clauses match any process, the breakpoints stay in the file, so the next process
 * is traced from the start.
 *
 * If stacks of processes are recorded, the consumer also reads the tables of a process that has not
 * fired yet, because its first firing can be its last: a crash, a signal, its exit.  Processes that
 * conditions name are all read; if no condition names any, others take a part of the time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clocks.h"
#include "kern/kern.h"
#include "proc/proc.h"
#include "attach/keeper.h"
#include "session/follower.h"
#include "session/pause.h"
#include "consume/runtime.h"
#include "session/session.h"
#include "consume/unwind.h"
#include "consume/watch.h"

#define OTHERS_MAX 64
#define SPENT_PART 20		/* the part of the time for processes that no condition names */
#define SPENT_MIN  500000000ULL /* ns that they may take at first */

typedef VEC(uint32_t) pid_list;

struct follower {
	struct session *s;
	struct watch *watch;
	struct pause *pause;   /* NULL: processes do not wait */
	pid_list wanted;       /* processes that clauses wait for; 0: all */
	pid_list probes;       /* processes to search for new probes, each once */
	pid_list stacks;       /* processes whose mappings to read for unwinding, each once */
	pid_list fresh;	       /* processes that have not fired, with new mappings, each once */
	pid_list others;       /* such processes, if no condition names any process */
	uint64_t began, spent; /* ns: start, and the time that these have taken */
	bool has_lost;	       /* events were lost, so any process may have changed */
	bool is_noted;	       /* only files with static probes matter */
	bool was_late;	       /* has been reported */
};

static bool has_pid(const pid_list *list, uint32_t pid)
{
	for (unsigned int i = 0; i < list->n; i++)
		if (list->a[i] == pid)
			return true;
	return false;
}

static void add_pid(pid_list *list, uint32_t pid)
{
	if (!has_pid(list, pid) && pid != (uint32_t)getpid())
		vec_push(list, pid);
}

/* ---- events of the kernel ---- */

static bool is_wanted(const struct follower *lt, uint32_t pid)
{
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (compile_wants(&lt->s->compile, lt->wanted.a[i], pid))
			return true;
	return false;
}

/* Returns false for a file without probes, if only static probes are wanted. */
static bool may_have_probes(const struct follower *lt, uint32_t pid, const struct proc_map *m)
{
	return !(lt->is_noted && procs_lack_notes(lt->s->plan.env.procs, m->id)) &&
	       is_wanted(lt, pid);
}

/* The kernel calls a mapping without a file "//anon". */
static void mapped(void *ctx, uint32_t pid, const struct proc_map *m)
{
	struct follower *lt = ctx;
	struct plan *plan = &lt->s->plan;
	bool is_file = m->path[0] == '/' && m->path[1] != '/';
	bool may_have = is_file && may_have_probes(lt, pid, m);

	if (unwind_knows(&lt->s->consume, pid))
		add_pid(&lt->stacks, pid);
	else if (is_file && plan->unwind)
		add_pid(&lt->fresh, pid);
	if (may_have || (is_file && plan->known))
		procs_mapped(plan->env.procs, pid, m);
	if (may_have)
		add_pid(&lt->probes, pid);
}

static void forked(void *ctx, uint32_t parent, uint32_t child)
{
	struct follower *lt = ctx;

	procs_fork(lt->s->plan.env.procs, parent, child);
	unwind_fork(&lt->s->consume, parent, child);
	runtime_fork(&lt->s->consume, parent, child);
}

static void ended(void *ctx, uint32_t pid)
{
	struct follower *lt = ctx;

	unwind_forget(&lt->s->consume, pid);
	runtime_forget(&lt->s->consume, pid);
}

static void lost(void *ctx)
{
	struct follower *lt = ctx;

	lt->has_lost = true;
}

static const struct watch_calls calls = {mapped, forked, ended, lost};

/* ---- work on the events ---- */

static void attach_more(struct follower *lt, uint32_t pid)
{
	struct session *s = lt->s;

	if (compile_more(&s->compile, pid))
		load_more(&s->load, s->compile.units.a, s->compile.units.n);
}

static void look_at_all(struct follower *lt)
{
	unsigned int n;
	const uint32_t *all = procs_all(lt->s->plan.env.procs, &n);

	for (unsigned int i = 0; i < n; i++)
		if (is_wanted(lt, all[i]))
			add_pid(&lt->probes, all[i]);
}

/* Makes named processes wait when their dynamic linker has mapped something. */
static void pause_wanted(struct follower *lt)
{
	for (unsigned int i = 0; lt->pause && i < lt->wanted.n; i++) {
		struct proc *p =
		    lt->wanted.a[i] ? procs_get(lt->s->plan.env.procs, lt->wanted.a[i]) : NULL;

		if (p)
			pause_at(lt->pause, p);
	}
}

/* Returns true if a condition names a process, or an ancestor of it. */
static bool is_named(const struct follower *lt, uint32_t pid)
{
	const struct session *s = lt->s;
	char comm[PROC_COMM];

	for (unsigned int i = 0; i < s->plan.named_pids.n; i++)
		if (proc_descends(pid, s->plan.named_pids.a[i]))
			return true;
	if (!s->plan.named.n || !proc_comm(pid, comm))
		return false;
	for (unsigned int i = 0; i < s->plan.named.n; i++)
		if (strcmp(comm, s->plan.named.a[i]) == 0)
			return true;
	return false;
}

/* Reads processes that conditions name and that have not fired yet, and notes the others. */
static void look_at_fresh(struct follower *lt)
{
	bool has_names = lt->s->plan.named_pids.n || lt->s->plan.named.n;

	for (unsigned int i = 0; i < lt->fresh.n; i++) {
		uint32_t pid = lt->fresh.a[i];

		if (unwind_knows(&lt->s->consume, pid))
			continue;
		if (!has_names && lt->others.n < OTHERS_MAX)
			add_pid(&lt->others, pid);
		else if (has_names && is_named(lt, pid))
			syms_learn(&lt->s->consume, pid, 0);
	}
	lt->fresh.n = 0;
}

/* Reads the newest of the others, one at a time, because records wait meanwhile. */
static void look_at_other(struct follower *lt)
{
	uint64_t now = clock_ns();
	uint32_t pid;

	if (!lt->others.n)
		return;
	if (lt->spent > SPENT_MIN + (now - lt->began) / SPENT_PART) {
		lt->others.n = 0;
		return;
	}
	pid = lt->others.a[--lt->others.n];
	if (unwind_knows(&lt->s->consume, pid))
		return;
	syms_learn_early(&lt->s->consume, pid);
	lt->spent += clock_ns() - now;
}

#define LOOKS_MAX 8

static void look(struct follower *lt)
{
	watch_read(lt->watch);
	/* Reading a process also reads events, after which nothing wakes us. */
	for (unsigned int i = 0; i < LOOKS_MAX && (i == 0 || lt->stacks.n || lt->fresh.n); i++) {
		for (unsigned int j = 0; j < lt->stacks.n; j++)
			syms_learn(&lt->s->consume, lt->stacks.a[j], 0);
		lt->stacks.n = 0;
		look_at_fresh(lt);
	}
	look_at_other(lt);
	if (lt->has_lost)
		look_at_all(lt);
	lt->has_lost = false;
	for (unsigned int i = 0; i < lt->probes.n; i++)
		attach_more(lt, lt->probes.a[i]);
	if (lt->probes.n)
		pause_wanted(lt);
	lt->probes.n = 0;
}

static void waits(void *ctx, uint32_t pid, bool late)
{
	struct follower *lt = ctx;

	if (late && !lt->was_late)
		report_error(&lt->s->report,
			     "code that process %u has loaded might have run untraced: the process "
			     "has stopped waiting",
			     pid);
	lt->was_late |= late;
	look(lt);
}

void follower_run(struct follower *lt)
{
	pause_read(lt->pause);
	look(lt);
}

bool follower_is_due(const struct follower *lt)
{
	return lt->stacks.n || lt->fresh.n || lt->others.n || lt->probes.n;
}

/* ---- watching ---- */

/* Collects the processes that clauses wait for. */
static void find_wanted(struct follower *lt)
{
	const struct compile *comp = &lt->s->compile;

	lt->is_noted = true;
	for (unsigned int i = 0; i < comp->progs.n; i++) {
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct clause_probes *cp = c->probes;

			if (!cp->follower)
				continue;
			if (!has_pid(&lt->wanted, cp->later_pid))
				vec_push(&lt->wanted, cp->later_pid);
			lt->is_noted &= cp->follower->is_noted;
		}
	}
}

/*
 * Returns true if watching one thread is enough: the kernel watches a thread and the threads that
 * it creates.  Otherwise all processes must be watched.
 */
static bool is_one_thread(const struct follower *lt, uint32_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	return pid && !lt->s->plan.opt.follows && stat(path, &st) == 0 && st.st_nlink <= 3;
}

static bool watch_wanted(struct follower *lt)
{
	unsigned int ncpu = kern_ncpu_possible(lt->s->plan.env.kern);

	if (lt->s->plan.known)
		return watch_add(lt->watch, -1, ncpu);
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (!is_one_thread(lt, lt->wanted.a[i]))
			return watch_add(lt->watch, -1, ncpu);
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (!watch_add(lt->watch, (pid_t)lt->wanted.a[i], ncpu))
			return false;
	return true;
}

/* Sessions of several machines wait for records elsewhere, so their processes cannot wait. */
static void start_pauses(struct follower *lt)
{
	struct session *s = lt->s;
	bool is_named = false;

	for (unsigned int i = 0; i < lt->wanted.n; i++)
		is_named |= lt->wanted.a[i] != 0;
	if (!is_named || s->compile.self)
		return;
	lt->pause = pause_new(&s->load, waits, lt);
	if (lt->pause)
		watch_also(lt->watch, pause_fd(lt->pause));
	pause_wanted(lt);
}

struct follower *follower_start(struct session *s)
{
	struct follower *lt = mem_alloc(sizeof(*lt));

	lt->s = s;
	lt->began = clock_ns();
	lt->watch = watch_new(&calls, lt);
	find_wanted(lt);
	if (!watch_wanted(lt))
		report_error(
		    &s->report,
		    "cannot watch for new mappings: %s; probes in files mapped later will not fire",
		    strerror(errno));
	if (!watch_is_on(lt->watch)) {
		follower_stop(lt);
		return NULL;
	}
	s->consume.watch = lt->watch;
	/* If the keeper does not start, attaching reports the error. */
	if (lt->wanted.n)
		keeper_start(&s->plan.env.keeper);
	start_pauses(lt);
	for (unsigned int i = 0; s->plan.unwind && i < lt->wanted.n; i++)
		if (lt->wanted.a[i])
			add_pid(&lt->stacks, lt->wanted.a[i]);
	/* Mappings made before the watch began are unknown. */
	lt->has_lost = lt->wanted.n > 0;
	follower_run(lt);
	return lt;
}

void follower_stop(struct follower *lt)
{
	if (!lt)
		return;
	pause_free(lt->pause);
	watch_free(lt->watch);
	vec_free(&lt->wanted);
	vec_free(&lt->probes);
	vec_free(&lt->stacks);
	vec_free(&lt->fresh);
	vec_free(&lt->others);
	mem_free(lt);
}

int follower_fd(const struct follower *lt)
{
	return watch_fd(lt->watch);
}
