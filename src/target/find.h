/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.h: which targets there are, and what they are called.
 */
#ifndef TARGET_FIND_H
#define TARGET_FIND_H

#include "run/compile.h"

struct arena;
struct machine;
struct report;

/* A name and the channel to it, which belong to who calls. */
typedef void find_found(void *ctx, const char *name, const char *channel);

/* "NAME=CHANNEL" of -x target. */
void find_option(const char *text, find_found *f, void *ctx);

/*
 * Files of the directory: each line is a NAME=CHANNEL, empty, or begins with a #.  What is neither
 * is reported.
 */
void find_files(const struct report *report, const char *dir, find_found *f, void *ctx);

/* Virtual machines of QEMU that run here and have a port of our name (AGENT_PORT_NAME). */
void find_guests(find_found *f, void *ctx);

/* What a machine calls itself; name: what it is called here. */
void find_names(struct machine *m, struct arena *a, const char *name, struct target_names *names);

#endif
