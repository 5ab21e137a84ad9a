/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: one run of dtrace, from programs to output.  The order of calls:
 *
 *   session_new, options, compile_add_...      the command line
 *   session_compile                            compiles; prints errors
 *   signals_catch                              from here on, signals end the run in order
 *   session_list                               -l; otherwise:
 *   session_attach                             loads and attaches everything
 *   session_go                                 fires BEGIN, then all other probes
 *   session_step                               in a loop, until it returns false
 *   session_stop                               fires END, and prints the rest
 *   session_free
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/vec.h"
#include "compile/compile.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/sinks.h"

/* A process of -c or -p. */
struct traced {
	pid_t pid;
	int pidfd;
	bool is_child, has_ended;
};

/*
 * Sessions of several machines that run as one (remote/).  The host's session has the group, and
 * session_go(), session_step() and session_stop() then act on all machines.
 */
struct session_group {
	void (*go)(void *ctx);
	void (*wait)(void *ctx, int ms);
	bool (*round)(void *ctx);  /* consumes the waiting data; returns true if more waits */
	void (*end)(void *ctx);	   /* stops all probes, runs END, and consumes the rest */
	void (*report)(void *ctx); /* reports losses for the last time */
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
	VEC(char *) environment;   /* for -c: NAME=value, or NAME to remove, in order */
	/* When a small buffer was switched, and losses were reported: CLOCK_MONOTONIC in ns. */
	uint64_t switched, reported;
	uint64_t clocked; /* when the clocks were compared */
	uint64_t watched; /* when the machine's state was read; 0: never */
	int wait_ms;	  /* maximum time to the next round */
	VEC(struct traced) procs;
	struct follower *follower; /* NULL: no events of processes are needed */
	struct sinks sinks;
	const struct session_group *group; /* NULL: this machine only */
	void *group_ctx;
	bool dumps_output; /* -B: shows the pieces of the output */
	bool has_heading;  /* of the listing */
	bool has_failed;   /* a process could not be controlled: the status is not 0 */
	/* Called instead of printing that a process has ended; NULL: prints it. */
	void (*ended)(void *ctx, pid_t pid, const char *text);
	void *ended_ctx;
};

/* Return a session on this machine, or on another one, which the session then owns. */
struct session *session_new(const char *progname);
struct session *session_new_on(const char *progname, struct machine *m);
void session_free(struct session *s);

/*
 * Call this in a forked child.  The parent then keeps the processes and the keeper of the session.
 */
void session_disown(struct session *s);

/*
 * Sets an option, from the command line, a pragma or setopt().  Returns NULL, or the reason of the
 * refusal.
 */
const char *session_setopt(struct session *s, const char *name, const char *value);

/* Prepares output and its symbols, by the options so far.  session_compile does this. */
void session_prepare(struct session *s);

/* Returns false after reporting errors. */
bool session_compile(struct session *s);

/* Starts the sinks (sinks.h) that options ask for.  Returns false, after a message. */
bool session_start_sinks(struct session *s);

/* -v: prints the stability of a program, and of the probes of each clause. */
void session_stability(struct session *s, const struct compile_prog *p, bool with_clauses);

/* -d: prints the clauses of all programs, with if statements as clauses with predicates. */
void session_print_source(struct session *s);

/* -l: lists every probe, or the probes of each description. */
void session_list(struct session *s, bool verbose);

/*
 * complete.c: prints candidates for the argument of an option (P m f n x), one per line.  head:
 * text before a description.
 */
void session_complete(struct session *s, char letter, const char *head, const char *word);

/*
 * Fits options to the machine: lowers sizes and adjusts rates, each with a message.  Returns false,
 * with a message, if a size does not fit and may not be lowered.
 */
bool session_fit_options(struct session *s);

/* -e -S: prints code; the kernel gets none of it.  Returns false after reporting errors. */
bool session_translate(struct session *s);

/*
 * Fits options, and loads and attaches all units.  Nothing fires yet.  Returns false after
 * reporting errors.  session_load() is the last part.
 */
bool session_attach(struct session *s);
bool session_load(struct session *s);

/*
 * Fires BEGIN and then lets all other probes fire.  Consumes the records of BEGIN.
 * session_go_alone() does this for one session of a group.
 */
void session_go(struct session *s);
void session_go_alone(struct session *s);

/*
 * The two parts of session_go_alone().  session_begin() fires BEGIN and then lets all other probes
 * fire.  So probes already fire when a user reads the output of BEGIN.  When the caller has
 * consumed the records of BEGIN, session_start() lets the processes of -c and -p run.
 */
void session_begin(struct session *s);
void session_start(struct session *s);

/*
 * Makes a step of tracing: waits for work, and does it.  Returns false when tracing must end: after
 * exit(), a full buffer, a signal, the end of all traced processes, or a failed write.
 */
bool session_step(struct session *s);

/*
 * Parts of a step.  session_wait() waits for work, and session_round() does it.  session_round()
 * returns false if tracing has stopped, or nothing can be written any more.
 */
void session_wait(struct session *s);
bool session_round(struct session *s);
void session_follow(struct session *s);	    /* updates the clock and the state of the machine */
bool session_is_stopped(struct session *s); /* by exit(), a full buffer, or session_halt */

/*
 * Runs END, consumes the rest of the buffers, and prints aggregations and losses.  After a second
 * signal it only stops the probes.
 */
void session_stop(struct session *s);

/* Returns the argument of exit(), or 0. */
int session_status(const struct session *s);

/* Returns the consumer of the machine whose program has called exit(); NULL: none has. */
const struct consume *session_exited(const struct session *s);

/*
 * Parts of these for callers that run several sessions.  session_halt() stops the probes,
 * session_end() runs END, and session_drain() consumes the available records and returns their
 * number.
 */
void session_halt(struct session *s);
void session_end(struct session *s);
int session_drain(struct session *s);
void session_drain_all(struct session *s);

/*
 * signals.c: signals_catch() starts counting signals that would end this program; ignored signals
 * stay ignored.  After a second signal, the remaining work is abandoned.  With -o, SIGHUP is not
 * counted.  signals_take_hangup() then returns true if SIGHUP came since the last call, and the
 * caller calls consume_rotate.
 */
void signals_catch(struct session *s);
/*
 * Catches SIGUSR1 until signals_catch(), which then handles it: a service can get it at any time.
 * Catches SIGXFSZ, so that a limit of the size of files is an error of write(2).  main() calls this
 * first.
 */
void signals_catch_early(void);
int signals_seen(const struct session *s);
bool signals_take_hangup(void);
/* Under policy ring SIGUSR1 is not counted either: it requests a snapshot. */
bool signals_take_request(void);

/* ---- between the files of run/, and for src/lib ---- */

/* proc.c */
bool proc_create(struct session *s, const char *cmd);
bool proc_run(struct session *s, const char *name, char *const *argv);
bool proc_grab(struct session *s, const char *pid);
void proc_learn(struct session *s); /* reads them before probes fire, for names of addresses */
void proc_release(struct session *s);
void proc_continue(struct session *s, pid_t pid); /* one of them, before the others */
void proc_let_go(struct session *s, pid_t pid);	  /* stops watching one of them */
bool proc_reap(struct session *s);
void proc_end(struct session *s);

#endif
