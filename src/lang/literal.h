/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * literal.h: string and character constants, integer constants, macros.
 */
#ifndef LANG_LITERAL_H
#define LANG_LITERAL_H

#include "lang/lex.h"

struct arena;

/* Returns the bytes of a string constant, whose text has quotes. */
const char *literal_string(struct arena *a, const char *text, unsigned int textlen,
			   unsigned int *len);

/* Returns the value of a character constant, whose text has quotes.  Sets *tag and *msg on error.
 */
uint64_t literal_char(const char *text, unsigned int textlen, enum diag_tag *tag, const char **msg);

/* Sets T, a macro as written, to the token that it stands for.  Sets *tag and *msg on error. */
void macro_token(struct lexer *lx, struct token *t, enum diag_tag *tag, const char **msg);

#endif
