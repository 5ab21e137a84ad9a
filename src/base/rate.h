/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rate.h: intervals in D's notation: "10ms", "5min", "997hz".
 */
#ifndef BASE_RATE_H
#define BASE_RATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Converts a decimal number with a unit, in any case, to nanoseconds.  Units are ns nsec us usec ms
 * msec s sec m min h hour d day, and hz, which gives the interval.  Without a unit it is `none`:
 * RATE_NS or RATE_HZ.  Returns false for other text, or more than 64 bits.
 */
enum rate_unit { RATE_NS, RATE_HZ };
bool rate_parse(const char *text, enum rate_unit none, uint64_t *ns);

#endif
