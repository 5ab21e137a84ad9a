/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.c: see timeline.h.
 *
 * Records of several CPUs and machines are not quite in order, and an event needs all records of
 * its firing.  So a firing waits for WAIT_NS in a list in order of time, and then becomes events.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "print/table.h"
#include "timeline/counters.h"
#include "timeline/timeline.h"

#define WAIT_NS 20000000ULL

/*
 * Data of an end have a prefix, because viewers merge them with data of the beginning.  Each name
 * is stored after this prefix.
 */
#define END_PREFIX "end_"

/* Members that are size_t are offsets in the text of the firing; 0: none. */
struct datum {
	enum timeline_type type;
	size_t name, text, n;
	uint64_t num;
};

struct action {
	bool is_begin;
	size_t name, id, parent;
};

struct firing {
	struct firing *prev, *next; /* by time */
	struct timeline_thread thread;
	const struct role *role;
	uint64_t time;
	uint32_t id; /* of the probe */
	int cpu;
	struct buf text;
	VEC(struct datum) data;
	VEC(struct action) actions;
	VEC(size_t) frames;
};

struct timeline {
	struct arena *arena;
	struct roles *roles;
	struct slices *slices;
	struct counters *counters;
	struct map *machines; /* number -> name */
	struct firing *current, *first, *last, *unused;
	VEC(struct timeline_arg) args; /* of the current event */
	VEC(const char *) stack;
};

/* ---- firings to events ---- */

static bool is_end(const struct firing *f)
{
	return f->actions.n ? !f->actions.a[0].is_begin : f->role->pair && !f->role->is_begin;
}

/* Returns the event of a firing, whose data stay in tl until the next call. */
static struct timeline_event event_of(struct timeline *tl, const struct firing *f)
{
	size_t skipped = is_end(f) ? 0 : strlen(END_PREFIX);

	tl->args.n = tl->stack.n = 0;
	for (unsigned int i = 0; i < f->data.n; i++) {
		const struct datum *d = &f->data.a[i];
		struct timeline_arg a = {.type = d->type,
					 .name = f->text.s + d->name + skipped,
					 .num = d->num,
					 .text = f->text.s + d->text,
					 .n = d->n};

		vec_push(&tl->args, a);
	}
	for (unsigned int i = 0; i < f->frames.n; i++)
		vec_push(&tl->stack, f->text.s + f->frames.a[i]);
	return (struct timeline_event){.time = f->time,
				       .cpu = f->cpu,
				       .category = f->role->category,
				       .name = f->role->name,
				       .args = tl->args.a,
				       .nargs = tl->args.n,
				       .stack = tl->stack.a,
				       .nstack = tl->stack.n};
}

static const char *text_at(const struct firing *f, size_t off)
{
	return off ? f->text.s + off : NULL;
}

static void act(struct timeline *tl, struct slices_thread *t, const struct firing *f,
		struct timeline_event e)
{
	for (unsigned int i = 0; i < f->actions.n; i++) {
		const struct action *a = &f->actions.a[i];
		struct timeline_event one = e;

		if (a->is_begin) {
			one.name = text_at(f, a->name);
			one.traceparent = text_at(f, a->parent);
			slices_begin_span(tl->slices, t, &one, text_at(f, a->id));
		} else {
			slices_end_span(tl->slices, t, &one, text_at(f, a->id));
		}
		e.nargs = e.nstack = 0;
	}
}

static void write_firing(struct timeline *tl, const struct firing *f)
{
	struct slices_thread *t = slices_thread(tl->slices, &f->thread, f->time);
	struct timeline_event e = event_of(tl, f);
	const struct role *role = f->role;

	e.thread = slices_who(t);
	if (f->actions.n) {
		act(tl, t, f, e);
	} else if (role->pair && role->is_begin) {
		slices_begin(tl->slices, t, &e, role);
	} else if (role->pair) {
		e.kind = TIMELINE_END;
		slices_end(tl->slices, t, &e, role);
	} else {
		e.kind =
		    role->is_sample && e.nstack && !e.nargs ? TIMELINE_SAMPLE : TIMELINE_INSTANT;
		slices_write(tl->slices, &e);
	}
}

static void write_before(struct timeline *tl, uint64_t time)
{
	struct firing *f;

	while ((f = tl->first) != NULL && f->time < time) {
		tl->first = f->next;
		*(f->next ? &f->next->prev : &tl->last) = NULL;
		write_firing(tl, f);
		buf_reset(&f->text);
		f->data.n = f->actions.n = f->frames.n = 0;
		f->next = tl->unused;
		tl->unused = f;
	}
}

/* ---- records to firings ---- */

static const char *machine_of(struct timeline *tl, const struct table_rec *r)
{
	char *name = r->machine ? map_get_int(tl->machines, r->vmid) : NULL;

	if (r->machine && !name) {
		name = arena_strdup(tl->arena, r->machine);
		map_set_int(tl->machines, r->vmid, name);
	}
	return name;
}

static bool is_of(const struct firing *f, const struct table_rec *r)
{
	return f->id == r->id && f->thread.vmid == r->vmid && f->thread.tid == r->thread.tid &&
	       f->cpu == r->cpu;
}

static struct firing *firing_new(struct timeline *tl, const struct table_rec *r)
{
	struct firing *f = tl->unused;

	if (f)
		tl->unused = f->next;
	else
		f = mem_alloc(sizeof(*f));
	f->thread = (struct timeline_thread){.vmid = r->vmid,
					     .pid = r->thread.pid,
					     .tid = r->thread.tid,
					     .cpu = r->thread.tid ? -1 : r->cpu,
					     .machine = machine_of(tl, r)};
	memcpy(f->thread.name, r->thread.name, sizeof(f->thread.name));
	f->role = roles_of(tl->roles, r);
	f->time = r->time;
	f->id = r->id;
	f->cpu = r->cpu;
	buf_putc(&f->text, '\0');
	return f;
}

static void insert(struct timeline *tl, struct firing *f, struct firing *prev)
{
	f->prev = prev;
	f->next = prev ? prev->next : tl->first;
	*(f->next ? &f->next->prev : &tl->last) = f;
	*(prev ? &prev->next : &tl->first) = f;
}

void timeline_record(struct timeline *tl, const struct table_rec *r)
{
	struct firing *prev, *f;

	write_before(tl, r->time > WAIT_NS ? r->time - WAIT_NS : 0);
	prev = tl->last;
	while (prev && prev->time > r->time)
		prev = prev->prev;
	f = prev;
	while (f && f->time == r->time && !is_of(f, r))
		f = f->prev;
	if (!f || f->time != r->time) {
		f = firing_new(tl, r);
		insert(tl, f, prev);
	}
	tl->current = f;
}

static size_t keep(struct firing *f, const char *s, size_t n)
{
	size_t at = f->text.n;

	buf_add(&f->text, s, n);
	buf_putc(&f->text, '\0');
	return at;
}

static size_t keep_str(struct firing *f, const char *s)
{
	return s ? keep(f, s, strlen(s)) : 0;
}

/* Adds a datum.  Names of an event are different: value, value2 and so on. */
static struct datum *datum_new(struct firing *f, const char *name)
{
	size_t n = strlen(name), at = f->text.n, prefix = strlen(END_PREFIX);
	unsigned int same = 1;

	for (unsigned int i = 0; i < f->data.n; i++)
		same += strncmp(f->text.s + f->data.a[i].name + prefix, name, n) == 0;
	buf_printf(&f->text, END_PREFIX "%s", name);
	if (same > 1)
		buf_printf(&f->text, "%u", same);
	buf_putc(&f->text, '\0');
	vec_push(&f->data, ((struct datum){.name = at}));
	return &vec_last(&f->data);
}

void timeline_number(struct timeline *tl, const char *name, uint64_t v, bool is_signed)
{
	struct datum *d = datum_new(tl->current, name);

	d->type = is_signed ? TIMELINE_INT : TIMELINE_UINT;
	d->num = v;
}

void timeline_text(struct timeline *tl, const char *name, const char *s, size_t n)
{
	struct datum *d = datum_new(tl->current, name);

	d->type = TIMELINE_TEXT;
	d->n = n;
	d->text = keep(tl->current, s, n);
}

void timeline_frame(struct timeline *tl, const char *s, size_t n)
{
	vec_push(&tl->current->frames, keep(tl->current, s, n));
}

void timeline_span_begins(struct timeline *tl, const char *name, const char *id, const char *parent)
{
	struct firing *f = tl->current;

	if (parent)
		timeline_text(tl, "traceparent", parent, strlen(parent));
	vec_push(&f->actions, ((struct action){.is_begin = true,
					       .name = keep_str(f, name),
					       .id = keep_str(f, id),
					       .parent = keep_str(f, parent)}));
}

void timeline_span_ends(struct timeline *tl, const char *id)
{
	vec_push(&tl->current->actions, ((struct action){.id = keep_str(tl->current, id)}));
}

void timeline_record_ends(struct timeline *tl)
{
	tl->current = NULL;
}

/* ---- other events ---- */

bool timeline_row(struct timeline *tl, const char *agg, const char *row, int64_t value)
{
	return counters_add(tl->counters, agg, row, value);
}

void timeline_rows_end(struct timeline *tl, const char *agg, uint64_t time)
{
	counters_end(tl->counters, agg, time);
}

void timeline_note(struct timeline *tl, uint64_t time, const char *name, const char *text)
{
	struct timeline_arg a = {
	    .type = TIMELINE_TEXT, .name = "message", .text = text, .n = strlen(text)};

	slices_write(tl->slices, &(struct timeline_event){.kind = TIMELINE_INSTANT,
							  .time = time,
							  .cpu = -1,
							  .category = "dtrace",
							  .name = name,
							  .args = &a,
							  .nargs = 1});
}

/* ---- the whole ---- */

struct timeline *timeline_new(struct timeline_out *const *outs, unsigned int n,
			      roles_recorded *is_recorded, void *ctx)
{
	struct timeline *tl = mem_alloc(sizeof(*tl));

	tl->arena = arena_new();
	tl->roles = roles_new(is_recorded, ctx);
	tl->slices = slices_new(outs, n);
	tl->counters = counters_new(tl->slices);
	tl->machines = map_new();
	return tl;
}

void timeline_flush(struct timeline *tl, uint64_t now)
{
	write_before(tl, now - WAIT_NS);
	slices_flush(tl->slices);
}

void timeline_renew(struct timeline *tl)
{
	write_before(tl, UINT64_MAX);
	slices_renew(tl->slices);
}

void timeline_end(struct timeline *tl, uint64_t time, struct slices_counts *counts)
{
	write_before(tl, UINT64_MAX);
	slices_close(tl->slices, time, counts);
}

static void free_firings(struct firing *f)
{
	for (struct firing *next; f; f = next) {
		next = f->next;
		buf_free(&f->text);
		vec_free(&f->data);
		vec_free(&f->actions);
		vec_free(&f->frames);
		mem_free(f);
	}
}

void timeline_free(struct timeline *tl)
{
	free_firings(tl->first);
	free_firings(tl->unused);
	counters_free(tl->counters);
	slices_free(tl->slices);
	roles_free(tl->roles);
	vec_free(&tl->args);
	vec_free(&tl->stack);
	map_free(tl->machines);
	arena_free(tl->arena);
	mem_free(tl);
}
