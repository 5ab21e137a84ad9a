/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_str.c: subroutines on strings.  Arguments are copied to scratch memory, where the run-time
 * library can rely on strsize bytes.  Results are made there, too.
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

static struct strv result(struct lw *lw, struct tmp t)
{
	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem};
}

static struct tmp room(struct lw *lw)
{
	return lw_scratch(lw, lw->plan->opt.strsize);
}

static struct ir_ins *flag(struct lw *lw, int64_t v)
{
	return lw_const(lw, v);
}

static struct val call_strlen(struct lw *lw, const struct expr *e)
{
	struct tmp t = room(lw);
	struct strv s = lw_str_arg(lw, e->args[0]);
	struct ir_ins *n;

	if (s.len)
		return builtin_int(s.len, e);
	n = lw_helper(lw, BPF_FUNC_probe_read_kernel_str, t.p, ir_const(&lw->b, s.size), s.p, NULL);
	return builtin_int(ir_bin(&lw->b, IR_SUB, n, ir_const(&lw->b, 1)), e);
}

/*
 * Limits a string of n bytes and its NUL at t to the size of strings.  A longer one is a fault, or
 * is cut.
 */
static void fit(struct lw *lw, struct tmp t, struct ir_ins *n)
{
	uint32_t max = lw->plan->opt.strsize;

	if (dialect_has(lw->plan->opt.dialect, DIALECT_CUT_STRINGS))
		ir_store(&lw->b, 1, t.p, max - 1, ir_const(&lw->b, 0), t.mem);
	else
		lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, ir_const(&lw->b, max), n), ABI_FLT_NOSCRATCH,
			    NULL);
}

/*
 * The second string is copied to the end of the first, with room for a whole string there.  The
 * verifier therefore need not relate the two lengths.
 */
static struct strv str_strjoin(struct lw *lw, const struct expr *e)
{
	uint32_t max = lw->plan->opt.strsize;
	struct strv x = lw_str_arg(lw, e->args[0]);
	struct strv y = lw_str_arg(lw, e->args[1]);
	struct tmp t = lw_scratch(lw, 2 * max);
	struct ir_ins *n, *at;

	n = lw_helper(lw, BPF_FUNC_probe_read_kernel_str, t.p, ir_const(&lw->b, x.size), x.p, NULL);
	at = ir_bin(&lw->b, IR_SUB, n, ir_const(&lw->b, 1));
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULE, ir_const(&lw->b, max), at), ABI_FLT_NOSCRATCH, NULL);
	n = lw_helper(lw, BPF_FUNC_probe_read_kernel_str, ir_bin(&lw->b, IR_ADD, t.p, at),
		      ir_const(&lw->b, y.size), y.p, NULL);
	fit(lw, t, ir_bin(&lw->b, IR_ADD, at, n));
	return result(lw, t);
}

static struct strv one_arg(struct lw *lw, const struct expr *e, const char *rt)
{
	struct strv x = lw_str_copy(lw, e->args[0]);
	struct tmp t = room(lw);

	lw_rt(lw, rt, t.p, x.p, NULL);
	return result(lw, t);
}

static struct strv str_basename(struct lw *lw, const struct expr *e)
{
	return one_arg(lw, e, "rt_basename");
}

static struct strv str_dirname(struct lw *lw, const struct expr *e)
{
	return one_arg(lw, e, "rt_dirname");
}

static struct strv change_case(struct lw *lw, const struct expr *e, bool upper)
{
	struct strv x = lw_str_copy(lw, e->args[0]);
	struct tmp t = room(lw);

	lw_rt(lw, "rt_changecase", t.p, x.p, flag(lw, upper), NULL);
	return result(lw, t);
}

static struct strv str_toupper(struct lw *lw, const struct expr *e)
{
	return change_case(lw, e, true);
}

static struct strv str_tolower(struct lw *lw, const struct expr *e)
{
	return change_case(lw, e, false);
}

static struct strv str_lltostr(struct lw *lw, const struct expr *e)
{
	struct ir_ins *v = lw_scalar(lw, e->args[0]);
	struct ir_ins *base = builtin_base(lw, e);
	struct tmp t = room(lw);

	lw_rt(lw, "rt_lltostr", t.p, v, base, NULL);
	return result(lw, t);
}

static struct strv str_substr(struct lw *lw, const struct expr *e)
{
	struct strv x = lw_str_copy(lw, e->args[0]);
	struct ir_ins *start = lw_scalar(lw, e->args[1]);
	struct ir_ins *n = e->nargs > 2 ? lw_scalar(lw, e->args[2]) : flag(lw, 1LL << 62);
	struct tmp t = room(lw);

	lw_rt(lw, "rt_substr", t.p, x.p, start, n, NULL);
	return result(lw, t);
}

static struct strv str_cleanpath(struct lw *lw, const struct expr *e)
{
	return one_arg(lw, e, "rt_cleanpath");
}

/* memstr(p, sep, [n]): n bytes, cut at strsize, with sep for each NUL but the last. */
static struct strv str_memstr(struct lw *lw, const struct expr *e)
{
	struct ir_ins *max = ir_const(&lw->b, lw->plan->opt.strsize - 1), *n = max;
	struct val p = lw_str_chars(lw, e->args[0]);
	struct ir_ins *sep = lw_scalar(lw, e->args[1]);
	struct tmp t = room(lw);

	if (e->nargs > 2)
		n = lw_umin(lw, lw_scalar(lw, e->args[2]), max);
	lw_copy_bytes(lw, p.place, t.p, n, lw_flat(lw, p));
	lw_rt(lw, "rt_memstr", t.p, sep, n, NULL);
	return result(lw, t);
}

/* argstr(p, n): n bytes, cut at strsize, as text: a blank for each NUL, none at the end. */
static struct strv str_argstr(struct lw *lw, const struct expr *e)
{
	struct ir_ins *max = ir_const(&lw->b, lw->plan->opt.strsize - 1), *n;
	struct val p = lw_str_chars(lw, e->args[0]);
	struct tmp t = room(lw);

	n = lw_umin(lw, lw_scalar(lw, e->args[1]), max);
	lw_copy_bytes(lw, p.place, t.p, n, lw_flat(lw, p));
	lw_rt(lw, "rt_argstr", t.p, n, NULL);
	return result(lw, t);
}

#define INT_FUNC(id, text, fn)	    BUILTIN_FUNC(id, 0, text, .call = fn)
#define STR_FUNC(id, text, fn, max) BUILTIN_FUNC(id, 0, text, .str = fn, .bound = max)

const struct lang_row builtin_subr_str[] = {
    STR_FUNC(argstr, "string argstr(const char *, size_t)", str_argstr, 0),
    STR_FUNC(basename, "string basename(const char *)", str_basename, 0),
    STR_FUNC(cleanpath, "string cleanpath(const char *)", str_cleanpath, 0),
    STR_FUNC(dirname, "string dirname(const char *)", str_dirname, 0),
    STR_FUNC(lltostr, "string lltostr(int64_t, [int])", str_lltostr, 72),
    STR_FUNC(memstr, "string memstr(const char *, char, [size_t])", str_memstr, 0),
    STR_FUNC(strjoin, "string strjoin(const char *, const char *)", str_strjoin, 0),
    INT_FUNC(strlen, "size_t strlen(const char *)", call_strlen),
    STR_FUNC(substr, "string substr(const char *, int, [int])", str_substr, 0),
    STR_FUNC(tolower, "string tolower(const char *)", str_tolower, 0),
    STR_FUNC(toupper, "string toupper(const char *)", str_toupper, 0),
    {0},
};
