/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nearest.c: distances between words: letters inserted, left out, changed, or two swapped (optimal
 * string alignment).  A swap costs half as much, because it is a typical typing error.
 */
#include <string.h>

#include "base/nearest.h"

/* Longer words are ignored. */
#define WORD_MAX 64

enum { SWAP = 1, STEP = 2 };

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int distance(const char *x, unsigned int nx, const char *y, unsigned int ny)
{
	unsigned int d[WORD_MAX + 1][WORD_MAX + 1];

	for (unsigned int i = 0; i <= nx; i++)
		d[i][0] = i * STEP;
	for (unsigned int j = 0; j <= ny; j++)
		d[0][j] = j * STEP;
	for (unsigned int i = 1; i <= nx; i++)
		for (unsigned int j = 1; j <= ny; j++) {
			d[i][j] = min(min(d[i - 1][j], d[i][j - 1]) + STEP,
				      d[i - 1][j - 1] + (x[i - 1] != y[j - 1]) * STEP);
			if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
				d[i][j] = min(d[i][j], d[i - 2][j - 2] + SWAP);
		}
	return d[nx][ny];
}

void nearest_try(struct nearest *n, const char *name)
{
	size_t nx = strlen(n->word), ny = strlen(name), most = nx / 3;
	unsigned int dist;

	if (most > 2)
		most = 2;
	if (nx > WORD_MAX || ny > WORD_MAX || ny + most < nx || nx + most < ny)
		return;
	dist = distance(n->word, (unsigned int)nx, name, (unsigned int)ny);
	if (dist > most * STEP || (n->best && dist >= n->dist))
		return;
	n->best = name;
	n->dist = dist;
}
