/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.h: an aggregation as a table that changes during tracing: its rows are chosen, sorted and
 * written as lines of text.  top.c has the screen and the keys.
 */
#ifndef SINK_VIEW_H
#define SINK_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct buf;
struct chart;
struct chart_row;
struct consume;
struct map;
struct out;

#define VIEW_HEAD    2	/* lines above the rows */
#define VIEW_COLUMNS 16 /* of keys that are aligned */
#define VIEW_FILTER  64

enum view_order { VIEW_BY_VALUE, VIEW_BY_RATE, VIEW_BY_KEY, VIEW_ORDERS };

struct view_row {
	const struct chart_row *row;
	char *key;
	double rate; /* per second */
};

struct view {
	/* set by the owner */
	bool is_utf8;
	int width, lines;  /* characters of a line; rows that fit */
	unsigned int agg;  /* the shown aggregation */
	unsigned int from; /* the first row that is shown */
	enum view_order order;
	bool is_reversed, is_paused;
	char filter[VIEW_FILTER];

	struct chart *chart; /* NULL: nothing was read */
	struct out *out;
	struct map *before, *now;  /* values of the last two readings, by aggregation and key */
	VEC(int64_t *) past;	   /* by aggregation: values of its rows at the earlier reading */
	uint64_t read, earlier;	   /* times of the last two readings: CLOCK_MONOTONIC, ns */
	VEC(struct view_row) rows; /* of the shown aggregation that match the filter */
	unsigned int columns[VIEW_COLUMNS]; /* widths of keys */
	uint32_t *place; /* of a histogram's buckets, by bound; NULL: no histogram */
	bool is_binary;	 /* its bounds are powers of two */
	int64_t most;	 /* largest value */
};

/* Reads all aggregations.  is_last: tracing has ended. */
void view_read(struct view *v, struct consume *co, bool is_last);

/* Chooses the rows to show, in order. */
void view_choose(struct view *v);

/* Calls put for each line of the table.  Lines may be wider than the screen. */
void view_each_line(struct view *v, void (*put)(void *ctx, int y, const char *text), void *ctx);

/* Appends n characters at most.  Characters that the terminal lacks become "?". */
void view_text(const struct view *v, struct buf *b, const char *s, int n);

void view_free(struct view *v);

#endif
