/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: the contents of struct types, for the files of this folder only.
 */
#ifndef TYPE_PRIV_H
#define TYPE_PRIV_H

#include "base/map.h"
#include "base/vec.h"
#include "type/type.h"

struct types {
	struct arena *arena;
	struct intern *names;
	struct kern *kern;
	struct map *program;	     /* "struct x", "x" -> type: declared in D */
	VEC(struct type *) declared; /* declared types in order */
	struct map *builtin;	     /* the same for built-in types */
	struct map *enums;	     /* enumerator of a program enum -> struct type_enum_ref */
	struct map *arrays;	     /* element type, count -> type */
	struct map *userland;	     /* type -> its userland variant */
	struct map *qualified;	     /* type, TYPE_CONST ... -> type */
	struct map *of_programs;     /* info.c: place, or name and size, -> type */
	struct map *of_objects;	     /* "struct a.out`x" -> struct found */
	type_find_fn *find;	     /* may be NULL */
	void *find_ctx;
	unsigned int info_level;
	struct type **by_id; /* BTF id -> type */
	uint32_t nids;
	struct type *ints[9][2]; /* by size and signedness */
	bool is_ilp32;
	struct type *t_void, *t_bool, *t_string, *t_stack, *t_dyn;
	uint64_t strsize;
	/* structures and arrays; each comes after the types of its members */
	VEC(struct type *) with_string;
};

struct type_enum_ref {
	struct type *type;
	int64_t value;
};

/*
 * Returns a kernel type by name (without "struct " and the like) and BTF kind; NULL: none.  If
 * MODULE is NULL, searches the kernel itself and the modules read so far.
 */
struct type *type_btf_lookup(struct types *ts, const char *module, const char *name,
			     unsigned int kind);

/* Returns a type of a module: of those read so far, or of all. */
struct type *type_btf_of_modules(struct types *ts, const char *name, unsigned int kind, bool all);

/* Reads the members of a kernel structure or enum, or the parameters of a kernel function type. */
void type_btf_load(struct types *ts, struct type *t);

/* Does the same for a type from debug information of a program. */
void type_info_load(struct types *ts, struct type *t);

/* Returns an integer type of C: the type of D if it has one. */
struct type *type_int_of(struct types *ts, const char *name, uint32_t size, bool is_signed,
			 bool is_bool);

/* Enters all types that need no kernel. */
void type_builtin_init(struct types *ts);

#endif
