/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfg.c: removes blocks and edges.
 *
 * Requires: nothing.  Keeps: values.  Breaks: use counts; leaves unused instructions.
 *
 * A branch on a constant, or with a single target, becomes a jump.  Unreachable blocks are removed,
 * and a block that only jumps is skipped.  A block merges with its only successor, if it is the
 * only predecessor of that successor.
 */
#include <assert.h>

#include "opt/opt.h"

static bool fold_end(struct ir_block *bb)
{
	struct ir_ins *t = bb->last;
	unsigned int to = 0;

	if (t->op == IR_BR && t->target[0] == t->target[1]) {
		ir_set_jmp(t, 0);
		return true;
	}
	if ((t->op != IR_BR && t->op != IR_SWITCH) || t->args[0]->op != IR_CONST)
		return false;
	if (t->op == IR_BR)
		to = t->args[0]->imm == 0;
	for (unsigned int n = 1; t->op == IR_SWITCH && n < t->ntargets; n++)
		if (t->cases[n - 1] == t->args[0]->imm)
			to = n;
	ir_set_jmp(t, to);
	return true;
}

/* An edge into an empty block can go to the target of that block, unless the target would get two
 * edges from one predecessor with different operands. */
static bool can_skip(const struct ir_block *bb, const struct ir_block *to)
{
	int at = ir_find_pred(to, bb);

	if (to->first->op != IR_PHI)
		return true;
	for (unsigned int p = 0; p < bb->npreds; p++) {
		int have = ir_find_pred(to, bb->preds[p]);

		for (struct ir_ins *i = to->first; have >= 0 && i->op == IR_PHI; i = i->next)
			if (i->args[have] != i->args[at])
				return false;
	}
	return true;
}

static void add_edge(struct ir_func *f, struct ir_block *to, struct ir_block *from, int like)
{
	ir_add_pred(f, to, from);
	for (struct ir_ins *i = to->first; i->op == IR_PHI; i = i->next)
		opt_phi_add(f, i, i->args[like]);
}

static bool skip_empty(struct ir_func *f, struct ir_block *bb)
{
	struct ir_block *to;
	int at;

	if (bb->id == 0 || bb->first->op != IR_JMP || !bb->npreds)
		return false;
	to = bb->last->target[0];
	if (to == bb || !can_skip(bb, to))
		return false;
	at = ir_find_pred(to, bb);
	for (unsigned int p = 0; p < bb->npreds; p++) {
		struct ir_ins *t = bb->preds[p]->last;

		for (unsigned int n = 0; n < t->ntargets; n++)
			if (t->target[n] == bb) {
				t->target[n] = to;
				break;
			}
		add_edge(f, to, bb->preds[p], at);
	}
	bb->npreds = 0;
	return true;
}

/* Moves the instructions of the only successor to the end of bb. */
static bool merge(struct ir_block *bb)
{
	struct ir_block *next = bb->last->op == IR_JMP ? bb->last->target[0] : NULL;

	if (!next || next->npreds != 1)
		return false;
	/* No block jumps to the entry, and none is unreachable. */
	assert(next != bb && next->id != 0);
	while (next->first->op == IR_PHI) {
		opt_replace(next->first, next->first->args[0]);
		ir_remove(next->first);
	}
	ir_remove(bb->last);
	for (struct ir_ins *i = next->first; i; i = next->first) {
		ir_remove(i);
		ir_append(bb, i);
	}
	for (unsigned int n = 0; n < bb->last->ntargets; n++) {
		struct ir_block *to = bb->last->target[n];

		for (unsigned int p = 0; p < to->npreds; p++)
			if (to->preds[p] == next)
				to->preds[p] = bb;
	}
	next->npreds = 0;
	return true;
}

/* Blocks that were skipped or merged have no predecessors and perhaps no end. */
static void drop_dead(struct ir_func *f)
{
	unsigned int n = 0;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct ir_block *bb = f->blocks[b];
		struct ir_ins *t = bb->last;

		if (b == 0 || bb->npreds) {
			bb->id = n;
			f->blocks[n++] = bb;
			continue;
		}
		for (unsigned int k = 0; t && k < t->ntargets; k++)
			ir_drop_pred(t->target[k], (unsigned int)ir_find_pred(t->target[k], bb));
	}
	f->nblocks = n;
}

bool opt_cfg(struct ir_func *f)
{
	bool changed = false, any = true;

	while (any) {
		any = false;
		opt_begin(f);
		for (unsigned int b = 0; b < f->nblocks; b++)
			any = fold_end(f->blocks[b]) || any;
		ir_remove_unreachable(f);
		for (unsigned int b = 0; b < f->nblocks; b++)
			any = skip_empty(f, f->blocks[b]) || any;
		drop_dead(f);
		for (unsigned int b = 0; b < f->nblocks; b++)
			while (f->blocks[b]->last && (b == 0 || f->blocks[b]->npreds) &&
			       merge(f->blocks[b]))
				any = true;
		opt_apply(f);
		drop_dead(f);
		changed = changed || any;
	}
	assert(f->blocks[0]->npreds == 0);
	return changed;
}
