/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ireval.h: evaluates functions of irgen.h: an evaluator for IR, with host memory instead of slots,
 * maps and the context, and fixed answers from helpers.
 */
#ifndef TEST_UNIT_IREVAL_H
#define TEST_UNIT_IREVAL_H

#include "irval.h"

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
	case BPF_FUNC_probe_read_kernel:
		memcpy((void *)(uintptr_t)v[0], (void *)(uintptr_t)v[2], v[1]);
		return 0;
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

static inline uint64_t gen_run_ir(const struct ir_module *m, struct gen_memory *mem)
{
	uint64_t ctx = (uint64_t)(uintptr_t)mem->ctx;

	return gen_eval(m, 0, &ctx, mem);
}

static inline void gen_fill(struct gen_memory *mem, uint64_t seed)
{
	struct gen g = {.rng = seed + 12345};

	memset(mem, 0, sizeof(*mem));
	for (unsigned int n = 0; n < GEN_CTX; n++)
		mem->ctx[n] = (uint64_t)gen_number(&g);
}

#endif
