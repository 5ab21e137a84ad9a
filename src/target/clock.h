/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h: how far the clock of a target is ahead of ours, and how well that is known.  Both are
 * CLOCK_MONOTONIC in ns.
 */
#ifndef TARGET_CLOCK_H
#define TARGET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct clock {
	bool is_known;
	int64_t ahead;	/* the target's clock less ours */
	uint64_t error; /* at most, when it was measured */
	uint64_t time;	/* that, by our clock */
};

/* We asked at `sent`, the target had `answered` when it answered, we knew that at `got`. */
void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got);

/* How wrong it may be at a time of ours. */
uint64_t clock_error(const struct clock *c, uint64_t now);

/* A time of the target as one of ours. */
uint64_t clock_here(const struct clock *c, uint64_t there);

#endif
