/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.c: aggregations at the consumer.
 *
 * The kernel only ever adds.  clear() and trunc() are done here: the values seen at that moment
 * become the base that later values are shown against, so that no update is lost in between.  min
 * and max cannot be subtracted; their rows are emptied in the kernel, and show 0 until the next
 * value.  Keys that trunc() removed stay hidden until they change.
 *
 * With option aggpercpu a row keeps, behind the words of all CPUs together, those of each CPU.
 */
#include <assert.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/kern.h"
#include "out/agg.h"
#include "out/value.h"
#include "run/session.h"
#include "run/world.h"

/* One key of one aggregation. */
struct row {
	void *key;
	int64_t *words;	     /* what it shows: kernel minus base */
	int64_t *now, *base; /* the kernel's merged words, and those at the last clear */
	bool is_hidden;	     /* by trunc(), until it changes */
	int64_t normal;	     /* of normalize(), which means the keys that are there */
};

struct agg_state {
	struct agg_layout *ag;
	struct agg_desc desc;
	struct map *rows;
	bool was_printed;
	unsigned int ndata; /* words of a value, without the used-word */
	unsigned int ncpu;  /* values of single CPUs in a row: all CPUs, or none */
};

static struct agg_state *state_of(struct session *s, struct ident *id)
{
	struct agg_layout *ag = lower_agg_find(&s->lo, id);
	struct agg_state *st;

	for (unsigned int i = 0; i < s->aggs.n; i++)
		if (s->aggs.a[i]->ag == ag)
			return s->aggs.a[i];
	if (!ag->nwords)
		return NULL;
	st = arena_new_obj(s->arena, struct agg_state);
	st->ag = ag;
	st->desc = (struct agg_desc){.func = ((const struct builtin_agg *)id->agg_func->impl)->func,
				     .param = id->agg_param};
	st->rows = map_new();
	st->ndata = agg_nwords(&st->desc);
	st->ncpu = s->opts.is_set[OPT_aggpercpu] ? kern_ncpu_possible(s->lo.kern) : 0;
	vec_push(&s->aggs, st);
	return st;
}

static bool is_extreme(const struct agg_state *st)
{
	return st->desc.func == AGG_MIN || st->desc.func == AGG_MAX;
}

static bool row_is_used(const struct agg_state *st, const int64_t *words)
{
	return words[st->ag->has_seen ? st->ag->nwords - 1 : 0] != 0;
}

/* Bytes of what a row keeps of the kernel. */
static size_t row_size(const struct agg_state *st)
{
	return (size_t)st->ndata * (1 + st->ncpu) * sizeof(int64_t);
}

/* Fresh values, as many as a row has. */
static void row_init(const struct agg_state *st, int64_t *words)
{
	for (unsigned int i = 0; i <= st->ncpu; i++)
		agg_init(&st->desc, words + (size_t)i * st->ndata);
}

/* Merge the rows of all CPUs; false if none was used. */
static bool merge(struct session *s, struct agg_state *st, const int64_t *percpu, int64_t *into)
{
	unsigned int n = st->ag->nwords;
	bool used = false;

	row_init(st, into);
	for (unsigned int c = 0; c < kern_ncpu_possible(s->lo.kern); c++) {
		if (!row_is_used(st, percpu + c * n))
			continue;
		agg_merge(&st->desc, into, percpu + c * n);
		if (c < st->ncpu)
			agg_merge(&st->desc, into + (size_t)(c + 1) * st->ndata, percpu + c * n);
		used = true;
	}
	return used;
}

static struct row *row_new(struct agg_state *st, const void *key, size_t len)
{
	struct row *r = mem_alloc(sizeof(*r));

	r->key = mem_alloc(len ? len : 1);
	memcpy(r->key, key, len);
	r->words = mem_alloc(row_size(st));
	r->now = mem_alloc(row_size(st));
	r->normal = 1;
	map_set(st->rows, key, len, r);
	return r;
}

static void subtract(const struct agg_state *st, struct row *r)
{
	if (!r->base || is_extreme(st)) {
		memcpy(r->words, r->now, row_size(st));
		return;
	}
	for (size_t i = 0; i < row_size(st) / sizeof(int64_t); i++) {
		r->words[i] = (int64_t)((uint64_t)r->now[i] - (uint64_t)r->base[i]);
		/* stddev's square sums are 128 bits: borrow. */
		if (st->desc.func == AGG_STDDEV && i % st->ndata == 3 &&
		    (uint64_t)r->now[i - 1] < (uint64_t)r->base[i - 1])
			r->words[i]--;
	}
}

static void take_key(struct session *s, struct agg_state *st, const void *key, size_t len,
		     const int64_t *percpu, int64_t *merged)
{
	struct row *r = map_get(st->rows, key, len);

	if (!merge(s, st, percpu, merged))
		return;
	if (!r)
		r = row_new(st, key, len);
	if (r->is_hidden && memcmp(r->now, merged, row_size(st)) == 0)
		return;
	r->is_hidden = false;
	memcpy(r->now, merged, row_size(st));
	subtract(st, r);
}

/* A key of the map, of this size, which others may share. */
static bool is_ours(const struct agg_layout *ag, const char *key, uint32_t size)
{
	uint64_t id = ag->id;

	return !id || memcmp(key + size - sizeof(id), &id, sizeof(id)) == 0;
}

/* Read the kernel's map. */
static void snapshot(struct session *s, struct agg_state *st)
{
	unsigned int ncpu = kern_ncpu_possible(s->lo.kern), n = st->ag->nwords;
	int64_t *percpu = mem_alloc((size_t)ncpu * n * sizeof(int64_t));
	int64_t *merged = mem_alloc(row_size(st));
	uint32_t len = st->ag->key_size, size = s->lo.maps.a[st->ag->map].key_size;
	uint32_t index = st->ag->id - 1;
	char *key = mem_alloc(size), *next = mem_alloc(size);

	if (!len) {
		if (s->world->lookup(s, st->ag->map, &index, percpu))
			take_key(s, st, "", 0, percpu, merged);
	} else {
		for (void *prev = NULL; s->world->next_key(s, st->ag->map, prev, next);
		     prev = key) {
			if (is_ours(st->ag, next, size) &&
			    s->world->lookup(s, st->ag->map, next, percpu))
				take_key(s, st, next, len, percpu, merged);
			memcpy(key, next, size);
		}
	}
	mem_free(percpu);
	mem_free(merged);
	mem_free(key);
	mem_free(next);
}

/* min and max start over: empty the row in the kernel. */
static void empty_row(struct session *s, struct agg_state *st, struct row *r)
{
	unsigned int ncpu = kern_ncpu_possible(s->lo.kern);
	int64_t *zeros = mem_alloc((size_t)ncpu * st->ag->nwords * sizeof(int64_t));
	uint32_t len = st->ag->key_size, size = s->lo.maps.a[st->ag->map].key_size;
	uint32_t index = st->ag->id - 1;
	uint64_t id = st->ag->id;
	char *key = mem_alloc(size);

	memcpy(key, r->key, len);
	if (id && len)
		memcpy(key + size - sizeof(id), &id, sizeof(id));
	s->world->update(s, st->ag->map, len ? (void *)key : &index, zeros, BPF_EXIST);
	mem_free(key);
	mem_free(zeros);
}

static void rebase(struct session *s, struct agg_state *st, struct row *r)
{
	if (!r->base)
		r->base = mem_alloc(row_size(st));
	memcpy(r->base, r->now, row_size(st));
	subtract(st, r);
	if (is_extreme(st)) {
		empty_row(s, st, r);
		row_init(st, r->now);
		memset(r->words, 0, row_size(st));
	}
}

void aggs_clear(struct session *s, struct ident *id)
{
	struct agg_state *st = state_of(s, id);
	struct row *r;
	size_t pos = 0;

	if (!st)
		return;
	snapshot(s, st);
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL)
		rebase(s, st, r);
}

/* ---- records for printing ---- */

struct rec_list {
	struct agg_rec *recs;
	unsigned int n;
	struct arena *arena;
};

static struct value *key_values(struct session *s, struct arena *a, struct agg_state *st,
				const void *key)
{
	struct value *v = arena_new_arr(a, struct value, st->ag->keys.n + 1);

	for (unsigned int i = 0; i < st->ag->keys.n; i++)
		v[i] = consume_value(&st->ag->keys.a[i], key);
	return v;
}

/* Symbols that print alike are one key: replace the address by where the symbol starts. */
static const void *canonical_key(struct session *s, struct arena *a, struct agg_state *st,
				 const void *key)
{
	char *copy = NULL;

	for (unsigned int i = 0; i < st->ag->keys.n; i++) {
		const struct item *it = &st->ag->keys.a[i];
		struct out_sym sym = {0};
		uint64_t addr;
		uint32_t pid = 0, off = it->off;
		int r;

		if (it->enc != ITEM_SYM && it->enc != ITEM_MOD && it->enc != ITEM_USYM &&
		    it->enc != ITEM_UMOD)
			continue;
		if (it->enc == ITEM_USYM || it->enc == ITEM_UMOD) {
			memcpy(&pid, (const char *)key + off, 4);
			off += 8;
		}
		memcpy(&addr, (const char *)key + off, 8);
		r = pid ? session_symtab.usym(s, pid, addr, &sym)
			: session_symtab.ksym(s, addr, &sym);
		if (r != 0)
			continue;
		if (!copy) {
			copy = arena_alloc(a, st->ag->key_size);
			memcpy(copy, key, st->ag->key_size);
		}
		if (it->enc == ITEM_MOD || it->enc == ITEM_UMOD) {
			if (!sym.module)
				continue;
			addr = session_module_addr(s, sym.module, addr);
		} else {
			addr -= sym.offset;
		}
		memcpy(copy + off, &addr, 8);
	}
	return copy ? copy : key;
}

static struct rec_list collect(struct session *s, struct agg_state *st)
{
	struct rec_list l = {.arena = arena_new()};
	struct map *by_key = map_new();
	struct row *r;
	size_t pos = 0;

	l.recs = arena_new_arr(l.arena, struct agg_rec, map_count(st->rows) + 1);
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL) {
		const void *key;
		struct agg_rec *rec;

		if (r->is_hidden)
			continue;
		key = canonical_key(s, l.arena, st, r->key);
		rec = map_get(by_key, key, st->ag->key_size);
		if (rec) {
			for (size_t i = 0; i <= st->ncpu; i++)
				agg_merge(&st->desc, (int64_t *)rec->words + i * st->ndata,
					  r->words + i * st->ndata);
			continue;
		}
		rec = &l.recs[l.n++];
		*rec = (struct agg_rec){.desc = &st->desc,
					.nkeys = st->ag->keys.n,
					.normal = r->normal,
					.ncpu = st->ncpu};
		rec->keys = key_values(s, l.arena, st, key);
		rec->words = arena_alloc(l.arena, row_size(st));
		memcpy((int64_t *)rec->words, r->words, row_size(st));
		map_set(by_key, key, st->ag->key_size, rec);
	}
	map_free(by_key);
	return l;
}

void aggs_printa(struct session *s, const struct rec_act *act)
{
	struct agg_set *sets = mem_alloc(act->naggs * sizeof(*sets));
	struct rec_list *lists = mem_alloc(act->naggs * sizeof(*lists));
	unsigned int n = 0;

	for (unsigned int i = 0; i < act->naggs; i++) {
		struct agg_state *st = state_of(s, act->aggs[i]);

		if (!st)
			continue;
		snapshot(s, st);
		lists[n] = collect(s, st);
		st->was_printed = true;
		sets[n] = (struct agg_set){.name = act->aggs[i]->name,
					   .desc = &st->desc,
					   .recs = lists[n].recs,
					   .n = lists[n].n};
		n++;
	}
	if (n)
		agg_printa(&s->out, act->fmt, sets, n);
	for (unsigned int i = 0; i < n; i++)
		arena_free(lists[i].arena);
	mem_free(sets);
	mem_free(lists);
}

static int by_value(const void *a, const void *b)
{
	const struct {
		const struct agg_state *st;
		struct row *r;
	} *x = a, *y = b;

	return agg_compare_value(&x->st->desc, x->r->words, y->r->words);
}

/* n > 0 keeps the n largest, n < 0 the smallest, 0 none. */
void aggs_trunc(struct session *s, struct ident *id, int64_t n)
{
	struct agg_state *st = state_of(s, id);
	struct {
		const struct agg_state *st;
		struct row *r;
	} * list;
	size_t pos = 0, count = 0, from = 0, to;
	struct row *r;

	if (!st)
		return;
	snapshot(s, st);
	list = mem_alloc((map_count(st->rows) + 1) * sizeof(*list));
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL) {
		if (r->is_hidden)
			continue;
		list[count].st = st;
		list[count++].r = r;
	}
	qsort(list, count, sizeof(*list), by_value);
	to = count;
	if (n > 0)
		to = (uint64_t)n < count ? count - (size_t)n : 0;
	else if (n < 0)
		from = (uint64_t)-n < count ? (size_t)-n : count;
	for (size_t i = from; i < to; i++) {
		rebase(s, st, list[i].r);
		list[i].r->is_hidden = true;
		list[i].r->normal = 1;
	}
	mem_free(list);
}

void aggs_normalize(struct session *s, struct ident *id, int64_t n)
{
	struct agg_state *st = state_of(s, id);
	struct row *r;
	size_t pos = 0;

	if (!st)
		return;
	snapshot(s, st);
	while ((r = map_next(st->rows, &pos, NULL, NULL)) != NULL)
		if (!r->is_hidden)
			r->normal = n ? n : 1;
}

/* What was never printed, in order of first appearance; not in documents, unless with -O. */
void aggs_final(struct session *s)
{
	if (out_is_structured(&s->out) && !s->has_final_aggs)
		return;
	for (unsigned int i = 0; i < lang_nidents(s->lo.lang, IDENT_AGG); i++) {
		struct agg_state *st = state_of(s, lang_ident(s->lo.lang, IDENT_AGG, i));
		struct rec_list l;
		struct agg_set set;
		struct agg_call call = {&set, 1};

		if (!st || st->was_printed || st->ag->ident->is_library)
			continue;
		snapshot(s, st);
		l = collect(s, st);
		set = (struct agg_set){
		    .name = st->ag->ident->name, .desc = &st->desc, .recs = l.recs, .n = l.n};
		if (!out_object(&s->out, OUT_OBJECT_AGGS, &call))
			agg_print(&s->out, l.recs, l.n);
		arena_free(l.arena);
	}
}

void aggs_free(struct session *s)
{
	for (unsigned int i = 0; i < s->aggs.n; i++) {
		struct row *r;
		size_t pos = 0;

		while ((r = map_next(s->aggs.a[i]->rows, &pos, NULL, NULL)) != NULL) {
			mem_free(r->key);
			mem_free(r->words);
			mem_free(r->now);
			mem_free(r->base);
			mem_free(r);
		}
		map_free(s->aggs.a[i]->rows);
	}
	vec_free(&s->aggs);
}
