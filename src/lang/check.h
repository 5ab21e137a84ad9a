/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h: building blocks for the checks of built-in names.  Such a check runs when the number of
 * arguments is right and their types are known.  Checks of actions and aggregating functions run
 * when all types of the clause are known.
 * Functions that return bool return false after they have reported an error.  Arguments count from
 * 0.
 */
#ifndef LANG_CHECK_H
#define LANG_CHECK_H

#include "base/diag.h"
#include "lang/ast.h"

struct check;
struct types;

/* Returns the collector of errors.  Its dialect is the program's. */
struct diags *check_diags(const struct check *ck);
struct types *check_types(const struct check *ck);

/* Returns the C text of a type. */
const char *check_type_text(const struct check *ck, const struct type *t);

/* Returns the text of an option, or NULL if it is unset. */
const char *check_option(const struct check *ck, const char *name);

/* Reports an error of a call as "NAME( ) TEXT".  Returns false. */
bool check_error(struct check *ck, const struct expr *e, enum diag_tag tag, const char *text);

/* Checks that the number of arguments lies in [min, max]. */
bool check_nargs(struct check *ck, const struct expr *e, unsigned int min, unsigned int max,
		 enum diag_tag tag);

/* Returns the tag for a wrong argument.  has_type says that its type is right. */
enum diag_tag check_arg_tag(const struct check *ck, bool has_type, enum diag_tag tag);

/* Checks that argument i, if present, is a positive integer constant. */
bool check_positive(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag);

/* Check that argument i is a scalar, or an aggregation with a function. */
bool check_scalar(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag);
bool check_agg(struct check *ck, struct expr *e, unsigned int i, enum diag_tag not_agg,
	       enum diag_tag bad);

/*
 * Checks that the functions of the clause's probes can be made to return argument 0, and marks
 * them.
 */
bool check_returns(struct check *ck, struct expr *e);

/*
 * Checks that argument 0 is a value of any type, stack() and similar actions included.  The tags
 * are for an aggregation, void and a translated pointer, in this order.
 */
bool check_value(struct check *ck, struct expr *e, const enum diag_tag tags[3]);

/* Checks that argument 0 is a format for the later arguments.  Sets e->fmt to the parsed format. */
bool check_fmt(struct check *ck, struct expr *e, bool may_be_empty);

/* Does the same as check_fmt for the keys of an aggregation. */
bool check_fmt_agg(struct check *ck, struct expr *e, const struct ident *agg);

/*
 * Checks that argument i of an aggregating function is an integer constant, and sets *val.
 * Argument 0 is the value.  Messages call argument i WHAT.
 */
bool check_constant(struct check *ck, struct expr *call, unsigned int i, enum diag_tag tag,
		    const char *what, int64_t *val);

/* A call of goid(): its identifier gets the values of struct lang_goroutine. */
bool check_goroutine(struct check *ck, struct expr *e);

#endif
