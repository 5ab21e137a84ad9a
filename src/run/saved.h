/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved.h: the aggregations of a run whose output was saved as json or jsonl (option oformat).
 */
#ifndef RUN_SAVED_H
#define RUN_SAVED_H

#include <stdbool.h>

struct chart;
struct report;

/*
 * Add them to a chart, as those of this run.  One that was printed several times is what was
 * printed last; of histograms what came between two times is a column.  False: reported.
 */
bool saved_read(const struct report *report, struct chart *c, const char *path, unsigned int run);

#endif
