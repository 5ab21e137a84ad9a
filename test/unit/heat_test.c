/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heat_test.c: heat maps: merged cells, axes with units, few and uneven columns; scaled numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chart/chart.h"
#include "chart/heat.h"
#include "chart/scale.h"
#include "test.h"

static struct chart *c;
static struct buf picture, note;

static struct chart_agg *start(const char *unit)
{
	struct chart_agg *a;

	chart_free(c);
	c = chart_new();
	c->nruns = 1;
	a = chart_agg_new(c, "x", "quantize", 0);
	a->unit = unit;
	return a;
}

/* Adds a column of n counts in this bucket. */
static void column(struct chart_agg *a, double from, double to, double low, int64_t n)
{
	struct chart_column col = {.from = from, .to = to};
	char label[32];

	snprintf(label, sizeof(label), "%.0f", low);
	col.counts.a = arena_new_arr(c->arena, struct chart_count, 1);
	col.counts.a[0] = (struct chart_count){chart_bucket(c, a, label, low), n};
	col.counts.n = 1;
	vec_push(&a->columns, col);
}

static const char *draw(const struct chart_agg *a)
{
	buf_reset(&picture);
	buf_reset(&note);
	return heat_draw(&picture, c, a, false, &note) ? picture.s : "";
}

static unsigned int count(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

static void test_merged(void)
{
	struct chart_agg *a = start(NULL);
	struct chart_count counts[2] = {{chart_bucket(c, a, ">= 100", 100), 1},
					{chart_bucket(c, a, "0", 0), 9}};
	const char *s;

	CHECK_STR(draw(a), "");
	for (unsigned int i = 0; i < 1000; i++) {
		struct chart_column col = {.from = i, .to = i + 1, .counts = {counts, 2}};

		vec_push(&a->columns, col);
	}
	s = draw(a);
	CHECK_INT(count(s, "class=\"cell"), 2 * 200);
	CHECK(strstr(s, "<title>0.0 s to 5.0 s, 0: 45</title>"));
	/* The largest values are at the top. */
	CHECK(strstr(s, "y=\"0\" width=\"0.5000%\" height=\"60\"><title>0.0 s to 5.0 s, "
			"&gt;= 100: 5</title>"));
	CHECK(strstr(s, ">&gt;= 100</text>"));
	CHECK_INT(count(s, "class=\"number"), 0);
}

/* A single cell is tall, and has its count, ticks and a unit. */
static void test_single(void)
{
	struct chart_agg *a = start("ns");
	const char *s;

	column(a, 0, 0.1, 16384, 12);
	s = draw(a);
	CHECK(strstr(s, "width=\"100.0000%\" height=\"120\"><title>0.000 s to 0.100 s, "
			"16384 ns: 12</title></rect><text class=\"number\" x=\"50.0000%\" y=\"64\" "
			"text-anchor=\"middle\">12</text>"));
	CHECK(strstr(s, "y=\"64\" text-anchor=\"end\">16.4 us</text>"));
	CHECK_INT(count(s, "class=\"axis time\""), 11);
	CHECK(strstr(s, "x=\"0.0000%\" y=\"136\" text-anchor=\"start\">0 ms</text>"));
	CHECK(strstr(s, "x=\"50.0000%\" y=\"136\" text-anchor=\"middle\">50 ms</text>"));
	CHECK(strstr(note.s, "Colour: the count in 100 ms; "));
}

static void test_axes(void)
{
	struct chart_agg *a = start(NULL);
	const char *s;

	column(a, 0, 3600, 1024, 1);
	column(a, 3600, 7200, 1048576, 1);
	s = draw(a);
	CHECK(strstr(s, ">1K</text>") && strstr(s, ">1M</text>") && strstr(s, ">40 min</text>"));
	CHECK(strstr(note.s, "1K is 1024. "));
	/* Bounds that are no powers of two. */
	column(a, 7200, 7201, 5000, 1);
	s = draw(a);
	CHECK(strstr(s, ">1.02K</text>") && strstr(s, ">5K</text>") && !strstr(note.s, "1K is"));
	/* Bounds that three digits do not tell apart have all digits. */
	column(a, 7201, 7202, 5001, 1);
	s = draw(a);
	CHECK(strstr(s, ">5000</text>") && strstr(s, ">5001</text>") && strstr(s, ">1024</text>"));
	a = start("bytes");
	column(a, 0, 1, 65536, 1);
	CHECK(strstr(draw(a), ">64 KiB</text>"));
}

/* A column that is too narrow to be seen is a pixel wide.  Counts need room. */
static void test_uneven(void)
{
	struct chart_agg *a = start(NULL);
	const char *s;

	column(a, 0, 1, 1, 1000000);
	column(a, 1, 1.00001, 2, 5);
	column(a, 1.00001, 10, 1, 3);
	s = draw(a);
	CHECK(strstr(
	    s, "width=\"0.0909%\" height=\"60\"><title>1.0 s to 1.0 s, 2: 5</title></rect>\n"));
	CHECK_INT(count(s, "class=\"number"), 2);
	CHECK(strstr(s, "class=\"number light\" x=\"5.0000%\""));
}

static const char *scaled(double value, const char *unit, bool is_binary)
{
	static struct buf b;

	buf_reset(&b);
	scale_put(&b, value, unit, is_binary);
	return b.s;
}

static void test_scale(void)
{
	CHECK_STR(scaled(0, NULL, false), "0");
	CHECK_STR(scaled(999, NULL, false), "999");
	CHECK_STR(scaled(999.6, "ns", false), "1 us");
	CHECK_STR(scaled(-1500, NULL, false), "-1.5K");
	CHECK_STR(scaled(1023, NULL, true), "1023");
	CHECK_STR(scaled(1536, "bytes", true), "1.5 KiB");
	CHECK_STR(scaled(12345, "us", false), "12.3 ms");
	CHECK_STR(scaled(5e12, "ns", false), "5000 s");
	CHECK_STR(scaled(9223372036854775808.0, NULL, true), "8E");
	CHECK_STR(scaled(-1e300, NULL, false), "-1e+282E");
	CHECK(scale_is_binary(-64) && scale_is_binary(0) && !scale_is_binary(3));
}

static void test_steps(void)
{
	struct buf b = {0};

	CHECK(scale_step(0.1, 12) == 0.01);
	CHECK(scale_step(12, 12) == 1);
	CHECK(scale_step(13, 12) == 2);
	CHECK(scale_step(12 * 21, 12) == 60);
	CHECK(scale_step(12 * 3601, 12) == 7200);
	CHECK(scale_step(12.0 * 86401, 12) == 2 * 86400);
	scale_time(&b, 7200, 7200);
	scale_time(&b, 1.5, 0.5);
	scale_time(&b, 0.0025, 0.0005);
	scale_time(&b, 0.00002, 0.00001);
	CHECK_STR(b.s, "2 h1.5 s2.5 ms20 us");
	buf_free(&b);
}

int main(void)
{
	test_merged();
	test_single();
	test_axes();
	test_uneven();
	test_scale();
	test_steps();
	chart_free(c);
	buf_free(&picture);
	buf_free(&note);
	return TEST_DONE();
}
