/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rate.h: intervals as D writes them: "10ms", "5min", "997hz".
 */
#ifndef BASE_RATE_H
#define BASE_RATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A decimal number with a unit, in any case, to nanoseconds: ns nsec us usec ms msec s sec m min h
 * hour d day, and hz, of which the interval is meant.  Without a unit it is one of `none`: RATE_NS
 * or RATE_HZ.  False: not such a text, or too much for 64 bits.
 */
enum rate_unit { RATE_NS, RATE_HZ };
bool rate_parse(const char *text, enum rate_unit none, uint64_t *ns);

#endif
