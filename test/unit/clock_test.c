/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock_test.c: the estimate of a target's clock, compared with a simulated true time.
 */
#include "remote/clock.h"
#include "test.h"

#define SECOND 1000000000ULL

/* A clock that is ahead by a second and gains 900 ns in a millisecond. */
static uint64_t there(uint64_t here)
{
	return here + SECOND + here / 1000000 * 900;
}

/* Makes a round trip that begins now; the answer is delayed by TO and FROM on its ways. */
static void trip(struct clock *c, uint64_t now, uint64_t to, uint64_t from)
{
	clock_sample(c, now, there(now + to), now + to + from);
}

static int64_t wrong(const struct clock *c, uint64_t now)
{
	return (int64_t)(clock_here(c, there(now)) - now);
}

static int64_t size(int64_t n)
{
	return n < 0 ? -n : n;
}

/* The answer was half way, or the error is within the reported limit. */
static void one_trip(void)
{
	struct clock c = {0};

	trip(&c, 5 * SECOND, 1000, 1000);
	CHECK(size(wrong(&c, 5 * SECOND)) < 10);
	c = (struct clock){0};
	trip(&c, 5 * SECOND, 3000, 1000);
	CHECK(size(wrong(&c, 5 * SECOND)) <= (int64_t)clock_error(&c, there(5 * SECOND)));
	CHECK(size(wrong(&c, 5 * SECOND)) > 900);
}

/* Among trips of about the same time, the fastest counts, whenever it comes. */
static void fastest(void)
{
	struct clock c = {0};

	trip(&c, SECOND, 50000, 10000);
	trip(&c, SECOND + 100000, 1000, 1000);
	trip(&c, SECOND + 200000, 10000, 90000);
	CHECK(size(wrong(&c, SECOND + 200000)) < 1000);
}

/* The rate becomes visible, so the estimate is right between and after the trips. */
static void follows(void)
{
	struct clock c = {0};

	for (uint64_t i = 0; i < 100; i++)
		trip(&c, i * SECOND / 4, 20000 + i % 7 * 1000, 20000 + i % 5 * 1000);
	CHECK(size(wrong(&c, 25 * SECOND)) < 10000);
	CHECK(size(wrong(&c, 26 * SECOND)) < 20000);
	CHECK(size(wrong(&c, 26 * SECOND)) <= (int64_t)clock_error(&c, there(26 * SECOND)));
}

/* A very slow trip adds nothing to the estimate. */
static void slow(void)
{
	struct clock c = {0};

	for (uint64_t i = 0; i < 20; i++)
		trip(&c, i * SECOND / 4, 20000, 20000);
	trip(&c, 5 * SECOND, 90000000, 10000);
	CHECK(size(wrong(&c, 5 * SECOND)) < 10000);
}

/* This machine runs for much longer than the target.  The clock of the target gains time only while
 * the target runs. */
static void old_machine(void)
{
	const uint64_t age = 100000 * SECOND, start = age + SECOND;
	struct clock c = {0};

	for (uint64_t i = 0; i < 20; i++) {
		uint64_t now = start + i * SECOND / 10;

		clock_sample(&c, now, there(now + 20000) - age, now + 40000);
	}
	for (uint64_t i = 0; i < 40; i++) {
		uint64_t now = start + i * SECOND / 10;

		CHECK(size((int64_t)(clock_there(&c, now) - (there(now) - age))) < 10000);
		CHECK(size((int64_t)(clock_here(&c, clock_there(&c, now)) - now)) < 10);
	}
}

int main(void)
{
	one_trip();
	fastest();
	follows();
	slow();
	old_machine();
	return TEST_DONE();
}
