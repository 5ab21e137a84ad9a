/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lang.h: interface of the compiler's front end.  A session creates one struct lang, adds the rows
 * of the built-in names, and provides the look-up of probes.  Then it compiles libraries and
 * programs.
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
	LANG_EXTENSION = 8, /* a program may reuse the name: other implementations lack it */
	LANG_THERE = 16,    /* function that depends on the machine and thread of the call */
	/* built-in variable of the probe; ERROR has its own value, not the faulting clause's */
	LANG_OF_PROBE = 32,
	LANG_CLOCK = 64, /* built-in variable that is a time, ns */
};

/* Effect of an action on the state of its clause part (man/d.7, "Rules of a clause"). */
enum lang_state {
	LANG_DATA, /* allowed neither before commit() nor after it */
	LANG_NEUTRAL,
	LANG_DISCARD,
	LANG_COMMIT,
	LANG_SPECULATE,
	LANG_EXIT,
};

/*
 * Number of arguments, of any type.  The first NINTS arguments after argument 0 are integers of
 * type INT_TYPE.
 */
struct lang_nargs {
	unsigned int min, max, nints;
	const char *int_type;
};

/* An aggregating function, except for its code in the kernel.  Checks follow lang/check.h. */
struct lang_agg {
	const struct agg_ops *ops;
	const char *type; /* type of its value, in messages; NULL: int64_t */
	/* Optional argument that says how often the value counts; 0: none. */
	unsigned int weight_arg;
	/*
	 * pack() packs the constant arguments.  match() compares them with an earlier use whose
	 * packed constants differ.  Both may be NULL.
	 */
	bool (*pack)(struct check *ck, struct expr *call, uint64_t *param);
	bool (*match)(struct check *ck, const struct expr *call, uint64_t old, uint64_t now);
};

/*
 * A built-in name.  proto is D text: a declaration of the variable, or a prototype with optional
 * arguments in [].
 */
struct lang_row {
	const char *name;
	enum ident_kind kind;
	const char *proto; /* "uint64_t timestamp", "string substr(const char *, int, [int])" */
	struct lang_nargs nargs; /* action or aggregating function without a proto */
	unsigned int flags;
	enum lang_state state; /* ACTION */
	/* Further checks of the arguments of a call, or NULL.  See lang/check.h. */
	bool (*check)(struct check *ck, struct expr *e);
	const struct lang_agg *agg; /* AGGFUNC */
	/* belongs to the owner of the row; NULL: an action that is not supported */
	const void *impl;
	const char *attr; /* stability; NULL: "Stable/Stable/Common" */
};

/* Argument types of the probes that match a description. */
struct lang_args {
	unsigned int nprobes; /* 0: the description matches nothing */
	bool is_late;	      /* not read yet, call env->late_args() */
	bool is_multi;	      /* the probes differ in their arguments: args[] is an error */
	unsigned int nnative;
	struct type **native;
	/* reasons why arguments cannot be read, or NULL; NULL: all can be read */
	const char **unreadable;
	const char *lacks;    /* reason why there are no arguments, or NULL */
	uint64_t places;      /* equal for probes that have their arguments in the same places */
	unsigned int nxlated; /* types that args[] indexes */
	struct type **xlated;
	unsigned int *map;    /* xlated[i] is made from native[map[i]] */
	const char *attrs[5]; /* stability of provider, module, function, name, args */
};

struct lang_ksym {
	uint64_t addr;
	struct type *type; /* NULL: unknown */
	bool is_percpu;	   /* each CPU has its own */
};

/* A variable of an object in the traced process. */
struct lang_usym {
	uint64_t addr;
	uint32_t pid;	   /* process that has the address */
	struct type *type; /* NULL: no debug information */
	const char *why;   /* why the variable is not readable, as the end of a sentence; or NULL */
};

/* Offsets of the numbers of goroutines in the process $target, a Go program. */
struct lang_goroutine {
	uint32_t pid;
	uint32_t places; /* see rt_goid() */
};

/* Prefix of inlines that replace missing kernel symbols: kernel_x replaces `x. */
#define LANG_STAND_IN "kernel_"

enum lang_target { LANG_NO_TARGET, LANG_OTHER_TARGET, LANG_THIS_TARGET };

struct lang_env {
	void *ctx;
	/*
	 * Finds the probes of a description.  *handle is kept in clause->probes.  Returns false if
	 * the description itself is bad, with the reason in *err.  With true, *err may say why no
	 * probe matches.
	 */
	bool (*match)(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		      const char **err);
	/*
	 * Returns which targets match a pattern (NULL: the host).  If the function is NULL, the
	 * host is the only target.
	 */
	enum lang_target (*find_target)(void *ctx, const char *pattern);
	/* Fills in arguments that are read only on demand (args->is_late). */
	void (*late_args)(void *ctx, const void *handle, struct lang_args *args);
	/*
	 * Splits probes of one name whose arguments differ, such as static functions of several
	 * units: *same gets the probes with the arguments of the first, *rest the others.  Returns
	 * false for other probes.  The function may be NULL.
	 */
	bool (*split)(void *ctx, const void *handle, const void **same, const void **rest);
	/* Fills in the arguments of the probes that split has returned. */
	void (*split_args)(void *ctx, const void *handle, struct lang_args *args);
	/*
	 * Returns the name of an inline that must be true for a clause to run, or NULL.  The
	 * function may be NULL.
	 */
	const char *(*guard)(void *ctx, const void *handle);
	/*
	 * Makes the functions of matched probes return a value.  Returns NULL, or the reason why
	 * this is impossible.  If the function is NULL, no function can return a value.
	 */
	const char *(*no_return)(void *ctx, const void *handle);
	/* Sets an option from a pragma.  Returns NULL, or the reason why it could not. */
	const char *(*setopt)(void *ctx, const char *name, const char *value);
	/*
	 * Returns the value of an option that affects compilation: "strsize", "defaultargs",
	 * "argref", "zdefs", "empty", "amin", "version", "pspec", "errtags", "knodefs", "unodefs".
	 */
	const char *(*getopt)(void *ctx, const char *name);
	/*
	 * ksym() finds a kernel symbol, and returns false if it does not exist.  no_ksym() then
	 * returns text for the message, or "".  no_ksym() may be NULL.
	 */
	bool (*ksym)(void *ctx, const char *module, const char *name, struct lang_ksym *res);
	const char *(*no_ksym)(void *ctx, const char *name);
	/* Returns the type, from debug information, of a symbol without a type; NULL: unknown. */
	struct type *(*debug_type)(void *ctx, const char *module, const char *name);
	/*
	 * Finds a variable in an object (a.out, libc.so.6) of the traced process.  Returns false if
	 * the process has no such object.  May be NULL.
	 */
	bool (*usym)(void *ctx, const char *object, const char *name, struct lang_usym *res);
	/*
	 * Fills in the values for goid().  Returns NULL, or the reason why goroutines are unknown,
	 * as a part of a sentence.  May be NULL.
	 */
	const char *(*goroutine)(void *ctx, struct lang_goroutine *res);
	/* Returns true if a provider, module or library exists (for depends_on). */
	bool (*have)(void *ctx, const char *kind, const char *name);
	/* Called after a program has passed "parse" or "check" (-x dump).  May be NULL. */
	void (*passed)(void *ctx, const char *stage, const struct program *p);
	int64_t target; /* $target */
	/*
	 * Maps a process number from dtrace's PID namespace to the number that `pid` has.  May be
	 * NULL.
	 */
	int64_t (*host_pid)(void *ctx, int64_t pid);
	bool *asks_target; /* set if a program uses $target; may be NULL */
	bool has_target;
	const char *progname; /* $0 for text */
	int nargs;	      /* number of operands */
	char *const *args;    /* $1 is args[0] */
};

struct lang *lang_new(struct arena *a, struct intern *names, struct types *types,
		      struct diags *diags, const struct lang_env *env);
void lang_free(struct lang *l);

/* Adds rows, which must outlive L.  Prototypes are parsed when a name is first used. */
void lang_add_rows(struct lang *l, const struct lang_row *rows, unsigned int n);

/* Meaning of the fields of a description on the command line. */
enum lang_spec {
	LANG_SPEC_NONE,
	LANG_SPEC_PROVIDER,
	LANG_SPEC_MODULE,
	LANG_SPEC_FUNCTION,
	LANG_SPEC_NAME,
	LANG_SPEC_ID
};

/*
 * Parses and checks one source.  Returns NULL after errors, which are in the session's diagnostics.
 * Clauses are checked against the environment, in order.  SPEC is LANG_SPEC_NONE for files.
 */
struct program *lang_compile(struct lang *l, const struct source *src, enum lang_spec spec);

/*
 * Checks, after the last source, that some source has used the last operand.  Returns false after
 * reporting an error.
 */
bool lang_check_operands(struct lang *l, const struct source *last);

/*
 * Compiles a library: declarations, translators, inlines, providers, sites.  Clauses and sites are
 * only parsed.  lang_check_clause checks a clause when it turns out to be needed.
 */
struct program *lang_compile_library(struct lang *l, const struct source *src);
bool lang_check_clause(struct lang *l, struct clause *c);

/*
 * Returns true if a library clause, checked or not, assigns a variable or updates an aggregation
 * that is marked as read (is_read).
 */
bool lang_assigns_read(struct lang *l, const struct clause *c);

/*
 * Returns the least stable thing that the descriptions and the statements of a program use, as text
 * "Evolving/Evolving/ISA".  The session's arena owns the texts.
 */
void lang_stability(struct lang *l, const struct program *p, const char **desc, const char **stmt);

void lang_clause_stability(struct lang *l, const struct clause *c, const char **desc,
			   const char **stmt);

/* Returns true if TEXT is a text of attributes, such as "Evolving/Evolving/ISA". */
bool lang_is_attributes(const char *text);

/*
 * Returns the declaration of a probe without module and function, and sets its provider.  Returns
 * NULL if there is none so far.
 */
const struct probe_decl *lang_provider_probe(struct lang *l, const char *prov, const char *name,
					     const struct provider_decl **pv);

/* Returns the lesser of each part of two attributes.  The session's arena owns the text. */
const char *lang_attributes_min(struct lang *l, const char *a, const char *b);

/* Returns the type that a text names: "struct sock *", "char [8]"; NULL: no such type. */
struct type *lang_typename(struct lang *l, const char *text);

/* Returns "; did you mean X?"  for the result of a search, or "". */
struct nearest;
const char *lang_meant(struct lang *l, const struct nearest *n);

/* Identifiers of one kind in order of creation, for the lowering. */
struct ident *lang_ident(struct lang *l, enum ident_kind kind, unsigned int i);
unsigned int lang_nidents(struct lang *l, enum ident_kind kind);

/*
 * hosted.c: clauses whose variables several machines share.  The caller marks such variables
 * (ident.is_hosted).  lang_host_clause marks a clause that uses one, and the variables that the
 * clause assigns.  With if_possible it marks every clause that need not stay where it fires.
 * Returns true if there are new marks, so that other clauses have to be examined again.
 */
bool lang_host_clause(struct clause *c, bool if_possible);

/*
 * Splits a checked clause into its two halves.  Where the clause fires, it sends values by action
 * SEND, in one record, followed by the values (clause.values) for the clauses of ERROR.  The host
 * runs the rest, with the values in the variables clause.sent.
 * Clauses of ERROR must be split first.  Returns false if the clause cannot be split.  For the
 * host's half, an error has been reported then.
 */
struct lang_split {
	const struct lang_row *send;
	struct clause *const *errors;
	unsigned int nerrors;
	bool is_host;
};

bool lang_split_clause(struct lang *l, struct clause *c, const struct lang_split *how);

/* Calls F for every variable of D that a clause names, and again for each assignment. */
void lang_clause_vars(const struct clause *c,
		      void (*f)(void *ctx, struct ident *id, bool is_assigned), void *ctx);

/* Calls whose values are stacks.  A variable has room for the deepest. */
const struct expr *lang_stack(struct lang *l, unsigned int i);
unsigned int lang_nstacks(struct lang *l);

/* Returns the description (print/agg.h) of the values of an aggregation with a function. */
struct agg_desc lang_agg_desc(const struct ident *agg);

/*
 * measure.c: units of values.  measure_of takes a checked expression.  measure_of_name takes a name
 * that may end in a unit: wait_us, bytes.  measure_join returns the unit of values that are the one
 * or the other.  measure_name returns NULL if no unit is known.
 */
enum measure measure_of(const struct expr *e);
enum measure measure_of_name(const char *name);
enum measure measure_join(enum measure a, enum measure b);
const char *measure_name(enum measure unit);

#endif
