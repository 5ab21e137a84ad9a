/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * select_alu.c: arithmetic, comparisons and branches.
 *
 * Operations have two addresses: the left operand is copied to the result's register first.  The
 * register allocator removes most of these copies.  A comparison is fused into the branches if only
 * they read it, and so are a mask tested against 0 and the truncation of a 32-bit operand.
 */
#include <assert.h>

#include "bpf/select.h"

/*
 * A value that more branches than this compare with constants is compared through a copy, see
 * compare_copy().
 */
#define CASES_MAX 8

/* ---- fusion ---- */

/* x & y compared with 0: one jump does both. */
static bool is_bit_test(const struct ir_ins *cmp)
{
	return (cmp->op == IR_EQ || cmp->op == IR_NE) && cmp->args[1]->op == IR_CONST &&
	       cmp->args[1]->imm == 0 && cmp->args[0]->op == IR_AND && cmp->args[0]->uses == 1;
}

/* Returns the operand of a 32-bit extension that is only compared with a constant, so that the low
 * half can be compared instead; or NULL. */
static const struct ir_ins *narrow_operand(const struct ir_ins *cmp)
{
	bool is_left = cmp->args[0]->op == IR_CONST;
	const struct ir_ins *x = cmp->args[is_left], *c = cmp->args[!is_left];
	bool is_signed = cmp->op == IR_SLT || cmp->op == IR_SLE;

	if (x->op != (is_signed ? IR_SEXT32 : IR_ZEXT32) || x->uses != 1 || c->op != IR_CONST)
		return NULL;
	return (is_signed ? m_fits32(c->imm) : (uint64_t)c->imm <= UINT32_MAX) ? x : NULL;
}

/* Returns true for values that cannot be pointers: the verifier has no exclusive or of pointers. */
static bool is_number(const struct ir_ins *v)
{
	if (ir_is_load(v->op))
		return v->imm2 == IR_MEM_MAP || v->imm2 == IR_MEM_ROW ||
		       (v->imm2 == IR_MEM_KERNEL && v->op != IR_LD64);
	return v->op >= IR_MUL && v->op < IR_EQ;
}

/* Returns true if a number is compared with a constant.  0 is left out: after one comparison the
 * range excludes it for good. */
static bool is_case(const struct ir_ins *v)
{
	return (v->op == IR_EQ || v->op == IR_NE) && v->args[1]->op == IR_CONST &&
	       v->args[1]->imm && m_fits32(v->args[1]->imm) && is_number(v->args[0]);
}

static void note_case(struct sel *s, const struct ir_ins *v)
{
	if (is_case(v))
		s->ncases[v->args[0]->id]++;
}

void sel_find_fused(struct sel *s, struct ir_func *ir)
{
	unsigned int *branches = arena_new_arr(s->f->arena, unsigned int, ir->next_id);

	for (unsigned int b = 0; b < ir->nblocks; b++)
		if (ir->blocks[b]->last->op == IR_BR)
			branches[ir->blocks[b]->last->args[0]->id]++;
	for (unsigned int b = 0; b < ir->nblocks; b++) {
		for (const struct ir_ins *i = ir->blocks[b]->first; i; i = i->next) {
			bool only_branches = i->uses && branches[i->id] == i->uses;

			if (!only_branches)
				continue;
			if (i->op == IR_AND && i->uses == 1) {
				s->fused[i->id] = true;
			} else if (ir_is_cmp(i->op)) {
				s->fused[i->id] = true;
				note_case(s, i);
				if (is_bit_test(i))
					s->fused[i->args[0]->id] = true;
				else if (narrow_operand(i))
					s->fused[narrow_operand(i)->id] = true;
			}
		}
	}
}

/* ---- comparisons ---- */

struct cmp {
	uint8_t op;
	const struct ir_ins *a, *b;
	bool is32, swap;
};

static uint8_t jump_op(enum ir_op op)
{
	static const uint8_t ops[] = {BPF_JEQ, BPF_JNE, BPF_JLT, BPF_JLE, BPF_JSLT, BPF_JSLE};

	assert(ir_is_cmp(op));
	return ops[op - IR_EQ];
}

/* Returns the comparison with exchanged operands. */
static uint8_t mirrored(uint8_t op)
{
	switch (op) {
	case BPF_JLT:
		return BPF_JGT;
	case BPF_JLE:
		return BPF_JGE;
	case BPF_JSLT:
		return BPF_JSGT;
	case BPF_JSLE:
		return BPF_JSGE;
	}
	return op;
}

static struct cmp analyze(const struct ir_ins *v)
{
	struct cmp c = {jump_op(v->op), v->args[0], v->args[1], false, false};

	if (c.a->op == IR_CONST && c.b->op != IR_CONST) {
		c.a = v->args[1];
		c.b = v->args[0];
		c.op = mirrored(c.op);
	}
	return c;
}

/* Adds the second operand: an immediate if it fits. */
static struct mins *put_cmp(struct sel *s, const struct cmp *c, enum m_kind with_reg,
			    enum m_kind with_imm)
{
	bool is_imm = c->b->op == IR_CONST && (c->is32 || m_fits32(c->b->imm));
	int a = sel_reg(s, c->a), b = is_imm ? -1 : sel_reg(s, c->b);
	struct mins *i = sel_put(s, is_imm ? with_imm : with_reg);

	i->op = c->op;
	i->is32 = c->is32;
	i->src = a;
	i->src2 = b;
	if (is_imm)
		i->imm = (int32_t)c->b->imm;
	return i;
}

static void note_bound(struct sel *s, const struct ir_ins *v)
{
	if (s->reg[v->id] >= 0)
		s->f->regs[s->reg[v->id]].is_bound = true;
}

/* Errors and missing elements are rare, and most predicates that compare with one value are
 * false. */
static int8_t guess(const struct cmp *c)
{
	bool is_const = c->b->op == IR_CONST;

	if (c->op == BPF_JEQ && is_const && c->b->imm != 1)
		return -1;
	if (c->op == BPF_JNE && is_const && c->b->imm != 1)
		return 1;
	if (c->op == BPF_JSLT && is_const && c->b->imm == 0)
		return -1;
	return 0;
}

/*
 * Compares a copy of a value.  Since Linux 6.8 a branch narrows the range that the verifier keeps
 * for the value, and two states continue after the join.  After /x == 0/, /x == 1/ ... the ranges
 * always differ, so the verifier follows every case through the rest of the program.  It does not
 * connect x with x ^ constant.
 */
static struct mins *compare_copy(struct sel *s, const struct cmp *c)
{
	int x = sel_reg(s, c->a), t = m_reg_new(s->f);
	struct mins *i = sel_mov(s, t, x);

	i = sel_put(s, M_ALUI);
	i->op = BPF_XOR;
	i->dst = t;
	i->imm = c->b->imm;
	i = sel_put(s, M_JCCI);
	i->op = c->op;
	i->src = t;
	return i;
}

static struct mins *branch_cmp(struct sel *s, const struct ir_ins *cond)
{
	struct cmp c = analyze(cond);
	struct mins *i;

	if (is_bit_test(cond) && s->fused[cond->args[0]->id]) {
		c.op = BPF_JSET;
		c.swap = cond->op == IR_EQ;
		c.a = cond->args[0]->args[0];
		c.b = cond->args[0]->args[1];
	} else if (narrow_operand(cond) && s->fused[narrow_operand(cond)->id]) {
		c.is32 = true;
		c.a = c.a->args[0];
	} else if (c.op != BPF_JEQ && c.op != BPF_JNE) {
		note_bound(s, c.a);
		note_bound(s, c.b);
	}
	if (is_case(cond) && c.a == cond->args[0] && s->ncases[c.a->id] > CASES_MAX)
		i = compare_copy(s, &c);
	else
		i = put_cmp(s, &c, M_JCC, M_JCCI);
	i->likely = guess(&c);
	i->is_signed = c.swap;
	return i;
}

struct mins *sel_branch(struct sel *s, const struct ir_ins *cond)
{
	struct cmp c = {BPF_JNE, cond, NULL, false, false};
	struct mins *i;
	int reg;

	if (s->fused[cond->id] && ir_is_cmp(cond->op))
		return branch_cmp(s, cond);
	if (s->fused[cond->id]) {
		assert(cond->op == IR_AND);
		c = (struct cmp){BPF_JSET, cond->args[0], cond->args[1], false, false};
		return put_cmp(s, &c, M_JCC, M_JCCI);
	}
	reg = sel_reg(s, cond);
	i = sel_put(s, M_JCCI);
	i->op = BPF_JNE;
	i->src = reg;
	i->likely = ir_is_call(cond->op) ? 1 : 0;
	return i;
}

static void select_set(struct sel *s, const struct ir_ins *v)
{
	struct cmp c = analyze(v);
	struct mins *i;

	if (v->op == IR_SLT && c.b->op == IR_CONST && c.b->imm == 0 && c.a == v->args[0]) {
		sel_into(s, s->reg[v->id], c.a);
		i = sel_put(s, M_ALUI);
		i->op = BPF_RSH;
		i->imm = 63;
		i->dst = s->reg[v->id];
		return;
	}
	i = put_cmp(s, &c, M_SET, M_SETI);
	i->dst = s->reg[v->id];
}

/* ---- arithmetic ---- */

static struct mins *put_imm(struct sel *s, int dst, uint8_t op, int64_t imm)
{
	struct mins *i = sel_put(s, M_ALUI);

	i->dst = dst;
	i->op = op;
	i->imm = imm;
	assert(m_fits32(imm));
	return i;
}

static void select_unary(struct sel *s, const struct ir_ins *v)
{
	int dst = s->reg[v->id], src;
	bool is_sext = v->op >= IR_SEXT8 && v->op <= IR_SEXT32;
	unsigned int bits = is_sext ? 8U << (v->op - IR_SEXT8) : 32;
	struct mins *i;

	if (v->op == IR_ZEXT32 || (is_sext && s->target->has_movsx)) {
		src = sel_reg(s, v->args[0]);
		i = sel_put(s, v->op == IR_ZEXT32 ? M_MOV32 : M_MOVSX);
		i->dst = dst;
		i->src = src;
		i->imm = bits;
		return;
	}
	sel_into(s, dst, v->args[0]);
	switch ((int)v->op) {
	case IR_NEG:
		sel_put(s, M_NEG)->dst = dst;
		return;
	case IR_NOT:
		put_imm(s, dst, BPF_XOR, -1);
		return;
	case IR_ZEXT8:
		put_imm(s, dst, BPF_AND, 0xff);
		return;
	case IR_ZEXT16:
		put_imm(s, dst, BPF_AND, 0xffff);
		return;
	case IR_BSWAP16:
	case IR_BSWAP32:
	case IR_BSWAP64:
		i = sel_put(s, M_SWAP);
		i->dst = dst;
		i->imm = 16 << (v->op - IR_BSWAP16);
		return;
	}
	assert(is_sext);
	put_imm(s, dst, BPF_LSH, 64 - bits);
	put_imm(s, dst, BPF_ARSH, 64 - bits);
}

static uint8_t alu_op(enum ir_op op)
{
	switch ((int)op) {
	case IR_ADD:
		return BPF_ADD;
	case IR_SUB:
		return BPF_SUB;
	case IR_MUL:
		return BPF_MUL;
	case IR_UDIV:
	case IR_SDIV:
		return BPF_DIV;
	case IR_UMOD:
	case IR_SMOD:
		return BPF_MOD;
	case IR_AND:
		return BPF_AND;
	case IR_OR:
		return BPF_OR;
	case IR_XOR:
		return BPF_XOR;
	case IR_SHL:
		return BPF_LSH;
	case IR_LSHR:
		return BPF_RSH;
	}
	assert(op == IR_ASHR);
	return BPF_ARSH;
}

static bool is_shift(enum ir_op op)
{
	return op == IR_SHL || op == IR_LSHR || op == IR_ASHR;
}

static bool is_division(enum ir_op op)
{
	return op >= IR_UDIV && op <= IR_SMOD;
}

/* Selects an operation with a constant on the right; returns true if that needed no register for
 * it. */
static bool select_const(struct sel *s, const struct ir_ins *v, const struct ir_ins *a, int64_t c)
{
	int dst = s->reg[v->id], src;
	struct mins *i;

	if (is_shift(v->op))
		c &= 63;
	if (is_division(v->op) && c == 0) {
		if (v->op == IR_UMOD || v->op == IR_SMOD) {
			sel_into(s, dst, a);
		} else {
			i = sel_put(s, M_MOVI);
			i->dst = dst;
		}
		return true;
	}
	if (v->op == IR_AND && c == UINT32_MAX) {
		src = sel_reg(s, a);
		i = sel_put(s, M_MOV32);
		i->dst = dst;
		i->src = src;
		return true;
	}
	if (v->op == IR_AND && !m_fits32(c) && c == (uint32_t)c) {
		sel_into(s, dst, a);
		put_imm(s, dst, BPF_AND, (int32_t)c)->is32 = true;
		return true;
	}
	if (!m_fits32(c))
		return false;
	sel_into(s, dst, a);
	i = put_imm(s, dst, alu_op(v->op), c);
	i->is_signed = v->op == IR_SDIV || v->op == IR_SMOD;
	return true;
}

void sel_alu(struct sel *s, const struct ir_ins *v)
{
	const struct ir_ins *a = v->args[0], *b;
	int dst = s->reg[v->id], src;
	struct mins *i;

	if (ir_is_cmp(v->op)) {
		select_set(s, v);
		return;
	}
	if (v->nargs == 1) {
		select_unary(s, v);
		return;
	}
	b = v->args[1];
	if (ir_op_flags(v->op) & IR_C && ((a->op == IR_CONST && b->op != IR_CONST) ||
					  (b->op != IR_CONST && b->uses == 1 && a->uses > 1))) {
		b = a;
		a = v->args[1];
	}
	if (b->op == IR_CONST && select_const(s, v, a, b->imm))
		return;
	src = sel_reg(s, b);
	sel_into(s, dst, a);
	i = sel_put(s, M_ALU);
	i->op = alu_op(v->op);
	i->dst = dst;
	i->src = src;
	i->is_signed = v->op == IR_SDIV || v->op == IR_SMOD;
}
