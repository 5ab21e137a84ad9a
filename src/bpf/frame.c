/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.c: places stack objects.  Two objects may share bytes if they are never in use together.
 *
 * In each block an object is in use in one range of instruction positions.  Any register derived
 * from its address can reach a slot of the IR, so the slot is in use between any two such mentions.
 * A slot whose address is stored somewhere is always in use.  Spill objects are only touched by
 * whole loads and stores, so their ranges come from ordinary liveness after register allocation.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/mir.h"
#include "print/msg.h"

/* Objects that registers point into: object number + 1, or 0. */
struct derive {
	struct mfunc *f;
	int *of;
	int args[6]; /* pending for the next call */
	bool changed;
};

/* First and last mention of each object in the current block, and the set of mentioned objects. */
struct touch {
	unsigned int *lo, *hi;
	uint64_t *any;
};

static bool has(const uint64_t *set, unsigned int o)
{
	return set[o / 64] >> (o % 64) & 1;
}

static void put(uint64_t *set, unsigned int o)
{
	set[o / 64] |= 1ULL << (o % 64);
}

static void derive(struct derive *d, int reg, int obj)
{
	if (!obj || reg < 0)
		return;
	if (reg < MREG_FIRST) {
		assert(reg < 6);
		d->args[reg] = obj;
		return;
	}
	/* Mentions of the register count for its first object. */
	if (d->of[reg] && d->of[reg] != obj) {
		d->f->objs[obj - 1].escapes = true;
		return;
	}
	d->changed = d->changed || !d->of[reg];
	d->of[reg] = obj;
}

/* Returns 0 for no register (-1) and for a machine register, too. */
static int pointee(const struct derive *d, int reg)
{
	return reg < MREG_FIRST ? 0 : d->of[reg];
}

static void derive_ins(struct derive *d, const struct mins *i)
{
	int obj = pointee(d, i->src);

	switch ((int)i->kind) {
	case M_FRAME:
		derive(d, i->dst, i->obj + 1);
		break;
	case M_MOV:
		derive(d, i->dst, obj);
		break;
	case M_ALU:
		if (i->op == BPF_ADD)
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
	unsigned int o = (unsigned int)obj - 1;

	if (obj <= 0)
		return;
	if (!has(t->any, o) || pos < t->lo[o])
		t->lo[o] = pos;
	if (!has(t->any, o) || pos > t->hi[o])
		t->hi[o] = pos;
	put(t->any, o);
}

/* Finds the first and last mention of each object in a block. */
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

/* Returns the words of a set of objects. */
static unsigned int set_words(const struct mfunc *f)
{
	return (f->nobjs + 63) / 64;
}

/* Returns sets of objects: `words` words for each block. */
static uint64_t *new_sets(struct mfunc *f, unsigned int *words)
{
	*words = set_words(f);
	return arena_new_arr(f->arena, uint64_t, (size_t)f->nblocks * *words);
}

/* Objects that a block mentions, that earlier blocks mention, and that later blocks mention. */
struct mentions {
	unsigned int words;
	uint64_t *any, *in, *out;
};

/* Adds all of `from` to `to`; returns true if that changed `to`. */
static bool flow(uint64_t *to, const uint64_t *from, unsigned int words)
{
	uint64_t changed = 0;

	for (unsigned int w = 0; w < words; w++) {
		changed |= from[w] & ~to[w];
		to[w] |= from[w];
	}
	return changed;
}

/* Spreads forward in reverse postorder, backward in postorder.  Without loops each takes one
 * round. */
static void spread(struct mfunc *f, const struct mentions *m)
{
	unsigned int n, words = m->words;
	struct mblock **order = live_postorder(f, &n), *s[2];
	bool changed = true;

	while (changed) {
		changed = false;
		for (unsigned int k = n; k-- > 0;) {
			unsigned int at = order[k]->id * words;

			for (unsigned int nsucc = m_succs(order[k], s); nsucc-- > 0;) {
				uint64_t *in = m->in + s[nsucc]->id * words;

				changed = flow(in, m->in + at, words) || changed;
				changed = flow(in, m->any + at, words) || changed;
			}
		}
		for (unsigned int k = 0; k < n; k++) {
			uint64_t *out = m->out + order[k]->id * words;

			for (unsigned int nsucc = m_succs(order[k], s); nsucc-- > 0;) {
				unsigned int to = s[nsucc]->id * words;

				changed = flow(out, m->out + to, words) || changed;
				changed = flow(out, m->any + to, words) || changed;
			}
		}
	}
}

static struct touch new_touch(struct mfunc *f)
{
	return (struct touch){.lo = arena_new_arr(f->arena, unsigned int, f->nobjs),
			      .hi = arena_new_arr(f->arena, unsigned int, f->nobjs)};
}

static void clear_args(struct derive *d)
{
	memset(d->args, 0, sizeof(d->args));
}

static void slot_ranges(struct derive *d, struct touch *t, const struct mentions *m)
{
	struct mfunc *f = d->f;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		const uint64_t *in = m->in + b * m->words, *out = m->out + b * m->words;
		unsigned int first = f->blocks[b]->first->pos, last = f->blocks[b]->last->pos;

		t->any = m->any + b * m->words;
		memset(t->any, 0, m->words * sizeof(*t->any));
		clear_args(d);
		touch_block(d, f->blocks[b], t);
		for (unsigned int w = 0; w < m->words; w++) {
			uint64_t bits = t->any[w] | (in[w] & out[w]);

			for (; bits; bits &= bits - 1) {
				unsigned int o = w * 64 + (unsigned int)__builtin_ctzll(bits);

				add_range(f, &f->objs[o], b, has(in, o) ? first : t->lo[o],
					  has(out, o) ? last : t->hi[o]);
			}
		}
	}
}

/* Objects times blocks: 64 MB for each set of bits. */
#define MENTIONS_MAX (512ULL << 20)

/* The blocks are walked twice, because the use of an object depends on all blocks.  First and last
 * mentions are not kept: they would need memory for every object in every block. */
void frame_note_slots(struct mfunc *f)
{
	struct derive d = {.f = f, .of = arena_new_arr(f->arena, int, f->nregs)};
	struct mentions m;
	struct touch t;

	if (!f->nobjs)
		return;
	if ((uint64_t)f->nobjs * f->nblocks > MENTIONS_MAX) {
		f->err = msg_reason(MSG_REASON_PROGRAM_SIZE);
		return;
	}
	do {
		d.changed = false;
		for (unsigned int b = 0; b < f->nblocks; b++)
			for (const struct mins *i = f->blocks[b]->first; i; i = i->next)
				derive_ins(&d, i);
	} while (d.changed);
	t = new_touch(f);
	m.any = new_sets(f, &m.words);
	m.in = new_sets(f, &m.words);
	m.out = new_sets(f, &m.words);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		t.any = m.any + b * m.words;
		clear_args(&d);
		touch_block(&d, f->blocks[b], &t);
	}
	spread(f, &m);
	slot_ranges(&d, &t, &m);
}

/* ---- spill objects ---- */

/* Finds the spilled values that are alive at the ends of blocks. */
static void spill_live(struct mfunc *f)
{
	struct live *l = live_new(f, f->nobjs);

	for (unsigned int b = 0; b < f->nblocks; b++)
		for (const struct mins *i = f->blocks[b]->first; i; i = i->next) {
			if (i->obj < 0 || !f->objs[i->obj].is_spill)
				continue;
			if (i->kind == M_ST || i->kind == M_STI)
				live_write(l, (unsigned int)i->obj, i->block);
			else
				live_read(l, (unsigned int)i->obj, i->block);
		}
	live_solve(l);
}

/* Mentions an object of a block, and notes its first mention in `seen`. */
static void note_spill(struct touch *t, struct mset *seen, int obj, unsigned int pos)
{
	if (!has(t->any, (unsigned int)obj))
		seen->a[seen->n++] = (unsigned int)obj;
	note(t, obj + 1, pos);
}

static void note_set(struct touch *t, struct mset *seen, const struct mset *set, unsigned int pos)
{
	for (unsigned int k = 0; k < set->n; k++)
		note_spill(t, seen, (int)set->a[k], pos);
}

static void spill_ranges(struct mfunc *f)
{
	struct touch t = new_touch(f);
	struct mset seen = {arena_new_arr(f->arena, unsigned int, f->nobjs), 0, 0};

	t.any = arena_new_arr(f->arena, uint64_t, set_words(f));
	spill_live(f);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		const struct mblock *bb = f->blocks[b];

		note_set(&t, &seen, &bb->live_in, bb->first->pos);
		note_set(&t, &seen, &bb->live_out, bb->last->pos);
		for (const struct mins *i = bb->first; i; i = i->next)
			if (i->obj >= 0 && f->objs[i->obj].is_spill)
				note_spill(&t, &seen, i->obj, i->pos);
		while (seen.n) {
			unsigned int o = seen.a[--seen.n];

			t.any[o / 64] &= ~(1ULL << (o % 64));
			add_range(f, &f->objs[o], b, t.lo[o], t.hi[o]);
		}
	}
}

/* ---- places ---- */

static int by_size(const void *x, const void *y)
{
	const struct mobj *a = *(struct mobj *const *)x, *b = *(struct mobj *const *)y;

	if (a->escapes != b->escapes)
		return a->escapes ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* A range of an object that has a place, in the list of the range's block. */
struct placed {
	unsigned int lo, hi, depth, size;
	struct placed *next;
};

/* Bytes of the stack from the top, one bit each. */
struct bytes {
	uint64_t words[BPF_STACK_MAX / 64];
};

static void take_bytes(struct bytes *b, unsigned int depth, unsigned int size)
{
	while (size--)
		put(b->words, depth++);
}

static bool are_free(const struct bytes *b, unsigned int depth, unsigned int size)
{
	while (size && !has(b->words, depth)) {
		depth++;
		size--;
	}
	return !size;
}

/* Returns the bytes of objects that are placed and in use together with o. */
static struct bytes taken(struct placed *const *blocks, const struct mobj *o)
{
	struct bytes b = {0};

	for (const struct mrange *r = o->ranges; r; r = r->next)
		for (const struct placed *p = blocks[r->block]; p; p = p->next)
			if (r->lo <= p->hi && p->lo <= r->hi)
				take_bytes(&b, p->depth, p->size);
	return b;
}

/* Finds the smallest depth at which o overlaps no object in use with it.  Returns false if the
 * stack is full. */
static bool place(struct mfunc *f, struct placed **blocks, struct mobj *o, unsigned int from)
{
	struct bytes b = taken(blocks, o);
	unsigned int depth = (from + o->align - 1) / o->align * o->align;

	assert(o->size && o->align);
	while (depth + o->size <= BPF_STACK_MAX && !are_free(&b, depth, o->size))
		depth += o->align;
	if (depth + o->size > BPF_STACK_MAX)
		return false;
	for (const struct mrange *r = o->ranges; r && !o->escapes; r = r->next) {
		struct placed *p = arena_new_obj(f->arena, struct placed);

		*p = (struct placed){r->lo, r->hi, depth, o->size, blocks[r->block]};
		blocks[r->block] = p;
	}
	o->off = -(int)(depth + o->size);
	f->frame = depth + o->size > f->frame ? depth + o->size : f->frame;
	return true;
}

/* Objects that escape get the nearest places to the top, and no other object does. */
static bool place_all(struct mfunc *f, struct mobj **order, unsigned int n)
{
	struct placed **blocks = arena_new_arr(f->arena, struct placed *, f->nblocks);
	unsigned int from = 0;

	for (unsigned int k = 0; k < n; k++) {
		if (!place(f, blocks, order[k], from))
			return false;
		if (order[k]->escapes)
			from = f->frame;
	}
	return true;
}

void frame_layout(struct mfunc *f)
{
	struct mobj **order = arena_new_arr(f->arena, struct mobj *, f->nobjs);
	unsigned int n = 0;

	spill_ranges(f);
	for (unsigned int o = 0; o < f->nobjs; o++) {
		struct mobj *obj = &f->objs[o];

		obj->size = (obj->size + obj->align - 1) / obj->align * obj->align;
		if (obj->size && (obj->ranges || obj->escapes))
			order[n++] = obj;
	}
	qsort(order, n, sizeof(*order), by_size);
	if (!place_all(f, order, n))
		f->err = arena_printf(f->arena, "needs more than %d bytes of stack", BPF_STACK_MAX);
	assert(!n || f->frame || f->err);
}
