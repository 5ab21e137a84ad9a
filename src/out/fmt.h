/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt.h: printf formats: parsing, which types a conversion takes, and printing.  The compiler
 * parses a format to check its arguments; the consumer prints records with the result.
 *
 * A format is a list of pieces, each literal text and then a conversion; FMT_NONE is a piece that
 * is text only (a literal %, the tail).  A conversion consumes one argument, after one integer for
 * each
 * `*`; with the @ flag it consumes an aggregation instead (and its stars keys).
 */
#ifndef OUT_FMT_H
#define OUT_FMT_H

#include <stdbool.h>
#include <stddef.h>

struct agg_rec;
struct arena;
struct out;
struct value;

/* Treatment of a conversion's argument. */
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

/* The largest width or precision: one from a traced program must not fill the disk. */
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
	int prec;  /* -1: none; 0 means none, too */
	bool width_star, prec_star;
	unsigned int bytes; /* of the integer it insists on; 0: any */
	bool is_agg;	    /* @ flag */
	bool is_ptr_wide;   /* ? flag, and no width */
};

struct fmt {
	const char *text; /* the format string */
	struct fmt_conv *conv;
	unsigned int n;
	unsigned int nargs; /* arguments consumed, stars included, @ conversions not */
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

/* The type of an argument, typedefs removed. */
struct fmt_type {
	enum fmt_kind kind;
	unsigned int size; /* integers and floats: bytes */
	bool is_signed;
};

/* Parse; everything is in the arena, format must live as long.  NULL: *err says what is wrong. */
struct fmt *fmt_parse(struct arena *a, const char *format, const char **err);

/* For programs in which long and pointers have 4 bytes: %ld takes those, %? is 8 columns wide. */
void fmt_set_ilp32(struct fmt *f);

/* Does the conversion take an argument of this type?  %A takes numbers only with a $target. */
bool fmt_accepts(const struct fmt_conv *c, const struct fmt_type *t, bool has_target);

/* Returns the type of argument that a conversion takes, in words for messages. */
const char *fmt_wants(const struct fmt_conv *c);

/* The type to check a conversion with the @ flag against. */
struct fmt_type fmt_agg_type(void);

/* Print; args in order, stars included.  Missing arguments print as zero. */
struct fmt_call {
	const struct fmt *f;
	const struct value *args;
	unsigned int n;
};
void fmt_print(struct out *o, const struct fmt *f, const struct value *args, unsigned int n);

/* The same for printa: @ conversions take aggs in order and repeat the last; others take keys. */
void fmt_print_agg(struct out *o, const struct fmt *f, const struct value *keys, unsigned int nkeys,
		   const struct agg_rec *aggs, unsigned int naggs);

#endif
