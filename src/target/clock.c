/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c: the answer was given at some time between the question and its arrival, so half of that
 * is the error of a round trip (as in RFC 5905, section 8).  Of those that follow each other
 * closely the fastest is kept.  What the clocks drift apart is the line through the oldest and the
 * newest: that of an emulated processor runs some 0.1 percent wrong.
 */
#include <string.h>

#include "target/clock.h"

/* Clocks that differ more are no clocks. */
#define RATE_MAX 0.02

/* What nothing is known of yet may be the rate of a clock that is being slewed (adjtimex(2)). */
#define RATE_UNKNOWN 0.0005

static const struct clock_trip *last(const struct clock *c)
{
	return &c->trips[c->n - 1];
}

static void find_rate(struct clock *c)
{
	const struct clock_trip *from = &c->trips[0], *to = last(c);
	double rate = 0;

	if (c->n > 1 && to->there > from->there)
		rate = (double)(to->ahead - from->ahead) / (double)(to->there - from->there);
	c->rate = rate > RATE_MAX || rate < -RATE_MAX ? 0 : rate;
}

void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got)
{
	struct clock_trip trip = {
	    .there = answered,
	    .ahead = (int64_t)(answered - sent) - (int64_t)((got - sent) / 2),
	    .error = (got - sent) / 2 + 1,
	};
	/* The first few come all at once. */
	const struct clock_trip *before = c->n ? &c->trips[c->n > 1 ? c->n - 2 : 0] : NULL;
	bool is_close = before && answered - before->there < CLOCK_APART;

	if (c->n && trip.error > (is_close ? last(c)->error : clock_error(c, answered)))
		return;
	if (is_close)
		c->n--;
	if (c->n == CLOCK_TRIPS)
		memmove(c->trips, c->trips + 1, --c->n * sizeof(*c->trips));
	c->trips[c->n++] = trip;
	find_rate(c);
}

int64_t clock_ahead(const struct clock *c, uint64_t there)
{
	if (!c->n)
		return 0;
	return last(c)->ahead + (int64_t)(c->rate * (double)(int64_t)(there - last(c)->there));
}

uint64_t clock_error(const struct clock *c, uint64_t there)
{
	const struct clock_trip *from = &c->trips[0], *to = last(c);
	double rate = RATE_UNKNOWN, age;

	if (!c->n)
		return UINT64_MAX;
	age = (double)(int64_t)(there - to->there);
	if (c->n > 1)
		rate = (double)(from->error + to->error) / (double)(to->there - from->there);
	return to->error + (uint64_t)(rate * (age < 0 ? -age : age));
}

uint64_t clock_here(const struct clock *c, uint64_t there)
{
	return there - (uint64_t)clock_ahead(c, there);
}
