/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.h: the types of D: built-in ones, those declared in programs, and those of the kernel, which
 * come from BTF one at a time, when a program names them.
 *
 * A struct type is immutable once complete and unique: equal kernel types are the same pointer, so
 * are equal derived types (pointer to T, array of n T).  Data model LP64.
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
	TYPE_TYPEDEF, /* or a qualified type, which is a typedef without a name */
	TYPE_FUNC,
	TYPE_STRING,   /* D string: at most strsize bytes including the NUL */
	TYPE_STACK,    /* D stack: whose, and its frames; as large as plan_stacks() says */
	TYPE_SYMADDR,  /* value of sym(), mod(), func() */
	TYPE_USYMADDR, /* value of usym(), umod(), uaddr(), ufunc() */
	TYPE_DYN,      /* untyped: poison after an error, or a value without a type */
};

struct type_source;

struct type {
	enum type_kind kind;
	const char *name; /* interned; typedef name, struct tag, "int"; NULL if none */
	uint64_t size;	  /* bytes; strings: 0, ask the session's strsize */
	unsigned int align;
	bool is_signed, is_char, is_bool;
	bool is_userland;		/* pointer into user memory */
	bool is_union_fwd, is_enum_fwd; /* TYPE_FWD */
	bool is_variadic;		/* TYPE_FUNC */
	bool is_c;			/* declared in a C header */
	bool has_string;		/* structure or array: its size depends on strsize */
	unsigned int quals;		/* TYPE_TYPEDEF without a name: TYPE_CONST, TYPE_VOLATILE */
	unsigned int levels;		/* of declared structures, arrays, typedefs in it */
	unsigned int rank;		/* TYPE_INT: 1 char, 2 short, 3 int, 4 long, 5 long long */
	struct type *to;		/* pointed-to, element, typedef'd, or returned type */
	uint64_t nelem;			/* TYPE_ARRAY */
	struct type_member *members;	/* complete struct, union; TYPE_FUNC: parameters */
	unsigned int nmembers;
	struct type_enumerator *enums;
	unsigned int nenums;
	uint32_t btf_id;	    /* id in the kernel's BTF, 0 if not from there */
	struct type_source *source; /* where debug information of a program has it, or NULL */
	bool loaded;		    /* members are filled in (type_complete does it) */
	struct type *ptr;	    /* cached pointer to this type */
};

/* Most levels: what follows types down does so by recursion. */
#define TYPE_LEVELS_MAX 512

#define TYPE_CONST    1u
#define TYPE_VOLATILE 2u

struct type_member {
	const char *name; /* interned; NULL: anonymous */
	struct type *type;
	uint64_t bit_off;  /* from the start of the structure */
	unsigned int bits; /* width of a bit-field, 0 if none */
};

struct type_enumerator {
	const char *name;
	int64_t value;
};

/* The types of one session.  kern may be NULL: then there are no kernel types. */
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

/* With TYPE_CONST, TYPE_VOLATILE or both, which only their names tell: nothing else asks. */
struct type *type_qualified(struct types *ts, struct type *t, unsigned int quals);

/*
 * Finds a type of an object of the traced process, "a.out" or "libc.so.6", by its name with the
 * tag.  Returns false if the process has no such object.  *res: NULL if the object has no such
 * type.
 */
typedef bool type_find_fn(void *ctx, const char *object, const char *name, struct type **res);
void types_set_find(struct types *ts, type_find_fn *find, void *ctx);

/*
 * A type by name: "int", "uint32_t", "struct sock", "union x", "enum y", a typedef.  Program types
 * first, then built-in, then kernel ones (read from BTF now).  NULL if there is none.
 */
struct type *type_lookup(struct types *ts, const char *name);

/* Whether such a name is of an object of the traced process: pointers to the type lead to its
 * memory. */
bool type_is_of_object(struct types *ts, const char *name);

/* Enter a typedef or a tagged type declared in a program, or (is_c) in a C header that it includes.
 * name as for type_lookup. */
void type_define(struct types *ts, const char *name, struct type *t, bool is_c);

/* Write all types entered with this is_c to a file, in BTF.  0 or -errno. */
int type_store(struct types *ts, bool is_c, const char *path);

/* A type declared in this program under that name; NULL: none (built-in and kernel ones are not).
 */
struct type *type_lookup_program(struct types *ts, const char *name);

/* A new type to fill in (structures, unions, enums, functions, typedefs of programs). */
struct type *type_new(struct types *ts, enum type_kind kind, const char *name);
struct type *type_typedef(struct types *ts, const char *name, struct type *to);
struct type *type_int_named(struct types *ts, const char *name); /* "unsigned long long" */

/* Give the members of a structure or union their offsets, and the type its size. */
void type_layout(struct types *ts, struct type *t);

/* Make the enumerators of an enum declared in a program known to type_enumerator. */
void type_add_enumerators(struct types *ts, struct type *t);

/*
 * Programs of the 32-bit data model (-32): long and what is made of it have 4 bytes.  To be called
 * before any other function.  Pointers keep 8 bytes in memory, because the kernel's do.
 */
void type_set_ilp32(struct types *ts);

/* Size of a string (option strsize), also in structures and arrays that are there already. */
void type_set_strsize(struct types *ts, uint64_t size);

/* Bytes of a value; strings count as strsize.  0: void, functions, incomplete types. */
uint64_t type_sizeof(struct types *ts, struct type *t);

/* The kernel type with this BTF id.  Never NULL. */
struct type *type_from_btf(struct types *ts, uint32_t id);

/* A type of a program by its debug information, which has to stay.  Never NULL. */
struct type *type_from_info(struct types *ts, struct info *file, info_ref ref);

/* An enumerator of any known enum by name (program enums; kernel enums through BTF).  NULL: none.
 */
struct type *type_enumerator(struct types *ts, const char *name, int64_t *value);

/* Follow typedefs; reads in the members of kernel structures. */
struct type *type_resolve(struct types *ts, struct type *t);

/* Member by name, looking into anonymous members; *bit_off gets the offset from the start of t. */
const struct type_member *type_member(struct types *ts, struct type *t, const char *name,
				      uint64_t *bit_off);

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

/* Usual conversions of D (d-language.md 4.2) for two integer types. */
struct type *type_promote(struct types *ts, struct type *a, struct type *b);

/* C text of a type, "struct sock *", "char [16]". */
void type_print(struct buf *out, const struct type *t);

#endif
