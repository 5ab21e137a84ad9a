/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.h: option top: the aggregations of a session at a terminal, as tables and bars that change
 * while it runs.  All happens in the consumer's loop.
 */
#ifndef RUN_TOP_H
#define RUN_TOP_H

#include <stdbool.h>

struct session;
struct top;

/* If the option says so, s->top is there from then on.  False: there is no terminal, or no library;
 * reported. */
bool top_start(struct session *s);

/* Keys, and a new picture if it is time; t may be NULL here and below. */
void top_run(struct top *t);

/* Give the terminal back, with the messages that came meanwhile. */
void top_stop(struct top *t);
void top_free(struct top *t);

#endif
