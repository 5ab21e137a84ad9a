/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dom.c: dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001):
 * immediate dominators are refined in reverse postorder until nothing changes, which is one round
 * for graphs without loops.  The tree is then numbered so that dominance is a comparison of
 * intervals.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "ir/ir.h"

#define NONE UINT32_MAX

/* Depth first without recursion; block->mark counts the targets already visited, -1: not seen. */
static void postorder(struct ir_func *f, struct ir_dom *d)
{
	struct ir_block **stack = arena_new_arr(f->mod->arena, struct ir_block *, f->nblocks);
	unsigned int depth = 0, out = f->nblocks;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		assert(f->blocks[b]->id == b);
		f->blocks[b]->mark = -1;
	}
	f->blocks[0]->mark = 0;
	stack[depth++] = f->blocks[0];
	while (depth) {
		struct ir_block *bb = stack[depth - 1];

		if (bb->mark < (int64_t)bb->last->ntargets) {
			struct ir_block *to = bb->last->target[bb->mark++];

			if (to->mark < 0) {
				to->mark = 0;
				stack[depth++] = to;
			}
			continue;
		}
		d->rpo[--out] = bb;
		d->pos[bb->id] = out;
		depth--;
	}
	assert(out == 0);
}

struct pred {
	unsigned int id, pos;
};

static unsigned int meet(const struct ir_dom *d, unsigned int a, unsigned int b)
{
	while (a != b) {
		if (d->pos[a] > d->pos[b])
			a = d->idom[a];
		else
			b = d->idom[b];
	}
	return a;
}

/* Starts with the last one in reverse postorder: one way up then finds the common block. */
static int by_pos(const void *x, const void *y)
{
	const struct pred *a = x, *b = y;

	return a->pos > b->pos ? -1 : a->pos < b->pos;
}

/* Returns the block that all predecessors known so far have in common. */
static unsigned int common(const struct ir_dom *d, const struct ir_block *bb, struct pred *list)
{
	unsigned int n = 0, best;

	for (unsigned int p = 0; p < bb->npreds; p++) {
		unsigned int id = bb->preds[p]->id;

		if (d->idom[id] != NONE)
			list[n++] = (struct pred){id, d->pos[id]};
	}
	assert(n);
	qsort(list, n, sizeof(*list), by_pos);
	best = list[0].id;
	for (unsigned int p = 1; p < n; p++)
		best = meet(d, best, list[p].id);
	return best;
}

static unsigned int most_preds(const struct ir_dom *d)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < d->n; i++)
		n = d->rpo[i]->npreds > n ? d->rpo[i]->npreds : n;
	return n;
}

static void find_idoms(struct ir_dom *d, struct arena *a)
{
	struct pred *list = arena_new_arr(a, struct pred, most_preds(d));
	bool changed = true;

	for (unsigned int i = 0; i < d->n; i++)
		d->idom[i] = NONE;
	d->idom[d->rpo[0]->id] = d->rpo[0]->id;
	while (changed) {
		changed = false;
		for (unsigned int i = 1; i < d->n; i++) {
			const struct ir_block *bb = d->rpo[i];
			unsigned int best = common(d, bb, list);

			if (d->idom[bb->id] != best) {
				d->idom[bb->id] = best;
				changed = true;
			}
		}
	}
}

/* Computes the sizes of subtrees first (children follow their parents in rpo).  Then each child
 * gets the next piece of its parent's interval. */
static void number_tree(struct ir_dom *d, unsigned int *size, unsigned int *next)
{
	for (unsigned int i = 0; i < d->n; i++)
		size[i] = 1;
	for (unsigned int i = d->n; i-- > 1;)
		size[d->idom[d->rpo[i]->id]] += size[d->rpo[i]->id];
	for (unsigned int i = 0; i < d->n; i++) {
		unsigned int b = d->rpo[i]->id, up = d->idom[b];

		d->pre[b] = i ? next[up] : 0;
		d->post[b] = d->pre[b] + size[b];
		next[b] = d->pre[b] + 1;
		if (i)
			next[up] += size[b];
		d->order[d->pre[b]] = b;
	}
}

struct ir_dom *ir_dom_new(struct ir_func *f)
{
	struct arena *a = f->mod->arena;
	struct ir_dom *d = arena_new_obj(a, struct ir_dom);
	unsigned int n = d->n = f->nblocks;

	assert(n > 0);
	d->rpo = arena_new_arr(a, struct ir_block *, n);
	d->pos = arena_new_arr(a, unsigned int, n);
	d->idom = arena_new_arr(a, unsigned int, n);
	d->pre = arena_new_arr(a, unsigned int, n);
	d->post = arena_new_arr(a, unsigned int, n);
	d->order = arena_new_arr(a, unsigned int, n);
	postorder(f, d);
	find_idoms(d, a);
	number_tree(d, arena_new_arr(a, unsigned int, n), arena_new_arr(a, unsigned int, n));
	return d;
}

bool ir_dominates(const struct ir_dom *d, const struct ir_block *a, const struct ir_block *b)
{
	return d->pre[a->id] <= d->pre[b->id] && d->pre[b->id] < d->post[a->id];
}
