/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_priv.h: questions to libdw about a file in memory.  Only a jail (jail.h) may ask them.
 */
#ifndef PROC_DWARF_PRIV_H
#define PROC_DWARF_PRIV_H

#include "base/dw.h"
#include "base/vec.h"
#include "proc/info.h"
#include "proc/reader.h"

#define DWARF_MEMBERS_MAX 65536 /* of a structure */
#define DWARF_PARAMS_MAX  256	/* of a function, and its results */
#define DWARF_PLACES_MAX  64	/* functions that are inlined in each other */

struct arena;
struct dwarf_names;

struct dwarf_bytes {
	char *from, *to;
};

struct dwarf {
	const struct dw *dw;
	Dwarf *file, *shared; /* shared: NULL: there is none */
	Elf *elf, *shared_elf;
	VEC(struct dwarf_bytes) sections; /* with texts, of both files */
	struct dwarf_names *names;	  /* NULL: not asked yet */
	struct map *classes; /* by the address of an entry: passed by reference, or not */
};

/*
 * Opens the debug information of a file, and of the one that it shares with others (from NULL:
 * none).  The bytes must stay.  NULL: it has none.
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

/* The type of an entry, or of the one that it is a copy of; 0: none. */
info_ref dwarf_type_of(struct dwarf *d, Dwarf_Die *die);

/* Where an entry is, and the entry there; false: there is none. */
info_ref dwarf_ref(struct dwarf *d, Dwarf_Die *die);
bool dwarf_at(struct dwarf *d, info_ref ref, Dwarf_Die *die);

/* Whether an entry in a type is one of info_members(). */
bool dwarf_is_member(struct dwarf *d, Dwarf_Die *die);

/*
 * Puts the definition of a type in the place of its declaration.  False: the file has none, or
 * different ones.
 */
bool dwarf_define(struct dwarf *d, Dwarf_Die *die);

/* See struct info_type. */
uint64_t dwarf_identity(struct dwarf *d, Dwarf_Die *die);

/* Whether objects of a type are passed by their address; level: 0. */
bool dwarf_is_by_reference(struct dwarf *d, Dwarf_Die *type, unsigned int level);

void dwarf_names_free(struct dwarf_names *n); /* NULL is allowed */

/* The unit that has the address in it. */
bool dwarf_unit(struct dwarf *d, uint64_t addr, Dwarf_Die *res);

/* As info_function(), info_type() and info_members(). */
bool dwarf_function(struct dwarf *d, uint64_t addr, struct info_function *res);
void dwarf_type(struct dwarf *d, info_ref ref, struct info_type *res);
void dwarf_members(struct dwarf *d, info_ref ref, info_list *list);

/* As info_find() and info_variable(). */
info_ref dwarf_find(struct dwarf *d, const char *name, bool *is_ambiguous);
bool dwarf_variable(struct dwarf *d, uint64_t addr, info_ref *type);

/*
 * As reader_places(), into an array of DWARF_PLACES_MAX; returns how many.  Texts are good as long
 * as the file and the arena.
 */
unsigned int dwarf_places(struct dwarf *d, uint64_t addr, struct reader_place *to, struct arena *a);

#endif
