/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clocks.h: the clocks of this machine, in ns.
 */
#ifndef BASE_CLOCKS_H
#define BASE_CLOCKS_H

#include <stdint.h>

/* Returns CLOCK_MONOTONIC. */
uint64_t clock_ns(void);

/* Returns the processor time of this thread. */
uint64_t clock_thread(void);

/* Returns the time of day since 1970. */
uint64_t clock_wall(void);

/* Returns the difference from CLOCK_MONOTONIC to the time of day. */
int64_t clock_offset(void);

#endif
