/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.c: aggregations at the consumer.
 *
 * The kernel has two halves of every aggregation.  To read them, the consumer switches halves and
 * waits for the firings that still write the old half.  Then it takes the rows of that half out and
 * adds them to the rows here.  So nothing is lost or counted twice, and the kernel has only new
 * values.  clear() and trunc() change the rows here, which were shown last.
 *
 * The consumer also reads the kernel when its maps fill, to make room for new rows.  These rows are
 * `fresh` until something needs the state at a later time.  So all actions of a firing see one
 * state.
 *
 * With option aggpercpu, a row keeps the words of each CPU after the words of all CPUs together.
 * With metrics or pictures, the sum of cleared values follows, because counters must not decrease.
 */
#include <assert.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "print/agg.h"
#include "metrics/metrics.h"
#include "print/value.h"
#include "consume/aggs.h"
#include "load/backend.h"

/* The first peer has the rows of all peers. */
static struct consume *lead(struct consume *co)
{
	return co->peers[0];
}

static struct agg_state *new_state(struct consume *co, struct ident *id)
{
	struct agg_state *st = arena_new_obj(lead(co)->arena, struct agg_state);

	st->name = id->name;
	st->is_library = id->is_library;
	st->ags = arena_new_arr(lead(co)->arena, struct agg_layout *, co->npeers);
	st->desc = lang_agg_desc(id);
	st->rows = map_new();
	st->fresh = map_new();
	st->ndata = agg_nwords(&st->desc);
	st->keeps_past = (opts_measure(co->opts) || opts_draw(co->opts)) && agg_is_total(&st->desc);
	for (unsigned int i = 0; co->opts->is_set[OPT_aggpercpu] && i < co->npeers; i++) {
		unsigned int n = kern_ncpu_possible(co->peers[i]->plan->env.kern);

		st->ncpu = n > st->ncpu ? n : st->ncpu;
	}
	vec_push(&lead(co)->aggs, st);
	return st;
}

static struct agg_state *state_named(struct consume *co, const char *name)
{
	for (unsigned int i = 0; i < lead(co)->aggs.n; i++)
		if (strcmp(lead(co)->aggs.a[i]->name, name) == 0)
			return lead(co)->aggs.a[i];
	return NULL;
}

/* Notes the maps of an aggregation in the kernel of this consumer. */
static void meet(struct consume *co, struct ident *id)
{
	struct agg_layout *ag = plan_agg(co->plan, id);
	struct agg_state *st = ag ? state_named(co, id->name) : NULL;

	if (!ag)
		return;
	st = st ? st : new_state(co, id);
	st->ags[co->peer] = ag;
}

void aggs_grow(struct consume *co, unsigned int had)
{
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		struct agg_state *st = co->aggs.a[i];
		struct agg_layout **ags = arena_new_arr(co->arena, struct agg_layout *, co->npeers);

		memcpy(ags, st->ags, had * sizeof(*ags));
		st->ags = ags;
	}
}

/* ---- rows ---- */

static void row_init(const struct agg_state *st, struct row *r)
{
	r->is_cleared = false;
	for (unsigned int i = 0; i <= st->ncpu; i++)
		agg_init(&st->desc, r->words + (size_t)i * st->ndata);
}

/* Returns the row of a key, to which the caller adds a value.  Creates it if necessary. */
static struct row *row_of(struct agg_state *st, struct map *rows, const void *key, size_t len)
{
	struct row *r = map_get(rows, key, len);

	if (!r) {
		r = mem_alloc(sizeof(*r) +
			      (aggs_row_nwords(st) + st->keeps_past * st->ndata) * sizeof(int64_t));
		r->normal = 1;
		row_init(st, r);
		map_set(rows, key, len, r);
	} else if (r->is_cleared) {
		row_init(st, r);
	}
	return r;
}

static void add_row(const struct agg_state *st, struct row *to, struct row *from)
{
	aggs_add_words(st, to->words, from->words);
	if (st->keeps_past)
		st->desc.ops->merge(&st->desc, aggs_past(st, to), aggs_past(st, from));
}

static void free_rows(struct map *rows)
{
	struct row *r;
	size_t pos = 0;

	while ((r = map_next(rows, &pos, NULL, NULL)) != NULL)
		mem_free(r);
	map_free(rows);
}

/* ---- rows of the kernel ---- */

/* State while rows are taken from a map, which several aggregations may share. */
struct taking {
	struct consume *co;
	unsigned int map;
	bool is_shown; /* the rows are for the shown state, not for fresh */
	char *key;     /* the key of the current row, as kept here */
};

static void take_words(struct consume *co, struct agg_state *st, const void *key, unsigned int cpu,
		       const int64_t *words, bool is_shown)
{
	const struct agg_layout *ag = st->ags[co->peer];
	bool is_used = words[ag->has_seen ? ag->nwords - 1 : 0] != 0;
	struct row *r;

	if (!is_used)
		return;
	for (unsigned int i = 0; st->keeps_past && i < st->ndata; i++)
		st->may_sink |= words[i] < 0;
	r = row_of(st, is_shown && !map_count(st->fresh) ? st->rows : st->fresh, key,
		   aggs_key_size(ag));
	st->desc.ops->merge(&st->desc, r->words, words);
	if (cpu < st->ncpu)
		st->desc.ops->merge(&st->desc, r->words + (size_t)(cpu + 1) * st->ndata, words);
}

static void take_row(void *arg, const void *key, const void *value)
{
	const struct taking *t = arg;
	struct consume *co = t->co;
	struct key_tail tail = {.peer = co->peer};
	uint64_t tag;

	memcpy(&tag, (const char *)key + co->plan->maps.a[t->map].key_size - sizeof(tag),
	       sizeof(tag));
	tail.form = tag >> 16 & 0xffff;
	for (unsigned int i = 0; i < lead(co)->aggs.n; i++) {
		struct agg_state *st = lead(co)->aggs.a[i];
		const struct agg_layout *ag = st->ags[co->peer];

		if (!ag || !ag->key_size || ag->map != t->map || ag->id != tag >> 32 ||
		    tail.form >= ag->nforms)
			continue;
		memcpy(t->key, key, ag->key_size);
		memcpy(t->key + ag->key_size, &tail, sizeof(tail));
		syms_name(co, plan_agg_form(ag, tail.form), ag->ident->nkeys, t->key);
		if (co->opts->is_set[OPT_mergestacks])
			syms_merge(co, plan_agg_form(ag, tail.form), ag->ident->nkeys, t->key);
		take_words(co, st, t->key, (uint16_t)tag, value, t->is_shown);
		return;
	}
}

/* Takes the row without keys that all CPUs share. */
static void take_shared(struct consume *co, struct agg_state *st, uint32_t half, bool is_shown)
{
	const struct agg_layout *ag = st->ags[co->peer];
	int64_t *words = mem_alloc(ag->nwords * sizeof(*words));
	struct key_tail key = {.peer = co->peer};
	uint32_t index = 2 * (ag->id - 1) + half;

	if (co->load->backend->lookup(co->load, ag->map, &index, words))
		take_words(co, st, &key, 0, words, is_shown);
	memset(words, 0, ag->nwords * sizeof(*words));
	co->load->backend->update(co->load, ag->map, &index, words, BPF_EXIST);
	mem_free(words);
}

/* Takes the rows without keys of each CPU. */
static void take_keyless(struct consume *co, struct agg_state *st, uint32_t half, bool is_shown)
{
	const struct agg_layout *ag = st->ags[co->peer];
	size_t size = ag->nwords * sizeof(int64_t);
	struct key_tail key = {.peer = co->peer};

	for (unsigned int c = 0; c < kern_ncpu_possible(co->plan->env.kern); c++) {
		void *row = (char *)co->load->state + plan_row(co->plan, ag, c, half);

		co->load->backend->fetch(co->load, row, size);
		take_words(co, st, &key, c, row, is_shown);
		memset(row, 0, size);
		co->load->backend->store(co->load, row, size);
	}
}

/*
 * Returns the used part of a map, or of the fullest CPU's share if that is more, in percent.
 * Returns at least 1 if the map has a row.  counts: rows of each CPU.
 */
static uint64_t percent_used(struct consume *co, const struct plan_map *m, const uint64_t *counts)
{
	uint64_t sum = 0, most = 0;

	for (unsigned int c = 0; c < kern_ncpu_possible(co->plan->env.kern); c++) {
		uint64_t n = counts[c * co->plan->nfills + m->fill];

		sum += n;
		most = n > most ? n : most;
	}
	most = (most * 100 + m->room - 1) / m->room;
	sum = (sum * 100 + m->max_entries - 1) / m->max_entries;
	return sum > most ? sum : most;
}

/*
 * Returns the number of rows made in a half, by CPU and plan_map.fill.  The caller frees the
 * result.
 */
static uint64_t *read_counts(struct consume *co, uint32_t half)
{
	uint64_t *counts = mem_alloc((size_t)kern_ncpu_possible(co->plan->env.kern) *
				     co->plan->nfills * sizeof(*counts));

	co->load->backend->lookup(co->load, MAP_FILL, &half, counts);
	return counts;
}

static void take_keyed(struct consume *co, uint32_t half, bool is_shown)
{
	uint64_t *counts = read_counts(co, half);
	struct taking t = {.co = co, .is_shown = is_shown};

	for (t.map = 0; t.map < co->plan->maps.n; t.map++) {
		const struct plan_map *m = &co->plan->maps.a[t.map];
		int r = 0;

		if (m->is_twin && percent_used(co, m, counts)) {
			t.key = mem_alloc(m->key_size);
			r = co->load->backend->take(co->load, t.map + half, take_row, &t);
			mem_free(t.key);
		}
		if (r != 0)
			report_error(co->report, "could not read aggregations: %s", strerror(-r));
	}
	memset(counts, 0,
	       (size_t)kern_ncpu_possible(co->plan->env.kern) * co->plan->nfills * sizeof(*counts));
	co->load->backend->update(co->load, MAP_FILL, &half, counts, BPF_ANY);
	mem_free(counts);
}

static void take_half(struct consume *co, uint32_t half, bool is_shown)
{
	for (unsigned int i = 0; i < lead(co)->aggs.n; i++) {
		struct agg_state *st = lead(co)->aggs.a[i];
		const struct agg_layout *ag = st->ags[co->peer];

		if (ag && ag->map == MAP_STATE)
			take_keyless(co, st, half, is_shown);
		else if (ag && !ag->key_size)
			take_shared(co, st, half, is_shown);
	}
	if (co->plan->nfills)
		take_keyed(co, half, is_shown);
}

static void meet_all(struct consume *co)
{
	for (unsigned int i = 0; i < lang_nidents(co->plan->env.lang, IDENT_AGG); i++)
		meet(co, lang_ident(co->plan->env.lang, IDENT_AGG, i));
}

static void read_kernel(struct consume *co, bool is_shown)
{
	struct abi_state *state = co->load->state;
	uint32_t half;

	/* Nothing was loaded into this kernel. */
	if (!state)
		return;
	/* The memory of another machine can hold any value. */
	half = (uint32_t)state->agg_half & 1;
	meet_all(co);
	__atomic_store_n(&state->agg_half, !half, __ATOMIC_SEQ_CST);
	co->load->backend->store(co->load, &state->agg_half, sizeof(state->agg_half));
	if (state->active == ABI_STATE_ACTIVE)
		co->load->backend->settle(co->load);
	take_half(co, half, is_shown);
}

/* Merges rows that were taken earlier into the shown ones. */
static void show_fresh(struct agg_state *st)
{
	struct row *f;
	const void *key;
	size_t pos = 0, len;

	if (!map_count(st->fresh))
		return;
	while ((f = map_next(st->fresh, &pos, &key, &len)) != NULL)
		add_row(st, row_of(st, st->rows, key, len), f);
	free_rows(st->fresh);
	st->fresh = map_new();
}

bool aggs_relieve(struct consume *co)
{
	bool is_busy = false, is_filling = false;
	uint64_t *counts;

	if (!co->plan->nfills)
		return false;
	counts = read_counts(co, (uint32_t)((struct abi_state *)co->load->state)->agg_half & 1);
	for (unsigned int i = 0; i < co->plan->maps.n; i++) {
		const struct plan_map *m = &co->plan->maps.a[i];
		uint64_t used = m->is_twin ? percent_used(co, m, counts) : 0;

		is_busy = is_busy || used > 12;
		is_filling = is_filling || used > 50;
	}
	mem_free(counts);
	if (is_filling)
		read_kernel(co, false);
	return is_busy;
}

void aggs_save(struct consume *co)
{
	read_kernel(co, false);
}

/*
 * Returns true if rows read at this time are recent enough for option aggrate.  After tracing, no
 * rows are.
 */
static bool is_recent(const struct consume *co, uint64_t read_at, uint64_t now)
{
	const struct abi_state *state = co->load->state;

	return co->opts->is_set[OPT_aggrate] && state->active != ABI_STATE_STOPPED &&
	       now - read_at < co->opts->num[OPT_aggrate];
}

/*
 * Makes the rows at least as new as this time, but reads no more often than option aggrate allows.
 */
static void sync_to(struct consume *co, uint64_t time)
{
	uint64_t now = co->load->backend->now(co->load);

	for (unsigned int i = 0; i < co->npeers; i++)
		if (co->peers[i]->is_hosting)
			read_kernel(co->peers[i], true);
	if (co->aggs_time && (time <= co->aggs_time || is_recent(co, co->aggs_time, now)))
		return;
	co->aggs_time = now;
	for (unsigned int i = 0; i < co->npeers; i++)
		read_kernel(co->peers[i], true);
	for (unsigned int i = 0; i < co->aggs.n; i++)
		show_fresh(co->aggs.a[i]);
}

struct agg_state *aggs_at(struct consume *co, struct ident *id, uint64_t time)
{
	sync_to(lead(co), time);
	return state_named(co, id->name);
}

void aggs_snap(struct consume *co)
{
	lead(co)->aggs_time = 0;
	sync_to(lead(co), co->load->backend->now(co->load));
}

static void clear_row(const struct agg_state *st, struct row *r)
{
	if (st->keeps_past)
		st->desc.ops->merge(&st->desc, aggs_past(st, r), r->words);
	memset(r->words, 0, aggs_row_nwords(st) * sizeof(int64_t));
	r->is_cleared = true;
}

void aggs_clear(struct consume *co, struct ident *id, uint64_t time)
{
	struct agg_state *st = aggs_at(co, id, time);
	struct row *r;
	size_t pos = 0;

	if (!st)
		return;
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL)
		clear_row(st, r);
}

void aggs_change(struct agg_state *st, const struct row_change *changes, unsigned int n)
{
	struct map *stay = map_new();
	struct row *r;
	const void *key;
	size_t pos = 0, len;

	while ((r = map_next(st->rows, &pos, &key, &len)) != NULL) {
		struct row_change c = r->rec < n ? changes[r->rec] : (struct row_change){0};

		if (c.kind == ROW_CLEARS)
			clear_row(st, r);
		if (c.kind == ROW_NORMALIZES)
			r->normal = c.normal ? c.normal : 1;
		if (c.kind == ROW_GOES)
			mem_free(r);
		else
			map_set(stay, key, len, r);
	}
	map_free(st->rows);
	st->rows = stay;
}

/* Returns the layout of the first machine that has one. */
static const struct agg_layout *any_layout(const struct consume *co, const struct agg_state *st)
{
	unsigned int i = 0;

	while (!st->ags[i] && i + 1 < co->npeers)
		i++;
	return st->ags[i];
}

static struct agg_set set_of(const struct consume *co, const struct agg_state *st,
			     const struct rec_list *l)
{
	const struct agg_layout *ag = any_layout(co, st);

	return (struct agg_set){.desc = &st->desc,
				.recs = l->recs,
				.n = l->n,
				.name = st->name,
				.labels = ag->labels.a,
				.nlabels = ag->labels.n,
				.unit = measure_name(ag->measure)};
}

void aggs_printa(struct consume *co, const struct rec_act *act, uint64_t time)
{
	struct agg_set *sets = mem_alloc(act->naggs * sizeof(*sets));
	struct rec_list *lists = mem_alloc(act->naggs * sizeof(*lists));
	struct agg_desc *descs = mem_alloc(act->naggs * sizeof(*descs));

	for (unsigned int i = 0; i < act->naggs; i++) {
		struct agg_state *st = aggs_at(co, act->aggs[i], time);

		/* An aggregation that nothing updates has no rows, but a place in the output. */
		descs[i] = lang_agg_desc(act->aggs[i]);
		sets[i] = (struct agg_set){.name = act->aggs[i]->name, .desc = &descs[i]};
		lists[i] = (struct rec_list){0};
		if (!st)
			continue;
		lists[i] = aggs_collect(lead(co), st, false);
		st->was_printed = true;
		sets[i] = set_of(lead(co), st, &lists[i]);
	}
	agg_printa(co->out, act->fmt, sets, act->naggs);
	for (unsigned int i = 0; i < act->naggs; i++)
		if (lists[i].arena)
			arena_free(lists[i].arena);
	mem_free(descs);
	mem_free(sets);
	mem_free(lists);
}

struct ranked {
	struct agg_rec rec;
	const void *key;
	size_t len;
	struct row *row;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int d = x->rec.desc->ops->compare(x->rec.desc, x->rec.words, y->rec.words);

	return d ? d : agg_compare_keys(&x->rec, &y->rec, 0);
}

/* Returns all rows by value; rows with equal values by key. */
static struct ranked *rank_rows(struct consume *co, struct arena *a, struct agg_state *st)
{
	size_t count = map_count(st->rows), pos = 0;
	struct ranked *list = arena_new_arr(a, struct ranked, count + 1);

	for (size_t i = 0; i < count; i++) {
		struct ranked *r = &list[i];

		r->row = map_next(st->rows, &pos, &r->key, &r->len);
		r->rec = (struct agg_rec){.desc = &st->desc,
					  .keys = aggs_key_values(co, a, st, r->key, r->len),
					  .words = r->row->words};
		r->rec.nkeys = st->ags[aggs_tail_of(r->key, r->len).peer]->keys.n;
	}
	qsort(list, count, sizeof(*list), by_value);
	return list;
}

/*
 * Joins rows of several machines with equal keys: all values go into the first row, so that ranking
 * and removal affect them together.
 */
static void join_rows(struct consume *co, struct agg_state *st)
{
	struct arena *a = arena_new();
	struct ranked *list = rank_rows(co, a, st);
	size_t count = map_count(st->rows);
	struct map *known = map_new();
	struct buf b = {0};

	for (size_t i = 0; i < count; i++) {
		struct row *same;

		aggs_identify(co, &list[i].rec, list[i].key, list[i].len, &b);
		same = map_get(known, buf_str(&b), b.n);
		if (!same) {
			map_set(known, buf_str(&b), b.n, list[i].row);
			continue;
		}
		add_row(st, same, list[i].row);
		map_del(st->rows, list[i].key, list[i].len);
		mem_free(list[i].row);
	}
	buf_free(&b);
	map_free(known);
	arena_free(a);
}

/* Keeps the n largest rows, the -n smallest if n < 0, none if n is 0. */
void aggs_trunc(struct consume *co, struct ident *id, int64_t n, uint64_t time)
{
	struct agg_state *st = aggs_at(co, id, time);
	size_t count, from = 0, to;
	struct arena *a;
	struct ranked *list;

	if (!st || !map_count(st->rows))
		return;
	if (n == 0) {
		free_rows(st->rows);
		st->rows = map_new();
		return;
	}
	if (co->npeers > 1)
		join_rows(lead(co), st);
	count = to = map_count(st->rows);
	a = arena_new();
	list = rank_rows(lead(co), a, st);
	if (n > 0)
		to = (uint64_t)n < count ? count - (size_t)n : 0;
	else
		from = -(uint64_t)n < count ? (size_t) - (uint64_t)n : count;
	for (size_t i = from; i < to; i++) {
		map_del(st->rows, list[i].key, list[i].len);
		mem_free(list[i].row);
	}
	arena_free(a);
}

void aggs_normalize(struct consume *co, struct ident *id, int64_t n, uint64_t time)
{
	struct agg_state *st = aggs_at(co, id, time);
	struct row *r;
	size_t pos = 0;

	if (!st)
		return;
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL)
		r->normal = n ? n : 1;
}

/* Takes the remaining rows out of the kernels. */
static void take_rest(struct consume *co)
{
	for (unsigned int i = 0; i < co->npeers; i++) {
		if (!co->peers[i]->load->state)
			continue;
		meet_all(co->peers[i]);
		take_half(co->peers[i], 0, false);
		take_half(co->peers[i], 1, false);
	}
	for (unsigned int i = 0; i < co->aggs.n; i++)
		show_fresh(co->aggs.a[i]);
}

/*
 * Prints the aggregations that the program has not printed, in order of first appearance, or
 * reversed with aggsortrev.  Structured output, metrics and pictures need -O for that; a listener
 * has them anyway.
 */
void aggs_print(struct consume *co, bool is_over)
{
	bool is_silent =
	    (out_is_structured(co->out) || opts_measure(co->opts)) && !co->has_final_aggs;

	if (is_silent && !co->out->listen)
		return;
	if (is_over)
		take_rest(co);
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		bool is_reversed = co->out->opts.aggsortrev;
		struct agg_state *st = co->aggs.a[is_reversed ? co->aggs.n - 1 - i : i];
		struct rec_list l;
		struct agg_set set;
		struct agg_call call = {&set, 1};

		bool is_text = !is_silent && (!st->is_drawn || co->has_final_aggs);

		if (st->was_printed || st->is_library || (!is_text && !co->out->listen))
			continue;
		l = aggs_collect(co, st, false);
		set = set_of(co, st, &l);
		if (!is_text)
			out_tell(co->out, OUT_OBJECT_AGGS, &call);
		else if (!out_object(co->out, OUT_OBJECT_AGGS, &call))
			agg_print(co->out, l.recs, l.n);
		arena_free(l.arena);
	}
}

void aggs_each(struct consume *co, bool is_last, aggs_view *view, void *ctx)
{
	if (is_last)
		co->aggs_time = 0;
	sync_to(co, co->load->backend->now(co->load));
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		struct agg_state *st = co->aggs.a[i];
		const struct agg_layout *ag = any_layout(co, st);
		struct metrics_agg a;
		struct rec_list l;

		if (st->is_library)
			continue;
		l = aggs_collect(co, st, true);
		a = (struct metrics_agg){.set = set_of(co, st, &l),
					 .place = ag->clause ? ag->clause->text : NULL,
					 .may_sink = st->may_sink,
					 .has_negative = ag->ident->agg_is_signed,
					 .max = (unsigned int)co->opts->num[OPT_metricsmax]};
		view(ctx, &a);
		arena_free(l.arena);
	}
}

void aggs_totals(struct consume *co, aggs_total *total, void *ctx)
{
	sync_to(co, co->load->backend->now(co->load));
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		struct agg_state *st = co->aggs.a[i];
		int64_t *words = mem_alloc(st->ndata * sizeof(*words));
		struct row *r;
		size_t pos = 0;

		while (st->desc.ops->hist && (r = map_next(st->rows, &pos, NULL, NULL)) != NULL) {
			st->desc.ops->merge(&st->desc, words, r->words);
			if (st->keeps_past)
				st->desc.ops->merge(&st->desc, words, aggs_past(st, r));
		}
		if (st->desc.ops->hist && !st->is_library)
			total(ctx, st->name, &st->desc, words);
		mem_free(words);
	}
}

void aggs_drawn(struct consume *co, const char *name)
{
	struct agg_state *st = state_named(co, name);

	if (st)
		st->is_drawn = true;
}

void aggs_free(struct consume *co)
{
	for (unsigned int i = 0; i < co->aggs.n; i++) {
		free_rows(co->aggs.a[i]->rows);
		free_rows(co->aggs.a[i]->fresh);
	}
	vec_free(&co->aggs);
}
