/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * targets.h: one program on several machines: a session for each, one output.  After targets_load()
 * the host's session_go(), session_step() and session_stop() run them all.
 */
#ifndef REMOTE_TARGETS_H
#define REMOTE_TARGETS_H

#include <stdbool.h>

#include "session/session.h"

struct targets;

/* Applies the command line to a new session.  Returns false after reporting an error. */
typedef bool targets_say(void *ctx, struct session *s);

/* The host's session comes first; the caller keeps it. */
struct targets *targets_new(struct session *host, targets_say *say, void *ctx);
void targets_free(struct targets *h);

/*
 * Connects to the targets of -x target; without it, to all known targets: of TARGETS_DIR, and
 * running guests with our port.  A target that does not connect is reported and left out.  Returns
 * false, after a report, if the command line is wrong.
 */
bool targets_connect(struct targets *h);

/* Completes descriptions that can begin with a target, as session_complete() does. */
void targets_complete(struct targets *h, char letter, const char *word);

/* Prints all targets with their systems and the errors of their clocks. */
void targets_list(struct targets *h);

/* -l: lists the probes of each target that its descriptions name; without descriptions, all
 * probes. */
void targets_list_probes(struct targets *h, bool verbose);

/* As session_compile() and so on, for all sessions.  A description matches if it matches on one
 * machine. */
bool targets_compile(struct targets *h);
unsigned int targets_matched(struct targets *h, unsigned int program);
bool targets_load(struct targets *h);

#endif
