/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dialect.h: whose D is spoken (option dialect).  The rows of dialect.def are all there is to it:
 * code asks for a row, never for the dialect.
 */
#ifndef BASE_DIALECT_H
#define BASE_DIALECT_H

#include <stdbool.h>

#include "base/diag.h"

enum dialect_row {
#define DIALECT(row, doc) DIALECT_##row,
#include "base/dialect.def"
	DIALECT_MAX
};

/* Does the dialect differ from the reference in this? */
bool dialect_has(enum dialect d, enum dialect_row row);

/* The tag under which the dialect reports an error. */
enum diag_tag dialect_tag(enum dialect d, enum diag_tag tag);

/* The dialect of a name, in any case; NULL is the default.  False: there is none of that name. */
bool dialect_parse(const char *name, enum dialect *d);

#endif
