/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.c: the order of blocks in the output.
 *
 * A jump to a block that only jumps goes to the target of that block.  Then blocks are laid out in
 * traces: each block is followed by the likelier of its successors without a place.  So the common
 * path falls through, and rare paths (faults, drops) come at the end.  In a function that is too
 * long for jumps to the end, they come after each piece of it.  Unreachable blocks are left out,
 * because the kernel refuses programs with unreachable instructions.
 */
#include <assert.h>

#include "bpf/mir.h"

#define PIECE 4096 /* instructions */

static bool is_empty(const struct mblock *b)
{
	return b->first == b->last && b->last->kind == M_JMP;
}

/* Returns the final target of a jump to b; b itself if its blocks jump in a circle. */
static struct mblock *forward(const struct mfunc *f, struct mblock *b)
{
	struct mblock *to = b;

	for (unsigned int n = 0; is_empty(to); n++) {
		if (n > f->nblocks)
			return b;
		to = to->last->yes;
	}
	return to;
}

static void forward_jumps(struct mfunc *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++) {
		struct mins *t = f->blocks[b]->last;

		if (t->yes)
			t->yes = forward(f, t->yes);
		if (t->no)
			t->no = forward(f, t->no);
		if (t->no && t->yes == t->no) {
			t->kind = M_JMP;
			t->no = NULL;
			t->src = t->src2 = -1;
		}
	}
}

/* Returns the successor to continue with: the likely one if known, else one with no other
 * predecessor, because the predecessors of a join can place it later. */
static struct mblock *follow(const struct mblock *b)
{
	struct mblock *yes = b->last->yes, *no = b->last->no;
	bool can_yes = yes && !yes->is_placed, can_no = no && !no->is_placed;

	if (!can_yes || !can_no)
		return can_yes ? yes : can_no ? no : NULL;
	if (b->last->likely)
		return b->last->likely > 0 ? yes : no;
	if (b->last->op == BPF_JSET)
		return no;
	if ((yes->npreds == 1) != (no->npreds == 1))
		return yes->npreds == 1 ? yes : no;
	return yes->freq >= no->freq ? yes : no;
}

static unsigned int length(const struct mblock *b)
{
	unsigned int n = 0;

	for (const struct mins *i = b->first; i; i = i->next)
		n += m_length(i);
	return n;
}

void layout_blocks(struct mfunc *f)
{
	struct mblock **out = arena_new_arr(f->arena, struct mblock *, f->nblocks);
	struct mblock **todo = arena_new_arr(f->arena, struct mblock *, 3 * f->nblocks + 1), *s[2];
	unsigned int n = 0, first = 0, last = 0, total = 0, piece;

	forward_jumps(f);
	m_link_preds(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		total += length(f->blocks[b]);
	f->is_long = total > M_JUMP_MAX;
	todo[last++] = f->blocks[0];
	while (first < last) {
		struct mblock *b = todo[first++];

		for (piece = 0; b && !b->is_placed && piece < PIECE; b = follow(b)) {
			b->is_placed = true;
			out[n++] = b;
			for (unsigned int k = m_succs(b, s); k-- > 0;)
				todo[last++] = s[k];
			piece += f->is_long ? length(b) : 0;
		}
		if (b && !b->is_placed)
			todo[last++] = b;
		assert(last <= 3 * f->nblocks + 1);
	}
	f->blocks = out;
	f->nblocks = n;
}
