/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline_formats_test.c: events as files for Perfetto, Chrome and readers of CTF, and as messages
 * of OTLP.  Names have any bytes.  Readers that others wrote check the same in
 * test/kern/timeline.t.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "metrics/otlp.h"
#include "metrics/proto.h"
#include "timeline/event.h"
#include "timeline/otlp.h"
#include "test.h"

static char folder[] = "/tmp/timeline_test.XXXXXX";
static struct buf file;

static const struct timeline_thread thread = {
    .number = 1, .pid = 7, .tid = 8, .cpu = -1, .name = "a\"\xff\n"};
static const struct timeline_thread remote = {
    .number = 2, .vmid = 1, .pid = 7, .tid = 7, .cpu = -1, .machine = "vm", .name = "init"};
static const struct timeline_arg args[] = {
    {.type = TIMELINE_INT, .name = "value", .num = (uint64_t)-3},
    {.type = TIMELINE_UINT, .name = "value2", .num = UINT64_MAX},
    {.type = TIMELINE_TEXT, .name = "message", .text = "x\0\xc3(\x1b", .n = 5},
};
static const char *const stack[] = {"libc.so.6`read", "a.out`main"};

static struct timeline_event event(enum timeline_kind kind, uint64_t time)
{
	return (struct timeline_event){.kind = kind,
				       .time = time,
				       .cpu = 2,
				       .thread = &thread,
				       .category = "fbt",
				       .name = "f\\\x01"};
}

static const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Reads a file into `file`. */
static void load(const char *name)
{
	int fd = open(path_of(name), O_RDONLY | O_CLOEXEC);

	buf_reset(&file);
	CHECK(fd >= 0 && buf_read(&file, fd));
	close(fd);
}

static struct timeline_out *open_out(const struct timeline_format *format, const char *path,
				     int64_t wall)
{
	struct timeline_out *out = format->open(path, NULL, wall);

	out->format = format;
	out->path = path;
	return out;
}

static void close_out(struct timeline_out *out)
{
	out->format->close(out);
	CHECK_INT(out->error, 0);
	out->format->free(out);
}

/* The same events for each format. */
static void write_events(struct timeline_out *out)
{
	struct timeline_event e = event(TIMELINE_BEGIN, 5000001234);

	out->format->thread(out, &thread);
	e.args = args;
	e.nargs = 3;
	e.stack = stack;
	e.nstack = 2;
	out->format->event(out, &e);
	e = event(TIMELINE_END, 5000002000);
	out->format->event(out, &e);
	out->format->thread(out, &remote);
	e = event(TIMELINE_BEGIN, 4999999999);
	e.thread = &remote;
	e.category = "span";
	e.is_named = true;
	e.span = 1;
	e.flow = TIMELINE_FLOW_BEGINS;
	e.flow_id = 0xabc;
	out->format->event(out, &e);
	e = (struct timeline_event){.kind = TIMELINE_COUNTER,
				    .time = 5000003000,
				    .cpu = -1,
				    .category = "aggregation",
				    .name = "@",
				    .is_named = true,
				    .counter = 1,
				    .value = -1};
	out->format->event(out, &e);
}

/* ---- Chrome ---- */

static void chrome(void)
{
	struct timeline_out *out = open_out(&timeline_chrome, path_of("chrome"), 1000);

	write_events(out);
	close_out(out);
	load("chrome");
	CHECK_STR(file.s,
		  "{\"traceEvents\":[\n"
		  "{\"ph\":\"M\",\"name\":\"thread_name\",\"cat\":\"__metadata\",\"pid\":7,\"tid\":"
		  "8,\"args\": "
		  "{\"name\":\"a\\\"\xef\xbf\xbd\\n\"}}\n"
		  ",{\"ph\":\"M\",\"name\":\"dtrace\",\"cat\":\"__metadata\",\"pid\":0,\"tid\":0,"
		  "\"args\": {\"first timestamp\":"
		  "\"5000001234\",\"first walltimestamp\":\"5000002234\"}}\n"
		  ",{\"ph\":\"B\",\"name\":\"f\\\\\\u0001\",\"cat\":\"fbt\",\"ts\":0.000,\"pid\":7,"
		  "\"tid\":8,\"args\": {\"value\":-3,\"value2\":18446744073709551615,\"message\":"
		  "\"x\\u0000\xef\xbf\xbd(\\u001b\",\"cpu\":2,\"stack\": [\"libc.so.6`read\","
		  "\"a.out`main\"]}}\n"
		  ",{\"ph\":\"E\",\"name\":\"f\\\\\\u0001\",\"cat\":\"fbt\",\"ts\":0.766,\"pid\":7,"
		  "\"tid\":8,\"args\": {\"end_cpu\":2}}\n"
		  ",{\"ph\":\"M\",\"name\":\"process_name\",\"cat\":\"__metadata\",\"pid\":4194311,"
		  "\"tid\":4194311,\"args\": "
		  "{\"name\":\"vm: init\"}}\n"
		  ",{\"ph\":\"M\",\"name\":\"thread_name\",\"cat\":\"__metadata\",\"pid\":4194311,"
		  "\"tid\":4194311,\"args\": "
		  "{\"name\":\"init\"}}\n"
		  ",{\"ph\":\"b\",\"name\":\"f\\\\\\u0001\",\"cat\":\"span\",\"ts\":-1.235,"
		  "\"pid\":4194311,\"tid\":4194311,\"id\":1,\"args\": {\"cpu\":2}}\n"
		  ",{\"ph\":\"s\",\"name\":\"f\\\\\\u0001\",\"cat\":\"span\",\"ts\":-1.235,"
		  "\"pid\":4194311,\"tid\":4194311,\"id\":\"0xabc\",\"bp\":\"e\"}\n"
		  ",{\"ph\":\"C\",\"name\":\"@\",\"cat\":\"aggregation\",\"ts\":1.766,\"pid\":0,"
		  "\"tid\":0,\"args\": {\"value\":-1}}\n"
		  "]}\n");
}

/* Returns how often the loaded file has the end of the list; -1 if it has none at its end. */
static int ends(void)
{
	int n = 0;

	for (const char *s = file.s; (s = strstr(s, "]}\n")) != NULL; s++)
		n++;
	return n && strcmp(file.s + file.n - 3, "]}\n") == 0 ? n : -1;
}

/* A flushed file is complete, for a killed dtrace; also a stream for appending after other text. */
static void chrome_killed(const char *mode)
{
	FILE *f = fopen(path_of("chrome"), "we");
	struct timeline_out *out;

	fputs("before\n", f);
	fclose(f);
	f = fopen(path_of("chrome"), mode);
	out = timeline_chrome.open(NULL, f, 0);
	out->format = &timeline_chrome;
	for (int i = 0; i < 3; i++) {
		write_events(out);
		out->format->flush(out);
		load("chrome");
		CHECK_INT(ends(), 1);
	}
	out->format->close(out);
	load("chrome");
	CHECK_INT(ends(), 1);
	CHECK_INT(strncmp(file.s, "before\n", 7) == 0, *mode == 'a');
	out->format->free(out);
	fclose(f);
}

/* ---- messages ---- */

/* Enters the first field with this number, which is a message, and returns its bytes. */
static struct buf inner(const struct buf *b, unsigned int wanted)
{
	const char *s = b->s, *end = s + b->n, *bytes;
	unsigned int field;
	uint64_t n;

	while ((field = proto_next(&s, end, &bytes, &n)) != 0)
		if (field == wanted && bytes)
			return (struct buf){.s = (char *)bytes, .n = n};
	CHECK(field);
	return (struct buf){0};
}

static void perfetto(void)
{
	/* TracePacket, TrackEvent, InternedData, TrackDescriptor and their members */
	static const unsigned int packet[] = {1, 0};
	struct timeline_out *out = open_out(&timeline_perfetto, path_of("perfetto"), 1000);
	const char *s, *end, *bytes;
	unsigned int npackets = 0;
	uint64_t n;

	write_events(out);
	close_out(out);
	load("perfetto");
	for (s = file.s, end = s + file.n; proto_next(&s, end, &bytes, &n) == *packet; npackets++)
		CHECK(bytes);
	CHECK(s == end);
	/* clocks, sequence, 2 threads with a process, a span, a counter, 4 events */
	CHECK_INT(npackets, 10);
}

/* ---- CTF ---- */

static uint64_t number_at(size_t at, unsigned int bytes)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < bytes; i++)
		v |= (uint64_t)(unsigned char)file.s[at + i] << (8 * i);
	return v;
}

static void ctf(void)
{
	static const char texts[] = "a\"\xef\xbf\xbd\n\0host"; /* the thread and the machine */
	static char path[64];
	struct timeline_out *out;

	snprintf(path, sizeof(path), "%s", path_of("ctf"));
	out = open_out(&timeline_ctf, path, 3000000007);
	write_events(out);
	close_out(out);
	load("ctf/metadata");
	CHECK(strstr(file.s, "\toffset_s = 3;\n\toffset = 7;\n"));
	CHECK(strstr(file.s,
		     "event {\n\tid = 0;\n\tstream_id = 0;\n\tname = \"fbt:f\\\\?:begin\";\n"
		     "\tfields := struct {\n\t\tint64_t _value;\n\t\tuint64_t _value2;\n"
		     "\t\tstring _message;\n\t\tuint32_t _nstack;\n"
		     "\t\tstring _stack[_nstack];\n\t};\n};\n"));
	CHECK(strstr(file.s, "\tname = \"aggregation\";\n\tfields := struct {\n\t\tstring _name;\n"
			     "\t\tint64_t _value;\n"));
	/* The event before the first one is in another stream. */
	load("ctf/stream0");
	CHECK_INT(number_at(0, 4), 0xc1fc1fc1);
	CHECK_INT(number_at(8, 8), 5000001234);
	CHECK_INT(number_at(16, 8), 5000003000);
	CHECK_INT(number_at(24, 8), file.n * 8);
	CHECK_INT(number_at(44, 8), 5000001234);
	CHECK_INT(number_at(52, 4), 2);
	CHECK_INT(number_at(60, 4), 8);
	CHECK(memcmp(file.s + 64, texts, sizeof(texts)) == 0);
	CHECK_INT((int64_t)number_at(76, 8), -3);
	load("ctf/stream1");
	CHECK_INT(number_at(8, 8), 4999999999);
}

/* Streams of an earlier trace are removed, and open files are limited. */
static void streams(void)
{
	static char path[64];
	struct timeline_event e = event(TIMELINE_INSTANT, 1000);
	struct timeline_out *out;

	snprintf(path, sizeof(path), "%s", path_of("ctf"));
	out = open_out(&timeline_ctf, path, 0);
	CHECK(access(path_of("ctf/stream0"), F_OK) != 0);
	for (unsigned int i = 0; i < 70; i++, e.time--)
		out->format->event(out, &e);
	close_out(out);
	for (unsigned int i = 0; i < 70; i++) {
		char name[32];

		snprintf(name, sizeof(name), "ctf/stream%u", i);
		load(name);
		CHECK_INT(number_at(8, 8), 1000 - i);
		unlink(path_of(name));
	}
}

/* ---- OTLP ---- */

#define TRACE  "4bf92f3577b34da6a3ce929d0e0e4736"
#define PARENT "00f067aa0ba902b7"

static struct timeline_otlp_items spans, logs;
static struct timeline_otlp *otlp;

static void otlp_start(void)
{
	buf_reset(&spans.b);
	buf_reset(&logs.b);
	spans.n = logs.n = 0;
	otlp = timeline_otlp_new(&spans, &logs, 1000);
}

static void otlp_add(enum timeline_kind kind, uint64_t time, uint64_t span, const char *parent)
{
	struct timeline_event e = event(kind, time);

	e.span = span;
	e.traceparent = parent;
	timeline_otlp_event(otlp, &e);
}

/* Returns a field of item n, as text if it has bytes; NULL: it has no such field. */
static const char *item(const struct timeline_otlp_items *items, unsigned int n,
			unsigned int wanted)
{
	static char text[4][80];
	static unsigned int next;
	const char *s = items->b.s, *end = s + items->b.n, *bytes;
	char *to = text[next++ % 4];
	unsigned int field;
	uint64_t v;

	for (unsigned int i = 0; i <= n; i++)
		CHECK_INT(proto_next(&s, end, &bytes, &v), 2);
	for (s = bytes, end = s + v; (field = proto_next(&s, end, &bytes, &v)) != 0;) {
		if (field != wanted)
			continue;
		if (!bytes)
			snprintf(to, sizeof(text[0]), "%" PRIu64, v);
		for (unsigned int i = 0; bytes && i < v && i < 32; i++)
			snprintf(to + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
		return to;
	}
	return NULL;
}

static void otlp_spans(void)
{
	otlp_start();
	otlp_add(TIMELINE_BEGIN, 1, 0, NULL);
	otlp_add(TIMELINE_BEGIN, 2, 0, NULL);
	otlp_add(TIMELINE_INSTANT, 3, 0, NULL);
	otlp_add(TIMELINE_END, 4, 0, NULL);
	otlp_add(TIMELINE_BEGIN, 5, 1, "00-" TRACE "-" PARENT "-01");
	otlp_add(TIMELINE_END, 6, 1, NULL);
	otlp_add(TIMELINE_END, 7, 0, NULL);
	otlp_add(TIMELINE_COUNTER, 8, 0, NULL);
	CHECK_INT(spans.n, 3);
	CHECK_INT(logs.n, 1);
	/* inner, with its parent; span with a remote parent; outer */
	CHECK_STR(item(&spans, 0, 1), item(&spans, 2, 1));
	CHECK_STR(item(&spans, 0, 4), item(&spans, 2, 2));
	CHECK_STR(item(&spans, 1, 1), TRACE);
	CHECK_STR(item(&spans, 1, 4), PARENT);
	CHECK(!item(&spans, 2, 4));
	CHECK_STR(item(&spans, 0, 7), "1002");
	CHECK_STR(item(&spans, 0, 8), "1004");
	CHECK_STR(item(&spans, 2, 8), "1007");
	CHECK_STR(item(&logs, 0, 1), "1003");
	CHECK_STR(item(&logs, 0, 9), item(&spans, 0, 1));
	CHECK_STR(item(&logs, 0, 10), item(&spans, 0, 2));
	timeline_otlp_free(otlp);
}

/* An invalid traceparent is ignored (W3C Trace Context, 4.3). */
static void traceparents(void)
{
	static const char *const good[] = {"00-" TRACE "-" PARENT "-00",
					   "01-" TRACE "-" PARENT "-01-more"};
	static const char *const bad[] = {"",
					  "00-" TRACE "-" PARENT,
					  "00-" TRACE "-" PARENT "-0",
					  "00-" TRACE "-" PARENT "-01-",
					  "01-" TRACE "-" PARENT "-01more",
					  "ff-" TRACE "-" PARENT "-01",
					  "0g-" TRACE "-" PARENT "-01",
					  "00-" TRACE "-" PARENT "-0x",
					  "00_" TRACE "-" PARENT "-01",
					  "00-00000000000000000000000000000000-" PARENT "-01",
					  "00-" TRACE "-0000000000000000-01",
					  "00-4BF92F3577B34DA6A3CE929D0E0E4736-" PARENT "-01"};

	for (unsigned int i = 0; i < 14; i++) {
		otlp_start();
		otlp_add(TIMELINE_BEGIN, 1, 1, i < 2 ? good[i] : bad[i - 2]);
		otlp_add(TIMELINE_END, 2, 1, NULL);
		CHECK((item(&spans, 0, 4) != NULL) == (i < 2));
		CHECK_INT(strlen(item(&spans, 0, 1)), 32);
		CHECK((strcmp(item(&spans, 0, 1), TRACE) == 0) == (i < 2));
		timeline_otlp_free(otlp);
	}
}

/* Spans of two processes with one id are one trace. */
static void flows(void)
{
	struct timeline_event e = event(TIMELINE_BEGIN, 1);

	otlp_start();
	e.span = 1;
	e.flow = TIMELINE_FLOW_BEGINS;
	e.flow_id = 5;
	timeline_otlp_event(otlp, &e);
	e.span = 2;
	e.flow = TIMELINE_FLOW_GOES_ON;
	e.thread = &remote;
	timeline_otlp_event(otlp, &e);
	otlp_add(TIMELINE_END, 2, 2, NULL);
	otlp_add(TIMELINE_END, 3, 1, NULL);
	CHECK_STR(item(&spans, 0, 4), item(&spans, 1, 2));
	CHECK_STR(item(&spans, 0, 1), item(&spans, 1, 1));
	CHECK(strcmp(item(&spans, 0, 2), item(&spans, 1, 2)) != 0);
	/* Open spans are freed. */
	otlp_add(TIMELINE_BEGIN, 4, 3, NULL);
	otlp_add(TIMELINE_BEGIN, 4, 0, NULL);
	timeline_otlp_free(otlp);
}

/* A request has its items as they are. */
static void otlp_request_of(void)
{
	struct metrics_label label = {"service.name", "x", 1};
	struct timeline_event e = event(TIMELINE_INSTANT, 1);
	struct buf body = {0}, of, scope, key;

	otlp_start();
	e.args = args;
	e.nargs = 3;
	timeline_otlp_event(otlp, &e);
	otlp_request(&body, &(struct metrics_labels){&label, 1}, &logs.b);
	of = inner(&body, 1);
	key = inner(&of, 1);
	key = inner(&key, 1);
	key = inner(&key, 1);
	CHECK(key.n == 12 && memcmp(key.s, "service.name", key.n) == 0);
	scope = inner(&of, 2);
	CHECK(scope.n > logs.b.n && memcmp(scope.s + scope.n - logs.b.n, logs.b.s, logs.b.n) == 0);
	/* The body is the message: text with bytes that are not UTF-8. */
	CHECK_STR(item(&logs, 0, 5), "0a87808080007800efbfbd281b");
	buf_free(&body);
	timeline_otlp_free(otlp);
}

/* ---- failures ---- */

static void full(const struct timeline_format *format)
{
	struct timeline_out *out = open_out(format, "/dev/full", 0);

	write_events(out);
	out->format->flush(out);
	CHECK_INT(out->error, ENOSPC);
	out->format->free(out);
}

static void failures(void)
{
	full(&timeline_chrome);
	full(&timeline_perfetto);
	errno = 0;
	CHECK(!timeline_ctf.open("/dev/null/x", NULL, 0) && errno == ENOTDIR);
	CHECK(!timeline_chrome.open("/dev/null/x", NULL, 0) && errno == ENOTDIR);
}

int main(void)
{
	if (!mkdtemp(folder))
		return 1;
	chrome();
	chrome_killed("we");
	chrome_killed("ae");
	perfetto();
	ctf();
	streams();
	otlp_spans();
	traceparents();
	flows();
	otlp_request_of();
	failures();
	unlink(path_of("chrome"));
	unlink(path_of("perfetto"));
	unlink(path_of("ctf/metadata"));
	rmdir(path_of("ctf"));
	rmdir(folder);
	buf_free(&spans.b);
	buf_free(&logs.b);
	buf_free(&file);
	return TEST_DONE();
}
