/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.h: all that a session has as metrics: its aggregations, and figures of its own, whose
 * names begin with dtracer_.
 */
#ifndef RUN_GATHER_H
#define RUN_GATHER_H

#include <stdbool.h>

struct metrics;
struct session;

/* As they are now; is_last: tracing has ended.  The writer is at its end then. */
void gather_metrics(struct session *s, struct metrics *m, bool is_last);

#endif
