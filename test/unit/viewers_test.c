/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewers_test.c: stacks as files for other viewers: every field of a small chart; hostile names,
 * extreme values, and charts without values.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chart/chart.h"
#include "chart/firefox.h"
#include "chart/folded.h"
#include "chart/gzip.h"
#include "chart/otlp.h"
#include "chart/pprof.h"
#include "chart/speedscope.h"
#include "metrics/proto.h"
#include "test.h"

static struct chart *c;
static struct buf file, text;

static struct chart_agg *start(const char *name, const char *function)
{
	chart_free(c);
	c = chart_new();
	c->nruns = 1;
	c->runs[0].name = "run";
	return chart_agg_new(c, name, function, 0);
}

/* Adds a row with a key, or NULL, and frames from the root on.  Line n of FILE follows a frame as
 * "@FILE:n". */
static void row(struct chart_agg *a, const char *key, const char *frames, int64_t value)
{
	struct chart_row r = {.value = value, .nkeys = key != NULL};
	struct chart_place places[32];
	unsigned int n = 0;

	if (key)
		places[n++] =
		    (struct chart_place){.id = chart_frame(c, key, strlen(key), CHART_KEY)};
	while (*frames) {
		size_t len = strcspn(frames, " "), name = strcspn(frames, "@ ");
		enum chart_kind kind =
		    strncmp(frames, "vmlinux`", 8) == 0 ? CHART_KERNEL : CHART_USER;

		places[n] = (struct chart_place){.id = chart_frame(c, frames, name, kind)};
		if (name < len) {
			char *place = strndup(frames + name + 1, len - name - 1);
			char *colon = strchr(place, ':');

			*colon = '\0';
			places[n].line = chart_line(c, place, (uint32_t)atoi(colon + 1));
			free(place);
		}
		n++;
		frames += len + (frames[len] == ' ');
	}
	chart_set_frames(c, &r, places, n);
	a->has_stacks |= r.n > r.nkeys;
	vec_push(&a->rows, r);
}

/* Returns the contents of the gzip file. */
static const char *unpacked(void)
{
	z_stream z = {.next_in = (Bytef *)file.s, .avail_in = (uInt)file.n};
	unsigned char piece[100];
	int status = inflateInit2(&z, MAX_WBITS + 16);

	buf_reset(&text);
	while (status == Z_OK) {
		z.next_out = piece;
		z.avail_out = sizeof(piece);
		status = inflate(&z, Z_NO_FLUSH);
		buf_add(&text, piece, sizeof(piece) - z.avail_out);
	}
	CHECK_INT(status, Z_STREAM_END);
	CHECK_INT(z.avail_in, 0);
	inflateEnd(&z);
	return buf_str(&text);
}

/* Appends the fields of a message of pprof: N=VALUE, N="TEXT" or N{FIELDS}. */
static void dump(struct buf *b, const char *s, const char *end, unsigned int outer)
{
	const char *bytes, *blank = "";
	unsigned int field;
	uint64_t n;

	while ((field = proto_next(&s, end, &bytes, &n)) != 0) {
		bool is_message =
		    outer ? (outer == 2 && field == 3) || (outer == 4 && field == 4) : field <= 5;

		buf_printf(b, "%s%u", blank, field);
		if (!bytes) {
			buf_printf(b, "=%llu", (unsigned long long)n);
		} else if (is_message) {
			buf_putc(b, '{');
			dump(b, bytes, bytes + n, field);
			buf_putc(b, '}');
		} else {
			buf_printf(b, "=\"%.*s\"", (int)n, bytes);
		}
		blank = outer ? " " : "\n";
	}
	CHECK(s == end);
}

static const char *pprof(struct chart_agg *a)
{
	static struct buf fields;

	buf_reset(&file);
	buf_reset(&fields);
	if (!pprof_write(&file, c, a))
		return "";
	unpacked();
	dump(&fields, text.s, text.s + text.n, 0);
	return fields.s;
}

static const char *firefox(struct chart_agg *a)
{
	buf_reset(&file);
	return firefox_write(&file, c, a) ? unpacked() : "";
}

static const char *plain(bool (*write)(struct buf *b, struct chart *c, struct chart_agg *a),
			 struct chart_agg *a)
{
	buf_reset(&file);
	return write(&file, c, a) ? buf_str(&file) : "";
}

/* A key, a kernel function, lines, a file with a build id, and the facts. */
static struct chart_agg *small(void)
{
	struct chart_agg *a = start("calls", "count");

	chart_set_labels(c, a, (const char *const[]){"execname"}, 1);
	chart_object(c, "prog", "/bin/prog", "abcd");
	row(a, "sh", "prog`main@m.c:7 libc`read vmlinux`vfs_read", 5);
	row(a, "sh", "prog`main@m.c:8", INT64_MAX);
	row(a, "sh", "prog`none", -1);
	c->runs[0].program = "BEGIN";
	c->runs[0].command = "ls";
	c->runs[0].host = "h";
	c->runs[0].kernel = "6.1";
	c->runs[0].start = 1700000000000000000;
	c->runs[0].duration = 9;
	c->runs[0].drops = 3;
	return a;
}

static void test_pprof(void)
{
	CHECK_STR(pprof(small()), "6=\"\"\n"
				  "6=\"count\"\n"
				  "1{1=1 2=1}\n"
				  "9=1700000000000000000\n"
				  "10=9\n"
				  "6=\"aggregation: @calls = count()\"\n"
				  "13=2\n"
				  "6=\"rows without a positive value: 1\"\n"
				  "13=3\n"
				  "6=\"program: BEGIN\"\n"
				  "13=4\n"
				  "6=\"command: ls\"\n"
				  "13=5\n"
				  "6=\"host: h\"\n"
				  "13=6\n"
				  "6=\"kernel: 6.1\"\n"
				  "13=7\n"
				  "6=\"drops: 3\"\n"
				  "13=8\n"
				  "6=\"execname\"\n"
				  "6=\"sh\"\n"
				  "6=\"/bin/prog\"\n"
				  "6=\"abcd\"\n"
				  "3{1=1 5=11 6=12 7=1 8=1 9=1}\n"
				  "6=\"m.c\"\n"
				  "6=\"prog`main\"\n"
				  "6=\"main\"\n"
				  "5{1=1 2=14 3=15 4=13}\n"
				  "4{1=1 2=1 4{1=1 2=7}}\n"
				  "6=\"libc\"\n"
				  "3{1=2 5=16 6=0 7=1 8=1 9=1}\n"
				  "6=\"libc`read\"\n"
				  "6=\"read\"\n"
				  "5{1=2 2=17 3=18 4=0}\n"
				  "4{1=2 2=2 4{1=2 2=0}}\n"
				  "6=\"vmlinux\"\n"
				  "3{1=3 5=19 6=0 7=1 8=1 9=1}\n"
				  "6=\"vmlinux`vfs_read\"\n"
				  "6=\"vfs_read\"\n"
				  "5{1=3 2=20 3=21 4=0}\n"
				  "4{1=3 2=3 4{1=3 2=0}}\n"
				  "2{1=3 1=2 1=1 2=5 3{1=9 2=10}}\n"
				  "4{1=4 2=1 4{1=1 2=8}}\n"
				  "2{1=4 2=9223372036854775807 3{1=9 2=10}}");
}

/* Nothing but the values is known. */
static void test_pprof_sum(void)
{
	struct chart_agg *a = start("_", "sum");

	row(a, "k", "[unknown]", 1);
	CHECK_STR(pprof(a), "6=\"\"\n"
			    "6=\"sum\"\n"
			    "1{1=1 2=0}\n"
			    "9=0\n"
			    "10=0\n"
			    "6=\"aggregation: @ = sum()\"\n"
			    "13=2\n"
			    "6=\"key0\"\n"
			    "6=\"k\"\n"
			    "6=\"[unknown]\"\n"
			    "5{1=1 2=5 3=5 4=0}\n"
			    "4{1=1 2=0 4{1=1 2=0}}\n"
			    "2{1=1 2=1 3{1=3 2=4}}");
}

static struct chart_agg *with_unit(const char *function, bool is_hist, const char *of_values,
				   int64_t value)
{
	struct chart_agg *a = start("_", function);

	a->is_hist = is_hist;
	a->unit = of_values;
	row(a, NULL, "f", value);
	return a;
}

static const char *unit(const char *function, bool is_hist, const char *of_values)
{
	return pprof(with_unit(function, is_hist, of_values, 1));
}

/* Checks the unit in speedscope's file, and weight and its type in Firefox's. */
static void test_unit_of(const char *function, const char *of_values, const char *in_speedscope,
			 const char *weight, const char *type)
{
	bool is_hist = strcmp(function, "quantize") == 0;
	char want[128];

	snprintf(want, sizeof(want), "\"unit\":\"%s\"", in_speedscope);
	CHECK(strstr(plain(speedscope_write, with_unit(function, is_hist, of_values, 1002003)),
		     want));
	snprintf(want, sizeof(want), "\"weight\": [%s],\"weightType\":\"%s\"", weight, type);
	CHECK(strstr(firefox(with_unit(function, is_hist, of_values, 1002003)), want));
}

static void test_viewer_units(void)
{
	test_unit_of("sum", "ns", "nanoseconds", "1.002003", "tracing-ms");
	test_unit_of("max", "us", "microseconds", "1002.003", "tracing-ms");
	test_unit_of("sum", "ms", "milliseconds", "1002003", "tracing-ms");
	test_unit_of("sum", "s", "seconds", "1002003000", "tracing-ms");
	test_unit_of("avg", "bytes", "bytes", "1002003", "bytes");
	test_unit_of("sum", NULL, "none", "1002003", "samples");
	test_unit_of("count", NULL, "none", "1002003", "samples");
	test_unit_of("quantize", "ns", "none", "1002003", "samples");
}

/* Values of the last functions are numbers of data, whatever the unit of the data. */
static void test_units(void)
{
	CHECK(strstr(unit("sum", false, "ns"), "\"ns\"\n1{1=1 2=2}\n"));
	CHECK(strstr(unit("max", false, "bytes"), "\"bytes\"\n1{1=1 2=2}\n"));
	CHECK(strstr(unit("quantize", true, "ns"), "\"count\"\n1{1=1 2=2}\n"));
	CHECK(strstr(unit("stats", false, "ns"), "\"count\"\n1{1=1 2=2}\n"));
	CHECK(strstr(unit("count", false, NULL), "\"count\"\n1{1=1 2=1}\n"));
}

static void test_firefox(void)
{
	const char *s = firefox(small());

	CHECK(strstr(s, "\"startTime\":1700000000000,"));
	CHECK(strstr(s, "\"preprocessedProfileVersion\":58,"));
	CHECK(strstr(s, "{\"label\":\"host\",\"format\":\"string\",\"value\":\"h\"}"));
	CHECK(strstr(s, "{\"label\":\"drops\",\"format\":\"string\",\"value\":\"3\"}"));
	CHECK(strstr(s,
		     "\"libs\": [{\"arch\":\"\",\"name\":\"prog\",\"path\":\"/bin/prog\","
		     "\"debugName\":\"prog\",\"debugPath\":\"/bin/prog\",\"breakpadId\":\"\","
		     "\"codeId\":\"abcd\"},{\"arch\":\"\",\"name\":\"libc\",\"path\":\"libc\","));
	CHECK(strstr(s, "\"codeId\":null}"));
	CHECK(strstr(s, "\"samples\": {\"stack\": [3,4],\"time\": [0,1],"
			"\"weight\": [5,9223372036854775807],\"weightType\":\"samples\","
			"\"length\":2}"));
	CHECK(strstr(s, "\"stackTable\": {\"frame\": [0,1,2,3,4],\"prefix\": [null,0,1,2,0],"
			"\"length\":5}"));
	CHECK(strstr(s, "\"category\": [0,1,1,2,1],"));
	CHECK(strstr(s, "\"func\": [0,1,2,3,1],"));
	CHECK(strstr(s, "\"line\": [null,7,null,null,8],"));
	CHECK(strstr(s, "\"funcTable\": {\"name\": [0,1,2,3],"));
	CHECK(strstr(s, "\"resource\": [-1,0,1,2],\"source\": [null,0,null,null],"));
	CHECK(strstr(s, "\"resourceTable\": {\"lib\": [0,1,2],\"name\": [4,5,6],"
			"\"host\": [null,null,null],\"type\": [1,1,1],\"length\":3}"));
	CHECK(strstr(s, "\"shared\": {\"sources\": {\"uuid\": [null],\"filename\": [7],"
			"\"length\":1},\"stringArray\": [\"sh\",\"main\",\"read\",\"vfs_read\","
			"\"prog\",\"libc\",\"vmlinux\",\"m.c\"]}}\n"));
}

static void test_speedscope(void)
{
	const char *s;
	struct chart_agg *a = small();

	/* A frame that no sample has. */
	chart_frame(c, "unused", 6, CHART_USER);
	s = plain(speedscope_write, a);
	CHECK(strstr(s, "\"shared\": {\"frames\": [{\"name\":\"sh\"},"
			"{\"name\":\"prog`main\",\"file\":\"m.c\",\"line\":7},"
			"{\"name\":\"libc`read\"},{\"name\":\"vmlinux`vfs_read\"},"
			"{\"name\":\"prog`main\",\"file\":\"m.c\",\"line\":8}]}"));
	CHECK(strstr(s, "\"samples\": [[0,1,2,3],[0,4]],\"weights\": [5,9223372036854775807]"));
	CHECK_STR(plain(folded_write, a), "sh;prog`main;libc`read;vmlinux`vfs_read 5\n"
					  "sh;prog`main 9223372036854775807\n");
}

/* Names keep their place in the format, whatever they contain. */
static void test_names(void)
{
	struct chart_agg *a = start("_", "count");

	row(a, "\"\\\n;\xff", "a\"`\x01;b", 1);
	CHECK(strstr(firefox(a),
		     "\"stringArray\": [\"\\\"\\\\\\\\n;\xef\xbf\xbd\",\"\\\\001;b\",\"a\\\"\"]"));
	CHECK(strstr(pprof(a), "6=\"\"\\\\n;\xef\xbf\xbd\"\n"));
	CHECK(strstr(pprof(a), "6=\"a\"`\\001;b\"\n"));
	CHECK_STR(plain(folded_write, a), "\"\\\\n:\xef\xbf\xbd;a\"`\\001:b 1\n");
}

static void test_nothing(void)
{
	static const char *const frames[] = {"a", "b"};

	for (unsigned int n = 0; n < 3; n++) {
		struct chart_agg *a = start("_", "sum");

		for (unsigned int i = 0; i < n; i++)
			row(a, NULL, frames[i], -(int64_t)i);
		CHECK_STR(pprof(a), "");
		CHECK_STR(firefox(a), "");
		CHECK_STR(plain(speedscope_write, a), "");
		CHECK_STR(plain(folded_write, a), "");
		CHECK_STR(plain(chart_otlp_write, a), "");
		CHECK_INT(file.n, 0);
	}
}

/* A request has all aggregations with stacks, or the chosen one. */
static void test_otlp(void)
{
	static const struct metrics_label label = {"service.name", "x", 1};
	struct chart_agg *a = small(), *keys = chart_agg_new(c, "keys", "count", 0), *b;
	size_t one, all;

	vec_push(&keys->rows, ((struct chart_row){.value = 1}));
	one = strlen(plain(chart_otlp_write, a)) ? file.n : 0;
	CHECK(one > 0);
	plain(chart_otlp_write, NULL);
	CHECK_INT(file.n, one);
	b = chart_agg_new(c, "more", "sum", 0);
	row(b, NULL, "f", 1);
	plain(chart_otlp_write, NULL);
	all = file.n;
	CHECK(all > one);
	CHECK(memmem(file.s, file.n, "more", 4) && memmem(file.s, file.n, "calls", 5));
	CHECK(!memmem(file.s, file.n, "keys", 4));
	c->resource = (struct metrics_labels){&label, 1};
	plain(chart_otlp_write, NULL);
	CHECK(file.n > all && memmem(file.s, file.n, "service.name", 12));
	plain(chart_otlp_write, a);
	CHECK(!memmem(file.s, file.n, "more", 4));
}

/* Rows with the same callers stand side by side. */
static void test_order(void)
{
	struct chart_agg *a = start("_", "count");

	row(a, "k", "main b", 1);
	row(a, "k", "other", 2);
	row(a, "k", "main a", 3);
	row(a, "k", "main", 4);
	chart_rank(c);
	chart_sort(c);
	CHECK_STR(plain(folded_write, a), "k;main 4\nk;main;a 3\nk;main;b 1\nk;other 2\n");
}

/* Input and output are larger than a piece of the compressor. */
static void test_gzip(void)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 1000000};
	char *bytes = malloc(1000000);
	uint32_t random = 1;

	for (unsigned int i = 0; i < 1000000; i++) {
		random = random * 1664525 + 1013904223; /* Numerical Recipes, 7.1 */
		bytes[i] = (char)(random >> 24);
	}
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		buf_reset(&file);
		gzip_put(&file, bytes, sizes[i]);
		unpacked();
		CHECK(text.n == sizes[i] && memcmp(buf_str(&text), bytes, sizes[i]) == 0);
	}
	free(bytes);
}

int main(void)
{
	test_pprof();
	test_pprof_sum();
	test_otlp();
	test_units();
	test_viewer_units();
	test_firefox();
	test_speedscope();
	test_names();
	test_nothing();
	test_order();
	test_gzip();
	chart_free(c);
	buf_free(&file);
	buf_free(&text);
	return TEST_DONE();
}
