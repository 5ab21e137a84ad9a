/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.c: see view.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/map.h"
#include "base/mem.h"
#include "chart/chart.h"
#include "chart/scale.h"
#include "consume/consume.h"
#include "metrics/metrics.h"
#include "print/agg.h"
#include "print/value.h"
#include "sink/view.h"

#define BAR   20
#define BOUND 9	 /* characters of the bounds beside a histogram */
#define KEY   40 /* maximum width of a column, except for the last one */

/* ---- rows ---- */

/* Appends the stacks, with the innermost frame first.  Frames after 4096 bytes are omitted. */
static void put_stack(const struct chart *c, const struct chart_row *r, struct buf *b)
{
	for (unsigned int i = r->n; i > r->nkeys && b->n < 4096; i--)
		buf_printf(b, "%s%s", i < r->n ? " < " : "", c->frames.a[r->ids[i - 1]].name);
}

/* Returns all keys as one text. */
static char *key_of(const struct chart *c, const struct chart_row *r)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < r->nkeys; i++)
		buf_printf(&b, "%s  ", c->frames.a[r->ids[i]].name);
	put_stack(c, r, &b);
	return b.s ? b.s : mem_strdup("");
}

static struct chart_agg *agg_shown(const struct view *v)
{
	return v->chart && v->agg < v->chart->aggs.n ? v->chart->aggs.a[v->agg] : NULL;
}

static void free_rows(struct view *v)
{
	for (unsigned int i = 0; i < v->rows.n; i++)
		mem_free(v->rows.a[i].key);
	v->rows.n = 0;
}

static int by_order(const void *x, const void *y, void *arg)
{
	const struct view_row *a = x, *b = y;
	const struct view *v = arg;
	int d = 0, by_key = strcmp(a->key, b->key);

	if (v->order == VIEW_BY_VALUE)
		d = a->row->value > b->row->value ? -1 : a->row->value < b->row->value;
	else if (v->order == VIEW_BY_RATE)
		d = a->rate > b->rate ? -1 : a->rate < b->rate;
	d = d ? d : by_key;
	return v->is_reversed ? -d : d;
}

static double rate_of(const struct view *v, int64_t value, int64_t past)
{
	double seconds = (double)(v->read - v->earlier) / 1e9;

	return v->earlier && seconds > 0
		   ? (double)(int64_t)((uint64_t)value - (uint64_t)past) / seconds
		   : 0;
}

/* Chooses the rows to show, in order. */
void view_choose(struct view *v)
{
	const struct chart_agg *a = agg_shown(v);

	free_rows(v);
	for (unsigned int i = 0; a && i < a->rows.n; i++) {
		struct view_row s = {.row = &a->rows.a[i], .key = key_of(v->chart, &a->rows.a[i])};

		if (*v->filter && !strcasestr(s.key, v->filter)) {
			mem_free(s.key);
			continue;
		}
		s.rate = rate_of(v, s.row->value, v->past.a[v->agg][i]);
		vec_push(&v->rows, s);
	}
	qsort_r(v->rows.a, v->rows.n, sizeof(*v->rows.a), by_order, v);
}

/* ---- reading ---- */

/* Rows with equal texts can have different keys, such as two places in one function.  The pointer
 * of an entry is the value itself, so the value of a new row was 0. */
static void add_agg(void *ctx, const struct metrics_agg *a)
{
	struct view *v = ctx;
	const struct chart_agg *drawn = chart_add_set(v->chart, v->out, &a->set);
	int64_t *past = arena_new_arr(v->chart->arena, int64_t, a->set.n + 1);
	struct buf b = {0};

	for (unsigned int i = 0; i < a->set.n; i++) {
		buf_reset(&b);
		buf_add(&b, drawn->name, strlen(drawn->name) + 1);
		for (unsigned int k = 0; k < a->set.recs[i].nkeys; k++)
			value_identify(&b, &a->set.recs[i].keys[k]);
		past[i] = v->before ? (intptr_t)map_get(v->before, b.s, b.n) : 0;
		map_set(v->now, b.s, b.n, (void *)(intptr_t)drawn->rows.a[i].value);
	}
	vec_push(&v->past, past);
	buf_free(&b);
}

void view_read(struct view *v, struct consume *co, bool is_last)
{
	void *symctx = co->out->symctx;

	/* The last reading can come right after another, so its rates start at the one before. */
	map_free(is_last ? v->now : v->before);
	v->before = is_last ? v->before : v->now;
	v->now = map_new();
	v->past.n = 0;
	chart_free(v->chart);
	v->chart = chart_new();
	v->chart->nruns = 1;
	v->out = co->out;
	co->out->symctx = co;
	aggs_each(co, is_last, add_agg, v);
	co->out->symctx = symctx;
	v->earlier = is_last ? v->earlier : v->read;
	v->read = clock_ns();
}

/* ---- lines of text ---- */

static size_t next_char(const char *s)
{
	size_t len = out_utf8_len(s, strlen(s));

	return len ? len : 1;
}

static unsigned int count_chars(const char *s)
{
	unsigned int n = 0;

	for (; *s; s += next_char(s))
		n++;
	return n;
}

/* Appends n characters at most.  Characters that the terminal lacks become "?". */
void view_text(const struct view *v, struct buf *b, const char *s, int n)
{
	for (; *s && n > 0; n--) {
		size_t len = next_char(s);

		if (len > 1 && !v->is_utf8)
			buf_putc(b, '?');
		else
			buf_add(b, s, len);
		s += len;
	}
}

static unsigned int count_keys(const struct view *v)
{
	return v->rows.n ? v->rows.a[0].row->nkeys : 0;
}

/* Appends the text of a key in its column.  Two dots replace text that does not fit.  The last
 * column has no end. */
static void put_column(const struct view *v, struct buf *b, const char *s, unsigned int key)
{
	bool is_last = key + 1 == count_keys(v) && !agg_shown(v)->has_stacks;
	unsigned int n = count_chars(s), width = key < VIEW_COLUMNS ? v->columns[key] : n;

	if (is_last)
		return buf_puts(b, s);
	view_text(v, b, s, (int)(n > width ? width - 2 : n));
	if (n > width)
		buf_puts(b, "..");
	buf_pad(b, ' ', 2 + (n < width ? width - n : 0));
}

/* Writes a bar for a share of the largest value, of BAR characters. */
static void put_bar(struct buf *b, double share)
{
	int n = share > 0 ? (int)(share * BAR + 0.5) : 0;

	buf_putc(b, '|');
	buf_pad(b, '@', (size_t)n);
	buf_pad(b, ' ', (size_t)(BAR - n));
	buf_putc(b, '|');
}

/* Writes BAR characters, whose heights show counts. */
static void put_heights(const struct view *v, struct buf *b, const int64_t *n)
{
	static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	int64_t most = 0;

	for (unsigned int i = 0; i < BAR; i++)
		most = n[i] > most ? n[i] : most;
	buf_putc(b, '|');
	for (unsigned int i = 0; i < BAR; i++) {
		double share = most > 0 && n[i] > 0 ? (double)n[i] / (double)most : 0;
		int level = share > 0 ? 1 + (int)(share * 7) : 0;

		buf_puts(b, (v->is_utf8 ? blocks : ascii)[level]);
	}
	buf_putc(b, '|');
}

static void put_bound(const struct view *v, struct buf *b, const struct chart_row *r,
		      uint32_t place, const char *format)
{
	const struct chart_agg *a = agg_shown(v);
	struct buf text = {0}, cut = {0};

	for (unsigned int i = 0; i < r->counts.n; i++)
		if (v->place[r->counts.a[i].bucket] == place)
			scale_label(&text, a->buckets.a[r->counts.a[i].bucket].label, a->unit,
				    v->is_binary);
	view_text(v, &cut, buf_str(&text), BOUND);
	buf_printf(b, format, BOUND, buf_str(&cut));
	buf_free(&text);
	buf_free(&cut);
}

/*
 * Writes a histogram from its lowest used bucket to its highest, between their bounds.  If the
 * buckets are more than BAR, several share a character.
 */
static void put_hist(const struct view *v, struct buf *b, const struct chart_row *r)
{
	uint32_t first = UINT32_MAX, last = 0, per;
	int64_t n[BAR] = {0};

	for (unsigned int i = 0; i < r->counts.n; i++) {
		uint32_t at = v->place[r->counts.a[i].bucket];

		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	per = r->counts.n ? (last - first) / BAR + 1 : 1;
	for (unsigned int i = 0; i < r->counts.n; i++)
		agg_add(&n[(v->place[r->counts.a[i].bucket] - first) / per], r->counts.a[i].n);
	put_bound(v, b, r, first, "%*s ");
	put_heights(v, b, n);
	put_bound(v, b, r, last, " %-*s");
}

static void put_keys(const struct view *v, struct buf *b, const struct chart_row *r)
{
	for (unsigned int i = 0; i < r->nkeys; i++)
		put_column(v, b, v->chart->frames.a[r->ids[i]].name, i);
	put_stack(v->chart, r, b);
}

static void put_row(const struct view *v, struct buf *b, const struct view_row *s)
{
	buf_printf(b, "%14" PRId64 " %12.1f ", s->row->value, s->rate);
	if (v->place)
		put_hist(v, b, s->row);
	else
		put_bar(b, v->most > 0 ? (double)s->row->value / (double)v->most : 0);
	buf_putc(b, ' ');
	put_keys(v, b, s->row);
}

/* Appends the names of columns. */
static void put_names(const struct view *v, struct buf *b)
{
	const struct chart_agg *a = agg_shown(v);

	buf_printf(b, "%14s %12s ", v->place ? "count" : "value", "per second");
	if (v->place)
		buf_printf(b, "%*s %-*s %-*s ", BOUND, "lowest", BAR + 2, "", BOUND, "highest");
	else
		buf_printf(b, "%-*s ", BAR + 2, "");
	for (unsigned int i = 0; i < count_keys(v); i++) {
		struct buf name = {0};

		chart_key_name(&name, a, i, count_keys(v));
		put_column(v, b, name.s, i);
		buf_free(&name);
	}
	if (a && a->has_stacks)
		buf_puts(b, "stack");
}

/* Returns true if the screen has room for the row i after the first one. */
static bool is_shown(const struct view *v, unsigned int i)
{
	return (int)i < v->lines && v->from + i < v->rows.n;
}

/* Makes the columns of keys as wide as the rows on the screen need. */
static void fit_columns(struct view *v)
{
	for (unsigned int k = 0; k < count_keys(v) && k < VIEW_COLUMNS; k++) {
		struct buf name = {0};

		chart_key_name(&name, agg_shown(v), k, count_keys(v));
		v->columns[k] = count_chars(name.s);
		buf_free(&name);
		for (unsigned int i = 0; is_shown(v, i); i++) {
			const struct chart_row *r = v->rows.a[v->from + i].row;
			unsigned int n = count_chars(v->chart->frames.a[r->ids[k]].name);

			v->columns[k] = n > v->columns[k] ? n : v->columns[k];
		}
		v->columns[k] = v->columns[k] > KEY ? KEY : v->columns[k];
	}
}

/* Prepares the scales of a table. */
static void fit(struct view *v)
{
	struct chart_agg *a = agg_shown(v);

	mem_free(v->place);
	v->place = NULL;
	if (a && a->is_hist) {
		uint32_t *order = chart_order(v->chart, a);

		v->is_binary = chart_is_binary(a);
		v->place = mem_alloc((a->buckets.n + 1) * sizeof(*v->place));
		for (unsigned int i = 0; i < a->buckets.n; i++)
			v->place[order[i]] = i;
	}
	v->most = 0;
	for (unsigned int i = 0; i < v->rows.n; i++)
		v->most = v->rows.a[i].row->value > v->most ? v->rows.a[i].row->value : v->most;
	fit_columns(v);
}

static void put_head(const struct view *v, struct buf *b)
{
	static const char *const orders[] = {"value", "rate", "key"};
	const struct chart_agg *a = agg_shown(v);
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	buf_printf(b, "dtrace %s  ", clock);
	if (a)
		buf_printf(b, "@%s = %s()  %u of %u  %u rows  by %s%s",
			   strcmp(a->name, "_") == 0 ? "" : a->name, a->function, v->agg + 1,
			   v->chart->aggs.n, v->rows.n, orders[v->order],
			   v->is_reversed ? " reversed" : "");
	else
		buf_puts(b, "no aggregation yet");
	buf_printf(b, "%s%s%s", v->is_paused ? "  PAUSED" : "", *v->filter ? "  filter " : "",
		   v->filter);
}

/* Calls put for each line of the table. */
void view_each_line(struct view *v, void (*put)(void *ctx, int y, const char *text), void *ctx)
{
	struct buf b = {0};

	fit(v);
	put_head(v, &b);
	put(ctx, 0, b.s);
	buf_reset(&b);
	put_names(v, &b);
	put(ctx, 1, b.s);
	for (unsigned int i = 0; is_shown(v, i); i++) {
		buf_reset(&b);
		put_row(v, &b, &v->rows.a[v->from + i]);
		put(ctx, VIEW_HEAD + (int)i, b.s);
	}
	buf_free(&b);
}

void view_free(struct view *v)
{
	free_rows(v);
	vec_free(&v->rows);
	map_free(v->before);
	map_free(v->now);
	vec_free(&v->past);
	chart_free(v->chart);
	mem_free(v->place);
}
