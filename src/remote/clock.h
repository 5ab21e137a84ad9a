/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h: how far the clock of a target is ahead of ours, how fast the difference changes, and the
 * errors of both.  Both clocks are CLOCK_MONOTONIC in ns.
 */
#ifndef REMOTE_CLOCK_H
#define REMOTE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_TRIPS 64 /* number of kept round trips */

/* The time of the target's answer, and the least and most that its clock was ahead then. */
struct clock_trip {
	uint64_t there;
	int64_t least, most;
};

/* At the target's time `since` its clock was ahead by `ahead`, which grows by `rate` per ns. */
struct clock {
	struct clock_trip trips[CLOCK_TRIPS]; /* by time */
	unsigned int n;
	uint64_t since;
	int64_t ahead;
	double rate;
	double error, rate_error; /* of ahead and rate */
};

/* Adds a round trip: `sent` and `got` are our times of the question and of the arrival, `answered`
 * is the target's time of the answer. */
void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got);

/* Returns the error of the conversion of a time of the target, in ns; UINT64_MAX before the first
 * trip. */
uint64_t clock_error(const struct clock *c, uint64_t there);

/* Convert a time of the target to our time, and a time of ours to the target's. */
uint64_t clock_here(const struct clock *c, uint64_t there);
uint64_t clock_there(const struct clock *c, uint64_t here);

#endif
