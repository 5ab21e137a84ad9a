/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fold.h: the two halves of constant folding: fold.c arithmetic, fold_cmp.c comparisons.
 */
#ifndef OPT_FOLD_H
#define OPT_FOLD_H

#include "opt/opt.h"

/* Simplifies a comparison whose operands are not both constant; returns true if it changed. */
bool fold_compare(struct ir_func *f, struct ir_ins *i);

#endif
