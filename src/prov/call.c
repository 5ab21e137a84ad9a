/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c: registers, arguments, cookies.
 */
#include <linux/bpf.h>

#include "arch/arch.h"
#include "prov/call.h"

struct ir_ins *call_reg(struct lw *lw, unsigned int off)
{
	return lw_load_pure(lw, 8, lw->firing.ctx, off, IR_MEM_CTX);
}

struct ir_ins *call_arg(struct lw *lw, unsigned int n, enum place stack)
{
	struct type *t = type_int(lw->plan->env.types, 8, true);
	struct val at = {.v = NULL, .type = t, .place = stack};

	if (n < arch_native->nargs)
		return call_reg(lw, arch_native->args[n]);
	at.v = call_reg(lw, arch_native->sp);
	return lw_load(lw, at, t, (arch_native->stack_args + n - arch_native->nargs) * 64, 0).v;
}

struct ir_ins *call_cookie(struct lw *lw)
{
	struct memo_key k = MEMO_OF(call_cookie);
	struct ir_ins *v = memo_get(lw, &k);

	if (!v) {
		v = lw_helper(lw, BPF_FUNC_get_attach_cookie, lw->firing.ctx, NULL);
		memo_put(lw, &k, v);
	}
	return v;
}
