/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_op.c: operators (man/d.7, "Types of expressions").
 *
 * Arithmetic has no promotion to int: the operand of higher rank decides the type.  A cast is
 * inserted if that changes the bits of the other operand (a negative int beside an unsigned).  The
 * lowering therefore takes both operands as they are.  Constants are folded in 64 bits.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "lang/priv.h"

static bool is_op_assign(const struct expr *e)
{
	return e->kind == EXPR_ASSIGN && e->op != OP_NONE;
}

static bool wrong(struct check *ck, struct expr *e, enum diag_tag tag, const char *want)
{
	return diag(ck->l->diags, e->loc, tag, "operator %s%s requires %s", ast_op(e->op),
		    is_op_assign(e) ? "=" : "", want);
}

static bool incompatible(struct check *ck, struct expr *e)
{
	return diag(ck->l->diags, e->loc, D_OP_INCOMPAT,
		    "operands have incompatible types: \"%s\" %s%s \"%s\"",
		    lang_type(ck->l, e->x->type), ast_op(e->op), is_op_assign(e) ? "=" : "",
		    lang_type(ck->l, e->y->type));
}

static bool is_float(const struct type *t)
{
	return type_base(t)->kind == TYPE_FLOAT;
}

static bool is_func_or_void_ptr(const struct type *t)
{
	const struct type *to;

	t = type_base(t);
	if (t->kind != TYPE_PTR)
		return false;
	to = type_base(t->to);
	return to->kind == TYPE_VOID || to->kind == TYPE_FUNC;
}

/* ---- unary ---- */

/* Gives a variable without a type int64_t, the type of operands. */
static void give_int64(struct check *ck, struct expr *x, bool globals_too)
{
	struct lang *l = ck->l;
	int scope = x->is_self ? SCOPE_SELF : x->is_this ? SCOPE_THIS : SCOPE_GLOBAL;
	struct ident *id;

	if (x->kind != EXPR_IDENT || (scope == SCOPE_GLOBAL && !globals_too))
		return;
	id = names_find(l, scope, x->name);
	if (!id)
		id = names_add(l,
			       x->is_self   ? IDENT_SELF
			       : x->is_this ? IDENT_THIS
					    : IDENT_GLOBAL,
			       x->name, x->loc);
	if (!id->type && !id->is_assoc)
		id->type = type_lookup(l->types, "int64_t");
}

static bool check_lvalue(struct check *ck, struct expr *e, struct expr *x)
{
	if (!x->is_lvalue)
		return wrong(ck, e, D_OP_LVAL, "a modifiable lvalue as its operand");
	if (!x->is_writable)
		return wrong(ck, e, D_OP_WRITE, "a writable variable as its operand");
	return true;
}

/* Checks the operand.  If x[k] is of a new array, creates the array with elements of int64_t. */
static bool check_operated(struct check *ck, struct expr *x, bool globals_too)
{
	struct expr zero = {.kind = EXPR_INT, .loc = x->loc};

	if (x->kind == EXPR_INDEX) {
		zero.type = type_lookup(ck->l->types, "int64_t");
		return check_assign_target(ck, x, &zero);
	}
	give_int64(ck, x, globals_too);
	return check_operand(ck, x);
}

/* Checks ++ and --. */
static bool check_step(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;

	if (!check_operated(ck, x, true))
		return false;
	if (!type_is_scalar(x->type))
		return wrong(ck, e, D_OP_SCALAR, "an operand of scalar type");
	if (is_func_or_void_ptr(x->type))
		return wrong(ck, e, D_OP_VFPTR,
			     "an operand that points to something of known size");
	e->type = x->type;
	return check_lvalue(ck, e, x);
}

/* Returns true if an lvalue lies in memory of the process, through a userland pointer. */
static bool is_in_process(const struct expr *x)
{
	while ((x->kind == EXPR_MEMBER && !x->is_arrow) ||
	       (x->kind == EXPR_INDEX && type_is_array(x->x->type)))
		x = x->x;
	return (x->kind == EXPR_MEMBER || x->kind == EXPR_INDEX || x->kind == EXPR_UNARY) &&
	       type_base(x->x->type)->is_userland;
}

void check_pointee(struct check *ck, struct expr *e)
{
	if (type_is_pointer(e->type) && is_in_process(e))
		e->type = type_userland(ck->l->types, e->type);
}

static bool check_addrof(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;

	if (x->kind == EXPR_AGG)
		return wrong(ck, e, D_ADDROF_VAR, "an operand that is not a D variable");
	ck->addressed = x;
	if (!check_expr(ck, x))
		return false;
	if (x->xlator || x->is_native_arg ||
	    (x->ident && x->ident->kind != IDENT_KSYM &&
	     (x->kind == EXPR_IDENT ||
	      (x->kind == EXPR_INDEX && (x->ident->is_assoc || x->ident->kind == IDENT_BUILTIN)))))
		return wrong(ck, e, D_ADDROF_VAR, "an operand that is not a D variable");
	if (x->kind == EXPR_MEMBER && x->bits)
		return wrong(ck, e, D_ADDROF_BITFIELD, "an operand that is not a bit-field");
	if (!x->is_lvalue)
		return wrong(ck, e, D_ADDROF_LVAL, "an lvalue as its operand");
	e->type = type_ptr(ck->l->types, x->type);
	if (is_in_process(x))
		e->type = type_userland(ck->l->types, e->type);
	return true;
}

/* A string is an array of characters: *s is s[0]. */
static bool first_character(struct check *ck, struct expr *e)
{
	e->kind = EXPR_INDEX;
	e->nargs = 1;
	e->args = arena_new_arr(ck->l->arena, struct expr *, 1);
	e->args[0] = expr_int(ck->l, e->loc, 0, type_int(ck->l->types, 4, true));
	return check_expr(ck, e);
}

static bool check_deref(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;
	const struct type *t, *to;

	give_int64(ck, x, false);
	if (!check_expr(ck, x))
		return false;
	t = type_base(x->type);
	if (t->kind == TYPE_STRING)
		return first_character(ck, e);
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY)
		return diag(ck->l->diags, e->loc, D_DEREF_NONPTR,
			    "cannot dereference a value that is not a pointer: %s",
			    lang_type(ck->l, x->type));
	to = type_base(t->to);
	if (to->kind == TYPE_VOID)
		return diag(ck->l->diags, e->loc, D_DEREF_VOID,
			    "cannot dereference a pointer to void");
	if (to->kind == TYPE_FUNC)
		return diag(ck->l->diags, e->loc, D_DEREF_FUNC,
			    "cannot dereference a pointer to a function");
	e->type = t->to;
	e->xlator = x->xlator;
	e->xsrc = x->xsrc;
	e->is_lvalue = e->is_writable = !x->xlator;
	check_pointee(ck, e);
	return true;
}

static bool fold_unary(struct expr *e)
{
	uint64_t v = e->x->val;

	switch (e->op) {
	case OP_NEG:
		v = -v;
		break;
	case OP_BITNOT:
		v = ~v;
		break;
	case OP_NOT:
		v = !v;
		break;
	default:
		assert(e->op == OP_PLUS);
		break;
	}
	check_set_int(e, v, e->type);
	return true;
}

bool check_unary(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;

	switch (e->op) {
	case OP_PREINC:
	case OP_PREDEC:
	case OP_POSTINC:
	case OP_POSTDEC:
		return check_step(ck, e);
	case OP_ADDROF:
		return check_addrof(ck, e);
	case OP_DEREF:
		return check_deref(ck, e);
	default:
		break;
	}
	if (!check_operated(ck, x, false))
		return false;
	e->type = x->type;
	switch (e->op) {
	case OP_NOT:
		if (!check_is_truth(x->type))
			return wrong(ck, e, D_OP_SCALAR, "an operand of scalar type");
		e->type = type_int(ck->l->types, 4, true);
		break;
	case OP_BITNOT:
		if (!type_is_integer(x->type))
			return wrong(ck, e, D_OP_INT, "an operand of integral type");
		break;
	default:
		if (!type_is_integer(x->type))
			return wrong(ck, e, D_OP_ARITH, "an operand of arithmetic type");
		break;
	}
	return x->kind == EXPR_INT ? fold_unary(e) : true;
}

/* ---- binary ---- */

static uint64_t shift_right(uint64_t x, uint64_t n, bool is_unsigned)
{
	n &= 63;
	return is_unsigned ? x >> n : (uint64_t)((int64_t)x >> n);
}

static uint64_t divide(uint64_t x, uint64_t y, bool is_unsigned, bool is_mod)
{
	if (is_unsigned)
		return is_mod ? x % y : x / y;
	return (uint64_t)(is_mod ? (int64_t)x % (int64_t)y : (int64_t)x / (int64_t)y);
}

static bool less(uint64_t x, uint64_t y, bool is_unsigned)
{
	return is_unsigned ? x < y : (int64_t)x < (int64_t)y;
}

static bool fold_compare(enum expr_op op, uint64_t x, uint64_t y, bool is_unsigned)
{
	switch (op) {
	case OP_EQ:
		return x == y;
	case OP_NE:
		return x != y;
	case OP_LT:
		return less(x, y, is_unsigned);
	case OP_LE:
		return !less(y, x, is_unsigned);
	case OP_GT:
		return less(y, x, is_unsigned);
	default:
		assert(op == OP_GE);
		return !less(x, y, is_unsigned);
	}
}

/* Both operands are constants, t is their common type, and e->type is known. */
static void fold_binary(struct expr *e, const struct type *t)
{
	uint64_t x = e->x->val, y = e->y->val, v = 0;

	switch (e->op) {
	case OP_ADD:
		v = x + y;
		break;
	case OP_SUB:
		v = x - y;
		break;
	case OP_MUL:
		v = x * y;
		break;
	case OP_DIV:
	case OP_MOD:
		v = divide(x, y, type_is_unsigned(e->type), e->op == OP_MOD);
		break;
	case OP_AND:
		v = x & y;
		break;
	case OP_OR:
		v = x | y;
		break;
	case OP_XOR:
		v = x ^ y;
		break;
	case OP_SHL:
		v = x << (y & 63);
		break;
	case OP_SHR:
		v = shift_right(x, y, type_is_unsigned(e->type));
		break;
	case OP_LAND:
		v = x && y;
		break;
	case OP_LOR:
		v = x || y;
		break;
	case OP_LXOR:
		v = !x != !y;
		break;
	default:
		v = fold_compare(e->op, x, y, type_is_unsigned(t));
	}
	check_set_int(e, v, e->type);
}

/* INT64_MIN / -1 is not folded: it faults at run time. */
static bool overflows(const struct expr *e)
{
	return (e->op == OP_DIV || e->op == OP_MOD) && !type_is_unsigned(e->type) &&
	       e->x->val == 1ULL << 63 && e->y->val == ~0ULL;
}

static void fold(struct expr *e, const struct type *t)
{
	if (e->x->kind == EXPR_INT && e->y->kind == EXPR_INT && !overflows(e))
		fold_binary(e, t);
}

static bool check_arith(struct check *ck, struct expr *e, enum diag_tag tag, const char *want)
{
	if (!type_is_integer(e->x->type) || !type_is_integer(e->y->type))
		return wrong(ck, e, tag, want);
	if ((e->op == OP_DIV || e->op == OP_MOD) && e->y->kind == EXPR_INT && e->y->val == 0)
		return diag(ck->l->diags, e->loc, D_DIV_ZERO,
			    "expression contains division by zero");
	if (e->op == OP_SHL || e->op == OP_SHR)
		e->type = e->x->type;
	else
		e->type = type_promote(ck->l->types, e->x->type, e->y->type);
	fold(e, e->type);
	return true;
}

/* Returns the type for pointer arithmetic: arrays and strings are pointers. */
static struct type *as_pointer(struct check *ck, struct type *t)
{
	struct types *ts = ck->l->types;
	const struct type *b = type_base(t);

	if (b->kind == TYPE_ARRAY)
		return type_ptr(ts, b->to);
	if (b->kind == TYPE_STRING)
		return type_ptr(ts, type_int(ts, 1, true));
	return t;
}

static bool check_add(struct check *ck, struct expr *e)
{
	struct type *x = as_pointer(ck, e->x->type), *y = as_pointer(ck, e->y->type);
	bool px = type_is_pointer(x), py = type_is_pointer(y);

	if ((type_is_integer(x) && type_is_integer(y)) || is_float(x) || is_float(y))
		return check_arith(ck, e, D_OP_ARITH, "operands of integer type");
	if ((px && is_func_or_void_ptr(x)) || (py && is_func_or_void_ptr(y)))
		return incompatible(ck, e);
	if (px && py && e->op == OP_SUB && type_compatible(ck->l->types, x, y)) {
		e->type = type_lookup(ck->l->types, "ptrdiff_t");
		return true;
	}
	if (px && type_is_integer(y))
		e->type = x;
	else if (py && type_is_integer(x) && e->op == OP_ADD)
		e->type = y;
	else
		return incompatible(ck, e);
	/* The rest of a string is a string. */
	if (e->op == OP_ADD && type_is_string(px ? e->x->type : e->y->type))
		e->type = px ? e->x->type : e->y->type;
	return true;
}

/* If x is an enum and y the bare name of one of its enumerators, y becomes the constant. */
static bool match_enumerator(struct check *ck, struct expr *x, struct expr *y, bool *done)
{
	struct lang *l = ck->l;
	struct type *t;

	*done = false;
	if (y->kind != EXPR_IDENT || y->is_self || y->is_this)
		return true;
	t = type_resolve(l->types, x->type);
	if (t->kind != TYPE_ENUM)
		return true;
	for (unsigned int i = 0; i < t->nenums; i++) {
		struct ident *id;

		if (t->enums[i].name != y->name)
			continue;
		id = names_find(l, SCOPE_GLOBAL, y->name);
		if (id && id->kind != IDENT_ENUM && id->kind != IDENT_INLINE)
			return diag(l->diags, y->loc, D_IDENT_AMBIG,
				    "%s is an enumerator of %s and also %s", y->name,
				    lang_type(l, x->type), names_kind(id));
		check_set_int(y, (uint64_t)t->enums[i].value, x->type);
		*done = true;
	}
	return true;
}

static bool is_bare_name(const struct expr *e)
{
	return e->kind == EXPR_IDENT && !e->is_self && !e->is_this;
}

/* Checks both sides.  A bare name may be an enumerator of the other side's type. */
static bool check_compare_sides(struct check *ck, struct expr *e)
{
	struct expr *first = e->x, *second = e->y;
	bool done;

	if (is_bare_name(first) &&
	    (!is_bare_name(second) || !names_find(ck->l, SCOPE_GLOBAL, first->name))) {
		first = e->y;
		second = e->x;
	}
	return check_operand(ck, first) && match_enumerator(ck, first, second, &done) &&
	       (done || check_operand(ck, second));
}

/* Stacks have no order. */
static bool compares_stacks(const struct expr *e)
{
	bool x = type_is_stack(e->x->type), y = type_is_stack(e->y->type);

	return (e->op == OP_EQ || e->op == OP_NE) &&
	       ((x && y) || (x && check_is_zero(e->y)) || (y && check_is_zero(e->x)));
}

static bool check_compare(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *x, *y;

	if (!check_compare_sides(ck, e))
		return false;
	x = e->x->type;
	y = e->y->type;
	e->type = type_int(l->types, 4, true);
	if (type_is_integer(x) && type_is_integer(y)) {
		fold(e, type_promote(l->types, x, y));
		return true;
	}
	if (type_is_stringlike(x) && type_is_stringlike(y) &&
	    (type_is_string(x) || type_is_string(y)))
		return true;
	if (type_is_array(x))
		x = as_pointer(ck, x);
	if (type_is_array(y))
		y = as_pointer(ck, y);
	if ((type_is_pointer(x) && (check_is_zero(e->y) || type_compatible(l->types, x, y))) ||
	    (type_is_pointer(y) && check_is_zero(e->x)))
		return true;
	return (type_is_string(x) && check_is_zero(e->y)) ||
	       (type_is_string(y) && check_is_zero(e->x)) || compares_stacks(e) ||
	       incompatible(ck, e);
}

static bool check_logic(struct check *ck, struct expr *e)
{
	if (!check_is_truth(e->x->type) || !check_is_truth(e->y->type))
		return wrong(ck, e, D_OP_SCALAR, "operands of scalar type");
	e->type = type_int(ck->l->types, 4, true);
	fold(e, e->type);
	return true;
}

/* An assignment to an aggregation must be a whole statement: lowering relies on it. */
static bool is_agg_assign(const struct expr *x)
{
	return x->kind == EXPR_ASSIGN && x->x->kind == EXPR_AGG;
}

/* Checks an operand of the comma or a branch of ?:. */
static bool check_branch(struct check *ck, struct expr *x, const char *op)
{
	if (check_is_action(x))
		return diag(ck->l->diags, x->loc, D_OP_ACT,
			    "operator %s may not have an action as its operand: %s( )", op,
			    x->name);
	if (type_is_dyn(x->type) || (x->xlator && type_is_pointer(x->type)) || is_agg_assign(x))
		return diag(ck->l->diags, x->loc, D_OP_DYN,
			    "operator %s may not have a translated object or aggregation as its "
			    "operand",
			    op);
	return true;
}

static bool check_comma(struct check *ck, struct expr *e)
{
	if (!check_expr(ck, e->x) || !check_expr(ck, e->y) || !check_branch(ck, e->x, ",") ||
	    !check_branch(ck, e->y, ","))
		return false;
	e->type = e->y->type;
	return true;
}

bool check_binary(struct check *ck, struct expr *e)
{
	if (e->op == OP_COMMA)
		return check_comma(ck, e);
	if (e->op >= OP_EQ && e->op <= OP_GE)
		return check_compare(ck, e);
	if (!check_operand(ck, e->x) || !check_operand(ck, e->y))
		return false;
	switch (e->op) {
	case OP_ADD:
	case OP_SUB:
		return check_add(ck, e);
	case OP_MUL:
	case OP_DIV:
		return check_arith(ck, e, D_OP_ARITH, "operands of arithmetic type");
	case OP_LAND:
	case OP_LOR:
	case OP_LXOR:
		return check_logic(ck, e);
	default:
		return check_arith(ck, e, D_OP_INT, "operands of integral type");
	}
}

/* ---- ?: ---- */

static bool cond_type(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *y = e->y->type, *z = e->z->type;

	if (type_is_integer(y) && type_is_integer(z)) {
		e->type = type_promote(l->types, y, z);
		return true;
	}
	if (type_is_stringlike(y) && type_is_stringlike(z) &&
	    (type_is_string(y) || type_is_string(z)))
		e->type = type_string(l->types);
	else if (type_is_string(y) && check_is_zero(e->z))
		e->type = y;
	else if (type_is_string(z) && check_is_zero(e->y))
		e->type = z;
	else if (type_is_pointer(y) && (check_is_zero(e->z) || type_compatible(l->types, y, z)))
		e->type = y;
	else if (type_is_pointer(z) && check_is_zero(e->y))
		e->type = z;
	else if (type_base(y) == type_base(z) || type_compatible(l->types, y, z))
		e->type = y;
	else
		return diag(l->diags, e->loc, D_OP_INCOMPAT,
			    "branches of ?: have incompatible types: \"%s\" : \"%s\"",
			    lang_type(l, y), lang_type(l, z));
	return true;
}

/*
 * A constant condition chooses a branch, and the other is not checked.  Published scripts switch
 * actions this way: inline int OPT_time = 1; ... OPT_time ? printf("%d ", timestamp) : 1;
 */
static bool check_chosen(struct check *ck, struct expr *e)
{
	struct expr *chosen = e->x->val ? e->y : e->z;

	if (!check_expr(ck, chosen))
		return false;
	*e = *chosen;
	return true;
}

bool check_cond(struct check *ck, struct expr *e)
{
	if (!check_operand(ck, e->x))
		return false;
	if (!check_is_truth(e->x->type))
		return diag(ck->l->diags, e->loc, D_OP_SCALAR,
			    "the condition of ?: must be of scalar type");
	if (e->x->kind == EXPR_INT)
		return check_chosen(ck, e);
	return check_expr(ck, e->y) && check_expr(ck, e->z) && check_branch(ck, e->y, "?:") &&
	       check_branch(ck, e->z, "?:") && cond_type(ck, e);
}

/* ---- assignment ---- */

/* Assigning 0 to a structure (thread-local or element) deletes it, and empties a stack. */
static bool is_deletion(const struct expr *e)
{
	const struct ident *id = e->x->ident;

	if (type_is_stack(e->x->type))
		return check_is_zero(e->y);
	return type_is_sou(e->x->type) && check_is_zero(e->y) && id && e->x->kind != EXPR_MEMBER &&
	       (id->kind == IDENT_SELF || id->is_assoc);
}

static bool assign_compatible(struct check *ck, struct expr *e)
{
	struct types *ts = ck->l->types;
	struct type *x = e->x->type, *y = e->y->type;

	if (type_is_string(x))
		return type_is_stringlike(y) || check_is_zero(e->y);
	if (type_is_pointer(x)) {
		if (check_is_zero(e->y))
			return true;
		if (type_is_string(y))
			return type_is_stringlike(x);
		if (type_is_array(y))
			y = as_pointer(ck, y);
	}
	return (type_compatible(ts, x, y) && !type_is_void(x)) || is_deletion(e);
}

static bool check_op_assign(struct check *ck, struct expr *e)
{
	struct type *x = e->x->type, *y = e->y->type;
	bool both_int = type_is_integer(x) && type_is_integer(y);

	switch (e->op) {
	case OP_ADD:
	case OP_SUB:
		if (both_int)
			return true;
		if (type_is_string(x) || type_is_string(y))
			return incompatible(ck, e);
		if (!type_is_pointer(x) || is_func_or_void_ptr(x))
			return wrong(ck, e, D_OP_VFPTR,
				     "an operand that points to something of known size");
		return type_is_integer(y) || incompatible(ck, e);
	case OP_MUL:
	case OP_DIV:
		if (!both_int)
			return wrong(ck, e, D_OP_ARITH, "operands of arithmetic type");
		break;
	default:
		if (!both_int)
			return wrong(ck, e, D_OP_INT, "operands of integral type");
		break;
	}
	if ((e->op == OP_DIV || e->op == OP_MOD) && e->y->kind == EXPR_INT && e->y->val == 0)
		return diag(ck->l->diags, e->loc, D_DIV_ZERO,
			    "expression contains division by zero");
	return true;
}

/* Checks the left side of op=. A new name is entered without a type. */
static bool check_op_target(struct check *ck, struct expr *x)
{
	struct expr *var = x->kind == EXPR_INDEX ? x->x : x;
	struct ident *id;

	if (is_bare_name(var) && !strchr(var->name, '`') &&
	    !names_find(ck->l, SCOPE_GLOBAL, var->name)) {
		id = names_add(ck->l, IDENT_GLOBAL, var->name, var->loc);
		id->is_assoc = x->kind == EXPR_INDEX;
	}
	return check_operand(ck, x);
}

bool check_assign(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;

	if (x->kind == EXPR_AGG || (x->kind == EXPR_INDEX && x->x->kind == EXPR_AGG))
		return check_agg_assign(ck, e);
	if (!check_operand(ck, e->y) || !xlate_whole(ck, e->y))
		return false;
	if (e->op == OP_NONE && e->y == ck->misplaced && e->y->kind == EXPR_CALL) {
		e->type = type_void(ck->l->types);
		return true;
	}
	if (e->op == OP_NONE) {
		if (type_is_dyn(e->y->type))
			return diag(ck->l->diags, e->loc, D_CG_DYN,
				    "an aggregation has no value that could be assigned");
		if (!check_assign_target(ck, x, e->y))
			return false;
	} else if (!check_op_target(ck, x)) {
		return false;
	}
	e->type = x->type;
	if (x->is_lvalue && (type_is_array(x->type) || type_base(x->type)->kind == TYPE_FUNC))
		return wrong(ck, e, D_OP_ARRFUN, "an operand that is not an array or function");
	if (!check_lvalue(ck, e, x))
		return false;
	if (x->ident)
		x->ident->measure = measure_join(x->ident->measure, measure_of(e->y));
	if (e->op != OP_NONE)
		return check_op_assign(ck, e);
	return assign_compatible(ck, e) || incompatible(ck, e);
}

/* ---- casts ---- */

static bool cast_allowed(struct check *ck, const struct type *from, const struct type *to,
			 const struct expr *x)
{
	if (type_is_void(to))
		return true;
	if (type_is_pointer(to) &&
	    (type_is_array(from) || type_is_string(from) || type_base(from)->kind == TYPE_FUNC))
		return true;
	if (type_is_scalar(to))
		return type_is_scalar(from);
	if (type_is_string(to))
		return type_is_scalar(from) || type_is_stringlike(from);
	return type_base(from) == type_base(to) ||
	       (type_is_sou(to) && type_compatible(ck->l->types, from, to));
}

static bool is_kernel_type(const struct type *t)
{
	while (t && !t->btf_id)
		t = t->kind == TYPE_PTR || t->kind == TYPE_ARRAY || t->kind == TYPE_TYPEDEF ? t->to
											    : NULL;
	return t;
}

bool check_cast(struct check *ck, struct expr *e)
{
	struct type *to = e->tname->type;
	struct expr *x = e->x;

	give_int64(ck, x, false);
	if (!check_operand(ck, x))
		return false;
	e->type = to;
	if (is_kernel_type(to))
		stab_use_kernel(ck);
	if (is_agg_assign(x) || (x->xlator && type_is_pointer(x->type) && type_is_scalar(to)) ||
	    (type_is_dyn(x->type) || type_is_void(x->type) ? !type_is_void(to)
							   : !cast_allowed(ck, x->type, to, x)))
		return diag(ck->l->diags, e->loc, D_CAST_INVAL,
			    "invalid cast: value of type %s to %s", lang_type(ck->l, x->type),
			    lang_type(ck->l, to));
	if (x->kind == EXPR_INT && type_is_integer(to)) {
		x = check_convert(ck->l, x, to);
		check_set_int(e, x->val, to);
	} else if (type_base(to)->is_bool) {
		e->x = check_bool(ck->l, x);
	}
	return true;
}
