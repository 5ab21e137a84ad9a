/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exporter.h: serves aggregations of a session by HTTP (option metrics): GET /metrics returns the
 * current state.  Everything runs in the consumer's loop, so nothing needs a lock, and a slow
 * client delays only itself.
 */
#ifndef RUN_EXPORTER_H
#define RUN_EXPORTER_H

#include <stdbool.h>

struct exporter;
struct session;

/*
 * Listens if the option is set, and sets s->exporter and load.serve_fd.  Returns false, with a
 * message, if that is not possible.
 */
bool exporter_start(struct session *s);

/* Serves the waiting requests.  e may be NULL. */
void exporter_run(struct exporter *e);
void exporter_stop(struct exporter *e);

#endif
