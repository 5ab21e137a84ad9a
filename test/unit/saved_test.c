/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved_test.c: aggregations from saved output with extreme numbers and names.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/flame.h"
#include "chart/heat.h"
#include "chart/page.h"
#include "config/report.h"
#include "sink/saved.h"
#include "test.h"

#define MOST  "9223372036854775807"
#define LEAST "-9223372036854775808"

static const struct report report = {.progname = "saved_test"};
static struct chart *c;
static struct buf picture, note;

static void start(unsigned int nruns)
{
	chart_free(c);
	c = chart_new();
	c->nruns = nruns;
	c->runs[0].name = "first";
	c->runs[1].name = "second";
}

static void load(const char *text, unsigned int run)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	CHECK(saved_read(&report, c, path, run));
	close(fd);
}

/* Returns all pictures in one text. */
static const char *draw(const char *name)
{
	struct chart_agg *a = chart_agg_named(c, name, c->nruns - 1);

	buf_reset(&picture);
	buf_reset(&note);
	if (c->nruns > 1)
		chart_pair(c);
	chart_rank(c);
	flame_draw(&picture, c, a, chart_agg_named(c, name, 0), true, &note);
	heat_draw(&picture, c, a, true, &note);
	page_draw(&picture, c, "now");
	return buf_str(&picture);
}

/* Sums wrap around, as in the kernel. */
static void large_counts(void)
{
	struct chart_agg *a;

	start(1);
	load("{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":\"q\",\"printing\":1,"
	     "\"keys\":[\"a\"],\"buckets\":[{\"value\":1,\"count\":" MOST "},"
	     "{\"value\":2,\"count\":" MOST "}]}\n"
	     "{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":\"q\",\"printing\":1,"
	     "\"keys\":[\"b\"],\"buckets\":[{\"value\":1,\"count\":" MOST "}]}\n"
	     "{\"type\":\"aggregation\",\"timestamp\":2000000001,\"aggregation-name\":\"q\","
	     "\"printing\":2,\"keys\":[\"a\"],\"buckets\":[{\"value\":1,\"count\":" LEAST "},"
	     "{\"value\":2,\"count\":" LEAST "}]}\n",
	     0);
	a = chart_agg_named(c, "q", 0);
	CHECK_INT(a->rows.n, 1);
	CHECK_INT(a->rows.a[0].value, 0);
	CHECK_INT(a->columns.n, 1);
	draw("q");
}

static void large_values(void)
{
	static const char row[] = "{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":"
				  "\"s\",\"printing\":1,\"keys\":[[{\"symbol\":\"a`%s\"}]],"
				  "\"sum\":%s}\n";
	static const char *const values[] = {MOST, LEAST, MOST, "1"};
	struct buf b = {0};

	start(2);
	for (unsigned int run = 0; run < 2; run++) {
		buf_reset(&b);
		for (unsigned int i = 0; i < 4; i++)
			buf_printf(&b, row, i & 1 ? "f" : "g", values[run ? 3 - i : i]);
		load(b.s, run);
	}
	CHECK_INT(chart_agg_named(c, "s", 1)->rows.a[2].value, INT64_MIN);
	CHECK(strstr(draw("s"), "<td class=\"number\">-2</td>"));
	buf_free(&b);
}

/* Later lines have more facts.  Losses add up. */
static void facts(void)
{
	start(2);
	load("{\"type\":\"run\",\"timestamp\":1,\"program\":\"a\\u001b\",\"host\":\"h\",\"kernel\":"
	     "\"6\",\"start\":" MOST "}\n"
	     "{\"type\":\"drop\",\"timestamp\":2,\"module\":\"INTERNAL\",\"name\":\"DROP\","
	     "\"count\":3}\n"
	     "{\"type\":\"drop\",\"timestamp\":2,\"module\":\"INTERNAL\",\"name\":\"DROP\","
	     "\"count\":-9}\n"
	     "{\"type\":\"drop\",\"timestamp\":2,\"module\":\"INTERNAL\",\"name\":\"DROP\","
	     "\"count\":4}\n"
	     "{\"type\":\"run\",\"timestamp\":3,\"program\":\"b\",\"start\":7,\"duration\":8}\n",
	     1);
	CHECK_STR(c->runs[1].program, "b");
	CHECK_STR(c->runs[1].host, "h");
	CHECK_STR(c->runs[1].kernel, "6");
	CHECK_INT(c->runs[1].start, 7);
	CHECK_INT(c->runs[1].duration, 8);
	CHECK_INT(c->runs[1].drops, 7);
	CHECK(!c->runs[0].program && !c->runs[0].start);
}

/* Stacks have no names.  The first row of an aggregation tells its function, names and unit. */
static void names(void)
{
	const struct chart_agg *a;

	start(1);
	load("{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":\"l\",\"printing\":1,"
	     "\"aggregation-function\":\"lquantize\",\"unit\":\"ms\",\"key-names\":[\"pid\","
	     "\"ustack()\",\"\",\"a\\u001b\",\"more\"],\"keys\":[1,[{\"symbol\":\"a`f\"}],2,3],"
	     "\"buckets\":[{\"value\":1,\"count\":1}]}\n"
	     "{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":\"o\",\"printing\":2,"
	     "\"unit\":\"<b>\",\"key-names\":3,\"keys\":[1],\"count\":1}\n",
	     0);
	a = chart_agg_named(c, "l", 0);
	CHECK_STR(a->function, "lquantize");
	CHECK_STR(a->unit, "ms");
	CHECK_INT(a->nlabels, 3);
	CHECK_STR(a->labels[0], "pid");
	CHECK(!a->labels[1]);
	CHECK_STR(a->labels[2], "a\\033");
	a = chart_agg_named(c, "o", 0);
	CHECK_STR(a->function, "count");
	CHECK(!a->unit && !a->nlabels);
}

/* Labels of buckets are text of the file, so they must contain neither control characters nor
 * markup. */
static void labels(void)
{
	const struct chart_agg *a;
	const char *s;

	start(1);
	load("{\"type\":\"aggregation\",\"timestamp\":1,\"aggregation-name\":\"q\",\"printing\":1,"
	     "\"keys\":[],\"buckets\":[{\"value\":\"\\u001b[2J<b>\",\"count\":3},"
	     "{\"value\":\"nan\",\"count\":2},{\"value\":\"< 0\",\"count\":1},"
	     "{\"value\":\">= 100\",\"count\":1}]}\n",
	     0);
	a = chart_agg_named(c, "q", 0);
	for (unsigned int i = 0; i < a->buckets.n; i++)
		CHECK(!isnan(a->buckets.a[i].low));
	CHECK(isinf(a->buckets.a[2].low) && a->buckets.a[3].low == 100);
	s = draw("q");
	CHECK(strstr(s, "\\033[2J&lt;b&gt;") && !strchr(s, 033));
}

int main(void)
{
	if (!dlopen("libjson-c.so.5", RTLD_NOW)) {
		printf("skipped (not installed: libjson-c5)\n");
		return 0;
	}
	large_counts();
	large_values();
	labels();
	names();
	facts();
	chart_free(c);
	buf_free(&picture);
	buf_free(&note);
	return TEST_DONE();
}
