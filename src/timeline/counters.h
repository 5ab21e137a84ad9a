/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.h: rows of aggregations as counters, which have a new value at each reading.
 *
 * Rows with one name are one counter, the sum of the rows: stacks of different addresses can have
 * the same symbols.  If a later reading lacks a row, the row is 0 from then on.
 */
#ifndef TIMELINE_COUNTERS_H
#define TIMELINE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct counters;
struct slices;

struct counters *counters_new(struct slices *slices);
void counters_free(struct counters *cs);

/* Adds a row of a reading.  Returns false if there are too many counters. */
bool counters_add(struct counters *cs, const char *agg, const char *row, int64_t value);

/* Ends the reading of an aggregation: writes the values that have changed. */
void counters_end(struct counters *cs, const char *agg, uint64_t time);

#endif
