/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictures.h: the files of options flame, heat and html, of a session or of saved output.  A file
 * is first written under another name and then renamed.  So the previous file stays until then, and
 * if something fails.
 */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <stdbool.h>

struct opts;
struct pictures;
struct report;
struct session;

/*
 * Sets s->pictures if options say so, and otherwise leaves it NULL, which all other functions
 * accept.  Returns false, with a message, if a file cannot be written.
 */
bool pictures_start(struct session *s);

/* Tracing begins: the first columns of heat maps begin now. */
void pictures_go(struct pictures *p);

/* Reads histograms if an interval is over. */
void pictures_run(struct pictures *p);

/* Tracing has ended: reads the aggregations, and marks those that are drawn. */
void pictures_take(struct pictures *p);

/* Writes the files.  Returns false after reporting an error. */
bool pictures_write(struct pictures *p);
void pictures_free(struct pictures *p);

/*
 * Draws one saved run, or compares two, the earlier one first.  Returns false after reporting an
 * error.
 */
bool pictures_of_saved(const struct report *report, const struct opts *opts, char *const *files,
		       unsigned int n);

#endif
