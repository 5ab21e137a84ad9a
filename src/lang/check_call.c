/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_call.c: calls, and arguments against prototypes.  The rules for arguments are the same for
 * functions, keys of associative arrays, and parameters of inlines.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "lang/priv.h"

/* A void pointer accepts the bytes of a string. */
static bool takes_string(const struct type *want, const struct type *t)
{
	return type_is_pointer(want) && type_is_void(type_base(want)->to) && type_is_string(t);
}

/* uintptr_t takes any integer, but no pointer. */
bool check_param(struct lang *l, const struct type *want, const struct expr *e)
{
	const struct type *t = e->type;

	if (type_is_integer(want))
		return type_is_integer(t);
	if (type_is_stringlike(want) && type_is_stringlike(t))
		return true;
	if (type_is_string(want))
		return check_is_zero(e);
	if (type_is_pointer(want)) {
		if (check_is_zero(e))
			return true;
		if (type_is_array(t))
			t = type_ptr(l->types, type_base(t)->to);
	}
	return type_compatible(l->types, want, t);
}

/* In strjoin(s, n) the integer n becomes text. */
static bool is_joined_int(const struct ident *id, unsigned int i, const struct expr *arg)
{
	return i == 1 && strcmp(id->name, "strjoin") == 0 && type_is_integer(arg->type);
}

static bool as_text(struct check *ck, struct expr **arg)
{
	struct expr *text = expr_new(ck->l, EXPR_CALL, (*arg)->loc);

	text->name = intern_str(ck->l->names, "lltostr");
	text->args = arena_new_obj(ck->l->arena, struct expr *);
	text->args[0] = *arg;
	text->nargs = 1;
	text->ident = names_find(ck->l, SCOPE_GLOBAL, text->name);
	text->type = text->ident->type;
	*arg = text;
	return true;
}

static struct expr *as_pointer(struct lang *l, struct expr *string, struct type *to)
{
	struct expr *c = expr_new(l, EXPR_CAST, string->loc);

	c->x = string;
	c->type = to;
	return c;
}

static const char *brackets(const struct expr *e)
{
	return e->kind == EXPR_CALL || e->is_call ? "( )" : "[ ]";
}

static bool check_arg(struct check *ck, struct expr *e, const struct ident *id, unsigned int i)
{
	struct lang *l = ck->l;

	if (!check_operand(ck, e->args[i]))
		return false;
	if (i >= id->nkeys)
		return true;
	if (is_joined_int(id, i, e->args[i]))
		return as_text(ck, &e->args[i]);
	if (takes_string(id->keys[i], e->args[i]->type)) {
		e->args[i] = as_pointer(l, e->args[i], id->keys[i]);
		return true;
	}
	if (!check_param(l, id->keys[i], e->args[i]))
		return diag(l->diags, e->args[i]->loc, D_PROTO_ARG,
			    "%s%s argument #%u is incompatible with prototype:\n"
			    "\tprototype: %s\n\t argument: %s",
			    id->name, brackets(e), i + 1, lang_type(l, id->keys[i]),
			    lang_type(l, e->args[i]->type));
	e->args[i] = check_convert(l, e->args[i], id->keys[i]);
	return true;
}

bool check_proto(struct check *ck, struct expr *e, const struct ident *id)
{
	unsigned int least = id->nkeys - id->nopt;
	const char *bound = e->nargs < least ? "at least " : "at most ";

	assert(id->nopt <= id->nkeys);
	if (e->nargs < least || (e->nargs > id->nkeys && !id->is_variadic))
		return diag(ck->l->diags, e->loc, D_PROTO_LEN,
			    "%s%s prototype mismatch: %u argument%s passed, %s%u expected",
			    id->name, brackets(e), e->nargs, e->nargs == 1 ? "" : "s",
			    id->nopt || id->is_variadic ? bound : "",
			    e->nargs < least ? least : id->nkeys);
	for (unsigned int i = 0; i < e->nargs; i++)
		if (!check_arg(ck, e, id, i))
			return false;
	return true;
}

/* A library defines subroutines as inlines: name(args) is name[args]. */
static bool check_inline_call(struct check *ck, struct expr *e)
{
	e->x = expr_new(ck->l, EXPR_IDENT, e->loc);
	e->x->name = e->name;
	e->kind = EXPR_INDEX;
	e->is_call = true;
	return check_expr(ck, e);
}

bool check_call(struct check *ck, struct expr *e)
{
	struct lang *l = ck->l;
	struct ident *id = names_find_call(l, e->name);

	if (!id)
		return diag(l->diags, e->loc, D_FUNC_UNDEF, "undefined function name: %s%s",
			    e->name, missed_or_meant(l, SCOPE_GLOBAL, e->name));
	e->ident = id;
	stab_use(ck, stab_of(l, id));
	switch (id->kind) {
	case IDENT_FUNC:
		if (!check_proto(ck, e, id))
			return false;
		if (id->row->flags & LANG_DESTRUCTIVE)
			ck->has_destructive_call = true;
		e->type = id->type;
		return !id->row->check || id->row->check(ck, e);
	case IDENT_ACTION:
	case IDENT_AGGFUNC:
		return check_action_types(ck, e);
	case IDENT_INLINE:
		if (id->is_library && id->keys_known)
			return check_inline_call(ck, e);
		break;
	default:
		break;
	}
	return diag(l->diags, e->loc, D_FUNC_IDKIND, "%s is %s and cannot be called as a function",
		    e->name, names_kind(id));
}

bool check_goroutine(struct check *ck, struct expr *e)
{
	const struct lang_env *env = ck->l->env;
	struct lang_goroutine at = {0};
	const char *why =
	    env->goroutine ? env->goroutine(env->ctx, &at) : "there is no process (-c or -p)";

	if (why)
		return diag(ck->l->diags, e->loc, D_IDENT_BADREF, "goid() is not available: %s",
			    why);
	e->ident->addr = at.places;
	e->ident->pid = at.pid;
	return true;
}
