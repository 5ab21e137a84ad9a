/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c: see counters.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "print/agg.h"
#include "timeline/counters.h"
#include "timeline/slices.h"

#define COUNTERS_MAX 1000 /* per trace: nobody can look through more tracks */

struct counter {
	uint64_t number;
	const char *agg, *row;
	int64_t value, next; /* last written value; value of the current reading */
	bool is_written;
};

struct counters {
	struct arena *arena;
	struct slices *slices;
	struct map *by_row; /* a row names its aggregation */
	VEC(struct counter *) all;
};

struct counters *counters_new(struct slices *slices)
{
	struct counters *cs = mem_alloc(sizeof(*cs));

	cs->arena = arena_new();
	cs->slices = slices;
	cs->by_row = map_new();
	return cs;
}

void counters_free(struct counters *cs)
{
	vec_free(&cs->all);
	map_free(cs->by_row);
	arena_free(cs->arena);
	mem_free(cs);
}

static struct counter *counter_new(struct counters *cs, const char *agg, const char *row)
{
	struct counter *c = arena_new_obj(cs->arena, struct counter);

	vec_push(&cs->all, c);
	c->number = cs->all.n;
	c->agg = arena_strdup(cs->arena, agg);
	c->row = arena_strdup(cs->arena, row);
	map_set_str(cs->by_row, row, c);
	return c;
}

bool counters_add(struct counters *cs, const char *agg, const char *row, int64_t value)
{
	struct counter *c = map_get_str(cs->by_row, row);

	if (!c && cs->all.n == COUNTERS_MAX)
		return false;
	if (!c)
		c = counter_new(cs, agg, row);
	agg_add(&c->next, value);
	return true;
}

static void write_value(struct counters *cs, struct counter *c, uint64_t time)
{
	c->value = c->next;
	c->is_written = true;
	slices_write(cs->slices, &(struct timeline_event){.kind = TIMELINE_COUNTER,
							  .time = time,
							  .cpu = -1,
							  .category = "aggregation",
							  .name = c->row,
							  .is_named = true,
							  .counter = c->number,
							  .value = c->value});
}

void counters_end(struct counters *cs, const char *agg, uint64_t time)
{
	for (unsigned int i = 0; i < cs->all.n; i++) {
		struct counter *c = cs->all.a[i];

		if (strcmp(c->agg, agg) != 0)
			continue;
		if (!c->is_written || c->next != c->value)
			write_value(cs, c, time);
		c->next = 0;
	}
}
