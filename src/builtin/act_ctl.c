/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_ctl.c: actions that control the consumer (setopt, ftruncate) or the traced process (raise).
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

static void plan_setopt(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
	for (unsigned int i = 0; i < e->nargs; i++)
		rec_item_expr(lo, d, e->args[i]);
}

static void emit_setopt(struct lw *lw, struct expr *e, unsigned int item)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		lw_item_store(lw, item + i, e->args[i]);
}

static void plan_none(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
}

static void emit_raise(struct lw *lw, struct expr *e, unsigned int item)
{
	lw_helper(lw, BPF_FUNC_send_signal, lw_scalar(lw, e->args[0]), NULL);
}

#define ACT(id, fl, ...)                                        \
	{                                                       \
		.name = #id, .kind = IDENT_ACTION, .flags = fl, \
		.impl = &(const struct builtin_act)             \
		{                                               \
			__VA_ARGS__                             \
		}                                               \
	}

const struct lang_row builtin_act_ctl[] = {
    ACT(setopt, LANG_RECORDS, .plan = plan_setopt, .emit = emit_setopt),
    ACT(ftruncate, LANG_RECORDS, .plan = plan_none),
    ACT(raise, LANG_DESTRUCTIVE, .plan = plan_none, .emit = emit_raise),
    {0},
};
