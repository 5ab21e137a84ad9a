/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * about.h: facts about the runs of a chart as text.
 */
#ifndef CHART_ABOUT_H
#define CHART_ABOUT_H

struct buf;
struct chart;

/* Appends sentences with the known facts about each run.  Two runs have their names before them. */
void about_put(struct buf *b, const struct chart *c);

#endif
