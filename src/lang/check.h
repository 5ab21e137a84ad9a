/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h: for the checks that built-in names bring along.  They run when the number of arguments
 * is right and their types are known; those of actions and aggregating functions, when the types of
 * the whole clause are.  Like all that is here they return false after having reported an error.
 * Arguments are counted from 0.
 */
#ifndef LANG_CHECK_H
#define LANG_CHECK_H

#include "base/diag.h"
#include "lang/ast.h"

struct check;
struct types;

/* Where errors go; its dialect is the program's. */
struct diags *check_diags(const struct check *ck);
struct types *check_types(const struct check *ck);

/* C text of a type. */
const char *check_type_text(const struct check *ck, const struct type *t);

/* Text of an option; NULL: unset. */
const char *check_option(const struct check *ck, const char *name);

/* An error of a call: "NAME( ) TEXT". */
bool check_error(struct check *ck, const struct expr *e, enum diag_tag tag, const char *text);

/* The number of arguments. */
bool check_nargs(struct check *ck, const struct expr *e, unsigned int min, unsigned int max,
		 enum diag_tag tag);

/* The tag of an argument that is not what it should be; has_type: but its type is right. */
enum diag_tag check_arg_tag(const struct check *ck, bool has_type, enum diag_tag tag);

/* Argument i, if it is there, is a positive integer constant. */
bool check_positive(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag);

/* Argument i is a scalar; an aggregation to which something was assigned. */
bool check_scalar(struct check *ck, struct expr *e, unsigned int i, enum diag_tag tag);
bool check_agg(struct check *ck, struct expr *e, unsigned int i, enum diag_tag not_agg,
	       enum diag_tag bad);

/* The functions of the clause's probes can be made to return argument 0, and will. */
bool check_returns(struct check *ck, struct expr *e);

/* Argument 0 is a value of any type, stack() and its like included; the tags are those for an
 * aggregation, void, a translated pointer. */
bool check_value(struct check *ck, struct expr *e, const enum diag_tag tags[3]);

/* Argument 0 is a format for those behind it; e->fmt becomes the parsed one. */
bool check_fmt(struct check *ck, struct expr *e, bool may_be_empty);

/* The same for the keys of an aggregation. */
bool check_fmt_agg(struct check *ck, struct expr *e, const struct ident *agg);

/* Argument i of an aggregating function, whose value is number 0, is an integer constant, which
 * messages call so. */
bool check_constant(struct check *ck, struct expr *call, unsigned int i, enum diag_tag tag,
		    const char *what, int64_t *val);

/* A call of goid(): its identifier gets what struct lang_goroutine says. */
bool check_goroutine(struct check *ck, struct expr *e);

#endif
