/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.h: the destination of the consumer's text.  Every printer of this folder writes through a
 * struct out, never to a FILE directly.  Its back end is a FILE or a growing buffer, both for text.
 * A structured back end (structured.h) implements object(): a printer first offers it the datum
 * itself, and writes text only if the back end refuses the datum.  A listener has the datum in
 * both cases.
 *
 * On a terminal, control characters are made visible, because a traced process may have put them
 * into a name.  Text of formats stays as it is, because it is the program's own.
 */
#ifndef PRINT_OUT_H
#define PRINT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/dialect.h"

struct out;

enum out_encoding {
	OUT_ENCODING_UNSET, /* bars in ASCII; packed histograms in UTF-8, except on dumb terminals
			     */
	OUT_ENCODING_ASCII,
	OUT_ENCODING_UTF8,
};

/* The options that change how data looks; option lists explain them. */
struct out_opts {
	bool quiet, flowindent, rawbytes, noresolve;
	bool visible;	     /* make control characters visible, as on a terminal */
	bool inlines, lines; /* in frames of user stacks */
	bool no_columns;     /* leave out CPU and ID, which differ between runs */
	bool agghist, aggpack, aggzoom;
	bool aggsortkey, aggsortrev;
	int aggsortkeypos, aggsortpos;
	int stackindent;  /* 14 from out_init */
	uint32_t strsize; /* least bytes of a string that is shown as bytes */
	enum out_encoding encoding;
	enum dialect dialect;
};

/* A resolved address.  The strings stay valid until the next call of the same callback. */
struct out_sym {
	const char *module;   /* kernel module or base name of the object; NULL: unknown */
	const char *name;     /* NULL: unknown */
	uint64_t offset;      /* from the start of the symbol */
	uint64_t mapped;      /* user addresses: from the start of the mapping */
	uint64_t in_file;     /* address in the file, as of nm(1); 0: in no file */
	const char *path;     /* of the file in its process; NULL: unknown */
	const char *build_id; /* in hexadecimal digits; NULL: unknown */
	const char *text;     /* user frames: text of a language's helper or JIT; or NULL */
	const char *lost; /* end of a stack: the reason, which needs the module before; or NULL */
};

/*
 * A place of a frame in the source.  Inlined functions come first, the innermost one at the start.
 * The function with the symbol (func is NULL) is last.
 */
struct out_place {
	const char *func, *file; /* file: NULL: unknown */
	int line;
};

/* Resolves an address.  Returns 0, or a negative errno if nothing is known. */
struct out_symtab {
	int (*ksym)(void *ctx, uint64_t addr, struct out_sym *sym);
	int (*usym)(void *ctx, uint32_t pid, uint64_t addr, struct out_sym *sym);
	/* Fills in up to max places and returns their number; 0: unknown. */
	unsigned int (*places)(void *ctx, uint32_t pid, uint64_t addr, struct out_place *to,
			       unsigned int max);
};

/* Objects that a printer offers to a structured back end before it writes text. */
enum out_object {
	OUT_OBJECT_RECORD,     /* const struct table_rec *: starts a record ... */
	OUT_OBJECT_RECORD_END, /* NULL: ... ends it */
	OUT_OBJECT_TRACE,      /* const struct value * */
	OUT_OBJECT_PRINTF,     /* const struct fmt_call * */
	OUT_OBJECT_PRINT,      /* const struct print_call * */
	OUT_OBJECT_BYTES,      /* const struct value_bytes * */
	OUT_OBJECT_SPAN,       /* const struct value_span * */
	OUT_OBJECT_AGGS,       /* const struct agg_call * */
	OUT_OBJECT_DROP,       /* const struct msg_loss * */
	OUT_OBJECT_ERROR,      /* const struct msg_error * */
	OUT_OBJECT_END,	       /* const struct msg_end * */
	OUT_OBJECT_RUN,	       /* const struct msg_run *: when tracing begins, and when it ends */
	OUT_OBJECT_FILE,       /* NULL: output continues in another file; comes before the change */
};

struct out_backend {
	/* Writes n bytes; returns 0 or a negative errno. */
	int (*text)(struct out *o, const char *s, size_t n);
	int (*flush)(struct out *o);
	/* May be NULL.  Returns true if the datum is taken, and must not be printed as text. */
	bool (*object)(struct out *o, enum out_object what, const void *obj);
	/* May be NULL.  From now on writes to f; ends the document and frees the back end. */
	void (*redirect)(struct out *o, FILE *f);
	void (*finish)(struct out *o);
};

struct out {
	const struct out_backend *back;
	void *dest; /* of the back end: a FILE, a struct buf ... */
	bool is_terminal;
	struct out_opts opts;
	const struct out_symtab *syms; /* NULL: addresses stay numbers */
	void *symctx;
	uint32_t target;      /* $target: %A prints its addresses; 0: none */
	unsigned long errors; /* writes that failed */
	int error;	      /* negative errno of the first of them */
	struct buf scratch;   /* for one printer at a time, through out_scratch */
	/* Has each datum before the back end; NULL: nobody listens. */
	void (*listen)(void *listener, enum out_object what, const void *obj);
	void *listener;
};

/* Starts a writer to a FILE (not owned), with default options. */
void out_init(struct out *o, FILE *f);

/* From now on writes a line for each piece of text: its size, and the text in quotes. */
void out_dump(struct out *o);

/* Starts a writer that appends to a buffer (not owned). */
void out_init_buf(struct out *o, struct buf *b);

/* Sends the output elsewhere from now on (freopen); the caller flushes and closes the old file. */
void out_redirect(struct out *o, FILE *f);

/* Sends the output to a buffer from now on. */
void out_redirect_buf(struct out *o, struct buf *b);

/* Ends the output of the back end.  Text that follows a document is dropped. */
void out_finish(struct out *o);

/* Returns true if data is written as a document, not as text. */
static inline bool out_is_structured(const struct out *o)
{
	return o->back->object != NULL;
}

/* Frees the resources of the writer.  out_finish was called. */
void out_free(struct out *o);

/* Returns the scratch buffer, empty.  It is valid until the next printer is called. */
struct buf *out_scratch(struct out *o);

void out_text(struct out *o, const char *s, size_t n);
void out_own(struct out *o, const char *s, size_t n); /* unchanged, text of the program */
void out_puts(struct out *o, const char *s);
void out_putc(struct out *o, char c);
void out_pad(struct out *o, char c, size_t n);
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes n bytes of text in a field of width columns; left: pad on the right. */
void out_field(struct out *o, const char *s, size_t n, int width, bool left);

/* Appends a character as in a literal of C. */
void out_escaped(struct buf *b, unsigned char c);

/* Appends text; control characters, except newlines and tabs, become visible. */
void out_visible(struct buf *b, const char *s, size_t n);

/* Returns the length of the UTF-8 character at the start of n > 0 bytes, 0: none (RFC 3629, 4). */
size_t out_utf8_len(const char *s, size_t n);

/* Writes a character as UTF-8. */
void out_utf8(struct out *o, uint32_t c);

/* Flushes; returns 0, or the negative errno of the first write that ever failed. */
int out_flush(struct out *o);

/* Shows a datum to the listener. */
static inline void out_tell(const struct out *o, enum out_object what, const void *obj)
{
	if (o->listen)
		o->listen(o->listener, what, obj);
}

/* Offers a datum to the back end; returns true if it must not be printed as text. */
static inline bool out_object(struct out *o, enum out_object what, const void *obj)
{
	out_tell(o, what, obj);
	return o->back->object && o->back->object(o, what, obj);
}

#endif
