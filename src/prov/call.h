/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.h: what probes share whose context is the registers (struct pt_regs) where a function begins
 * or returns.
 */
#ifndef PROV_CALL_H
#define PROV_CALL_H

#include "lower/leaf.h"

/* The register at this offset of the context. */
struct ir_ins *call_reg(struct lw *lw, unsigned int off);

/* Word n of the arguments; `stack` says whose memory those behind the registers are in. */
struct ir_ins *call_arg(struct lw *lw, unsigned int n, enum place stack);

/* The number that was given to the place that fires when the program was attached there. */
struct ir_ins *call_cookie(struct lw *lw);

#endif
