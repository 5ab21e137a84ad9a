/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nearest.h: suggests the intended name for a misspelt one.
 *
 *     struct nearest n = {.word = "exename"};
 *     for all names: nearest_try(&n, name);
 *     n.best is "execname", or NULL if no name is near enough
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

struct nearest {
	const char *word, *best;
	unsigned int dist; /* distance of best: letters to insert, leave out, change or swap */
};

void nearest_try(struct nearest *n, const char *name);

#endif
