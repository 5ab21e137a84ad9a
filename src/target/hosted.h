/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.h: clauses that use variables shared by several machines run at the host, in order of
 * time.
 *
 * Each machine with such clauses has a second session, its home.  A home has the same programs and
 * facts, but only these clauses, and its world is an interpreter.
 */
#ifndef TARGET_HOSTED_H
#define TARGET_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct home;
struct rec_desc;
struct session;

/* A machine's session and its home; home is NULL if the machine has none, or none yet. */
struct hosted {
	struct session *s;
	const char *name; /* of the machine, for messages */
	struct home *home;
};

/*
 * Marks the hosted clauses of compiled sessions: clauses that use variables which other sessions
 * use. is_all: also all clauses that can run elsewhere.  The list is borrowed until homes_free.
 * Returns false after reporting a variable that cannot be shared.
 */
bool hosted_find(struct hosted *const *h, unsigned int n, bool is_all);
bool hosted_is_any(const struct hosted *h); /* the machine has hosted clauses */

/* Marks the same clauses for a machine that was lost and is back. */
void hosted_like(struct hosted *h, const struct hosted *was);

/* Reports the hosted clauses as errors, if clauses must run where they fire. */
void hosted_refuse(struct hosted *const *h, unsigned int n);

/* Common to all homes: the interpreter and the shared variables. */
struct homes;
struct homes *homes_new(unsigned int ncpus);
void homes_free(struct homes *hs);

/*
 * Makes s, a compiled session of the same programs on the same machine, the home of h, and splits
 * the clauses of both sessions.  Neither session is planned yet.  The home owns s.  Returns false
 * after printing errors.
 */
bool home_new(struct homes *hs, struct hosted *h, struct session *s);
void home_free(struct home *home); /* NULL is allowed */
struct session *home_session(struct home *home);

/* Loads the home.  Returns false after reporting an error. */
bool home_load(struct home *home);

/* Runs the clause that a record was sent for, and consumes its records.  has_exited: exit() was
 * called earlier. */
void home_run(struct home *home, const struct rec_desc *d, const void *rec, size_t len,
	      bool has_exited);

#endif
