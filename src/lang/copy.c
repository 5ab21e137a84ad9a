/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c: copies of trees.  The checker writes into a tree, and a clause with several probe
 * descriptions is checked once for each, so it works on copies.  expr_subst copies a checked tree,
 * replaces parameters, and keeps the fields that the checker filled in.
 */
#include <assert.h>

#include "lang/priv.h"

struct expr *expr_new(struct lang *l, enum expr_kind kind, struct loc loc)
{
	struct expr *e = arena_new_obj(l->arena, struct expr);

	e->kind = kind;
	e->loc = loc;
	return e;
}

struct expr *expr_int(struct lang *l, struct loc loc, uint64_t val, struct type *t)
{
	struct expr *e = expr_new(l, EXPR_INT, loc);

	e->val = val;
	e->type = t;
	return e;
}

static struct expr *copy(struct lang *l, const struct expr *e, struct ident *const *params,
			 struct expr *const *repl, unsigned int n)
{
	struct expr *c;

	if (!e)
		return NULL;
	for (unsigned int i = 0; i < n; i++)
		if (e->kind == EXPR_IDENT && e->ident == params[i])
			return repl[i];
	c = arena_new_obj(l->arena, struct expr);
	*c = *e;
	c->x = copy(l, e->x, params, repl, n);
	c->y = copy(l, e->y, params, repl, n);
	c->z = copy(l, e->z, params, repl, n);
	c->xsrc = e->xsrc == e->x ? c->x : copy(l, e->xsrc, params, repl, n);
	if (e->args) {
		c->args = arena_new_arr(l->arena, struct expr *, e->nargs + 1);
		for (unsigned int i = 0; i < e->nargs; i++)
			c->args[i] = copy(l, e->args[i], params, repl, n);
	}
	return c;
}

struct expr *expr_copy(struct lang *l, const struct expr *e)
{
	return copy(l, e, NULL, NULL, 0);
}

struct expr *expr_subst(struct lang *l, const struct expr *e, struct ident *const *params,
			struct expr *const *repl, unsigned int n)
{
	assert(e->type);
	return copy(l, e, params, repl, n);
}

struct stmt *stmt_copy(struct lang *l, const struct stmt *s)
{
	struct stmt *first = NULL, **end = &first;

	for (; s; s = s->next) {
		struct stmt *c = arena_new_obj(l->arena, struct stmt);

		*c = *s;
		c->next = NULL;
		c->expr = expr_copy(l, s->expr);
		c->then_body = stmt_copy(l, s->then_body);
		c->else_body = stmt_copy(l, s->else_body);
		if (s->nargs) {
			c->args = arena_new_arr(l->arena, struct expr *, s->nargs);
			for (unsigned int i = 0; i < s->nargs; i++)
				c->args[i] = expr_copy(l, s->args[i]);
		}
		*end = c;
		end = &c->next;
	}
	return first;
}
