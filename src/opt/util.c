/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * util.c: shared by passes: replacing values, inserting instructions, and facts about values.
 *
 * While a pass replaces values, ins->data of a replaced one points to its replacement.  Replaced
 * instructions stay in place, without uses, until dead code is removed.
 */
#include <assert.h>

#include "base/arena.h"
#include "opt/opt.h"

#define MAX_DEPTH 6

void opt_begin(struct ir_func *f)
{
	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			i->data = NULL;
}

struct ir_ins *opt_final(struct ir_ins *i)
{
	while (i->data)
		i = i->data;
	return i;
}

void opt_replace(struct ir_ins *from, struct ir_ins *to)
{
	to = opt_final(to);
	assert(!from->data);
	if (from != to)
		from->data = to;
}

bool opt_apply(struct ir_func *f)
{
	bool changed = false;

	for (unsigned int b = 0; b < f->nblocks; b++)
		for (struct ir_ins *i = f->blocks[b]->first; i; i = i->next)
			for (unsigned int n = 0; n < i->nargs; n++) {
				struct ir_ins *to = opt_final(i->args[n]);

				changed = changed || to != i->args[n];
				i->args[n] = to;
			}
	return changed;
}

struct ir_ins *opt_insert(struct ir_func *f, struct ir_ins *at, enum ir_op op, struct ir_ins *x,
			  struct ir_ins *y)
{
	struct ir_ins *i = ir_ins_new(f, op, y ? 2 : 1);

	assert(ir_op_nargs(op) == (y ? 2 : 1));
	i->args[0] = x;
	if (y)
		i->args[1] = y;
	i->loc = at->loc;
	ir_insert_before(at, i);
	return i;
}

struct ir_ins *opt_insert_const(struct ir_func *f, struct ir_ins *at, int64_t v)
{
	struct ir_ins *i = ir_ins_new(f, IR_CONST, 0);

	i->imm = v;
	i->loc = at->loc;
	ir_insert_before(at, i);
	return i;
}

void opt_phi_add(struct ir_func *f, struct ir_ins *phi, struct ir_ins *v)
{
	struct ir_ins **args = arena_new_arr(f->mod->arena, struct ir_ins *, phi->nargs + 1);

	assert(phi->op == IR_PHI);
	for (unsigned int n = 0; n < phi->nargs; n++)
		args[n] = phi->args[n];
	args[phi->nargs++] = v;
	phi->args = args;
}

struct ir_ins *opt_after_phis(struct ir_block *bb)
{
	struct ir_ins *i = bb->first;

	while (i->op == IR_PHI)
		i = i->next;
	return i;
}

bool opt_is_leaf(const struct ir_ins *i)
{
	return (ir_op_flags(i->op) & IR_P) && ir_op_nargs(i->op) == 0;
}

bool opt_is_pure(const struct ir_ins *i)
{
	if (i->op == IR_PHI)
		return false;
	if (ir_op_flags(i->op) & IR_P)
		return true;
	if (ir_is_load(i->op))
		return i->imm2 == IR_MEM_CTX || i->imm2 == IR_MEM_KERNEL;
	return i->op == IR_CALL && ir_helper_is_pure(i->imm);
}

static unsigned int width(int64_t v)
{
	return v ? 64 - (unsigned int)__builtin_clzll((uint64_t)v) : 0;
}

static unsigned int max(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int bits(const struct ir_ins *i, unsigned int depth, bool strict);

static unsigned int bits_binary(const struct ir_ins *i, unsigned int depth, bool strict)
{
	unsigned int x = bits(i->args[0], depth, strict), y = bits(i->args[1], depth, strict);
	const struct ir_ins *c = i->args[1]->op == IR_CONST ? i->args[1] : NULL;

	if (strict && !c && (i->op == IR_LSHR || i->op == IR_ASHR))
		return 64;
	if (strict && (i->op == IR_UDIV || i->op == IR_UMOD || (i->op == IR_MUL && max(x, y) > 32)))
		return 64;
	switch ((int)i->op) {
	case IR_ADD:
		return min(64, max(x, y) + 1);
	case IR_MUL:
		return min(64, x + y);
	case IR_AND:
		return min(x, y);
	case IR_OR:
	case IR_XOR:
		return max(x, y);
	case IR_UDIV:
	case IR_ASHR:
		return x;
	case IR_UMOD:
		return c && c->imm ? min(x, width((int64_t)((uint64_t)c->imm - 1))) : x;
	case IR_SHL:
		return c ? min(64, x + (unsigned int)(c->imm & 63)) : 64;
	case IR_LSHR:
		return c ? x - min(x, (unsigned int)(c->imm & 63)) : x;
	}
	return 64;
}

/* The search goes only a few operands deep. */
static unsigned int bits(const struct ir_ins *i, unsigned int depth, bool strict)
{
	unsigned int most = 0;

	if (i->op == IR_CONST)
		return width(i->imm);
	if (ir_is_cmp(i->op))
		return 1;
	if (ir_is_load(i->op))
		return 8 * ir_mem_size(i->op);
	if (i->op == IR_ZEXT8 || i->op == IR_ZEXT16 || i->op == IR_ZEXT32)
		return min(8U << (i->op - IR_ZEXT8),
			   depth ? bits(i->args[0], depth - 1, strict) : 64);
	if (!strict && (i->op == IR_BSWAP16 || i->op == IR_BSWAP32))
		return 16U << (i->op - IR_BSWAP16);
	if (!depth)
		return 64;
	if (i->op == IR_PHI) {
		for (unsigned int n = 0; n < i->nargs && most < 64; n++)
			most = max(most,
				   bits(i->args[n], i->nargs > 2 ? depth / 2 : depth - 1, strict));
		return most;
	}
	if ((ir_op_flags(i->op) & IR_P) && i->nargs == 2)
		return bits_binary(i, depth - 1, strict);
	return 64;
}

unsigned int opt_bits(const struct ir_ins *i)
{
	return bits(i, MAX_DEPTH, false);
}

unsigned int opt_bits_verified(const struct ir_ins *i)
{
	return bits(i, MAX_DEPTH, true);
}
