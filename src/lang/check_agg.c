/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_agg.c: aggregations: each name has one function and one set of parameters.  A function
 * packs its parameters into one word.  Later uses must pack to the same word.
 */
#include <assert.h>

#include "lang/priv.h"
#include "print/agg.h"

static struct ident *find_agg(struct check *ck, const struct expr *e)
{
	struct ident *id = names_find(ck->l, SCOPE_AGG, e->name);

	return id ? id : names_add(ck->l, IDENT_AGG, e->name, e->loc);
}

/* @name as a value: the aggregation has no value, but actions accept it. */
bool check_agg_ref(struct check *ck, struct expr *e)
{
	struct ident *id = names_find(ck->l, SCOPE_AGG, e->name);

	e->type = type_dyn(ck->l->types);
	e->ident = id;
	return true;
}

bool check_constant(struct check *ck, struct expr *call, unsigned int i, enum diag_tag tag,
		    const char *what, int64_t *val)
{
	struct expr *a = call->args[i];

	if (a->kind != EXPR_INT)
		return diag(ck->l->diags, a->loc, tag,
			    "%s( ) argument #%u must be an integer constant: the %s", call->name, i,
			    what);
	*val = (int64_t)a->val;
	return true;
}

/* Checks argument i, the number of times that the value counts; 0: no such argument. */
static bool increment(struct check *ck, struct expr *call, unsigned int i)
{
	struct expr *a;

	if (!i || call->nargs <= i)
		return true;
	a = call->args[i];
	if (!type_is_scalar(a->type))
		return diag(ck->l->diags, a->loc, D_PROTO_ARG,
			    "%s( ) argument #%u is incompatible with prototype:\n"
			    "\tprototype: int64_t\n\t argument: %s",
			    call->name, i + 1, lang_type(ck->l, a->type));
	return true;
}

/* Checks the call on the right side, and packs its parameters. */
static bool check_func(struct check *ck, struct expr *call, uint64_t *param)
{
	const struct lang_agg *fn = call->ident->row->agg;

	*param = 0;
	if (call->nargs && !type_is_scalar(call->args[0]->type))
		return diag(ck->l->diags, call->loc, D_AGG_SCALAR,
			    "%s( ) argument #1 must be of scalar type: %s", call->name,
			    lang_type(ck->l, call->args[0]->type));
	return (!fn->pack || fn->pack(ck, call, param)) && increment(ck, call, fn->weight_arg);
}

static bool check_match(struct check *ck, struct ident *id, struct expr *call, uint64_t param)
{
	if (id->agg_func != call->ident->row)
		return diag(ck->l->diags, call->loc, D_AGG_REDEF,
			    "aggregation redefined: @%s\n\t current: @%s = %s( )\n"
			    "\tprevious: @%s = %s( )",
			    id->name, id->name, call->name, id->name, id->agg_func->name);
	if (id->agg_param != param && id->agg_func->agg->match)
		return id->agg_func->agg->match(ck, call, id->agg_param, param);
	return true;
}

struct agg_desc lang_agg_desc(const struct ident *agg)
{
	assert(agg->agg_func);
	return (struct agg_desc){agg->agg_func->agg->ops, agg->agg_param};
}

bool check_agg_assign(struct check *ck, struct expr *e)
{
	struct expr *x = e->x;
	struct ident *id;

	if (x->kind == EXPR_INDEX)
		return check_index(ck, x);
	if (!check_expr(ck, e->y))
		return false;
	id = find_agg(ck, x);
	if (!check_keys(ck, x, id, "aggregation"))
		return false;
	id->type = type_int(ck->l->types, 8, true);
	x->ident = id;
	x->type = id->type;
	e->type = type_void(ck->l->types);
	return true;
}

bool check_agg_action(struct check *ck, struct expr *e)
{
	struct expr *call = e->y;
	struct ident *id = e->x->ident;
	uint64_t param;

	if (e->op != OP_NONE || call->kind != EXPR_CALL || call->ident->kind != IDENT_AGGFUNC)
		return diag(ck->l->diags, e->loc, D_AGG_FUNC,
			    "@%s must be assigned the result of an aggregating function", id->name);
	if (!check_func(ck, call, &param))
		return false;
	if (id->agg_func) {
		if (!check_match(ck, id, call, param))
			return false;
	} else {
		id->agg_func = call->ident->row;
		id->agg_param = param;
	}
	assert(id->agg_func);
	id->agg_is_signed |= call->nargs && !type_is_unsigned(call->args[0]->type);
	return true;
}
