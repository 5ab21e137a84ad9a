/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.h: one connection of an agent.
 */
#ifndef TARGET_SERVE_H
#define TARGET_SERVE_H

#include <stdbool.h>

/*
 * Serve until the connection ends; the descriptors are closed then.  To be called in a process that
 * ends afterwards, as that gives back what is left.  is_busy: say so, no more.
 */
void serve_connection(int in, int out, bool is_busy);

#endif
