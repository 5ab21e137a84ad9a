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
#include "chart/about.h"
#include "chart/chart.h"
#include "chart/heat.h"
#include "chart/scale.h"
#include "chart/svg.h"

#define CELL   15  /* least height of a row in pixels */
#define TALL   120 /* least height of all rows */
#define LEFT   92  /* pixels of labels; picture.js has the same with a margin */
#define WIDE   1100
#define BELOW  46  /* pixels of times, and above the legend */
#define LETTER 8   /* pixels of a digit */
#define LEGEND 18  /* pixels of a line of the legend */
#define NARROW 330 /* pixels of a line that fits in a small window */
#define TIMES  12  /* largest number of steps of the time axis */
#define SHADES 8
#define DARK   6 /* the first shade with white text */

struct grid {
	struct chart *c;
	const struct chart_agg *a;
	unsigned int ncols, nrows;
	unsigned int cols_per, rows_per; /* columns and buckets of a cell */
	unsigned int high;		 /* pixels of a row */
	uint32_t *order;
	double *from, *to; /* of each column */
	double end;
	int64_t *n; /* by column, then row */
	int64_t max;
	int64_t ratio;	/* least count of a shade, divided by the least count of the shade before */
	bool is_binary; /* all bounds are powers of two */
	bool is_exact;	/* with three digits, labels would be equal */
	bool has_numbers; /* cells have room for their counts */
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

static const struct chart_bucket *bucket(const struct grid *g, unsigned int i)
{
	return &g->a->buckets.a[g->order[i]];
}

/* ---- labels ---- */

/* Appends the label of a bucket with all its digits. */
static void put_exact(const struct grid *g, struct buf *b, unsigned int i)
{
	svg_str(b, bucket(g, i)->label);
	if (g->a->unit)
		buf_printf(b, " %s", g->a->unit);
}

#define LABEL_MAX 12 /* characters that fit in LEFT */

static void put_label(const struct grid *g, struct buf *b, unsigned int row)
{
	const struct chart_bucket *at = bucket(g, row * g->rows_per);
	struct buf text = {0};

	if (g->is_exact)
		buf_puts(&text, at->label);
	else
		scale_label(&text, at->label, g->a->unit, g->is_binary);
	svg_short(b, buf_str(&text), LABEL_MAX);
	buf_free(&text);
}

static bool have_same_label(const struct grid *g, unsigned int row, unsigned int other)
{
	struct buf a = {0}, b = {0};
	bool is_same;

	put_label(g, &a, row);
	put_label(g, &b, other);
	is_same = strcmp(buf_str(&a), buf_str(&b)) == 0;
	buf_free(&a);
	buf_free(&b);
	return is_same;
}

static void choose_labels(struct grid *g)
{
	g->is_binary = chart_is_binary(g->a);
	for (unsigned int row = 1; row < g->nrows && !g->is_exact; row++)
		g->is_exact = have_same_label(g, row - 1, row);
}

static void put_labels(const struct grid *g, struct buf *b)
{
	for (unsigned int row = 0; row < g->nrows; row++) {
		buf_printf(b, "<text class=\"axis\" x=\"%d\" y=\"%u\" text-anchor=\"end\">",
			   LEFT - 6, (g->nrows - 1 - row) * g->high + g->high / 2 + 4);
		put_label(g, b, row);
		buf_puts(b, "</text>\n");
	}
}

/* A label stands below its tick; the first and last ones stay within the plot. */
static void put_time(const struct grid *g, struct buf *b, double time, double step)
{
	double x = time / g->end * 100;
	unsigned int y = g->nrows * g->high;

	buf_printf(b,
		   "<line class=\"grid\" x1=\"%.4f%%\" y1=\"%u\" x2=\"%.4f%%\" y2=\"%u\"/>"
		   "<text class=\"axis time\" x=\"%.4f%%\" y=\"%u\" text-anchor=\"%s\">",
		   x, y, x, y + 4, x, y + 16,
		   time == 0 ? "start"
		   : x > 97  ? "end"
			     : "middle");
	scale_time(b, time, step);
	buf_puts(b, "</text>\n");
}

static void put_times(const struct grid *g, struct buf *b)
{
	double step = scale_step(g->end, TIMES);

	/* The last step may miss the end by a rounding error. */
	for (unsigned int i = 0; i * step <= g->end * (1 + 1e-9); i++)
		put_time(g, b, i * step, step);
}

/* Appends the legend.  Returns its pixels. */
static unsigned int put_legend(const struct grid *g, struct buf *b)
{
	unsigned int y = g->nrows * g->high + BELOW - LEGEND, x = 8;

	for (unsigned int i = 0; i < SHADES && least(g, i) <= g->max; i++) {
		struct buf n = {0};

		scale_put(&n, (double)least(g, i), NULL, false);
		if (x + 24 + LETTER * n.n > NARROW) {
			x = 8;
			y += LEGEND;
		}
		buf_printf(b,
			   "<rect class=\"c%u\" x=\"%u\" y=\"%u\" width=\"14\" height=\"14\"/>"
			   "<text class=\"axis\" x=\"%u\" y=\"%u\">%s</text>\n",
			   i, x, y, x + 18, y + 12, n.s);
		x += 24 + LETTER * (unsigned int)n.n;
		buf_free(&n);
	}
	return y + LEGEND - g->nrows * g->high;
}

/* ---- cells ---- */

static int count_digits(int64_t n)
{
	return snprintf(NULL, 0, "%" PRId64, n);
}

static void put_cell_title(const struct grid *g, struct buf *b, unsigned int col, unsigned int row)
{
	unsigned int first = row * g->rows_per, last = first + g->rows_per - 1;
	int digits = g->to[0] - g->from[0] < 1 ? 3 : 1;

	last = last < g->a->buckets.n ? last : g->a->buckets.n - 1;
	buf_printf(b, "<title>%.*f s to %.*f s, ", digits, g->from[col], digits, g->to[col]);
	put_exact(g, b, first);
	if (last > first) {
		buf_puts(b, " to ");
		put_exact(g, b, last);
	}
	buf_printf(b, ": %" PRId64 "</title>", *cell((struct grid *)g, col, row));
}

static void put_cell(struct grid *g, struct buf *b, unsigned int col, unsigned int row)
{
	int64_t n = *cell(g, col, row);
	double x = g->from[col] / g->end, w = (g->to[col] - g->from[col]) / g->end;
	unsigned int y = (g->nrows - 1 - row) * g->high, shade = shade_of(g, n);

	if (n <= 0)
		return;
	buf_printf(b,
		   "<rect class=\"cell c%u\" x=\"%.4f%%\" y=\"%u\" width=\"%.4f%%\" height=\"%u\">",
		   shade, x * 100, y, (w < 1.0 / WIDE ? 1.0 / WIDE : w) * 100, g->high);
	put_cell_title(g, b, col, row);
	buf_puts(b, "</rect>");
	if (g->has_numbers && w * WIDE > (count_digits(n) + 1) * LETTER)
		buf_printf(b,
			   "<text class=\"number%s\" x=\"%.4f%%\" y=\"%u\" "
			   "text-anchor=\"middle\">%" PRId64 "</text>",
			   shade >= DARK ? " light" : "", (x + w / 2) * 100, y + g->high / 2 + 4,
			   n);
	buf_putc(b, '\n');
}

/* ---- the picture ---- */

static void put_note(const struct grid *g, struct buf *note)
{
	buf_puts(note, "Colour: the count in ");
	scale_put(note, (g->to[0] - g->from[0]) * 1e9, "ns", false);
	buf_puts(note, "; the legend shows the least count of each colour. "
		       "Labels at the left: the least value of a row. ");
	if (!g->a->unit && g->is_binary && bucket(g, g->a->buckets.n - 1)->low >= 1024)
		buf_puts(note, "1K is 1024. ");
	if (g->rows_per > 1)
		buf_printf(note, "%u buckets are one row. ", g->rows_per);
}

static void put_plot(struct grid *g, struct buf *b)
{
	buf_printf(b,
		   "<svg class=\"plot\" x=\"%d\" width=\"%d\" height=\"%u\">\n"
		   "<rect class=\"grid\" width=\"100%%\" height=\"%u\" fill=\"none\"/>\n",
		   LEFT, WIDE, g->nrows * g->high + 20, g->nrows * g->high);
	for (unsigned int col = 0; col < g->ncols; col++)
		for (unsigned int row = 0; row < g->nrows; row++)
			put_cell(g, b, col, row);
	put_times(g, b);
	buf_puts(b, "</svg>\n");
}

static void draw(struct grid *g, struct buf *b, bool is_file, struct buf *note)
{
	struct buf title = {0}, about = {0}, legend = {0};
	struct svg svg = {.class = "heat",
			  .is_file = is_file,
			  .height = g->nrows * g->high + put_legend(g, &legend)};

	buf_printf(&title, "@%s = %s() by time", strcmp(g->a->name, "_") == 0 ? "" : g->a->name,
		   g->a->function);
	about_put(&about, g->c);
	put_note(g, note);
	svg.title = title.s;
	svg.about = buf_str(&about);
	svg.note = note->s;
	svg_begin(b, &svg);
	put_labels(g, b);
	put_plot(g, b);
	buf_add(b, legend.s, legend.n);
	svg_end(b, &svg);
	buf_free(&title);
	buf_free(&about);
	buf_free(&legend);
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
	if (has_any) {
		find_ratio(&g);
		choose_labels(&g);
		g.high = g.nrows * CELL < TALL ? TALL / g.nrows : CELL;
		g.has_numbers = WIDE / g.ncols > (unsigned int)(count_digits(g.max) + 1) * LETTER;
		draw(&g, b, is_file, note);
	}
	mem_free(g.from);
	mem_free(g.to);
	mem_free(g.n);
	return has_any;
}
