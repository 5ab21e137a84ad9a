/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.c: which clauses run at the host, and running them.
 *
 * The variables that machines share are kept once, by name; a home has a copy of those that its
 * clauses use, which is brought in before a clause runs and out again behind it.  Associative
 * arrays are maps of the one interpreter.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "lower/lower.h"
#include "run/session.h"
#include "run/simulated.h"
#include "target/hosted.h"

static const struct lang_row send_row = {
    .name = "(send)", .kind = IDENT_ACTION, .flags = LANG_RECORDS, .impl = &lw_send};

/* ---- clauses ---- */

/* The next clause of a session's programs that is enabled there; *prog, *c: where it was, NULL. */
static struct clause *next_clause(const struct session *s, unsigned int *prog, struct clause *c)
{
	do {
		if (c)
			c = c->next;
		while (!c && *prog < s->compile.progs.n)
			c = s->compile.progs.a[(*prog)++]->program->clauses;
	} while (c && c->is_elsewhere);
	return c;
}

#define each_clause(s, c)                                                \
	for (unsigned int prog_ = 0, once_ = 1; once_; once_ = 0)        \
		for (struct clause *c = next_clause(s, &prog_, NULL); c; \
		     c = next_clause(s, &prog_, c))

static bool is_of_error(const struct clause *c)
{
	const struct clause_probes *cp = c->probes;

	return cp->list.n && cp->list.a[0]->provider->is_error;
}

static bool refuse(const struct session *s, struct loc loc, const char *text)
{
	struct diag d = {.loc = loc, .text = text};

	report_diag(&s->report, &d);
	return false;
}

struct finding {
	const struct hosted *of; /* the machine at hand */
	struct map *users;	 /* name -> the first machine that uses it */
	struct map *shared;	 /* name -> a machine that uses it, too */
	const struct ident
	    *stack; /* the first of these that is one, whose names only one machine knows */
};

static bool can_be_shared(const struct ident *id)
{
	return id->kind == IDENT_GLOBAL && !id->is_library;
}

static void note_use(void *ctx, struct ident *id, bool is_assigned)
{
	struct finding *f = ctx;
	const struct hosted *user;

	if (!can_be_shared(id))
		return;
	user = map_get_str(f->users, id->name);
	if (!user)
		map_set_str(f->users, id->name, (void *)f->of);
	if (!user || user == f->of)
		return;
	map_set_str(f->shared, id->name, (void *)f->of);
	if (type_is_stack(id->type) && !f->stack)
		f->stack = id;
}

static void find_shared(struct finding *f, struct hosted *const *h, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		f->of = h[i];
		each_clause (h[i]->s, c)
			lang_clause_vars(c, note_use, f);
	}
}

/* What is hosted on one machine is on all. */
static bool spread(struct finding *f, struct hosted *const *h, unsigned int n)
{
	bool changed = false;

	for (unsigned int i = 0; i < n; i++) {
		struct lang *l = h[i]->s->plan.lang;

		for (unsigned int j = 0; j < lang_nidents(l, IDENT_GLOBAL); j++) {
			struct ident *id = lang_ident(l, IDENT_GLOBAL, j);

			if (!can_be_shared(id))
				continue;
			if (id->is_hosted && !map_get_str(f->shared, id->name))
				map_set_str(f->shared, id->name, h[i]);
			changed |= !id->is_hosted && map_get_str(f->shared, id->name);
			id->is_hosted = id->is_hosted || map_get_str(f->shared, id->name);
		}
	}
	return changed;
}

/* The first variable of a clause that is hosted, and which clause uses it. */
struct use {
	const struct clause *c;
	struct map *users; /* clause-local that is hosted -> the clause that uses it */
	const struct ident *id;
};

static void note_hosted(void *ctx, struct ident *id, bool is_assigned)
{
	struct use *u = ctx;

	if (id->is_hosted && !u->id)
		u->id = id;
}

static void note_local(void *ctx, struct ident *id, bool is_assigned)
{
	struct use *u = ctx;
	const struct clause *c;

	if (id->kind != IDENT_THIS || !id->is_hosted || u->id)
		return;
	c = map_get_int(u->users, (uintptr_t)id);
	if (!c)
		map_set_int(u->users, (uintptr_t)id, (void *)u->c);
	else if (c != u->c)
		u->id = id;
}

/* A clause at the host is by itself, and ERROR is a part of programs that are elsewhere. */
static bool check(const struct hosted *h)
{
	struct use u = {.users = map_new()};
	bool ok = true;

	each_clause (h->s, c) {
		if (!ok)
			break;
		u.c = c;
		lang_clause_vars(c, is_of_error(c) ? note_hosted : note_local, &u);
		if (u.id)
			ok = refuse(
			    h->s, c->loc,
			    arena_printf(
				h->s->arena,
				is_of_error(c)
				    ? "%s is shared by machines: dtrace:::ERROR cannot use it"
				    : "this->%s is assigned at the host, as machines share "
				      "variables: "
				      "only one clause can use it",
				u.id->name));
	}
	map_free(u.users);
	return ok;
}

bool hosted_find(struct hosted *const *h, unsigned int n, bool is_all)
{
	struct finding f = {.users = map_new(), .shared = map_new()};
	bool changed, ok = true;

	find_shared(&f, h, n);
	if (f.stack)
		ok = refuse(
		    h[0]->s, f.stack->loc,
		    arena_printf(
			h[0]->s->arena,
			"%s is a stack, which has names on one machine: others cannot use it",
			f.stack->name));
	do {
		changed = spread(&f, h, n);
		for (unsigned int i = 0; i < n; i++)
			each_clause (h[i]->s, c)
				if (!is_of_error(c))
					changed |= lang_host_clause(c, is_all);
	} while (changed);
	for (unsigned int i = 0; i < n && ok; i++)
		ok = check(h[i]);
	map_free(f.users);
	map_free(f.shared);
	return ok;
}

bool hosted_is_any(const struct hosted *h)
{
	each_clause (h->s, c)
		if (c->is_hosted)
			return true;
	return false;
}

void hosted_refuse(struct hosted *const *h, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		each_clause (h[i]->s, c) {
			struct use u = {.c = c};

			lang_clause_vars(c, note_hosted, &u);
			if (!u.id)
				continue;
			refuse(
			    h[i]->s, c->loc,
			    arena_printf(h[i]->s->arena,
					 "%s is shared by machines: this clause cannot run on %s "
					 "(-x execute)",
					 u.id->name, h[i]->name));
			return;
		}
	}
}

/* Variables that are hosted are so in another session of the same programs. */
static void copy_marks(struct lang *from, struct lang *to)
{
	for (int kind = IDENT_GLOBAL; kind <= IDENT_THIS; kind++)
		for (unsigned int i = 0; i < lang_nidents(from, kind); i++) {
			const struct ident *id = lang_ident(from, kind, i);

			for (unsigned int j = 0; id->is_hosted && j < lang_nidents(to, kind); j++)
				if (strcmp(lang_ident(to, kind, j)->name, id->name) == 0)
					lang_ident(to, kind, j)->is_hosted = true;
		}
}

void hosted_like(struct hosted *h, const struct hosted *was)
{
	struct clause *c = NULL;
	unsigned int prog = 0;

	copy_marks(was->s->plan.lang, h->s->plan.lang);
	each_clause (was->s, from) {
		c = next_clause(h->s, &prog, c);
		c->is_hosted = from->is_hosted;
	}
}

/* ---- homes ---- */

/* A variable: of the program, or the map of an associative array. */
struct shared {
	const char *name;
	uint32_t size, key_size;
	void *value; /* a scalar, string ... */
	int fd;	     /* an associative array */
};

struct homes {
	struct arena *arena;
	struct bpf_interp *in;
	struct map *shared; /* by name */
	struct consume *spec_keeper;
};

/* Where a home has a variable. */
struct copy {
	uint32_t off; /* in its globals */
	struct shared *of;
};

struct home {
	struct simulated sim; /* the first, as it is the world's data */
	struct homes *homes;
	struct hosted *hosted;
	struct session *s;
	struct procs *procs;	  /* that s was compiled with */
	VEC(struct unit *) units; /* by clause */
	VEC(struct copy) copies;
	char *globals; /* its variables, NULL: none */
	bool ok;
};

struct homes *homes_new(unsigned int ncpus)
{
	struct arena *a = arena_new();
	struct homes *hs = arena_new_obj(a, struct homes);

	hs->arena = a;
	hs->in = bpf_interp_new(ncpus);
	hs->shared = map_new();
	return hs;
}

void homes_free(struct homes *hs)
{
	if (!hs)
		return;
	bpf_interp_free(hs->in);
	map_free(hs->shared);
	arena_free(hs->arena);
}

/* The one of this name; NULL, and a message: it is of another kind on another machine. */
static struct shared *shared_var(struct home *home, const struct ident *id, uint32_t size,
				 uint32_t key_size)
{
	struct homes *hs = home->homes;
	struct shared *sh = map_get_str(hs->shared, id->name);

	if (!sh) {
		sh = arena_new_obj(hs->arena, struct shared);
		*sh = (struct shared){.name = arena_strdup(hs->arena, id->name),
				      .size = size,
				      .key_size = key_size,
				      .fd = -1};
		sh->value = arena_alloc(hs->arena, size);
		memset(sh->value, 0, size);
		map_set_str(hs->shared, sh->name, sh);
	}
	if (sh->size == size && sh->key_size == key_size)
		return sh;
	home->ok =
	    refuse(home->s, id->loc,
		   arena_printf(hs->arena, "%s is of another size on %s: machines cannot share it",
				id->name, home->hosted->name));
	return NULL;
}

/* The map of this name that the first home has made which has it. */
static int shared_map(struct home *home, struct shared *sh, const struct plan_map *m)
{
	if (sh && sh->fd < 0)
		sh->fd = bpf_interp_map(home->homes->in, (int)m->type, m->key_size, m->value_size,
					m->max_entries);
	return sh ? sh->fd : -1;
}

/* Speculations are those of all. */
static int find_spec_map(struct home *home, struct plan *plan, const struct plan_map *m)
{
	struct ident id = {.name = arena_printf(home->homes->arena, "(%s)", m->name)};

	plan->shares_specs |= map_get_str(home->homes->shared, id.name) != NULL;
	return shared_map(home, shared_var(home, &id, m->value_size, m->key_size), m);
}

/* An array that is shared is in one map. */
static int find_map(struct load *l, const struct plan_map *m)
{
	struct home *home = l->world_data;
	struct plan *plan = l->plan;

	if (plan->spec_free &&
	    (m == &plan->maps.a[plan->spec_free] || m == &plan->maps.a[plan->spec_words] ||
	     m == &plan->maps.a[plan->spec_fill]))
		return find_spec_map(home, plan, m);
	for (unsigned int i = 0; i < plan->vars.n; i++) {
		const struct var_layout *v = plan->vars.a[i];

		if (v->ident->is_assoc && v->ident->is_hosted && &plan->maps.a[v->map] == m)
			return shared_map(
			    home, shared_var(home, v->ident, m->value_size, m->key_size), m);
	}
	return -1;
}

/* The clauses of both, which are the same, become what they are on either side. */
static bool split(struct session *there, struct session *here)
{
	struct clause *c = NULL;
	unsigned int prog = 0;
	bool ok = true;

	here->compile.diags.n = 0;
	each_clause (there, from) {
		c = next_clause(here, &prog, c);
		assert(c && c->id == from->id);
		c->is_hosted = from->is_hosted;
		if (!from->is_hosted)
			continue;
		ok = lang_split_clause(here->plan.lang, c, &send_row, true) && ok;
		lang_split_clause(there->plan.lang, from, &send_row, false);
	}
	for (unsigned int i = 0; i < here->compile.diags.n; i++)
		report_diag(&here->report, &here->compile.diags.list[i]);
	return ok;
}

bool home_new(struct homes *hs, struct hosted *h, struct session *s)
{
	struct home *home = mem_alloc(sizeof(*home));

	home->homes = hs;
	home->hosted = h;
	home->s = s;
	home->ok = true;
	home->sim.in = hs->in;
	home->sim.ncpus = kern_ncpu_possible(s->plan.kern);
	home->sim.find_map = find_map;
	s->load.world = &world_simulated;
	s->load.world_data = home;
	s->plan.is_home = true;
	/* Processes are met where clauses fire. */
	home->procs = s->plan.procs;
	s->plan.procs = h->s->plan.procs;
	/* What a clause leaves is consumed at once. */
	s->plan.policy = PLAN_SWITCH;
	s->plan.is_metered = false;
	s->consume.is_home = true;
	if (!hs->spec_keeper)
		hs->spec_keeper = &s->consume;
	s->consume.spec_keeper = hs->spec_keeper;
	h->home = home;
	copy_marks(h->s->plan.lang, s->plan.lang);
	return split(h->s, s);
}

struct session *home_session(struct home *home)
{
	return home->s;
}

void home_free(struct home *home)
{
	if (!home)
		return;
	vec_free(&home->units);
	home->s->plan.procs = home->procs;
	/* It belongs to the other session. */
	home->s->machine = NULL;
	session_free(home->s);
	vec_free(&home->copies);
	mem_free(home);
}

static void find_units(struct home *home)
{
	const struct compile *comp = &home->s->compile;

	for (unsigned int i = 0; i < comp->units.n; i++) {
		struct unit *u = comp->units.a[i];
		unsigned int id = u->groups.a[0]->list.a[0].clause->id;

		while (home->units.n <= id)
			vec_push(&home->units, NULL);
		home->units.a[id] = u;
	}
}

static void find_copies(struct home *home)
{
	const struct plan *plan = &home->s->plan;
	uint32_t zero = 0;

	for (unsigned int i = 0; i < plan->vars.n; i++) {
		const struct var_layout *v = plan->vars.a[i];
		struct copy copy = {.off = v->off};

		if (!v->ident->is_hosted || v->ident->is_assoc)
			continue;
		copy.of = shared_var(home, v->ident, v->size, 0);
		if (copy.of)
			vec_push(&home->copies, copy);
	}
	if (plan->maps.a[MAP_GLOBALS].is_used)
		home->globals =
		    bpf_interp_lookup(home->homes->in, home->s->load.fds.a[MAP_GLOBALS], &zero, 0);
}

bool home_load(struct home *home)
{
	struct abi_state *state;

	if (!compile_units(&home->s->compile) || !session_load(home->s))
		return false;
	find_units(home);
	find_copies(home);
	state = home->s->load.state;
	state->active = ABI_STATE_ACTIVE;
	return home->ok;
}

/* ---- running ---- */

/* What was sent: an item for each variable, and two for its fault. */
static void put_sent(struct home *home, const struct clause *c, const struct rec_desc *d,
		     const char *rec)
{
	const struct plan *plan = &home->s->plan;
	const struct var_layout *v;
	const struct ident *id;

	for (unsigned int i = 0; i < c->nsent; i++) {
		id = c->sent[i];
		for (unsigned int k = 0; k < 3; k++, id = id->fault) {
			const struct item *it = &d->items.a[3 * i + k];
			uint32_t size = it->enc == ITEM_INT ? 8 : it->size;

			v = map_get_int(plan->layouts, (uintptr_t)id);
			if (!v)
				continue;
			memset(home->globals + v->off, 0, v->size);
			memcpy(home->globals + v->off, rec + it->off,
			       size < v->size ? size : v->size);
		}
	}
}

void home_run(struct home *home, const struct rec_desc *d, const void *rec, size_t len)
{
	struct session *s = home->s;
	const struct abi_rec *r = rec;
	unsigned int id = d->clause->id;
	struct unit *u = id < home->units.n ? home->units.a[id] : NULL;
	struct bpf_firing firing = {.ctx = (void *)rec, .ctx_size = len, .cpu = r->cpu};

	if (!u || u->fd < 0)
		return;
	memcpy(&firing.ktime, (const char *)rec + d->time_off, sizeof(firing.ktime));
	put_sent(home, u->groups.a[0]->list.a[0].clause, d, rec);
	for (unsigned int i = 0; i < home->copies.n; i++)
		memcpy(home->globals + home->copies.a[i].off, home->copies.a[i].of->value,
		       home->copies.a[i].of->size);
	if (!bpf_interp_run(home->homes->in, home->sim.code.a[u->fd], &firing, NULL))
		report_error(&s->report, "a clause at the host for %s: %s", home->hosted->name,
			     bpf_interp_error(home->homes->in));
	for (unsigned int i = 0; i < home->copies.n; i++)
		memcpy(home->copies.a[i].of->value, home->globals + home->copies.a[i].off,
		       home->copies.a[i].of->size);
	s->consume.out->symctx = &s->consume;
	s->load.world->drain(&s->load);
}
