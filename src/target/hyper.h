/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hyper.h: one program on several machines: a session for each, one output.
 */
#ifndef TARGET_HYPER_H
#define TARGET_HYPER_H

#include <stdbool.h>

#include "run/session.h"

struct hyper;

/* Say to a new session what the command line says; false: reported. */
typedef bool hyper_say(void *ctx, struct session *s);

/* The host's session is given, and stays who owns it; it is the first. */
struct hyper *hyper_new(struct session *host, hyper_say *say, void *ctx);
void hyper_free(struct hyper *h);

/*
 * Connect those of -x target, or without it all that are known: of TARGETS_DIR, and running guests
 * with our port.  One that cannot be connected is reported and left out.  False: what the command
 * line says is wrong; reported.
 */
bool hyper_connect(struct hyper *h);

/* session_complete() of descriptions that may begin with a target. */
void hyper_complete(struct hyper *h, char letter, const char *word);

/* Print all targets with their systems and the errors of their clocks. */
void hyper_list(struct hyper *h);

/* -l: the probes of each that its descriptions name; all of them without any. */
void hyper_list_probes(struct hyper *h, bool verbose);

/* As session_compile and so on, of all sessions; a description matches if it does on one. */
bool hyper_compile(struct hyper *h);
unsigned int hyper_matched(struct hyper *h, unsigned int program);
bool hyper_load(struct hyper *h);
void hyper_run(struct hyper *h);
int hyper_status(const struct hyper *h); /* of exit() */

#endif
