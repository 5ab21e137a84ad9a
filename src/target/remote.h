/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote.h: a machine at the other end of a connection.
 */
#ifndef TARGET_REMOTE_H
#define TARGET_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/machine.h"
#include "target/clock.h"

/*
 * Connect to the agent of a channel.  NULL: *err says why not; it is a constant, or lasts as long
 * as the program.
 */
struct machine *remote_open(const char *channel, const char **err);

/*
 * The same in two steps, of which the second is to be asked again while it waits: nobody else is
 * kept waiting by one who does not answer.  What refuses is to be given back.
 */
enum remote_state { REMOTE_WAITS, REMOTE_REFUSES, REMOTE_ANSWERS };
struct machine *remote_begin(const char *channel, const char **err);
enum remote_state remote_meet(struct machine *m, const char **err);

/* Why calls fail now; NULL: they do not. */
const char *remote_lost(struct machine *m);

/* Handles answers and records outside of a call.  The descriptor is readable when there are some.
 */
void remote_poll(struct machine *m);
int remote_fd(struct machine *m);

/* It has answered just now, so a call will not take long. */
bool remote_is_awake(struct machine *m);

/* Ask for the time; the same several times, and wait for it; what is known of it. */
void remote_ping(struct machine *m);
void remote_measure(struct machine *m);
const struct clock *remote_clock(struct machine *m);

/* Firings before this time of the target have no record that is not here or has been drained. */
uint64_t remote_complete(struct machine *m);

/*
 * remote_mark() returns the position of the connection.  The next function returns true if the
 * records before a mark have been consumed.
 */
uint64_t remote_mark(struct machine *m);
bool remote_is_past(struct machine *m, uint64_t mark);

#endif
