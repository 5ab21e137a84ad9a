/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h: what the action print() shows: a value with its type, structures member by member.  The
 * caller describes the type in the terms below (made once per program, from the types of D).
 */
#ifndef OUT_PRINT_H
#define OUT_PRINT_H

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
	uint32_t id;	  /* of the kernel's BTF, 0: not from there */
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

/*
 * Call f for the value and each member, outermost first: depth from 0, its name (NULL: none), its
 * type, and its text, NULL for structures, whose members follow.
 */
void print_walk(struct out *o, const struct print_call *c,
		void (*f)(void *ctx, unsigned int depth, const char *name,
			  const struct print_type *t, const char *text),
		void *ctx);

/* Type, blank, value; a newline follows all but structures.  What len cuts off prints as "...". */
void print_value(struct out *o, const struct print_type *t, const void *data, uint64_t len);

/* The other layout: an address, and what is there, each line of which has its type. */
void print_pointed(struct out *o, uint64_t addr, const struct print_type *t, const void *data,
		   uint64_t len);

#endif
