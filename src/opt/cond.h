/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cond.h: conditions known at a block, for cond.c and thread.c.
 */
#ifndef OPT_COND_H
#define OPT_COND_H

#include "ir/dom.h"
#include "opt/opt.h"

/* a op b, or a op imm if b is NULL; op is EQ, ULT or SLT. */
struct cond_key {
	enum ir_op op;
	const struct ir_ins *a, *b;
	int64_t imm;
	bool is_reversed; /* the condition is true when the test is false */
};

struct facts;

struct cond_key cond_normal(const struct ir_ins *c);

/* Collects facts from branches and switches.  They are valid while blocks and edges stay the same.
 * Mark a block that gets a new edge (block->mark, which starts as 0). */
struct facts *cond_facts(struct ir_func *f, const struct ir_dom *dom);

/* Returns 1 if condition c is true whenever block `at` runs, 0 if it is false, -1 if unknown. */
int cond_known(const struct facts *t, const struct ir_ins *c, const struct ir_block *at);

#endif
