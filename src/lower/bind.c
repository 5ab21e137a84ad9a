/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bind.c: names that stand for expressions: parameters of inlines and translators, arguments of
 * probes.  A binding keeps the environment of its own expression.  The expression is lowered at
 * each use, and the memo makes all but the first use free.  Equal bindings are one object, so an
 * environment is identified by its address.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "lower/leaf.h"

static struct binding *find(struct lw *lw, struct ident *param)
{
	struct binding *b = lw->env;

	while (b && b->param != param)
		b = b->next;
	assert(b);
	return b;
}

struct lw_saved {
	struct binding *env;
	bool trusted, in_site;
};

static struct lw_saved enter(struct lw *lw, struct binding *env)
{
	struct lw_saved s = {lw->env, lw->firing.trusted, lw->firing.in_site};

	lw->env = env;
	return s;
}

static void leave(struct lw *lw, struct lw_saved s)
{
	lw->env = s.env;
	lw->firing.trusted = s.trusted;
	lw->firing.in_site = s.in_site;
}

struct val lw_in_binding(struct lw *lw, const struct expr *e,
			 struct val (*f)(struct lw *, const struct expr *))
{
	struct binding *b = find(lw, e->ident);
	struct lw_saved s;
	struct val v;

	s = enter(lw, b->env);
	lw->firing.in_site = b->in_site;
	v = f(lw, b->expr);
	leave(lw, s);
	return v;
}

struct strv lw_str_in_binding(struct lw *lw, const struct expr *e)
{
	struct binding *b = find(lw, e->ident);
	struct lw_saved s;
	struct strv v;

	s = enter(lw, b->env);
	lw->firing.in_site = b->in_site;
	v = lw_str(lw, b->expr);
	leave(lw, s);
	return v;
}

/*
 * Returns true if an expression has the same value at each evaluation, while no memory changes.
 * Parameters are not examined: their bindings say it.  Variables of libraries count as pure, since
 * their changes are tracked.  Bodies of inlines are examined once.
 */
static bool is_pure(struct lw *lw, const struct expr *e);

static bool body_is_pure(struct lw *lw, const struct expr *e)
{
	static const bool answers[] = {false, true};
	struct memo_key k = {.op = MEMO_PURE, .a = e};
	const bool *known = memo_get(lw, &k);

	if (!known) {
		known = &answers[is_pure(lw, e)];
		memo_put(lw, &k, (void *)known);
	}
	return *known;
}

static bool ident_is_pure(struct lw *lw, const struct ident *id)
{
	switch (id->kind) {
	case IDENT_PARAM:
	case IDENT_KSYM:
		return true;
	case IDENT_INLINE:
		return body_is_pure(lw, id->expr);
	case IDENT_GLOBAL:
	case IDENT_THIS:
		return id->is_library && !id->is_assoc && type_is_scalar(id->type);
	default:
		return false;
	}
}

static bool all_pure(struct lw *lw, const struct expr *e)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		if (!is_pure(lw, e->args[i]))
			return false;
	return true;
}

static bool is_pure(struct lw *lw, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
	case EXPR_SIZEOF:
	case EXPR_OFFSETOF:
		return true;
	case EXPR_IDENT:
		return ident_is_pure(lw, e->ident);
	case EXPR_UNARY:
		return e->op != OP_PREINC && e->op != OP_PREDEC && e->op != OP_POSTINC &&
		       e->op != OP_POSTDEC && is_pure(lw, e->x);
	case EXPR_BINARY:
		return is_pure(lw, e->x) && is_pure(lw, e->y);
	case EXPR_COND:
		return is_pure(lw, e->x) && is_pure(lw, e->y) && is_pure(lw, e->z);
	case EXPR_MEMBER:
		if (e->xmember)
			return is_pure(lw, e->x->xsrc) && body_is_pure(lw, e->xmember->expr);
		return is_pure(lw, e->x);
	case EXPR_INDEX:
		if (e->is_native_arg)
			return true;
		return (e->ident ? ident_is_pure(lw, e->ident) : is_pure(lw, e->x)) &&
		       all_pure(lw, e);
	case EXPR_CAST:
		return is_pure(lw, e->x);
	case EXPR_XLATE:
		return is_pure(lw, e->xsrc);
	case EXPR_CALL:
		return e->ident->kind == IDENT_FUNC &&
		       ((const struct builtin_func *)e->ident->row->impl)->is_pure &&
		       all_pure(lw, e);
	default:
		return false;
	}
}

/* Returns a binding in this environment.  A parameter is replaced by its own binding. */
static struct binding *bind(struct lw *lw, struct ident *param, const struct expr *expr,
			    struct binding *next)
{
	struct binding b = {.param = param,
			    .expr = expr,
			    .env = lw->env,
			    .in_site = lw->firing.in_site,
			    .next = next};
	struct memo_key k = {.op = MEMO_BINDING, .imm = (int64_t)(intptr_t)param};
	struct binding *known;

	if (expr->kind == EXPR_IDENT && expr->ident->kind == IDENT_PARAM) {
		const struct binding *outer = find(lw, expr->ident);

		b.expr = outer->expr;
		b.env = outer->env;
		b.in_site = outer->in_site;
	}
	k.imm2 = (int64_t)(intptr_t)b.expr;
	k.a = b.env;
	k.b = next;
	k.flags = b.in_site;
	known = memo_get(lw, &k);
	if (known)
		return known;
	b.is_pure = is_pure(lw, b.expr) && (!b.env || b.env->is_pure) && (!next || next->is_pure);
	known = arena_new_obj(lw->mod->arena, struct binding);
	*known = b;
	memo_put(lw, &k, known);
	return known;
}

struct val lw_branched(struct lw *lw, const struct expr *e,
		       struct val (*f)(struct lw *, const struct expr *))
{
	struct memo_key k = {.op = MEMO_BRANCHED,
			     .flags = lw->firing.trusted,
			     .imm = lw->mem.nwrites,
			     .imm2 = lw->mem.nfound,
			     .a = e,
			     .b = lw->env};
	struct val *known;

	if ((lw->env && !lw->env->is_pure) || !is_pure(lw, e))
		return f(lw, e);
	known = memo_get(lw, &k);
	if (!known) {
		known = arena_new_obj(lw->mod->arena, struct val);
		*known = f(lw, e);
		memo_put(lw, &k, known);
	}
	return *known;
}

/* Returns the translator's parameter, bound to the source of the translated object e->x. */
static struct binding *xlator_binding(struct lw *lw, const struct expr *e)
{
	const struct expr *obj = e->x;

	assert(obj->xlator && obj->xsrc);
	return bind(lw, obj->xlator->param, obj->xsrc, NULL);
}

struct val lw_in_xlator(struct lw *lw, const struct expr *e,
			struct val (*f)(struct lw *, const struct expr *))
{
	struct lw_saved s = enter(lw, xlator_binding(lw, e));
	struct val v;

	lw->firing.trusted = true;
	v = f(lw, e->xmember->expr);
	leave(lw, s);
	v.type = e->type;
	return v;
}

/*
 * Strings of a translated argument are made once per scope.  The key is the member and the number
 * of the native argument.  Only whole strings in scratch memory are kept.
 */
static bool str_key(struct lw *lw, const struct expr *e, struct memo_key *k)
{
	const struct expr *src = e->x->xsrc;

	*k = (struct memo_key){.op = MEMO_STR, .imm = (int64_t)(intptr_t)e->xmember};
	if (!src->is_native_arg || lw->firing.in_site)
		return false;
	k->imm2 = (int64_t)src->val;
	return true;
}

bool lw_str_is_known(struct lw *lw, const struct expr *e)
{
	struct memo_key k;

	return str_key(lw, e, &k) && memo_get(lw, &k);
}

struct strv lw_str_in_xlator(struct lw *lw, const struct expr *e)
{
	struct strv v = {.size = lw->plan->opt.strsize, .mem = IR_MEM_MAP};
	struct memo_key k;
	bool can_keep = str_key(lw, e, &k);
	struct lw_saved s;

	v.p = can_keep ? memo_get(lw, &k) : NULL;
	if (v.p)
		return v;
	s = enter(lw, xlator_binding(lw, e));
	lw->firing.trusted = true;
	v = lw_str(lw, e->xmember->expr);
	leave(lw, s);
	if (can_keep && !v.found && v.mem == IR_MEM_MAP && v.size == lw->plan->opt.strsize)
		memo_put(lw, &k, v.p);
	return v;
}

struct ir_ins *lw_str_into_xlator(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				  uint32_t size, enum ir_mem mem)
{
	struct lw_saved s = enter(lw, xlator_binding(lw, e));
	struct ir_ins *found;

	lw->firing.trusted = true;
	found = lw_str_or_null(lw, e->xmember->expr, dst, size, mem);
	leave(lw, s);
	return found;
}

/* Returns the parameters of inline f[a, b], bound to the index expressions. */
static struct binding *inline_bindings(struct lw *lw, const struct expr *e)
{
	struct binding *b = NULL;

	for (unsigned int i = 0; i < e->nargs; i++)
		b = bind(lw, e->ident->params[i], e->args[i], b);
	return b;
}

struct val lw_inline(struct lw *lw, const struct expr *e)
{
	struct lw_saved s = enter(lw, inline_bindings(lw, e));
	struct val v;

	v = lw_expr(lw, e->ident->expr);
	leave(lw, s);
	v.type = e->type;
	return v;
}

struct strv lw_str_inline(struct lw *lw, const struct expr *e)
{
	struct lw_saved s = enter(lw, inline_bindings(lw, e));
	struct strv v;

	v = lw_str(lw, e->ident->expr);
	leave(lw, s);
	return v;
}

/*
 * Returns native argument n of the published probe: the site's returned value, or the mechanism's
 * argument.
 */
struct val lw_arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct stmt *ret = lw->firing.site && !lw->firing.in_site ? lw->firing.site_ret : NULL;
	struct lw_saved s;
	struct val v;

	if (!ret)
		return lw_outside(lw, lw->firing.mech->arg(lw, n, type));
	if (n >= ret->nargs)
		return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
	s = enter(lw, NULL);
	lw->firing.trusted = true;
	lw->firing.in_site = true;
	v = type_is_scalar(ret->args[n]->type) ? lw_expr(lw, ret->args[n])
					       : lw_addr(lw, ret->args[n]);
	leave(lw, s);
	v.type = type;
	return v;
}

/*
 * Removes the upper half of a register with an int, which compilers leave undefined.  If the probes
 * of a group differ, a table has the number of bits to drop, plus 256 for a signed integer.
 */
static struct ir_ins *narrowed(struct lw *lw, struct ir_ins *v, unsigned int n)
{
	const struct group *g = lw->firing.group;
	uint32_t *rows = lw_key_table(lw), row = 0;
	struct ir_ins *by_key, *bits, *is_signed, *mask;
	bool differ = false;
	int size = 0;

	for (unsigned int i = 0; i < g->probes.n; i++) {
		size = lw->firing.mech->raw_size(lw->plan, g->probes.a[i], n);
		row = size ? 64 - 8 * (uint32_t)abs(size) + (size < 0) * 256U : 0;
		rows[g->probes.a[i]->key] = row;
		differ |= row != rows[g->probes.a[0]->key];
	}
	if (!differ)
		return size ? lw_norm(
				  lw, v,
				  type_int(lw->plan->env.types, (unsigned int)abs(size), size < 0))
			    : v;
	by_key = lw_by_key(lw, rows);
	bits = lw_bini(lw, IR_AND, by_key, 63);
	is_signed = lw_bini(lw, IR_LSHR, by_key, 8);
	mask = lw_bin(lw, IR_SUB, lw_const(lw, 0), is_signed);
	v = lw_bin(lw, IR_SHL, v, bits);
	return lw_bin(lw, IR_OR, lw_bin(lw, IR_LSHR, v, bits),
		      lw_bin(lw, IR_AND, lw_bin(lw, IR_ASHR, v, bits), mask));
}

static struct ir_ins *mechanism_arg(struct lw *lw, unsigned int n)
{
	struct memo_key k = {.op = MEMO_RAW_ARG, .imm = n};
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw->firing.mech->rawarg(lw, n);
		if (lw->firing.mech->raw_size)
			v = narrowed(lw, v, n);
		memo_put(lw, &k, v);
	}
	return v;
}

struct ir_ins *lw_rawarg(struct lw *lw, unsigned int n)
{
	struct stmt *ret = lw->firing.site && !lw->firing.in_site ? lw->firing.site_ret : NULL;
	const struct lang_args *a = lw->unit->plan->args;

	if (ret)
		return n < ret->nargs ? lw_number(lw, lw_arg(lw, n, ret->args[n]->type))
				      : lw_const(lw, 0);
	if (lw->firing.mech->rawarg)
		return mechanism_arg(lw, n);
	return n < a->nnative ? lw_number(lw, lw->firing.mech->arg(lw, n, a->native[n]))
			      : lw_const(lw, 0);
}
