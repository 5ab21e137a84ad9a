/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dw.c: loads libdw.
 */
#include "base/dw.h"
#include "base/mem.h"

#define LIBDW "libdw.so.1"

const struct dw *dw_open(void)
{
	struct dw *dw = mem_alloc(sizeof(*dw));

	if (library_open(dw, LIBDW, DW_FUNCTIONS))
		return dw;
	dw_close(dw);
	return NULL;
}

void dw_close(const struct dw *dw)
{
	if (dw)
		library_close(dw);
	mem_free((void *)dw);
}

bool dw_follow(const struct dw *dw, Dwarf_Die *die, unsigned int attr, Dwarf_Die *to)
{
	Dwarf_Attribute a;

	return dw->dwarf_attr_integrate(die, attr, &a) && dw->dwarf_formref_die(&a, to);
}

bool dw_number(const struct dw *dw, Dwarf_Die *die, unsigned int attr, uint64_t *n)
{
	Dwarf_Attribute a;
	Dwarf_Word w;

	if (!dw->dwarf_attr(die, attr, &a) || dw->dwarf_formudata(&a, &w) != 0)
		return false;
	*n = w;
	return true;
}

uint64_t dw_dimension(const struct dw *dw, Dwarf_Die *subrange)
{
	uint64_t n;

	if (dw_number(dw, subrange, DW_AT_upper_bound, &n))
		return n + 1;
	return dw_number(dw, subrange, DW_AT_count, &n) ? n : 0;
}
