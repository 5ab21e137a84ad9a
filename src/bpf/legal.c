/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * legal.c: removes operations that the machine lacks from the IR.
 *
 * Switches become binary searches.  Signed divisions become unsigned ones if the instruction set
 * has no signed ones.  An edge from a block with several successors into a block with PHIs gets a
 * block of its own, for the copies.  Unused values disappear.  Afterwards ins->uses is right.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "bpf/mir.h"

/* ---- switches ---- */

struct range {
	uint64_t lo, hi;
	struct ir_block *to;
};

struct search {
	struct ir_builder b;
	struct ir_ins *x;
	struct ir_block *dflt;
};

static int by_lo(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static struct ir_ins *compare(struct search *s, enum ir_op op, uint64_t v)
{
	return ir_bin(&s->b, op, s->x, ir_const(&s->b, (int64_t)v));
}

/* Tests for one range, in a block where lo <= x <= hi is known. */
static void search_one(struct search *s, const struct range *r, uint64_t lo, uint64_t hi)
{
	struct ir_block *above;

	if (r->lo == r->hi && lo != hi) {
		ir_br(&s->b, compare(s, IR_EQ, r->lo), r->to, s->dflt);
		return;
	}
	if (lo < r->lo) {
		above = ir_block_new(s->b.func);
		ir_br(&s->b, compare(s, IR_ULT, r->lo), s->dflt, above);
		ir_at(&s->b, above);
	}
	if (r->hi < hi)
		ir_br(&s->b, compare(s, IR_ULE, r->hi), r->to, s->dflt);
	else
		ir_jmp(&s->b, r->to);
}

static void search(struct search *s, const struct range *r, unsigned int n, uint64_t lo,
		   uint64_t hi)
{
	struct ir_block *less, *more;
	unsigned int mid = n / 2;

	if (n == 1) {
		search_one(s, r, lo, hi);
		return;
	}
	more = ir_block_new(s->b.func);
	if (n == 2 && r[0].lo == r[0].hi) {
		ir_br(&s->b, compare(s, IR_EQ, r[0].lo), r[0].to, more);
		ir_at(&s->b, more);
		search_one(s, r + 1, lo, hi);
		return;
	}
	less = ir_block_new(s->b.func);
	ir_br(&s->b, compare(s, IR_ULT, r[mid].lo), less, more);
	ir_at(&s->b, less);
	search(s, r, mid, lo, r[mid].lo - 1);
	ir_at(&s->b, more);
	search(s, r + mid, n - mid, r[mid].lo, hi);
}

/* A target with PHIs gets one block before it, so that the operands of the PHIs stay the same. */
static struct ir_block *landing(struct ir_func *f, struct ir_block *from, struct ir_block *to)
{
	struct ir_builder b = {.func = f};
	int first = ir_find_pred(to, from);

	to->sealed = false;
	assert(first >= 0);
	for (unsigned int n = to->npreds; n-- > (unsigned int)first + 1;)
		if (to->preds[n] == from)
			ir_drop_pred(to, n);
	if (to->first->op != IR_PHI) {
		ir_drop_pred(to, (unsigned int)first);
		return to;
	}
	b.cur = ir_block_new(f);
	to->preds[first] = b.cur;
	from = b.cur;
	ir_jmp(&b, to);
	to->npreds--;
	return from;
}

static unsigned int merge_ranges(struct range *r, unsigned int n, const struct ir_block *dflt)
{
	unsigned int out = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (r[i].to == dflt)
			continue;
		if (out && r[out - 1].to == r[i].to && r[out - 1].hi + 1 == r[i].lo)
			r[out - 1].hi = r[i].hi;
		else
			r[out++] = r[i];
	}
	return out;
}

static void expand_switch(struct ir_func *f, struct ir_ins *sw)
{
	struct search s = {.b = {.func = f, .loc = sw->loc}, .x = sw->args[0]};
	struct ir_block *bb = sw->block;
	unsigned int n = sw->ntargets - 1;
	struct range *r = arena_new_arr(f->mod->arena, struct range, n);

	for (unsigned int k = 0; k < sw->ntargets; k++)
		sw->target[k]->data = NULL;
	for (unsigned int k = 0; k < sw->ntargets; k++) {
		struct ir_block *to = sw->target[k];

		if (!to->data)
			to->data = landing(f, bb, to);
		if (k)
			r[k - 1] = (struct range){(uint64_t)sw->cases[k - 1],
						  (uint64_t)sw->cases[k - 1], to->data};
	}
	s.dflt = sw->target[0]->data;
	ir_remove(sw);
	qsort(r, n, sizeof(*r), by_lo);
	n = merge_ranges(r, n, s.dflt);
	ir_at(&s.b, bb);
	s.b.cur = bb;
	if (n)
		search(&s, r, n, 0, UINT64_MAX);
	else
		ir_jmp(&s.b, s.dflt);
}

/* ---- signed division ---- */

static struct ir_ins *put(struct ir_func *f, struct ir_ins *at, enum ir_op op, struct ir_ins *x,
			  struct ir_ins *y)
{
	struct ir_ins *i = ir_ins_new(f, op, 2);

	i->args[0] = x;
	i->args[1] = y;
	i->loc = at->loc;
	ir_insert_before(at, i);
	return i;
}

static struct ir_ins *put_const(struct ir_func *f, struct ir_ins *at, int64_t v)
{
	struct ir_ins *i = ir_ins_new(f, IR_CONST, 0);

	i->imm = v;
	i->loc = at->loc;
	ir_insert_before(at, i);
	return i;
}

/* Returns x with reversed sign where sign is -1, and x where sign is 0. */
static struct ir_ins *with_sign(struct ir_func *f, struct ir_ins *at, struct ir_ins *x,
				struct ir_ins *sign)
{
	return put(f, at, IR_SUB, put(f, at, IR_XOR, x, sign), sign);
}

/* Uses no branches: signs are masks, and magnitudes are divided. */
static void expand_sdiv(struct ir_func *f, struct ir_ins *i)
{
	struct ir_ins *x = i->args[0], *y = i->args[1], *c63 = put_const(f, i, 63);
	struct ir_ins *sx = put(f, i, IR_ASHR, x, c63), *sign = sx, *q;
	bool is_mod = i->op == IR_SMOD;

	x = with_sign(f, i, x, sx);
	if (y->op == IR_CONST) {
		if (y->imm < 0 && !is_mod)
			sign = put(f, i, IR_XOR, sx, put_const(f, i, -1));
		y = put_const(f, i, y->imm < 0 ? ir_eval(IR_NEG, y->imm, 0) : y->imm);
	} else {
		struct ir_ins *sy = put(f, i, IR_ASHR, y, c63);

		y = with_sign(f, i, y, sy);
		if (!is_mod)
			sign = put(f, i, IR_XOR, sx, sy);
	}
	q = put(f, i, is_mod ? IR_UMOD : IR_UDIV, x, y);
	i->op = IR_SUB;
	i->args[0] = put(f, i, IR_XOR, q, sign);
	i->args[1] = sign;
}

/* ---- edges ---- */

static void split_edges(struct ir_func *f)
{
	unsigned int nblocks = f->nblocks;

	for (unsigned int b = 0; b < nblocks; b++) {
		struct ir_ins *t = f->blocks[b]->last;

		if (t->op == IR_BR && t->target[0] == t->target[1])
			ir_set_jmp(t, 0);
		for (unsigned int k = 0; t->ntargets > 1 && k < t->ntargets; k++) {
			struct ir_block *to = t->target[k], *mid;
			struct ir_ins *jmp;

			if (to->first->op != IR_PHI)
				continue;
			mid = ir_block_new(f);
			jmp = ir_ins_new(f, IR_JMP, 0);
			jmp->loc = t->loc;
			jmp->target = arena_new_arr(f->mod->arena, struct ir_block *, 1);
			jmp->target[0] = to;
			jmp->ntargets = 1;
			ir_append(mid, jmp);
			to->preds[ir_find_pred(to, t->block)] = mid;
			ir_add_pred(f, mid, t->block);
			t->target[k] = mid;
		}
	}
}

static bool is_needed(const struct ir_ins *i)
{
	return i->uses || (ir_op_flags(i->op) & (IR_W | IR_T | IR_V));
}

/* Goes backward in each block, and repeats while operands of dropped values lose their last use. */
static void drop_unused(struct ir_func *f)
{
	bool changed = true;

	ir_count_uses(f);
	while (changed) {
		changed = false;
		for (unsigned int b = f->nblocks; b-- > 0;)
			for (struct ir_ins *i = f->blocks[b]->last, *prev; i; i = prev) {
				prev = i->prev;
				if (is_needed(i))
					continue;
				for (unsigned int n = 0; n < i->nargs; n++)
					i->args[n]->uses--;
				changed = changed || i->nargs;
				ir_remove(i);
			}
	}
}

void legal_func(struct ir_func *f, const struct bpf_target *t)
{
	unsigned int nblocks;

	ir_remove_unreachable(f);
	nblocks = f->nblocks;
	for (unsigned int b = 0; b < nblocks; b++) {
		struct ir_block *bb = f->blocks[b];

		for (struct ir_ins *i = bb->first; i && !t->has_sdiv; i = i->next)
			if (i->op == IR_SDIV || i->op == IR_SMOD)
				expand_sdiv(f, i);
		if (bb->last->op == IR_SWITCH)
			expand_switch(f, bb->last);
	}
	ir_remove_unreachable(f);
	split_edges(f);
	drop_unused(f);
	assert(f->blocks[0]->npreds == 0);
}
