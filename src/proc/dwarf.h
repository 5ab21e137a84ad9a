/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf.h: what debug information (DWARF) says of the functions of a file, and of types.
 */
#ifndef PROC_DWARF_H
#define PROC_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

/* The debug information of a file. */
struct dwarf;

/* A type in it; 0: void. */
typedef uint64_t dwarf_ref;

enum dwarf_kind {
	DWARF_VOID, /* what is not understood, too */
	DWARF_INT,
	DWARF_FLOAT,
	DWARF_PTR,
	DWARF_ARRAY,
	DWARF_STRUCT,
	DWARF_UNION,
	DWARF_ENUM,
	DWARF_TYPEDEF,
	DWARF_CONST,
	DWARF_VOLATILE,
	DWARF_SAME, /* as `to` */
	DWARF_FUNC,
};

struct dwarf_type {
	enum dwarf_kind kind;
	const char *name; /* NULL: none */
	uint64_t size;
	bool is_signed, is_bool;
	bool is_declared;     /* structures: their members are not known */
	bool is_by_reference; /* such an object is passed by its address */
	dwarf_ref to;	      /* pointed to, element, result ... */
};

struct dwarf_member {
	const char *name; /* NULL: none */
	dwarf_ref type;
	uint64_t bit_off;
	unsigned int bits; /* of a bit-field */
	int64_t value;	   /* of an enumerator; elements of an array's dimension */
};

typedef VEC(struct dwarf_member) dwarf_list;

/*
 * Of the file open as fd, which is closed in any case.  NULL: it has none, or there is no library
 * that reads it.
 */
struct dwarf *dwarf_open(int fd);
void dwarf_close(struct dwarf *d); /* NULL is allowed */

/* The parameters of the function at an address, and what it returns.  False: nothing is known. */
bool dwarf_function(struct dwarf *d, uint64_t addr, dwarf_list *params, dwarf_ref *result);

/* Names are good until dwarf_close. */
void dwarf_type(struct dwarf *d, dwarf_ref ref, struct dwarf_type *res);

/* Members of a structure, enumerators, dimensions of an array. */
void dwarf_members(struct dwarf *d, dwarf_ref ref, dwarf_list *list);

#endif
