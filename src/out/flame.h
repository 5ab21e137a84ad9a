/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.h: flame graphs: the stacks of an aggregation merged from their roots on, each frame as
 * wide as its share of all values, what it calls above it.  Keys that are no stacks are the lowest
 * frames.
 *
 * Two runs are compared by shares, so they may be of different lengths: the width of a frame is the
 * mean of its shares in both, its colour tells by how many points the share has changed.
 */
#ifndef OUT_FLAME_H
#define OUT_FLAME_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/* At most so many frames are drawn: the narrowest are cut, and counted in the note. */
#define FLAME_FRAMES 6000
#define FLAME_DEPTH  512

/*
 * An aggregation as SVG; before: the same of an earlier run to compare it with, or NULL.  The chart
 * has ranks.  note: what was left out, appended ("" if nothing was).  False: there is nothing to
 * draw, and nothing was written.
 */
bool flame_draw(struct buf *b, const struct chart *c, const struct chart_agg *a,
		const struct chart_agg *before, bool is_file, struct buf *note);

#endif
