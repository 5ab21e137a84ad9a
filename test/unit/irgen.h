/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * irgen.h: random functions and an evaluator for them, for the tests of the optimizer and the back
 * end.
 *
 * A function gets a context of 8 words, computes over many values that stay alive, branches, joins,
 * switches, uses slots, map values, helpers and a second function, and returns a hash of what it
 * has. No pointer ever becomes a number, and every program passes the kernel's verifier.
 */
#ifndef TEST_UNIT_IRGEN_H
#define TEST_UNIT_IRGEN_H

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
	else
		g->vals[gen_pick(g, 512)] = v;
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

static void gen_body(struct gen *g, unsigned int depth);

static void gen_at(struct gen *g, struct ir_block *bb)
{
	ir_seal(g->b.func, bb);
	ir_at(&g->b, bb);
}

static void gen_if(struct gen *g, unsigned int depth)
{
	struct ir_block *yes = ir_block_new(g->b.func), *no = ir_block_new(g->b.func);
	struct ir_block *join = gen_pick(g, 2) ? ir_block_new(g->b.func) : no;
	unsigned int mark = g->nvals;

	ir_br(&g->b, gen_cond(g), yes, no);
	gen_at(g, yes);
	gen_body(g, depth + 1);
	g->nvals = mark;
	ir_jmp(&g->b, join);
	gen_at(g, no);
	if (join == no)
		return;
	gen_body(g, depth + 1);
	g->nvals = mark;
	ir_jmp(&g->b, join);
	gen_at(g, join);
}

static void gen_switch(struct gen *g, unsigned int depth)
{
	struct ir_block *to[6], *done = ir_block_new(g->b.func), *seen[6];
	unsigned int n = 1 + gen_pick(g, 6), mark = g->nvals, k = 0;
	int64_t cases[6], base = gen_number(g);
	struct ir_ins *x = gen_val(g);

	if (gen_pick(g, 2))
		x = ir_bin(&g->b, IR_AND, x, ir_const(&g->b, 7)), base = 0;
	for (unsigned int i = 0; i < n; i++) {
		cases[i] = (int64_t)((uint64_t)base + i * (1 + (uint64_t)(base & 1)));
		to[i] = i && gen_pick(g, 3) == 0 ? to[i - 1] : ir_block_new(g->b.func);
		if (!i || to[i] != to[i - 1])
			seen[k++] = to[i];
	}
	ir_switch(&g->b, x, done, n, cases, to);
	for (unsigned int i = 0; i < k; i++) {
		gen_at(g, seen[i]);
		gen_body(g, depth + 1);
		g->nvals = mark;
		ir_jmp(&g->b, done);
	}
	gen_at(g, done);
}

static void gen_slot(struct gen *g)
{
	struct ir_ins *p = ir_slot(&g->b, g->slot);
	unsigned int size = 1U << gen_pick(g, 4), off = gen_pick(g, 16 / size) * size;

	if (gen_pick(g, 2))
		ir_store(&g->b, size, p, off, gen_val(g), IR_MEM_SLOT);
	else
		gen_add(g, ir_load(&g->b, size, p, off, IR_MEM_SLOT));
}

/* Something with memory that a map value pointer leads to. */
static void gen_access(struct gen *g, struct ir_ins *p, unsigned int room)
{
	unsigned int size = 1U << gen_pick(g, 4), off = gen_pick(g, room / size) * size;
	unsigned int off8 = gen_pick(g, room / 8) * 8;

	switch (gen_pick(g, 6)) {
	case 0:
		ir_store(&g->b, size, p, off, gen_val(g), IR_MEM_MAP);
		break;
	case 1:
		ir_atomic(&g->b, IR_ATOMIC_ADD, p, off8, gen_val(g), NULL);
		break;
	case 2:
		gen_add(g, ir_atomic(&g->b, IR_ATOMIC_FADD, p, off8, gen_val(g), NULL));
		break;
	case 3:
		gen_add(g, ir_atomic(&g->b, IR_ATOMIC_XCHG, p, off8, gen_val(g), NULL));
		break;
	case 4:
		gen_add(g, ir_atomic(&g->b, IR_ATOMIC_CMPXCHG, p, off8, gen_val(g), gen_val(g)));
		break;
	default:
		gen_add(g, ir_load(&g->b, size, p, off, IR_MEM_MAP));
	}
}

static void gen_map(struct gen *g)
{
	struct ir_block *have = ir_block_new(g->b.func), *done = ir_block_new(g->b.func);
	struct ir_ins *key = ir_slot(&g->b, g->key), *args[2], *p;
	unsigned int mark = g->nvals;

	ir_store(&g->b, 4, key, 0, ir_bin(&g->b, IR_AND, gen_val(g), ir_const(&g->b, 7)),
		 IR_MEM_SLOT);
	args[0] = ir_mapfd(&g->b, GEN_ARRAY);
	args[1] = key;
	p = ir_call(&g->b, IR_CALL, BPF_FUNC_map_lookup_elem, 2, args);
	ir_br(&g->b, ir_bin(&g->b, IR_NE, p, ir_const(&g->b, 0)), have, done);
	gen_at(g, have);
	for (unsigned int n = 1 + gen_pick(g, 3); n; n--)
		gen_access(g, p, GEN_ENTRY_SIZE);
	ir_var_write(&g->b, g->vars[0], g->nvals > mark ? g->vals[g->nvals - 1] : gen_val(g));
	g->nvals = mark;
	ir_jmp(&g->b, done);
	gen_at(g, done);
}

static void gen_call(struct gen *g)
{
	static const int64_t ids[] = {BPF_FUNC_ktime_get_ns, BPF_FUNC_get_current_pid_tgid,
				      BPF_FUNC_get_smp_processor_id};
	struct ir_ins *args[5];
	unsigned int n = gen_pick(g, 6);

	if (!g->is_main || gen_pick(g, 2)) {
		gen_add(g, ir_call(&g->b, IR_CALL, ids[gen_pick(g, 3)], 0, NULL));
		return;
	}
	for (unsigned int k = 0; k < 5; k++)
		args[k] = gen_val(g);
	gen_add(g, ir_call(&g->b, IR_CALLFN, 1, 5, args));
	(void)n;
}

static void gen_stmt(struct gen *g, unsigned int depth)
{
	unsigned int k = gen_pick(g, 40);

	if (k < 3 && depth < g->max_depth)
		gen_if(g, depth);
	else if (k == 3 && depth < g->max_depth)
		gen_switch(g, depth);
	else if (k < 6)
		ir_var_write(&g->b, g->vars[gen_pick(g, 3)], gen_val(g));
	else if (k < 9)
		gen_add(g, ir_var_read(&g->b, g->vars[gen_pick(g, 3)]));
	else if (k < 12)
		gen_slot(g);
	else if (k < 14)
		gen_map(g);
	else if (k < 16)
		gen_call(g);
	else if (k < 18)
		gen_access(g, ir_mapval(&g->b, GEN_VALUE, gen_pick(g, 2) * 16),
			   GEN_VALUE_SIZE - 16);
	else if (k < 20 && g->is_main)
		gen_add(g, ir_load(&g->b, 8, g->ctx, gen_pick(g, GEN_CTX) * 8, IR_MEM_CTX));
	else
		gen_op(g);
}

static void gen_body(struct gen *g, unsigned int depth)
{
	unsigned int n = 1 + gen_pick(g, 8);

	while (n-- && g->budget) {
		g->budget--;
		gen_stmt(g, depth);
	}
}

static void gen_func(struct gen *g, struct ir_module *m, const char *name, unsigned int nargs,
		     unsigned int budget)
{
	struct ir_block *entry;
	struct ir_ins *h;

	g->b.func = ir_func_new(m, name, nargs);
	g->nvals = g->nconds = 0;
	g->budget = budget;
	entry = ir_block_new(g->b.func);
	ir_seal(g->b.func, entry);
	ir_at(&g->b, entry);
	g->slot = ir_slot_new(g->b.func, 16, 8);
	g->key = ir_slot_new(g->b.func, 4, 4);
	for (unsigned int v = 0; v < 3; v++)
		g->vars[v] = ir_var_new(g->b.func);
	g->is_main = g->b.func->index == 0;
	if (g->is_main)
		g->ctx = ir_arg(&g->b, 0);
	for (unsigned int a = 0; a < nargs && !g->is_main; a++)
		gen_add(g, ir_arg(&g->b, a));
	ir_store(&g->b, 8, ir_slot(&g->b, g->slot), 0, ir_const(&g->b, 5), IR_MEM_SLOT);
	ir_store(&g->b, 8, ir_slot(&g->b, g->slot), 8, gen_val(g), IR_MEM_SLOT);
	while (g->budget)
		gen_body(g, 0);
	h = ir_const(&g->b, 1);
	for (unsigned int v = 0; v < g->nvals; v++) {
		h = ir_bin(&g->b, IR_MUL, h, ir_const(&g->b, 31));
		h = ir_bin(&g->b, IR_ADD, h, g->vals[v]);
	}
	h = ir_bin(&g->b, IR_XOR, h, ir_bin(&g->b, IR_LSHR, h, ir_const(&g->b, 32)));
	ir_store(&g->b, 8, ir_mapval(&g->b, GEN_VALUE, g->is_main ? 0 : 8), 0, h, IR_MEM_MAP);
	ir_ret(&g->b, ir_un(&g->b, IR_ZEXT32, h));
}

static struct ir_module *gen_module(struct arena *a, uint64_t seed, unsigned int budget,
				    unsigned int max_depth)
{
	struct gen g = {.rng = seed * 0x9e3779b97f4a7c15ULL + 88172645463325252ULL,
			.max_depth = max_depth};
	struct ir_module *m = ir_module_new(a);

	for (unsigned int i = 0; i < 10; i++)
		gen_rand(&g);
	gen_func(&g, m, "probe", 1, budget);
	gen_func(&g, m, "second", 5, budget / 4);
	for (unsigned int f = 0; f < m->nfuncs; f++)
		ir_remove_unreachable(m->funcs[f]);
	return m;
}

/* ---- evaluation ---- */

struct gen_memory {
	uint64_t ctx[GEN_CTX];
	uint64_t array[GEN_ENTRIES][GEN_ENTRY_SIZE / 8], value[GEN_VALUE_SIZE / 8];
};

static uint64_t gen_eval(const struct ir_module *m, unsigned int fn, const uint64_t *args,
			 struct gen_memory *mem);

static uint64_t gen_eval_call(const struct ir_module *m, const struct ir_ins *i, const uint64_t *v,
			      struct gen_memory *mem)
{
	uint32_t key;

	if (i->op == IR_CALLFN)
		return gen_eval(m, (unsigned int)i->imm, v, mem);
	switch (i->imm) {
	case BPF_FUNC_ktime_get_ns:
		return GEN_KTIME;
	case BPF_FUNC_get_current_pid_tgid:
		return GEN_PIDTGID;
	case BPF_FUNC_get_smp_processor_id:
		return GEN_CPU;
	}
	assert(i->imm == BPF_FUNC_map_lookup_elem);
	memcpy(&key, (void *)(uintptr_t)v[1], 4);
	return key < GEN_ENTRIES ? (uint64_t)(uintptr_t)mem->array[key] : 0;
}

static uint64_t gen_eval_memory(const struct ir_ins *i, const uint64_t *v)
{
	char *p = (char *)(uintptr_t)(v[0] + (uint64_t)i->imm);
	unsigned int size = ir_mem_size(i->op);
	uint64_t old = 0, new;

	if (ir_is_store(i->op)) {
		memcpy(p, &v[1], size);
		return 0;
	}
	memcpy(&old, p, size);
	if (ir_is_load(i->op))
		return old;
	new = i->op == IR_ATOMIC_XCHG	   ? v[1]
	      : i->op == IR_ATOMIC_CMPXCHG ? (old == v[1] ? v[2] : old)
					   : old + v[1];
	memcpy(p, &new, size);
	return old;
}

static uint64_t gen_eval(const struct ir_module *m, unsigned int fn, const uint64_t *args,
			 struct gen_memory *mem)
{
	const struct ir_func *f = m->funcs[fn];
	uint64_t *vals = calloc(f->next_id + 1, 8), (*slots)[4] = calloc(f->nslots + 1, 32), ret;
	const struct ir_block *bb = f->blocks[0], *prev = NULL;

	for (;;) {
		const struct ir_ins *i, *t = bb->last;
		uint64_t v[5], phis[256];
		unsigned int n = 0;

		for (i = bb->first; i->op == IR_PHI; i = i->next)
			phis[n++] = vals[i->args[ir_find_pred(bb, prev)]->id];
		n = 0;
		for (i = bb->first; i->op == IR_PHI; i = i->next)
			vals[i->id] = phis[n++];
		for (; i != t; i = i->next) {
			uint64_t *r = &vals[i->id];

			for (unsigned int k = 0; k < i->nargs; k++)
				v[k] = vals[i->args[k]->id];
			if (i->op == IR_CONST)
				*r = (uint64_t)i->imm;
			else if (i->op == IR_ARG)
				*r = args[i->imm];
			else if (i->op == IR_SLOT)
				*r = (uint64_t)(uintptr_t)slots[i->imm];
			else if (i->op == IR_MAPVAL)
				*r = (uint64_t)(uintptr_t)mem->value + (uint64_t)i->imm2;
			else if (i->op == IR_MAPFD)
				*r = (uint64_t)i->imm;
			else if (ir_is_call(i->op))
				*r = gen_eval_call(m, i, v, mem);
			else if (ir_op_flags(i->op) & (IR_R | IR_W))
				*r = gen_eval_memory(i, v);
			else
				*r = (uint64_t)ir_eval(i->op, (int64_t)v[0],
						       i->nargs > 1 ? (int64_t)v[1] : 0);
		}
		prev = bb;
		v[0] = t->nargs ? vals[t->args[0]->id] : 0;
		if (t->op == IR_RET) {
			ret = v[0];
			break;
		}
		n = t->op == IR_BR ? !v[0] : 0;
		for (unsigned int k = 1; t->op == IR_SWITCH && k < t->ntargets; k++)
			if ((uint64_t)t->cases[k - 1] == v[0])
				n = k;
		bb = t->target[n];
	}
	free(vals);
	free(slots);
	return ret;
}

static uint64_t gen_run_ir(const struct ir_module *m, struct gen_memory *mem)
{
	uint64_t ctx = (uint64_t)(uintptr_t)mem->ctx;

	return gen_eval(m, 0, &ctx, mem);
}

static void gen_fill(struct gen_memory *mem, uint64_t seed)
{
	struct gen g = {.rng = seed + 12345};

	memset(mem, 0, sizeof(*mem));
	for (unsigned int n = 0; n < GEN_CTX; n++)
		mem->ctx[n] = (uint64_t)gen_number(&g);
}

#endif
