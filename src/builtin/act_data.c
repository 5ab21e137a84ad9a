/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_data.c: actions that record data: trace, printf, stacks, symbols, exit.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

static void plan_args(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
	for (unsigned int i = 0; i < e->nargs; i++)
		rec_item_expr(lo, d, e->args[i]);
}

static void emit_args(struct lw *lw, struct expr *e, unsigned int item)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		lw_item_store(lw, item + i, e->args[i]);
}

/* print(e): the value; or the address that it is, and what is there. */
static struct type *pointed(const struct lower *lo, const struct expr *e)
{
	if (!dialect_has(lo->dialect, DIALECT_PRINT_POINTED))
		return NULL;
	return type_base(e->args[0]->type)->to;
}

static void plan_print(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	struct type *to = pointed(lo, e);

	plan_args(lo, d, e);
	if (to)
		rec_item_add(
		    d,
		    (struct item){.enc = ITEM_BYTES, .size = lower_type_size(lo, to), .type = to});
}

static void emit_print(struct lw *lw, struct expr *e, unsigned int item)
{
	const struct item *there = &lw->desc->items.a[item + 1];
	struct val p;

	if (!pointed(lw->lo, e)) {
		emit_args(lw, e, item);
		return;
	}
	p = lw_expr(lw, e->args[0]);
	lw_item_store_int(lw, item, lw_number(lw, p));
	lw_copy_bytes(lw, p.place, ir_bin(&lw->b, IR_ADD, lw->rec, ir_const(&lw->b, there->off)),
		      ir_const(&lw->b, there->size), lw_flat(lw, p));
}

/* printf and its like: the format is argument 0, already parsed. */
static void plan_printf(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
	for (unsigned int i = 1; i < e->nargs; i++)
		rec_item_expr(lo, d, e->args[i]);
}

static void emit_printf(struct lw *lw, struct expr *e, unsigned int item)
{
	for (unsigned int i = 1; i < e->nargs; i++)
		lw_item_store(lw, item + i - 1, e->args[i]);
}

/* An action whose only item is the action itself as a key: stack(), sym(a) ... */
static void plan_self(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
	rec_item_expr(lo, d, e);
}

static void emit_self(struct lw *lw, struct expr *e, unsigned int item)
{
	struct tmp t = {lw->rec, IR_MEM_RECORD};
	const struct builtin_act *act = e->ident->row->impl;

	act->store(lw, &lw->desc->items.a[item], e, t);
}

/* Frames that are asked for, or else those of the option for this action; one at least. */
static unsigned int nframes(struct lower *lo, struct expr *e)
{
	const char *name = e->ident->name;
	unsigned int n = e->nargs	  ? (unsigned int)e->args[0]->val
			 : name[0] == 's' ? lo->stackframes
			 : name[0] == 'u' ? lo->ustackframes
					  : lo->jstackframes;

	n = n < lo->maxframes ? n : lo->maxframes;
	return n ? n : 1;
}

static struct item key_stack(struct lower *lo, struct expr *e)
{
	return (struct item){.enc = ITEM_STACK, .size = nframes(lo, e) * 8, .type = e->type};
}

/* pid in front of the user frames */
static struct item key_ustack(struct lower *lo, struct expr *e)
{
	return (struct item){.enc = ITEM_USTACK, .size = 8 + nframes(lo, e) * 8, .type = e->type};
}

static struct ir_ins *at(struct lw *lw, struct tmp t, int64_t off)
{
	return ir_bin(&lw->b, IR_ADD, t.p, ir_const(&lw->b, off));
}

/* What the helper leaves unfilled has to read as the end of the stack. */
static void store_stack(struct lw *lw, const struct item *it, struct expr *e, struct tmp t)
{
	struct ir_ins *dst = at(lw, t, it->off);

	lw_zero(lw, dst, it->size, t.mem);
	lw_stack(lw, (struct tmp){dst, t.mem}, it->size, 0, lw_stack_top(lw));
}

/* Processes that are remembered; of one that is forgotten the consumer is told again. */
#define PROCS_MAX 4096

/* A process in an address space: exec() makes another one of it. */
struct met_key {
	uint64_t pid, mm;
};

static const struct lower_map met = {.name = "met",
				     .type = BPF_MAP_TYPE_LRU_HASH,
				     .key_size = sizeof(struct met_key),
				     .value_size = 8,
				     .max_entries = PROCS_MAX};

/* Tell the consumer of a new process at once: the clause's own record, which is in front, too. */
static void tell_process(struct lw *lw, struct tmp key, struct ir_block *done)
{
	struct tmp one = lw_slot(lw, 8);
	struct ir_ins *rec;

	ir_store(&lw->b, 8, one.p, 0, ir_const(&lw->b, 1), one.mem);
	lw_helper(lw, BPF_FUNC_map_update_elem, lw_leaf_map(lw, &met), key.p, one.p,
		  ir_const(&lw->b, BPF_ANY), NULL);
	ir_var_write(&lw->b, lw->var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	rec = lw_reserve_now(lw, sizeof(struct abi_proc), done);
	lw_rec_head(lw, rec, ABI_DESC_PROC);
	ir_store(&lw->b, 8, rec, offsetof(struct abi_proc, pid), lw_pid(lw), IR_MEM_RECORD);
	lw_submit_now(lw, rec, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	ir_jmp(&lw->b, done);
}

/*
 * Addresses of a process get names when they are printed, but it may be gone by then: the consumer
 * reads what is mapped where when the process is first met.
 */
static void meet_process(struct lw *lw)
{
	struct ir_block *user = lw_block(lw), *is_new = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *mm = lw_field(lw, lw_current(lw), "mm").v;
	unsigned int mark = lw_push(lw);
	struct tmp key = lw_slot(lw, sizeof(struct met_key));

	lw_if(lw, mm, user, done);
	lw_seal_at(lw, user);
	ir_store(&lw->b, 8, key.p, offsetof(struct met_key, pid), lw_pid(lw), key.mem);
	ir_store(&lw->b, 8, key.p, offsetof(struct met_key, mm), mm, key.mem);
	lw_if(lw, lw_helper(lw, BPF_FUNC_map_lookup_elem, lw_leaf_map(lw, &met), key.p, NULL), done,
	      is_new);
	lw_seal_at(lw, is_new);
	tell_process(lw, key, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static void store_ustack(struct lw *lw, const struct item *it, struct expr *e, struct tmp t)
{
	struct ir_ins *dst = at(lw, t, it->off + 8);

	meet_process(lw);
	lw_zero(lw, at(lw, t, it->off), it->size, t.mem);
	ir_store(&lw->b, 8, t.p, it->off, lw_pid(lw), t.mem);
	lw_stack(lw, (struct tmp){dst, t.mem}, it->size - 8, BPF_F_USER_STACK, 0);
}

static struct item key_ksym(struct lower *lo, struct expr *e)
{
	bool is_mod = e->ident->name[0] == 'm';

	return (struct item){.enc = is_mod ? ITEM_MOD : ITEM_SYM, .size = 8, .type = e->type};
}

static void store_ksym(struct lw *lw, const struct item *it, struct expr *e, struct tmp t)
{
	ir_store(&lw->b, 8, t.p, it->off, lw_scalar(lw, e->args[0]), t.mem);
}

static struct item key_usym(struct lower *lo, struct expr *e)
{
	enum item_enc enc = e->ident->name[1] == 'm'   ? ITEM_UMOD
			    : e->ident->name[1] == 'a' ? ITEM_UADDR
						       : ITEM_USYM;

	return (struct item){.enc = enc, .size = 16, .type = e->type};
}

static void store_usym(struct lw *lw, const struct item *it, struct expr *e, struct tmp t)
{
	meet_process(lw);
	ir_store(&lw->b, 8, t.p, it->off, lw_pid(lw), t.mem);
	ir_store(&lw->b, 8, t.p, it->off + 8, lw_scalar(lw, e->args[0]), t.mem);
}

/* exit(): no clause starts after this, and the consumer wakes up. */
static void emit_exit(struct lw *lw, struct expr *e, unsigned int item)
{
	struct ir_ins *status = lw_scalar(lw, e->args[0]);

	lw_item_store_int(lw, item, status);
	ir_var_write(&lw->b, lw->var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	lw->may_stop = true;
	ir_store(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, active)), 0,
		 ir_const(&lw->b, ABI_STATE_STOPPED), IR_MEM_MAP);
}

/* tracemem(addr, max, [size]): the bytes, then how many of them count. */
static void plan_tracemem(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	struct rec_act *act = rec_act_add(lo, d, e->ident->name, e);

	act->val = (int64_t)e->args[1]->val;
	rec_item_add(d, (struct item){.enc = ITEM_BYTES, .size = (uint32_t)e->args[1]->val});
	rec_item_add(d, (struct item){.enc = ITEM_INT, .size = 8});
}

static void emit_tracemem(struct lw *lw, struct expr *e, unsigned int item)
{
	const struct item *it = &lw->desc->items.a[item];
	struct val p = lw_expr(lw, e->args[0]);
	struct tmp t = {lw->rec, IR_MEM_RECORD};

	lw_copy_bytes(lw, p.place, at(lw, t, it->off), ir_const(&lw->b, it->size), lw_flat(lw, p));
	lw_item_store_int(lw, item + 1,
			  e->nargs > 2 ? lw_scalar(lw, e->args[2]) : ir_const(&lw->b, it->size));
}

/* printm(size, memref(addr, n)): size bytes at the first word of the two that memref() made. */
static void plan_printm(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	struct rec_act *act = rec_act_add(lo, d, e->ident->name, e);

	act->val = (int64_t)e->args[0]->val;
	rec_item_add(d, (struct item){.enc = ITEM_BYTES, .size = (uint32_t)e->args[0]->val});
}

static void emit_printm(struct lw *lw, struct expr *e, unsigned int item)
{
	const struct item *it = &lw->desc->items.a[item];
	struct val ref = {.v = lw_scalar(lw, e->args[1]), .place = PLACE_SCALAR};
	struct tmp pair = lw_kread(lw, ref, 8), t = {lw->rec, IR_MEM_RECORD};
	struct ir_ins *addr = ir_load(&lw->b, 8, pair.p, 0, pair.mem), *r;

	r = lw_helper(lw, BPF_FUNC_probe_read_kernel, at(lw, t, it->off),
		      ir_const(&lw->b, it->size), addr, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, addr);
}

#define KEY_ACT(id, k, s, ...)                                                                    \
	BUILTIN_ACT(id, LANG_RECORDS, .plan = plan_self, .emit = emit_self, .key = k, .store = s, \
		    ##__VA_ARGS__)
#define USER_ACT(id, k, s) KEY_ACT(id, k, s, .use = {.map = &met, .user_addrs = true})

const struct lang_row builtin_act_data[] = {
    BUILTIN_ACT(trace, LANG_RECORDS, .plan = plan_args, .emit = emit_args),
    BUILTIN_ACT(print, LANG_RECORDS, .plan = plan_print, .emit = emit_print),
    BUILTIN_ACT(printm, LANG_RECORDS, .plan = plan_printm, .emit = emit_printm),
    BUILTIN_ACT(printf, LANG_RECORDS, .plan = plan_printf, .emit = emit_printf),
    BUILTIN_ACT(system, LANG_RECORDS | LANG_DESTRUCTIVE, .plan = plan_printf, .emit = emit_printf),
    BUILTIN_ACT(freopen, LANG_RECORDS | LANG_DESTRUCTIVE, .plan = plan_printf, .emit = emit_printf),
    BUILTIN_ACT(exit, LANG_RECORDS, .plan = plan_args, .emit = emit_exit),
    BUILTIN_ACT(tracemem, LANG_RECORDS, .plan = plan_tracemem, .emit = emit_tracemem),
    KEY_ACT(stack, key_stack, store_stack),
    USER_ACT(ustack, key_ustack, store_ustack),
    USER_ACT(jstack, key_ustack, store_ustack),
    KEY_ACT(sym, key_ksym, store_ksym),
    KEY_ACT(func, key_ksym, store_ksym),
    KEY_ACT(mod, key_ksym, store_ksym),
    USER_ACT(usym, key_usym, store_usym),
    USER_ACT(ufunc, key_usym, store_usym),
    USER_ACT(umod, key_usym, store_usym),
    USER_ACT(uaddr, key_usym, store_usym),
    {0},
};
