/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.c: see page.h.
 *
 * In a comparison of two runs, rows with equal keys form a pair.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "print/agg.h"
#include "chart/about.h"
#include "chart/chart.h"
#include "chart/flame.h"
#include "chart/heat.h"
#include "chart/page.h"
#include "chart/svg.h"

#define HIST_ROWS 200

/* A row, or the values of a function from all rows; by run. */
struct line {
	const struct chart_row *rows[2];
	uint32_t frame;	  /* of a function */
	int64_t value[2]; /* for a function its own value */
	int64_t total[2]; /* for a function with its callees */
};

struct page {
	struct buf *b;
	struct chart *c;
	const struct chart_agg *a, *before; /* current */
	unsigned int number;		    /* of the aggregation */
	VEC(struct line) lines;
};

static bool is_compared(const struct page *p)
{
	return p->c->nruns > 1;
}

static void put_name(struct page *p, const struct chart_agg *a)
{
	buf_putc(p->b, '@');
	if (strcmp(a->name, "_") != 0)
		svg_str(p->b, a->name);
}

/* ---- lines ---- */

/* The largest first. */
static int by_value(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	int64_t l = a->value[0] > a->value[1] ? a->value[0] : a->value[1];
	int64_t r = b->value[0] > b->value[1] ? b->value[0] : b->value[1];

	if (l != r)
		return l > r ? -1 : 1;
	l = a->total[0] > a->total[1] ? a->total[0] : a->total[1];
	r = b->total[0] > b->total[1] ? b->total[0] : b->total[1];
	return l > r ? -1 : l < r;
}

static void collect_rows(struct page *p)
{
	struct map *known = map_new();

	p->lines.n = 0;
	for (unsigned int run = 0; run < 2; run++) {
		const struct chart_agg *a = run ? p->a : p->before;

		for (unsigned int i = 0; a && i < a->rows.n; i++) {
			const struct chart_row *r = &a->rows.a[i];
			size_t size = r->n * sizeof(*r->ids), at;
			struct line none = {0};

			at = (uintptr_t)map_get(known, r->ids, size);
			if (!at) {
				vec_push(&p->lines, none);
				at = p->lines.n;
				map_set(known, r->ids, size, (void *)at);
			}
			p->lines.a[at - 1].rows[run] = r;
			p->lines.a[at - 1].value[run] = r->value;
		}
	}
	map_free(known);
	qsort(p->lines.a, p->lines.n, sizeof(*p->lines.a), by_value);
}

/* A recursive function is in a stack several times, but counts once. */
static void add_functions(struct line *lines, uint32_t *last, const struct chart_agg *a,
			  unsigned int run)
{
	for (unsigned int i = 0; a && i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		if (r->n == r->nkeys || r->value <= 0)
			continue;
		agg_add(&lines[r->ids[r->n - 1]].value[run], r->value);
		for (unsigned int k = r->nkeys; k < r->n; k++) {
			if (last[r->ids[k]] == i + 1)
				continue;
			last[r->ids[k]] = i + 1;
			agg_add(&lines[r->ids[k]].total[run], r->value);
		}
	}
}

static void collect_functions(struct page *p)
{
	unsigned int n = p->c->frames.n, kept = 0;
	uint32_t *last = mem_alloc((n + 1) * sizeof(*last));

	p->lines.n = 0;
	for (unsigned int i = 0; i < n; i++) {
		struct line l = {.frame = i};

		vec_push(&p->lines, l);
	}
	add_functions(p->lines.a, last, p->before, 0);
	memset(last, 0, n * sizeof(*last));
	add_functions(p->lines.a, last, p->a, 1);
	for (unsigned int i = 0; i < n; i++)
		if (p->lines.a[i].total[0] || p->lines.a[i].total[1])
			p->lines.a[kept++] = p->lines.a[i];
	p->lines.n = kept;
	qsort(p->lines.a, p->lines.n, sizeof(*p->lines.a), by_value);
	mem_free(last);
}

/* ---- tables ---- */

static void put_heading(struct page *p, const char *text, bool is_number)
{
	buf_printf(p->b, "<th scope=\"col\"%s>", is_number ? " class=\"number\"" : "");
	svg_str(p->b, text);
	buf_puts(p->b, "</th>");
}

static void begin_table(struct page *p, const char *what)
{
	buf_puts(p->b, "<div class=\"scroll\"><table class=\"sorts\"><caption>");
	buf_puts(p->b, what);
	buf_printf(p->b, " of ");
	put_name(p, p->a);
	if (p->lines.n > PAGE_ROWS)
		buf_printf(p->b, ", the largest %d of %u", PAGE_ROWS, p->lines.n);
	buf_puts(p->b, "</caption>\n<thead><tr>");
}

static void put_numbers_head(struct page *p, const char *name)
{
	struct buf b = {0};

	if (!is_compared(p)) {
		put_heading(p, name, true);
		return;
	}
	buf_printf(&b, "%s before", name);
	put_heading(p, b.s, true);
	buf_reset(&b);
	buf_printf(&b, "%s after", name);
	put_heading(p, b.s, true);
	put_heading(p, "change", true);
	buf_free(&b);
}

static void put_numbers(struct page *p, const int64_t *value)
{
	if (is_compared(p))
		buf_printf(p->b, "<td class=\"number\">%" PRId64 "</td>", value[0]);
	buf_printf(p->b, "<td class=\"number\">%" PRId64 "</td>", value[1]);
	if (is_compared(p))
		buf_printf(p->b, "<td class=\"number\">%+" PRId64 "</td>",
			   (int64_t)((uint64_t)value[1] - (uint64_t)value[0]));
}

/* Screen readers skip bars: the number is next to the bar. */
static void put_bar(struct page *p, int64_t value, int64_t most)
{
	double share = value > 0 && most > 0 ? (double)value / (double)most * 100 : 0;

	buf_printf(p->b,
		   "<td class=\"bars\" aria-hidden=\"true\"><div style=\"width:%.1f%%\">"
		   "</div></td>",
		   share);
}

static void put_functions(struct page *p)
{
	collect_functions(p);
	begin_table(p, "Functions");
	put_heading(p, "function", false);
	put_numbers_head(p, "alone");
	put_numbers_head(p, "with callees");
	buf_puts(p->b, "</tr></thead>\n<tbody>\n");
	for (unsigned int i = 0; i < p->lines.n && i < PAGE_ROWS; i++) {
		buf_puts(p->b, "<tr><th scope=\"row\">");
		svg_short(p->b, p->c->frames.a[p->lines.a[i].frame].name, 250);
		buf_puts(p->b, "</th>");
		put_numbers(p, p->lines.a[i].value);
		put_numbers(p, p->lines.a[i].total);
		buf_puts(p->b, "</tr>\n");
	}
	buf_puts(p->b, "</tbody></table></div>\n");
}

static const struct chart_row *any_row(const struct line *l)
{
	return l->rows[1] ? l->rows[1] : l->rows[0];
}

static unsigned int count_keys(const struct page *p)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->lines.n; i++)
		if (any_row(&p->lines.a[i])->nkeys > n)
			n = any_row(&p->lines.a[i])->nkeys;
	return n;
}

static void put_keys_head(struct page *p, unsigned int nkeys)
{
	for (unsigned int i = 0; i < nkeys; i++) {
		struct buf b = {0};

		chart_key_name(&b, p->a, i, nkeys);
		put_heading(p, b.s, false);
		buf_free(&b);
	}
}

static void put_row(struct page *p, const struct line *l, unsigned int nkeys, int64_t most)
{
	const struct chart_row *r = any_row(l);

	buf_puts(p->b, "<tr>");
	for (unsigned int i = 0; i < nkeys; i++) {
		buf_puts(p->b, i ? "<td>" : "<th scope=\"row\">");
		if (i < r->nkeys)
			svg_short(p->b, p->c->frames.a[r->ids[i]].name, 1000);
		buf_puts(p->b, i ? "</td>" : "</th>");
	}
	put_numbers(p, l->value);
	put_bar(p, l->value[1], most);
	buf_puts(p->b, "</tr>\n");
}

static void put_table(struct page *p)
{
	unsigned int nkeys;
	int64_t most = 0;

	collect_rows(p);
	nkeys = count_keys(p);
	for (unsigned int i = 0; i < p->lines.n; i++)
		most = p->lines.a[i].value[1] > most ? p->lines.a[i].value[1] : most;
	begin_table(p, "Rows");
	put_keys_head(p, nkeys);
	put_numbers_head(p, p->a->function);
	buf_puts(p->b, "<td class=\"bars\" aria-hidden=\"true\"></td></tr></thead>\n<tbody>\n");
	for (unsigned int i = 0; i < p->lines.n && i < PAGE_ROWS; i++)
		put_row(p, &p->lines.a[i], nkeys, most);
	buf_puts(p->b, "</tbody></table></div>\n");
}

/* ---- histograms ---- */

static void add_counts(const struct chart_agg *a, const struct chart_row *r, const uint32_t *place,
		       int64_t *counts)
{
	for (unsigned int i = 0; r && i < r->counts.n; i++) {
		if (r->counts.a[i].bucket < a->buckets.n)
			agg_add(&counts[place[r->counts.a[i].bucket]], r->counts.a[i].n);
	}
}

/* Joins buckets of both runs by their labels. */
static void join_buckets(struct page *p)
{
	struct chart_agg *a = (struct chart_agg *)p->a;

	for (unsigned int i = 0; p->before && i < p->before->buckets.n; i++)
		chart_bucket(p->c, a, p->before->buckets.a[i].label, p->before->buckets.a[i].low);
}

struct hist {
	int64_t *counts[2]; /* sorted by bound */
	uint32_t *order, *place[2];
	unsigned int n;
};

static void hist_open(struct page *p, struct hist *h)
{
	h->n = p->a->buckets.n;
	h->order = chart_order(p->c, p->a);
	for (unsigned int run = 0; run < 2; run++) {
		h->counts[run] = arena_new_arr(p->c->arena, int64_t, h->n + 1);
		h->place[run] = arena_new_arr(p->c->arena, uint32_t, h->n + 1);
	}
	for (unsigned int i = 0; i < h->n; i++)
		h->place[1][h->order[i]] = i;
	for (unsigned int i = 0; p->before && i < p->before->buckets.n; i++) {
		uintptr_t at =
		    (uintptr_t)map_get_str(p->a->by_label, p->before->buckets.a[i].label);

		h->place[0][i] = h->place[1][at - 1];
	}
}

static void hist_clear(struct hist *h)
{
	for (unsigned int run = 0; run < 2; run++)
		memset(h->counts[run], 0, h->n * sizeof(*h->counts[run]));
}

static void hist_add(struct page *p, struct hist *h, const struct line *l)
{
	if (p->before)
		add_counts(p->before, l->rows[0], h->place[0], h->counts[0]);
	add_counts(p->a, l->rows[1], h->place[1], h->counts[1]);
}

static void put_bucket(struct page *p, const struct hist *h, unsigned int i, int64_t most)
{
	int64_t value[2] = {h->counts[0][i], h->counts[1][i]};

	buf_puts(p->b, "<tr><th scope=\"row\" class=\"number\">");
	svg_str(p->b, p->a->buckets.a[h->order[i]].label);
	buf_puts(p->b, "</th>");
	put_numbers(p, value);
	put_bar(p, value[1], most);
	buf_puts(p->b, "</tr>\n");
}

/* Shows the buckets from the first to the last with counts; if they are many, only those with
 * counts. */
static void put_hist(struct page *p, const struct hist *h)
{
	unsigned int first = 0, last = h->n, n = 0;
	int64_t most = 0;

	while (first < last && !h->counts[0][first] && !h->counts[1][first])
		first++;
	while (last > first && !h->counts[0][last - 1] && !h->counts[1][last - 1])
		last--;
	for (unsigned int i = first; i < last; i++)
		most = h->counts[1][i] > most ? h->counts[1][i] : most;
	buf_puts(p->b, "<thead><tr>");
	put_heading(p, "value", true);
	put_numbers_head(p, "count");
	buf_puts(p->b, "<td class=\"bars\" aria-hidden=\"true\"></td></tr></thead>\n<tbody>\n");
	for (unsigned int i = first; i < last && n < PAGE_ROWS; i++) {
		if (last - first > HIST_ROWS && !h->counts[0][i] && !h->counts[1][i])
			continue;
		put_bucket(p, h, i, most);
		n++;
	}
	buf_puts(p->b, "</tbody></table></div>\n");
}

static void put_hist_of(struct page *p, struct hist *h, const struct line *l)
{
	const struct chart_row *r = any_row(l);

	buf_puts(p->b, "<div class=\"scroll histogram\"><table><caption>");
	for (unsigned int i = 0; i < r->nkeys; i++) {
		if (i)
			buf_puts(p->b, ", ");
		svg_short(p->b, p->c->frames.a[r->ids[i]].name, 100);
	}
	if (!r->nkeys)
		put_name(p, p->a);
	buf_puts(p->b, "</caption>\n");
	hist_clear(h);
	hist_add(p, h, l);
	put_hist(p, h);
}

/* Draws the histogram of all stacks together.  The flame graph shows the stacks. */
static void put_hist_sum(struct page *p, struct hist *h)
{
	buf_puts(p->b, "<div class=\"scroll histogram\"><table><caption>All of ");
	put_name(p, p->a);
	buf_puts(p->b, "</caption>\n");
	hist_clear(h);
	for (unsigned int i = 0; i < p->lines.n; i++)
		hist_add(p, h, &p->lines.a[i]);
	put_hist(p, h);
}

static void put_hists(struct page *p)
{
	struct hist h = {0};

	collect_rows(p);
	join_buckets(p);
	hist_open(p, &h);
	buf_puts(p->b, "<div class=\"histograms\">\n");
	if (p->a->has_stacks)
		put_hist_sum(p, &h);
	for (unsigned int i = 0; !p->a->has_stacks && i < p->lines.n && i < PAGE_HISTS; i++)
		put_hist_of(p, &h, &p->lines.a[i]);
	buf_puts(p->b, "</div>\n");
	if (!p->a->has_stacks && p->lines.n > PAGE_HISTS)
		buf_printf(p->b, "<p>The largest %d of %u histograms.</p>\n", PAGE_HISTS,
			   p->lines.n);
}

/* ---- pictures ---- */

static void put_figure(struct page *p, struct buf *picture, struct buf *note)
{
	buf_puts(p->b, "<figure>\n");
	buf_add(p->b, buf_str(picture), picture->n);
	buf_puts(p->b, "<figcaption>");
	svg_str(p->b, buf_str(note));
	buf_puts(p->b, "</figcaption></figure>\n");
	buf_reset(picture);
	buf_reset(note);
}

static void put_pictures(struct page *p)
{
	struct buf picture = {0}, note = {0};

	if (p->a->has_stacks && flame_draw(&picture, p->c, p->a, p->before, false, &note)) {
		put_figure(p, &picture, &note);
		put_functions(p);
	}
	for (unsigned int run = 0; run < 2; run++) {
		const struct chart_agg *a = run ? p->a : p->before;

		if (a && heat_draw(&picture, p->c, a, false, &note)) {
			if (is_compared(p))
				buf_puts(&note, p->c->runs[run].name);
			put_figure(p, &picture, &note);
		}
	}
	buf_free(&picture);
	buf_free(&note);
}

static void put_section(struct page *p)
{
	buf_printf(p->b, "<section id=\"a%u\">\n<h2>", p->number);
	put_name(p, p->a);
	buf_printf(p->b, " = %s()</h2>\n", p->a->function);
	put_pictures(p);
	if (p->a->is_hist)
		put_hists(p);
	else if (!p->a->has_stacks)
		put_table(p);
	buf_puts(p->b, "</section>\n");
}

/* ---- the page ---- */

static const struct chart_agg *earlier(const struct page *p, const struct chart_agg *a)
{
	return is_compared(p) ? chart_agg_named(p->c, a->name, 0) : NULL;
}

/* Returns true for an aggregation that has rows in either run. */
static bool is_drawn(const struct page *p, const struct chart_agg *a)
{
	const struct chart_agg *before = earlier(p, a);

	return a->run + 1 == p->c->nruns && (a->rows.n || (before && before->rows.n));
}

/* Puts names of saved runs and the facts.  A run that was not saved has its program as a name. */
static void put_runs(struct page *p)
{
	const struct chart_run *last = &p->c->runs[p->c->nruns - 1];
	struct buf about = {0};

	if (last->name != last->program) {
		svg_str(p->b, last->name);
		if (is_compared(p)) {
			buf_puts(p->b, ", compared with ");
			svg_str(p->b, p->c->runs[0].name);
		}
		buf_puts(p->b, ". ");
	}
	about_put(&about, p->c);
	svg_str(p->b, buf_str(&about));
	buf_free(&about);
}

static void put_head(struct page *p, const char *when)
{
	buf_puts(p->b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		       "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
		       "<title>dtrace: aggregations</title>\n<style>\n");
	buf_puts(p->b, web_picture_css);
	buf_puts(p->b, web_page_css);
	buf_puts(p->b, "</style>\n</head>\n<body>\n<header>\n<h1>Aggregations of dtrace</h1>\n<p>");
	put_runs(p);
	buf_printf(p->b, "Written: %s.</p>\n<nav aria-label=\"Aggregations\"><ul>\n", when);
	for (unsigned int i = 0; i < p->c->aggs.n; i++) {
		if (!is_drawn(p, p->c->aggs.a[i]))
			continue;
		buf_printf(p->b, "<li><a href=\"#a%u\">", i);
		put_name(p, p->c->aggs.a[i]);
		buf_puts(p->b, "</a></li>\n");
	}
	buf_puts(p->b, "</ul></nav>\n</header>\n<main>\n");
}

bool page_draw(struct buf *b, struct chart *c, const char *when)
{
	struct page p = {.b = b, .c = c};
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->aggs.n; i++)
		n += is_drawn(&p, c->aggs.a[i]);
	if (!n)
		return false;
	put_head(&p, when);
	for (p.number = 0; p.number < c->aggs.n; p.number++) {
		p.a = c->aggs.a[p.number];
		p.before = earlier(&p, p.a);
		if (is_drawn(&p, p.a))
			put_section(&p);
	}
	buf_puts(b, "</main>\n<script>\n");
	buf_puts(b, web_stacks_js);
	buf_puts(b, web_picture_js);
	buf_puts(b, web_page_js);
	buf_puts(b, "</script>\n</body>\n</html>\n");
	vec_free(&p.lines);
	return true;
}
