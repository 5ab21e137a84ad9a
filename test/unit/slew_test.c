/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slew_test.c: the time of a target's programs, compared with a simulated true time.
 */
#include "remote/slew.h"
#include "test.h"

#define SECOND	    1000000000ULL
#define MILLISECOND 1000000ULL
#define AHEAD	    (7 * SECOND)

/* A target, whose clock is ahead and gains 900 ns in a millisecond, and what its programs have. */
struct sim {
	struct clock clock;
	struct abi_state planned, there;
	uint64_t lost;	  /* time that the target's clock has lost */
	uint64_t arrives; /* time of arrival of the planned clock */
	uint64_t last;	  /* last time of the programs */
};

static uint64_t there(const struct sim *s, uint64_t now)
{
	return now + AHEAD + now / MILLISECOND * 900 - s->lost;
}

static void trip(struct sim *s, uint64_t now, uint64_t ns)
{
	clock_sample(&s->clock, now - ns, there(s, now - ns / 2), now);
}

static void start(struct sim *s, uint64_t now, uint64_t ns)
{
	trip(s, now, ns);
	slew_start(&s->planned, &s->clock);
	s->there = s->planned;
}

/*
 * Runs for some time.  There is a round trip each 100 ms.  Clocks are sent `early` before they are
 * valid, and take `delay`.  Returns the longest step of the programs' time in a millisecond; a step
 * back is 0.
 */
static uint64_t run(struct sim *s, uint64_t from, uint64_t to, uint64_t early, uint64_t delay)
{
	uint64_t longest = 0;
	bool goes_back = false;

	for (uint64_t now = from; now < to; now += MILLISECOND) {
		uint64_t time;

		if (s->arrives && now >= s->arrives) {
			s->there = s->planned;
			s->arrives = 0;
		}
		time = slew_here(&s->there, there(s, now));
		goes_back |= time <= s->last;
		if (s->last && time - s->last > longest)
			longest = time - s->last;
		s->last = time;
		if (now / MILLISECOND % 100)
			continue;
		trip(s, now, MILLISECOND / 10);
		if (!s->arrives && !slew_is_early(&s->planned, there(s, now))) {
			slew_next(&s->planned, &s->clock, there(s, now) + early);
			s->arrives = now + delay;
		}
	}
	CHECK(!goes_back);
	return longest;
}

static int64_t wrong(const struct sim *s, uint64_t now)
{
	return (int64_t)(slew_here(&s->there, there(s, now)) - now);
}

/* Whenever a clock arrives, programs use it from the same time. */
static void arrives(void)
{
	for (uint64_t early = 50; early <= 2000; early += 650) {
		struct sim s = {0};

		start(&s, SECOND, MILLISECOND / 10);
		CHECK(run(&s, SECOND, 20 * SECOND, early * MILLISECOND, (early - 1) * MILLISECOND) <
		      MILLISECOND * 101 / 100 + 1000);
		CHECK(wrong(&s, 20 * SECOND) > -200000 && wrong(&s, 20 * SECOND) < 200000);
	}
}

/* If a clock arrives late, the time makes a step.  slew_step() returns its size. */
static void late(void)
{
	struct sim s = {0};
	uint64_t t;

	start(&s, SECOND, MILLISECOND / 10);
	s.there.clocks[0].offset += SECOND;
	s.there.clocks[1].offset += SECOND;
	s.planned = s.there;
	t = there(&s, 2 * SECOND);
	slew_next(&s.planned, &s.clock, t);
	CHECK(slew_step(&s.planned, t - 1) == 0);
	CHECK(slew_step(&s.planned, t) == 0);
	CHECK(slew_step(&s.planned, t + SECOND) > 9 * MILLISECOND);
	CHECK(slew_step(&s.planned, t + SECOND) ==
	      slew_here(&s.there, t + SECOND) - slew_here(&s.planned, t + SECOND));
}

/* Programs that are ahead run slower until they are right.  Their time never goes back. */
static void ahead(void)
{
	struct sim s = {0};

	start(&s, SECOND, MILLISECOND / 10);
	s.there.clocks[0].offset += 50 * MILLISECOND;
	s.there.clocks[1].offset += 50 * MILLISECOND;
	s.planned = s.there;
	run(&s, SECOND, 3 * SECOND, 50 * MILLISECOND, 10 * MILLISECOND);
	CHECK(wrong(&s, 3 * SECOND) > (int64_t)(25 * MILLISECOND));
	run(&s, 3 * SECOND, 20 * SECOND, 50 * MILLISECOND, 10 * MILLISECOND);
	CHECK(wrong(&s, 20 * SECOND) > -200000 && wrong(&s, 20 * SECOND) < 200000);
}

/* The target was paused: its programs get the time that they missed at once. */
static void paused(void)
{
	struct sim s = {0};
	uint64_t longest;

	start(&s, SECOND, MILLISECOND / 10);
	run(&s, SECOND, 5 * SECOND, 50 * MILLISECOND, 10 * MILLISECOND);
	s.lost = 3 * SECOND;
	s.last = 0;
	longest = run(&s, 8 * SECOND, 9 * SECOND, 50 * MILLISECOND, 10 * MILLISECOND);
	CHECK(longest > 2 * SECOND);
	CHECK(wrong(&s, 9 * SECOND) > -200000 && wrong(&s, 9 * SECOND) < 200000);
}

int main(void)
{
	arrives();
	late();
	ahead();
	paused();
	return TEST_DONE();
}
