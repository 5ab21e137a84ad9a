/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.c: see otlp.h.  Integers of 64 bits are texts there, as JSON has no others for sure.
 */
#include <inttypes.h>

#include "out/otlp.h"

/* AGGREGATION_TEMPORALITY_CUMULATIVE; enumerators are numbers. */
#define CUMULATIVE 2

static struct otlp *of(struct metrics *m)
{
	return (struct otlp *)m;
}

static void put_number(struct doc *d, const char *name, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, n);
	doc_str(d, name, text);
}

static void put_attributes(struct doc *d, const struct metrics_labels *l)
{
	doc_open(d, "attributes", true);
	for (unsigned int i = 0; i < l->n; i++) {
		doc_open(d, NULL, false);
		doc_str(d, "key", l->a[i].name);
		doc_open(d, "value", false);
		doc_text(d, "stringValue", l->a[i].text, l->a[i].n);
		doc_close(d);
		doc_close(d);
	}
	doc_close(d);
}

/* Its points, the object of its type and itself. */
static void end_family(struct otlp *t)
{
	for (unsigned int i = 0; t->has_family && i < 3; i++)
		doc_close(&t->doc);
	t->has_family = false;
}

static void family(struct metrics *m, const char *name, enum agg_metric type, const char *help)
{
	static const char *const types[] = {[AGG_METRIC_GAUGE] = "gauge",
					    [AGG_METRIC_COUNTER] = "sum",
					    [AGG_METRIC_SUMMARY] = "summary",
					    [AGG_METRIC_HISTOGRAM] = "histogram"};
	struct otlp *t = of(m);
	struct doc *d = &t->doc;

	end_family(t);
	t->has_family = true;
	t->type = type;
	doc_open(d, NULL, false);
	doc_str(d, "name", name);
	doc_str(d, "description", help);
	doc_open(d, types[type], false);
	if (type == AGG_METRIC_COUNTER || type == AGG_METRIC_HISTOGRAM)
		doc_int(d, "aggregationTemporality", CUMULATIVE);
	if (type == AGG_METRIC_COUNTER)
		doc_bool(d, "isMonotonic", true);
	doc_open(d, "dataPoints", true);
}

static void begin_point(struct otlp *t, const struct metrics_labels *l)
{
	doc_open(&t->doc, NULL, false);
	put_attributes(&t->doc, l);
	if (t->type != AGG_METRIC_GAUGE)
		doc_str(&t->doc, "startTimeUnixNano", t->begun);
	doc_str(&t->doc, "timeUnixNano", t->now);
}

static void number(struct metrics *m, const struct metrics_labels *l, int64_t value)
{
	struct doc *d = &of(m)->doc;

	begin_point(of(m), l);
	put_number(d, "asInt", value);
	doc_close(d);
}

static void summary(struct metrics *m, const struct metrics_labels *l, int64_t count, int64_t sum)
{
	struct doc *d = &of(m)->doc;

	begin_point(of(m), l);
	put_number(d, "count", count);
	doc_int(d, "sum", sum);
	doc_close(d);
}

/*
 * Counts are those of each bucket here.  Bounds that no value of 64 bits can exceed are left to the
 * last one.
 */
static void histogram(struct metrics *m, const struct metrics_labels *l,
		      const struct metrics_bucket *buckets, unsigned int n)
{
	struct doc *d = &of(m)->doc;
	unsigned int last = 0;

	while (last + 1 < n && buckets[last].upper < INT64_MAX)
		last++;
	begin_point(of(m), l);
	put_number(d, "count", buckets[n - 1].count);
	doc_open(d, "bucketCounts", true);
	for (unsigned int i = 0; i <= last; i++) {
		int64_t upto = i < last ? buckets[i].count : buckets[n - 1].count;

		put_number(d, NULL, upto - (i ? buckets[i - 1].count : 0));
	}
	doc_close(d);
	doc_open(d, "explicitBounds", true);
	for (unsigned int i = 0; i < last; i++)
		doc_int(d, NULL, (int64_t)buckets[i].upper);
	doc_close(d);
	doc_close(d);
}

static void end(struct metrics *m)
{
	end_family(of(m));
	doc_end(&of(m)->doc);
}

void otlp_begin(struct otlp *t, FILE *f, struct out *o, const struct metrics_labels *resource,
		uint64_t begun, uint64_t now)
{
	static const struct metrics_format format = {family, number, summary, histogram, end};
	struct doc *d = &t->doc;

	*t = (struct otlp){.m = {.format = &format, .o = o}};
	snprintf(t->begun, sizeof(t->begun), "%" PRIu64, begun);
	snprintf(t->now, sizeof(t->now), "%" PRIu64, now);
	doc_begin(d, f, DOC_JSON, false);
	doc_open(d, "resourceMetrics", true);
	doc_open(d, NULL, false);
	doc_open(d, "resource", false);
	put_attributes(d, resource);
	doc_close(d);
	doc_open(d, "scopeMetrics", true);
	doc_open(d, NULL, false);
	doc_open(d, "scope", false);
	doc_str(d, "name", "dtrace");
	doc_close(d);
	doc_open(d, "metrics", true);
}
