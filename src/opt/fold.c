/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fold.c: simplifies arithmetic.
 *
 * Requires: nothing.  Keeps: blocks and edges, except that conditions may become constants, which
 * cfg.c then uses.  Breaks: use counts; leaves unused instructions.
 *
 * Each instruction is examined once, after its operands.  It becomes a constant, is replaced by an
 * existing value, or changes into a cheaper instruction in place.  The only known fact about a
 * value is an upper bound for its width in bits (opt_bits), from loads and D's types.
 */
#include <assert.h>

#include "ir/dom.h"
#include "opt/fold.h"

static bool is_const(const struct ir_ins *i, int64_t v)
{
	return i->op == IR_CONST && i->imm == v;
}

static bool to_const(struct ir_ins *i, int64_t v)
{
	ir_become_const(i, v);
	return true;
}

static bool to_value(struct ir_ins *i, struct ir_ins *v)
{
	opt_replace(i, v);
	return true;
}

/* Changes i to op x, y in place. */
static bool to_op(struct ir_ins *i, enum ir_op op, struct ir_ins *x, struct ir_ins *y)
{
	assert(ir_op_nargs(op) == (y ? 2 : 1) && i->nargs >= (y ? 2U : 1U));
	i->op = op;
	i->nargs = y ? 2 : 1;
	i->args[0] = x;
	if (y)
		i->args[1] = y;
	return true;
}

static bool to_op_const(struct ir_func *f, struct ir_ins *i, enum ir_op op, struct ir_ins *x,
			int64_t c)
{
	return to_op(i, op, x, opt_insert_const(f, i, c));
}

/* Returns k for 2^k; 0 for other numbers. */
static int log2_of(int64_t v)
{
	return v > 0 && !(v & (v - 1)) ? __builtin_ctzll((uint64_t)v) : 0;
}

/* ---- arithmetic with a constant on the right ---- */

/* (x op a) op b */
static bool fold_chain(struct ir_func *f, struct ir_ins *i)
{
	struct ir_ins *in = i->args[0];
	int64_t a, b = i->args[1]->imm;

	if (in->op != i->op || in->args[1]->op != IR_CONST)
		return false;
	a = in->args[1]->imm;
	switch ((int)i->op) {
	case IR_ADD:
	case IR_MUL:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
		return to_op_const(f, i, i->op, in->args[0], ir_eval(i->op, a, b));
	case IR_SHL:
	case IR_LSHR:
		a = (a & 63) + (b & 63);
		if (a > 63)
			return to_const(i, 0);
		return to_op_const(f, i, i->op, in->args[0], a);
	}
	return false;
}

/* A right shift that follows a left shift by the same amount keeps the low bits. */
static bool fold_shift_pair(struct ir_func *f, struct ir_ins *i)
{
	struct ir_ins *in = i->args[0];
	int64_t n = i->args[1]->imm & 63;
	bool is_signed = i->op == IR_ASHR;

	if (in->op != IR_SHL || in->args[1]->op != IR_CONST || (in->args[1]->imm & 63) != n)
		return false;
	if (n == 32)
		return to_op(i, is_signed ? IR_SEXT32 : IR_ZEXT32, in->args[0], NULL);
	if (n == 48)
		return to_op(i, is_signed ? IR_SEXT16 : IR_ZEXT16, in->args[0], NULL);
	if (n == 56)
		return to_op(i, is_signed ? IR_SEXT8 : IR_ZEXT8, in->args[0], NULL);
	if (!is_signed && n > 33)
		return to_op_const(f, i, IR_AND, in->args[0], (1LL << (64 - n)) - 1);
	return false;
}

/* Signed division by 2^k: rounds towards zero by adding 2^k - 1 to negative numbers. */
static bool fold_sdiv(struct ir_func *f, struct ir_ins *i, int k)
{
	struct ir_ins *x = i->args[0], *bias;

	bias = opt_insert(f, i, IR_ASHR, x, opt_insert_const(f, i, 63));
	bias = opt_insert(f, i, IR_LSHR, bias, opt_insert_const(f, i, 64 - k));
	return to_op_const(f, i, IR_ASHR, opt_insert(f, i, IR_ADD, x, bias), k);
}

/* A mask that equals an extension, or has no effect. */
static bool fold_mask(struct ir_func *f, struct ir_ins *i, int64_t c)
{
	struct ir_ins *x = i->args[0];
	unsigned int n = opt_bits_verified(x);

	if (n < 64 && (~(uint64_t)c & ((1ULL << n) - 1)) == 0)
		return to_value(i, x);
	if (c == 0xff)
		return to_op(i, IR_ZEXT8, x, NULL);
	if (c == 0xffff)
		return to_op(i, IR_ZEXT16, x, NULL);
	if (c == 0xffffffffLL)
		return to_op(i, IR_ZEXT32, x, NULL);
	return false;
}

static bool fold_identity(struct ir_ins *i, int64_t c)
{
	switch ((int)i->op) {
	case IR_ADD:
	case IR_SUB:
	case IR_XOR:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return c == 0 && to_value(i, i->args[0]);
	case IR_OR:
		return c == 0 ? to_value(i, i->args[0]) : c == -1 && to_const(i, -1);
	case IR_MUL:
		return c == 1 ? to_value(i, i->args[0]) : c == 0 && to_const(i, 0);
	case IR_UDIV:
	case IR_SDIV:
		return c == 1 ? to_value(i, i->args[0]) : c == 0 && to_const(i, 0);
	case IR_UMOD:
	case IR_SMOD:
		return c == 0 ? to_value(i, i->args[0]) : c == 1 && to_const(i, 0);
	}
	assert(i->op == IR_AND);
	return c == -1 ? to_value(i, i->args[0]) : c == 0 && to_const(i, 0);
}

static bool fold_with_const(struct ir_func *f, struct ir_ins *i)
{
	struct ir_ins *x = i->args[0];
	int64_t c = i->args[1]->imm;
	int k = log2_of(c);

	assert(i->args[1]->op == IR_CONST);
	if (fold_identity(i, c) || fold_chain(f, i))
		return true;
	switch ((int)i->op) {
	case IR_SUB:
		return c != INT64_MIN && to_op_const(f, i, IR_ADD, x, -c);
	case IR_MUL:
		return k > 0 && to_op_const(f, i, IR_SHL, x, k);
	case IR_UDIV:
		return k > 0 && to_op_const(f, i, IR_LSHR, x, k);
	case IR_UMOD:
		return k > 0 && to_op_const(f, i, IR_AND, x, c - 1);
	case IR_SDIV:
		return k > 0 && fold_sdiv(f, i, k);
	case IR_AND:
		return fold_mask(f, i, c);
	case IR_LSHR:
		return opt_bits(x) <= (unsigned int)(c & 63) ? to_const(i, 0)
							     : fold_shift_pair(f, i);
	case IR_ASHR:
		return opt_bits(x) < 64 ? to_op(i, IR_LSHR, x, i->args[1]) : fold_shift_pair(f, i);
	}
	return false;
}

static bool fold_same(struct ir_ins *i)
{
	switch ((int)i->op) {
	case IR_SUB:
	case IR_XOR:
	case IR_NE:
	case IR_ULT:
	case IR_SLT:
		return to_const(i, 0);
	case IR_EQ:
	case IR_ULE:
	case IR_SLE:
		return to_const(i, 1);
	case IR_AND:
	case IR_OR:
		return to_value(i, i->args[0]);
	}
	return false;
}

/* Division of operands that are never negative becomes unsigned. */
static bool fold_unsigned(struct ir_ins *i)
{
	if (i->op != IR_SDIV && i->op != IR_SMOD)
		return false;
	if (opt_bits(i->args[0]) > 63 || opt_bits(i->args[1]) > 63)
		return false;
	i->op = i->op == IR_SDIV ? IR_UDIV : IR_UMOD;
	return true;
}

static bool fold_binary(struct ir_func *f, struct ir_ins *i)
{
	struct ir_ins *x = i->args[0], *y = i->args[1];

	if (x->op == IR_CONST && y->op == IR_CONST)
		return to_const(i, ir_eval(i->op, x->imm, y->imm));
	if (x->op == IR_CONST && (ir_op_flags(i->op) & IR_C)) {
		i->args[0] = y;
		i->args[1] = x;
		return true;
	}
	if (x == y && fold_same(i))
		return true;
	if (fold_unsigned(i))
		return true;
	if (ir_is_cmp(i->op))
		return fold_compare(f, i);
	if (y->op == IR_CONST)
		return fold_with_const(f, i);
	if (is_const(x, 0) && (i->op == IR_SHL || i->op == IR_LSHR || i->op == IR_ASHR ||
			       i->op == IR_UDIV || i->op == IR_SDIV))
		return to_const(i, 0);
	return false;
}

/* ---- one operand ---- */

static bool is_zext(enum ir_op op)
{
	return op >= IR_ZEXT8 && op <= IR_ZEXT32;
}

static bool is_sext(enum ir_op op)
{
	return op >= IR_SEXT8 && op <= IR_SEXT32;
}

static unsigned int ext_bits(enum ir_op op)
{
	return 8U << (is_zext(op) ? op - IR_ZEXT8 : op - IR_SEXT8);
}

static bool fold_extension(struct ir_ins *i)
{
	struct ir_ins *x = i->args[0];
	unsigned int n = ext_bits(i->op), have = opt_bits_verified(x);

	if (is_zext(i->op) ? have <= n : have < n)
		return to_value(i, x);
	if (is_sext(i->op) && is_sext(x->op) && ext_bits(x->op) <= n)
		return to_value(i, x);
	if ((is_sext(x->op) || is_zext(x->op)) && ext_bits(x->op) >= n)
		return to_op(i, i->op, x->args[0], NULL);
	return false;
}

static bool fold_unary(struct ir_ins *i)
{
	struct ir_ins *x = i->args[0];

	if (x->op == IR_CONST)
		return to_const(i, ir_eval(i->op, x->imm, 0));
	if (is_zext(i->op) || is_sext(i->op))
		return fold_extension(i);
	if ((i->op == IR_NEG || i->op == IR_NOT || i->op == IR_BSWAP64) && x->op == i->op)
		return to_value(i, x->args[0]);
	return false;
}

/* ---- memory ---- */

static bool fold_address(struct ir_ins *i)
{
	struct ir_ins *p = i->args[0];
	int64_t off;

	if (p->op != IR_ADD || p->args[1]->op != IR_CONST)
		return false;
	off = p->args[1]->imm;
	if (off != (int32_t)off || i->imm + off != (int16_t)(i->imm + off))
		return false;
	off += i->imm;
	i->args[0] = p->args[0];
	i->imm = off;
	return true;
}

/* A narrow store needs no clean high bits. */
static bool fold_stored(struct ir_ins *i)
{
	unsigned int n = 8 * ir_mem_size(i->op);
	struct ir_ins *v = i->args[1];

	if (n < 64 && (is_zext(v->op) || is_sext(v->op)) && ext_bits(v->op) >= n) {
		i->args[1] = v->args[0];
		return true;
	}
	return false;
}

static bool fold_mapval(struct ir_ins *i)
{
	struct ir_ins *p = i->args[0];

	if (i->op != IR_ADD || i->args[1]->op != IR_CONST || p->op != IR_MAPVAL ||
	    i->args[1]->imm != (int32_t)i->args[1]->imm)
		return false;
	i->op = IR_MAPVAL;
	i->imm = p->imm;
	i->imm2 = p->imm2 + i->args[1]->imm;
	i->nargs = 0;
	i->args = NULL;
	return true;
}

static bool fold_ins(struct ir_func *f, struct ir_ins *i)
{
	unsigned int flags = ir_op_flags(i->op);

	if (i->op == IR_PHI || ir_is_call(i->op) || (flags & IR_T) || !i->nargs)
		return false;
	if (flags & IR_P)
		return i->nargs == 1 ? fold_unary(i) : fold_mapval(i) || fold_binary(f, i);
	if (ir_is_store(i->op) && fold_stored(i))
		return true;
	return fold_address(i);
}

bool opt_fold(struct ir_func *f)
{
	struct ir_dom *d = ir_dom_new(f);
	bool changed = false;

	opt_begin(f);
	for (unsigned int b = 0; b < d->n; b++)
		for (struct ir_ins *i = d->rpo[b]->first; i; i = i->next) {
			if (i->op != IR_PHI)
				for (unsigned int n = 0; n < i->nargs; n++)
					i->args[n] = opt_final(i->args[n]);
			for (unsigned int n = 0; n < 8 && !i->data && fold_ins(f, i); n++)
				changed = true;
		}
	opt_apply(f);
	assert(f->blocks[0]->last);
	return changed;
}
