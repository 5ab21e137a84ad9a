/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h: D text to tokens as they are written, without types, options and operands.  lex.c gives
 * these tokens their values for the parser, and index.c collects names from them.
 */
#ifndef LANG_SCAN_H
#define LANG_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum tok {
	TOK_EOF,
	TOK_ERROR,
	TOK_NUM,
	TOK_STR,
	TOK_IDENT,
	TOK_AGG,
	TOK_PSPEC, /* probe description, macros not replaced */
	TOK_EPRED, /* / that ends a predicate */
#define KEYWORD(name, text, decl) TOK_##name,
#define SIGN(name, text)	  TOK_##name,
#include "lang/token.def"
	/* The parser never sees the others. */
	TOK_QUOTED,  /* character constant */
	TOK_MACRO,   /* $1, $$target */
	TOK_CONTROL, /* a line that begins with #, without its newline */
	TOK_MAX
};

/* Outside of clauses a run of letters is a probe description, inside it is a name. */
enum lex_state { LEX_CLAUSE, LEX_EXPR };

enum scan_error {
	SCAN_COMMENT_OPEN,
	SCAN_COMMENT_NESTED,
	SCAN_STR_OPEN, /* no quote before the end of the text */
	SCAN_STR_NL,
	SCAN_CHR_OPEN,
	SCAN_CHR_NL,
	SCAN_FLOAT,
	SCAN_SIGN, /* this character begins no token */
};

struct scan_tok {
	enum tok kind;
	enum scan_error error; /* of TOK_ERROR */
	const char *s;	       /* in the text */
	unsigned int len;
	unsigned int line, col; /* from 1 */
};

struct scanner {
	const char *p, *end, *line_start;
	unsigned int line;
	bool is_bol;   /* only blanks since the start of the line */
	bool keeps_nl; /* prototypes: # does not start a control line */
};

/* TEXT ends with a NUL after its LEN bytes. */
void scan_init(struct scanner *sc, const char *text, size_t len);
void scan_next(struct scanner *sc, struct scan_tok *t, enum lex_state state);

/* Returns the next character after blanks, without consuming anything; 0: the end. */
char scan_peek(const struct scanner *sc);

/* Returns the keyword that is the text, else TOK_IDENT. */
enum tok scan_keyword(const char *s, size_t n, bool only_decl);
const char *scan_tok_text(enum tok kind);

/* Words of a control line; "quoted" words keep their blanks. */
#define SCAN_WORDS_MAX 16

struct scan_words {
	const char *w[SCAN_WORDS_MAX];
	bool quoted[SCAN_WORDS_MAX];
	unsigned int n;
	const char *rest[SCAN_WORDS_MAX]; /* text from this word on */
};

/* Splits a control line without its #. */
void scan_split(struct arena *a, const char *text, size_t n, struct scan_words *ws);

#endif
