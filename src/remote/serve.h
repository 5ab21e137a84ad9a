/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.h: one connection of an agent.
 */
#ifndef REMOTE_SERVE_H
#define REMOTE_SERVE_H

#include <stdbool.h>

struct machine;

/*
 * Serves until the connection ends, and closes the descriptors.  m makes the calls, whose maps and
 * programs remain, so the process must end afterwards.  is_busy: only answers that the agent is
 * busy.
 */
void serve_connection(struct machine *m, int in, int out, bool is_busy);

#endif
