/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gotable_priv.h: the bytes of .gopclntab, which gotable.c and goplaces.c read.
 */
#ifndef PROC_GOTABLE_PRIV_H
#define PROC_GOTABLE_PRIV_H

#include "proc/gotable.h"

#define GOTABLE_1_18	      0xfffffff0U /* runtime/symtab.go, pcHeader */
#define GOTABLE_1_20	      0xfffffff1U
#define GOTABLE_MAX	      (256U << 20) /* bytes; kubelet's table has about 25 MB */
#define GOTABLE_FUNCTIONS_MAX 4000000U

/* Words of the header. */
enum {
	GOTABLE_NFUNCS = 8,
	GOTABLE_TEXT = 24,
	GOTABLE_NAMES = 32,
	GOTABLE_UNITS = 40,
	GOTABLE_FILES = 48,
	GOTABLE_VALUES = 56,
	GOTABLE_FUNCTIONS = 64,
	GOTABLE_HEADER = 72
};

struct gotable_bytes {
	const Elf64_Shdr *sh; /* the section */
	const char *data;
	uint64_t size;
	uint32_t magic;
	uint64_t nfuncs;
	uint64_t text;		   /* address of the code */
	uint64_t names, functions; /* offsets */
};

uint64_t gotable_word(const char *p);
uint32_t gotable_half(const char *p);

/* Returns the section with the table, or NULL. */
const Elf64_Shdr *gotable_find(const struct image *im);

/*
 * Reads the header of the table in `data`, `size` and `sh`.  Returns false if the table is damaged
 * or of an unknown version.
 */
bool gotable_header(const struct image *im, struct gotable_bytes *t);

/* Returns the text at an offset from a part of the table; NULL: it is empty, or has no end. */
const char *gotable_text(const struct gotable_bytes *t, uint64_t from, uint64_t off);

/*
 * Returns the address that a word of the file at ADDR has after loading.  In a position-independent
 * program a relocation sets it.
 */
uint64_t gotable_address(const struct image *im, uint64_t value, uint64_t addr);

/*
 * Returns the place where relocations store two addresses one after the other; 0: none.  Go's
 * linker writes relocations in the order of their places.
 */
uint64_t gotable_relocated(const struct image *im, uint64_t first, uint64_t second);

#endif
