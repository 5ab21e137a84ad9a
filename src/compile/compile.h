/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile.h: programs and libraries to planned units.  It knows facts of the kernel, but neither
 * how units are loaded nor how records are consumed.
 */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/vec.h"
#include "lang/index.h"
#include "lang/lang.h"
#include "plan/plan.h"
#include "config/opts.h"
#include "config/report.h"

/* A program of the command line. */
struct compile_prog {
	struct source src;
	enum lang_spec spec;
	const char *text; /* as given: text, or path of the script */
	struct program *program;
	unsigned int nmatched;
};

/* A D library. */
struct library {
	struct source src;
	const char *base; /* "tcp.d" */
	struct lang_index index;
	struct program *program;
	enum { DEPENDS_UNKNOWN, DEPENDS_ASKED, DEPENDS_MET, DEPENDS_UNMET } state;
	bool is_wanted, is_loaded, is_user;
	uint32_t number; /* of a system library */
};

/* Kinds of names of a target; NULL: the target has no such name. */
enum target_name { TARGET_NAME, TARGET_HOST, TARGET_OS, TARGET_KERNEL, TARGET_NAMES };

struct target_names {
	const char *a[TARGET_NAMES];
	bool is_host;
};

struct compile {
	/* Input; borrowed. */
	const struct target_names *self; /* NULL: there are no other machines */
	/* Returns true if a pattern names one of the other machines. */
	bool (*is_target)(void *ctx, const char *pattern);
	void *target_ctx;
	struct arena *arena;
	struct machine *machine; /* the traced machine */
	const char *store;	 /* folder for facts of another machine; NULL: none */
	struct plan *plan;
	const struct opts *opts;
	const struct report *report;
	const char *(*setopt)(void *ctx, const char *name, const char *value);
	void *ctx;
	int nargs;
	char *const *args;
	pid_t target;	  /* $target, 0: none */
	bool is_ilp32;	  /* option -32 */
	bool checks_libs; /* -e: also reports errors in user libraries that are not needed */
	VEC(const char *) libdirs;
	VEC(const char *) cpp_args; /* -D, -U and -I, in order */

	/* Results. */
	VEC(struct compile_prog *) progs;
	VEC(struct unit *) units;
	VEC(struct clause *) clauses; /* enabled clauses, by id */

	/* Internal. */
	struct diags diags;
	const char *script;   /* $0 */
	struct lang_env *env; /* environment of the compiler */
	VEC(struct library *) libs;
	struct map *lib_names;		  /* word -> libraries that declare it or translate to it */
	VEC(struct clause *) lib_clauses; /* clauses of libraries, enabled or not */
	struct map *provider_structs;
	bool units_refused, libs_refused;
	bool asks_target; /* a program uses $target */
};

/* Needs the input.  Options may change until the programs are compiled. */
void compile_init(struct compile *comp);
void compile_free(struct compile *comp);

/* Call this after options have changed. */
void compile_set_options(struct compile *comp);

/* Programs are kept in order.  Returns false and sets errno if the script cannot be read. */
struct compile_prog *compile_add_text(struct compile *comp, enum lang_spec spec, const char *text);
bool compile_add_script(struct compile *comp, const char *path);

/*
 * compile_open() prepares the compiler, once.  compile_program() compiles a program, which is
 * enabled if it is in comp->progs.  Both return false after reporting errors.
 */
bool compile_open(struct compile *comp);
bool compile_program(struct compile *comp, struct compile_prog *p);

/*
 * Prepares the compiler and compiles comp->progs, with the libraries that they need.  Returns false
 * after reporting errors.
 */
bool compile_programs(struct compile *comp);

/*
 * Checks the actions of comp->progs from number `first` on.  Returns false, with a message, for an
 * impossible action, or for a destructive one without option destructive.
 */
bool compile_check_actions(struct compile *comp, unsigned int first);

/* enable.c: makes units of enablings and plans them.  Returns false after reporting errors. */
bool compile_units(struct compile *comp);
void compile_free_units(struct compile *comp);

/*
 * Returns true if a clause that waits for probes of process `later` (0: any) matches pid.  With
 * option follow, descendants match too.
 */
bool compile_wants(const struct compile *comp, uint32_t later, uint32_t pid);

/*
 * Looks for probes in files that a process has newly mapped.  Returns true if there are new units,
 * at the end of comp->units.
 */
bool compile_more(struct compile *comp, uint32_t pid);

/* Returns true if a checked predicate is false whenever tracing is limited to a cgroup (scope.c).
 */
bool scope_excludes(const struct expr *pred);

/*
 * The sites that serve a stable probe on this kernel, in order.  If no site does, the list has all
 * sites, each with its reason.
 */
struct compile_site {
	struct clause *site; /* its probes are matched */
	unsigned int order;  /* position in the libraries */
	const char *lacks;   /* the reason; NULL: it serves */
};

typedef VEC(struct compile_site) site_list;
void compile_sites(struct compile *comp, const struct probe *p, site_list *out);

/* Returns true if a pattern of a description names the target.  kinds: bits 1 << TARGET_*. */
bool compile_is_named(const struct target_names *t, const char *pattern, unsigned int kinds);

/* Returns the whole text of a file, in the arena; NULL: errno. */
char *compile_read_file(struct compile *comp, const char *path, unsigned int *len);

/* ---- between these files ---- */

/* libs.c */
bool libs_scan(struct compile *comp); /* false: a dependency is missing or cyclic; reported */
bool libs_load_for(struct compile *comp, const struct source *src);
bool libs_check_all(struct compile *comp); /* -e alone: loads all, and checks the user's */
/* Loads the libraries that declare a probe which the description may name, and all wanted ones. */
bool libs_load_probes(struct compile *comp, const struct pdesc *d);
void libs_want_name(struct compile *comp, const char *name);
bool libs_have(struct compile *comp, const char *kind, const char *name); /* for depends_on */
/*
 * Returns true if a probe and its site name one kernel module, which is not loaded.  Then the probe
 * does not exist.
 */
bool libs_lacks_module(struct compile *comp, const struct library *lib, const struct probe_decl *d);
void libs_free(struct compile *comp);

/* match.c: returns the probes that match a description, in the arena. */
struct clause_probes *compile_match(struct compile *comp, const struct pdesc *d);

/* match.c: see struct lang_env. */
bool match_probes(void *ctx, const struct pdesc *d, struct lang_args *args, const void **handle,
		  const char **err);
void match_late_args(void *ctx, const void *handle, struct lang_args *args);
bool match_split(void *ctx, const void *handle, const void **same, const void **rest);
void match_split_args(void *ctx, const void *handle, struct lang_args *args);
const char *match_guard(void *ctx, const void *handle);
const char *match_no_return(void *ctx, const void *handle);

/* variables.c: see struct lang_env and type_find_fn. */
bool compile_object_type(void *ctx, const char *object, const char *name, struct type **res);
bool compile_object_symbol(void *ctx, const char *object, const char *name, struct lang_usym *res);
const char *compile_goroutine(void *ctx, struct lang_goroutine *res);

/* env.c: returns the one environment, with the current operands and $target. */
const struct lang_env *compile_env(struct compile *comp);

/* Returns the type of a symbol of the kernel; NULL: unknown. */
struct type *compile_symbol_type(struct compile *comp, const char *module, const char *name);

/* absent.c: returns the reason why no probe matches, with an alternative; NULL: unknown. */
const char *compile_absent(struct compile *comp, const struct pdesc *d);

/*
 * absent.c: returns a hint for a description that matches nothing, "did you mean tcp:::send?";
 * NULL: no name is near.
 */
const char *compile_nearest(struct compile *comp, const struct pdesc *d);

/*
 * absent.c: reports clauses whose system calls programs seldom make, with the call to use instead.
 */
void compile_hints(const struct compile *comp);

#endif
