/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chrome.c: JSON events of Chrome's tracing ("Trace Event Format"), as the list of an object,
 * because some readers do not know the list alone.  A regular file always has its end, so a killed
 * trace can be opened.  Each event is a line.
 *
 * A span is an asynchronous event.  The counter of an aggregation belongs to process 0.
 *
 * Readers keep times as doubles in microseconds, which are too coarse for the time of day.  So
 * times begin with the first event, whose own time is text.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "print/doc.h"
#include "timeline/event.h"

/* Machines have ranges of numbers: PID_MAX_LIMIT, linux/threads.h. */
#define PIDS 4194304ULL

/* Chrome's own category of names; some readers require a category in the first event. */
#define METADATA "__metadata"

struct chrome {
	struct timeline_out out;
	struct timeline_file file;
	bool has_items, has_events;
	int64_t wall;
	uint64_t first; /* time of the first event */
	struct doc doc;
};

static uint64_t number(const struct timeline_thread *t, uint32_t id)
{
	return t->vmid * PIDS + id;
}

/* CPUs follow the threads of process 0. */
static uint64_t tid_of(const struct timeline_thread *t)
{
	return number(t, t->tid ? t->tid : (uint32_t)t->cpu);
}

static struct doc *begin(struct chrome *c, const char *phase, const char *name)
{
	if (c->has_items)
		fputs(",", c->file.f);
	c->has_items = true;
	doc_begin(&c->doc, c->file.f, DOC_JSON, false);
	doc_str(&c->doc, "ph", phase);
	doc_str(&c->doc, "name", name);
	return &c->doc;
}

static void end(struct chrome *c)
{
	doc_end(&c->doc);
	timeline_file_event_ends(&c->out, &c->file);
}

static void put_thread(struct doc *d, const struct timeline_thread *t)
{
	doc_uint(d, "pid", t ? number(t, t->pid) : 0);
	doc_uint(d, "tid", t ? tid_of(t) : 0);
}

/* ---- events ---- */

/* Viewers merge the arguments of an end with the arguments of its beginning. */
static void put_args(struct doc *d, const struct timeline_event *e)
{
	bool is_end = e->kind == TIMELINE_END;

	doc_open(d, "args", false);
	if (e->kind == TIMELINE_COUNTER)
		doc_int(d, "value", e->value);
	for (unsigned int i = 0; i < e->nargs; i++) {
		const struct timeline_arg *a = &e->args[i];

		if (a->type == TIMELINE_INT)
			doc_int(d, a->name, (int64_t)a->num);
		else if (a->type == TIMELINE_UINT)
			doc_uint(d, a->name, a->num);
		else
			doc_text(d, a->name, a->text, a->n);
	}
	if (e->cpu >= 0)
		doc_int(d, is_end ? "end_cpu" : "cpu", e->cpu);
	if (e->nstack)
		doc_open(d, is_end ? "end_stack" : "stack", true);
	for (unsigned int i = 0; i < e->nstack; i++)
		doc_str(d, NULL, e->stack[i]);
	if (e->nstack)
		doc_close(d);
	doc_close(d);
}

static const char *phase_of(const struct timeline_event *e)
{
	switch (e->kind) {
	case TIMELINE_BEGIN:
		return e->span ? "b" : "B";
	case TIMELINE_END:
		return e->span ? "e" : "E";
	case TIMELINE_COUNTER:
		return "C";
	case TIMELINE_INSTANT:
	case TIMELINE_SAMPLE:
		break;
	}
	return "i";
}

static struct doc *begin_event(struct chrome *c, const struct timeline_event *e, const char *phase)
{
	struct doc *d = begin(c, phase, e->name);

	doc_str(d, "cat", e->category);
	doc_thousandths(d, "ts", (int64_t)(e->time - c->first));
	put_thread(d, e->thread);
	return d;
}

/* An arrow joins the slices around its two ends. */
static void put_flow(struct chrome *c, const struct timeline_event *e)
{
	static const char *const phases[] = {[TIMELINE_FLOW_BEGINS] = "s",
					     [TIMELINE_FLOW_GOES_ON] = "t",
					     [TIMELINE_FLOW_ENDS] = "f"};
	char id[32];
	struct doc *d;

	if (!e->flow)
		return;
	d = begin_event(c, e, phases[e->flow]);
	snprintf(id, sizeof(id), "0x%" PRIx64, e->flow_id);
	doc_str(d, "id", id);
	doc_str(d, "bp", "e");
	end(c);
}

static void put_origin(struct chrome *c, uint64_t first)
{
	struct doc *d = begin(c, "M", "dtrace");
	char text[32];

	doc_str(d, "cat", METADATA);
	c->has_events = true;
	c->first = first;
	put_thread(d, NULL);
	doc_open(d, "args", false);
	snprintf(text, sizeof(text), "%" PRIu64, first);
	doc_str(d, "first timestamp", text);
	snprintf(text, sizeof(text), "%" PRIu64, first + (uint64_t)c->wall);
	doc_str(d, "first walltimestamp", text);
	doc_close(d);
	end(c);
}

static void put_event(struct timeline_out *out, const struct timeline_event *e)
{
	struct chrome *c = (struct chrome *)out;
	struct doc *d;

	if (!c->has_events)
		put_origin(c, e->time);
	d = begin_event(c, e, phase_of(e));
	if (e->span)
		doc_uint(d, "id", e->span);
	if (*phase_of(e) == 'i')
		doc_str(d, "s", e->thread ? "t" : "g");
	put_args(d, e);
	end(c);
	put_flow(c, e);
}

/* ---- names ---- */

static void put_name(struct chrome *c, const struct timeline_thread *t, const char *what,
		     const char *name)
{
	struct doc *d = begin(c, "M", what);

	doc_str(d, "cat", METADATA);
	put_thread(d, t);
	doc_open(d, "args", false);
	doc_str(d, "name", name);
	doc_close(d);
	end(c);
}

/* A process has the name of its first thread. */
static void put_names(struct timeline_out *out, const struct timeline_thread *t)
{
	struct chrome *c = (struct chrome *)out;
	struct buf b = {0};

	buf_printf(&b, "%s%s%s", t->machine ? t->machine : "", t->machine ? ": " : "", t->name);
	if (t->tid == t->pid)
		put_name(c, t, "process_name", buf_str(&b));
	put_name(c, t, "thread_name", t->name);
	buf_free(&b);
}

/* ---- the file ---- */

static void begin_list(struct chrome *c)
{
	c->has_items = c->has_events = false;
	fputs("{\"traceEvents\":[\n", c->file.f);
}

static struct timeline_out *open_chrome(const char *path, FILE *f, int64_t wall)
{
	struct chrome *c = mem_alloc(sizeof(*c));

	if (!timeline_file_open(&c->file, path, f)) {
		mem_free(c);
		return NULL;
	}
	c->file.tail = "]}\n";
	c->wall = wall;
	begin_list(c);
	return &c->out;
}

static void flush(struct timeline_out *out)
{
	timeline_file_flush(out, &((struct chrome *)out)->file);
}

static void end_list(struct timeline_out *out)
{
	struct chrome *c = (struct chrome *)out;

	timeline_file_end(out, &c->file);
}

/* The flushed list is in the first file. */
static void renew(struct timeline_out *out)
{
	struct chrome *c = (struct chrome *)out;

	if (c->file.is_own)
		return;
	end_list(out);
	begin_list(c);
}

static void free_chrome(struct timeline_out *out)
{
	struct chrome *c = (struct chrome *)out;

	timeline_file_close(&c->file);
	mem_free(c);
}

const struct timeline_format timeline_chrome = {
    .open = open_chrome,
    .thread = put_names,
    .event = put_event,
    .flush = flush,
    .renew = renew,
    .close = end_list,
    .free = free_chrome,
};
