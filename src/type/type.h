/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.h: the types of D: built-in types, types that programs declare, and types of the kernel,
 * which are read from BTF when a program names them.
 *
 * A struct type is immutable once it is complete, and unique.  Equal kernel types are the same
 * pointer, and so are equal derived types (pointer to T, array of n T).  Data model LP64.
 */
#ifndef TYPE_TYPE_H
#define TYPE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proc/info.h"

struct arena;
struct buf;
struct intern;
struct kern;
struct types;

enum type_kind {
	TYPE_VOID,
	TYPE_INT, /* char, _Bool, short, int, long, long long */
	TYPE_FLOAT,
	TYPE_PTR,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ENUM,
	TYPE_FWD,     /* struct, union or enum that is only named */
	TYPE_TYPEDEF, /* or a qualified type: a typedef without a name */
	TYPE_FUNC,
	TYPE_STRING,   /* D string: at most strsize bytes including the NUL */
	TYPE_STACK,    /* D stack: its owner and frames; plan_stacks() sets the size */
	TYPE_SYMADDR,  /* value of sym(), mod(), func() */
	TYPE_USYMADDR, /* value of usym(), umod(), uaddr(), ufunc() */
	TYPE_DYN,      /* untyped: poison after an error, or a value without a type */
};

struct type_source;

struct type {
	enum type_kind kind;
	const char *name;   /* interned; typedef name, struct tag, "int"; NULL if none */
	uint64_t size;	    /* bytes; strings: 0, the session has the strsize */
	unsigned int align; /* 0: from the members, when they are loaded */
	bool is_signed, is_char, is_bool;
	bool is_userland;		/* pointer into user memory */
	bool is_union_fwd, is_enum_fwd; /* TYPE_FWD */
	bool is_variadic;		/* TYPE_FUNC */
	bool is_c;			/* declared in a C header */
	bool has_string;		/* structure or array: its size depends on strsize */
	unsigned int quals;		/* TYPE_TYPEDEF without a name: TYPE_CONST, TYPE_VOLATILE */
	unsigned int levels;		/* nesting of declared structures, arrays and typedefs */
	unsigned int rank;		/* TYPE_INT: 1 char, 2 short, 3 int, 4 long, 5 long long */
	struct type *to;		/* pointed-to, element, typedef'd, or returned type */
	uint64_t nelem;			/* TYPE_ARRAY */
	struct type_member *members;	/* complete struct, union; TYPE_FUNC: parameters */
	unsigned int nmembers;
	struct type_virtual *virtuals; /* virtual base classes, which members lack */
	unsigned int nvirtuals;
	struct type_enumerator *enums;
	unsigned int nenums;
	uint32_t btf_id;	    /* id in the kernel's BTF, 0 if not from there */
	struct type_source *source; /* location in debug information of a program, or NULL */
	bool loaded;		    /* members are present (type_resolve loads them) */
	struct type *ptr;	    /* cached pointer to this type */
};

/* Maximum nesting.  Functions that walk types are recursive. */
#define TYPE_LEVELS_MAX 512

#define TYPE_CONST    1u
#define TYPE_VOLATILE 2u

struct type_member {
	const char *name; /* interned; NULL: anonymous */
	struct type *type;
	uint64_t bit_off;  /* from the start of the structure */
	unsigned int bits; /* width of a bit-field, 0 if none */
};

/* A virtual base class of C++.  See before_table of struct info_member. */
struct type_virtual {
	struct type *type;
	uint64_t before_table;
};

/* A step from an object to one of its virtual base classes. */
struct type_step {
	uint64_t
	    off; /* from the object to the part that inherits, whose first word leads to a table */
	uint64_t before_table;
	const struct type_step *next; /* from that base class to one of its own; NULL: none */
};

struct type_enumerator {
	const char *name;
	int64_t value;
};

/* Makes the types of one session.  kern may be NULL: then kernel types do not exist. */
struct types *types_new(struct arena *a, struct intern *names, struct kern *kern);
void types_free(struct types *ts);

/* Built-in types. */
struct type *type_void(struct types *ts);
struct type *type_int(struct types *ts, unsigned int size,
		      bool is_signed); /* 1 char, 2, 4, 8 long */
struct type *type_string(struct types *ts);
struct type *type_stack(struct types *ts);
struct type *type_dyn(struct types *ts);

/* Derived types. */
struct type *type_ptr(struct types *ts, struct type *to);
struct type *type_array(struct types *ts, struct type *elem, uint64_t n);
struct type *type_userland(struct types *ts, struct type *t);

/* Returns T with TYPE_CONST, TYPE_VOLATILE or both.  Only names of types show qualifiers. */
struct type *type_qualified(struct types *ts, struct type *t, unsigned int quals);

/*
 * Finds a type of an object of the traced process, "a.out" or "libc.so.6", by its name with the
 * tag.  Returns false if the process has no such object.  Sets *res to NULL if the object has no
 * such type.
 */
typedef bool type_find_fn(void *ctx, const char *object, const char *name, struct type **res);
void types_set_find(struct types *ts, type_find_fn *find, void *ctx);

/*
 * Returns a type by name: "int", "uint32_t", "struct sock", "union x", "enum y", a typedef.
 * Searches program types first, then built-in, then kernel types, which it reads from BTF.  NULL:
 * none.
 */
struct type *type_lookup(struct types *ts, const char *name);

/*
 * Returns true if such a name belongs to an object of the traced process.  Pointers to the type
 * then lead to memory of the process.
 */
bool type_is_of_object(struct types *ts, const char *name);

/*
 * Enters a typedef or a tagged type that a program declares, or (is_c) a C header that it includes.
 * NAME is as for type_lookup.
 */
void type_define(struct types *ts, const char *name, struct type *t, bool is_c);

/* Writes all types entered with this is_c to a file, in BTF.  Returns 0 or -errno. */
int type_store(struct types *ts, bool is_c, const char *path);

/*
 * Returns the type that a program declared under that name; NULL: none.  Built-in and kernel types
 * do not count.
 */
struct type *type_lookup_program(struct types *ts, const char *name);

/* Returns a new type to fill in (structures, unions, enums, functions, typedefs of programs). */
struct type *type_new(struct types *ts, enum type_kind kind, const char *name);
struct type *type_typedef(struct types *ts, const char *name, struct type *to);
struct type *type_int_named(struct types *ts, const char *name); /* "unsigned long long" */

/* Computes the offsets of the members of a structure or union, and the type's size. */
void type_layout(struct types *ts, struct type *t);

/* Registers the enumerators of a program's enum for type_enumerator. */
void type_add_enumerators(struct types *ts, struct type *t);

/*
 * Selects the 32-bit data model (-32): long and types made of it have 4 bytes.  Call it before any
 * other function.  Pointers keep 8 bytes in memory, because the kernel's pointers do.
 */
void type_set_ilp32(struct types *ts);

/* Sets the size of strings (option strsize), also in existing structures and arrays. */
void type_set_strsize(struct types *ts, uint64_t size);

/*
 * Returns the bytes of a value.  Strings count as strsize.  0: void, functions, incomplete types.
 */
uint64_t type_sizeof(struct types *ts, struct type *t);

/* Returns the kernel type with this BTF id.  Never NULL. */
struct type *type_from_btf(struct types *ts, uint32_t id);

/* Returns a type of a program by its debug information, which must stay open.  Never NULL. */
struct type *type_from_info(struct types *ts, struct info *file, info_ref ref);

/*
 * Finds an enumerator of any known enum by name (program enums; kernel enums through BTF).  Returns
 * its enum, or NULL.
 */
struct type *type_enumerator(struct types *ts, const char *name, int64_t *value);

/* Follows typedefs, and reads the members of kernel structures. */
struct type *type_resolve(struct types *ts, struct type *t);

/*
 * Returns a member by name, also from anonymous members; NULL: none.  *bit_off is its offset from
 * the start of t.
 */
const struct type_member *type_member(struct types *ts, struct type *t, const char *name,
				      uint64_t *bit_off);

/*
 * Finds a member of a virtual base class of a type or of its base classes, and the steps to that
 * class, which last as long as the types.  The offset is from its start.  NULL: there is none.
 */
const struct type_step *type_virtual(struct types *ts, struct type *t, const char *name,
				     const struct type_member **m, uint64_t *bit_off);

bool type_is_integer(const struct type *t); /* int or enum, through typedefs */
bool type_is_scalar(const struct type *t);  /* integer, pointer (float too) */
bool type_is_pointer(const struct type *t);
bool type_is_sou(const struct type *t); /* struct or union */
bool type_is_void(const struct type *t);
bool type_is_dyn(const struct type *t);
bool type_is_array(const struct type *t);
bool type_is_unsigned(const struct type *t);		   /* integers; enums are signed */
bool type_is_incomplete(struct types *ts, struct type *t); /* stacks, too */
bool type_is_string(const struct type *t);		   /* the D type string */
bool type_is_stack(const struct type *t);		   /* the D type dt_stack_t */
bool type_is_stringlike(
    const struct type *t); /* string, char *, char [] (strcompat in the reference) */
bool type_compatible(struct types *ts, const struct type *a, const struct type *b);
const struct type *type_base(const struct type *t); /* typedefs removed */

/* Returns the common type of two integer types. */
struct type *type_promote(struct types *ts, struct type *a, struct type *b);

/* Appends the C text of a type: "struct sock *", "char [16]". */
void type_print(struct buf *out, const struct type *t);

#endif
