/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h: the headers and tables of an ELF file that is not trusted.
 *
 * The owner may change the file at any time, so it is never mapped: the checked data is the used
 * data.  All sizes come from the file and are bounded here.  Structures are in 64-bit form for both
 * classes.
 *
 * A file without sections (sstrip, some packers) gets two, the dynamic symbols and their names,
 * from its segments: dynamic.c.
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
	uint64_t size; /* size of the file when it was opened */
	bool is_32;
	Elf64_Ehdr head;
	VEC(Elf64_Phdr) segments;
	VEC(Elf64_Shdr) sections;
};

/*
 * Returns false unless it is an ELF file of this machine's byte order.  Call image_free in any
 * case.
 */
bool image_read(struct image *im, int fd);
void image_free(struct image *im);

/* Reads n bytes at an offset of the file.  Returns false if it has fewer. */
bool image_bytes(const struct image *im, uint64_t off, void *to, size_t n);

/* Returns a whole section with a NUL, for mem_free; NULL: it is missing, or above max bytes. */
char *image_section(const struct image *im, const Elf64_Shdr *sh, uint64_t max);

/* Returns the first section of this name, or NULL. */
const Elf64_Shdr *image_find(const struct image *im, const char *name);

/* Reads up to n symbols of a table from number `first` on.  Returns their number. */
size_t image_symbols(const struct image *im, const Elf64_Shdr *sh, uint64_t first, Elf64_Sym *to,
		     size_t n);

/*
 * Returns the names of a table of symbols, *size bytes and a NUL, for mem_free.  NULL: there are
 * none, more than max bytes, or far more than its symbols need.
 */
char *image_names(const struct image *im, const Elf64_Shdr *sh, uint64_t max, uint64_t *size);

/* dynamic.c: adds the dynamic symbols of a file without sections, and their names. */
void image_add_dynamic(struct image *im);

#endif
