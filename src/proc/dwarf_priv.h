/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_priv.h: for those who ask libdw themselves.
 */
#ifndef PROC_DWARF_PRIV_H
#define PROC_DWARF_PRIV_H

#include "base/dw.h"
#include "base/vec.h"

/* The bytes of a section. */
struct dwarf_bytes {
	const char *from, *to;
};

struct dwarf {
	const struct dw *dw;
	Dwarf *file;
	Elf *elf;
	int fd;
	VEC(struct dwarf_bytes) sections; /* where names lie, of the file and the one it shares */
	bool has_shared;		  /* sections includes the shared file */
};

/*
 * Of the file open as fd, which is closed in any case.  NULL: it has none, or there is no library
 * that reads it.
 */
struct dwarf *dwarf_open(int fd);
void dwarf_close(struct dwarf *d); /* NULL is allowed */

/*
 * Returns a text that libdw has found, or NULL if the text is NULL or does not end inside its
 * section.  libdw does not check the end of a text that an entry itself contains.
 */
const char *dwarf_text(struct dwarf *d, const char *text);

/* The unit that has the address in it. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

#endif
