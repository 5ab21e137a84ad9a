/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scope.c: finds sites that can never fire when tracing is limited to a cgroup.  Such a site has
 * the condition `cgroup_scope == 0`, because its packets have no socket, and so belong to no
 * cgroup.
 */
#include <string.h>

#include "compile/compile.h"

static bool is_scope(const struct expr *e)
{
	return e->kind == EXPR_IDENT && e->name && strcmp(e->name, "cgroup_scope") == 0;
}

static bool is_zero(const struct expr *e)
{
	return e->kind == EXPR_INT && e->val == 0;
}

bool scope_excludes(const struct expr *e)
{
	if (!e)
		return false;
	if (e->ident && e->ident->kind == IDENT_INLINE)
		return scope_excludes(e->ident->expr);
	if (e->kind == EXPR_CAST)
		return scope_excludes(e->x);
	if (e->kind != EXPR_BINARY)
		return false;
	switch (e->op) {
	case OP_LAND:
		return scope_excludes(e->x) || scope_excludes(e->y);
	case OP_LOR:
		return scope_excludes(e->x) && scope_excludes(e->y);
	case OP_EQ:
		return (is_scope(e->x) && is_zero(e->y)) || (is_zero(e->x) && is_scope(e->y));
	default:
		return false;
	}
}
