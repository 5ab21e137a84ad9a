/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h: for the checks that built-in names bring along.  They run when all types of the clause
 * are known and the number of arguments is right, and return false after having reported an error.
 */
#ifndef LANG_CHECK_H
#define LANG_CHECK_H

#include "base/diag.h"
#include "lang/ast.h"

struct check;

/* Where errors go; its dialect is the program's. */
struct diags *check_diags(const struct check *ck);

/* An error of a call: "NAME( ) TEXT". */
bool check_error(struct check *ck, const struct expr *call, enum diag_tag tag, const char *text);

/* Argument i of an aggregating function is an integer constant, which messages call so. */
bool check_constant(struct check *ck, struct expr *call, unsigned int i, enum diag_tag tag,
		    const char *what, int64_t *val);

#endif
