/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.c: asks libdw for what is at an address, once for each.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "proc/dwarf_priv.h"
#include "proc/source.h"

#define LEVELS_MAX 64 /* scopes in scopes */

struct source {
	struct arena *arena;
	int fd;		     /* -1: it has been read */
	struct dwarf *dwarf; /* NULL: not read yet, or there is nothing */
	struct map *known;   /* struct answer, by address */
};

struct answer {
	unsigned int n;
	struct source_place places[];
};

struct source *source_new(int fd)
{
	struct arena *arena = arena_new();
	struct source *s = arena_new_obj(arena, struct source);

	s->arena = arena;
	s->fd = fd;
	s->known = map_new();
	return s;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	map_free(s->known);
	dwarf_close(s->dwarf);
	if (s->fd >= 0)
		close(s->fd);
	arena_free(s->arena);
}

/* Scopes with code that may have the address in them, and those that have none of their own. */
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

/* The functions that have the address in them, the innermost last; how many. */
static unsigned int find_functions(const struct dw *dw, Dwarf_Die *in, uint64_t addr,
				   Dwarf_Die *found, unsigned int n, unsigned int level)
{
	Dwarf_Die die;
	int r = level < LEVELS_MAX ? dw->dwarf_child(in, &die) : 1;

	for (; r == 0; r = dw->dwarf_siblingof(&die, &die)) {
		unsigned int had = n;
		int tag = dw->dwarf_tag(&die);

		if (!may_have(dw, &die, addr))
			continue;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			found[n++] = die;
		n = find_functions(dw, &die, addr, found, n, level + 1);
		if (n > had)
			break;
	}
	return n;
}

/* The name of a function that the linker never saw, with those of the namespaces it is in. */
static const char *scoped_name(const struct source *s, Dwarf_Die *inlined, const char *name)
{
	const struct dw *dw = s->dwarf->dw;
	Dwarf_Die declared, *scopes = NULL;
	int n;

	/* The last of the two that there is. */
	if (!dw_follow(dw, inlined, DW_AT_specification, &declared) &&
	    !dw_follow(dw, inlined, DW_AT_abstract_origin, &declared))
		return name;
	n = dw->dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n; i++) {
		const char *outer = dw->dwarf_tag(&scopes[i]) == DW_TAG_namespace
					? dwarf_text(s->dwarf, dw->dwarf_diename(&scopes[i]))
					: NULL;

		if (outer)
			name = arena_printf(s->arena, "%s::%s", outer, name);
	}
	free(scopes);
	return name;
}

/* As the linker has it, which tells arguments, too. */
static const char *name_of(const struct source *s, Dwarf_Die *die)
{
	const struct dw *dw = s->dwarf->dw;
	Dwarf_Attribute a;
	const char *name;

	if (dw->dwarf_attr_integrate(die, DW_AT_linkage_name, &a))
		return dwarf_text(s->dwarf, dw->dwarf_formstring(&a));
	name = dwarf_text(s->dwarf, dw->dwarf_diename(die));
	return name ? scoped_name(s, die, name) : NULL;
}

/* Where the inlined function is called. */
static void set_call(const struct dw *dw, Dwarf_Die *unit, Dwarf_Die *inlined,
		     struct source_place *to)
{
	uint64_t file = 0, line = 0;
	Dwarf_Files *files;
	size_t n;

	dw_number(dw, inlined, DW_AT_call_file, &file);
	dw_number(dw, inlined, DW_AT_call_line, &line);
	to->line = (int)line;
	if (dw->dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n)
		to->file = dw->dwarf_filesrc(files, file, NULL, NULL);
}

static void set_line(const struct dw *dw, Dwarf_Die *unit, uint64_t addr, struct source_place *to)
{
	Dwarf_Line *line = dw->dwarf_getsrc_die(unit, addr);

	if (line && dw->dwarf_lineno(line, &to->line) == 0)
		to->file = dw->dwarf_linesrc(line, NULL, NULL);
}

/* Number i of the functions from the innermost on. */
static struct source_place place(const struct source *s, Dwarf_Die *unit, uint64_t addr,
				 Dwarf_Die *found, unsigned int n, unsigned int i)
{
	const struct dw *dw = s->dwarf->dw;
	Dwarf_Die *die = &found[n - 1 - i];
	struct source_place p = {0};

	if (dw->dwarf_tag(die) == DW_TAG_inlined_subroutine)
		p.func = name_of(s, die);
	if (i)
		set_call(dw, unit, die + 1, &p);
	else
		set_line(dw, unit, addr, &p);
	return p;
}

static struct answer *ask(const struct source *s, uint64_t addr)
{
	Dwarf_Die unit, found[LEVELS_MAX];
	struct answer *a;
	unsigned int n = 0;

	if (s->dwarf && dwarf_unit(s->dwarf, addr, &unit))
		n = find_functions(s->dwarf->dw, &unit, addr, found, 0, 0);
	a = arena_alloc(s->arena, sizeof(*a) + n * sizeof(*a->places));
	a->n = n;
	for (unsigned int i = 0; i < n; i++)
		a->places[i] = place(s, &unit, addr, found, n, i);
	return a;
}

const struct source_place *source_at(struct source *s, uint64_t vaddr, unsigned int *n)
{
	struct answer *a = map_get_int(s->known, vaddr);

	if (s->fd >= 0) {
		s->dwarf = dwarf_open(s->fd);
		s->fd = -1;
	}
	if (!a) {
		a = ask(s, vaddr);
		map_set_int(s->known, vaddr, a);
	}
	*n = a->n;
	return a->places;
}
