/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof.c: see pprof.h.  proto/profile.proto in google/pprof defines the messages and fields.
 *
 * A file is one message of tables: samples refer to locations, these to mappings and functions, and
 * all of them to strings.  An entry is written when something first refers to it, so entries are
 * numbered before the message that has the reference is opened.  A location has no address, because
 * its function and line are known already.
 */
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "chart/chart.h"
#include "chart/facts.h"
#include "chart/gzip.h"
#include "chart/pprof.h"
#include "metrics/proto.h"

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_COMMENT = 13,
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2 };
enum {
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

struct pprof {
	const struct chart *c;
	const struct chart_agg *a;
	struct proto p;
	/* numbers of entries: strings, modules, (frame, file), struct chart_place */
	struct map *strings, *mappings, *functions, *locations;
};

/* ---- tables ---- */

/* The first string is "", which has number 0. */
static uint32_t string_of(struct pprof *w, const char *s, size_t n)
{
	bool is_new;
	uint32_t number = map_number(w->strings, s, n, &is_new) - 1;

	if (is_new)
		proto_text(&w->p, PROFILE_STRING, s, n);
	return number;
}

static uint32_t str(struct pprof *w, const char *s)
{
	return string_of(w, s, strlen(s));
}

/* Returns 0 if the frame has no module. */
static uint32_t mapping_of(struct pprof *w, const struct chart_frame *f)
{
	size_t n = chart_module(f);
	const struct chart_object *o = n ? chart_find_object(w->c, f->name, n) : NULL;
	uint32_t number, file, id;
	bool is_new;

	if (!n)
		return 0;
	number = map_number(w->mappings, f->name, n, &is_new);
	if (!is_new)
		return number;
	file = o ? str(w, o->path) : string_of(w, f->name, n);
	id = o && o->build_id ? str(w, o->build_id) : 0;
	proto_open(&w->p, PROFILE_MAPPING);
	proto_uint(&w->p, MAPPING_ID, number);
	proto_uint(&w->p, MAPPING_FILE, file);
	proto_uint(&w->p, MAPPING_BUILD_ID, id);
	proto_uint(&w->p, MAPPING_HAS_FUNCTIONS, true);
	proto_uint(&w->p, MAPPING_HAS_FILES, w->c->lines.n > 0);
	proto_uint(&w->p, MAPPING_HAS_LINES, w->c->lines.n > 0);
	proto_close(&w->p);
	return number;
}

/* line: NULL: not known.  A function is one for each of its files. */
static uint32_t function_of(struct pprof *w, uint32_t frame, const struct chart_line *line)
{
	const struct chart_frame *f = &w->c->frames.a[frame];
	size_t module = chart_module(f);
	uint32_t key[2] = {frame, line ? str(w, line->file) : 0}, number, name, plain;
	bool is_new;

	number = map_number(w->functions, key, sizeof(key), &is_new);
	if (!is_new)
		return number;
	name = str(w, f->name);
	plain = str(w, module ? f->name + module + 1 : f->name);
	proto_open(&w->p, PROFILE_FUNCTION);
	proto_uint(&w->p, FUNCTION_ID, number);
	proto_uint(&w->p, FUNCTION_NAME, name);
	proto_uint(&w->p, FUNCTION_SYSTEM_NAME, plain);
	proto_uint(&w->p, FUNCTION_FILE, key[1]);
	proto_close(&w->p);
	return number;
}

static uint32_t location_of(struct pprof *w, const struct chart_row *r, unsigned int i)
{
	struct chart_place place = {r->ids[i], r->lines ? r->lines[i] : 0};
	const struct chart_line *line = place.line ? &w->c->lines.a[place.line - 1] : NULL;
	uint32_t number, mapping, function;
	bool is_new;

	number = map_number(w->locations, &place, sizeof(place), &is_new);
	if (!is_new)
		return number;
	mapping = mapping_of(w, &w->c->frames.a[place.id]);
	function = function_of(w, place.id, line);
	proto_open(&w->p, PROFILE_LOCATION);
	proto_uint(&w->p, LOCATION_ID, number);
	proto_uint(&w->p, LOCATION_MAPPING, mapping);
	proto_open(&w->p, LOCATION_LINE);
	proto_uint(&w->p, LINE_FUNCTION, function);
	proto_uint(&w->p, LINE_LINE, line ? line->number : 0);
	proto_close(&w->p);
	proto_close(&w->p);
	return number;
}

/* ---- samples ---- */

/* Returns the string with the name of a key: its own, or key0, key1 ... */
static uint32_t label_of(struct pprof *w, unsigned int i)
{
	const char *name = i < w->a->nlabels ? w->a->labels[i] : NULL;
	struct buf b = {0};
	uint32_t number;

	buf_printf(&b, "key%u", i);
	number = str(w, name ? name : b.s);
	buf_free(&b);
	return number;
}

static void put_label(struct pprof *w, uint32_t key, uint32_t text)
{
	proto_open(&w->p, SAMPLE_LABEL);
	proto_uint(&w->p, LABEL_KEY, key);
	proto_uint(&w->p, LABEL_STRING, text);
	proto_close(&w->p);
}

/* The innermost function comes first.  Its place in the tables is known from the first pass. */
static void put_sample(struct pprof *w, const struct chart_row *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		if (i >= r->nkeys)
			location_of(w, r, i);
		else if (label_of(w, i))
			str(w, w->c->frames.a[r->ids[i]].name);
	}
	proto_open(&w->p, PROFILE_SAMPLE);
	for (unsigned int i = r->n; i-- > r->nkeys;)
		proto_uint(&w->p, SAMPLE_LOCATION, location_of(w, r, i));
	proto_uint(&w->p, SAMPLE_VALUE, (uint64_t)r->value);
	for (unsigned int i = 0; i < r->nkeys; i++)
		put_label(w, label_of(w, i), str(w, w->c->frames.a[r->ids[i]].name));
	proto_close(&w->p);
}

/* ---- the profile ---- */

/* Returns the unit of the values.  The value of stats() is its count. */
static const char *unit_of(const struct chart_agg *a)
{
	if (a->is_hist || strcmp(a->function, "count") == 0 || strcmp(a->function, "stats") == 0)
		return "count";
	return a->unit ? a->unit : "";
}

static void put_type(struct pprof *w)
{
	uint32_t type = str(w, w->a->function), unit = str(w, unit_of(w->a));

	proto_open(&w->p, PROFILE_SAMPLE_TYPE);
	proto_uint(&w->p, TYPE_TYPE, type);
	proto_uint(&w->p, TYPE_UNIT, unit);
	proto_close(&w->p);
}

static void put_comment(void *ctx, const char *name, const char *text)
{
	struct pprof *w = ctx;
	struct buf b = {0};
	uint32_t number;

	buf_printf(&b, "%s: %s", name, text);
	number = string_of(w, b.s, b.n);
	proto_uint(&w->p, PROFILE_COMMENT, number);
	buf_free(&b);
}

bool pprof_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	struct buf bytes = {0};
	struct pprof w = {.c = c, .a = a, .p.b = &bytes};

	if (!chart_has_value(a))
		return false;
	w.strings = map_new();
	w.mappings = map_new();
	w.functions = map_new();
	w.locations = map_new();
	str(&w, "");
	put_type(&w);
	proto_uint(&w.p, PROFILE_TIME, c->runs[a->run].start);
	proto_uint(&w.p, PROFILE_DURATION, c->runs[a->run].duration);
	facts_each(c, a, put_comment, &w);
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			put_sample(&w, &a->rows.a[i]);
	gzip_put(b, bytes.s, bytes.n);
	map_free(w.strings);
	map_free(w.mappings);
	map_free(w.functions);
	map_free(w.locations);
	buf_free(&bytes);
	return true;
}
