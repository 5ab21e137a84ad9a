/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.c: see otlp.h.  Messages and fields are from release 1.3 of the protocol
 * (opentelemetry/proto: collector/metrics/v1/metrics_service.proto and its like for logs and
 * traces, metrics/v1/metrics.proto, common/v1/common.proto, resource/v1/resource.proto).
 */
#include <string.h>

#include "base/buf.h"
#include "metrics/otlp.h"

enum { REQUEST_OF = 1, RESPONSE_PARTIAL = 1, PARTIAL_REJECTED = 1, PARTIAL_MESSAGE = 2 };
enum { OF_RESOURCE = 1, OF_SCOPES = 2, RESOURCE_ATTRIBUTES = 1 };
enum { SCOPE_SCOPE = 1, SCOPE_METRICS = 2, SCOPE_NAME = 1 };
enum { METRIC_NAME = 1, METRIC_DESCRIPTION = 2 };
enum { KEY_KEY = 1, KEY_VALUE = 2, VALUE_STRING = 1 };

/* Fields of Gauge, Sum, Histogram and Summary. */
enum { DATA_POINTS = 1, DATA_TEMPORALITY = 2, DATA_IS_MONOTONIC = 3, CUMULATIVE = 2 };

/* Fields of points, of numbers, and of histograms and summaries. */
enum { POINT_BEGUN = 2, POINT_TIME = 3, POINT_ATTRIBUTES = 7, HISTOGRAM_ATTRIBUTES = 9 };
enum { NUMBER_INT = 6 };
enum { POINT_COUNT = 4, POINT_SUM = 5, POINT_BUCKETS = 6, POINT_BOUNDS = 7 };

static struct otlp *of(struct metrics *m)
{
	return (struct otlp *)m;
}

static void put_str(struct proto *p, unsigned int field, const char *s)
{
	proto_text(p, field, s, strlen(s));
}

static void put_attributes(struct proto *p, unsigned int field, const struct metrics_labels *l)
{
	for (unsigned int i = 0; i < l->n; i++) {
		proto_open(p, field);
		put_str(p, KEY_KEY, l->a[i].name);
		proto_open(p, KEY_VALUE);
		proto_text(p, VALUE_STRING, l->a[i].text, l->a[i].n);
		proto_close(p);
		proto_close(p);
	}
}

/* Closes the data of the family and the family. */
static void end_family(struct otlp *t)
{
	for (unsigned int i = 0; t->has_family && i < 2; i++)
		proto_close(&t->p);
	t->has_family = false;
}

static void family(struct metrics *m, const char *name, enum agg_metric type, const char *help)
{
	static const unsigned int data[] = {[AGG_METRIC_GAUGE] = 5,
					    [AGG_METRIC_COUNTER] = 7,
					    [AGG_METRIC_HISTOGRAM] = 9,
					    [AGG_METRIC_SUMMARY] = 11};
	struct otlp *t = of(m);
	struct proto *p = &t->p;

	end_family(t);
	t->has_family = true;
	t->type = type;
	proto_open(p, SCOPE_METRICS);
	put_str(p, METRIC_NAME, name);
	put_str(p, METRIC_DESCRIPTION, help);
	proto_open(p, data[type]);
	if (type == AGG_METRIC_COUNTER || type == AGG_METRIC_HISTOGRAM)
		proto_uint(p, DATA_TEMPORALITY, CUMULATIVE);
	if (type == AGG_METRIC_COUNTER)
		proto_uint(p, DATA_IS_MONOTONIC, true);
}

static void begin_point(struct otlp *t, const struct metrics_labels *l)
{
	proto_open(&t->p, DATA_POINTS);
	if (t->type != AGG_METRIC_GAUGE)
		proto_fixed(&t->p, POINT_BEGUN, t->begun);
	proto_fixed(&t->p, POINT_TIME, t->now);
	put_attributes(
	    &t->p, t->type == AGG_METRIC_HISTOGRAM ? HISTOGRAM_ATTRIBUTES : POINT_ATTRIBUTES, l);
}

static void number(struct metrics *m, const struct metrics_labels *l, int64_t value)
{
	begin_point(of(m), l);
	proto_fixed(&of(m)->p, NUMBER_INT, (uint64_t)value);
	proto_close(&of(m)->p);
}

static void summary(struct metrics *m, const struct metrics_labels *l, int64_t count, int64_t sum)
{
	begin_point(of(m), l);
	proto_fixed(&of(m)->p, POINT_COUNT, (uint64_t)count);
	proto_double(&of(m)->p, POINT_SUM, (double)sum);
	proto_close(&of(m)->p);
}

/* Here each count is the count of one bucket only.  Bounds that no 64-bit value can exceed are left
 * out, and the last bucket has their values. */
static void histogram(struct metrics *m, const struct metrics_labels *l,
		      const struct metrics_bucket *buckets, unsigned int n)
{
	struct proto *p = &of(m)->p;
	unsigned int last = 0;

	while (last + 1 < n && buckets[last].upper < INT64_MAX)
		last++;
	begin_point(of(m), l);
	proto_fixed(p, POINT_COUNT, (uint64_t)buckets[n - 1].count);
	proto_open(p, POINT_BUCKETS);
	for (unsigned int i = 0; i <= last; i++) {
		int64_t upto = i < last ? buckets[i].count : buckets[n - 1].count;

		proto_packed(p, (uint64_t)(upto - (i ? buckets[i - 1].count : 0)));
	}
	proto_close(p);
	proto_open(p, POINT_BOUNDS);
	for (unsigned int i = 0; i < last; i++)
		proto_packed_double(p, (double)buckets[i].upper);
	proto_close(p);
	proto_close(p);
}

static void end(struct metrics *m)
{
	end_family(of(m));
	while (of(m)->p.depth)
		proto_close(&of(m)->p);
}

/* Opens the messages around the items.  They have the same fields in the requests of all signals.
 */
static void begin_request(struct proto *p, const struct metrics_labels *resource)
{
	proto_open(p, REQUEST_OF);
	proto_open(p, OF_RESOURCE);
	put_attributes(p, RESOURCE_ATTRIBUTES, resource);
	proto_close(p);
	proto_open(p, OF_SCOPES);
	proto_open(p, SCOPE_SCOPE);
	put_str(p, SCOPE_NAME, "dtrace");
	proto_close(p);
}

void otlp_begin(struct otlp *t, struct buf *b, struct out *o, const struct metrics_labels *resource,
		uint64_t begun, uint64_t now)
{
	static const struct metrics_format format = {family, number, summary, histogram, end};

	*t = (struct otlp){.m = {.format = &format, .o = o}, .p.b = b, .begun = begun, .now = now};
	begin_request(&t->p, resource);
}

void otlp_request(struct buf *b, const struct metrics_labels *resource, const struct buf *items)
{
	struct proto p = {.b = b};

	begin_request(&p, resource);
	buf_add(b, items->s, items->n);
	while (p.depth)
		proto_close(&p);
}

/* Finds the first field with this number that is a message; *s and *end become its bytes. */
static bool enter(const char **s, const char **end, unsigned int wanted)
{
	const char *bytes;
	unsigned int field;
	uint64_t n;

	while ((field = proto_next(s, *end, &bytes, &n)) != 0) {
		if (field != wanted || !bytes)
			continue;
		*s = bytes;
		*end = bytes + n;
		return true;
	}
	return false;
}

uint64_t otlp_rejected(const struct buf *answer, const char **text, uint64_t *n)
{
	const char *s = buf_str(answer), *end = s + answer->n, *bytes;
	uint64_t value, rejected = 0;
	unsigned int field;

	*text = "";
	*n = 0;
	if (!enter(&s, &end, RESPONSE_PARTIAL))
		return 0;
	while ((field = proto_next(&s, end, &bytes, &value)) != 0) {
		if (field == PARTIAL_REJECTED && !bytes)
			rejected = value;
		if (field == PARTIAL_MESSAGE && bytes) {
			*text = bytes;
			*n = value;
		}
	}
	return rejected;
}
