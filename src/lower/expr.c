/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expr.c: scalar expressions.  Every value has 64 bits.  Results of arithmetic and variables are
 * not cut to their type.  Casts, memory and records are.
 */
#include <assert.h>
#include <bpf/bpf.h>

#include "kern/kern.h"
#include "lower/leaf.h"

static struct val scalar(struct ir_ins *v, struct type *t)
{
	return (struct val){.v = v, .type = t, .place = PLACE_SCALAR};
}

/* Returns a string in the program's memory as a value. */
static struct val str_val(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str(lw, e);

	return (struct val){
	    .v = s.p, .type = e->type, .place = PLACE_SAFE, .mem = s.mem, .found = s.found};
}

static bool is_unsigned(const struct type *t)
{
	const struct type *b = type_base(t);

	return b->kind == TYPE_PTR || b->kind == TYPE_ARRAY || b->kind == TYPE_STRING ||
	       (b->kind == TYPE_INT && !b->is_signed);
}

static uint64_t elem_size(const struct plan *plan, const struct type *t)
{
	const struct type *b = type_base(t);
	uint32_t size;

	if (b->kind == TYPE_STRING)
		return 1;
	size = plan_type_size(plan, b->to);
	return size ? size : 1;
}

static bool is_address(const struct type *t)
{
	const struct type *b = type_base(t);

	return b->kind == TYPE_PTR || b->kind == TYPE_ARRAY || b->kind == TYPE_STRING;
}

/* Returns a pointer to compute with, or 0 for a NULL string. */
static struct ir_ins *address(struct lw *lw, struct val p)
{
	struct ir_ins *v = lw_kept(lw, p);

	return p.found ? lw_bin(lw, IR_MUL, v, lw_bini(lw, IR_NE, p.found, 0)) : v;
}

/* Returns a pointer to add n to.  The verifier adds only constants to pointers that it knows. */
static struct ir_ins *movable(struct lw *lw, struct val p, const struct ir_ins *n)
{
	return p.place == PLACE_BTF && n->op != IR_CONST ? lw_number(lw, p) : address(lw, p);
}

/* pointer +- integer: the sum keeps the place of the pointer only if the offset is constant. */
static struct val pointer_add(struct lw *lw, enum ir_op op, struct val p, struct ir_ins *n,
			      struct type *t)
{
	uint64_t size = elem_size(lw->plan, p.type);
	struct ir_ins *scaled = size == 1 ? n : lw_bini(lw, IR_MUL, n, (int64_t)size);
	struct val r = p;

	if (p.place == PLACE_BTF || p.place == PLACE_SAFE)
		r.place = PLACE_SCALAR;
	r.v = lw_bin(lw, op, movable(lw, p, n), scaled);
	r.off = 0;
	r.found = NULL;
	r.type = t;
	return r;
}

/* Faults on division by 0, and on the one quotient that needs more than 64 bits: INT64_MIN / -1. */
static struct ir_ins *divide(struct lw *lw, bool is_mod, bool u, struct ir_ins *x, struct ir_ins *y)
{
	struct ir_ins *bad = ir_bin(&lw->b, IR_EQ, y, ir_const(&lw->b, 0));

	lw_fault_if(lw, bad, ABI_FLT_DIVZERO, NULL);
	if (u)
		return lw_bin(lw, is_mod ? IR_UMOD : IR_UDIV, x, y);
	bad = ir_bin(&lw->b, IR_OR, ir_bin(&lw->b, IR_XOR, x, ir_const(&lw->b, INT64_MIN)),
		     ir_bin(&lw->b, IR_XOR, y, ir_const(&lw->b, -1)));
	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, bad, ir_const(&lw->b, 0)), ABI_FLT_DIVZERO, NULL);
	return lw_bin(lw, is_mod ? IR_SMOD : IR_SDIV, x, y);
}

static struct ir_ins *compare(struct lw *lw, enum expr_op op, struct ir_ins *x, struct ir_ins *y,
			      bool u)
{
	switch (op) {
	case OP_EQ:
		return lw_bin(lw, IR_EQ, x, y);
	case OP_NE:
		return lw_bin(lw, IR_NE, x, y);
	case OP_LT:
		return lw_bin(lw, u ? IR_ULT : IR_SLT, x, y);
	case OP_LE:
		return lw_bin(lw, u ? IR_ULE : IR_SLE, x, y);
	case OP_GT:
		return lw_bin(lw, u ? IR_ULT : IR_SLT, y, x);
	default:
		assert(op == OP_GE);
		return lw_bin(lw, u ? IR_ULE : IR_SLE, y, x);
	}
}

/* Integers compare in their common type: a uint8_t and an int as int. */
static bool compares_unsigned(struct lw *lw, struct type *x, struct type *y)
{
	if (type_is_integer(x) && type_is_integer(y))
		return is_unsigned(type_promote(lw->plan->env.types, x, y));
	return is_unsigned(x) || is_unsigned(y);
}

static bool is_strcmp(const struct expr *e)
{
	return e->op >= OP_EQ && e->op <= OP_GE &&
	       (type_is_string(e->x->type) || type_is_string(e->y->type)) &&
	       type_is_stringlike(e->x->type) && type_is_stringlike(e->y->type);
}

static bool is_stackcmp(const struct expr *e)
{
	return e->op >= OP_EQ && e->op <= OP_GE &&
	       (type_is_stack(e->x->type) || type_is_stack(e->y->type));
}

/* Returns not 0 if the stacks differ. */
static struct ir_ins *stackcmp(struct lw *lw, const struct expr *e)
{
	if (lw_is_null(e->x) || lw_is_null(e->y))
		return lw_stack_owner(lw, lw_is_null(e->x) ? e->y : e->x);
	return lw_stack_differ(lw, e->x, e->y);
}

static bool is_null_test(const struct expr *e)
{
	return e->op >= OP_EQ && e->op <= OP_GE &&
	       ((type_is_string(e->x->type) && lw_is_null(e->y)) ||
		(type_is_string(e->y->type) && lw_is_null(e->x)));
}

/* Compares a string with NULL: 0 if they are equal, else 1. */
static struct ir_ins *string_or_null(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str(lw, e);
	struct ir_ins *is = s.found ? lw_bini(lw, IR_NE, s.found, 0) : lw_const(lw, 1);

	if (dialect_has(lw->plan->opt.dialect, DIALECT_NULL_IS_LESS))
		return is;
	return lw_bin(lw, IR_AND, is, lw_bini(lw, IR_NE, ir_load(&lw->b, 1, s.p, 0, s.mem), 0));
}

/* && and ||: evaluates the right side only if it decides the result. */
static struct ir_ins *short_circuit(struct lw *lw, const struct expr *e)
{
	struct ir_block *right = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	struct ir_ins *x = lw_bool(lw, e->x);

	ir_var_write(&lw->b, var, lw_const(lw, e->op == OP_LOR));
	if (e->op == OP_LAND)
		lw_if(lw, x, right, done);
	else
		lw_if(lw, x, done, right);
	lw_seal_at(lw, right);
	mark = lw_push(lw);
	x = lw_bool(lw, e->y);
	ir_var_write(&lw->b, var, x);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

struct ir_ins *lw_bool(struct lw *lw, const struct expr *e)
{
	struct ir_ins *v = type_is_stack(e->type) ? lw_stack_owner(lw, e) : lw_scalar(lw, e);

	switch (v->op) {
	case IR_EQ:
	case IR_NE:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		return v;
	default:
		return lw_bini(lw, IR_NE, v, 0);
	}
}

struct ir_ins *lw_arith(struct lw *lw, enum expr_op op, const struct type *t, struct ir_ins *x,
			struct ir_ins *y)
{
	static const enum ir_op ops[] = {
	    [OP_ADD] = IR_ADD, [OP_SUB] = IR_SUB, [OP_MUL] = IR_MUL, [OP_AND] = IR_AND,
	    [OP_OR] = IR_OR,   [OP_XOR] = IR_XOR, [OP_SHL] = IR_SHL,
	};

	switch (op) {
	case OP_DIV:
	case OP_MOD:
		return divide(lw, op == OP_MOD, is_unsigned(t), x, y);
	case OP_SHR:
		return lw_bin(lw, is_unsigned(t) ? IR_LSHR : IR_ASHR, x, y);
	default:
		return lw_bin(lw, ops[op], x, y);
	}
}

static struct val connective(struct lw *lw, const struct expr *e)
{
	return scalar(short_circuit(lw, e), e->type);
}

static struct val binary(struct lw *lw, const struct expr *e)
{
	bool px = is_address(e->x->type), py = is_address(e->y->type);
	struct ir_ins *b;
	struct val x, y;

	switch (e->op) {
	case OP_LAND:
	case OP_LOR:
		return lw_branched(lw, e, connective);
	case OP_COMMA:
		lw_stmt(lw, e->x);
		return lw_expr(lw, e->y);
	case OP_LXOR:
		b = lw_bool(lw, e->x);
		return scalar(lw_bin(lw, IR_XOR, b, lw_bool(lw, e->y)), e->type);
	default:
		break;
	}
	if (is_null_test(e))
		return scalar(
		    compare(lw, e->op, string_or_null(lw, e->x), string_or_null(lw, e->y), true),
		    e->type);
	if (is_stackcmp(e))
		return scalar(compare(lw, e->op, stackcmp(lw, e), lw_const(lw, 0), true), e->type);
	if (is_strcmp(e))
		return scalar(compare(lw, e->op, lw_strcmp(lw, e->x, e->y), lw_const(lw, 0), false),
			      e->type);
	x = lw_expr(lw, e->x);
	y = lw_expr(lw, e->y);
	if (e->op >= OP_EQ && e->op <= OP_GE)
		return scalar(compare(lw, e->op, lw_flat(lw, x), lw_flat(lw, y),
				      compares_unsigned(lw, e->x->type, e->y->type)),
			      e->type);
	if (e->op == OP_SUB && px && py)
		return scalar(lw_bini(lw, IR_SDIV,
				      lw_bin(lw, IR_SUB, lw_number(lw, x), lw_number(lw, y)),
				      (int64_t)elem_size(lw->plan, e->x->type)),
			      e->type);
	if ((e->op == OP_ADD || e->op == OP_SUB) && px)
		return pointer_add(lw, e->op == OP_ADD ? IR_ADD : IR_SUB, x, y.v, e->type);
	if (e->op == OP_ADD && py)
		return pointer_add(lw, IR_ADD, y, x.v, e->type);
	b = lw_number(lw, x);
	return scalar(lw_arith(lw, e->op, e->type, b, lw_number(lw, y)), e->type);
}

/* Returns the number of elements in the program's memory at p; 0: unknown. */
static uint64_t elements(struct lw *lw, const struct expr *x, struct val p)
{
	const struct type *t = type_base(x->type);

	if (p.place != PLACE_SAFE)
		return 0;
	if (t->kind == TYPE_ARRAY)
		return t->nelem;
	if (t->kind == TYPE_STRING && (x->kind == EXPR_MEMBER || x->kind == EXPR_INDEX ||
				       (x->kind == EXPR_IDENT && (x->ident->kind == IDENT_GLOBAL ||
								  x->ident->kind == IDENT_SELF ||
								  x->ident->kind == IDENT_THIS))))
		return plan_str_room(lw->plan, x);
	return 0;
}

/*
 * Returns the address of an element of a C array or pointer.  In the program's memory the index is
 * checked against the array's size (the fault reports it), and the result stays there.  Elsewhere
 * the result is just an address.  This includes strings that are no variables, since they may have
 * less memory than strsize.
 */
static struct val index_addr(struct lw *lw, const struct expr *e)
{
	const struct type *xt = type_base(e->x->type);
	uint64_t size = plan_type_size(lw->plan, e->type), n;
	struct val p = lw_expr(lw, e->x);
	bool is_const = e->args[0]->kind == EXPR_INT;
	struct ir_ins *i;

	n = elements(lw, e->x, p);
	if (is_const && !p.found && (n ? e->args[0]->val < n : p.place != PLACE_SAFE)) {
		if (xt->kind == TYPE_PTR)
			p = lw_deref(lw, p, e->type);
		p.off += (int64_t)(e->args[0]->val * size);
		return p;
	}
	i = lw_scalar(lw, e->args[0]);
	if (p.found)
		lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, p.found, ir_const(&lw->b, 0)),
			    ABI_FLT_BADADDR, i);
	if (n || xt->kind == TYPE_STRING)
		lw_fault_if(lw,
			    ir_bin(&lw->b, IR_ULE,
				   ir_const(&lw->b, (int64_t)(n ? n : lw->plan->opt.strsize)), i),
			    ABI_FLT_BADADDR, i);
	/* The only valid index.  The verifier may not deduce it from a comparison with 0. */
	if (n == 1)
		i = lw_const(lw, 0);
	p.v = ir_bin(&lw->b, IR_ADD, n ? lw_flat(lw, p) : movable(lw, p, i),
		     ir_bin(&lw->b, IR_MUL, i, ir_const(&lw->b, (int64_t)size)));
	p.off = 0;
	if (!n && p.place != PLACE_USER)
		p.place = PLACE_SCALAR;
	return p;
}

/* Returns the address of a kernel symbol.  For a per-CPU variable it is this CPU's. */
static struct ir_ins *symbol_addr(struct lw *lw, const struct ident *id)
{
	struct ir_ins *addr = lw_const(lw, (int64_t)id->addr), *at;
	struct type *t = type_int(lw->plan->env.types, 8, false);
	struct kern_sym offsets;

	if (!id->is_percpu ||
	    !kern_sym_by_name(lw->plan->env.kern, NULL, "__per_cpu_offset", &offsets))
		return addr;
	at = lw_bini(lw, IR_SHL, lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id), 3);
	at = lw_bin(lw, IR_ADD, lw_const(lw, (int64_t)offsets.addr), at);
	return lw_bin(lw, IR_ADD, addr, lw_load(lw, scalar(at, t), t, 0, 0).v);
}

/* Moves an address to the virtual base class that has a member. */
static struct val to_base(struct lw *lw, struct val a, const struct type_step *steps)
{
	struct type *word = type_int(lw->plan->env.types, 8, false);

	for (const struct type_step *s = steps; s; s = s->next) {
		struct val table;

		a.off += (int64_t)s->off;
		table = lw_load(lw, a, word, 0, 0);
		table.place = PLACE_USER;
		table.off = -(int64_t)s->before_table;
		a.v = lw_bin(lw, IR_ADD, lw_flat(lw, a), lw_load(lw, table, word, 0, 0).v);
		a.off = 0;
		a.sou = NULL;
	}
	return a;
}

/* Returns the address of a by-reference value or of an lvalue in memory. */
struct val lw_addr(struct lw *lw, const struct expr *e)
{
	const struct plan *plan = lw->plan;
	struct val a;

	switch (e->kind) {
	case EXPR_UNARY:
		assert(e->op == OP_DEREF);
		a = lw_deref(lw, lw_expr(lw, e->x), e->type);
		break;
	case EXPR_MEMBER:
		if (e->xmember)
			return lw_in_xlator(lw, e, lw_addr);
		if (e->is_arrow) {
			struct type *pt = type_resolve(plan->env.types, e->x->type);

			a = lw_deref(lw, lw_expr(lw, e->x), type_resolve(plan->env.types, pt->to));
		} else {
			a = lw_addr(lw, e->x);
		}
		a = to_base(lw, a, e->steps);
		a.off += (int64_t)(e->bit_off / 8);
		break;
	case EXPR_INDEX:
		if (e->ident && e->ident->is_assoc)
			return lw_var_read(lw, e);
		if (e->is_native_arg)
			return lw_arg(lw, (unsigned int)e->val, e->type);
		if (e->ident && e->ident->kind == IDENT_INLINE)
			a = type_is_string(e->type) ? str_val(lw, e) : lw_inline(lw, e);
		else
			a = index_addr(lw, e);
		break;
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_PARAM)
			return lw_in_binding(lw, e, lw_addr);
		if (e->ident->kind == IDENT_KSYM) {
			a = scalar(symbol_addr(lw, e->ident), e->type);
			break;
		}
		if (e->ident->kind == IDENT_INLINE)
			return lw_addr(lw, e->ident->expr);
		return lw_var_read(lw, e);
	case EXPR_CAST:
		a = lw_addr(lw, e->x);
		break;
	default:
		a = lw_expr(lw, e);
		break;
	}
	a.type = e->type;
	a.sou = type_is_sou(e->type) ? type_resolve(plan->env.types, e->type) : NULL;
	return a;
}

/* Lowers ++ and --. */
static struct val step(struct lw *lw, const struct expr *e)
{
	bool inc = e->op == OP_PREINC || e->op == OP_POSTINC;
	bool post = e->op == OP_POSTINC || e->op == OP_POSTDEC;
	int64_t by = is_address(e->type) ? (int64_t)elem_size(lw->plan, e->type) : 1;
	struct lvalue x = lw_lvalue(lw, e->x);
	struct ir_ins *old = lw_lvalue_read(lw, &x), *new;

	new = ir_bin(&lw->b, inc ? IR_ADD : IR_SUB, old, ir_const(&lw->b, by));
	new = lw_stored(lw, new, e->x);
	lw_lvalue_write(lw, &x, new);
	return scalar(post ? old : new, e->type);
}

/* Returns true for a constant index outside of the array.  Taking its address is no access. */
static bool is_outside(const struct expr *e)
{
	const struct type *t = e->kind == EXPR_INDEX && !e->ident ? type_base(e->x->type) : NULL;

	return t && t->kind == TYPE_ARRAY && e->args[0]->kind == EXPR_INT &&
	       e->args[0]->val >= t->nelem;
}

static struct val unary(struct lw *lw, const struct expr *e)
{
	struct val a;

	switch (e->op) {
	case OP_NEG:
		return scalar(lw_un(lw, IR_NEG, lw_number(lw, lw_expr(lw, e->x))), e->type);
	case OP_BITNOT:
		return scalar(lw_un(lw, IR_NOT, lw_number(lw, lw_expr(lw, e->x))), e->type);
	case OP_PLUS:
		return lw_expr(lw, e->x);
	case OP_NOT:
		return scalar(lw_bini(lw, IR_EQ, lw_bool(lw, e->x), 0), e->type);
	case OP_ADDROF:
		if (is_outside(e->x))
			return pointer_add(lw, IR_ADD, lw_addr(lw, e->x->x),
					   lw_scalar(lw, e->x->args[0]), e->type);
		a = lw_addr(lw, e->x);
		/*
		 * The address of a part of an element, or of the zeros of a missing one, is
		 * read-only.
		 */
		if (a.place == PLACE_SAFE && a.mem == IR_MEM_ANY)
			return scalar(lw_kept(lw, a), e->type);
		if (a.place == PLACE_BTF)
			a.btf_off += (uint64_t)a.off;
		a.v = lw_flat(lw, a);
		a.off = 0;
		a.type = e->type;
		return a;
	case OP_DEREF:
		a = lw_addr(lw, e);
		return type_is_scalar(e->type) ? lw_load(lw, a, e->type, 0, 0) : a;
	default:
		return step(lw, e);
	}
}

static struct val conditional(struct lw *lw, const struct expr *e)
{
	struct ir_block *yes = lw_block(lw), *no = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	struct val y, z, r;

	lw_if(lw, lw_bool(lw, e->x), yes, no);
	lw_seal_at(lw, yes);
	mark = lw_push(lw);
	y = lw_expr(lw, e->y);
	ir_var_write(&lw->b, var, lw_kept(lw, y));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, no);
	z = lw_expr(lw, e->z);
	ir_var_write(&lw->b, var, lw_kept(lw, z));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	r = scalar(ir_var_read(&lw->b, var), e->type);
	if (y.place == PLACE_BTF || z.place == PLACE_BTF)
		r.place = PLACE_BTF;
	return r;
}

/*
 * Returns true if a pointer of the new type needs no more memory than one of the old type, or an
 * array.  Not so for strings: they may have fewer bytes, and some are read-only.
 */
static bool is_inside(struct lw *lw, const struct type *to, const struct type *from)
{
	const struct type *x = type_base(from);

	if (x->kind == TYPE_PTR)
		x = type_base(x->to);
	return x->kind != TYPE_STRING &&
	       plan_type_size(lw->plan, to) <= plan_type_size(lw->plan, x);
}

static struct val cast(struct lw *lw, const struct expr *e)
{
	const struct type *to = type_base(e->type);
	struct val v;

	if (to->kind == TYPE_VOID) {
		lw_stmt(lw, e->x);
		return scalar(lw_const(lw, 0), e->type);
	}
	if (type_is_string(e->x->type) || (type_base(e->x->type)->kind == TYPE_ARRAY)) {
		v = type_is_string(e->x->type) ? lw_expr(lw, e->x) : lw_addr(lw, e->x);
		v.v = lw_flat(lw, v);
		v.off = 0;
		if (v.found)
			return scalar(address(lw, v), e->type);
	} else {
		v = lw_expr(lw, e->x);
	}
	v.type = e->type;
	if (to->kind == TYPE_PTR) {
		if (to->is_userland)
			v.place = PLACE_USER;
		return v.place == PLACE_SAFE && !is_inside(lw, to->to, e->x->type)
			   ? scalar(lw_kept(lw, v), e->type)
			   : v;
	}
	if (to->size == 8)
		return v.place == PLACE_SAFE ? scalar(lw_kept(lw, v), e->type) : v;
	return scalar(lw_norm(lw, lw_number(lw, v), e->type), e->type);
}

static struct val call(struct lw *lw, const struct expr *e)
{
	const struct builtin_func *f = e->ident->row->impl;

	if (type_is_string(e->type))
		return str_val(lw, e);
	if (type_is_stack(e->type))
		return lw_stack_value(lw, e);
	assert(f->call);
	return f->call(lw, e);
}

/*
 * Returns the address of a variable of the traced process.  In other processes, where something
 * else may be at the address, returns NULL.
 */
static struct val object_addr(struct lw *lw, const struct expr *e)
{
	struct ir_ins *is_own = lw_bini(lw, IR_EQ, lw_own_pid(lw), e->ident->pid);
	struct ir_ins *mask = lw_bin(lw, IR_SUB, lw_const(lw, 0), is_own);
	struct val v = scalar(lw_bini(lw, IR_AND, mask, (int64_t)e->ident->addr), e->type);

	v.place = PLACE_USER;
	return v;
}

static struct val ident(struct lw *lw, const struct expr *e)
{
	struct ident *id = e->ident;

	switch (id->kind) {
	case IDENT_BUILTIN:
		if (type_is_string(e->type))
			return str_val(lw, e);
		return ((const struct builtin_var *)id->row->impl)->read(lw, e);
	case IDENT_PARAM:
		return lw_in_binding(lw, e, lw_expr);
	case IDENT_INLINE:
		return lw_expr(lw, id->expr);
	case IDENT_USYM:
		return object_addr(lw, e);
	case IDENT_KSYM:
		if (type_is_scalar(e->type))
			return lw_load(lw, lw_addr(lw, e), e->type, 0, 0);
		return lw_addr(lw, e);
	default:
		return lw_var_read(lw, e);
	}
}

static struct val index_expr(struct lw *lw, const struct expr *e)
{
	struct val a;

	if (e->is_native_arg)
		return lw_arg(lw, (unsigned int)e->val, e->type);
	if (e->ident && e->ident->kind == IDENT_INLINE)
		return lw_inline(lw, e);
	if (e->ident && e->ident->is_assoc)
		return lw_var_read(lw, e);
	if (e->ident && e->ident->kind == IDENT_BUILTIN)
		return ((const struct builtin_var *)e->ident->row->impl)->read(lw, e);
	a = lw_addr(lw, e);
	return type_is_scalar(e->type) ? lw_load(lw, a, e->type, 0, 0) : a;
}

static struct val member(struct lw *lw, const struct expr *e)
{
	struct val a;

	if (e->xmember)
		return lw_in_xlator(lw, e, lw_expr);
	if (!type_is_scalar(e->type))
		return lw_addr(lw, e);
	if (e->is_arrow) {
		struct type *pt = type_resolve(lw->plan->env.types, e->x->type);
		struct type *sou = type_resolve(lw->plan->env.types, pt->to);

		a = lw_deref(lw, lw_expr(lw, e->x), sou);
		a.sou = sou;
	} else {
		a = lw_addr(lw, e->x);
	}
	a = to_base(lw, a, e->steps);
	return lw_load(lw, a, e->type, e->bit_off, e->bits);
}

struct val lw_expr(struct lw *lw, const struct expr *e)
{
	if (e->loc.line)
		lw->b.loc = e->loc;
	switch (e->kind) {
	case EXPR_INT:
		return scalar(lw_const(lw, (int64_t)e->val), e->type);
	case EXPR_STR:
	case EXPR_STRINGOF:
		return str_val(lw, e);
	case EXPR_IDENT:
		return ident(lw, e);
	case EXPR_UNARY:
		return unary(lw, e);
	case EXPR_BINARY:
		return binary(lw, e);
	case EXPR_ASSIGN:
		lw_assign(lw, e);
		return type_is_scalar(e->type) ? scalar(lw->clause.assigned, e->type)
					       : lw_addr(lw, e->x);
	case EXPR_COND:
		return type_is_string(e->type) ? str_val(lw, e) : lw_branched(lw, e, conditional);
	case EXPR_CALL:
		return call(lw, e);
	case EXPR_MEMBER:
		return member(lw, e);
	case EXPR_INDEX:
		return index_expr(lw, e);
	case EXPR_CAST:
		return cast(lw, e);
	case EXPR_XLATE:
		return lw_expr(lw, e->xsrc);
	case EXPR_AGG:
	case EXPR_SIZEOF:
	case EXPR_OFFSETOF:
		break;
	}
	assert(!"expression without a value");
	return scalar(lw_const(lw, 0), e->type);
}

struct ir_ins *lw_scalar(struct lw *lw, const struct expr *e)
{
	return lw_flat(lw, lw_expr(lw, e));
}
