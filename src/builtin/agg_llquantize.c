/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_llquantize.c: llquantize(value, factor, low, high, steps).  Buckets are underflow, the steps
 * of each order from low to high, and overflow.  A symmetric one has the bucket around 0 in the
 * middle, and the rest on both sides of it.  Each order, from lo to hi = lo * factor, has steps of
 * equal width, counted from lo.  If there are fewer steps than the factor, they count from 0, and
 * the first begins at lo.
 *
 * The parameters are packed as factor << 48 | low << 32 | is_symmetric << 31 | high << 16 | steps.
 * Bounds have 128 bits: the highest one, factor^(high+1), need not fit in 64.
 */
#include <assert.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/dialect.h"
#include "builtin/builtin.h"

typedef unsigned __int128 u128;

#define SYMMETRIC (1ULL << 31)

struct terms {
	uint32_t factor, low, high, nsteps;
	bool is_symmetric;
};

static struct terms terms_of(uint64_t param)
{
	struct terms l = {.factor = (uint32_t)(param >> 48),
			  .low = param >> 32 & 0xffff,
			  .high = (param & ~SYMMETRIC) >> 16 & 0xffff,
			  .nsteps = param & 0xffff,
			  .is_symmetric = param & SYMMETRIC};

	assert(l.factor >= 2 && l.nsteps > 0);
	return l;
}

/* Returns base to the n, at most the largest 112-bit number (only for rejected parameters). */
static u128 power(uint32_t base, uint32_t n)
{
	u128 p = 1;

	while (n--)
		if (p >> 96 == 0)
			p *= base;
	return p;
}

static u128 step_of(const struct terms *l, u128 lo)
{
	u128 hi = lo * l->factor;

	return hi > l->nsteps ? hi / l->nsteps : 1;
}

static u128 base_of(const struct terms *l, u128 lo)
{
	return l->nsteps < l->factor ? 0 : lo;
}

static unsigned int nsteps_of(const struct terms *l, u128 lo)
{
	return (unsigned int)((lo * l->factor - base_of(l, lo)) / step_of(l, lo));
}

/* Returns the number of buckets from underflow, or the middle, upwards. */
static unsigned int half_of(const struct terms *l)
{
	u128 lo = power(l->factor, l->low);
	unsigned int n = 2;

	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor)
		n += nsteps_of(l, lo);
	return n;
}

/* Returns the number of the bucket for values below factor^low. */
static unsigned int zero_of(const struct terms *l)
{
	return l->is_symmetric ? half_of(l) - 1 : 0;
}

/* ---- check ---- */

static bool match(struct check *ck, const struct expr *call, uint64_t old, uint64_t now)
{
	static const struct {
		unsigned int shift;
		enum diag_tag tag;
		const char *text;
	} fields[] = {
	    {48, D_LLQUANT_FACTORMATCH, "factor (argument #1) differs from the previous use"},
	    {32, D_LLQUANT_LOWMATCH, "low magnitude (argument #2) differs from the previous use"},
	    {16, D_LLQUANT_HIGHMATCH, "high magnitude (argument #3) differs from the previous use"},
	    {0, D_LLQUANT_NSTEPMATCH,
	     "number of steps (argument #4) differs from the previous use"},
	};

	for (unsigned int i = 0; i < 4; i++)
		if ((old >> fields[i].shift & 0xffff) != (now >> fields[i].shift & 0xffff))
			return check_error(ck, call, fields[i].tag, fields[i].text);
	return true;
}

/* Returns true if the number of steps divides the smallest power of the factor that is not less. */
static bool steps_divide_power(uint64_t factor, uint64_t nsteps)
{
	uint64_t v = factor;

	while (v < nsteps)
		v *= factor;
	return v % nsteps == 0;
}

static bool has_shape(struct check *ck, const struct expr *call, const int64_t *v)
{
	uint64_t factor = (uint64_t)v[0], nsteps = (uint64_t)v[3], power = 1;

	if (factor < 2)
		return check_error(ck, call, D_LLQUANT_FACTORSMALL,
				   "factor (argument #1) must be two or more");
	if (v[1] > v[2])
		return check_error(
		    ck, call, D_LLQUANT_MAGRANGE,
		    "high magnitude (argument #3) must not be less than the low magnitude "
		    "(argument #2)");
	if (nsteps == 0 || (nsteps < factor && factor % nsteps != 0))
		return check_error(
		    ck, call, D_LLQUANT_FACTORNSTEPS,
		    "fewer steps (argument #4) than the factor (argument #1) must divide "
		    "it");
	for (int64_t i = 0; i < v[2]; i++) {
		if (power > UINT64_MAX / factor)
			return check_error(ck, call, D_LLQUANT_MAGTOOBIG,
					   "factor (argument #1) raised to the high magnitude "
					   "(argument #3) does not fit 64 bits");
		power *= factor;
	}
	if (nsteps > factor && (nsteps % factor != 0 || !steps_divide_power(factor, nsteps)))
		return check_error(
		    ck, call, D_LLQUANT_FACTOREVEN,
		    "factor (argument #1) must divide the number of steps (argument #4), "
		    "and these a power of the factor");
	return true;
}

static bool pack(struct check *ck, struct expr *call, uint64_t *param)
{
	static const struct {
		enum diag_tag type, val;
		const char *what;
	} args[] = {
	    {D_LLQUANT_FACTORTYPE, D_LLQUANT_FACTORVAL, "factor"},
	    {D_LLQUANT_LOWTYPE, D_LLQUANT_LOWVAL, "low magnitude"},
	    {D_LLQUANT_HIGHTYPE, D_LLQUANT_HIGHVAL, "high magnitude"},
	    {D_LLQUANT_NSTEPTYPE, D_LLQUANT_NSTEPVAL, "number of steps"},
	};
	int64_t v[4];

	for (unsigned int i = 0; i < 4; i++) {
		if (!check_constant(ck, call, i + 1, args[i].type, args[i].what, &v[i]))
			return false;
		if (i == 3 && v[i] <= 0 &&
		    dialect_has(check_diags(ck)->dialect, DIALECT_BOUNDS_FIRST))
			return diag(check_diags(ck), call->loc, args[i].type,
				    "%s( ) argument #4 must be a positive integer constant",
				    call->name);
		if (v[i] < 0 || v[i] > UINT16_MAX)
			return diag(check_diags(ck), call->loc, args[i].val,
				    "%s( ) argument #%u must be an unsigned 16-bit quantity",
				    call->name, i + 1);
	}
	if (!has_shape(ck, call, v))
		return false;
	*param =
	    (uint64_t)v[0] << 48 | (uint64_t)v[1] << 32 | (uint64_t)v[2] << 16 | (uint64_t)v[3];
	if (dialect_has(check_diags(ck)->dialect, DIALECT_SYMMETRIC_LLQUANTIZE))
		*param |= SYMMETRIC;
	return true;
}

/* ---- in the kernel ---- */

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
 * Returns the number of steps from the bucket below the lowest order.  The orders are few and
 * constant: a chain of comparisons finds the order of v, which is at most MAGNITUDE_MAX.  If the
 * end of the highest order exceeds 64 bits, no value is beyond it.
 */
static struct ir_ins *emit_steps(struct lw *lw, const struct terms *l, struct ir_ins *v)
{
	struct ir_block *under = lw_block(lw), *next = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	u128 from = 1, to;
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
		uint64_t step = (uint64_t)step_of(l, from), base = (uint64_t)base_of(l, from);

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

/* Negative values count on their own side, or as 0. */
static struct ir_ins *prepare(struct lw *lw, struct agg_layout *ag, const struct expr *e,
			      struct ir_ins *v)
{
	struct terms l = terms_of(ag->ident->agg_param);
	struct ir_ins *sign = ir_bin(&lw->b, IR_ASHR, v, ir_const(&lw->b, 63));

	if (!l.is_symmetric) {
		sign = ir_un(&lw->b, IR_NOT, sign);
		return emit_steps(lw, &l, ir_bin(&lw->b, IR_AND, v, sign));
	}
	v = emit_steps(lw, &l, builtin_with_sign(lw, v, sign));
	return ir_bin(&lw->b, IR_ADD, builtin_with_sign(lw, v, sign),
		      ir_const(&lw->b, (int64_t)zero_of(&l)));
}

/* ---- at the consumer ---- */

static unsigned int count_words(const struct agg_desc *d)
{
	struct terms l = terms_of(d->param);

	return zero_of(&l) + half_of(&l);
}

/* Returns the number of steps from the bucket below factor^low. */
static unsigned int steps_to(const struct terms *l, u128 v)
{
	u128 lo = power(l->factor, l->low);
	unsigned int base = 1;

	if (v < lo)
		return 0;
	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor) {
		if (v < lo * l->factor)
			return base + (unsigned int)((v - base_of(l, lo)) / step_of(l, lo));
		base += nsteps_of(l, lo);
	}
	return base;
}

static unsigned int bucket(const struct agg_desc *d, int64_t value)
{
	struct terms l = terms_of(d->param);
	unsigned int zero = zero_of(&l);

	if (value >= 0)
		return zero + steps_to(&l, (u128)value);
	return l.is_symmetric ? zero - steps_to(&l, agg_magnitude(value)) : zero;
}

/* Returns the start of bucket i, counted from the one below factor^low; i > 0. */
static __int128 begin_of(const struct terms *l, unsigned int i)
{
	u128 lo = power(l->factor, l->low);
	unsigned int base = 1;

	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor) {
		unsigned int n = nsteps_of(l, lo);

		if (i == base)
			return (__int128)lo;
		if (i < base + n)
			return (__int128)(base_of(l, lo) + (i - base) * step_of(l, lo));
		base += n;
	}
	return (__int128)lo;
}

static __int128 bound(const struct agg_desc *d, unsigned int i)
{
	struct terms l = terms_of(d->param);
	unsigned int zero = zero_of(&l);

	if (i == zero)
		return l.is_symmetric ? 0 : (__int128)power(l.factor, l.low) - 1;
	return i > zero ? begin_of(&l, i - zero) : -begin_of(&l, zero - i);
}

/* Labels the middle bucket: 0, or all values below the first step on the sides that are shown. */
static void middle_label(const struct terms *l, bool has_negative, struct buf *b)
{
	u128 lo = power(l->factor, l->low);

	if (lo > 1)
		buf_puts(b, has_negative ? "abs() < " : "< ");
	hist_number(b, lo > 1 ? (__int128)lo : 0);
}

static void label(const struct agg_desc *d, unsigned int i, unsigned int first, struct buf *b)
{
	struct terms l = terms_of(d->param);

	if (!l.is_symmetric || (i && i != zero_of(&l))) {
		hist_label_open(d, i, first, b);
	} else if (i) {
		middle_label(&l, first < i, b);
	} else {
		buf_puts(b, "<= ");
		hist_number(b, bound(d, i));
	}
}

static struct hist_range empty(const struct agg_desc *d)
{
	struct terms l = terms_of(d->param);
	unsigned int zero = zero_of(&l);

	return (struct hist_range){zero, zero + (l.is_symmetric ? 2 : 1)};
}

static const struct hist_ops histogram = {
    .bucket = bucket, .bound = bound, .label = label, .empty = empty};

static const struct agg_ops ops = {
    .name = "llquantize", .count_words = count_words, HIST_VALUE, .hist = &histogram};

const struct lang_row builtin_agg_llquantize[] = {
    {.name = "llquantize",
     .kind = IDENT_AGGFUNC,
     .nargs = {5, 6, 4, "int32_t"},
     .agg = &(const struct lang_agg){.ops = &ops, .weight_arg = 5, .pack = pack, .match = match},
     .impl = &(const struct builtin_agg){.has_seen = true,
					 .prepare = prepare,
					 .update = builtin_hist_update}},
    {0},
};
