/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_find.c: finds types by name, and variables by address, outside of functions.
 *
 * A search walks all units.  A program has few names to search, and an index of large files would
 * cost more.
 */
#include <string.h>

#include "base/map.h"
#include "proc/dwarf_priv.h"
#include "proc/info_priv.h"

#define LEVELS_MAX 64 /* nesting of namespaces and classes */

struct search {
	struct dwarf *d;
	const char *tag; /* "struct"; "": any type */
	uint64_t addr;	 /* of a variable */
	Dwarf_Die found;
	bool is_found, is_ambiguous;
};

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Returns true if a type may be written with this tag.  C++ and Rust need no tag. */
static bool fits(const char *wanted, int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return !*wanted || strcmp(wanted, "struct") == 0;
	case DW_TAG_union_type:
		return !*wanted || strcmp(wanted, "union") == 0;
	case DW_TAG_enumeration_type:
		return !*wanted || strcmp(wanted, "enum") == 0;
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return !*wanted;
	default:
		return false;
	}
}

/* Returns the type that a typedef names, or the type itself. */
static Dwarf_Die named(struct dwarf *d, const Dwarf_Die *die)
{
	Dwarf_Die res = *die;

	for (unsigned int i = 0; i < LEVELS_MAX && d->dw->dwarf_tag(&res) == DW_TAG_typedef; i++)
		if (!dw_follow(d->dw, &res, DW_AT_type, &res))
			break;
	return res;
}

/* Returns true if two descriptions in different units are of one type. */
static bool is_same(struct dwarf *d, Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die to_a = named(d, a), to_b = named(d, b);
	int tag = d->dw->dwarf_tag(&to_a);

	if (tag != d->dw->dwarf_tag(&to_b) ||
	    d->dw->dwarf_bytesize(&to_a) != d->dw->dwarf_bytesize(&to_b))
		return false;
	return (!is_scope(tag) && tag != DW_TAG_enumeration_type) ||
	       dwarf_identity(d, &to_a) == dwarf_identity(d, &to_b);
}

static void add(struct search *s, Dwarf_Die *die)
{
	if (s->is_found)
		s->is_ambiguous = s->is_ambiguous || !is_same(s->d, &s->found, die);
	else
		s->found = *die;
	s->is_found = true;
}

/* Returns the rest of a name inside the scope `scope`; NULL: the name is not in it. */
static const char *inside(const char *name, const char *scope)
{
	size_t n = scope ? strlen(scope) : 0;

	if (!scope)
		return name;
	return strncmp(name, scope, n) == 0 && strncmp(name + n, "::", 2) == 0 ? name + n + 2
									       : NULL;
}

static void find_type(struct search *s, Dwarf_Die *parent, const char *name, unsigned int level)
{
	const struct dw *dw = s->d->dw;
	Dwarf_Die die;
	int r = level < LEVELS_MAX ? dw->dwarf_child(parent, &die) : 1;

	for (; r == 0; r = dw->dwarf_siblingof(&die, &die)) {
		int tag = dw->dwarf_tag(&die);
		const char *own, *rest;

		if (!is_scope(tag) && !fits("", tag))
			continue;
		own = dwarf_name(s->d, &die);
		if (own && strcmp(own, name) == 0 && fits(s->tag, tag) &&
		    !dw->dwarf_hasattr(&die, DW_AT_declaration))
			add(s, &die);
		rest = is_scope(tag) ? inside(name, own) : NULL;
		if (rest && (own || tag == DW_TAG_namespace))
			find_type(s, &die, rest, level + 1);
	}
}

/* Returns true if a variable is at the searched address. */
static bool is_at(struct search *s, Dwarf_Die *die)
{
	const struct dw *dw = s->d->dw;
	Dwarf_Attribute attr, address;
	Dwarf_Addr addr;
	Dwarf_Op *ops;
	size_t n;

	if (!dw->dwarf_attr(die, DW_AT_location, &attr) ||
	    dw->dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1)
		return false;
	/* Units in files of their own refer to a table of addresses. */
	if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index)
		return dw->dwarf_getlocation_attr(&attr, &ops[0], &address) == 0 &&
		       dw->dwarf_formaddr(&address, &addr) == 0 && addr == s->addr;
	return ops[0].atom == DW_OP_addr && ops[0].number == s->addr;
}

static void find_variable(struct search *s, Dwarf_Die *parent, unsigned int level)
{
	const struct dw *dw = s->d->dw;
	Dwarf_Die die;
	int r = level < LEVELS_MAX ? dw->dwarf_child(parent, &die) : 1;

	for (; r == 0 && !s->is_found; r = dw->dwarf_siblingof(&die, &die)) {
		int tag = dw->dwarf_tag(&die);

		if (tag == DW_TAG_variable && is_at(s, &die)) {
			s->found = die;
			s->is_found = true;
		} else if (is_scope(tag)) {
			find_variable(s, &die, level + 1);
		}
	}
}

info_ref dwarf_find(struct dwarf *d, const char *name, bool *is_ambiguous)
{
	struct search s = {.d = d};
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	name = info_untag(name, &s.tag);
	while (dwarf_unit_after(d, &cu, &unit))
		find_type(&s, &unit, name, 0);
	*is_ambiguous = s.is_ambiguous;
	return s.is_found && !s.is_ambiguous ? dwarf_ref(d, &s.found) : 0;
}

bool dwarf_variable(struct dwarf *d, uint64_t addr, info_ref *type)
{
	struct search s = {.d = d, .addr = addr};
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (!s.is_found && dwarf_unit_after(d, &cu, &unit))
		find_variable(&s, &unit, 0);
	/* The declaration of a C++ variable has its type. */
	*type = s.is_found ? dwarf_type_of(d, &s.found) : 0;
	return s.is_found;
}
