/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exporter.h: aggregations of a session for who asks by HTTP (option metrics): GET /metrics.  The
 * state is that of the moment.  All happens in the consumer's loop: nothing needs a lock, and who
 * is slow to read waits for nobody but himself.
 */
#ifndef RUN_EXPORTER_H
#define RUN_EXPORTER_H

#include <stdbool.h>

struct exporter;
struct session;

/* Listen, if the option says so; from then on s->exporter and load.serve_fd are there.  False: not
 * possible, reported. */
bool exporter_start(struct session *s);

/* Serve what has come; e may be NULL. */
void exporter_run(struct exporter *e);
void exporter_stop(struct exporter *e);

#endif
