/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_mem.c: subroutines on memory of the traced process, rand, getmajor and getminor.
 */
#include <bpf/bpf.h>
#include <stddef.h>
#include <stdlib.h>

#include "builtin/builtin.h"

/* Checks a constant size against option scratchsize, if it is set. */
static bool fits_scratch(struct check *ck, const struct expr *e, const struct expr *size)
{
	const char *opt = check_option(ck, "scratchsize");
	uint64_t max = opt ? strtoull(opt, NULL, 0) : UINT64_MAX;

	if (size->kind == EXPR_INT && size->val > max)
		return diag(check_diags(ck), e->loc, D_ALLOCA_SIZE,
			    "%s( ) of more than the scratch space: %s bytes", e->name, opt);
	return true;
}

static bool check_alloca(struct check *ck, struct expr *e)
{
	return fits_scratch(ck, e, e->args[0]);
}

static bool check_copyin(struct check *ck, struct expr *e)
{
	return fits_scratch(ck, e, e->args[1]);
}

/*
 * copyinstr(addr, [max]): returns a string of user memory.  Longer strings are cut without a fault.
 */
static struct strv str_copyinstr(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.strsize);
	struct ir_ins *addr = lw_scalar(lw, e->args[0]), *size;

	size = ir_const(&lw->b, lw->plan->opt.strsize);
	if (e->nargs > 1) {
		struct ir_block *small = lw_block(lw), *done = lw_block(lw);
		unsigned int var = ir_var_new(lw->b.func);
		struct ir_ins *max = lw_scalar(lw, e->args[1]);

		ir_var_write(&lw->b, var, size);
		lw_if(lw, ir_bin(&lw->b, IR_ULT, max, ir_const(&lw->b, lw->plan->opt.strsize - 1)),
		      small, done);
		lw_seal_at(lw, small);
		ir_var_write(&lw->b, var, ir_bin(&lw->b, IR_ADD, max, ir_const(&lw->b, 1)));
		ir_jmp(&lw->b, done);
		lw_seal_at(lw, done);
		size = ir_var_read(&lw->b, var);
	}
	lw_copy_string(lw, PLACE_USER, t.p, size, addr);
	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem};
}

static struct val pointer(struct ir_ins *v, const struct expr *e)
{
	return (struct val){.v = v, .type = e->type, .place = PLACE_SCALAR};
}

/* The value of a call of type void, which nothing can use. */
static struct val nothing(const struct expr *e)
{
	return (struct val){.type = e->type};
}

/* alloca(n): a failing read fills the memory with zeros. */
static struct val call_alloca(struct lw *lw, const struct expr *e)
{
	struct ir_ins *n = lw_scalar(lw, e->args[0]), *p, *addr = lw_alloca(lw, n, &p);

	lw_helper(lw, BPF_FUNC_probe_read_kernel, p, n, ir_const(&lw->b, 0), NULL);
	return pointer(addr, e);
}

/* Lowers copyin(addr, n). */
static struct val call_copyin(struct lw *lw, const struct expr *e)
{
	struct ir_ins *from = lw_scalar(lw, e->args[0]), *n = lw_scalar(lw, e->args[1]), *p;
	struct ir_ins *addr = lw_alloca_ended(lw, n, &p);

	lw_copy_bytes(lw, PLACE_USER, p, n, from);
	return pointer(addr, e);
}

/* Returns the destination of n bytes: an array of D with room for them, or memory of alloca(). */
static struct ir_ins *destination(struct lw *lw, const struct expr *e, struct ir_ins *n)
{
	struct val to = lw_expr(lw, e);
	uint64_t size;

	if (to.place != PLACE_SAFE || !type_is_array(e->type))
		return lw_alloca_find(lw, lw_kept(lw, to), n);
	size = type_sizeof(lw->plan->env.types, e->type);
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, (int64_t)size), n), ABI_FLT_BADSIZE,
		    n);
	lw_forget_reads(lw);
	return lw_flat(lw, to);
}

/* Lowers copyinto(addr, n, dst). */
static struct val call_copyinto(struct lw *lw, const struct expr *e)
{
	struct ir_ins *from = lw_scalar(lw, e->args[0]), *n = lw_scalar(lw, e->args[1]);
	struct ir_ins *p = destination(lw, e->args[2], n);

	lw_copy_bytes(lw, PLACE_USER, p, n, from);
	return nothing(e);
}

/* Lowers bcopy(src, dst, n). */
static struct val call_bcopy(struct lw *lw, const struct expr *e)
{
	struct val from = lw_str_chars(lw, e->args[0]);
	struct ir_ins *n = lw_scalar(lw, e->args[2]), *p = destination(lw, e->args[1], n);

	if (from.place == PLACE_SCALAR && !from.btf)
		lw_alloca_source(lw, lw_flat(lw, from), n, ABI_FLT_BADSIZE, n);
	lw_copy_bytes(lw, from.place, p, n, lw_flat(lw, from));
	return nothing(e);
}

/* Writes n bytes to user memory, unless n is 0. */
static void write_user(struct lw *lw, struct ir_ins *to, struct ir_ins *p, struct ir_ins *n)
{
	struct ir_block *some = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *r;

	lw_need_running(lw, ABI_FLT_BADADDR, to);
	/* Signed: from != 0 the verifier of 6.1 does not learn that n is at least one. */
	lw_if(lw, ir_bin(&lw->b, IR_SLT, ir_const(&lw->b, 0), n), some, done);
	lw_seal_at(lw, some);
	r = lw_helper(lw, BPF_FUNC_probe_write_user, to, p, n, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, to);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	lw_forget_reads(lw);
}

/* copyout(src, addr, n): the bytes pass through memory that the helper accepts. */
static struct val call_copyout(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.scratchsize);
	struct val from = lw_str_chars(lw, e->args[0]);
	struct ir_ins *to = lw_scalar(lw, e->args[1]), *n = lw_scalar(lw, e->args[2]);

	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, lw->plan->opt.scratchsize), n),
		    ABI_FLT_NOSCRATCH, NULL);
	lw_copy_bytes(lw, from.place, t.p, n, lw_flat(lw, from));
	write_user(lw, to, t.p, n);
	return nothing(e);
}

/* copyoutstr(s, addr, max): writes the NUL, too, if it is within max. */
static struct val call_copyoutstr(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.strsize);
	struct strv s = lw_str_arg(lw, e->args[0]);
	struct ir_ins *to = lw_scalar(lw, e->args[1]), *max = lw_scalar(lw, e->args[2]), *n;

	n = lw_helper(lw, BPF_FUNC_probe_read_kernel_str, t.p, ir_const(&lw->b, s.size), s.p, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, n, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, s.p);
	write_user(lw, to, t.p, lw_umin(lw, n, max));
	return nothing(e);
}

/* memref(addr, n): stores both in memory, for printm(). */
static struct val call_memref(struct lw *lw, const struct expr *e)
{
	struct ir_ins *addr = lw_scalar(lw, e->args[0]), *n = lw_scalar(lw, e->args[1]), *p;
	struct ir_ins *pair = lw_alloca(lw, ir_const(&lw->b, 16), &p);

	ir_store(&lw->b, 8, p, 0, addr, IR_MEM_ANY);
	ir_store(&lw->b, 8, p, 8, n, IR_MEM_ANY);
	return pointer(pair, e);
}

static struct val call_rand(struct lw *lw, const struct expr *e)
{
	struct ir_ins *v = lw_helper(lw, BPF_FUNC_get_prandom_u32, NULL);

	return builtin_int(
	    ir_bin(&lw->b, IR_LSHR, ir_un(&lw->b, IR_ZEXT32, v), ir_const(&lw->b, 1)), e);
}

/* Kernel device numbers: 12 bits of major, 20 of minor (include/linux/kdev_t.h). */
static struct val call_getmajor(struct lw *lw, const struct expr *e)
{
	return builtin_int(
	    lw_bini(lw, IR_LSHR, lw_un(lw, IR_ZEXT32, lw_scalar(lw, e->args[0])), 20), e);
}

static struct val call_getminor(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_bini(lw, IR_AND, lw_scalar(lw, e->args[0]), 0xfffff), e);
}

#define FUNC(id, fl, text, fn) BUILTIN_FUNC(id, fl, text, .call = fn)
/* Row of a function that reads or writes user memory of the thread. */
#define OUT(id, text, fn) \
	BUILTIN_FUNC(id, LANG_DESTRUCTIVE, text, .call = fn, .use = {.running = true})
/* Row of a function with memory of alloca().  Further arguments are members of the row. */
#define AREA(id, text, fn, is_user, ...)                                                         \
	{                                                                                        \
		.name = #id, .kind = IDENT_FUNC, .flags = LANG_THERE, .proto = text,             \
		.impl = &(const struct builtin_func){.call = fn,                                 \
						     .use = {.area = true, .running = is_user}}, \
		##__VA_ARGS__                                                                    \
	}

const struct lang_row builtin_subr_mem[] = {
    AREA(alloca, "void *alloca(size_t)", call_alloca, false, .check = check_alloca),
    AREA(bcopy, "void bcopy(void *, void *, size_t)", call_bcopy, false),
    AREA(copyin, "void *copyin(uintptr_t, size_t)", call_copyin, true, .check = check_copyin),
    {.name = "copyinstr",
     .kind = IDENT_FUNC,
     .flags = LANG_THERE,
     .proto = "string copyinstr(uintptr_t, [size_t])",
     .impl = &(const struct builtin_func){.str = str_copyinstr, .use = {.running = true}}},
    AREA(copyinto, "void copyinto(uintptr_t, size_t, void *)", call_copyinto, true),
    OUT(copyout, "void copyout(void *, uintptr_t, size_t)", call_copyout),
    OUT(copyoutstr, "void copyoutstr(const char *, uintptr_t, size_t)", call_copyoutstr),
    FUNC(getmajor, 0, "uint32_t getmajor(dev_t)", call_getmajor),
    FUNC(getminor, 0, "uint32_t getminor(dev_t)", call_getminor),
    AREA(memref, "uintptr_t memref(uintptr_t, size_t)", call_memref, false),
    FUNC(rand, 0, "int rand()", call_rand),
    {0},
};
