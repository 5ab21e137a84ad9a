/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.h: the file that has the symbols and debug information which were taken out of another, as
 * debuggers find it.
 */
#ifndef PROC_DEBUG_H
#define PROC_DEBUG_H

#include "proc/image.h"

/*
 * By the build id: DIR/.build-id/ab/cdef.debug; or by the name in .gnu_debuglink: beside the file,
 * in .debug there, or in the same folder below DIR.  path: of the file.  Only what has the same
 * build id, or the sum of the link, is it.  A descriptor, -1: there is none.
 */
int debug_open(const struct image *im, const char *path, const char *dir);

/* A descriptor of the file, or that other one, which has debug information; -1: there is none. */
int debug_info_open(int fd, const char *path, const char *dir);

/* The build id in hexadecimal digits, to be freed; NULL: there is none. */
char *debug_build_id(const struct image *im);

#endif
