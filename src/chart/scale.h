/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale.h: numbers as people read them: three digits and a prefix, "16.4 us", "64 KiB", "1.5M".
 */
#ifndef CHART_SCALE_H
#define CHART_SCALE_H

#include <stdbool.h>

struct buf;

/*
 * Appends a value.  unit: "ns", "us", "ms", "s", "bytes", or NULL for plain numbers.  is_binary:
 * the prefixes of bytes and plain numbers are powers of 1024, otherwise of 1000.
 */
void scale_put(struct buf *b, double value, const char *unit, bool is_binary);

/* Returns true for 0 and powers of two, also negative ones. */
bool scale_is_binary(double value);

/*
 * Appends the label of a bucket: a number, or a number after < or >=.  Other labels are copied.
 * Returns false if the label has no number.
 */
bool scale_label(struct buf *b, const char *label, const char *unit, bool is_binary);

/* Returns a round step of seconds, so that an axis of this length has at most `most` steps. */
double scale_step(double seconds, unsigned int most);

/* Appends a time of an axis with these steps, "0.2 s", "20 min". */
void scale_time(struct buf *b, double seconds, double step);

#endif
