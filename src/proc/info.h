/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info.h: debug information on functions and types of a file: DWARF, or else CTF or BTF, which are
 * for programs in C.
 */
#ifndef PROC_INFO_H
#define PROC_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct debug_dir;

/* The debug information of one file. */
struct info;

/* A type in this information; 0: void. */
typedef uint64_t info_ref;

enum info_kind {
	INFO_VOID, /* or a type that is not supported */
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
	bool is_declared;     /* structures: members are unknown */
	bool is_by_reference; /* objects of the type are passed by their address */
	info_ref to;	      /* pointed to, element, result ... */

	/* Equal for all descriptions of one type in the file; 0: name and size identify it. */
	uint64_t identity;
};

struct info_member {
	const char *name; /* NULL: none */
	info_ref type;
	uint64_t bit_off;
	unsigned int bits; /* of a bit-field */
	int64_t value;	   /* of an enumerator; elements of an array's dimension */

	/*
	 * A virtual base class: its offset is a word of 64 bits, this many bytes before the table
	 * of virtual functions, to which the object begins with a pointer.  0: another member.
	 */
	uint64_t before_table;
};

typedef VEC(struct info_member) info_list;

/* Languages with different calling conventions. */
enum info_language { INFO_C, INFO_RUST, INFO_GO_STACK, INFO_GO };

enum info_where {
	INFO_BY_TYPE,	/* unknown for the first instruction: use the convention for its type */
	INFO_NOWHERE,	/* the compiler has removed it */
	INFO_UNKNOWN,	/* in a form that is not supported */
	INFO_IN_PIECES, /* in registers and memory */
};

enum info_piece_kind { INFO_REG, INFO_MEM, INFO_VALUE };

#define INFO_CFA    UINT32_MAX /* the stack pointer before the call */
#define INFO_PIECES 4

/* A part of a parameter, after the previous parts. */
struct info_piece {
	enum info_piece_kind kind;
	uint32_t reg;  /* DWARF number of the register, of the address for INFO_MEM, or INFO_CFA */
	int64_t n;     /* INFO_MEM: bytes from that address on; INFO_VALUE: the value */
	uint32_t size; /* bytes; 0: all */
};

/* A parameter, and its place at the first instruction of the function. */
struct info_param {
	const char *name; /* NULL: none */
	info_ref type;
	enum info_where where;
	unsigned int npieces;
	struct info_piece pieces[INFO_PIECES];
};

struct info_function {
	enum info_language language;
	bool is_free;	  /* the compiler may change the convention for parameters and results */
	bool lacks_types; /* the unit describes no types (-g1) */
	bool is_split;	  /* another file describes the unit (-gsplit-dwarf) */
	VEC(struct info_param) params;
	VEC(info_ref) results; /* Go has several; none: void */
};

/*
 * Opens the information of the file open as fd at a path.  Its DWARF may be in a separate file
 * (proc/debug.h).  Returns NULL if there is none, or no library to read it.
 */
struct info *info_open(int fd, const char *path, struct debug_dir *dir);
void info_close(struct info *in); /* NULL is allowed */

/*
 * Finds the function at an address, or with this symbol (DWARF has addresses, the others have
 * names).  Returns false if it is unknown.  Call info_function_free in any case.
 */
bool info_function(struct info *in, uint64_t addr, const char *symbol, struct info_function *res);
void info_function_free(struct info_function *f);

/* Describes a type.  Names last until info_close. */
void info_type(struct info *in, info_ref ref, struct info_type *res);

/* Appends members of a structure, enumerators, or dimensions of an array. */
void info_members(struct info *in, info_ref ref, info_list *list);

#define INFO_NAME_MAX 256 /* bytes of a name for a search, with its NUL */

/*
 * Finds a type by its name in the source: with the tag in C ("struct conn").  In C++ the name has
 * namespaces and classes, with or without a tag ("shop::Order").  *is_ambiguous: several units
 * define different types of this name.  Returns 0 then, and if there is no definition.
 */
info_ref info_find(struct info *in, const char *name, bool *is_ambiguous);

/*
 * Finds the type of a variable by its address in the file (DWARF) or its symbol (BTF).  Returns
 * false if the variable is unknown.
 */
bool info_variable(struct info *in, uint64_t addr, const char *symbol, info_ref *type);

#endif
