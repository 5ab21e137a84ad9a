/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: finds registers and objects that are alive at the ends of blocks, and estimates how often
 * blocks run.
 *
 * Items (registers, stack objects) are handled one by one: from each block that reads one before it
 * writes it, backward up to the blocks that write it.  So time and memory are proportional to the
 * result, which is small, as most items live in one block or a few.  Frequencies: the entry has 1,
 * and a conditional jump divides the frequency of its block by likelihood.  Backward jumps count
 * for their target only.
 */
#include <assert.h>

#include "bpf/mir.h"
#include "print/msg.h"

#define LIKELY 0.9
#define RAREST 1e-6

/* Members of all sets together.  A function with more is far too large for the kernel. */
#define LIVE_MAX (1U << 24)

struct occur {
	const struct mblock *block;
	struct occur *next;
};

/* The blocks that read an item before they write it, and the blocks that write it; the last one
 * first. */
struct item {
	struct occur *reads, *writes;
};

struct live {
	struct mfunc *f;
	struct item *items;
	unsigned int nitems, nmembers;
	/* By block: the last item that is alive at its end, plus 1; the last one that it writes or
	 * that is alive at its beginning, plus 1. */
	unsigned int *out, *done;
	const struct mblock **todo;
	unsigned int ntodo;
};

/* Not recursive. */
struct mblock **live_postorder(struct mfunc *f, unsigned int *count)
{
	struct mblock **out = arena_new_arr(f->arena, struct mblock *, f->nblocks);
	struct mblock **stack = arena_new_arr(f->arena, struct mblock *, f->nblocks), *s[2];
	unsigned int depth = 0, n = 0;

	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->mark = -1;
	f->blocks[0]->mark = 0;
	stack[depth++] = f->blocks[0];
	while (depth) {
		struct mblock *b = stack[depth - 1];

		if (b->mark < (int64_t)m_succs(b, s)) {
			struct mblock *to = s[b->mark++];

			if (to->mark < 0) {
				to->mark = 0;
				stack[depth++] = to;
			}
			continue;
		}
		out[n++] = b;
		depth--;
	}
	*count = n;
	return out;
}

struct live *live_new(struct mfunc *f, unsigned int nitems)
{
	struct live *l = arena_new_obj(f->arena, struct live);

	l->f = f;
	l->nitems = nitems;
	l->items = arena_new_arr(f->arena, struct item, nitems);
	return l;
}

static bool is_last(const struct occur *o, const struct mblock *b)
{
	return o && o->block == b;
}

static void add_occur(struct live *l, struct occur **list, const struct mblock *b)
{
	struct occur *o;

	if (is_last(*list, b))
		return;
	o = arena_new_obj(l->f->arena, struct occur);
	*o = (struct occur){b, *list};
	*list = o;
}

void live_read(struct live *l, unsigned int item, const struct mblock *b)
{
	assert(item < l->nitems);
	if (!is_last(l->items[item].writes, b))
		add_occur(l, &l->items[item].reads, b);
}

void live_write(struct live *l, unsigned int item, const struct mblock *b)
{
	assert(item < l->nitems);
	add_occur(l, &l->items[item].writes, b);
}

static void add_member(struct live *l, struct mset *s, unsigned int item)
{
	s->a = arena_grow(l->f->arena, s->a, s->n, &s->cap, sizeof(*s->a));
	s->a[s->n++] = item;
	l->nmembers++;
}

static void enter_block(struct live *l, unsigned int item, const struct mblock *b)
{
	l->done[b->id] = item + 1;
	add_member(l, &l->f->blocks[b->id]->live_in, item);
	l->todo[l->ntodo++] = b;
}

static void spread(struct live *l, unsigned int item)
{
	for (const struct occur *o = l->items[item].writes; o; o = o->next)
		l->done[o->block->id] = item + 1;
	for (const struct occur *o = l->items[item].reads; o; o = o->next)
		enter_block(l, item, o->block);
	while (l->ntodo) {
		const struct mblock *b = l->todo[--l->ntodo];

		for (unsigned int k = 0; k < b->npreds; k++) {
			struct mblock *p = b->preds[k];

			if (l->out[p->id] == item + 1)
				continue;
			l->out[p->id] = item + 1;
			add_member(l, &p->live_out, item);
			if (l->done[p->id] != item + 1)
				enter_block(l, item, p);
		}
	}
}

void live_solve(struct live *l)
{
	struct mfunc *f = l->f;

	l->out = arena_new_arr(f->arena, unsigned int, f->nblocks);
	l->done = arena_new_arr(f->arena, unsigned int, f->nblocks);
	l->todo = arena_new_arr(f->arena, const struct mblock *, f->nblocks);
	m_link_preds(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->live_in = f->blocks[b]->live_out = (struct mset){0};
	for (unsigned int item = 0; item < l->nitems && l->nmembers < LIVE_MAX; item++)
		spread(l, item);
	if (l->nmembers >= LIVE_MAX)
		f->err = msg_reason(MSG_REASON_PROGRAM_SIZE);
}

void live_regs(struct mfunc *f)
{
	struct live *l = live_new(f, f->nregs);
	int regs[6];

	for (unsigned int b = 0; b < f->nblocks; b++)
		for (const struct mins *i = f->blocks[b]->first; i; i = i->next) {
			for (unsigned int n = m_uses(i, regs); n-- > 0;)
				live_read(l, (unsigned int)regs[n], i->block);
			for (unsigned int n = m_defs(i, regs); n-- > 0;)
				live_write(l, (unsigned int)regs[n], i->block);
		}
	live_solve(l);
}

void live_freq(struct mfunc *f)
{
	unsigned int n;
	struct mblock **order = live_postorder(f, &n);

	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->freq = b == 0;
	while (n) {
		struct mblock *b = order[--n];
		const struct mins *t = b->last;
		double yes = t->likely > 0 ? LIKELY : t->likely < 0 ? 1 - LIKELY : 0.5;

		if (b->freq < RAREST)
			b->freq = RAREST;
		if (!t->no)
			yes = 1;
		if (t->yes)
			t->yes->freq += b->freq * yes;
		if (t->no)
			t->no->freq += b->freq * (1 - yes);
	}
}
