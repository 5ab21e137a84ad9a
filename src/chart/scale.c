/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale.c: see scale.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "chart/scale.h"

/* Suffixes from the smallest unit on, each `step` times the one before. */
struct ladder {
	double step;
	unsigned int n;
	const char *suffixes[7];
};

static const struct ladder times = {1000, 4, {" ns", " us", " ms", " s"}};
static const struct ladder bytes[] = {
    {1000, 7, {" B", " kB", " MB", " GB", " TB", " PB", " EB"}},
    {1024, 7, {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"}},
};
static const struct ladder plain[] = {
    {1000, 7, {"", "K", "M", "G", "T", "P", "E"}},
    {1024, 7, {"", "K", "M", "G", "T", "P", "E"}},
};

#define LONG 1e15 /* the least number that is written with an exponent */

/* Appends a number with three digits, or with all digits before the point.  Numbers of files can be
 * of any size. */
static void put_digits(struct buf *b, double v)
{
	char text[32];
	int n;

	if (fabs(v) >= LONG) {
		buf_printf(b, "%.3g", v);
		return;
	}
	n = snprintf(text, sizeof(text), "%.*f",
		     fabs(v) >= 99.95	? 0
		     : fabs(v) >= 9.995 ? 1
					: 2,
		     v);

	if (strchr(text, '.')) {
		while (text[n - 1] == '0')
			n--;
		n -= text[n - 1] == '.';
	}
	buf_add(b, text, (size_t)n);
}

/* first: the suffix of the value's own unit. */
static void put_on(struct buf *b, double v, const struct ladder *l, unsigned int first)
{
	unsigned int i = first;

	/* 999.5 would become 1000. */
	while (i + 1 < l->n && fabs(v) >= l->step - 0.5) {
		v /= l->step;
		i++;
	}
	put_digits(b, v);
	buf_puts(b, l->suffixes[i]);
}

void scale_put(struct buf *b, double value, const char *unit, bool is_binary)
{
	if (!unit)
		return put_on(b, value, &plain[is_binary], 0);
	for (unsigned int i = 0; i < times.n; i++)
		if (strcmp(unit, times.suffixes[i] + 1) == 0)
			return put_on(b, value, &times, i);
	put_on(b, value, &bytes[is_binary], 0);
}

bool scale_is_binary(double value)
{
	int power;

	return value == 0 || fabs(frexp(value, &power)) == 0.5;
}

bool scale_label(struct buf *b, const char *label, const char *unit, bool is_binary)
{
	size_t signs = strspn(label, "<>= ");
	char *end;
	double value = strtod(label + signs, &end);

	if (end == label + signs || *end || !isfinite(value)) {
		buf_puts(b, label);
		return false;
	}
	buf_add(b, label, signs);
	scale_put(b, value, unit, is_binary);
	return true;
}

/* ---- time axes ---- */

#define MINUTE 60.0
#define HOUR   3600.0
#define DAY    86400.0

double scale_step(double seconds, unsigned int most)
{
	static const double rounds[] = {MINUTE,	     2 * MINUTE,  5 * MINUTE, 10 * MINUTE,
					20 * MINUTE, 30 * MINUTE, HOUR,	      2 * HOUR,
					4 * HOUR,    6 * HOUR,	  12 * HOUR,  DAY};
	double least = seconds / most, base = 1, power = 1;

	if (least > 20) {
		for (unsigned int i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++)
			if (rounds[i] >= least)
				return rounds[i];
		base = DAY;
	}
	least /= base;
	while (power * 10 <= least)
		power *= 10;
	while (power > least)
		power /= 10;
	return base * power *
	       (least <= power	     ? 1
		: least <= 2 * power ? 2
		: least <= 5 * power ? 5
				     : 10);
}

void scale_time(struct buf *b, double seconds, double step)
{
	static const struct {
		double least, size;
		const char *suffix;
	} units[] = {{DAY, DAY, " d"}, {HOUR, HOUR, " h"},  {MINUTE, MINUTE, " min"},
		     {0.1, 1, " s"},   {1e-4, 1e-3, " ms"}, {0, 1e-6, " us"}};
	unsigned int i = 0;

	while (step < units[i].least)
		i++;
	put_digits(b, seconds / units[i].size);
	buf_puts(b, units[i].suffix);
}
