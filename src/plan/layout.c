/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.c: the session's side of lowering: its maps.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/torture.h"
#include "plan/plan.h"

/* Hashes of one aggregation (which are two maps) or associative array. */
#define OWN_HASHES TORTURE_OR(1, 20)

/* Sizes of keys of shared maps are multiples of this, so that few maps do for many sizes. */
#define KEY_STEP 64

unsigned int lower_map_new(struct lower *lo, const char *name, enum bpf_map_type type, uint32_t key,
			   uint32_t value, uint32_t n, uint32_t flags)
{
	struct lower_map m = {.name = name,
			      .type = type,
			      .key_size = key,
			      .value_size = value,
			      .max_entries = n,
			      .flags = flags,
			      .is_used = true};

	vec_push(&lo->maps, m);
	return lo->maps.n - 1;
}

static unsigned int map_like(struct lower *lo, const char *name, const struct lower_map *like)
{
	struct lower_map m = *like;
	unsigned int at = lo->maps.n;

	m.name = name;
	m.is_used = true;
	if (m.is_twin)
		m.fill = lo->nfills++;
	vec_push(&lo->maps, m);
	m.is_twin = false;
	if (like->is_twin)
		vec_push(&lo->maps, m);
	return at;
}

unsigned int lower_map_share(struct lower *lo, const struct lower_map *like, uint32_t *id)
{
	bool is_array = like->type == BPF_MAP_TYPE_ARRAY || like->type == BPF_MAP_TYPE_PERCPU_ARRAY;
	unsigned int at;

	for (at = 0; at < lo->maps.n; at++) {
		const struct lower_map *m = &lo->maps.a[at];

		if (m->nusers && m->type == like->type && m->key_size == like->key_size &&
		    m->value_size == like->value_size && m->flags == like->flags &&
		    m->is_twin == like->is_twin)
			break;
	}
	if (at == lo->maps.n)
		map_like(lo, "shared", like);
	/* A hash has the size of one: aggsize and dynvarsize are for all together. */
	else if (is_array)
		lo->maps.a[at].max_entries += like->max_entries;
	else if (lo->maps.a[at].max_entries < like->max_entries)
		for (unsigned int i = 0; i <= like->is_twin; i++) {
			lo->maps.a[at + i].max_entries = like->max_entries;
			lo->maps.a[at + i].room = like->room;
		}
	*id = ++lo->maps.a[at].nusers;
	return at;
}

/* More are not made in a moment: the table of a hash has 16 bytes for each. */
#define ENTRIES_MAX (1U << 24)

uint32_t lower_entries(uint64_t size, uint64_t entry)
{
	uint64_t n = size / entry;

	return n == 0 ? 1 : n > ENTRIES_MAX ? ENTRIES_MAX : (uint32_t)n;
}

bool lower_next_hash_shared(const struct lower *lo)
{
	return lo->nhashes >= OWN_HASHES;
}

unsigned int lower_map_hash(struct lower *lo, const struct lower_map *like, uint32_t *id)
{
	struct lower_map shared = *like;

	*id = 0;
	if (!lower_next_hash_shared(lo)) {
		lo->nhashes++;
		return map_like(lo, like->name, like);
	}
	shared.key_size = (like->key_size + 8 + KEY_STEP - 1) / KEY_STEP * KEY_STEP;
	/* Two maps each: few sizes of rows have to do. */
	if (like->is_twin)
		for (shared.value_size = KEY_STEP; shared.value_size < like->value_size;)
			shared.value_size *= 2;
	return lower_map_share(lo, &shared, id);
}

unsigned int lower_leaf_map(struct lower *lo, const struct lower_map *like)
{
	struct lower_map m = *like;

	for (unsigned int i = MAP_FIRST; i < lo->maps.n; i++)
		if (lo->maps.a[i].leaf == like)
			return i;
	m.is_used = true;
	m.leaf = like;
	vec_push(&lo->maps, m);
	return lo->maps.n - 1;
}

void lower_specs(struct lower *lo)
{
	uint32_t n = (uint32_t)lo->nspec;

	if (lo->spec_free)
		return;
	lo->spec_free = lower_map_new(lo, "spec_free", BPF_MAP_TYPE_QUEUE, 0, 4, n ? n : 1, 0);
	lo->spec_words = lower_map_new(lo, "spec_words", BPF_MAP_TYPE_ARRAY, 4, 8, n + 1, 0);
	lo->spec_fill = lower_map_new(lo, "spec_fill", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 16, n + 1, 0);
}

void lower_init(struct lower *lo)
{
	static const struct lower_map fixed[MAP_FIRST] = {
	    [MAP_STATE] = {.name = "state",
			   .type = BPF_MAP_TYPE_ARRAY,
			   .flags = BPF_F_MMAPABLE,
			   .is_used = true},
	    [MAP_RING] = {.name = "ring", .type = BPF_MAP_TYPE_RINGBUF, .is_used = true},
	    [MAP_DROPS] = {.name = "drops", .type = BPF_MAP_TYPE_PERCPU_ARRAY, .is_used = true},
	    [MAP_GLOBALS] = {.name = "globals", .type = BPF_MAP_TYPE_ARRAY},
	    [MAP_RODATA] = {.name = "rodata",
			    .type = BPF_MAP_TYPE_ARRAY,
			    .flags = BPF_F_RDONLY_PROG,
			    .is_used = true},
	    [MAP_SCRATCH] = {.name = "scratch", .type = BPF_MAP_TYPE_ARRAY},
	    [MAP_SELF] = {.name = "self",
			  .type = BPF_MAP_TYPE_TASK_STORAGE,
			  .flags = BPF_F_NO_PREALLOC},
	    [MAP_METER] = {.name = "meter",
			   .type = BPF_MAP_TYPE_PERCPU_ARRAY,
			   .key_size = 4,
			   .value_size = 8,
			   .max_entries = 1},
	    [MAP_FILL] = {.name = "fill",
			  .type = BPF_MAP_TYPE_PERCPU_ARRAY,
			  .key_size = 4,
			  .max_entries = 2},
	    [MAP_KEPT] = {.name = "kept",
			  .type = BPF_MAP_TYPE_ARRAY,
			  .flags = BPF_F_MMAPABLE,
			  .key_size = 4},
	};

	for (unsigned int i = 0; i < MAP_FIRST; i++)
		vec_push(&lo->maps, fixed[i]);
	lo->layouts = map_new();
	lo->next_epid = 1;
	lo->name_size = 64;
}

void lower_fini(struct lower *lo)
{
	for (unsigned int i = 0; i < lo->descs.n; i++) {
		vec_free(&lo->descs.a[i]->items);
		vec_free(&lo->descs.a[i]->acts);
	}
	for (unsigned int i = 0; i < lo->aggs.n; i++) {
		vec_free(&lo->aggs.a[i]->keys);
		vec_free(&lo->aggs.a[i]->noted);
		vec_free(&lo->aggs.a[i]->forms);
	}
	for (unsigned int i = 0; i < lo->vars.n; i++)
		vec_free(&lo->vars.a[i]->keys);
	vec_free(&lo->maps);
	vec_free(&lo->descs);
	vec_free(&lo->aggs);
	vec_free(&lo->vars);
	map_free(lo->layouts);
}
