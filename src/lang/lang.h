/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lang.h: the compiler's front end for its caller.  A session creates one struct lang, gives it the
 * rows of the built-in names and a way to look up probes, then compiles libraries and programs.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "lang/ast.h"

struct arena;
struct agg_desc;
struct agg_ops;
struct check;
struct intern;
struct types;
struct lang;

/* Flags of a row. */
enum {
	LANG_RECORDS = 1, /* action leaves data: the firing is printed */
	LANG_DESTRUCTIVE = 2,
	LANG_KEY = 4, /* action is also a value: an aggregation key, an argument of printf() */
	LANG_EXTENSION =
	    8,		 /* not in the reference: a program may use the name for something else */
	LANG_THERE = 16, /* function of the machine and thread where it is called */
	LANG_OF_PROBE = 32, /* built-in variable of the probe: that of ERROR has others than the
			     * one where the fault was */
};

/* How an action counts in the state of its clause part (d-language.md 7.1). */
enum lang_state {
	LANG_DATA, /* neither before commit() nor after it */
	LANG_NEUTRAL,
	LANG_DISCARD,
	LANG_COMMIT,
	LANG_SPECULATE,
	LANG_EXIT,
};

/* How many arguments, of any type; so many of them after the first are integers, of this type. */
struct lang_nargs {
	unsigned int min, max, nints;
	const char *int_type;
};

/* An aggregating function, as far as it is not code in the kernel; checks are as in lang/check.h.
 */
struct lang_agg {
	const struct agg_ops *ops;
	const char *type; /* of its value, in messages; NULL: int64_t */
	/* The argument that says how often the value counts, which may be left out; 0: none. */
	unsigned int weight_arg;
	/* Pack the constants among the arguments; compare them with those of an earlier use, which
	 * has packed them to something else.  Both may be NULL. */
	bool (*pack)(struct check *ck, struct expr *call, uint64_t *param);
	bool (*match)(struct check *ck, const struct expr *call, uint64_t old, uint64_t now);
};

/* A built-in name.  proto is D text: a declaration of the variable or a prototype, arguments that
 * may be left out in []. */
struct lang_row {
	const char *name;
	enum ident_kind kind;
	const char *proto; /* "uint64_t timestamp", "string substr(const char *, int, [int])" */
	struct lang_nargs nargs; /* without a proto: of an action, an aggregating function */
	unsigned int flags;
	enum lang_state state; /* ACTION */
	/* What more a call wants of its arguments; NULL: nothing.  See lang/check.h. */
	bool (*check)(struct check *ck, struct expr *e);
	const struct lang_agg *agg; /* AGGFUNC */
	const void *impl;	    /* of the owner; NULL: an action that cannot be done */
	const char *attr;	    /* stability "Stable/Stable/Common", NULL: that */
};

/* Argument types of the probes that a description matches. */
struct lang_args {
	unsigned int nprobes; /* 0: the description matches nothing */
	bool is_late;	      /* not asked for yet: env->late_args() */
	bool is_multi;	      /* the probes differ in their arguments: args[] is an error */
	unsigned int nnative;
	struct type **native;
	const char **unreadable; /* why each cannot be read, or NULL; NULL: all can be */
	const char *lacks;	 /* why there are none, or NULL */
	uint64_t places;	 /* equal for probes that have them in the same places */
	unsigned int nxlated;	 /* what args[] indexes */
	struct type **xlated;
	unsigned int *map;    /* xlated[i] is made from native[map[i]] */
	const char *attrs[5]; /* stability of provider, module, function, name, args */
};

struct lang_ksym {
	uint64_t addr;
	struct type *type; /* NULL: unknown */
	bool is_percpu;	   /* each CPU has its own */
};

/* A variable of an object of the traced process. */
struct lang_usym {
	uint64_t addr;
	uint32_t pid;	   /* whose address that is */
	struct type *type; /* NULL: the object has none */
	const char *why;   /* it is not readable: the end of a sentence, or NULL */
};

/* Where the process $target, a Go program, has numbers of goroutines. */
struct lang_goroutine {
	uint32_t pid;
	uint32_t places; /* see rt_goid() */
};

/* An inline with this prefix, kernel_x, takes the place of a kernel symbol `x that does not exist.
 */
#define LANG_STAND_IN "kernel_"

enum lang_target { LANG_NO_TARGET, LANG_OTHER_TARGET, LANG_THIS_TARGET };

struct lang_env {
	void *ctx;
	/* Probes of a description; *handle is kept in clause->probes.  False: the description
	 * itself is bad, *err says why; it may also say why there are no probes. */
	bool (*match)(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		      const char **err);
	/* Whether a pattern names targets, this one among them (NULL: the host).  No function:
	 * there is the host alone. */
	enum lang_target (*find_target)(void *ctx, const char *pattern);
	/* The arguments that are known only when they are asked for (args->is_late). */
	void (*late_args)(void *ctx, const void *handle, struct lang_args *args);
	/* Returns the name of an inline that has to be true for a clause to run, or NULL.  May be
	 * NULL. */
	const char *(*guard)(void *ctx, const void *handle);
	/* Why the functions of matched probes cannot be made to return a value; NULL: they can,
	 * and will.  No function: there are none. */
	const char *(*no_return)(void *ctx, const void *handle);
	/* Set an option from a pragma.  NULL or the reason why not. */
	const char *(*setopt)(void *ctx, const char *name, const char *value);
	/* Current value of an option that compilation depends on: "strsize", "defaultargs",
	 * "argref", "zdefs", "empty", "amin", "version", "pspec", "errtags", "knodefs",
	 * "unodefs". */
	const char *(*getopt)(void *ctx, const char *name);
	/* A kernel symbol.  False: no such symbol, and what more is to be said, or "" (may be
	 * NULL). */
	bool (*ksym)(void *ctx, const char *module, const char *name, struct lang_ksym *res);
	const char *(*no_ksym)(void *ctx, const char *name);
	/* The type of a symbol that ksym() has none for, by debug information; NULL: unknown. */
	struct type *(*debug_type)(void *ctx, const char *module, const char *name);
	/* A variable of an object (a.out, libc.so.6) of the traced process.  Returns false if the
	 * process has no such object.  May be NULL. */
	bool (*usym)(void *ctx, const char *object, const char *name, struct lang_usym *res);
	/* The subroutine goid().  Returns NULL, or why it is not known, as a part of a sentence. No
	 * function: there is no process. */
	const char *(*goroutine)(void *ctx, struct lang_goroutine *res);
	/* Is there such a provider, module, library (for depends_on)? */
	bool (*have)(void *ctx, const char *kind, const char *name);
	/* A program has passed "parse", or "check" too (-x dump); may be NULL. */
	void (*passed)(void *ctx, const char *stage, const struct program *p);
	int64_t target; /* $target */
	/* The number that `pid` has of a process with this number in the PID namespace of dtrace;
	 * may be NULL. */
	int64_t (*host_pid)(void *ctx, int64_t pid);
	bool *asks_target; /* set where a program asks for $target; may be NULL */
	bool has_target;
	const char *progname; /* $0 for text */
	int nargs;	      /* operands */
	char *const *args;    /* $1 is args[0] */
};

struct lang *lang_new(struct arena *a, struct intern *names, struct types *types,
		      struct diags *diags, const struct lang_env *env);
void lang_free(struct lang *l);

/* Enter rows (they are not copied); prototypes are parsed when a name is first used. */
void lang_add_rows(struct lang *l, const struct lang_row *rows, unsigned int n);

/* How the fields of a description on the command line are counted. */
enum lang_spec {
	LANG_SPEC_NONE,
	LANG_SPEC_PROVIDER,
	LANG_SPEC_MODULE,
	LANG_SPEC_FUNCTION,
	LANG_SPEC_NAME,
	LANG_SPEC_ID
};

/*
 * Parse and check one source.  NULL after errors (in diags).  The program's clauses are checked
 * against the environment, in order.  spec is LANG_SPEC_NONE for files.
 */
struct program *lang_compile(struct lang *l, const struct source *src, enum lang_spec spec);

/* After the last source: has one of them used the last operand?  False after the error. */
bool lang_check_operands(struct lang *l, const struct source *last);

/* The same for a library: declarations, translators, inlines, providers, sites.  Its clauses and
 * sites are only parsed; lang_check_clause checks one when it turns out to be needed. */
struct program *lang_compile_library(struct lang *l, const struct source *src);
bool lang_check_clause(struct lang *l, struct clause *c);

/* The least stable thing that the descriptions and the statements of a program use, as text
 * "Evolving/Evolving/ISA", in the session's arena. */
void lang_stability(struct lang *l, const struct program *p, const char **desc, const char **stmt);

void lang_clause_stability(struct lang *l, const struct clause *c, const char **desc,
			   const char **stmt);

/* Is this the text of attributes: "Evolving/Evolving/ISA"? */
bool lang_is_attributes(const char *text);

/*
 * The declaration of a probe that has neither module nor function, and of its provider; NULL: there
 * is none so far.
 */
const struct probe_decl *lang_provider_probe(struct lang *l, const char *prov, const char *name,
					     const struct provider_decl **pv);

/* The attributes with the lesser of each part of two, in the session's arena. */
const char *lang_attributes_min(struct lang *l, const char *a, const char *b);

/* The type that a text names: "struct sock *", "char [8]"; NULL: there is no such type. */
struct type *lang_typename(struct lang *l, const char *text);

/* "; did you mean X?", or nothing: of a search. */
struct nearest;
const char *lang_meant(struct lang *l, const struct nearest *n);

/* What a source depends on: #pragma D depends_on KIND NAME. */
struct lang_depend {
	const char *kind, *name; /* "provider", "module" or "library" */
};

/* All of them, without compiling the source; a row without a name ends the list. */
struct lang_depend *lang_scan_depends(struct arena *a, const struct source *src);

/* Identifiers in order of creation, for the lowering: all of one kind. */
struct ident *lang_ident(struct lang *l, enum ident_kind kind, unsigned int i);
unsigned int lang_nidents(struct lang *l, enum ident_kind kind);

/*
 * hosted.c: clauses whose variables several machines share.  Who compiles marks such variables
 * (ident.is_hosted); lang_host_clause marks a clause that uses one, or if_possible any that need
 * not stay where it fires, and the variables that it assigns there.  True: there are more marks,
 * which other clauses have to be looked at for.
 */
bool lang_host_clause(struct clause *c, bool if_possible);

/*
 * Make of a checked clause what is done where it fires: it sends values by action `send`, in one
 * record; or what the host does with them, as variables clause.sent.  Behind its own values it
 * sends those (clause.values) of clauses of ERROR, which have to be split before it.  False: it
 * cannot be; as the host's, after the error.
 */
struct lang_split {
	const struct lang_row *send;
	struct clause *const *errors;
	unsigned int nerrors;
	bool is_host;
};

bool lang_split_clause(struct lang *l, struct clause *c, const struct lang_split *how);

/* Every variable of D that a clause names; an assigned one also as that. */
void lang_clause_vars(const struct clause *c,
		      void (*f)(void *ctx, struct ident *id, bool is_assigned), void *ctx);

/* Calls whose values are stacks; a variable has room for that of any. */
const struct expr *lang_stack(struct lang *l, unsigned int i);
unsigned int lang_nstacks(struct lang *l);

/* What the values of an aggregation are that something was assigned to (out/agg.h). */
struct agg_desc lang_agg_desc(const struct ident *agg);

#endif
