/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c: updates of aggregations.  The value of a key is a row of 64-bit words in a per-CPU map;
 * the aggregating functions (src/builtin/agg_*.c) say how a row changes.  A row starts as zeros;
 * where zeros could be a real value the last word tells that the row was used.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "lower/memo.h"
#include "out/agg.h"

/*
 * With interrupts off the kernel cannot refill what it allocates rows of per-CPU maps from, which
 * holds one row (prefill_mem_cache in kernel/bpf/memalloc.c): the second new key in a firing, or in
 * two firings close together, would be lost.  Such maps are allocated at once; a row costs 2 us,
 * hence not all that aggsize allows.
 */
#define BURST_ROWS 4096

/*
 * The same for rows wider than this, with interrupts on as well: what they come from is filled up
 * by a page or two at a time (PCPU_EMPTY_POP_PAGES_HIGH in mm/percpu-internal.h).
 */
#define PAGED_ROW 4096

static void key_items(struct lower *lo, struct agg_layout *ag)
{
	for (unsigned int i = 0; i < ag->ident->nkeys; i++) {
		struct item it = ag->noted.n > i ? ag->noted.a[i] : (struct item){0};

		it.off = ag->key_size;
		vec_push(&ag->keys, it);
		ag->key_size += (it.size + 7) & ~7U;
	}
}

struct agg_layout *lower_agg_find(struct lower *lo, struct ident *id)
{
	struct agg_layout *ag = id->data;

	if (!ag) {
		ag = arena_new_obj(lo->arena, struct agg_layout);
		ag->ident = id;
		id->data = ag;
		vec_push(&lo->aggs, ag);
	}
	return ag;
}

/*
 * A row is of each CPU if the kernel's allocator has such a piece (PCPU_MIN_UNIT_SIZE,
 * include/linux/percpu.h); a wider one, of lquantize() with thousands of steps, all CPUs share.
 */
#define PERCPU_MAX 32768

struct agg_layout *lower_agg(struct lower *lo, struct ident *id)
{
	const struct builtin_agg *fn;
	struct agg_layout *ag = lower_agg_find(lo, id);
	struct agg_desc d;
	struct lower_map map;
	bool is_wide, at_once;

	if (ag->nwords || !id->agg_func)
		return ag;
	fn = id->agg_func->impl;
	d = (struct agg_desc){.func = fn->func, .param = id->agg_param};
	ag->has_seen = fn->has_seen;
	ag->nwords = agg_nwords(&d) + ag->has_seen;
	key_items(lo, ag);
	is_wide = ag->nwords * 8 > PERCPU_MAX;
	ag->is_shared |= is_wide;
	map = (struct lower_map){.name = id->name,
				 .type = is_wide ? BPF_MAP_TYPE_ARRAY : BPF_MAP_TYPE_PERCPU_ARRAY,
				 .key_size = 4,
				 .value_size = ag->nwords * 8,
				 .max_entries = 1};
	if (!ag->key_size) {
		ag->map = lower_map_share(lo, &map, &ag->id);
		return ag;
	}
	map.type = is_wide ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_PERCPU_HASH;
	map.key_size = ag->key_size;
	map.max_entries = lower_entries(lo->aggsize, (uint64_t)ag->key_size + map.value_size + 64);
	/* One firing may update all that share the map. */
	at_once = !is_wide && (ag->is_burst || map.value_size > PAGED_ROW ||
			       (ag->is_irqs_off && lower_next_hash_shared(lo)));
	if (at_once && map.max_entries > BURST_ROWS)
		map.max_entries = BURST_ROWS;
	map.flags = at_once ? 0 : BPF_F_NO_PREALLOC;
	ag->map = lower_map_hash(lo, &map, &ag->id);
	return ag;
}

/* How a key would be stored if it stood alone. */
static struct item key_item(struct lower *lo, struct expr *e)
{
	const struct type *b = type_base(e->type);
	struct item it = {.type = e->type};
	struct lw probe = {.lo = lo};

	if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION) {
		const struct builtin_act *act = e->ident->row->impl;

		assert(act->key);
		return act->key(lo, e);
	}
	if (lower_is_text(e->type)) {
		it.enc = ITEM_STR;
		it.size = lw_str_bound(&probe, e);
	} else if (type_is_scalar(e->type)) {
		it.enc = ITEM_INT;
		it.size = (uint32_t)b->size;
		it.is_signed = b->is_signed || b->kind == TYPE_ENUM;
	} else {
		it.enc = ITEM_BYTES;
		it.size = lower_type_size(lo, e->type);
	}
	return it;
}

static void note_stmt(struct lower *lo, struct expr *e)
{
	struct agg_layout *ag;

	if (e->kind != EXPR_ASSIGN || e->x->kind != EXPR_AGG)
		return;
	ag = lower_agg_find(lo, e->x->ident);
	for (unsigned int i = 0; i < e->x->nargs; i++) {
		struct item it = key_item(lo, e->x->args[i]);

		if (i == ag->noted.n)
			vec_push(&ag->noted, it);
		else if (it.enc != ITEM_INT && it.size > ag->noted.a[i].size)
			ag->noted.a[i].size = it.size;
	}
}

void lower_note_clause(struct lower *lo, struct clause *c)
{
	for (unsigned int i = 0; i < c->nparts; i++)
		for (struct stmt *s = c->parts[i].stmts; s; s = s->next)
			if (s->kind == STMT_EXPR)
				note_stmt(lo, s->expr);
}

void lower_note_owner(struct lower *lo, const struct enabling *en, const struct unit *u)
{
	struct clause *c = en->clause;
	/* The sites of a stable probe are alternatives: one of them updates in a firing. */
	bool may_burst = !en->site && u->provider->has_irqs_off;

	for (unsigned int i = 0; i < c->nparts; i++) {
		for (struct stmt *s = c->parts[i].stmts; s; s = s->next) {
			struct agg_layout *ag;

			if (s->kind != STMT_EXPR || s->expr->kind != EXPR_ASSIGN ||
			    s->expr->x->kind != EXPR_AGG)
				continue;
			ag = lower_agg_find(lo, s->expr->x->ident);
			if (u->provider->may_nest || (ag->owner && ag->owner != u))
				ag->is_shared = true;
			ag->is_irqs_off |= may_burst;
			if (may_burst && (ag->owner || u->provider->is_error))
				ag->is_burst = true;
			ag->owner = u;
		}
	}
}

void lw_word_add(struct lw *lw, struct agg_layout *ag, struct ir_ins *p, int64_t off,
		 struct ir_ins *by)
{
	if (ag->is_shared)
		ir_atomic(&lw->b, IR_ATOMIC_ADD, p, off, by, NULL);
	else
		ir_store(&lw->b, 8, p, off,
			 ir_bin(&lw->b, IR_ADD, ir_load(&lw->b, 8, p, off, IR_MEM_MAP), by),
			 IR_MEM_MAP);
}

/* The key's row on this CPU, made if need be; control continues only where there is one. */
static struct ir_ins *row(struct lw *lw, struct agg_layout *ag, struct ir_ins *key,
			  struct ir_block *lost)
{
	struct ir_block *have = lw_block(lw), *none = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	struct ir_ins *p;

	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, ag->map), key, NULL);
	ir_var_write(&lw->b, var, p);
	lw_if(lw, p, have, none);
	lw_seal_at(lw, none);
	if (ag->key_size) {
		lw_helper(lw, BPF_FUNC_map_update_elem, ir_mapfd(&lw->b, ag->map), key,
			  ir_mapval(&lw->b, MAP_RODATA, lower_zeros(lw->lo, ag->nwords * 8)),
			  ir_const(&lw->b, BPF_NOEXIST), NULL);
		p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, ag->map), key, NULL);
		ir_var_write(&lw->b, var, p);
		lw_if(lw, p, have, lost);
	} else {
		ir_jmp(&lw->b, lost);
	}
	lw_seal_at(lw, have);
	return ir_var_read(&lw->b, var);
}

void lw_agg_update(struct lw *lw, struct expr *e)
{
	struct agg_layout *ag = lower_agg(lw->lo, e->x->ident);
	const struct builtin_agg *fn = e->x->ident->agg_func->impl;
	struct ir_block *lost = lw_block(lw), *done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct ir_ins *p, *v = NULL;
	struct tmp key;

	assert(ag->nwords);
	if (e->y->nargs)
		v = lw_scalar(lw, e->y->args[0]);
	if (ag->key_size) {
		key.p = lw_key(lw, e->x->args, e->x->nargs, ag->keys.a,
			       lw->lo->maps.a[ag->map].key_size, ag->id);
	} else {
		key = lw_slot(lw, 4);
		ir_store(&lw->b, 4, key.p, 0, ir_const(&lw->b, ag->id - 1), key.mem);
	}
	if (fn->prepare)
		v = fn->prepare(lw, ag, e->y, v);
	p = row(lw, ag, key.p, lost);
	fn->update(lw, ag, e->y, p, v);
	if (ag->has_seen)
		ir_store(&lw->b, 8, p, (ag->nwords - 1) * 8, ir_const(&lw->b, 1), IR_MEM_MAP);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, lost);
	lw_drop(lw, ABI_DROP_AGGREGATION);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	lw_pop(lw, mark);
}
