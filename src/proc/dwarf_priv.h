/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_priv.h: for those who ask libdw themselves.
 */
#ifndef PROC_DWARF_PRIV_H
#define PROC_DWARF_PRIV_H

#include "base/dw.h"
#include "proc/dwarf.h"

struct dwarf {
	const struct dw *dw;
	Dwarf *file;
	Elf *elf;
	int fd;
};

/* The unit that has the address in it. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

#endif
