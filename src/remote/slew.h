/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slew.h: the clock that the programs of a target use.  It follows the estimate (clock.h), but
 * never goes back if each new clock arrives before it is valid.  All times are in ns.
 */
#ifndef REMOTE_SLEW_H
#define REMOTE_SLEW_H

#include <stdbool.h>
#include <stdint.h>

#include "remote/clock.h"
#include "rt/abi.h"

/* Sets the first clock of programs that do not run yet. */
void slew_start(struct abi_state *state, const struct clock *c);

/* Returns true if the newest clock is not yet valid at this time of the target. */
bool slew_is_early(const struct abi_state *state, uint64_t there);

/*
 * Makes a new clock in the place of the one that is no longer valid.  It is valid from this time of
 * the target, before which the programs must have it.
 */
void slew_next(struct abi_state *state, const struct clock *c, uint64_t from);

/* Returns the time of programs at a time of the target. */
uint64_t slew_here(const struct abi_state *state, uint64_t there);

/*
 * Returns how far the times of programs are apart at a time of the target, depending on whether the
 * newest clock has arrived.
 */
uint64_t slew_step(const struct abi_state *state, uint64_t there);

#endif
