/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.h: all aggregations of a chart as one page of HTML that needs nothing else: flame graphs,
 * heat maps, histograms and tables, of two runs compared.  What is in the page is text without the
 * script (out/web/page.js), which adds search and sorting.
 */
#ifndef OUT_PAGE_H
#define OUT_PAGE_H

#include <stdbool.h>

struct buf;
struct chart;

/* Rows of a table, histograms of an aggregation, at most: the largest. */
#define PAGE_ROWS  1000
#define PAGE_HISTS 40

/* Needs chart_pair() for two runs.  Returns false if no aggregation has rows. */
bool page_draw(struct buf *b, struct chart *c, const char *when);

#endif
