/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.h: option top: shows the aggregations of a session on a terminal, as tables and bars that
 * change while it runs.  Everything runs in the consumer's loop.
 */
#ifndef RUN_TOP_H
#define RUN_TOP_H

#include <stdbool.h>

struct session;
struct top;

/*
 * Sets s->top if the option is set.  Returns false, with a message, if the terminal or the library
 * is missing.
 */
bool top_start(struct session *s);

/* Handles keys, and draws the screen if it is time.  t may be NULL here and below. */
void top_run(struct top *t);

/* Closes the screen, and writes the messages of the meantime. */
void top_stop(struct top *t);
void top_free(struct top *t);

#endif
