/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat.h: heat maps: time runs to the right, buckets of a histogram go upwards, and the colour is
 * the count in an interval.
 */
#ifndef CHART_HEAT_H
#define CHART_HEAT_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/* Largest numbers of cells to the right and upwards.  More columns or buckets are merged. */
#define HEAT_COLUMNS 240
#define HEAT_ROWS    64

/* Draws an aggregation with columns as SVG.  A text about merged buckets is appended to note.
 * Returns false, and writes nothing, if there are no counts. */
bool heat_draw(struct buf *b, struct chart *c, const struct chart_agg *a, bool is_file,
	       struct buf *note);

#endif
