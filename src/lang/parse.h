/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.h: state of the parser, which is recursive descent with one token of lookahead, p->t.
 * After an error p->failed is set and every function returns at once.  parse_prog.c resynchronises.
 */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "lang/priv.h"

/* Limit of nested parentheses, operators, declarators and statements.  It bounds the recursion. */
#define PARSE_DEPTH_MAX 512

/* Levels that a nested structure counts for. */
#define PARSE_DEPTH_STRUCT 4

struct parser {
	struct lang *l;
	struct lexer lx;
	struct token t; /* the current token */
	bool failed;
	bool in_site;	     /* return is a statement */
	unsigned int depth;  /* current nesting */
	unsigned int braces; /* open braces, for resynchronising */
};

/* Storage classes as written. */
enum parse_class {
	CLASS_NONE,
	CLASS_TYPEDEF,
	CLASS_EXTERN,
	CLASS_STATIC,
	CLASS_AUTO,
	CLASS_REGISTER,
	CLASS_SELF,
	CLASS_THIS,
};

struct parse_spec {
	struct loc loc;
	enum parse_class cls;
	struct type *type;
	unsigned int quals; /* TYPE_CONST, TYPE_VOLATILE; type has them at the end */
	bool is_tag;	    /* declares a struct, union or enum: may stand alone */
	bool is_userland;
};

struct parse_param {
	struct loc loc;
	const char *name; /* NULL: none */
	struct type *type;
	const char *text; /* type as written */
	bool is_optional; /* [type]: prototypes of rows only */
};

struct parse_params {
	VEC(struct parse_param) list;
	bool is_variadic;
};

struct parse_decl {
	struct loc loc;
	const char *name;  /* NULL: abstract */
	struct type *type; /* assoc: of the elements; function: the function type */
	bool is_assoc, is_func, is_null_array;
	bool is_userland;	  /* all pointers refer to memory of the process */
	struct parse_params keys; /* of is_assoc, parameters of is_func */
};

/* Tells whether a declarator must, may, or must not have a name. */
enum parse_named { PARSE_NAMED, PARSE_MAYBE, PARSE_ABSTRACT };

void parse_next(struct parser *p, enum lex_state state);
bool parse_accept(struct parser *p, enum tok kind);
bool parse_expect(struct parser *p, enum tok kind);
/* reports a syntax error near the current token; returns false */
bool parse_syntax(struct parser *p);
bool parse_error(struct parser *p, struct loc loc, enum diag_tag tag, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* parse_expr.c */
struct expr *parse_expr(struct parser *p);
struct expr *parse_assign(struct parser *p);
/*
 * Parses an integer constant.  Values above INT64_MAX become INT64_MAX, which is too large for
 * every use.  Returns false without a message if there is no constant.  An error within a constant
 * is reported.
 */
bool parse_const(struct parser *p, int64_t *val);

/* parse_type.c, parse_decl.c */
bool parse_is_type(struct parser *p); /* true if the current token starts a type name */
bool parse_qualifier(struct parser *p, unsigned int *quals); /* skips a qualifier and notes it */
bool parse_specs(struct parser *p, struct parse_spec *s, bool in_decl);
bool parse_declarator(struct parser *p, const struct parse_spec *s, enum parse_named named,
		      struct parse_decl *d);
void parse_decl_free(struct parse_decl *d);
bool parse_param_list(struct parser *p, enum tok close, struct parse_params *ps);
struct typename *parse_typename(struct parser *p);
bool parse_declaration(struct parser *p);
bool parse_scoped(struct parser *p, const char *name, struct loc loc); /* reports D_DECL_SCOPE */

/* parse_top.c */
bool parse_inline(struct parser *p);
bool parse_translator(struct parser *p);
bool parse_provider(struct parser *p, struct program *prog);

#endif
