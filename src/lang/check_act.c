/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_act.c: actions: arguments of each, and what may follow what in one clause part
 * (d-language.md 7.1).  All of them have a prototype, which types are checked against; what more an
 * action wants of its arguments is looked at when the types of the whole clause are known.
 *
 * stack(), sym() and their like are also values, as aggregation keys and in records; they are then
 * checked by the same function, without an effect on the clause.
 */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/dialect.h"
#include "lang/check_fmt.h"
#include "lang/priv.h"

/* How an action counts in the state of its clause part. */
enum act_state { ACT_DATA, ACT_NEUTRAL, ACT_DISCARD, ACT_COMMIT, ACT_SPECULATE, ACT_EXIT };

/* A prototype: D text, or numbers of arguments and of integers among them, after the first. */
struct act_proto {
	const char *text;
	unsigned int min, max, nints;
};

struct act {
	const char *name;
	bool (*check)(struct check *ck, struct expr *e); /* NULL: the prototype is all */
	struct act_proto proto;
	enum act_state state;
	bool records; /* leaves data: the firing is printed */
	bool is_destructive;
	bool is_key; /* also a value */
};

static bool error(struct check *ck, const struct expr *e, enum diag_tag tag, const char *text)
{
	return diag(ck->l->diags, e->loc, tag, "%s( ) %s", e->name, text);
}

static bool length(struct check *ck, const struct expr *e, unsigned int min, unsigned int max,
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

/* A positive integer constant as argument i (optional). */
static bool positive(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag)
{
	struct expr *a;

	if (e->nargs <= i)
		return true;
	a = e->args[i];
	if (a->kind != EXPR_INT || (int64_t)a->val <= 0 || a->val > INT_MAX)
		return diag(ck->l->diags, a->loc, tag,
			    "%s( ) argument #%u must be a positive integer constant", e->name,
			    i + 1);
	return true;
}

/* ---- data ---- */

/* trace and print take any value; the tags are those for an aggregation, void, translated pointer.
 */
static bool any_value(struct check *ck, struct expr *e, const enum diag_tag *tags)
{
	struct expr *a = e->args[0];

	if (a->kind == EXPR_AGG)
		return error(ck, e, tags[0], "may not be applied to an aggregation");
	if (check_is_key_action(a))
		return check_own(ck, a);
	if (type_is_void(a->type))
		return error(ck, e, tags[1], "may not be applied to an expression of type void");
	if (type_is_dyn(a->type) || (a->xlator && type_is_pointer(a->type)))
		return error(ck, e, tags[2], "may not be applied to a translated pointer");
	return xlate_whole(ck, a);
}

static bool act_trace(struct check *ck, struct expr *e)
{
	static const enum diag_tag tags[] = {D_TRACE_AGG, D_TRACE_VOID, D_TRACE_DYN};

	return any_value(ck, e, tags);
}

/* A pointer to what print() shows. */
static bool print_pointer(struct check *ck, struct expr *e)
{
	const struct type *t = type_base(e->args[0]->type);

	if (t->kind != TYPE_PTR)
		return diag(ck->l->diags, e->loc, D_PROTO_ARG,
			    "print( ) argument #1 is incompatible with prototype:\n"
			    "\tprototype: pointer\n\t argument: %s",
			    lang_type(ck->l, e->args[0]->type));
	if (type_sizeof(ck->l->types, t->to) == 0)
		return error(ck, e, D_PRINT_SIZE, "argument #1 points to a type without a size");
	return true;
}

static bool act_print(struct check *ck, struct expr *e)
{
	static const enum diag_tag tags[] = {D_PRINT_AGG, D_PRINT_VOID, D_PRINT_DYN};

	if (!any_value(ck, e, tags))
		return false;
	if (type_base(e->args[0]->type)->kind == TYPE_STACK)
		return error(ck, e, D_PRINT_VOID, "may not be applied to a stack");
	return !dialect_has(ck->l->diags->dialect, DIALECT_PRINT_POINTED) || print_pointer(ck, e);
}

static bool act_tracemem(struct check *ck, struct expr *e)
{
	if (!length(ck, e, 2, 3, D_TRACEMEM_ARGS))
		return false;
	if (!type_is_scalar(e->args[0]->type) && !type_is_array(e->args[0]->type))
		return error(ck, e, D_TRACEMEM_ADDR, "argument #1 must be a pointer or an integer");
	if (!positive(ck, e, 1, D_TRACEMEM_SIZE))
		return false;
	if (e->nargs > 2 && !type_is_scalar(e->args[2]->type))
		return error(ck, e, D_TRACEMEM_DYNSIZE, "argument #3 must be of scalar type");
	return true;
}

static bool act_stack(struct check *ck, struct expr *e)
{
	return length(ck, e, 0, 1, D_STACK_PROTO) && positive(ck, e, 0, D_STACK_SIZE);
}

static bool act_ustack(struct check *ck, struct expr *e)
{
	struct expr *size;

	if (!length(ck, e, 0, 2, D_USTACK_PROTO) || !positive(ck, e, 0, D_USTACK_FRAMES))
		return false;
	if (e->nargs < 2)
		return true;
	size = e->args[1];
	if (size->kind != EXPR_INT || (int64_t)size->val < 0)
		return error(ck, e, D_USTACK_STRSIZE,
			     "argument #2 must be an integer constant, zero or more");
	return true;
}

/* ---- aggregations ---- */

static bool is_agg(const struct expr *a)
{
	return a->kind == EXPR_AGG && !a->args;
}

/* Argument i must be an aggregation that something was assigned to. */
static bool agg_arg(struct check *ck, struct expr *e, unsigned int i, enum diag_tag not_agg,
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

static bool scalar_arg(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag)
{
	if (!type_is_scalar(e->args[i]->type))
		return diag(ck->l->diags, e->args[i]->loc, tag,
			    "%s( ) argument #%u must be of scalar type", e->name, i + 1);
	return true;
}

static bool act_normalize(struct check *ck, struct expr *e)
{
	return length(ck, e, 2, 2, D_NORMALIZE_PROTO) &&
	       agg_arg(ck, e, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD) &&
	       scalar_arg(ck, e, 1, D_NORMALIZE_SCALAR);
}

static bool act_denormalize(struct check *ck, struct expr *e)
{
	return length(ck, e, 1, 1, D_NORMALIZE_PROTO) &&
	       agg_arg(ck, e, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD);
}

static bool act_clear(struct check *ck, struct expr *e)
{
	return length(ck, e, 1, 1, D_CLEAR_PROTO) &&
	       agg_arg(ck, e, 0, D_CLEAR_AGGARG, D_CLEAR_AGGBAD);
}

static bool act_trunc(struct check *ck, struct expr *e)
{
	if (!length(ck, e, 1, 2, D_TRUNC_PROTO) ||
	    !agg_arg(ck, e, 0, D_TRUNC_AGGARG, D_TRUNC_AGGBAD))
		return false;
	return e->nargs < 2 || scalar_arg(ck, e, 1, D_TRUNC_SCALAR);
}

/* All aggregations of one printa have the keys of the first. */
static bool same_keys(struct check *ck, struct expr *e, unsigned int first)
{
	struct lang *l = ck->l;
	const struct ident *a = e->args[first]->ident;

	for (unsigned int i = first + 1; i < e->nargs; i++) {
		const struct ident *b = e->args[i]->ident;

		if (a->nkeys != b->nkeys)
			return diag(l->diags, e->loc, D_PRINTA_AGGKEY,
				    "printa( ) @%s has %u keys, @%s has %u", a->name, a->nkeys,
				    b->name, b->nkeys);
		for (unsigned int k = 0; k < a->nkeys; k++)
			if (!type_compatible(l->types, a->keys[k], b->keys[k]))
				return diag(l->diags, e->loc, D_PRINTA_AGGPROTO,
					    "printa( ) key #%u of @%s and @%s differs:\n"
					    "\t@%s: %s\n\t@%s: %s",
					    k + 1, a->name, b->name, a->name,
					    lang_type(l, a->keys[k]), b->name,
					    lang_type(l, b->keys[k]));
	}
	return true;
}

static bool act_printa(struct check *ck, struct expr *e)
{
	unsigned int first = e->args[0]->kind == EXPR_STR;

	if (first && e->nargs == 1)
		return error(ck, e, D_PRINTA_PROTO, "requires an aggregation behind its format");
	for (unsigned int i = first; i < e->nargs; i++)
		if (!agg_arg(ck, e, i, D_PRINTA_AGGARG, D_PRINTA_AGGBAD))
			return false;
	if (!same_keys(ck, e, first))
		return false;
	return !first || check_fmt_agg(ck, e, e->args[1]->ident);
}

/* ---- formatted text ---- */

static bool act_printf(struct check *ck, struct expr *e)
{
	return check_fmt(ck, e, false);
}

static bool act_freopen(struct check *ck, struct expr *e)
{
	if (e->args[0]->kind == EXPR_STR && strcmp(e->args[0]->name, LANG_FREOPEN_RESTORE) == 0)
		return error(ck, e, D_FREOPEN_INVALID, "may not be applied to this reserved path");
	return check_fmt(ck, e, true);
}

/* ---- the table ---- */

static const struct act acts[] = {
    {"trace", act_trace, {NULL, 1, 1}, ACT_DATA, true, false, false},
    {"tracemem", act_tracemem, {NULL, 2, UINT_MAX, 1}, ACT_DATA, true, false, false},
    {"print", act_print, {NULL, 1, 1}, ACT_DATA, true, false, false},
    {"printf", act_printf, {NULL, 1, UINT_MAX}, ACT_DATA, true, false, false},
    {"printa", act_printa, {NULL, 1, UINT_MAX}, ACT_DATA, true, false, false},
    {"printm", NULL, {"void printm(size_t, uintptr_t)"}, ACT_DATA, true, false, false},
    {"stack", act_stack, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, true},
    {"ustack", act_ustack, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, true},
    {"jstack", act_ustack, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, true},
    {"sym", NULL, {"_symaddr sym(uintptr_t)"}, ACT_DATA, true, false, true},
    {"func", NULL, {"_symaddr func(uintptr_t)"}, ACT_DATA, true, false, true},
    {"mod", NULL, {"_symaddr mod(uintptr_t)"}, ACT_DATA, true, false, true},
    {"usym", NULL, {"_usymaddr usym(uintptr_t)"}, ACT_DATA, true, false, true},
    {"ufunc", NULL, {"_usymaddr ufunc(uintptr_t)"}, ACT_DATA, true, false, true},
    {"umod", NULL, {"_usymaddr umod(uintptr_t)"}, ACT_DATA, true, false, true},
    {"uaddr", NULL, {"_usymaddr uaddr(uintptr_t)"}, ACT_DATA, true, false, true},
    {"exit", NULL, {"void exit(int)"}, ACT_EXIT, true, false, false},
    {"normalize", act_normalize, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, false},
    {"denormalize", act_denormalize, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, false},
    {"clear", act_clear, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, false},
    {"trunc", act_trunc, {NULL, 0, UINT_MAX}, ACT_DATA, true, false, false},
    {"speculate", NULL, {"void speculate(int)"}, ACT_SPECULATE, true, false, false},
    {"commit", NULL, {"void commit(int)"}, ACT_COMMIT, false, false, false},
    {"discard", NULL, {"void discard(int)"}, ACT_DISCARD, false, false, false},
    {"freopen", act_freopen, {NULL, 1, UINT_MAX}, ACT_NEUTRAL, true, true, false},
    {"ftruncate", NULL, {"void ftruncate(void)"}, ACT_DATA, true, true, false},
    {"system", act_printf, {NULL, 1, UINT_MAX}, ACT_NEUTRAL, true, true, false},
    {"setopt", NULL, {"void setopt(const char *, [const char *])"}, ACT_DATA, true, false, false},
    {"raise", NULL, {"void raise(int)"}, ACT_NEUTRAL, false, true, false},
    {"stop", NULL, {"void stop(void)"}, ACT_NEUTRAL, false, true, false},
    {"panic", NULL, {"void panic(void)"}, ACT_NEUTRAL, false, true, false},
    {"breakpoint", NULL, {"void breakpoint(void)"}, ACT_NEUTRAL, false, true, false},
    {"chill", NULL, {"void chill(int)"}, ACT_NEUTRAL, false, true, false},
    {"pcap", NULL, {"void pcap(void *, int)"}, ACT_DATA, true, false, false},
};

static const struct act *find_act(const char *name)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (strcmp(acts[i].name, name) == 0)
			return &acts[i];
	return NULL;
}

bool check_is_key_action(const struct expr *e)
{
	const struct act *a = e->kind == EXPR_CALL ? find_act(e->name) : NULL;

	return a && a->is_key;
}

/* The prototype of the table, parsed once into the ident. */
static bool table_proto(struct check *ck, struct expr *e, const char *proto)
{
	struct ident *id = e->ident;

	if (!id->keys && !parse_proto(ck->l, id, proto))
		return diag(ck->l->diags, e->loc, D_UNKNOWN, "prototype of %s( ) is not valid",
			    e->name);
	e->type = id->type;
	return check_proto(ck, e, id);
}

/* Arguments of any type, and some that must be integers. */
static bool any_proto(struct check *ck, struct expr *e, const struct act_proto *p)
{
	for (unsigned int i = 0; i < e->nargs; i++) {
		struct expr *a = e->args[i];

		if (check_is_key_action(a) || a->kind == EXPR_AGG ? !check_expr(ck, a)
								  : !check_operand(ck, a))
			return false;
	}
	if (!length(ck, e, p->min, p->max, D_PROTO_LEN))
		return false;
	for (unsigned int i = 1; i < e->nargs && i <= p->nints; i++)
		if (!type_is_integer(e->args[i]->type))
			return diag(ck->l->diags, e->args[i]->loc, D_PROTO_ARG,
				    "%s( ) argument #%u is incompatible with prototype:\n"
				    "\tprototype: int\n\t argument: %s",
				    e->name, i + 1, lang_type(ck->l, e->args[i]->type));
	return true;
}

/* Of aggregating functions the packed parameters are constants, which check_agg.c looks at. */
static const struct act_proto *agg_proto(const char *name)
{
	static const struct act_proto of_count = {NULL, 0, 0}, of_any = {NULL, 1, 1},
				      of_quantize = {NULL, 1, 2}, of_lquantize = {NULL, 3, 5, 2},
				      of_llquantize = {NULL, 5, 6, 4};

	return strcmp(name, "count") == 0	 ? &of_count
	       : strcmp(name, "quantize") == 0	 ? &of_quantize
	       : strcmp(name, "lquantize") == 0	 ? &of_lquantize
	       : strcmp(name, "llquantize") == 0 ? &of_llquantize
						 : &of_any;
}

bool check_action_types(struct check *ck, struct expr *e)
{
	const struct act *a = find_act(e->name);

	e->type = type_void(ck->l->types);
	if (e->ident->kind == IDENT_AGGFUNC)
		return any_proto(ck, e, agg_proto(e->name));
	if (a && a->proto.text)
		return table_proto(ck, e, a->proto.text);
	if (a) {
		if (a->is_key)
			e->type = type_stack(ck->l->types);
		return any_proto(ck, e, &a->proto);
	}
	if (!e->ident->row->proto)
		return diag(ck->l->diags, e->loc, D_UNKNOWN, "action is not known: %s( )", e->name);
	return check_proto(ck, e, e->ident);
}

bool check_own(struct check *ck, struct expr *e)
{
	const struct act *a = find_act(e->name);

	return !a || !a->check || a->check(ck, e);
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
	ck->part->has_commit = true;
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

static bool do_other(struct check *ck, const struct expr *e, const struct act *a, bool destructive)
{
	enum act_state state = a ? a->state : ACT_DATA;

	if (ck->seen_speculate && destructive)
		return state_error(ck, e, D_ACT_SPEC, "follow speculate( ): it is destructive");
	if (ck->seen_speculate && state == ACT_EXIT)
		return state_error(ck, e, D_EXIT_SPEC, "follow speculate( )");
	if (destructive || state == ACT_DISCARD || state == ACT_NEUTRAL)
		return true;
	if (ck->seen_commit)
		return state_error(ck, e, D_DREC_COMM, "follow commit( ): it records data");
	if (!ck->seen_speculate)
		ck->seen_data = true;
	return true;
}

static bool action_stmt(struct check *ck, struct expr *e, bool is_last)
{
	const struct act *a = find_act(e->name);
	const struct lang_row *row = e->ident->row;
	bool destructive = a ? a->is_destructive : row->flags & LANG_DESTRUCTIVE;
	bool ok;

	destructive = destructive || ck->has_destructive_call;
	if (a && a->state == ACT_COMMIT)
		ok = do_commit(ck, e);
	else if (a && a->state == ACT_SPECULATE)
		ok = do_speculate(ck, e);
	else
		ok = do_other(ck, e, a, destructive);
	if (!ok)
		return false;
	if (a ? a->records : row->flags & LANG_RECORDS)
		ck->part->records = true;
	if (a && a->state == ACT_SPECULATE && is_last)
		ck->part->records = true;
	ck->part->has_exit |= a && a->state == ACT_EXIT;
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
	struct expr *keys = e->x;

	for (unsigned int i = 0; i < keys->nargs; i++)
		if (check_is_key_action(keys->args[i]) && !check_own(ck, keys->args[i]))
			return false;
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
	/* as it stands, or chosen by a constant in front of ?: */
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
