/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h: files that are written where a user says.  In a folder that all may write to, another
 * user may have put a symbolic link there first: it is followed only if it is this user's own, or
 * root's.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Is it a symbolic link that somebody else has made? */
bool file_is_foreign_link(const char *path);

/*
 * fopen(3), to write or, if it appends, to add to the end; the descriptor is closed at exec.  NULL:
 * errno says why, ELOOP that it is such a link.
 */
FILE *file_open(const char *path, bool appends);

/* What errno says after it has failed. */
const char *file_why(void);

#endif
