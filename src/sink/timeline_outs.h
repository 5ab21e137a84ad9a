/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline_outs.h: the outputs of timelines that options ask for, and names of recorded probes, for
 * runs and saved runs.
 */
#ifndef SINK_TIMELINE_OUTS_H
#define SINK_TIMELINE_OUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct map;
struct report;
struct sink_env;
struct slices_counts;
struct table_rec;
struct timeline_out;

struct timeline_outs {
	struct timeline_out **a;
	unsigned int n, cap;
};

/*
 * Opens the outputs, also to a collector.  f: the file of oformat=chrome; wall: ns from the clock
 * of events to the time of day.  Returns false after reporting an error; the opened outputs are in
 * the list.
 */
bool timeline_outs_open(struct timeline_outs *outs, const struct sink_env *env, FILE *f,
			int64_t wall);

/*
 * Reports failures and returns false after one.  The caller reports a failure of standard output,
 * which has no path.
 */
bool timeline_outs_ok(const struct timeline_outs *outs, const struct report *report);

/* Reports the events that a timeline could not show.  nomitted: rows without a counter. */
void timeline_outs_report(const struct report *report, const struct slices_counts *counts,
			  uint64_t nomitted);

/* Add the name of a probe that leaves records, and find NAME for a probe that is otherwise like
 * r's. */
void timeline_add_name(struct map *names, uint32_t vmid, const char *prov, const char *mod,
		       const char *func, const char *name);
bool timeline_has_name(const struct map *names, const struct table_rec *r, const char *name,
		       bool any_function);

#endif
