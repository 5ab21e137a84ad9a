/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat.h: heat maps: time to the right, the buckets of a histogram upwards, and how much came in
 * each interval as colour.
 */
#ifndef OUT_HEAT_H
#define OUT_HEAT_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/* Cells to the right and upwards, at most: neighbours are added up. */
#define HEAT_COLUMNS 240
#define HEAT_ROWS    64

/*
 * An aggregation with columns as SVG.  note: what was added up, appended.  False: nothing was
 * counted, and nothing was written.
 */
bool heat_draw(struct buf *b, struct chart *c, const struct chart_agg *a, bool is_file,
	       struct buf *note);

#endif
