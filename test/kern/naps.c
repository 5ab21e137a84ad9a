// SPDX-License-Identifier: BSD-2-Clause
/*
 * naps.c: sleeps in two functions, N times in each, and prints the time it slept.
 *
 * usage: naps N [MS]
 *
 * One function sleeps MS (10) milliseconds, the other a fifth of that; with 0 neither sleeps.
 * Prints two lines: NAME NANOSECONDS.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Calls a function of the library that has no frame, so a walk along the frames misses nap() and
 * sees its caller. */
static __attribute__((noipa)) long long nap(long us)
{
	struct timespec t = {.tv_nsec = us * 1000};
	long long began = now();

	nanosleep(&t, NULL);
	return now() - began;
}

static __attribute__((noipa)) void short_nap(long long *sum, long ms)
{
	*sum += nap(ms * 200);
}

static __attribute__((noipa)) void long_nap(long long *sum, long ms)
{
	*sum += nap(ms * 1000);
}

int main(int argc, char **argv)
{
	long ms = argc > 2 ? atol(argv[2]) : 10;
	long long sums[2] = {0};

	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		short_nap(&sums[0], ms);
		long_nap(&sums[1], ms);
	}
	printf("short_nap %lld\nlong_nap %lld\n", sums[0], sums[1]);
	return 0;
}
