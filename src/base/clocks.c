/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clocks.c: reads clocks.
 */
#include <time.h>

#include "base/clocks.h"

#define READINGS 3

static uint64_t read_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_thread(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

/* Reads the clocks one after the other, several times, and takes the fastest pair. */
int64_t clock_offset(void)
{
	uint64_t least = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = clock_ns(), wall = clock_wall(), took = clock_ns() - before;

		if (took >= least)
			continue;
		least = took;
		offset = (int64_t)wall - (int64_t)(before + took / 2);
	}
	return offset;
}
