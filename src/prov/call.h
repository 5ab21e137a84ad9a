/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.h: access to the context of probes at the start or return of a function: its registers
 * (struct pt_regs).
 */
#ifndef PROV_CALL_H
#define PROV_CALL_H

#include "lower/leaf.h"

/* Returns the register at this offset of the context. */
struct ir_ins *call_reg(struct lw *lw, unsigned int off);

/*
 * Returns word n of the arguments.  STACK says whether arguments on the stack are in kernel or user
 * memory.
 */
struct ir_ins *call_arg(struct lw *lw, unsigned int n, enum place stack);

/* Returns the number that the place got when the program was attached there. */
struct ir_ins *call_cookie(struct lw *lw);

#endif
