/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfetto.c: a trace of Perfetto: packets of Protocol Buffers, all in one sequence.  Messages and
 * fields are from google/perfetto, protos/perfetto/trace: trace_packet.proto, clock_snapshot.proto,
 * track_event/track_event.proto, track_descriptor.proto, debug_annotation.proto,
 * interned_data/interned_data.proto, trace_packet_defaults.proto, profiling/profile_common.proto
 * and profile_packet.proto.
 *
 * A thread, a counter, and a span are tracks.  Names of functions, frames and stacks are interned:
 * the first packet that needs one describes it.  When they have taken INTERNED_MAX bytes, the
 * writer forgets all of them, and says so.
 *
 * Threads of other machines are tracks with a name only, since numbers of processes of different
 * machines can be equal.
 */
#include <errno.h>
#include <string.h>

#include "base/clocks.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "metrics/proto.h"
#include "timeline/event.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_SAMPLE = 66,
};
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 };
enum { CLOCKS_CLOCK = 1, CLOCKS_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIME = 2 };
enum { CLOCK_REALTIME_ID = 1, CLOCK_MONOTONIC_ID = 3 };
enum { DEFAULTS_SAMPLE = 12, DEFAULTS_CLOCK = 58, SAMPLE_TIMEBASE = 1 };
enum { TIMEBASE_PERIOD = 1, TIMEBASE_COUNTER = 4, COUNTER_CPU_CLOCK = 1 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
	EVENT_DATA = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_VALUE = 30,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
	EVENT_STACK = 56,
};
enum { DATUM_UINT = 3, DATUM_INT = 4, DATUM_TEXT = 6, DATUM_NAME = 10 };
enum { SAMPLE_CPU = 1, SAMPLE_PID = 2, SAMPLE_TID = 3, SAMPLE_STACK = 4 };
enum {
	INTERNED_FUNCTION = 5,
	INTERNED_FRAME = 6,
	INTERNED_STACK = 7,
	INTERNED_PATH = 17,
	INTERNED_MAPPING = 19,
};
enum { STRING_IID = 1, STRING_TEXT = 2, MAPPING_IID = 1, MAPPING_PATH = 7 };
enum { FRAME_IID = 1, FRAME_FUNCTION = 2, FRAME_MAPPING = 3, FRAME_PC = 4 };
enum { STACK_IID = 1, STACK_FRAME = 2 };

#define SEQUENCE 1

/* Kinds of tracks, in the upper bits of their numbers. */
enum { OF_THREAD = 1, OF_COUNTER, OF_SPAN, OF_PROCESS };
#define TRACK(kind, n) ((uint64_t)(kind) << 56 | (n))

#define INTERNED_MAX (16U << 20)

struct perfetto {
	struct timeline_out out;
	struct timeline_file file;
	struct buf packet;
	struct proto p;
	unsigned int clock; /* of events */
	uint64_t counters;  /* counters that were described */
	bool is_cleared;    /* the next packet says that interned data is forgotten */
	struct map *functions, *modules, *stacks;
	size_t interned;  /* bytes */
	uint64_t numbers; /* so far: a number is never used again (interned_data.proto) */
	VEC(uint64_t) frames;
};

/* ---- packets ---- */

static struct proto *begin(struct perfetto *t, uint64_t time, unsigned int flags)
{
	buf_reset(&t->packet);
	t->p = (struct proto){.b = &t->packet};
	proto_open(&t->p, TRACE_PACKET);
	proto_uint(&t->p, PACKET_SEQUENCE, SEQUENCE);
	if (time)
		proto_uint(&t->p, PACKET_TIME, time);
	if (flags)
		proto_uint(&t->p, PACKET_FLAGS, flags);
	return &t->p;
}

static void end(struct perfetto *t)
{
	proto_close(&t->p);
	fwrite(t->packet.s, 1, t->packet.n, t->file.f);
	timeline_file_event_ends(&t->out, &t->file);
}

static void put_str(struct proto *p, unsigned int field, const char *s)
{
	proto_text(p, field, s, strlen(s));
}

/* ---- interned data: each function returns a number ---- */

static void forget(struct perfetto *t)
{
	map_free(t->functions);
	map_free(t->modules);
	map_free(t->stacks);
	t->functions = map_new();
	t->modules = map_new();
	t->stacks = map_new();
	t->interned = 0;
	t->is_cleared = true;
}

/* Numbers begin at 1.  Sets *is_new if the text had none. */
static uint64_t intern(struct perfetto *t, struct map *m, const void *s, size_t n, bool *is_new)
{
	uint64_t number = (uintptr_t)map_get(m, s, n);

	*is_new = !number;
	if (number)
		return number;
	number = ++t->numbers;
	map_set(m, s, n, (void *)(uintptr_t)number);
	t->interned += n;
	return number;
}

static void put_string(struct proto *p, unsigned int field, uint64_t iid, const char *s, size_t n)
{
	proto_open(p, field);
	proto_uint(p, STRING_IID, iid);
	proto_text(p, STRING_TEXT, s, n);
	proto_close(p);
}

/* The module of a frame is the text before the `. */
static uint64_t module_of(struct perfetto *t, const char *frame)
{
	size_t n = strcspn(frame, "`");
	bool is_new;
	uint64_t iid = intern(t, t->modules, frame, frame[n] ? n : 0, &is_new);

	if (!is_new)
		return iid;
	put_string(&t->p, INTERNED_PATH, iid, frame, frame[n] ? n : 0);
	proto_open(&t->p, INTERNED_MAPPING);
	proto_uint(&t->p, MAPPING_IID, iid);
	proto_uint(&t->p, MAPPING_PATH, iid);
	proto_close(&t->p);
	return iid;
}

/* The numbers of a function and of its only frame are equal. */
static uint64_t frame_of(struct perfetto *t, const char *frame)
{
	bool is_new;
	uint64_t iid = intern(t, t->functions, frame, strlen(frame), &is_new);
	const char *tick = strchr(frame, '`'), *name = tick ? tick + 1 : frame;
	uint64_t module;

	if (!is_new)
		return iid;
	module = module_of(t, frame);
	put_string(&t->p, INTERNED_FUNCTION, iid, name, strlen(name));
	proto_open(&t->p, INTERNED_FRAME);
	proto_uint(&t->p, FRAME_IID, iid);
	proto_uint(&t->p, FRAME_FUNCTION, iid);
	proto_uint(&t->p, FRAME_MAPPING, module);
	proto_uint(&t->p, FRAME_PC, iid);
	proto_close(&t->p);
	return iid;
}

/* Returns the number of the stack.  Its new parts are written into the packet. */
static uint64_t put_stack(struct perfetto *t, const struct timeline_event *e)
{
	uint64_t iid;
	bool is_new;

	proto_open(&t->p, PACKET_INTERNED);
	t->frames.n = 0;
	for (unsigned int i = e->nstack; i-- > 0;)
		vec_push(&t->frames, frame_of(t, e->stack[i]));
	iid = intern(t, t->stacks, t->frames.a, t->frames.n * sizeof(*t->frames.a), &is_new);
	if (is_new) {
		proto_open(&t->p, INTERNED_STACK);
		proto_uint(&t->p, STACK_IID, iid);
		for (unsigned int i = 0; i < t->frames.n; i++)
			proto_uint(&t->p, STACK_FRAME, t->frames.a[i]);
		proto_close(&t->p);
	}
	proto_close(&t->p);
	return iid;
}

/* ---- tracks ---- */

static void put_process(struct perfetto *t, const struct timeline_thread *of)
{
	struct proto *p = begin(t, 0, 0);

	proto_open(p, PACKET_TRACK);
	proto_uint(p, TRACK_UUID, TRACK(OF_PROCESS, of->pid));
	proto_open(p, TRACK_PROCESS);
	proto_uint(p, PROCESS_PID, of->pid);
	put_str(p, PROCESS_NAME, of->name);
	proto_close(p);
	proto_close(p);
	end(t);
}

static void put_thread(struct proto *p, const struct timeline_thread *t)
{
	proto_open(p, TRACK_THREAD);
	proto_uint(p, THREAD_PID, t->pid);
	proto_uint(p, THREAD_TID, t->tid);
	put_str(p, THREAD_NAME, t->name);
	proto_close(p);
}

static void put_thread_name(struct proto *p, const struct timeline_thread *t)
{
	struct buf b = {0};

	buf_printf(&b, "%s%s%s", t->machine ? t->machine : "", t->machine ? ": " : "", t->name);
	if (t->tid)
		buf_printf(&b, " %u", t->tid);
	put_str(p, TRACK_NAME, buf_str(&b));
	buf_free(&b);
}

static void describe_thread(struct timeline_out *out, const struct timeline_thread *of)
{
	struct perfetto *t = (struct perfetto *)out;
	bool is_native = of->tid && !of->machine;
	struct proto *p;

	if (is_native && of->tid == of->pid)
		put_process(t, of);
	p = begin(t, 0, 0);
	proto_open(p, PACKET_TRACK);
	proto_uint(p, TRACK_UUID, TRACK(OF_THREAD, of->number));
	if (is_native)
		put_thread(p, of);
	else
		put_thread_name(p, of);
	proto_close(p);
	end(t);
}

static void describe(struct perfetto *t, uint64_t uuid, const char *name, bool is_counter)
{
	struct proto *p = begin(t, 0, 0);

	proto_open(p, PACKET_TRACK);
	proto_uint(p, TRACK_UUID, uuid);
	put_str(p, TRACK_NAME, name);
	if (is_counter) {
		proto_open(p, TRACK_COUNTER);
		proto_close(p);
	}
	proto_close(p);
	end(t);
}

/* ---- events ---- */

static uint64_t track_of(const struct timeline_event *e)
{
	return e->kind == TIMELINE_COUNTER ? TRACK(OF_COUNTER, e->counter)
	       : e->span		   ? TRACK(OF_SPAN, e->span)
	       : e->thread		   ? TRACK(OF_THREAD, e->thread->number)
					   : 0;
}

static void put_datum(struct proto *p, const struct timeline_arg *a)
{
	proto_open(p, EVENT_DATA);
	put_str(p, DATUM_NAME, a->name);
	if (a->type == TIMELINE_TEXT)
		proto_text(p, DATUM_TEXT, a->text, a->n);
	else
		proto_uint(p, a->type == TIMELINE_INT ? DATUM_INT : DATUM_UINT, a->num);
	proto_close(p);
}

static void put_event(struct perfetto *t, const struct timeline_event *e, uint64_t stack)
{
	/* TrackEvent.Type */
	static const unsigned int types[] = {[TIMELINE_BEGIN] = 1,
					     [TIMELINE_END] = 2,
					     [TIMELINE_INSTANT] = 3,
					     [TIMELINE_SAMPLE] = 3,
					     [TIMELINE_COUNTER] = 4};
	struct proto *p = &t->p;

	proto_open(p, PACKET_EVENT);
	proto_uint(p, EVENT_TYPE, types[e->kind]);
	proto_uint(p, EVENT_TRACK, track_of(e));
	if (e->kind == TIMELINE_COUNTER)
		proto_uint(p, EVENT_VALUE, (uint64_t)e->value);
	if (e->kind != TIMELINE_END && e->kind != TIMELINE_COUNTER) {
		put_str(p, EVENT_CATEGORY, e->category);
		put_str(p, EVENT_NAME, e->name);
	}
	for (unsigned int i = 0; i < e->nargs; i++)
		put_datum(p, &e->args[i]);
	if (e->flow)
		proto_fixed(p, e->flow == TIMELINE_FLOW_ENDS ? EVENT_LAST_FLOW : EVENT_FLOW,
			    e->flow_id);
	if (stack)
		proto_uint(p, EVENT_STACK, stack);
	proto_close(p);
}

static void put_sample(struct perfetto *t, const struct timeline_event *e, uint64_t stack)
{
	struct proto *p = &t->p;

	proto_open(p, PACKET_SAMPLE);
	proto_uint(p, SAMPLE_CPU, (uint64_t)e->cpu);
	proto_uint(p, SAMPLE_PID, e->thread->pid);
	proto_uint(p, SAMPLE_TID, e->thread->tid);
	proto_uint(p, SAMPLE_STACK, stack);
	proto_close(p);
}

/* Writes the packet that begins a sequence, or that makes the reader forget interned data. */
static void begin_sequence(struct perfetto *t)
{
	struct proto *p = begin(t, 0, FLAG_CLEARED);

	proto_open(p, PACKET_DEFAULTS);
	proto_uint(p, DEFAULTS_CLOCK, t->clock);
	proto_open(p, DEFAULTS_SAMPLE);
	proto_open(p, SAMPLE_TIMEBASE);
	proto_uint(p, TIMEBASE_PERIOD, 1);
	proto_uint(p, TIMEBASE_COUNTER, COUNTER_CPU_CLOCK);
	proto_close(p);
	proto_close(p);
	proto_close(p);
	end(t);
	t->is_cleared = false;
}

static void write_event(struct timeline_out *out, const struct timeline_event *e)
{
	struct perfetto *t = (struct perfetto *)out;
	bool is_sample = e->kind == TIMELINE_SAMPLE && !e->thread->machine;
	uint64_t stack;

	if (t->interned > INTERNED_MAX)
		forget(t);
	if (t->is_cleared)
		begin_sequence(t);
	if (e->kind == TIMELINE_COUNTER && e->counter > t->counters) {
		t->counters = e->counter;
		describe(t, track_of(e), e->name, true);
	}
	if (e->kind == TIMELINE_BEGIN && e->span)
		describe(t, track_of(e), e->name, false);
	begin(t, e->time, FLAG_NEEDED);
	stack = e->nstack ? put_stack(t, e) : 0;
	if (is_sample)
		put_sample(t, e, stack);
	else
		put_event(t, e, stack);
	end(t);
}

/* ---- the file ---- */

static void put_clock(struct proto *p, unsigned int id, uint64_t time)
{
	proto_open(p, CLOCKS_CLOCK);
	proto_uint(p, CLOCK_ID, id);
	proto_uint(p, CLOCK_TIME, time);
	proto_close(p);
}

/* Events of a saved run have the time of day.  Its other clocks are not known. */
static void put_clocks(struct perfetto *t, int64_t wall)
{
	struct proto *p = begin(t, 0, 0);
	uint64_t now = clock_ns();

	t->clock = wall ? CLOCK_MONOTONIC_ID : CLOCK_REALTIME_ID;
	proto_open(p, PACKET_CLOCKS);
	if (wall)
		put_clock(p, CLOCK_MONOTONIC_ID, now);
	put_clock(p, CLOCK_REALTIME_ID, wall ? now + (uint64_t)wall : clock_wall());
	proto_uint(p, CLOCKS_PRIMARY, t->clock);
	proto_close(p);
	end(t);
}

static struct timeline_out *open_perfetto(const char *path, FILE *f, int64_t wall)
{
	struct perfetto *t = mem_alloc(sizeof(*t));

	if (!timeline_file_open(&t->file, path, f)) {
		mem_free(t);
		return NULL;
	}
	forget(t);
	put_clocks(t, wall);
	begin_sequence(t);
	return &t->out;
}

static void flush(struct timeline_out *out)
{
	timeline_file_flush(out, &((struct perfetto *)out)->file);
}

static void free_perfetto(struct timeline_out *out)
{
	struct perfetto *t = (struct perfetto *)out;

	timeline_file_close(&t->file);
	map_free(t->functions);
	map_free(t->modules);
	map_free(t->stacks);
	vec_free(&t->frames);
	buf_free(&t->packet);
	mem_free(t);
}

const struct timeline_format timeline_perfetto = {
    .open = open_perfetto,
    .thread = describe_thread,
    .event = write_event,
    .flush = flush,
    .close = flush,
    .free = free_perfetto,
};
