/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * enable.c: clauses to units.
 *
 * A clause on a mechanism probe is enabled there.  A clause on a stable probe is enabled at the
 * sites of that probe: the first usable alternative of each chain.  Ordinary clauses of libraries
 * keep the state that sites and translators read.  Such a clause is enabled if an enabled clause
 * reads a variable that it assigns.  This repeats until no clause is added.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "proc/proc.h"
#include "compile/compile.h"

/*
 * Each place has a program.  A kernel has 1,600 tracepoints in all.  More places, such as functions
 * where fbt has no kprobes, would take minutes to attach one by one.
 */
#define UNITS_MAX 2048U

/* Everything enabled at one mechanism probe, before probes are grouped. */
struct spot {
	struct probe *probe;
	VEC(struct enabling) lib, user;
};

struct builder {
	struct compile *comp;
	struct map *units; /* provider name and place -> unit */
	struct map *spots; /* probe id -> spot */
};

static struct unit *unit_for(struct builder *b, const struct probe *p)
{
	struct compile *comp = b->comp;
	const char *key = arena_printf(comp->arena, "%s %s", p->provider->name,
				       p->provider->place(comp->plan, p));
	struct unit *u = map_get_str(b->units, key);

	if (!u) {
		u = arena_new_obj(comp->arena, struct unit);
		u->provider = p->provider;
		u->place = p->provider->place(comp->plan, p);
		u->fired = p->fired;
		u->fd = -1;
		map_set_str(b->units, key, u);
		if (p->provider->is_error)
			comp->plan->error_unit = u;
		else
			vec_push(&comp->units, u);
	}
	return u;
}

static struct spot *spot_for(struct builder *b, struct probe *p)
{
	struct spot *sp = map_get_int(b->spots, p->id);

	if (!sp) {
		struct unit *u = unit_for(b, p);

		sp = arena_new_obj(b->comp->arena, struct spot);
		sp->probe = p;
		map_set_int(b->spots, p->id, sp);
		vec_push(&u->probes, p);
	}
	return sp;
}

/* Returns the probes of a library clause's description, which are matched once. */
static const struct clause_probes *clause_match(struct compile *comp, struct clause *c)
{
	if (!c->probes)
		c->probes = compile_match(comp, &c->descs[0]);
	return c->probes;
}

/* Returns true if the kernel can run a program at the probe. */
static bool is_servable(struct compile *comp, struct probe *p, const char **err)
{
	struct unit u = {
	    .provider = p->provider, .place = p->provider->place(comp->plan, p), .fd = -1};
	bool ok;

	vec_push(&u.probes, p);
	ok = p->provider->program(comp->plan, &u, err);
	vec_free(&u.probes);
	return ok;
}

/*
 * Returns the reason why a library clause is not usable on this kernel; NULL: it is usable.  If it
 * does not compile, its errors do not count as errors of the program.
 */
static const char *clause_lacks(struct compile *comp, struct clause *c)
{
	const struct clause_probes *cp = clause_match(comp, c);
	unsigned int nerrors = comp->diags.n;
	const char *err = NULL;

	if (!cp->list.n) {
		err = probes_absent(comp->plan->env.probes, &c->descs[0]);
		return err ? err : "no such probe";
	}
	if (!is_servable(comp, cp->list.a[0], &err))
		return err ? err : "it cannot be enabled";
	if (!c->is_checked)
		c->is_bad = !lang_check_clause(comp->plan->env.lang, c);
	c->is_checked = true;
	comp->diags.n = nerrors;
	if (c->is_bad)
		return "this kernel lacks data that it reads";
	return comp->plan->opt.scope && scope_excludes(c->pred) ? "it sees no cgroup" : NULL;
}

static bool is_usable(struct compile *comp, struct clause *c)
{
	return !clause_lacks(comp, c);
}

/* Returns true if a clause on the probe needs the running thread, such as its user memory. */
static bool needs_running(struct compile *comp, const struct probe *p)
{
	for (unsigned int i = 0; i < comp->progs.n; i++) {
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct clause_probes *cp = c->probes;

			for (unsigned int j = 0; cp && j < cp->list.n; j++)
				if (cp->list.a[j] == p && plan_needs_running(comp->plan, c))
					return true;
		}
	}
	return false;
}

/*
 * Returns the first alternative of a chain that is usable.  If a clause needs the running thread,
 * an alternative with that thread comes first.  All clauses get one alternative, so that they run
 * in order.
 */
static struct clause *choose_site(struct compile *comp, struct clause *site, const struct probe *p)
{
	struct clause *first = NULL;

	for (; site; site = site->site_else) {
		if (!is_usable(comp, site))
			continue;
		if (!site->thread || !needs_running(comp, p))
			return site;
		first = first ? first : site;
	}
	return first;
}

static bool leaves_out(const char *field, const char *of_probe)
{
	return *of_probe && !(field && *field);
}

/* A site names its probe in full: an omitted module or function means a probe without it. */
static bool site_feeds(const struct clause *site, const struct probe *p)
{
	const struct pdesc *d = site->site_of;

	return d && probe_matches(d, p) && !leaves_out(d->mod, p->mod) &&
	       !leaves_out(d->func, p->func);
}

/* Adds a site.  The further descriptions of an alternative follow it in a list. */
static void add_sites(struct compile *comp, struct clause *site, bool is_list, unsigned int order,
		      bool with_lacking, site_list *out)
{
	for (; site; site = is_list ? site->next : NULL) {
		struct compile_site s = {site, order, clause_lacks(comp, site)};

		if (!s.lacks || with_lacking)
			vec_push(out, s);
	}
}

void compile_sites(struct compile *comp, const struct probe *p, site_list *out)
{
	struct clause *first, *site, *other;

	for (unsigned int i = 0; i < comp->lib_clauses.n; i++) {
		first = comp->lib_clauses.a[i];
		if (site_feeds(first, p))
			for (site = choose_site(comp, first, p); site; site = site->site_and)
				add_sites(comp, site, site != first, i, false, out);
	}
	for (unsigned int i = 0, n = out->n ? 0 : comp->lib_clauses.n; i < n; i++) {
		first = comp->lib_clauses.a[i];
		if (site_feeds(first, p))
			for (other = first; other; other = other->site_else)
				for (site = other; site; site = site->site_and)
					add_sites(comp, site, site != first, i, true, out);
	}
}

/*
 * Returns the position of an enabling at a spot.  It follows the enablings of its site, or precedes
 * the first one with a later site in the libraries.  So events fire in the order of the sites,
 * whatever the order of the clauses.
 */
static unsigned int place_of(const struct spot *sp, const struct enabling *en)
{
	unsigned int i;

	if (!en->site)
		return sp->user.n;
	for (i = sp->user.n; i > 0; i--)
		if (sp->user.a[i - 1].site == en->site)
			return i;
	while (i < sp->user.n && (!sp->user.a[i].site || sp->user.a[i].order <= en->order))
		i++;
	return i;
}

static void enable_mechanism(struct builder *b, struct enabling en, struct probe *mech)
{
	struct spot *sp = spot_for(b, mech);
	unsigned int i;

	if (en.clause->is_library) {
		vec_push(&sp->lib, en);
		return;
	}
	i = place_of(sp, &en);
	vec_push(&sp->user, en);
	memmove(&sp->user.a[i + 1], &sp->user.a[i], (sp->user.n - 1 - i) * sizeof(en));
	sp->user.a[i] = en;
}

static bool enable_stable(struct builder *b, struct clause *c, struct probe *p)
{
	site_list sites = {0};
	bool any = false;

	compile_sites(b->comp, p, &sites);
	for (unsigned int i = 0; i < sites.n; i++) {
		const struct compile_site *s = &sites.a[i];
		const struct clause_probes *cp = s->site->probes;

		any |= !s->lacks;
		for (unsigned int j = 0; j < cp->list.n && !s->lacks; j++)
			enable_mechanism(b, (struct enabling){c, s->site, p, s->order},
					 cp->list.a[j]);
	}
	vec_free(&sites);
	return any;
}

/* Enables a hosted clause at a separate probe, which the host fires. */
static void enable_at_home(struct builder *b, struct clause *c)
{
	struct compile *comp = b->comp;
	const struct clause_probes *cp = c->probes;
	const struct provider *pv = NULL;
	struct probe *p;

	for (unsigned int i = 0; i < provider_count; i++)
		if (strcmp(provider_table[i]->name, HOSTED_PROVIDER) == 0)
			pv = provider_table[i];
	p = probe_add(comp->plan->env.probes, pv, c->id, pv->name, "",
		      arena_printf(comp->arena, "%u", c->id), "");
	if (cp->list.n && cp->list.a[0]->fired == FIRED_AT_END)
		p->fired = FIRED_AT_END;
	enable_mechanism(b, (struct enabling){.clause = c, .probe = p}, p);
}

static void enable_clause(struct builder *b, struct clause *c)
{
	const struct clause_probes *cp = c->probes;
	struct buf lost = {0};
	unsigned int nlost = 0;

	for (unsigned int i = 0; i < cp->list.n; i++) {
		struct probe *p = cp->list.a[i];

		if (!p->decl)
			enable_mechanism(b, (struct enabling){.clause = c, .probe = p}, p);
		else if (!enable_stable(b, c, p))
			buf_printf(&lost, "%s%s:%s:%s:%s", nlost++ ? ", " : "", p->prov, p->mod,
				   p->func, p->name);
	}
	if (nlost)
		report_error(
		    b->comp->report,
		    "cannot enable %s: %sthis kernel has none of %s sites; dtrace -lv lists them",
		    buf_str(&lost), b->comp->plan->opt.scope ? "with -x cgroup, " : "",
		    nlost > 1 ? "their" : "its");
	buf_free(&lost);
	vec_push(&b->comp->clauses, c);
}

/* ---- state of the libraries ---- */

static void forget_reads(struct compile *comp)
{
	for (unsigned int k = IDENT_GLOBAL; k <= IDENT_AGG; k++)
		for (unsigned int i = 0; i < lang_nidents(comp->plan->env.lang, k); i++)
			lang_ident(comp->plan->env.lang, k, i)->is_read = false;
}

static void find_reads(struct compile *comp)
{
	plan_stacks(comp->plan);
	for (unsigned int i = 0; i < comp->units.n; i++)
		unit_plan_make(comp->plan, comp->units.a[i]);
	if (comp->plan->error_unit)
		unit_plan_make(comp->plan, comp->plan->error_unit);
}

/* Runs a round.  Returns true if it has added a clause. */
static bool enable_state(struct builder *b)
{
	struct compile *comp = b->comp;
	bool added = false;

	for (unsigned int i = 0; i < comp->lib_clauses.n; i++) {
		struct clause *c = comp->lib_clauses.a[i];
		const struct clause_probes *cp;

		if (c->site_of || c->is_enabled || !lang_assigns_read(comp->plan->env.lang, c))
			continue;
		c->is_enabled = true;
		if (!is_usable(comp, c))
			continue;
		cp = clause_match(comp, c);
		added = true;
		for (unsigned int j = 0; j < cp->list.n; j++)
			enable_mechanism(b, (struct enabling){.clause = c, .probe = cp->list.a[j]},
					 cp->list.a[j]);
	}
	return added;
}

/* ---- groups ---- */

static bool same_list(const struct spot *sp, const struct group *g)
{
	unsigned int n = sp->lib.n + sp->user.n;

	if (g->list.n != n)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		const struct enabling *e =
		    i < sp->lib.n ? &sp->lib.a[i] : &sp->user.a[i - sp->lib.n];

		if (e->clause != g->list.a[i].clause || e->site != g->list.a[i].site)
			return false;
	}
	return true;
}

static void add_to_group(struct compile *comp, struct unit *u, struct spot *sp)
{
	struct group *g;

	for (unsigned int i = 0; i < u->groups.n; i++) {
		if (same_list(sp, u->groups.a[i])) {
			vec_push(&u->groups.a[i]->probes, sp->probe);
			return;
		}
	}
	g = arena_new_obj(comp->arena, struct group);
	for (unsigned int i = 0; i < sp->lib.n; i++)
		vec_push(&g->list, sp->lib.a[i]);
	for (unsigned int i = 0; i < sp->user.n; i++)
		vec_push(&g->list, sp->user.a[i]);
	vec_push(&g->probes, sp->probe);
	vec_push(&u->groups, g);
}

static void drop_groups(struct unit *u)
{
	for (unsigned int i = 0; i < u->groups.n; i++) {
		vec_free(&u->groups.a[i]->probes);
		vec_free(&u->groups.a[i]->list);
	}
	u->groups.n = 0;
}

/*
 * Plans a clause that has no probe yet, because its records and variables must be known before
 * tracing.  Its unit has no probe and no program.
 */
static void plan_for_later(struct builder *b, struct clause *c)
{
	struct unit *u = arena_new_obj(b->comp->arena, struct unit);
	struct group *g = arena_new_obj(b->comp->arena, struct group);

	u->provider = ((const struct clause_probes *)c->probes)->follower;
	u->place = "later";
	u->is_idle = true;
	u->fd = -1;
	vec_push(&g->list, ((struct enabling){.clause = c}));
	vec_push(&u->groups, g);
	vec_push(&b->comp->units, u);
}

static void make_groups(struct builder *b, struct unit *u)
{
	if (!u->probes.n)
		return;
	drop_groups(u);
	for (unsigned int i = 0; i < u->probes.n; i++)
		add_to_group(b->comp, u, map_get_int(b->spots, u->probes.a[i]->id));
}

static void free_builder(struct builder *b)
{
	struct spot *sp;
	size_t pos = 0;

	while ((sp = map_next(b->spots, &pos, NULL, NULL)) != NULL) {
		vec_free(&sp->lib);
		vec_free(&sp->user);
	}
	map_free(b->units);
	map_free(b->spots);
}

static void free_unit(struct unit *u)
{
	drop_groups(u);
	vec_free(&u->groups);
	vec_free(&u->probes);
	vec_free(&u->links);
	unit_plan_free(u->plan);
}

void compile_free_units(struct compile *comp)
{
	for (unsigned int i = 0; i < comp->units.n; i++)
		free_unit(comp->units.a[i]);
	if (comp->plan->error_unit)
		free_unit(comp->plan->error_unit);
	vec_free(&comp->units);
}

bool compile_wants(const struct compile *comp, uint32_t later, uint32_t pid)
{
	return !later || later == pid || (comp->plan->opt.follows && proc_descends(pid, later));
}

/* Enables a clause at the probes that are not attached yet. */
static void enable_more(struct builder *b, struct clause *c)
{
	const struct clause_probes *cp = c->probes;
	struct compile *comp = b->comp;
	probe_list list = {0};

	if (c->is_elsewhere || !cp->follower ||
	    !compile_wants(comp, cp->later_pid, comp->plan->env.only_pid))
		return;
	probes_match(comp->plan->env.probes, &c->descs[0], &list);
	for (unsigned int i = 0; i < list.n; i++) {
		struct probe *p = list.a[i];

		if (!p->decl && p->provider->has_more && p->provider->has_more(p))
			enable_mechanism(b, (struct enabling){.clause = c, .probe = p}, p);
	}
	vec_free(&list);
}

bool compile_more(struct compile *comp, uint32_t pid)
{
	struct builder b = {.comp = comp, .units = map_new(), .spots = map_new()};
	unsigned int first = comp->units.n, nerrors = comp->diags.n;

	comp->plan->env.only_pid = pid;
	for (unsigned int i = 0; i < comp->progs.n; i++)
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next)
			enable_more(&b, c);
	comp->plan->env.only_pid = 0;
	/* It is no error if the process has ended meanwhile. */
	comp->diags.n = nerrors;
	for (unsigned int i = first; i < comp->units.n; i++) {
		make_groups(&b, comp->units.a[i]);
		unit_plan_make(comp->plan, comp->units.a[i]);
	}
	free_builder(&b);
	return comp->units.n > first;
}

static void make_plan(struct compile *comp)
{
	struct buf b = {0};

	plan_make(comp->plan, comp->units.a, comp->units.n);
	if (!report_dumps(comp->report, "plan"))
		return;
	plan_text(&b, comp->plan, comp->units.a, comp->units.n);
	report_dump(comp->report, "plan", &b);
}

bool compile_units(struct compile *comp)
{
	struct builder b = {.comp = comp, .units = map_new(), .spots = map_new()};

	for (unsigned int i = 0; i < comp->progs.n; i++) {
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct clause_probes *cp = c->probes;

			if (c->is_elsewhere)
				continue;
			if (comp->plan->opt.is_hosting) {
				if (c->is_hosted)
					enable_at_home(&b, c);
				continue;
			}
			enable_clause(&b, c);
			if (cp->follower && !cp->list.n)
				plan_for_later(&b, c);
		}
	}
	if (comp->units.n > UNITS_MAX) {
		report_error(
		    comp->report,
		    "could not enable tracing: %u places of the kernel are too many, at most %u",
		    comp->units.n, UNITS_MAX);
		comp->units_refused = true;
	}
	if (comp->plan->error_unit)
		make_groups(&b, comp->plan->error_unit);
	do {
		if (comp->units_refused)
			break;
		for (unsigned int i = 0; i < comp->units.n; i++)
			make_groups(&b, comp->units.a[i]);
		forget_reads(comp);
		find_reads(comp);
	} while (enable_state(&b));
	if (!comp->units_refused)
		make_plan(comp);
	free_builder(&b);
	return comp->diags.n == 0 && !comp->units_refused;
}
