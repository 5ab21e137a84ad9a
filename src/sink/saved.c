/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved.c: see saved.h; docs/json.md describes the format.
 *
 * The rows of a list are one printing.  In jsonl, each row has the number of its printing.  Rows of
 * a printing can look alike, because keys were addresses and the file has only their names.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "print/agg.h"
#include "chart/chart.h"
#include "sink/json.h"
#include "sink/saved.h"

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
	struct chart *c;
	struct json *j;
	unsigned int run;
	int64_t first;	/* first time in the file, ns */
	int64_t nlists; /* lists of rows so far */
	VEC(struct printing *) printings;
	VEC(struct chart_place) places;
};

/* ---- rows ---- */

/*
 * A kernel stack has a frame of vmlinux, at least the entry of the kernel.  Frames of immstack()
 * have names alone.
 */
static enum chart_kind kind_of(struct saved *s, struct json_object *stack)
{
	for (size_t i = 0; i < json_length(s->j, stack); i++) {
		struct json_object *frame = json_item(s->j, stack, i);

		if (strncmp(json_symbol(s->j, frame), "vmlinux`", 8) == 0 ||
		    (!json_member(s->j, frame, "offset") && !json_member(s->j, frame, "inlined")))
			return CHART_KERNEL;
	}
	return CHART_USER;
}

static uint32_t function_of_frame(struct saved *s, struct json_object *frame, enum chart_kind kind)
{
	const char *sym = json_symbol(s->j, frame);
	struct json_object *note = json_member(s->j, frame, "annotation");
	uint32_t id = chart_function(s->c, sym, strlen(sym), kind);
	struct buf b = {0};

	if (!note)
		return id;
	buf_printf(&b, "%s [%s]", s->c->frames.a[id].name, json_text(s->j, note));
	id = chart_frame(s->c, b.s, b.n, kind);
	buf_free(&b);
	return id;
}

static uint32_t line_of(struct saved *s, struct json_object *frame)
{
	struct json_object *file = json_member(s->j, frame, "file");
	int64_t number = json_int(s->j, json_member(s->j, frame, "line"));

	return file ? chart_line(s->c, json_text(s->j, file), (uint32_t)number) : 0;
}

/* A cut stack has "(cut)" as its outermost frame, as in a picture that the run itself draws. */
static void add_stack(struct saved *s, struct json_object *stack)
{
	enum chart_kind kind = kind_of(s, stack);
	struct chart_place cut = {.id = chart_cut(s->c, kind)};

	for (size_t i = json_length(s->j, stack); i-- > 0;) {
		struct json_object *frame = json_item(s->j, stack, i);
		struct chart_place place = {function_of_frame(s, frame, kind), line_of(s, frame)};

		if (json_member(s->j, frame, "cut"))
			vec_push(&s->places, cut);
		vec_push(&s->places, place);
	}
}

static void add_key(struct saved *s, struct json_object *key)
{
	const char *t = json_text(s->j, key);
	struct chart_place place = {.id = chart_frame(s->c, t, strlen(t), CHART_KEY)};

	vec_push(&s->places, place);
}

/* Adds plain keys first, then stacks of processes, then kernel stacks. */
static void add_keys(struct saved *s, struct json_object *keys, struct chart_row *row)
{
	s->places.n = 0;
	for (size_t i = 0; i < json_length(s->j, keys); i++) {
		struct json_object *k = json_item(s->j, keys, i);

		if (!json_is_list(s->j, k))
			add_key(s, k);
	}
	row->nkeys = s->places.n;
	for (int kind = CHART_USER; kind <= CHART_KERNEL; kind++) {
		for (size_t i = 0; i < json_length(s->j, keys); i++) {
			struct json_object *k = json_item(s->j, keys, i);

			if (json_is_list(s->j, k) && kind_of(s, k) == (enum chart_kind)kind)
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

	for (size_t i = 0; i < json_length(s->j, keys) && i < json_length(s->j, labels); i++) {
		const char *name = json_text(s->j, json_item(s->j, labels, i));

		if (!json_is_list(s->j, json_item(s->j, keys, i)))
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
	size_t n = json_length(s->j, buckets);

	row->counts.a = arena_new_arr(s->c->arena, struct chart_count, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct json_object *b = json_item(s->j, buckets, i);
		const char *label = json_text_of(s->j, b, "value");
		struct chart_count *count = &row->counts.a[row->counts.n++];

		count->bucket = chart_bucket(s->c, a, label, low_of(label));
		count->n = json_int(s->j, json_member(s->j, b, "count"));
		agg_add(&row->value, count->n);
	}
}

/* ---- printings ---- */

/* Adds the names of keys, and the unit. */
static void add_about(struct saved *s, struct chart_agg *a, struct json_object *about,
		      struct json_object *keys)
{
	static const char *const units[] = {"ns", "us", "ms", "s", "bytes"};

	set_labels(s, a, keys, json_member(s->j, about, "key-names"));
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(json_text_of(s->j, about, "unit"), units[i]) == 0)
			a->unit = units[i];
}

/*
 * Returns the name of a function that a file gives, or OTHERWISE if it cannot be one: pictures
 * contain the name as it is.
 */
static const char *function_or(const char *name, const char *otherwise)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");

	return n && !name[n] ? name : otherwise;
}

/* about: the object with facts about the aggregation. */
static struct printing *printing_of(struct saved *s, const char *function,
				    struct json_object *about, struct json_object *keys)
{
	const char *name = json_text_of(s->j, about, "aggregation-name");
	const char *shown = json_text_of(s->j, about, "aggregation-function");
	struct printing *p;

	for (unsigned int i = 0; i < s->printings.n; i++)
		if (strcmp(s->printings.a[i]->a->name, name) == 0)
			return s->printings.a[i];
	p = mem_alloc(sizeof(*p));
	p->a = chart_agg_new(s->c, name, chart_text(s->c, function_or(shown, function)), s->run);
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

/* Adds the growth since the previous printing.  A smaller value means a clear() in between. */
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
	struct json_object *value, *keys = json_member(s->j, o, "keys");
	const char *function = json_function(s->j, o, &value);
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
		row.value = json_int(s->j, value);
	p->a->has_stacks |= row.n > row.nkeys;
	vec_push(&p->a->rows, row);
}

/* ---- facts about the run ---- */

/* Returns a fact, or the earlier one if the record lacks it. */
static const char *fact(struct saved *s, struct json_object *o, const char *name, const char *old)
{
	struct json_object *m = json_member(s->j, o, name);

	return m ? chart_text(s->c, json_text(s->j, m)) : old;
}

static uint64_t amount(struct saved *s, struct json_object *o, const char *name)
{
	int64_t n = json_int(s->j, json_member(s->j, o, name));

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
	struct json_object *id = json_member(s->j, o, "build-id");

	chart_object(s->c, json_text_of(s->j, o, "module"), json_text_of(s->j, o, "path"),
		     id ? json_text(s->j, id) : NULL);
}

static bool is_drop(struct saved *s, struct json_object *o)
{
	return strcmp(json_text_of(s->j, o, "module"), "INTERNAL") == 0 &&
	       strcmp(json_text_of(s->j, o, "name"), "DROP") == 0;
}

/* ---- records ---- */

static void add_record(void *ctx, struct json *j, struct json_object *o)
{
	struct saved *s = ctx;
	struct json_object *output = json_member(j, o, "output");
	int64_t at = json_int(j, json_member(j, o, "timestamp"));

	s->j = j;
	if (json_is_run(j, o))
		add_facts(s, o);
	if (!s->first)
		s->first = at ? at : (int64_t)s->c->runs[s->run].start;
	if (strcmp(json_text_of(j, o, "type"), "object") == 0)
		add_object(s, o);
	if (is_drop(s, o))
		s->c->runs[s->run].drops += amount(s, o, "count");
	if (json_member(j, o, "aggregation-name"))
		add_row(s, o, o, at, json_int(j, json_member(j, o, "printing")));
	for (size_t i = 0; i < json_length(j, output); i++) {
		struct json_object *item = json_item(j, output, i);
		struct json_object *rows = json_member(j, item, "aggregation-data");

		s->nlists++;
		for (size_t k = 0; k < json_length(j, rows); k++)
			add_row(s, item, json_item(j, rows, k), at, s->nlists);
	}
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
}

bool saved_read(const struct report *report, struct chart *c, const char *path, unsigned int run)
{
	struct saved s = {.c = c, .run = run};
	bool ok = json_read(report, path, add_record, &s);

	end_all(&s);
	return ok;
}
