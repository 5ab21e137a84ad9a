/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.h: finds targets and their names.
 */
#ifndef REMOTE_FIND_H
#define REMOTE_FIND_H

#include "compile/compile.h"

struct arena;
struct machine;
struct report;

#define TARGETS_DIR "/etc/dtrace/targets.d"

/* Gets a name and its channel.  The caller owns both strings. */
typedef void find_found(void *ctx, const char *name, const char *channel);

/* Calls f for "NAME=CHANNEL" of -x target. */
void find_option(const char *text, find_found *f, void *ctx);

/* Calls f for the targets in files of the directory.  Each line is NAME=CHANNEL, empty, or begins
 * with a #.  Other lines are reported. */
void find_files(const struct report *report, const char *dir, find_found *f, void *ctx);

/*
 * Calls f for each virtual machine of QEMU that runs here and has a port named AGENT_PORT_NAME.
 * Reports the machines of users that are not trusted, unless report is NULL.
 */
void find_guests(const struct report *report, find_found *f, void *ctx);

/* Finds the names of a machine.  name: its name here. */
void find_names(struct machine *m, struct arena *a, const char *name, struct target_names *names);

#endif
