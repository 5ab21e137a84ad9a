/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opt.h: the optimizer.  A pass is a function over one IR function.  It keeps the function valid
 * and returns true if it changed anything; pipeline.c has the list.
 */
#ifndef OPT_OPT_H
#define OPT_OPT_H

#include <stdbool.h>

#include "ir/ir.h"

struct opt_pass {
	const char *name; /* file of the pass */
	bool (*run)(struct ir_func *f);
};

/* Optimizes a module.  Level 0 only removes unreachable code, 2 does everything.  Test programs
 * have a pipeline.c that is built with IR_CHECK: it verifies the module after each pass. */
void opt_run(struct ir_module *m, int level);

/* Returns the pass of that name; NULL: unknown. */
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

/* ---- shared by passes (util.c) ---- */

/*
 * Replacing values: call opt_begin, then opt_replace any number of times (chains are followed).
 * Then opt_apply rewrites all operands at once, and returns true if any was replaced.  opt_final
 * returns the value that stands for a value so far.
 */
void opt_begin(struct ir_func *f);
void opt_replace(struct ir_ins *from, struct ir_ins *to);
struct ir_ins *opt_final(struct ir_ins *i);
bool opt_apply(struct ir_func *f);

/* Inserts a new instruction before `at`, with its source position. */
struct ir_ins *opt_insert(struct ir_func *f, struct ir_ins *at, enum ir_op op, struct ir_ins *x,
			  struct ir_ins *y);
struct ir_ins *opt_insert_const(struct ir_func *f, struct ir_ins *at, int64_t v);

/* Appends an operand to a PHI. */
void opt_phi_add(struct ir_func *f, struct ir_ins *phi, struct ir_ins *v);

/* Returns the first instruction that is not a PHI. */
struct ir_ins *opt_after_phis(struct ir_block *bb);

/*
 * Return an upper bound for the number of low bits that a value uses.  The second function returns
 * only bounds that old verifiers find, too: checks and masks that guard memory must stay for the
 * others.
 */
unsigned int opt_bits(const struct ir_ins *i);
unsigned int opt_bits_verified(const struct ir_ins *i);

/* Returns true for a pure value without operands: a constant or an address. */
bool opt_is_leaf(const struct ir_ins *i);

/* Returns true if the result is the same at every execution, and there is no effect. */
bool opt_is_pure(const struct ir_ins *i);

#endif
