/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackval.c: stacks as values (abi.h).  Each value has room for the deepest stack of the program,
 * and zeros after its end.  Copying and comparing stacks is therefore copying and comparing bytes.
 */
#include <assert.h>
#include <bpf/bpf.h>

#include "lower/leaf.h"

void lw_stack_into(struct lw *lw, const struct expr *e, struct ir_ins *dst, enum ir_mem mem)
{
	const struct builtin_act *act = e->ident->row->impl;
	uint32_t size = plan_type_size(lw->plan, e->type);
	struct item it = act->key(lw->plan, e);

	assert(it.enc == ITEM_STACK && it.size <= size);
	it.size = size;
	act->store(lw, &it, e, (struct tmp){dst, mem});
}

struct val lw_stack_value(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, plan_type_size(lw->plan, e->type));

	lw_stack_into(lw, e, t.p, t.mem);
	return (struct val){.v = t.p, .type = e->type, .place = PLACE_SAFE, .mem = t.mem};
}

struct ir_ins *lw_stack_owner(struct lw *lw, const struct expr *e)
{
	return lw_is_null(e)
		   ? lw_const(lw, 0)
		   : lw_load(lw, lw_addr(lw, e), type_int(lw->plan->env.types, 8, false), 0, 0).v;
}

struct ir_ins *lw_stack_differ(struct lw *lw, const struct expr *x, const struct expr *y)
{
	uint32_t size = plan_type_size(lw->plan, x->type);
	struct type *word = type_int(lw->plan->env.types, 8, false);
	struct val a = lw_addr(lw, x), b = lw_addr(lw, y);
	struct ir_ins *r = lw_const(lw, 0);

	for (uint32_t off = 0; off < size; off += 8)
		r = lw_bin(lw, IR_OR, r,
			   lw_bin(lw, IR_XOR, lw_load(lw, a, word, off * 8, 0).v,
				  lw_load(lw, b, word, off * 8, 0).v));
	return r;
}
