/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test.h: checks for the unit tests.  A test is a program; it prints every check that fails, and
 * then ends with status 1.
 */
#ifndef TEST_UNIT_TEST_H
#define TEST_UNIT_TEST_H

#include <stdio.h>
#include <string.h>

static unsigned int test_checks, test_failures;

#define CHECK(cond)                                                               \
	do {                                                                      \
		test_checks++;                                                    \
		if (!(cond)) {                                                    \
			test_failures++;                                          \
			printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond); \
		}                                                                 \
	} while (0)

#define CHECK_INT(got, want)                                                                     \
	do {                                                                                     \
		long long got_ = (long long)(got), want_ = (long long)(want);                    \
		test_checks++;                                                                   \
		if (got_ != want_) {                                                             \
			test_failures++;                                                         \
			printf("%s:%d: %s is %lld, want %lld\n", __FILE__, __LINE__, #got, got_, \
			       want_);                                                           \
		}                                                                                \
	} while (0)

#define CHECK_STR(got, want)                                                                       \
	do {                                                                                       \
		const char *got_ = (got), *want_ = (want);                                         \
		test_checks++;                                                                     \
		if (strcmp(got_, want_) != 0) {                                                    \
			test_failures++;                                                           \
			printf("%s:%d: %s is\n<%s>\nwant\n<%s>\n", __FILE__, __LINE__, #got, got_, \
			       want_);                                                             \
		}                                                                                  \
	} while (0)

#define TEST_DONE() \
	(printf("%u checks, %u failures\n", test_checks, test_failures), test_failures != 0)

#endif
