/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c: updates of aggregations.  The value of a key is a row of 64-bit words for each CPU.  The
 * aggregating functions (src/builtin/agg_*.c) define how a row changes.  A row starts as zeros.  If
 * zeros could be a real value, the last word marks used rows.
 *
 * Rows exist in two halves: programs write one while the consumer empties the other
 * (src/consume/aggs.c).  A firing reads once which half is written, and the consumer waits for all
 * firings that may have read the old number.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"
#include "print/agg.h"

void lw_word_add(struct lw *lw, struct agg_layout *ag, struct ir_ins *p, int64_t off,
		 struct ir_ins *by)
{
	if (ag->is_shared)
		ir_atomic(&lw->b, IR_ATOMIC_ADD, p, off, by, NULL);
	else
		ir_store(&lw->b, 8, p, off,
			 ir_bin(&lw->b, IR_ADD, ir_load(&lw->b, 8, p, off, IR_MEM_ROW), by),
			 IR_MEM_ROW);
}

/* Returns the number of the half that programs write now. */
static struct ir_ins *half(struct lw *lw)
{
	struct ir_ins *p = ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, agg_half));

	return lw_bini(lw, IR_AND, ir_load(&lw->b, 8, p, 0, IR_MEM_MAP), 1);
}

/* Returns element n of an array map.  If there is none, control goes to `none`. */
static struct ir_ins *element(struct lw *lw, unsigned int map, struct ir_ins *n,
			      struct ir_block *none)
{
	struct ir_block *have = lw_block(lw);
	struct tmp key = lw_array_key(lw, n);
	struct ir_ins *p;

	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, map), key.p, NULL);
	lw_if(lw, p, have, none);
	lw_seal_at(lw, have);
	return p;
}

/* Looks up the row of the key in one map; 0 if it is missing.  Control continues at `done`. */
static void find_row(struct lw *lw, unsigned int map, struct ir_ins *key, unsigned int var_map,
		     unsigned int var_row, struct ir_block *done)
{
	struct ir_ins *fd = ir_mapfd(&lw->b, map);

	ir_var_write(&lw->b, var_map, fd);
	ir_var_write(&lw->b, var_row, lw_helper(lw, BPF_FUNC_map_lookup_elem, fd, key, NULL));
	ir_jmp(&lw->b, done);
}

/*
 * Returns the key's row on this CPU and creates it if necessary.  If there is no room, control goes
 * to `lost`.  Each half has its own look-up, because the kernel turns a look-up in a known map into
 * a direct call.
 */
static struct ir_ins *keyed_row(struct lw *lw, struct agg_layout *ag, struct ir_ins *key,
				struct ir_block *lost)
{
	struct ir_block *on[2] = {lw_block(lw), lw_block(lw)}, *found = lw_block(lw),
			*have = lw_block(lw), *none = lw_block(lw), *room = lw_block(lw),
			*made = lw_block(lw);
	const struct plan_map *m = &lw->plan->maps.a[ag->map];
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

/* Returns the row after the state, for this CPU and half. */
static struct ir_ins *keyless_row(struct lw *lw, struct agg_layout *ag)
{
	struct ir_ins *cpu = lw_bini(lw, IR_AND, lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id),
				     plan_row_cpus(lw->plan) - 1);
	struct ir_ins *rows = lw_bini(lw, IR_MUL, cpu, plan_row_stride(lw->plan));

	rows = ir_bin(&lw->b, IR_ADD, rows, lw_bini(lw, IR_MUL, half(lw), lw->plan->rows_size));
	rows = ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_STATE, sizeof(struct abi_state)), rows);
	return lw_bini(lw, IR_ADD, rows, ag->off);
}

static struct ir_ins *row(struct lw *lw, struct agg_layout *ag, struct ir_ins *key,
			  struct ir_block *lost)
{
	if (ag->key_size)
		return keyed_row(lw, ag, key, lost);
	if (ag->map == MAP_STATE)
		return keyless_row(lw, ag);
	return element(lw, ag->map, lw_bini(lw, IR_OR, half(lw), (int64_t)(ag->id - 1) * 2), lost);
}

/*
 * A sleepable program must mark that it does not sleep while it uses a row.  Otherwise the consumer
 * could not wait for it (kfuncs of kernel commit 9bb00b2895cb, 6.2).
 */
static void rcu(struct lw *lw, const char *kfunc)
{
	uint32_t id =
	    lw->program->may_sleep ? kern_btf_find(lw->plan->env.kern, kfunc, BTF_KIND_FUNC) : 0;

	if (id)
		lw_kfunc(lw, id, NULL);
}

static void update(struct lw *lw, struct agg_layout *ag, struct ir_ins *key, struct ir_ins *v,
		   struct ir_ins *weight)
{
	const struct builtin_agg *fn = ag->ident->agg_func->impl;
	struct ir_block *lost = ag->map == MAP_STATE ? NULL : lw_block(lw), *done = lw_block(lw);
	struct ir_ins *p;

	rcu(lw, "bpf_rcu_read_lock");
	p = row(lw, ag, key, lost);
	fn->update(lw, ag, p, v, weight);
	if (ag->has_seen)
		ir_store(&lw->b, 8, p, (ag->nwords - 1) * 8, ir_const(&lw->b, 1), IR_MEM_ROW);
	rcu(lw, "bpf_rcu_read_unlock");
	ir_jmp(&lw->b, done);
	if (ag->map != MAP_STATE) {
		lw_seal_at(lw, lost);
		rcu(lw, "bpf_rcu_read_unlock");
		lw_drop(lw, ABI_DROP_AGGREGATION);
		ir_jmp(&lw->b, done);
	}
	lw_seal_at(lw, done);
}

/* Returns the key of the statement's row. */
static struct ir_ins *keyed(struct lw *lw, struct agg_layout *ag, const struct expr *e)
{
	unsigned int form = plan_form_of(lw->plan, e);
	int64_t tag = (int64_t)ag->id << 32 | (int64_t)form << 16;

	return lw_key(lw, e->x->args, e->x->nargs, plan_agg_form(ag, form),
		      lw->plan->maps.a[ag->map].key_size,
		      lw_bini(lw, IR_OR, lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id), tag));
}

void lw_agg_update(struct lw *lw, const struct expr *e)
{
	struct agg_layout *ag = plan_agg(lw->plan, e->x->ident);
	const struct builtin_agg *fn = e->x->ident->agg_func->impl;
	unsigned int weight_arg = e->y->ident->row->agg->weight_arg;
	struct ir_ins *key = NULL, *v = NULL, *weight = ir_const(&lw->b, 1);
	unsigned int mark = lw_push(lw);

	assert(ag->nwords);
	if (e->y->nargs)
		v = lw_scalar(lw, e->y->args[0]);
	if (ag->key_size)
		key = keyed(lw, ag, e);
	if (fn->prepare)
		v = fn->prepare(lw, ag, e->y, v);
	if (weight_arg && e->y->nargs > weight_arg)
		weight = lw_scalar(lw, e->y->args[weight_arg]);
	if (ag->fits)
		update(lw, ag, key, v, weight);
	else
		lw_drop(lw, ABI_DROP_AGGREGATION);
	lw_pop(lw, mark);
}
