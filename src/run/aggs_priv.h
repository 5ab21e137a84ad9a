/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs_priv.h: rows of aggregations, between aggs.c, which has them, aggs_recs.c, which makes
 * records for printing of them, and src/lib, which tells programs of them.
 */
#ifndef RUN_AGGS_PRIV_H
#define RUN_AGGS_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "out/agg.h"
#include "plan/plan.h"
#include "run/consume.h"

struct arena;
struct buf;
struct map;

/* A key of an aggregation, with its values. */
struct row {
	bool is_cleared;  /* shows zeros, until the next value */
	unsigned int rec; /* its record in the list that was made last */
	int64_t normal;	  /* of normalize(), which means the keys that are there */
	int64_t words[];
};

struct agg_state {
	const char *name;
	bool is_library;
	struct agg_layout **ags; /* by peer, NULL: nothing updates it there */
	struct agg_desc desc;
	struct map *rows, *fresh; /* by key */
	bool was_printed, is_drawn;
	unsigned int ndata; /* words of a value, without the used-word */
	unsigned int ncpu;  /* values of single CPUs in a row: all CPUs, or none */
	bool keeps_past;    /* what clear() took away is one more value in a row */
	bool may_sink;	    /* something negative was added */
};

/* Behind a key as in the kernel of a peer is its form there, and in the upper half which peer. */
static inline size_t aggs_key_size(const struct agg_layout *ag)
{
	return ag->key_size + sizeof(uint64_t);
}

struct key_tail {
	uint32_t form, peer;
};

static inline struct key_tail aggs_tail_of(const void *key, size_t len)
{
	struct key_tail t;

	memcpy(&t, (const char *)key + len - sizeof(t), sizeof(t));
	return t;
}

/* Words of a row: all CPUs together, then each. */
static inline size_t aggs_row_nwords(const struct agg_state *st)
{
	return (size_t)st->ndata * (1 + st->ncpu);
}

static inline int64_t *aggs_past(const struct agg_state *st, struct row *r)
{
	return r->words + aggs_row_nwords(st);
}

/* The words of a row, added to those of another. */
static inline void aggs_add_words(const struct agg_state *st, int64_t *to, const int64_t *words)
{
	for (size_t i = 0; i < aggs_row_nwords(st); i += st->ndata)
		st->desc.ops->merge(&st->desc, to + i, words + i);
}

/* The aggregation as a firing at this time meets it; NULL: it was never assigned to. */
struct agg_state *aggs_at(struct consume *co, struct ident *id, uint64_t time);

/* To be freed: the arena. */
struct rec_list {
	struct agg_rec *recs;
	unsigned int n;
	struct arena *arena;
};

/* with_past: as if they had never been cleared. */
struct rec_list aggs_collect(struct consume *co, struct agg_state *st, bool with_past);

/* Changes to the rows of each record of the latest list. */
struct row_change {
	enum { ROW_STAYS, ROW_CLEARS, ROW_NORMALIZES, ROW_GOES } kind;
	int64_t normal;
};

void aggs_change(struct agg_state *st, const struct row_change *changes, unsigned int n);

/* The values of a key, of which one of another machine says whose addresses it has. */
struct value *aggs_key_values(struct consume *co, struct arena *a, struct agg_state *st,
			      const void *key, size_t len);

/* Appends the identity of a key: its bytes on one machine, its values on several. */
void aggs_identify(struct consume *co, const struct agg_rec *r, const void *key, size_t len,
		   struct buf *b);

#endif
