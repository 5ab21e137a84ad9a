/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missed.c: names that a faulty clause or inline would have defined.  A later use of such a name is
 * no further error.  All other unknown names are errors.
 */
#include "base/map.h"
#include "lang/priv.h"

void missed_name(struct lang *l, int scope, const char *name)
{
	if (!l->missed[scope])
		l->missed[scope] = map_new();
	map_set_str(l->missed[scope], name, l);
}

const char *missed_or_meant(struct lang *l, int scope, const char *name)
{
	l->is_consequence = l->missed[scope] && map_get_str(l->missed[scope], name);
	return l->is_consequence ? "" : names_nearest(l, scope, name);
}

static bool is_assignment(const struct expr *e)
{
	return e->kind == EXPR_ASSIGN || e->op == OP_PREINC || e->op == OP_PREDEC ||
	       e->op == OP_POSTINC || e->op == OP_POSTDEC;
}

/* Notes the variable or the aggregation that an assignment to e defines. */
static void missed_target(struct lang *l, const struct expr *e)
{
	if (e->kind == EXPR_INDEX)
		e = e->x;
	if (e->kind == EXPR_AGG)
		missed_name(l, SCOPE_AGG, e->name);
	else if (e->kind == EXPR_IDENT)
		missed_name(l, expr_scope(e), e->name);
}

static void missed_expr(struct lang *l, const struct expr *e)
{
	if (!e)
		return;
	if (is_assignment(e))
		missed_target(l, e->x);
	missed_expr(l, e->x);
	missed_expr(l, e->y);
	missed_expr(l, e->z);
	for (unsigned int i = 0; i < e->nargs; i++)
		missed_expr(l, e->args[i]);
}

static void missed_body(struct lang *l, const struct stmt *s)
{
	for (; s; s = s->next) {
		missed_expr(l, s->expr);
		missed_body(l, s->then_body);
		missed_body(l, s->else_body);
	}
}

void missed_clause(struct lang *l, const struct expr *pred, const struct stmt *body)
{
	missed_expr(l, pred);
	missed_body(l, body);
}

void missed_free(struct lang *l)
{
	for (int i = 0; i < SCOPE_MAX; i++)
		map_free(l->missed[i]);
}
