/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firefox.h: stacks for the Firefox Profiler (https://profiler.firefox.com), in version 58 of its
 * processed profile format (docs-developer/CHANGELOG-formats.md and src/types/profile.ts in
 * firefox-devtools/profiler), compressed by gzip.
 */
#ifndef CHART_FIREFOX_H
#define CHART_FIREFOX_H

#include <stdbool.h>

struct buf;
struct chart;
struct chart_agg;

/*
 * Appends a file with the rows of an aggregation that have a value above 0.  Returns false, and
 * writes nothing, if there is none.
 */
bool firefox_write(struct buf *b, struct chart *c, struct chart_agg *a);

#endif
