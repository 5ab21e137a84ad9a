/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.c: passes aggregations to functions of the program row by row, in the layout of DTrace: a
 * number, keys, the value.
 *
 * A walk collects the changes of rows, and makes them at its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "lib/priv.h"
#include "print/agg.h"
#include "print/value.h"
#include "consume/aggs.h"

enum { DATA_HEAD = 8 }; /* unused, then the number */

/* A row of a walk. */
struct shown {
	struct agg_state *st;
	const struct agg_rec *rec;
	dtrace_aggvarid_t var; /* from 1, in the order of aggregations */
	unsigned int number;   /* of the record in its list */
};

struct walk {
	dtrace_hdl_t *h;
	VEC(struct rec_list) lists; /* by var - 1 */
	VEC(struct row_change *) changes;
	VEC(struct shown) rows;
	int err;	     /* error of the function that ended the walk */
	struct arena *arena; /* for the rows in the public layout */
};

/* ---- layout ---- */

static const struct {
	const char *name;
	dtrace_actkind_t action;
	bool has_param; /* the value starts with the parameters */
} functions[] = {
    {"count", DTRACEAGG_COUNT, false},
    {"min", DTRACEAGG_MIN, false},
    {"max", DTRACEAGG_MAX, false},
    {"avg", DTRACEAGG_AVG, false},
    {"sum", DTRACEAGG_SUM, false},
    {"stddev", DTRACEAGG_STDDEV, false},
    {"quantize", DTRACEAGG_QUANTIZE, false},
    {"lquantize", DTRACEAGG_LQUANTIZE, true},
    {"llquantize", DTRACEAGG_LLQUANTIZE, true},
    {"stats", DTRACEAGG_AVG, false},
};

static void describe_value(const struct agg_desc *d, dtrace_recdesc_t *r, bool *has_param)
{
	*has_param = false;
	r->dtrd_alignment = 8;
	r->dtrd_arg = d->param;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, d->ops->name) != 0)
			continue;
		r->dtrd_action = functions[i].action;
		*has_param = functions[i].has_param;
	}
	r->dtrd_size = (agg_nwords(d) + *has_param) * (uint32_t)sizeof(int64_t);
}

static dtrace_actkind_t key_action(const struct value *v)
{
	switch (v->kind) {
	case VALUE_STACK:
	case VALUE_LINES:
		return DTRACEACT_STACK;
	case VALUE_USTACK:
		return DTRACEACT_USTACK;
	case VALUE_SYM:
		return DTRACEACT_SYM;
	case VALUE_MOD:
		return DTRACEACT_MOD;
	case VALUE_USYM:
		return DTRACEACT_USYM;
	case VALUE_UMOD:
		return DTRACEACT_UMOD;
	case VALUE_UADDR:
		return DTRACEACT_UADDR;
	case VALUE_INT:
	case VALUE_PTR:
	case VALUE_STR:
	case VALUE_BYTES:
	case VALUE_FLOAT:
		break;
	}
	return DTRACEACT_DIFEXPR;
}

/* The number of a process precedes its addresses. */
static bool has_pid(dtrace_actkind_t action)
{
	return DTRACEACT_CLASS(action) == DTRACEACT_PROC;
}

static void describe_key(const dtrace_hdl_t *h, const struct value *v, dtrace_recdesc_t *r)
{
	uint32_t strsize = h->s->plan.opt.strsize - 1;

	r->dtrd_action = key_action(v);
	r->dtrd_size = v->len + (has_pid(r->dtrd_action) ? 8 : 0);
	r->dtrd_alignment = 8;
	if (v->kind == VALUE_INT)
		r->dtrd_alignment = (uint16_t)v->len;
	if (v->kind == VALUE_STR) {
		r->dtrd_size = v->len < strsize ? strsize : v->len;
		r->dtrd_alignment = 1;
	}
	if (r->dtrd_action == DTRACEACT_STACK || r->dtrd_action == DTRACEACT_USTACK)
		r->dtrd_arg = v->len / 8;
}

static void copy_key(char *to, const struct value *v, const dtrace_recdesc_t *r)
{
	uint64_t pid = v->pid;

	/* Frames of such a stack are text and have no addresses. */
	if (v->kind == VALUE_LINES)
		return;
	if (has_pid(r->dtrd_action)) {
		memcpy(to, &pid, sizeof(pid));
		to += sizeof(pid);
	}
	memcpy(to, v->data, v->len);
}

static void copy_value(char *to, const struct agg_desc *d, const int64_t *words, bool has_param)
{
	if (has_param) {
		memcpy(to, &d->param, sizeof(d->param));
		to += sizeof(d->param);
	}
	memcpy(to, words, agg_nwords(d) * sizeof(*words));
}

static uint32_t place(dtrace_recdesc_t *r, uint32_t off)
{
	r->dtrd_offset = lib_align(off, r->dtrd_alignment);
	return r->dtrd_offset + r->dtrd_size;
}

static dtrace_aggdesc_t *describe_row(struct walk *w, const struct shown *row, bool *has_param)
{
	unsigned int n = row->rec->nkeys;
	dtrace_aggdesc_t *d = arena_alloc(w->arena, sizeof(*d) + (n + 1) * sizeof(d->dtagd_rec[0]));
	uint32_t off = DATA_HEAD;

	memset(d, 0, sizeof(*d) + (n + 1) * sizeof(d->dtagd_rec[0]));
	d->dtagd_name = arena_strdup(w->arena, row->st->name);
	d->dtagd_varid = row->var;
	d->dtagd_id = (dtrace_aggid_t)row->var;
	d->dtagd_nrecs = (int)n + 2;
	d->dtagd_rec[0] = (dtrace_recdesc_t){
	    .dtrd_action = DTRACEACT_DIFEXPR, .dtrd_size = 8, .dtrd_alignment = 8};
	off = place(&d->dtagd_rec[0], off);
	for (unsigned int i = 0; i < n; i++) {
		describe_key(w->h, &row->rec->keys[i], &d->dtagd_rec[i + 1]);
		off = place(&d->dtagd_rec[i + 1], off);
	}
	describe_value(row->rec->desc, &d->dtagd_rec[n + 1], has_param);
	d->dtagd_size = place(&d->dtagd_rec[n + 1], off);
	return d;
}

/* Many probes can update a row.  The first probe that updates the aggregation stands for all. */
static void describe_probe(struct walk *w, const struct agg_state *st, dtrace_aggdata_t *a)
{
	const struct agg_layout *ag = st->ags[0];
	const struct clause_probes *probes;

	a->dtada_edesc = arena_new_obj(w->arena, dtrace_eprobedesc_t);
	a->dtada_pdesc = arena_new_obj(w->arena, dtrace_probedesc_t);
	if (!ag || !ag->clause)
		return;
	probes = ag->clause->probes;
	lib_put_probe(a->dtada_pdesc, ag->probe);
	a->dtada_edesc->dtepd_probeid = ag->probe->id;
	a->dtada_edesc->dtepd_uarg = ag->clause->id;
	a->dtada_edesc->dtepd_epid = probes->epid_base;
	a->dtada_desc->dtagd_epid = a->dtada_edesc->dtepd_epid;
}

/* Makes the public form of a row, valid during the walk. */
static dtrace_aggdata_t *tell(struct walk *w, const struct shown *row)
{
	struct lib_row *out = arena_new_obj(w->arena, struct lib_row);
	dtrace_aggdata_t *a = &out->pub;
	const struct agg_rec *rec = row->rec;
	unsigned int nwords = agg_nwords(rec->desc);
	const dtrace_recdesc_t *value;
	bool has_param;

	out->rec = rec;
	out->was_printed = row->st->was_printed;
	a->dtada_handle = w->h;
	a->dtada_desc = describe_row(w, row, &has_param);
	describe_probe(w, row->st, a);
	a->dtada_normal = (uint64_t)(rec->normal ? rec->normal : 1);
	a->dtada_size = a->dtada_desc->dtagd_size;
	a->dtada_data = arena_alloc(w->arena, a->dtada_size);
	memset(a->dtada_data, 0, a->dtada_size);
	memcpy(a->dtada_data + DATA_HEAD, &row->var, sizeof(row->var));
	for (unsigned int i = 0; i < rec->nkeys; i++)
		copy_key(a->dtada_data + a->dtada_desc->dtagd_rec[i + 1].dtrd_offset, &rec->keys[i],
			 &a->dtada_desc->dtagd_rec[i + 1]);
	value = &a->dtada_desc->dtagd_rec[rec->nkeys + 1];
	copy_value(a->dtada_data + value->dtrd_offset, rec->desc, rec->words, has_param);
	if (rec->ncpu)
		a->dtada_percpu = arena_new_arr(w->arena, char *, rec->ncpu);
	for (unsigned int i = 0; i < rec->ncpu; i++) {
		a->dtada_percpu[i] = arena_alloc(w->arena, value->dtrd_size);
		copy_value(a->dtada_percpu[i], rec->desc, rec->words + (size_t)(i + 1) * nwords,
			   has_param);
	}
	return a;
}

/* ---- walks ---- */

static void begin_walk(struct walk *w, dtrace_hdl_t *h)
{
	struct consume *co = &h->s->consume;

	*w = (struct walk){.h = h, .arena = arena_new()};
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		struct agg_state *st = co->aggs.a[i];
		struct rec_list l = aggs_collect(co, st, false);

		vec_push(&w->lists, l);
		vec_push(&w->changes, mem_alloc((l.n + 1) * sizeof(struct row_change)));
		for (unsigned int k = 0; !st->is_library && k < l.n; k++) {
			struct shown row = {.st = st, .rec = &l.recs[k], .var = i + 1, .number = k};

			vec_push(&w->rows, row);
		}
	}
}

static void end_walk(struct walk *w)
{
	for (unsigned int i = 0; i < w->lists.n; i++) {
		aggs_change(w->h->s->consume.aggs.a[i], w->changes.a[i], w->lists.a[i].n);
		mem_free(w->changes.a[i]);
		arena_free(w->lists.a[i].arena);
	}
	vec_free(&w->lists);
	vec_free(&w->changes);
	vec_free(&w->rows);
	arena_free(w->arena);
}

/* Acts on the answer of the caller's function.  Returns false if the walk ends. */
static bool note(struct walk *w, const struct shown *row, const dtrace_aggdata_t *a, int answer)
{
	struct row_change *c = &w->changes.a[row->var - 1][row->number];

	switch (answer) {
	case DTRACE_AGGWALK_NEXT:
		return true;
	case DTRACE_AGGWALK_CLEAR:
		c->kind = ROW_CLEARS;
		return true;
	case DTRACE_AGGWALK_NORMALIZE:
	case DTRACE_AGGWALK_DENORMALIZE:
		c->kind = ROW_NORMALIZES;
		c->normal = answer == DTRACE_AGGWALK_NORMALIZE ? (int64_t)a->dtada_normal : 1;
		return true;
	case DTRACE_AGGWALK_REMOVE:
		c->kind = ROW_GOES;
		return true;
	case DTRACE_AGGWALK_ERROR:
	case DTRACE_AGGWALK_ABORT:
		w->err = EDT_DIRABORT;
		return false;
	default:
		w->err = EDT_BADRVAL;
		return false;
	}
}

static int walk_by(dtrace_hdl_t *h, dtrace_aggregate_f *func, void *arg,
		   int (*by)(const void *, const void *))
{
	LIB_ENTER(h, -1);
	struct walk w;
	bool ok = true;

	lib_enter(h);
	if (!func || !h->is_active)
		return lib_fail(h, func ? EDT_NOTACTIVE : EINVAL);
	begin_walk(&w, h);
	if (by && w.rows.n)
		qsort(w.rows.a, w.rows.n, sizeof(*w.rows.a), by);
	for (unsigned int i = 0; ok && i < w.rows.n; i++) {
		dtrace_aggdata_t *a = tell(&w, &w.rows.a[i]);

		ok = note(&w, &w.rows.a[i], a, func(a, arg));
	}
	end_walk(&w);
	return ok ? 0 : lib_fail(h, w.err);
}

static int by_var(const struct shown *a, const struct shown *b)
{
	return a->var < b->var ? -1 : a->var > b->var;
}

static int by_key(const struct shown *a, const struct shown *b)
{
	return agg_compare_keys(a->rec, b->rec, 0);
}

/* Compares values of different functions by the number that is printed, if there is one. */
static int by_value(const struct shown *a, const struct shown *b)
{
	const struct agg_ops *x = a->rec->desc->ops, *y = b->rec->desc->ops;
	int64_t m, n;

	if (x == y)
		return x->compare(a->rec->desc, a->rec->words, b->rec->words);
	if (!x->scalar || !y->scalar)
		return by_var(a, b);
	m = x->scalar(a->rec->words, 1);
	n = y->scalar(b->rec->words, 1);
	return m < n ? -1 : m > n;
}

#define ORDER(name, first, second, third)                   \
	static int name(const void *a, const void *b)       \
	{                                                   \
		int d = first(a, b);                        \
                                                            \
		d = d ? d : second(a, b);                   \
		return d ? d : third(a, b);                 \
	}                                                   \
	static int name##_rev(const void *a, const void *b) \
	{                                                   \
		return name(b, a);                          \
	}

ORDER(var_key, by_var, by_key, by_value)
ORDER(var_value, by_var, by_value, by_key)
ORDER(key_var, by_key, by_var, by_value)
ORDER(value_var, by_value, by_var, by_key)

#define WALK(name, by)                                                                        \
	int dtrace_aggregate_walk##name(dtrace_hdl_t *h, dtrace_aggregate_f *func, void *arg) \
	{                                                                                     \
		return walk_by(h, func, arg, by);                                             \
	}

WALK(, NULL)
WALK(_sorted, var_value)
WALK(_valsorted, var_value)
WALK(_keysorted, var_key)
WALK(_keyvarsorted, key_var)
WALK(_valvarsorted, value_var)
WALK(_keyrevsorted, var_key_rev)
WALK(_valrevsorted, var_value_rev)
WALK(_keyvarrevsorted, key_var_rev)
WALK(_valvarrevsorted, value_var_rev)

static int by_options(const void *a, const void *b, void *opts)
{
	return agg_compare(opts, ((const struct shown *)a)->rec, ((const struct shown *)b)->rec);
}

void lib_each_row(dtrace_hdl_t *h, struct agg_state *st, dtrace_aggregate_f *func, void *arg)
{
	struct walk w;

	begin_walk(&w, h);
	if (w.rows.n)
		qsort_r(w.rows.a, w.rows.n, sizeof(*w.rows.a), by_options, &h->s->out.opts);
	for (unsigned int i = 0; i < w.rows.n; i++)
		if (w.rows.a[i].st == st)
			func(tell(&w, &w.rows.a[i]), arg);
	end_walk(&w);
}

/* Returns the row of another aggregation with the same key, or NULL. */
static const struct shown *find(const struct walk *w, dtrace_aggvarid_t var, const struct shown *of)
{
	for (unsigned int i = 0; i < w->rows.n; i++)
		if (w->rows.a[i].var == var && w->rows.a[i].rec->nkeys == of->rec->nkeys &&
		    by_key(&w->rows.a[i], of) == 0)
			return &w->rows.a[i];
	return NULL;
}

int dtrace_aggregate_walk_joined(dtrace_hdl_t *h, dtrace_aggvarid_t *vars, int nvars,
				 dtrace_aggregate_walk_joined_f *func, void *arg)
{
	LIB_ENTER(h, -1);
	const dtrace_aggdata_t **data;
	struct walk w;
	bool ok = true;

	lib_enter(h);
	if (!func || !vars || nvars < 1)
		return lib_fail(h, EINVAL);
	if (!h->is_active)
		return lib_fail(h, EDT_NOTACTIVE);
	begin_walk(&w, h);
	if (w.rows.n)
		qsort(w.rows.a, w.rows.n, sizeof(*w.rows.a), var_value);
	data = arena_new_arr(w.arena, const dtrace_aggdata_t *, (size_t)nvars + 1);
	for (unsigned int i = 0; ok && i < w.rows.n; i++) {
		const struct shown *first = &w.rows.a[i];

		if (first->var != vars[0])
			continue;
		for (int k = 0; k < nvars; k++) {
			const struct shown *row = k ? find(&w, vars[k], first) : first;

			data[k + 1] = row ? tell(&w, row) : NULL;
		}
		data[0] = data[1];
		ok = note(&w, first, data[1], func(data, nvars + 1, arg));
	}
	end_walk(&w);
	return ok ? 0 : lib_fail(h, w.err);
}

/* ---- whole aggregations ---- */

int dtrace_aggregate_snap(dtrace_hdl_t *h)
{
	LIB_ENTER(h, -1);
	lib_enter(h);
	if (!h->is_active)
		return lib_fail(h, EDT_NOTACTIVE);
	aggs_snap(&h->s->consume);
	h->snapped = clock_ns();
	return 0;
}

static int clear(const dtrace_aggdata_t *a, void *arg)
{
	return DTRACE_AGGWALK_CLEAR;
}

void dtrace_aggregate_clear(dtrace_hdl_t *h)
{
	dtrace_aggregate_walk(h, clear, NULL);
}
