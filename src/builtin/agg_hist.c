/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_hist.c: quantize, lquantize, llquantize: which bucket, then one addition.  Every bucket
 * number ends in a comparison that shows the verifier that it is inside the row.
 */
#include <assert.h>
#include <stddef.h>

#include "builtin/builtin.h"
#include "out/agg.h"

/* Position of the highest bit by a de Bruijn sequence, 64 bits wide (the index of v with every bit
 * below the highest set). */
#define DEBRUIJN 0x03f79d71b4cb0a89ULL

static uint32_t log2_table(struct lw *lw)
{
	unsigned char t[64];

	for (unsigned int i = 0; i < 64; i++) {
		uint64_t v = i == 63 ? ~0ULL : (2ULL << i) - 1;

		t[(v * DEBRUIJN) >> 58] = (unsigned char)i;
	}
	return lw_bytes(lw, t, sizeof(t), 8);
}

/* floor(log2(v)) for v != 0, 0..63. */
static struct ir_ins *log2_of(struct lw *lw, struct ir_ins *v)
{
	struct ir_ins *table = ir_mapval(&lw->b, MAP_RODATA, log2_table(lw));

	for (int s = 1; s <= 32; s *= 2)
		v = ir_bin(&lw->b, IR_OR, v, ir_bin(&lw->b, IR_LSHR, v, ir_const(&lw->b, s)));
	v = ir_bin(&lw->b, IR_MUL, v, ir_const(&lw->b, (int64_t)DEBRUIJN));
	v = ir_bin(&lw->b, IR_LSHR, v, ir_const(&lw->b, 58));
	v = ir_load(&lw->b, 1, ir_bin(&lw->b, IR_ADD, table, v), 0, IR_MEM_MAP);
	return ir_bin(&lw->b, IR_AND, v, ir_const(&lw->b, 63));
}

/* -x where sign is -1, x where it is 0. */
static struct ir_ins *with_sign(struct lw *lw, struct ir_ins *x, struct ir_ins *sign)
{
	return ir_bin(&lw->b, IR_SUB, ir_bin(&lw->b, IR_XOR, x, sign), sign);
}

static struct ir_ins *prepare_quantize(struct lw *lw, struct agg_layout *ag, struct expr *e,
				       struct ir_ins *v)
{
	struct ir_block *zero = lw_block(lw), *some = lw_block(lw), *pos = lw_block(lw),
			*neg = lw_block(lw), *clamp = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	struct ir_ins *sign, *l;

	lw_if(lw, ir_bin(&lw->b, IR_EQ, v, ir_const(&lw->b, 0)), zero, some);
	lw_seal_at(lw, zero);
	ir_var_write(&lw->b, var, ir_const(&lw->b, AGG_QUANTIZE_ZERO));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, some);
	sign = ir_bin(&lw->b, IR_ASHR, v, ir_const(&lw->b, 63));
	l = log2_of(lw, with_sign(lw, v, sign));
	lw_if(lw, ir_bin(&lw->b, IR_SLT, v, ir_const(&lw->b, 0)), neg, pos);
	lw_seal_at(lw, pos);
	ir_var_write(&lw->b, var,
		     ir_bin(&lw->b, IR_ADD, l, ir_const(&lw->b, AGG_QUANTIZE_ZERO + 1)));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, neg);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	lw_if(lw, ir_bin(&lw->b, IR_ULE, l, ir_const(&lw->b, AGG_QUANTIZE_ZERO - 1)), clamp, done);
	lw_seal_at(lw, clamp);
	ir_var_write(&lw->b, var,
		     ir_bin(&lw->b, IR_SUB, ir_const(&lw->b, AGG_QUANTIZE_ZERO - 1), l));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* The value counts as one of 32 bits, as in illumos. */
static struct ir_ins *prepare_lquantize(struct lw *lw, struct agg_layout *ag, struct expr *e,
					struct ir_ins *v)
{
	uint64_t param = ag->ident->agg_param;
	int64_t low = (int32_t)param, levels = (int64_t)(param >> 32 & 0xffff),
		step = (int64_t)(param >> 48);
	struct ir_block *under = lw_block(lw), *in = lw_block(lw), *over = lw_block(lw),
			*mid = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	struct ir_ins *d;

	v = ir_un(&lw->b, IR_SEXT32, v);
	lw_if(lw, ir_bin(&lw->b, IR_SLT, v, ir_const(&lw->b, low)), under, in);
	lw_seal_at(lw, under);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, in);
	lw_if(lw, ir_bin(&lw->b, IR_SLE, ir_const(&lw->b, low + levels * step), v), over, mid);
	lw_seal_at(lw, mid);
	d = ir_bin(&lw->b, IR_SUB, v, ir_const(&lw->b, low));
	d = ir_bin(&lw->b, IR_UDIV, d, ir_const(&lw->b, step));
	ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, d, ir_const(&lw->b, 1)));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, over);
	ir_var_write(&lw->b, var, ir_const(&lw->b, levels + 1));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* var = first + (v - base) / step */
static void bucket_in(struct lw *lw, unsigned int var, struct ir_ins *v, uint64_t base,
		      uint64_t step, int64_t first)
{
	struct ir_ins *d = ir_bin(&lw->b, IR_SUB, v, ir_const(&lw->b, (int64_t)base));

	d = ir_bin(&lw->b, IR_UDIV, d, ir_const(&lw->b, (int64_t)step));
	ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, d, ir_const(&lw->b, first)));
}

#define MAGNITUDE_MAX ((uint64_t)INT64_MAX + 1)

/*
 * Steps up from the bucket of what is below the lowest order.  The orders are few and constant: a
 * chain of comparisons finds the one v, no more than MAGNITUDE_MAX, is in.  The end of the highest
 * one need not fit 64 bits; nothing is beyond it then.
 */
static struct ir_ins *llquantize_steps(struct lw *lw, const struct agg_llq *l, struct ir_ins *v)
{
	struct ir_block *under = lw_block(lw), *next = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	unsigned __int128 from = 1, to;
	int64_t first = 1;

	for (uint32_t i = 0; i < l->low; i++)
		from *= l->factor;
	lw_if(lw, ir_bin(&lw->b, IR_ULT, v, ir_const(&lw->b, (int64_t)from)), under, next);
	lw_seal_at(lw, under);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, next);
	for (uint32_t m = l->low; m <= l->high && from <= MAGNITUDE_MAX; m++, from = to) {
		struct ir_block *here = lw_block(lw), *beyond = lw_block(lw);
		uint64_t step = (uint64_t)agg_llq_step(l, from),
			 base = (uint64_t)agg_llq_base(l, from);

		to = from * l->factor;
		if (to > MAGNITUDE_MAX) {
			ir_jmp(&lw->b, here);
		} else {
			lw_if(lw, ir_bin(&lw->b, IR_ULT, v, ir_const(&lw->b, (int64_t)to)), here,
			      beyond);
		}
		lw_seal_at(lw, here);
		bucket_in(lw, var, v, base, step, first);
		ir_jmp(&lw->b, done);
		first += (int64_t)((to - base) / step);
		lw_seal_at(lw, beyond);
	}
	ir_var_write(&lw->b, var, ir_const(&lw->b, first));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* What is negative counts on its own side, or as 0. */
static struct ir_ins *prepare_llquantize(struct lw *lw, struct agg_layout *ag, struct expr *e,
					 struct ir_ins *v)
{
	struct agg_desc d = {AGG_LLQUANTIZE, ag->ident->agg_param};
	struct agg_llq l = agg_llq_of(d.param);
	struct ir_ins *sign = ir_bin(&lw->b, IR_ASHR, v, ir_const(&lw->b, 63));

	if (!l.is_symmetric) {
		sign = ir_un(&lw->b, IR_NOT, sign);
		return llquantize_steps(lw, &l, ir_bin(&lw->b, IR_AND, v, sign));
	}
	v = llquantize_steps(lw, &l, with_sign(lw, v, sign));
	return ir_bin(&lw->b, IR_ADD, with_sign(lw, v, sign),
		      ir_const(&lw->b, (int64_t)agg_bucket(&d, 0)));
}

static void update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *bucket,
		   struct ir_ins *weight)
{
	struct ir_block *ok = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *p;

	lw_if(lw, ir_bin(&lw->b, IR_ULT, bucket, ir_const(&lw->b, ag->nwords - 1)), ok, done);
	lw_seal_at(lw, ok);
	p = ir_bin(&lw->b, IR_ADD, row, ir_bin(&lw->b, IR_SHL, bucket, ir_const(&lw->b, 3)));
	lw_word_add(lw, ag, p, 0, weight);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

#define AGG(id, which, weight)                                                          \
	{                                                                               \
		.name = #id, .kind = IDENT_AGGFUNC, .impl = &(const struct builtin_agg) \
		{                                                                       \
			.func = which, .has_seen = true, .prepare = prepare_##id,       \
			.update = update, .weight_arg = weight                          \
		}                                                                       \
	}

const struct lang_row builtin_agg_hist[] = {
    AGG(quantize, AGG_QUANTIZE, 1),
    AGG(lquantize, AGG_LQUANTIZE, 4),
    AGG(llquantize, AGG_LLQUANTIZE, 5),
    {0},
};
