/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ast.h: D programs as trees.  The parser builds them.  The checker fills in the fields marked (c)
 * and rewrites nothing else, except that it copies a clause for each of its probe descriptions.
 * After checking a tree is immutable.  The lowering reads it once per probe group.
 */
#ifndef LANG_AST_H
#define LANG_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct buf;
struct type;
struct fmt;

enum expr_kind {
	EXPR_INT,      /* integer or character constant; also folded constants */
	EXPR_STR,      /* string literal */
	EXPR_IDENT,    /* variable, built-in, inline, kernel symbol; (c) ident */
	EXPR_AGG,      /* @name or @name[keys] */
	EXPR_UNARY,    /* op x; also ++ and -- */
	EXPR_BINARY,   /* x op y, incl. && || ^^ and the comma */
	EXPR_ASSIGN,   /* x op y with op = += ... */
	EXPR_COND,     /* x ? y : z */
	EXPR_CALL,     /* name(args); (c) ident */
	EXPR_MEMBER,   /* x.name, x->name; (c) member or xlator */
	EXPR_INDEX,    /* x[args] */
	EXPR_CAST,     /* (type) x */
	EXPR_SIZEOF,   /* (c) becomes EXPR_INT */
	EXPR_OFFSETOF, /* (c) becomes EXPR_INT */
	EXPR_STRINGOF,
	EXPR_XLATE, /* xlate <type> (x) */
};

enum expr_op {
	OP_NONE,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHL,
	OP_SHR,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_LAND,
	OP_LOR,
	OP_LXOR,
	OP_COMMA,
	OP_NEG,
	OP_PLUS,
	OP_BITNOT,
	OP_NOT,
	OP_DEREF,
	OP_ADDROF,
	OP_PREINC,
	OP_PREDEC,
	OP_POSTINC,
	OP_POSTDEC,
};

/* Units of values.  MEASURE_ANY: constants, and variables without an assignment. */
enum measure {
	MEASURE_ANY,
	MEASURE_UNKNOWN,
	MEASURE_NS,
	MEASURE_US,
	MEASURE_MS,
	MEASURE_S,
	MEASURE_BYTES
};

/* Maximum number of levels of an expression.  Functions that walk expressions are recursive. */
#define EXPR_HEIGHT_MAX 4096

/* Maximum number of parameters of an inline. */
#define LANG_PARAMS_MAX 16

struct expr {
	enum expr_kind kind;
	enum expr_op op; /* EXPR_ASSIGN: OP_NONE for plain = */
	struct loc loc;
	struct expr *x, *y, *z;
	struct expr **args; /* CALL arguments, INDEX and AGG keys */
	unsigned int nargs;
	const char **texts;	/* AGG: keys as written, on one line (interned) */
	const char *name;	/* IDENT, AGG, CALL, MEMBER (interned); STR: the bytes */
	unsigned int len;	/* STR: length without the NUL */
	uint64_t val;		/* INT */
	bool is_typed;		/* INT: the user wrote the number, in the program or as $1 */
	struct typename *tname; /* CAST, SIZEOF (type), OFFSETOF, XLATE; NULL otherwise */
	bool is_arrow;		/* MEMBER */
	bool is_self, is_this;	/* IDENT */
	unsigned int height;	/* levels of operands below the expression, as parsed */

	/* filled in by the checker */
	struct type *type;	       /* type of the value; never NULL after checking */
	struct ident *ident;	       /* IDENT, AGG, CALL; INDEX of an associative array */
	uint64_t bit_off;	       /* MEMBER: from the start of the structure */
	unsigned int bits;	       /* MEMBER: bit-field width, 0 if none */
	const struct type_step *steps; /* MEMBER: to the virtual base class that has it; or NULL */
	/*
	 * translator that makes the value, a translated object (pointer or struct form), from xsrc
	 */
	struct xlator *xlator;
	/* source expression of the translated object (native argument: EXPR_INDEX of args) */
	struct expr *xsrc;
	struct xmember *xmember;
	/*
	 * translated object used as a structure: all members that its translator defines, in order
	 */
	struct expr **whole;
	struct fmt *fmt; /* printf-like CALLs: the parsed format */
	bool is_lvalue, is_writable;
	bool is_call;	    /* INDEX of an inline that was written as a call */
	bool is_native_arg; /* INDEX of args[]: val is the *native* argument number to read */
};

/* A type as written.  The parser resolves it as soon as it is complete. */
struct typename
{
	struct loc loc;
	struct type *type;
};

enum stmt_kind {
	STMT_EXPR,
	STMT_IF,     /* only before checking: see struct part */
	STMT_RETURN, /* sites only: the native arguments */
};

struct stmt {
	enum stmt_kind kind;
	struct loc loc;
	struct expr *expr; /* EXPR; IF: condition */
	struct stmt *then_body, *else_body;
	struct expr **args; /* RETURN */
	unsigned int nargs;
	bool is_destructive; /* (c) EXPR: calls a destructive function */
	unsigned int action; /* number in the clause if the clause was split; 0: the next number */
	bool is_there;	     /* hosted clause: runs where the clause fires */
	struct stmt *next;
};

/*
 * Identifiers.  There are four name spaces: globals (with functions, inlines, built-ins), self,
 * this, @.
 */
enum ident_kind {
	IDENT_GLOBAL,
	IDENT_SELF,
	IDENT_THIS, /* variables; is_assoc: associative arrays */
	IDENT_AGG,
	IDENT_BUILTIN, /* built-in variable: row */
	IDENT_FUNC,    /* subroutine: row */
	IDENT_ACTION,
	IDENT_AGGFUNC,
	IDENT_INLINE, /* expr, params */
	IDENT_KSYM,   /* kernel symbol: addr */
	IDENT_USYM,   /* address of a variable of the traced process */
	IDENT_ENUM,   /* enumerator; uses become EXPR_INT */
	IDENT_PARAM,  /* parameter of an inline or a translator; bound when that is expanded */
	IDENT_NATIVE, /* native argument named in a site: bound by the lowering */
};

/* Cost of an expression that a name stands for, at each use of the name. */
struct expr_size {
	double n; /* operators and operands, with names replaced by their definitions */
	double per[LANG_PARAMS_MAX]; /* number of uses of each parameter */
	unsigned int height;	     /* levels of operators */
};

struct ident {
	enum ident_kind kind;
	const char *name;
	struct loc loc;	   /* first mention */
	unsigned int id;   /* number within its kind, from 0, in order of first mention */
	struct type *type; /* NULL until fixed; assoc: of the elements; function: return type */
	bool is_assoc, is_library;
	enum measure measure; /* variables: of the assigned values */
	bool is_read;	      /* (plan) an enabled clause reads it */
	bool is_hosted;	      /* kept at the host, see hosted.c */
	bool is_of_firing;    /* at the host: a clause-local that the clauses of a firing share */
	/* fault that evaluating this sent value had, or 0; on the fault, the value; else NULL */
	struct ident *fault;
	struct type **keys; /* assoc, AGG: key types; parameterised inline: parameters */
	unsigned int nkeys;
	unsigned int nopt; /* FUNC: number of last parameters that may be left out */
	bool is_variadic;  /* FUNC */
	bool keys_known;
	const struct lang_row *row; /* BUILTIN, FUNC, ACTION, AGGFUNC */
	struct expr *expr;	    /* INLINE */
	struct ident **params;	    /* INLINE */
	struct expr_size *size;	    /* (c) INLINE */
	/* INLINE of a program: the library's inline that it hides, or NULL */
	struct ident *hides;
	uint64_t addr;			 /* KSYM, USYM; goid(): struct lang_goroutine, places */
	uint32_t pid;			 /* USYM, goid(): the process */
	bool is_percpu;			 /* KSYM: each CPU has its own */
	const struct lang_row *agg_func; /* AGG */
	uint64_t agg_param;		 /* AGG: parameters in one word (check_agg.c) */
	bool agg_is_signed;		 /* AGG: an update has a value of a signed type */
	struct attr_ *attr;
	const char *version; /* #pragma D binding: hidden by an older option version; or NULL */
};

struct xmember {
	const char *name;
	struct expr *expr;
	struct type *type; /* declared type of the member in the output type */
	uint64_t bit_off;
	unsigned int bits;
	bool checked;
	struct expr_size *size; /* (c) */
	/* (c) the least stable thing it uses; NULL: everything is stable */
	const struct attr_ *attr;
};

struct xlator {
	struct loc loc;
	struct type *out, *in; /* out: struct or typedef of one; in: as written (often a pointer) */
	struct ident *param;
	struct xmember *members;
	unsigned int nmembers;
	const char *version; /* #pragma D binding, or NULL */
	struct xlator *next;
};

/*
 * [target:]provider:module:function:name.  Each field can be a pattern.  NULL or "" matches
 * everything, except that a target of NULL or "" is the host alone.
 */
struct pdesc {
	const char *target;
	const char *prov, *mod, *func, *name;
	uint32_t id; /* probe id instead, 0 if none */
	struct loc loc;
};

/*
 * A straight piece of a clause with if statements.  A part runs if all its guards hold.  It either
 * computes a condition into the hidden variable cond_var, or runs stmts.  A clause without if has
 * one part without guards.
 */
struct guard {
	unsigned int cond_var;
	bool want;
};

struct part {
	struct guard *guards;
	unsigned int nguards;
	struct expr *cond;   /* not NULL: hidden variable cond_var = (cond != 0), no stmts */
	unsigned int action; /* see struct stmt */
	unsigned int cond_var;
	struct stmt *stmts;
	bool records; /* (c) has data-recording actions, or no statements at all */
	bool has_speculate, has_exit, has_destructive;
};

struct clause {
	struct loc loc;
	struct pdesc *descs; /* parsed: all; checked: exactly one */
	unsigned int ndescs;
	struct expr *pred;		     /* NULL: none */
	struct stmt *body;		     /* NULL: empty */
	bool is_enabled, is_checked, is_bad; /* library clauses, set by the session */
	bool is_library;
	/* clause of the ERROR probe, if hosted.c has to treat it differently */
	bool is_error;
	bool is_hosted; /* runs at the host, see hosted.c */
	/*
	 * hosted: values sent for it, in order; one with a row is a built-in variable of the probe
	 */
	struct ident **sent;
	struct expr **values; /* values to send of an ERROR clause, in the clause where it fires */
	unsigned int nsent, nvalues;
	bool is_elsewhere; /* (c) for other targets, which report its errors */

	/* sites: `site TARGET from DESC [for (thread)] /pred/ { ...; return (a, b); }
	 * [and from DESC ...] [else from DESC ...]` */
	struct pdesc *site_of;	  /* NULL: an ordinary clause */
	struct expr *thread;	  /* thread of the firing; NULL: the current thread */
	struct clause *site_and;  /* next site of this alternative */
	struct clause *site_else; /* first site of an alternative: the next alternative */

	struct part *parts; /* (c) */
	unsigned int nparts, ncond_vars;
	unsigned int id;    /* (c) number in the session, from 0 */
	const void *probes; /* (c) result of env->match for the description */
	const void *split; /* probes, if the description has others with other arguments; or NULL */
	struct clause *next;
	const char *text; /* (c) text of the description as written, or NULL */
	/* (c) least stable thing that is named, used; NULL: all stable */
	struct attr_ *desc_attr, *stmt_attr;
};

/* Declared argument of a probe. */
struct probe_param {
	struct type *type;
	const char *name; /* NULL: none */
	const char *text; /* type as written in the declaration */
};

struct probe_decl {
	struct loc loc;
	const char *mod, *func; /* "": none, the usual case */
	const char *name;	/* published: "__" has become "-" */
	struct probe_param *native, *xlated;
	unsigned int nnative, nxlated;
	unsigned int *map; /* xlated[i] comes from native[map[i]] */
	struct probe_decl *next;
};

struct provider_decl {
	struct loc loc;
	const char *name;
	struct probe_decl *probes;
	const char **attrs; /* stability of provider, module, function, name, args */
	bool is_library;
	struct provider_decl *next;
};

/* A compiled source. */
struct program {
	struct clause *clauses;
	struct provider_decl *providers;
	bool has_content; /* a clause or a declaration */
};

/* Text of a tree, one node per line, indented (-xdump=parse, -xdump=check). */
void ast_print(struct buf *out, const struct program *p);

/* The clauses of a checked program as D text, if statements as clauses with predicates (-d). */
void ast_source(struct buf *out, const struct program *p);

/* Return the text of an operator, or append a string literal.  For the files of lang/. */
const char *ast_op(enum expr_op op);
void ast_quoted(struct buf *out, const char *s, unsigned int len);

#endif
