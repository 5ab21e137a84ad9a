/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * absent.c: providers that DTrace has elsewhere and this build has not, and what watches the same
 * here; system calls that seldom come, and what programs call instead.
 */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "plan/probe.h"
#include "run/compile.h"

static const struct {
	const char *name, *near;
} elsewhere[] = {
    {"fasttrap", "pid123:OBJECT:FUNCTION: is for functions of processes"},
};

const char *compile_absent(struct compile *comp, const struct pdesc *d)
{
	const char *why = probes_absent(comp->plan->probes, d);

	if (why || !d->prov || compile_have(comp, "provider", d->prov))
		return why;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(elsewhere[i].name, d->prov) == 0)
			return arena_printf(comp->arena,
					    "there is no provider %s in this build; %s", d->prov,
					    elsewhere[i].near);
	return NULL;
}

/* Calls that the GNU C library makes another way since the version in the comment, or that are not
 * what they seem. */
static const struct replaced {
	const char *call, *by, *why;
} replaced[] = {
    {"creat", "openat", "programs create files by"},
    {"exit", "exit_group", "this is the end of a thread; processes end by"},
    {"fork", "clone", "programs fork by"},    /* 2.3 */
    {"lstat", "newfstatat", "programs call"}, /* 2.33 */
    {"open", "openat", "programs call"},      /* 2.26 */
    {"stat", "newfstatat", "programs call"},  /* 2.33 */
    {"vfork", "clone", "programs fork by"},
};

static const struct replaced *find_replaced(const char *call)
{
	for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++)
		if (strcmp(replaced[i].call, call) == 0)
			return &replaced[i];
	return NULL;
}

static bool is_call(const struct probe *p, const char *call)
{
	return strcmp(p->prov, "syscall") == 0 && (!call || strcmp(p->func, call) == 0);
}

/* Is the call one of the probes of any clause? */
static bool is_enabled(const struct compile *comp, const char *call)
{
	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct clause_probes *cp = c->is_elsewhere ? NULL : c->probes;

			for (unsigned int j = 0; cp && j < cp->list.n; j++)
				if (is_call(cp->list.a[j], call))
					return true;
		}
	return false;
}

/* The first of a clause's calls, if others have replaced them all, and none of those is enabled. */
static const struct replaced *find_unused(const struct compile *comp, const struct clause *c)
{
	const struct clause_probes *cp = c->is_elsewhere ? NULL : c->probes;
	const struct replaced *first = NULL;

	for (unsigned int i = 0; cp && i < cp->list.n; i++) {
		const struct probe *p = cp->list.a[i];
		const struct replaced *r = is_call(p, NULL) ? find_replaced(p->func) : NULL;

		if (!r || is_enabled(comp, r->by))
			return NULL;
		if (!first)
			first = r;
	}
	return first;
}

void compile_hints(const struct compile *comp)
{
	const struct replaced *said = NULL;

	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct replaced *r = find_unused(comp, c);

			if (r && r != said)
				report_error(comp->report, "syscall::%s: %s %s", r->call, r->why,
					     r->by);
			if (r)
				said = r;
		}
}
