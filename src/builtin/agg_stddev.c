/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_stddev.c: stddev(): count, sum, sum of squares in 128 bits.
 */
#include <stddef.h>

#include "builtin/builtin.h"
#include "print/out.h"

typedef unsigned __int128 u128;

/* Updates count, sum, and the 128-bit sum of squares.  The carry comes from the old low word. */
static void emit_update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
			struct ir_ins *weight)
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

static u128 get128(const int64_t *words)
{
	return (u128)(uint64_t)words[1] << 64 | (uint64_t)words[0];
}

static void add128(int64_t *words, u128 n)
{
	u128 sum = get128(words) + n;

	words[0] = (int64_t)(uint64_t)sum;
	words[1] = (int64_t)(uint64_t)(sum >> 64);
}

static void update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[0], 1);
	agg_add(&words[1], value);
	add128(&words[2], (u128)agg_magnitude(value) * agg_magnitude(value));
}

static void merge(const struct agg_desc *d, int64_t *dst, const int64_t *src)
{
	agg_add(&dst[0], src[0]);
	agg_add(&dst[1], src[1]);
	add128(&dst[2], get128(&src[2]));
}

/* Returns the integer square root, rounded down. */
static uint64_t root(u128 n)
{
	u128 r = 0;

	for (int bit = 63; bit >= 0; bit--) {
		u128 try = r | (u128)1 << bit;

		if (try * try <= n)
			r = try;
	}
	return (uint64_t)r;
}

static int64_t stddev(const int64_t *w, int64_t normal)
{
	uint64_t count = (uint64_t)w[0], by = agg_magnitude(normal);

	if (count == 0)
		return 0;
	if (by == 0)
		by = 1;
	u128 squares = get128(&w[2]) / by / by / count;
	u128 avg = agg_magnitude(w[1]) / by / count;
	/* Overflowed sums can make this negative. */
	return avg * avg > squares ? 0 : (int64_t)root(squares - avg * avg);
}

static int compare(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	uint64_t x = (uint64_t)stddev(a, 1), y = (uint64_t)stddev(b, 1);

	return x < y ? -1 : x > y;
}

static void print(struct out *o, const struct agg_rec *r)
{
	out_printf(o, " %16llu", (unsigned long long)stddev(r->words, r->normal));
}

static const struct agg_ops ops = {.name = "stddev",
				   .nwords = 4,
				   .update = update,
				   .merge = merge,
				   .compare = compare,
				   .scalar = stddev,
				   .is_unsigned = true,
				   .print = print,
				   .document = agg_document_number};

const struct lang_row builtin_agg_stddev[] = {
    {.name = "stddev",
     .kind = IDENT_AGGFUNC,
     .nargs = {1, 1},
     .agg = &(const struct lang_agg){.ops = &ops},
     .impl = &(const struct builtin_agg){.update = emit_update}},
    {0},
};
