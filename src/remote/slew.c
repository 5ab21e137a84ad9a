/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slew.c: keeps the time of programs close to the estimate.
 *
 * A clock of programs is a line that begins where the last one ends.  Its slope is the rate of the
 * target's clock and a correction.  A virtual machine that was paused, or an emulated one whose
 * processor had to wait, can be far behind.  Then the line begins with a step forward.
 */
#include "remote/slew.h"

#define SECOND 1000000000.0

/* The largest correction.  Intervals on one machine are wrong by this part. */
#define RATE_MAX 0.01

/* Smaller errors are corrected by the rate, in two seconds. */
#define STEP_MIN (2 * SECOND * RATE_MAX)

static uint64_t convert(const struct abi_clock *c, uint64_t there)
{
	__int128 more = (__int128)(int64_t)(there - c->since) * (int64_t)c->rate;

	return there + c->offset + (uint64_t)(int64_t)(more >> 32);
}

static void set(struct abi_clock *k, uint64_t since, uint64_t here, double rate)
{
	k->since = since;
	k->offset = here - since;
	k->rate = (uint64_t)(int64_t)(rate * 4294967296.0);
}

void slew_start(struct abi_state *state, const struct clock *c)
{
	struct abi_clock *k = state->clocks;

	set(k, c->since, clock_here(c, c->since), -c->rate);
	k[1] = k[0];
}

bool slew_is_early(const struct abi_state *state, uint64_t there)
{
	return (int64_t)(there - state->clocks[state->clock & 1].since) < 0;
}

uint64_t slew_here(const struct abi_state *state, uint64_t there)
{
	return convert(&state->clocks[(state->clock ^ slew_is_early(state, there)) & 1], there);
}

uint64_t slew_step(const struct abi_state *state, uint64_t there)
{
	uint64_t a = convert(&state->clocks[0], there), b = convert(&state->clocks[1], there);

	return slew_is_early(state, there) ? 0 : a > b ? a - b : b - a;
}

void slew_next(struct abi_state *state, const struct clock *c, uint64_t from)
{
	uint64_t is = slew_here(state, from), want = clock_here(c, from);
	double behind = (double)(int64_t)(want - is), rate;

	if (behind > STEP_MIN + (double)clock_error(c, from)) {
		is = want;
		behind = 0;
	}
	/* The new line lasts about as long as the last one, and must not correct too much. */
	rate = behind / (SECOND + (double)(from - state->clocks[state->clock & 1].since));
	rate = rate > RATE_MAX ? RATE_MAX : rate < -RATE_MAX ? -RATE_MAX : rate;
	set(&state->clocks[!(state->clock & 1)], from, is, rate - c->rate);
	state->clock = !(state->clock & 1);
}
