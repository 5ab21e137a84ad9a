/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt.h: parses and prints printf formats, and says which types a conversion takes.  The compiler
 * parses a format to check its arguments; the consumer prints records with the result.
 *
 * A format is a list of pieces: literal text, then a conversion.  FMT_NONE is a piece without a
 * conversion (a literal %, the end).  A conversion takes one argument, after one integer for each
 * `*`.  With the @ flag it takes an aggregation instead, and its stars take keys.
 */
#ifndef PRINT_FMT_H
#define PRINT_FMT_H

#include <stdbool.h>
#include <stddef.h>

struct agg_rec;
struct arena;
struct out;
struct value;

/* Classes of conversions, with their letters and argument types. */
enum fmt_class {
	FMT_NONE,     /* no conversion */
	FMT_INT,      /* d i o u x X, any size modifier: integer */
	FMT_PTR,      /* p: pointer or integer */
	FMT_CHAR,     /* c C: char, short, int */
	FMT_STR,      /* s S: string or char array */
	FMT_WCHAR,    /* lc wc: int */
	FMT_WSTR,     /* ls ws: wchar_t array */
	FMT_FLOAT,    /* e E f g G, with L */
	FMT_STACK,    /* k */
	FMT_SYMADDR,  /* a */
	FMT_USYMADDR, /* A */
	FMT_IP,	      /* I: string */
	FMT_PORT,     /* P: uint16_t */
	FMT_TIME,     /* T Y: 64-bit integer, nanoseconds since 1970 */
};

enum fmt_size {
	FMT_SIZE_NONE,
	FMT_SIZE_H,
	FMT_SIZE_L,
	FMT_SIZE_LL,
	FMT_SIZE_LD, /* L */
	FMT_SIZE_W,
};

enum {
	FMT_FLAG_ALT = 1,    /* # */
	FMT_FLAG_ZERO = 2,   /* 0 */
	FMT_FLAG_LEFT = 4,   /* - */
	FMT_FLAG_PLUS = 8,   /* + */
	FMT_FLAG_SPACE = 16, /* blank */
	FMT_FLAG_GROUP = 32, /* ' */
};

/* The largest width or precision, so that a number from a traced program cannot fill the disk. */
#define FMT_NUMBER_MAX 10000000

struct fmt_conv {
	const char *text; /* literal text before the conversion, in the format string */
	size_t textlen;
	enum fmt_class cls;
	enum fmt_size size;
	char conv;	  /* the letter */
	const char *name; /* letter with its size modifier, "llx" */
	unsigned int flags;
	int width; /* 0: none */
	int prec;  /* -1: none; 0 prints as none, too */
	bool width_star, prec_star;
	unsigned int bytes; /* required size of the integer; 0: any */
	bool is_agg;	    /* @ flag */
	bool is_ptr_wide;   /* ? flag, and no width */
};

struct fmt {
	const char *text; /* the format string */
	struct fmt_conv *conv;
	unsigned int n;
	unsigned int nargs; /* arguments, stars included, @ conversions excluded */
	unsigned int naggs; /* conversions with the @ flag */
};

enum fmt_kind {
	FMT_KIND_INT, /* integer or enum */
	FMT_KIND_PTR,
	FMT_KIND_STRING,
	FMT_KIND_CHARS, /* array of char */
	FMT_KIND_WCHARS,
	FMT_KIND_FLOAT,
	FMT_KIND_STACK,
	FMT_KIND_SYMADDR,
	FMT_KIND_USYMADDR,
	FMT_KIND_OTHER,
};

/* The type of an argument, without typedefs. */
struct fmt_type {
	enum fmt_kind kind;
	unsigned int size; /* integers and floats: bytes */
	bool is_signed;
};

/* Parses a format.  The result is in the arena, and refers to format.  Returns NULL and sets *err
 * on error. */
struct fmt *fmt_parse(struct arena *a, const char *format, const char **err);

/* For programs in which long and pointers have 4 bytes: %ld takes 4 bytes, %? is 8 columns wide. */
void fmt_set_ilp32(struct fmt *f);

/* Returns true if the conversion takes an argument of this type.  %A takes numbers only with a
 * $target. */
bool fmt_accepts(const struct fmt_conv *c, const struct fmt_type *t, bool has_target);

/* Returns the type of argument that a conversion takes, in words for messages. */
const char *fmt_wants(const struct fmt_conv *c);

/* Returns the type for checking a conversion with the @ flag. */
struct fmt_type fmt_agg_type(void);

/* Prints; args in order, stars included.  Missing arguments print as zero. */
struct fmt_call {
	const struct fmt *f;
	const struct value *args;
	unsigned int n;
};
void fmt_print(struct out *o, const struct fmt *f, const struct value *args, unsigned int n);

/* Prints for printa(): @ conversions take aggs in order and repeat the last; others take keys. */
void fmt_print_agg(struct out *o, const struct fmt *f, const struct value *keys, unsigned int nkeys,
		   const struct agg_rec *aggs, unsigned int naggs);

#endif
