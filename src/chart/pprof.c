/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof.c: see pprof.h.  proto/profile.proto in google/pprof defines the messages and fields.
 *
 * A file is one message: tables (profile.h), and samples, which refer to them.  Entries are written
 * before the message that has the reference is opened.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/facts.h"
#include "chart/gzip.h"
#include "chart/pprof.h"
#include "chart/profile.h"

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

/* ---- tables ---- */

static void put_string(struct profile *t, const char *s, size_t n)
{
	proto_text(&t->p, PROFILE_STRING, s, n);
}

static void put_mapping(struct profile *t, uint32_t number, uint32_t file, const char *build_id)
{
	uint32_t id = build_id ? profile_string(t, build_id) : 0;

	proto_open(&t->p, PROFILE_MAPPING);
	proto_uint(&t->p, MAPPING_ID, number);
	proto_uint(&t->p, MAPPING_FILE, file);
	proto_uint(&t->p, MAPPING_BUILD_ID, id);
	proto_uint(&t->p, MAPPING_HAS_FUNCTIONS, true);
	proto_uint(&t->p, MAPPING_HAS_FILES, t->c->lines.n > 0);
	proto_uint(&t->p, MAPPING_HAS_LINES, t->c->lines.n > 0);
	proto_close(&t->p);
}

static void put_function(struct profile *t, uint32_t number, uint32_t name, uint32_t plain,
			 uint32_t file)
{
	proto_open(&t->p, PROFILE_FUNCTION);
	proto_uint(&t->p, FUNCTION_ID, number);
	proto_uint(&t->p, FUNCTION_NAME, name);
	proto_uint(&t->p, FUNCTION_SYSTEM_NAME, plain);
	proto_uint(&t->p, FUNCTION_FILE, file);
	proto_close(&t->p);
}

static void put_location(struct profile *t, uint32_t number, const struct chart_frame *f,
			 uint32_t mapping, uint32_t function, uint32_t line)
{
	proto_open(&t->p, PROFILE_LOCATION);
	proto_uint(&t->p, LOCATION_ID, number);
	proto_uint(&t->p, LOCATION_MAPPING, mapping);
	proto_open(&t->p, LOCATION_LINE);
	proto_uint(&t->p, LINE_FUNCTION, function);
	proto_uint(&t->p, LINE_LINE, line);
	proto_close(&t->p);
	proto_close(&t->p);
}

/* ---- samples ---- */

static void put_label(struct profile *t, uint32_t key, uint32_t text)
{
	proto_open(&t->p, SAMPLE_LABEL);
	proto_uint(&t->p, LABEL_KEY, key);
	proto_uint(&t->p, LABEL_STRING, text);
	proto_close(&t->p);
}

/* The innermost function comes first.  Its place in the tables is known from the first pass. */
static void put_sample(struct profile *t, const struct chart_agg *a, const struct chart_row *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		if (i >= r->nkeys)
			profile_location(t, r, i);
		else if (profile_label(t, a, i))
			profile_string(t, profile_key(t, r, i));
	}
	proto_open(&t->p, PROFILE_SAMPLE);
	for (unsigned int i = r->n; i-- > r->nkeys;)
		proto_uint(&t->p, SAMPLE_LOCATION, profile_location(t, r, i));
	proto_uint(&t->p, SAMPLE_VALUE, (uint64_t)r->value);
	for (unsigned int i = 0; i < r->nkeys; i++)
		put_label(t, profile_label(t, a, i), profile_string(t, profile_key(t, r, i)));
	proto_close(&t->p);
}

/* ---- the profile ---- */

static void put_type(struct profile *t, const struct chart_agg *a)
{
	uint32_t type = profile_string(t, a->function), unit = profile_string(t, profile_unit(a));

	proto_open(&t->p, PROFILE_SAMPLE_TYPE);
	proto_uint(&t->p, TYPE_TYPE, type);
	proto_uint(&t->p, TYPE_UNIT, unit);
	proto_close(&t->p);
}

static void put_comment(void *ctx, const char *name, const char *text)
{
	struct profile *t = ctx;
	struct buf b = {0};
	uint32_t number;

	buf_printf(&b, "%s: %s", name, text);
	number = profile_string(t, b.s);
	proto_uint(&t->p, PROFILE_COMMENT, number);
	buf_free(&b);
}

bool pprof_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	static const struct profile_format format = {put_string, put_mapping, put_function,
						     put_location};
	struct buf bytes = {0};
	struct profile t;

	if (!chart_has_value(a))
		return false;
	profile_begin(&t, &format, c, &bytes);
	put_type(&t, a);
	proto_uint(&t.p, PROFILE_TIME, c->runs[a->run].start);
	proto_uint(&t.p, PROFILE_DURATION, c->runs[a->run].duration);
	facts_each(c, a, put_comment, &t);
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			put_sample(&t, a, &a->rows.a[i]);
	profile_end(&t);
	gzip_put(b, bytes.s, bytes.n);
	buf_free(&bytes);
	return true;
}
