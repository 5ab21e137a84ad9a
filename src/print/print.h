/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h: the action print(): a value with its type, structures member by member.  The caller
 * describes the type with the structures below, once for each program, from the types of D.
 */
#ifndef PRINT_PRINT_H
#define PRINT_PRINT_H

#include <stdbool.h>
#include <stdint.h>

struct out;
struct print_type;

enum print_kind {
	PRINT_INT,
	PRINT_CHAR,
	PRINT_ENUM,
	PRINT_PTR,
	PRINT_FUNCPTR, /* pointer to function */
	PRINT_FLOAT,   /* 4, 8 or 16 bytes */
	PRINT_STRING,  /* D string */
	PRINT_ARRAY,
	PRINT_STRUCT, /* struct or union */
};

struct print_enumerator {
	const char *name;
	int64_t value;
};

struct print_member {
	const char *name; /* NULL: anonymous */
	const struct print_type *type;
	uint64_t bit_off;  /* from the start of the structure */
	unsigned int bits; /* width of a bit-field, else 0 */
};

struct print_type {
	enum print_kind kind;
	const char *name; /* "struct node *", "char [4]"; anonymous structures: "struct" */
	uint32_t id;	  /* in the kernel's BTF; 0: another type */
	uint64_t size;	  /* bytes */
	bool is_signed;
	const struct print_type *elem; /* PRINT_ARRAY */
	uint64_t nelem;
	const struct print_member *members; /* PRINT_STRUCT */
	unsigned int nmembers;
	const struct print_enumerator *enums; /* PRINT_ENUM */
	unsigned int nenums;
};

/* Data of OUT_OBJECT_PRINT. */
struct print_call {
	const struct print_type *type;
	const void *data;
	uint64_t len;
};

/* Calls f for the value and each member, outermost first.  depth starts at 0.  The name may be
 * NULL.  The text is NULL for structures; their members follow. */
void print_walk(struct out *o, const struct print_call *c,
		void (*f)(void *ctx, unsigned int depth, const char *name,
			  const struct print_type *t, const char *text),
		void *ctx);

/* Prints type, blank and value, and a newline except for structures.  Data beyond len prints as
 * "...". */
void print_value(struct out *o, const struct print_type *t, const void *data, uint64_t len);

/* The other layout: an address, then the data there.  Each line has its type. */
void print_pointed(struct out *o, uint64_t addr, const struct print_type *t, const void *data,
		   uint64_t len);

#endif
