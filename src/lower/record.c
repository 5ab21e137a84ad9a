/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.c: values as items of records and keys.
 */
#include <assert.h>
#include <bpf/bpf.h>

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

void lw_rec_time(struct lw *lw)
{
	static const char owner;
	struct ir_block *unset = lw_block(lw), *set = lw_block(lw);
	unsigned int var = lw_firing_var(lw, &owner);

	lw_if(lw, ir_var_read(&lw->b, var), set, unset);
	lw_seal_at(lw, unset);
	ir_var_write(&lw->b, var, lw_helper(lw, BPF_FUNC_ktime_get_ns, NULL));
	ir_jmp(&lw->b, set);
	lw_seal_at(lw, set);
	ir_store(&lw->b, 8, lw->clause.rec, lw->clause.desc->time_off, ir_var_read(&lw->b, var),
		 IR_MEM_RECORD);
}
