/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics_test.c: aggregations as OpenMetrics and OTLP: types, names, labels, histograms, the
 * limit.
 */
#include "aggs.h"
#include "base/arena.h"
#include "print/hist.h"
#include "metrics/names.h"
#include "metrics/openmetrics.h"
#include "metrics/otlp.h"
#include "print/value.h"
#include "outmem.h"
#include "test.h"

#define ROWS 4

/* Rows with a string and a number as keys. */
static struct {
	const char *name;
	int64_t number;
} keys[ROWS];
static struct value values[ROWS][2];
static struct agg_rec recs[ROWS];
static int64_t words[ROWS][256];
static struct agg_desc desc;
static struct metrics_agg agg;

static void start(const char *function, uint64_t param, unsigned int nkeys)
{
	desc = aggs_desc(function, param);
	agg = (struct metrics_agg){.set = {.desc = &desc, .recs = recs, .name = "x"},
				   .place = "syscall:::entry",
				   .max = 9};
	for (unsigned int i = 0; i < ROWS; i++) {
		agg_init(&desc, words[i]);
		keys[i].name = "k";
		recs[i] = (struct agg_rec){
		    .desc = &desc, .keys = values[i], .nkeys = nkeys, .words = words[i]};
	}
}

static void row(unsigned int i, const char *name, int64_t number)
{
	keys[i].name = name;
	keys[i].number = number;
	values[i][0] = (struct value){
	    .kind = VALUE_STR, .data = keys[i].name, .len = (uint32_t)strlen(name) + 1};
	values[i][1] = (struct value){
	    .kind = VALUE_INT, .size = 8, .is_signed = true, .data = &keys[i].number, .len = 8};
	agg.set.n = i + 1;
}

static void add(unsigned int i, int64_t value)
{
	desc.ops->update(&desc, words[i], value, 1);
}

/* Returns the text without its fixed end. */
static const char *text(bool is_openmetrics)
{
	static struct buf b;
	struct openmetrics om = openmetrics_to(&b, &outmem.o, !is_openmetrics);

	buf_reset(&b);
	metrics_agg(&om.m, &agg);
	buf_puts(&b, "");
	vec_free(&om.m.omitted);
	return buf_str(&b);
}

static void test_numbers(void)
{
	start("count", 0, 0);
	row(0, "", 0);
	add(0, 1);
	CHECK_STR(text(true), "# HELP dtrace_x count() at syscall:::entry\n"
			      "# TYPE dtrace_x counter\ndtrace_x_total 1\n");
	CHECK_STR(text(false), "# HELP dtrace_x_total count() at syscall:::entry\n"
			       "# TYPE dtrace_x_total counter\ndtrace_x_total 1\n");
	agg.set.name = "x_total";
	CHECK(strstr(text(true), "\ndtrace_x_total 1\n"));
	agg.set.name = "_";
	CHECK(strstr(text(true), "\ndtrace_aggregation_total 1\n"));
	start("sum", 0, 0);
	row(0, "", 0);
	add(0, -3);
	agg.may_sink = true;
	CHECK(strstr(text(true), "# TYPE dtrace_x gauge\ndtrace_x -3\n"));
	start("avg", 0, 0);
	row(0, "", 0);
	add(0, 4);
	add(0, 5);
	CHECK(strstr(text(true), "# TYPE dtrace_x summary\ndtrace_x_count 2\ndtrace_x_sum 9\n"));
	start("max", 0, 0);
	row(0, "", 0);
	add(0, -4);
	CHECK(strstr(text(true), "# TYPE dtrace_x gauge\ndtrace_x -4\n"));
}

static void test_normalize(void)
{
	start("sum", 0, 0);
	row(0, "", 0);
	add(0, 8);
	recs[0].normal = 4;
	CHECK(strstr(text(true), "\ndtrace_x_total 8\n"));
}

static void test_labels(void)
{
	static const char *const good[] = {"execname", NULL}, *const bad[] = {"le", "key0"},
				 *const same[] = {"a", "a"}, *const texts[] = {"arg0 & 7", "7a"};

	start("count", 0, 2);
	row(0, "a\"b\\c\nd\xff", -5);
	add(0, 1);
	CHECK(strstr(text(true),
		     "\ndtrace_x_total{key0=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\",key1=\"-5\"} 1\n"));
	agg.set.labels = good;
	agg.set.nlabels = 2;
	CHECK(strstr(text(true), "{execname=\"a"));
	CHECK(strstr(text(true), ",key1=\"-5\"} 1\n"));
	agg.set.labels = bad;
	CHECK(strstr(text(true), "{key0=\"a"));
	CHECK(strstr(text(true), ",key1=\"-5\"} 1\n"));
	agg.set.labels = texts;
	CHECK(strstr(text(true), "{key0=\"a"));
	CHECK(strstr(text(true), ",key1=\"-5\"} 1\n"));
	agg.set.labels = same;
	CHECK(strstr(text(true), "{key0=\"a"));
	agg.place = "a\\b\"c\nd";
	CHECK(strstr(text(true), "count() at a\\\\b\\\"c\\nd\n"));
	CHECK(strstr(text(false), "count() at a\\\\b\"c\\nd\n"));
}

static void test_stacks(void)
{
	static const uint64_t pcs[] = {0x1100, 0x1234, 0, 0x1100};

	start("count", 0, 1);
	row(0, "", 0);
	values[0][0] = (struct value){.kind = VALUE_STACK, .data = pcs, .len = sizeof(pcs)};
	outmem.o.syms = &outmem_syms;
	add(0, 1);
	CHECK(strstr(text(true), "{key0=\"vmlinux`vfs_read;vmlinux`0x1234\"} 1\n"));
	values[0][0] =
	    (struct value){.kind = VALUE_LINES, .data = "one\ntwo\n", .len = sizeof("one\ntwo\n")};
	CHECK(strstr(text(true), "{key0=\"one;two\"} 1\n"));
}

/* The largest rows are taken; rows with equal labels are merged. */
static void test_limit(void)
{
	struct buf b = {0};
	struct openmetrics om = openmetrics_to(&b, &outmem.o, true);

	start("sum", 0, 1);
	for (unsigned int i = 0; i < 3; i++) {
		row(i, (const char *[]){"one", "two", "three"}[i], 0);
		add(i, (int64_t[]){3, 9, 5}[i]);
	}
	row(3, "one", 0);
	add(3, 4);
	agg.max = 2;
	metrics_agg(&om.m, &agg);
	CHECK(strstr(b.s, "\ndtrace_x_total{key0=\"two\"} 9\ndtrace_x_total{key0=\"one\"} 7\n"));
	CHECK(!strstr(b.s, "three"));
	metrics_end(&om.m);
	CHECK(strstr(b.s, "\ndtracer_rows_omitted{aggregation=\"x\"} 1\n"));
	buf_free(&b);
}

/* Returns how often the page has this text. */
static unsigned int occurrences(const char *page, const char *want)
{
	unsigned int n = 0;

	for (; (page = strstr(page, want)) != NULL; page++)
		n++;
	return n;
}

/* The function decides about the bounds, not the counted values. */
static void test_histograms(void)
{
	start("quantize", 0, 1);
	row(0, "k", 0);
	add(0, 2);
	add(0, 2);
	CHECK(strstr(text(true), "# TYPE dtrace_x histogram\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"-1\"} 0\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"0\"} 0\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"1\"} 0\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"3\"} 2\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"7\"} 2\n"));
	CHECK(strstr(text(true), "{key0=\"k\",le=\"4611686018427387903\"} 2\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"+Inf\"} 2\n"));
	CHECK_INT(occurrences(text(true), "_bucket"), 2 + 62 + 1);
	agg.has_negative = true;
	CHECK_INT(occurrences(text(true), "_bucket"), 127);
	CHECK(strstr(text(true),
		     "histogram\ndtrace_x_bucket{key0=\"k\",le=\"-4611686018427387904\"} 0\n"));
	/* An unsigned value of 2^63 or more counts as negative. */
	agg.has_negative = false;
	add(0, -3);
	CHECK_INT(occurrences(text(true), "_bucket"), 127);
	CHECK(strstr(text(true), "le=\"-4\"} 0\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"-2\"} 1\n"
				 "dtrace_x_bucket{key0=\"k\",le=\"-1\"} 1\n"));
	agg.may_sink = true;
	CHECK(strstr(text(true), "# TYPE dtrace_x gauge\n"));
	CHECK(strstr(text(true), "\ndtrace_x{key0=\"k\",le=\"-2\"} 1\n"));
	start("lquantize", 10ULL << 48 | 2ULL << 32, 0);
	row(0, "", 0);
	add(0, 15);
	CHECK(strstr(text(true),
		     "histogram\ndtrace_x_bucket{le=\"-1\"} 0\ndtrace_x_bucket{le=\"9\"} 0\n"
		     "dtrace_x_bucket{le=\"19\"} 1\ndtrace_x_bucket{le=\"+Inf\"} 1\n"));
	start("llquantize", 10ULL << 48 | 0ULL << 32 | 1ULL << 16 | 10, 0);
	row(0, "", 0);
	add(0, 3);
	CHECK_INT(occurrences(text(true), "_bucket"), 1 + 9 + 9 + 1);
	CHECK(strstr(text(true), "{le=\"99\"} 1\n"));
}

static struct buf request;

/* Makes the request for OTLP, with one attribute of its own. */
static void send_it(void)
{
	static const struct metrics_label host = {"host.name", "h\"\xff", 3};
	struct otlp t;

	buf_reset(&request);
	otlp_begin(&t, &request, &outmem.o, &(struct metrics_labels){&host, 1}, 5, 7);
	metrics_agg(&t.m, &agg);
	vec_free(&t.m.omitted);
	t.m.format->end(&t.m);
}

/* Returns the first field on a path of numbers, "1/2/1": its bytes, or NULL; *n is its integer. */
static const char *field(const char *path, uint64_t *n)
{
	const char *s = request.s, *end = s + request.n, *bytes = NULL;

	for (bool is_last = false; !is_last; path += !is_last) {
		unsigned int wanted = (unsigned int)strtoul(path, (char **)&path, 10), found;

		is_last = !*path;
		while ((found = proto_next(&s, end, &bytes, n)) != wanted)
			if (!found)
				return NULL;
		s = bytes;
		end = s ? s + *n : NULL;
	}
	return bytes ? bytes : "";
}

static bool is_text(const char *path, const char *want)
{
	uint64_t n;
	const char *s = field(path, &n);

	return s && n == strlen(want) && memcmp(s, want, n) == 0;
}

static int64_t integer(const char *path)
{
	uint64_t n;

	return field(path, &n) ? (int64_t)n : INT64_MIN;
}

static double number(const char *path)
{
	uint64_t n = (uint64_t)integer(path);
	double v;

	memcpy(&v, &n, sizeof(v));
	return v;
}

/* Checks packed numbers. */
static bool are_numbers(const char *path, const double *want, unsigned int count)
{
	uint64_t n;
	const char *s = field(path, &n);

	return s && n == count * sizeof(*want) && memcmp(s, want, n) == 0;
}

static bool are_integers(const char *path, const uint64_t *want, unsigned int count)
{
	uint64_t n;
	const char *s = field(path, &n);

	return s && n == count * sizeof(*want) && memcmp(s, want, n) == 0;
}

/* Field numbers are from metrics.proto: 1/2/2 is the metric, 1 of its data a point. */
static void test_otlp_numbers(void)
{
	start("count", 0, 1);
	row(0, "a\n", 0);
	add(0, 1);
	send_it();
	CHECK(is_text("1/1/1/1", "host.name"));
	CHECK(is_text("1/1/1/2/1", "h\"\xef\xbf\xbd"));
	CHECK(is_text("1/2/1/1", "dtrace"));
	CHECK(is_text("1/2/2/1", "dtrace_x"));
	CHECK(is_text("1/2/2/2", "count() at syscall:::entry"));
	CHECK_INT(integer("1/2/2/7/2"), 2); /* cumulative */
	CHECK_INT(integer("1/2/2/7/3"), 1); /* monotonic */
	CHECK_INT(integer("1/2/2/7/1/2"), 5);
	CHECK_INT(integer("1/2/2/7/1/3"), 7);
	CHECK_INT(integer("1/2/2/7/1/6"), 1);
	CHECK(is_text("1/2/2/7/1/7/1", "key0"));
	CHECK(is_text("1/2/2/7/1/7/2/1", "a\n"));
	start("sum", 0, 0);
	row(0, "", 0);
	add(0, -3);
	agg.may_sink = true;
	send_it();
	CHECK_INT(integer("1/2/2/5/1/3"), 7);
	CHECK_INT(integer("1/2/2/5/1/6"), -3);
	CHECK(!field("1/2/2/5/1/2", &(uint64_t){0}));
	start("avg", 0, 0);
	row(0, "", 0);
	add(0, 4);
	add(0, 5);
	send_it();
	CHECK_INT(integer("1/2/2/11/1/4"), 2);
	CHECK(number("1/2/2/11/1/5") == 9);
}

/* Bounds beyond 64-bit integers fall together with the last bucket. */
static void test_otlp_histograms(void)
{
	double bounds[18];
	uint64_t n;

	start("quantize", 0, 0);
	row(0, "", 0);
	add(0, -3);
	add(0, 2);
	add(0, 2);
	send_it();
	CHECK_INT(integer("1/2/2/9/2"), 2);
	CHECK_INT(integer("1/2/2/9/1/4"), 3);
	field("1/2/2/9/1/6", &n);
	CHECK_INT(n, 127 * sizeof(uint64_t));
	field("1/2/2/9/1/7", &n);
	CHECK_INT(n, 126 * sizeof(double));
	start("lquantize", 10ULL << 48 | 3ULL << 32, 0);
	row(0, "", 0);
	add(0, 15);
	send_it();
	CHECK(are_integers("1/2/2/9/1/6", (uint64_t[]){0, 0, 1, 0, 0}, 5));
	CHECK(are_numbers("1/2/2/9/1/7", (double[]){-1, 9, 19, 29}, 4));
	start("llquantize", 10ULL << 48 | 17ULL << 32 | 19ULL << 16 | 10, 0);
	row(0, "", 0);
	add(0, INT64_MAX);
	send_it();
	CHECK(are_integers("1/2/2/9/1/6", (uint64_t[19]){[18] = 1}, 19));
	for (unsigned int i = 0; i < 18; i++)
		bounds[i] = i < 9 ? (i + 1) * 1e17 - 1 : (i - 8) * 1e18 - 1;
	CHECK(are_numbers("1/2/2/9/1/7", bounds, 18));
	buf_free(&request);
}

/* A response whose partial success has 300 rejected points and a text; and each prefix of it. */
static void test_otlp_answers(void)
{
	static char whole[] = "\x10\x07\x0a\x08\x08\xac\x02\x12\x03too\x1d\1\2\3\4";
	const char *text;
	uint64_t n;

	for (size_t len = 0; len < sizeof(whole); len++) {
		struct buf answer = {.s = whole, .n = len};
		uint64_t want = len >= 12 ? 300 : 0;

		CHECK_INT(otlp_rejected(&answer, &text, &n), want);
		CHECK_INT(n, want ? 3 : 0);
		CHECK(!want || memcmp(text, "too", 3) == 0);
	}
	CHECK_INT(otlp_rejected(&(struct buf){.s = (char[]){0x0a, 0x7f, 8, 1}, .n = 4}, &text, &n),
		  0);
	CHECK_INT(otlp_rejected(&(struct buf){0}, &text, &n), 0);
}

/* Checks the bound of each bucket: the value falls into the bucket, the next one does not. */
static void test_bounds(const char *function, uint64_t param)
{
	struct agg_desc d = aggs_desc(function, param);

	for (unsigned int i = 0; i + 1 < agg_nwords(&d); i++) {
		__int128 upper = hist_upper(&d, i);

		CHECK_INT(d.ops->hist->bucket(&d, (int64_t)upper), i);
		if (upper < INT64_MAX)
			CHECK_INT(d.ops->hist->bucket(&d, (int64_t)upper + 1), i + 1);
	}
}

/* Checks the metric that two aggregations share; NULL: none. */
static void test_names(const char *first, const char *f, const char *second, const char *g,
		       const char *want)
{
	struct agg_desc d[] = {aggs_desc(f, 0), aggs_desc(g, 0)};
	struct names_agg aggs[] = {{first, &d[0]}, {second, &d[1]}},
			 reversed[] = {aggs[1], aggs[0]};
	struct names_clash clash = {0};
	struct arena *a = arena_new();

	CHECK_INT(names_find_clash(a, aggs, 2, &clash), want != NULL);
	if (want)
		CHECK_STR(clash.metric, want);
	CHECK_INT(names_find_clash(a, reversed, 2, &clash), want != NULL);
	arena_free(a);
}

static void test_clashes(void)
{
	test_names("x", "count", "x_total", "sum", "dtrace_x_total");
	test_names("x", "count", "x_total", "max", "dtrace_x_total");
	test_names("a", "avg", "a_sum", "max", "dtrace_a_sum");
	test_names("a", "stats", "a_count", "count", "dtrace_a_count");
	test_names("a", "quantize", "a_bucket", "min", "dtrace_a_bucket");
	test_names("a", "quantize", "a_sum", "sum", "dtrace_a_sum");
	test_names("a", "count", "a_created", "max", "dtrace_a_created");
	test_names("_", "max", "aggregation", "max", "dtrace_aggregation");
	test_names("x", "max", "x_total", "max", NULL);
	test_names("x", "max", "x_sum", "max", NULL);
	test_names("x", "count", "x_sum", "sum", NULL);
	test_names("x", "quantize", "X", "quantize", NULL);
	test_names("x", "count", "x_info", "count", NULL);
}

int main(void)
{
	outmem_start();
	test_numbers();
	test_normalize();
	test_labels();
	test_stacks();
	test_limit();
	test_clashes();
	test_histograms();
	test_otlp_numbers();
	test_otlp_histograms();
	test_otlp_answers();
	test_bounds("quantize", 0);
	test_bounds("lquantize", 7ULL << 48 | 5ULL << 32 | (uint32_t)-20);
	test_bounds("llquantize", 10ULL << 48 | 1ULL << 32 | 3ULL << 16 | 20);
	test_bounds("llquantize", 10ULL << 48 | 1ULL << 32 | 1ULL << 31 | 3ULL << 16 | 20);
	test_bounds("llquantize", 2ULL << 48 | 0ULL << 32 | 1ULL << 31 | 8ULL << 16 | 2);
	outmem_end();
	return TEST_DONE();
}
