/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * irval.h: random numbers, values and conditions for the functions of irgen.h.
 *
 * Numbers favour values that instructions treat specially: small ones, powers of two, limits of 8
 * to 64 bits.  Conditions are often ones that were tested before, or their opposites.
 */
#ifndef TEST_UNIT_IRVAL_H
#define TEST_UNIT_IRVAL_H

#include <assert.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ir/ir.h"

enum { GEN_ARRAY, GEN_VALUE, GEN_MAPS };
enum { GEN_ENTRIES = 4, GEN_ENTRY_SIZE = 32, GEN_VALUE_SIZE = 64, GEN_CTX = 8 };
enum { GEN_KTIME = 123456789, GEN_PIDTGID = 77, GEN_CPU = 1 };

struct gen {
	uint64_t rng;
	struct ir_builder b;
	struct ir_ins *vals[512], *ctx;
	unsigned int nvals, vars[3], budget, max_depth;
	unsigned int slot, key; /* 16 bytes, 4 bytes */
	struct ir_ins *conds[8];
	unsigned int cond_at[8], nconds; /* a condition is in scope while vals[cond_at] is it */
	bool is_main;
};

static uint64_t gen_rand(struct gen *g)
{
	g->rng ^= g->rng << 13;
	g->rng ^= g->rng >> 7;
	g->rng ^= g->rng << 17;
	return g->rng;
}

static unsigned int gen_pick(struct gen *g, unsigned int n)
{
	return (unsigned int)(gen_rand(g) >> 11) % n;
}

static int64_t gen_number(struct gen *g)
{
	static const int64_t some[] = {0,
				       1,
				       2,
				       3,
				       7,
				       8,
				       16,
				       31,
				       32,
				       48,
				       56,
				       63,
				       64,
				       255,
				       256,
				       65535,
				       0x7fffffff,
				       0x80000000LL,
				       0xffffffffLL,
				       0x100000000LL,
				       INT64_MAX,
				       INT64_MIN,
				       -1,
				       -2,
				       -128,
				       -32768};

	if (gen_pick(g, 4) == 0)
		return (int64_t)gen_rand(g);
	if (gen_pick(g, 3) == 0)
		return (int64_t)gen_pick(g, 1000) - 500;
	return some[gen_pick(g, sizeof(some) / sizeof(*some))];
}

static struct ir_ins *gen_val(struct gen *g)
{
	if (!g->nvals || gen_pick(g, 5) == 0)
		return ir_const(&g->b, gen_number(g));
	return g->vals[gen_pick(g, g->nvals)];
}

static void gen_add(struct gen *g, struct ir_ins *v)
{
	if (g->nvals < 512)
		g->vals[g->nvals++] = v;
}

static void gen_op(struct gen *g)
{
	static const enum ir_op un[] = {IR_NEG,	    IR_NOT,	IR_SEXT8,  IR_SEXT16,
					IR_SEXT32,  IR_ZEXT8,	IR_ZEXT16, IR_ZEXT32,
					IR_BSWAP16, IR_BSWAP32, IR_BSWAP64};
	struct ir_ins *x = gen_val(g), *y = gen_val(g);
	enum ir_op op;

	if (gen_pick(g, 4) == 0) {
		gen_add(g, ir_un(&g->b, un[gen_pick(g, 11)], x));
		return;
	}
	op = (enum ir_op)(IR_ADD + gen_pick(g, IR_ASHR - IR_ADD + 1));
	if (gen_pick(g, 4) == 0)
		op = (enum ir_op)(IR_EQ + gen_pick(g, IR_SLE - IR_EQ + 1));
	gen_add(g, ir_bin(&g->b, op, x, y));
}

static struct ir_ins *gen_new_cond(struct gen *g)
{
	struct ir_ins *c = g->nvals ? g->vals[gen_pick(g, g->nvals)] : ir_const(&g->b, 1);
	unsigned int k = gen_pick(g, 8);

	/* Often a condition that was tested before, or its opposite. */
	if (gen_pick(g, 3) && k < g->nconds && g->cond_at[k] < g->nvals &&
	    g->vals[g->cond_at[k]] == g->conds[k]) {
		c = g->conds[k];
		return gen_pick(g, 2) ? c : ir_bin(&g->b, IR_EQ, c, ir_const(&g->b, 0));
	}
	if (gen_pick(g, 4) == 0)
		return c;
	if (gen_pick(g, 4) == 0)
		c = ir_bin(&g->b, IR_AND, c, ir_const(&g->b, 1LL << gen_pick(g, 40)));
	return ir_bin(&g->b, (enum ir_op)(IR_EQ + gen_pick(g, IR_SLE - IR_EQ + 1)), c, gen_val(g));
}

static struct ir_ins *gen_cond(struct gen *g)
{
	struct ir_ins *c = gen_new_cond(g);
	unsigned int k = g->nconds < 8 ? g->nconds++ : gen_pick(g, 8);

	gen_add(g, c);
	g->conds[k] = c;
	g->cond_at[k] = g->nvals - 1;
	return c;
}

#endif
