/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_scalar.c: count, sum, avg (count, then sum), min, max.  sum, min and max have a further word
 * that marks used rows.
 */
#include <stddef.h>

#include "builtin/builtin.h"

#define CAS_TRIES 4

static void emit_count(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		       struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, ir_const(&lw->b, 1));
}

static void emit_sum(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		     struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, v);
}

static void emit_avg(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		     struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, 0, ir_const(&lw->b, 1));
	lw_word_add(lw, ag, row, 8, v);
}

/*
 * Stores v in the row if the row is unused or v is beyond its value (larger for max, smaller for
 * min).  The used-word is set first, so a nested firing sees either an empty row or a value.
 */
static void emit_extreme(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
			 bool is_max)
{
	struct ir_block *done = lw_block(lw), *lost = lw_block(lw);
	int64_t seen_off = (ag->nwords - 1) * 8;

	for (unsigned int i = 0; i < (ag->is_shared ? CAS_TRIES : 1); i++) {
		struct ir_block *fresh = lw_block(lw), *cmp = lw_block(lw), *take = lw_block(lw),
				*next = lw_block(lw);
		struct ir_ins *old = ir_load(&lw->b, 8, row, 0, IR_MEM_ROW), *got;
		struct ir_ins *seen = ir_load(&lw->b, 8, row, seen_off, IR_MEM_ROW);

		lw_if(lw, seen, cmp, fresh);
		lw_seal_at(lw, cmp);
		lw_if(lw, is_max ? ir_bin(&lw->b, IR_SLT, old, v) : ir_bin(&lw->b, IR_SLT, v, old),
		      take, done);
		lw_seal_at(lw, fresh);
		ir_jmp(&lw->b, take);
		lw_seal_at(lw, take);
		if (!ag->is_shared) {
			ir_store(&lw->b, 8, row, 0, v, IR_MEM_ROW);
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

static void emit_min(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		     struct ir_ins *weight)
{
	emit_extreme(lw, ag, row, v, false);
}

static void emit_max(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
		     struct ir_ins *weight)
{
	emit_extreme(lw, ag, row, v, true);
}

/* ---- at the consumer ---- */

static void update_count(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[0], 1);
}

static void update_sum(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[0], value);
}

static void update_avg(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[0], 1);
	agg_add(&words[1], value);
}

static void init_min(int64_t *words)
{
	words[0] = INT64_MAX;
}

static void update_min(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	if (value < words[0])
		words[0] = value;
}

static void merge_min(const struct agg_desc *d, int64_t *dst, const int64_t *src)
{
	update_min(d, dst, src[0], 1);
}

static void init_max(int64_t *words)
{
	words[0] = INT64_MIN;
}

static void update_max(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	if (value > words[0])
		words[0] = value;
}

static void merge_max(const struct agg_desc *d, int64_t *dst, const int64_t *src)
{
	update_max(d, dst, src[0], 1);
}

static int64_t first_word(const int64_t *words, int64_t normal)
{
	return agg_divide(words[0], normal);
}

static int64_t average(const int64_t *words, int64_t normal)
{
	return words[0] ? agg_divide(agg_divide(words[1], normal), words[0]) : 0;
}

/* ---- the rows ---- */

#define OPS(id, n, value, ...)             \
	static const struct agg_ops id = { \
	    .name = #id, .nwords = n, AGG_NUMBER(value), .update = update_##id, __VA_ARGS__}

OPS(count, 1, first_word, .merge = agg_merge_sums, .metric = AGG_METRIC_COUNTER,
    .is_unsigned = true, .has_bar = true);
OPS(sum, 1, first_word, .merge = agg_merge_sums, .metric = AGG_METRIC_COUNTER, .has_bar = true);
OPS(avg, 2, average, .merge = agg_merge_sums, .metric = AGG_METRIC_SUMMARY);
OPS(min, 1, first_word, .merge = merge_min, .init = init_min);
OPS(max, 1, first_word, .merge = merge_max, .init = init_max);

#define AGG(id, n, seen, ...)                                                 \
	{                                                                     \
		.name = #id, .kind = IDENT_AGGFUNC, .nargs = {n, n},          \
		.agg = &(const struct lang_agg){.ops = &(id), ##__VA_ARGS__}, \
		.impl = &(const struct builtin_agg)                           \
		{                                                             \
			.has_seen = seen, .update = emit_##id                 \
		}                                                             \
	}

const struct lang_row builtin_agg_scalar[] = {
    AGG(count, 0, false, .type = "uint64_t"),
    AGG(sum, 1, true),
    AGG(avg, 1, false),
    AGG(min, 1, true),
    AGG(max, 1, true),
    {0},
};
