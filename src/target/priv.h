/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: what the two halves of hyper.h share: targets and their sessions (hyper.c), and what
 * becomes of their records (order.c).
 */
#ifndef TARGET_PRIV_H
#define TARGET_PRIV_H

#include "base/vec.h"
#include "run/session.h"
#include "target/hosted.h"
#include "target/hyper.h"
#include "target/queue.h"

struct target {
	struct hyper *hyper;
	const char *name, *channel;
	bool is_found; /* not named by anybody: it is looked for again when it was lost */
	struct target_names names;
	unsigned int vmid;
	struct session *s; /* NULL: not connected */
	struct hosted hosted;
	const char *state; /* why not */
	uint64_t complete; /* everything before has come */
	uint64_t last;	   /* time of the newest record */
	uint64_t margin;   /* how long a record may be on its way */
	uint64_t nlate;	   /* records that were longer, since that was said */
	uint64_t late;	   /* and the most by which they were, ns */
	uint64_t mark;	   /* where its connection was when it was stopped */
	struct queue held;
	bool is_lost;		  /* and that has been said */
	struct machine *next;	  /* of a lost one: it may answer again; NULL: nobody was asked */
	uint64_t asked, pause;	  /* when, and how long it is not asked again */
	bool is_replaced;	  /* it is another target now */
	bool is_timed;		  /* its programs know our time */
	uint64_t relieved, saved; /* when its aggregations were looked at, and taken */
	uint64_t reported;	  /* and losses told */
};

struct hyper {
	struct arena *arena;
	VEC(struct target *) targets; /* the host's is the first */
	struct consume **peers;	      /* of all sessions, then of all homes */
	unsigned int npeers;
	struct homes *homes; /* NULL: all clauses run where they fire */
	unsigned int ncpus;  /* the most that a machine has */
	hyper_say *say;
	void *say_ctx;
	bool holds;	 /* records are put in order, not consumed as they come */
	uint64_t pinged; /* when the clocks were measured last */
	uint64_t passed; /* what is older has been consumed, ns */
};

static inline struct target *host(const struct hyper *h)
{
	return h->targets.a[0];
}

static inline struct report *report(const struct hyper *h)
{
	return &host(h)->s->report;
}

static inline bool is_live(const struct target *t)
{
	return t->s && !t->is_lost;
}

/* Say so once; true: it is. */
bool target_is_lost(struct target *t);

/* Those that are lost may be back: what waits for nobody, to be called now and then. */
void targets_retry(struct hyper *h);

/* Let programs of a target begin. */
void order_start(struct target *t);

/* A record, in order of its time among all; ctx: struct target. */
void order_record(void *ctx, const void *data, size_t len);

/* Called when the values for a clause at the host have arrived; ctx: struct target. */
void order_sent(void *ctx, const struct rec_desc *d, const void *rec, size_t len);

#endif
