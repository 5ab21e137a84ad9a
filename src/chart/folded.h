/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * folded.h: stacks as text, for the scripts that draw flame graphs: a line of frames from the root
 * on, with semicolons between them, a blank, and the value.
 */
#ifndef CHART_FOLDED_H
#define CHART_FOLDED_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/*
 * Appends the rows of an aggregation that have a value above 0.  A semicolon in a name becomes a
 * colon.  Returns false, and writes nothing, if there is none.
 */
bool folded_write(struct buf *b, struct chart *c, struct chart_agg *a);

#endif
