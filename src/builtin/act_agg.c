/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_agg.c: actions on aggregations.  They do nothing when the probe fires but leave a record; the
 * consumer acts when it reads it, in the order of the records.  It is woken up for that, because
 * what is counted until then is cleared, or printed, too.  The record says when the firing began,
 * so that all actions of a firing meet the same state, whatever is counted meanwhile.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stddef.h>

#include "base/arena.h"
#include "builtin/builtin.h"

/* Aggregations among the arguments go to the descriptor, numbers to the record. */
static void plan(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	struct rec_act *act = rec_act_add(lo, d, e->ident->name, e);
	struct ident **aggs = arena_new_arr(lo->arena, struct ident *, e->nargs + 1);
	unsigned int n = 0, index = d->acts.n - 1;

	act->aggs = aggs;
	if (!d->time_off) {
		d->time_off = (uint32_t)d->size;
		d->size += 8;
	}
	for (unsigned int i = 0; i < e->nargs; i++) {
		if (e->args[i]->kind == EXPR_AGG)
			aggs[n++] = e->args[i]->ident;
		else if (e->args[i]->kind != EXPR_STR)
			rec_item_expr(lo, d, e->args[i]);
	}
	d->acts.a[index].naggs = n;
}

/* CLOCK_MONOTONIC when the first of these actions of the firing was reached. */
static struct ir_ins *firing_time(struct lw *lw)
{
	static const char owner;
	struct ir_block *unset = lw_block(lw), *set = lw_block(lw);
	unsigned int var = lw_firing_var(lw, &owner);

	lw_if(lw, ir_var_read(&lw->b, var), set, unset);
	lw_seal_at(lw, unset);
	ir_var_write(&lw->b, var, lw_helper(lw, BPF_FUNC_ktime_get_ns, NULL));
	ir_jmp(&lw->b, set);
	lw_seal_at(lw, set);
	return ir_var_read(&lw->b, var);
}

static void emit(struct lw *lw, struct expr *e, unsigned int item)
{
	ir_store(&lw->b, 8, lw->rec, lw->desc->time_off, firing_time(lw), IR_MEM_RECORD);
	for (unsigned int i = 0; i < e->nargs; i++)
		if (e->args[i]->kind != EXPR_AGG && e->args[i]->kind != EXPR_STR)
			lw_item_store(lw, item++, e->args[i]);
	ir_var_write(&lw->b, lw->var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
}

#define ACT(id) BUILTIN_ACT(id, LANG_RECORDS, .plan = plan, .emit = emit)

const struct lang_row builtin_act_agg[] = {
    ACT(printa), ACT(clear), ACT(trunc), ACT(normalize), ACT(denormalize), {0},
};
