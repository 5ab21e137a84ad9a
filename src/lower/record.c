/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.c: values as items of records and keys.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stddef.h>

#include "base/arena.h"
#include "lower/leaf.h"

void lw_store_item(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	struct ir_ins *dst, *v;

	switch (it->enc) {
	case ITEM_INT:
		v = lw_scalar(lw, e);
		if (it->size < 8)
			v = lw_norm(lw, v, it->type ? it->type : e->type);
		ir_store(&lw->b, 8, t.p, it->off, v, t.mem);
		return;
	case ITEM_STR:
		dst = ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, it->off));
		lw_str_into(lw, e, dst, it->size, t.mem);
		return;
	case ITEM_STACK:
		if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION)
			break;
		__attribute__((fallthrough));
	case ITEM_BYTES:
		dst = ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, it->off));
		lw_value_into(lw, e, e->type, dst, it->size, t.mem);
		return;
	default:
		break;
	}
	assert(e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION);
	((const struct builtin_act *)e->ident->row->impl)->store(lw, it, e, t);
}

void lw_item_store(struct lw *lw, unsigned int item, const struct expr *e)
{
	struct tmp t = {lw->clause.rec, IR_MEM_RECORD};

	lw_store_item(lw, &lw->clause.desc->items.a[item], e, t);
}

void lw_item_store_int(struct lw *lw, unsigned int item, struct ir_ins *v)
{
	ir_store(&lw->b, 8, lw->clause.rec, lw->clause.desc->items.a[item].off, v, IR_MEM_RECORD);
}

/* Returns the address of a clock of struct abi_state; index: its lowest bit counts. */
static struct ir_ins *clock_at(struct lw *lw, struct ir_ins *index)
{
	return ir_bin(&lw->b, IR_ADD,
		      ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, clocks)),
		      lw_bini(lw, IR_MUL, lw_bini(lw, IR_AND, index, 1), sizeof(struct abi_clock)));
}

/* Converts a time of the kernel to a time of dtrace's machine. */
static struct ir_ins *our_time(struct lw *lw, struct ir_ins *t)
{
	struct ir_ins *newest, *clock, *since, *is_early, *more;

	if (!lw->plan->opt.has_clock)
		return t;
	newest = ir_load(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, 0),
			 offsetof(struct abi_state, clock), IR_MEM_MAP);
	since =
	    ir_load(&lw->b, 8, clock_at(lw, newest), offsetof(struct abi_clock, since), IR_MEM_MAP);
	is_early = lw_bini(lw, IR_LSHR, lw_bin(lw, IR_SUB, t, since), 63);
	clock = clock_at(lw, lw_bin(lw, IR_XOR, newest, is_early));
	since = lw_bin(lw, IR_SUB, t,
		       ir_load(&lw->b, 8, clock, offsetof(struct abi_clock, since), IR_MEM_MAP));
	more = lw_bin(lw, IR_MUL, since,
		      ir_load(&lw->b, 8, clock, offsetof(struct abi_clock, rate), IR_MEM_MAP));
	t = lw_bin(lw, IR_ADD, t,
		   ir_load(&lw->b, 8, clock, offsetof(struct abi_clock, offset), IR_MEM_MAP));
	return lw_bin(lw, IR_ADD, t, lw_bini(lw, IR_ASHR, more, 32));
}

struct ir_ins *lw_kernel_time(struct lw *lw)
{
	struct memo_key k = {.op = MEMO_TIME};
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw_helper(lw, BPF_FUNC_ktime_get_ns, NULL);
		memo_put(lw, &k, v);
	}
	return v;
}

/* Reads the time unless an earlier clause of the firing has done so. */
static struct ir_ins *firing_time(struct lw *lw)
{
	static const char owner;
	struct ir_block *unset = lw_block(lw), *set = lw_block(lw);
	unsigned int var = lw_firing_var(lw, &owner), mark;

	lw_if(lw, ir_var_read(&lw->b, var), set, unset);
	lw_seal_at(lw, unset);
	mark = lw_push(lw);
	ir_var_write(&lw->b, var, our_time(lw, lw_kernel_time(lw)));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, set);
	lw_seal_at(lw, set);
	return ir_var_read(&lw->b, var);
}

bool lw_has_times(const struct lw *lw)
{
	return lw->plan->opt.is_timed || lw->plan->opt.has_threads;
}

struct ir_ins *lw_time(struct lw *lw)
{
	struct memo_key k = {.op = MEMO_TIME, .imm = 1};
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw_has_times(lw) ? firing_time(lw) : our_time(lw, lw_kernel_time(lw));
		memo_put(lw, &k, v);
	}
	return v;
}

struct ir_ins *lw_wall_time(struct lw *lw)
{
	struct ir_ins *state = ir_mapval(&lw->b, MAP_STATE, 0);

	return ir_bin(&lw->b, IR_ADD, lw_time(lw),
		      ir_load(&lw->b, 8, state, offsetof(struct abi_state, wall), IR_MEM_MAP));
}

void lw_rec_time(struct lw *lw)
{
	ir_store(&lw->b, 8, lw->clause.rec, lw->clause.desc->time_off, lw_time(lw), IR_MEM_RECORD);
}

void lw_rec_thread(struct lw *lw)
{
	unsigned int off = lw->clause.desc->thread_off;

	ir_store(&lw->b, 4, lw->clause.rec, off + offsetof(struct abi_thread, pid), lw_pid(lw),
		 IR_MEM_RECORD);
	ir_store(&lw->b, 4, lw->clause.rec, off + offsetof(struct abi_thread, tid), lw_tid(lw),
		 IR_MEM_RECORD);
	lw_execname(lw,
		    ir_bin(&lw->b, IR_ADD, lw->clause.rec,
			   ir_const(&lw->b, off + offsetof(struct abi_thread, name))),
		    ABI_COMM, IR_MEM_RECORD);
}
