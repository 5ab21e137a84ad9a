/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.c: see otlp.h.  Messages and fields are from release 1.5 of the protocol
 * (opentelemetry/proto: trace/v1/trace.proto, logs/v1/logs.proto, common/v1/common.proto); names of
 * attributes from OpenTelemetry's semantic conventions 1.30.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "metrics/proto.h"
#include "timeline/otlp.h"

enum { SCOPE_ITEM = 2 }; /* in ScopeSpans and ScopeLogs */
enum { SPAN_TRACE = 1, SPAN_ID = 2, SPAN_PARENT = 4, SPAN_NAME = 5, SPAN_KIND = 6 };
enum { SPAN_BEGUN = 7, SPAN_ENDED = 8, SPAN_ATTRIBUTES = 9, KIND_INTERNAL = 1 };
enum { LOG_TIME = 1, LOG_BODY = 5, LOG_ATTRIBUTES = 6, LOG_TRACE = 9, LOG_SPAN = 10 };
enum { LOG_OBSERVED = 11, LOG_NAME = 12 };
enum { KEY_KEY = 1, KEY_VALUE = 2, VALUE_STRING = 1, VALUE_INT = 3 };

#define TRACE_BYTES 16
#define ID_BYTES    8

/* The place of a span in a trace. */
struct context {
	unsigned char trace[TRACE_BYTES], id[ID_BYTES];
};

/* An open span. */
struct open {
	struct context self;
	unsigned char parent[ID_BYTES]; /* zeros: none */
	uint64_t begun;
	uint64_t flow; /* 0: none */
	struct buf attributes;
};

struct thread {
	VEC(struct open *) slices;
};

struct timeline_otlp {
	struct timeline_otlp_items *spans, *logs;
	int64_t wall;
	struct map *threads; /* number -> struct thread */
	struct map *open;    /* number of a span with an id -> struct open */
};

/* ---- contexts ---- */

/* An id of zeros is invalid. */
static void make_id(unsigned char *id, size_t n)
{
	if (getrandom(id, n, 0) != (ssize_t)n)
		memset(id, 0, n);
	id[n - 1] |= 1;
}

/* Returns the value of a digit as W3C allows it; -1: it is none. */
static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads n bytes; false: they are not digits, or zeros. */
static bool read_hex(unsigned char *to, const char *s, size_t n)
{
	bool is_zero = true;

	for (size_t i = 0; i < n; i++) {
		int high = hex(s[2 * i]), low = high < 0 ? -1 : hex(s[2 * i + 1]);

		if (low < 0)
			return false;
		to[i] = (unsigned char)(high << 4 | low);
		is_zero &= !to[i];
	}
	return !is_zero;
}

/*
 * Reads version-trace-parent-flags (W3C Trace Context, 3.2).  Later versions can be longer.  The
 * version ff is invalid.
 */
static bool read_traceparent(const char *s, struct context *c)
{
	static const size_t trace = 3, parent = 36, flags = 53, end = 55;
	size_t n = strlen(s);

	if (n < end || (n > end && (strncmp(s, "00", 2) == 0 || s[end] != '-')))
		return false;
	return hex(s[0]) >= 0 && hex(s[1]) >= 0 && strncmp(s, "ff", 2) != 0 &&
	       s[trace - 1] == '-' && s[parent - 1] == '-' && s[flags - 1] == '-' &&
	       hex(s[flags]) >= 0 && hex(s[flags + 1]) >= 0 &&
	       read_hex(c->trace, s + trace, TRACE_BYTES) && read_hex(c->id, s + parent, ID_BYTES);
}

static struct thread *thread_of(struct timeline_otlp *t, const struct timeline_event *e)
{
	struct thread *th = e->thread ? map_get_int(t->threads, e->thread->number) : NULL;

	if (!th && e->thread) {
		th = mem_alloc(sizeof(*th));
		map_set_int(t->threads, e->thread->number, th);
	}
	return th;
}

/* Returns the slice around an event, or NULL. */
static const struct open *around(struct timeline_otlp *t, const struct timeline_event *e)
{
	struct thread *th = thread_of(t, e);

	return th && th->slices.n ? vec_last(&th->slices) : NULL;
}

/* Returns an open span with the id of e, or NULL. */
static const struct open *same_flow(struct timeline_otlp *t, const struct timeline_event *e)
{
	size_t pos = 0;
	struct open *o;

	if (e->flow != TIMELINE_FLOW_GOES_ON)
		return NULL;
	while ((o = map_next(t->open, &pos, NULL, NULL)) != NULL && o->flow != e->flow_id)
		;
	return o;
}

static void place(struct timeline_otlp *t, struct open *o, const struct timeline_event *e)
{
	const struct open *parent = around(t, e);
	struct context remote;

	make_id(o->self.id, ID_BYTES);
	if (!parent)
		parent = same_flow(t, e);
	if (e->traceparent && read_traceparent(e->traceparent, &remote)) {
		memcpy(o->self.trace, remote.trace, TRACE_BYTES);
		memcpy(o->parent, remote.id, ID_BYTES);
	} else if (parent) {
		memcpy(o->self.trace, parent->self.trace, TRACE_BYTES);
		memcpy(o->parent, parent->self.id, ID_BYTES);
	} else {
		make_id(o->self.trace, TRACE_BYTES);
	}
}

/* ---- attributes ---- */

static void put_text(struct proto *p, unsigned int field, const char *key, const char *s, size_t n)
{
	proto_open(p, field);
	proto_text(p, KEY_KEY, key, strlen(key));
	proto_open(p, KEY_VALUE);
	proto_text(p, VALUE_STRING, s, n);
	proto_close(p);
	proto_close(p);
}

static void put_int(struct proto *p, unsigned int field, const char *key, int64_t v)
{
	proto_open(p, field);
	proto_text(p, KEY_KEY, key, strlen(key));
	proto_open(p, KEY_VALUE);
	proto_uint(p, VALUE_INT, (uint64_t)v);
	proto_close(p);
	proto_close(p);
}

/* The protocol has signed integers only. */
static void put_arg(struct proto *p, unsigned int field, const struct timeline_arg *a)
{
	char text[32];

	if (a->type == TIMELINE_TEXT)
		put_text(p, field, a->name, a->text, a->n);
	else if (a->type == TIMELINE_UINT && a->num > INT64_MAX)
		put_text(p, field, a->name, text,
			 (size_t)snprintf(text, sizeof(text), "%" PRIu64, a->num));
	else
		put_int(p, field, a->name, (int64_t)a->num);
}

static void put_stack(struct proto *p, unsigned int field, const struct timeline_event *e)
{
	struct buf b = {0};

	for (unsigned int i = 0; i < e->nstack; i++)
		buf_printf(&b, "%s%s", i ? "\n" : "", e->stack[i]);
	put_text(p, field, e->kind == TIMELINE_END ? "end_code.stacktrace" : "code.stacktrace",
		 buf_str(&b), b.n);
	buf_free(&b);
}

static void put_thread(struct proto *p, unsigned int field, const struct timeline_event *e)
{
	const struct timeline_thread *th = e->thread;

	if (e->cpu >= 0)
		put_int(p, field, "cpu.logical_number", e->cpu);
	if (!th)
		return;
	put_int(p, field, "process.pid", th->pid);
	put_int(p, field, "thread.id", th->tid);
	put_text(p, field, "thread.name", th->name, strlen(th->name));
	if (th->machine)
		put_text(p, field, "host.name", th->machine, strlen(th->machine));
}

/* skipped: an argument that is written elsewhere; NULL: none. */
static void put_data(struct proto *p, unsigned int field, const struct timeline_event *e,
		     const struct timeline_arg *skipped)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		if (&e->args[i] != skipped)
			put_arg(p, field, &e->args[i]);
	if (e->nstack)
		put_stack(p, field, e);
}

/* ---- spans ---- */

static void begin(struct timeline_otlp *t, const struct timeline_event *e)
{
	struct open *o = mem_alloc(sizeof(*o));
	struct proto p = {.b = &o->attributes};

	place(t, o, e);
	o->begun = e->time;
	o->flow = e->flow_id;
	put_text(&p, SPAN_ATTRIBUTES, "dtrace.provider", e->category, strlen(e->category));
	put_thread(&p, SPAN_ATTRIBUTES, e);
	put_data(&p, SPAN_ATTRIBUTES, e, NULL);
	if (e->span)
		map_set_int(t->open, e->span, o);
	else
		vec_push(&thread_of(t, e)->slices, o);
}

static void write_span(struct timeline_otlp *t, struct open *o, const struct timeline_event *e)
{
	struct proto p = {.b = &t->spans->b};

	t->spans->n++;
	proto_open(&p, SCOPE_ITEM);
	proto_bytes(&p, SPAN_TRACE, o->self.trace, TRACE_BYTES);
	proto_bytes(&p, SPAN_ID, o->self.id, ID_BYTES);
	if (memcmp(o->parent, (unsigned char[ID_BYTES]){0}, ID_BYTES) != 0)
		proto_bytes(&p, SPAN_PARENT, o->parent, ID_BYTES);
	proto_text(&p, SPAN_NAME, e->name, strlen(e->name));
	proto_uint(&p, SPAN_KIND, KIND_INTERNAL);
	proto_fixed(&p, SPAN_BEGUN, o->begun + (uint64_t)t->wall);
	proto_fixed(&p, SPAN_ENDED, e->time + (uint64_t)t->wall);
	buf_add(p.b, o->attributes.s, o->attributes.n);
	put_data(&p, SPAN_ATTRIBUTES, e, NULL);
	proto_close(&p);
}

static void free_open(struct open *o)
{
	buf_free(&o->attributes);
	mem_free(o);
}

static void end(struct timeline_otlp *t, const struct timeline_event *e)
{
	struct open *o;

	if (e->span) {
		o = map_get_int(t->open, e->span);
		map_del(t->open, &e->span, sizeof(e->span));
	} else {
		o = vec_pop(&thread_of(t, e)->slices);
	}
	if (t->spans)
		write_span(t, o, e);
	free_open(o);
}

/* ---- log records ---- */

static const struct timeline_arg *message_of(const struct timeline_event *e)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		if (strcmp(e->args[i].name, "message") == 0)
			return &e->args[i];
	return NULL;
}

static void put_name(struct proto *p, const struct timeline_event *e)
{
	struct buf name = {0};

	buf_printf(&name, "%s:%s", e->category, e->name);
	proto_text(p, LOG_NAME, buf_str(&name), name.n);
	buf_free(&name);
}

static void write_log(struct timeline_otlp *t, const struct timeline_event *e)
{
	const struct timeline_arg *message = message_of(e);
	const char *body = message ? message->text : e->name;
	const struct open *o = around(t, e);
	struct proto p = {.b = &t->logs->b};

	t->logs->n++;
	proto_open(&p, SCOPE_ITEM);
	proto_fixed(&p, LOG_TIME, e->time + (uint64_t)t->wall);
	proto_fixed(&p, LOG_OBSERVED, e->time + (uint64_t)t->wall);
	proto_open(&p, LOG_BODY);
	proto_text(&p, VALUE_STRING, body, message ? message->n : strlen(body));
	proto_close(&p);
	put_name(&p, e);
	put_thread(&p, LOG_ATTRIBUTES, e);
	put_data(&p, LOG_ATTRIBUTES, e, message);
	if (o) {
		proto_bytes(&p, LOG_TRACE, o->self.trace, TRACE_BYTES);
		proto_bytes(&p, LOG_SPAN, o->self.id, ID_BYTES);
	}
	proto_close(&p);
}

void timeline_otlp_event(struct timeline_otlp *t, const struct timeline_event *e)
{
	switch (e->kind) {
	case TIMELINE_BEGIN:
		begin(t, e);
		break;
	case TIMELINE_END:
		end(t, e);
		break;
	case TIMELINE_INSTANT:
	case TIMELINE_SAMPLE:
		/* The end of a flow comes with the end of its span. */
		if (t->logs && !e->flow)
			write_log(t, e);
		break;
	case TIMELINE_COUNTER:
		break;
	}
}

/* ---- the whole ---- */

struct timeline_otlp *timeline_otlp_new(struct timeline_otlp_items *spans,
					struct timeline_otlp_items *logs, int64_t wall)
{
	struct timeline_otlp *t = mem_alloc(sizeof(*t));

	t->spans = spans;
	t->logs = logs;
	t->wall = wall;
	t->threads = map_new();
	t->open = map_new();
	return t;
}

void timeline_otlp_free(struct timeline_otlp *t)
{
	struct thread *th;
	struct open *o;
	size_t pos = 0;

	while ((th = map_next(t->threads, &pos, NULL, NULL)) != NULL) {
		for (unsigned int i = 0; i < th->slices.n; i++)
			free_open(th->slices.a[i]);
		vec_free(&th->slices);
		mem_free(th);
	}
	pos = 0;
	while ((o = map_next(t->open, &pos, NULL, NULL)) != NULL)
		free_open(o);
	map_free(t->threads);
	map_free(t->open);
	mem_free(t);
}
