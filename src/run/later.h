/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * later.h: probes of files that processes map during tracing: libraries that they load, programs
 * that they execute.
 */
#ifndef RUN_LATER_H
#define RUN_LATER_H

struct session;
struct later;

/*
 * Watches the processes that clauses wait for, and finds their mappings since the last search at
 * once.  Returns NULL if there are no such processes or, with a message, if the kernel does not
 * permit watching.
 */
struct later *later_start(struct session *s);
void later_stop(struct later *lt); /* NULL is allowed */

/* Returns a descriptor that is readable after a mapping. */
int later_fd(const struct later *lt);

/* Attaches new probes. */
void later_run(struct later *lt);

#endif
