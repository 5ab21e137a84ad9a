/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.c: where stack objects are.  Two objects share bytes if they are never in use together.
 *
 * An object is in use, in each block, in one range of instruction positions.  A slot of the IR can
 * be reached through any register derived from its address, so it is in use between any two such
 * mentions; one whose address is stored somewhere is in use always.  Spill objects are only touched
 * by whole loads and stores: their ranges come from ordinary liveness after register allocation.
 */
#include <assert.h>
#include <stdlib.h>

#include "bpf/mir.h"

#define MAX_STACK 512

/* What each register points into: object number + 1, 0 for none. */
struct derive {
	struct mfunc *f;
	int *of;
	int args[6]; /* pending for the next call */
	bool changed;
};

struct touch {
	bool is_any;
	unsigned int lo, hi;
};

static void derive(struct derive *d, int reg, int obj)
{
	if (!obj || reg < 0)
		return;
	if (reg < MREG_FIRST) {
		if (reg < 6)
			d->args[reg] = obj;
		return;
	}
	if (d->of[reg] && d->of[reg] != obj) {
		d->f->objs[obj - 1].escapes = true;
		d->f->objs[d->of[reg] - 1].escapes = true;
		return;
	}
	d->changed = d->changed || !d->of[reg];
	d->of[reg] = obj;
}

static int pointee(const struct derive *d, int reg)
{
	return reg < MREG_FIRST ? 0 : d->of[reg];
}

static void derive_ins(struct derive *d, const struct mins *i)
{
	int obj = i->src >= 0 ? pointee(d, i->src) : 0;

	switch ((int)i->kind) {
	case M_FRAME:
		derive(d, i->dst, i->obj + 1);
		break;
	case M_MOV:
		derive(d, i->dst, obj);
		break;
	case M_ALU:
		if (i->op == BPF_ADD || i->op == BPF_SUB)
			derive(d, i->dst, obj);
		break;
	case M_ST:
	case M_ATOMIC:
		if (obj)
			d->f->objs[obj - 1].escapes = true;
		break;
	}
}

static void note(struct touch *t, int obj, unsigned int pos)
{
	if (obj <= 0)
		return;
	t += obj - 1;
	if (!t->is_any || pos < t->lo)
		t->lo = pos;
	if (!t->is_any || pos > t->hi)
		t->hi = pos;
	t->is_any = true;
}

/* First and last mention of each object in a block. */
static void touch_block(struct derive *d, const struct mblock *b, struct touch *t)
{
	int regs[6];

	for (const struct mins *i = b->first; i; i = i->next) {
		derive_ins(d, i);
		note(t, i->obj + 1, i->pos);
		for (unsigned int n = m_uses(i, regs); n-- > 0;)
			note(t, pointee(d, regs[n]), i->pos);
		for (unsigned int n = m_defs(i, regs); n-- > 0 && i->kind != M_CALL;)
			note(t, pointee(d, regs[n]), i->pos);
		for (int r = 1; r < 6; r++) {
			note(t, d->args[r], i->pos);
			if (i->kind == M_CALL)
				d->args[r] = 0;
		}
	}
}

static void add_range(struct mfunc *f, struct mobj *o, unsigned int block, unsigned int lo,
		      unsigned int hi)
{
	struct mrange *r = arena_new_obj(f->arena, struct mrange);

	*r = (struct mrange){block, lo, hi, o->ranges};
	o->ranges = r;
}

/* Sets of objects, one of `words` words for each block. */
static uint64_t *new_sets(struct mfunc *f, unsigned int *words)
{
	*words = (f->nobjs + 63) / 64;
	return arena_new_arr(f->arena, uint64_t, (size_t)f->nblocks * *words + 1);
}

static bool has(const uint64_t *set, unsigned int o)
{
	return set[o / 64] >> (o % 64) & 1;
}

static void put(uint64_t *set, unsigned int o)
{
	set[o / 64] |= 1ULL << (o % 64);
}

/* Blocks reached from a mention, forward (in); blocks that reach one, backward (out). */
static void spread(struct mfunc *f, const uint64_t *any, uint64_t *in, uint64_t *out,
		   unsigned int words)
{
	bool changed = true;
	struct mblock *s[2];

	while (changed) {
		changed = false;
		for (unsigned int b = 0; b < f->nblocks; b++) {
			unsigned int n = m_succs(f->blocks[b], s), at = b * words;

			for (unsigned int k = 0; k < n; k++) {
				unsigned int to = s[k]->id * words;

				for (unsigned int w = 0; w < words; w++) {
					uint64_t i = in[to + w] | in[at + w] | any[at + w];
					uint64_t o = out[at + w] | out[to + w] | any[to + w];

					changed = changed || i != in[to + w] || o != out[at + w];
					in[to + w] = i;
					out[at + w] = o;
				}
			}
		}
	}
}

static void slot_ranges(struct mfunc *f, const struct touch *touch)
{
	unsigned int words;
	uint64_t *in = new_sets(f, &words), *out = new_sets(f, &words), *any = new_sets(f, &words);

	for (unsigned int b = 0; b < f->nblocks; b++)
		for (unsigned int o = 0; o < f->nobjs; o++)
			if (touch[b * f->nobjs + o].is_any)
				put(any + b * words, o);
	spread(f, any, in, out, words);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		for (unsigned int o = 0; o < f->nobjs; o++) {
			const struct touch *t = &touch[b * f->nobjs + o];
			bool is_in = has(in + b * words, o), is_out = has(out + b * words, o);

			if (!t->is_any && !(is_in && is_out))
				continue;
			add_range(f, &f->objs[o], b, is_in ? f->blocks[b]->first->pos : t->lo,
				  is_out ? f->blocks[b]->last->pos : t->hi);
		}
	}
}

void frame_note_slots(struct mfunc *f)
{
	struct derive d = {.f = f, .of = arena_new_arr(f->arena, int, f->nregs)};
	struct touch *touch;

	if (!f->nobjs)
		return;
	touch = arena_new_arr(f->arena, struct touch, f->nblocks * f->nobjs);
	do {
		d.changed = false;
		for (unsigned int b = 0; b < f->nblocks; b++)
			for (const struct mins *i = f->blocks[b]->first; i; i = i->next)
				derive_ins(&d, i);
	} while (d.changed);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		for (int r = 0; r < 6; r++)
			d.args[r] = 0;
		touch_block(&d, f->blocks[b], touch + b * f->nobjs);
	}
	slot_ranges(f, touch);
}

/* ---- spill objects ---- */

/* Objects that a block loads before it stores them, and those that it stores. */
static void spill_sets(const struct mfunc *f, const struct mblock *b, uint64_t *load,
		       uint64_t *store)
{
	for (const struct mins *i = b->first; i; i = i->next) {
		if (i->obj < 0 || !f->objs[i->obj].is_spill)
			continue;
		if (i->kind == M_ST || i->kind == M_STI)
			put(store, (unsigned int)i->obj);
		else if (!has(store, (unsigned int)i->obj))
			put(load, (unsigned int)i->obj);
	}
}

/* What is alive at the start of each block. */
static uint64_t *spill_live_in(struct mfunc *f, unsigned int *words)
{
	uint64_t *in = new_sets(f, words), *store = new_sets(f, words);
	bool changed = true;
	struct mblock *s[2];

	for (unsigned int b = 0; b < f->nblocks; b++)
		spill_sets(f, f->blocks[b], in + b * *words, store + b * *words);
	while (changed) {
		changed = false;
		for (unsigned int b = f->nblocks; b-- > 0;) {
			unsigned int n = m_succs(f->blocks[b], s);

			for (unsigned int w = b * *words, k = 0; k < n; k++)
				for (unsigned int x = 0; x < *words; x++) {
					uint64_t more = in[s[k]->id * *words + x] & ~store[w + x];

					changed = changed || (more & ~in[w + x]);
					in[w + x] |= more;
				}
		}
	}
	return in;
}

static void spill_ranges(struct mfunc *f)
{
	unsigned int words;
	const uint64_t *in = spill_live_in(f, &words);
	struct touch *touch = arena_new_arr(f->arena, struct touch, f->nobjs + 1);
	struct mblock *s[2];

	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct mblock *bb = f->blocks[b];
		unsigned int n = m_succs(bb, s);

		for (unsigned int o = 0; o < f->nobjs; o++) {
			touch[o].is_any = false;
			if (has(in + b * words, o))
				note(touch, (int)o + 1, bb->first->pos);
			for (unsigned int k = 0; k < n; k++)
				if (has(in + s[k]->id * words, o))
					note(touch, (int)o + 1, bb->last->pos);
		}
		for (const struct mins *i = bb->first; i; i = i->next)
			if (i->obj >= 0)
				note(touch, i->obj + 1, i->pos);
		for (unsigned int o = 0; o < f->nobjs; o++)
			if (f->objs[o].is_spill && touch[o].is_any)
				add_range(f, &f->objs[o], b, touch[o].lo, touch[o].hi);
	}
}

/* ---- places ---- */

static bool overlap(const struct mobj *x, const struct mobj *y)
{
	const struct mrange *a = x->ranges, *b = y->ranges;

	if (x->escapes || y->escapes)
		return true;
	while (a && b) {
		if (a->block == b->block) {
			if (a->lo <= b->hi && b->lo <= a->hi)
				return true;
			a = a->next;
			b = b->next;
		} else if (a->block > b->block) {
			a = a->next;
		} else {
			b = b->next;
		}
	}
	return false;
}

static int by_size(const void *x, const void *y)
{
	const struct mobj *a = *(struct mobj *const *)x, *b = *(struct mobj *const *)y;

	if (a->escapes != b->escapes)
		return a->escapes ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The smallest depth at which o meets no object placed before that is in use with it. */
static unsigned int place(struct mobj *const *done, unsigned int n, const struct mobj *o)
{
	unsigned int depth = 0;
	bool moved = true;

	assert(o->size && o->align);
	while (moved) {
		moved = false;
		for (unsigned int k = 0; k < n; k++) {
			unsigned int top = (unsigned int)-done[k]->off,
				     bottom = top - done[k]->size;

			if (depth >= top || depth + o->size <= bottom || !overlap(done[k], o))
				continue;
			depth = (top + o->align - 1) / o->align * o->align;
			moved = true;
		}
	}
	return depth;
}

void frame_layout(struct mfunc *f)
{
	struct mobj **order = arena_new_arr(f->arena, struct mobj *, f->nobjs + 1);
	unsigned int n = 0;

	spill_ranges(f);
	for (unsigned int o = 0; o < f->nobjs; o++) {
		struct mobj *obj = &f->objs[o];

		obj->size = (obj->size + obj->align - 1) / obj->align * obj->align;
		if (obj->size && (obj->ranges || obj->escapes))
			order[n++] = obj;
	}
	qsort(order, n, sizeof(*order), by_size);
	for (unsigned int k = 0; k < n; k++) {
		unsigned int depth = place(order, k, order[k]) + order[k]->size;

		order[k]->off = -(int)depth;
		f->frame = depth > f->frame ? depth : f->frame;
	}
	f->frame = (f->frame + 7) / 8 * 8;
	assert(!n || f->frame);
	if (f->frame > MAX_STACK)
		f->err = arena_printf(f->arena, "needs %u bytes of stack, %d are allowed", f->frame,
				      MAX_STACK);
}
