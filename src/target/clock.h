/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h: how far the clock of a target is ahead of ours, how fast that changes, and how well it
 * is known.  Both are CLOCK_MONOTONIC in ns.
 */
#ifndef TARGET_CLOCK_H
#define TARGET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_TRIPS 64 /* round trips that are kept */

/* When the target answered, and the least and most that its clock can have been ahead then. */
struct clock_trip {
	uint64_t there;
	int64_t least, most;
};

/* At the target's time `since` it was ahead by `ahead`, which grows by `rate` in each ns of it. */
struct clock {
	struct clock_trip trips[CLOCK_TRIPS]; /* in order of time */
	unsigned int n;
	uint64_t since;
	int64_t ahead;
	double rate;
	double error, rate_error; /* of these */
};

/* We asked at `sent`, the target had `answered` when it answered, we knew that at `got`. */
void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got);

/* Return how far the clock is ahead at a time of the target in ns, and the error of that in ns. */
int64_t clock_ahead(const struct clock *c, uint64_t there);
uint64_t clock_error(const struct clock *c, uint64_t there);

/* A time of the target as one of ours. */
uint64_t clock_here(const struct clock *c, uint64_t there);

#endif
