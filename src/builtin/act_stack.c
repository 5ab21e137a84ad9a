/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_stack.c: stacks and symbols: stack, immstack, ustack, jstack, langstack, sym, func, mod,
 * usym, ufunc, umod, uaddr.  Each is also a value, and the action defines its item and its storage.
 * As a statement it is an action whose only item is itself.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <limits.h>

#include "builtin/builtin.h"

static const struct builtin_act *impl_of(const struct expr *e)
{
	return e->ident->row->impl;
}

static void plan_self(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	rec_act_add(plan, d, e->ident->name, e);
	rec_item_expr(plan, d, e);
}

static void emit_self(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct tmp t = {lw->clause.rec, IR_MEM_RECORD};
	impl_of(e)->store(lw, &lw->clause.desc->items.a[item], e, t);
}

/* ---- stacks ---- */

static bool check_stack(struct check *ck, struct expr *e)
{
	return check_nargs(ck, e, 0, 1, D_STACK_PROTO) && check_positive(ck, e, 0, D_STACK_SIZE);
}

static bool check_langstack(struct check *ck, struct expr *e)
{
	return check_nargs(ck, e, 0, 1, D_USTACK_PROTO) &&
	       check_positive(ck, e, 0, D_USTACK_FRAMES);
}

static bool check_ustack(struct check *ck, struct expr *e)
{
	struct expr *size;

	if (!check_nargs(ck, e, 0, 2, D_USTACK_PROTO) || !check_positive(ck, e, 0, D_USTACK_FRAMES))
		return false;
	if (e->nargs < 2)
		return true;
	size = e->args[1];
	if (size->kind != EXPR_INT || (int64_t)size->val < 0)
		return check_error(ck, e,
				   check_arg_tag(ck, type_is_integer(size->type), D_USTACK_STRSIZE),
				   "argument #2 must be an integer constant, zero or more");
	return true;
}

/* Returns the bytes for the requested frames, or for the option's number; at least one frame. */
static uint32_t frames_size(const struct plan *plan, const struct expr *e, unsigned int option)
{
	unsigned int n = e->nargs ? (unsigned int)e->args[0]->val : option;

	n = n < plan->opt.maxframes ? n : plan->opt.maxframes;
	return (n ? n : 1) * 8;
}

static struct ir_ins *at(struct lw *lw, struct tmp t, int64_t off)
{
	return ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, off));
}

/* A word before the frames identifies the owner. */
static struct item stack_item(const struct expr *e, uint32_t frames)
{
	return (struct item){.enc = ITEM_STACK, .size = 8 + frames, .type = e->type};
}

static struct item key_stack(const struct plan *plan, const struct expr *e)
{
	return stack_item(e, frames_size(plan, e, plan->opt.stackframes));
}

static struct item key_ustack(const struct plan *plan, const struct expr *e)
{
	return stack_item(e, frames_size(plan, e, plan->opt.ustackframes));
}

/* There is room for as many frames of the process, and of the language. */
static struct item key_jstack(const struct plan *plan, const struct expr *e)
{
	struct item it = stack_item(e, 2 * frames_size(plan, e, plan->opt.jstackframes));

	it.is_mixed = true;
	return it;
}

static struct item key_langstack(const struct plan *plan, const struct expr *e)
{
	return stack_item(e, frames_size(plan, e, plan->opt.jstackframes));
}

/*
 * Zeros the item, so that unused frames read as the end of the stack, and stores the owner.
 * Returns the bytes for the frames of this call, since the item may be larger.
 */
static uint32_t begin_stack(struct lw *lw, const struct item *it, const struct expr *e,
			    struct tmp t, struct ir_ins *owner)
{
	uint32_t size = impl_of(e)->key(lw->plan, e).size;

	lw_zero(lw, at(lw, t, it->off), it->size, t.mem);
	ir_store(&lw->b, 8, t.p, it->off, owner, t.mem);
	return (size < it->size ? size : it->size) - 8;
}

static void store_stack(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	uint32_t size = begin_stack(lw, it, e, t, lw_const(lw, ABI_STACK_KERNEL));

	lw_stack(lw, (struct tmp){at(lw, t, it->off + 8), t.mem}, size, 0, lw_stack_top(lw));
}

static void store_immstack(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	uint32_t size = begin_stack(lw, it, e, t, lw_const(lw, ABI_STACK_NAMED));

	lw_stack(lw, (struct tmp){at(lw, t, it->off + 8), t.mem}, size, 0, lw_stack_top(lw));
}

static struct ir_ins *user_owner(struct lw *lw)
{
	return lw_bini(lw, IR_OR, lw_own_pid(lw), ABI_STACK_USER);
}

static void store_ustack(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	uint32_t size = begin_stack(lw, it, e, t, user_owner(lw));

	lw_stack(lw, (struct tmp){at(lw, t, it->off + 8), t.mem}, size, BPF_F_USER_STACK, 0);
}

static void store_jstack(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	uint32_t size = begin_stack(lw, it, e, t, user_owner(lw));

	lw_mixed_stack(lw, (struct tmp){at(lw, t, it->off + 8), t.mem}, size);
}

static void store_langstack(struct lw *lw, const struct item *it, const struct expr *e,
			    struct tmp t)
{
	uint32_t size = begin_stack(lw, it, e, t, user_owner(lw));

	lw_lang_stack(lw, (struct tmp){at(lw, t, it->off + 8), t.mem}, size);
}

/* ---- symbols ---- */

static struct item key_ksym(const struct plan *plan, const struct expr *e)
{
	return (struct item){.enc = impl_of(e)->enc, .size = 8, .type = e->type};
}

static void store_ksym(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	ir_store(&lw->b, 8, t.p, it->off, lw_scalar(lw, e->args[0]), t.mem);
}

static struct item key_usym(const struct plan *plan, const struct expr *e)
{
	return (struct item){.enc = impl_of(e)->enc, .size = 16, .type = e->type};
}

static void store_usym(struct lw *lw, const struct item *it, const struct expr *e, struct tmp t)
{
	lw_report_process(lw);
	ir_store(&lw->b, 8, t.p, it->off, lw_own_pid(lw), t.mem);
	ir_store(&lw->b, 8, t.p, it->off + 8, lw_scalar(lw, e->args[0]), t.mem);
}

/* Arguments after the name are members of struct builtin_act. */
#define SELF(id, ...)                                                                   \
	BUILTIN_ACT(id, .plan = plan_self, .emit = emit_self, .consume = builtin_trace, \
		    __VA_ARGS__),                                                       \
	    .flags = LANG_RECORDS | LANG_KEY
#define USER(id, is_stack, has_language, ...)         \
	SELF(id,                                      \
	     .use = {.user_addrs = true,              \
		     .user_stack = is_stack,          \
		     .language_frames = has_language, \
		     .running = is_stack},            \
	     __VA_ARGS__)
#define KSYM(id, e)                                                       \
	{                                                                 \
		SELF(id, .key = key_ksym, .store = store_ksym, .enc = e), \
		    .proto = "_symaddr " #id "(uintptr_t)"                \
	}
#define USYM(id, e)                                                                      \
	{                                                                                \
		USER(id, false, false, .key = key_usym, .store = store_usym, .enc = e) | \
		    LANG_THERE,                                                          \
		    .proto = "_usymaddr " #id "(uintptr_t)"                              \
	}

const struct lang_row builtin_act_stack[] = {
    {SELF(stack, .key = key_stack, .store = store_stack), .nargs = {0, UINT_MAX},
     .check = check_stack},
    {SELF(immstack, .key = key_stack, .store = store_immstack), .nargs = {0, UINT_MAX},
     .check = check_stack},
    {USER(ustack, true, false, .key = key_ustack, .store = store_ustack), .nargs = {0, UINT_MAX},
     .check = check_ustack},
    {USER(jstack, true, true, .key = key_jstack, .store = store_jstack), .nargs = {0, UINT_MAX},
     .check = check_ustack},
    {USER(langstack, true, true, .key = key_langstack, .store = store_langstack) | LANG_EXTENSION,
     .nargs = {0, UINT_MAX}, .check = check_langstack},
    KSYM(sym, ITEM_SYM),
    KSYM(func, ITEM_SYM),
    KSYM(mod, ITEM_MOD),
    USYM(usym, ITEM_USYM),
    USYM(ufunc, ITEM_USYM),
    USYM(umod, ITEM_UMOD),
    USYM(uaddr, ITEM_UADDR),
    {0},
};
