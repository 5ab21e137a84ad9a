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
#include "chart/chart.h"
#include "chart/flame.h"
#include "chart/svg.h"

#define ROW	17   /* pixels from a frame to the next one above it */
#define NAME	250  /* characters of a name */
#define NARROW	1e-5 /* frames with a smaller share are cut */
#define LEGIBLE 0.012

struct sample {
	const struct chart_row *row;
	double share[2]; /* of each run; of a single run in the last one */
};

struct flame {
	struct buf *b; /* NULL: count only */
	const struct chart *c;
	const struct chart_agg *a;
	bool is_compared;
	struct sample *samples;
	unsigned int n;
	double total[2];
	double narrow;
	unsigned int nframes, depth; /* drawn frames, and the depth of the highest */
	unsigned int ncut, nempty;   /* ranges that are too narrow; rows without a positive value */
	double cut;
};

static double width(const struct flame *f, const double *share)
{
	return (share[0] + share[1]) / ((f->total[0] > 0) + (f->total[1] > 0));
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
	unsigned int from = f->n;

	for (unsigned int i = 0; a && i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];
		struct sample *s = &f->samples[f->n];

		if (r->value <= 0) {
			f->nempty++;
			continue;
		}
		*s = (struct sample){.row = r};
		s->share[run] = (double)r->value;
		f->total[run] += (double)r->value;
		f->n++;
	}
	for (unsigned int i = from; i < f->n; i++)
		f->samples[i].share[run] /= f->total[run];
}

/* ---- a frame ---- */

static void put_share(struct flame *f, const double *share)
{
	if (!f->is_compared) {
		buf_printf(f->b, "%s %.0f, %.2f %%", f->a->function, share[1] * f->total[1],
			   share[1] * 100);
		return;
	}
	buf_printf(f->b, "before %.2f %%, after %.2f %%: %+.2f points", share[0] * 100,
		   share[1] * 100, (share[1] - share[0]) * 100);
}

/* Classes by points of change: "same", "more1" to "more4", "less1" to "less4". */
static void put_change(struct buf *b, const double *share)
{
	static const double steps[] = {0.001, 0.01, 0.03, 0.1};
	double d = share[1] - share[0], size = d < 0 ? -d : d;
	int step = 0;

	while (step < 4 && size >= steps[step])
		step++;
	if (step)
		buf_printf(b, "%s%d", d < 0 ? "less" : "more", step);
	else
		buf_puts(b, "same");
}

/* Functions of one module have the same shade. */
static void put_class(struct flame *f, const struct chart_frame *fr, const double *share)
{
	static const char letters[] = {[CHART_KEY] = 'x', [CHART_USER] = 'u', [CHART_KERNEL] = 'k'};
	size_t n = fr ? strcspn(fr->name, "`") : 0;
	unsigned int hash = 0;

	for (size_t i = 0; i < n; i++)
		hash = hash * 31 + (unsigned char)fr->name[i];
	if (f->is_compared)
		put_change(f->b, share);
	else
		buf_printf(f->b, "%c%u", letters[fr ? fr->kind : CHART_KEY], hash % 3);
}

/* Returns the label of a frame: its function, or its file if the function has no name. */
static const char *label(const char *name)
{
	const char *tick = strrchr(name, '`');

	return tick && strcmp(tick + 1, "[unknown]") != 0 ? tick + 1 : name;
}

/* The title of a frame has the whole name. */
static void put_frame(struct flame *f, const struct chart_frame *fr, unsigned int depth, double x,
		      const double *share)
{
	const char *name = fr ? fr->name : "all";
	double w = width(f, share);

	buf_puts(f->b, "<svg class=\"frame ");
	put_class(f, fr, share);
	buf_printf(f->b, "\" x=\"%.4f%%\" y=\"%u\" width=\"%.4f%%\" height=\"%d\"><title>", x * 100,
		   (f->depth - depth) * ROW, w * 100, ROW - 1);
	svg_short(f->b, name, NAME);
	buf_puts(f->b, "\n");
	put_share(f, share);
	buf_puts(f->b, "</title><rect width=\"100%\" height=\"100%\"/>");
	if (w >= LEGIBLE) {
		buf_puts(f->b, "<text x=\"3\" y=\"12\">");
		svg_short(f->b, label(name), NAME);
		buf_puts(f->b, "</text>");
	}
	buf_puts(f->b, "</svg>\n");
}

/* ---- all of them ---- */

static void cut(struct flame *f, double w)
{
	f->ncut++;
	f->cut += w;
}

/* Walks the frames at a depth of rows first to last - 1.  x is the left edge. */
static void walk(struct flame *f, unsigned int first, unsigned int last, unsigned int depth,
		 double x)
{
	for (unsigned int i = first, k; i < last; i = k) {
		const struct chart_row *r = f->samples[i].row;
		double share[2] = {0};

		for (k = i; k < last; k++) {
			const struct sample *s = &f->samples[k];

			if (r->n <= depth ? k > i : s->row->ids[depth] != r->ids[depth])
				break;
			share[0] += s->share[0];
			share[1] += s->share[1];
		}
		if (r->n > depth && (width(f, share) < f->narrow || depth >= FLAME_DEPTH)) {
			cut(f, width(f, share));
		} else if (r->n > depth) {
			f->nframes++;
			if (f->b)
				put_frame(f, &f->c->frames.a[r->ids[depth]], depth + 1, x, share);
			else if (depth + 1 > f->depth)
				f->depth = depth + 1;
			walk(f, i, k, depth + 1, x);
		}
		x += width(f, share);
	}
}

/* Finds the smallest frame width with at most FLAME_FRAMES frames. */
static void find_narrow(struct flame *f)
{
	for (f->narrow = NARROW;; f->narrow *= 2) {
		f->nframes = f->depth = f->ncut = 0;
		f->cut = 0;
		walk(f, 0, f->n, 0, 0);
		if (f->nframes <= FLAME_FRAMES)
			return;
	}
}

static void put_note(const struct flame *f, struct buf *note)
{
	if (f->is_compared)
		buf_puts(note, "Widths: mean of the shares in both runs. Red: the share has grown, "
			       "blue: it has shrunk (0.1, 1, 3, 10 points). ");
	else
		buf_puts(note, "Yellow: functions of processes, blue: of the kernel, grey: other "
			       "keys. ");
	if (f->ncut)
		buf_printf(note, "Not drawn: %u frames narrower than %.4g %%, or above %d others. ",
			   f->ncut, f->narrow * 100, FLAME_DEPTH);
	if (f->nempty)
		buf_printf(note, "Not drawn: %u rows without a positive value. ", f->nempty);
}

static void put_title(const struct flame *f, struct buf *title)
{
	buf_printf(title, "@%s = %s(), ", strcmp(f->a->name, "_") == 0 ? "" : f->a->name,
		   f->a->function);
	if (f->is_compared)
		buf_printf(title, "%s (%.0f) and %s (%.0f)", f->c->runs[0], f->total[0],
			   f->c->runs[1], f->total[1]);
	else
		buf_printf(title, "%.0f in all", f->total[1]);
}

static void draw(struct flame *f, struct buf *b, bool is_file, struct buf *note)
{
	double all[2] = {f->is_compared && f->total[0] > 0, f->total[1] > 0};
	struct buf title = {0};
	struct svg svg = {.class = f->is_compared ? "flame compared" : "flame", .is_file = is_file};

	find_narrow(f);
	put_note(f, note);
	put_title(f, &title);
	svg.title = title.s;
	svg.note = note->n ? note->s : NULL;
	svg.height = (f->depth + 1) * ROW;
	f->b = b;
	svg_begin(b, &svg);
	put_frame(f, NULL, 0, 0, all);
	walk(f, 0, f->n, 0, 0);
	svg_end(b, &svg);
	buf_free(&title);
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
