/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_class.c: decides which classes of C++ are passed by their address.
 *
 * Such a class has a non-trivial copy constructor, move constructor or destructor, or all copies
 * are deleted (Itanium C++ ABI, 1.1, "non-trivial for the purposes of calls").  clang records this
 * (DW_AT_calling_convention).  gcc does not, but it lists the members of a class.
 */
#include <string.h>

#include "base/map.h"
#include "proc/dwarf_priv.h"

#define LEVELS_MAX 16

static bool is_flag(struct dwarf *d, Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	bool is_set = false;

	return d->dw->dwarf_attr(die, attr, &a) && d->dw->dwarf_formflag(&a, &is_set) == 0 &&
	       is_set;
}

/* Skips typedefs, qualifiers and arrays. */
static bool strip(struct dwarf *d, Dwarf_Die *type)
{
	for (unsigned int i = 0; i < LEVELS_MAX; i++) {
		switch (d->dw->dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_array_type:
			if (!dw_follow(d->dw, type, DW_AT_type, type))
				return false;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* Returns true if the only parameter after `this` is a reference to the class. */
static bool takes_itself(struct dwarf *d, Dwarf_Die *func, Dwarf_Die *class)
{
	const struct dw *dw = d->dw;
	unsigned int n = 0;
	Dwarf_Die param, type;
	bool is_it = false;
	int r = dw->dwarf_child(func, &param);

	for (; r == 0; r = dw->dwarf_siblingof(&param, &param)) {
		int tag = dw->dwarf_tag(&param);

		if (tag == DW_TAG_unspecified_parameters)
			n++;
		if (tag != DW_TAG_formal_parameter || is_flag(d, &param, DW_AT_artificial))
			continue;
		n++;
		if (!dw_follow(dw, &param, DW_AT_type, &type))
			continue;
		tag = dw->dwarf_tag(&type);
		is_it = (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) &&
			dw_follow(dw, &type, DW_AT_type, &type) && strip(d, &type) &&
			dwarf_ref(d, &type) == dwarf_ref(d, class);
	}
	return n == 1 && is_it;
}

/* Compares with the name of a class without the arguments of its template. */
static bool is_constructor(const char *name, const char *class)
{
	size_t n = strcspn(class, "<");

	return strncmp(name, class, n) == 0 && (!name[n] || name[n] == '<');
}

struct copies {
	bool is_hard;	 /* one of them is not trivial */
	bool is_there;	 /* one is not deleted */
	bool is_deleted; /* one is deleted */
};

static void look_at(struct dwarf *d, Dwarf_Die *func, Dwarf_Die *class, const char *class_name,
		    struct copies *c)
{
	const char *name = dwarf_name(d, func);
	uint64_t defaulted = 0;
	bool is_copy;

	if (d->dw->dwarf_hasattr(func, DW_AT_virtuality))
		c->is_hard = true;
	if (!name || !class_name)
		return;
	is_copy = is_constructor(name, class_name) && takes_itself(d, func, class);
	if (!is_copy && name[0] != '~')
		return;
	dw_number(d->dw, func, DW_AT_defaulted, &defaulted);
	if (is_flag(d, func, DW_AT_deleted)) {
		c->is_deleted = c->is_deleted || is_copy;
		return;
	}
	c->is_there = c->is_there || is_copy;
	/* The compiler lists a function that it made only if something needs it. */
	if (defaulted != DW_DEFAULTED_in_class && !is_flag(d, func, DW_AT_artificial))
		c->is_hard = true;
}

static bool is_hard(struct dwarf *d, Dwarf_Die *class, unsigned int level)
{
	const struct dw *dw = d->dw;
	const char *name = dwarf_name(d, class);
	struct copies c = {.is_hard = dw->dwarf_hasattr(class, DW_AT_containing_type)};
	Dwarf_Die in, type;
	int r = level < LEVELS_MAX ? dw->dwarf_child(class, &in) : 1;

	for (unsigned int n = 0; r == 0 && !c.is_hard && n < DWARF_MEMBERS_MAX;
	     n++, r = dw->dwarf_siblingof(&in, &in)) {
		switch (dw->dwarf_tag(&in)) {
		case DW_TAG_subprogram:
			look_at(d, &in, class, name, &c);
			break;
		case DW_TAG_inheritance:
			c.is_hard = dw->dwarf_hasattr(&in, DW_AT_virtuality);
			__attribute__((fallthrough));
		case DW_TAG_member:
			if (dwarf_is_member(d, &in) && dw_follow(dw, &in, DW_AT_type, &type) &&
			    strip(d, &type))
				c.is_hard = c.is_hard || dwarf_is_by_reference(d, &type, level + 1);
			break;
		default:
			break;
		}
	}
	return c.is_hard || (c.is_deleted && !c.is_there);
}

bool dwarf_is_by_reference(struct dwarf *d, Dwarf_Die *type, unsigned int level)
{
	static const bool answers[] = {false, true};
	uint64_t convention = 0;
	int tag = d->dw->dwarf_tag(type);
	const bool *known;

	if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type)
		return false;
	if (dw_number(d->dw, type, DW_AT_calling_convention, &convention) &&
	    convention != DW_CC_normal)
		return convention == DW_CC_pass_by_reference;
	if (d->dw->dwarf_hasattr(type, DW_AT_declaration))
		dwarf_define(d, type);
	/* A class is examined once, as nested classes could otherwise take for ever. */
	known = map_get_int(d->classes, (uintptr_t)type->addr);
	if (!known) {
		map_set_int(d->classes, (uintptr_t)type->addr, (void *)&answers[0]);
		known = &answers[is_hard(d, type, level)];
		map_set_int(d->classes, (uintptr_t)type->addr, (void *)known);
	}
	return *known;
}
