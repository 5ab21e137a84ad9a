/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader.h: the debug information (DWARF) of a file.  elfutils' libdw reads it in a process of its
 * own (jail.h), because the library trusts files too much.
 *
 * After a failure, the reader finds nothing, and debug_failed() reports why.
 */
#ifndef PROC_READER_H
#define PROC_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "proc/debug.h"
#include "proc/info.h"

struct reader;

/* A place in a function.  Its texts last until reader_close(). */
struct reader_place {
	const char *func; /* linker's name; NULL: not inlined */
	const char *file; /* NULL: unknown */
	int line;
};

/*
 * Reads the file that is open as fd, and takes the descriptor.  The process starts with the first
 * question.  PATH of the program is for messages.  Returns NULL if libdw is not installed.
 */
struct reader *reader_open(int fd, const char *path, struct debug_dir *dir);
void reader_close(struct reader *r); /* NULL is allowed */

/* See info_function(), info_type() and info_members(). */
bool reader_function(struct reader *r, uint64_t addr, struct info_function *res);
void reader_type(struct reader *r, info_ref ref, struct info_type *res);
void reader_members(struct reader *r, info_ref ref, info_list *list);

/* See info_find() and info_variable(). */
info_ref reader_find(struct reader *r, const char *name, bool *is_ambiguous);
bool reader_variable(struct reader *r, uint64_t addr, info_ref *type);

/*
 * Returns the places of an address of the file in the source, and their number *n, 0: unknown.  The
 * innermost inlined function is first.  Each is called in the next one.
 */
const struct reader_place *reader_places(struct reader *r, uint64_t vaddr, unsigned int *n);

#endif
