/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dialect.h: differences between implementations of D (option dialect).  All of them are rows of
 * dialect.def.  Code tests a row, never the dialect.
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

/* Returns true if the dialect differs from the reference in this row. */
bool dialect_has(enum dialect d, enum dialect_row row);

/* Returns the tag with which the dialect reports an error. */
enum diag_tag dialect_tag(enum dialect d, enum diag_tag tag);

/* Finds a dialect by name, in any case; NULL is the default.  Returns false if there is none. */
bool dialect_parse(const char *name, enum dialect *d);

#endif
