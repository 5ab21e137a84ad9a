/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.c: finds the clauses that run at the host, and runs them.
 *
 * Variables that machines share exist once, by name.  A second session has a copy of each variable
 * that its clauses use.  The values are copied in before a clause runs, and copied out afterwards.
 * Associative arrays are maps of the single interpreter.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "lower/lower.h"
#include "session/session.h"
#include "load/simulated.h"
#include "remote/hosted.h"

static bool hosting_faulted(void *ctx, const struct abi_error *e);

static const struct lang_row send_row = {
    .name = "(send)", .kind = IDENT_ACTION, .flags = LANG_RECORDS, .impl = &lw_send};

/* ---- clauses ---- */

/* Returns the next enabled clause of a session's programs.  *prog and c: the last position; 0 and
 * NULL. */
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
	const struct hosted *of;   /* the current machine */
	struct map *users;	   /* name -> the first machine that uses it */
	struct map *shared;	   /* name -> another machine that uses it */
	const struct ident *stack; /* the first shared stack: only one machine has its names */
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

/* Makes variables that are hosted for one machine hosted for all. */
static bool spread(struct finding *f, struct hosted *const *h, unsigned int n)
{
	bool changed = false;

	for (unsigned int i = 0; i < n; i++) {
		struct lang *l = h[i]->s->plan.env.lang;

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

/* Finds the first hosted variable of a clause. */
static void note_hosted(void *ctx, struct ident *id, bool is_assigned)
{
	const struct ident **first = ctx;

	if (id->is_hosted && !*first)
		*first = id;
}

/* If any clause is hosted, clauses of ERROR are, too, because they fire for its faults. */
static bool host_errors(const struct session *s)
{
	bool any = false, changed = false;

	each_clause (s, c)
		any |= c->is_hosted;
	each_clause (s, c) {
		if (!any || !is_of_error(c))
			continue;
		changed |= !c->is_hosted;
		c->is_error = c->is_hosted = true;
		changed |= lang_host_clause(c, false);
	}
	return changed;
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
			"machines cannot share %s: the names of a stack exist on one machine only",
			f.stack->name));
	do {
		changed = spread(&f, h, n);
		for (unsigned int i = 0; i < n; i++)
			each_clause (h[i]->s, c)
				changed |= lang_host_clause(c, is_all);
		for (unsigned int i = 0; i < n; i++)
			changed |= host_errors(h[i]->s);
	} while (changed);
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
			const struct ident *id = NULL;

			lang_clause_vars(c, note_hosted, &id);
			if (!id)
				continue;
			refuse(
			    h[i]->s, c->loc,
			    arena_printf(h[i]->s->arena,
					 "%s is shared by machines: this clause cannot run on %s "
					 "(-x execute)",
					 id->name, h[i]->name));
			return;
		}
	}
}

/* Marks the same variables as hosted in another session of the same programs. */
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

	copy_marks(was->s->plan.env.lang, h->s->plan.env.lang);
	each_clause (was->s, from) {
		c = next_clause(h->s, &prog, c);
		c->is_hosted = from->is_hosted;
		c->is_error = from->is_error;
	}
}

/* ---- second sessions ---- */

/* A shared variable: a variable of the program, or the map of an associative array. */
struct shared {
	const char *name;
	uint32_t size, key_size;
	void *value; /* of a scalar, string ... */
	int fd;	     /* of an associative array */
};

struct hostings {
	struct arena *arena;
	struct bpf_interp *in;
	struct map *shared; /* by name */
	struct consume *spec_keeper;
};

typedef VEC(struct clause *) clause_list;

/* Place of a variable in a second session. */
struct copy {
	uint32_t off; /* in the globals of the second session */
	struct shared *of;
};

struct hosting {
	struct simulated sim; /* the first member, because it is the data of the backend */
	struct hostings *hostings;
	struct hosted *hosted;
	struct session *s;
	struct procs *procs;	  /* of s when it was compiled */
	VEC(struct unit *) units; /* by clause */
	VEC(struct copy) copies;
	VEC(const struct var_layout *) locals; /* clause-local variables */
	clause_list errors;		       /* of ERROR */
	char *globals;			       /* variables of the second session; NULL: none */
	struct firing {			       /* the firing of the clause that ran last */
		uint64_t time;
		uint32_t cpu, probe;
	} last;
	const struct sent *running; /* NULL: no clause runs */
	bool ok;
};

/* Values that have arrived for a clause. */
struct sent {
	struct clause *clause;
	const struct rec_desc *desc;
	const struct abi_rec *rec;
	size_t len;
};

struct hostings *hostings_new(unsigned int ncpus)
{
	struct arena *a = arena_new();
	struct hostings *hs = arena_new_obj(a, struct hostings);

	hs->arena = a;
	hs->in = bpf_interp_new(ncpus);
	hs->shared = map_new();
	return hs;
}

void hostings_free(struct hostings *hs)
{
	if (!hs)
		return;
	bpf_interp_free(hs->in);
	map_free(hs->shared);
	arena_free(hs->arena);
}

/* Returns the shared variable of this name.  Returns NULL, after a message, if its size differs on
 * another machine. */
static struct shared *shared_var(struct hosting *hosting, const struct ident *id, uint32_t size,
				 uint32_t key_size)
{
	struct hostings *hs = hosting->hostings;
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
	hosting->ok =
	    refuse(hosting->s, id->loc,
		   arena_printf(hs->arena, "machines cannot share %s: its size differs on %s",
				id->name, hosting->hosted->name));
	return NULL;
}

/* Returns the map of a shared variable.  The first second session that needs the map creates it. */
static int shared_map(struct hosting *hosting, struct shared *sh, const struct plan_map *m)
{
	if (sh && sh->fd < 0)
		sh->fd = bpf_interp_map(hosting->hostings->in, (int)m->type, m->key_size,
					m->value_size, m->max_entries);
	return sh ? sh->fd : -1;
}

/* All machines share the speculations. */
static int find_spec_map(struct hosting *hosting, struct plan *plan, const struct plan_map *m)
{
	struct ident id = {.name = arena_printf(hosting->hostings->arena, "(%s)", m->name)};

	plan->shares_specs |= map_get_str(hosting->hostings->shared, id.name) != NULL;
	return shared_map(hosting, shared_var(hosting, &id, m->value_size, m->key_size), m);
}

/* Returns the map of a shared array; -1: the array is not shared. */
static int find_map(struct load *l, const struct plan_map *m)
{
	struct hosting *hosting = l->backend_data;
	struct plan *plan = l->plan;

	if (plan->spec_free &&
	    (m == &plan->maps.a[plan->spec_free] || m == &plan->maps.a[plan->spec_words] ||
	     m == &plan->maps.a[plan->spec_fill]))
		return find_spec_map(hosting, plan, m);
	for (unsigned int i = 0; i < plan->vars.n; i++) {
		const struct var_layout *v = plan->vars.a[i];

		if (v->ident->is_assoc && v->ident->is_hosted && &plan->maps.a[v->map] == m)
			return shared_map(
			    hosting, shared_var(hosting, v->ident, m->value_size, m->key_size), m);
	}
	return -1;
}

/* Splits the clauses of both sessions: either only clauses of ERROR, or all others.  Clauses of
 * ERROR come first, because the others also send their values. */
static bool split_some(struct session *there, struct session *here, struct lang_split *to_host,
		       struct lang_split *to_send, bool are_errors)
{
	struct clause *c = NULL;
	unsigned int prog = 0;
	bool ok = true;

	each_clause (there, from) {
		c = next_clause(here, &prog, c);
		assert(c && c->id == from->id);
		if (!from->is_hosted || from->is_error != are_errors)
			continue;
		c->is_hosted = true;
		c->is_error = from->is_error;
		ok = lang_split_clause(here->plan.env.lang, c, to_host) && ok;
		lang_split_clause(there->plan.env.lang, from, to_send);
	}
	return ok;
}

static void add_errors(const struct session *s, clause_list *list)
{
	each_clause (s, c)
		if (c->is_error)
			vec_push(list, c);
}

/* Splits the clauses, which are equal in both sessions, into their parts for the target and the
 * host. */
static bool split(struct hosting *hosting)
{
	struct session *there = hosting->hosted->s, *here = hosting->s;
	struct lang_split to_host = {.send = &send_row, .is_host = true};
	struct lang_split to_send = {.send = &send_row};
	clause_list errors = {0};
	bool ok;

	here->compile.diags.n = 0;
	ok = split_some(there, here, &to_host, &to_send, true);
	add_errors(there, &errors);
	add_errors(here, &hosting->errors);
	to_send.errors = errors.a;
	to_send.nerrors = errors.n;
	ok = split_some(there, here, &to_host, &to_send, false) && ok;
	vec_free(&errors);
	for (unsigned int i = 0; i < here->compile.diags.n; i++)
		report_diag(&here->report, &here->compile.diags.list[i]);
	return ok;
}

/* Clause-local variables that clauses of a firing share must outlast the run of one clause. */
static void keep_locals(struct lang *l)
{
	for (unsigned int i = 0; i < lang_nidents(l, IDENT_THIS); i++) {
		struct ident *id = lang_ident(l, IDENT_THIS, i);

		if (!id->is_hosted)
			continue;
		id->kind = IDENT_GLOBAL;
		id->is_of_firing = true;
	}
}

bool hosting_new(struct hostings *hs, struct hosted *h, struct session *s)
{
	struct hosting *hosting = mem_alloc(sizeof(*hosting));

	hosting->hostings = hs;
	hosting->hosted = h;
	hosting->s = s;
	hosting->ok = true;
	hosting->sim.in = hs->in;
	hosting->sim.ncpus = kern_ncpu_possible(s->plan.env.kern);
	hosting->sim.find_map = find_map;
	s->load.backend = &backend_simulated;
	s->load.backend_data = hosting;
	s->plan.opt.is_hosting = true;
	/* Processes are read where clauses fire. */
	hosting->procs = s->plan.env.procs;
	s->plan.env.procs = h->s->plan.env.procs;
	/* The records of a clause are consumed at once. */
	s->plan.opt.policy = PLAN_SWITCH;
	s->plan.opt.is_metered = false;
	s->consume.is_hosting = true;
	if (!hs->spec_keeper)
		hs->spec_keeper = &s->consume;
	s->consume.spec_keeper = hs->spec_keeper;
	h->hosting = hosting;
	s->consume.faulted = hosting_faulted;
	s->consume.faulted_ctx = hosting;
	copy_marks(h->s->plan.env.lang, s->plan.env.lang);
	if (!split(hosting))
		return false;
	keep_locals(s->plan.env.lang);
	return true;
}

struct session *hosting_session(struct hosting *hosting)
{
	return hosting->s;
}

void hosting_free(struct hosting *hosting)
{
	if (!hosting)
		return;
	vec_free(&hosting->units);
	hosting->s->plan.env.procs = hosting->procs;
	/* The other session owns the machine. */
	hosting->s->machine = NULL;
	session_free(hosting->s);
	vec_free(&hosting->copies);
	vec_free(&hosting->locals);
	vec_free(&hosting->errors);
	mem_free(hosting);
}

static void find_units(struct hosting *hosting)
{
	const struct compile *comp = &hosting->s->compile;

	for (unsigned int i = 0; i < comp->units.n; i++) {
		struct unit *u = comp->units.a[i];
		unsigned int id = u->groups.a[0]->list.a[0].clause->id;

		while (hosting->units.n <= id)
			vec_push(&hosting->units, NULL);
		hosting->units.a[id] = u;
	}
}

static void find_copies(struct hosting *hosting)
{
	const struct plan *plan = &hosting->s->plan;
	uint32_t zero = 0;

	for (unsigned int i = 0; i < plan->vars.n; i++) {
		const struct var_layout *v = plan->vars.a[i];
		struct copy copy = {.off = v->off};

		if (v->ident->is_of_firing)
			vec_push(&hosting->locals, v);
		if (!v->ident->is_hosted || v->ident->is_assoc || v->ident->is_of_firing)
			continue;
		copy.of = shared_var(hosting, v->ident, v->size, 0);
		if (copy.of)
			vec_push(&hosting->copies, copy);
	}
	if (plan->maps.a[MAP_GLOBALS].is_used)
		hosting->globals = bpf_interp_lookup(hosting->hostings->in,
						     hosting->s->load.fds.a[MAP_GLOBALS], &zero, 0);
}

bool hosting_load(struct hosting *hosting)
{
	struct abi_state *state;

	if (!compile_units(&hosting->s->compile) || !session_load(hosting->s))
		return false;
	find_units(hosting);
	find_copies(hosting);
	state = hosting->s->load.state;
	state->active = ABI_STATE_ACTIVE;
	return hosting->ok;
}

/* ---- running ---- */

/* Stores the value of a variable, if the program reads the variable. */
static void put(struct hosting *hosting, const struct ident *id, const void *value, uint32_t size)
{
	const struct var_layout *v = map_get_int(hosting->s->plan.layouts, (uintptr_t)id);

	if (!v)
		return;
	memset(hosting->globals + v->off, 0, v->size);
	memcpy(hosting->globals + v->off, value, size < v->size ? size : v->size);
}

/* Stores whether a string is NULL, in the byte after its text (src/lower/var.c). */
static void put_null(struct hosting *hosting, const struct ident *id, bool is_null)
{
	const struct var_layout *v = map_get_int(hosting->s->plan.layouts, (uintptr_t)id);

	if (v)
		hosting->globals[v->off + hosting->s->plan.opt.strsize] = is_null;
}

static void put_item(struct hosting *hosting, const struct sent *sent, unsigned int item,
		     const struct ident *id)
{
	const struct item *it = &sent->desc->items.a[item];

	put(hosting, id, (const char *)sent->rec + it->off, it->enc == ITEM_INT ? 8 : it->size);
}

static uint64_t item_word(const struct sent *sent, unsigned int item)
{
	uint64_t v;

	memcpy(&v, (const char *)sent->rec + sent->desc->items.a[item].off, sizeof(v));
	return v;
}

/* Stores the sent variables of a clause: three items each, two for the fault.  Returns the next
 * item. */
static unsigned int put_sent(struct hosting *hosting, const struct sent *sent,
			     const struct clause *c, unsigned int first, bool has_words)
{
	for (unsigned int i = 0; i < c->nsent; i++) {
		const struct ident *id = c->sent[i];

		if (id->row && !has_words)
			continue;
		put_item(hosting, sent, first, id);
		put_item(hosting, sent, first + 1, id->fault);
		put_item(hosting, sent, first + 2, id->fault->fault);
		if (type_is_string(id->type) && !item_word(sent, first + 1))
			put_null(hosting, id, item_word(sent, first + 2));
		first += 3;
	}
	return first;
}

/* A hosted clause runs for the thread that fired it. */
static void set_thread(struct bpf_firing *firing, const void *thread)
{
	struct abi_thread t;

	memcpy(&t, thread, sizeof(t));
	firing->pid = t.tid;
	firing->tgid = t.pid;
	memcpy(firing->comm, t.name, sizeof(firing->comm));
}

/* Runs the clause with the values in its variables, and consumes its records. */
static void run(struct hosting *hosting, const struct sent *sent)
{
	struct session *s = hosting->s;
	struct bpf_interp *in = hosting->hostings->in;
	struct unit *u = hosting->units.a[sent->clause->id];
	struct bpf_firing firing = {
	    .ctx = (void *)sent->rec, .ctx_size = sent->len, .cpu = sent->rec->cpu};
	const struct sent *was = hosting->running;

	memcpy(&firing.ktime, (const char *)sent->rec + sent->desc->time_off, sizeof(firing.ktime));
	if (sent->desc->thread_off)
		set_thread(&firing, (const char *)sent->rec + sent->desc->thread_off);
	for (unsigned int i = 0; i < hosting->copies.n; i++)
		memcpy(hosting->globals + hosting->copies.a[i].off, hosting->copies.a[i].of->value,
		       hosting->copies.a[i].of->size);
	if (!bpf_interp_run(in, hosting->sim.code.a[u->fd], &firing, NULL))
		report_error(&s->report, "could not run a clause for target %s at the host: %s",
			     hosting->hosted->name, bpf_interp_error(in));
	for (unsigned int i = 0; i < hosting->copies.n; i++)
		memcpy(hosting->copies.a[i].of->value, hosting->globals + hosting->copies.a[i].off,
		       hosting->copies.a[i].of->size);
	hosting->running = sent;
	s->consume.out->symctx = &s->consume;
	s->load.backend->drain(&s->load);
	hosting->running = was;
}

/* Clears clause-local variables at the start of a firing.  The clauses of a firing run one by
 * one. */
static void clear_locals(struct hosting *hosting)
{
	for (unsigned int i = 0; i < hosting->locals.n; i++)
		memset(hosting->globals + hosting->locals.a[i]->off, 0, hosting->locals.a[i]->size);
}

static void begin_firing(struct hosting *hosting, const struct sent *sent)
{
	struct firing f = {.cpu = sent->rec->cpu, .probe = sent->rec->probe};

	memcpy(&f.time, (const char *)sent->rec + sent->desc->time_off, sizeof(f.time));
	if (f.time == hosting->last.time && f.cpu == hosting->last.cpu &&
	    f.probe == hosting->last.probe)
		return;
	hosting->last = f;
	clear_locals(hosting);
}

/* Runs a clause of ERROR between the clauses of a firing.  Its clause-local variables are its
 * own. */
static void run_error(struct hosting *hosting, const struct sent *sent)
{
	uint32_t size = hosting->s->plan.globals_size;
	char *was = mem_alloc(size + 1);

	if (hosting->globals)
		memcpy(was, hosting->globals, size);
	clear_locals(hosting);
	run(hosting, sent);
	if (hosting->globals)
		memcpy(hosting->globals, was, size);
	mem_free(was);
}

/* Stores a built-in variable of ERROR for a fault at the host. */
static void put_word(struct hosting *hosting, const struct ident *id, const struct clause *c,
		     const struct abi_error *e)
{
	const struct plan *plan = &hosting->s->plan;
	const struct rec_desc *d = plan->descs.a[e->desc];
	bool by_clause = dialect_has(plan->opt.dialect, DIALECT_ERROR_CLAUSE);
	const struct clause_probes *cp = c->probes;
	const struct probe *p = cp->list.a[0];
	const char *const texts[] = {"probeprov", p->prov, "probemod",	p->mod,
				     "probefunc", p->func, "probename", p->name};
	const struct {
		const char *name;
		uint64_t value;
	} words[] = {
	    {"arg1", by_clause ? e->rec.probe : d->epid_base + e->rec.probe - d->probe_base},
	    {"arg2", by_clause ? d->clause->id : e->action},
	    {"arg3", (uint64_t)-1},
	    {"arg4", e->fault},
	    {"arg5", e->value},
	    {"epid", cp->epid_base},
	    {"id", p->id}};
	uint64_t value = 0;

	put(hosting, id->fault, &value, sizeof(value));
	for (unsigned int i = 0; i < sizeof(texts) / sizeof(texts[0]); i += 2)
		if (strcmp(texts[i], id->row->name) == 0) {
			put(hosting, id, texts[i + 1], (uint32_t)strlen(texts[i + 1]) + 1);
			return;
		}
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].name, id->row->name) == 0)
			value = words[i].value;
	put(hosting, id, &value, sizeof(value));
}

static void lose_error(struct hosting *hosting, unsigned int cpu)
{
	struct load *l = &hosting->s->load;
	uint64_t *drops = mem_alloc((size_t)hosting->sim.ncpus * ABI_DROP_MAX * sizeof(*drops));
	uint32_t zero = 0;

	if (l->backend->lookup(l, MAP_DROPS, &zero, drops)) {
		drops[cpu * ABI_DROP_MAX + ABI_DROP_DBLERROR]++;
		l->backend->update(l, MAP_DROPS, &zero, drops, BPF_ANY);
	}
	mem_free(drops);
}

/* Fires a clause of ERROR.  The record has the values of the firing that the clause uses, from
 * `item` on.  Returns the next item. */
static unsigned int fire_error(struct hosting *hosting, const struct sent *of, unsigned int item,
			       struct clause *c, const struct abi_error *e)
{
	const struct clause_probes *cp = c->probes;
	struct abi_rec *rec = mem_alloc(of->len);
	struct sent sent = {.clause = c, .desc = of->desc, .rec = rec, .len = of->len};

	memcpy(rec, of->rec, of->len);
	rec->probe = cp->list.a[0]->id;
	item = put_sent(hosting, of, c, item, false);
	for (unsigned int i = 0; i < c->nsent; i++)
		if (c->sent[i]->row)
			put_word(hosting, c->sent[i], c, e);
	run_error(hosting, &sent);
	mem_free(rec);
	return item;
}

static bool hosting_faulted(void *ctx, const struct abi_error *e)
{
	struct hosting *hosting = ctx;
	struct sent of = *hosting->running;
	unsigned int item = 3 * of.clause->nsent;

	if (of.clause->is_error) {
		lose_error(hosting, of.rec->cpu);
		return false;
	}
	for (unsigned int i = 0; i < hosting->errors.n; i++)
		item = fire_error(hosting, &of, item, hosting->errors.a[i], e);
	return true;
}

/* After exit() only END and ERROR run. */
static bool outlasts_exit(const struct hosting *hosting, const struct sent *sent)
{
	const struct probe *p = probe_by_id(hosting->hosted->s->plan.env.probes, sent->rec->probe);

	return sent->desc->clause->is_error || (p && p->fired == FIRED_AT_END);
}

void hosting_run(struct hosting *hosting, const struct rec_desc *d, const void *rec, size_t len,
		 bool has_exited)
{
	unsigned int id = d->clause->id;
	struct unit *u = id < hosting->units.n ? hosting->units.a[id] : NULL;
	struct sent sent = {.desc = d, .rec = rec, .len = len};

	if (!u || u->fd < 0 || (has_exited && !outlasts_exit(hosting, &sent)))
		return;
	sent.clause = u->groups.a[0]->list.a[0].clause;
	put_sent(hosting, &sent, sent.clause, 0, true);
	if (sent.clause->is_error) {
		run_error(hosting, &sent);
		return;
	}
	begin_firing(hosting, &sent);
	run(hosting, &sent);
}
