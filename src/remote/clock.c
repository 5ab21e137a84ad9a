/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c: estimates the clock of a target.
 *
 * The target answers at some time between our question and the arrival of the answer.  So each
 * round trip bounds how far the target's clock is ahead.  A clock of constant rate is a line
 * between all these bounds.  We take the middle of the possible lines, and the rest is the error.
 * Slow trips do no harm, and trips that were fast in one direction help.
 */
#include <math.h>
#include <string.h>

#include "remote/clock.h"

/* The rate may be slewed (adjtimex(2)), so older trips do not show the current rate. */
#define AGE_MAX 60000000000ULL

/* Slewed and emulated clocks have smaller errors than this. */
#define RATE_MAX 0.005

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double between(const struct clock_trip *a, const struct clock_trip *b)
{
	return (double)(int64_t)(b->there - a->there);
}

/* Computes the slowest and the fastest rate that all pairs of trips allow. */
static void bound_rate(const struct clock *c, double *least, double *most)
{
	*least = -RATE_MAX;
	*most = RATE_MAX;
	for (unsigned int i = 0; i < c->n; i++)
		for (unsigned int j = i + 1; j < c->n; j++) {
			const struct clock_trip *a = &c->trips[i], *b = &c->trips[j];
			double ns = between(a, b);

			if (ns <= 0)
				continue;
			*least = larger(*least, (double)(b->least - a->most) / ns);
			*most = smaller(*most, (double)(b->most - a->least) / ns);
		}
}

/* Computes the bounds at the newest trip for this rate. */
static void bound_ahead(const struct clock *c, double rate, double *least, double *most)
{
	const struct clock_trip *last = &c->trips[c->n - 1];

	*least = -INFINITY;
	*most = INFINITY;
	for (unsigned int i = 0; i < c->n; i++) {
		double since = rate * between(&c->trips[i], last);

		*least = larger(*least, (double)c->trips[i].least + since);
		*most = smaller(*most, (double)c->trips[i].most + since);
	}
}

static void drop(struct clock *c, unsigned int i)
{
	memmove(&c->trips[i], &c->trips[i + 1], (c->n - i - 1) * sizeof(*c->trips));
	c->n--;
}

/* Returns false if no line fits between the bounds. */
static bool fit(struct clock *c)
{
	double slow, fast, least, most;

	bound_rate(c, &slow, &fast);
	if (slow > fast)
		return false;
	c->rate = (slow + fast) / 2;
	c->rate_error = (fast - slow) / 2;
	bound_ahead(c, c->rate, &least, &most);
	c->since = c->trips[c->n - 1].there;
	c->ahead = (int64_t)((least + most) / 2);
	c->error = fabs(most - least) / 2 + 1;
	return true;
}

/* Makes room for the newest trip: drops old ones, then the one with the widest bounds. */
static void make_room(struct clock *c, uint64_t now)
{
	unsigned int widest = 0;

	while (c->n && now - c->trips[0].there > AGE_MAX)
		drop(c, 0);
	if (c->n < CLOCK_TRIPS)
		return;
	for (unsigned int i = 1; i < c->n; i++)
		if (c->trips[i].most - c->trips[i].least >
		    c->trips[widest].most - c->trips[widest].least)
			widest = i;
	drop(c, widest);
}

void clock_sample(struct clock *c, uint64_t sent, uint64_t answered, uint64_t got)
{
	make_room(c, answered);
	c->trips[c->n++] = (struct clock_trip){.there = answered,
					       .least = (int64_t)(answered - got),
					       .most = (int64_t)(answered - sent)};
	/* If the clock was set, only later trips lie on one line. */
	while (!fit(c))
		drop(c, 0);
}

uint64_t clock_error(const struct clock *c, uint64_t there)
{
	double age = (double)(int64_t)(there - c->since);

	return c->n ? (uint64_t)(c->error + c->rate_error * fabs(age)) : UINT64_MAX;
}

uint64_t clock_here(const struct clock *c, uint64_t there)
{
	double gained = c->rate * (double)(int64_t)(there - c->since);

	return there - (uint64_t)(c->ahead + (int64_t)gained);
}

/* The rate applies to the time since c->since, not to the difference of the two clocks, which can
 * be the age of a machine. */
uint64_t clock_there(const struct clock *c, uint64_t here)
{
	double since = (double)(int64_t)(here + (uint64_t)c->ahead - c->since) / (1 - c->rate);

	return c->since + (uint64_t)(int64_t)since;
}
