/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.h: clauses whose variables several machines share run here, in the order of time.
 *
 * Each machine that has such clauses has a second session, its home: of the same programs and the
 * same facts, but of the clauses only these, and an interpreter as its world.
 */
#ifndef TARGET_HOSTED_H
#define TARGET_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct home;
struct rec_desc;
struct session;

/* A machine's session, and its home, NULL: it has none (yet). */
struct hosted {
	struct session *s;
	const char *name; /* of the machine, for messages */
	struct home *home;
};

/*
 * Mark the clauses of compiled sessions that use what others of them use, too; is_all: every one
 * that need not run where it fires.  Borrowed until homes_free.  False: what cannot be was
 * reported.
 */
bool hosted_find(struct hosted *const *h, unsigned int n, bool is_all);
bool hosted_is_any(const struct hosted *h); /* the machine has one */

/* The same clauses of a machine that was lost and is back. */
void hosted_like(struct hosted *h, const struct hosted *was);

/* Reports the hosted clauses as errors, if clauses must run where they fire. */
void hosted_refuse(struct hosted *const *h, unsigned int n);

/* All that homes have in common: the interpreter, and the variables that are shared. */
struct homes;
struct homes *homes_new(unsigned int ncpus);
void homes_free(struct homes *hs);

/*
 * Make s, a compiled session of the same programs on the same machine, the home of h, and both
 * sessions of it what they are: neither has been planned yet.  It belongs to the home then.  False:
 * errors were printed.
 */
bool home_new(struct homes *hs, struct hosted *h, struct session *s);
void home_free(struct home *home); /* NULL is allowed */
struct session *home_session(struct home *home);

/* Load it; false: reported. */
bool home_load(struct home *home);

/*
 * Run the clause that a record was sent for, and consume what it leaves; has_exited: exit() came
 * before it.
 */
void home_run(struct home *home, const struct rec_desc *d, const void *rec, size_t len,
	      bool has_exited);

#endif
