/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bind.c: names that stand for expressions: parameters of inlines and translators, arguments of
 * probes.  A binding keeps the environment of its own expression; the expression is lowered at each
 * use, and the memo makes all but the first use free.
 */
#include <assert.h>

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

	if (!b->expr)
		return b->val;
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

	assert(b->expr);
	s = enter(lw, b->env);
	lw->firing.in_site = b->in_site;
	v = lw_str(lw, b->expr);
	leave(lw, s);
	return v;
}

/* The translator's parameter, bound to the source of the translated object e->x. */
static struct binding xlator_binding(struct lw *lw, const struct expr *e)
{
	const struct expr *obj = e->x;

	assert(obj->xlator && obj->xsrc);
	return (struct binding){.param = obj->xlator->param,
				.expr = obj->xsrc,
				.env = lw->env,
				.in_site = lw->firing.in_site};
}

struct val lw_in_xlator(struct lw *lw, const struct expr *e,
			struct val (*f)(struct lw *, const struct expr *))
{
	struct binding b = xlator_binding(lw, e);
	struct lw_saved s = enter(lw, &b);
	struct val v;

	lw->firing.trusted = true;
	v = f(lw, e->xmember->expr);
	leave(lw, s);
	v.type = e->type;
	return v;
}

/*
 * Strings of a translated argument are made once per scope: the member and the number of the native
 * argument say which.  Only whole strings in scratch memory are kept.
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
	struct binding b = xlator_binding(lw, e);
	struct strv v = {.size = lw->plan->strsize, .mem = IR_MEM_MAP};
	struct memo_key k;
	bool can_keep = str_key(lw, e, &k);
	struct lw_saved s;

	v.p = can_keep ? memo_get(lw, &k) : NULL;
	if (v.p)
		return v;
	s = enter(lw, &b);
	lw->firing.trusted = true;
	v = lw_str(lw, e->xmember->expr);
	leave(lw, s);
	if (can_keep && !v.found && v.mem == IR_MEM_MAP && v.size == lw->plan->strsize)
		memo_put(lw, &k, v.p);
	return v;
}

struct ir_ins *lw_str_into_xlator(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				  uint32_t size, enum ir_mem mem)
{
	struct binding b = xlator_binding(lw, e);
	struct lw_saved s = enter(lw, &b);
	struct ir_ins *found;

	lw->firing.trusted = true;
	found = lw_str_or_null(lw, e->xmember->expr, dst, size, mem);
	leave(lw, s);
	return found;
}

/* The parameters of inline f[a, b], bound to the index expressions.  b has room for all. */
static struct binding *inline_bindings(struct lw *lw, const struct expr *e, struct binding *b)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		b[i] = (struct binding){.param = e->ident->params[i],
					.expr = e->args[i],
					.env = lw->env,
					.in_site = lw->firing.in_site,
					.next = i ? &b[i - 1] : NULL};
	return e->nargs ? &b[e->nargs - 1] : NULL;
}

struct val lw_inline(struct lw *lw, const struct expr *e)
{
	struct binding b[LANG_PARAMS_MAX];
	struct lw_saved s;
	struct val v;

	assert(e->nargs <= LANG_PARAMS_MAX);
	s = enter(lw, inline_bindings(lw, e, b));
	v = lw_expr(lw, e->ident->expr);
	leave(lw, s);
	v.type = e->type;
	return v;
}

struct strv lw_str_inline(struct lw *lw, const struct expr *e)
{
	struct binding b[LANG_PARAMS_MAX];
	struct lw_saved s;
	struct strv v;

	assert(e->nargs <= LANG_PARAMS_MAX);
	s = enter(lw, inline_bindings(lw, e, b));
	v = lw_str(lw, e->ident->expr);
	leave(lw, s);
	return v;
}

/* Native argument n of the published probe: what its site returns, or the mechanism's own. */
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

struct ir_ins *lw_rawarg(struct lw *lw, unsigned int n)
{
	struct stmt *ret = lw->firing.site && !lw->firing.in_site ? lw->firing.site_ret : NULL;
	const struct lang_args *a = lw->unit->plan->args;

	if (ret)
		return n < ret->nargs ? lw_number(lw, lw_arg(lw, n, ret->args[n]->type))
				      : lw_const(lw, 0);
	if (lw->firing.mech->rawarg)
		return lw->firing.mech->rawarg(lw, n);
	return n < a->nnative ? lw_number(lw, lw->firing.mech->arg(lw, n, a->native[n]))
			      : lw_const(lw, 0);
}
