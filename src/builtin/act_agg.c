/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_agg.c: actions on aggregations.  At the firing they only leave a record.  The consumer acts
 * when it reads the record, in the order of records.  It is woken up at once, because later updates
 * would be cleared or printed, too.  The record has the start of the firing, so that all actions of
 * a firing see the same state despite concurrent updates.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <limits.h>
#include <stddef.h>

#include "base/arena.h"
#include "builtin/builtin.h"

/* ---- check ---- */

static bool check_normalize(struct check *ck, struct expr *e)
{
	if (!check_nargs(ck, e, 2, 2, D_NORMALIZE_PROTO) ||
	    !check_agg(ck, e, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD) ||
	    !check_scalar(ck, e, 1, D_NORMALIZE_SCALAR))
		return false;
	return e->args[1]->kind != EXPR_INT || e->args[1]->val ||
	       check_error(ck, e, D_NORMALIZE_SCALAR, "argument #2 must not be 0");
}

static bool check_denormalize(struct check *ck, struct expr *e)
{
	return check_nargs(ck, e, 1, 1, D_NORMALIZE_PROTO) &&
	       check_agg(ck, e, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD);
}

static bool check_clear(struct check *ck, struct expr *e)
{
	return check_nargs(ck, e, 1, 1, D_CLEAR_PROTO) &&
	       check_agg(ck, e, 0, D_CLEAR_AGGARG, D_CLEAR_AGGBAD);
}

static bool check_trunc(struct check *ck, struct expr *e)
{
	if (!check_nargs(ck, e, 1, 2, D_TRUNC_PROTO) ||
	    !check_agg(ck, e, 0, D_TRUNC_AGGARG, D_TRUNC_AGGBAD))
		return false;
	return e->nargs < 2 || check_scalar(ck, e, 1, D_TRUNC_SCALAR);
}

/* Checks that all aggregations of one printa have the same keys. */
static bool same_keys(struct check *ck, struct expr *e, unsigned int first)
{
	const struct ident *a = e->args[first]->ident;

	for (unsigned int i = first + 1; i < e->nargs; i++) {
		const struct ident *b = e->args[i]->ident;

		if (a->nkeys != b->nkeys)
			return diag(check_diags(ck), e->loc, D_PRINTA_AGGKEY,
				    "printa( ) @%s has %u keys, @%s has %u", a->name, a->nkeys,
				    b->name, b->nkeys);
		for (unsigned int k = 0; k < a->nkeys; k++)
			if (!type_compatible(check_types(ck), a->keys[k], b->keys[k]))
				return diag(check_diags(ck), e->loc, D_PRINTA_AGGPROTO,
					    "printa( ) key #%u of @%s and @%s differs:\n"
					    "\t@%s: %s\n\t@%s: %s",
					    k + 1, a->name, b->name, a->name,
					    check_type_text(ck, a->keys[k]), b->name,
					    check_type_text(ck, b->keys[k]));
	}
	return true;
}

static bool check_printa(struct check *ck, struct expr *e)
{
	unsigned int first = e->args[0]->kind == EXPR_STR;

	if (first && e->nargs == 1)
		return check_error(ck, e, D_PRINTA_PROTO,
				   "requires an aggregation after its format");
	for (unsigned int i = first; i < e->nargs; i++)
		if (!check_agg(ck, e, i, D_PRINTA_AGGARG, D_PRINTA_AGGBAD))
			return false;
	if (!same_keys(ck, e, first))
		return false;
	return !first || check_fmt_agg(ck, e, e->args[1]->ident);
}

/* ---- in the kernel ---- */

/* Aggregations among the arguments go to the descriptor, numbers to the record. */
static void plan(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct rec_act *act = rec_act_add(plan, d, e->ident->name, e);
	struct ident **aggs = arena_new_arr(plan->env.arena, struct ident *, e->nargs + 1);
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
			rec_item_expr(plan, d, e->args[i]);
	}
	d->acts.a[index].naggs = n;
}

static void emit(struct lw *lw, const struct expr *e, unsigned int item)
{
	lw_rec_time(lw);
	for (unsigned int i = 0; i < e->nargs; i++)
		if (e->args[i]->kind != EXPR_AGG && e->args[i]->kind != EXPR_STR)
			lw_item_store(lw, item++, e->args[i]);
	ir_var_write(&lw->b, lw->clause.var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
}

/* ---- at the consumer ---- */

static void consume_printa(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	c->ops->printa(c, act);
}

static void consume_clear(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	c->ops->clear(c, act->aggs[0]);
}

static void consume_trunc(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	c->ops->trunc(c, act->aggs[0], act->n ? value_int(v) : 0);
}

static void consume_normalize(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	c->ops->normalize(c, act->aggs[0], act->n ? value_int(v) : 1);
}

#define ACT(id, chk, fn)                                                        \
	{                                                                       \
		BUILTIN_ACT(id, .plan = plan, .emit = emit, .consume = fn),     \
		    .nargs = {0, UINT_MAX}, .check = chk, .flags = LANG_RECORDS \
	}

const struct lang_row builtin_act_agg[] = {
    {BUILTIN_ACT(printa, .plan = plan, .emit = emit, .consume = consume_printa),
     .nargs = {1, UINT_MAX}, .check = check_printa, .flags = LANG_RECORDS},
    ACT(clear, check_clear, consume_clear),
    ACT(trunc, check_trunc, consume_trunc),
    ACT(normalize, check_normalize, consume_normalize),
    ACT(denormalize, check_denormalize, consume_normalize),
    {0},
};
