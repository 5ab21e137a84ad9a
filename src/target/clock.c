/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c: the answer was given at some time between the question and its arrival, so half of that
 * is the error of a round trip (as in RFC 5905, section 8).  The best one is kept until what the
 * clocks may have drifted apart meanwhile is more than the error of a new one.
 */
#include "target/clock.h"

/* A clock may be slewed by so much: 500 ppm (adjtimex(2)), on both sides. */
#define DRIFT_PPM 1000

void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got)
{
	uint64_t error = (got - sent) / 2 + 1;

	if (c->is_known && error > clock_error(c, got))
		return;
	*c = (struct clock){.is_known = true,
			    .ahead = (int64_t)(answered - sent) - (int64_t)((got - sent) / 2),
			    .error = error,
			    .time = got};
}

uint64_t clock_error(const struct clock *c, uint64_t now)
{
	uint64_t age = now > c->time ? now - c->time : 0;

	return c->error + age / 1000000 * DRIFT_PPM;
}

uint64_t clock_here(const struct clock *c, uint64_t there)
{
	return there - (uint64_t)c->ahead;
}
