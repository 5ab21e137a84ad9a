/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push_records.h: records that are sent as spans and logs by OTLP over HTTP (option otlp), as an
 * output of timelines.
 */
#ifndef SINK_PUSH_RECORDS_H
#define SINK_PUSH_RECORDS_H

#include <stdint.h>

struct sink_env;
struct timeline_out;

/* wall: ns from the clock of events to 1970.  Returns NULL after reporting an error. */
struct timeline_out *push_records_new(const struct sink_env *env, int64_t wall);

#endif
