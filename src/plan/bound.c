/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bound.c: how many bytes a string can have, from the expression that makes it.
 */
#include "plan/plan.h"

/* Most characters an array can give, its missing NUL included. */
uint32_t lower_array_bound(const struct lower *lo, const struct expr *e)
{
	const struct type *b = type_base(e->type);
	uint32_t max = lo->strsize;

	return b->kind == TYPE_ARRAY && b->nelem && b->nelem + 1 < max ? (uint32_t)b->nelem + 1
								       : max;
}

uint32_t lower_var_bound(const struct lower *lo, const struct builtin_var *v)
{
	uint32_t bound = v->bound == LOWER_BOUND_NAME ? lo->name_size : v->bound;

	return bound && bound < lo->strsize ? bound : lo->strsize;
}

uint32_t lower_str_bound(const struct lower *lo, const struct expr *e)
{
	uint32_t max = lo->strsize, x, y;

	switch (e->kind) {
	case EXPR_STR:
		return e->len + 1 < max ? e->len + 1 : max;
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_BUILTIN && type_is_string(e->type)) {
			return lower_var_bound(lo, e->ident->row->impl);
		}
		if (e->ident->kind == IDENT_INLINE)
			return lower_str_bound(lo, e->ident->expr);
		return type_is_string(e->type) ? max : lower_array_bound(lo, e);
	case EXPR_COND:
		x = lower_str_bound(lo, e->y);
		y = lower_str_bound(lo, e->z);
		return x > y ? x : y;
	case EXPR_MEMBER:
		return e->xmember ? lower_str_bound(lo, e->xmember->expr)
				  : lower_array_bound(lo, e);
	case EXPR_INDEX:
		return e->ident && e->ident->kind == IDENT_INLINE
			   ? lower_str_bound(lo, e->ident->expr)
			   : max;
	case EXPR_STRINGOF:
	case EXPR_CAST:
		return lower_str_bound(lo, e->x);
	case EXPR_CALL: {
		const struct builtin_func *f = e->ident->row->impl;

		return f->bound && f->bound < max ? f->bound : max;
	}
	default:
		return max;
	}
}
