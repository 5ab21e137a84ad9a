/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * named.c: processes that the conditions of a program name: `pid == 12`, `progenyof(12)`,
 * `execname == "server"`, `curpsinfo->pr_fname == "server"`.  The session reads their mappings
 * before tracing begins, so that their first stacks are whole.  A condition that is not found here
 * loses only that.
 */
#include <stdint.h>
#include <string.h>

#include "plan/plan.h"

#define NAMED_MAX 64

/* Returns the expression without casts and names. */
static const struct expr *plain(const struct expr *e)
{
	while (e->kind == EXPR_CAST || e->kind == EXPR_STRINGOF ||
	       (e->kind == EXPR_IDENT && e->ident->kind == IDENT_INLINE))
		e = e->kind == EXPR_IDENT ? e->ident->expr : e->x;
	return e;
}

static bool is_pid(const struct expr *e)
{
	return (e->kind == EXPR_IDENT && strcmp(e->name, "pid") == 0) ||
	       (e->kind == EXPR_MEMBER && strcmp(e->name, "pr_pid") == 0);
}

static bool is_execname(const struct expr *e)
{
	return (e->kind == EXPR_IDENT && strcmp(e->name, "execname") == 0) ||
	       (e->kind == EXPR_MEMBER && strcmp(e->name, "pr_fname") == 0);
}

static void add_pid(struct plan *plan, const struct expr *value)
{
	if (value->kind != EXPR_INT || !value->val || value->val > INT32_MAX)
		return;
	for (unsigned int i = 0; i < plan->named_pids.n; i++)
		if (plan->named_pids.a[i] == value->val)
			return;
	if (plan->named_pids.n < NAMED_MAX)
		vec_push(&plan->named_pids, (uint32_t)value->val);
}

static void add_name(struct plan *plan, const struct expr *value)
{
	if (value->kind != EXPR_STR || !*value->name)
		return;
	for (unsigned int i = 0; i < plan->named.n; i++)
		if (strcmp(plan->named.a[i], value->name) == 0)
			return;
	if (plan->named.n < NAMED_MAX)
		vec_push(&plan->named, value->name);
}

void plan_note_named(struct plan *plan, const struct expr *e)
{
	const struct expr *x, *y;

	if (e->kind == EXPR_CALL) {
		if (e->nargs == 1 && strcmp(e->name, "progenyof") == 0)
			add_pid(plan, plain(e->args[0]));
		return;
	}
	if (e->op != OP_EQ)
		return;
	x = plain(e->x);
	y = plain(e->y);
	if (is_pid(x) || is_pid(y))
		add_pid(plan, is_pid(x) ? y : x);
	if (is_execname(x) || is_execname(y))
		add_name(plan, is_execname(x) ? y : x);
}
