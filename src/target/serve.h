/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.h: one connection of an agent.
 */
#ifndef TARGET_SERVE_H
#define TARGET_SERVE_H

#include <stdbool.h>

struct machine;

/*
 * Serves until the connection ends, and closes the descriptors.  The machine makes the calls.  They
 * leave maps and programs behind, so the process has to end afterwards.  is_busy: say so, no more.
 */
void serve_connection(struct machine *m, int in, int out, bool is_busy);

#endif
