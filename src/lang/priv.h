/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: what the files of the front end share: the session, names, and the checker's context.
 */
#ifndef LANG_PRIV_H
#define LANG_PRIV_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "lang/check.h"
#include "lang/lang.h"
#include "lang/lex.h"
#include "type/type.h"

struct nearest;

struct attr_ {
	unsigned char name, data, cls; /* index of the words in stab.c */
};

/* #pragma D attributes or binding for a name that does not exist yet. */
struct pending {
	const char *name;
	struct loc loc;
	struct attr_ *attr;  /* NULL: a binding */
	const char *version; /* of a binding */
	const char *text;    /* of a provider: the attributes */
	int part;	     /* and what of it has them, an index of provider_decl.attrs */
	bool is_used;
	struct pending *next;
};

enum { SCOPE_GLOBAL, SCOPE_SELF, SCOPE_THIS, SCOPE_AGG, SCOPE_MAX };

struct lang {
	struct arena *arena;
	struct intern *names;
	struct types *types;
	struct diags *diags;
	const struct lang_env *env;
	struct map *scopes[SCOPE_MAX]; /* name -> ident */
	struct map *rows;	       /* name -> row not yet entered */
	struct map
	    *externs; /* name -> ident: declared symbols, found if nothing else has the name */
	struct ident *args;			     /* args[], which xlate.c makes */
	VEC(struct ident *) lists[IDENT_NATIVE + 1]; /* by kind, in order */
	VEC(const struct expr *) stacks;	     /* calls of stack() and its like */
	struct xlator *xlators, **xlators_end;
	struct provider_decl *providers;
	struct pending *pending;
	const char *xlator_version; /* binding of the translator that comes next, or NULL */
	unsigned int nclauses;
	bool last_arg_used;
	struct map *missed[SCOPE_MAX]; /* see missed.c; NULL: none of this scope */
	bool is_consequence;	       /* the last unknown name is one of those */
	bool in_library;
	unsigned int in_proto; /* reading the prototype of a row */
};

/* ---- names.c ---- */

/* A name of a scope; rows of built-in names are entered when first found.  NULL: none. */
struct ident *names_find(struct lang *l, int scope, const char *name);

/* The same for a name that is called: extensions, too, which give way to all others. */
struct ident *names_find_call(struct lang *l, const char *name);

/* The row of a built-in name that is not entered yet, and no extension; NULL: none. */
const struct lang_row *names_row(struct lang *l, const char *name);

/* Enter a new name.  Reports D_ID_OFLOW. */
struct ident *names_add(struct lang *l, enum ident_kind kind, const char *name, struct loc loc);

/* An ident that is in no scope (parameters). */
struct ident *names_param(struct lang *l, const char *name, struct type *type, struct loc loc);

/* Declare a variable: kind and type of storage; checks against what is there. */
struct ident *names_declare(struct lang *l, enum ident_kind kind, const char *name,
			    struct type *type, struct type **keys, unsigned int nkeys,
			    bool is_assoc, struct loc loc);

/* "; did you mean X?", or nothing: for a name of a scope. */
const char *names_nearest(struct lang *l, int scope, const char *name);

/* ---- missed.c ---- */

/* A name that is not defined because of an error; all that a clause with an error would define. */
void missed_name(struct lang *l, int scope, const char *name);
void missed_clause(struct lang *l, const struct expr *pred, const struct stmt *body);
void missed_free(struct lang *l);

/* For an error about an unknown name: what was meant; says in is_consequence whether it was missed.
 */
const char *missed_or_meant(struct lang *l, int scope, const char *name);

/* ---- names.c ---- */

/* The scope that a name in an expression belongs to. */
int expr_scope(const struct expr *e);

/* "a function", "a D variable" ... */
const char *names_kind(const struct ident *id);

/* Text of an option; NULL: unset. */
const char *lang_option(struct lang *l, const char *name);

/* Does option version hide what came with this version (NULL: the first) from a program? */
bool lang_is_too_new(struct lang *l, const char *version);

/* C text of a type, in the arena. */
const char *lang_type(struct lang *l, const struct type *t);

/* ---- copy.c ---- */

struct expr *expr_new(struct lang *l, enum expr_kind kind, struct loc loc);
struct expr *expr_int(struct lang *l, struct loc loc, uint64_t val, struct type *t);
struct expr *expr_copy(struct lang *l, const struct expr *e);
struct stmt *stmt_copy(struct lang *l, const struct stmt *s);

/* The tree of a checked expression with parameters replaced by expressions. */
struct expr *expr_subst(struct lang *l, const struct expr *e, struct ident *const *params,
			struct expr *const *repl, unsigned int n);

/* ---- parse_*.c ---- */

/* Prototype of a row: fills in type, keys, nopt of the ident.  False: it makes no sense here. */
bool parse_proto(struct lang *l, struct ident *id, const char *proto);

/* ---- the checker ---- */

enum check_want { CHECK_VALUE, CHECK_STMT };

struct check {
	struct lang *l;
	struct clause *clause;	/* NULL: outside of clauses */
	struct lang_args *args; /* NULL: no args[] here */
	struct part *part;	/* whose actions are checked */
	bool seen_commit, seen_speculate, seen_data;
	bool has_destructive_call;	/* in the current statement */
	const struct expr *addressed;	/* the operand of & */
	const struct expr *misplaced;	/* the first action or translated pointer used as a value */
	struct attr_ *attr, *desc_attr; /* the least stable thing met, NULL: all stable */
	const struct attr_ *amin;	/* what has to be reached, NULL: nothing */
};

/*
 * A clause is checked in two passes: all expressions get their types, children before parents; then
 * the actions are looked at, in the order of the program.  While types are found an action is of
 * type void, and that it stands where a value belongs is an error of the second pass.
 *
 * check_expr.c: all return false after having reported an error.
 */
bool check_expr(struct check *ck, struct expr *e);
bool check_operand(struct check *ck, struct expr *e);		   /* notes what has no value */
void check_note_misplaced(struct check *ck, const struct expr *e); /* if it has none */
bool check_misplaced(struct check *ck);				   /* reports what was noted */
/* Of an expression that is checked: compares the types and converts; silent. */
bool check_init_value(struct lang *l, struct expr **e, struct type *to);
bool check_init(struct check *ck, struct expr **e, struct type *to, struct loc loc);

/* check_op.c */
bool check_unary(struct check *ck, struct expr *e);
bool check_binary(struct check *ck, struct expr *e);
bool check_assign(struct check *ck, struct expr *e);
bool check_cond(struct check *ck, struct expr *e);
bool check_cast(struct check *ck, struct expr *e);
struct expr *check_convert(struct lang *l, struct expr *e, struct type *to);
bool check_is_zero(const struct expr *e);
bool check_is_truth(const struct type *t); /* scalars, and stacks: is there one? */
void check_set_int(struct expr *e, uint64_t val, struct type *t);

/* check_ref.c: names, members, indexes */
bool check_ident(struct check *ck, struct expr *e);
bool check_index(struct check *ck, struct expr *e);
bool check_member(struct check *ck, struct expr *e);
bool check_keys(struct check *ck, struct expr *e, struct ident *id, const char *what);
bool check_assign_target(struct check *ck, struct expr *e, struct expr *val);

/* check_call.c */
bool check_call(struct check *ck, struct expr *e);
bool check_proto(struct check *ck, struct expr *e, const struct ident *id);
bool check_param(struct lang *l, const struct type *want, const struct expr *e);

/* check_agg.c */
bool check_agg_assign(struct check *ck, struct expr *e); /* its types */
bool check_agg_action(struct check *ck, struct expr *e); /* its function */
bool check_agg_ref(struct check *ck, struct expr *e);

/* check_act.c */
bool check_action_types(struct check *ck, struct expr *e);
bool check_is_key_action(const struct expr *e); /* stack(), sym() ...: also values */
bool check_is_action(const struct expr *e);	/* and no value, as stack() is */
bool check_stmt_types(struct check *ck, struct stmt *s);
bool check_stmt(struct check *ck, struct stmt *s);

/* xlate.c */
bool xlate_define(struct lang *l, struct xlator *x);
struct xlator *xlate_find(struct lang *l, struct type *out, struct type *in);
bool check_xlate(struct check *ck, struct expr *e);
bool xlate_member(struct check *ck, struct expr *e);
bool xlate_whole(struct check *ck, struct expr *e);
bool xlate_args(struct check *ck, struct expr *e);

/* provider.c */
bool provider_define(struct lang *l, struct provider_decl *p);
struct probe_decl *provider_find(const struct provider_decl *pv, const char *mod, const char *func,
				 const char *name); /* NULL: none */
enum lang_target lang_target(struct lang *l, const char *pattern);
struct probe_decl *provider_probe(struct lang *l, const struct pdesc *d); /* NULL: none */

/* size.c */
bool size_check(struct lang *l, const struct expr *e); /* false: the error is reported */
struct expr_size *size_named(struct lang *l, const struct expr *e, struct ident *const *params,
			     unsigned int nparams);

/* split.c */
void split_clause(struct lang *l, struct clause *c);

/* stab.c */
bool stab_parse(const char *text, size_t n, struct attr_ *a);
void stab_use(struct check *ck, const struct attr_ *a);
void stab_use_probe(struct check *ck, unsigned int field); /* 0 provider ... 3 name, 4 args */
void stab_use_kernel(struct check *ck);
void stab_description(struct check *ck, const struct pdesc *d);
void stab_begin(struct check *ck); /* before types: amin */
bool stab_check(struct check *ck, struct loc loc);
const struct attr_ *stab_of(struct lang *l, struct ident *id);

#endif
