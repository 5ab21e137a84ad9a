/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * facts.h: texts that files for other viewers have beside the stacks of an aggregation.
 */
#ifndef CHART_FACTS_H
#define CHART_FACTS_H

struct buf;
struct chart;
struct chart_agg;

/* Appends "@name = function()". */
void facts_title(struct buf *b, const struct chart_agg *a);

/* Calls fact for each known fact: the aggregation, its rows that have no positive value, and the
 * program, command, host, kernel and drops of its run. */
void facts_each(const struct chart *c, const struct chart_agg *a,
		void (*fact)(void *ctx, const char *name, const char *text), void *ctx);

#endif
