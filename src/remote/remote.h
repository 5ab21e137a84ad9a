/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote.h: a machine at the other end of a connection.
 */
#ifndef REMOTE_REMOTE_H
#define REMOTE_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/machine.h"
#include "remote/clock.h"

/* Connects to the agent of a channel.  Returns NULL on error; *err is the reason, a text that stays
 * valid until the program ends. */
struct machine *remote_open(const char *channel, const char **err);

/* Connect in two steps.  Call the second step again while it waits, so that a target that does not
 * answer delays no other.  If it refuses, free the machine. */
enum remote_state { REMOTE_WAITS, REMOTE_REFUSES, REMOTE_ANSWERS };
struct machine *remote_begin(const char *channel, const char **err);
enum remote_state remote_meet(struct machine *m, const char **err);

/* Returns why calls fail now; NULL: they do not. */
const char *remote_lost(struct machine *m);

/* Makes no further calls, and ends a connection by a socket.  WHY is a part of a sentence. */
void remote_give_up(struct machine *m, const char *why);

/* Sets the time in ns for all further calls together: then the target is lost. */
void remote_end_within(struct machine *m, uint64_t ns);

/* Handles answers and records outside a call.  The descriptor is readable when there are some. */
void remote_poll(struct machine *m);
int remote_fd(struct machine *m);

/* Returns true if the target has just answered, so that a call will not take long. */
bool remote_is_awake(struct machine *m);

/* Ask for the time; ask several times and wait for the answers; return the estimate. */
void remote_ping(struct machine *m);
void remote_measure(struct machine *m);
const struct clock *remote_clock(struct machine *m);

/* Returns true if the last question for the time has no answer yet. */
bool remote_is_pinged(struct machine *m);

/* Returns the time that the last round trip took, ns. */
uint64_t remote_trip(struct machine *m);

/* Returns the time of the target before which all records have been drained. */
uint64_t remote_complete(struct machine *m);

/*
 * remote_mark() returns the position of the connection.  The next function returns true if the
 * records before a mark have been consumed.
 */
uint64_t remote_mark(struct machine *m);
bool remote_is_past(struct machine *m, uint64_t mark);

#endif
