/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.c: predicates on types, and the usual conversions.  Nothing here changes a type or reads the
 * kernel.  Two functions may look for the definition of a structure that is only named:
 * type_is_incomplete and type_compatible.
 */
#include <assert.h>
#include <string.h>

#include "type/priv.h"

const struct type *type_base(const struct type *t)
{
	while (t->kind == TYPE_TYPEDEF)
		t = t->to;
	return t;
}

bool type_is_integer(const struct type *t)
{
	t = type_base(t);
	return (t->kind == TYPE_INT && t->size <= 8) || t->kind == TYPE_ENUM;
}

bool type_is_scalar(const struct type *t)
{
	t = type_base(t);
	return type_is_integer(t) || t->kind == TYPE_PTR;
}

bool type_is_pointer(const struct type *t)
{
	return type_base(t)->kind == TYPE_PTR;
}

bool type_is_sou(const struct type *t)
{
	t = type_base(t);
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION ||
	       (t->kind == TYPE_FWD && !t->is_enum_fwd);
}

bool type_is_void(const struct type *t)
{
	return type_base(t)->kind == TYPE_VOID;
}

bool type_is_dyn(const struct type *t)
{
	return type_base(t)->kind == TYPE_DYN;
}

bool type_is_array(const struct type *t)
{
	return type_base(t)->kind == TYPE_ARRAY;
}

bool type_is_string(const struct type *t)
{
	return type_base(t)->kind == TYPE_STRING;
}

bool type_is_stack(const struct type *t)
{
	return type_base(t)->kind == TYPE_STACK;
}

bool type_is_unsigned(const struct type *t)
{
	t = type_base(t);
	return (t->kind == TYPE_INT || t->kind == TYPE_ENUM) && !t->is_signed;
}

bool type_is_stringlike(const struct type *t)
{
	const struct type *to;

	t = type_base(t);
	if (t->kind == TYPE_STRING)
		return true;
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY)
		return false;
	to = type_base(t->to);
	return to->kind == TYPE_INT && to->is_char;
}

bool type_is_incomplete(struct types *ts, struct type *t)
{
	t = type_resolve(ts, t);
	return t->kind == TYPE_FWD || t->kind == TYPE_STACK;
}

static bool same_tag(const struct type *a, const struct type *b)
{
	return a == b || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

static bool is_union(const struct type *t)
{
	return t->kind == TYPE_UNION || (t->kind == TYPE_FWD && t->is_union_fwd);
}

static bool funcs_compatible(struct types *ts, const struct type *a, const struct type *b)
{
	a = type_resolve(ts, (struct type *)a);
	b = type_resolve(ts, (struct type *)b);
	if (a->nmembers != b->nmembers || a->is_variadic != b->is_variadic ||
	    !type_compatible(ts, a->to, b->to))
		return false;
	for (unsigned int i = 0; i < a->nmembers; i++)
		if (!type_compatible(ts, a->members[i].type, b->members[i].type))
			return false;
	return true;
}

/* Targets of pointers must agree more closely than values. */
static bool targets_compatible(struct types *ts, const struct type *a, const struct type *b)
{
	if (a->kind == TYPE_VOID || b->kind == TYPE_VOID)
		return true;
	if (type_is_integer(a) && type_is_integer(b))
		return a->size == b->size;
	return type_compatible(ts, a, b);
}

bool type_compatible(struct types *ts, const struct type *a, const struct type *b)
{
	a = type_base(a);
	b = type_base(b);
	if (type_is_integer(a) && type_is_integer(b))
		return true;
	if (type_is_sou(a) && type_is_sou(b))
		return is_union(a) == is_union(b) && same_tag(a, b);
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case TYPE_PTR:
		return targets_compatible(ts, type_base(a->to), type_base(b->to));
	case TYPE_ARRAY:
		return a->nelem == b->nelem &&
		       targets_compatible(ts, type_base(a->to), type_base(b->to));
	case TYPE_FUNC:
		return funcs_compatible(ts, a, b);
	case TYPE_FLOAT:
		return a->size == b->size;
	case TYPE_FWD:
		return same_tag(a, b);
	default:
		return a == b; /* there is one type of each other kind */
	}
}

/* An enumeration counts as the integer of its size and sign, and a narrow one as int. */
static struct type *integer_of(struct types *ts, struct type *t)
{
	const struct type *b = type_base(t);
	uint64_t size = b->size < 4 ? 4 : b->size;

	if (b->kind != TYPE_ENUM)
		return t;
	return type_int(ts, (unsigned int)size, b->size < 4 || b->is_signed);
}

/* Returns the number of bits, plus one if unsigned. */
static unsigned int rank(const struct type *t)
{
	t = type_base(t);
	return (unsigned int)t->size * 8 + !t->is_signed;
}

struct type *type_promote(struct types *ts, struct type *a, struct type *b)
{
	struct type *win;

	assert(type_is_integer(a) && type_is_integer(b));
	a = integer_of(ts, a);
	b = integer_of(ts, b);
	win = rank(b) > rank(a) ? b : a;
	if (win->quals)
		win = win->to;
	return win;
}
