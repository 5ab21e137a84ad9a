/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.c: see flame.h.
 *
 * There is no tree.  Rows are sorted by their frames, so the rows of a frame are neighbours: a
 * frame is a range of rows at a depth.  The ranges are walked with a growing smallest width until
 * few enough frames are left, then once more to draw them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "chart/about.h"
#include "chart/chart.h"
#include "chart/flame.h"
#include "chart/svg.h"

#define ROW	17		  /* pixels from a frame to the next one above it */
#define PIXEL	(1.0 / SVG_WIDTH) /* share of a frame that is one pixel wide */
#define NAME	250		  /* characters of a title */
#define LEAST	1e-9		  /* smallest width to try if the text has too many frames */
#define LETTER	7.2		  /* pixels of a character of a label, on average */
#define LEGIBLE 5		  /* characters of the shortest label */

struct sample {
	const struct chart_row *row;
	unsigned int run;
};

/* Sums of rows, by run.  A single run is the last one.  A long double is exact up to 2^64. */
struct sums {
	long double of[2];
};

struct flame {
	struct buf *b; /* NULL: count only */
	const struct chart *c;
	const struct chart_agg *a;
	bool is_compared;
	struct sample *samples;
	unsigned int n;
	struct sums total;
	double narrow;		     /* frames with a smaller share are not drawn alone */
	unsigned int nframes, depth; /* drawn frames, and the depth of the highest */
	unsigned int ncut, nempty;   /* frames that are not; rows without a positive value */
	uint32_t *numbers;	     /* of names in the text, by frame */
	unsigned int nnames, nshared;
};

/* Frames of the same depth, side by side, that are too narrow. */
struct thin {
	unsigned int n;
	double x, width;
};

/* Returns the share in a run. */
static double share(const struct flame *f, const struct sums *s, unsigned int run)
{
	return f->total.of[run] > 0 ? (double)(s->of[run] / f->total.of[run]) : 0;
}

static double width(const struct flame *f, const struct sums *s)
{
	return (share(f, s, 0) + share(f, s, 1)) / ((f->total.of[0] > 0) + (f->total.of[1] > 0));
}

/* ---- rows ---- */

static int by_frames(const void *x, const void *y, void *frames)
{
	const struct chart_row *a = ((const struct sample *)x)->row,
			       *b = ((const struct sample *)y)->row;
	const struct chart_frame *f = frames;

	for (unsigned int i = 0; i < a->n && i < b->n; i++)
		if (a->ids[i] != b->ids[i])
			return f[a->ids[i]].rank < f[b->ids[i]].rank ? -1 : 1;
	return a->n < b->n ? -1 : a->n > b->n;
}

static void add_rows(struct flame *f, const struct chart_agg *a, unsigned int run)
{
	for (unsigned int i = 0; a && i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		if (r->value <= 0) {
			f->nempty++;
			continue;
		}
		f->samples[f->n++] = (struct sample){r, run};
		f->total.of[run] += r->value;
	}
}

/*
 * Returns the end of the rows from `first` on that have the same frame at this depth, or that end
 * there.  Sets their sums.
 */
static unsigned int group(const struct flame *f, unsigned int first, unsigned int last,
			  unsigned int depth, struct sums *sums)
{
	const struct chart_row *r = f->samples[first].row;
	unsigned int i;

	*sums = (struct sums){{0}};
	for (i = first; i < last; i++) {
		const struct sample *s = &f->samples[i];

		if (r->n <= depth ? s->row->n > depth : s->row->ids[depth] != r->ids[depth])
			break;
		sums->of[s->run] += s->row->value;
	}
	return i;
}

/* ---- a frame ---- */

static void put_share(struct flame *f, const struct sums *s)
{
	double before = share(f, s, 0) * 100, after = share(f, s, 1) * 100;

	if (f->is_compared)
		buf_printf(f->b, "before %.2f %%, after %.2f %%: %+.2f points", before, after,
			   after - before);
	else
		buf_printf(f->b, "%s %.0Lf, %.2f %%", f->a->function, s->of[1], after);
}

/* Classes by points of change: "same", "more1" to "more4", "less1" to "less4". */
static void put_change(struct flame *f, const struct sums *s)
{
	static const double steps[] = {0.001, 0.01, 0.03, 0.1};
	double d = share(f, s, 1) - share(f, s, 0), size = d < 0 ? -d : d;
	int step = 0;

	while (step < 4 && size >= steps[step])
		step++;
	if (step)
		buf_printf(f->b, "%s%d", d < 0 ? "less" : "more", step);
	else
		buf_puts(f->b, "same");
}

static const char letters[] = {[CHART_KEY] = 'x', [CHART_USER] = 'u', [CHART_KERNEL] = 'k'};

/* Functions of one module have the same shade. */
static void put_class(struct flame *f, const struct chart_frame *fr, const struct sums *s)
{
	size_t n = fr ? strcspn(fr->name, "`") : 0;
	unsigned int hash = 0;

	for (size_t i = 0; i < n; i++)
		hash = hash * 31 + (unsigned char)fr->name[i];
	if (f->is_compared)
		put_change(f, s);
	else
		buf_printf(f->b, "%c%u", letters[fr ? fr->kind : CHART_KEY], hash % 3);
}

/* Returns the label of a frame: its function, or its file if the function has no name. */
static const char *label(const char *name)
{
	const char *tick = strrchr(name, '`');

	return tick && strcmp(tick + 1, "[unknown]") != 0 ? tick + 1 : name;
}

static void put_rect(struct flame *f, unsigned int depth, double x, double w)
{
	buf_printf(f->b, "<rect x=\"%.6g%%\" y=\"%u\" width=\"%.6g%%\" height=\"%d\"/>", x * 100,
		   (f->depth - depth) * ROW, w * 100, ROW - 1);
}

/* The title of a frame has the whole name. */
static void put_frame(struct flame *f, const struct chart_frame *fr, unsigned int depth, double x,
		      const struct sums *s)
{
	const char *name = fr ? fr->name : "all";
	double w = width(f, s);
	size_t room = (size_t)(w / PIXEL / LETTER);

	buf_puts(f->b, "<g class=\"frame ");
	put_class(f, fr, s);
	buf_puts(f->b, "\"><title>");
	svg_short(f->b, name, NAME);
	buf_puts(f->b, "\n");
	put_share(f, s);
	buf_puts(f->b, "</title>");
	put_rect(f, depth, x, w);
	if (room >= LEGIBLE) {
		buf_printf(f->b, "<text x=\"%.6g%%\" dx=\"3\" y=\"%u\">", x * 100,
			   (f->depth - depth) * ROW + 12);
		svg_short(f->b, label(name), room - 1);
		buf_puts(f->b, "</text>");
	}
	buf_puts(f->b, "</g>\n");
}

/* Draws the frames of a gap as one, so that the picture shows that there are some. */
static void put_thin(struct flame *f, struct thin *t, unsigned int depth)
{
	if (t->n && t->width >= PIXEL) {
		f->depth = depth > f->depth ? depth : f->depth;
		if (f->b) {
			buf_printf(f->b,
				   "<g class=\"thin\"><title>narrow frames: %u, %.2f %%</title>",
				   t->n, t->width * 100);
			put_rect(f, depth, t->x, t->width);
			buf_puts(f->b, "</g>\n");
		}
	}
	*t = (struct thin){0};
}

/* ---- all of them ---- */

static void add_thin(struct flame *f, struct thin *t, double x, double w)
{
	f->ncut++;
	t->x = t->n++ ? t->x : x;
	t->width += w;
}

/* Walks the frames at a depth of rows first to last - 1.  x is the left edge. */
static void walk(struct flame *f, unsigned int first, unsigned int last, unsigned int depth,
		 double x)
{
	struct thin thin = {0};
	struct sums s;

	for (unsigned int i = first, k; i < last; i = k) {
		const struct chart_row *r = f->samples[i].row;
		double w;

		k = group(f, i, last, depth, &s);
		w = width(f, &s);
		if (r->n > depth && (w < f->narrow || depth >= FLAME_DEPTH)) {
			add_thin(f, &thin, x, w);
		} else if (r->n > depth) {
			put_thin(f, &thin, depth + 1);
			f->nframes++;
			f->depth = depth + 1 > f->depth ? depth + 1 : f->depth;
			if (f->b)
				put_frame(f, &f->c->frames.a[r->ids[depth]], depth + 1, x, &s);
			walk(f, i, k, depth + 1, x);
		}
		x += w;
	}
	put_thin(f, &thin, depth + 1);
}

/* Finds a smallest frame width, `from` or more, with at most this number of frames. */
static void find_narrow(struct flame *f, double from, unsigned int most)
{
	for (f->narrow = from;; f->narrow = f->narrow > 0 ? f->narrow * 2 : LEAST) {
		f->nframes = f->depth = f->ncut = 0;
		walk(f, 0, f->n, 0, 0);
		if (f->nframes <= most)
			return;
	}
}

/* ---- the text for the script ---- */

#define OTHER "(other)"

/* Numbers the names of all rows by their rank. */
static void put_names(struct flame *f)
{
	uint32_t *by_rank = mem_alloc((f->c->frames.n + 1) * sizeof(*by_rank));

	for (unsigned int i = 0; i < f->n; i++)
		for (unsigned int k = 0; k < f->samples[i].row->n && k < FLAME_DEPTH; k++) {
			uint32_t id = f->samples[i].row->ids[k];

			by_rank[f->c->frames.a[id].rank] = id + 1;
		}
	for (unsigned int i = 0; i < f->c->frames.n; i++)
		if (by_rank[i]) {
			const struct chart_frame *fr = &f->c->frames.a[by_rank[i] - 1];

			buf_putc(f->b, letters[fr->kind]);
			svg_str(f->b, fr->name);
			buf_putc(f->b, '\n');
			f->numbers[by_rank[i] - 1] = f->nnames++;
		}
	buf_puts(f->b, "o" OTHER "\n\n");
	mem_free(by_rank);
}

static void put_number(struct buf *b, unsigned int n)
{
	char digits[8]; /* of 32 bits in base 36 */
	int i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36];
		n /= 36;
	} while (n);
	buf_add(b, digits + i, sizeof(digits) - (size_t)i);
}

/* Puts the sums of rows that have the same frames up to a depth. */
static void put_stack(struct flame *f, const struct chart_row *r, unsigned int depth, bool is_other,
		      const struct sums *s)
{
	put_number(f->b, f->nshared);
	for (unsigned int i = f->nshared; i < depth; i++) {
		buf_putc(f->b, ' ');
		put_number(f->b, f->numbers[r->ids[i]]);
	}
	if (is_other) {
		buf_putc(f->b, ' ');
		put_number(f->b, f->nnames);
	}
	if (f->is_compared)
		buf_printf(f->b, ",%.0Lf", s->of[0]);
	buf_printf(f->b, ",%.0Lf\n", s->of[1]);
	f->nshared = depth;
}

static void put_stacks(struct flame *f, unsigned int first, unsigned int last, unsigned int depth)
{
	struct sums s;

	for (unsigned int i = first, k; i < last; i = k) {
		const struct chart_row *r = f->samples[i].row;

		k = group(f, i, last, depth, &s);
		if (r->n <= depth)
			put_stack(f, r, depth, false, &s);
		else if (width(f, &s) < f->narrow || depth >= FLAME_DEPTH)
			put_stack(f, r, depth, true, &s);
		else
			put_stacks(f, i, k, depth + 1);
		f->nshared = f->nshared < depth ? f->nshared : depth;
	}
}

static void put_text(struct flame *f)
{
	struct buf *b = f->b;

	f->b = NULL;
	find_narrow(f, 0, FLAME_NODES);
	f->b = b;
	f->numbers = mem_alloc((f->c->frames.n + 1) * sizeof(*f->numbers));
	buf_printf(b, "<metadata class=\"stacks\">%s\n", f->a->function);
	for (unsigned int i = 0; i < f->a->nlabels; i++) {
		buf_puts(b, i ? "\t" : "");
		svg_str(b, f->a->labels[i] ? f->a->labels[i] : "");
	}
	buf_putc(b, '\n');
	put_names(f);
	put_stacks(f, 0, f->n, 0);
	buf_puts(b, "</metadata>\n");
	mem_free(f->numbers);
}

/* ---- the picture ---- */

static void put_note(const struct flame *f, struct buf *note)
{
	if (f->is_compared)
		buf_puts(note, "Widths: mean of the shares in both runs. Red: the share has grown, "
			       "blue: it has shrunk (0.1, 1, 3, 10 points). ");
	else
		buf_puts(note, "Yellow: functions of processes, blue: of the kernel, grey: other "
			       "keys. ");
	if (f->ncut)
		buf_printf(note,
			   "Drawn together: %u frames narrower than %.2g %%, or above %d others. ",
			   f->ncut, f->narrow * 100, FLAME_DEPTH);
	if (f->nempty)
		buf_printf(note, "Not drawn: %u rows without a positive value. ", f->nempty);
}

static void put_title(const struct flame *f, struct buf *title)
{
	buf_printf(title, "@%s = %s(), ", strcmp(f->a->name, "_") == 0 ? "" : f->a->name,
		   f->a->function);
	if (f->is_compared)
		buf_printf(title, "%s (%.0Lf) and %s (%.0Lf)", f->c->runs[0].name, f->total.of[0],
			   f->c->runs[1].name, f->total.of[1]);
	else
		buf_printf(title, "%.0Lf in all", f->total.of[1]);
}

static void draw(struct flame *f, struct buf *b, bool is_file, struct buf *note)
{
	struct buf title = {0}, about = {0};
	struct svg svg = {.class = f->is_compared ? "flame compared" : "flame",
			  .is_file = is_file,
			  .is_flame = true};

	find_narrow(f, PIXEL, FLAME_FRAMES);
	put_note(f, note);
	put_title(f, &title);
	about_put(&about, f->c);
	svg.title = title.s;
	svg.about = buf_str(&about);
	svg.note = note->n ? note->s : NULL;
	svg.height = (f->depth + 1) * ROW;
	f->b = b;
	svg_begin(b, &svg);
	put_frame(f, NULL, 0, 0, &f->total);
	walk(f, 0, f->n, 0, 0);
	put_text(f);
	svg_end(b, &svg);
	buf_free(&title);
	buf_free(&about);
}

bool flame_draw(struct buf *b, const struct chart *c, const struct chart_agg *a,
		const struct chart_agg *before, bool is_file, struct buf *note)
{
	struct flame f = {.c = c, .a = a, .is_compared = c->nruns > 1};
	bool has_any;

	f.samples =
	    mem_alloc(((size_t)a->rows.n + (before ? before->rows.n : 0) + 1) * sizeof(*f.samples));
	add_rows(&f, before, 0);
	add_rows(&f, a, 1);
	has_any = f.n > 0;
	if (has_any) {
		qsort_r(f.samples, f.n, sizeof(*f.samples), by_frames, c->frames.a);
		draw(&f, b, is_file, note);
	}
	mem_free(f.samples);
	return has_any;
}
