/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firefox.c: see firefox.h.
 *
 * A profile is tables that refer to each other by position: a sample to a stack, a stack to its
 * caller's stack and to a frame, a frame to a function, a function to a file and to a source.  Each
 * column of a table is a list.  The first pass numbers the entries, so a table is the keys of a map
 * in their order.
 *
 * Aggregations have no times.  Samples are one millisecond apart, because the viewer needs times.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "chart/chart.h"
#include "chart/facts.h"
#include "chart/firefox.h"
#include "chart/gzip.h"
#include "chart/profile.h"
#include "print/doc.h"

#define VERSION		 58 /* of the processed format */
#define GECKO_VERSION	 31 /* of the format that the browser writes, at the same time */
#define RESOURCE_LIBRARY 1  /* resourceTypes in src/profile-logic/data-structures.ts */

/* Positions in the list of categories.  The grey one is the default. */
enum { CATEGORY_KEY, CATEGORY_USER, CATEGORY_KERNEL };

struct func {
	uint32_t id, source; /* frame of the chart; position in sources + 1, 0: not known */
};

struct stack {
	uint32_t caller, frame; /* number of the caller's stack, 0: none; number of the frame */
};

struct firefox {
	const struct chart *c;
	const struct chart_agg *a;
	struct doc d;
	/* numbers of entries: texts, modules, texts, struct func, struct chart_place, struct stack
	 */
	struct map *strings, *libs, *sources, *funcs, *frames, *stacks;
	VEC(uint32_t) samples; /* number of the stack; 0: none */
};

/* ---- the first pass ---- */

static uint32_t string_of(struct firefox *w, const char *s, size_t n)
{
	bool is_new;

	return map_number(w->strings, s, n, &is_new) - 1;
}

/* Returns the length of the module with its tick in the name of a function; 0: it has none. */
static size_t prefix_of(const struct chart_frame *f)
{
	size_t n = chart_module(f);

	return n ? n + 1 : 0;
}

static const struct chart_line *line_of(const struct firefox *w, const struct chart_place *p)
{
	return p->line ? &w->c->lines.a[p->line - 1] : NULL;
}

static uint32_t func_of(struct firefox *w, const struct chart_place *p)
{
	const struct chart_frame *f = &w->c->frames.a[p->id];
	const struct chart_line *line = line_of(w, p);
	struct func func = {.id = p->id};
	bool is_new;

	if (line)
		func.source = map_number(w->sources, line->file, strlen(line->file), &is_new);
	if (chart_module(f))
		map_number(w->libs, f->name, chart_module(f), &is_new);
	return map_number(w->funcs, &func, sizeof(func), &is_new);
}

static uint32_t stack_of(struct firefox *w, const struct chart_row *r)
{
	struct stack stack = {0};
	bool is_new;

	for (unsigned int i = 0; i < r->n; i++) {
		struct chart_place place = {r->ids[i], r->lines ? r->lines[i] : 0};

		func_of(w, &place);
		stack.frame = map_number(w->frames, &place, sizeof(place), &is_new);
		stack.caller = map_number(w->stacks, &stack, sizeof(stack), &is_new);
	}
	return stack.caller;
}

/* ---- tables ---- */

static void put_null(struct firefox *w, const void *key, size_t n)
{
	doc_word(&w->d, NULL, "null");
}

static void put_false(struct firefox *w, const void *key, size_t n)
{
	doc_word(&w->d, NULL, "false");
}

static void put_zero(struct firefox *w, const void *key, size_t n)
{
	doc_uint(&w->d, NULL, 0);
}

/* Puts the position that a number from 1 stands for. */
static void put_position(struct firefox *w, uint32_t number)
{
	if (number)
		doc_uint(&w->d, NULL, number - 1);
	else
		put_null(w, NULL, 0);
}

static void put_caller(struct firefox *w, const void *key, size_t n)
{
	const struct stack *s = key;

	put_position(w, s->caller);
}

static void put_frame(struct firefox *w, const void *key, size_t n)
{
	const struct stack *s = key;

	put_position(w, s->frame);
}

static void put_no_address(struct firefox *w, const void *key, size_t n)
{
	doc_int(&w->d, NULL, -1);
}

static void put_category(struct firefox *w, const void *key, size_t n)
{
	static const int categories[] = {[CHART_KEY] = CATEGORY_KEY,
					 [CHART_USER] = CATEGORY_USER,
					 [CHART_KERNEL] = CATEGORY_KERNEL};
	const struct chart_place *p = key;

	doc_int(&w->d, NULL, categories[w->c->frames.a[p->id].kind]);
}

static void put_func(struct firefox *w, const void *key, size_t n)
{
	put_position(w, func_of(w, key));
}

static void put_line(struct firefox *w, const void *key, size_t n)
{
	const struct chart_line *line = line_of(w, key);

	if (line)
		doc_uint(&w->d, NULL, line->number);
	else
		put_null(w, NULL, 0);
}

static void put_func_name(struct firefox *w, const void *key, size_t n)
{
	const struct func *func = key;
	const struct chart_frame *f = &w->c->frames.a[func->id];
	const char *name = f->name + prefix_of(f);

	doc_uint(&w->d, NULL, string_of(w, name, strlen(name)));
}

/* Resources are the libraries, in the same order. */
static void put_resource(struct firefox *w, const void *key, size_t n)
{
	const struct func *func = key;
	const struct chart_frame *f = &w->c->frames.a[func->id];
	bool is_new;

	if (chart_module(f))
		put_position(w, map_number(w->libs, f->name, chart_module(f), &is_new));
	else
		doc_int(&w->d, NULL, -1);
}

static void put_source(struct firefox *w, const void *key, size_t n)
{
	const struct func *func = key;

	put_position(w, func->source);
}

static void put_string(struct firefox *w, const void *key, size_t n)
{
	doc_uint(&w->d, NULL, string_of(w, key, n));
}

static void put_lib(struct firefox *w, const void *key, size_t n)
{
	bool is_new;

	put_position(w, map_number(w->libs, key, n, &is_new));
}

static void put_library_type(struct firefox *w, const void *key, size_t n)
{
	doc_uint(&w->d, NULL, RESOURCE_LIBRARY);
}

struct column {
	const char *name;
	void (*put)(struct firefox *w, const void *key, size_t n); /* an element, for an entry */
};

/* Writes a table whose entries are the keys of a map; NULL: the table is empty. */
static void put_table(struct firefox *w, const char *name, const struct map *m,
		      const struct column *columns, unsigned int n)
{
	doc_open(&w->d, name, false);
	for (unsigned int i = 0; i < n; i++) {
		const void *key;
		size_t pos = 0, len;

		doc_open(&w->d, columns[i].name, true);
		while (m && map_next(m, &pos, &key, &len))
			columns[i].put(w, key, len);
		doc_close(&w->d);
	}
	doc_uint(&w->d, "length", m ? map_count(m) : 0);
	doc_close(&w->d);
}

#define PUT_TABLE(w, name, m, columns) \
	put_table(w, name, m, columns, sizeof(columns) / sizeof((columns)[0]))

static const struct column stack_columns[] = {{"frame", put_frame}, {"prefix", put_caller}};

static const struct column frame_columns[] = {
    {"address", put_no_address}, {"inlineDepth", put_zero}, {"category", put_category},
    {"subcategory", put_zero},	 {"func", put_func},	    {"nativeSymbol", put_null},
    {"innerWindowID", put_zero}, {"line", put_line},	    {"column", put_null},
};

static const struct column func_columns[] = {
    {"name", put_func_name},	{"isJS", put_false},	{"relevantForJS", put_false},
    {"resource", put_resource}, {"source", put_source}, {"lineNumber", put_null},
    {"columnNumber", put_null},
};

static const struct column resource_columns[] = {
    {"lib", put_lib}, {"name", put_string}, {"host", put_null}, {"type", put_library_type}};

static const struct column source_columns[] = {{"uuid", put_null}, {"filename", put_string}};

static const struct column symbol_columns[] = {
    {"libIndex", NULL}, {"address", NULL}, {"name", NULL}, {"functionSize", NULL}};

static const struct column marker_columns[] = {{"data", NULL},	    {"name", NULL},
					       {"startTime", NULL}, {"endTime", NULL},
					       {"phase", NULL},	    {"category", NULL}};

/* ---- the thread ---- */

/*
 * Returns the type of the weights.  *shift: the power of ten that turns values into milliseconds,
 * the only unit of time there is.
 */
static const char *weight_type(const struct chart_agg *a, int *shift)
{
	static const struct {
		const char *unit, *type;
		int shift;
	} rows[] = {{"ns", "tracing-ms", -6},
		    {"us", "tracing-ms", -3},
		    {"ms", "tracing-ms", 0},
		    {"s", "tracing-ms", 3},
		    {"bytes", "bytes", 0}};
	const char *unit = profile_unit(a);

	*shift = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(unit, rows[i].unit) != 0)
			continue;
		*shift = rows[i].shift;
		return rows[i].type;
	}
	return "samples";
}

/* Writes a positive value times a power of ten, exactly. */
static void put_weight(struct doc *d, int64_t value, int shift)
{
	struct buf b = {0};
	int64_t per = 1;

	for (int i = shift; i < 0; i++)
		per *= 10;
	buf_printf(&b, "%" PRId64, value / per);
	if (shift < 0)
		buf_printf(&b, ".%0*" PRId64, -shift, value % per);
	for (int i = 0; i < shift; i++)
		buf_putc(&b, '0');
	doc_word(d, NULL, b.s);
	buf_free(&b);
}

static void put_samples(struct firefox *w)
{
	struct doc *d = &w->d;
	int shift;
	const char *type = weight_type(w->a, &shift);

	doc_open(d, "samples", false);
	doc_open(d, "stack", true);
	for (unsigned int i = 0; i < w->samples.n; i++)
		put_position(w, w->samples.a[i]);
	doc_close(d);
	doc_open(d, "time", true);
	for (unsigned int i = 0; i < w->samples.n; i++)
		doc_uint(d, NULL, i);
	doc_close(d);
	doc_open(d, "weight", true);
	for (unsigned int i = 0; i < w->a->rows.n; i++)
		if (w->a->rows.a[i].value > 0)
			put_weight(d, w->a->rows.a[i].value, shift);
	doc_close(d);
	doc_str(d, "weightType", type);
	doc_uint(d, "length", w->samples.n);
	doc_close(d);
}

/* All rows are one thread. */
static void put_thread(struct firefox *w)
{
	struct doc *d = &w->d;
	struct buf title = {0};

	facts_title(&title, w->a);
	doc_open(d, NULL, false);
	doc_str(d, "name", title.s);
	doc_word(d, "isMainThread", "true");
	doc_str(d, "processName", "dtrace");
	doc_str(d, "processType", "default");
	doc_uint(d, "processStartupTime", 0);
	doc_word(d, "processShutdownTime", "null");
	doc_uint(d, "registerTime", 0);
	doc_word(d, "unregisterTime", "null");
	doc_open(d, "pausedRanges", true);
	doc_close(d);
	doc_str(d, "pid", "0");
	doc_uint(d, "tid", 0);
	put_samples(w);
	PUT_TABLE(w, "markers", NULL, marker_columns);
	PUT_TABLE(w, "stackTable", w->stacks, stack_columns);
	PUT_TABLE(w, "frameTable", w->frames, frame_columns);
	PUT_TABLE(w, "funcTable", w->funcs, func_columns);
	PUT_TABLE(w, "resourceTable", w->libs, resource_columns);
	PUT_TABLE(w, "nativeSymbols", NULL, symbol_columns);
	doc_close(d);
	buf_free(&title);
}

/* ---- the profile ---- */

static void put_categories(struct doc *d)
{
	static const struct {
		const char *name, *color;
	} categories[] = {[CATEGORY_KEY] = {"Key", "grey"},
			  [CATEGORY_USER] = {"User", "yellow"},
			  [CATEGORY_KERNEL] = {"Kernel", "blue"}};

	doc_open(d, "categories", true);
	for (unsigned int i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		doc_open(d, NULL, false);
		doc_str(d, "name", categories[i].name);
		doc_str(d, "color", categories[i].color);
		doc_open(d, "subcategories", true);
		doc_str(d, NULL, "Other");
		doc_close(d);
		doc_close(d);
	}
	doc_close(d);
}

static void put_fact(void *ctx, const char *name, const char *text)
{
	struct doc *d = ctx;

	doc_open(d, NULL, false);
	doc_str(d, "label", name);
	doc_str(d, "format", "string");
	doc_str(d, "value", text);
	doc_close(d);
}

static void put_meta(struct firefox *w)
{
	struct doc *d = &w->d;

	doc_open(d, "meta", false);
	doc_uint(d, "interval", 1);
	doc_uint(d, "startTime", w->c->runs[w->a->run].start / 1000000);
	doc_uint(d, "processType", 0);
	put_categories(d);
	doc_str(d, "product", "dtrace");
	doc_str(d, "importedFrom", "dtrace");
	doc_uint(d, "stackwalk", 1);
	doc_uint(d, "version", GECKO_VERSION);
	doc_uint(d, "preprocessedProfileVersion", VERSION);
	doc_word(d, "symbolicated", "true");
	doc_word(d, "symbolicationNotSupported", "true");
	doc_word(d, "usesOnlyOneStackType", "true");
	doc_word(d, "sourceCodeIsNotOnSearchfox", "true");
	doc_open(d, "markerSchema", true);
	doc_close(d);
	doc_open(d, "extra", true);
	doc_open(d, NULL, false);
	doc_str(d, "label", "dtrace");
	doc_open(d, "entries", true);
	facts_each(w->c, w->a, put_fact, d);
	doc_close(d);
	doc_close(d);
	doc_close(d);
	doc_close(d);
}

static void put_libs(struct firefox *w)
{
	struct doc *d = &w->d;
	const void *name;
	size_t pos = 0, n;

	doc_open(d, "libs", true);
	while (map_next(w->libs, &pos, &name, &n)) {
		const struct chart_object *o = chart_find_object(w->c, name, n);

		doc_open(d, NULL, false);
		doc_str(d, "arch", "");
		doc_text(d, "name", name, n);
		doc_text(d, "path", o ? o->path : name, o ? strlen(o->path) : n);
		doc_text(d, "debugName", name, n);
		doc_text(d, "debugPath", o ? o->path : name, o ? strlen(o->path) : n);
		doc_str(d, "breakpadId", "");
		if (o && o->build_id)
			doc_str(d, "codeId", o->build_id);
		else
			doc_word(d, "codeId", "null");
		doc_close(d);
	}
	doc_close(d);
}

/* The strings come last, because the tables number them. */
static void put_shared(struct firefox *w)
{
	const void *text;
	size_t pos = 0, n;

	doc_open(&w->d, "shared", false);
	PUT_TABLE(w, "sources", w->sources, source_columns);
	doc_open(&w->d, "stringArray", true);
	while (map_next(w->strings, &pos, &text, &n))
		doc_text(&w->d, NULL, text, n);
	doc_close(&w->d);
	doc_close(&w->d);
}

static void put_profile(struct firefox *w, FILE *f)
{
	doc_begin(&w->d, f, DOC_JSON, false);
	put_meta(w);
	put_libs(w);
	doc_open(&w->d, "threads", true);
	put_thread(w);
	doc_close(&w->d);
	put_shared(w);
	doc_end(&w->d);
}

bool firefox_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	struct firefox w = {.c = c, .a = a};
	struct map **const maps[] = {&w.strings, &w.libs,   &w.sources,
				     &w.funcs,	 &w.frames, &w.stacks};
	char *text = NULL;
	size_t n = 0;
	FILE *f = chart_has_value(a) ? open_memstream(&text, &n) : NULL;

	if (!f)
		return false;
	for (unsigned int i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = map_new();
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			vec_push(&w.samples, stack_of(&w, &a->rows.a[i]));
	put_profile(&w, f);
	fclose(f);
	gzip_put(b, text, n);
	free(text);
	for (unsigned int i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		map_free(*maps[i]);
	vec_free(&w.samples);
	return true;
}
