/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fold_cmp.c: simplifies comparisons.  Part of the pass in fold.c, with its contract.
 *
 * The width of the operand may decide a comparison.  A comparison may become one with a constant
 * that fits an instruction.  It may also apply to the operand of its operand: of a byte swap, a
 * sign extension, another comparison.
 */
#include <assert.h>

#include "opt/fold.h"

static bool to_const(struct ir_ins *i, int64_t v)
{
	ir_become_const(i, v);
	return true;
}

static bool to_cmp(struct ir_ins *i, enum ir_op op, struct ir_ins *x, struct ir_ins *y)
{
	i->op = op;
	i->args[0] = x;
	i->args[1] = y;
	return true;
}

/* Makes i the opposite of comparison c. */
static bool to_opposite(struct ir_ins *i, const struct ir_ins *c)
{
	switch ((int)c->op) {
	case IR_EQ:
		return to_cmp(i, IR_NE, c->args[0], c->args[1]);
	case IR_NE:
		return to_cmp(i, IR_EQ, c->args[0], c->args[1]);
	case IR_ULT:
		return to_cmp(i, IR_ULE, c->args[1], c->args[0]);
	case IR_ULE:
		return to_cmp(i, IR_ULT, c->args[1], c->args[0]);
	case IR_SLT:
		return to_cmp(i, IR_SLE, c->args[1], c->args[0]);
	}
	assert(c->op == IR_SLE);
	return to_cmp(i, IR_SLT, c->args[1], c->args[0]);
}

/* EQ or NE of a value that is 0 or 1. */
static bool fold_bool(struct ir_func *f, struct ir_ins *i, int64_t c)
{
	struct ir_ins *x = i->args[0];
	bool is_same = (i->op == IR_EQ) == (c == 1);

	assert(c == 0 || c == 1);
	if (is_same) {
		opt_replace(i, x);
		return true;
	}
	if (ir_is_cmp(x->op))
		return to_opposite(i, x);
	return c == 1 ? to_cmp(i, IR_EQ, x, opt_insert_const(f, i, 0)) : false;
}

/* EQ or NE through an operation that can be undone on the constant. */
static bool fold_through(struct ir_func *f, struct ir_ins *i, int64_t c)
{
	struct ir_ins *x = i->args[0], *in = x->nargs ? x->args[0] : NULL;
	unsigned int n;

	switch ((int)x->op) {
	case IR_BSWAP16:
	case IR_BSWAP32:
		n = 16U << (x->op - IR_BSWAP16);
		if (opt_bits(in) > n)
			return false;
		return to_cmp(i, i->op, in, opt_insert_const(f, i, ir_eval(x->op, c, 0)));
	case IR_BSWAP64:
		return to_cmp(i, i->op, in, opt_insert_const(f, i, ir_eval(x->op, c, 0)));
	case IR_SEXT32:
		if (c != (int32_t)c)
			return to_const(i, i->op == IR_NE);
		in = opt_insert(f, i, IR_ZEXT32, in, NULL);
		return to_cmp(i, i->op, in, opt_insert_const(f, i, (uint32_t)c));
	}
	return false;
}

static bool fold_equal(struct ir_func *f, struct ir_ins *i, int64_t c)
{
	unsigned int n = opt_bits(i->args[0]);

	if (n < 64 && (uint64_t)c >> n)
		return to_const(i, i->op == IR_NE);
	if (opt_bits_verified(i->args[0]) <= 1 && fold_bool(f, i, c))
		return true;
	return fold_through(f, i, c);
}

/* x < c or x <= c, unsigned. */
static bool fold_below(struct ir_func *f, struct ir_ins *i, uint64_t c)
{
	unsigned int n = opt_bits_verified(i->args[0]);
	uint64_t most = n >= 64 ? UINT64_MAX : (1ULL << n) - 1;

	if (i->op == IR_ULT && c == 0)
		return to_const(i, 0);
	if (i->op == IR_ULT ? most < c : most <= c)
		return to_const(i, 1);
	if ((i->op == IR_ULT && c == 1) || (i->op == IR_ULE && c == 0))
		return to_cmp(i, IR_EQ, i->args[0], opt_insert_const(f, i, 0));
	return false;
}

/* c < x or c <= x, unsigned. */
static bool fold_above(struct ir_func *f, struct ir_ins *i, uint64_t c)
{
	unsigned int n = opt_bits_verified(i->args[1]);
	uint64_t most = n >= 64 ? UINT64_MAX : (1ULL << n) - 1;

	if (i->op == IR_ULE && c == 0)
		return to_const(i, 1);
	if (i->op == IR_ULT ? c >= most : c > most)
		return to_const(i, 0);
	if ((i->op == IR_ULT && c == 0) || (i->op == IR_ULE && c == 1))
		return to_cmp(i, IR_NE, i->args[1], opt_insert_const(f, i, 0));
	return false;
}

/* Signed comparison of a value that is never negative. */
static bool fold_signed(struct ir_ins *i)
{
	const struct ir_ins *x = i->args[0], *y = i->args[1];

	if (opt_bits(x) < 64 && opt_bits(y) < 64) {
		i->op = i->op == IR_SLT ? IR_ULT : IR_ULE;
		return true;
	}
	if (opt_bits_verified(x) < 64 && y->op == IR_CONST)
		return to_const(i, 0);
	if (x->op == IR_CONST && opt_bits_verified(y) < 64)
		return to_const(i, 1);
	return false;
}

bool fold_compare(struct ir_func *f, struct ir_ins *i)
{
	const struct ir_ins *x = i->args[0], *y = i->args[1];

	assert(x->op != IR_CONST || y->op != IR_CONST);
	if (i->op == IR_EQ || i->op == IR_NE)
		return y->op == IR_CONST && fold_equal(f, i, y->imm);
	if (i->op == IR_SLT || i->op == IR_SLE)
		return fold_signed(i);
	if (y->op == IR_CONST)
		return fold_below(f, i, (uint64_t)y->imm);
	if (x->op == IR_CONST)
		return fold_above(f, i, (uint64_t)x->imm);
	return false;
}
