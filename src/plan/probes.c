/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.c: the probes of a session, by id and by name.  Providers create probes when a description
 * mentions them, so that a run pays only for these.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "kern/kern.h"
#include "plan/plan.h"
#include "sys/bpf.h"

struct probes {
	struct plan *plan;
	VEC(struct probe *) list;
	struct map *by_id;
	struct map *by_name; /* probes of probe_add_near */
	struct map *states;  /* by address of the provider */
};

const struct id_range probe_ids_system = {1000, 4000}, probe_ids_user = {500000, 100000};

/* Returns range i of all ranges, or NULL after the last. */
static const struct id_range *range(unsigned int i)
{
	const struct id_range *libs[] = {&probe_ids_system, &probe_ids_user, NULL};

	return i < provider_count ? &provider_table[i]->ids : libs[i - provider_count];
}

static void assert_disjoint(void)
{
	const struct id_range *a, *b;

	for (unsigned int i = 0; (a = range(i)) != NULL; i++) {
		assert(a->first && a->n && a->first + (a->n - 1) >= a->first);
		for (unsigned int j = 0; j < i && (b = range(j)) != NULL; j++)
			assert(a->first >= b->first ? a->first - b->first >= b->n
						    : b->first - a->first >= a->n);
	}
}

struct probes *probes_new(struct plan *plan)
{
	struct probes *ps = mem_alloc(sizeof(*ps));

	assert_disjoint();
	ps->plan = plan;
	ps->by_id = map_new();
	ps->by_name = map_new();
	ps->states = map_new();
	return ps;
}

void probes_free(struct probes *ps)
{
	if (!ps)
		return;
	vec_free(&ps->list);
	map_free(ps->by_id);
	map_free(ps->by_name);
	map_free(ps->states);
	mem_free(ps);
}

struct plan *probes_plan(struct probes *ps)
{
	return ps->plan;
}

void *probes_state(struct probes *ps, const struct provider *pv, size_t size)
{
	void *state = map_get_int(ps->states, (uintptr_t)pv);

	if (!state) {
		state = arena_alloc(ps->plan->env.arena, size);
		map_set_int(ps->states, (uintptr_t)pv, state);
	}
	return state;
}

void plan_name_room(struct plan *plan, size_t len)
{
	size_t n = (len + 8) & ~(size_t)7;

	if (n > plan->name_size && !plan->is_made)
		plan->name_size = (uint32_t)n;
}

static struct probe *create(struct probes *ps, const struct provider *pv, uint32_t id,
			    const char *prov, const char *mod, const char *func, const char *name)
{
	struct probe *p = arena_new_obj(ps->plan->env.arena, struct probe);

	p->id = id;
	p->provider = pv;
	p->prov = intern_str(ps->plan->env.names, prov);
	p->mod = intern_str(ps->plan->env.names, mod);
	p->func = intern_str(ps->plan->env.names, func);
	p->name = intern_str(ps->plan->env.names, name);
	plan_name_room(ps->plan, strlen(prov));
	plan_name_room(ps->plan, strlen(mod));
	plan_name_room(ps->plan, strlen(func));
	plan_name_room(ps->plan, strlen(name));
	vec_push(&ps->list, p);
	map_set_int(ps->by_id, id, p);
	return p;
}

struct probe *probe_add(struct probes *ps, const struct provider *pv, uint32_t index,
			const char *prov, const char *mod, const char *func, const char *name)
{
	uint32_t id = pv->ids.first + index;
	struct probe *p = map_get_int(ps->by_id, id);

	assert(index < pv->ids.n);
	return p ? p : create(ps, pv, id, prov, mod, func, name);
}

struct probe *probe_add_near(struct probes *ps, const struct provider *pv, uint64_t index,
			     const char *prov, const char *mod, const char *func, const char *name)
{
	return probe_add_one_of(ps, pv, index, 0, prov, mod, func, name);
}

struct probe *probe_add_one_of(struct probes *ps, const struct provider *pv, uint64_t index,
			       uint64_t which, const char *prov, const char *mod, const char *func,
			       const char *name)
{
	const char *text = arena_printf(ps->plan->env.arena, "%u:%llx:%s:%s:%s:%s", pv->ids.first,
					(unsigned long long)which, prov, mod, func, name);
	struct probe *p = map_get_str(ps->by_name, text);

	for (uint32_t tried = 0; !p && tried < pv->ids.n; tried++, index++) {
		uint32_t id = pv->ids.first + (uint32_t)(index % pv->ids.n);

		if (map_get_int(ps->by_id, id))
			continue;
		p = create(ps, pv, id, prov, mod, func, name);
		map_set_str(ps->by_name, text, p);
	}
	return p;
}

struct probe *probe_by_id(struct probes *ps, uint32_t id)
{
	return map_get_int(ps->by_id, id);
}

uint64_t probe_index(const char *prov, const char *name)
{
	return map_hash(prov, strlen(prov)) ^ map_hash(name, strlen(name));
}

/* Returns true if this is the id of one of its probes. */
static bool is_of(const struct provider *pv, uint32_t id)
{
	return id - pv->ids.first < pv->ids.n;
}

void probe_decl_args(struct plan *plan, const struct probe_decl *d, struct lang_args *a)
{
	a->nnative = d->nnative;
	a->nxlated = d->nxlated;
	a->native = arena_new_arr(plan->env.arena, struct type *, d->nnative);
	a->xlated = arena_new_arr(plan->env.arena, struct type *, d->nxlated);
	a->map = d->map;
	for (unsigned int i = 0; i < d->nnative; i++)
		a->native[i] = d->native[i].type;
	for (unsigned int i = 0; i < d->nxlated; i++)
		a->xlated[i] = d->xlated[i].type;
}

/* For a mechanism, args[] shows the native arguments. */
static void same_args(struct plan *plan, struct lang_args *a)
{
	a->nxlated = a->nnative;
	a->xlated = a->native;
	a->map = arena_new_arr(plan->env.arena, unsigned int, a->nnative);
	for (unsigned int i = 0; i < a->nnative; i++)
		a->map[i] = i;
}

struct lang_args *probe_args(struct plan *plan, struct probe *p)
{
	if (p->args)
		return p->args;
	p->args = arena_new_obj(plan->env.arena, struct lang_args);
	p->args->nprobes = 1;
	for (unsigned int i = 0; i < 5; i++)
		p->args->attrs[i] = p->provider->attrs[i];
	if (p->decl)
		probe_decl_args(plan, p->decl, p->args);
	else
		p->provider->args(plan, p, p->args);
	if (!p->args->map)
		same_args(plan, p->args);
	return p->args;
}

struct lang_args *probe_all_args(struct plan *plan, struct probe *p)
{
	struct lang_args *a = probe_args(plan, p);

	if (a->is_late) {
		a->is_late = false;
		p->provider->late_args(plan, p, a);
		same_args(plan, a);
	}
	return a;
}

static int id_cmp(const void *a, const void *b)
{
	const struct probe *x = *(struct probe *const *)a, *y = *(struct probe *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Returns the provider that owns the name of a description, so that no other provider has to search
 * for it; NULL: none.  A description that names another provider means a probe of that provider:
 * the static probe BEGIN of a process.
 */
static const struct provider *owner_of(const struct pdesc *d)
{
	for (unsigned int i = 0; d->name && i < provider_count; i++)
		for (const char *const *r = provider_table[i]->reserved; r && *r; r++)
			if (probe_glob(*r, d->name) && probe_glob(d->prov, provider_table[i]->name))
				return provider_table[i];
	return NULL;
}

/* Returns true if a library declares a provider such as nfsv3, whose digit is no process id. */
static bool is_declared(const struct probes *ps, const char *prov)
{
	size_t n = prov ? strlen(prov) : 0;

	if (!n || !isdigit((unsigned char)prov[n - 1]))
		return false;
	for (unsigned int i = 0; i < ps->list.n; i++)
		if (ps->list.a[i]->decl && strcmp(ps->list.a[i]->prov, prov) == 0)
			return true;
	return false;
}

static bool may_match(const struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	if (d->id)
		return is_of(pv, d->id);
	return (pv->matches_prefix && !is_declared(ps, d->prov)) || probe_glob(d->prov, pv->name);
}

const char *probes_absent(struct probes *ps, const struct pdesc *d)
{
	for (unsigned int i = 0; d->prov && i < provider_count; i++)
		if (provider_table[i]->absent && strcmp(d->prov, provider_table[i]->name) == 0)
			return provider_table[i]->absent(ps->plan, d);
	return NULL;
}

void probes_match(struct probes *ps, const struct pdesc *d, probe_list *out)
{
	const struct provider *owner = owner_of(d);

	for (unsigned int i = 0; i < provider_count; i++)
		if ((!owner || owner == provider_table[i]) && may_match(ps, provider_table[i], d))
			provider_table[i]->provide(ps, provider_table[i], d);
	for (unsigned int i = 0; i < ps->list.n; i++) {
		struct probe *p = ps->list.a[i];

		/* Internal probes must be named in full. */
		if (p->provider->is_hidden && (!d->prov || strcmp(d->prov, p->prov) != 0))
			continue;
		if (owner && strcmp(owner->name, p->prov) != 0)
			continue;
		if (probe_matches(d, p))
			vec_push(out, p);
	}
	if (out->n)
		qsort(out->a, out->n, sizeof(*out->a), id_cmp);
}

int unit_attach(struct plan *plan, struct unit *u, const char *what, const char **err)
{
	int fd = sys_attach(kern_machine(plan->env.kern), u->fd, NULL);

	if (fd < 0) {
		*err = arena_printf(plan->env.arena, "%s %s: %s", what, u->place, strerror(-fd));
		return fd;
	}
	vec_push(&u->links, fd);
	return 0;
}

/*
 * The frames are the program and bpf_trace_runN().  The tracepoint calls the latter itself, or with
 * several programs from __traceiter_NAME().  __bpf_trace_NAME() has a frame, too, unless it ends
 * with a jump (include/trace/bpf_probe.h, include/linux/tracepoint.h).
 */
struct own_frames unit_tracepoint_frames(const struct plan *plan, const char *tracepoint)
{
	return (struct own_frames){
	    .least = 2,
	    .more = 2,
	    .in = {arena_printf(plan->env.arena, "__bpf_trace_%s", tracepoint),
		   arena_printf(plan->env.arena, "__traceiter_%s", tracepoint)}};
}
