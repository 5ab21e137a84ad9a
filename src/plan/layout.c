/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.c: the maps of a session.
 */
#include <assert.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/torture.h"
#include "plan/plan.h"

/* Maximum number of hashes for a single aggregation (two maps each) or associative array. */
#define OWN_HASHES TORTURE_OR(1, 20)

/* Sizes of keys in shared maps are multiples of this, so that few maps serve many sizes. */
#define KEY_STEP 64

unsigned int plan_map_new(struct plan *plan, const char *name, enum bpf_map_type type, uint32_t key,
			  uint32_t value, uint32_t n, uint32_t flags)
{
	struct plan_map m = {.name = name,
			     .type = type,
			     .key_size = key,
			     .value_size = value,
			     .max_entries = n,
			     .flags = flags,
			     .is_used = true};

	vec_push(&plan->maps, m);
	return plan->maps.n - 1;
}

static unsigned int map_like(struct plan *plan, const char *name, const struct plan_map *like)
{
	struct plan_map m = *like;
	unsigned int at = plan->maps.n;

	m.name = name;
	m.is_used = true;
	if (m.is_twin)
		m.fill = plan->nfills++;
	vec_push(&plan->maps, m);
	m.is_twin = false;
	if (like->is_twin)
		vec_push(&plan->maps, m);
	return at;
}

unsigned int plan_map_share(struct plan *plan, const struct plan_map *like, uint32_t *id)
{
	bool is_array = like->type == BPF_MAP_TYPE_ARRAY || like->type == BPF_MAP_TYPE_PERCPU_ARRAY;
	unsigned int at;

	for (at = 0; at < plan->maps.n; at++) {
		const struct plan_map *m = &plan->maps.a[at];

		if (m->nusers && m->type == like->type && m->key_size == like->key_size &&
		    m->value_size == like->value_size && m->flags == like->flags &&
		    m->is_twin == like->is_twin)
			break;
	}
	if (at == plan->maps.n)
		map_like(plan, "shared", like);
	/* A shared hash has the size of one: aggsize and dynvarsize limit the sum. */
	else if (is_array)
		plan->maps.a[at].max_entries += like->max_entries;
	else if (plan->maps.a[at].max_entries < like->max_entries)
		for (unsigned int i = 0; i <= like->is_twin; i++) {
			plan->maps.a[at + i].max_entries = like->max_entries;
			plan->maps.a[at + i].room = like->room;
		}
	*id = ++plan->maps.a[at].nusers;
	return at;
}

/* More entries take long to create: the table of a hash has 16 bytes for each. */
#define ENTRIES_MAX (1U << 24)

uint32_t plan_entries(uint64_t size, uint64_t entry)
{
	uint64_t n = size / entry;

	return n == 0 ? 1 : n > ENTRIES_MAX ? ENTRIES_MAX : (uint32_t)n;
}

bool plan_next_hash_shared(const struct plan *plan)
{
	return plan->nhashes >= OWN_HASHES && !plan->opt.is_hosting;
}

unsigned int plan_map_hash(struct plan *plan, const struct plan_map *like, uint32_t *id)
{
	struct plan_map shared = *like;

	*id = 0;
	if (!plan_next_hash_shared(plan)) {
		plan->nhashes++;
		return map_like(plan, like->name, like);
	}
	shared.key_size = (like->key_size + 8 + KEY_STEP - 1) / KEY_STEP * KEY_STEP;
	/* Each size needs two maps, so there are few sizes of rows. */
	if (like->is_twin)
		for (shared.value_size = KEY_STEP; shared.value_size < like->value_size;)
			shared.value_size *= 2;
	return plan_map_share(plan, &shared, id);
}

unsigned int plan_leaf_map(struct plan *plan, const struct plan_map *like)
{
	struct plan_map m = *like;

	for (unsigned int i = MAP_FIRST; i < plan->maps.n; i++)
		if (plan->maps.a[i].leaf == like)
			return i;
	m.is_used = true;
	m.leaf = like;
	vec_push(&plan->maps, m);
	return plan->maps.n - 1;
}

/*
 * Maximum number of remembered processes.  Forgotten processes are reported to the consumer again.
 */
#define PROCS_MAX 4096

/* Layouts of runtimes, for frames of languages, and for native frames before code of a runtime. */
static void plan_runtimes(struct plan *plan)
{
	if (!plan->runtimes)
		plan->runtimes =
		    plan_map_new(plan, "runtimes", BPF_MAP_TYPE_HASH, 8, sizeof(struct abi_runtime),
				 PROCS_MAX, BPF_F_NO_PREALLOC);
}

void plan_users(struct plan *plan, bool has_stacks)
{
	uint32_t n = plan_entries(plan->opt.unwindsize, ABI_UNWIND_SIZE);

	if (!plan->known)
		plan->known = plan_map_new(plan, "known", BPF_MAP_TYPE_LRU_HASH,
					   sizeof(struct plan_known), 8, PROCS_MAX, 0);
	if (!has_stacks || plan->unwind || !plan->opt.unwindsize || !arch_native->dwarf_ra)
		return;
	plan->unwind =
	    plan_map_new(plan, "unwind", BPF_MAP_TYPE_HASH, sizeof(struct abi_unwind_key),
			 ABI_UNWIND_SIZE, n, BPF_F_NO_PREALLOC);
	plan_map_new(plan, "unwind_cache", BPF_MAP_TYPE_ARRAY, 4, 8, ABI_UNWIND_CACHE, 0);
	plan_runtimes(plan);
}

/* Maximum number of known functions of languages.  A forgotten one gets another number. */
#define CODES_MAX 16384

void plan_frames(struct plan *plan)
{
	if (plan->lang_new || !arch_native->thread_pointer)
		return;
	plan_runtimes(plan);
	plan->lang_known =
	    plan_map_new(plan, "lang_known", BPF_MAP_TYPE_LRU_HASH, sizeof(struct abi_lang_key),
			 sizeof(struct abi_lang_known), CODES_MAX, 0);
	plan->lang_new = plan_map_new(plan, "lang_new", BPF_MAP_TYPE_HASH, 8,
				      sizeof(struct abi_lang_new), CODES_MAX, 0);
}

void plan_specs(struct plan *plan)
{
	uint32_t n = (uint32_t)plan->opt.nspec;

	if (plan->spec_free)
		return;
	plan->spec_free = plan_map_new(plan, "spec_free", BPF_MAP_TYPE_QUEUE, 0, 4, n ? n : 1, 0);
	plan->spec_words = plan_map_new(plan, "spec_words", BPF_MAP_TYPE_ARRAY, 4, 8, n + 1, 0);
	plan->spec_fill =
	    plan_map_new(plan, "spec_fill", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 16, n + 1, 0);
}

void plan_init(struct plan *plan)
{
	static const struct plan_map fixed[MAP_FIRST] = {
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
		vec_push(&plan->maps, fixed[i]);
	plan->layouts = map_new();
	plan->next_epid = 1;
	plan->name_size = 8;
}

void plan_fini(struct plan *plan)
{
	for (unsigned int i = 0; i < plan->descs.n; i++) {
		vec_free(&plan->descs.a[i]->items);
		vec_free(&plan->descs.a[i]->acts);
	}
	for (unsigned int i = 0; i < plan->aggs.n; i++) {
		vec_free(&plan->aggs.a[i]->keys);
		vec_free(&plan->aggs.a[i]->noted);
		vec_free(&plan->aggs.a[i]->labels);
		vec_free(&plan->aggs.a[i]->forms);
	}
	for (unsigned int i = 0; i < plan->vars.n; i++)
		vec_free(&plan->vars.a[i]->keys);
	vec_free(&plan->named_pids);
	vec_free(&plan->named);
	vec_free(&plan->lost);
	vec_free(&plan->maps);
	vec_free(&plan->descs);
	vec_free(&plan->aggs);
	vec_free(&plan->vars);
	map_free(plan->layouts);
}
