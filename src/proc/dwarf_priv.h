/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_priv.h: queries to libdw about a file in memory.  Only a jail (jail.h) may use them.
 */
#ifndef PROC_DWARF_PRIV_H
#define PROC_DWARF_PRIV_H

#include "base/dw.h"
#include "base/vec.h"
#include "proc/info.h"
#include "proc/reader.h"

#define DWARF_MEMBERS_MAX 65536	    /* of a structure */
#define DWARF_PARAMS_MAX  256	    /* of a function, and its results */
#define DWARF_TABLE_MAX	  (1 << 20) /* bytes before a table of virtual functions */
#define DWARF_PLACES_MAX  64	    /* nested inlined functions */

struct arena;
struct dwarf_names;

struct dwarf_bytes {
	char *from, *to;
};

struct dwarf {
	const struct dw *dw;
	Dwarf *file, *shared; /* shared: NULL: none */
	Elf *elf, *shared_elf;
	VEC(Dwarf *) splits;		  /* files with parts of units (.dwo), found so far */
	VEC(struct dwarf_bytes) sections; /* sections with texts, of all files */
	unsigned int last_section;	  /* section of the last text */
	struct dwarf_names *names;	  /* NULL: not built yet */
	struct map *classes; /* by address of an entry: whether it is passed by reference */
};

/*
 * Opens the debug information of a file, and of the file it shares (from NULL: none).  The bytes
 * must stay.  Returns NULL if it has none.
 */
struct dwarf *dwarf_open(const struct dw *dw, struct dwarf_bytes file, struct dwarf_bytes shared);
void dwarf_close(struct dwarf *d); /* NULL is allowed */

/*
 * Returns a text that libdw has found, or NULL if the text is NULL or does not end inside its
 * section.  libdw does not check the end of a text that an entry itself contains.
 */
const char *dwarf_text(struct dwarf *d, const char *text);

/* Returns the name of an entry, or NULL. */
const char *dwarf_name(struct dwarf *d, Dwarf_Die *die);

/* Returns the type of an entry, or of its origin; 0: none. */
info_ref dwarf_type_of(struct dwarf *d, Dwarf_Die *die);

/* Convert between an entry and its position.  dwarf_at returns false if there is no entry. */
info_ref dwarf_ref(struct dwarf *d, Dwarf_Die *die);
bool dwarf_at(struct dwarf *d, info_ref ref, Dwarf_Die *die);

/* Returns true if an entry in a type belongs to info_members(). */
bool dwarf_is_member(struct dwarf *d, Dwarf_Die *die);

/*
 * Replaces the declaration of a type by its definition.  Returns false if the file has no
 * definition, or several different definitions.
 */
bool dwarf_define(struct dwarf *d, Dwarf_Die *die);

/* See struct info_type. */
uint64_t dwarf_identity(struct dwarf *d, Dwarf_Die *die);

/* Returns true if objects of a type are passed by their address.  Callers pass level 0. */
bool dwarf_is_by_reference(struct dwarf *d, Dwarf_Die *type, unsigned int level);

void dwarf_names_free(struct dwarf_names *n); /* NULL is allowed */

/* Finds the unit that contains the address, by its entry in the file itself. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

/*
 * Replaces the entry of a unit by the one in a file of its own (.dwo), which has everything but
 * lines.  Returns false if the unit has such a file, which cannot be read.
 */
bool dwarf_join(struct dwarf *d, Dwarf_Die *unit);

/*
 * Sets *unit to the joined entry of the unit after *cu, NULL: the first.  Returns false at the end.
 */
bool dwarf_unit_after(struct dwarf *d, Dwarf_CU **cu, Dwarf_Die *unit);

/* See info_function(), info_type() and info_members(). */
bool dwarf_function(struct dwarf *d, uint64_t addr, struct info_function *res);
void dwarf_type(struct dwarf *d, info_ref ref, struct info_type *res);
void dwarf_members(struct dwarf *d, info_ref ref, info_list *list);

/* See info_find() and info_variable(). */
info_ref dwarf_find(struct dwarf *d, const char *name, bool *is_ambiguous);
bool dwarf_variable(struct dwarf *d, uint64_t addr, info_ref *type);

/*
 * Fills an array of DWARF_PLACES_MAX places as reader_places(), and returns their number.  Texts
 * last as long as the file and the arena.
 */
unsigned int dwarf_places(struct dwarf *d, uint64_t addr, struct reader_place *to, struct arena *a);

#endif
