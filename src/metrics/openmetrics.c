/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.c: see openmetrics.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "print/hist.h"
#include "metrics/openmetrics.h"
#include "print/out.h"

static struct openmetrics *of(struct metrics *m)
{
	return (struct openmetrics *)m;
}

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

static void family(struct metrics *m, const char *name, enum agg_metric type, const char *help)
{
	static const char *const types[] = {[AGG_METRIC_GAUGE] = "gauge",
					    [AGG_METRIC_COUNTER] = "counter",
					    [AGG_METRIC_SUMMARY] = "summary",
					    [AGG_METRIC_HISTOGRAM] = "histogram"};
	struct openmetrics *om = of(m);
	/* The older format names the samples of a counter. */
	const char *suffix = om->is_old && type == AGG_METRIC_COUNTER ? "_total" : "";

	om->name = name;
	om->type = type;
	buf_printf(om->b, "# HELP %s%s ", name, suffix);
	put_escaped(om->b, help, strlen(help), !om->is_old);
	buf_printf(om->b, "\n# TYPE %s%s %s\n", name, suffix, types[type]);
}

/* A sample; le: the bound of a bucket, or NULL. */
static void sample(struct openmetrics *om, const char *suffix, const struct metrics_labels *l,
		   const char *le, int64_t value)
{
	struct buf *b = om->b;

	buf_printf(b, "%s%s", om->name, suffix);
	for (unsigned int i = 0; i < l->n; i++) {
		buf_printf(b, "%c%s=\"", i ? ',' : '{', l->a[i].name);
		put_escaped(b, l->a[i].text, l->a[i].n, true);
		buf_putc(b, '"');
	}
	if (le)
		buf_printf(b, "%cle=\"%s\"", l->n ? ',' : '{', le);
	buf_printf(b, "%s %" PRId64 "\n", l->n || le ? "}" : "", value);
}

static void number(struct metrics *m, const struct metrics_labels *l, int64_t value)
{
	sample(of(m), of(m)->type == AGG_METRIC_COUNTER ? "_total" : "", l, NULL, value);
}

static void summary(struct metrics *m, const struct metrics_labels *l, int64_t count, int64_t sum)
{
	sample(of(m), "_count", l, NULL, count);
	sample(of(m), "_sum", l, NULL, sum);
}

static void histogram(struct metrics *m, const struct metrics_labels *l,
		      const struct metrics_bucket *buckets, unsigned int n)
{
	struct buf bound = {0};

	for (unsigned int i = 0; i + 1 < n; i++) {
		buf_reset(&bound);
		hist_number(&bound, buckets[i].upper);
		sample(of(m), "_bucket", l, bound.s, buckets[i].count);
	}
	sample(of(m), "_bucket", l, "+Inf", buckets[n - 1].count);
	buf_free(&bound);
}

static void end(struct metrics *m)
{
	if (!of(m)->is_old)
		buf_puts(of(m)->b, "# EOF\n");
}

struct openmetrics openmetrics_to(struct buf *b, struct out *o, bool is_old)
{
	static const struct metrics_format format = {family, number, summary, histogram, end};

	return (struct openmetrics){.m = {.format = &format, .o = o}, .b = b, .is_old = is_old};
}
