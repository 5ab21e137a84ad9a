/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_mem.c: memory of the traced process, and the odd number.
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

/* copyinstr(addr, [max]): a string of user memory, cut without a fault. */
static struct strv str_copyinstr(struct lw *lw, struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->lo->strsize);
	struct ir_ins *addr = lw_scalar(lw, e->args[0]), *r, *size;

	size = ir_const(&lw->b, lw->lo->strsize);
	if (e->nargs > 1) {
		struct ir_block *small = lw_block(lw), *done = lw_block(lw);
		unsigned int var = ir_var_new(lw->b.func);
		struct ir_ins *max = lw_scalar(lw, e->args[1]);

		ir_var_write(&lw->b, var, size);
		lw_if(lw, ir_bin(&lw->b, IR_ULT, max, ir_const(&lw->b, lw->lo->strsize - 1)), small,
		      done);
		lw_seal_at(lw, small);
		ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, max, ir_const(&lw->b, 1)));
		ir_jmp(&lw->b, done);
		lw_seal_at(lw, done);
		size = ir_var_read(&lw->b, var);
	}
	r = lw_helper(lw, BPF_FUNC_probe_read_user_str, t.p, size, addr, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, addr);
	return (struct strv){.p = t.p, .size = lw->lo->strsize, .mem = t.mem};
}

#define COPYIN_MAX 4096 /* bytes of one copyin() whose size is not a constant */

/* copyin(addr, size): user memory in scratch memory. */
static struct val call_copyin(struct lw *lw, struct expr *e)
{
	bool fixed = e->args[1]->kind == EXPR_INT && e->args[1]->val <= COPYIN_MAX;
	uint32_t max = fixed ? (uint32_t)e->args[1]->val : COPYIN_MAX;
	struct tmp t = lw_scratch(lw, max ? max : 8);
	struct ir_ins *addr = lw_scalar(lw, e->args[0]), *n = lw_scalar(lw, e->args[1]), *r;

	if (!fixed)
		lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, COPYIN_MAX), n),
			    ABI_FLT_NOSCRATCH, NULL);
	r = lw_helper(lw, BPF_FUNC_probe_read_user, t.p, n, addr, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, addr);
	return (struct val){.v = t.p, .type = e->type, .place = PLACE_SCALAR};
}

static struct val call_rand(struct lw *lw, struct expr *e)
{
	struct ir_ins *v = lw_helper(lw, BPF_FUNC_get_prandom_u32, NULL);

	return builtin_int(
	    ir_bin(&lw->b, IR_LSHR, ir_un(&lw->b, IR_ZEXT32, v), ir_const(&lw->b, 1)), e);
}

/* Kernel device numbers: 12 bits of major, 20 of minor (include/linux/kdev_t.h). */
static struct val call_getmajor(struct lw *lw, struct expr *e)
{
	return builtin_int(
	    lw_bini(lw, IR_LSHR, lw_un(lw, IR_ZEXT32, lw_scalar(lw, e->args[0])), 20), e);
}

static struct val call_getminor(struct lw *lw, struct expr *e)
{
	return builtin_int(lw_bini(lw, IR_AND, lw_scalar(lw, e->args[0]), 0xfffff), e);
}

#define INT_FUNC(id, text, fn)                                  \
	{                                                       \
		.name = #id, .kind = IDENT_FUNC, .proto = text, \
		.impl = &(const struct builtin_func)            \
		{                                               \
			.call = fn                              \
		}                                               \
	}

const struct lang_row builtin_subr_mem[] = {
    INT_FUNC(copyin, "void *copyin(uintptr_t, size_t)", call_copyin),
    {.name = "copyinstr",
     .kind = IDENT_FUNC,
     .proto = "string copyinstr(uintptr_t, [size_t])",
     .impl = &(const struct builtin_func){.str = str_copyinstr}},
    INT_FUNC(getmajor, "uint32_t getmajor(dev_t)", call_getmajor),
    INT_FUNC(getminor, "uint32_t getminor(dev_t)", call_getminor),
    INT_FUNC(rand, "int rand()", call_rand),
    {0},
};
