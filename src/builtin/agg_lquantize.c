/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_lquantize.c: lquantize(value, low, high, step): underflow, levels, overflow.  The parameters
 * are packed as step << 48 | levels << 32 | low.
 */
#include <assert.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/dialect.h"
#include "builtin/builtin.h"

struct terms {
	int32_t low;
	uint32_t levels, step;
};

static struct terms terms_of(uint64_t param)
{
	struct terms l = {
	    .low = (int32_t)param, .levels = param >> 32 & 0xffff, .step = (uint32_t)(param >> 48)};

	assert(l.step > 0);
	return l;
}

/* ---- check ---- */

static bool match(struct check *ck, const struct expr *call, uint64_t param, uint64_t now_param)
{
	struct terms old = terms_of(param), now = terms_of(now_param);

	if (old.low != now.low)
		return check_error(ck, call, D_LQUANT_MATCHBASE,
				   "base (argument #1) differs from the previous use");
	if (old.levels * old.step != now.levels * now.step)
		return check_error(ck, call, D_LQUANT_MATCHLIM,
				   "limit (argument #2) differs from the previous use");
	return check_error(ck, call, D_LQUANT_MATCHSTEP,
			   "step (argument #3) differs from the previous use");
}

static bool pack(struct check *ck, struct expr *call, uint64_t *param)
{
	int64_t base = 0, limit = 0, step = 1, levels;

	if (!check_constant(ck, call, 1, D_LQUANT_BASETYPE, "base", &base) ||
	    !check_constant(ck, call, 2, D_LQUANT_LIMTYPE, "limit", &limit))
		return false;
	if (base < INT32_MIN || base > INT32_MAX)
		return check_error(ck, call, D_LQUANT_BASEVAL,
				   "argument #1 must be a 32-bit quantity");
	if (limit < INT32_MIN || limit > INT32_MAX)
		return check_error(ck, call, D_LQUANT_LIMVAL,
				   "argument #2 must be a 32-bit quantity");
	if (limit < base ||
	    (limit == base && dialect_has(check_diags(ck)->dialect, DIALECT_BOUNDS_FIRST)))
		return check_error(ck, call, D_LQUANT_MISMATCH,
				   "base (argument #1) must be less than limit (argument #2)");
	if (call->nargs > 3) {
		if (!check_constant(ck, call, 3, D_LQUANT_STEPTYPE, "step", &step))
			return false;
		if (step <= 0)
			return check_error(ck, call, D_LQUANT_STEPTYPE,
					   "argument #3 must be a positive integer constant");
		if (step > UINT16_MAX)
			return check_error(ck, call, D_LQUANT_STEPVAL,
					   "step (argument #3) exceeds 16 bits");
	}
	levels = (limit - base) / step;
	if (levels == 0)
		return check_error(ck, call, D_LQUANT_STEPLARGE,
				   "step (argument #3) is too large: there are no levels");
	if (levels > UINT16_MAX)
		return check_error(ck, call, D_LQUANT_STEPSMALL,
				   "step (argument #3) is too small: there are too many levels");
	*param = (uint64_t)step << 48 | (uint64_t)levels << 32 | (uint32_t)base;
	return true;
}

/* ---- in the kernel ---- */

static struct ir_ins *prepare(struct lw *lw, struct agg_layout *ag, const struct expr *e,
			      struct ir_ins *v)
{
	struct terms l = terms_of(ag->ident->agg_param);
	int64_t low = l.low, levels = l.levels, step = l.step;
	struct ir_block *under = lw_block(lw), *in = lw_block(lw), *over = lw_block(lw),
			*mid = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	struct ir_ins *d;

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

/* ---- at the consumer ---- */

static unsigned int count_words(const struct agg_desc *d)
{
	return terms_of(d->param).levels + 2;
}

static unsigned int bucket(const struct agg_desc *d, int64_t value)
{
	struct terms l = terms_of(d->param);
	uint64_t level;

	if (value < l.low)
		return 0;
	level = ((uint64_t)value - (uint64_t)(int64_t)l.low) / l.step;
	return level >= l.levels ? l.levels + 1 : (unsigned int)level + 1;
}

/* Returns the lower bound of a bucket.  For underflow it is the lowest bound less one. */
static __int128 bound(const struct agg_desc *d, unsigned int i)
{
	struct terms l = terms_of(d->param);

	return i == 0 ? (__int128)l.low - 1 : l.low + (__int128)(i - 1) * l.step;
}

static struct hist_range empty(const struct agg_desc *d)
{
	return (struct hist_range){0, 2};
}

static struct hist_range pack_range(const struct agg_rec *recs, unsigned int n)
{
	return (struct hist_range){0, count_words(recs->desc) - 1};
}

static const struct hist_ops histogram = {.bucket = bucket,
					  .bound = bound,
					  .beyond = 1,
					  .label = hist_label_open,
					  .empty = empty,
					  .pack_range = pack_range,
					  .pack_width = 8};

static const struct agg_ops ops = {
    .name = "lquantize", .count_words = count_words, HIST_VALUE, .hist = &histogram};

const struct lang_row builtin_agg_lquantize[] = {
    {.name = "lquantize",
     .kind = IDENT_AGGFUNC,
     .nargs = {3, 5, 2, "int32_t"},
     .agg = &(const struct lang_agg){.ops = &ops, .weight_arg = 4, .pack = pack, .match = match},
     .impl = &(const struct builtin_agg){.has_seen = true,
					 .prepare = prepare,
					 .update = builtin_hist_update}},
    {0},
};
