/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * priv.h: definitions that only the files of the front end share: the session, names, and the
 * checker's context.
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
	int part;	     /* part that has them, an index of provider_decl.attrs */
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
	struct map *externs;	       /* name -> ident: declared symbols, found last */
	struct ident *args;	       /* args[], made by xlate.c */
	VEC(struct ident *) lists[IDENT_NATIVE + 1]; /* by kind, in order */
	VEC(const struct expr *) stacks;	     /* calls of stack() and similar actions */
	struct xlator *xlators, **xlators_end;
	struct provider_decl *providers;
	struct pending *pending;
	const char *xlator_version; /* binding of the next translator, or NULL */
	unsigned int nclauses;
	bool last_arg_used;
	struct map *missed[SCOPE_MAX]; /* see missed.c; NULL: none in this scope */
	bool is_consequence;	       /* the last unknown name is in missed */
	bool in_library;
	unsigned int in_proto; /* nesting of prototypes being read */
};

/* ---- names.c ---- */

/*
 * Returns the ident of a name in a scope, or NULL.  Enters a row of a built-in name on first use.
 */
struct ident *names_find(struct lang *l, int scope, const char *name);

/* Does the same for the name of a call.  This includes extensions, which all other names hide. */
struct ident *names_find_call(struct lang *l, const char *name);

/* Returns the row of a built-in name that is not entered yet and is no extension, or NULL. */
const struct lang_row *names_row(struct lang *l, const char *name);

/* Enters a new name.  Reports D_ID_OFLOW. */
struct ident *names_add(struct lang *l, enum ident_kind kind, const char *name, struct loc loc);

/* Returns an ident that is in no scope (a parameter). */
struct ident *names_param(struct lang *l, const char *name, struct type *type, struct loc loc);

/* Declares a variable of a kind and a type.  Reports conflicts with earlier declarations. */
struct ident *names_declare(struct lang *l, enum ident_kind kind, const char *name,
			    struct type *type, struct type **keys, unsigned int nkeys,
			    bool is_assoc, struct loc loc);

/* Returns "; did you mean X?"  for a name of a scope, or "". */
const char *names_nearest(struct lang *l, int scope, const char *name);

/* ---- missed.c ---- */

/* Note a name that an error left undefined, or all names that a faulty clause would define. */
void missed_name(struct lang *l, int scope, const char *name);
void missed_clause(struct lang *l, const struct expr *pred, const struct stmt *body);
void missed_free(struct lang *l);

/*
 * Returns text about the intended name for an error about an unknown name.  Sets is_consequence if
 * an earlier error left the name undefined.
 */
const char *missed_or_meant(struct lang *l, int scope, const char *name);

/* ---- names.c ---- */

/* Returns the scope of a name in an expression. */
int expr_scope(const struct expr *e);

/* Returns "a function", "a D variable" ... */
const char *names_kind(const struct ident *id);

/* Returns the text of an option, or NULL if it is unset. */
const char *lang_option(struct lang *l, const char *name);

/* Returns true if option version hides names of VERSION (NULL: the first version). */
bool lang_is_too_new(struct lang *l, const char *version);

/* Returns the C text of a type, in the arena. */
const char *lang_type(struct lang *l, const struct type *t);

/* ---- copy.c ---- */

struct expr *expr_new(struct lang *l, enum expr_kind kind, struct loc loc);
struct expr *expr_int(struct lang *l, struct loc loc, uint64_t val, struct type *t);
struct expr *expr_copy(struct lang *l, const struct expr *e);
struct stmt *stmt_copy(struct lang *l, const struct stmt *s);

/* Returns a copy of a checked expression with parameters replaced by expressions. */
struct expr *expr_subst(struct lang *l, const struct expr *e, struct ident *const *params,
			struct expr *const *repl, unsigned int n);

/* ---- parse_*.c ---- */

/*
 * Parses the prototype of a row into type, keys and nopt of the ident.  Returns false if the
 * prototype is wrong.
 */
bool parse_proto(struct lang *l, struct ident *id, const char *proto);

/* ---- the checker ---- */

enum check_want { CHECK_VALUE, CHECK_STMT };

struct check {
	struct lang *l;
	struct clause *clause;	/* NULL: outside of clauses */
	struct lang_args *args; /* NULL: no args[] here */
	struct part *part;	/* part whose actions are checked */
	bool seen_commit, seen_speculate, seen_data;
	bool has_destructive_call;	/* in the current statement */
	const struct expr *addressed;	/* the operand of & */
	const struct expr *misplaced;	/* the first action or translated pointer used as a value */
	struct attr_ *attr, *desc_attr; /* the least stable thing used so far; NULL: all stable */
	const struct attr_ *amin;	/* minimum that option amin sets, or NULL */
};

/*
 * A clause is checked in two passes.  The first gives all expressions their types, children before
 * parents.  The second checks the actions, in the order of the program.  The first pass gives
 * actions type void; the second reports actions used as values.
 *
 * check_expr.c: all functions return false after having reported an error.
 */
bool check_expr(struct check *ck, struct expr *e);
/* notes an operand without a value */
bool check_operand(struct check *ck, struct expr *e);
void check_note_misplaced(struct check *ck, const struct expr *e); /* notes E if it has no value */
bool check_misplaced(struct check *ck);				   /* reports the noted operand */
/* Convert a checked expression to a type.  check_init_value reports nothing. */
bool check_init_value(struct lang *l, struct expr **e, struct type *to);
bool check_init(struct check *ck, struct expr **e, struct type *to, struct loc loc);

/* check_op.c */
bool check_unary(struct check *ck, struct expr *e);
bool check_binary(struct check *ck, struct expr *e);
bool check_assign(struct check *ck, struct expr *e);
bool check_cond(struct check *ck, struct expr *e);
bool check_cast(struct check *ck, struct expr *e);
struct expr *check_convert(struct lang *l, struct expr *e, struct type *to);
struct expr *check_bool(struct lang *l, struct expr *e); /* e != 0, for conversions to bool */
bool check_is_zero(const struct expr *e);
/* A pointer in memory of a process points to memory of the process. */
void check_pointee(struct check *ck, struct expr *e);
bool check_is_truth(const struct type *t); /* scalars and stacks */
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
bool check_agg_assign(struct check *ck, struct expr *e); /* checks its types */
bool check_agg_action(struct check *ck, struct expr *e); /* checks its function */
bool check_agg_ref(struct check *ck, struct expr *e);

/* check_act.c */
bool check_action_types(struct check *ck, struct expr *e);
/* stack(), sym() ...: actions that are also values */
bool check_is_key_action(const struct expr *e);
bool check_is_action(const struct expr *e); /* actions that are no values */
bool check_stmt_types(struct check *ck, struct stmt *s);
bool check_stmt(struct check *ck, struct stmt *s);

/* xlate.c */
void xlate_define(struct lang *l, struct xlator *x);
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
bool size_check(struct lang *l, const struct expr *e); /* returns false after reporting an error */
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
void stab_begin(struct check *ck); /* call before types are checked: reads option amin */
bool stab_check(struct check *ck, struct loc loc);
const struct attr_ *stab_of(struct lang *l, struct ident *id);

#endif
