/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speedscope.h: stacks for the viewer speedscope
 * (https://www.speedscope.app/file-format-schema.json).
 */
#ifndef CHART_SPEEDSCOPE_H
#define CHART_SPEEDSCOPE_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/*
 * Appends a file with the rows of an aggregation that have a value above 0.  Returns false, and
 * writes nothing, if there is none.
 */
bool speedscope_write(struct buf *b, struct chart *c, struct chart_agg *a);

#endif
