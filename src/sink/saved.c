/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved.c: see saved.h; docs/json.md describes the format.
 *
 * json-c parses the text.  It is loaded on demand, to keep the start of dtrace short.  A file has
 * one document, or one per line.  The rows of a list are one printing.  In jsonl, each row has the
 * number of its printing.  Rows of a printing may look alike, because keys were addresses and the
 * file has only their names.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json_object.h>
#include <json-c/json_tokener.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/library.h"
#include "base/mem.h"
#include "print/agg.h"
#include "chart/chart.h"
#include "config/report.h"
#include "sink/saved.h"

#define LIBRARY "libjson-c.so.5"
#define PIECE	65536

#define FUNCTIONS(X)                  \
	X(json_tokener_new)           \
	X(json_tokener_free)          \
	X(json_tokener_parse_ex)      \
	X(json_tokener_get_error)     \
	X(json_tokener_get_parse_end) \
	X(json_tokener_error_desc)    \
	X(json_object_put)            \
	X(json_object_is_type)        \
	X(json_object_object_get_ex)  \
	X(json_object_array_length)   \
	X(json_object_array_get_idx)  \
	X(json_object_get_string)     \
	X(json_object_get_string_len) \
	X(json_object_get_int64)

/* An aggregation in one of its printings. */
struct printing {
	struct chart_agg *a;
	int64_t number; /* number of the printing in the file */
	int64_t *total; /* totals of the previous printing, by bucket */
	unsigned int ntotal;
	int64_t begun; /* time, ns */
	double to;     /* end of the last column */
};

struct saved {
	const struct report *report;
	struct chart *c;
	unsigned int run;
	void *lib;
	int64_t first;	/* first time in the file, ns */
	int64_t nlists; /* lists of rows so far */
	uint64_t line;	/* position of the reader, from 1 */
	uint64_t column;
	bool has_document; /* the file is one document of all records */
	bool has_any;	   /* something that dtrace writes was found */
	VEC(struct printing *) printings;
	VEC(struct chart_place) places;
	LIBRARY_MEMBERS(FUNCTIONS)
};

/* ---- access ---- */

static struct json_object *member(struct saved *s, struct json_object *o, const char *name)
{
	struct json_object *m = NULL;

	if (s->json_object_is_type(o, json_type_object))
		s->json_object_object_get_ex(o, name, &m);
	return m;
}

static size_t length(struct saved *s, struct json_object *o)
{
	return s->json_object_is_type(o, json_type_array) ? s->json_object_array_length(o) : 0;
}

static const char *text(struct saved *s, struct json_object *o)
{
	const char *t = o ? s->json_object_get_string(o) : NULL;

	return t ? t : "";
}

/* ---- rows ---- */

static const char *symbol(struct saved *s, struct json_object *frame)
{
	return text(s, member(s, frame, "symbol"));
}

/*
 * A kernel stack has a frame of vmlinux, at least the entry of the kernel.  Frames of immstack()
 * have names alone.
 */
static enum chart_kind kind_of(struct saved *s, struct json_object *stack)
{
	for (size_t i = 0; i < length(s, stack); i++) {
		struct json_object *frame = s->json_object_array_get_idx(stack, i);

		if (strncmp(symbol(s, frame), "vmlinux`", 8) == 0 ||
		    (!member(s, frame, "offset") && !member(s, frame, "inlined")))
			return CHART_KERNEL;
	}
	return CHART_USER;
}

static uint32_t function_of_frame(struct saved *s, struct json_object *frame, enum chart_kind kind)
{
	const char *sym = symbol(s, frame);
	struct json_object *note = member(s, frame, "annotation");
	uint32_t id = chart_function(s->c, sym, strlen(sym), kind);
	struct buf b = {0};

	if (!note)
		return id;
	buf_printf(&b, "%s [%s]", s->c->frames.a[id].name, text(s, note));
	id = chart_frame(s->c, b.s, b.n, kind);
	buf_free(&b);
	return id;
}

static uint32_t line_of(struct saved *s, struct json_object *frame)
{
	struct json_object *file = member(s, frame, "file");
	int64_t number = s->json_object_get_int64(member(s, frame, "line"));

	return file ? chart_line(s->c, text(s, file), (uint32_t)number) : 0;
}

/* A stack that is cut stands on the frame "(cut)", as when its run is drawn at once. */
static void add_stack(struct saved *s, struct json_object *stack)
{
	enum chart_kind kind = kind_of(s, stack);
	struct chart_place cut = {.id = chart_cut(s->c, kind)};

	for (size_t i = length(s, stack); i-- > 0;) {
		struct json_object *frame = s->json_object_array_get_idx(stack, i);
		struct chart_place place = {function_of_frame(s, frame, kind), line_of(s, frame)};

		if (member(s, frame, "cut"))
			vec_push(&s->places, cut);
		vec_push(&s->places, place);
	}
}

static void add_key(struct saved *s, struct json_object *key)
{
	const char *t = text(s, key);
	struct chart_place place = {.id = chart_frame(s->c, t, strlen(t), CHART_KEY)};

	vec_push(&s->places, place);
}

/* Adds plain keys first, then stacks of processes, then kernel stacks. */
static void add_keys(struct saved *s, struct json_object *keys, struct chart_row *row)
{
	s->places.n = 0;
	for (size_t i = 0; i < length(s, keys); i++) {
		struct json_object *k = s->json_object_array_get_idx(keys, i);

		if (!s->json_object_is_type(k, json_type_array))
			add_key(s, k);
	}
	row->nkeys = s->places.n;
	for (int kind = CHART_USER; kind <= CHART_KERNEL; kind++) {
		for (size_t i = 0; i < length(s, keys); i++) {
			struct json_object *k = s->json_object_array_get_idx(keys, i);

			if (s->json_object_is_type(k, json_type_array) &&
			    kind_of(s, k) == (enum chart_kind)kind)
				add_stack(s, k);
		}
	}
	chart_set_frames(s->c, row, s->places.a, s->places.n);
}

/* Takes the names of the keys that are not stacks. */
static void set_labels(struct saved *s, struct chart_agg *a, struct json_object *keys,
		       struct json_object *labels)
{
	VEC(const char *) names = {0};

	for (size_t i = 0; i < length(s, keys) && i < length(s, labels); i++) {
		const char *name = text(s, s->json_object_array_get_idx(labels, i));

		if (!s->json_object_is_type(s->json_object_array_get_idx(keys, i), json_type_array))
			vec_push(&names, *name ? name : NULL);
	}
	chart_set_labels(s->c, a, names.a, names.n);
	vec_free(&names);
}

/* Labels are numbers, "< 0" or ">= 100". */
static double low_of(const char *label)
{
	double low = strtod(label + strspn(label, ">= "), NULL);

	/* Buckets have an order only if each bound is a number. */
	return *label == '<' || isnan(low) ? -INFINITY : low;
}

static void add_counts(struct saved *s, struct chart_agg *a, struct json_object *buckets,
		       struct chart_row *row)
{
	size_t n = length(s, buckets);

	row->counts.a = arena_new_arr(s->c->arena, struct chart_count, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct json_object *b = s->json_object_array_get_idx(buckets, i);
		const char *label = text(s, member(s, b, "value"));
		struct chart_count *count = &row->counts.a[row->counts.n++];

		count->bucket = chart_bucket(s->c, a, label, low_of(label));
		count->n = s->json_object_get_int64(member(s, b, "count"));
		agg_add(&row->value, count->n);
	}
}

/*
 * Returns the function of a row by the name of the member with the value.  Files of earlier
 * versions have no other name of the function.
 */
static const char *function_of(struct saved *s, struct json_object *row, struct json_object **value)
{
	static const char *const names[] = {"buckets", "count", "sum",	  "avg",
					    "min",     "max",	"stddev", NULL};
	unsigned int i = 0;

	while (names[i] && !(*value = member(s, row, names[i])))
		i++;
	if (!names[i])
		return NULL;
	return i == 0 ? "quantize" : i == 1 && member(s, row, "avg") ? "stats" : names[i];
}

/* ---- printings ---- */

/* Adds the names of keys, and the unit. */
static void add_about(struct saved *s, struct chart_agg *a, struct json_object *about,
		      struct json_object *keys)
{
	static const char *const units[] = {"ns", "us", "ms", "s", "bytes"};

	set_labels(s, a, keys, member(s, about, "key-names"));
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(text(s, member(s, about, "unit")), units[i]) == 0)
			a->unit = units[i];
}

/* about: the object with facts about the aggregation. */
static struct printing *printing_of(struct saved *s, const char *function,
				    struct json_object *about, struct json_object *keys)
{
	const char *name = text(s, member(s, about, "aggregation-name"));
	const char *shown = text(s, member(s, about, "aggregation-function"));
	struct printing *p;

	for (unsigned int i = 0; i < s->printings.n; i++)
		if (strcmp(s->printings.a[i]->a->name, name) == 0)
			return s->printings.a[i];
	p = mem_alloc(sizeof(*p));
	p->a = chart_agg_new(s->c, name, chart_text(s->c, *shown ? shown : function), s->run);
	p->a->is_hist = strcmp(function, "quantize") == 0;
	add_about(s, p->a, about, keys);
	vec_push(&s->printings, p);
	return p;
}

/* Returns the sums of all rows, by bucket.  The caller frees the result. */
static int64_t *total_of(const struct chart_agg *a)
{
	int64_t *total = mem_alloc((a->buckets.n + 1) * sizeof(*total));

	for (unsigned int i = 0; i < a->rows.n; i++) {
		const struct chart_counts *c = &a->rows.a[i].counts;

		for (unsigned int k = 0; k < c->n; k++)
			agg_add(&total[c->a[k].bucket], c->a[k].n);
	}
	return total;
}

/* Returns the end of a column, s.  The last printing comes after the end of tracing. */
static double end_of(const struct saved *s, const struct printing *p)
{
	double end = (double)s->c->runs[s->run].duration / 1e9;
	double printed = ((double)p->begun - (double)s->first) / 1e9;

	return printed > end && end > p->to ? end : printed;
}

/* Adds the growth since the previous printing.  A smaller value was cleared in between. */
static void add_column(struct saved *s, struct printing *p)
{
	struct chart_column col = {.from = p->to, .to = end_of(s, p)};
	int64_t *total = total_of(p->a), *added;
	unsigned int n = p->a->buckets.n, nadded = 0;
	bool is_new = false;

	added = mem_alloc(n * sizeof(*added));
	for (unsigned int i = 0; i < p->ntotal; i++)
		is_new |= total[i] < p->total[i];
	for (unsigned int i = 0; i < n; i++) {
		int64_t before = i < p->ntotal && !is_new ? p->total[i] : 0;

		added[i] = (int64_t)((uint64_t)total[i] - (uint64_t)before);
		nadded += added[i] != 0;
	}
	if (col.to > col.from) {
		col.counts.a = arena_new_arr(s->c->arena, struct chart_count, nadded + 1);
		for (unsigned int i = 0; i < n; i++)
			if (added[i])
				col.counts.a[col.counts.n++] =
				    (struct chart_count){.bucket = i, .n = added[i]};
		vec_push(&p->a->columns, col);
		p->to = col.to;
	}
	mem_free(added);
	mem_free(p->total);
	p->total = total;
	p->ntotal = n;
}

static void end_printing(struct saved *s, struct printing *p)
{
	if (p->a->is_hist && p->a->rows.n)
		add_column(s, p);
}

static void begin_printing(struct saved *s, struct printing *p, int64_t at)
{
	end_printing(s, p);
	p->a->rows.n = 0;
	p->begun = at;
}

static void add_row(struct saved *s, struct json_object *about, struct json_object *o, int64_t at,
		    int64_t number)
{
	struct json_object *value, *keys = member(s, o, "keys");
	const char *function = function_of(s, o, &value);
	struct chart_row row = {0};
	struct printing *p;

	if (!function || !keys)
		return;
	p = printing_of(s, function, about, keys);
	add_keys(s, keys, &row);
	if (!p->a->rows.n || number != p->number)
		begin_printing(s, p, at);
	p->number = number;
	if (p->a->is_hist)
		add_counts(s, p->a, value, &row);
	else
		row.value = s->json_object_get_int64(value);
	p->a->has_stacks |= row.n > row.nkeys;
	vec_push(&p->a->rows, row);
}

/* ---- facts about the run ---- */

/* Returns a fact, or the earlier one if the record lacks it. */
static const char *fact(struct saved *s, struct json_object *o, const char *name, const char *old)
{
	struct json_object *m = member(s, o, name);

	return m ? chart_text(s->c, text(s, m)) : old;
}

static uint64_t amount(struct saved *s, struct json_object *o, const char *name)
{
	int64_t n = s->json_object_get_int64(member(s, o, name));

	return n > 0 ? (uint64_t)n : 0;
}

static void add_facts(struct saved *s, struct json_object *o)
{
	struct chart_run *run = &s->c->runs[s->run];

	run->program = fact(s, o, "program", run->program);
	run->command = fact(s, o, "command", run->command);
	run->host = fact(s, o, "host", run->host);
	run->kernel = fact(s, o, "kernel", run->kernel);
	run->start = amount(s, o, "start");
	run->duration = amount(s, o, "duration");
}

static void add_object(struct saved *s, struct json_object *o)
{
	struct json_object *id = member(s, o, "build-id");

	chart_object(s->c, text(s, member(s, o, "module")), text(s, member(s, o, "path")),
		     id ? text(s, id) : NULL);
}

static bool is_drop(struct saved *s, struct json_object *o)
{
	return strcmp(text(s, member(s, o, "module")), "INTERNAL") == 0 &&
	       strcmp(text(s, member(s, o, "name")), "DROP") == 0;
}

/* ---- documents ---- */

static void add_record(struct saved *s, struct json_object *o)
{
	struct json_object *output = member(s, o, "output");
	const char *type = text(s, member(s, o, "type"));
	int64_t at = s->json_object_get_int64(member(s, o, "timestamp"));

	s->has_any |= output || member(s, o, "type");
	if (!s->first)
		s->first = at;
	if (strcmp(type, "run") == 0)
		add_facts(s, o);
	if (strcmp(type, "object") == 0)
		add_object(s, o);
	if (is_drop(s, o))
		s->c->runs[s->run].drops += amount(s, o, "count");
	if (member(s, o, "aggregation-name"))
		add_row(s, o, o, at, s->json_object_get_int64(member(s, o, "printing")));
	for (size_t i = 0; i < length(s, output); i++) {
		struct json_object *item = s->json_object_array_get_idx(output, i);
		struct json_object *rows = member(s, item, "aggregation-data");

		s->nlists++;
		for (size_t k = 0; k < length(s, rows); k++)
			add_row(s, item, s->json_object_array_get_idx(rows, k), at, s->nlists);
	}
}

static void add_document(struct saved *s, struct json_object *o)
{
	struct json_object *dtrace = member(s, o, "dtrace"), *probes = member(s, dtrace, "probes");
	struct json_object *facts = member(s, dtrace, "run");

	s->has_any |= probes != NULL;
	s->has_document |= probes != NULL;
	if (!probes)
		add_record(s, o);
	if (facts) {
		add_facts(s, facts);
		s->first = (int64_t)s->c->runs[s->run].start;
	}
	for (size_t i = 0; i < length(s, probes); i++)
		add_record(s, s->json_object_array_get_idx(probes, i));
}

/* ---- the file ---- */

static void advance(struct saved *s, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->column = p[i] == '\n' ? 1 : s->column + 1;
		s->line += p[i] == '\n';
	}
}

/*
 * Adds the documents that end in these bytes.  Returns NULL, or the error.  is_inside: a document
 * continues.
 */
static const char *feed(struct saved *s, struct json_tokener *t, const char *p, size_t n,
			bool *is_inside)
{
	while (n) {
		struct json_object *o;
		size_t used;

		if (!*is_inside && strchr(" \t\r\n", *p)) {
			advance(s, p++, 1);
			n--;
			continue;
		}
		if (!*is_inside && s->has_document)
			return "another document follows the first";
		o = s->json_tokener_parse_ex(t, p, (int)n);
		used = s->json_tokener_get_parse_end(t);
		advance(s, p, used);
		*is_inside = s->json_tokener_get_error(t) == json_tokener_continue;
		if (!*is_inside && s->json_tokener_get_error(t) != json_tokener_success)
			return s->json_tokener_error_desc(s->json_tokener_get_error(t));
		if (*is_inside)
			return NULL;
		add_document(s, o);
		s->json_object_put(o);
		p += used;
		n -= used;
	}
	return NULL;
}

static const char *read_documents(struct saved *s, int fd)
{
	struct json_tokener *t = s->json_tokener_new();
	char *piece = mem_alloc(PIECE);
	const char *why = NULL;
	bool is_inside = false;
	ssize_t n = 1;

	while (!why && (n = read(fd, piece, PIECE)) > 0)
		why = feed(s, t, piece, (size_t)n, &is_inside);
	if (!why && n < 0)
		why = strerror(errno);
	if (!why && is_inside)
		why = "the document has no end";
	if (!why && !s->has_any)
		why = "not an output of dtrace with option oformat=json or jsonl";
	s->json_tokener_free(t);
	mem_free(piece);
	return why;
}

static void end_all(struct saved *s)
{
	for (unsigned int i = 0; i < s->printings.n; i++) {
		struct printing *p = s->printings.a[i];

		end_printing(s, p);
		mem_free(p->total);
		mem_free(p);
	}
	vec_free(&s->printings);
	vec_free(&s->places);
	library_close(s);
}

bool saved_read(const struct report *report, struct chart *c, const char *path, unsigned int run)
{
	struct saved s = {.report = report, .c = c, .run = run, .line = 1, .column = 1};
	const char *why = NULL;
	int fd;

	if (!library_open(&s, LIBRARY, FUNCTIONS))
		why = LIBRARY " is not installed";
	fd = why ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!why && fd < 0)
		why = strerror(errno);
	else if (!why)
		why = read_documents(&s, fd);
	if (why && s.line + s.column > 2)
		report_error(report, "could not read '%s': line %llu, column %llu: %s", path,
			     (unsigned long long)s.line, (unsigned long long)s.column, why);
	else if (why)
		report_error(report, "could not read '%s': %s", path, why);
	if (fd >= 0)
		close(fd);
	end_all(&s);
	return !why;
}
