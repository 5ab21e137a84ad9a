/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_fmt.c: arguments against printf formats (man/d.7, FORMATS).  src/print parses the format
 * and knows the type of each conversion.  This file describes D types to src/print, and gives
 * errors their tags.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "lang/priv.h"
#include "print/fmt.h"

static enum fmt_kind array_kind(const struct type *t)
{
	const struct type *to = type_base(t->to);

	if (type_is_stringlike(t))
		return FMT_KIND_CHARS;
	return to->kind == TYPE_INT && to->size == 4 ? FMT_KIND_WCHARS : FMT_KIND_OTHER;
}

static struct fmt_type describe(const struct type *t)
{
	struct fmt_type f = {.kind = FMT_KIND_OTHER};

	t = type_base(t);
	f.size = (unsigned int)t->size;
	switch (t->kind) {
	case TYPE_INT:
		f.kind = t->size <= 8 ? FMT_KIND_INT : FMT_KIND_OTHER;
		f.is_signed = t->is_signed;
		break;
	case TYPE_ENUM:
		f.kind = FMT_KIND_INT;
		f.is_signed = t->is_signed;
		break;
	case TYPE_PTR:
		f.kind = FMT_KIND_PTR;
		break;
	case TYPE_ARRAY:
		f.kind = array_kind(t);
		break;
	case TYPE_STRING:
		f.kind = FMT_KIND_STRING;
		break;
	case TYPE_FLOAT:
		f.kind = FMT_KIND_FLOAT;
		break;
	case TYPE_STACK:
		f.kind = FMT_KIND_STACK;
		break;
	case TYPE_SYMADDR:
		f.kind = FMT_KIND_SYMADDR;
		break;
	case TYPE_USYMADDR:
		f.kind = FMT_KIND_USYMADDR;
		break;
	case TYPE_VOID:
	case TYPE_FUNC:
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_FWD:
	case TYPE_TYPEDEF:
	case TYPE_DYN:
		break;
	}
	return f;
}

/* Types that a format is applied to: arguments of a call, or keys. */
struct fmt_args {
	struct expr **exprs;
	struct type **types;
	unsigned int n, next, base; /* base: number of the first argument, for messages */
	const char *what;
};

static const struct type *type_at(const struct fmt_args *a, unsigned int i)
{
	return a->exprs ? a->exprs[i]->type : a->types[i];
}

/* Takes the argument of a `*`. */
static bool star(struct check *ck, struct expr *e, struct fmt_args *a, unsigned int n)
{
	if (a->next >= a->n)
		return diag(ck->l->diags, e->loc, D_PRINTF_DYN_PROTO,
			    "%s( ) prototype mismatch: conversion #%u (*) has no argument", e->name,
			    n);
	if (!type_is_integer(type_at(a, a->next)))
		return diag(ck->l->diags, e->loc, D_PRINTF_DYN_TYPE,
			    "%s( ) %s #%u is incompatible with conversion #%u prototype:\n"
			    "\tconversion: *\n\t prototype: int\n\t  argument: %s",
			    e->name, a->what, a->next + a->base, n,
			    lang_type(ck->l, type_at(a, a->next)));
	a->next++;
	return true;
}

/* %s of an enumeration prints the name: the argument becomes enumname() of itself. */
static void name_enum(struct lang *l, const struct fmt_conv *c, struct expr **arg)
{
	struct ident *id = names_find_call(l, "enumname");
	struct expr *call;

	if (strcmp(c->name, "s") != 0 || type_base((*arg)->type)->kind != TYPE_ENUM || !id ||
	    id->kind != IDENT_FUNC)
		return;
	call = expr_new(l, EXPR_CALL, (*arg)->loc);
	call->name = id->name;
	call->ident = id;
	call->type = id->type;
	call->args = arena_new_obj(l->arena, struct expr *);
	call->args[0] = *arg;
	call->nargs = 1;
	*arg = call;
}

static bool convert(struct check *ck, struct expr *e, const struct fmt_conv *c, struct fmt_args *a,
		    unsigned int n, const struct ident *agg)
{
	struct lang *l = ck->l;
	struct fmt_type t;

	if ((c->width_star && !star(ck, e, a, n)) || (c->prec_star && !star(ck, e, a, n)))
		return false;
	if (c->is_agg) {
		const char *type;

		if (!agg)
			return diag(
			    l->diags, e->loc, D_PRINTF_AGG_CONV,
			    "%%@ conversion requires an aggregation: conversion #%u of %s( )", n,
			    e->name);
		type = agg->agg_func->agg->type;
		t = fmt_agg_type();
		if (!fmt_accepts(c, &t, l->env->has_target))
			return diag(l->diags, e->loc, D_PRINTF_ARG_TYPE,
				    "%s( ) aggregation is incompatible with conversion #%u "
				    "prototype:\n\tconversion: %%%s\n\t prototype: %s\n"
				    "\t  argument: %s",
				    e->name, n, c->name, fmt_wants(c), type ? type : "int64_t");
		return true;
	}
	if (a->next >= a->n)
		return diag(l->diags, e->loc, D_PRINTF_ARG_PROTO,
			    "%s( ) prototype mismatch: conversion #%u (%%%s) has no %s", e->name, n,
			    c->name, a->what);
	if (a->exprs)
		name_enum(l, c, &a->exprs[a->next]);
	t = describe(type_at(a, a->next));
	if (!fmt_accepts(c, &t, l->env->has_target))
		return diag(l->diags, e->loc, D_PRINTF_ARG_TYPE,
			    "%s( ) %s #%u is incompatible with conversion #%u prototype:\n"
			    "\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
			    e->name, a->what, a->next + a->base, n, c->name, fmt_wants(c),
			    lang_type(l, type_at(a, a->next)));
	a->next++;
	return true;
}

static bool check_format(struct check *ck, struct expr *e, struct fmt_args *a,
			 const struct ident *agg, bool may_be_empty)
{
	struct lang *l = ck->l;
	const char *err = NULL;
	unsigned int n = 0;
	struct fmt *f;

	assert(e->args[0]->kind == EXPR_STR);
	if (!*e->args[0]->name && !may_be_empty)
		return diag(l->diags, e->loc, D_PRINTF_FMT_EMPTY, "%s( ) format string is empty",
			    e->name);
	f = fmt_parse(l->arena, e->args[0]->name, &err);
	if (!f)
		return diag(l->diags, e->loc, D_SYNTAX, "%s( ): %s", e->name,
			    err ? err : "invalid format");
	if (type_sizeof(l->types, type_lookup(l->types, "long")) == 4)
		fmt_set_ilp32(f);
	for (unsigned int i = 0; i < f->n; i++)
		if (f->conv[i].cls != FMT_NONE && !convert(ck, e, &f->conv[i], a, ++n, agg))
			return false;
	e->fmt = f;
	return true;
}

bool check_fmt(struct check *ck, struct expr *e, bool may_be_empty)
{
	struct lang *l = ck->l;
	struct fmt_args a = {.what = "argument", .base = 2};

	if (e->args[0]->kind != EXPR_STR)
		return diag(l->diags, e->loc,
			    check_arg_tag(ck, type_is_string(e->args[0]->type), D_PRINTF_ARG_FMT),
			    "%s( ) argument #1 is incompatible with prototype:\n"
			    "\tprototype: string constant\n\t argument: %s",
			    e->name, lang_type(l, e->args[0]->type));
	a.exprs = e->args + 1;
	a.n = e->nargs - 1;
	if (!check_format(ck, e, &a, NULL, may_be_empty))
		return false;
	if (a.next < a.n)
		return diag(l->diags, e->loc, D_PRINTF_ARG_EXTRA,
			    "%s( ) prototype mismatch: only %u argument%s required by this format "
			    "string",
			    e->name, a.next, a.next == 1 ? "" : "s");
	return true;
}

bool check_fmt_agg(struct check *ck, struct expr *e, const struct ident *agg)
{
	struct fmt_args a = {.what = "key", .base = 1};

	a.types = agg->keys;
	a.n = agg->nkeys;
	return check_format(ck, e, &a, agg, false);
}
