/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lex.h: tokens for the parser, with their values.  The parser chooses the state for each token.
 * The lexer replaces macros ($1, $target), and passes control lines to pragma.c.
 */
#ifndef LANG_LEX_H
#define LANG_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "lang/lang.h"
#include "lang/scan.h"

struct token {
	enum tok kind; /* TOK_ERROR: reported already */
	struct loc loc;
	const char *text; /* in the source, for messages */
	unsigned int textlen;
	const char *s;	  /* IDENT, PSPEC, AGG (without @): interned; STR: bytes */
	unsigned int len; /* STR */
	uint64_t val;	  /* INT */
	struct type *type;
	bool is_char; /* NUM that was a character constant */
};

struct lexer {
	struct lang *lang;
	const struct source *src;
	struct scanner sc;
	const char *file; /* set by #line */
	bool renumbered;  /* after #line, columns no longer give the position in the text */
	bool only_specs;  /* names outside clauses are never types */
	bool is_quiet;	  /* skipping after an error: reports nothing */
	enum lang_spec spec;
};

void lex_init(struct lexer *lx, struct lang *l, const struct source *src, enum lang_spec spec);
void lex_next(struct lexer *lx, struct token *t, enum lex_state state);

/* Returns the text of one macro ("1", "$1", "target") for a probe description; NULL: undefined. */
const char *lex_macro_text(struct lang *l, const char *name, unsigned int len);

/* Sets value and type of an integer constant.  *msg is NULL before, and set with *tag on error. */
void lex_number(struct lang *l, const char *s, unsigned int n, uint64_t *val, struct type **type,
		enum diag_tag *tag, const char **msg);

#endif
