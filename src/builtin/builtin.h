/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin.h: what the leaves of builtin/ share.  Every file defines one table of rows named after
 * itself (builtin_var in var.c) that ends with an empty row; the list of tables is made from the
 * file names when dtrace is built.
 */
#ifndef BUILTIN_BUILTIN_H
#define BUILTIN_BUILTIN_H

#include "lang/check.h"
#include "lower/memo.h"
#include "out/agg.h"
#include "out/hist.h"

/* Rows of the tables.  The arguments behind the flags are members of what impl points to. */
#define BUILTIN_ACT(id, fl, ...)                                \
	{                                                       \
		.name = #id, .kind = IDENT_ACTION, .flags = fl, \
		.impl = &(const struct builtin_act)             \
		{                                               \
			__VA_ARGS__                             \
		}                                               \
	}
#define BUILTIN_FUNC(id, fl, text, ...)                                      \
	{                                                                    \
		.name = #id, .kind = IDENT_FUNC, .flags = fl, .proto = text, \
		.impl = &(const struct builtin_func)                         \
		{                                                            \
			__VA_ARGS__                                          \
		}                                                            \
	}

/* A scalar result. */
static inline struct val builtin_int(struct ir_ins *v, struct expr *e)
{
	return (struct val){.v = v, .type = e->type, .place = PLACE_SCALAR};
}

/* The base in the second argument, 10 without one; a fault unless it is 2 to 36. */
struct ir_ins *builtin_base(struct lw *lw, struct expr *e);

/* -x where sign is -1, x where it is 0. */
struct ir_ins *builtin_with_sign(struct lw *lw, struct ir_ins *x, struct ir_ins *sign);

/* update of histograms: v is the number of the bucket. */
void builtin_hist_update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row,
			 struct ir_ins *bucket, struct ir_ins *weight);

#endif
