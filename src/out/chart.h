/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.h: what pictures are drawn of: aggregations of one run, or of two that are compared, with
 * text in the place of addresses.  It is filled from the consumer's aggregations (chart_add_set) or
 * from saved documents (run/saved.h), and read by flame.h, heat.h, page.h and the live view.
 *
 * Every key and every function of a stack is a frame, which is there once: equal ids are equal
 * names.
 */
#ifndef OUT_CHART_H
#define OUT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct agg_desc;
struct agg_set;
struct arena;
struct map;
struct out;

enum chart_kind { CHART_KEY, CHART_USER, CHART_KERNEL };

struct chart_frame {
	const char *name; /* UTF-8 without control characters */
	enum chart_kind kind;
	uint32_t rank; /* its place in the order of names; of chart_rank */
};

/* A bucket of a histogram, by its number in chart_agg.buckets. */
struct chart_count {
	uint32_t bucket;
	int64_t n;
};

struct chart_counts {
	struct chart_count *a;
	unsigned int n;
};

struct chart_row {
	uint32_t *ids; /* the keys that are no stacks, then the stacks from their roots on */
	unsigned int n, nkeys;
	int64_t value; /* of a histogram the sum of its counts */
	struct chart_counts counts;
};

struct chart_bucket {
	const char *label; /* UTF-8 without control characters */
	double low;	   /* -INFINITY: there is no bound */
};

/* Data of an interval; seconds from the start of the run. */
struct chart_column {
	double from, to;
	struct chart_counts counts;
};

struct chart_agg {
	const char *name;     /* without the @ */
	const char *function; /* count, quantize ... */
	unsigned int run;     /* 0, of two runs that are compared 1 for the later one */
	bool has_stacks, is_hist;
	const char **labels; /* of the keys, NULL where there is no name */
	unsigned int nlabels;
	VEC(struct chart_row) rows;
	VEC(struct chart_bucket) buckets; /* by number, in any order */
	struct map *by_label;
	VEC(struct chart_column) columns; /* in the order of time */
};

struct chart {
	struct arena *arena;
	VEC(struct chart_frame) frames;
	struct map *by_name; /* (kind, name) -> frame number + 1 */
	struct map *by_pc;
	VEC(struct chart_agg *) aggs;
	unsigned int nruns;
	const char *runs[2]; /* their names */
};

struct chart *chart_new(void);
void chart_free(struct chart *c);

/* The frame of n bytes of text: what no terminal or document should see of it is replaced. */
uint32_t chart_frame(struct chart *c, const char *name, size_t n, enum chart_kind kind);

/*
 * That of a place in a stack: without its offset, so that what is in one function is one frame.
 * Addresses that have no name are different in each run: "ls`[unknown]".
 */
uint32_t chart_function(struct chart *c, const char *s, size_t n, enum chart_kind kind);

struct chart_agg *chart_agg_new(struct chart *c, const char *name, const char *function,
				unsigned int run);
struct chart_agg *chart_agg_named(const struct chart *c, const char *name, unsigned int run);

/* The number of a bucket. */
uint32_t chart_bucket(struct chart *c, struct chart_agg *a, const char *label, double low);

/* All rows of an aggregation of the consumer; o resolves addresses. */
struct chart_agg *chart_add_set(struct chart *c, struct out *o, const struct agg_set *set,
				const char *const *labels, unsigned int nlabels);

/* Adds the words of a histogram for an interval. */
void chart_add_column(struct chart *c, struct chart_agg *a, const struct agg_desc *d,
		      const int64_t *words, double from, double to);

/* Pairs two runs: aggregations of the earlier run only are added to the later one, without rows. */
void chart_pair(struct chart *c);

/* Give all frames their rank. */
void chart_rank(struct chart *c);

/* The buckets of an aggregation in the order of their bounds: their numbers, n of them.  In the
 * chart's arena. */
uint32_t *chart_order(struct chart *c, const struct chart_agg *a);

/* The first aggregation of the last run that has stacks, or that has columns, of all or (name) of
 * those of this name; NULL: none has. */
struct chart_agg *chart_flame(const struct chart *c, const char *name);
struct chart_agg *chart_heat(const struct chart *c, const char *name);

#endif
