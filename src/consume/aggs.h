/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.h: rows of aggregations.  aggs.c owns them, aggs_recs.c makes records of them for
 * printing, and src/lib passes them to programs.
 */
#ifndef CONSUME_AGGS_H
#define CONSUME_AGGS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "print/agg.h"
#include "plan/plan.h"
#include "consume/consume.h"

struct arena;
struct buf;
struct map;

/* The values of one key. */
struct row {
	bool is_cleared;  /* shows zeros until the next value */
	unsigned int rec; /* its record in the latest list */
	int64_t normal;	  /* divisor of normalize(), which affects existing keys */
	int64_t words[];
};

struct agg_state {
	const char *name;
	bool is_library;
	struct agg_layout **ags; /* by peer; NULL: no program there updates it */
	struct agg_desc desc;
	struct map *rows, *fresh; /* by key */
	bool was_printed, is_drawn;
	unsigned int ndata; /* words of a value, without the used-word */
	unsigned int ncpu;  /* number of per-CPU values in a row: all CPUs or 0 */
	bool keeps_past;    /* a row has one more value: the sum of the cleared values */
	bool may_sink;	    /* a negative number was added */
};

/* Size of a key here: the key in the kernel of a peer, followed by a struct key_tail. */
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

/* Returns the words of a row: a value for all CPUs together, then one for each CPU. */
static inline size_t aggs_row_nwords(const struct agg_state *st)
{
	return (size_t)st->ndata * (1 + st->ncpu);
}

static inline int64_t *aggs_past(const struct agg_state *st, struct row *r)
{
	return r->words + aggs_row_nwords(st);
}

/* Adds the words of a row to another row. */
static inline void aggs_add_words(const struct agg_state *st, int64_t *to, const int64_t *words)
{
	for (size_t i = 0; i < aggs_row_nwords(st); i += st->ndata)
		st->desc.ops->merge(&st->desc, to + i, words + i);
}

/* Returns the aggregation in its state at the time of a firing; NULL: nothing updates it. */
struct agg_state *aggs_at(struct consume *co, struct ident *id, uint64_t time);

/* The caller frees the arena. */
struct rec_list {
	struct agg_rec *recs;
	unsigned int n;
	struct arena *arena;
};

/* Makes records of all rows.  with_past: as if no row had been cleared. */
struct rec_list aggs_collect(struct consume *co, struct agg_state *st, bool with_past);

/* Changes the rows of each record in the latest list. */
struct row_change {
	enum { ROW_STAYS, ROW_CLEARS, ROW_NORMALIZES, ROW_GOES } kind;
	int64_t normal;
};

void aggs_change(struct agg_state *st, const struct row_change *changes, unsigned int n);

/* Returns the values of a key.  Addresses of another machine refer to its consumer (symctx). */
struct value *aggs_key_values(struct consume *co, struct arena *a, struct agg_state *st,
			      const void *key, size_t len);

/*
 * Appends the identity of a key: its bytes if there is one machine, its values if there are
 * several.
 */
void aggs_identify(struct consume *co, const struct agg_rec *r, const void *key, size_t len,
		   struct buf *b);

#endif
