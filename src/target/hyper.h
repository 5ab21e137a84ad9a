/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hyper.h: one program on several machines: a session for each, one output.
 */
#ifndef TARGET_HYPER_H
#define TARGET_HYPER_H

#include <stdbool.h>

#include "run/session.h"

struct hyper;

/* Applies the command line to a new session.  Returns false after reporting an error. */
typedef bool hyper_say(void *ctx, struct session *s);

/* The host's session comes first; the caller keeps it. */
struct hyper *hyper_new(struct session *host, hyper_say *say, void *ctx);
void hyper_free(struct hyper *h);

/*
 * Connects to the targets of -x target; without it to all known ones: of TARGETS_DIR, and running
 * guests with our port.  A target that does not connect is reported and left out.  Returns false,
 * after a report, if the command line is wrong.
 */
bool hyper_connect(struct hyper *h);

/* Completes descriptions that may begin with a target, as session_complete() does. */
void hyper_complete(struct hyper *h, char letter, const char *word);

/* Prints all targets with their systems and the errors of their clocks. */
void hyper_list(struct hyper *h);

/* -l: lists the probes of each target that its descriptions name; without descriptions, all
 * probes. */
void hyper_list_probes(struct hyper *h, bool verbose);

/* As session_compile() and so on, for all sessions.  A description matches if it matches on one
 * machine. */
bool hyper_compile(struct hyper *h);
unsigned int hyper_matched(struct hyper *h, unsigned int program);
bool hyper_load(struct hyper *h);
void hyper_run(struct hyper *h);
int hyper_status(const struct hyper *h); /* of exit() */

#endif
