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

/* A record that is kept until tracing ends. */
struct kept {
	uint64_t time, at; /* when, and where in the CPU's memory; or all the same */
	size_t len;
	void *data;
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
	struct out out;
	FILE *file; /* -o, else stdout */
	struct load load;
	VEC(struct session_prog *) progs;
	VEC(struct library *) libs;
	VEC(const char *) libdirs;
	VEC(const char *) cpp_args; /* -D, -U, -I in order */
	VEC(char *) environment;    /* of -c processes: NAME=value, or NAME to remove, in order */
	VEC(struct unit *) units;
	VEC(struct clause *) lib_clauses; /* clauses of libraries, enabled or not */
	VEC(struct clause *) clauses;	  /* enabled, by id */
	struct map *provider_structs;
	uint64_t *drops;   /* last seen, by kind and CPU */
	uint64_t switched; /* a small buffer, last, CLOCK_MONOTONIC in ns */
	VEC(struct agg_state *) aggs;
	uint64_t aggs_time; /* they are at least as new as this (world->now), 0: never read */
	VEC(struct traced) procs;
	int nargs;
	char *const *args;
	const char *script;  /* $0 */
	bool is_ilp32;	     /* -32 */
	bool checks_libs;    /* -e: all libraries of the user have to be right, needed or not */
	bool has_final_aggs; /* -O: aggregations end a document, too */
	bool dumps_output;   /* -B: output is shown as the pieces it is made of */
	bool has_heading, is_stopped, wants_exit, units_refused, libs_refused;
	int exit_status;
	struct table_flow *flow;  /* by CPU */
	void *held;		  /* copy of a record whose successor is not known yet */
	struct map *specs;	  /* of spec.c, by handle */
	struct map *spec_ended;	  /* number -> last use that has ended */
	VEC(struct value) values; /* of the action at hand, in consume.c */
	struct map *print_types;  /* of printact.c, by D type */
	VEC(struct kept) kept;	  /* of keep.c */
	FILE *reopened;		  /* by freopen() */
	struct map *modules;	  /* of syms.c */
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

/* consume.c */
void consume_record(void *ctx, const void *data, size_t len);
void consume_kept(struct session *s, const void *data, size_t len); /* of keep.c, at the end */
void consume_now(struct session *s, const void *data, size_t len);  /* whatever the policy */
void consume_data(struct session *s, const void *data, size_t len); /* not speculative (any more) */
void consume_held(struct session *s, const struct abi_rec *next);
void consume_drops(struct session *s);

/* spec.c: handles are those of struct abi_spec */
void spec_add(struct session *s, uint64_t handle, const void *rec, size_t len);
void spec_end(struct session *s, uint64_t handle, bool commit);
void spec_free(struct session *s);

/* printact.c: in the session's arena */
const struct print_type *print_type_of(struct session *s, struct type *type);

/* keep.c */
void keep_record(struct session *s, const void *data, size_t len);
void keep_replay(struct session *s); /* consume and forget all */
void keep_free(struct session *s);

/* aggs.c; time: when the firing began whose record asks for it */
void aggs_printa(struct session *s, const struct rec_act *act, uint64_t time);
void aggs_clear(struct session *s, struct ident *id, uint64_t time);
void aggs_trunc(struct session *s, struct ident *id, int64_t n, uint64_t time);
void aggs_normalize(struct session *s, struct ident *id, int64_t n, uint64_t time);
/* Make room in the kernel if it is getting full; true: look again soon. */
bool aggs_relieve(struct session *s);
void aggs_final(struct session *s);
void aggs_free(struct session *s);

/* consume.c: an item of a record or key */
struct value consume_value(const struct item *it, const void *base);

/* syms.c */
extern const struct out_symtab session_symtab;
uint64_t session_module_addr(struct session *s, const char *module, uint64_t addr);
/* Read what is mapped where in a process, while it is there. */
void syms_meet(struct session *s, uint32_t pid);

/* proc.c */
bool proc_create(struct session *s, const char *cmd);
bool proc_grab(struct session *s, const char *pid);
void proc_release(struct session *s);
bool proc_all_ended(struct session *s);
void proc_end(struct session *s);

/* enable.c */
void enable_free(struct session *s);

#endif
