/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp.c: see otlp.h.  Release 1.10 of opentelemetry-proto defines the messages and the numbers of
 * their fields (opentelemetry/proto: collector/profiles/v1development/profiles_service.proto,
 * profiles/v1development/profiles.proto).  Release 1.11 has the same ones; before 1.10 the fields
 * of a sample have other numbers.  The attributes "profile.frame.type" and
 * "process.executable.build_id.gnu" come from the semantic conventions of OpenTelemetry.
 *
 * A request has one dictionary, whose tables (profile.h) all its profiles use.  Entry 0 of each
 * table is empty: a reference to it means that there is none.
 */
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "chart/chart.h"
#include "chart/facts.h"
#include "chart/otlp.h"
#include "chart/profile.h"
#include "metrics/otlp.h"

enum { REQUEST_DICTIONARY = 2, SCOPE_PROFILES = 2 };
enum {
	TABLE_MAPPING = 1,
	TABLE_LOCATION = 2,
	TABLE_FUNCTION = 3,
	TABLE_LINK = 4,
	TABLE_STRING = 5,
	TABLE_ATTRIBUTE = 6,
	TABLE_STACK = 7,
};
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_TIME = 3,
	PROFILE_DURATION = 4,
	PROFILE_ATTRIBUTE = 11,
};
enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTE = 2, SAMPLE_VALUE = 4 };
enum { STACK_LOCATION = 1 };
enum { MAPPING_FILE = 4, MAPPING_ATTRIBUTE = 5 };
enum { LOCATION_MAPPING = 1, LOCATION_LINE = 3, LOCATION_ATTRIBUTE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME = 2, FUNCTION_FILE = 3 };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE = 2, VALUE_STRING = 1 };

struct otlp_profiles {
	struct profile t; /* the dictionary */
	struct proto p;	  /* the profiles */
	/* numbers of entries of the dictionary: (name, text), locations */
	struct map *attributes, *stacks;
	VEC(uint32_t) numbers; /* of the current stack or profile */
};

/* ---- the dictionary ---- */

static struct otlp_profiles *of(struct profile *t)
{
	return (struct otlp_profiles *)t;
}

/* name: the number of the string with the name. */
static uint32_t attribute_of(struct profile *t, uint32_t name, const char *text)
{
	struct buf key = {0};
	uint32_t number;
	bool is_new;

	buf_add(&key, &name, sizeof(name));
	buf_puts(&key, text);
	number = map_number(of(t)->attributes, key.s, key.n, &is_new);
	buf_free(&key);
	if (!is_new)
		return number;
	proto_open(&t->p, TABLE_ATTRIBUTE);
	proto_uint(&t->p, ATTRIBUTE_KEY, name);
	proto_open(&t->p, ATTRIBUTE_VALUE);
	proto_text(&t->p, VALUE_STRING, text, strlen(text));
	proto_close(&t->p);
	proto_close(&t->p);
	return number;
}

static void put_string(struct profile *t, const char *s, size_t n)
{
	proto_text(&t->p, TABLE_STRING, s, n);
}

static void put_mapping(struct profile *t, uint32_t number, uint32_t file, const char *build_id)
{
	uint32_t id = 0;

	if (build_id)
		id =
		    attribute_of(t, profile_string(t, "process.executable.build_id.gnu"), build_id);
	proto_open(&t->p, TABLE_MAPPING);
	proto_uint(&t->p, MAPPING_FILE, file);
	if (id)
		proto_uint(&t->p, MAPPING_ATTRIBUTE, id);
	proto_close(&t->p);
}

static void put_function(struct profile *t, uint32_t number, uint32_t name, uint32_t plain,
			 uint32_t file)
{
	proto_open(&t->p, TABLE_FUNCTION);
	proto_uint(&t->p, FUNCTION_NAME, name);
	proto_uint(&t->p, FUNCTION_SYSTEM_NAME, plain);
	proto_uint(&t->p, FUNCTION_FILE, file);
	proto_close(&t->p);
}

/* A user frame has no type: it can be a frame of an interpreter. */
static void put_location(struct profile *t, uint32_t number, const struct chart_frame *f,
			 uint32_t mapping, uint32_t function, uint32_t line)
{
	uint32_t type = 0;

	if (f->kind == CHART_KERNEL)
		type = attribute_of(t, profile_string(t, "profile.frame.type"), "kernel");
	proto_open(&t->p, TABLE_LOCATION);
	proto_uint(&t->p, LOCATION_MAPPING, mapping);
	proto_open(&t->p, LOCATION_LINE);
	proto_uint(&t->p, LINE_FUNCTION, function);
	proto_uint(&t->p, LINE_LINE, line);
	proto_close(&t->p);
	if (type)
		proto_uint(&t->p, LOCATION_ATTRIBUTE, type);
	proto_close(&t->p);
}

/* The innermost function comes first. */
static uint32_t stack_of(struct otlp_profiles *w, const struct chart_row *r)
{
	uint32_t number;
	bool is_new;

	w->numbers.n = 0;
	for (unsigned int i = r->n; i-- > r->nkeys;)
		vec_push(&w->numbers, profile_location(&w->t, r, i));
	number = map_number(w->stacks, w->numbers.a, w->numbers.n * sizeof(*w->numbers.a), &is_new);
	if (!is_new)
		return number;
	proto_open(&w->t.p, TABLE_STACK);
	for (unsigned int i = 0; i < w->numbers.n; i++)
		proto_uint(&w->t.p, STACK_LOCATION, w->numbers.a[i]);
	proto_close(&w->t.p);
	return number;
}

/* The table of strings begins with "" already. */
static void put_empty_entries(struct proto *p)
{
	static const unsigned int tables[] = {TABLE_MAPPING, TABLE_LOCATION,  TABLE_FUNCTION,
					      TABLE_LINK,    TABLE_ATTRIBUTE, TABLE_STACK};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		proto_bytes(p, tables[i], "", 0);
}

/* ---- profiles ---- */

static void put_sample(struct otlp_profiles *w, const struct chart_agg *a,
		       const struct chart_row *r)
{
	proto_open(&w->p, PROFILE_SAMPLE);
	proto_uint(&w->p, SAMPLE_STACK, stack_of(w, r));
	for (unsigned int i = 0; i < r->nkeys; i++)
		proto_uint(
		    &w->p, SAMPLE_ATTRIBUTE,
		    attribute_of(&w->t, profile_label(&w->t, a, i), profile_key(&w->t, r, i)));
	proto_uint(&w->p, SAMPLE_VALUE, (uint64_t)r->value);
	proto_close(&w->p);
}

/* The type of an aggregation without a name is its function. */
static void put_type(struct otlp_profiles *w, const struct chart_agg *a)
{
	const char *type = strcmp(a->name, "_") == 0 ? a->function : a->name;

	proto_open(&w->p, PROFILE_TYPE);
	proto_uint(&w->p, TYPE_TYPE, profile_string(&w->t, type));
	proto_uint(&w->p, TYPE_UNIT, profile_string(&w->t, profile_unit(a)));
	proto_close(&w->p);
}

/* The fact "rows without a positive value" is dtrace.rows_without_a_positive_value. */
static void put_fact(void *ctx, const char *name, const char *text)
{
	struct otlp_profiles *w = ctx;
	struct buf b = {0};

	buf_puts(&b, "dtrace.");
	for (; *name; name++)
		buf_putc(&b, *name == ' ' ? '_' : *name);
	proto_uint(&w->p, PROFILE_ATTRIBUTE, attribute_of(&w->t, profile_string(&w->t, b.s), text));
	buf_free(&b);
}

static void put_profile(struct otlp_profiles *w, const struct chart *c, const struct chart_agg *a)
{
	proto_open(&w->p, SCOPE_PROFILES);
	put_type(w, a);
	proto_fixed(&w->p, PROFILE_TIME, c->runs[a->run].start);
	proto_uint(&w->p, PROFILE_DURATION, c->runs[a->run].duration);
	facts_each(c, a, put_fact, w);
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			put_sample(w, a, &a->rows.a[i]);
	proto_close(&w->p);
}

bool chart_otlp_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	static const struct profile_format format = {put_string, put_mapping, put_function,
						     put_location};
	struct buf tables = {0}, profiles = {0};
	struct proto p = {.b = b};
	struct otlp_profiles w = {.p.b = &profiles, .attributes = map_new(), .stacks = map_new()};
	bool has_profile;

	profile_begin(&w.t, &format, c, &tables);
	put_empty_entries(&w.t.p);
	for (unsigned int i = 0; i < c->aggs.n; i++)
		if ((!a || c->aggs.a[i] == a) && c->aggs.a[i]->has_stacks &&
		    chart_has_value(c->aggs.a[i]))
			put_profile(&w, c, c->aggs.a[i]);
	has_profile = profiles.n > 0;
	if (has_profile) {
		otlp_request(b, &c->resource, &profiles);
		proto_bytes(&p, REQUEST_DICTIONARY, tables.s, tables.n);
	}
	profile_end(&w.t);
	map_free(w.attributes);
	map_free(w.stacks);
	vec_free(&w.numbers);
	buf_free(&tables);
	buf_free(&profiles);
	return has_profile;
}
