/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * select.h: shared by the two halves of instruction selection: select.c walks the function and does
 * memory, calls and joins; select_alu.c does arithmetic and branches.
 */
#ifndef BPF_SELECT_H
#define BPF_SELECT_H

#include "bpf/mir.h"

enum { SEL_CACHED = 6 };

/* A constant, or the address imm2 in the value of map imm, in a register of this block. */
struct sel_cached {
	enum ir_op op;
	int64_t imm, imm2;
	int reg;
};

struct sel_addr {
	int obj, reg; /* one of them is -1 */
	int32_t off;
};

struct sel {
	struct mfunc *f;
	const struct bpf_target *target;
	struct mblock *bb;
	const struct loc *loc;
	int *reg;	      /* by value id */
	bool *fused;	      /* by value id: part of the instruction that uses it */
	unsigned int *ncases; /* by value id: branches that compare it with a constant */
	struct sel_cached cached[SEL_CACHED];
	unsigned int ncached;
};

struct mins *sel_put(struct sel *s, enum m_kind kind);
struct mins *sel_mov(struct sel *s, int dst, int src);
void sel_into(struct sel *s, int dst,
	      const struct ir_ins *v);		    /* puts the value into that register */
int sel_reg(struct sel *s, const struct ir_ins *v); /* a register with the value */

/* ---- select_alu.c ---- */
void sel_find_fused(struct sel *s, struct ir_func *ir);
void sel_alu(struct sel *s, const struct ir_ins *v);

/* Makes the conditional jump.  is_signed shows, for the caller only, that its targets must be
 * swapped. */
struct mins *sel_branch(struct sel *s, const struct ir_ins *cond);

#endif
