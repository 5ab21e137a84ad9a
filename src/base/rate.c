/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rate.c: intervals from text.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "base/rate.h"

#define SECOND 1000000000ULL

static const struct {
	const char *name;
	uint64_t ns; /* 0: per second */
} units[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1000000},
    {"msec", 1000000},
    {"s", SECOND},
    {"sec", SECOND},
    {"m", 60 * SECOND},
    {"min", 60 * SECOND},
    {"h", 3600 * SECOND},
    {"hour", 3600 * SECOND},
    {"d", 86400 * SECOND},
    {"day", 86400 * SECOND},
    {"hz", 0},
};

bool rate_parse(const char *text, enum rate_unit none, uint64_t *ns)
{
	unsigned long long n;
	const char *unit;
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno)
		return false;
	unit = *end ? end : none == RATE_HZ ? "hz" : "ns";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(unit, units[i].name) != 0)
			continue;
		if (units[i].ns && n > UINT64_MAX / units[i].ns)
			return false;
		*ns = units[i].ns ? n * units[i].ns : n ? SECOND / n : 0;
		return true;
	}
	return false;
}
