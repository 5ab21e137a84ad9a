/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.c: units of values, as far as a program shows them.  D has no units.  A value is a time
 * if it comes from a clock, also through variables and differences, and it is bytes if its type is
 * size_t.  A division by 1000 makes a larger unit.  A name can say the unit, too: @wait_us.
 */
#include <string.h>

#include "lang/lang.h"
#include "lang/priv.h"

static const char *const names[] = {
    [MEASURE_NS] = "ns", [MEASURE_US] = "us",	    [MEASURE_MS] = "ms",
    [MEASURE_S] = "s",	 [MEASURE_BYTES] = "bytes",
};

const char *measure_name(enum measure m)
{
	return names[m];
}

enum measure measure_join(enum measure a, enum measure b)
{
	if (a == MEASURE_ANY || b == MEASURE_ANY)
		return a == MEASURE_ANY ? b : a;
	return a == b ? a : MEASURE_UNKNOWN;
}

/* Returns the unit of a sum or difference.  A clock's difference from anything is a time. */
static enum measure add(enum measure a, enum measure b)
{
	if (a == MEASURE_UNKNOWN || b == MEASURE_UNKNOWN)
		return a == MEASURE_UNKNOWN ? b : a;
	return measure_join(a, b);
}

static enum measure divide(enum measure m, const struct expr *by)
{
	static const uint64_t steps[] = {1, 1000, 1000000, 1000000000};

	if (by->kind != EXPR_INT || m < MEASURE_NS || m > MEASURE_S)
		return MEASURE_UNKNOWN;
	for (unsigned int i = 0; i <= MEASURE_S - m; i++)
		if (by->val == steps[i])
			return m + i;
	return MEASURE_UNKNOWN;
}

static enum measure of_type(const struct type *t)
{
	for (; t->kind == TYPE_TYPEDEF; t = t->to)
		if (t->name && (strcmp(t->name, "size_t") == 0 || strcmp(t->name, "ssize_t") == 0))
			return MEASURE_BYTES;
	return MEASURE_UNKNOWN;
}

/* Variables have the unit of the values that are assigned to them. */
static enum measure of_ident(const struct expr *e)
{
	const struct ident *id = e->ident;

	enum measure m = of_type(e->type);

	if (id && id->kind == IDENT_BUILTIN && id->row->flags & LANG_CLOCK)
		return MEASURE_NS;
	return m == MEASURE_UNKNOWN && id && id->kind <= IDENT_THIS ? id->measure : m;
}

enum measure measure_of(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		return MEASURE_ANY;
	case EXPR_IDENT:
	case EXPR_INDEX:
		return of_ident(e);
	case EXPR_CAST:
		return add(measure_of(e->x), of_type(e->type));
	case EXPR_UNARY:
		return e->op == OP_NEG || e->op == OP_PLUS ? measure_of(e->x) : MEASURE_UNKNOWN;
	case EXPR_COND:
		return measure_join(measure_of(e->y), measure_of(e->z));
	case EXPR_ASSIGN:
		return measure_of(e->x);
	case EXPR_BINARY:
		if (e->op == OP_ADD || e->op == OP_SUB)
			return add(measure_of(e->x), measure_of(e->y));
		return e->op == OP_DIV ? divide(measure_of(e->x), e->y) : MEASURE_UNKNOWN;
	default:
		return of_type(e->type);
	}
}

enum measure measure_of_name(const char *name)
{
	const char *line = strrchr(name, '_'), *last = line ? line + 1 : name;

	for (enum measure m = MEASURE_NS; m <= MEASURE_BYTES; m++)
		if (strcmp(last, names[m]) == 0 && (line || m != MEASURE_S))
			return m;
	return MEASURE_UNKNOWN;
}
