/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.c: see metrics.h.
 *
 * Keys that are different may have the same text (equal functions of several processes): their rows
 * are one, as a label set may be there only once.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "out/hist.h"
#include "out/metrics.h"
#include "out/out.h"
#include "out/value.h"

/* No aggregation has such a name: theirs all begin with dtrace_. */
#define OMITTED "dtracer_rows_omitted"

struct series {
	char *labels;
	int64_t *words;
};

struct family {
	struct metrics *m;
	const struct metrics_agg *a;
	struct buf name;
	struct series *series; /* the largest first */
	unsigned int n;
};

/* ---- text ---- */

static void put_escaped(struct buf *b, const char *s, size_t n, bool has_quotes)
{
	for (size_t i = 0; i < n;) {
		size_t len = out_utf8_len(s + i, n - i);

		if (len == 0)
			buf_puts(b, "\xef\xbf\xbd"); /* U+FFFD */
		else if (s[i] == '\n')
			buf_puts(b, "\\n");
		else if (s[i] == '\\' || (has_quotes && s[i] == '"'))
			buf_printf(b, "\\%c", s[i]);
		else
			buf_add(b, s + i, len);
		i += len ? len : 1;
	}
}

void metrics_label(struct buf *labels, const char *name, const char *value, size_t n)
{
	buf_printf(labels, "%s%s=\"", labels->n ? "," : "", name);
	put_escaped(labels, value, n, true);
	buf_putc(labels, '"');
}

void metrics_head(struct metrics *m, const char *name, const char *type, const char *help)
{
	/* Of a counter the older format names the samples. */
	const char *suffix = !m->is_openmetrics && strcmp(type, "counter") == 0 ? "_total" : "";

	buf_printf(m->b, "# HELP %s%s ", name, suffix);
	put_escaped(m->b, help, strlen(help), m->is_openmetrics);
	buf_printf(m->b, "\n# TYPE %s%s %s\n", name, suffix, type);
}

void metrics_sample(struct metrics *m, const char *name, const char *suffix, const char *labels,
		    int64_t value)
{
	buf_printf(m->b, *labels ? "%s%s{%s} %" PRId64 "\n" : "%s%s%s %" PRId64 "\n", name, suffix,
		   labels, value);
}

void metrics_end(struct metrics *m)
{
	metrics_head(m, OMITTED, "gauge", "rows beyond option metricsmax");
	buf_add(m->b, buf_str(&m->omitted), m->omitted.n);
	buf_free(&m->omitted);
	if (m->is_openmetrics)
		buf_puts(m->b, "# EOF\n");
}

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

/* What has no name, a name that is another's, or that of the bounds of histograms, has a number. */
static void put_label_name(const struct metrics_agg *a, unsigned int i, struct buf *b)
{
	const char *name = i < a->nlabels ? a->labels[i] : NULL;
	bool is_good = name && strcmp(name, "le") != 0 && strncmp(name, "__", 2) != 0 &&
		       strncmp(name, "key", 3) != 0;

	for (unsigned int k = 0; is_good && k < a->nlabels; k++)
		is_good = k == i || !a->labels[k] || strcmp(a->labels[k], name) != 0;
	buf_reset(b);
	if (is_good)
		buf_puts(b, name);
	else
		buf_printf(b, "key%u", i);
}

static void put_labels(struct out *o, const struct metrics_agg *a, const struct agg_rec *r,
		       struct buf *labels)
{
	struct buf name = {0}, text = {0};

	buf_reset(labels);
	for (unsigned int i = 0; i < r->nkeys; i++) {
		put_label_name(a, i, &name);
		buf_reset(&text);
		put_key(o, &text, &r->keys[i]);
		metrics_label(labels, name.s, buf_str(&text), text.n);
	}
	buf_free(&name);
	buf_free(&text);
}

/* ---- rows ---- */

static int by_value(const void *a, const void *b, void *desc)
{
	const struct agg_desc *d = desc;
	const struct series *x = a, *y = b;
	int order = d->ops->compare(d, y->words, x->words);

	return order ? order : strcmp(x->labels, y->labels);
}

static void collect(struct family *f)
{
	const struct agg_set *set = &f->a->set;
	size_t size = agg_nwords(set->desc) * sizeof(int64_t);
	struct map *known = map_new();
	struct buf labels = {0};

	f->series = mem_alloc((set->n + 1) * sizeof(*f->series));
	for (unsigned int i = 0; i < set->n; i++) {
		struct series *s;

		put_labels(f->m->o, f->a, &set->recs[i], &labels);
		s = map_get_str(known, buf_str(&labels));
		if (s) {
			set->desc->ops->merge(set->desc, s->words, set->recs[i].words);
			continue;
		}
		s = &f->series[f->n++];
		s->labels = mem_strdup(buf_str(&labels));
		s->words = mem_alloc(size);
		memcpy(s->words, set->recs[i].words, size);
		map_set_str(known, s->labels, s);
	}
	qsort_r(f->series, f->n, sizeof(*f->series), by_value, (void *)set->desc);
	map_free(known);
	buf_free(&labels);
}

/* Buckets from below the first count of any row to above the last; they only get more. */
static struct hist_range buckets_of(const struct family *f)
{
	struct agg_rec *recs = mem_alloc((f->n + 1) * sizeof(*recs));
	struct hist_range range;

	for (unsigned int i = 0; i < f->n; i++)
		recs[i] = (struct agg_rec){.desc = f->a->set.desc, .words = f->series[i].words};
	range = hist_range(recs, f->n);
	mem_free(recs);
	return range;
}

static void put_bucket(struct family *f, const struct series *s, const char *bound, int64_t count)
{
	struct buf labels = {0};

	buf_puts(&labels, s->labels);
	metrics_label(&labels, "le", bound, strlen(bound));
	metrics_sample(f->m, f->name.s, f->a->may_sink ? "" : "_bucket", labels.s, count);
	buf_free(&labels);
}

static void put_histogram(struct family *f, const struct series *s, struct hist_range range)
{
	unsigned int n = agg_nwords(f->a->set.desc);
	struct buf bound = {0};
	int64_t sum = 0;

	for (unsigned int i = range.first; i <= range.last; i++) {
		agg_add(&sum, s->words[i]);
		if (i == n - 1)
			break;
		buf_reset(&bound);
		hist_number(&bound, hist_upper(f->a->set.desc, i));
		put_bucket(f, s, bound.s, sum);
	}
	put_bucket(f, s, "+Inf", sum);
	buf_free(&bound);
}

static void put_series(struct family *f, const struct series *s)
{
	const struct agg_ops *ops = f->a->set.desc->ops;

	switch (ops->metric) {
	case AGG_METRIC_COUNTER:
		metrics_sample(f->m, f->name.s, f->a->may_sink ? "" : "_total", s->labels,
			       s->words[0]);
		break;
	case AGG_METRIC_SUMMARY:
		metrics_sample(f->m, f->name.s, "_count", s->labels, s->words[0]);
		metrics_sample(f->m, f->name.s, "_sum", s->labels, s->words[1]);
		break;
	case AGG_METRIC_GAUGE:
		metrics_sample(f->m, f->name.s, "", s->labels, ops->scalar(s->words, 1));
		break;
	}
}

/* ---- aggregations ---- */

/* Its own name; the suffix of a counter is there once. */
static void put_name(struct buf *b, const struct metrics_agg *a, bool is_counter)
{
	const char *name = strcmp(a->set.name, "_") == 0 ? "aggregation" : a->set.name;
	size_t n = strlen(name), nsuffix = strlen("_total");

	if (is_counter && n > nsuffix && strcmp(name + n - nsuffix, "_total") == 0)
		n -= nsuffix;
	buf_puts(b, "dtrace_");
	buf_add(b, name, n);
}

static void put_head(struct family *f)
{
	static const char *const types[] = {[AGG_METRIC_GAUGE] = "gauge",
					    [AGG_METRIC_COUNTER] = "counter",
					    [AGG_METRIC_SUMMARY] = "summary"};
	const struct metrics_agg *a = f->a;
	const struct agg_ops *ops = a->set.desc->ops;
	const char *type = ops->hist ? "histogram" : types[ops->metric];
	struct buf help = {0};

	if (a->may_sink && ops->metric != AGG_METRIC_SUMMARY)
		type = "gauge";
	put_name(&f->name, a, strcmp(type, "counter") == 0);
	buf_printf(&help, "%s()", ops->name);
	if (a->place)
		buf_printf(&help, " at %s", a->place);
	metrics_head(f->m, f->name.s, type, help.s);
	buf_free(&help);
}

static void note_omitted(struct metrics *m, const struct metrics_agg *a, unsigned int n)
{
	struct metrics to = {.b = &m->omitted};
	struct buf label = {0};

	metrics_label(&label, "aggregation", a->set.name, strlen(a->set.name));
	metrics_sample(&to, OMITTED, "", label.s, n);
	buf_free(&label);
}

void metrics_agg(struct metrics *m, const struct metrics_agg *a)
{
	struct family f = {.m = m, .a = a};
	struct hist_range range = {0};

	put_head(&f);
	collect(&f);
	note_omitted(m, a, f.n > a->max ? f.n - a->max : 0);
	if (a->set.desc->ops->hist && f.n)
		range = buckets_of(&f);
	for (unsigned int i = 0; i < f.n; i++) {
		if (i < a->max && a->set.desc->ops->hist)
			put_histogram(&f, &f.series[i], range);
		else if (i < a->max)
			put_series(&f, &f.series[i]);
		mem_free(f.series[i].labels);
		mem_free(f.series[i].words);
	}
	mem_free(f.series);
	buf_free(&f.name);
}
