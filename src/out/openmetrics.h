/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.h: metrics as OpenMetrics text (the specification's version 1.0), or in the format
 * that was there before (Prometheus, 0.0.4), for who asks for nothing.
 */
#ifndef OUT_OPENMETRICS_H
#define OUT_OPENMETRICS_H

#include <stdbool.h>

#include "out/metrics.h"

struct buf;

struct openmetrics {
	struct metrics m;
	struct buf *b; /* not owned */
	bool is_old;   /* the format before */
	/* The family at hand, borrowed. */
	const char *name;
	enum agg_metric type;
};

/* To text, with the symbols of o. */
struct openmetrics openmetrics_to(struct buf *b, struct out *o, bool is_old);

#endif
