/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * irgen.h: random functions and an evaluator for them, for the tests of the optimizer and the back
 * end.
 *
 * A function gets a context of 8 words, and computes over many values that stay alive.  It
 * branches, joins, switches, uses slots, map values, helpers and a second function, and returns a
 * hash of its values.  No pointer ever becomes a number, and every program passes the kernel's
 * verifier.
 */
#ifndef TEST_UNIT_IRGEN_H
#define TEST_UNIT_IRGEN_H

#include "irval.h"

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

/* Adds an access to memory through a map value pointer. */
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

/* Adds a probe read of the context into a slot of its own, and loads from the slot. */
static void gen_read(struct gen *g)
{
	struct ir_block *bad, *ok;
	unsigned int slot, size = gen_pick(g, 3) ? 16 : 8;
	struct ir_ins *args[3], *r;

	if (!g->is_main || g->b.func->nslots > 12)
		return;
	slot = ir_slot_new(g->b.func, size, 8);
	args[0] = ir_slot(&g->b, slot);
	args[1] = ir_const(&g->b, size);
	args[2] = ir_bin(&g->b, IR_ADD, g->ctx, ir_const(&g->b, gen_pick(g, 3) * 8));
	r = ir_call(&g->b, IR_CALL, BPF_FUNC_probe_read_kernel, 3, args);
	bad = ir_block_new(g->b.func);
	ok = ir_block_new(g->b.func);
	ir_br(&g->b, ir_bin(&g->b, IR_SLT, r, ir_const(&g->b, 0)), bad, ok);
	gen_at(g, bad);
	ir_ret(&g->b, ir_const(&g->b, 1));
	gen_at(g, ok);
	for (unsigned int n = 1 + gen_pick(g, 2); n; n--)
		gen_add(g, ir_load(&g->b, 4, ir_slot(&g->b, slot), gen_pick(g, size / 4) * 4,
				   IR_MEM_SLOT));
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
	else if (k == 14)
		gen_read(g);
	else if (k < 17)
		gen_call(g);
	else if (k < 19)
		gen_access(g, ir_mapval(&g->b, GEN_VALUE, gen_pick(g, 2) * 16),
			   GEN_VALUE_SIZE - 16);
	else if (k < 21 && g->is_main)
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

#endif
