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
	bool has_shared;		  /* which was looked for */
};

/*
 * Of the file open as fd, which is closed in any case.  NULL: it has none, or there is no library
 * that reads it.
 */
struct dwarf *dwarf_open(int fd);
void dwarf_close(struct dwarf *d); /* NULL is allowed */

/*
 * A text that libdw has found, if it ends where its section does at the latest; else NULL, as for
 * NULL.  libdw does not look for the end of one that stands in an entry itself.
 */
const char *dwarf_text(struct dwarf *d, const char *text);

/* The unit that has the address in it. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

#endif
