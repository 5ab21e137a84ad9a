/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpack.h: compressed parts of ELF files.
 *
 * The libraries run in a jail (jail.h), because a file that is not trusted chooses their input.
 * Files that root does not own have a common budget.
 */
#ifndef PROC_UNPACK_H
#define PROC_UNPACK_H

#include "base/buf.h"
#include "proc/debug.h"
#include "proc/image.h"

/*
 * Replaces *to by the bytes of a section, up to max, which may be compressed (SHF_COMPRESSED or the
 * older form of .zdebug_*).  Returns NULL, or why there are none, as a part of a sentence.
 */
const char *unpack_section(const struct image *im, const Elf64_Shdr *sh, size_t max,
			   struct debug_dir *dir, struct buf *to);

/*
 * Opens the file in a file that has symbols of functions which .dynsym lacks (.gnu_debugdata).
 * Returns a descriptor; -1: none.  *why: NULL, or why it is not used.
 */
int unpack_symbols(const struct image *im, struct debug_dir *dir, const char **why);

enum unpack_format { UNPACK_ZLIB, UNPACK_XZ };

struct unpack_xz;

/* The part inside the jail: appends at most max bytes.  Returns false if the input is damaged. */
bool unpack_bytes(const struct unpack_xz *xz, enum unpack_format format, const char *bytes,
		  size_t n, size_t max, struct buf *to);

/* Loads liblzma.  Returns NULL if it is missing. */
const struct unpack_xz *unpack_xz_open(void);
void unpack_xz_close(const struct unpack_xz *xz); /* NULL is allowed */

#endif
