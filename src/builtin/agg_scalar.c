/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_scalar.c: count, sum, avg, min, max, stddev.  Rows as in out/agg.h; sum, min and max have one
 * more word that tells a row in use from one of zeros.
 */
#include <stddef.h>

#include "builtin/builtin.h"
#include "out/agg.h"

#define CAS_TRIES 4

static void update_count(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
			 struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, ir_const(&lw->b, 1));
}

static void update_sum(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, v);
}

static void update_avg(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, ir_const(&lw->b, 1));
	lw_word_add(lw, ag, row, 8, v);
}

/*
 * The row takes v if it is unused or v is beyond what it has.  The used-word is set first by
 * whoever fills it, so a nested firing sees either an empty row or a value.
 */
static void update_extreme(struct lw *lw, struct agg_layout *ag, struct ir_ins *row,
			   struct ir_ins *v, bool is_max)
{
	struct ir_block *done = lw_block(lw), *lost = lw_block(lw);
	int64_t seen_off = (ag->nwords - 1) * 8;

	for (unsigned int i = 0; i < (ag->is_shared ? CAS_TRIES : 1); i++) {
		struct ir_block *fresh = lw_block(lw), *cmp = lw_block(lw), *take = lw_block(lw),
				*next = lw_block(lw);
		struct ir_ins *old = ir_load(&lw->b, 8, row, 0, IR_MEM_MAP), *got;
		struct ir_ins *seen = ir_load(&lw->b, 8, row, seen_off, IR_MEM_MAP);

		lw_if(lw, seen, cmp, fresh);
		lw_seal_at(lw, cmp);
		lw_if(lw, is_max ? ir_bin(&lw->b, IR_SLT, old, v) : ir_bin(&lw->b, IR_SLT, v, old),
		      take, done);
		lw_seal_at(lw, fresh);
		ir_jmp(&lw->b, take);
		lw_seal_at(lw, take);
		if (!ag->is_shared) {
			ir_store(&lw->b, 8, row, 0, v, IR_MEM_MAP);
			ir_jmp(&lw->b, done);
			ir_seal(lw->b.func, next);
			lw->b.cur = NULL;
			break;
		}
		got = ir_atomic(&lw->b, IR_ATOMIC_CMPXCHG, row, 0, old, v);
		lw_if(lw, ir_bin(&lw->b, IR_EQ, got, old), done, next);
		lw_seal_at(lw, next);
	}
	ir_jmp(&lw->b, lost);
	lw_seal_at(lw, lost);
	if (lost->npreds)
		lw_drop(lw, ABI_DROP_AGGREGATION);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

static void update_min(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight)
{
	update_extreme(lw, ag, row, v, false);
}

static void update_max(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight)
{
	update_extreme(lw, ag, row, v, true);
}

/* count, sum, and the square of v added to 128 bits; the carry comes from the old low word. */
static void update_stddev(struct lw *lw, struct agg_layout *ag, struct ir_ins *row,
			  struct ir_ins *v, struct ir_ins *weight)
{
	struct ir_ins *sign = ir_bin(&lw->b, IR_ASHR, v, ir_const(&lw->b, 63));
	struct ir_ins *a = ir_bin(&lw->b, IR_SUB, ir_bin(&lw->b, IR_XOR, v, sign), sign);
	struct ir_ins *h = ir_bin(&lw->b, IR_LSHR, a, ir_const(&lw->b, 32));
	struct ir_ins *l = ir_un(&lw->b, IR_ZEXT32, a);
	struct ir_ins *hl = ir_bin(&lw->b, IR_MUL, h, l), *lo, *hi, *mid, *old, *sum, *carry;

	/* a^2 = h^2 << 64 + 2hl << 32 + l^2 */
	mid = ir_bin(&lw->b, IR_SHL, hl, ir_const(&lw->b, 33));
	lo = ir_bin(&lw->b, IR_ADD, ir_bin(&lw->b, IR_MUL, l, l), mid);
	carry = ir_bin(&lw->b, IR_ULT, lo, mid);
	hi = ir_bin(&lw->b, IR_ADD, ir_bin(&lw->b, IR_MUL, h, h),
		    ir_bin(&lw->b, IR_LSHR, hl, ir_const(&lw->b, 31)));
	hi = ir_bin(&lw->b, IR_ADD, hi, carry);
	lw_word_add(lw, ag, row, 0, ir_const(&lw->b, 1));
	lw_word_add(lw, ag, row, 8, v);
	old = ir_atomic(&lw->b, IR_ATOMIC_FADD, row, 16, lo, NULL);
	sum = ir_bin(&lw->b, IR_ADD, old, lo);
	hi = ir_bin(&lw->b, IR_ADD, hi, ir_bin(&lw->b, IR_ULT, sum, lo));
	lw_word_add(lw, ag, row, 24, hi);
}

#define AGG(id, which, seen, fn)                                                        \
	{                                                                               \
		.name = #id, .kind = IDENT_AGGFUNC, .impl = &(const struct builtin_agg) \
		{                                                                       \
			.func = which, .has_seen = seen, .update = fn                   \
		}                                                                       \
	}

const struct lang_row builtin_agg_scalar[] = {
    AGG(count, AGG_COUNT, false, update_count),
    AGG(sum, AGG_SUM, true, update_sum),
    AGG(avg, AGG_AVG, false, update_avg),
    AGG(min, AGG_MIN, true, update_min),
    AGG(max, AGG_MAX, true, update_max),
    AGG(stddev, AGG_STDDEV, false, update_stddev),
    {0},
};
