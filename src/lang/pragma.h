/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pragma.h: control lines.
 */
#ifndef LANG_PRAGMA_H
#define LANG_PRAGMA_H

#include "lang/lex.h"

/* Processes one control line, without its # and newline. */
void pragma_line(struct lexer *lx, const char *text, size_t n, struct loc loc);

/* Reports attributes and bindings whose identifier never appeared. */
bool pragma_finish(struct lang *l);

#endif
