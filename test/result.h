/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * result.h: the results of a runner, a program that runs the test files on its command line in
 * order.  The runner prints one line after each file, `ok FILE MILLISECONDS` or `failed FILE
 * MILLISECONDS`, and everything that explains a failure before that line.  tools/run-tests.sh reads
 * these lines: a runner that ends without a line for a file has crashed in that file.
 */
#ifndef TEST_RESULT_H
#define TEST_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static unsigned int result_passed, result_failed;
static int64_t result_since; /* start of the file, in milliseconds */

static int64_t result_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Begins a file.  Lines are written at once, so that a crash loses none. */
static void result_begin(void)
{
	if (!result_since)
		setvbuf(stdout, NULL, _IOLBF, 0);
	result_since = result_now();
}

static void result_end(const char *path, bool ok)
{
	*(ok ? &result_passed : &result_failed) += 1;
	printf("%s %s %lld\n", ok ? "ok" : "failed", path,
	       (long long)(result_now() - result_since));
}

/* Returns the exit status: 0 if there were files and all passed. */
static int result_status(void)
{
	return result_failed || !result_passed;
}

#endif
