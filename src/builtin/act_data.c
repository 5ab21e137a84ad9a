/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_data.c: actions that print data: trace, print, printm, tracemem.
 */
#include <bpf/bpf.h>
#include <limits.h>
#include <stddef.h>

#include "base/dialect.h"
#include "builtin/builtin.h"
#include "print/print.h"

void builtin_plan_args(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	rec_act_add(plan, d, e->ident->name, e);
	for (unsigned int i = 0; i < e->nargs; i++)
		rec_item_expr(plan, d, e->args[i]);
}

void builtin_emit_args(struct lw *lw, const struct expr *e, unsigned int item)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		lw_item_store(lw, item + i, e->args[i]);
}

void builtin_plan_none(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	rec_act_add(plan, d, e->ident->name, e);
}

void builtin_trace(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	for (unsigned int i = 0; i < act->n; i++)
		value_trace(c->out, &v[i], c->out->opts.quiet);
}

/* ---- trace ---- */

static bool check_trace(struct check *ck, struct expr *e)
{
	static const enum diag_tag tags[] = {D_TRACE_AGG, D_TRACE_VOID, D_TRACE_DYN};

	return check_value(ck, e, tags);
}

/* ---- print ---- */

/* Checks that the argument is a pointer to something with a size. */
static bool print_pointer(struct check *ck, struct expr *e)
{
	const struct type *t = type_base(e->args[0]->type);

	if (t->kind != TYPE_PTR)
		return diag(check_diags(ck), e->loc, D_PROTO_ARG,
			    "print( ) argument #1 is incompatible with prototype:\n"
			    "\tprototype: pointer\n\t argument: %s",
			    check_type_text(ck, e->args[0]->type));
	if (type_sizeof(check_types(ck), t->to) == 0)
		return check_error(ck, e, D_PRINT_SIZE,
				   "argument #1 points to a type without a size");
	return true;
}

static bool check_print(struct check *ck, struct expr *e)
{
	static const enum diag_tag tags[] = {D_PRINT_AGG, D_PRINT_VOID, D_PRINT_DYN};

	if (!check_value(ck, e, tags))
		return false;
	if (type_is_stack(e->args[0]->type))
		return check_error(ck, e, D_PRINT_VOID, "may not be applied to a stack");
	return !dialect_has(check_diags(ck)->dialect, DIALECT_PRINT_POINTED) ||
	       print_pointer(ck, e);
}

/*
 * print(e) records the value.  In some dialects e is an address: returns the type at it, else NULL.
 */
static struct type *pointed(const struct plan *plan, const struct expr *e)
{
	if (!dialect_has(plan->opt.dialect, DIALECT_PRINT_POINTED))
		return NULL;
	return type_base(e->args[0]->type)->to;
}

static void plan_print(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct type *to = pointed(plan, e);

	builtin_plan_args(plan, d, e);
	if (to)
		rec_item_add(
		    d,
		    (struct item){.enc = ITEM_BYTES, .size = plan_type_size(plan, to), .type = to});
}

static void emit_print(struct lw *lw, const struct expr *e, unsigned int item)
{
	const struct item *there = &lw->clause.desc->items.a[item + 1];
	struct val p;

	if (!pointed(lw->plan, e)) {
		builtin_emit_args(lw, e, item);
		return;
	}
	p = lw_expr(lw, e->args[0]);
	lw_item_store_int(lw, item, lw_number(lw, p));
	lw_copy_bytes(lw, p.place,
		      ir_bin(&lw->b, IR_ADD, lw->clause.rec, ir_const(&lw->b, there->off)),
		      ir_const(&lw->b, there->size), lw_flat(lw, p));
}

/* Prints the value, or an address and the object at it. */
static void consume_print(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	const struct item *it = consumer_item(c, act, act->n - 1);
	const struct print_type *t = c->ops->print_type(c, it->type);
	uint64_t size = it->enc == ITEM_STR ? it->size : t->size, max = c->ops->print_size(c);

	if (size > max)
		size = max;
	if (act->n > 1)
		print_pointed(c->out, value_unsigned(v), t, v[1].data, size);
	else
		print_value(c->out, t, v->data, size);
}

/* ---- tracemem, printm ---- */

static bool check_tracemem(struct check *ck, struct expr *e)
{
	if (!check_nargs(ck, e, 2, 3, D_TRACEMEM_ARGS))
		return false;
	if (!type_is_scalar(e->args[0]->type) && !type_is_array(e->args[0]->type))
		return check_error(ck, e, D_TRACEMEM_ADDR,
				   "argument #1 must be a pointer or an integer");
	if (!check_positive(ck, e, 1, D_TRACEMEM_SIZE))
		return false;
	if (e->nargs > 2 && !type_is_scalar(e->args[2]->type))
		return check_error(ck, e, D_TRACEMEM_DYNSIZE, "argument #3 must be of scalar type");
	return true;
}

/* tracemem(addr, max, [size]): items are the bytes and their number. */
static void plan_tracemem(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct rec_act *act = rec_act_add(plan, d, e->ident->name, e);

	act->val = (int64_t)e->args[1]->val;
	rec_item_add(d, (struct item){.enc = ITEM_BYTES, .size = (uint32_t)e->args[1]->val});
	rec_item_add(d, (struct item){.enc = ITEM_INT, .size = 8});
}

static void emit_tracemem(struct lw *lw, const struct expr *e, unsigned int item)
{
	const struct item *it = &lw->clause.desc->items.a[item];
	struct val p = lw_expr(lw, e->args[0]);

	lw_copy_bytes(lw, p.place,
		      ir_bin(&lw->b, IR_ADD, lw->clause.rec, ir_const(&lw->b, it->off)),
		      ir_const(&lw->b, it->size), lw_flat(lw, p));
	lw_item_store_int(lw, item + 1,
			  e->nargs > 2 ? lw_scalar(lw, e->args[2]) : ir_const(&lw->b, it->size));
}

static void consume_tracemem(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	uint64_t n = (uint64_t)value_int(&v[1]);

	if (n == 0 || n > (uint64_t)act->val)
		n = (uint64_t)act->val;
	value_dump(c->out, act->name, v[0].data, (uint32_t)n);
}

/* printm(size, memref(addr, n)): the address is the first of two words that memref() made. */
static void plan_printm(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	struct rec_act *act = rec_act_add(plan, d, e->ident->name, e);

	act->val = (int64_t)e->args[0]->val;
	rec_item_add(d, (struct item){.enc = ITEM_BYTES, .size = (uint32_t)e->args[0]->val});
}

static void emit_printm(struct lw *lw, const struct expr *e, unsigned int item)
{
	const struct item *it = &lw->clause.desc->items.a[item];
	struct val ref = {.v = lw_scalar(lw, e->args[1]), .place = PLACE_SCALAR};
	struct tmp pair = lw_kread(lw, ref, 8);
	struct ir_ins *addr = ir_load(&lw->b, 8, pair.p, 0, pair.mem), *r;

	r = lw_helper(lw, BPF_FUNC_probe_read_kernel,
		      ir_bin(&lw->b, IR_ADD, lw->clause.rec, ir_const(&lw->b, it->off)),
		      ir_const(&lw->b, it->size), addr, NULL);
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, addr);
}

static void consume_printm(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	value_dump(c->out, act->name, v[0].data, (uint32_t)act->val);
}

const struct lang_row builtin_act_data[] = {
    {BUILTIN_ACT(trace, .plan = builtin_plan_args, .emit = builtin_emit_args,
		 .consume = builtin_trace),
     .nargs = {1, 1}, .check = check_trace, .flags = LANG_RECORDS},
    {BUILTIN_ACT(print, .plan = plan_print, .emit = emit_print, .consume = consume_print),
     .nargs = {1, 1}, .check = check_print, .flags = LANG_RECORDS},
    {BUILTIN_ACT(tracemem, .plan = plan_tracemem, .emit = emit_tracemem,
		 .consume = consume_tracemem),
     .nargs = {2, UINT_MAX, 1, "size_t"}, .check = check_tracemem,
     .flags = LANG_RECORDS | LANG_THERE},
    {BUILTIN_ACT(printm, .plan = plan_printm, .emit = emit_printm, .consume = consume_printm),
     .proto = "void printm(size_t, uintptr_t)", .flags = LANG_RECORDS | LANG_THERE},
    {0},
};
