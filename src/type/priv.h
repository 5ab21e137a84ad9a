/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: the table behind struct types, shared by the files of this folder only.
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
	struct map *program;	     /* "struct x", "x": declared in D */
	VEC(struct type *) declared; /* those, in order */
	struct map *builtin;	     /* the same for what is always there */
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
	struct type *llong[2];
	struct type *t_void, *t_bool, *t_string, *t_stack, *t_dyn;
	uint64_t strsize;
	VEC(struct type *) with_string; /* structures and arrays, behind those they are made of */
};

struct type_enum_ref {
	struct type *type;
	int64_t value;
};

/*
 * A kernel type by name (without "struct " and the like) and BTF kind: of the module, NULL if none
 * is named, of the kernel itself, or of modules read so far; NULL: none.
 */
struct type *type_btf_lookup(struct types *ts, const char *module, const char *name,
			     unsigned int kind);

/* The same of modules only, of those read so far or of all. */
struct type *type_btf_of_modules(struct types *ts, const char *name, unsigned int kind, bool all);

/* Read in the members of a kernel structure or enum, the parameters of a kernel function type. */
void type_btf_load(struct types *ts, struct type *t);

/* The same of one that debug information of a program has. */
void type_info_load(struct types *ts, struct type *t);

/* An integer of C: that of D, if there is one. */
struct type *type_int_of(struct types *ts, const char *name, uint32_t size, bool is_signed,
			 bool is_bool);

/* Enter everything that needs no kernel. */
void type_builtin_init(struct types *ts);

#endif
