/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: which registers are alive at the ends of blocks, and how often blocks run.
 *
 * Liveness is the usual backward problem over bit sets, in one word per 64 registers, solved by
 * rounds over the blocks in postorder.  Frequencies are estimates: the entry has 1, a conditional
 * jump divides its block's by how likely it is; jumps backward in the order of blocks count for
 * nothing.
 */
#include <assert.h>
#include <string.h>

#include "bpf/mir.h"

#define LIKELY 0.9
#define RAREST 1e-6

struct sets {
	uint64_t *use, *def; /* read before written; written */
};

static void set_bit(uint64_t *s, int r)
{
	s[r / 64] |= 1ULL << (r % 64);
}

static bool has_bit(const uint64_t *s, int r)
{
	return s[r / 64] >> (r % 64) & 1;
}

static void local_sets(const struct mblock *b, struct sets *s)
{
	int regs[6];

	for (const struct mins *i = b->first; i; i = i->next) {
		unsigned int n = m_uses(i, regs);

		for (unsigned int k = 0; k < n; k++)
			if (!has_bit(s->def, regs[k]))
				set_bit(s->use, regs[k]);
		n = m_defs(i, regs);
		for (unsigned int k = 0; k < n; k++)
			set_bit(s->def, regs[k]);
	}
}

/* Without recursion. */
struct mblock **live_postorder(struct mfunc *f, unsigned int *count)
{
	struct mblock **out = arena_new_arr(f->arena, struct mblock *, f->nblocks + 1);
	struct mblock **stack = arena_new_arr(f->arena, struct mblock *, f->nblocks + 1), *s[2];
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

static bool update(struct mblock *b, const struct sets *s, unsigned int words)
{
	struct mblock *succ[2];
	unsigned int n = m_succs(b, succ);
	bool changed = false;

	for (unsigned int k = 0; k < n; k++)
		for (unsigned int w = 0; w < words; w++)
			b->live_out[w] |= succ[k]->live_in[w];
	for (unsigned int w = 0; w < words; w++) {
		uint64_t in = s->use[w] | (b->live_out[w] & ~s->def[w]);

		if (in != b->live_in[w]) {
			b->live_in[w] = in;
			changed = true;
		}
	}
	return changed;
}

void live_compute(struct mfunc *f)
{
	unsigned int words = (f->nregs + 63) / 64, n;
	struct sets *sets = arena_new_arr(f->arena, struct sets, f->nblocks);
	struct mblock **order = live_postorder(f, &n);
	bool changed = true;

	for (unsigned int b = 0; b < f->nblocks; b++) {
		uint64_t *p = arena_new_arr(f->arena, uint64_t, words * 4);

		sets[b] = (struct sets){p, p + words};
		f->blocks[b]->live_in = p + 2 * words;
		f->blocks[b]->live_out = p + 3 * words;
		local_sets(f->blocks[b], &sets[b]);
	}
	while (changed) {
		changed = false;
		for (unsigned int k = 0; k < n; k++)
			changed = update(order[k], &sets[order[k]->id], words) || changed;
	}
	assert(words <= 1 || f->nregs > 64);
}

void live_freq(struct mfunc *f)
{
	unsigned int n;
	struct mblock **order = live_postorder(f, &n);

	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->freq = 0;
	f->blocks[0]->freq = 1;
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
