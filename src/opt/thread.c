/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thread.c: jumps past a branch with a known outcome.
 *
 * Requires: equal values are one value (gvn).  Keeps: values.  Breaks: the dominator tree, use
 * counts.
 *
 * Some blocks only join paths (PHIs) and branch on an earlier condition.  Predecessors that know
 * the outcome skip such a block: the condition is a PHI with a constant from there, or was tested
 * on the way.  So two clauses in a row with the same predicate become one test.  Only later PHIs
 * may use the PHIs of the block, because the block no longer dominates the code that follows.
 */
#include <assert.h>

#include "opt/cond.h"

#define MAX_ROUNDS 8

/* Limit of edges to a block.  Without it, if a thousand clauses compare one value, each clause
 * could lead past all later clauses, and PHIs would grow with the square of their number. */
#define MAX_PREDS 64

/* A block gets data, namely a PHI, if that PHI would not stay valid when an edge goes past the
 * block.  A redirected edge adds no such use. */
static void find_far_phis(struct ir_func *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->data = NULL;
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++) {
				struct ir_ins *x = i->args[n];

				if (x->op == IR_PHI && x->block != i->block &&
				    !(i->op == IR_PHI && i->block->preds[n] == x->block))
					x->block->data = x;
			}
}

/* Returns true for a block of PHIs, a branch, and at most one comparison of the PHIs or of older
 * values, which only the branch uses. */
static bool is_joint(const struct ir_block *bb)
{
	const struct ir_ins *i = bb->first;

	if (bb->last->op != IR_BR || bb->npreds < 2)
		return false;
	while (i->op == IR_PHI)
		i = i->next;
	if (ir_is_cmp(i->op) && i->uses == 1 && i->next == bb->last && bb->last->args[0] == i)
		i = i->next;
	return i == bb->last;
}

/* Returns the value of v in bb when control comes from predecessor n. */
static struct ir_ins *from_pred(struct ir_ins *v, const struct ir_block *bb, unsigned int n)
{
	return v->block == bb && v->op == IR_PHI ? v->args[n] : v;
}

/* Returns the outcome of the branch when control comes from predecessor n; -1: unknown. */
static int outcome(const struct facts *t, const struct ir_block *bb, unsigned int n)
{
	struct ir_ins *c = bb->last->args[0], *v;
	const struct ir_block *pred = bb->preds[n];
	const struct ir_ins *end = pred->last;
	struct ir_ins copy, *args[2];
	int known;

	if (c->block == bb && c->op != IR_PHI) {
		args[0] = from_pred(c->args[0], bb, n);
		args[1] = from_pred(c->args[1], bb, n);
		if (args[0]->op == IR_CONST && args[1]->op == IR_CONST)
			return ir_eval(c->op, args[0]->imm, args[1]->imm) != 0;
		copy = *c;
		copy.args = args;
		v = &copy;
	} else {
		v = from_pred(c, bb, n);
	}
	known = cond_known(t, v, pred);
	if (known >= 0 || end->op != IR_BR || end->target[0] == end->target[1])
		return known;
	/* The own branch of the predecessor led here. */
	struct cond_key k = cond_normal(v), mine = cond_normal(end->args[0]);

	if (k.op == mine.op && k.a == mine.a && k.b == mine.b && k.imm == mine.imm)
		return (end->target[0] == bb) == (k.is_reversed == mine.is_reversed);
	return -1;
}

/* Moves the edge from predecessor n to `to`.  Returns false if `to` cannot take it. */
static bool redirect(struct ir_func *f, struct ir_block *bb, unsigned int n, struct ir_block *to)
{
	struct ir_block *pred = bb->preds[n];
	int at = ir_find_pred(to, bb);
	unsigned int k = 0;

	if (to == bb || to->npreds >= MAX_PREDS || ir_find_pred(to, pred) >= 0)
		return false;
	assert(at >= 0);
	while (pred->last->target[k] != bb)
		k++;
	pred->last->target[k] = to;
	ir_add_pred(f, to, pred);
	for (struct ir_ins *i = to->first; i->op == IR_PHI; i = i->next)
		opt_phi_add(f, i, from_pred(i->args[at], bb, n));
	to->mark = 1;
	ir_drop_pred(bb, n);
	return true;
}

static unsigned int count_edges(const struct ir_block *bb, const struct ir_block *pred)
{
	unsigned int n = 0;

	for (unsigned int p = 0; p < bb->npreds; p++)
		n += bb->preds[p] == pred;
	return n;
}

static bool thread_block(struct ir_func *f, const struct facts *t, struct ir_block *bb)
{
	bool changed = false;

	if (!is_joint(bb) || bb->data)
		return false;
	for (unsigned int n = bb->npreds; n-- > 0;) {
		int known = count_edges(bb, bb->preds[n]) == 1 ? outcome(t, bb, n) : -1;

		if (known >= 0 && bb->npreds > 1)
			changed = redirect(f, bb, n, bb->last->target[known ? 0 : 1]) || changed;
	}
	return changed;
}

bool opt_thread(struct ir_func *f)
{
	bool changed = false;

	for (unsigned int round = 0; round < MAX_ROUNDS; round++) {
		const struct facts *t;
		bool again = false;

		ir_count_uses(f);
		ir_remove_unreachable(f);
		t = cond_facts(f, ir_dom_new(f));
		find_far_phis(f);
		for (unsigned int b = 0; b < f->nblocks; b++)
			again = thread_block(f, t, f->blocks[b]) || again;
		if (!again)
			break;
		changed = true;
	}
	ir_remove_unreachable(f);
	return changed;
}
