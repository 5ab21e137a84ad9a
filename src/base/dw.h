/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dw.h: elfutils' libdw, which reads debug information (DWARF).  It is loaded on first use, so that
 * it need not be installed otherwise.
 */
#ifndef BASE_DW_H
#define BASE_DW_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/library.h"

#define DW_FUNCTIONS(X)                 \
	X(dwfl_begin)                   \
	X(dwfl_end)                     \
	X(dwfl_report_begin)            \
	X(dwfl_report_offline)          \
	X(dwfl_report_end)              \
	X(dwfl_offline_section_address) \
	X(dwfl_module_build_id)         \
	X(dwfl_module_nextcu)           \
	X(dwfl_module_addrname)         \
	X(dwfl_module_addrsym)          \
	X(dwarf_begin_elf)              \
	X(dwarf_end)                    \
	X(dwarf_setalt)                 \
	X(dwarf_get_units)              \
	X(dwarf_cu_getdwarf)            \
	X(dwarf_getelf)                 \
	X(dwarf_cu_die)                 \
	X(dwarf_cu_info)                \
	X(dwarf_addrdie)                \
	X(dwarf_haspc)                  \
	X(dwarf_offdie)                 \
	X(dwarf_offdie_types)           \
	X(dwarf_child)                  \
	X(dwarf_siblingof)              \
	X(dwarf_tag)                    \
	X(dwarf_diename)                \
	X(dwarf_dieoffset)              \
	X(dwarf_bytesize)               \
	X(dwarf_hasattr)                \
	X(dwarf_attr_integrate)         \
	X(dwarf_attr)                   \
	X(dwarf_whatform)               \
	X(dwarf_srclang)                \
	X(dwarf_getlocation)            \
	X(dwarf_getlocation_addr)       \
	X(dwarf_getlocation_attr)       \
	X(dwarf_formaddr)               \
	X(dwarf_formflag)               \
	X(dwarf_formref_die)            \
	X(dwarf_formudata)              \
	X(dwarf_formsdata)              \
	X(dwarf_formstring)             \
	X(dwarf_getscopes_die)          \
	X(dwarf_getsrcfiles)            \
	X(dwarf_filesrc)                \
	X(dwarf_getsrc_die)             \
	X(dwarf_linesrc)                \
	X(dwarf_lineno)                 \
	X(dwarf_ranges)                 \
	X(dwarf_entrypc)

/* The library's functions. */
struct dw {
	void *lib;
	LIBRARY_MEMBERS(DW_FUNCTIONS)
};

/* Loads the library.  Returns NULL if it is missing or lacks a function. */
const struct dw *dw_open(void);
void dw_close(const struct dw *dw); /* NULL is allowed */

/*
 * dw_follow sets *to to the DIE that attribute `attr` refers to, of a DIE or its abstract origin.
 * dw_number sets *n to an attribute of the DIE itself.  Return false if there is none.
 */
bool dw_follow(const struct dw *dw, Dwarf_Die *die, unsigned int attr, Dwarf_Die *to);
bool dw_number(const struct dw *dw, Dwarf_Die *die, unsigned int attr, uint64_t *n);

/* Returns the number of elements of an array dimension; 0: unknown. */
uint64_t dw_dimension(const struct dw *dw, Dwarf_Die *subrange);

#endif
