/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_find.c: subroutines that search in a string.  Those that return strings may find nothing.
 * The string is then empty and equal to NULL.
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

/* Returns a result at t, which is NULL if `found` is 0. */
static struct strv result(struct lw *lw, struct tmp t, struct ir_ins *found)
{
	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem, .found = found};
}

static struct tmp room(struct lw *lw)
{
	return lw_scratch(lw, lw->plan->opt.strsize);
}

static struct val find(struct lw *lw, const struct expr *e, bool reverse)
{
	struct strv s = lw_str_copy(lw, e->args[0]), t = lw_str_copy(lw, e->args[1]);
	struct ir_ins *start =
	    e->nargs > 2 ? lw_scalar(lw, e->args[2]) : lw_const(lw, reverse ? 1LL << 62 : 0);

	return builtin_int(
	    lw_rt(lw, "rt_index", room(lw).p, s.p, t.p, start, lw_const(lw, reverse), NULL), e);
}

static struct val call_index(struct lw *lw, const struct expr *e)
{
	return find(lw, e, false);
}

static struct val call_rindex(struct lw *lw, const struct expr *e)
{
	return find(lw, e, true);
}

static struct strv str_strstr(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str_copy(lw, e->args[0]), x = lw_str_copy(lw, e->args[1]);
	struct tmp t = room(lw);

	return result(lw, t, lw_rt(lw, "rt_strstr", t.p, s.p, x.p, NULL));
}

static struct strv find_char(struct lw *lw, const struct expr *e, bool last)
{
	struct strv s = lw_str_copy(lw, e->args[0]);
	struct ir_ins *c = lw_scalar(lw, e->args[1]);
	struct tmp t = room(lw);

	return result(lw, t, lw_rt(lw, "rt_strchr", t.p, s.p, c, lw_const(lw, last), NULL));
}

static struct strv str_strchr(struct lw *lw, const struct expr *e)
{
	return find_char(lw, e, false);
}

static struct strv str_strrchr(struct lw *lw, const struct expr *e)
{
	return find_char(lw, e, true);
}

/*
 * strtok(s, delims): the string is copied to memory that all clauses of a firing share.  The next
 * position in it, + 1, is a variable of the firing.  It is 0 before the first string and after the
 * last token.
 */
static void begin_tokens(struct lw *lw, const struct expr *e, struct tmp s, unsigned int next)
{
	struct strv given = lw_str(lw, e);
	struct ir_block *begin = lw_block(lw), *done = lw_block(lw);
	unsigned int mark = lw_push(lw);

	lw_if(lw, given.found ? given.found : lw_const(lw, 1), begin, done);
	lw_seal_at(lw, begin);
	lw_helper(lw, BPF_FUNC_probe_read_kernel_str, s.p, ir_const(&lw->b, given.size), given.p,
		  NULL);
	ir_var_write(&lw->b, next, lw_const(lw, 1));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static struct strv str_strtok(struct lw *lw, const struct expr *e)
{
	struct tmp s = lw_firing_mem(lw, e->ident->row), t;
	unsigned int next = lw_firing_var(lw, e->ident->row);
	struct strv delims;
	struct ir_ins *r;

	begin_tokens(lw, e->args[0], s, next);
	delims = lw_str_copy(lw, e->args[1]);
	t = room(lw);
	r = lw_rt(lw, "rt_strtok", t.p, s.p, delims.p, ir_var_read(&lw->b, next), NULL);
	ir_var_write(&lw->b, next, r);
	return result(lw, t, r);
}

struct ir_ins *builtin_base(struct lw *lw, const struct expr *e)
{
	struct ir_ins *base = e->nargs > 1 ? lw_scalar(lw, e->args[1]) : lw_const(lw, 10);

	lw_fault_if(lw,
		    ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, 34),
			   ir_bin(&lw->b, IR_SUB, base, ir_const(&lw->b, 2))),
		    ABI_FLT_ILLOP, NULL);
	return base;
}

static struct val call_strtoll(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str_copy(lw, e->args[0]);
	struct ir_ins *base = builtin_base(lw, e);

	return builtin_int(lw_rt(lw, "rt_strtoll", s.p, base, NULL), e);
}

static struct strv str_json(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str_copy(lw, e->args[0]), path = lw_str_copy(lw, e->args[1]);
	struct tmp t = room(lw);

	return result(lw, t, lw_rt(lw, "rt_json", t.p, s.p, path.p, room(lw).p, NULL));
}

#define INT_FUNC(id, text, fn) BUILTIN_FUNC(id, 0, text, .call = fn)
#define STR_FUNC(id, text, fn) BUILTIN_FUNC(id, 0, text, .str = fn)

const struct lang_row builtin_subr_find[] = {
    INT_FUNC(index, "int index(const char *, const char *, [int])", call_index),
    STR_FUNC(json, "string json(const char *, const char *)", str_json),
    INT_FUNC(rindex, "int rindex(const char *, const char *, [int])", call_rindex),
    STR_FUNC(strchr, "string strchr(const char *, char)", str_strchr),
    STR_FUNC(strrchr, "string strrchr(const char *, char)", str_strrchr),
    STR_FUNC(strstr, "string strstr(const char *, const char *)", str_strstr),
    BUILTIN_FUNC(strtok, LANG_THERE, "string strtok(const char *, const char *)", .str = str_strtok,
		 .use = {.firing_strings = 1}),
    INT_FUNC(strtoll, "int64_t strtoll(const char *, [int])", call_strtoll),
    {0},
};
