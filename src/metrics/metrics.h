/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h: aggregations as metrics: each is a family of series, one series for each row.
 *
 *   count(), sum()                  counters; gauges if something negative was added
 *   avg(), stats()                  summaries: a count and a sum
 *   quantize() and its like         histograms; each bound is the largest integer of its bucket
 *   all others                      gauges
 *
 * Histograms have the same bounds in all rows and on all machines.  A key is a label.  normalize()
 * does not change the values.  The formats are in openmetrics.h and otlp.h.
 */
#ifndef METRICS_METRICS_H
#define METRICS_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "print/agg.h"

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

/* Number of values up to `upper`.  The last bucket has no bound and counts all values. */
struct metrics_bucket {
	__int128 upper;
	int64_t count;
};

/* Functions that write a format, in the order of their calls.  Everything is borrowed. */
struct metrics_format {
	/* Begins a family: the next series belong to it.  Names of counters lack "_total". */
	void (*family)(struct metrics *m, const char *name, enum agg_metric type, const char *help);
	/* Write a counter or gauge, a summary, a histogram. */
	void (*number)(struct metrics *m, const struct metrics_labels *l, int64_t value);
	void (*summary)(struct metrics *m, const struct metrics_labels *l, int64_t count,
			int64_t sum);
	void (*histogram)(struct metrics *m, const struct metrics_labels *l,
			  const struct metrics_bucket *buckets, unsigned int n);
	void (*end)(struct metrics *m);
};

/* An aggregation with rows that are not written. */
struct metrics_omitted {
	const char *name; /* borrowed until metrics_end */
	unsigned int n;
};

/* A writer.  The structure of a format starts with it. */
struct metrics {
	const struct metrics_format *format;
	struct out *o; /* its symbols name addresses */
	VEC(struct metrics_omitted) omitted;
};

struct metrics_agg {
	struct agg_set set;
	const char *place; /* place of the update, or NULL */
	bool may_sink;	   /* something negative was added */
	bool has_negative; /* values of a histogram can be negative */
	unsigned int max;  /* rows; the largest are written */
};

void metrics_agg(struct metrics *m, const struct metrics_agg *a);

/* Begin a family of our own; write one of its series, with a label, or without (name NULL). */
void metrics_family(struct metrics *m, const char *name, enum agg_metric type, const char *help);
void metrics_number(struct metrics *m, const char *name, const char *text, int64_t value);

/* Ends the output; frees the rows that metrics_agg collected. */
void metrics_end(struct metrics *m);

#endif
