/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gotable.h: the table of functions in Go programs (.gopclntab).  The runtime needs it, so strip(1)
 * keeps it.
 */
#ifndef PROC_GOTABLE_H
#define PROC_GOTABLE_H

#include "proc/image.h"
#include "proc/proc.h"

/* Returns true if the file is a program in Go. */
bool gotable_is_go(const struct image *im);

/*
 * Adds the functions of the table to the symbols of an object, with their names in its strings.
 * Does nothing if the file has no table, or one of a version before Go 1.18 or of an unknown
 * version.
 */
void gotable_read(struct proc_object *o, const struct image *im);

/*
 * Returns N of the version 1.N of Go that has built the program, from the section that the compiler
 * writes for it (Go 1.18 and later), or -1.
 */
int gotable_version(const struct image *im);

/*
 * Returns the number of bytes after which a Go function, at off in the file, has compared its stack
 * with the limit.  If the stack is too small, the function calls the runtime there and starts
 * again.  0: it does not compare.
 */
uint32_t gotable_begin(int fd, uint64_t off);

struct goplaces;
struct reader_place;

#define GOPLACES_MAX 64 /* nested inlined functions */

/*
 * Opens the lines and inlined functions in the table of a file.  Returns NULL if there is no table
 * of a known version.
 */
struct goplaces *goplaces_open(const struct image *im);
void goplaces_close(struct goplaces *g); /* NULL is allowed */

/*
 * Fills an array of GOPLACES_MAX places as reader_places(), and returns their number.  Texts last
 * until goplaces_close().
 */
unsigned int goplaces_find(const struct goplaces *g, uint64_t vaddr, struct reader_place *to);

#endif
