/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h: aggregations as OpenMetrics text (the specification's version 1.0), or in the format
 * that was there before (Prometheus, 0.0.4), for who asks for nothing.
 *
 *   count(), sum()                  counters; gauges where something negative was added
 *   avg(), stats()                  summaries: _sum and _count
 *   quantize() and its like         histograms; each bound is the largest integer of its bucket
 *   all others                      gauges
 *
 * A key is a label.  Values are as they were added up, whatever normalize() says.
 */
#ifndef OUT_METRICS_H
#define OUT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "out/agg.h"

struct out;

struct metrics {
	struct buf *b; /* not owned */
	struct out *o; /* whose symbols addresses have */
	bool is_openmetrics;
	struct buf omitted; /* samples of a metric of our own: rows beyond the most */
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

/* What comes in front of the samples of a metric, by a name without "_total". */
void metrics_head(struct metrics *m, const char *name, const char *type, const char *help);

/* One of them; labels: as text, "" for none. */
void metrics_sample(struct metrics *m, const char *name, const char *suffix, const char *labels,
		    int64_t value);

/* A label, behind others that may be there. */
void metrics_label(struct buf *labels, const char *name, const char *value, size_t n);

/* Nothing comes behind it. */
void metrics_end(struct metrics *m);

#endif
