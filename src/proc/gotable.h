/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gotable.h: the table of functions that Go programs contain (.gopclntab), which the runtime needs
 * and strip(1) therefore keeps.
 */
#ifndef PROC_GOTABLE_H
#define PROC_GOTABLE_H

#include "proc/image.h"
#include "proc/proc.h"

/* Whether the file is a program in Go. */
bool gotable_is_go(const struct image *im);

/*
 * Adds the functions of the table to the symbols of an object, which gets their names in its
 * strings.  Does nothing if the file has no table, or one of a version before Go 1.18 or that is
 * not known.
 */
void gotable_read(struct proc_object *o, const struct image *im);

/*
 * Returns N of the version 1.N of Go that has built the program, from the section that the compiler
 * writes for it (Go 1.18 and later), or -1.
 */
int gotable_version(const struct image *im);

/*
 * Returns how many bytes after its start a function of Go, at off in the file, has compared its
 * stack with the limit.  If the stack is too small, the function calls the runtime there and begins
 * again.  0: it does not compare.
 */
uint32_t gotable_begin(int fd, uint64_t off);

#endif
