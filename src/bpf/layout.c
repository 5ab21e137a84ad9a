/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.c: the order of blocks in the output.
 *
 * Jumps to blocks that only jump go on to where those lead.  Then blocks are laid out in traces:
 * after each block comes the likelier of its successors that has no place yet, so that the common
 * path falls through and rare ones (faults, drops) end up behind it; in a function so long that
 * jumps would not reach them there, behind each piece of it.  What nothing leads to is left out,
 * because the kernel refuses programs with unreachable instructions.
 */
#include <assert.h>

#include "bpf/mir.h"

#define PIECE 4096 /* instructions */

static bool is_empty(const struct mblock *b)
{
	return b->first == b->last && b->last->kind == M_JMP;
}

/* Returns the block that a jump to b leads to in the end; b if its blocks jump in a circle. */
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

/*
 * The successor to continue with: the likely one if that is known, else one that is reached from
 * here only, because others can place a join later.
 */
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
