/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.h: metrics as OTLP has them, and what is answered.  Counters, summaries and histograms are
 * cumulative, from the time when tracing began.
 */
#ifndef OUT_OTLP_H
#define OUT_OTLP_H

#include <stdint.h>

#include "out/metrics.h"
#include "out/proto.h"

struct otlp {
	struct metrics m;
	struct proto p;
	bool has_family;
	enum agg_metric type; /* of the family at hand */
	uint64_t begun, now;
};

/*
 * Begin a request, in b, with the symbols of o.  resource: attributes of what the metrics are of;
 * begun, now: ns since 1970.  It ends with the metrics.
 */
void otlp_begin(struct otlp *t, struct buf *b, struct out *o, const struct metrics_labels *resource,
		uint64_t begun, uint64_t now);

/* Returns the number of series that an answer rejects.  *text: the collector's reason, *n bytes. */
uint64_t otlp_rejected(const struct buf *answer, const char **text, uint64_t *n);

#endif
