/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * absent.c: hints for descriptions that match no probe here: providers of other systems and
 * misspelt names, and for system calls that programs seldom make.
 */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
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

	if (why || !d->prov || libs_have(comp, "provider", d->prov))
		return why;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(elsewhere[i].name, d->prov) == 0)
			return arena_printf(comp->arena, "this build has no provider %s; %s",
					    d->prov, elsewhere[i].near);
	return NULL;
}

/* ---- misspelt names ---- */

static void try_libraries(struct compile *comp, struct nearest *near, const char *prov)
{
	for (unsigned int i = 0; i < comp->libs.n; i++)
		for (const struct index_probe *p = comp->libs.a[i]->index.probes; p->name; p++)
			if (!prov)
				nearest_try(near, p->prov);
			else if (strcmp(p->prov, prov) == 0)
				nearest_try(near, p->name);
}

/* Tries names that only one provider has. */
static void try_reserved(struct nearest *near, const char *prov)
{
	for (unsigned int i = 0; i < provider_count; i++)
		for (const char *const *r = provider_table[i]->reserved; r && *r; r++)
			if (!prov || strcmp(provider_table[i]->name, prov) == 0)
				if (!strchr(*r, '*'))
					nearest_try(near, *r);
}

/* Tries the probes of a provider that is not a library. */
static void try_probes(struct compile *comp, const char *prov, struct nearest *func,
		       struct nearest *name)
{
	struct pdesc all = {.prov = prov, .mod = "", .func = "", .name = ""};
	probe_list list = {0};

	probes_match(comp->plan->env.probes, &all, &list);
	for (unsigned int i = 0; i < list.n; i++) {
		nearest_try(func, list.a[i]->func);
		nearest_try(name, list.a[i]->name);
	}
	vec_free(&list);
}

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

/* Returns a hint if the provider of a process is misspelt before its pid. */
static const char *near_process(struct compile *comp, const struct pdesc *d)
{
	struct nearest near = {0};
	const char *number = d->prov;

	while (*number && !is_number(number))
		number++;
	if (!*number)
		return NULL;
	near.word = arena_strndup(comp->arena, d->prov, (size_t)(number - d->prov));
	nearest_try(&near, "pid");
	for (unsigned int i = 0; i < comp->libs.n; i++)
		if (comp->libs.a[i]->index.of_process)
			nearest_try(&near, comp->libs.a[i]->index.of_process);
	if (!near.best || !near.dist)
		return NULL;
	return arena_printf(comp->arena, "did you mean %s%s:%s:%s:%s?", near.best, number,
			    d->mod ? d->mod : "", d->func ? d->func : "", d->name ? d->name : "");
}

/* Returns a hint if the name of a provider lacks the pid that must follow. */
static const char *lacks_process(struct compile *comp, const char *prov)
{
	for (unsigned int i = 0; i < comp->libs.n; i++) {
		const char *name = comp->libs.a[i]->index.of_process;

		if (name && strncmp(prov, name, strlen(name)) == 0 &&
		    !is_number(prov + strlen(name)))
			return arena_printf(comp->arena,
					    "%s is followed by the number of a process: "
					    "%s1234, %s$target",
					    name, name, name);
	}
	return NULL;
}

/* Returns a message if the probe exists only with a module that is not loaded. */
static const char *names_lacking(struct compile *comp, const struct pdesc *d)
{
	for (unsigned int i = 0; i < comp->libs.n; i++) {
		const struct library *lib = comp->libs.a[i];
		const struct provider_decl *pd = lib->program ? lib->program->providers : NULL;

		for (; pd; pd = pd->next)
			for (const struct probe_decl *p = pd->probes; p; p = p->next)
				if (probe_glob(d->prov, pd->name) && d->mod &&
				    strcmp(p->mod, d->mod) == 0 && libs_lacks_module(comp, lib, p))
					return arena_printf(comp->arena,
							    "the module %s is not loaded", d->mod);
	}
	return NULL;
}

const char *compile_nearest(struct compile *comp, const struct pdesc *d)
{
	const char *lacks = d->prov ? near_process(comp, d) : NULL;
	struct nearest prov = {.word = d->prov ? d->prov : ""};
	struct nearest func = {.word = d->func ? d->func : ""};
	struct nearest name = {.word = d->name ? d->name : ""};
	bool is_here = false;

	if (!lacks && d->prov)
		lacks = lacks_process(comp, d->prov);
	if (!lacks)
		lacks = names_lacking(comp, d);
	if (lacks)
		return lacks;
	for (unsigned int i = 0; i < provider_count; i++)
		if (!provider_table[i]->is_hidden) {
			nearest_try(&prov, provider_table[i]->name);
			is_here |= strcmp(provider_table[i]->name, prov.word) == 0;
		}
	try_libraries(comp, &prov, NULL);
	if (prov.best && prov.dist)
		return arena_printf(comp->arena, "did you mean %s:%s:%s:%s?", prov.best,
				    d->mod ? d->mod : "", d->func ? d->func : "", name.word);
	try_reserved(&name, d->prov);
	if (d->prov)
		try_libraries(comp, &name, d->prov);
	if (is_here)
		try_probes(comp, d->prov, &func, &name);
	if (*func.word && func.best && func.dist)
		return arena_printf(comp->arena, "did you mean %s:%s:%s:%s?", d->prov,
				    d->mod ? d->mod : "", func.best, name.word);
	if (name.best && name.dist)
		return arena_printf(comp->arena, "did you mean %s:%s:%s:%s?",
				    d->prov ? d->prov : "dtrace", d->mod ? d->mod : "", func.word,
				    name.best);
	return NULL;
}

/* ---- system calls ---- */

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
