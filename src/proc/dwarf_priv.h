/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_priv.h: for those who ask libdw themselves.
 */
#ifndef PROC_DWARF_PRIV_H
#define PROC_DWARF_PRIV_H

#include "base/dw.h"

struct dwarf {
	const struct dw *dw;
	Dwarf *file;
	Elf *elf;
	int fd;
};

/*
 * Of the file open as fd, which is closed in any case.  NULL: it has none, or there is no library
 * that reads it.
 */
struct dwarf *dwarf_open(int fd);
void dwarf_close(struct dwarf *d); /* NULL is allowed */

/* The unit that has the address in it. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

#endif
