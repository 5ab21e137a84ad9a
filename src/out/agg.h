/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.h: the values of aggregations and their display.  A value is an array of 64-bit words whose
 * number depends on the function and its parameters; compiler, kernel and consumer agree on:
 *
 *   count sum min max   1   the number
 *   avg                 2   count, sum
 *   stddev              4   count, sum, sum of squares (low word, high word)
 *   quantize          127   one count per bucket, d-language 8.2
 *   lquantize    levels+2   underflow, levels, overflow
 *   llquantize          n   underflow, the steps of each order from low to high, overflow; or, if
 *                           it is symmetric, what is about 0 in the middle and such a half on
 *                           each side of it
 */
#ifndef OUT_AGG_H
#define OUT_AGG_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct fmt;
struct out;
struct out_opts;
struct value;

enum agg_func {
	AGG_COUNT,
	AGG_SUM,
	AGG_AVG,
	AGG_MIN,
	AGG_MAX,
	AGG_STDDEV,
	AGG_QUANTIZE,
	AGG_LQUANTIZE,
	AGG_LLQUANTIZE,
};

#define AGG_QUANTIZE_BUCKETS 127
#define AGG_QUANTIZE_ZERO    63

struct agg_desc {
	enum agg_func func;
	uint64_t param; /* lquantize, llquantize: encoded as below; else 0 */
};

/* One key with its value.  Everything is borrowed. */
struct agg_rec {
	const struct agg_desc *desc;
	const struct value *keys;
	unsigned int nkeys;
	const int64_t *words; /* of all CPUs together, then those of CPU 0 to ncpu - 1 */
	int64_t normal;	      /* divisor of normalize(); 1 (or 0) without */
	unsigned int ncpu;    /* 0 without option aggpercpu */
};

/* All records of one aggregation, in any order. */
struct agg_set {
	const struct agg_desc *desc;
	const struct agg_rec *recs;
	unsigned int n;
	const char *name; /* without the @; only documents have it */
};

/* What OUT_OBJECT_AGGS offers. */
struct agg_call {
	const struct agg_set *sets;
	unsigned int n;
};

/* step<<48 | levels<<32 | low; the caller has checked that low < high and 0 < step. */
uint64_t agg_lquantize_param(int32_t low, int32_t high, uint16_t step);

/*
 * factor<<48 | low<<32 | is_symmetric<<31 | high<<16 | nsteps; the caller has checked that
 * factor^high fits 64 bits, and that of factor and nsteps one divides the other.
 */
uint64_t agg_llquantize_param(uint16_t factor, uint16_t low, uint16_t high, uint16_t nsteps,
			      bool is_symmetric);

/*
 * The terms of llquantize().  Each order, from lo to hi = lo * factor, has steps of equal width,
 * counted from lo; if there are fewer than the factor, from 0, and the first begins at lo.
 */
struct agg_llq {
	uint32_t factor, low, high, nsteps;
	bool is_symmetric;
};
struct agg_llq agg_llq_of(uint64_t param);
unsigned __int128 agg_llq_step(const struct agg_llq *l, unsigned __int128 lo);
unsigned __int128 agg_llq_base(const struct agg_llq *l, unsigned __int128 lo);

/* Words of a value. */
unsigned int agg_nwords(const struct agg_desc *d);

/* quantize, lquantize, llquantize: the bucket that a value falls in, and a bucket's label where
 * none before number first is shown. */
unsigned int agg_bucket(const struct agg_desc *d, int64_t value);
void agg_label(const struct agg_desc *d, unsigned int bucket, unsigned int first, struct buf *b);

/* A fresh value; one more datum (incr: histograms); another CPU's copy added. */
void agg_init(const struct agg_desc *d, int64_t *words);
void agg_update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t incr);
void agg_merge(const struct agg_desc *d, int64_t *dst, const int64_t *src);

/* The number printed for count ... stddev, divided by normal. */
int64_t agg_scalar(const struct agg_desc *d, const int64_t *words, int64_t normal);

/* Does the value print as a histogram? */
bool agg_is_histogram(const struct agg_desc *d);

/* Order of two values of one aggregation: negative, 0, positive. */
int agg_compare_value(const struct agg_desc *d, const int64_t *a, const int64_t *b);

/* Order of two keys, starting with key number first and wrapping round; by_sign: see value.h. */
int agg_compare_keys(const struct agg_rec *a, const struct agg_rec *b, unsigned int first,
		     bool by_sign);

/* Order of printing of two records of one aggregation, all sort options considered. */
int agg_compare(const struct out_opts *opts, const struct agg_rec *a, const struct agg_rec *b);

/* The value alone as the default layout prints it: a number or a histogram. */
void agg_value(struct out *o, const struct agg_rec *r);

/* All records of one aggregation, sorted, default layout (agghist, aggpack: theirs). */
void agg_print(struct out *o, const struct agg_rec *recs, unsigned int n);

/* Several aggregations joined by key, default layout; recs of all sets have the same key types. */
void agg_print_multi(struct out *o, const struct agg_set *sets, unsigned int n);

/* One or several aggregations joined by key, through a format. */
void agg_print_fmt(struct out *o, const struct fmt *f, const struct agg_set *sets, unsigned int n);

/* The action printa() as a whole: f NULL is the default layout, after a newline. */
void agg_printa(struct out *o, const struct fmt *f, const struct agg_set *sets, unsigned int n);

#endif
