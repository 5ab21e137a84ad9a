/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.h: stacks as profiles of OTLP, for a collector.
 */
#ifndef CHART_OTLP_H
#define CHART_OTLP_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/*
 * Appends a request with a profile for an aggregation, or if it is NULL for each one that has
 * stacks.  A profile has the rows with a value above 0.  Keys that are not stacks are attributes.
 * Returns false, and writes nothing, if there is no such row.
 */
bool chart_otlp_write(struct buf *b, struct chart *c, struct chart_agg *a);

#endif
