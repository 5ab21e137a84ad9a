/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_quantize.c: quantize(): 127 buckets, one for each power of two on both sides of 0.  Each
 * bucket number ends in a comparison that proves to the verifier that it is inside the row.
 */
#include <assert.h>
#include <stddef.h>

#include "builtin/builtin.h"

#define BUCKETS 127
#define ZERO	63 /* the bucket of 0 */

/* ---- in the kernel ---- */

/*
 * Finds the highest bit by a 64-bit de Bruijn sequence.  The index is v with every bit below the
 * highest set.
 */
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

/* Returns floor(log2(v)) for v != 0, 0..63. */
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

struct ir_ins *builtin_with_sign(struct lw *lw, struct ir_ins *x, struct ir_ins *sign)
{
	return ir_bin(&lw->b, IR_SUB, ir_bin(&lw->b, IR_XOR, x, sign), sign);
}

static struct ir_ins *prepare(struct lw *lw, struct agg_layout *ag, const struct expr *e,
			      struct ir_ins *v)
{
	struct ir_block *zero = lw_block(lw), *some = lw_block(lw), *pos = lw_block(lw),
			*neg = lw_block(lw), *clamp = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	struct ir_ins *sign, *l;

	lw_if(lw, ir_bin(&lw->b, IR_EQ, v, ir_const(&lw->b, 0)), zero, some);
	lw_seal_at(lw, zero);
	ir_var_write(&lw->b, var, ir_const(&lw->b, ZERO));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, some);
	sign = ir_bin(&lw->b, IR_ASHR, v, ir_const(&lw->b, 63));
	l = log2_of(lw, builtin_with_sign(lw, v, sign));
	lw_if(lw, ir_bin(&lw->b, IR_SLT, v, ir_const(&lw->b, 0)), neg, pos);
	lw_seal_at(lw, pos);
	ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, l, ir_const(&lw->b, ZERO + 1)));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, neg);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	lw_if(lw, ir_bin(&lw->b, IR_ULE, l, ir_const(&lw->b, ZERO - 1)), clamp, done);
	lw_seal_at(lw, clamp);
	ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_SUB, ir_const(&lw->b, ZERO - 1), l));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

void builtin_hist_update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row,
			 struct ir_ins *bucket, struct ir_ins *weight)
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

/* ---- at the consumer ---- */

static unsigned int bucket(const struct agg_desc *d, int64_t v)
{
	unsigned int k;

	if (v == 0)
		return ZERO;
	k = 63 - (unsigned int)__builtin_clzll(agg_magnitude(v));
	if (v > 0)
		return ZERO + 1 + k;
	return k > 62 ? 0 : ZERO - 1 - k;
}

static __int128 bound(const struct agg_desc *d, unsigned int i)
{
	if (i == ZERO)
		return 0;
	if (i > ZERO)
		return 1ULL << (i - ZERO - 1);
	return -(__int128)(1ULL << (ZERO - 1 - i));
}

static void label(const struct agg_desc *d, unsigned int i, unsigned int first, struct buf *b)
{
	hist_number(b, bound(d, i));
}

static struct hist_range empty(const struct agg_desc *d)
{
	return (struct hist_range){ZERO - 1, ZERO + 1};
}

/* If 0 is the lowest bucket in use, no bucket is shown before it. */
static struct hist_range pack_range(const struct agg_rec *recs, unsigned int n)
{
	struct hist_range r = hist_range(recs, n);

	for (unsigned int i = 0; i < n && r.first == ZERO - 1; i++)
		if (recs[i].words[ZERO])
			r.first = ZERO;
	return r;
}

static const struct hist_ops histogram = {.bucket = bucket,
					  .bound = bound,
					  .label = label,
					  .empty = empty,
					  .pack_range = pack_range,
					  .pack_width = 4,
					  .pack_grows = true};

static const struct agg_ops ops = {
    .name = "quantize", .nwords = BUCKETS, HIST_VALUE, .hist = &histogram};

const struct lang_row builtin_agg_quantize[] = {
    {.name = "quantize",
     .kind = IDENT_AGGFUNC,
     .nargs = {1, 2},
     .agg = &(const struct lang_agg){.ops = &ops, .weight_arg = 1},
     .impl = &(const struct builtin_agg){.has_seen = true,
					 .prepare = prepare,
					 .update = builtin_hist_update}},
    {0},
};
