/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * absent.c: hints for descriptions that match no probe here: providers of other systems, and system
 * calls that programs seldom make.
 */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "plan/probe.h"
#include "compile/compile.h"

static const struct {
	const char *name, *near;
} elsewhere[] = {
    {"fasttrap", "use pid123:OBJECT:FUNCTION: for functions of processes"},
};

const char *compile_absent(struct compile *comp, const struct pdesc *d)
{
	const char *why = probes_absent(comp->plan->env.probes, d);

	if (why || !d->prov || compile_have(comp, "provider", d->prov))
		return why;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(elsewhere[i].name, d->prov) == 0)
			return arena_printf(comp->arena, "this build has no provider %s; %s",
					    d->prov, elsewhere[i].near);
	return NULL;
}

/*
 * System calls that programs seldom make, because the GNU C library calls another (since the
 * version in the comment).
 */
static const struct {
	const char *call, *by, *why;
} replaced[] = {
    {"creat", "openat", "programs create files with"},
    {"exit", "exit_group", "this call ends a thread; processes end with"},
    {"fork", "clone", "programs fork with"},  /* 2.3 */
    {"lstat", "newfstatat", "programs call"}, /* 2.33 */
    {"open", "openat", "programs call"},      /* 2.26 */
    {"stat", "newfstatat", "programs call"},  /* 2.33 */
    {"vfork", "clone", "programs fork with"},
};

#define NREPLACED (sizeof(replaced) / sizeof(replaced[0]))

static bool is_call(const struct probe *p, const char *call)
{
	return strcmp(p->prov, "syscall") == 0 && strcmp(p->func, call) == 0;
}

/* Returns the row of a probe in the table; NREPLACED: it has none. */
static size_t replaced_row(const struct probe *p)
{
	size_t i = 0;

	while (i < NREPLACED && !is_call(p, replaced[i].call))
		i++;
	return i;
}

static void note_enabled(const struct clause_probes *cp, bool is_enabled[NREPLACED])
{
	for (unsigned int i = 0; i < cp->list.n; i++)
		for (size_t r = 0; r < NREPLACED; r++)
			is_enabled[r] |= is_call(cp->list.a[i], replaced[r].by);
}

/*
 * Returns the row of a clause's first call if all its probes are replaced calls and no replacement
 * is enabled.  Otherwise returns NREPLACED.
 */
static size_t unused_row(const struct clause_probes *cp, const bool is_enabled[NREPLACED])
{
	size_t first = NREPLACED;

	for (unsigned int i = 0; i < cp->list.n; i++) {
		size_t r = replaced_row(cp->list.a[i]);

		if (r == NREPLACED || is_enabled[r])
			return NREPLACED;
		first = i ? first : r;
	}
	return first;
}

void compile_hints(const struct compile *comp)
{
	bool is_enabled[NREPLACED] = {0}, is_said[NREPLACED + 1] = {[NREPLACED] = true};

	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next)
			if (!c->is_elsewhere)
				note_enabled(c->probes, is_enabled);
	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			size_t r = c->is_elsewhere ? NREPLACED : unused_row(c->probes, is_enabled);

			if (!is_said[r])
				report_error(comp->report, "syscall::%s: %s %s", replaced[r].call,
					     replaced[r].why, replaced[r].by);
			is_said[r] = true;
		}
}
