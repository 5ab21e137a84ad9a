/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c: the arithmetic of aggregation values.  agg_update() is the reference for what compiled
 * programs do in the kernel; agg_merge() joins the copies of the CPUs.
 *
 * Sums wrap as the kernel's do.  The bounds of llquantize are kept in 128 bits: the highest one,
 * factor^(high+1), need not fit in 64.
 */
#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "out/agg.h"

typedef unsigned __int128 u128;

struct lq {
	int32_t low;
	uint32_t levels, step;
};

uint64_t agg_lquantize_param(int32_t low, int32_t high, uint16_t step)
{
	assert(low < high && step > 0);
	uint64_t levels = (uint64_t)((int64_t)high - low) / step;

	return (uint64_t)step << 48 | (levels & 0xffff) << 32 | (uint32_t)low;
}

#define LLQ_SYMMETRIC (1ULL << 31)

uint64_t agg_llquantize_param(uint16_t factor, uint16_t low, uint16_t high, uint16_t nsteps,
			      bool is_symmetric)
{
	assert(high < 64);
	return (uint64_t)factor << 48 | (uint64_t)low << 32 | (uint64_t)high << 16 | nsteps |
	       (is_symmetric ? LLQ_SYMMETRIC : 0);
}

static struct lq lq_of(const struct agg_desc *d)
{
	struct lq l = {.low = (int32_t)d->param,
		       .levels = d->param >> 32 & 0xffff,
		       .step = (uint32_t)(d->param >> 48)};

	assert(d->func == AGG_LQUANTIZE && l.step > 0);
	return l;
}

struct agg_llq agg_llq_of(uint64_t param)
{
	struct agg_llq l = {.factor = (uint32_t)(param >> 48),
			    .low = param >> 32 & 0xffff,
			    .high = (param & ~LLQ_SYMMETRIC) >> 16 & 0xffff,
			    .nsteps = param & 0xffff,
			    .is_symmetric = param & LLQ_SYMMETRIC};

	assert(l.factor >= 2 && l.nsteps > 0);
	return l;
}

/* base to the n, at most the largest 112-bit number (only reached by parameters never accepted). */
static u128 power(uint32_t base, uint32_t n)
{
	u128 p = 1;

	while (n--)
		if (p >> 96 == 0)
			p *= base;
	return p;
}

u128 agg_llq_step(const struct agg_llq *l, u128 lo)
{
	u128 hi = lo * l->factor;

	return hi > l->nsteps ? hi / l->nsteps : 1;
}

u128 agg_llq_base(const struct agg_llq *l, u128 lo)
{
	return l->nsteps < l->factor ? 0 : lo;
}

static unsigned int llq_nsteps(const struct agg_llq *l, u128 lo)
{
	return (unsigned int)((lo * l->factor - agg_llq_base(l, lo)) / agg_llq_step(l, lo));
}

/* Buckets from underflow, or the middle, up. */
static unsigned int llq_half(const struct agg_llq *l)
{
	u128 lo = power(l->factor, l->low);
	unsigned int n = 2;

	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor)
		n += llq_nsteps(l, lo);
	return n;
}

/* The number of the bucket of what is below factor^low. */
static unsigned int llq_zero(const struct agg_llq *l)
{
	return l->is_symmetric ? llq_half(l) - 1 : 0;
}

unsigned int agg_nwords(const struct agg_desc *d)
{
	switch (d->func) {
	case AGG_COUNT:
	case AGG_SUM:
	case AGG_MIN:
	case AGG_MAX:
		return 1;
	case AGG_AVG:
		return 2;
	case AGG_STDDEV:
		return 4;
	case AGG_QUANTIZE:
		return AGG_QUANTIZE_BUCKETS;
	case AGG_LQUANTIZE:
		return lq_of(d).levels + 2;
	case AGG_LLQUANTIZE:
		break;
	}
	struct agg_llq l = agg_llq_of(d->param);

	return llq_zero(&l) + llq_half(&l);
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static unsigned int log2_floor(uint64_t v)
{
	assert(v);
	return 63 - (unsigned int)__builtin_clzll(v);
}

static unsigned int quantize_bucket(int64_t v)
{
	if (v == 0)
		return AGG_QUANTIZE_ZERO;
	unsigned int k = log2_floor(magnitude(v));
	if (v > 0)
		return AGG_QUANTIZE_ZERO + 1 + k;
	return k > 62 ? 0 : AGG_QUANTIZE_ZERO - 1 - k;
}

/* The low 32 bits count, as in illumos. */
static unsigned int lquantize_bucket(const struct lq *l, int64_t value)
{
	int64_t v = (int32_t)value;

	if (v < l->low)
		return 0;
	uint64_t level = (uint64_t)(v - l->low) / l->step;
	return level >= l->levels ? l->levels + 1 : (unsigned int)level + 1;
}

/* Steps up from the bucket of what is below factor^low. */
static unsigned int llquantize_steps(const struct agg_llq *l, u128 v)
{
	u128 lo = power(l->factor, l->low);
	unsigned int base = 1;

	if (v < lo)
		return 0;
	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor) {
		if (v < lo * l->factor)
			return base +
			       (unsigned int)((v - agg_llq_base(l, lo)) / agg_llq_step(l, lo));
		base += llq_nsteps(l, lo);
	}
	return base;
}

static unsigned int llquantize_bucket(const struct agg_llq *l, int64_t value)
{
	unsigned int zero = llq_zero(l);

	if (value >= 0)
		return zero + llquantize_steps(l, (u128)value);
	return l->is_symmetric ? zero - llquantize_steps(l, magnitude(value)) : zero;
}

unsigned int agg_bucket(const struct agg_desc *d, int64_t value)
{
	assert(agg_is_histogram(d));
	if (d->func == AGG_QUANTIZE)
		return quantize_bucket(value);
	if (d->func == AGG_LQUANTIZE) {
		struct lq l = lq_of(d);
		return lquantize_bucket(&l, value);
	}
	struct agg_llq l = agg_llq_of(d->param);
	return llquantize_bucket(&l, value);
}

static int64_t quantize_label(unsigned int i)
{
	if (i == AGG_QUANTIZE_ZERO)
		return 0;
	if (i > AGG_QUANTIZE_ZERO)
		return (int64_t)(1ull << (i - AGG_QUANTIZE_ZERO - 1));
	return -(int64_t)(1ull << (AGG_QUANTIZE_ZERO - 1 - i));
}

/* Lower bound of a bucket; underflow: one less than the lowest bound. */
static __int128 lquantize_bound(const struct lq *l, unsigned int i)
{
	if (i == 0)
		return (__int128)l->low - 1;
	return l->low + (__int128)(i - 1) * l->step;
}

/* Where bucket i up from the one below factor^low begins, i > 0. */
static __int128 llquantize_from(const struct agg_llq *l, unsigned int i)
{
	u128 lo = power(l->factor, l->low);
	unsigned int base = 1;

	for (uint32_t m = l->low; m <= l->high; m++, lo *= l->factor) {
		unsigned int n = llq_nsteps(l, lo);

		if (i == base)
			return (__int128)lo;
		if (i < base + n)
			return (__int128)(agg_llq_base(l, lo) + (i - base) * agg_llq_step(l, lo));
		base += n;
	}
	return (__int128)lo;
}

static __int128 llquantize_bound(const struct agg_llq *l, unsigned int i)
{
	unsigned int zero = llq_zero(l);

	if (i == zero)
		return l->is_symmetric ? 0 : (__int128)power(l->factor, l->low) - 1;
	return i > zero ? llquantize_from(l, i - zero) : -llquantize_from(l, zero - i);
}

static void add_number(struct buf *b, __int128 n)
{
	char text[48], *p = text + sizeof(text);
	u128 u = n < 0 ? -(u128)n : (u128)n;

	do
		*--p = (char)('0' + (int)(u % 10));
	while (u /= 10);
	if (n < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(text + sizeof(text) - p));
}

/* The bound that bucket i stands for in sums and labels. */
static __int128 bound(const struct agg_desc *d, unsigned int i)
{
	if (d->func == AGG_QUANTIZE)
		return quantize_label(i);
	if (d->func == AGG_LQUANTIZE) {
		struct lq l = lq_of(d);
		return lquantize_bound(&l, i);
	}
	struct agg_llq l = agg_llq_of(d->param);
	return llquantize_bound(&l, i);
}

/* The middle is 0, or what is below the first step, on the sides that are shown. */
static void middle_label(const struct agg_llq *l, bool has_negative, struct buf *b)
{
	u128 lo = power(l->factor, l->low);

	if (lo > 1)
		buf_puts(b, has_negative ? "abs() < " : "< ");
	add_number(b, lo > 1 ? (__int128)lo : 0);
}

/* Below the lowest step of a symmetric histogram. */
static bool symmetric_label(const struct agg_desc *d, unsigned int bucket, unsigned int first,
			    struct buf *b)
{
	struct agg_llq l;

	if (d->func != AGG_LLQUANTIZE)
		return false;
	l = agg_llq_of(d->param);
	if (!l.is_symmetric || (bucket && bucket != llq_zero(&l)))
		return false;
	if (bucket) {
		middle_label(&l, first < bucket, b);
	} else {
		buf_puts(b, "<= ");
		add_number(b, bound(d, bucket));
	}
	return true;
}

void agg_label(const struct agg_desc *d, unsigned int bucket, unsigned int first, struct buf *b)
{
	assert(agg_is_histogram(d) && bucket < agg_nwords(d));
	if (symmetric_label(d, bucket, first, b))
		return;
	if (d->func == AGG_QUANTIZE) {
		add_number(b, quantize_label(bucket));
	} else if (bucket == 0) {
		buf_puts(b, "< ");
		add_number(b, bound(d, 1));
	} else {
		if (bucket == agg_nwords(d) - 1)
			buf_puts(b, ">= ");
		add_number(b, bound(d, bucket));
	}
}

bool agg_is_histogram(const struct agg_desc *d)
{
	return d->func == AGG_QUANTIZE || d->func == AGG_LQUANTIZE || d->func == AGG_LLQUANTIZE;
}

void agg_init(const struct agg_desc *d, int64_t *words)
{
	memset(words, 0, agg_nwords(d) * sizeof(words[0]));
	if (d->func == AGG_MIN)
		words[0] = INT64_MAX;
	else if (d->func == AGG_MAX)
		words[0] = INT64_MIN;
}

/* Addition that wraps. */
static void add(int64_t *dst, int64_t n)
{
	*dst = (int64_t)((uint64_t)*dst + (uint64_t)n);
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

void agg_update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t incr)
{
	switch (d->func) {
	case AGG_COUNT:
		add(&words[0], 1);
		break;
	case AGG_SUM:
		add(&words[0], value);
		break;
	case AGG_MIN:
		if (value < words[0])
			words[0] = value;
		break;
	case AGG_MAX:
		if (value > words[0])
			words[0] = value;
		break;
	case AGG_STDDEV:
		add128(&words[2], (u128)magnitude(value) * magnitude(value));
		__attribute__((fallthrough));
	case AGG_AVG:
		add(&words[0], 1);
		add(&words[1], value);
		break;
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		add(&words[agg_bucket(d, value)], incr);
		break;
	}
}

void agg_merge(const struct agg_desc *d, int64_t *dst, const int64_t *src)
{
	unsigned int n = agg_nwords(d);

	switch (d->func) {
	case AGG_MIN:
		dst[0] = src[0] < dst[0] ? src[0] : dst[0];
		return;
	case AGG_MAX:
		dst[0] = src[0] > dst[0] ? src[0] : dst[0];
		return;
	case AGG_STDDEV:
		add128(&dst[2], get128(&src[2]));
		n = 2;
		break;
	case AGG_COUNT:
	case AGG_SUM:
	case AGG_AVG:
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		break;
	}
	for (unsigned int i = 0; i < n; i++)
		add(&dst[i], src[i]);
}

/* Division without traps: by 0 means by 1, and INT64_MIN / -1 wraps. */
static int64_t divide(int64_t a, int64_t b)
{
	if (b == 0)
		return a;
	return b == -1 ? (int64_t) - (uint64_t)a : a / b;
}

/* Integer square root, rounded down. */
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
	uint64_t count = (uint64_t)w[0], by = magnitude(normal);

	if (count == 0)
		return 0;
	if (by == 0)
		by = 1;
	u128 squares = get128(&w[2]) / by / by / count;
	u128 avg = magnitude(w[1]) / by / count;
	/* sums that wrapped can make this negative */
	return avg * avg > squares ? 0 : (int64_t)root(squares - avg * avg);
}

int64_t agg_scalar(const struct agg_desc *d, const int64_t *words, int64_t normal)
{
	assert(!agg_is_histogram(d));
	if (d->func == AGG_AVG)
		return words[0] ? divide(divide(words[1], normal), words[0]) : 0;
	if (d->func == AGG_STDDEV)
		return stddev(words, normal);
	return divide(words[0], normal);
}

/* What beyond the limit of lquantize() counts as one more than the limit. */
static long double weight(const struct agg_desc *d, const int64_t *words)
{
	unsigned int n = agg_nwords(d);
	long double sum = 0, beyond = d->func == AGG_LQUANTIZE;

	for (unsigned int i = 0; i < n; i++)
		if (words[i])
			sum += ((long double)bound(d, i) + (i == n - 1 ? beyond : 0)) *
			       (long double)words[i];
	return sum;
}

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

int agg_compare_value(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	if (d->func == AGG_STDDEV) {
		uint64_t x = (uint64_t)stddev(a, 1), y = (uint64_t)stddev(b, 1);
		return x < y ? -1 : x > y;
	}
	if (!agg_is_histogram(d))
		return compare(agg_scalar(d, a, 1), agg_scalar(d, b, 1));
	long double x = weight(d, a), y = weight(d, b);
	if (x != y)
		return x < y ? -1 : 1;
	unsigned int zero = agg_bucket(d, 0);
	return compare(a[zero], b[zero]);
}
