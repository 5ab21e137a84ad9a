/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: one run of dtrace, from programs to output:
 *
 *   session_new, options, compile_add_...     what the command line says
 *   session_compile                           libraries, programs; errors are printed
 *   signals_catch                             from here on they end the run in order
 *   session_list | compile_units, session_load, session_go, session_wait and session_round,
 * session_stop session_free
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vec.h"
#include "run/compile.h"
#include "run/consume.h"
#include "run/load.h"
#include "run/opts.h"
#include "run/report.h"

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
	struct machine *machine;
	struct plan plan;
	struct compile compile;
	struct load load;
	struct consume consume;
	struct out out;
	VEC(const char *) targets; /* -x target: NAME=CHANNEL */
	VEC(char *) environment;   /* of -c processes: NAME=value, or NAME to remove, in order */
	/* A small buffer was switched, losses were reported last: CLOCK_MONOTONIC in ns. */
	uint64_t switched, reported;
	uint64_t clocked; /* the clocks were compared last */
	uint64_t watched; /* the machine's state was read last, 0: never */
	int wait_ms;	  /* until the next round, at most */
	VEC(struct traced) procs;
	struct later *later;	   /* NULL: no probes are waited for */
	struct exporter *exporter; /* NULL: no metrics */
	struct push *push;	   /* NULL: none are sent */
	struct pictures *pictures; /* NULL: none are drawn */
	struct top *top;	   /* NULL: nothing is shown at the terminal */
	bool dumps_output;	   /* -B: output is shown as the pieces it is made of */
	bool has_heading;	   /* of the listing */
	/* Told that a process has ended, instead of its being printed; NULL: nobody. */
	void (*ended)(void *ctx, pid_t pid, const char *text);
	void *ended_ctx;
};

/* Returns a session on this machine, or on another one, which the session then owns. */
struct session *session_new(const char *progname);
struct session *session_new_on(const char *progname, struct machine *m);
void session_free(struct session *s);

/* This process is a child that was forked: what the session has begun is its parent's. */
void session_disown(struct session *s);

/* Set an option, from the command line, a pragma or setopt().  NULL or the reason why not. */
const char *session_setopt(struct session *s, const char *name, const char *value);

/* Output and the addresses in it, as the options say so far; session_compile does this. */
void session_prepare(struct session *s);

/* False: errors were printed. */
bool session_compile(struct session *s);

/* -v: the stability report of one program, and of the probes of each clause. */
void session_stability(struct session *s, const struct compile_prog *p, bool with_clauses);

/* -d: the clauses of all programs, if statements as clauses with predicates. */
void session_print_source(struct session *s);

/* -l: every probe, or those of each description. */
void session_list(struct session *s, bool verbose);

/*
 * complete.c: what the argument of an option (P m f n x) may become, a line for each; head: what is
 * in front of a description.
 */
void session_complete(struct session *s, char letter, const char *head, const char *word);

/*
 * Options against what the machine has: lower sizes, adjust rates, each with a message.  False: a
 * size that may not be lowered; reported.
 */
bool session_fit_options(struct session *s);

/* Units into the kernel, attached; then BEGIN and all other probes. */
bool session_translate(struct session *s); /* -e -S: code is printed, the kernel sees none of it */
bool session_load(struct session *s);
void session_go(struct session *s);

/*
 * The two parts of session_go(): session_begin() fires BEGIN and then lets all other probes fire,
 * so a user who reads the output of BEGIN misses nothing.  When the caller has consumed the records
 * of BEGIN, session_start() lets the processes of -c and -p run.
 */
void session_begin(struct session *s);
void session_start(struct session *s);

/* A round of consuming: wait until there is something to do; do it.  False: tracing has stopped, or
 * nothing can be written any more. */
void session_wait(struct session *s);
bool session_round(struct session *s);
void session_follow(struct session *s);	    /* updates the clock and the state of the machine */
bool session_is_stopped(struct session *s); /* by exit(), a full buffer, or session_halt */

/* END, what is left in the buffers, aggregations; after a second signal without these. */
void session_stop(struct session *s);

/*
 * Pieces of these, for who runs several: probes stop firing; END fires; what is there is consumed,
 * how many records.
 */
void session_halt(struct session *s);
void session_end(struct session *s);
int session_drain(struct session *s);
void session_show(struct session *s); /* aggregations to who looks at them while they change */
void session_drain_all(struct session *s);

/*
 * signals.c: from now on signals that would end this program are counted; those that were
 * ignored stay so.  After a second one what is left to do is given up.  With -o SIGHUP is none of
 * them, but asks for consume_rotate: whether one came since the last call.
 */
void signals_catch(struct session *s);
int signals_seen(const struct session *s);
bool signals_hung_up(void);

/* ---- between the files of run/, and for src/lib ---- */

/* proc.c */
bool proc_create(struct session *s, const char *cmd);
bool proc_run(struct session *s, const char *name, char *const *argv);
bool proc_grab(struct session *s, const char *pid);
void proc_meet(struct session *s); /* what addresses will need of them, before they fire */
void proc_release(struct session *s);
void proc_continue(struct session *s, pid_t pid); /* one of them, before the others */
void proc_let_go(struct session *s, pid_t pid);	  /* one of them, which is not watched any more */
bool proc_all_ended(struct session *s);
void proc_end(struct session *s);

#endif
