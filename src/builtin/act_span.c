/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_span.c: span_begin(name, [id, [traceparent]]) and span_end([id]): slices of a timeline that
 * the program defines (docs/timeline.md).  Without an id, spans nest in their thread.
 */
#include "builtin/builtin.h"

/* Checks that argument n, if present, is a number or a string. */
static bool check_id(struct check *ck, const struct expr *e, unsigned int n)
{
	const struct type *t = e->nargs > n ? e->args[n]->type : NULL;

	return !t || type_is_scalar(t) || type_is_string(t) ||
	       check_error(ck, e, D_PROTO_ARG, "takes a number or a string as the id");
}

static bool check_begin(struct check *ck, struct expr *e)
{
	if (!check_nargs(ck, e, 1, 3, D_PROTO_LEN))
		return false;
	if (!type_is_string(e->args[0]->type))
		return check_error(ck, e, D_PROTO_ARG, "takes a string as the name");
	if (e->nargs > 2 && !type_is_string(e->args[2]->type))
		return check_error(ck, e, D_PROTO_ARG, "takes a string as the traceparent");
	return check_id(ck, e, 1);
}

static bool check_end(struct check *ck, struct expr *e)
{
	return check_nargs(ck, e, 0, 1, D_PROTO_LEN) && check_id(ck, e, 0);
}

static void consume_begin(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	value_span(c->out, &(struct value_span){.name = &v[0],
						.id = act->n > 1 ? &v[1] : NULL,
						.parent = act->n > 2 ? &v[2] : NULL});
}

static void consume_end(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	value_span(c->out, &(struct value_span){.id = act->n ? &v[0] : NULL});
}

const struct lang_row builtin_act_span[] = {
    {BUILTIN_ACT(span_begin, .plan = builtin_plan_args, .emit = builtin_emit_args,
		 .consume = consume_begin),
     .nargs = {1, 3}, .check = check_begin, .flags = LANG_RECORDS | LANG_EXTENSION},
    {BUILTIN_ACT(span_end, .plan = builtin_plan_args, .emit = builtin_emit_args,
		 .consume = consume_end),
     .nargs = {0, 1}, .check = check_end, .flags = LANG_RECORDS | LANG_EXTENSION},
    {0},
};
