/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * select.h: what the two halves of instruction selection share: select.c walks the function and
 * does memory, calls and joins, select_alu.c arithmetic and branches.
 */
#ifndef BPF_SELECT_H
#define BPF_SELECT_H

#include "bpf/mir.h"

enum { SEL_CACHED = 6 };

/* A constant, or the address imm2 in the value of map imm, that a register of this block holds. */
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
	unsigned int *ncases; /* by value id: branches that ask whether it is some constant */
	struct sel_cached cached[SEL_CACHED];
	unsigned int ncached;
};

struct mins *sel_put(struct sel *s, enum m_kind kind);
struct mins *sel_mov(struct sel *s, int dst, int src);
void sel_into(struct sel *s, int dst, const struct ir_ins *v); /* value to that register */
int sel_reg(struct sel *s, const struct ir_ins *v);	       /* a register that holds it */

/* ---- select_alu.c ---- */
void sel_find_fused(struct sel *s, struct ir_func *ir);
void sel_alu(struct sel *s, const struct ir_ins *v);

/* The conditional jump; is_signed says (for the caller only) that its targets are to be swapped. */
struct mins *sel_branch(struct sel *s, const struct ir_ins *cond);

#endif
