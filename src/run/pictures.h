/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pictures.h: the files of options flame, heat and html, of a session or of what was saved before.
 * A file is written as a whole, under another name first: what had its name is there until then,
 * and stays if something fails.
 */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <stdbool.h>

struct opts;
struct pictures;
struct report;
struct session;

/* If options say so, s->pictures is there from then on, else NULL, which all others take, too.
 * False: a file could not be written; reported. */
bool pictures_start(struct session *s);

/* Tracing begins: columns of heat maps are from now on. */
void pictures_go(struct pictures *p);

/* Look at histograms, if it is time. */
void pictures_run(struct pictures *p);

/* Tracing has ended: take what aggregations are, and mark those that are drawn. */
void pictures_take(struct pictures *p);

/* Write the files.  False: reported. */
bool pictures_write(struct pictures *p);
void pictures_free(struct pictures *p);

/* Draw one saved run, or compare two, the earlier one first.  False: reported. */
bool pictures_of_saved(const struct report *report, const struct opts *opts, char *const *files,
		       unsigned int n);

#endif
