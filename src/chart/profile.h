/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h: tables that formats for profiles have in common: strings, mappings, functions and
 * locations, which refer to each other by number.
 *
 * An entry is written when something first refers to it.  Entries have numbers from 1, and 0 means
 * none; strings have numbers from 0, and the first one is "".
 */
#ifndef CHART_PROFILE_H
#define CHART_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "metrics/proto.h"

struct chart;
struct chart_agg;
struct chart_frame;
struct chart_row;
struct map;
struct profile;

/* Functions that write an entry of a format.  References are numbers. */
struct profile_format {
	void (*string)(struct profile *p, const char *s, size_t n);
	/* build_id: NULL: not known */
	void (*mapping)(struct profile *p, uint32_t number, uint32_t file, const char *build_id);
	/* plain: the name without the module */
	void (*function)(struct profile *p, uint32_t number, uint32_t name, uint32_t plain,
			 uint32_t file);
	/* line: 0: not known */
	void (*location)(struct profile *p, uint32_t number, const struct chart_frame *f,
			 uint32_t mapping, uint32_t function, uint32_t line);
};

struct profile {
	const struct profile_format *format;
	const struct chart *c;
	struct proto p; /* of the tables */
	struct map *strings, *mappings, *functions, *locations;
};

/* Begins tables, whose entries are appended to b. */
void profile_begin(struct profile *p, const struct profile_format *format, const struct chart *c,
		   struct buf *b);
void profile_end(struct profile *p);

/* Return the number of an entry.  No message may be open in p->p. */
uint32_t profile_string(struct profile *p, const char *s);
uint32_t profile_location(struct profile *p, const struct chart_row *r, unsigned int i);

/* Returns the string with the name of a key that is not a stack: its own, or key0, key1 ... if it
 * has none or shares it with an earlier key. */
uint32_t profile_label(struct profile *p, const struct chart_agg *a, unsigned int i);

/* Returns the text of such a key. */
const char *profile_key(const struct profile *p, const struct chart_row *r, unsigned int i);

/* Returns the unit of the values; "": not known. */
const char *profile_unit(const struct chart_agg *a);

#endif
