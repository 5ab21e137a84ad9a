/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push.h: sends aggregations of a session as metrics by OTLP over HTTP (option otlp).  It sends in
 * each interval of option otlprate, and once more after tracing.  Everything runs in the consumer's
 * loop, which never waits for the collector.  Values are cumulative, so the next request makes up
 * for a failed one.
 */
#ifndef RUN_PUSH_H
#define RUN_PUSH_H

#include <stdbool.h>

struct push;
struct session;

/*
 * Sets s->push if the option is set, and otherwise leaves it NULL, which all other functions
 * accept.  Returns false, with a message, if sending is not possible.
 */
bool push_start(struct session *s);

/* Sends if an interval is over, or continues sending. */
void push_run(struct push *p);

/*
 * Tracing has ended: sends the final values, and waits 5 s at most.  Returns false, with a message,
 * if they were not accepted.
 */
bool push_last(struct push *p);
void push_free(struct push *p);

#endif
