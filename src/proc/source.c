/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.c: asks libdw, which is loaded on first use.
 */
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "proc/source.h"

#define LIBDW	   "libdw.so.1"
#define LEVELS_MAX 64 /* scopes in scopes */

#define FUNCTIONS(X)            \
	X(dwarf_begin)          \
	X(dwarf_end)            \
	X(dwarf_addrdie)        \
	X(dwarf_nextcu)         \
	X(dwarf_offdie)         \
	X(dwarf_haspc)          \
	X(dwarf_child)          \
	X(dwarf_siblingof)      \
	X(dwarf_tag)            \
	X(dwarf_diename)        \
	X(dwarf_attr)           \
	X(dwarf_attr_integrate) \
	X(dwarf_formstring)     \
	X(dwarf_formref_die)    \
	X(dwarf_getscopes_die)  \
	X(dwarf_formudata)      \
	X(dwarf_getsrcfiles)    \
	X(dwarf_filesrc)        \
	X(dwarf_getsrc_die)     \
	X(dwarf_linesrc)        \
	X(dwarf_lineno)

struct source {
	struct arena *arena;
	int fd;
	bool is_open;
	void *lib;
	Dwarf *dwarf;	   /* NULL: not open yet, or there is none */
	struct map *known; /* struct answer, by address */
#define X(f) typeof(f) *f;
	FUNCTIONS(X)
#undef X
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
	if (s->dwarf)
		s->dwarf_end(s->dwarf);
	if (s->lib)
		dlclose(s->lib);
	close(s->fd);
	arena_free(s->arena);
}

static void open_source(struct source *s)
{
	bool has_all;

	s->is_open = true;
	s->lib = dlopen(LIBDW, RTLD_NOW | RTLD_LOCAL);
	has_all = s->lib != NULL;
#define X(f) has_all = has_all && (s->f = (typeof(f) *)dlsym(s->lib, #f)) != NULL;
	FUNCTIONS(X)
#undef X
	if (has_all)
		s->dwarf = s->dwarf_begin(s->fd, DWARF_C_READ);
}

/* The unit that the address is in.  Not all compilers make a table of them. */
static bool find_unit(const struct source *s, uint64_t addr, Dwarf_Die *unit)
{
	Dwarf_Off at = 0, next;
	size_t head;

	if (s->dwarf_addrdie(s->dwarf, addr, unit))
		return true;
	for (; s->dwarf_nextcu(s->dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next)
		if (s->dwarf_offdie(s->dwarf, at + head, unit) && s->dwarf_haspc(unit, addr) > 0)
			return true;
	return false;
}

/* Scopes with code that may have the address in them, and those that have none of their own. */
static bool may_have(const struct source *s, Dwarf_Die *die, uint64_t addr)
{
	switch (s->dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
		return s->dwarf_haspc(die, addr) > 0;
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return true;
	default:
		return false;
	}
}

/* The functions that have the address in them, the innermost last; how many. */
static unsigned int find_functions(const struct source *s, Dwarf_Die *in, uint64_t addr,
				   Dwarf_Die *found, unsigned int n, unsigned int level)
{
	Dwarf_Die die;
	int r = level < LEVELS_MAX ? s->dwarf_child(in, &die) : 1;

	for (; r == 0; r = s->dwarf_siblingof(&die, &die)) {
		unsigned int had = n;
		int tag = s->dwarf_tag(&die);

		if (!may_have(s, &die, addr))
			continue;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			found[n++] = die;
		n = find_functions(s, &die, addr, found, n, level + 1);
		if (n > had)
			break;
	}
	return n;
}

/* What an attribute of *die refers to, if it has it, in its place. */
static void follow(const struct source *s, Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	Dwarf_Die to;

	if (s->dwarf_attr(die, attr, &a) && s->dwarf_formref_die(&a, &to))
		*die = to;
}

/* The name of a function that the linker never saw, with those of the namespaces it is in. */
static const char *scoped_name(const struct source *s, const Dwarf_Die *inlined, const char *name)
{
	Dwarf_Die declared = *inlined, *scopes = NULL;
	int n;

	follow(s, &declared, DW_AT_abstract_origin);
	follow(s, &declared, DW_AT_specification);
	n = s->dwarf_getscopes_die(&declared, &scopes);
	for (int i = 1; i < n; i++) {
		const char *outer = s->dwarf_tag(&scopes[i]) == DW_TAG_namespace
					? s->dwarf_diename(&scopes[i])
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
	Dwarf_Attribute a;
	const char *name;

	if (s->dwarf_attr_integrate(die, DW_AT_linkage_name, &a))
		return s->dwarf_formstring(&a);
	name = s->dwarf_diename(die);
	return name ? scoped_name(s, die, name) : NULL;
}

static Dwarf_Word number(const struct source *s, Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	Dwarf_Word n;

	return s->dwarf_attr(die, attr, &a) && s->dwarf_formudata(&a, &n) == 0 ? n : 0;
}

/* Where the inlined function is called. */
static void set_call(const struct source *s, Dwarf_Die *unit, Dwarf_Die *inlined,
		     struct source_place *to)
{
	Dwarf_Word file = number(s, inlined, DW_AT_call_file);
	Dwarf_Files *files;
	size_t n;

	to->line = (int)number(s, inlined, DW_AT_call_line);
	if (s->dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n)
		to->file = s->dwarf_filesrc(files, file, NULL, NULL);
}

static void set_line(const struct source *s, Dwarf_Die *unit, uint64_t addr,
		     struct source_place *to)
{
	Dwarf_Line *line = s->dwarf_getsrc_die(unit, addr);

	if (line && s->dwarf_lineno(line, &to->line) == 0)
		to->file = s->dwarf_linesrc(line, NULL, NULL);
}

/* Number i of the functions from the innermost on. */
static struct source_place place(const struct source *s, Dwarf_Die *unit, uint64_t addr,
				 Dwarf_Die *found, unsigned int n, unsigned int i)
{
	Dwarf_Die *die = &found[n - 1 - i];
	struct source_place p = {0};

	if (s->dwarf_tag(die) == DW_TAG_inlined_subroutine)
		p.func = name_of(s, die);
	if (i)
		set_call(s, unit, die + 1, &p);
	else
		set_line(s, unit, addr, &p);
	return p;
}

static struct answer *ask(const struct source *s, uint64_t addr)
{
	Dwarf_Die unit, found[LEVELS_MAX];
	struct answer *a;
	unsigned int n = 0;

	if (s->dwarf && find_unit(s, addr, &unit))
		n = find_functions(s, &unit, addr, found, 0, 0);
	a = arena_alloc(s->arena, sizeof(*a) + n * sizeof(*a->places));
	a->n = n;
	for (unsigned int i = 0; i < n; i++)
		a->places[i] = place(s, &unit, addr, found, n, i);
	return a;
}

const struct source_place *source_at(struct source *s, uint64_t vaddr, unsigned int *n)
{
	struct answer *a = map_get_int(s->known, vaddr);

	if (!s->is_open)
		open_source(s);
	if (!a) {
		a = ask(s, vaddr);
		map_set_int(s->known, vaddr, a);
	}
	*n = a->n;
	return a->places;
}
