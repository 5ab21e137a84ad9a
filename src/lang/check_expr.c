/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_expr.c: gives every node of an expression its type, and reports violations of the language
 * (man/d.7, EXPRESSIONS).  The first error ends the statement: a function that returns false has
 * reported it, and its caller just returns.
 *
 * Constant subtrees become EXPR_INT on the way up.  A translated object is a value only as the left
 * side of a member access and as an assigned structure.  check_operand enforces this.
 */
#include <assert.h>
#include <string.h>

#include "lang/priv.h"

void check_set_int(struct expr *e, uint64_t val, struct type *t)
{
	e->kind = EXPR_INT;
	e->val = val;
	e->type = t;
	e->op = OP_NONE;
	e->x = e->y = e->z = NULL;
	e->ident = NULL;
	e->is_lvalue = e->is_writable = false;
}

bool check_is_truth(const struct type *t)
{
	return type_is_scalar(t) || type_is_stack(t);
}

bool check_is_zero(const struct expr *e)
{
	while (e->kind == EXPR_CAST && !type_is_void(e->type))
		e = e->x;
	return e->kind == EXPR_INT && e->val == 0;
}

bool check_is_action(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->ident->kind != IDENT_FUNC && !type_is_stack(e->type);
}

void check_note_misplaced(struct check *ck, const struct expr *e)
{
	if (!ck->misplaced && (check_is_action(e) || (e->xlator && type_is_pointer(e->type))))
		ck->misplaced = e;
}

bool check_operand(struct check *ck, struct expr *e)
{
	if (!check_expr(ck, e))
		return false;
	if (e->kind == EXPR_AGG && !e->ident)
		return diag(ck->l->diags, e->loc, D_IDENT_UNDEF, "undefined aggregation: @%s%s",
			    e->name, missed_or_meant(ck->l, SCOPE_AGG, e->name));
	check_note_misplaced(ck, e);
	return true;
}

bool check_misplaced(struct check *ck)
{
	const struct expr *e = ck->misplaced;

	if (!e)
		return true;
	if (check_is_action(e))
		return diag(ck->l->diags, e->loc, D_CG_EXPR,
			    "%s( ) may not be called from a D expression", e->name);
	return diag(ck->l->diags, e->loc, D_CG_DYN,
		    "a translated pointer has no value of its own: %s", lang_type(ck->l, e->type));
}

static bool check_sizeof(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct type *t = e->tname ? e->tname->type : NULL;
	uint64_t size = 0;

	if (e->x) {
		if (!check_expr(ck, e->x))
			return false;
		if (e->x->kind == EXPR_MEMBER && e->x->bits)
			return diag(l->diags, e->loc, D_SIZEOF_BITFIELD,
				    "sizeof may not be applied to a bit-field: %s", e->x->name);
		if (e->x->kind == EXPR_STR)
			size = e->x->len + 1;
		t = e->x->type;
	}
	if (!size)
		size = type_is_pointer(t) ? type_sizeof(l->types, type_lookup(l->types, "size_t"))
					  : type_sizeof(l->types, t);
	if (type_is_void(t) || type_base(t)->kind == TYPE_FUNC || type_is_dyn(t) ||
	    type_is_incomplete(l->types, t))
		return diag(l->diags, e->loc, D_SIZEOF_TYPE,
			    "sizeof may not be applied to this type: %s", lang_type(l, t));
	check_set_int(e, size, type_lookup(l->types, "size_t"));
	return true;
}

static bool check_offsetof(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	const struct type_member *m;
	struct type *t = e->tname->type;
	uint64_t off;

	if (!type_is_sou(t) || type_is_incomplete(l->types, t))
		return diag(l->diags, e->loc, D_OFFSETOF_TYPE,
			    "offsetof requires a struct or union type: %s", lang_type(l, t));
	m = type_member(l->types, t, e->name, &off);
	if (!m)
		return diag(l->diags, e->loc, D_UNKNOWN, "%s is not a member of %s", e->name,
			    lang_type(l, t));
	if (m->bits)
		return diag(l->diags, e->loc, D_OFFSETOF_BITFIELD,
			    "offsetof may not be applied to a bit-field: %s", e->name);
	check_set_int(e, off / 8, type_lookup(l->types, "size_t"));
	return true;
}

static bool check_stringof(struct check *ck, struct expr *e)
{
	struct type *t;

	if (!check_operand(ck, e->x))
		return false;
	t = e->x->type;
	if (!type_is_scalar(t) && !type_is_stringlike(t) && !type_is_array(t))
		return diag(ck->l->diags, e->loc, D_STRINGOF_TYPE,
			    "stringof may not be applied to a value of this type: %s",
			    lang_type(ck->l, t));
	e->type = type_string(ck->l->types);
	return true;
}

static bool type_expr(struct check *ck, struct expr *e)
{
	struct types *ts = ck->l->types;

	switch (e->kind) {
	case EXPR_INT:
		assert(e->type);
		return true;
	case EXPR_STR:
		e->type = type_string(ts);
		return true;
	case EXPR_IDENT:
		return check_ident(ck, e);
	case EXPR_AGG:
		return check_agg_ref(ck, e);
	case EXPR_UNARY:
		return check_unary(ck, e);
	case EXPR_BINARY:
		return check_binary(ck, e);
	case EXPR_ASSIGN:
		return check_assign(ck, e);
	case EXPR_COND:
		return check_cond(ck, e);
	case EXPR_CALL:
		return check_call(ck, e);
	case EXPR_MEMBER:
		return check_member(ck, e);
	case EXPR_INDEX:
		return check_index(ck, e);
	case EXPR_CAST:
		return check_cast(ck, e);
	case EXPR_SIZEOF:
		return check_sizeof(ck, e);
	case EXPR_OFFSETOF:
		return check_offsetof(ck, e);
	case EXPR_STRINGOF:
		return check_stringof(ck, e);
	case EXPR_XLATE:
		return check_xlate(ck, e);
	}
	assert(!"kind of expression");
	return false;
}

bool check_expr(struct check *ck, struct expr *e)
{
	return type_expr(ck, e) && (!ck->amin || stab_check(ck, e->loc));
}

/* Returns true if a value of type `from` keeps its 64 bits as a value of type `to`. */
static bool keeps_value(const struct type *from, const struct type *to)
{
	from = type_base(from);
	to = type_base(to);
	if (to->is_bool)
		return from->is_bool;
	if (to->size == 8)
		return true;
	if (from->size == to->size)
		return from->is_signed == to->is_signed;
	return from->size < to->size && (to->is_signed || !from->is_signed);
}

/* Returns the bits of a constant of type t, extended to 64. */
static uint64_t cut(uint64_t v, const struct type *t)
{
	unsigned int bits;

	t = type_base(t);
	if (t->is_bool)
		return v != 0;
	if (t->size >= 8 || t->size == 0)
		return v;
	bits = 64 - (unsigned int)t->size * 8;
	if (t->is_signed)
		return (uint64_t)((int64_t)(v << bits) >> bits);
	return v << bits >> bits;
}

struct expr *check_bool(struct lang *l, struct expr *e)
{
	struct expr *ne;

	if (type_base(e->type)->is_bool)
		return e;
	ne = expr_new(l, EXPR_BINARY, e->loc);
	ne->op = OP_NE;
	ne->type = type_int(l->types, 4, true);
	ne->x = e;
	ne->y = expr_int(l, e->loc, 0, ne->type);
	return ne;
}

struct expr *check_convert(struct lang *l, struct expr *e, struct type *to)
{
	struct expr *c;

	if (!type_is_integer(e->type) || !type_is_integer(to))
		return e;
	if (e->kind == EXPR_INT) {
		e->val = cut(e->val, to);
		e->type = to;
		return e;
	}
	if (keeps_value(e->type, to))
		return e;
	c = expr_new(l, EXPR_CAST, e->loc);
	c->x = type_base(to)->is_bool ? check_bool(l, e) : e;
	c->type = to;
	return c;
}

/* Returns true if a value of this type may initialise type `to` (inlines, translator members). */
static bool init_compatible(struct lang *l, const struct expr *e, const struct type *to)
{
	const struct type *from = e->type;

	if (type_is_string(to))
		return type_is_stringlike(from) || check_is_zero(e);
	if (type_is_array(to) && type_is_stringlike(to))
		return type_is_stringlike(from) || check_is_zero(e);
	if (type_is_pointer(to) && type_is_string(from))
		return type_is_stringlike(to);
	if (type_is_pointer(to) && type_is_array(from))
		from = type_ptr(l->types, type_base(from)->to);
	if (type_is_pointer(to) && check_is_zero(e))
		return true;
	return type_compatible(l->types, to, from);
}

bool check_init_value(struct lang *l, struct expr **e, struct type *to)
{
	if (!init_compatible(l, *e, to))
		return false;
	*e = check_convert(l, *e, to);
	return true;
}

bool check_init(struct check *ck, struct expr **e, struct type *to, struct loc loc)
{
	if (!check_expr(ck, *e))
		return false;
	if (!init_compatible(ck->l, *e, to))
		return diag(ck->l->diags, loc, D_OP_INCOMPAT,
			    "value of type %s is not compatible with declared type %s",
			    lang_type(ck->l, (*e)->type), lang_type(ck->l, to));
	if (check_is_action(*e))
		ck->misplaced = *e;
	if ((*e)->kind != EXPR_INT)
		*e = check_convert(ck->l, *e, to);
	return check_misplaced(ck);
}
