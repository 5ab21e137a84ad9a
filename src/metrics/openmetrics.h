/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.h: metrics as OpenMetrics text (version 1.0 of the specification), or in the older
 * format (Prometheus, 0.0.4) for clients that ask for no format.
 */
#ifndef METRICS_OPENMETRICS_H
#define METRICS_OPENMETRICS_H

#include <stdbool.h>

#include "metrics/metrics.h"

struct buf;

struct openmetrics {
	struct metrics m;
	struct buf *b; /* not owned */
	bool is_old;   /* the older format */
	/* The current family, borrowed. */
	const char *name;
	enum agg_metric type;
};

/* Returns a writer to b that uses the symbols of o. */
struct openmetrics openmetrics_to(struct buf *b, struct out *o, bool is_old);

#endif
