/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h: the headers and tables of an ELF file that is not trusted.
 *
 * Whoever owns the file may change it at any time, so it is never mapped: what was checked is what
 * is used.  All sizes come from the file and are bounded here, whatever it says.  Structures are
 * those of 64-bit files, for both classes.
 */
#ifndef PROC_IMAGE_H
#define PROC_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

struct image {
	int fd;
	uint64_t size; /* of the file when it was opened */
	bool is_32;
	Elf64_Ehdr head;
	VEC(Elf64_Phdr) segments;
	VEC(Elf64_Shdr) sections;
};

/*
 * Open an ordinary file for reading; -errno, if it is anything else as well.  It never waits: not
 * for the other end of a FIFO, nor for the holder of a lease.
 */
int image_open_file(const char *path);

/* The same, if it is no link, and belongs to this user or to root. */
int image_open_own(const char *path, uid_t uid);

/* False: no ELF file of this machine's byte order.  image_free is needed in any case. */
bool image_read(struct image *im, int fd);
void image_free(struct image *im);

/* All of a section with a NUL behind it, for mem_free; NULL: it is not there, or above max bytes.
 */
char *image_section(const struct image *im, const Elf64_Shdr *sh, uint64_t max);

/* The first section of this name; NULL: there is none. */
const Elf64_Shdr *image_find(const struct image *im, const char *name);

/* Up to n symbols of a table from number `first` on; how many. */
size_t image_symbols(const struct image *im, const Elf64_Shdr *sh, uint64_t first, Elf64_Sym *to,
		     size_t n);

/*
 * The names of a table of symbols, with *size bytes and a NUL behind them, for mem_free.  NULL: the
 * table has none, more than max bytes, or far more than its symbols need.
 */
char *image_names(const struct image *im, const Elf64_Shdr *sh, uint64_t max, uint64_t *size);

#endif
