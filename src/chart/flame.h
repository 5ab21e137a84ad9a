/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.h: flame graphs: the stacks of an aggregation, merged from their roots on.  The width of a
 * frame is its share of all values, and its callees lie above it.  Keys that are not stacks are the
 * lowest frames.
 *
 * Two runs are compared by shares, so their lengths may differ.  The width of a frame is the mean
 * of both shares, and its colour shows by how many points the share has changed.
 *
 * The picture also carries all stacks as text, from which its script (web/stacks.js) draws other
 * views and computes shares.  The text is lines: the function of the aggregation; the names of its
 * keys, separated by tabs; the names of frames, each after a letter for its kind; an empty line;
 * the stacks.  The line of a stack has the number of frames that it shares with the one before, and
 * the numbers of its other frames, in base 36; after commas come its values.
 */
#ifndef CHART_FLAME_H
#define CHART_FLAME_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/* Limits of the frames that are drawn, and of the frames in the text.  Narrower frames are drawn
 * together, and narrower frames of the text become one frame "(other)". */
#define FLAME_FRAMES 6000
#define FLAME_NODES  200000
#define FLAME_DEPTH  512

/*
 * Draws an aggregation as SVG.  before: the same aggregation of an earlier run to compare with, or
 * NULL.  The chart has ranks.  A text about colours and omitted frames is appended to note.
 * Returns false, and writes nothing, if there is nothing to draw.
 */
bool flame_draw(struct buf *b, const struct chart *c, const struct chart_agg *a,
		const struct chart_agg *before, bool is_file, struct buf *note);

#endif
