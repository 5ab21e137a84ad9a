/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dce.c: removes instructions with unused results.
 *
 * Requires: nothing.  Keeps: blocks and edges.  Breaks: nothing; use counts are right afterwards.
 *
 * An instruction is needed if it has an effect, or if a needed instruction uses it.  All others go,
 * also PHIs that only feed each other.  Stores to a slot have no effect if the slot is never read
 * and its address is passed nowhere.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/vec.h"
#include "opt/opt.h"

struct dce {
	struct ir_func *f;
	bool *is_read; /* by slot: its address has uses other than stores to it */
	VEC(struct ir_ins *) work;
};

static bool is_step(const struct ir_ins *i)
{
	return i->op == IR_ADD && i->args[1]->op == IR_CONST;
}

/* Returns the slot at a fixed offset of which an address points; NULL: none or unknown.  data of
 * the steps on the way is set to their origin. */
static struct ir_ins *slot_of(struct ir_ins *p)
{
	struct ir_ins *root = p;

	while (is_step(root))
		root = root->data ? root->data : root->args[0];
	for (; is_step(p) && !p->data; p = p->args[0])
		p->data = root;
	return root->op == IR_SLOT ? root : NULL;
}

static void find_reads(struct dce *d)
{
	for (unsigned int b = 0; b < d->f->nblocks; b++)
		for (struct ir_ins *i = d->f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++) {
				struct ir_ins *slot = slot_of(i->args[n]);
				bool is_address = n == 0 && (ir_is_store(i->op) || is_step(i));

				if (slot && !is_address)
					d->is_read[slot->imm] = true;
			}
}

static bool has_effect(const struct dce *d, struct ir_ins *i)
{
	struct ir_ins *slot;

	if (!(ir_op_flags(i->op) & (IR_W | IR_T)))
		return false;
	if (i->op == IR_CALL && ir_helper_is_pure(i->imm))
		return false;
	slot = ir_is_store(i->op) ? slot_of(i->args[0]) : NULL;
	return !slot || d->is_read[slot->imm];
}

static void need(struct dce *d, struct ir_ins *i)
{
	if (i->mark)
		return;
	i->mark = 1;
	vec_push(&d->work, i);
}

bool opt_dce(struct ir_func *f)
{
	struct dce d = {.f = f, .is_read = arena_new_arr(f->mod->arena, bool, f->nslots)};
	bool changed = false;

	opt_begin(f);
	find_reads(&d);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->mark = 0;
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			if (has_effect(&d, i))
				need(&d, i);
	while (d.work.n) {
		struct ir_ins *i = vec_pop(&d.work);

		for (unsigned int n = 0; n < i->nargs; n++)
			need(&d, i->args[n]);
	}
	vec_free(&d.work);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first, *next; i; i = next) {
			next = i->next;
			if (i->mark)
				continue;
			ir_remove(i);
			changed = true;
		}
	ir_count_uses(f);
	assert(f->blocks[0]->last);
	return changed;
}
