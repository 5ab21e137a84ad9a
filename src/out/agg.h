/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.h: the values of aggregations and their display.  A value is an array of 64-bit words; what
 * they are, how they change and how they look is the aggregating function's (src/builtin/agg_*.c),
 * which describes itself in a struct agg_ops.  Here is what holds for all of them: sorting, joining
 * and the layouts of whole aggregations; and what several of them share.
 */
#ifndef OUT_AGG_H
#define OUT_AGG_H

#include <stdbool.h>
#include <stdint.h>

struct doc;
struct fmt;
struct hist_ops;
struct out;
struct out_opts;
struct value;

struct agg_desc {
	const struct agg_ops *ops;
	uint64_t param; /* what the function has packed its constant arguments into, or 0 */
};

/* A key with its value.  Everything is borrowed. */
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

/* Data of OUT_OBJECT_AGGS. */
struct agg_call {
	const struct agg_set *sets;
	unsigned int n;
};

/* Kinds of metrics (metrics.h). */
enum agg_metric {
	AGG_METRIC_GAUGE,
	AGG_METRIC_COUNTER,   /* the first word */
	AGG_METRIC_SUMMARY,   /* the first two words: a count and a sum */
	AGG_METRIC_HISTOGRAM, /* what has hist_ops */
};

/* Operations of an aggregating function for printing. */
struct agg_ops {
	const char *name;
	/* Words of a value: a number, or (0) what follows from the parameters. */
	unsigned int nwords;
	unsigned int (*count_words)(const struct agg_desc *d);
	/* A fresh value; NULL: zeros. */
	void (*init)(int64_t *words);
	/* Adds a datum `times` times.  It is the reference for the programs in the kernel. */
	void (*update)(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times);
	/* Another CPU's copy added. */
	void (*merge)(const struct agg_desc *d, int64_t *dst, const int64_t *src);
	/* Order of two values: negative, 0, positive. */
	int (*compare)(const struct agg_desc *d, const int64_t *a, const int64_t *b);
	/* The number that a format prints, divided by normal; NULL: there is none, and what print()
	 * writes stands in its place. */
	int64_t (*scalar)(const int64_t *words, int64_t normal);
	bool is_unsigned; /* that number, in formats */
	/* The value alone in the default layout; as members of an object of a document. */
	void (*print)(struct out *o, const struct agg_rec *r);
	void (*document)(struct doc *doc, const struct agg_rec *r, const int64_t *words);
	enum agg_metric metric;
	bool has_bar;		     /* option agghist shows the first word as a bar */
	const struct hist_ops *hist; /* NULL: no histogram */
};

/* Words of a value. */
unsigned int agg_nwords(const struct agg_desc *d);

/* Does it add up, so that it can go on where it was after clear()? */
bool agg_is_total(const struct agg_desc *d);

/* A fresh value. */
void agg_init(const struct agg_desc *d, int64_t *words);

/* True if nothing was added to them. */
bool agg_is_fresh(const struct agg_desc *d, const int64_t *words);

/* For agg_ops: all words added; compared, printed and documented by the scalar. */
void agg_merge_sums(const struct agg_desc *d, int64_t *dst, const int64_t *src);
int agg_compare_number(const struct agg_desc *d, const int64_t *a, const int64_t *b);
void agg_print_number(struct out *o, const struct agg_rec *r);
void agg_document_number(struct doc *doc, const struct agg_rec *r, const int64_t *words);

#define AGG_NUMBER(value)                                                          \
	.compare = agg_compare_number, .scalar = value, .print = agg_print_number, \
	.document = agg_document_number

/* Addition that wraps; division without traps: by 0 means by 1, and INT64_MIN / -1 wraps. */
void agg_add(int64_t *dst, int64_t n);
int64_t agg_divide(int64_t a, int64_t b);

static inline uint64_t agg_magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* Order of two keys, starting with key number first and wrapping round. */
int agg_compare_keys(const struct agg_rec *a, const struct agg_rec *b, unsigned int first);

/* Order of printing of two records of one aggregation, all sort options considered. */
int agg_compare(const struct out_opts *opts, const struct agg_rec *a, const struct agg_rec *b);

/* All records of one aggregation, sorted, default layout (agghist, aggpack: theirs). */
void agg_print(struct out *o, const struct agg_rec *recs, unsigned int n);

/* The action printa() as a whole: f NULL is the default layout, after a newline. */
void agg_printa(struct out *o, const struct fmt *f, const struct agg_set *sets, unsigned int n);

#endif
