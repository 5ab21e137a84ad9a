/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.h: metrics as OTLP writes them in JSON: an ExportMetricsServiceRequest (the protocol's
 * specification 1.3, "JSON Protobuf Encoding"; opentelemetry/proto/metrics/v1/metrics.proto).
 * Counters, summaries and histograms are cumulative, from the time when tracing began.
 */
#ifndef OUT_OTLP_H
#define OUT_OTLP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "out/doc.h"
#include "out/metrics.h"

struct otlp {
	struct metrics m;
	struct doc doc;
	bool has_family;
	enum agg_metric type; /* of the family at hand */
	char begun[24], now[24];
};

/*
 * To a file, with the symbols of o.  resource: attributes of what the metrics are of; begun, now:
 * ns since 1970.
 */
void otlp_begin(struct otlp *t, FILE *f, struct out *o, const struct metrics_labels *resource,
		uint64_t begun, uint64_t now);

#endif
