/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mir.c: lists of machine instructions, and the registers that each instruction reads and writes.
 *
 * A call reads its argument registers and writes r0 to r5; the kernel leaves all of these undefined
 * except r0.  A compare-and-exchange compares with r0 and leaves the old value there.
 */
#include <assert.h>
#include <string.h>

#include "bpf/mir.h"

int m_reg_new(struct mfunc *f)
{
	f->regs = arena_grow(f->arena, f->regs, f->nregs, &f->regs_cap, sizeof(*f->regs));
	f->regs[f->nregs] = (struct mreg){.obj = -1};
	return (int)f->nregs++;
}

int m_obj_new(struct mfunc *f, unsigned int size, unsigned int align, bool is_spill)
{
	f->objs = arena_grow(f->arena, f->objs, f->nobjs, &f->objs_cap, sizeof(*f->objs));
	f->objs[f->nobjs] = (struct mobj){.size = size, .align = align, .is_spill = is_spill};
	return (int)f->nobjs++;
}

struct mins *m_ins_new(struct mfunc *f, enum m_kind kind)
{
	struct mins *i = arena_new_obj(f->arena, struct mins);

	i->kind = kind;
	i->dst = i->src = i->src2 = i->obj = -1;
	return i;
}

void m_append(struct mblock *b, struct mins *i)
{
	assert(!i->block);
	i->block = b;
	i->prev = b->last;
	if (b->last)
		b->last->next = i;
	else
		b->first = i;
	b->last = i;
}

void m_insert(struct mins *before, struct mins *i)
{
	assert(before->block && !i->block);
	i->block = before->block;
	i->pos = before->pos;
	i->loc = before->loc;
	i->next = before;
	i->prev = before->prev;
	if (before->prev)
		before->prev->next = i;
	else
		before->block->first = i;
	before->prev = i;
}

void m_insert_after(struct mins *after, struct mins *i)
{
	assert(after->next);
	m_insert(after->next, i);
	i->pos = after->pos;
	i->loc = after->loc;
}

void m_remove(struct mins *i)
{
	struct mblock *b = i->block;

	assert(b && i->next);
	if (i->prev)
		i->prev->next = i->next;
	else
		b->first = i->next;
	i->next->prev = i->prev;
	i->block = NULL;
	i->prev = i->next = NULL;
}

bool m_fits32(int64_t v)
{
	return v == (int32_t)v;
}

static bool is_cmpxchg(const struct mins *i)
{
	return i->kind == M_ATOMIC && i->imm == BPF_CMPXCHG;
}

/* Returns a mask of the operands dst, src and src2 that are read. */
static unsigned int read_mask(const struct mins *i)
{
	enum { D = 1, S = 2, S2 = 4 };
	unsigned int base = i->obj < 0;

	switch (i->kind) {
	case M_MOVI:
	case M_SYM:
	case M_FRAME:
	case M_CALL:
	case M_JMP:
	case M_EXIT:
		break;
	case M_MOV:
	case M_MOVSX:
	case M_MOV32:
	case M_SETI:
	case M_JCCI:
		return S;
	case M_ALU:
		return D | S;
	case M_ALUI:
	case M_NEG:
	case M_SWAP:
		return D;
	case M_LD:
		return base ? S : 0;
	case M_ST:
	case M_ATOMIC:
		return S | (base ? D : 0);
	case M_STI:
		return base ? D : 0;
	case M_SET:
	case M_JCC:
		return S | S2;
	}
	return 0;
}

unsigned int m_uses(const struct mins *i, int regs[6])
{
	unsigned int n = 0, mask = read_mask(i);

	if (i->kind == M_CALL)
		for (int r = 1; r <= i->nargs; r++)
			regs[n++] = r;
	if (i->kind == M_EXIT || is_cmpxchg(i))
		regs[n++] = 0;
	if (mask & 1)
		regs[n++] = i->dst;
	if (mask & 2)
		regs[n++] = i->src;
	if (mask & 4)
		regs[n++] = i->src2;
	return n;
}

unsigned int m_defs(const struct mins *i, int regs[6])
{
	switch (i->kind) {
	case M_CALL:
		for (int r = 0; r <= 5; r++)
			regs[r] = r;
		return 6;
	case M_ATOMIC:
		if (!(i->imm & BPF_FETCH))
			return 0;
		regs[0] = is_cmpxchg(i) ? 0 : i->src;
		return 1;
	case M_ST:
	case M_STI:
	case M_JCC:
	case M_JCCI:
	case M_JMP:
	case M_EXIT:
		return 0;
	case M_MOV:
	case M_MOVI:
	case M_SYM:
	case M_FRAME:
	case M_ALU:
	case M_ALUI:
	case M_NEG:
	case M_SWAP:
	case M_MOVSX:
	case M_MOV32:
	case M_LD:
	case M_SET:
	case M_SETI:
		break;
	}
	regs[0] = i->dst;
	return 1;
}

void m_replace_use(struct mins *i, int from, int to)
{
	unsigned int mask = read_mask(i);

	if (mask & 1 && i->dst == from)
		i->dst = to;
	if (mask & 2 && i->src == from)
		i->src = to;
	if (mask & 4 && i->src2 == from)
		i->src2 = to;
}

void m_link_preds(struct mfunc *f)
{
	struct mblock *s[2];

	for (int pass = 0; pass < 2; pass++) {
		for (unsigned int b = 0; b < f->nblocks; b++)
			f->blocks[b]->npreds = 0;
		for (unsigned int b = 0; b < f->nblocks; b++) {
			unsigned int n = m_succs(f->blocks[b], s);

			for (unsigned int k = 0; k < n; k++) {
				if (pass)
					s[k]->preds[s[k]->npreds] = f->blocks[b];
				s[k]->npreds++;
			}
		}
		for (unsigned int b = 0; !pass && b < f->nblocks; b++)
			f->blocks[b]->preds =
			    arena_new_arr(f->arena, struct mblock *, f->blocks[b]->npreds);
	}
}

unsigned int m_length(const struct mins *i)
{
	switch ((int)i->kind) {
	case M_SYM:
	case M_MOVI:
	case M_FRAME:
	case M_JCC:
	case M_JCCI:
		return 2;
	case M_SET:
	case M_SETI:
		return 3;
	}
	return 1;
}
