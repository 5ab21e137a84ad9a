/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h: functions that dtrace(1) uses besides dtrace.h.  Its handle prints messages and
 * records itself: lib_print_probe and lib_print_rec stand for this printing.
 */
#ifndef LIB_COMMAND_H
#define LIB_COMMAND_H

#include <stdbool.h>

#include "dtrace.h"

struct session;

/* Opens a handle.  Needs no privileges. */
dtrace_hdl_t *lib_open(const char *progname);
struct session *lib_session(dtrace_hdl_t *h); /* for everything without a function */

/* Compiles all programs of the session, which are enabled.  Returns false after printing errors. */
bool lib_compile(dtrace_hdl_t *h);

/* First part of dtrace_go(): loads and attaches everything.  Nothing fires.  Returns false on
 * errors. */
bool lib_load(dtrace_hdl_t *h);

/* For dtrace_work() of the command, which has no other functions.  dtrace_go() prints the records
 * of BEGIN. */
int lib_print_probe(const dtrace_probedata_t *data, void *arg);
int lib_print_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg);

/* Stops, and consumes the rest, unless that is done already. */
void lib_finish(dtrace_hdl_t *h);

/* Returns true if all processes of the handle had ended by the last round; false without
 * processes. */
bool lib_processes_ended(const dtrace_hdl_t *h);

#endif
