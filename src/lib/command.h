/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h: what dtrace(1) asks of the library besides dtrace.h.  Its handle prints messages, and
 * records as they always looked: what does that is lib_print_probe and lib_print_rec, which the
 * session does itself.
 */
#ifndef LIB_COMMAND_H
#define LIB_COMMAND_H

#include <stdbool.h>

#include "dtrace.h"

struct session;

/* No privileges are needed so far. */
dtrace_hdl_t *lib_open(const char *progname);
struct session *lib_session(dtrace_hdl_t *h); /* of the handle, for all that has no function */

/* All programs of the session, which are enabled.  False: errors were printed. */
bool lib_compile(dtrace_hdl_t *h);

/* First part of dtrace_go(): loads and attaches everything.  Nothing fires.  Returns false on
 * errors. */
bool lib_load(dtrace_hdl_t *h);

/* For dtrace_work(), which has no others then; dtrace_go() prints what BEGIN has. */
int lib_print_probe(const dtrace_probedata_t *data, void *arg);
int lib_print_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg);

/* Stop, and consume what is left, if that is not done yet. */
void lib_finish(dtrace_hdl_t *h);

/* Returns true if all processes of the handle had ended by the last round; false if it has none. */
bool lib_processes_ended(const dtrace_hdl_t *h);

#endif
