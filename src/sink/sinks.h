/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sinks.h: outputs besides the text: data saved as lines of JSON, metrics that are served or sent,
 * pictures, and the screen of option top.  Each sink is a file with one table of functions, and a
 * row in sinks.c.  A sink takes the data of records as they are printed (object), or looks at the
 * aggregations (round, take).  Everything runs in the consumer's loop, so nothing needs a lock.
 *
 * The order of calls: start, begin, round ..., take, stop, write, free.  After start has failed or
 * the run was interrupted, only stop and free follow.
 */
#ifndef SINK_SINKS_H
#define SINK_SINKS_H

#include <stdbool.h>

#include "base/vec.h"
#include "print/msg.h"
#include "print/out.h"

struct arena;
struct consume;
struct opts;
struct report;

/* Facts of the run that sinks read; borrowed. */
struct sink_env {
	struct consume *consume; /* has the aggregations of all machines; NULL: a saved run */
	struct report *report;
	const struct opts *opts;
	struct arena *arena;
	const char *title;  /* text of the first program, or the name of its script */
	struct msg_run run; /* complete after `take` */
	uint64_t begun;	    /* CLOCK_MONOTONIC, ns; 0: tracing has not begun */
};

/* The start of each sink's own structure.  The sink sets env. */
struct sink {
	const struct sink_type *type;
	const struct sink_env *env;
};

/* Functions of a kind of sink.  All but start and free may be NULL. */
struct sink_type {
	/*
	 * Returns a sink, or NULL if options do not ask for it.  Sets *failed, after a message, if
	 * it is not possible; nothing is attached yet.
	 */
	struct sink *(*start)(const struct sink_env *env, bool *failed);
	void (*begin)(struct sink *k); /* tracing begins */
	/* a datum of a record, an aggregation, a loss or an error is printed; see out.h */
	void (*object)(struct sink *k, enum out_object what, const void *obj);
	void (*round)(struct sink *k);	 /* once in each round of the loop */
	int (*fd)(const struct sink *k); /* descriptor that ends waiting for the next round */
	void (*take)(struct sink *k);	 /* tracing has ended; aggregations are printed next */
	void (*stop)(struct sink *k);	 /* gives the terminal back; may be called again */
	/*
	 * Writes or sends the last state.  is_hasty: a second signal has come.  Returns false,
	 * after a message, if that failed.
	 */
	bool (*write)(struct sink *k, bool is_hasty);
	void (*free)(struct sink *k);
};

struct sinks {
	struct sink_env env;
	VEC(struct sink *) a;
};

/*
 * Starts the sinks that options ask for.  Sinks that take data listen to the consumer's text.
 * Returns false, after a message, if one is not possible.
 */
bool sinks_start(struct sinks *all);

/* Call the functions of all sinks. */
void sinks_begin(struct sinks *all);
void sinks_round(struct sinks *all);
void sinks_take(struct sinks *all);
void sinks_stop(struct sinks *all);
bool sinks_write(struct sinks *all, bool is_hasty);
void sinks_free(struct sinks *all);

/* Returns the descriptor of the sink that waits for a peer, or -1. */
int sinks_fd(const struct sinks *all);

#endif
