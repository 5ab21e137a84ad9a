/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.h: requests of OTLP, and the answer to them.  Counters, summaries and histograms are
 * cumulative, from the start of tracing.
 */
#ifndef METRICS_OTLP_H
#define METRICS_OTLP_H

#include <stdint.h>

#include "metrics/metrics.h"
#include "metrics/proto.h"

struct otlp {
	struct metrics m;
	struct proto p;
	bool has_family;
	enum agg_metric type; /* of the current family */
	uint64_t begun, now;
};

/* Begins a request in b, with the symbols of o.  resource: attributes of the source of the metrics;
 * begun, now: ns since 1970.  metrics_end() completes the request. */
void otlp_begin(struct otlp *t, struct buf *b, struct out *o, const struct metrics_labels *resource,
		uint64_t begun, uint64_t now);

/*
 * Writes a request with items of one signal: messages with their tag in the messages of one scope,
 * such as ScopeSpans.
 */
void otlp_request(struct buf *b, const struct metrics_labels *resource, const struct buf *items);

/* Returns the number of items that an answer rejects.  *text: the collector's reason, *n bytes. */
uint64_t otlp_rejected(const struct buf *answer, const char **text, uint64_t *n);

#endif
