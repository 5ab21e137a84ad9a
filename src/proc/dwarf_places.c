/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_places.c: gets the functions and source lines at an address from libdw.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "proc/dwarf_priv.h"

/* A query about an address. */
struct job {
	struct dwarf *d;
	const struct dw *dw;
	struct arena *arena;
	uint64_t addr;
	Dwarf_Die unit;			   /* has lines */
	Dwarf_Die joined;		   /* has functions */
	Dwarf_Die found[DWARF_PLACES_MAX]; /* innermost last */
	unsigned int n;
};

/*
 * Returns true for scopes whose code contains the address, and for scopes without code of their
 * own.
 */
static bool may_have(const struct dw *dw, Dwarf_Die *die, uint64_t addr)
{
	switch (dw->dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
		return dw->dwarf_haspc(die, addr) > 0;
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return true;
	default:
		return false;
	}
}

/* Finds the functions that contain the address.  Returns true if there are any. */
static bool find_functions(struct job *j, Dwarf_Die *in, unsigned int level)
{
	unsigned int had = j->n;
	Dwarf_Die die;
	int r = level < DWARF_PLACES_MAX ? j->dw->dwarf_child(in, &die) : 1;

	for (; r == 0 && j->n == had; r = j->dw->dwarf_siblingof(&die, &die)) {
		int tag = j->dw->dwarf_tag(&die);

		if (!may_have(j->dw, &die, j->addr))
			continue;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			j->found[j->n++] = die;
		find_functions(j, &die, level + 1);
	}
	return j->n > had;
}

/* Returns the name of a function that has no linker symbol, with the namespaces around it. */
static const char *scoped_name(const struct job *j, Dwarf_Die *inlined, const char *name)
{
	const struct dw *dw = j->dw;
	Dwarf_Die declared, *scopes = NULL;
	int n;

	/* If both attributes exist, the second is used. */
	if (!dw_follow(dw, inlined, DW_AT_specification, &declared) &&
	    !dw_follow(dw, inlined, DW_AT_abstract_origin, &declared))
		return name;
	n = dw->dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n; i++) {
		const char *outer = dw->dwarf_tag(&scopes[i]) == DW_TAG_namespace
					? dwarf_text(j->d, dw->dwarf_diename(&scopes[i]))
					: NULL;

		if (outer)
			name = arena_printf(j->arena, "%s::%s", outer, name);
	}
	free(scopes);
	return name;
}

/* Returns the linker's name if it exists: it includes the argument types. */
static const char *name_of(const struct job *j, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name;

	if (j->dw->dwarf_attr_integrate(die, DW_AT_linkage_name, &a))
		return dwarf_text(j->d, j->dw->dwarf_formstring(&a));
	name = dwarf_text(j->d, j->dw->dwarf_diename(die));
	return name ? scoped_name(j, die, name) : NULL;
}

/* Sets the place of the call of an inlined function. */
static void set_call(struct job *j, Dwarf_Die *inlined, struct reader_place *to)
{
	uint64_t file = 0, line = 0;
	Dwarf_Files *files;
	size_t n;

	dw_number(j->dw, inlined, DW_AT_call_file, &file);
	dw_number(j->dw, inlined, DW_AT_call_line, &line);
	to->line = (int)line;
	if (j->dw->dwarf_getsrcfiles(&j->joined, &files, &n) == 0 && file < n)
		to->file = j->dw->dwarf_filesrc(files, file, NULL, NULL);
}

static void set_line(struct job *j, struct reader_place *to)
{
	Dwarf_Line *line = j->dw->dwarf_getsrc_die(&j->unit, j->addr);

	if (line && j->dw->dwarf_lineno(line, &to->line) == 0)
		to->file = j->dw->dwarf_linesrc(line, NULL, NULL);
}

/* Returns number i of the functions, counted from the innermost. */
static struct reader_place place(struct job *j, unsigned int i)
{
	Dwarf_Die *die = &j->found[j->n - 1 - i];
	struct reader_place p = {0};

	if (j->dw->dwarf_tag(die) == DW_TAG_inlined_subroutine)
		p.func = name_of(j, die);
	if (i)
		set_call(j, die + 1, &p);
	else
		set_line(j, &p);
	return p;
}

unsigned int dwarf_places(struct dwarf *d, uint64_t addr, struct reader_place *to, struct arena *a)
{
	struct job j = {.d = d, .dw = d->dw, .arena = a, .addr = addr};

	if (dwarf_unit(d, addr, &j.unit)) {
		j.joined = j.unit;
		dwarf_join(d, &j.joined);
		find_functions(&j, &j.joined, 0);
	}
	for (unsigned int i = 0; i < j.n; i++)
		to[i] = place(&j, i);
	return j.n;
}
