/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.h: errors of D programs, for the user.  They are collected, not printed.  A compilation
 * continues after an error if it can, and the command prints the errors in order.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

/* Implementation of D: see dialect.h. */
enum dialect { DIALECT_ILLUMOS, DIALECT_ORACLE };

enum diag_tag {
	DIAG_NONE, /* a plain message without a tag */
#define DIAG(tag, when) D_##tag,
#include "base/diag.def"
#undef DIAG
	DIAG_MAX
};

/* A piece of D text: a script, a library, or an argument of -n and similar options. */
struct source {
	const char *name; /* path, or NULL for text from the command line */
	const char *text; /* NUL-terminated */
	unsigned int len;
	const char *written; /* text before the preprocessor changed it; NULL: unchanged */
	bool is_cmdline, is_library;
	bool is_of_process; /* a library whose providers end with the number of a process */
};

/* A place in a source.  line 0: none. */
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
	const struct source *program; /* program for which a library was compiled, or NULL */
};

struct diags {
	struct arena *arena;
	struct diag *list;
	unsigned int n, cap;
	const char *where;	      /* copied into every new diag */
	const struct source *program; /* copied, too */
	enum dialect dialect;	      /* decides on reported tags, and on errors */
};

/* Records an error, formatted as by printf(3).  Always returns false, for `return diag(...)`. */
bool diag(struct diags *d, struct loc loc, enum diag_tag tag, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the name of a tag, "D_SYNTAX"; NULL for DIAG_NONE. */
const char *diag_tag_name(enum diag_tag tag);

/* Appends an error as a line without its program: "line N: text". */
void diag_text(struct buf *b, const struct diag *dg, bool tags);

/*
 * Appends the whole message: the line ("PROG: failed to compile script F: line N: text"), the
 * source line, and a caret below its column.  PROG is the base name of argv[0].
 */
void diag_show(struct buf *b, const char *prog, const struct diag *dg, bool tags);

#endif
