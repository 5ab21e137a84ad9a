/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h: opens all files.  `make layers` fails if another file calls open(2) or a relative.
 *
 * The functions differ in who chose the name and who made the contents: dtrace and the kernel, the
 * user of dtrace, or somebody whom dtrace does not trust.  All descriptors are close-on-exec, and
 * no terminal becomes the controlling one.
 *
 * In a folder that every user can write to, such as /tmp, another user might plant a symbolic link,
 * a FIFO or a file.  Therefore a name is followed folder by folder, and a link anywhere in the name
 * only if this user or root owns the link.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- names that dtrace or its user chooses: /proc, /sys, configuration, scripts ---- */

/* Opens with these flags of open(2).  Returns a descriptor, or -1 with errno set. */
int file_open(const char *path, int flags);

/* Returns a stream for reading, or NULL with errno set. */
FILE *file_stream(const char *path);

/*
 * Returns a handle without opening a file, for fstat(2), links of /proc/self/fd and openat(2); -1
 * with errno set.  NAME is relative to the folder of handle AT, which may be AT_FDCWD.  FLAGS:
 * O_DIRECTORY, O_NOFOLLOW.
 */
int file_handle(int at, const char *name, int flags);

/* ---- reading what others name or make ---- */

/*
 * Opens an ordinary file.  Returns a descriptor or -errno; -EINVAL: another kind.  Never waits:
 * neither for the other end of a FIFO, nor for the holder of a lease.
 */
int file_open_ordinary(const char *path);

/* Does the same if it is no link, and belongs to this user or to root. */
int file_open_own(const char *path, uid_t uid);

/*
 * Does the same for a name that an untrusted file contains: follows no links of other users, and
 * opens no file that the kernel generates, because reading could have an effect (/proc/kmsg).
 */
int file_open_untrusted(const char *path);

/* ---- output ---- */

enum file_mode {
	FILE_APPEND,  /* keeps the contents; other users' files are refused */
	FILE_REPLACE, /* a new file takes the name at once; devices and FIFOs are opened */
};

/*
 * Opens a file for writing, and creates it if necessary.  Returns NULL with errno set; file_why has
 * the reason.
 */
FILE *file_write(const char *path, enum file_mode mode);

/*
 * Replaces the contents of a file: readers see the old contents or all of the new.  Returns false
 * with errno set.
 */
bool file_replace(const char *path, const void *bytes, size_t n);

/* Returns true if file_replace can work, and false with errno set. */
bool file_may_replace(const char *path);

/* Writes all bytes to a descriptor.  Returns false with errno set. */
bool file_write_all(int fd, const char *bytes, size_t n);

/* Makes a folder for output unless it exists.  Returns false with errno set. */
bool file_make_folder(const char *path);

/* Returns true if %n in the path stands for a number. */
bool file_is_numbered(const char *path);

/*
 * Creates the file with the next number after *number that no file has, for appending, and sets
 * *number.  Returns NULL with errno set.
 */
FILE *file_write_next(const char *path, unsigned int *number);

/* Text of errno after one of the functions for output has failed in this thread. */
const char *file_why(void);

#endif
