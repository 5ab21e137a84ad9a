/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.h: all aggregations of a chart as one page of HTML that needs no other files: flame graphs,
 * heat maps, histograms and tables, also of two compared runs.  All data is readable without the
 * script (out/web/page.js), which adds search and sorting.
 */
#ifndef CHART_PAGE_H
#define CHART_PAGE_H

#include <stdbool.h>

struct buf;
struct chart;

/* Largest numbers of rows of a table, and of histograms of an aggregation.  The largest are
 * kept. */
#define PAGE_ROWS  1000
#define PAGE_HISTS 40

/* Draws the page.  Two runs need chart_pair() first.  Returns false if no aggregation has rows. */
bool page_draw(struct buf *b, struct chart *c, const char *when);

#endif
