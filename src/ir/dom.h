/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dom.h: orders of the blocks of a function, and its dominator tree.  They are a snapshot, valid as
 * long as the edges between blocks stay the same.  No block may be unreachable.
 */
#ifndef IR_DOM_H
#define IR_DOM_H

#include <stdbool.h>

struct ir_block;
struct ir_func;

struct ir_dom {
	unsigned int n;
	struct ir_block **rpo;	  /* blocks in reverse postorder */
	unsigned int *pos;	  /* by block id: place in rpo */
	unsigned int *idom;	  /* by block id: id of the immediate dominator; entry: itself */
	unsigned int *pre, *post; /* by block id: interval in the tree */
	unsigned int *order;	  /* block ids in preorder of the tree */
};

/* The result is in the arena of the function's module. */
struct ir_dom *ir_dom_new(struct ir_func *f);

/* Returns true if a dominates b.  A block dominates itself. */
bool ir_dominates(const struct ir_dom *d, const struct ir_block *a, const struct ir_block *b);

#endif
