/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h: how far the clock of a target is ahead of ours, how fast that changes, and how well it
 * is known.  Both are CLOCK_MONOTONIC in ns.
 */
#ifndef TARGET_CLOCK_H
#define TARGET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Round trips that are kept, so long apart at least (ns). */
#define CLOCK_TRIPS 16
#define CLOCK_APART 200000000ULL

struct clock_trip {
	uint64_t there; /* the target's time */
	int64_t ahead;	/* the target's clock less ours */
	uint64_t error; /* at most */
};

struct clock {
	struct clock_trip trips[CLOCK_TRIPS]; /* by time; the last counts */
	unsigned int n;
	double rate; /* by how much `ahead` grows in a ns of the target */
};

/* We asked at `sent`, the target had `answered` when it answered, we knew that at `got`. */
void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got);

/* How far it is ahead at a time of the target, and how wrong that may be. */
int64_t clock_ahead(const struct clock *c, uint64_t there);
uint64_t clock_error(const struct clock *c, uint64_t there);

/* A time of the target as one of ours. */
uint64_t clock_here(const struct clock *c, uint64_t there);

#endif
