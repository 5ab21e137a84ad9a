/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_names.c: distinguishes types of one name, and finds definitions.
 *
 * Each unit of a file has its own description of a type.  Descriptions are of one type if the names
 * around them, their sizes and their members are equal.  A file may have several types of one name:
 * in classes and namespaces, or in units of C.
 */
#include <string.h>

#include "base/map.h"
#include "proc/dwarf_priv.h"

#define LEVELS_MAX 64 /* nesting of classes, and of pointers */

/* A definition that a declaration in another unit may refer to. */
struct definition {
	info_ref ref;
	int size;
	bool is_ambiguous; /* there are several different ones */
};

struct dwarf_names {
	struct map *units;	 /* units whose types are in scopes, by reference */
	struct map *scopes;	 /* hashes of names including all outer names, by reference */
	struct map *definitions; /* by that hash; NULL: not built yet */
};

static struct dwarf_names *names_of(struct dwarf *d)
{
	if (!d->names) {
		d->names = mem_alloc(sizeof(*d->names));
		d->names->units = map_new();
		d->names->scopes = map_new();
	}
	return d->names;
}

void dwarf_names_free(struct dwarf_names *n)
{
	struct definition *def;
	size_t pos = 0;

	if (!n)
		return;
	while (n->definitions && (def = map_next(n->definitions, &pos, NULL, NULL)) != NULL)
		mem_free(def);
	map_free(n->definitions);
	map_free(n->units);
	map_free(n->scopes);
	mem_free(n);
}

static uint64_t mix(uint64_t h, uint64_t n)
{
	uint64_t both[] = {h, n};

	return map_hash(both, sizeof(both));
}

static uint64_t mix_text(uint64_t h, const char *text)
{
	return mix(h, text ? map_hash(text, strlen(text)) : 1);
}

static bool is_class(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static bool is_type(int tag)
{
	return is_class(tag) || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static void define(struct dwarf *d, Dwarf_Die *die, uint64_t scope)
{
	struct map *definitions = d->names->definitions;
	struct definition *def = map_get_int(definitions, scope);
	int size = d->dw->dwarf_bytesize(die);

	if (d->dw->dwarf_hasattr(die, DW_AT_declaration))
		return;
	if (!def) {
		def = mem_alloc(sizeof(*def));
		*def = (struct definition){dwarf_ref(d, die), size, false};
		map_set_int(definitions, scope, def);
	}
	def->is_ambiguous = def->is_ambiguous || def->size != size;
}

/* Walks types in a unit, a namespace or a class.  Types without a name are distinct. */
static void walk(struct dwarf *d, Dwarf_Die *parent, uint64_t around, unsigned int level)
{
	const struct dw *dw = d->dw;
	Dwarf_Die die;
	int r = level < LEVELS_MAX ? dw->dwarf_child(parent, &die) : 1;

	for (; r == 0; r = dw->dwarf_siblingof(&die, &die)) {
		int tag = dw->dwarf_tag(&die);
		uint64_t scope = mix(around, is_class(tag) ? DW_TAG_structure_type : (uint64_t)tag);
		const char *name;

		if (!is_type(tag) && tag != DW_TAG_namespace && tag != DW_TAG_module)
			continue;
		name = dwarf_name(d, &die);
		scope = (name ? mix_text(scope, name) : mix(scope, dwarf_ref(d, &die))) | 1;
		if (is_type(tag))
			map_set_int(d->names->scopes, dwarf_ref(d, &die), (void *)scope);
		if (is_type(tag) && name && d->names->definitions)
			define(d, &die, scope);
		if (tag != DW_TAG_enumeration_type)
			walk(d, &die, scope, level + 1);
	}
}

/* Returns the hash of a type's name and of the names around it; 0: it is local to a function. */
static uint64_t scope_of(struct dwarf *d, Dwarf_Die *die)
{
	struct dwarf_names *n = names_of(d);
	info_ref ref = dwarf_ref(d, die);
	Dwarf_Die unit;

	if (!d->dw->dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return 0;
	if (!map_get_int(n->units, dwarf_ref(d, &unit))) {
		map_set_int(n->units, dwarf_ref(d, &unit), n);
		walk(d, &unit, 0, 0);
	}
	return (uint64_t)map_get_int(n->scopes, ref);
}

bool dwarf_define(struct dwarf *d, Dwarf_Die *die)
{
	uint64_t scope = scope_of(d, die);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	const struct definition *def;

	if (!scope)
		return false;
	if (!d->names->definitions) {
		d->names->definitions = map_new();
		while (dwarf_unit_after(d, &cu, &unit))
			walk(d, &unit, 0, 0);
	}
	def = map_get_int(d->names->definitions, scope);
	return def && !def->is_ambiguous && dwarf_at(d, def->ref, die);
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/*
 * Mixes in the description of a member's type, up to its name.  Qualifiers do not count, because
 * gcc writes `const volatile` in the order that the unit used first.
 */
static uint64_t mix_type(struct dwarf *d, Dwarf_Die *member, uint64_t h)
{
	Dwarf_Die type = *member, next;

	for (unsigned int i = 0; i < LEVELS_MAX && dw_follow(d->dw, &type, DW_AT_type, &next);
	     i++) {
		const char *name = dwarf_name(d, &next);

		if (!is_qualifier(d->dw->dwarf_tag(&next)))
			h = mix_text(mix(h, (uint64_t)d->dw->dwarf_tag(&next)), name);
		if (name)
			break;
		type = next;
	}
	return h;
}

uint64_t dwarf_identity(struct dwarf *d, Dwarf_Die *die)
{
	const struct dw *dw = d->dw;
	uint64_t h = scope_of(d, die), n;
	Dwarf_Attribute value;
	Dwarf_Sword number;
	Dwarf_Die in;
	int r;

	if (!h)
		return dwarf_ref(d, die);
	h = mix(h, (uint64_t)dw->dwarf_bytesize(die));
	r = dw->dwarf_child(die, &in);
	for (; r == 0; r = dw->dwarf_siblingof(&in, &in)) {
		if (!dwarf_is_member(d, &in))
			continue;
		h = mix_text(h, dwarf_name(d, &in));
		if (dw_number(dw, &in, DW_AT_data_member_location, &n))
			h = mix(h, n);
		if (dw->dwarf_attr(&in, DW_AT_const_value, &value) &&
		    dw->dwarf_formsdata(&value, &number) == 0)
			h = mix(h, (uint64_t)number);
		h = mix_type(d, &in, h);
	}
	return h | 1;
}
