/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lex.h: the scanner turns text into tokens.  The parser chooses the state for each token: outside
 * clauses a run of letters is a probe description, inside it is a name.  The scanner replaces
 * macros ($1, $target), and passes control lines to pragma.c.
 */
#ifndef LANG_LEX_H
#define LANG_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "lang/lang.h"

enum tok {
	TOK_EOF,
	TOK_ERROR, /* reported already */
	TOK_NUM,
	TOK_STR,
	TOK_IDENT,
	TOK_AGG,   /* s is the name without @ */
	TOK_PSPEC, /* probe description, macros not replaced */
	TOK_EPRED, /* / that ends a predicate */
#define KEYWORD(name, text, decl) TOK_##name,
#define SIGN(name, text)	  TOK_##name,
#include "lang/token.def"
	TOK_MAX
};

enum lex_state { LEX_CLAUSE, LEX_EXPR };

struct token {
	enum tok kind;
	struct loc loc;
	const char *text; /* in the source, for messages */
	unsigned int textlen;
	const char *s;	  /* IDENT, AGG, PSPEC: interned; STR: bytes */
	unsigned int len; /* STR */
	uint64_t val;	  /* INT */
	struct type *type;
	bool is_char; /* NUM that was a character constant */
};

struct lexer {
	struct lang *lang;
	const struct source *src;
	const char *p, *end, *line_start;
	unsigned int line;
	const char *file; /* set by #line */
	bool renumbered;  /* after #line, columns no longer give the position in the text */
	bool is_bol;	  /* only blanks since the start of the line */
	bool only_specs;  /* names outside clauses are never types */
	bool is_quiet;	  /* skipping after an error: reports nothing */
	bool keeps_nl;	  /* prototypes: # does not start a control line */
	enum lang_spec spec;
};

void lex_init(struct lexer *lx, struct lang *l, const struct source *src, enum lang_spec spec);
void lex_next(struct lexer *lx, struct token *t, enum lex_state state);

/*
 * Skip blanks ahead without consuming anything: returns true if TEXT follows, or the next
 * character.
 */
bool lex_ahead(const struct lexer *lx, const char *text);
char lex_peek(const struct lexer *lx);

/* Returns the text of one macro ("1", "$1", "target") for a probe description; NULL: undefined. */
const char *lex_macro_text(struct lang *l, const char *name, unsigned int len);

/* Sets value and type of an integer constant.  Returns false with *tag and *msg set. */
bool lex_number(struct lang *l, const char *s, unsigned int n, uint64_t *val, struct type **type,
		enum diag_tag *tag, const char **msg);

const char *lex_tok_text(enum tok kind);

#endif
