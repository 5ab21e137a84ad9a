/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bound.c: the maximum bytes of a string, from the expression that makes it.
 */
#include "plan/plan.h"

/* Returns the maximum characters of an array, including its missing NUL. */
uint32_t plan_array_bound(const struct plan *plan, const struct expr *e)
{
	const struct type *b = type_base(e->type);
	uint32_t max = plan->opt.strsize;

	return b->kind == TYPE_ARRAY && b->nelem && b->nelem + 1 < max ? (uint32_t)b->nelem + 1
								       : max;
}

uint32_t plan_var_bound(const struct plan *plan, const struct builtin_var *v)
{
	uint32_t bound = v->bound == PLAN_BOUND_NAME ? plan->name_size : v->bound;

	return bound && bound < plan->opt.strsize ? bound : plan->opt.strsize;
}

uint32_t plan_str_bound(const struct plan *plan, const struct expr *e)
{
	uint32_t max = plan->opt.strsize, x, y;

	switch (e->kind) {
	case EXPR_STR:
		return e->len + 1 < max ? e->len + 1 : max;
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_BUILTIN && type_is_string(e->type)) {
			return plan_var_bound(plan, e->ident->row->impl);
		}
		if (e->ident->kind == IDENT_INLINE)
			return plan_str_bound(plan, e->ident->expr);
		return type_is_string(e->type) ? max : plan_array_bound(plan, e);
	case EXPR_COND:
		x = plan_str_bound(plan, e->y);
		y = plan_str_bound(plan, e->z);
		return x > y ? x : y;
	case EXPR_MEMBER:
		return e->xmember ? plan_str_bound(plan, e->xmember->expr)
				  : plan_array_bound(plan, e);
	case EXPR_INDEX:
		return e->ident && e->ident->kind == IDENT_INLINE
			   ? plan_str_bound(plan, e->ident->expr)
			   : max;
	case EXPR_STRINGOF:
	case EXPR_CAST:
		return plan_str_bound(plan, e->x);
	case EXPR_CALL: {
		const struct builtin_func *f = e->ident->row->impl;

		return f->bound && f->bound < max ? f->bound : max;
	}
	default:
		return max;
	}
}
