/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h: aggregations as metrics: each is a family of series, one for each row.
 *
 *   count(), sum()                  counters; gauges where something negative was added
 *   avg(), stats()                  summaries: a count and a sum
 *   quantize() and its like         histograms; each bound is the largest integer of its bucket
 *   all others                      gauges
 *
 * A key is a label.  Values are as they were added up, whatever normalize() says.  How they are
 * written is a format's: openmetrics.h, otlp.h.
 */
#ifndef OUT_METRICS_H
#define OUT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "out/agg.h"

struct metrics;
struct out;

struct metrics_label {
	const char *name, *text; /* the text may be any bytes */
	size_t n;		 /* of the text */
};

struct metrics_labels {
	const struct metrics_label *a;
	unsigned int n;
};

/* Number of values up to `upper`.  The last bucket has no bound, and counts all values. */
struct metrics_bucket {
	__int128 upper;
	int64_t count;
};

/* Functions that write a format, in the order of their calls.  Everything is borrowed. */
struct metrics_format {
	/* Begins a family, to which the next series belong.  Names of counters lack "_total". */
	void (*family)(struct metrics *m, const char *name, enum agg_metric type, const char *help);
	/* Values of a counter or gauge, of a summary, of a histogram. */
	void (*number)(struct metrics *m, const struct metrics_labels *l, int64_t value);
	void (*summary)(struct metrics *m, const struct metrics_labels *l, int64_t count,
			int64_t sum);
	void (*histogram)(struct metrics *m, const struct metrics_labels *l,
			  const struct metrics_bucket *buckets, unsigned int n);
	void (*end)(struct metrics *m);
};

/* An aggregation of which not all rows are written. */
struct metrics_omitted {
	const char *name; /* borrowed until metrics_end */
	unsigned int n;
};

/* A writer; those of formats have it in front. */
struct metrics {
	const struct metrics_format *format;
	struct out *o; /* whose symbols addresses have */
	VEC(struct metrics_omitted) omitted;
};

struct metrics_agg {
	struct agg_set set;
	const char *const *labels; /* of the keys, NULL where there is no name */
	unsigned int nlabels;
	const char *place; /* where it is updated, or NULL */
	bool may_sink;	   /* something negative was added */
	unsigned int max;  /* rows, of which the largest are taken */
};

void metrics_agg(struct metrics *m, const struct metrics_agg *a);

/* A family of our own; one of its series, with a label, or without (name NULL). */
void metrics_family(struct metrics *m, const char *name, enum agg_metric type, const char *help);
void metrics_number(struct metrics *m, const char *name, const char *text, int64_t value);

/* Nothing comes behind it. */
void metrics_end(struct metrics *m);

#endif
