/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.h: all metrics of a session: its aggregations, and its own figures, whose names begin with
 * dtracer_.
 */
#ifndef CONSUME_GATHER_H
#define CONSUME_GATHER_H

#include <stdbool.h>

struct metrics;
struct consume;

/* Returns false after reporting that two aggregations would have the same metric. */
bool gather_has_names(const struct consume *co);

/* Writes the current values, and ends the writer.  is_last: tracing has ended. */
void gather_metrics(struct consume *co, struct metrics *m, bool is_last);

#endif
