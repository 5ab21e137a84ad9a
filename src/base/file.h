/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h: opens output files.  In a folder that every user can write to, such as /tmp, another user
 * might plant a symbolic link.  Links are followed only if this user or root owns them.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if path is a symbolic link that neither this user nor root owns. */
bool file_is_foreign_link(const char *path);

/*
 * Opens a file for writing, or for appending, and creates it if necessary.  The descriptor is
 * close-on-exec.  Returns NULL with errno set; ELOOP means a foreign link.
 */
FILE *file_open(const char *path, bool appends);

/* Returns true if %n in the path stands for a number. */
bool file_is_numbered(const char *path);

/*
 * Creates the file with the next number after *number that no file has, for appending, and sets
 * *number.  The descriptor is close-on-exec.  Returns NULL with errno set.
 */
FILE *file_open_next(const char *path, unsigned int *number);

/* Text of errno after one of these has failed. */
const char *file_why(void);

#endif
