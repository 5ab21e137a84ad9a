/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push.h: aggregations of a session sent as metrics by OTLP over HTTP (option otlp), each interval
 * of option otlprate and once more when tracing has ended.  All happens in the consumer's loop, and
 * nothing waits for who is asked to take them.  Values are cumulative: what could not be sent is in
 * what is sent next.
 */
#ifndef RUN_PUSH_H
#define RUN_PUSH_H

#include <stdbool.h>

struct push;
struct session;

/* If the option says so, s->push is there from then on, else NULL, which all others take, too.
 * False: not possible, reported. */
bool push_start(struct session *s);

/* Send, if it is time, or go on with it. */
void push_run(struct push *p);

/* Tracing has ended: send what there is then, and wait for it, 5 s at most.  False: it was not
 * taken; reported. */
bool push_last(struct push *p);
void push_free(struct push *p);

#endif
