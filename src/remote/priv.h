/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: shared by targets.c (targets and their sessions) and order.c (their records).
 */
#ifndef REMOTE_PRIV_H
#define REMOTE_PRIV_H

#include "base/vec.h"
#include "session/session.h"
#include "remote/hosted.h"
#include "remote/targets.h"
#include "remote/queue.h"

struct target {
	struct targets *all;
	const char *name, *channel;
	bool is_found; /* not named by the user: its channel is searched again after a loss */
	struct target_names names;
	unsigned int vmid;
	struct session *s; /* NULL: not connected */
	struct hosted hosted;
	const char *state; /* why it is not connected */
	uint64_t complete; /* all records before this time have arrived */
	uint64_t last;	   /* time of the newest record */
	uint64_t margin;   /* longest time that a record may take */
	uint64_t nlate;	   /* records that took longer, since the last report */
	uint64_t late;	   /* and the longest delay of them, ns */
	uint64_t nahead;   /* records shown before their turn, since the last report */
	uint64_t unsure;   /* largest error of the time in its programs, ns */
	uint64_t mark;	   /* position of the connection when the session was stopped */
	struct queue held;
	bool is_lost;	       /* and the loss was reported */
	struct machine *next;  /* the new connection of a lost target, which may answer; or NULL */
	uint64_t asked, pause; /* new connection of a lost target, or NULL */
	bool is_replaced;      /* a new target has its place */
	uint64_t trip;	       /* a long time of a round trip, ns */
	bool is_sent;	       /* its newest clock was sent before the last ping */
	uint64_t relieved, saved; /* last look at its aggregations, and last save */
	uint64_t reported;	  /* last report of losses */
};

struct targets {
	struct arena *arena;
	VEC(struct target *) targets; /* the host's comes first */
	struct consume **peers;	      /* of all sessions, then of all second sessions */
	unsigned int npeers;
	struct hostings *hostings; /* NULL: no hosted clauses */
	unsigned int ncpus;	   /* largest number of a machine */
	targets_say *say;
	void *say_ctx;
	bool holds;	 /* records are sorted, not consumed as they come */
	uint64_t pinged; /* time of the last measurement of the clocks */
	uint64_t passed; /* older records have been consumed, ns */
	uint64_t exited; /* time of the record that called exit(), ns; 0: none has */
};

static inline struct target *host(const struct targets *h)
{
	return h->targets.a[0];
}

static inline struct report *report(const struct targets *h)
{
	return &host(h)->s->report;
}

static inline bool is_live(const struct target *t)
{
	return t->s && !t->is_lost;
}

/* Returns true for a lost target, and reports the loss once. */
bool target_note_loss(struct target *t);

/* Tries to reconnect to lost targets, without waiting.  To be called now and then. */
void targets_retry(struct targets *h);

/* Runs the sessions of all targets; ctx: struct targets. */
extern const struct session_group order_group;

/* Starts the programs of a target. */
void order_start(struct target *t);

/* Takes a record into the order of all records; ctx: struct target. */
void order_record(void *ctx, const void *data, size_t len);

/* Called when the values for a clause at the host have arrived; ctx: struct target. */
void order_sent(void *ctx, const struct rec_desc *d, const void *rec, size_t len);

#endif
