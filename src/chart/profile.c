/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c: see profile.h.
 *
 * A location has no address, because its function and line are known already.
 */
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "chart/chart.h"
#include "chart/profile.h"

static uint32_t string_of(struct profile *p, const char *s, size_t n)
{
	bool is_new;
	uint32_t number = map_number(p->strings, s, n, &is_new) - 1;

	if (is_new)
		p->format->string(p, s, n);
	return number;
}

uint32_t profile_string(struct profile *p, const char *s)
{
	return string_of(p, s, strlen(s));
}

/* Returns 0 if the frame has no module. */
static uint32_t mapping_of(struct profile *p, const struct chart_frame *f)
{
	size_t n = chart_module(f);
	const struct chart_object *o = n ? chart_find_object(p->c, f->name, n) : NULL;
	uint32_t number, file;
	bool is_new;

	if (!n)
		return 0;
	number = map_number(p->mappings, f->name, n, &is_new);
	if (!is_new)
		return number;
	file = o ? profile_string(p, o->path) : string_of(p, f->name, n);
	p->format->mapping(p, number, file, o ? o->build_id : NULL);
	return number;
}

/* line: NULL: not known.  A function is one for each of its files. */
static uint32_t function_of(struct profile *p, uint32_t frame, const struct chart_line *line)
{
	const struct chart_frame *f = &p->c->frames.a[frame];
	size_t module = chart_module(f);
	uint32_t key[2] = {frame, line ? profile_string(p, line->file) : 0}, number, name, plain;
	bool is_new;

	number = map_number(p->functions, key, sizeof(key), &is_new);
	if (!is_new)
		return number;
	name = profile_string(p, f->name);
	plain = profile_string(p, module ? f->name + module + 1 : f->name);
	p->format->function(p, number, name, plain, key[1]);
	return number;
}

uint32_t profile_location(struct profile *p, const struct chart_row *r, unsigned int i)
{
	struct chart_place place = {r->ids[i], r->lines ? r->lines[i] : 0};
	const struct chart_line *line = place.line ? &p->c->lines.a[place.line - 1] : NULL;
	const struct chart_frame *f = &p->c->frames.a[place.id];
	uint32_t number, mapping, function;
	bool is_new;

	number = map_number(p->locations, &place, sizeof(place), &is_new);
	if (!is_new)
		return number;
	mapping = mapping_of(p, f);
	function = function_of(p, place.id, line);
	p->format->location(p, number, f, mapping, function, line ? line->number : 0);
	return number;
}

/* Returns the name of a key, or NULL if it has none of its own. */
static const char *own_label(const struct chart_agg *a, unsigned int i)
{
	const char *name = i < a->nlabels ? a->labels[i] : NULL;

	for (unsigned int k = 0; name && k < i; k++)
		if (a->labels[k] && strcmp(a->labels[k], name) == 0)
			return NULL;
	return name;
}

uint32_t profile_label(struct profile *p, const struct chart_agg *a, unsigned int i)
{
	const char *name = own_label(a, i);
	struct buf b = {0};
	uint32_t number;

	buf_printf(&b, "key%u", i);
	number = profile_string(p, name ? name : b.s);
	buf_free(&b);
	return number;
}

const char *profile_key(const struct profile *p, const struct chart_row *r, unsigned int i)
{
	return p->c->frames.a[r->ids[i]].name;
}

/* The value of stats() is its count. */
const char *profile_unit(const struct chart_agg *a)
{
	if (a->is_hist || strcmp(a->function, "count") == 0 || strcmp(a->function, "stats") == 0)
		return "count";
	return a->unit ? a->unit : "";
}

void profile_begin(struct profile *p, const struct profile_format *format, const struct chart *c,
		   struct buf *b)
{
	*p = (struct profile){.format = format,
			      .c = c,
			      .p.b = b,
			      .strings = map_new(),
			      .mappings = map_new(),
			      .functions = map_new(),
			      .locations = map_new()};
	profile_string(p, "");
}

void profile_end(struct profile *p)
{
	map_free(p->strings);
	map_free(p->mappings);
	map_free(p->functions);
	map_free(p->locations);
}
