/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.h: finds the separate file with the symbols and debug information of another file, as
 * debuggers do.
 */
#ifndef PROC_DEBUG_H
#define PROC_DEBUG_H

#include "proc/image.h"

/* The folder of debug files, and the cost of searching them so far. */
struct debug_dir {
	const char *path;
	uint64_t summed;   /* bytes of checksums that other users' files asked for */
	uint64_t unpacked; /* bytes that compressed parts of other users' files may have */
	bool is_cut;	   /* a file was left out because of the cost */

	/* Called when a reader of debug information has failed; may be NULL. */
	void (*failed)(void *arg, const char *path, const char *why);
	void *failed_arg;
};

/*
 * Opens the debug file of a file at PATH.  It is found by the build id:
 * DIR/.build-id/ab/cdef.debug.  Or by the name in .gnu_debuglink: beside the file, in .debug there,
 * or in the same folder below DIR.  The debug file has the same build id.  If one of the two lacks
 * a build id, the debug file has the checksum of the link.  A checksum costs a reading of the file,
 * so at most 1 GB of files of ordinary users is read in all.  Returns a descriptor, or -1.
 */
int debug_open(const struct image *im, const char *path, struct debug_dir *dir);

/*
 * Returns a descriptor of the file that has debug information: this one or its debug file; -1:
 * none.
 */
int debug_info_open(int fd, const char *path, struct debug_dir *dir);

/*
 * Opens the file that shares debug information with this one and with others (.gnu_debugaltlink),
 * which dwz makes.  It is found by its build id, as above, or by its name.  Returns a descriptor,
 * or -1.
 */
int debug_shared_open(int fd, const struct debug_dir *dir);

/* Reports that the debug information of a file is not used.  WHY is a part of a sentence. */
void debug_failed(const struct debug_dir *dir, const char *path, const char *why);

/* Returns the build id in hexadecimal digits, to be freed, or NULL. */
char *debug_build_id(const struct image *im);

#endif
