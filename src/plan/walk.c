/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.c: finds the data that a unit evaluates.  Every expression of its clauses and sites is
 * followed to its variables and built-ins: through inlines, arguments that a site returns, and
 * translators. Translators are followed member by member, because unused members are never made.
 * The lowering takes the same paths (src/lower/bind.c) and relies on the results.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/map.h"
#include "plan/plan.h"

/* The expression of a parameter, and the environment of the expression. */
struct bound {
	const struct ident *param;
	const struct expr *expr;
	const struct bound *env, *next;
	bool in_site;
};

struct walk {
	struct plan *plan;
	struct unit_plan *up;
	const struct group *group;
	const struct bound *env;
	struct stmt *ret; /* site's native arguments; NULL: the mechanism's */
	uint64_t args;	  /* arguments of ret that have been followed */
	bool in_site;
};

static void walk(struct walk *w, const struct expr *e);

/* ---- memory and variables ---- */

struct firing_mem *plan_mem_find(const struct unit_plan *up, const void *owner)
{
	return map_get_int(up->mem_by_owner, (uintptr_t)owner);
}

static void add_mem(struct plan *plan, struct unit_plan *up, const void *owner, uint32_t size)
{
	struct firing_mem *m = plan_mem_find(up, owner);

	if (m)
		return;
	m = arena_new_obj(plan->env.arena, struct firing_mem);
	*m = (struct firing_mem){.owner = owner, .size = (size + 7) & ~7U};
	vec_push(&up->mems, m);
	map_set_int(up->mem_by_owner, (uintptr_t)owner, m);
}

static struct var_use *var_use(struct walk *w, struct ident *id)
{
	struct var_use *v = map_get_int(w->up->use_by_ident, (uintptr_t)id);

	if (!v) {
		v = arena_new_obj(w->plan->env.arena, struct var_use);
		v->ident = id;
		vec_push(&w->up->vars, v);
		map_set_int(w->up->use_by_ident, (uintptr_t)id, v);
	}
	return v;
}

/* Notes clause-locals that a group uses.  They are emptied when one of its probes fires. */
static void note_group(struct walk *w, struct var_use *v)
{
	if (v->ident->kind != IDENT_THIS || v->last_group == w->group)
		return;
	v->last_group = w->group;
	vec_push(&w->up->locals, ((struct local_use){w->group, v->ident}));
}

static void read_var(struct walk *w, struct ident *id)
{
	struct var_use *v = var_use(w, id);

	v->is_read = id->is_read = true;
	note_group(w, v);
	if (id->fault)
		read_var(w, id->fault);
}

static void write_var(struct walk *w, struct ident *id)
{
	struct var_use *v = var_use(w, id);

	w->up->nlocals += !v->is_written && id->kind == IDENT_THIS && type_is_scalar(id->type);
	v->is_written = true;
	note_group(w, v);
}

/* ---- names that stand for expressions ---- */

static void walk_in(struct walk *w, const struct expr *e, const struct bound *env, bool in_site)
{
	const struct bound *was = w->env;
	bool was_in_site = w->in_site;

	w->env = env;
	w->in_site = in_site;
	walk(w, e);
	w->env = was;
	w->in_site = was_in_site;
}

static void walk_param(struct walk *w, const struct ident *param)
{
	const struct bound *b = w->env;

	while (b && b->param != param)
		b = b->next;
	assert(b);
	walk_in(w, b->expr, b->env, b->in_site);
}

/* Follows native argument n.  A site's return needs no environment, so once is enough. */
static void walk_arg(struct walk *w, uint64_t n)
{
	if (!w->ret || w->in_site || n >= w->ret->nargs || (n < 64 && w->args & 1ULL << n))
		return;
	w->args |= n < 64 ? 1ULL << n : 0;
	walk_in(w, w->ret->args[n], NULL, true);
}

static void note_member(struct walk *w, struct xmember *m, const struct type *of)
{
	if (map_get_int(w->up->member_seen, (uintptr_t)m))
		return;
	map_set_int(w->up->member_seen, (uintptr_t)m, m);
	vec_push(&w->up->members, ((struct member_use){of, m}));
}

static void walk_member(struct walk *w, const struct expr *e)
{
	const struct expr *obj = e->x;
	struct bound b;

	if (!e->xmember) {
		walk(w, obj);
		return;
	}
	b = (struct bound){
	    .param = obj->xlator->param, .expr = obj->xsrc, .env = w->env, .in_site = w->in_site};
	note_member(w, e->xmember, obj->xlator->out);
	walk_in(w, e->xmember->expr, &b, w->in_site);
}

static void walk_inline(struct walk *w, const struct expr *e)
{
	struct bound b[LANG_PARAMS_MAX];

	assert(e->nargs <= LANG_PARAMS_MAX);
	for (unsigned int i = 0; i < e->nargs; i++)
		b[i] = (struct bound){.param = e->ident->params[i],
				      .expr = e->args[i],
				      .env = w->env,
				      .next = i ? &b[i - 1] : NULL,
				      .in_site = w->in_site};
	walk_in(w, e->ident->expr, e->nargs ? &b[e->nargs - 1] : NULL, w->in_site);
}

/* ---- expressions ---- */

static void walk_all(struct walk *w, struct expr *const *list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		walk(w, list[i]);
}

static void use_builtin(struct walk *w, const struct lang_row *row)
{
	const struct builtin_use *use;

	if (!row->impl)
		return;
	switch (row->kind) {
	case IDENT_BUILTIN:
		use = &((const struct builtin_var *)row->impl)->use;
		break;
	case IDENT_FUNC:
		use = &((const struct builtin_func *)row->impl)->use;
		break;
	case IDENT_ACTION:
		use = &((const struct builtin_act *)row->impl)->use;
		break;
	default:
		return;
	}
	if (use->firing_strings)
		add_mem(w->plan, w->up, row, use->firing_strings * w->plan->opt.strsize);
	w->up->has_area |= use->area;
	if (use->map)
		plan_leaf_map(w->plan, use->map);
	w->up->needs_running |= use->running;
	w->up->has_result |= use->result;
	w->plan->watches_machine |= use->machine;
	if (use->user_addrs)
		plan_users(w->plan, use->user_stack);
	if (use->language_frames)
		plan_frames(w->plan);
	if (use->speculations)
		plan_specs(w->plan);
	if (use->raw_arg) {
		w->up->narg_uses[use->raw_arg - 1]++;
		walk_arg(w, use->raw_arg - 1);
	}
}

static void walk_ident(struct walk *w, const struct expr *e)
{
	struct ident *id = e->ident;

	switch (id->kind) {
	case IDENT_GLOBAL:
	case IDENT_SELF:
	case IDENT_THIS:
		read_var(w, id);
		break;
	case IDENT_BUILTIN:
		use_builtin(w, id->row);
		break;
	case IDENT_INLINE:
		walk(w, id->expr);
		break;
	case IDENT_PARAM:
		walk_param(w, id);
		break;
	default:
		break;
	}
}

static void walk_index(struct walk *w, const struct expr *e)
{
	if (e->is_native_arg) {
		walk_arg(w, e->val);
	} else if (e->ident && e->ident->kind == IDENT_INLINE) {
		walk_inline(w, e);
	} else if (e->ident && e->ident->is_assoc) {
		walk_all(w, e->args, e->nargs);
		read_var(w, e->ident);
	} else {
		if (e->ident && e->ident->kind == IDENT_BUILTIN)
			use_builtin(w, e->ident->row);
		else
			walk(w, e->x);
		walk_all(w, e->args, e->nargs);
	}
}

/* Returns the variable that an lvalue is a part of; NULL: other memory. */
static struct ident *variable_of(const struct expr *x)
{
	while ((x->kind == EXPR_MEMBER && !x->is_arrow && !x->xmember) ||
	       (x->kind == EXPR_INDEX && !x->ident && !type_is_pointer(x->x->type)))
		x = x->x;
	return plan_is_variable(x) && x->ident->kind <= IDENT_THIS ? x->ident : NULL;
}

/*
 * Follows the left side of an assignment.  A whole variable is only written, but an lvalue inside a
 * variable or in other memory needs its address.
 */
static void walk_lvalue(struct walk *w, const struct expr *x, bool is_read)
{
	struct ident *id = variable_of(x);

	if (!plan_is_variable(x)) {
		w->up->has_area |= !id;
		walk(w, x);
	} else if (x->kind == EXPR_INDEX) {
		walk_all(w, x->args, x->nargs);
	}
	if (id && is_read)
		read_var(w, id);
	if (id)
		write_var(w, id);
}

static void walk_assign(struct walk *w, const struct expr *e)
{
	if (e->x->kind == EXPR_AGG) {
		walk_all(w, e->y->args, e->y->nargs);
		walk_all(w, e->x->args, e->x->nargs);
		return;
	}
	walk(w, e->y);
	walk_lvalue(w, e->x, e->op != OP_NONE);
}

static void walk(struct walk *w, const struct expr *e)
{
	for (unsigned int i = 0; e->whole && i < e->xlator->nmembers; i++)
		walk(w, e->whole[i]);
	if (e->whole)
		return;
	switch (e->kind) {
	case EXPR_INT:
	case EXPR_STR:
	case EXPR_SIZEOF:
	case EXPR_OFFSETOF:
		return;
	case EXPR_AGG:
		e->ident->is_read = true;
		return;
	case EXPR_IDENT:
		walk_ident(w, e);
		return;
	case EXPR_UNARY:
		if (e->op >= OP_PREINC)
			walk_lvalue(w, e->x, true);
		else
			walk(w, e->x);
		return;
	case EXPR_BINARY:
		plan_note_named(w->plan, e);
		walk(w, e->x);
		walk(w, e->y);
		return;
	case EXPR_COND:
		walk(w, e->x);
		walk(w, e->y);
		walk(w, e->z);
		return;
	case EXPR_ASSIGN:
		walk_assign(w, e);
		return;
	case EXPR_CALL:
		if (e->ident->row)
			use_builtin(w, e->ident->row);
		plan_note_named(w->plan, e);
		walk_all(w, e->args, e->nargs);
		return;
	case EXPR_MEMBER:
		walk_member(w, e);
		return;
	case EXPR_INDEX:
		walk_index(w, e);
		return;
	case EXPR_CAST:
	case EXPR_STRINGOF:
		walk(w, e->x);
		return;
	case EXPR_XLATE:
		walk(w, e->xsrc);
		return;
	}
}

/* ---- units ---- */

static void walk_clause(struct walk *w, const struct clause *c)
{
	if (c->pred)
		walk(w, c->pred);
	for (unsigned int i = 0; i < c->nparts; i++) {
		const struct part *pt = &c->parts[i];

		if (pt->cond)
			walk(w, pt->cond);
		for (struct stmt *s = pt->stmts; s; s = s->next)
			if (s->kind == STMT_EXPR)
				walk(w, s->expr);
	}
}

bool plan_needs_running(struct plan *plan, const struct clause *c)
{
	struct unit_plan up = {
	    .use_by_ident = map_new(), .mem_by_owner = map_new(), .member_seen = map_new()};
	struct walk w = {.plan = plan, .up = &up};

	walk_clause(&w, c);
	unit_plan_free(&up);
	return up.needs_running;
}

static void walk_site(struct walk *w, struct clause *site)
{
	struct stmt *s;

	w->in_site = true;
	if (site->thread)
		walk(w, site->thread);
	if (site->pred)
		walk(w, site->pred);
	for (s = site->body; s && s->kind != STMT_RETURN; s = s->next)
		walk(w, s->expr);
	w->in_site = false;
	w->ret = s;
	w->args = 0;
}

static void walk_group(struct walk *w, const struct group *g)
{
	const struct clause *site = NULL;

	w->group = g;
	for (unsigned int i = 0; i < g->list.n; i++) {
		struct enabling *en = &g->list.a[i];

		if (en->site && en->site != site)
			walk_site(w, en->site);
		if (!en->site)
			w->ret = NULL;
		site = en->site;
		walk_clause(w, en->clause);
	}
}

static void place_mems(struct plan *plan, struct unit_plan *up)
{
	for (unsigned int i = 0; i < up->locals.n; i++) {
		struct ident *id = up->locals.a[i].ident;
		const struct var_use *v = map_get_int(up->use_by_ident, (uintptr_t)id);

		if (!type_is_scalar(id->type) || (v->is_written && up->nlocals > PLAN_LOCALS_MAX))
			add_mem(plan, up, id, plan_var_size(plan, id->type));
	}
	/* The area is last, so that the other memory is contiguous. */
	if (up->has_area)
		add_mem(plan, up, up, plan_area_size(plan));
	for (unsigned int i = 0; i < up->mems.n; i++) {
		up->mems.a[i]->off = ABI_SCRATCH_HEAD + up->mem_size;
		up->mem_size += up->mems.a[i]->size;
	}
}

void unit_plan_free(struct unit_plan *up)
{
	if (!up)
		return;
	vec_free(&up->vars);
	vec_free(&up->locals);
	vec_free(&up->members);
	vec_free(&up->mems);
	map_free(up->use_by_ident);
	map_free(up->mem_by_owner);
	map_free(up->member_seen);
}

void unit_plan_make(struct plan *plan, struct unit *u)
{
	struct unit_plan *up = arena_new_obj(plan->env.arena, struct unit_plan);
	struct walk w = {.plan = plan, .up = up};

	unit_plan_free(u->plan);
	u->plan = up;
	up->use_by_ident = map_new();
	up->mem_by_owner = map_new();
	up->member_seen = map_new();
	for (unsigned int i = 0; i < u->groups.n; i++)
		walk_group(&w, u->groups.a[i]);
	place_mems(plan, up);
}
