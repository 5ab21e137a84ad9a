/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spill.c: moves registers to the stack.
 *
 * A value that one instruction can make is made again before each use.  Every other one gets a
 * frame object of 8 bytes, a store after each definition and a load before each use.  The verifier
 * follows pointers through aligned 8-byte stores only.  Within a few instructions of a block, and
 * up to the next call, uses share one load.  If a shared register does not fit either, it is
 * spilled once more, into temporaries that live for one instruction.
 *
 * Before Linux 6.8 verifiers do not connect a number on the stack with the register that it came
 * from.  So a comparison of one says nothing about the other, unless the number was copied between
 * registers earlier; and only bounded numbers are remembered with the copy.  Hence numbers that are
 * compared with bounds are copied to themselves, and stored again after a comparison that holds.
 */
#include <assert.h>

#include "bpf/mir.h"

#define SHARED 8 /* loads remembered */

/* Distance in which instructions share a load, by level of its register. */
enum { LEVEL_WIDE = 1, LEVEL_NEAR = 2, LEVEL_TEMP = MREG_TEMP };
static const unsigned int share_dist[] = {0, 400, 16, 0};

struct shared {
	int reg, copy;
	unsigned int age;
};

struct state {
	struct shared a[SHARED];
	unsigned int n;
};

struct spill {
	struct mfunc *f;
	const bool *spilled;
	unsigned int n;
	int *obj;		   /* by register */
	struct mins **remat;	   /* the only definition, if it can be repeated */
	struct state now, *ends;   /* at this instruction; at the end of each block */
	int pending, pending_temp; /* a spilled register with its value in a temporary only */
};

static bool is_spilled(const struct spill *s, int r)
{
	return r >= 0 && (unsigned int)r < s->n && s->spilled[r];
}

static int new_temp(struct spill *s)
{
	int t = m_reg_new(s->f);

	s->f->regs[t].level = LEVEL_TEMP;
	return t;
}

/* ---- which values can be made again ---- */

static bool can_repeat(const struct mins *i)
{
	return i->kind == M_MOVI || i->kind == M_SYM || i->kind == M_FRAME;
}

static void find_remats(struct spill *s)
{
	unsigned char *defs = arena_new_arr(s->f->arena, unsigned char, s->n);
	int regs[6];

	for (unsigned int b = 0; b < s->f->nblocks; b++)
		for (struct mins *i = s->f->blocks[b]->first; i; i = i->next)
			for (unsigned int k = m_defs(i, regs); k-- > 0;) {
				int r = regs[k];

				if (!is_spilled(s, r))
					continue;
				defs[r] = defs[r] < 2 ? defs[r] + 1 : 2;
				s->remat[r] = defs[r] == 1 && can_repeat(i) ? i : NULL;
			}
}

static void assign_objects(struct spill *s)
{
	for (int r = MREG_FIRST; (unsigned int)r < s->n; r++) {
		if (!s->spilled[r] || s->remat[r])
			continue;
		if (s->f->regs[r].level)
			s->obj[r] = s->f->regs[r].obj;
		else
			s->obj[r] = m_obj_new(s->f, 8, 8, true);
	}
}

/* ---- loads ---- */

static struct mins *new_load(struct spill *s, int dst, int obj)
{
	struct mins *i = m_ins_new(s->f, M_LD);

	i->op = BPF_DW;
	i->dst = dst;
	i->obj = obj;
	return i;
}

static struct mins *new_copy_of(struct spill *s, const struct mins *def, int dst)
{
	struct mins *i = m_ins_new(s->f, def->kind);

	i->sym = def->sym;
	i->imm = def->imm;
	i->target = def->target;
	i->obj = def->obj;
	i->off = def->off;
	i->dst = dst;
	return i;
}

static void forget(struct spill *s, int r)
{
	for (unsigned int k = 0; k < s->now.n; k++)
		if (s->now.a[k].reg == r)
			s->now.a[k--] = s->now.a[--s->now.n];
}

static void grow_older(struct spill *s)
{
	for (unsigned int k = 0; k < s->now.n; k++)
		if (++s->now.a[k].age > share_dist[s->f->regs[s->now.a[k].copy].level])
			s->now.a[k--] = s->now.a[--s->now.n];
}

/* Forgets registers that do not survive a call, or the end of the block. */
static void forget_near(struct spill *s)
{
	for (unsigned int k = 0; k < s->now.n; k++)
		if (s->f->regs[s->now.a[k].copy].level != LEVEL_WIDE)
			s->now.a[k--] = s->now.a[--s->now.n];
}

/* Lets later uses of r, which is not shared, find its value in `copy`, a register of the next
 * level. */
static void share(struct spill *s, int r, int copy)
{
	int level = s->f->regs[r].level + 1;

	if (level >= LEVEL_TEMP)
		return;
	if (s->now.n == SHARED)
		s->now.a[0] = s->now.a[--s->now.n];
	s->now.a[s->now.n++] = (struct shared){r, copy, 0};
	s->f->regs[copy].level = (unsigned char)level;
	s->f->regs[copy].obj = s->obj[r];
}

/* Returns a register that still holds r; -1: none. */
static int find_shared(const struct spill *s, int r)
{
	for (unsigned int k = 0; k < s->now.n; k++)
		if (s->now.a[k].reg == r)
			return s->now.a[k].copy;
	return -1;
}

/* Returns a register with the value of r before i. */
static int reload(struct spill *s, struct mins *i, int r)
{
	int t = find_shared(s, r);

	if (t >= 0)
		return t;

	if (s->remat[r]) {
		t = new_temp(s);
		m_insert(i, new_copy_of(s, s->remat[r], t));
		return t;
	}
	t = new_temp(s);
	s->f->regs[t].is_bound = s->f->regs[r].is_bound;
	m_insert(i, new_load(s, t, s->obj[r]));
	share(s, r, t);
	return t;
}

/* ---- definitions ---- */

static struct mins *new_store(struct spill *s, int obj, int src)
{
	struct mins *st = m_ins_new(s->f, M_ST);

	st->op = BPF_DW;
	st->obj = obj;
	st->src = src;
	return st;
}

static bool reads(const struct mins *i, int r)
{
	int regs[6];

	for (unsigned int k = m_uses(i, regs); k-- > 0;)
		if (regs[k] == r)
			return true;
	return false;
}

/* Returns true if only the next instruction uses the value of r that i makes, to change it.  Loads
 * and repeated definitions of spilling may lie between them. */
static bool is_step(const struct mins *i, int r)
{
	const struct mins *next = i->next;
	int defs[6];

	while (next && (can_repeat(next) || (next->kind == M_LD && next->obj >= 0)) &&
	       next->dst != r)
		next = next->next;
	return next && next->kind != M_CALL && next->kind != M_MOV && reads(next, r) &&
	       m_defs(next, defs) == 1 && defs[0] == r;
}

/* Defines a new register instead, and stores it.  An operand that i also reads is replaced. */
static void spill_def(struct spill *s, struct mins *i, int r, int t)
{
	struct mins *keep;

	forget(s, r);
	if (i->dst == r)
		i->dst = t;
	if (is_step(i, r)) {
		s->pending = r;
		s->pending_temp = t;
		return;
	}
	if (s->f->regs[r].level) {
		struct mins *st = i->next;

		assert(st->kind == M_ST && st->obj == s->obj[r] && st->src == r);
		st->src = t;
		share(s, r, t);
		return;
	}
	m_insert_after(i, new_store(s, s->obj[r], t));
	if (!s->f->regs[r].is_bound) {
		share(s, r, t);
		return;
	}
	keep = m_ins_new(s->f, M_MOV);
	keep->dst = keep->src = t;
	keep->is_kept = true;
	m_insert_after(i, keep);
}

/* `dst = src`, where dst is on the stack and src is not.  Returns true if i became the store. */
static bool mov_to_stack(struct spill *s, struct mins *i, int r)
{
	if (s->f->regs[r].level || s->f->regs[r].is_bound || is_step(i, r))
		return false;
	if (i->kind == M_MOV && i->src >= MREG_FIRST && i->src != r && !is_spilled(s, i->src)) {
		i->kind = M_ST;
	} else if (i->kind == M_MOVI && m_fits32(i->imm)) {
		i->kind = M_STI;
	} else {
		return false;
	}
	i->op = BPF_DW;
	i->obj = s->obj[r];
	i->dst = -1;
	forget(s, r);
	return true;
}

static void do_defs(struct spill *s, struct mins *i, const int *defs, unsigned int n)
{
	for (unsigned int k = 0; k < n; k++) {
		int r = defs[k];

		if (!is_spilled(s, r))
			continue;
		if (s->remat[r] ||
		    (s->f->regs[r].level && i->kind == M_LD && i->obj == s->obj[r])) {
			m_remove(i);
			return;
		}
		if (mov_to_stack(s, i, r))
			return;
		spill_def(s, i, r, new_temp(s));
	}
}

/* Two-address operations read and write the same register. */
static void do_both(struct spill *s, struct mins *i, int r)
{
	int t = s->pending == r ? s->pending_temp : new_temp(s);

	assert(!s->remat[r]);
	if (s->pending != r)
		m_insert(i, new_load(s, t, s->obj[r]));
	s->pending = -1;
	m_replace_use(i, r, t);
	spill_def(s, i, r, t);
}

static void do_uses(struct spill *s, struct mins *i, const int *uses, unsigned int n, int skip)
{
	for (unsigned int k = 0; k < n; k++) {
		int r = uses[k];

		if (!is_spilled(s, r) || r == skip || !reads(i, r))
			continue;
		if (i->kind == M_MOV && !is_spilled(s, i->dst) && find_shared(s, r) < 0) {
			struct mins *ld = s->remat[r] ? new_copy_of(s, s->remat[r], i->dst)
						      : new_load(s, i->dst, s->obj[r]);

			m_insert(i, ld);
			m_remove(i);
			return;
		}
		m_replace_use(i, r, reload(s, i, r));
	}
}

static void do_ins(struct spill *s, struct mins *i)
{
	int uses[6], defs[6], both = -1;
	unsigned int nuses = m_uses(i, uses), ndefs = m_defs(i, defs);

	for (unsigned int k = 0; k < ndefs; k++)
		if (is_spilled(s, defs[k]) && reads(i, defs[k]) && i->kind != M_MOV)
			both = defs[k];
	do_uses(s, i, uses, nuses, both);
	if (!i->block)
		return;
	if (both >= 0)
		do_both(s, i, both);
	else
		do_defs(s, i, defs, ndefs);
}

/* i is a jump that compared i->src, a copy of r.  Stores the copy after the jump, so that the bound
 * holds for the object. */
static void keep_bound(struct spill *s, struct mins *i, int r)
{
	struct mblock *succs[2];

	for (unsigned int k = m_succs(i->block, succs); k-- > 0;)
		if (succs[k]->npreds == 1) {
			struct mins *st = new_store(s, s->obj[r], i->src);

			m_insert(succs[k]->first, st);
		}
}

static bool is_bound_check(const struct spill *s, const struct mins *i)
{
	return i->kind == M_JCCI && is_spilled(s, i->src) && !s->remat[i->src] &&
	       s->f->regs[i->src].is_bound;
}

/* Handles the only predecessor of a block before the block. */
static void do_block(struct spill *s, struct mblock *b)
{
	if (b->mark)
		return;
	b->mark = 1;
	if (b->npreds == 1)
		do_block(s, b->preds[0]);
	s->now.n = 0;
	if (b->npreds == 1)
		s->now = s->ends[b->preds[0]->id];
	for (struct mins *i = b->first, *next; i; i = next) {
		bool is_call = i->kind == M_CALL;
		int bound = is_bound_check(s, i) ? i->src : -1;

		next = i->next;
		do_ins(s, i);
		if (bound >= 0)
			keep_bound(s, i, bound);
		grow_older(s);
		if (is_call)
			forget_near(s);
	}
	assert(s->pending < 0);
	forget_near(s);
	s->ends[b->id] = s->now;
}

void spill_regs(struct mfunc *f, const bool *spilled, unsigned int n)
{
	struct spill s = {.f = f, .spilled = spilled, .n = n, .pending = -1};

	s.obj = arena_new_arr(f->arena, int, n);
	s.remat = arena_new_arr(f->arena, struct mins *, n);
	s.ends = arena_new_arr(f->arena, struct state, f->nblocks);
	find_remats(&s);
	assign_objects(&s);
	m_link_preds(f);
	for (unsigned int b = 0; b < f->nblocks; b++)
		f->blocks[b]->mark = 0;
	for (unsigned int b = 0; b < f->nblocks; b++)
		do_block(&s, f->blocks[b]);
}
