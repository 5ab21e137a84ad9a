/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.h: the object that a program with probes of its own is linked with (-G).
 */
#ifndef RUN_OBJECT_H
#define RUN_OBJECT_H

#include <stdbool.h>

struct compile;

/*
 * Write the object for the providers declared in compiled programs to path, for the n objects of
 * the program, none of which is changed.  False: errors were printed, and there is no such file.
 */
bool object_write(struct compile *comp, const char *path, char *const *objects, unsigned int n);

#endif
