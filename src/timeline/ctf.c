/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ctf.c: the Common Trace Format, version 1.8 (the specification of diamon.org/ctf): a directory
 * with a file `metadata`, as text, and files of streams.
 *
 * All fields are aligned to bytes.  An event is its class and its time, then the CPU and the
 * thread, then its own fields.  Events with the same name and the same fields have one class, which
 * is appended to the metadata before the first of them is written.
 *
 * Times of a stream must not decrease.  Records of several CPUs, and of speculations, are not quite
 * in order.  So an event goes to the open stream with the latest time that is not after the event.
 * If no stream fits, a new one begins.  If STREAMS_MAX streams are open, the oldest one ends.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "timeline/event.h"

#define MAGIC	    0xc1fc1fc1U
#define HEAD	    40	  /* bytes before the events of a packet: see the metadata */
#define PACKET_SIZE 65536 /* a packet is written when it has more bytes */
#define PACKET_NS   1000000000ULL
#define STREAMS_MAX 64

struct stream {
	FILE *f;
	struct buf packet;   /* with its head */
	uint64_t begin, end; /* times of the events */
	uint64_t written;    /* CLOCK_MONOTONIC of the last packet */
};

struct ctf {
	struct timeline_out out;
	FILE *metadata;
	struct map *classes;	      /* description -> number, plus 1 */
	VEC(struct stream *) streams; /* open */
	unsigned int nstreams;	      /* so far */
	struct buf text;
};

static const char head[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "trace {\n"
    "\tmajor = 1;\n"
    "\tminor = 8;\n"
    "\tbyte_order = le;\n"
    "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n"
    "};\n"
    "env {\n"
    "\tdomain = \"dtrace\";\n"
    "\ttracer_name = \"dtrace\";\n"
    "};\n"
    "clock {\n"
    "\tname = monotonic;\n"
    "\tfreq = 1000000000;\n"
    "\toffset_s = %" PRIu64 ";\n"
    "\toffset = %" PRIu64 ";\n"
    "};\n"
    "typealias integer {\n"
    "\tsize = 64; align = 8; signed = false; map = clock.monotonic.value;\n"
    "} := time_t;\n"
    "stream {\n"
    "\tid = 0;\n"
    "\tpacket.context := struct {\n"
    "\t\ttime_t timestamp_begin;\n"
    "\t\ttime_t timestamp_end;\n"
    "\t\tuint64_t content_size;\n"
    "\t\tuint64_t packet_size;\n"
    "\t};\n"
    "\tevent.header := struct { uint32_t id; time_t timestamp; };\n"
    "\tevent.context := struct {\n"
    "\t\tint32_t _cpu;\n"
    "\t\tint32_t _pid;\n"
    "\t\tint32_t _tid;\n"
    "\t\tstring _execname;\n"
    "\t\tstring _vmname;\n"
    "\t};\n"
    "};\n";

/* ---- bytes ---- */

static void put_number(struct buf *b, uint64_t v, unsigned int bytes)
{
	for (; bytes; bytes--, v >>= 8)
		buf_putc(b, (char)v);
}

static void set_number(char *at, uint64_t v, unsigned int bytes)
{
	for (; bytes; bytes--, v >>= 8)
		*at++ = (char)v;
}

static void put_text(struct buf *b, const char *s, size_t n)
{
	timeline_utf8(b, s, n);
	buf_putc(b, '\0');
}

static void put_str(struct buf *b, const char *s)
{
	put_text(b, s, strlen(s));
}

static void fail(struct ctf *c)
{
	if (!c->out.error)
		c->out.error = errno ? errno : EIO;
}

/* ---- packets ---- */

static void write_packet(struct ctf *c, struct stream *s)
{
	char *h = s->packet.s;

	if (s->packet.n <= HEAD)
		return;
	set_number(h, MAGIC, 4);
	set_number(h + 8, s->begin, 8);
	set_number(h + 16, s->end, 8);
	set_number(h + 24, s->packet.n * 8, 8);
	set_number(h + 32, s->packet.n * 8, 8);
	errno = 0;
	if (fwrite(h, 1, s->packet.n, s->f) != s->packet.n || fflush(s->f) != 0)
		fail(c);
	buf_reset(&s->packet);
	buf_pad(&s->packet, '\0', HEAD);
	s->written = clock_ns();
}

static FILE *open_in(const char *folder, const char *name)
{
	struct buf path = {0};
	FILE *f;

	buf_printf(&path, "%s/%s", folder, name);
	f = file_write(buf_str(&path), FILE_REPLACE);
	buf_free(&path);
	return f;
}

static void stream_free(struct stream *s)
{
	fclose(s->f);
	buf_free(&s->packet);
	mem_free(s);
}

static struct stream *stream_new(struct ctf *c)
{
	struct stream *s = mem_alloc(sizeof(*s));
	char name[32];

	snprintf(name, sizeof(name), "stream%u", c->nstreams);
	s->f = open_in(c->out.path, name);
	if (!s->f) {
		fail(c);
		mem_free(s);
		return NULL;
	}
	c->nstreams++;
	buf_pad(&s->packet, '\0', HEAD);
	s->written = clock_ns();
	vec_push(&c->streams, s);
	return s;
}

static void end_oldest(struct ctf *c)
{
	unsigned int oldest = 0;
	struct stream *s;

	for (unsigned int i = 1; i < c->streams.n; i++)
		if (c->streams.a[i]->end < c->streams.a[oldest]->end)
			oldest = i;
	s = c->streams.a[oldest];
	c->streams.a[oldest] = vec_pop(&c->streams);
	write_packet(c, s);
	stream_free(s);
}

/* Returns the stream for an event of this time; NULL: it could not be opened. */
static struct stream *stream_for(struct ctf *c, uint64_t time)
{
	struct stream *best = NULL;

	for (unsigned int i = 0; i < c->streams.n; i++) {
		struct stream *s = c->streams.a[i];

		if (s->end <= time && (!best || s->end > best->end))
			best = s;
	}
	if (best)
		return best;
	if (c->streams.n == STREAMS_MAX)
		end_oldest(c);
	return stream_new(c);
}

/* ---- classes ---- */

/* Appends a literal of the metadata. */
static void put_literal(struct buf *b, const char *s)
{
	struct buf utf8 = {0};

	timeline_utf8(&utf8, s, strlen(s));
	buf_putc(b, '"');
	for (const char *p = buf_str(&utf8); *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			buf_putc(b, '?');
		else
			buf_printf(b, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	}
	buf_putc(b, '"');
	buf_free(&utf8);
}

static const char *suffix_of(const struct timeline_event *e)
{
	return e->kind == TIMELINE_BEGIN ? ":begin" : e->kind == TIMELINE_END ? ":end" : "";
}

/* A name that the program has chosen is a field. */
static void describe(struct buf *b, const struct timeline_event *e)
{
	static const char *const types[] = {
	    [TIMELINE_INT] = "int64_t", [TIMELINE_UINT] = "uint64_t", [TIMELINE_TEXT] = "string"};
	struct buf name = {0};

	buf_printf(&name, "%s", e->category);
	if (!e->is_named)
		buf_printf(&name, ":%s", e->name);
	buf_puts(&name, suffix_of(e));
	buf_puts(b, "\tname = ");
	put_literal(b, buf_str(&name));
	buf_puts(b, ";\n\tfields := struct {\n");
	if (e->is_named)
		buf_puts(b, "\t\tstring _name;\n");
	if (e->span)
		buf_puts(b, "\t\tuint64_t _span;\n");
	if (e->flow_id)
		buf_puts(b, "\t\tuint64_t _flow;\n");
	if (e->kind == TIMELINE_COUNTER)
		buf_puts(b, "\t\tint64_t _value;\n");
	for (unsigned int i = 0; i < e->nargs; i++)
		buf_printf(b, "\t\t%s _%s;\n", types[e->args[i].type], e->args[i].name);
	if (e->nstack)
		buf_puts(b, "\t\tuint32_t _nstack;\n\t\tstring _stack[_nstack];\n");
	buf_puts(b, "\t};\n");
	buf_free(&name);
}

static unsigned int class_of(struct ctf *c, const struct timeline_event *e)
{
	uintptr_t number;

	buf_reset(&c->text);
	describe(&c->text, e);
	number = (uintptr_t)map_get_str(c->classes, buf_str(&c->text));
	if (number)
		return (unsigned int)number - 1;
	number = map_count(c->classes) + 1;
	map_set_str(c->classes, buf_str(&c->text), (void *)number);
	fprintf(c->metadata, "event {\n\tid = %u;\n\tstream_id = 0;\n%s};\n",
		(unsigned int)number - 1, buf_str(&c->text));
	errno = 0;
	if (fflush(c->metadata) != 0)
		fail(c);
	return (unsigned int)number - 1;
}

/* ---- events ---- */

/* Babeltrace 2.0 shows the previous text in place of an empty one, so these texts are not empty. */
static void put_context(struct buf *b, const struct timeline_event *e)
{
	const struct timeline_thread *t = e->thread;

	put_number(b, (uint64_t)(int64_t)e->cpu, 4);
	put_number(b, t ? t->pid : UINT32_MAX, 4);
	put_number(b, t ? t->tid : UINT32_MAX, 4);
	put_str(b, t && *t->name ? t->name : "-");
	put_str(b, t && t->machine ? t->machine : "host");
}

static void put_fields(struct buf *b, const struct timeline_event *e)
{
	if (e->is_named)
		put_str(b, e->name);
	if (e->span)
		put_number(b, e->span, 8);
	if (e->flow_id)
		put_number(b, e->flow_id, 8);
	if (e->kind == TIMELINE_COUNTER)
		put_number(b, (uint64_t)e->value, 8);
	for (unsigned int i = 0; i < e->nargs; i++) {
		if (e->args[i].type == TIMELINE_TEXT)
			put_text(b, e->args[i].text, e->args[i].n);
		else
			put_number(b, e->args[i].num, 8);
	}
	if (e->nstack)
		put_number(b, e->nstack, 4);
	for (unsigned int i = 0; i < e->nstack; i++)
		put_str(b, e->stack[i]);
}

static void put_event(struct timeline_out *out, const struct timeline_event *e)
{
	struct ctf *c = (struct ctf *)out;
	unsigned int id = class_of(c, e);
	struct stream *s = stream_for(c, e->time);

	if (!s)
		return;
	s->end = e->time;
	if (s->packet.n == HEAD)
		s->begin = s->end;
	put_number(&s->packet, id, 4);
	put_number(&s->packet, e->time, 8);
	put_context(&s->packet, e);
	put_fields(&s->packet, e);
	if (s->packet.n > PACKET_SIZE)
		write_packet(c, s);
}

/* The thread is in each event. */
static void put_thread(struct timeline_out *out, const struct timeline_thread *t)
{
}

/* ---- the directory ---- */

/* Removes the streams of an earlier trace. */
static void remove_streams(const char *path)
{
	struct buf name = {0};
	unsigned int i = 0;

	do {
		buf_reset(&name);
		buf_printf(&name, "%s/stream%u", path, i++);
	} while (unlink(buf_str(&name)) == 0);
	buf_free(&name);
}

static struct timeline_out *open_ctf(const char *path, FILE *f, int64_t wall)
{
	struct ctf *c;

	assert(!f);
	if (!file_make_folder(path))
		return NULL;
	f = open_in(path, "metadata");
	if (!f)
		return NULL;
	remove_streams(path);
	fprintf(f, head, (uint64_t)wall / 1000000000, (uint64_t)wall % 1000000000);
	c = mem_alloc(sizeof(*c));
	c->metadata = f;
	c->classes = map_new();
	return &c->out;
}

static void flush_old(struct timeline_out *out)
{
	struct ctf *c = (struct ctf *)out;

	for (unsigned int i = 0; i < c->streams.n; i++)
		if (clock_ns() - c->streams.a[i]->written > PACKET_NS)
			write_packet(c, c->streams.a[i]);
}

static void close_ctf(struct timeline_out *out)
{
	struct ctf *c = (struct ctf *)out;

	for (unsigned int i = 0; i < c->streams.n; i++)
		write_packet(c, c->streams.a[i]);
	errno = 0;
	if (fflush(c->metadata) != 0)
		fail(c);
}

static void free_ctf(struct timeline_out *out)
{
	struct ctf *c = (struct ctf *)out;

	for (unsigned int i = 0; i < c->streams.n; i++)
		stream_free(c->streams.a[i]);
	vec_free(&c->streams);
	fclose(c->metadata);
	map_free(c->classes);
	buf_free(&c->text);
	mem_free(c);
}

const struct timeline_format timeline_ctf = {
    .open = open_ctf,
    .thread = put_thread,
    .event = put_event,
    .flush = flush_old,
    .close = close_ctf,
    .free = free_ctf,
};
