/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * select.c: selects machine instructions for one function.
 *
 * Each IR value gets one virtual register, with two exceptions.  Values that are cheaper to make
 * again at each use have none (constants, addresses of slots and map values).  Others become part
 * of another instruction (a comparison that only branches use, a mask that is only tested).  PHIs
 * become copies at the end of the predecessors, which have no other successor then.
 */
#include <assert.h>
#include <string.h>

#include "bpf/select.h"

/* ---- making instructions ---- */

struct mins *sel_put(struct sel *s, enum m_kind kind)
{
	struct mins *i = m_ins_new(s->f, kind);

	i->loc = s->loc;
	i->pos = s->f->next_pos++;
	m_append(s->bb, i);
	return i;
}

struct mins *sel_mov(struct sel *s, int dst, int src)
{
	struct mins *i = sel_put(s, M_MOV);

	i->dst = dst;
	i->src = src;
	return i;
}

static void put_movi(struct sel *s, int dst, int64_t imm)
{
	struct mins *i = sel_put(s, M_MOVI);

	i->dst = dst;
	i->imm = imm;
}

/* Returns the leaf of an address with a constant offset; NULL if it has a register of its own. */
static const struct ir_ins *leaf(const struct ir_ins *i, int64_t *off)
{
	*off = 0;
	while (i->op == IR_ADD && i->args[1]->op == IR_CONST && m_fits32(i->args[1]->imm)) {
		*off += i->args[1]->imm;
		i = i->args[0];
	}
	if (i->op == IR_SLOT || i->op == IR_MAPVAL)
		return i;
	return NULL;
}

static bool is_remat(const struct ir_ins *i)
{
	int64_t off;

	switch ((int)i->op) {
	case IR_CONST:
	case IR_MAPFD:
	case IR_FNADDR:
		return true;
	}
	return leaf(i, &off) && m_fits32(off);
}

static void put_sym(struct sel *s, int dst, enum m_sym sym, int64_t target, int64_t imm)
{
	struct mins *i = sel_put(s, M_SYM);

	i->dst = dst;
	i->sym = sym;
	i->target = target;
	i->imm = imm;
}

/* Makes a value that has no register of its own. */
static void put_remat(struct sel *s, int dst, const struct ir_ins *v)
{
	const struct ir_ins *l;
	struct mins *i;
	int64_t off;

	switch ((int)v->op) {
	case IR_CONST:
		put_movi(s, dst, v->imm);
		return;
	case IR_MAPFD:
		put_sym(s, dst, M_SYM_MAPFD, v->imm, 0);
		return;
	case IR_FNADDR:
		put_sym(s, dst, M_SYM_FNADDR, v->imm, 0);
		return;
	}
	l = leaf(v, &off);
	assert(l);
	if (l->op == IR_MAPVAL) {
		put_sym(s, dst, M_SYM_MAPVAL, l->imm, l->imm2 + off);
		return;
	}
	i = sel_put(s, M_FRAME);
	i->dst = dst;
	i->obj = (int)l->imm;
	i->off = (int32_t)off;
}

void sel_into(struct sel *s, int dst, const struct ir_ins *v)
{
	if (is_remat(v))
		put_remat(s, dst, v);
	else
		sel_mov(s, dst, s->reg[v->id]);
}

/* Finds a constant or address made earlier in this block, since the last call. */
static struct sel_cached *find_cached(struct sel *s, enum ir_op op, int64_t imm, int64_t imm2)
{
	for (unsigned int n = 0; n < s->ncached; n++) {
		struct sel_cached *c = &s->cached[n];

		if (c->op != op || c->imm != imm)
			continue;
		if (op != IR_MAPVAL ? c->imm2 == imm2 : imm2 - c->imm2 == (int16_t)(imm2 - c->imm2))
			return c;
	}
	return NULL;
}

static int add_cached(struct sel *s, enum ir_op op, int64_t imm, int64_t imm2, int reg)
{
	unsigned int n = s->ncached;

	if (n == SEL_CACHED)
		memmove(s->cached, s->cached + 1, --n * sizeof(*s->cached));
	s->cached[n] = (struct sel_cached){op, imm, imm2, reg};
	s->ncached = n + 1;
	return reg;
}

int sel_reg(struct sel *s, const struct ir_ins *v)
{
	struct sel_cached *c;
	int reg;

	if (!is_remat(v)) {
		assert(s->reg[v->id] >= MREG_FIRST);
		return s->reg[v->id];
	}
	c = v->op == IR_CONST ? find_cached(s, v->op, v->imm, 0) : NULL;
	if (c)
		return c->reg;
	reg = m_reg_new(s->f);
	put_remat(s, reg, v);
	if (v->op == IR_CONST)
		add_cached(s, v->op, v->imm, 0, reg);
	return reg;
}

/* Returns the address of a memory access: a frame object or a register, and an offset that fits. */
static struct sel_addr address(struct sel *s, const struct ir_ins *p, int64_t off)
{
	struct sel_addr a = {-1, -1, 0};
	const struct ir_ins *l;
	struct sel_cached *c;
	struct mins *i;
	int64_t more;
	int by;

	l = leaf(p, &more);
	if (l && l->op == IR_SLOT && more + off >= 0 && more + off < BPF_STACK_MAX)
		return (struct sel_addr){(int)l->imm, -1, (int32_t)(more + off)};
	if (l && l->op == IR_MAPVAL) {
		off += more + l->imm2;
		c = find_cached(s, IR_MAPVAL, l->imm, off);
		if (c)
			return (struct sel_addr){-1, c->reg, (int32_t)(off - c->imm2)};
		a.reg = add_cached(s, IR_MAPVAL, l->imm, off, m_reg_new(s->f));
		put_sym(s, a.reg, M_SYM_MAPVAL, l->imm, off);
		return a;
	}
	a.reg = sel_reg(s, p);
	if (off == (int16_t)off) {
		a.off = (int32_t)off;
		return a;
	}
	i = sel_mov(s, m_reg_new(s->f), a.reg);
	a.reg = i->dst;
	if (m_fits32(off)) {
		i = sel_put(s, M_ALUI);
		i->imm = off;
	} else {
		by = m_reg_new(s->f);
		put_movi(s, by, off);
		i = sel_put(s, M_ALU);
		i->src = by;
	}
	i->op = BPF_ADD;
	i->dst = a.reg;
	return a;
}

/* ---- memory and calls ---- */

static const uint8_t sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

static void select_load(struct sel *s, const struct ir_ins *v)
{
	struct sel_addr a = address(s, v->args[0], v->imm);
	struct mins *i = sel_put(s, M_LD);

	i->op = sizes[v->op - IR_LD8];
	i->dst = s->reg[v->id];
	i->src = a.reg;
	i->obj = a.obj;
	i->off = a.off;
}

static void select_store(struct sel *s, const struct ir_ins *v)
{
	const struct ir_ins *val = v->args[1];
	unsigned int bits = 8U << (v->op - IR_ST8);
	struct sel_addr a = address(s, v->args[0], v->imm);
	bool is_imm = val->op == IR_CONST && (bits < 64 || m_fits32(val->imm));
	int reg = is_imm ? -1 : sel_reg(s, val);
	struct mins *i = sel_put(s, is_imm ? M_STI : M_ST);

	i->op = sizes[v->op - IR_ST8];
	i->dst = a.reg;
	i->obj = a.obj;
	i->off = a.off;
	i->src = reg;
	if (is_imm)
		i->imm = bits < 32 ? val->imm & ((1LL << bits) - 1) : (int32_t)val->imm;
}

static void select_atomic(struct sel *s, const struct ir_ins *v)
{
	struct sel_addr a = address(s, v->args[0], v->imm);
	bool is_add = v->op == IR_ATOMIC_ADD || (v->op == IR_ATOMIC_FADD && !v->uses);
	int reg = sel_reg(s, v->args[v->nargs - 1]);
	struct mins *i;

	if (v->op == IR_ATOMIC_CMPXCHG) {
		sel_into(s, 0, v->args[1]);
	} else if (!is_add) {
		i = sel_mov(s, v->uses ? s->reg[v->id] : m_reg_new(s->f), reg);
		reg = i->dst;
	}
	i = sel_put(s, M_ATOMIC);
	i->op = BPF_DW;
	i->dst = a.reg;
	i->obj = a.obj;
	i->off = a.off;
	i->src = reg;
	i->imm = v->op == IR_ATOMIC_CMPXCHG ? BPF_CMPXCHG
		 : v->op == IR_ATOMIC_XCHG  ? BPF_XCHG
		 : is_add		    ? BPF_ADD
					    : BPF_ADD | BPF_FETCH;
	if (v->op == IR_ATOMIC_CMPXCHG && v->uses)
		sel_mov(s, s->reg[v->id], 0);
}

/* Values in registers go first, so that values made on the spot block no register. */
static void select_call(struct sel *s, const struct ir_ins *v)
{
	struct mins *i;

	for (unsigned int n = 0; n < v->nargs; n++)
		if (!is_remat(v->args[n]))
			sel_into(s, (int)n + 1, v->args[n]);
	for (unsigned int n = 0; n < v->nargs; n++)
		if (is_remat(v->args[n]))
			sel_into(s, (int)n + 1, v->args[n]);
	i = sel_put(s, M_CALL);
	i->call = (uint8_t)(v->op - IR_CALL);
	i->nargs = (uint8_t)v->nargs;
	i->target = v->imm;
	s->ncached = 0;
	if (v->uses)
		sel_mov(s, s->reg[v->id], 0);
}

/* ---- joins ---- */

struct copy {
	int dst, src;
};

/* Makes all copies at once: first those with a target that nobody reads any more; cycles go through
 * a register. */
static void parallel_copy(struct sel *s, struct copy *c, unsigned int n)
{
	while (n) {
		bool moved = false;

		for (unsigned int i = 0; i < n; i++) {
			bool is_read = false;

			for (unsigned int j = 0; j < n; j++)
				is_read = is_read || (j != i && c[j].src == c[i].dst);
			if (is_read)
				continue;
			sel_mov(s, c[i].dst, c[i].src);
			c[i--] = c[--n];
			moved = true;
		}
		if (n && !moved) {
			int tmp = m_reg_new(s->f), was = c[0].src;

			sel_mov(s, tmp, was);
			for (unsigned int j = 0; j < n; j++)
				if (c[j].src == was)
					c[j].src = tmp;
		}
	}
}

static void select_phis(struct sel *s, const struct ir_block *from, const struct ir_block *to)
{
	unsigned int n = 0, count = 0;
	int at = ir_find_pred(to, from);
	struct copy *c;

	for (const struct ir_ins *i = to->first; i->op == IR_PHI; i = i->next)
		count++;
	if (!count)
		return;
	c = arena_new_arr(s->f->arena, struct copy, count);
	for (const struct ir_ins *i = to->first; i->op == IR_PHI; i = i->next) {
		const struct ir_ins *v = i->args[at];

		if (i->uses && !is_remat(v) && s->reg[v->id] != s->reg[i->id])
			c[n++] = (struct copy){s->reg[i->id], s->reg[v->id]};
	}
	parallel_copy(s, c, n);
	for (const struct ir_ins *i = to->first; i->op == IR_PHI; i = i->next)
		if (i->uses && is_remat(i->args[at]))
			put_remat(s, s->reg[i->id], i->args[at]);
}

/* ---- the function ---- */

static void select_ins(struct sel *s, const struct ir_ins *v)
{
	if (is_remat(v) || s->fused[v->id] || v->op == IR_PHI || v->op == IR_ARG)
		return;
	if (ir_is_load(v->op))
		select_load(s, v);
	else if (ir_is_store(v->op))
		select_store(s, v);
	else if (ir_is_call(v->op))
		select_call(s, v);
	else if (ir_op_flags(v->op) & IR_W)
		select_atomic(s, v);
	else
		sel_alu(s, v);
}

static void select_end(struct sel *s, const struct ir_ins *v)
{
	struct mins *i;

	switch ((int)v->op) {
	case IR_RET:
		sel_into(s, 0, v->args[0]);
		sel_put(s, M_EXIT);
		return;
	case IR_JMP:
		select_phis(s, v->block, v->target[0]);
		i = sel_put(s, M_JMP);
		i->yes = s->f->blocks[v->target[0]->id];
		return;
	}
	assert(v->op == IR_BR);
	i = sel_branch(s, v->args[0]);
	i->yes = s->f->blocks[v->target[0]->id];
	i->no = s->f->blocks[v->target[1]->id];
	if (i->is_signed) {
		struct mblock *yes = i->yes;

		i->yes = i->no;
		i->no = yes;
		i->likely = (int8_t)-i->likely;
		i->is_signed = false;
	}
}

/* Assigns a register to each value that needs one; parameters are moved at the start. */
static void assign_values(struct sel *s, struct ir_func *ir)
{
	int args[5] = {0}; /* 0: the parameter has no register yet */

	for (unsigned int b = 0; b < ir->nblocks; b++) {
		for (struct ir_ins *i = ir->blocks[b]->first; i; i = i->next) {
			s->reg[i->id] = -1;
			if ((ir_op_flags(i->op) & IR_V) || is_remat(i) || !i->uses)
				continue;
			if (i->op == IR_ARG && args[i->imm])
				s->reg[i->id] = args[i->imm];
			else
				s->reg[i->id] = m_reg_new(s->f);
			if (i->op == IR_ARG)
				args[i->imm] = s->reg[i->id];
		}
	}
	s->bb = s->f->blocks[0];
	for (int n = 0; n < 5; n++)
		if (args[n])
			sel_mov(s, args[n], n + 1);
}

static struct mfunc *new_mfunc(struct ir_func *ir, const struct bpf_target *t)
{
	struct arena *a = ir->mod->arena;
	struct mfunc *f = arena_new_obj(a, struct mfunc);

	f->arena = a;
	f->target = t;
	f->nblocks = ir->nblocks;
	f->blocks = arena_new_arr(a, struct mblock *, ir->nblocks);
	for (unsigned int b = 0; b < ir->nblocks; b++) {
		f->blocks[b] = arena_new_obj(a, struct mblock);
		f->blocks[b]->id = b;
	}
	while (f->nregs < MREG_FIRST)
		m_reg_new(f);
	for (unsigned int n = 0; n < ir->nslots; n++)
		m_obj_new(f, ir->slots[n].size, ir->slots[n].align, false);
	return f;
}

struct mfunc *select_func(struct ir_func *ir, const struct bpf_target *t)
{
	struct sel s = {.f = new_mfunc(ir, t), .target = t};

	ir_renumber(ir);
	s.reg = arena_new_arr(s.f->arena, int, ir->next_id);
	s.fused = arena_new_arr(s.f->arena, bool, ir->next_id);
	s.ncases = arena_new_arr(s.f->arena, unsigned int, ir->next_id);
	sel_find_fused(&s, ir);
	assign_values(&s, ir);
	for (unsigned int b = 0; b < ir->nblocks; b++) {
		s.bb = s.f->blocks[b];
		s.ncached = 0;
		for (const struct ir_ins *i = ir->blocks[b]->first; i->next; i = i->next) {
			s.loc = &i->loc;
			select_ins(&s, i);
		}
		s.loc = &ir->blocks[b]->last->loc;
		select_end(&s, ir->blocks[b]->last);
	}
	return s.f;
}
