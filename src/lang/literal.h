/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * literal.h: string and character constants, integer constants, macros.
 */
#ifndef LANG_LITERAL_H
#define LANG_LITERAL_H

#include "lang/lex.h"

struct arena;

/*
 * Returns the bytes of a string constant.  *p starts at the first quote and ends after the last.
 * Sets *msg on error.
 */
const char *literal_string(struct arena *a, const char **p, const char *end, unsigned int *len,
			   enum diag_tag *tag, const char **msg);

/* Returns the value of a character constant. */
uint64_t literal_char(const char **p, const char *end, enum diag_tag *tag, const char **msg);

/* Sets T to the token that a macro stands for.  lx->p is at the $. */
void macro_token(struct lexer *lx, struct token *t, enum diag_tag *tag, const char **msg);

#endif
