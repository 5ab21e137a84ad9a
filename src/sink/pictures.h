/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictures.h: the files of options flame, heat, html and their like, and the profiles of option
 * otlp, of a session or of saved output.  A file is first written under another name and then
 * renamed.  So the previous file stays until then, and if something fails.
 */
#ifndef SINK_PICTURES_H
#define SINK_PICTURES_H

#include <stdbool.h>

struct opts;
struct report;

/*
 * Draws one saved run, or compares two, the earlier one first.  Returns false after reporting an
 * error.
 */
bool pictures_of_saved(struct report *report, const struct opts *opts, char *const *files,
		       unsigned int n);

#endif
