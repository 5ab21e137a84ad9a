/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.h: the object with which a program that has probes is linked (-G).
 */
#ifndef COMPILE_OBJECT_H
#define COMPILE_OBJECT_H

#include <stdbool.h>

struct compile;

/*
 * Writes the object for the providers declared in compiled programs to path.  objects: the n
 * objects of the program, which stay unchanged.  Returns false, with messages, and without such a
 * file.
 */
bool object_write(struct compile *comp, const char *path, char *const *objects, unsigned int n);

#endif
