/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat.c: see heat.h.
 *
 * The least counts of the colours are powers of a ratio, so that one slow request among a million
 * shows.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "print/agg.h"
#include "chart/chart.h"
#include "chart/heat.h"
#include "chart/svg.h"

#define CELL   15 /* height in pixels */
#define LEFT   92 /* pixels of labels */
#define WIDE   1100
#define BELOW  64 /* pixels of times and legend */
#define SHADES 8

struct grid {
	struct chart *c;
	const struct chart_agg *a;
	unsigned int ncols, nrows;
	unsigned int cols_per, rows_per; /* columns and buckets of a cell */
	uint32_t *order;
	double *from, *to; /* of each column */
	double end;
	int64_t *n; /* by column, then row */
	int64_t max;
	int64_t ratio; /* least count of a shade, divided by the one of the shade before */
};

static int64_t *cell(struct grid *g, unsigned int col, unsigned int row)
{
	return &g->n[(size_t)col * g->nrows + row];
}

static void add_column(struct grid *g, const uint32_t *place, unsigned int i)
{
	const struct chart_column *from = &g->a->columns.a[i];
	unsigned int col = i / g->cols_per;

	if (i % g->cols_per == 0)
		g->from[col] = from->from;
	g->to[col] = g->end = from->to;
	for (unsigned int k = 0; k < from->counts.n; k++) {
		int64_t *n = cell(g, col, place[from->counts.a[k].bucket] / g->rows_per);

		agg_add(n, from->counts.a[k].n);
		g->max = *n > g->max ? *n : g->max;
	}
}

static void fill(struct grid *g)
{
	unsigned int ncols = g->a->columns.n, nrows = g->a->buckets.n;
	uint32_t *place = mem_alloc((nrows + 1) * sizeof(*place));

	g->cols_per = (ncols + HEAT_COLUMNS - 1) / HEAT_COLUMNS;
	g->rows_per = (nrows + HEAT_ROWS - 1) / HEAT_ROWS;
	g->ncols = (ncols + g->cols_per - 1) / g->cols_per;
	g->nrows = (nrows + g->rows_per - 1) / g->rows_per;
	g->order = chart_order(g->c, g->a);
	g->from = mem_alloc(g->ncols * sizeof(*g->from));
	g->to = mem_alloc(g->ncols * sizeof(*g->to));
	g->n = mem_alloc((size_t)g->ncols * g->nrows * sizeof(*g->n));
	for (unsigned int i = 0; i < nrows; i++)
		place[g->order[i]] = i;
	for (unsigned int i = 0; i < ncols; i++)
		add_column(g, place, i);
	mem_free(place);
}

/* Returns the least count of a shade. */
static int64_t least(const struct grid *g, unsigned int shade)
{
	int64_t n = 1;

	while (shade--)
		n *= g->ratio;
	return n;
}

/* Finds the smallest ratio with which the shades reach up to the largest count. */
static void find_ratio(struct grid *g)
{
	g->ratio = 2;
	while (least(g, SHADES - 1) <= g->max / g->ratio)
		g->ratio++;
}

static unsigned int shade_of(const struct grid *g, int64_t n)
{
	unsigned int shade = 0;

	while (shade + 1 < SHADES && n >= least(g, shade + 1))
		shade++;
	return shade;
}

static const char *label(const struct grid *g, unsigned int bucket)
{
	return g->a->buckets.a[g->order[bucket]].label;
}

static void put_cell(struct grid *g, struct buf *b, unsigned int col, unsigned int row)
{
	unsigned int first = row * g->rows_per, last = first + g->rows_per - 1;
	int64_t n = *cell(g, col, row);
	double w = (g->to[col] - g->from[col]) / g->end * 100;

	if (n <= 0)
		return;
	last = last < g->a->buckets.n ? last : g->a->buckets.n - 1;
	buf_printf(b,
		   "<rect class=\"cell c%u\" x=\"%.4f%%\" y=\"%u\" width=\"%.4f%%\" height=\"%d\">"
		   "<title>%.1f s to %.1f s, ",
		   shade_of(g, n), g->from[col] / g->end * 100, (g->nrows - 1 - row) * CELL, w,
		   CELL, g->from[col], g->to[col]);
	svg_str(b, label(g, first));
	if (last > first) {
		buf_puts(b, " to ");
		svg_str(b, label(g, last));
	}
	buf_printf(b, ": %" PRId64 "</title></rect>\n", n);
}

#define LABEL_MAX 10 /* that fit in LEFT */

/* A number that is too long becomes a power of 2, or a short form.  The titles have its digits. */
static void put_label(struct buf *b, const char *text)
{
	char *end;
	double v = strtod(text, &end);
	int power;

	if (strlen(text) <= LABEL_MAX || *end)
		svg_short(b, text, LABEL_MAX);
	else if (fabs(frexp(v, &power)) == 0.5)
		buf_printf(b, "%s2^%d", v < 0 ? "-" : "", power - 1);
	else
		buf_printf(b, "%.4g", v);
}

static void put_labels(const struct grid *g, struct buf *b)
{
	for (unsigned int row = 0; row < g->nrows; row++) {
		buf_printf(b, "<text class=\"axis\" x=\"%d\" y=\"%u\" text-anchor=\"end\">",
			   LEFT - 6, (g->nrows - 1 - row) * CELL + 12);
		put_label(b, label(g, row * g->rows_per));
		buf_puts(b, "</text>\n");
	}
}

static void put_times(const struct grid *g, struct buf *b)
{
	static const char *const anchors[] = {"start", "middle", "end"};

	for (unsigned int i = 0; i < 3; i++)
		buf_printf(b,
			   "<text class=\"axis\" x=\"%u%%\" y=\"%u\" text-anchor=\"%s\">%.1f "
			   "s</text>\n",
			   i * 50, g->nrows * CELL + 16, anchors[i], g->end * i / 2);
}

static void put_legend(const struct grid *g, struct buf *b)
{
	unsigned int y = g->nrows * CELL + 34, x = 8;

	for (unsigned int i = 0; i < SHADES; i++) {
		if (least(g, i) > g->max)
			break;
		buf_printf(b,
			   "<rect class=\"c%u\" x=\"%u\" y=\"%u\" width=\"14\" height=\"14\"/>"
			   "<text class=\"axis\" x=\"%u\" y=\"%u\">%" PRId64 "</text>\n",
			   i, x, y, x + 18, y + 12, least(g, i));
		x += 24 + 8 * (unsigned int)snprintf(NULL, 0, "%" PRId64, least(g, i));
	}
}

static void put_note(const struct grid *g, struct buf *note)
{
	buf_printf(note,
		   "Colour: the count in %.3g s; the legend shows the least count of each colour. ",
		   g->to[0] - g->from[0]);
	if (g->rows_per > 1)
		buf_printf(note, "%u buckets are one row. ", g->rows_per);
}

static void draw(struct grid *g, struct buf *b, bool is_file, struct buf *note)
{
	struct svg svg = {.class = "heat", .is_file = is_file, .height = g->nrows * CELL + BELOW};
	struct buf title = {0};

	buf_printf(&title, "@%s = %s() by time", strcmp(g->a->name, "_") == 0 ? "" : g->a->name,
		   g->a->function);
	put_note(g, note);
	svg.title = title.s;
	svg.note = note->s;
	svg_begin(b, &svg);
	put_labels(g, b);
	buf_printf(b,
		   "<svg class=\"plot\" x=\"%d\" width=\"%d\" height=\"%u\">\n"
		   "<rect class=\"grid\" width=\"100%%\" height=\"%u\" fill=\"none\"/>\n",
		   LEFT, WIDE, g->nrows * CELL + 20, g->nrows * CELL);
	for (unsigned int col = 0; col < g->ncols; col++)
		for (unsigned int row = 0; row < g->nrows; row++)
			put_cell(g, b, col, row);
	put_times(g, b);
	buf_puts(b, "</svg>\n");
	put_legend(g, b);
	svg_end(b, &svg);
	buf_free(&title);
}

bool heat_draw(struct buf *b, struct chart *c, const struct chart_agg *a, bool is_file,
	       struct buf *note)
{
	struct grid g = {.c = c, .a = a};
	bool has_any;

	if (!a->columns.n || !a->buckets.n)
		return false;
	fill(&g);
	has_any = g.max > 0 && g.end > 0;
	find_ratio(&g);
	if (has_any)
		draw(&g, b, is_file, note);
	mem_free(g.from);
	mem_free(g.to);
	mem_free(g.n);
	return has_any;
}
