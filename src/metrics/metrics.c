/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.c: see metrics.h.
 *
 * Different keys may have the same text, such as functions of equal names in several processes.
 * Their rows are merged, because a label set must be unique.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "print/hist.h"
#include "metrics/metrics.h"
#include "metrics/names.h"
#include "print/out.h"
#include "print/value.h"

#define LABEL_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct series {
	struct metrics_label *labels; /* with room for one more */
	unsigned int nlabels;
	int64_t *words;
};

struct family {
	struct metrics *m;
	const struct metrics_agg *a;
	struct arena *arena;
	struct series *series; /* largest first */
	unsigned int n;
};

/* ---- labels ---- */

static void put_frames(struct out *o, struct buf *b, const struct value *v)
{
	for (uint32_t i = 0; (i + 1) * 8 <= v->len; i++) {
		struct out_sym sym;
		uint64_t pc;

		memcpy(&pc, (const char *)v->data + i * 8, 8);
		if (!pc)
			break;
		if (i)
			buf_putc(b, ';');
		value_frame(o, v, i, pc, &sym, b);
	}
}

static void put_lines(struct buf *b, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		buf_add(b, text, n);
		if (text[n] && text[n + 1])
			buf_putc(b, ';');
	}
}

static void put_key(struct out *o, struct buf *b, const struct value *v)
{
	if (v->kind == VALUE_STACK || v->kind == VALUE_USTACK)
		put_frames(o, b, v);
	else if (v->kind == VALUE_LINES)
		put_lines(b, v->data);
	else
		value_plain(o, b, v);
}

/* Returns true for the text of a label: [a-zA-Z_][a-zA-Z0-9_]*, and not reserved. */
static bool is_label(const char *s)
{
	return !isdigit((unsigned char)*s) && !s[strspn(s, LABEL_CHARS)] && strcmp(s, "le") != 0 &&
	       strcmp(s, "quantile") != 0 && strncmp(s, "__", 2) != 0 && strncmp(s, "key", 3) != 0;
}

/* Returns the name of a label.  Other texts, missing and repeated names become numbers. */
static const char *label_name(struct family *f, unsigned int i)
{
	const struct agg_set *a = &f->a->set;
	const char *name = i < a->nlabels ? a->labels[i] : NULL;
	bool is_good = name && is_label(name);

	for (unsigned int k = 0; is_good && k < a->nlabels; k++)
		is_good = k == i || !a->labels[k] || strcmp(a->labels[k], name) != 0;
	return is_good ? name : arena_printf(f->arena, "key%u", i);
}

/* Returns the labels of a row.  id gets all their texts, which identify the row. */
static struct metrics_label *labels_of(struct family *f, const struct agg_rec *r,
				       const char *const *names, struct buf *id)
{
	struct metrics_label *a = arena_new_arr(f->arena, struct metrics_label, r->nkeys + 1);
	struct buf text = {0};

	buf_reset(id);
	for (unsigned int i = 0; i < r->nkeys; i++) {
		buf_reset(&text);
		put_key(f->m->o, &text, &r->keys[i]);
		a[i] = (struct metrics_label){
		    names[i], arena_strndup(f->arena, buf_str(&text), text.n), text.n};
		buf_add(id, &text.n, sizeof(text.n));
		buf_add(id, a[i].text, a[i].n);
	}
	buf_free(&text);
	return a;
}

/* ---- rows ---- */

static int by_value(const void *a, const void *b, void *desc)
{
	const struct agg_desc *d = desc;
	const struct series *x = a, *y = b;
	int order = d->ops->compare(d, y->words, x->words);

	for (unsigned int i = 0; i < x->nlabels && !order; i++)
		order = strcmp(x->labels[i].text, y->labels[i].text);
	return order;
}

static void add_row(struct family *f, struct map *known, const struct agg_rec *r,
		    const char *const *names, struct buf *id)
{
	const struct agg_desc *d = f->a->set.desc;
	struct metrics_label *labels = labels_of(f, r, names, id);
	struct series *s = map_get(known, buf_str(id), id->n);

	if (s) {
		d->ops->merge(d, s->words, r->words);
		return;
	}
	s = &f->series[f->n++];
	s->labels = labels;
	s->nlabels = r->nkeys;
	s->words = arena_new_arr(f->arena, int64_t, agg_nwords(d));
	memcpy(s->words, r->words, agg_nwords(d) * sizeof(*s->words));
	map_set(known, buf_str(id), id->n, s);
}

static void collect(struct family *f)
{
	const struct agg_set *set = &f->a->set;
	unsigned int nkeys = set->n ? set->recs[0].nkeys : 0;
	const char **names = arena_new_arr(f->arena, const char *, nkeys);
	struct map *known = map_new();
	struct buf id = {0};

	for (unsigned int i = 0; i < nkeys; i++)
		names[i] = label_name(f, i);
	f->series = arena_new_arr(f->arena, struct series, set->n);
	for (unsigned int i = 0; i < set->n; i++)
		add_row(f, known, &set->recs[i], names, &id);
	qsort_r(f->series, f->n, sizeof(*f->series), by_value, (void *)set->desc);
	map_free(known);
	buf_free(&id);
}

/*
 * Returns the first bucket that is written; all after it are, with counts or without.  So the
 * bounds depend on the program alone, and the histograms of several machines, or of one at several
 * times, add up bound by bound.  If no value can be negative, the buckets below -1 are left out:
 * their counts are 0 everywhere.
 */
static unsigned int first_bucket(const struct family *f)
{
	const struct agg_desc *d = f->a->set.desc;
	unsigned int n = agg_nwords(d), first = 0;

	while (first < n - 1 && hist_upper(d, first) < -1)
		first++;
	for (unsigned int i = 0; i < f->n; i++)
		for (unsigned int b = 0; b < first; b++)
			if (f->a->has_negative || f->series[i].words[b])
				return 0;
	return first;
}

/* Counts that may decrease are no histogram: each becomes a number with the bound as a label. */
static void put_levels(struct family *f, const struct series *s, const struct metrics_bucket *b,
		       unsigned int n)
{
	struct metrics_labels labels = {s->labels, s->nlabels + 1};
	struct buf bound = {0};

	for (unsigned int i = 0; i < n; i++) {
		buf_reset(&bound);
		if (i == n - 1)
			buf_puts(&bound, "+Inf");
		else
			hist_number(&bound, b[i].upper);
		s->labels[s->nlabels] = (struct metrics_label){"le", bound.s, bound.n};
		f->m->format->number(f->m, &labels, b[i].count);
	}
	buf_free(&bound);
}

static void put_histogram(struct family *f, const struct series *s, unsigned int first)
{
	struct metrics_labels labels = {s->labels, s->nlabels};
	unsigned int nwords = agg_nwords(f->a->set.desc), n = 0;
	struct metrics_bucket *b = mem_alloc((nwords - first) * sizeof(*b));
	int64_t count = 0;

	for (unsigned int i = first; i < nwords; i++) {
		agg_add(&count, s->words[i]);
		if (i < nwords - 1)
			b[n++].upper = hist_upper(f->a->set.desc, i);
		else
			n++;
		b[n - 1].count = count;
	}
	if (f->a->may_sink)
		put_levels(f, s, b, n);
	else
		f->m->format->histogram(f->m, &labels, b, n);
	mem_free(b);
}

static void put_series(struct family *f, const struct series *s)
{
	struct metrics_labels labels = {s->labels, s->nlabels};
	const struct metrics_format *format = f->m->format;
	const struct agg_ops *ops = f->a->set.desc->ops;

	if (ops->metric == AGG_METRIC_SUMMARY)
		format->summary(f->m, &labels, s->words[0], s->words[1]);
	else if (ops->metric == AGG_METRIC_COUNTER)
		format->number(f->m, &labels, s->words[0]);
	else
		format->number(f->m, &labels, ops->scalar(s->words, 1));
}

/* ---- aggregations ---- */

static void put_head(struct family *f)
{
	const struct metrics_agg *a = f->a;
	const struct agg_ops *ops = a->set.desc->ops;
	enum agg_metric type = ops->hist ? AGG_METRIC_HISTOGRAM : ops->metric;

	if (a->may_sink && type != AGG_METRIC_SUMMARY)
		type = AGG_METRIC_GAUGE;
	f->m->format->family(
	    f->m, names_family(f->arena, a->set.name, type == AGG_METRIC_COUNTER), type,
	    arena_printf(f->arena, a->place ? "%s() at %s" : "%s()", ops->name, a->place));
}

void metrics_agg(struct metrics *m, const struct metrics_agg *a)
{
	struct family f = {.m = m, .a = a, .arena = arena_new()};
	bool is_hist = a->set.desc->ops->hist != NULL;
	unsigned int first;

	put_head(&f);
	collect(&f);
	vec_push(&m->omitted,
		 ((struct metrics_omitted){a->set.name, f.n > a->max ? f.n - a->max : 0}));
	first = is_hist ? first_bucket(&f) : 0;
	for (unsigned int i = 0; i < f.n && i < a->max; i++) {
		if (is_hist)
			put_histogram(&f, &f.series[i], first);
		else
			put_series(&f, &f.series[i]);
	}
	arena_free(f.arena);
}

/* ---- our own ---- */

void metrics_family(struct metrics *m, const char *name, enum agg_metric type, const char *help)
{
	m->format->family(m, name, type, help);
}

void metrics_number(struct metrics *m, const char *name, const char *text, int64_t value)
{
	struct metrics_label label = {name, text, name ? strlen(text) : 0};

	m->format->number(m, &(struct metrics_labels){&label, name ? 1 : 0}, value);
}

/* Names of aggregations all begin with dtrace_, so this family cannot collide with them. */
void metrics_end(struct metrics *m)
{
	metrics_family(m, "dtracer_rows_omitted", AGG_METRIC_GAUGE,
		       "rows beyond option metricsmax");
	for (unsigned int i = 0; i < m->omitted.n; i++)
		metrics_number(m, "aggregation", m->omitted.a[i].name, m->omitted.a[i].n);
	vec_free(&m->omitted);
	m->format->end(m);
}
