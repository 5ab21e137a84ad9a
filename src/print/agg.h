/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.h: the values of aggregations and their display.  A value is an array of 64-bit words.  Each
 * aggregating function (src/builtin/agg_*.c) describes its words, updates and layout in a struct
 * agg_ops.  This file has the parts that hold for all functions: sorting, joining, and the layouts
 * of whole aggregations; and parts that several functions share.
 */
#ifndef PRINT_AGG_H
#define PRINT_AGG_H

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
	uint64_t param; /* the constant arguments, as the function packs them, or 0 */
};

/* A key with its value.  Everything is borrowed. */
struct agg_rec {
	const struct agg_desc *desc;
	const struct value *keys;
	unsigned int nkeys;
	const int64_t *words; /* of all CPUs together, then of each CPU from 0 to ncpu - 1 */
	int64_t normal;	      /* divisor of normalize(); 1 or 0 without */
	unsigned int ncpu;    /* 0 without option aggpercpu */
};

/* All records of one aggregation, in any order. */
struct agg_set {
	const struct agg_desc *desc;
	const struct agg_rec *recs;
	unsigned int n;
	const char *name; /* without the @ */

	/* for documents and pictures only */
	const char *const *labels; /* names of the keys; NULL: no name */
	unsigned int nlabels;
	const char *unit; /* of the values: "ns", "us", "ms", "s" or "bytes"; NULL: not known */
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
	AGG_METRIC_HISTOGRAM, /* functions with hist_ops */
};

/* Operations of an aggregating function for printing. */
struct agg_ops {
	const char *name;
	/* Number of words of a value; 0: it depends on the parameters. */
	unsigned int nwords;
	unsigned int (*count_words)(const struct agg_desc *d);
	/* Initializes a value; NULL: zeros. */
	void (*init)(int64_t *words);
	/* Adds a datum `times` times.  The reference for the programs in the kernel. */
	void (*update)(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times);
	/* Adds the copy of another CPU. */
	void (*merge)(const struct agg_desc *d, int64_t *dst, const int64_t *src);
	/* Compares two values: negative, 0, positive. */
	int (*compare)(const struct agg_desc *d, const int64_t *a, const int64_t *b);
	/* The number that a format prints, divided by normal.  NULL: no such number, and the format
	 * prints the output of print() instead. */
	int64_t (*scalar)(const int64_t *words, int64_t normal);
	bool is_unsigned; /* for the number in formats */
	/* Print the value alone in the default layout; write it as members of an object of a
	 * document. */
	void (*print)(struct out *o, const struct agg_rec *r);
	const char *titles; /* line above the columns of print(), as wide; NULL: no titles */
	void (*document)(struct doc *doc, const struct agg_rec *r, const int64_t *words);
	enum agg_metric metric;
	bool has_bar;		     /* option agghist draws the first word as a bar */
	const struct hist_ops *hist; /* NULL: not a histogram */
};

/* Returns the number of words of a value. */
unsigned int agg_nwords(const struct agg_desc *d);

/* Returns true if values add up, so that a total can continue after clear(). */
bool agg_is_total(const struct agg_desc *d);

/* Initializes a value. */
void agg_init(const struct agg_desc *d, int64_t *words);

/* Returns true if no datum was added to the words. */
bool agg_is_fresh(const struct agg_desc *d, const int64_t *words);

/* For agg_ops: merge adds all words; the others use the scalar. */
void agg_merge_sums(const struct agg_desc *d, int64_t *dst, const int64_t *src);
int agg_compare_number(const struct agg_desc *d, const int64_t *a, const int64_t *b);
void agg_print_number(struct out *o, const struct agg_rec *r);
void agg_document_number(struct doc *doc, const struct agg_rec *r, const int64_t *words);

#define AGG_NUMBER(value)                                                          \
	.compare = agg_compare_number, .scalar = value, .print = agg_print_number, \
	.document = agg_document_number

/* Addition that wraps; division that cannot trap: 0 divides as 1, and INT64_MIN / -1 wraps. */
void agg_add(int64_t *dst, int64_t n);
int64_t agg_divide(int64_t a, int64_t b);

static inline uint64_t agg_magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* Compares two keys from element number first on, wrapping round. */
int agg_compare_keys(const struct agg_rec *a, const struct agg_rec *b, unsigned int first);

/* Order of two records of one aggregation in the output, by the sort options. */
int agg_compare(const struct out_opts *opts, const struct agg_rec *a, const struct agg_rec *b);

/* Prints all records of one aggregation, sorted, in the default layout or as agghist and aggpack
 * say. */
void agg_print(struct out *o, const struct agg_rec *recs, unsigned int n);

/* Prints as printa() does; f NULL: the default layout, after a newline. */
void agg_printa(struct out *o, const struct fmt *f, const struct agg_set *sets, unsigned int n);

#endif
