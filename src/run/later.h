/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * later.h: probes of files that processes map while tracing goes on: libraries that they load,
 * programs that they execute.
 */
#ifndef RUN_LATER_H
#define RUN_LATER_H

struct session;
struct later;

/*
 * Watch the processes whose probes clauses may be waiting for; what they have mapped since these
 * were looked for is found at once.  NULL: there are none, or, with a message, the kernel does not
 * let us.
 */
struct later *later_start(struct session *s);
void later_stop(struct later *lt); /* NULL is allowed */

/* Can be read when something has been mapped. */
int later_fd(const struct later *lt);

/* Attach what has come. */
void later_run(struct later *lt);

#endif
