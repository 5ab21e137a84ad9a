/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_agg.c: aggregations: one function and one set of parameters for each name.  The parameters
 * of lquantize and llquantize are packed into one word (d-language.md 8.2); a later use must pack
 * to the same word, and the first field that differs names the error.
 */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/dialect.h"
#include "lang/priv.h"
#include "out/agg.h"

static struct ident *find_agg(struct check *ck, const struct expr *e)
{
	struct ident *id = names_find(ck->l, SCOPE_AGG, e->name);

	return id ? id : names_add(ck->l, IDENT_AGG, e->name, e->loc);
}

/* @name where a value is expected: it has none, but actions take it. */
bool check_agg_ref(struct check *ck, struct expr *e)
{
	struct ident *id = names_find(ck->l, SCOPE_AGG, e->name);

	e->type = type_dyn(ck->l->types);
	e->ident = id;
	return true;
}

/* Is argument i an integer constant? */
static bool constant(struct check *ck, struct expr *call, unsigned int i, enum diag_tag tag,
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

static bool increment(struct check *ck, struct expr *call, unsigned int i)
{
	struct expr *a;

	if (call->nargs <= i)
		return true;
	a = call->args[i];
	if (!type_is_scalar(a->type))
		return diag(ck->l->diags, a->loc, D_PROTO_ARG,
			    "%s( ) argument #%u is incompatible with prototype:\n"
			    "\tprototype: int64_t\n\t argument: %s",
			    call->name, i + 1, lang_type(ck->l, a->type));
	return true;
}

static bool error(struct check *ck, const struct expr *call, enum diag_tag tag, const char *text)
{
	return diag(ck->l->diags, call->loc, tag, "%s( ) %s", call->name, text);
}

static bool lquantize_match(struct check *ck, struct ident *id, const struct expr *call,
			    uint64_t old, uint64_t now)
{
	int64_t old_base = (int32_t)(uint32_t)old, base = (int32_t)(uint32_t)now;
	int64_t old_step = (int64_t)(old >> 48), step = (int64_t)(now >> 48);
	int64_t old_levels = (int64_t)(old >> 32 & 0xffff), levels = (int64_t)(now >> 32 & 0xffff);

	if (old_base != base)
		return error(ck, call, D_LQUANT_MATCHBASE,
			     "base (argument #1) differs from the previous use");
	if (old_levels * old_step != levels * step)
		return error(ck, call, D_LQUANT_MATCHLIM,
			     "limit (argument #2) differs from the previous use");
	if (old_step != step)
		return error(ck, call, D_LQUANT_MATCHSTEP,
			     "step (argument #3) differs from the previous use");
	return true;
}

static bool lquantize(struct check *ck, struct expr *call, uint64_t *param)
{
	int64_t base = 0, limit = 0, step = 1, levels;

	if (!constant(ck, call, 1, D_LQUANT_BASETYPE, "base", &base) ||
	    !constant(ck, call, 2, D_LQUANT_LIMTYPE, "limit", &limit))
		return false;
	if (base < INT32_MIN || base > INT32_MAX)
		return error(ck, call, D_LQUANT_BASEVAL, "argument #1 must be a 32-bit quantity");
	if (limit < INT32_MIN || limit > INT32_MAX)
		return error(ck, call, D_LQUANT_LIMVAL, "argument #2 must be a 32-bit quantity");
	if (limit < base)
		return error(ck, call, D_LQUANT_MISMATCH,
			     "base (argument #1) must be less than limit (argument #2)");
	if (call->nargs > 3) {
		if (!constant(ck, call, 3, D_LQUANT_STEPTYPE, "step", &step))
			return false;
		if (step <= 0)
			return error(ck, call, D_LQUANT_STEPTYPE,
				     "argument #3 must be a positive integer constant");
		if (step > UINT16_MAX)
			return error(ck, call, D_LQUANT_STEPVAL,
				     "step (argument #3) exceeds 16 bits");
	}
	levels = (limit - base) / step;
	if (levels == 0)
		return error(ck, call, D_LQUANT_STEPLARGE,
			     "step (argument #3) is too large: there are no levels");
	if (levels > UINT16_MAX)
		return error(ck, call, D_LQUANT_STEPSMALL,
			     "step (argument #3) is too small: there are too many levels");
	*param = (uint64_t)step << 48 | (uint64_t)levels << 32 | (uint32_t)base;
	return increment(ck, call, 4);
}

static bool llquantize_match(struct check *ck, const struct expr *call, uint64_t old, uint64_t now)
{
	static const struct {
		unsigned int shift;
		enum diag_tag tag;
		const char *text;
	} fields[] = {
	    {48, D_LLQUANT_FACTORMATCH, "factor (argument #1) differs from the previous use"},
	    {32, D_LLQUANT_LOWMATCH, "low magnitude (argument #2) differs from the previous use"},
	    {16, D_LLQUANT_HIGHMATCH, "high magnitude (argument #3) differs from the previous use"},
	    {0, D_LLQUANT_NSTEPMATCH,
	     "number of steps (argument #4) differs from the previous use"},
	};

	for (unsigned int i = 0; i < 4; i++)
		if ((old >> fields[i].shift & 0xffff) != (now >> fields[i].shift & 0xffff))
			return error(ck, call, fields[i].tag, fields[i].text);
	return true;
}

/* Does some power of the factor contain the number of steps? */
static bool steps_divide_power(uint64_t factor, uint64_t nsteps)
{
	for (uint64_t v = factor, n = 0; n < 64; n++) {
		if (v % nsteps == 0)
			return true;
		if (v > UINT64_MAX / factor)
			break;
		v *= factor;
	}
	return false;
}

static bool llquantize_shape(struct check *ck, const struct expr *call, const int64_t *v)
{
	uint64_t factor = (uint64_t)v[0], nsteps = (uint64_t)v[3], power = 1;

	if (factor < 2)
		return error(ck, call, D_LLQUANT_FACTORSMALL,
			     "factor (argument #1) must be two or more");
	if (v[1] > v[2])
		return error(ck, call, D_LLQUANT_MAGRANGE,
			     "high magnitude (argument #3) must not be less than the low magnitude "
			     "(argument #2)");
	if (nsteps == 0 || (nsteps < factor && factor % nsteps != 0))
		return error(ck, call, D_LLQUANT_FACTORNSTEPS,
			     "fewer steps (argument #4) than the factor (argument #1) must divide "
			     "it");
	for (int64_t i = 0; i < v[2]; i++) {
		if (power > UINT64_MAX / factor)
			return error(ck, call, D_LLQUANT_MAGTOOBIG,
				     "factor (argument #1) raised to the high magnitude "
				     "(argument #3) does not fit 64 bits");
		power *= factor;
	}
	if (nsteps > factor && (nsteps % factor != 0 || !steps_divide_power(factor, nsteps)))
		return error(ck, call, D_LLQUANT_FACTOREVEN,
			     "factor (argument #1) must divide the number of steps (argument #4), "
			     "and these a power of the factor");
	return true;
}

static bool llquantize(struct check *ck, struct expr *call, uint64_t *param)
{
	static const struct {
		enum diag_tag type, val;
		const char *what;
	} args[] = {
	    {D_LLQUANT_FACTORTYPE, D_LLQUANT_FACTORVAL, "factor"},
	    {D_LLQUANT_LOWTYPE, D_LLQUANT_LOWVAL, "low magnitude"},
	    {D_LLQUANT_HIGHTYPE, D_LLQUANT_HIGHVAL, "high magnitude"},
	    {D_LLQUANT_NSTEPTYPE, D_LLQUANT_NSTEPVAL, "number of steps"},
	};
	int64_t v[4];

	for (unsigned int i = 0; i < 4; i++) {
		if (!constant(ck, call, i + 1, args[i].type, args[i].what, &v[i]))
			return false;
		if (v[i] < 0 || v[i] > UINT16_MAX)
			return error(ck, call, args[i].val,
				     arena_printf(ck->l->arena,
						  "argument #%u must be an unsigned 16-bit "
						  "quantity",
						  i + 1));
	}
	if (!llquantize_shape(ck, call, v))
		return false;
	*param =
	    agg_llquantize_param((uint16_t)v[0], (uint16_t)v[1], (uint16_t)v[2], (uint16_t)v[3],
				 dialect_has(ck->l->diags->dialect, DIALECT_SYMMETRIC_LLQUANTIZE));
	return increment(ck, call, 5);
}

/* The call on the right side: kinds of its arguments; its parameters packed. */
static bool check_func(struct check *ck, struct expr *call, uint64_t *param)
{
	*param = 0;
	if (call->nargs && !type_is_scalar(call->args[0]->type))
		return diag(ck->l->diags, call->loc, D_AGG_SCALAR,
			    "%s( ) argument #1 must be of scalar type: %s", call->name,
			    lang_type(ck->l, call->args[0]->type));
	if (strcmp(call->name, "lquantize") == 0)
		return lquantize(ck, call, param);
	if (strcmp(call->name, "llquantize") == 0)
		return llquantize(ck, call, param);
	return increment(ck, call, 1);
}

static bool check_match(struct check *ck, struct ident *id, struct expr *call, uint64_t param)
{
	if (id->agg_func != call->ident->row)
		return diag(ck->l->diags, call->loc, D_AGG_REDEF,
			    "aggregation redefined: @%s\n\t current: @%s = %s( )\n"
			    "\tprevious: @%s = %s( )",
			    id->name, id->name, call->name, id->name, id->agg_func->name);
	if (strcmp(call->name, "lquantize") == 0)
		return lquantize_match(ck, id, call, id->agg_param, param);
	if (strcmp(call->name, "llquantize") == 0)
		return llquantize_match(ck, call, id->agg_param, param);
	return true;
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
	id->is_assigned = true;
	return true;
}
