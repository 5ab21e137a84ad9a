/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.h: errors that the user of a D program has to see.  They are collected, not printed: a
 * compilation goes on after an error where it can, and the command prints them in order.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

/* Whose D is spoken: see dialect.h. */
enum dialect { DIALECT_ILLUMOS, DIALECT_ORACLE };

enum diag_tag {
	DIAG_NONE, /* a plain message without a tag */
#define DIAG(tag, when) D_##tag,
#include "base/diag.def"
#undef DIAG
	DIAG_MAX
};

/* One piece of D text: a script, a library, or an argument of -n and its like. */
struct source {
	const char *name; /* path, or NULL for text from the command line */
	const char *text; /* NUL-terminated */
	unsigned int len;
	const char *written; /* the text before the preprocessor changed it, NULL: it has not */
	bool is_cmdline, is_library;
	bool is_of_process; /* a library whose providers end with the number of a process */
};

/* A place in a source.  line 0 means: no place. */
struct loc {
	const struct source *src;
	const char *file;	/* set by #line, overrides src->name; NULL: none */
	unsigned int line, col; /* from 1 */
};

struct diag {
	enum diag_tag tag;
	struct loc loc;
	const char *where;	      /* "predicate", "action list" or NULL */
	const char *text;	      /* may have further lines, each starting with a tab */
	const struct source *program; /* for which a library was compiled, or NULL */
};

struct diags {
	struct arena *arena;
	struct diag *list;
	unsigned int n, cap;
	const char *where;	      /* copied into every new diag */
	const struct source *program; /* so is this */
	enum dialect dialect;	      /* which tags are reported, and what is an error */
};

/* Record an error; formatted as printf(3) does.  Always returns false, for `return diag(...)`. */
bool diag(struct diags *d, struct loc loc, enum diag_tag tag, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Name of a tag, "D_SYNTAX"; NULL for DIAG_NONE. */
const char *diag_tag_name(enum diag_tag tag);

/* One error in a line without its program: "line N: text", appended to b. */
void diag_text(struct buf *b, const struct diag *dg, bool tags);

/*
 * The same with all that is shown of it: the line of error-tags.md ("PROG: failed to compile script
 * F: line N: text"), then the source line and a caret below its column.  prog is the base name of
 * argv[0].
 */
void diag_show(struct buf *b, const char *prog, const struct diag *dg, bool tags);

#endif
