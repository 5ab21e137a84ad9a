/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.h: clauses that use variables shared by several machines run at the host, in order of
 * time.
 *
 * Each machine with such clauses has a second session with the same programs and facts, but only
 * these clauses.  The backend of the second session is an interpreter.
 */
#ifndef REMOTE_HOSTED_H
#define REMOTE_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hosting;
struct rec_desc;
struct session;

/* A machine's session, and its second session: NULL if the machine has none, or none yet. */
struct hosted {
	struct session *s;
	const char *name; /* of the machine, for messages */
	struct hosting *hosting;
};

/*
 * Marks the hosted clauses of compiled sessions: clauses that use variables which other sessions
 * use.  is_all: also all clauses that can run elsewhere.  The list is borrowed until hostings_free.
 * Returns false after reporting a variable that cannot be shared.
 */
bool hosted_find(struct hosted *const *h, unsigned int n, bool is_all);
bool hosted_is_any(const struct hosted *h); /* the machine has hosted clauses */

/* Marks the same clauses for a machine that was lost and is back. */
void hosted_like(struct hosted *h, const struct hosted *was);

/* Reports the hosted clauses as errors, if clauses must run where they fire. */
void hosted_refuse(struct hosted *const *h, unsigned int n);

/* Common to all second sessions: the interpreter and the shared variables. */
struct hostings;
struct hostings *hostings_new(unsigned int ncpus);
void hostings_free(struct hostings *hs);

/*
 * Makes s, a compiled session of the same programs on the same machine, the second session of h,
 * and splits the clauses of both sessions.  Neither session is planned yet.  h->hosting owns
 * s.  Returns false after printing errors.
 */
bool hosting_new(struct hostings *hs, struct hosted *h, struct session *s);
void hosting_free(struct hosting *hosting); /* NULL is allowed */
struct session *hosting_session(struct hosting *hosting);

/* Loads the second session.  Returns false after reporting an error. */
bool hosting_load(struct hosting *hosting);

/* Runs the clause that a record was sent for, and consumes its records.  has_exited: exit() was
 * called earlier. */
void hosting_run(struct hosting *hosting, const struct rec_desc *d, const void *rec, size_t len,
		 bool has_exited);

#endif
