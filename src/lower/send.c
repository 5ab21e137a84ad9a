/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * send.c: sends values from where a clause fires to the host that runs it.  A fault in a value
 * counts only if the host uses the value, so the fault is sent in its place.
 */
#include <assert.h>

#include "lower/leaf.h"

static void plan_send(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct item word = {.enc = ITEM_INT, .size = 8};

	rec_act_add(plan, d, e->ident->name, e);
	for (unsigned int i = 0; i < e->nargs; i++) {
		/* A variable keeps 64 bits, whatever its type. */
		if (type_is_scalar(e->args[i]->type))
			rec_item_add(d, word);
		else
			rec_item_expr(plan, d, e->args[i]);
		rec_item_add(d, word);
		rec_item_add(d, word);
	}
	d->is_sent = true;
}

/*
 * Stores the value of e as item n of the record.  Item n + 2 marks a NULL string, which is a fault
 * only when it is used.
 */
static void store_value(struct lw *lw, unsigned int n, const struct expr *e)
{
	const struct item *it = &lw->clause.desc->items.a[n];
	struct ir_ins *found = NULL, *zero = ir_const(&lw->b, 0), *dst;

	if (it->enc == ITEM_STR && type_is_string(e->type)) {
		dst = ir_bin(&lw->b, IR_ADD, lw->clause.rec, ir_const(&lw->b, it->off));
		found = lw_str_or_null(lw, e, dst, it->size, IR_MEM_RECORD);
	} else {
		lw_item_store(lw, n, e);
	}
	lw_item_store_int(lw, n + 2, found ? ir_bin(&lw->b, IR_EQ, found, zero) : zero);
}

/* Stores the value of e as item n of the record, or its fault in the next two items. */
static void store(struct lw *lw, unsigned int n, const struct expr *e)
{
	struct ir_block *fault = lw_block(lw), *done = lw_block(lw), *was = lw->clause.fault;
	unsigned int mark = lw_push(lw);

	lw->clause.fault = fault;
	store_value(lw, n, e);
	lw->clause.fault = was;
	lw_item_store_int(lw, n + 1, ir_const(&lw->b, 0));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, fault);
	if (fault->npreds) {
		lw_item_store_int(lw, n + 1, ir_var_read(&lw->b, lw->clause.var_fault));
		lw_item_store_int(
		    lw, n + 2,
		    lw_number(lw, (struct val){.v = ir_var_read(&lw->b, lw->clause.var_fault_val),
					       .place = PLACE_SCALAR}));
		ir_jmp(&lw->b, done);
	} else {
		lw->b.cur = NULL;
	}
	lw_seal_at(lw, done);
}

static void emit_send(struct lw *lw, const struct expr *e, unsigned int item)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		store(lw, item + 3 * i, e->args[i]);
}

const struct builtin_act lw_send = {.plan = plan_send, .emit = emit_send};
