/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follower.h: probes of files that processes map during tracing: libraries that they load, programs
 * that they execute.
 */
#ifndef SESSION_FOLLOWER_H
#define SESSION_FOLLOWER_H

struct session;
struct follower;

/*
 * Watches the processes that clauses wait for, and finds their mappings since the last search at
 * once.  Returns NULL if there are no such processes or, with a message, if the kernel does not
 * permit watching.
 */
struct follower *follower_start(struct session *s);
void follower_stop(struct follower *lt); /* NULL is allowed */

/* Returns a descriptor that is readable after a mapping. */
int follower_fd(const struct follower *lt);

/* Attaches new probes. */
void follower_run(struct follower *lt);

/* Returns true if it has more to do now: reading records reads events, too. */
bool follower_is_due(const struct follower *lt);

#endif
