/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * size.c: the size of expressions after names are expanded.
 *
 * An inline or a member of a translator is expanded at each use, and so are its arguments.  A few
 * lines can therefore make an endless expression.  The size is found without expanding: a constant,
 * plus a multiple of the size of each argument.
 */
#include <assert.h>

#include "lang/priv.h"

/* Limit of one statement.  Lowering this much takes about a second. */
#define EXPANDED_MAX 500000

struct walk {
	struct expr_size *size;
	struct ident *const *params;
	unsigned int nparams;
};

static void add(struct walk *w, const struct expr *e, double times, unsigned int level);

static unsigned int highest(const struct walk *w, const struct expr_size *s, unsigned int level)
{
	return level + s->height > w->size->height ? level + s->height : w->size->height;
}

/* Adds the expression of a name, and its arguments as often as their parameters are used. */
static void add_name(struct walk *w, const struct expr_size *s, struct expr *const *args,
		     unsigned int nargs, double times, unsigned int level)
{
	w->size->n += times * s->n;
	w->size->height = highest(w, s, level);
	for (unsigned int i = 0; i < nargs; i++)
		if (s->per[i] > 0)
			add(w, args[i], times * s->per[i], level + s->height);
}

static void add_param(struct walk *w, const struct ident *id, double times)
{
	for (unsigned int i = 0; i < w->nparams; i++)
		if (w->params[i] == id)
			w->size->per[i] += times;
}

static void add_operands(struct walk *w, const struct expr *e, double times, unsigned int level)
{
	struct expr *const operands[] = {e->x, e->y, e->z};

	for (unsigned int i = 0; i < 3; i++)
		if (operands[i])
			add(w, operands[i], times, level);
	for (unsigned int i = 0; i < e->nargs; i++)
		add(w, e->args[i], times, level);
	for (unsigned int i = 0; e->whole && i < e->xlator->nmembers; i++)
		add(w, e->whole[i], times, level);
}

/* Adds e, which is expanded TIMES times. */
static void add(struct walk *w, const struct expr *e, double times, unsigned int level)
{
	const struct ident *id = e->ident;

	w->size->n += times;
	w->size->height = level > w->size->height ? level : w->size->height;
	if (w->size->n > EXPANDED_MAX)
		return;
	if (e->kind == EXPR_IDENT && id && id->kind == IDENT_PARAM)
		add_param(w, id, times);
	else if (e->kind == EXPR_MEMBER && e->xmember)
		add_name(w, e->xmember->size, &e->x->xsrc, 1, times, level + 1);
	else if (id && id->kind == IDENT_INLINE)
		add_name(w, id->size, e->args, e->nargs, times, level + 1);
	else
		add_operands(w, e, times, level + 1);
}

bool size_check(struct lang *l, const struct expr *e)
{
	struct expr_size size = {0};

	add(&(struct walk){.size = &size}, e, 1, 0);
	if (size.height > 2 * EXPR_HEIGHT_MAX)
		return diag(l->diags, e->loc, D_SYNTAX,
			    "expression has %u levels after expanding its names; %d are allowed",
			    size.height, 2 * EXPR_HEIGHT_MAX);
	if (size.n > EXPANDED_MAX)
		return diag(
		    l->diags, e->loc, D_SYNTAX,
		    "expression has %.0f operands after expanding its names; %d are allowed",
		    size.n, EXPANDED_MAX);
	return true;
}

struct expr_size *size_named(struct lang *l, const struct expr *e, struct ident *const *params,
			     unsigned int nparams)
{
	struct expr_size *size = arena_new_obj(l->arena, struct expr_size);

	assert(nparams <= LANG_PARAMS_MAX);
	add(&(struct walk){.size = size, .params = params, .nparams = nparams}, e, 1, 0);
	return size;
}
