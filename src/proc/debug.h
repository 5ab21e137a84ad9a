/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.h: the file that has the symbols and debug information which were taken out of another, as
 * debuggers find it.
 */
#ifndef PROC_DEBUG_H
#define PROC_DEBUG_H

#include "proc/image.h"

/* The folder of debug files, and the cost of looking for them so far. */
struct debug_dir {
	const char *path;
	uint64_t summed; /* bytes of other users' files whose sum was taken */
	bool is_cut;	 /* a file was left out because of the cost */

	/* Called when a reader of debug information has failed; may be NULL. */
	void (*failed)(void *arg, const char *path, const char *why);
	void *failed_arg;
};

/*
 * By the build id: DIR/.build-id/ab/cdef.debug; or by the name in .gnu_debuglink: beside the file,
 * in .debug there, or in the same folder below DIR.  path: of the file.  The debug file has the
 * same build id.  If one of the two lacks a build id, the debug file has the checksum of the link.
 * A checksum costs a reading of the file, so we read 1 GB of files of ordinary users in all.
 * Returns a descriptor, -1: there is none.
 */
int debug_open(const struct image *im, const char *path, struct debug_dir *dir);

/* A descriptor of the file, or that other one, which has debug information; -1: there is none. */
int debug_info_open(int fd, const char *path, struct debug_dir *dir);

/*
 * The file that shares debug information with this one and with others (.gnu_debugaltlink), which
 * dwz makes.  It is found by its build id: as above, or by its name.  Returns a descriptor, -1:
 * there is none.
 */
int debug_shared_open(int fd, const struct debug_dir *dir);

/* Reports that the debug information of a file is not used; why: a part of a sentence. */
void debug_failed(const struct debug_dir *dir, const char *path, const char *why);

/* The build id in hexadecimal digits, to be freed; NULL: there is none. */
char *debug_build_id(const struct image *im);

#endif
