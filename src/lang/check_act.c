/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_act.c: actions: their arguments, and their order in one clause part (man/d.7, "Rules of a
 * clause").  Types are checked against the prototype.  When the types of the whole clause are
 * known, the action's own check (src/builtin/act_*.c) runs; its building blocks are here.
 *
 * sym() and similar actions are also values, as aggregation keys and in records, without an effect
 * on the clause.  stack() and similar actions are values everywhere.
 */
#include <assert.h>
#include <limits.h>

#include "base/dialect.h"
#include "lang/priv.h"

struct diags *check_diags(const struct check *ck)
{
	return ck->l->diags;
}

struct types *check_types(const struct check *ck)
{
	return ck->l->types;
}

const char *check_option(const struct check *ck, const char *name)
{
	return lang_option(ck->l, name);
}

const char *check_type_text(const struct check *ck, const struct type *t)
{
	return lang_type(ck->l, t);
}

bool check_error(struct check *ck, const struct expr *e, enum diag_tag tag, const char *text)
{
	return diag(ck->l->diags, e->loc, tag, "%s( ) %s", e->name, text);
}

bool check_nargs(struct check *ck, const struct expr *e, unsigned int min, unsigned int max,
		 enum diag_tag tag)
{
	const char *bound = e->nargs < min ? "at least " : "at most ";

	if (e->nargs >= min && e->nargs <= max)
		return true;
	return diag(ck->l->diags, e->loc, tag,
		    "%s( ) prototype mismatch: %u argument%s passed, %s%u expected", e->name,
		    e->nargs, e->nargs == 1 ? "" : "s", max > min ? bound : "",
		    e->nargs < min ? min : max);
}

enum diag_tag check_arg_tag(const struct check *ck, bool has_type, enum diag_tag tag)
{
	bool is_proto = !has_type && dialect_has(ck->l->diags->dialect, DIALECT_PROTO_FIRST);

	return is_proto ? D_PROTO_ARG : tag;
}

bool check_positive(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag)
{
	struct expr *a;

	if (e->nargs <= i)
		return true;
	a = e->args[i];
	if (a->kind != EXPR_INT || (int64_t)a->val <= 0 || a->val > INT_MAX)
		return diag(ck->l->diags, a->loc, check_arg_tag(ck, type_is_integer(a->type), tag),
			    "%s( ) argument #%u must be a positive integer constant", e->name,
			    i + 1);
	return true;
}

bool check_value(struct check *ck, struct expr *e, const enum diag_tag tags[3])
{
	struct expr *a = e->args[0];

	if (a->kind == EXPR_AGG)
		return check_error(ck, e, tags[0], "may not be applied to an aggregation");
	if (check_is_key_action(a))
		return true;
	if (type_is_void(a->type))
		return check_error(ck, e, tags[1],
				   "may not be applied to an expression of type void");
	if (type_is_dyn(a->type) || (a->xlator && type_is_pointer(a->type)))
		return check_error(ck, e, tags[2], "may not be applied to a translated pointer");
	return xlate_whole(ck, a);
}

static bool is_agg(const struct expr *a)
{
	return a->kind == EXPR_AGG && !a->args;
}

bool check_agg(struct check *ck, struct expr *e, unsigned int i, enum diag_tag not_agg,
	       enum diag_tag bad)
{
	struct expr *a = e->args[i];

	if (!is_agg(a))
		return diag(ck->l->diags, a->loc, not_agg,
			    "%s( ) argument #%u must be an aggregation", e->name, i + 1);
	check_agg_ref(ck, a);
	if (!a->ident || !a->ident->agg_func)
		return diag(ck->l->diags, a->loc, bad, "undefined aggregation: @%s%s", a->name,
			    missed_or_meant(ck->l, SCOPE_AGG, a->name));
	a->ident->is_read = true;
	return true;
}

bool check_returns(struct check *ck, struct expr *e)
{
	const struct lang_env *env = ck->l->env;
	const char *why = env->no_return ? env->no_return(env->ctx, ck->clause->probes)
					 : "no function is probed here";
	const struct expr *value = e->args[0];

	if (!type_is_integer(value->type))
		return diag(ck->l->diags, value->loc, D_PROTO_ARG,
			    "return( ) argument #1 must be of integer type");
	if (why)
		return diag(ck->l->diags, e->loc, D_RETURN_PROBE, "return( ) is not possible: %s",
			    why);
	if (value->kind == EXPR_INT && value->val == 0)
		return diag(ck->l->diags, value->loc, D_RETURN_PROBE,
			    "return( ) of 0 is not possible: with 0 the function would run");
	return true;
}

bool check_scalar(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag)
{
	if (!type_is_scalar(e->args[i]->type))
		return diag(ck->l->diags, e->args[i]->loc, tag,
			    "%s( ) argument #%u must be of scalar type", e->name, i + 1);
	return true;
}

/* ---- types ---- */

bool check_is_key_action(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION &&
	       e->ident->row->flags & LANG_KEY;
}

/* Checks arguments of any type, some of which must be integers. */
static bool any_proto(struct check *ck, struct expr *e, const struct lang_nargs *p)
{
	for (unsigned int i = 0; i < e->nargs; i++) {
		struct expr *a = e->args[i];

		if (!check_expr(ck, a))
			return false;
		if (a->kind != EXPR_AGG && !check_is_key_action(a))
			check_note_misplaced(ck, a);
	}
	if (!check_nargs(ck, e, p->min, p->max, D_PROTO_LEN))
		return false;
	for (unsigned int i = 1; i < e->nargs && i <= p->nints; i++)
		if (!type_is_integer(e->args[i]->type))
			return diag(ck->l->diags, e->args[i]->loc, D_PROTO_ARG,
				    "%s( ) argument #%u is incompatible with prototype:\n"
				    "\tprototype: %s\n\t argument: %s",
				    e->name, i + 1, p->int_type,
				    lang_type(ck->l, e->args[i]->type));
	return true;
}

static bool check_own(struct check *ck, struct expr *e)
{
	const struct lang_row *row = e->ident->row;

	return !row->check || row->check(ck, e);
}

bool check_action_types(struct check *ck, struct expr *e)
{
	const struct lang_row *row = e->ident->row;

	e->type = e->ident->type;
	if (row->proto)
		return check_proto(ck, e, e->ident);
	if (!(row->flags & LANG_KEY))
		return any_proto(ck, e, &row->nargs);
	e->type = type_stack(ck->l->types);
	vec_push(&ck->l->stacks, e);
	return any_proto(ck, e, &row->nargs) && check_own(ck, e);
}

/* ---- statements: the state of a clause part ---- */

static bool state_error(struct check *ck, const struct expr *e, enum diag_tag tag, const char *why)
{
	return diag(ck->l->diags, e->loc, tag, "%s( ) may not %s", e->name, why);
}

static bool do_commit(struct check *ck, const struct expr *e)
{
	if (ck->seen_commit && !dialect_has(ck->l->diags->dialect, DIALECT_MANY_COMMITS))
		return state_error(ck, e, D_COMM_COMM,
				   "follow commit( ): one is allowed in a clause");
	if (ck->seen_data)
		return state_error(ck, e, D_COMM_DREC, "follow data-recording action(s)");
	ck->seen_commit = true;
	return true;
}

static bool do_speculate(struct check *ck, const struct expr *e)
{
	if (ck->seen_speculate)
		return state_error(ck, e, D_SPEC_SPEC,
				   "follow speculate( ): one is allowed in a clause");
	if (ck->seen_commit)
		return state_error(ck, e, D_SPEC_COMM, "follow commit( )");
	if (ck->seen_data)
		return state_error(ck, e, D_SPEC_DREC, "follow data-recording action(s)");
	ck->seen_speculate = true;
	ck->part->has_speculate = true;
	return true;
}

static bool do_aggregation(struct check *ck, const struct expr *e)
{
	if (ck->seen_commit)
		return diag(ck->l->diags, e->loc, D_AGG_COMM,
			    "aggregation @%s may not follow commit( )", e->x->name);
	if (ck->seen_speculate)
		return diag(ck->l->diags, e->loc, D_AGG_SPEC,
			    "aggregation @%s may not follow speculate( )", e->x->name);
	ck->seen_data = true;
	return true;
}

static bool do_other(struct check *ck, const struct expr *e, enum lang_state state,
		     bool destructive)
{
	if (ck->seen_speculate && destructive)
		return state_error(ck, e, D_ACT_SPEC, "follow speculate( ): it is destructive");
	if (ck->seen_speculate && state == LANG_EXIT)
		return state_error(ck, e, D_EXIT_SPEC, "follow speculate( )");
	if (destructive || state == LANG_DISCARD || state == LANG_NEUTRAL)
		return true;
	if (ck->seen_commit)
		return state_error(ck, e, D_DREC_COMM, "follow commit( ): it records data");
	if (!ck->seen_speculate)
		ck->seen_data = true;
	return true;
}

static bool action_stmt(struct check *ck, struct expr *e, bool is_last)
{
	const struct lang_row *row = e->ident->row;
	bool destructive = row->flags & LANG_DESTRUCTIVE || ck->has_destructive_call;
	bool ok;

	if (row->state == LANG_COMMIT)
		ok = do_commit(ck, e);
	else if (row->state == LANG_SPECULATE)
		ok = do_speculate(ck, e);
	else
		ok = do_other(ck, e, row->state, destructive);
	if (!ok)
		return false;
	if (row->flags & LANG_RECORDS || (row->state == LANG_SPECULATE && is_last))
		ck->part->records = true;
	ck->part->has_exit |= row->state == LANG_EXIT;
	ck->part->has_destructive |= destructive;
	return true;
}

bool check_stmt_types(struct check *ck, struct stmt *s)
{
	struct expr *e = s->expr;
	bool ok;

	assert(s->kind == STMT_EXPR);
	ck->has_destructive_call = false;
	if (e->kind == EXPR_AGG && !e->args && !names_find(ck->l, SCOPE_AGG, e->name))
		return diag(ck->l->diags, e->loc, D_IDENT_UNDEF, "undefined aggregation: @%s%s",
			    e->name, missed_or_meant(ck->l, SCOPE_AGG, e->name));
	ok = check_expr(ck, e);
	s->is_destructive = ck->has_destructive_call;
	return ok;
}

static bool agg_stmt(struct check *ck, struct expr *e)
{
	return check_agg_action(ck, e) && do_aggregation(ck, e);
}

static bool value_stmt(struct check *ck, const struct stmt *s)
{
	const struct expr *e = s->expr;

	if (e->xlator && type_is_pointer(e->type))
		return diag(ck->l->diags, e->loc, D_CG_DYN,
			    "a translated pointer has no value of its own: %s",
			    lang_type(ck->l, e->type));
	if (!s->is_destructive)
		return true;
	if (ck->seen_speculate)
		return diag(ck->l->diags, e->loc, D_ACT_SPEC,
			    "a destructive function may not follow speculate( )");
	ck->part->has_destructive = true;
	return true;
}

bool check_stmt(struct check *ck, struct stmt *s)
{
	struct expr *e = s->expr;
	bool ok;

	assert(ck->part && s->kind == STMT_EXPR);
	ck->has_destructive_call = s->is_destructive;
	/* The action may stand alone, or be chosen by a constant condition of ?: */
	if (e->kind == EXPR_AGG)
		return diag(ck->l->diags, e->loc, D_AGG_NULL,
			    "expression statement has no effect: aggregation @%s is not assigned",
			    e->name);
	if (e->kind == EXPR_CALL && e->ident->kind == IDENT_AGGFUNC)
		return diag(ck->l->diags, e->loc, D_CG_EXPR,
			    "%s( ) may not be called from a D expression", e->name);
	if (e->kind == EXPR_ASSIGN && e->x->kind == EXPR_AGG)
		ok = agg_stmt(ck, e);
	else if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION)
		ok = check_own(ck, e) && action_stmt(ck, e, !s->next);
	else
		ok = value_stmt(ck, s);
	return ok && size_check(ck->l, e);
}
