/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.c: removes unneeded PHIs.
 *
 * Requires: nothing.  Keeps: blocks and edges.  Breaks: use counts.
 *
 * A PHI whose operands are one value (and perhaps itself) is that value.  A PHI whose operands are
 * equal constants is a constant.  Two PHIs of a block with the same operands are one.
 */
#include <assert.h>

#include "opt/opt.h"

/* Returns the only operand other than the PHI itself; NULL if there are several. */
static struct ir_ins *only_operand(struct ir_ins *phi)
{
	struct ir_ins *only = NULL;

	for (unsigned int n = 0; n < phi->nargs; n++) {
		struct ir_ins *x = opt_final(phi->args[n]);

		if (x == phi || x == only)
			continue;
		if (only)
			return NULL;
		only = x;
	}
	return only;
}

static bool same_constants(struct ir_ins *phi)
{
	struct ir_ins *first = opt_final(phi->args[0]);

	for (unsigned int n = 0; n < phi->nargs; n++) {
		struct ir_ins *x = opt_final(phi->args[n]);

		if (x->op != IR_CONST || x->imm != first->imm)
			return false;
	}
	return true;
}

static struct ir_ins *twin(struct ir_ins *phi)
{
	for (struct ir_ins *i = phi->block->first; i != phi; i = i->next) {
		unsigned int n = 0;

		while (n < phi->nargs && opt_final(i->args[n]) == opt_final(phi->args[n]))
			n++;
		if (n == phi->nargs && !i->data)
			return i;
	}
	return NULL;
}

static bool simplify(struct ir_func *f, struct ir_ins *phi)
{
	struct ir_ins *to = only_operand(phi);

	assert(phi->op == IR_PHI && phi->nargs);
	if (!to && same_constants(phi))
		to = opt_insert_const(f, opt_after_phis(phi->block), opt_final(phi->args[0])->imm);
	if (!to)
		to = twin(phi);
	if (!to)
		return false;
	opt_replace(phi, to);
	return true;
}

bool opt_copy(struct ir_func *f)
{
	bool changed = true, any = false;

	opt_begin(f);
	while (changed) {
		changed = false;
		for (unsigned int b = 0; b < f->nblocks; b++)
			for (struct ir_ins *i = f->blocks[b]->first; i->op == IR_PHI; i = i->next)
				if (!i->data && simplify(f, i))
					changed = any = true;
	}
	opt_apply(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first, *next; i->op == IR_PHI; i = next) {
			next = i->next;
			if (i->data)
				ir_remove(i);
		}
	return any;
}
