/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.c: memory that a helper copies into a slot.
 *
 * Requires: equal values are one value (gvn).  Keeps: blocks and edges.  Breaks: use counts; leaves
 * unused slots.
 *
 * For D, kernel memory does not change during a firing, unless the function writes memory that it
 * reads by address.  The same holds for user memory, unless the program writes some.  So if only
 * one probe read writes a slot, later loads from the slot are pure, like loads of kernel memory,
 * and are marked as such.  A second read of the same bytes needs neither call nor slot: it is
 * replaced by the first.
 */
#include <assert.h>
#include <linux/bpf.h>

#include "base/arena.h"
#include "ir/dom.h"
#include "opt/opt.h"

struct slot {
	struct ir_ins *writer; /* the only one */
	bool is_other;	       /* has other uses: nothing is known */
};

struct entry {
	struct entry *next;
	struct ir_ins *call;
};

struct read {
	struct ir_func *f;
	struct ir_dom *dom;
	struct slot *slots;
	struct entry **bucket;
	uint64_t mask;
	bool writes_user, changed;
};

static struct ir_ins *slot_of(struct ir_ins *p)
{
	while (p->op == IR_ADD && p->args[1]->op == IR_CONST)
		p = p->args[0];
	return p->op == IR_SLOT ? p : NULL;
}

static bool is_probe_read(const struct ir_ins *i)
{
	return i->op == IR_CALL && i->nargs == 3 && i->args[1]->op == IR_CONST &&
	       (i->imm == BPF_FUNC_probe_read_kernel || i->imm == BPF_FUNC_probe_read_user);
}

/* Returns true for helpers that only read their arguments. */
static bool only_reads(const struct ir_ins *i)
{
	return i->op == IR_CALL &&
	       (i->imm == BPF_FUNC_map_lookup_elem || i->imm == BPF_FUNC_map_update_elem ||
		i->imm == BPF_FUNC_map_delete_elem || i->imm == BPF_FUNC_strncmp);
}

static void note_use(struct read *r, struct ir_ins *i, unsigned int n)
{
	struct ir_ins *p = slot_of(i->args[n]);
	struct slot *s;

	if (!p || (ir_is_load(i->op) && n == 0) || only_reads(i))
		return;
	if (i->op == IR_ADD && n == 0 && i->args[1]->op == IR_CONST)
		return;
	s = &r->slots[p->imm];
	if (is_probe_read(i) && n == 0 && i->args[0] == p && !s->writer)
		s->writer = i;
	else
		s->is_other = true;
}

static void scan(struct read *r)
{
	int64_t order = 0;

	for (unsigned int b = 0; b < r->f->nblocks; b++)
		for (struct ir_ins *i = r->f->blocks[b]->first; i; i = i->next) {
			i->mark = order++;
			if (i->op == IR_CALL && i->imm == BPF_FUNC_probe_write_user)
				r->writes_user = true;
			for (unsigned int n = 0; n < i->nargs; n++)
				note_use(r, i, n);
		}
}

static bool comes_before(const struct read *r, const struct ir_ins *x, const struct ir_ins *y)
{
	if (x->block == y->block)
		return x->mark < y->mark;
	return ir_dominates(r->dom, x->block, y->block);
}

static bool is_lasting(const struct read *r, const struct ir_ins *call)
{
	if (r->f->has_writes)
		return false;
	return call->imm == BPF_FUNC_probe_read_kernel || !r->writes_user;
}

/* A load before the read sees other bytes, so such a slot is left alone. */
static void check_loads(struct read *r)
{
	for (unsigned int b = 0; b < r->f->nblocks; b++)
		for (struct ir_ins *i = r->f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++) {
				struct ir_ins *p = slot_of(i->args[n]);
				struct slot *s = p ? &r->slots[p->imm] : NULL;

				if (s && s->writer && i != s->writer && i->op != IR_ADD &&
				    !comes_before(r, s->writer, i))
					s->is_other = true;
			}
}

static void purify_loads(struct read *r)
{
	for (unsigned int b = 0; b < r->f->nblocks; b++)
		for (struct ir_ins *i = r->f->blocks[b]->first; i; i = i->next) {
			struct ir_ins *p = ir_is_load(i->op) ? slot_of(i->args[0]) : NULL;
			const struct slot *s = p ? &r->slots[p->imm] : NULL;

			if (!s || s->is_other || !s->writer || i->imm2 == IR_MEM_KERNEL)
				continue;
			i->imm2 = IR_MEM_KERNEL;
			r->changed = true;
		}
}

/* Returns the earlier of two equal reads; otherwise remembers and returns i. */
static struct ir_ins *lookup(struct read *r, struct ir_ins *i)
{
	uint64_t h = i->args[2]->id * 0x9e3779b97f4a7c15ULL;
	struct entry **list = &r->bucket[h >> 40 & r->mask], *e;

	for (e = *list; e; e = e->next)
		if (e->call->imm == i->imm && e->call->args[2] == i->args[2] &&
		    e->call->args[1]->imm == i->args[1]->imm && comes_before(r, e->call, i))
			return e->call;
	e = arena_new_obj(r->f->mod->arena, struct entry);
	e->call = i;
	e->next = *list;
	*list = e;
	return i;
}

static void merge_reads(struct read *r, int64_t *becomes)
{
	for (unsigned int n = 0; n < r->dom->n; n++) {
		struct ir_block *bb = r->f->blocks[r->dom->order[n]];

		for (struct ir_ins *i = bb->first, *next, *first; i; i = next) {
			struct ir_ins *p;

			next = i->next;
			if (!is_probe_read(i) || !is_lasting(r, i))
				continue;
			p = slot_of(i->args[0]);
			if (!p || r->slots[p->imm].is_other || r->slots[p->imm].writer != i)
				continue;
			first = lookup(r, i);
			if (first == i)
				continue;
			becomes[p->imm] = slot_of(first->args[0])->imm;
			opt_replace(i, first);
			ir_remove(i);
			r->changed = true;
		}
	}
}

static bool has_loop(const struct read *r)
{
	for (unsigned int b = 0; b < r->f->nblocks; b++)
		for (unsigned int n = 0; n < r->f->blocks[b]->last->ntargets; n++)
			if (r->dom->pos[r->f->blocks[b]->last->target[n]->id] <= r->dom->pos[b])
				return true;
	return false;
}

bool opt_read(struct ir_func *f)
{
	struct read r = {.f = f, .dom = ir_dom_new(f), .mask = 63};
	int64_t *becomes;

	if (!f->nslots || has_loop(&r))
		return false;
	r.slots = arena_new_arr(f->mod->arena, struct slot, f->nslots);
	r.bucket = arena_new_arr(f->mod->arena, struct entry *, r.mask + 1);
	becomes = arena_new_arr(f->mod->arena, int64_t, f->nslots);
	for (unsigned int s = 0; s < f->nslots; s++)
		becomes[s] = s;
	scan(&r);
	check_loads(&r);
	opt_begin(f);
	purify_loads(&r);
	merge_reads(&r, becomes);
	opt_apply(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			if (i->op == IR_SLOT)
				i->imm = becomes[i->imm];
	assert(f->blocks[0]->npreds == 0);
	return r.changed;
}
