/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gvn.c: removes repeated computations of a value.
 *
 * Requires: nothing.  Keeps: blocks and edges.  Breaks: use counts.
 *
 * Constants and addresses without operands are gathered at the start of the entry block, each once.
 * The back end makes them where they are used, so their place costs nothing, and operands can be
 * compared by pointer.  Then every pure instruction (arithmetic, loads of the context and of kernel
 * memory, helpers whose result is fixed during a firing) is replaced by an equal one that dominates
 * it.  A look-up of a thread's variables counts as pure in programs that create none.
 */
#include <assert.h>
#include <linux/bpf.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "opt/opt.h"

struct entry {
	struct entry *next;
	struct ir_ins *ins;
};

struct gvn {
	struct ir_func *f;
	struct ir_dom *dom;
	struct entry **bucket;
	uint64_t mask;
	bool makes_storage;
	bool changed;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 29;
}

static uint64_t hash(const struct ir_ins *i)
{
	uint64_t h = mix(i->op, (uint64_t)i->imm);

	h = mix(h, (uint64_t)i->imm2);
	for (unsigned int n = 0; n < i->nargs; n++)
		h = mix(h, i->args[n]->id);
	return h;
}

static bool same(const struct ir_ins *x, const struct ir_ins *y)
{
	if (x->op != y->op || x->imm != y->imm || x->imm2 != y->imm2 || x->nargs != y->nargs)
		return false;
	for (unsigned int n = 0; n < x->nargs; n++)
		if (x->args[n] != y->args[n])
			return false;
	return true;
}

/* Returns an equal instruction whose block dominates bb; otherwise remembers and returns i. */
static struct ir_ins *lookup(struct gvn *g, struct ir_ins *i)
{
	struct entry **slot = &g->bucket[hash(i) & g->mask], *e;

	for (e = *slot; e; e = e->next)
		if (same(e->ins, i) && ir_dominates(g->dom, e->ins->block, i->block))
			return e->ins;
	e = arena_new_obj(g->f->mod->arena, struct entry);
	e->ins = i;
	e->next = *slot;
	*slot = e;
	return i;
}

/* Sorts operands of commutative operations by number, constants last. */
static void order_operands(struct ir_ins *i)
{
	struct ir_ins *x = i->args[0], *y = i->args[1];
	bool swap = y->op == IR_CONST ? false : x->op == IR_CONST ? true : x->id > y->id;

	if (!swap)
		return;
	i->args[0] = y;
	i->args[1] = x;
}

static void gather_leaves(struct gvn *g)
{
	struct ir_block *entry = g->f->blocks[0];
	struct ir_ins *at = entry->first;

	/* Start with the ones in the entry block, so that the others find them. */
	for (struct ir_ins *i = entry->first; i; i = i->next)
		if (opt_is_leaf(i) && i == at) {
			struct ir_ins *first = lookup(g, i);

			at = i->next;
			if (first != i)
				opt_replace(i, first);
		}
	for (unsigned int b = 0; b < g->f->nblocks; b++)
		for (struct ir_ins *i = b ? g->f->blocks[b]->first : at, *next; i; i = next) {
			struct ir_ins *first;

			next = i->next;
			if (!opt_is_leaf(i))
				continue;
			first = lookup(g, i);
			if (first != i) {
				opt_replace(i, first);
				continue;
			}
			ir_remove(i);
			ir_insert_before(at, i);
			g->changed = true;
		}
}

static bool is_storage(const struct ir_ins *i, bool makes)
{
	return i->op == IR_CALL && i->imm == BPF_FUNC_task_storage_get && i->nargs == 4 &&
	       (i->args[3]->op != IR_CONST || i->args[3]->imm != 0) == makes;
}

/* Returns true if the program, with its functions, creates thread variables. */
static bool makes_storage(const struct ir_module *mod)
{
	for (unsigned int f = 0; f < mod->nfuncs; f++)
		for (unsigned int b = 0; b < mod->funcs[f]->nblocks; b++)
			for (struct ir_ins *i = mod->funcs[f]->blocks[b]->first; i; i = i->next)
				if (is_storage(i, true))
					return true;
	return false;
}

static bool has_one_result(const struct gvn *g, const struct ir_ins *i)
{
	return opt_is_pure(i) || (!g->makes_storage && is_storage(i, false));
}

static void number_block(struct gvn *g, struct ir_block *bb)
{
	for (struct ir_ins *i = bb->first; i; i = i->next) {
		struct ir_ins *first;

		if (i->op != IR_PHI)
			for (unsigned int n = 0; n < i->nargs; n++)
				i->args[n] = opt_final(i->args[n]);
		if (opt_is_leaf(i) || !has_one_result(g, i))
			continue;
		if (ir_op_flags(i->op) & IR_C)
			order_operands(i);
		first = lookup(g, i);
		if (first != i) {
			opt_replace(i, first);
			g->changed = true;
		}
	}
}

/* Removes replaced instructions, so that the next round finds nothing to do. */
static void sweep(struct ir_func *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first, *next; i; i = next) {
			next = i->next;
			if (i->data)
				ir_remove(i);
		}
}

bool opt_gvn(struct ir_func *f)
{
	struct gvn g = {.f = f, .mask = 63, .makes_storage = makes_storage(f->mod)};

	ir_renumber(f);
	while (g.mask < f->next_id)
		g.mask = 2 * g.mask + 1;
	g.bucket = arena_new_arr(f->mod->arena, struct entry *, g.mask + 1);
	g.dom = ir_dom_new(f);
	opt_begin(f);
	gather_leaves(&g);
	for (unsigned int n = 0; n < g.dom->n; n++)
		number_block(&g, f->blocks[g.dom->order[n]]);
	assert(f->blocks[0]->npreds == 0);
	g.changed = opt_apply(f) || g.changed;
	sweep(f);
	return g.changed;
}
