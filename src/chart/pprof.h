/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof.h: stacks for pprof (profile.proto of its sources, compressed by gzip).
 */
#ifndef CHART_PPROF_H
#define CHART_PPROF_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/*
 * Appends a file with the rows of an aggregation that have a value above 0.  Keys that are not
 * stacks are labels.  Returns false, and writes nothing, if there is none.
 */
bool pprof_write(struct buf *b, struct chart *c, struct chart_agg *a);

#endif
