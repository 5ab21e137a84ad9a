/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved.h: the aggregations of a run whose output was saved as json or jsonl (option oformat).
 */
#ifndef SINK_SAVED_H
#define SINK_SAVED_H

#include <stdbool.h>

struct chart;
struct report;

/*
 * Adds the aggregations to a chart, as aggregations of run `run`.  If one was printed several
 * times, its last printing counts.  The growth of a histogram between two printings is a column.
 * Facts about the run are restored as far as the file has them.
 * Returns false after reporting an error.
 */
bool saved_read(const struct report *report, struct chart *c, const char *path, unsigned int run);

#endif
