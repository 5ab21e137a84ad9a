/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.c: storage of aggregations: the largest form of each key in the program, the map, and the
 * units that update them.
 */
#include <assert.h>
#include <linux/bpf.h>

#include "base/arena.h"
#include "base/map.h"
#include "kern/kern.h"
#include "print/agg.h"
#include "plan/plan.h"

/*
 * With interrupts off the kernel cannot refill its cache of free rows.  The cache starts with four
 * rows, or one if they are large (prefill_mem_cache in kernel/bpf/memalloc.c).  More new keys would
 * be lost, in one firing or in several before interrupts are on again.  Waking a crowd of threads
 * causes such firings.  These maps are therefore preallocated, with less than aggsize allows:
 * BURST_ROWS if one firing makes several rows, BATCH_BYTES if firings come in batches.
 */
#define BURST_ROWS  4096
#define BATCH_BYTES (8U << 20)

/* A larger aggsize than the default means many keys, which then matter more than batches. */
#define BATCH_AGGSIZE (4U << 20)

/*
 * Wider rows are preallocated, too.  The kernel may fail to find so many pages at once
 * (PAGE_ALLOC_COSTLY_ORDER in include/linux/mmzone.h).
 */
#define COSTLY_ROW 32768

/* Limit of CPUs that fill their room at the same time.  Buckets cost memory and time at start. */
#define FULL_CPUS 16

/* Bytes of a row besides key and value: struct htab_elem and its bucket. */
#define ROW_HEAD 64

static void key_items(struct agg_layout *ag)
{
	for (unsigned int i = 0; i < ag->ident->nkeys; i++) {
		struct item it = ag->noted.n > i ? ag->noted.a[i] : (struct item){0};

		it.off = ag->key_size;
		vec_push(&ag->keys, it);
		for (unsigned int j = i; j < ag->forms.n; j += ag->ident->nkeys) {
			if (it.enc != ITEM_INT)
				ag->forms.a[j] = it;
			ag->forms.a[j].off = it.off;
		}
		ag->key_size += (it.size + 7) & ~7U;
	}
}

const struct item *plan_agg_form(const struct agg_layout *ag, unsigned int form)
{
	assert(form < ag->nforms);
	return ag->forms.n ? &ag->forms.a[(size_t)form * ag->ident->nkeys] : NULL;
}

struct agg_layout *plan_agg(const struct plan *plan, const struct ident *id)
{
	return map_get_int(plan->layouts, (uintptr_t)id);
}

static struct agg_layout *agg_for(struct plan *plan, struct ident *id)
{
	struct agg_layout *ag = plan_agg(plan, id);

	if (!ag) {
		ag = arena_new_obj(plan->env.arena, struct agg_layout);
		ag->ident = id;
		map_set_int(plan->layouts, (uintptr_t)id, ag);
		vec_push(&plan->aggs, ag);
	}
	return ag;
}

/* Processors fetch cache lines in pairs. */
#define OWN_LINES 128

/* The verifier knows offsets in a value below BPF_MAX_VAR_OFF (linux/bpf_verifier.h). */
#define ROWS_MAX (1U << 28)

/* Wider rows, of lquantize() with thousands of steps, are too large to have one per CPU. */
#define ROW_MAX 32768

unsigned int plan_row_cpus(const struct plan *plan)
{
	unsigned int n = 1;

	while (n < kern_ncpu_possible(plan->env.kern))
		n *= 2;
	return n;
}

uint32_t plan_row_stride(const struct plan *plan)
{
	return (2 * plan->rows_size + OWN_LINES - 1) / OWN_LINES * OWN_LINES;
}

uint32_t plan_row(const struct plan *plan, const struct agg_layout *ag, unsigned int cpu,
		  unsigned int half)
{
	return (uint32_t)sizeof(struct abi_state) + cpu * plan_row_stride(plan) +
	       half * plan->rows_size + ag->off;
}

static void keyless_row(struct plan *plan, struct agg_layout *ag)
{
	uint32_t size = ag->nwords * 8, room = ROWS_MAX / 2 / plan_row_cpus(plan);
	struct plan_map map = {
	    .type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = size, .max_entries = 2};

	if (size <= ROW_MAX && size <= room - plan->rows_size) {
		ag->map = MAP_STATE;
		ag->off = plan->rows_size;
		plan->rows_size += size;
		return;
	}
	ag->is_shared = true;
	ag->map = plan_map_share(plan, &map, &ag->id);
}

/*
 * Each CPU has room for the rows that fit aggsize.  The number is a power of two, like the number
 * of buckets.
 */
static void keyed_map(struct plan *plan, struct agg_layout *ag)
{
	struct plan_map map = {.name = ag->ident->name,
			       .type = BPF_MAP_TYPE_HASH,
			       .key_size = ag->key_size + 8,
			       .value_size = ag->nwords * 8,
			       .is_twin = true,
			       .room = 1};
	uint32_t row = map.key_size + map.value_size + ROW_HEAD;
	uint32_t n = plan_entries(plan->opt.aggsize, ag->counted + 8 + map.value_size + ROW_HEAD);
	unsigned int ncpu = kern_ncpu_possible(plan->env.kern);
	unsigned int full = ncpu < FULL_CPUS ? ncpu : FULL_CPUS;
	/* A firing may update all aggregations that share the map. */
	bool is_burst = map.value_size > COSTLY_ROW || ag->is_burst ||
			(ag->is_irqs_off && plan_next_hash_shared(plan));
	bool is_batch = ag->is_batch && plan->opt.aggsize <= BATCH_AGGSIZE;

	if (is_burst && n > BURST_ROWS)
		n = BURST_ROWS;
	else if (!is_burst && is_batch && n > BATCH_BYTES / 2 / full / row)
		n = BATCH_BYTES / 2 / full / row;
	while (map.room <= n / 2)
		map.room *= 2;
	map.max_entries = map.room * full;
	map.flags = is_burst || is_batch ? 0 : BPF_F_NO_PREALLOC;
	ag->map = plan_map_hash(plan, &map, &ag->id);
}

void plan_agg_place(struct plan *plan, struct agg_layout *ag)
{
	const struct builtin_agg *fn = ag->ident->agg_func->impl;
	struct agg_desc d = lang_agg_desc(ag->ident);

	ag->has_seen = fn->has_seen;
	ag->nwords = agg_nwords(&d) + ag->has_seen;
	key_items(ag);
	ag->fits = ag->counted + ag->nwords * 8 <= plan->opt.aggsize;
	if (ag->key_size)
		keyed_map(plan, ag);
	else
		keyless_row(plan, ag);
}

/* Returns the storage of a key by itself.  Arrays of characters are strings. */
static struct item key_item(struct plan *plan, const struct expr *e)
{
	return plan_item(plan, e, plan_is_text(e->type));
}

/* Maximum number of forms of an aggregation's keys.  They use bits of the last word of keys. */
#define FORMS_MAX 65536

/* Returns the form of a statement's keys, a new one if necessary. */
static unsigned int new_form(struct plan *plan, struct agg_layout *ag, const struct expr *e)
{
	unsigned int n = e->x->nargs, form, i;

	if (ag->nforms && dialect_has(plan->opt.dialect, DIALECT_FIRST_KEYS))
		return 0;
	for (form = 0; form < ag->nforms; form++) {
		const struct item *have = plan_agg_form(ag, form);

		for (i = 0; i < n; i++)
			if (have[i].enc == ITEM_INT &&
			    have[i].size != key_item(plan, e->x->args[i]).size)
				break;
		if (i == n)
			return form;
	}
	if (ag->nforms == FORMS_MAX)
		return 0;
	for (i = 0; i < n; i++)
		vec_push(&ag->forms, key_item(plan, e->x->args[i]));
	return ag->nforms++;
}

unsigned int plan_form_of(const struct plan *plan, const struct expr *e)
{
	return (unsigned int)(uintptr_t)map_get_int(plan->layouts, (uintptr_t)e) - 1;
}

static void note_label(struct agg_layout *ag, unsigned int i, const struct expr *agg)
{
	const struct expr *key = agg->args[i];
	bool has_name = key->kind == EXPR_IDENT || key->kind == EXPR_MEMBER;
	bool is_const = key->kind == EXPR_INT || key->kind == EXPR_STR;
	const char *name = has_name ? key->name : is_const ? NULL : agg->texts[i];

	if (i == ag->labels.n)
		vec_push(&ag->labels, name);
	else if (ag->labels.a[i] != name)
		ag->labels.a[i] = NULL;
}

/* A name with a unit is right even if the expressions show another one. */
static void note_measure(struct agg_layout *ag, const struct expr *call)
{
	enum measure named = measure_of_name(ag->ident->name);

	if (call->nargs)
		ag->measure = named != MEASURE_UNKNOWN
				  ? named
				  : measure_join(ag->measure, measure_of(call->args[0]));
}

/* Notes sizes and names of the aggregation's keys, and the unit of its values. */
static void note_keys(struct plan *plan, struct agg_layout *ag, const struct expr *e)
{
	uint64_t counted = 0;

	for (unsigned int i = 0; i < e->x->nargs; i++) {
		struct item it = key_item(plan, e->x->args[i]);

		note_label(ag, i, e->x);
		/* A string counts strsize bytes of aggsize, even if its bound is smaller. */
		counted +=
		    ((type_is_string(e->x->args[i]->type) ? plan->opt.strsize - 1 : it.size) + 7) &
		    ~7U;
		if (i == ag->noted.n)
			vec_push(&ag->noted, it);
		else if (it.enc != ITEM_INT && it.size > ag->noted.a[i].size)
			ag->noted.a[i].size = it.size;
	}
	note_measure(ag, e->y);
	if (ag->counted < counted)
		ag->counted = counted;
	map_set_int(plan->layouts, (uintptr_t)e, (void *)((uintptr_t)new_form(plan, ag, e) + 1));
}

static bool is_update(const struct stmt *s)
{
	return s->kind == STMT_EXPR && s->expr->kind == EXPR_ASSIGN && s->expr->x->kind == EXPR_AGG;
}

void plan_updates(struct plan *plan, const struct enabling *en, const struct unit *u)
{
	struct clause *c = en->clause;
	/* The sites of a stable probe are alternatives: one of them updates in a firing. */
	bool may_burst = !en->site && u->provider->has_irqs_off;

	for (unsigned int i = 0; i < c->nparts; i++) {
		for (struct stmt *s = c->parts[i].stmts; s; s = s->next) {
			struct agg_layout *ag;

			if (!is_update(s))
				continue;
			ag = agg_for(plan, s->expr->x->ident);
			if (!ag->clause) {
				ag->clause = c;
				ag->probe = en->probe;
			}
			if (!map_get_int(plan->layouts, (uintptr_t)s->expr))
				note_keys(plan, ag, s->expr);
			if (u->provider->may_nest || (ag->owner && ag->owner != u))
				ag->is_shared = true;
			ag->is_irqs_off |= may_burst;
			ag->is_batch |= u->provider->has_batches;
			if (may_burst && (ag->owner || u->provider->is_error))
				ag->is_burst = true;
			ag->owner = u;
		}
	}
}
