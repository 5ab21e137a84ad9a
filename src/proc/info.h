/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info.h: what a file says of its functions and of types: DWARF, or else CTF or BTF, which are for
 * programs in C.
 */
#ifndef PROC_INFO_H
#define PROC_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct debug_dir;

/* What one file says. */
struct info;

/* A type in it; 0: void. */
typedef uint64_t info_ref;

enum info_kind {
	INFO_VOID, /* what is not understood, too */
	INFO_INT,
	INFO_FLOAT,
	INFO_PTR,
	INFO_ARRAY,
	INFO_STRUCT,
	INFO_UNION,
	INFO_ENUM,
	INFO_TYPEDEF,
	INFO_CONST,
	INFO_VOLATILE,
	INFO_SAME, /* as `to` */
	INFO_FUNC,
};

struct info_type {
	enum info_kind kind;
	const char *name; /* NULL: none */
	uint64_t size;
	bool is_signed, is_bool;
	bool is_declared;     /* structures: their members are not known */
	bool is_by_reference; /* such an object is passed by its address */
	info_ref to;	      /* pointed to, element, result ... */
};

struct info_member {
	const char *name; /* NULL: none */
	info_ref type;
	uint64_t bit_off;
	unsigned int bits; /* of a bit-field */
	int64_t value;	   /* of an enumerator; elements of an array's dimension */
};

typedef VEC(struct info_member) info_list;

/*
 * Of the file open as fd at a path, which may have its DWARF in a file of its own (proc/debug.h).
 * NULL: it has nothing, or there is no library that reads it.
 */
struct info *info_open(int fd, const char *path, struct debug_dir *dir);
void info_close(struct info *in); /* NULL is allowed */

/*
 * The parameters of the function at an address, or with this symbol (DWARF knows addresses, the
 * others names), and what it returns.  False: nothing is known.
 */
bool info_function(struct info *in, uint64_t addr, const char *symbol, info_list *params,
		   info_ref *result);

/* Names are good until info_close. */
void info_type(struct info *in, info_ref ref, struct info_type *res);

/* Members of a structure, enumerators, dimensions of an array. */
void info_members(struct info *in, info_ref ref, info_list *list);

#endif
