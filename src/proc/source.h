/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h: what debug information (DWARF) says of a place in a file: functions that were inlined
 * there, and lines of the source.  Read by elfutils' libdw, which trusts a file more than we do:
 * only for who asks for it.
 */
#ifndef PROC_SOURCE_H
#define PROC_SOURCE_H

#include <stdint.h>

struct source;

/* A place in a function; file is NULL if nothing is known of it.  Good as long as the source. */
struct source_place {
	const char *func; /* as the linker would call it; NULL: not inlined */
	const char *file;
	int line;
};

/* Of an open file with debug information, which is closed in the end; it is read when it is asked.
 */
struct source *source_new(int fd);
void source_free(struct source *s); /* NULL is allowed */

/*
 * Where an address of the file is: the innermost inlined function first, the one that has the code
 * last; each is called in the next.  *n: how many, 0: not known.
 */
const struct source_place *source_at(struct source *s, uint64_t vaddr, unsigned int *n);

#endif
