/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.c: moves work to the paths that need it.
 *
 * Requires: nothing.  Keeps: blocks and edges.  Breaks: nothing.
 *
 * A pure instruction moves down to the deepest block that dominates all its uses, before the first
 * use there.  Pure are arithmetic, loads of the context or of kernel memory, and helpers without
 * effect.  So a firing with a false predicate does not pay for the reads of the clause.  Nothing
 * moves into a loop.  Leaves cost nothing and stay.  An instruction also stays if its operands
 * would have to live longer instead of its result, as for a sum of thousands of terms.
 */
#include <assert.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "opt/opt.h"

struct sink {
	struct ir_func *f;
	struct ir_dom *dom;
	struct ir_block **home; /* by value id: block that dominates all uses; NULL: unused */
	unsigned int *needs;	/* by value id: values kept alive if it sinks; 1 if it stays */
};

static struct ir_block *common(const struct sink *s, struct ir_block *a, struct ir_block *b)
{
	if (!a)
		return b;
	while (!ir_dominates(s->dom, a, b))
		a = s->f->blocks[s->dom->idom[a->id]];
	return a;
}

static void note_uses(struct sink *s, struct ir_ins *i)
{
	for (unsigned int n = 0; n < i->nargs; n++) {
		struct ir_block *at = i->op == IR_PHI ? i->block->preds[n] : i->block;
		unsigned int id = i->args[n]->id;

		s->home[id] = common(s, s->home[id], at);
	}
}

static bool uses(const struct ir_ins *at, const struct ir_ins *i)
{
	for (unsigned int n = 0; n < at->nargs; n++)
		if (at->args[n] == i)
			return true;
	return false;
}

/*
 * Returns the place in bb for i: after the PHIs, before the first instruction that uses i, or
 * before the end; and before instructions that sank there already.  Those were below i, so the
 * order stays.
 */
static struct ir_ins *place_for(struct ir_block *bb, const struct ir_ins *i)
{
	struct ir_ins *at = opt_after_phis(bb);

	while (at != bb->last && !uses(at, i))
		at = at->next;
	while (at->prev && at->prev->mark)
		at = at->prev;
	return at;
}

/* Returns the number of values kept alive for i: its operands, or the ones of operands that can
 * sink, too. */
static unsigned int operand_needs(const struct sink *s, const struct ir_ins *i)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k < i->nargs; k++)
		if (k == 0 || i->args[k] != i->args[k - 1])
			n += s->needs[i->args[k]->id];
	return n;
}

static bool can_sink(const struct sink *s, const struct ir_ins *i)
{
	return opt_is_pure(i) && !opt_is_leaf(i) && operand_needs(s, i) <= 1;
}

/* Operands come before their users, except operands of PHIs, which stay. */
static void count_needs(struct sink *s)
{
	for (unsigned int b = 0; b < s->dom->n; b++)
		for (struct ir_ins *i = s->dom->rpo[b]->first; i; i = i->next)
			s->needs[i->id] = opt_is_leaf(i)   ? 0
					  : can_sink(s, i) ? operand_needs(s, i)
							   : 1;
}

static bool find_loops(const struct ir_func *f, const struct ir_dom *d)
{
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (unsigned int n = 0; n < f->blocks[b]->last->ntargets; n++)
			if (d->pos[f->blocks[b]->last->target[n]->id] <= d->pos[b])
				return true;
	return false;
}

/* Handles later blocks first, so that operands of a sunk instruction can follow it. */
bool opt_sink(struct ir_func *f)
{
	struct sink s = {.f = f, .dom = ir_dom_new(f)};
	bool changed = false;

	if (find_loops(f, s.dom))
		return false;
	ir_renumber(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->mark = 0;
	s.home = arena_new_arr(f->mod->arena, struct ir_block *, f->next_id);
	s.needs = arena_new_arr(f->mod->arena, unsigned int, f->next_id);
	count_needs(&s);
	for (unsigned int b = s.dom->n; b-- > 0;) {
		struct ir_block *bb = s.dom->rpo[b];

		/* Uses by PHIs of later blocks are complete now; this block comes next. */
		for (struct ir_ins *i = bb->last, *prev; i; i = prev) {
			struct ir_block *home = s.home[i->id];

			prev = i->prev;
			if (home && home != bb && can_sink(&s, i)) {
				struct ir_ins *at = place_for(home, i);

				assert(ir_dominates(s.dom, bb, home));
				ir_remove(i);
				ir_insert_before(at, i);
				i->mark = 1;
				changed = true;
			}
			note_uses(&s, i);
		}
	}
	return changed;
}
