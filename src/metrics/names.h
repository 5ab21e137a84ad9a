/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h: names of aggregations as metrics.  A family of series reserves its name and its name
 * with the suffixes of its type (OpenMetrics 1.0, "Suffixes"), so two aggregations can clash
 * although their names differ.
 */
#ifndef METRICS_NAMES_H
#define METRICS_NAMES_H

#include <stdbool.h>

struct agg_desc;
struct arena;

/* Returns the name of a family.  The format adds the suffix of a counter. */
const char *names_family(struct arena *a, const char *agg, bool is_counter);

/* An aggregation, without the @. */
struct names_agg {
	const char *name;
	const struct agg_desc *desc;
};

/* Two aggregations that would both have this metric. */
struct names_clash {
	const char *first, *second, *metric;
};

/* Finds the first clash of n aggregations, for counters and for gauges that sums can become. */
bool names_find_clash(struct arena *a, const struct names_agg *aggs, unsigned int n,
		      struct names_clash *clash);

#endif
