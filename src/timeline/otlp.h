/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.h: events as spans and log records of OTLP.
 *
 * A slice or a span with an id is a span of OTLP when it ends.  Its parent is the span whose
 * context the program names (W3C traceparent), or else the slice around it, or else the open span
 * of another process with its id.  A span without a parent begins a trace.  An instant is a log
 * record, of the slice around it.  Counters are left out, because aggregations are metrics.
 */
#ifndef TIMELINE_OTLP_H
#define TIMELINE_OTLP_H

#include "base/buf.h"
#include "timeline/event.h"

struct timeline_otlp;

/* Messages Span or LogRecord, each with its tag in ScopeSpans or ScopeLogs. */
struct timeline_otlp_items {
	struct buf b;
	uint64_t n;
};

/* spans, logs: get finished items; NULL: not wanted.  wall: ns from the clock of events to 1970. */
struct timeline_otlp *timeline_otlp_new(struct timeline_otlp_items *spans,
					struct timeline_otlp_items *logs, int64_t wall);
void timeline_otlp_free(struct timeline_otlp *t);
void timeline_otlp_event(struct timeline_otlp *t, const struct timeline_event *e);

#endif
