/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opt.h: the optimizer.  A pass is a function over one IR function that keeps it valid and says
 * whether it changed anything; pipeline.c has the list.
 */
#ifndef OPT_OPT_H
#define OPT_OPT_H

#include <stdbool.h>

#include "ir/ir.h"

struct opt_pass {
	const char *name; /* its file */
	bool (*run)(struct ir_func *f);
};

/*
 * Optimize a module: level 0 only removes what cannot be reached, 2 does everything.  Test programs
 * have a pipeline.c that is built with IR_CHECK: it verifies the module after each pass.
 */
void opt_run(struct ir_module *m, int level);

/* The pass of that name; NULL: unknown. */
const struct opt_pass *opt_find(const char *name);

bool opt_fold(struct ir_func *f);
bool opt_copy(struct ir_func *f);
bool opt_gvn(struct ir_func *f);
bool opt_read(struct ir_func *f);
bool opt_load(struct ir_func *f);
bool opt_cond(struct ir_func *f);
bool opt_thread(struct ir_func *f);
bool opt_cfg(struct ir_func *f);
bool opt_sink(struct ir_func *f);
bool opt_dce(struct ir_func *f);

/* ---- what passes share (util.c) ---- */

/*
 * Replacing values: opt_begin, then opt_replace any number of times (chains are followed), then
 * opt_apply rewrites all operands at once; true if any was replaced.  opt_final is what a value has
 * become so far.
 */
void opt_begin(struct ir_func *f);
void opt_replace(struct ir_ins *from, struct ir_ins *to);
struct ir_ins *opt_final(struct ir_ins *i);
bool opt_apply(struct ir_func *f);

/* A new instruction in front of `at`, with its source position. */
struct ir_ins *opt_insert(struct ir_func *f, struct ir_ins *at, enum ir_op op, struct ir_ins *x,
			  struct ir_ins *y);
struct ir_ins *opt_insert_const(struct ir_func *f, struct ir_ins *at, int64_t v);

/* Appends an operand to a PHI. */
void opt_phi_add(struct ir_func *f, struct ir_ins *phi, struct ir_ins *v);

/* The first instruction that is no PHI. */
struct ir_ins *opt_after_phis(struct ir_block *bb);

/*
 * Upper bound for the number of low bits that a value uses.  The second form only says what old
 * verifiers find out too: checks and masks may guard memory, and must not go unless they do.
 */
unsigned int opt_bits(const struct ir_ins *i);
unsigned int opt_bits_verified(const struct ir_ins *i);

/* A pure value without operands: constants, addresses. */
bool opt_is_leaf(const struct ir_ins *i);

/* Same result every time it is executed, and no effect. */
bool opt_is_pure(const struct ir_ins *i);

#endif
