/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin.h: definitions that the leaves of builtin/ share.  Each file defines one table of rows
 * named after itself (builtin_var in var.c), ended by an empty row.  The build makes the list of
 * tables from the file names.
 */
#ifndef BUILTIN_BUILTIN_H
#define BUILTIN_BUILTIN_H

#include "lang/check.h"
#include "lower/leaf.h"
#include "print/agg.h"
#include "print/hist.h"
#include "print/out.h"
#include "print/value.h"
#include "plan/consumer.h"

/* Members of a row for an action.  Arguments after the name are members of struct builtin_act. */
#define BUILTIN_ACT(id, ...)                                                   \
	.name = #id, .kind = IDENT_ACTION, .impl = &(const struct builtin_act) \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

/* A row of a function.  Arguments after the prototype are members of struct builtin_func. */
#define BUILTIN_FUNC(id, fl, text, ...)                                      \
	{                                                                    \
		.name = #id, .kind = IDENT_FUNC, .flags = fl, .proto = text, \
		.impl = &(const struct builtin_func)                         \
		{                                                            \
			__VA_ARGS__                                          \
		}                                                            \
	}

/* Returns a scalar result. */
static inline struct val builtin_int(struct ir_ins *v, const struct expr *e)
{
	return (struct val){.v = v, .type = e->type, .place = PLACE_SCALAR};
}

/* Returns the base in the second argument, 10 without one.  Faults unless it is 2 to 36. */
struct ir_ins *builtin_base(struct lw *lw, const struct expr *e);

/*
 * Functions of actions whose items are their arguments: all arguments, or the arguments after a
 * format.
 * builtin_trace prints the values as trace() does.
 */
void builtin_plan_args(struct plan *plan, struct rec_desc *d, const struct expr *e);
void builtin_emit_args(struct lw *lw, const struct expr *e, unsigned int item);
void builtin_plan_text(struct plan *plan, struct rec_desc *d, const struct expr *e);
void builtin_emit_text(struct lw *lw, const struct expr *e, unsigned int item);
void builtin_trace(struct consumer *c, const struct rec_act *act, const struct value *v);

/* For actions without items. */
void builtin_plan_none(struct plan *plan, struct rec_desc *d, const struct expr *e);

/* Returns the text of an action with a format, as a C string.  Free it with buf_free. */
const char *builtin_text(struct buf *b, const struct rec_act *act, const struct value *v);

/* Returns -x if sign is -1, x if it is 0. */
struct ir_ins *builtin_with_sign(struct lw *lw, struct ir_ins *x, struct ir_ins *sign);

/* Updates a histogram: adds to bucket number BUCKET of the row. */
void builtin_hist_update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row,
			 struct ir_ins *bucket, struct ir_ins *weight);

#endif
