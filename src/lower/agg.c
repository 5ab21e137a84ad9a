/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c: updates of aggregations.  The value of a key is a row of 64-bit words, of each CPU its
 * own; the aggregating functions (src/builtin/agg_*.c) say how a row changes.  A row starts as
 * zeros; where zeros could be a real value the last word tells that the row was used.
 *
 * There are two halves of everything: programs write one while the consumer empties the other
 * (src/run/aggs.c).  A firing reads once in an update which one it is, and the consumer waits for
 * all firings that may have read the old number.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/memo.h"
#include "out/agg.h"

/*
 * With interrupts off the kernel cannot refill what it allocates rows from, which holds four at
 * first, one if they are large (prefill_mem_cache in kernel/bpf/memalloc.c): more new keys in a
 * firing, or in firings close together, would be lost.  Such maps are allocated at once, and not
 * all that aggsize allows.
 */
#define BURST_ROWS 4096

/* The same for rows wider than this, whose pages the kernel may fail to find in a hurry
 * (PAGE_ALLOC_COSTLY_ORDER in include/linux/mmzone.h). */
#define COSTLY_ROW 32768

/* Of many CPUs not all fill their room at once; buckets cost memory and time at start. */
#define FULL_CPUS 16

/* What the kernel needs for a row besides key and value: struct htab_elem and its bucket. */
#define ROW_HEAD 64

static void key_items(struct lower *lo, struct agg_layout *ag)
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

const struct item *lower_agg_form(const struct agg_layout *ag, unsigned int form)
{
	assert(form < ag->nforms);
	return ag->forms.a + (size_t)form * ag->ident->nkeys;
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
 * A value without keys is in a per-CPU array if the kernel's allocator has such a piece
 * (PCPU_MIN_UNIT_SIZE, include/linux/percpu.h); a wider one, of lquantize() with thousands of
 * steps, all CPUs share.
 */
#define PERCPU_MAX 32768

static void keyless_map(struct lower *lo, struct agg_layout *ag)
{
	bool is_wide = ag->nwords * 8 > PERCPU_MAX;
	struct lower_map map = {.type = is_wide ? BPF_MAP_TYPE_ARRAY : BPF_MAP_TYPE_PERCPU_ARRAY,
				.key_size = 4,
				.value_size = ag->nwords * 8,
				.max_entries = 2};

	ag->is_shared |= is_wide;
	ag->map = lower_map_share(lo, &map, &ag->id);
}

/*
 * Each CPU has room for as many rows as fit aggsize: a power of two, as the number of buckets is
 * one.
 */
static void keyed_map(struct lower *lo, struct agg_layout *ag)
{
	struct lower_map map = {.name = ag->ident->name,
				.type = BPF_MAP_TYPE_HASH,
				.key_size = ag->key_size + 8,
				.value_size = ag->nwords * 8,
				.is_twin = true,
				.room = 1};
	uint32_t n = lower_entries(lo->aggsize, (uint64_t)map.key_size + map.value_size + ROW_HEAD);
	unsigned int ncpu = kern_ncpu_possible(lo->kern);
	/* One firing may update all that share the map. */
	bool at_once = map.value_size > COSTLY_ROW || ag->is_burst ||
		       (ag->is_irqs_off && lower_next_hash_shared(lo));

	if (at_once && n > BURST_ROWS)
		n = BURST_ROWS;
	while (map.room <= n / 2)
		map.room *= 2;
	map.max_entries = map.room * (ncpu < FULL_CPUS ? ncpu : FULL_CPUS);
	map.flags = at_once ? 0 : BPF_F_NO_PREALLOC;
	ag->map = lower_map_hash(lo, &map, &ag->id);
}

struct agg_layout *lower_agg(struct lower *lo, struct ident *id)
{
	const struct builtin_agg *fn;
	struct agg_layout *ag = lower_agg_find(lo, id);
	struct agg_desc d;

	if (ag->nwords || !id->agg_func)
		return ag;
	fn = id->agg_func->impl;
	d = (struct agg_desc){.func = fn->func, .param = id->agg_param};
	ag->has_seen = fn->has_seen;
	ag->nwords = agg_nwords(&d) + ag->has_seen;
	key_items(lo, ag);
	ag->fits = (uint64_t)ag->key_size + ag->nwords * 8 <= lo->aggsize;
	if (ag->key_size)
		keyed_map(lo, ag);
	else
		keyless_map(lo, ag);
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

/* How many different forms of keys an aggregation can have: bits of the last word of its keys. */
#define FORMS_MAX 65536

/* The form in which this statement has its keys, a new one if need be. */
static unsigned int form_of(struct lower *lo, struct agg_layout *ag, struct expr *e)
{
	unsigned int n = e->x->nargs, form, i;

	if (ag->nforms && dialect_has(lo->dialect, DIALECT_FIRST_KEYS))
		return 0;
	for (form = 0; form < ag->nforms; form++) {
		const struct item *have = lower_agg_form(ag, form);

		for (i = 0; i < n; i++)
			if (have[i].enc == ITEM_INT &&
			    have[i].size != key_item(lo, e->x->args[i]).size)
				break;
		if (i == n)
			return form;
	}
	if (ag->nforms == FORMS_MAX)
		return 0;
	for (i = 0; i < n; i++)
		vec_push(&ag->forms, key_item(lo, e->x->args[i]));
	return ag->nforms++;
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
	form_of(lo, ag, e);
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

/* The number of the half that is written now. */
static struct ir_ins *half(struct lw *lw)
{
	struct ir_ins *p = ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, agg_half));

	return lw_bini(lw, IR_AND, ir_load(&lw->b, 8, p, 0, IR_MEM_MAP), 1);
}

/* The element with this number of an array; control continues only where there is one. */
static struct ir_ins *element(struct lw *lw, unsigned int map, struct ir_ins *n,
			      struct ir_block *none)
{
	struct ir_block *have = lw_block(lw);
	struct tmp key = lw_slot(lw, 4);
	struct ir_ins *p;

	ir_store(&lw->b, 4, key.p, 0, n, key.mem);
	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, map), key.p, NULL);
	lw_if(lw, p, have, none);
	lw_seal_at(lw, have);
	return p;
}

/* The row of the key in one of the maps, 0 if it is not there; control goes on at `done`. */
static void find_row(struct lw *lw, unsigned int map, struct ir_ins *key, unsigned int var_map,
		     unsigned int var_row, struct ir_block *done)
{
	struct ir_ins *fd = ir_mapfd(&lw->b, map);

	ir_var_write(&lw->b, var_map, fd);
	ir_var_write(&lw->b, var_row, lw_helper(lw, BPF_FUNC_map_lookup_elem, fd, key, NULL));
	ir_jmp(&lw->b, done);
}

/*
 * The key's row on this CPU, made if need be; control continues only where there is one.  Each half
 * has a look-up of its own, because the kernel makes it a direct call if it knows the map.
 */
static struct ir_ins *keyed_row(struct lw *lw, struct agg_layout *ag, struct ir_ins *key,
				struct ir_block *lost)
{
	struct ir_block *on[2] = {lw_block(lw), lw_block(lw)}, *found = lw_block(lw),
			*have = lw_block(lw), *none = lw_block(lw), *room = lw_block(lw),
			*made = lw_block(lw);
	const struct lower_map *m = &lw->lo->maps.a[ag->map];
	unsigned int var_map = ir_var_new(lw->b.func), var_row = ir_var_new(lw->b.func);
	struct ir_ins *h = half(lw), *map, *p, *fill, *n;

	lw_if(lw, h, on[1], on[0]);
	for (unsigned int i = 0; i < 2; i++) {
		lw_seal_at(lw, on[i]);
		find_row(lw, ag->map + i, key, var_map, var_row, found);
	}
	lw_seal_at(lw, found);
	map = ir_var_read(&lw->b, var_map);
	lw_if(lw, ir_var_read(&lw->b, var_row), have, none);
	lw_seal_at(lw, none);
	fill = element(lw, MAP_FILL, h, lost);
	n = ir_load(&lw->b, 8, fill, m->fill * 8, IR_MEM_MAP);
	lw_if(lw, ir_bin(&lw->b, IR_ULT, n, ir_const(&lw->b, m->room)), room, lost);
	lw_seal_at(lw, room);
	lw_helper(lw, BPF_FUNC_map_update_elem, map, key,
		  ir_mapval(&lw->b, MAP_RODATA, lw_zeros(lw, m->value_size)),
		  ir_const(&lw->b, BPF_NOEXIST), NULL);
	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, map, key, NULL);
	ir_var_write(&lw->b, var_row, p);
	lw_if(lw, p, made, lost);
	lw_seal_at(lw, made);
	ir_atomic(&lw->b, IR_ATOMIC_ADD, fill, m->fill * 8, ir_const(&lw->b, 1), NULL);
	ir_jmp(&lw->b, have);
	lw_seal_at(lw, have);
	return ir_var_read(&lw->b, var_row);
}

static struct ir_ins *keyless_row(struct lw *lw, struct agg_layout *ag, struct ir_block *lost)
{
	return element(lw, ag->map, lw_bini(lw, IR_OR, half(lw), (int64_t)(ag->id - 1) * 2), lost);
}

/*
 * A program that may sleep has to say that it does not do so while it uses a row, or the consumer
 * could not wait for it (kfuncs of kernel commit 9bb00b2895cb, 6.2).
 */
static void rcu(struct lw *lw, const char *kfunc)
{
	uint32_t id =
	    lw->program->may_sleep ? kern_btf_find(lw->lo->kern, kfunc, BTF_KIND_FUNC) : 0;

	if (id)
		lw_kfunc(lw, id, NULL);
}

static void update(struct lw *lw, struct agg_layout *ag, struct ir_ins *key, struct ir_ins *v,
		   struct ir_ins *weight)
{
	const struct builtin_agg *fn = ag->ident->agg_func->impl;
	struct ir_block *lost = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *p;

	rcu(lw, "bpf_rcu_read_lock");
	p = ag->key_size ? keyed_row(lw, ag, key, lost) : keyless_row(lw, ag, lost);
	fn->update(lw, ag, p, v, weight);
	if (ag->has_seen)
		ir_store(&lw->b, 8, p, (ag->nwords - 1) * 8, ir_const(&lw->b, 1), IR_MEM_MAP);
	rcu(lw, "bpf_rcu_read_unlock");
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, lost);
	rcu(lw, "bpf_rcu_read_unlock");
	lw_drop(lw, ABI_DROP_AGGREGATION);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

/* The key of the statement's row. */
static struct ir_ins *keyed(struct lw *lw, struct agg_layout *ag, struct expr *e)
{
	unsigned int form = form_of(lw->lo, ag, e);
	int64_t tag = (int64_t)ag->id << 32 | (int64_t)form << 16;

	return lw_key(lw, e->x->args, e->x->nargs, lower_agg_form(ag, form),
		      lw->lo->maps.a[ag->map].key_size,
		      lw_bini(lw, IR_OR, lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id), tag));
}

void lw_agg_update(struct lw *lw, struct expr *e)
{
	struct agg_layout *ag = lower_agg(lw->lo, e->x->ident);
	const struct builtin_agg *fn = e->x->ident->agg_func->impl;
	struct ir_ins *key = NULL, *v = NULL, *weight = ir_const(&lw->b, 1);
	unsigned int mark = lw_push(lw);

	assert(ag->nwords);
	if (e->y->nargs)
		v = lw_scalar(lw, e->y->args[0]);
	if (ag->key_size)
		key = keyed(lw, ag, e);
	if (fn->prepare)
		v = fn->prepare(lw, ag, e->y, v);
	if (fn->weight_arg && e->y->nargs > fn->weight_arg)
		weight = lw_scalar(lw, e->y->args[fn->weight_arg]);
	if (ag->fits)
		update(lw, ag, key, v, weight);
	else
		lw_drop(lw, ABI_DROP_AGGREGATION);
	lw_pop(lw, mark);
}
