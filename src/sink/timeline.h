/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.h: events over time of saved output (options perfetto, chrome, ctf, oformat=chrome).
 */
#ifndef SINK_TIMELINE_H
#define SINK_TIMELINE_H

#include <stdbool.h>

struct opts;
struct report;

/*
 * Writes the timelines of a saved run, whose file is read twice, and sends its records (option
 * otlp).  Returns false after reporting an error.
 */
bool timeline_of_saved(struct report *report, const struct opts *opts, const char *path);

#endif
