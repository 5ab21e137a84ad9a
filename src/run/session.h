/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: one run of dtrace, from programs to output:
 *
 *   session_new, options, session_add ...     what the command line says
 *   session_compile                           libraries, programs; errors are printed
 *   signals_catch                             from here on they end the run in order
 *   session_list | session_enable, session_load, session_go, session_run, session_stop
 *   session_free
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/vec.h"
#include "lang/lang.h"
#include "lower/lower.h"
#include "out/out.h"
#include "out/table.h"
#include "out/value.h"
#include "run/consume.h"
#include "run/load.h"
#include "run/opts.h"
#include "run/report.h"

/* A program of the command line. */
struct session_prog {
	struct source src;
	enum lang_spec spec;
	const char *text; /* as given: text, or path of the script */
	struct program *program;
	unsigned int nmatched;
};

/* A probe that a library declares. */
struct lib_probe {
	const char *prov, *name;
	struct lib_probe *next;
};

/* A D library. */
struct library {
	struct source src;
	const char *base;  /* "tcp.d" */
	struct map *names; /* what it declares */
	struct lib_probe *probes;
	struct program *program;
	struct lang_depend *depends;
	enum { DEPENDS_UNKNOWN, DEPENDS_ASKED, DEPENDS_MET, DEPENDS_UNMET } state;
	bool is_wanted, is_loaded, is_user;
	uint32_t index; /* of the system's own: which */
};

/* A process of -c or -p. */
struct traced {
	pid_t pid;
	int pidfd;
	bool is_child, has_ended;
};

struct session {
	struct report report;
	struct opts opts;
	struct arena *arena;
	struct diags diags;
	struct plan plan;
	struct load load;
	struct consume consume;
	VEC(struct session_prog *) progs;
	VEC(struct library *) libs;
	VEC(const char *) libdirs;
	VEC(const char *) cpp_args; /* -D, -U, -I in order */
	VEC(char *) environment;    /* of -c processes: NAME=value, or NAME to remove, in order */
	VEC(struct unit *) units;
	VEC(struct clause *) lib_clauses; /* clauses of libraries, enabled or not */
	VEC(struct clause *) clauses;	  /* enabled, by id */
	struct map *provider_structs;
	uint64_t switched; /* a small buffer, last, CLOCK_MONOTONIC in ns */
	VEC(struct traced) procs;
	int nargs;
	char *const *args;
	const char *script; /* $0 */
	bool is_ilp32;	    /* -32 */
	bool checks_libs;   /* -e: all libraries of the user have to be right, needed or not */
	bool dumps_output;  /* -B: output is shown as the pieces it is made of */
	bool has_heading, units_refused, libs_refused;
};

struct session *session_new(const char *progname);
void session_free(struct session *s);

/* Programs are kept in order.  False and errno if the script cannot be read. */
bool session_add_text(struct session *s, enum lang_spec spec, const char *text);
bool session_add_script(struct session *s, const char *path);

/* Set an option, from the command line, a pragma or setopt().  NULL or the reason why not. */
const char *session_setopt(struct session *s, const char *name, const char *value);

/* Whole text of a file in the arena; NULL, errno. */
char *session_read_file(struct session *s, const char *path, unsigned int *len);

/* False: errors were printed. */
bool session_compile(struct session *s);

/* False, with a message: an action that cannot be done, or a destructive one without that option.
 */
bool session_check_actions(struct session *s);

/* -v: the stability report of one program, and of the probes of each clause. */
void session_stability(struct session *s, struct session_prog *p, bool with_clauses);

/* -d: the clauses of all programs, if statements as clauses with predicates. */
void session_print_source(struct session *s);

/* -l: every probe, or those of each description. */
void session_list(struct session *s, bool verbose);

/*
 * Options against what the machine has: lower sizes, adjust rates, each with a message.  False: a
 * size that may not be lowered; reported.
 */
bool session_fit_options(struct session *s);

/* Units from enablings; programs into the kernel, attached; then BEGIN and all other probes. */
bool session_enable(struct session *s);
bool session_translate(struct session *s); /* -e -S: code is printed, the kernel sees none of it */
bool session_load(struct session *s);
void session_go(struct session *s);

/* Consume until exit(), the end of all processes, or a signal. */
void session_run(struct session *s);

/* END, what is left in the buffers, aggregations; after a second signal without these. */
void session_stop(struct session *s);

/*
 * signals.c: from now on signals that would end this program are counted; those that were
 * ignored stay so.  After a second one what is left to do is given up.
 */
void signals_catch(struct session *s);
int signals_seen(const struct session *s);

/* ---- between the files of run/ ---- */

/* libs.c */
bool libs_scan(struct session *s); /* false, with a message: they depend on what is not there */
bool libs_load_for(struct session *s, const struct source *src);
bool libs_check_all(struct session *s); /* for no program: all of them, and the user's clauses */
void libs_want_probes(struct session *s, const struct pdesc *d);
/* For a description that matches nothing: "did you mean tcp:::send?", NULL if nothing is near. */
const char *libs_nearest(struct session *s, const struct pdesc *d);
bool libs_load_wanted(struct session *s);
void libs_free(struct session *s);

/* env.c */
const struct lang_env *session_env(struct session *s);
bool session_have(struct session *s, const char *kind, const char *name);      /* depends_on */
struct clause_probes *session_match(struct session *s, const struct pdesc *d); /* in the arena */

/* absent.c: why there is no probe of this description, and what is near it; NULL: nothing is known.
 */
const char *session_absent(struct session *s, const struct pdesc *d);

/* proc.c */
bool proc_create(struct session *s, const char *cmd);
bool proc_grab(struct session *s, const char *pid);
void proc_release(struct session *s);
bool proc_all_ended(struct session *s);
void proc_end(struct session *s);

/* enable.c */
void enable_free(struct session *s);

#endif
