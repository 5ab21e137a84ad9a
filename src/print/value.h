/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.h: one datum of a record, as the consumer sees it, and its text.  The bytes stay in the
 * record at any alignment and are only borrowed.
 */
#ifndef PRINT_VALUE_H
#define PRINT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct out;
struct out_sym;

enum value_kind {
	VALUE_INT,
	VALUE_PTR,    /* 8 bytes, prints as an unsigned integer of that size */
	VALUE_STR,    /* ends at the first NUL or after len bytes */
	VALUE_BYTES,  /* array or struct */
	VALUE_STACK,  /* kernel: array of 8-byte pcs, ends at the first zero or after len bytes */
	VALUE_USTACK, /* the same, of process pid */
	VALUE_LINES,  /* a stack as text, one frame per line, up to a NUL */
	VALUE_SYM,    /* sym(), func(): 8-byte kernel address; the function's name */
	VALUE_MOD,    /* its module */
	VALUE_USYM,   /* usym(), ufunc(): 8-byte address in process pid */
	VALUE_UMOD,
	VALUE_UADDR, /* as VALUE_USYM, with the offset */
	VALUE_FLOAT, /* float, double, long double: size 4, 8, 16 */
};

struct value {
	enum value_kind kind;
	uint8_t size; /* integers and floats: bytes; others 0 */
	bool is_signed;
	const void *data;
	uint32_t len; /* bytes at data */
	uint32_t pid; /* user addresses and stacks */
	void *symctx; /* of addresses; NULL: the output's symctx */
	bool is_cut;  /* stacks: there was no room for more frames */
};

/* Return an integer value, extended by its own sign or by the given one. */
int64_t value_int(const struct value *v);
int64_t value_signed(const struct value *v);
uint64_t value_unsigned(const struct value *v);

/* Returns the number of bytes before the NUL of a string. */
uint32_t value_strlen(const struct value *v);

/* Prints a value as trace(), stack(), sym() and so on do, without the record's newline. */
void value_trace(struct out *o, const struct value *v, bool quiet);

/* Prints a key of an aggregation in the default layout. */
void value_key(struct out *o, const struct value *v);

/* Prints the frames of a stack, one per line, after a newline. */
void value_stack(struct out *o, const struct value *v, int indent);

/* Fills in the places of frame `frame` in the source, if an option wants them, and returns their
 * number. */
#define VALUE_PLACES 32
struct out_place;
unsigned int value_places(struct out *o, const struct value *v, unsigned int frame, uint64_t pc,
			  struct out_place *to);

/*
 * Appends frame `frame` of a stack as resolved text to b.  Frames of a process, except the first,
 * are named by the call instruction, because another function may follow a call that never returns.
 */
void value_frame(struct out *o, const struct value *v, unsigned int frame, uint64_t pc,
		 struct out_sym *sym, struct buf *b);

/* Appends a value other than a stack, without blanks: numbers by type, bytes in hexadecimal. */
void value_plain(struct out *o, struct buf *b, const struct value *v);

/* Appends the name of an address or symbol value: "vmlinux`vfs_read". */
void value_symbol(struct out *o, struct buf *b, const struct value *v);

/* Appends an address with its offset, as %a and %A print it; pid 0: kernel. */
void value_address(struct out *o, struct buf *b, uint32_t pid, uint64_t addr);

/* Looks up an address.  All of *sym is NULL or 0 if nothing is known. */
void value_resolve(struct out *o, bool user, uint32_t pid, uint64_t addr, struct out_sym *sym);

/* Bytes that an action dumps: as data for OUT_OBJECT_BYTES, or as a hex dump. */
struct value_bytes {
	const char *action;
	const void *data;
	uint32_t len;
};
void value_dump(struct out *o, const char *action, const void *data, uint32_t len);

/* Data of OUT_OBJECT_SPAN: the beginning of a span, or its end (name NULL).  id, parent (W3C
 * traceparent): NULL without. */
struct value_span {
	const struct value *name, *id, *parent;
};
/* Prints them as trace() does, quiet or not. */
void value_span(struct out *o, const struct value_span *s);

/* Dumps the bytes of tracemem() and raw bytes; prints nothing for len 0. */
void value_hexdump(struct out *o, const void *data, uint32_t len);

/* Appends bytes that are equal for equal keys only.  Equal numbers of different sizes are equal. */
void value_identify(struct buf *b, const struct value *v);

/* Order of keys: integers unsigned, by their size; user symbols by pid, then address; others by
 * bytes. */
int value_compare(const struct value *a, const struct value *b);

#endif
