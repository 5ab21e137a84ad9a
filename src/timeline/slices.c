/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.c: see slices.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "timeline/roles.h"
#include "timeline/slices.h"

#define CHAINS 1024

/* An open slice of a thread. */
struct slice {
	const void *pair; /* NULL: a span */
	const char *category;
	const char *name;
	char *own_name; /* the name of a span; owned */
};

struct slices_thread {
	struct timeline_thread t;
	VEC(struct slice) open;
};

/* An open span with an id. */
struct span {
	struct span *next; /* in its chain, the latest first */
	uint64_t number;
	char *id, *name;
	const struct timeline_thread *thread; /* that began it */
};

struct slices {
	struct arena *arena; /* threads */
	VEC(struct timeline_out *) outs;
	struct map *by_number; /* machine and thread -> the thread that has this number now */
	VEC(struct slices_thread *) threads;
	struct span *spans[CHAINS]; /* by the hash of the id */
	uint64_t nspans;
	uint64_t time; /* of the latest event */
	struct slices_counts counts;
};

/* ---- outputs ---- */

void slices_write(struct slices *sl, const struct timeline_event *e)
{
	if (e->time > sl->time)
		sl->time = e->time;
	for (unsigned int i = 0; i < sl->outs.n; i++)
		if (!sl->outs.a[i]->error)
			sl->outs.a[i]->format->event(sl->outs.a[i], e);
}

void slices_flush(struct slices *sl)
{
	for (unsigned int i = 0; i < sl->outs.n; i++)
		sl->outs.a[i]->format->flush(sl->outs.a[i]);
}

static void write_thread(struct slices *sl, const struct timeline_thread *t)
{
	for (unsigned int i = 0; i < sl->outs.n; i++)
		if (!sl->outs.a[i]->error)
			sl->outs.a[i]->format->thread(sl->outs.a[i], t);
}

/* ---- slices of threads ---- */

/* Pops the last slice.  e: an event of the thread at the time of the end. */
static void end_last(struct slices *sl, struct slices_thread *t, struct timeline_event e)
{
	struct slice s = vec_pop(&t->open);

	e.kind = TIMELINE_END;
	e.category = s.category;
	e.name = s.own_name ? s.own_name : s.name;
	e.is_named = s.own_name != NULL;
	slices_write(sl, &e);
	mem_free(s.own_name);
}

/* Ends slices without an end of their own, up to n open ones. */
static void end_unended(struct slices *sl, struct slices_thread *t, unsigned int n, uint64_t time,
			int cpu)
{
	struct timeline_event e = {.time = time, .cpu = cpu, .thread = &t->t};

	for (; t->open.n > n; sl->counts.unended++)
		end_last(sl, t, e);
}

void slices_begin(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		  const struct role *role)
{
	struct slice s = {.pair = role->pair, .category = role->category, .name = role->name};

	vec_push(&t->open, s);
	e->kind = TIMELINE_BEGIN;
	slices_write(sl, e);
}

static void end_pair(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		     const void *pair)
{
	unsigned int n = t->open.n;

	while (n && t->open.a[n - 1].pair != pair)
		n--;
	if (!n) {
		sl->counts.unbegun++;
		e->kind = TIMELINE_INSTANT;
		slices_write(sl, e);
		return;
	}
	end_unended(sl, t, n, e->time, e->cpu);
	end_last(sl, t, *e);
}

void slices_end(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		const struct role *role)
{
	end_pair(sl, t, e, role->pair);
}

/* ---- threads ---- */

const struct timeline_thread *slices_who(const struct slices_thread *t)
{
	return &t->t;
}

static struct slices_thread *thread_new(struct slices *sl, const struct timeline_thread *who)
{
	struct slices_thread *t = arena_new_obj(sl->arena, struct slices_thread);

	vec_push(&sl->threads, t);
	t->t = *who;
	t->t.number = sl->threads.n;
	t->t.machine = who->machine ? arena_strdup(sl->arena, who->machine) : NULL;
	return t;
}

struct slices_thread *slices_thread(struct slices *sl, const struct timeline_thread *who,
				    uint64_t time)
{
	uint32_t number = who->tid ? who->tid : ~(uint32_t)who->cpu;
	uint64_t key = (uint64_t)who->vmid << 32 | number;
	struct slices_thread *t = map_get_int(sl->by_number, key);

	if (t && t->t.pid == who->pid) {
		if (strcmp(t->t.name, who->name) == 0)
			return t;
		memcpy(t->t.name, who->name, sizeof(t->t.name));
	} else {
		if (t)
			end_unended(sl, t, 0, time, -1);
		t = thread_new(sl, who);
		map_set_int(sl->by_number, key, t);
	}
	write_thread(sl, &t->t);
	return t;
}

/* ---- spans ---- */

static bool is_own(const struct span *s, const struct slices_thread *t)
{
	return s->thread->vmid == t->t.vmid && s->thread->pid == t->t.pid;
}

static struct span **chain_of(struct slices *sl, const char *id)
{
	return &sl->spans[map_hash(id, strlen(id)) % CHAINS];
}

/*
 * Returns the place in its chain of the latest span with this id: of the process of t, or else of
 * any process.  NULL: there is none.
 */
static struct span **find_span(struct slices *sl, const struct slices_thread *t, const char *id)
{
	struct span **any = NULL;

	for (struct span **at = chain_of(sl, id); *at; at = &(*at)->next) {
		if (strcmp((*at)->id, id) != 0)
			continue;
		if (is_own(*at, t))
			return at;
		any = any ? any : at;
	}
	return any;
}

static void set_span(struct timeline_event *e, enum timeline_kind kind, const char *id)
{
	e->kind = kind;
	e->category = "span";
	e->is_named = true;
	e->flow_id = id ? map_hash(id, strlen(id)) : 0;
}

static void begin_with_id(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
			  const char *id)
{
	struct span **other = find_span(sl, t, id), *s = mem_alloc(sizeof(*s));
	bool is_elsewhere = other && !is_own(*other, t);
	struct span **chain = chain_of(sl, id);

	*s = (struct span){.next = *chain,
			   .number = ++sl->nspans,
			   .id = mem_strdup(id),
			   .name = mem_strdup(e->name),
			   .thread = &t->t};
	*chain = s;
	e->span = s->number;
	e->flow = is_elsewhere ? TIMELINE_FLOW_GOES_ON : TIMELINE_FLOW_BEGINS;
	slices_write(sl, e);
}

void slices_begin_span(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		       const char *id)
{
	struct slice s = {.category = "span"};

	set_span(e, TIMELINE_BEGIN, id);
	if (id) {
		begin_with_id(sl, t, e, id);
		return;
	}
	s.own_name = mem_strdup(e->name);
	vec_push(&t->open, s);
	slices_write(sl, e);
}

static void free_span(struct span *s)
{
	mem_free(s->id);
	mem_free(s->name);
	mem_free(s);
}

/* Ends the flow of a span at the thread of another process that ends the span. */
static void write_arrival(struct slices *sl, const struct span *s, struct timeline_event e)
{
	e.kind = TIMELINE_INSTANT;
	e.name = s->name;
	e.flow = TIMELINE_FLOW_ENDS;
	e.nargs = e.nstack = 0;
	slices_write(sl, &e);
}

static void end_with_id(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
			const char *id)
{
	struct span **at = find_span(sl, t, id), *s;

	if (!at) {
		sl->counts.unbegun++;
		e->kind = TIMELINE_INSTANT;
		slices_write(sl, e);
		return;
	}
	s = *at;
	*at = s->next;
	if (!is_own(s, t))
		write_arrival(sl, s, *e);
	e->name = s->name;
	e->span = s->number;
	e->thread = s->thread;
	slices_write(sl, e);
	free_span(s);
}

void slices_end_span(struct slices *sl, struct slices_thread *t, struct timeline_event *e,
		     const char *id)
{
	set_span(e, TIMELINE_END, id);
	e->name = "span_end";
	if (id)
		end_with_id(sl, t, e, id);
	else
		end_pair(sl, t, e, NULL);
}

/* ---- the whole ---- */

struct slices *slices_new(struct timeline_out *const *outs, unsigned int n)
{
	struct slices *sl = mem_alloc(sizeof(*sl));

	for (unsigned int i = 0; i < n; i++)
		vec_push(&sl->outs, outs[i]);
	sl->arena = arena_new();
	sl->by_number = map_new();
	return sl;
}

/* Ends the spans that are still open.  The events have the time of the latest event. */
static void end_spans(struct slices *sl)
{
	for (unsigned int i = 0; i < CHAINS; i++)
		for (struct span *s; (s = sl->spans[i]) != NULL; sl->counts.unended++) {
			struct timeline_event e = {.time = sl->time,
						   .cpu = -1,
						   .thread = s->thread,
						   .name = s->name,
						   .span = s->number};

			set_span(&e, TIMELINE_END, s->id);
			slices_write(sl, &e);
			sl->spans[i] = s->next;
			free_span(s);
		}
}

static void end_all(struct slices *sl)
{
	for (unsigned int i = 0; i < sl->threads.n; i++)
		end_unended(sl, sl->threads.a[i], 0, sl->time, -1);
	end_spans(sl);
}

void slices_renew(struct slices *sl)
{
	end_all(sl);
	for (unsigned int i = 0; i < sl->outs.n; i++)
		if (sl->outs.a[i]->format->renew)
			sl->outs.a[i]->format->renew(sl->outs.a[i]);
	map_free(sl->by_number);
	sl->by_number = map_new();
}

void slices_close(struct slices *sl, uint64_t time, struct slices_counts *counts)
{
	if (time > sl->time)
		sl->time = time;
	end_all(sl);
	for (unsigned int i = 0; i < sl->outs.n; i++)
		sl->outs.a[i]->format->close(sl->outs.a[i]);
	*counts = sl->counts;
}

static void free_spans(struct slices *sl)
{
	for (unsigned int i = 0; i < CHAINS; i++)
		for (struct span *s; (s = sl->spans[i]) != NULL;) {
			sl->spans[i] = s->next;
			free_span(s);
		}
}

void slices_free(struct slices *sl)
{
	free_spans(sl);
	for (unsigned int i = 0; i < sl->threads.n; i++) {
		struct slices_thread *t = sl->threads.a[i];

		for (unsigned int k = 0; k < t->open.n; k++)
			mem_free(t->open.a[k].own_name);
		vec_free(&t->open);
	}
	for (unsigned int i = 0; i < sl->outs.n; i++)
		sl->outs.a[i]->format->free(sl->outs.a[i]);
	vec_free(&sl->outs);
	vec_free(&sl->threads);
	map_free(sl->by_number);
	arena_free(sl->arena);
	mem_free(sl);
}
