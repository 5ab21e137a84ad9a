/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_run.c: clauses, actions and aggregations.  A part of a clause leaves its record whole or, at
 * a fault, not at all.  Records are kept until the end, when operations on aggregations take
 * effect.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "eval.h"
#include "lower/lower.h"
#include "print/fmt.h"
#include "print/msg.h"
#include "print/value.h"

struct row {
	struct value *keys;
	int64_t *words;
};

static struct value value_of(struct eval *ev, struct expr *e, struct type *t)
{
	struct value v = {.kind = VALUE_INT, .len = (uint32_t)type_sizeof(ev->types, t)};
	uint64_t n;

	if (type_is_string(t)) {
		v.kind = VALUE_STR;
		v.data = eval_text(ev, e);
		v.len = ev->strsize;
	} else if (type_is_scalar(t)) {
		const struct type *b = type_base(t);

		n = eval_cut(eval_int(ev, e), t);
		v.size = (uint8_t)v.len;
		v.is_signed = b->kind == TYPE_ENUM || b->is_signed;
		v.data = memcpy(arena_alloc(ev->arena, 8), &n, 8);
	} else {
		v.kind = VALUE_BYTES;
		v.data = eval_bytes(ev, e);
	}
	return v;
}

/* ---- aggregations ---- */

static struct eval_agg *agg_of(struct eval *ev, struct ident *id)
{
	struct eval_agg *ag = map_get_int(ev->aggs, (uintptr_t)id);
	unsigned int i;

	if (ag)
		return ag;
	ag = arena_new_obj(ev->arena, struct eval_agg);
	ag->ident = id;
	ag->desc = lang_agg_desc(id);
	ag->rows = map_new();
	ag->normal = 1;
	map_set_int(ev->aggs, (uintptr_t)id, ag);
	vec_push(&ev->agg_list, ag);
	for (i = ev->agg_list.n - 1; i && ev->agg_list.a[i - 1]->ident->id > id->id; i--)
		ev->agg_list.a[i] = ev->agg_list.a[i - 1];
	ev->agg_list.a[i] = ag;
	return ag;
}

static struct row *row_of(struct eval *ev, struct eval_agg *ag, struct value *keys, unsigned int n)
{
	struct buf b = {0};
	struct row *r;

	for (unsigned int i = 0; i < n; i++)
		buf_add(&b, keys[i].data, keys[i].size ? keys[i].size : value_strlen(&keys[i]) + 1);
	r = map_get(ag->rows, buf_str(&b), b.n);
	if (!r) {
		r = arena_new_obj(ev->arena, struct row);
		r->keys = keys;
		r->words = arena_new_arr(ev->arena, int64_t, agg_nwords(&ag->desc));
		agg_init(&ag->desc, r->words);
		map_set(ag->rows, buf_str(&b), b.n, r);
	}
	buf_free(&b);
	return r;
}

/* Evaluates the argument, the keys, the increment. */
static void aggregate(struct eval *ev, struct expr *e)
{
	struct eval_agg *ag = agg_of(ev, e->x->ident);
	struct value *keys = arena_new_arr(ev->arena, struct value, e->x->nargs + 1);
	unsigned int weight_arg = e->y->ident->row->agg->weight_arg;
	int64_t v = e->y->nargs ? (int64_t)eval_int(ev, e->y->args[0]) : 0, incr = 1;
	struct row *r;

	for (unsigned int i = 0; i < e->x->nargs; i++)
		keys[i] = value_of(ev, e->x->args[i], e->x->args[i]->type);
	if (weight_arg && e->y->nargs > weight_arg)
		incr = (int64_t)eval_int(ev, e->y->args[weight_arg]);
	if (ev->fault)
		return;
	r = row_of(ev, ag, keys, e->x->nargs);
	ag->desc.ops->update(&ag->desc, r->words, v, incr);
}

static struct agg_set agg_set_of(struct eval *ev, struct eval_agg *ag)
{
	struct agg_rec *recs = arena_new_arr(ev->arena, struct agg_rec, map_count(ag->rows) + 1);
	struct agg_set set = {.desc = &ag->desc, .recs = recs};
	struct row *r;
	size_t pos = 0;

	while ((r = map_next(ag->rows, &pos, NULL, NULL)) != NULL)
		recs[set.n++] = (struct agg_rec){.desc = &ag->desc,
						 .keys = r->keys,
						 .nkeys = ag->ident->nkeys,
						 .words = r->words,
						 .normal = ag->normal};
	return set;
}

static void do_printa(struct eval *ev, struct out *o, struct expr *e)
{
	struct agg_set *sets = arena_new_arr(ev->arena, struct agg_set, e->nargs);
	unsigned int n = 0;

	for (unsigned int i = 0; i < e->nargs; i++) {
		if (e->args[i]->kind != EXPR_AGG)
			continue;
		sets[n++] = agg_set_of(ev, agg_of(ev, e->args[i]->ident));
		agg_of(ev, e->args[i]->ident)->was_printed = true;
	}
	agg_printa(o, e->fmt, sets, n);
}

static void do_clear(struct eval_agg *ag)
{
	struct row *r;
	size_t pos = 0;

	while ((r = map_next(ag->rows, &pos, NULL, NULL)) != NULL)
		memset(r->words, 0, agg_nwords(&ag->desc) * sizeof(int64_t));
}

static void do_deferred(struct eval *ev, struct out *o, const struct eval_op *op)
{
	struct expr *e = op->deferred;
	struct eval_agg *ag;

	if (strcmp(e->name, "printa") == 0) {
		do_printa(ev, o, e);
		return;
	}
	ag = agg_of(ev, e->args[0]->ident);
	if (strcmp(e->name, "clear") == 0) {
		do_clear(ag);
	} else if (strcmp(e->name, "trunc") == 0) {
		assert(op->arg == 0);
		map_free(ag->rows);
		ag->rows = map_new();
	} else {
		ag->normal = strcmp(e->name, "normalize") == 0 && op->arg ? op->arg : 1;
	}
}

/* ---- actions ---- */

static void add_text(struct eval *ev, struct buf *b)
{
	vec_push(&ev->ops, ((struct eval_op){.text = arena_strndup(ev->arena, buf_str(b), b->n),
					     .arg = (int64_t)b->n}));
	buf_free(b);
}

static void print_args(struct eval *ev, struct expr *e)
{
	unsigned int first = e->fmt ? 1 : 0;
	struct value *v = arena_new_arr(ev->arena, struct value, e->nargs);
	struct buf b = {0};
	struct out o;

	out_init_buf(&o, &b);
	o.opts.quiet = true;
	for (unsigned int i = first; i < e->nargs; i++)
		v[i - first] = value_of(ev, e->args[i], e->args[i]->type);
	if (e->fmt)
		fmt_print(&o, e->fmt, v, e->nargs - 1);
	else
		value_trace(&o, v, true);
	out_free(&o);
	add_text(ev, &b);
}

static void action(struct eval *ev, struct expr *e)
{
	if (strcmp(e->name, "printf") == 0 || strcmp(e->name, "trace") == 0) {
		print_args(ev, e);
	} else if (strcmp(e->name, "exit") == 0) {
		int status = (int)eval_int(ev, e->args[0]);

		if (!ev->fault) {
			ev->has_stopped = true;
			ev->status = status;
		}
	} else {
		int64_t arg = e->nargs > 1 && e->args[1]->kind != EXPR_AGG && !e->fmt
				  ? (int64_t)eval_int(ev, e->args[1])
				  : 0;

		vec_push(&ev->ops, ((struct eval_op){.deferred = e, .arg = arg}));
	}
}

static void statement(struct eval *ev, struct expr *e)
{
	if (e->kind == EXPR_CALL && e->ident->kind == IDENT_ACTION)
		action(ev, e);
	else if (e->kind == EXPR_ASSIGN && e->x->kind == EXPR_AGG)
		aggregate(ev, e);
	else
		eval_effect(ev, e);
}

/* ---- clauses ---- */

static void fire(struct eval *ev, const struct program *p, const char *probe);

/* Runs the ERROR clauses, then prints the message. */
static void report(struct eval *ev, const struct program *p)
{
	struct msg_error m = {.epid = ev->epid,
			      .id = ev->probe[0] == 'B' ? 1 : 2,
			      .prov = "dtrace",
			      .mod = "",
			      .func = "",
			      .name = ev->probe,
			      .fault = (unsigned int)ev->fault,
			      .addr = ev->fault_val,
			      .action = ev->action,
			      .offset = -1};
	struct eval saved = *ev;
	struct buf b = {0};

	assert(strcmp(ev->probe, "ERROR") != 0);
	ev->args[1] = ev->epid;
	ev->args[2] = ev->action;
	ev->args[3] = ~0ULL;
	ev->args[4] = (uint64_t)ev->fault;
	ev->args[5] = ev->fault_val;
	fire(ev, p, "ERROR");
	ev->probe = saved.probe;
	ev->locals = saved.locals;
	ev->epid = saved.epid;
	buf_puts(&b, "dtrace: ");
	msg_error(&b, &m);
	buf_putc(&b, '\n');
	add_text(ev, &b);
}

static bool guards_hold(const struct part *pt, const bool *conds)
{
	for (unsigned int i = 0; i < pt->nguards; i++)
		if (conds[pt->guards[i].cond_var] != pt->guards[i].want)
			return false;
	return true;
}

/* Statements are numbered including those that do not run. */
static void part(struct eval *ev, const struct part *pt, bool *conds)
{
	bool runs = guards_hold(pt, conds);
	unsigned int mark = ev->ops.n, at = ev->action;

	if (pt->cond) {
		at++;
		if (runs) {
			ev->action = at;
			conds[pt->cond_var] = eval_int(ev, pt->cond) != 0;
		}
	}
	for (struct stmt *s = pt->stmts; s; s = s->next) {
		at++;
		if (runs && !ev->fault) {
			ev->action = at;
			statement(ev, s->expr);
		}
	}
	if (ev->fault)
		ev->ops.n = mark;
	else
		ev->action = at;
}

/* exit() ends all clauses and their parts, except clauses of END. */
static bool has_ended(const struct eval *ev)
{
	return ev->has_stopped && ev->probe[0] == 'B';
}

static void clause(struct eval *ev, const struct program *p, const struct clause *c)
{
	bool *conds = arena_new_arr(ev->arena, bool, c->ncond_vars + 1);

	ev->fault = 0;
	ev->fault_val = 0;
	ev->action = 0;
	if (!c->pred || (eval_int(ev, c->pred) != 0 && !ev->fault))
		for (unsigned int i = 0; i < c->nparts && !ev->fault; i++) {
			if (i && has_ended(ev))
				break;
			part(ev, &c->parts[i], conds);
		}
	if (ev->fault)
		report(ev, p);
}

static void fire(struct eval *ev, const struct program *p, const char *probe)
{
	struct map *locals = map_new();
	unsigned int epid = 0;

	ev->probe = probe;
	ev->locals = locals;
	for (const struct clause *c = p->clauses; c; c = c->next) {
		epid++;
		if (strcmp(c->descs[0].name, probe) != 0)
			continue;
		if (has_ended(ev))
			break;
		ev->epid = epid;
		clause(ev, p, c);
	}
	map_free(locals);
}

static void finish(struct eval *ev, struct buf *b)
{
	struct out o;

	out_init_buf(&o, b);
	o.opts.quiet = true;
	for (unsigned int i = 0; i < ev->ops.n; i++) {
		if (ev->ops.a[i].deferred)
			do_deferred(ev, &o, &ev->ops.a[i]);
		else
			out_text(&o, ev->ops.a[i].text, (size_t)ev->ops.a[i].arg);
	}
	out_putc(&o, '\n');
	for (unsigned int i = 0; i < ev->agg_list.n; i++) {
		struct eval_agg *ag = ev->agg_list.a[i];

		if (!ag->was_printed) {
			struct agg_set set = agg_set_of(ev, ag);

			agg_print(&o, set.recs, set.n);
		}
	}
	out_free(&o);
}

static void release(struct eval *ev)
{
	size_t pos = 0, len;
	struct map *m;
	const void *key;

	for (unsigned int i = 0; i < ev->agg_list.n; i++)
		map_free(ev->agg_list.a[i]->rows);
	while ((m = map_next(ev->arrays, &pos, &key, &len)) != NULL)
		map_free(m);
	map_free(ev->arrays);
	map_free(ev->vars);
	map_free(ev->aggs);
	vec_free(&ev->agg_list);
	vec_free(&ev->ops);
}

const char *eval_program(struct arena *a, struct types *types, uint32_t strsize,
			 const struct program *p)
{
	struct eval ev = {.arena = a, .types = types, .strsize = strsize};
	struct buf b = {0};
	const char *text;

	ev.vars = map_new();
	ev.arrays = map_new();
	ev.aggs = map_new();
	fire(&ev, p, "BEGIN");
	fire(&ev, p, "END");
	finish(&ev, &b);
	text = arena_strdup(a, buf_str(&b));
	buf_free(&b);
	release(&ev);
	return text;
}
