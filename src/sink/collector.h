/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * collector.h: a collector of OTLP over HTTP, for one signal: metrics, logs, traces or profiles.
 * Requests are sent during tracing, one at a time.
 */
#ifndef SINK_COLLECTOR_H
#define SINK_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "metrics/metrics.h"

struct buf;
struct collector;
struct sink_env;

struct collector_signal {
	const char *name;  /* in messages */
	const char *items; /* in messages: the things that an answer can reject */
	const char *path;  /* of a URL without a path; the specification's default */
};

/* Returns NULL after reporting an error. */
struct collector *collector_new(const struct sink_env *env, const struct collector_signal *signal);
void collector_free(struct collector *c); /* NULL is allowed */

/* Returns the attributes of this process, for requests. */
struct metrics_labels collector_resource(const struct collector *c);

/* Begins to send a request.  Its bytes must not change while is_sending. */
void collector_send(struct collector *c, const struct buf *body);
bool collector_is_sending(const struct collector *c);

/* Continues, without waiting.  A failure is reported, but not the next ones in a row. */
void collector_go_on(struct collector *c);

/* Returns true if the last finished request was accepted, or none has finished. */
bool collector_ok(const struct collector *c);

/* Returns true if the same request can succeed later. */
bool collector_can_retry(const struct collector *c);

/* Returns how many of n items the collector refused in the last request, which failed. */
uint64_t collector_rejected(const struct collector *c, uint64_t n);

/*
 * Waits until the request is accepted or has failed, until `end` (clock_ns), or until a second
 * signal.  Gives up then, and returns false.
 */
bool collector_wait(struct collector *c, uint64_t end);

/* Reports that the last data was not accepted in time. */
void collector_too_late(struct collector *c);

#endif
