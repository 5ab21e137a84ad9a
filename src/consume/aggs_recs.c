/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs_recs.c: makes records of aggregation rows for printing: keys become values.  Symbols that
 * print alike are one key, and rows of several machines with equal keys are one row.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "print/value.h"
#include "consume/aggs.h"
#include "consume/runtime.h"

struct value *aggs_key_values(struct consume *co, struct arena *a, struct agg_state *st,
			      const void *key, size_t len)
{
	struct key_tail tail = aggs_tail_of(key, len);
	const struct agg_layout *ag = st->ags[tail.peer];
	const struct item *form = plan_agg_form(ag, tail.form);
	struct value *v = arena_new_arr(a, struct value, ag->keys.n + 1);
	const struct mixed *mixed;

	for (unsigned int i = 0; i < ag->keys.n; i++) {
		v[i] = consume_value(&form[i], key);
		if (v[i].kind == VALUE_LINES)
			memcpy(&v[i].data, v[i].data, sizeof(v[i].data));
		mixed = v[i].kind == VALUE_USTACK ? syms_mixed(&form[i], key) : NULL;
		if (mixed) {
			v[i].data = mixed->frames;
			v[i].len = mixed->n * sizeof(mixed->frames[0]);
			v[i].is_cut = mixed->is_cut;
		}
		if (tail.peer)
			v[i].symctx = co->peers[tail.peer];
	}
	return v;
}

/* Symbols that print alike are one key: replaces the address by the start of the symbol. */
static const void *canonical_key(struct consume *co, struct arena *a, const struct agg_layout *ag,
				 const void *key)
{
	char *copy = NULL;

	for (unsigned int i = 0; i < ag->keys.n; i++) {
		const struct item *it = &ag->keys.a[i];
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
		r = pid ? syms_table.usym(co, pid, addr, &sym) : syms_table.ksym(co, addr, &sym);
		if (r != 0)
			continue;
		if (!copy) {
			copy = arena_alloc(a, aggs_key_size(ag));
			memcpy(copy, key, aggs_key_size(ag));
		}
		if (it->enc == ITEM_MOD || it->enc == ITEM_UMOD) {
			if (!sym.module)
				continue;
			addr = syms_module_addr(co, pid, sym.module, addr);
		} else {
			addr -= sym.offset;
		}
		memcpy(copy + off, &addr, 8);
	}
	return copy ? copy : key;
}

void aggs_identify(struct consume *co, const struct agg_rec *r, const void *key, size_t len,
		   struct buf *b)
{
	buf_reset(b);
	if (co->npeers == 1)
		buf_add(b, key, len);
	for (unsigned int i = 0; co->npeers > 1 && i < r->nkeys; i++)
		value_identify(b, &r->keys[i]);
}

static void copy_words(const struct agg_state *st, struct arena *a, struct agg_rec *to,
		       const struct row *r)
{
	int64_t *words = arena_alloc(a, aggs_row_nwords(st) * sizeof(*words));

	memcpy(words, r->words, aggs_row_nwords(st) * sizeof(*words));
	to->words = words;
}

struct rec_list aggs_collect(struct consume *co, struct agg_state *st, bool with_past)
{
	struct rec_list l = {.arena = arena_new()};
	struct map *known = map_new();
	struct buf b = {0};
	const void *key;
	struct row *r;
	size_t pos = 0, len;

	l.recs = arena_new_arr(l.arena, struct agg_rec, map_count(st->rows) + 1);
	while ((r = map_next(st->rows, &pos, &key, &len)) != NULL) {
		struct agg_rec *rec = &l.recs[l.n], *same;
		struct key_tail tail = aggs_tail_of(key, len);
		const struct agg_layout *ag = st->ags[tail.peer];

		if (with_past && !st->keeps_past && r->is_cleared)
			continue;
		key = canonical_key(co->peers[tail.peer], l.arena, ag, key);
		*rec = (struct agg_rec){.desc = &st->desc,
					.nkeys = ag->keys.n,
					.normal = r->normal,
					.ncpu = st->ncpu,
					.keys = aggs_key_values(co, l.arena, st, key, len)};
		aggs_identify(co, rec, key, len, &b);
		same = map_get(known, buf_str(&b), b.n);
		if (same) {
			aggs_add_words(st, (int64_t *)same->words, r->words);
		} else {
			copy_words(st, l.arena, rec, r);
			map_set(known, buf_str(&b), b.n, rec);
			l.n++;
			same = rec;
		}
		r->rec = (unsigned int)(same - l.recs);
		if (with_past && st->keeps_past)
			st->desc.ops->merge(&st->desc, (int64_t *)same->words, aggs_past(st, r));
	}
	buf_free(&b);
	map_free(known);
	return l;
}
