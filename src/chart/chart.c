/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.c: see chart.h.
 *
 * A million stacks have some ten thousand different addresses.  Each is resolved once.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "print/agg.h"
#include "chart/chart.h"
#include "chart/scale.h"
#include "print/hist.h"
#include "print/out.h"
#include "print/value.h"
#include "rt/abi.h"

struct chart *chart_new(void)
{
	struct arena *a = arena_new();
	struct chart *c = arena_new_obj(a, struct chart);

	c->arena = a;
	c->by_name = map_new();
	c->by_pc = map_new();
	c->by_line = map_new();
	c->by_module = map_new();
	return c;
}

void chart_free(struct chart *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i < c->aggs.n; i++) {
		vec_free(&c->aggs.a[i]->rows);
		vec_free(&c->aggs.a[i]->buckets);
		vec_free(&c->aggs.a[i]->columns);
		map_free(c->aggs.a[i]->by_label);
	}
	vec_free(&c->aggs);
	vec_free(&c->frames);
	vec_free(&c->lines);
	map_free(c->by_name);
	map_free(c->by_pc);
	map_free(c->by_line);
	map_free(c->by_module);
	arena_free(c->arena);
}

/* ---- frames ---- */

/* Replaces control characters, U+0080 to U+009F included: they move cursors, end lines, or are not
 * allowed in XML. */
static void put_clean(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		const unsigned char *p = (const unsigned char *)s + i;
		size_t len = out_utf8_len(s + i, n - i);

		if (len == 1 && (*p < 0x20 || *p == 0x7f))
			out_escaped(b, *p);
		else if (!len || (len == 2 && p[0] == 0xc2 && p[1] < 0xa0) ||
			 (len == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe))
			buf_puts(b, "\xef\xbf\xbd"); /* U+FFFD */
		else
			buf_add(b, s + i, len);
		i += len ? len : 1;
	}
}

const char *chart_text(struct chart *c, const char *s)
{
	struct buf b = {0};
	const char *clean;

	put_clean(&b, s, strlen(s));
	clean = arena_strdup(c->arena, buf_str(&b));
	buf_free(&b);
	return clean;
}

uint32_t chart_frame(struct chart *c, const char *name, size_t n, enum chart_kind kind)
{
	struct buf b = {0};
	uintptr_t id;

	buf_putc(&b, (char)kind);
	put_clean(&b, name, n);
	id = (uintptr_t)map_get(c->by_name, b.s, b.n);
	if (!id) {
		struct chart_frame f = {.name = arena_strndup(c->arena, b.s + 1, b.n - 1),
					.kind = kind};

		vec_push(&c->frames, f);
		id = c->frames.n;
		map_set(c->by_name, b.s, b.n, (void *)id);
	}
	buf_free(&b);
	return (uint32_t)id - 1;
}

/* Returns the length of "vmlinux`vfs_read+0x1f" without the offset. */
static size_t without_offset(const char *s, size_t n)
{
	size_t i = n;

	while (i > 3 && strchr("0123456789abcdef", s[i - 1]))
		i--;
	return i > 3 && i < n && memcmp(s + i - 3, "+0x", 3) == 0 ? i - 3 : n;
}

uint32_t chart_function(struct chart *c, const char *s, size_t n, enum chart_kind kind)
{
	const char *tick = memrchr(s, '`', n), *name = tick ? tick + 1 : s;
	struct buf b = {0};
	uint32_t id;

	if (n - (size_t)(name - s) > 2 && memcmp(name, "0x", 2) == 0) {
		buf_add(&b, s, (size_t)(name - s));
		buf_puts(&b, "[unknown]");
	} else {
		buf_add(&b, s, without_offset(s, n));
	}
	id = chart_frame(c, buf_str(&b), b.n, kind);
	buf_free(&b);
	return id;
}

uint32_t chart_cut(struct chart *c, enum chart_kind kind)
{
	return chart_frame(c, "(cut)", strlen("(cut)"), kind);
}

size_t chart_module(const struct chart_frame *f)
{
	const char *tick = f->kind == CHART_KEY ? NULL : strchr(f->name, '`');

	return tick ? (size_t)(tick - f->name) : 0;
}

/* ---- lines and files ---- */

uint32_t chart_line(struct chart *c, const char *file, uint32_t number)
{
	struct buf key = {0};
	uint32_t found;
	bool is_new;

	buf_add(&key, &number, sizeof(number));
	put_clean(&key, file, strlen(file));
	found = map_number(c->by_line, key.s, key.n, &is_new);
	if (is_new) {
		struct chart_line line = {.number = number};

		line.file = arena_strndup(c->arena, key.s + sizeof(number), key.n - sizeof(number));
		vec_push(&c->lines, line);
	}
	buf_free(&key);
	return found;
}

void chart_object(struct chart *c, const char *module, const char *path, const char *build_id)
{
	const char *clean = chart_text(c, module);
	struct chart_object *o;

	if (map_get_str(c->by_module, clean))
		return;
	o = arena_new_obj(c->arena, struct chart_object);
	o->path = chart_text(c, path);
	o->build_id = build_id ? chart_text(c, build_id) : NULL;
	map_set_str(c->by_module, clean, o);
}

const struct chart_object *chart_find_object(const struct chart *c, const char *module, size_t n)
{
	return map_get(c->by_module, module, n);
}

void chart_set_frames(struct chart *c, struct chart_row *row, const struct chart_place *a,
		      unsigned int n)
{
	row->n = n;
	row->ids = arena_new_arr(c->arena, uint32_t, n + 1);
	for (unsigned int i = 0; i < n; i++) {
		row->ids[i] = a[i].id;
		if (a[i].line && !row->lines)
			row->lines = arena_new_arr(c->arena, uint32_t, n);
		if (a[i].line)
			row->lines[i] = a[i].line;
	}
}

/* ---- addresses ---- */

struct place {
	unsigned int n;
	struct chart_place a[VALUE_PLACES + 1]; /* innermost first */
};

static uint32_t resolved(struct chart *c, struct out *o, const struct value *v, unsigned int frame,
			 uint64_t pc, const char **module)
{
	struct buf b = {0}, name = {0};
	struct out_sym sym;
	uint32_t id;

	value_frame(o, v, frame, pc, &sym, &b);
	*module = arena_strdup(c->arena, sym.module ? sym.module : "");
	if (sym.path)
		chart_object(c, *module, sym.path, sym.build_id);
	if (sym.name && !o->opts.noresolve)
		buf_printf(&name, "%s`%s", *module, sym.name);
	else
		buf_puts(&name, buf_str(&b));
	if (v->kind == VALUE_USTACK && sym.text && sym.text[0] == '@' && !o->opts.noresolve)
		buf_printf(&name, " [%s]", sym.text + 1);
	id = chart_function(c, buf_str(&name), name.n,
			    v->kind == VALUE_USTACK ? CHART_USER : CHART_KERNEL);
	buf_free(&b);
	buf_free(&name);
	return id;
}

static uint32_t line_of(struct chart *c, const struct out *o, const struct out_place *p)
{
	return o->opts.lines && p->file ? chart_line(c, p->file, (uint32_t)p->line) : 0;
}

static struct place *resolve(struct chart *c, struct out *o, const struct value *v,
			     unsigned int frame, uint64_t pc)
{
	struct place *p = arena_new_obj(c->arena, struct place);
	struct out_place places[VALUE_PLACES];
	unsigned int n = value_places(o, v, frame, pc, places);
	const char *module;
	uint32_t own = resolved(c, o, v, frame, pc, &module);

	for (unsigned int i = 0; o->opts.inlines && i + 1 < n; i++) {
		struct buf b = {0};

		buf_printf(&b, "%s`%s", module, places[i].func ? places[i].func : "?");
		p->a[p->n++] = (struct chart_place){chart_frame(c, b.s, b.n, CHART_USER),
						    line_of(c, o, &places[i])};
		buf_free(&b);
	}
	p->a[p->n++] = (struct chart_place){own, n ? line_of(c, o, &places[n - 1]) : 0};
	return p;
}

/* Returns the place of a frame.  The first frame of a stack is not a call. */
static const struct place *place_of(struct chart *c, struct out *o, const struct value *v,
				    unsigned int frame, uint64_t pc)
{
	struct {
		uint64_t pc, last; /* the reason why a stack ends names the frame before */
		const void *symctx;
		uint32_t pid, is_first;
	} key = {.pc = pc, .symctx = v->symctx, .pid = v->pid, .is_first = frame == 0};
	struct place *p;

	key.is_first |= v->kind == VALUE_USTACK ? 2 : 0;
	if (frame && v->kind == VALUE_USTACK && abi_is_lost(pc))
		memcpy(&key.last, (const char *)v->data + (frame - 1) * 8, sizeof(key.last));
	p = map_get(c->by_pc, &key, sizeof(key));
	if (!p) {
		p = resolve(c, o, v, frame, pc);
		map_set(c->by_pc, &key, sizeof(key), p);
	}
	return p;
}

/* ---- keys of a row ---- */

struct places {
	struct chart_place *a;
	unsigned int n, cap;
};

static void push(struct places *to, uint32_t id)
{
	vec_push(to, ((struct chart_place){.id = id}));
}

static void push_reversed(struct places *to, unsigned int from)
{
	for (unsigned int i = from, k = to->n; i + 1 < k; i++) {
		struct chart_place p = to->a[--k];

		to->a[k] = to->a[i];
		to->a[i] = p;
	}
}

/* A stack that has lost its outer callers does not stand beside whole ones. */
static void put_stack(struct chart *c, struct out *o, const struct value *v, struct places *to)
{
	unsigned int from = to->n;
	uint64_t pc;

	for (uint32_t i = 0; (i + 1) * 8 <= v->len; i++) {
		const struct place *p;

		memcpy(&pc, (const char *)v->data + i * 8, 8);
		if (!pc)
			break;
		p = place_of(c, o, v, i, pc);
		for (unsigned int k = 0; k < p->n; k++)
			vec_push(to, p->a[k]);
	}
	if (v->is_cut)
		push(to, chart_cut(c, v->kind == VALUE_USTACK ? CHART_USER : CHART_KERNEL));
	push_reversed(to, from);
}

static void put_lines(struct chart *c, const struct value *v, struct places *to)
{
	const char *text = v->data;
	unsigned int from = to->n;

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		push(to, chart_function(c, text, n, CHART_KERNEL));
	}
	if (v->is_cut && to->n > from)
		push(to, chart_cut(c, CHART_KERNEL));
	push_reversed(to, from);
}

static bool is_stack(const struct value *v)
{
	return v->kind == VALUE_STACK || v->kind == VALUE_USTACK || v->kind == VALUE_LINES;
}

static void put_key(struct chart *c, struct out *o, const struct value *v, struct places *to)
{
	struct buf b = {0};

	value_plain(o, &b, v);
	push(to, chart_frame(c, buf_str(&b), b.n, CHART_KEY));
	buf_free(&b);
}

/* Puts the keys, then the stacks: user frames first, because they call the kernel frames. */
static void put_keys(struct chart *c, struct out *o, const struct agg_rec *r, struct chart_row *row,
		     struct places *to)
{
	to->n = 0;
	for (unsigned int i = 0; i < r->nkeys; i++)
		if (!is_stack(&r->keys[i]))
			put_key(c, o, &r->keys[i], to);
	row->nkeys = to->n;
	for (unsigned int i = 0; i < r->nkeys; i++)
		if (r->keys[i].kind == VALUE_USTACK)
			put_stack(c, o, &r->keys[i], to);
	for (unsigned int i = 0; i < r->nkeys; i++) {
		if (r->keys[i].kind == VALUE_STACK)
			put_stack(c, o, &r->keys[i], to);
		else if (r->keys[i].kind == VALUE_LINES)
			put_lines(c, &r->keys[i], to);
	}
	chart_set_frames(c, row, to->a, to->n);
}

/* ---- aggregations ---- */

struct chart_agg *chart_agg_named(const struct chart *c, const char *name, unsigned int run)
{
	for (unsigned int i = 0; i < c->aggs.n; i++)
		if (c->aggs.a[i]->run == run && strcmp(c->aggs.a[i]->name, name) == 0)
			return c->aggs.a[i];
	return NULL;
}

struct chart_agg *chart_agg_new(struct chart *c, const char *name, const char *function,
				unsigned int run)
{
	struct chart_agg *a = arena_new_obj(c->arena, struct chart_agg);

	a->name = chart_text(c, name);
	a->function = function;
	a->run = run;
	a->by_label = map_new();
	vec_push(&c->aggs, a);
	return a;
}

uint32_t chart_bucket(struct chart *c, struct chart_agg *a, const char *label, double low)
{
	struct chart_bucket bucket = {.low = low};
	struct buf b = {0};
	uintptr_t number;

	put_clean(&b, label, strlen(label));
	number = (uintptr_t)map_get_str(a->by_label, buf_str(&b));
	if (!number) {
		bucket.label = arena_strdup(c->arena, buf_str(&b));
		vec_push(&a->buckets, bucket);
		number = a->buckets.n;
		map_set_str(a->by_label, bucket.label, (void *)number);
	}
	buf_free(&b);
	return (uint32_t)number - 1;
}

static uint32_t bucket_of(struct chart *c, struct chart_agg *a, const struct agg_desc *d,
			  unsigned int i)
{
	bool is_open = d->ops->hist->beyond && i == 0;
	struct buf b = {0};
	uint32_t number;

	hist_label(d, i, 0, &b);
	number = chart_bucket(c, a, buf_str(&b),
			      is_open ? -INFINITY : (double)d->ops->hist->bound(d, i));
	buf_free(&b);
	return number;
}

/* Returns the counts that are not 0, divided by normal. */
static struct chart_counts counts_of(struct chart *c, struct chart_agg *a, const struct agg_desc *d,
				     const int64_t *words, int64_t normal)
{
	unsigned int first = 0, last = agg_nwords(d);
	struct chart_counts counts = {0};

	while (first < last && !words[first])
		first++;
	while (last > first && !words[last - 1])
		last--;
	counts.a = arena_new_arr(c->arena, struct chart_count, last - first + 1);
	for (unsigned int i = first; i < last; i++) {
		struct chart_count *n = &counts.a[counts.n];

		n->bucket = bucket_of(c, a, d, i);
		n->n = agg_divide(words[i], normal);
		counts.n += n->n != 0;
	}
	return counts;
}

static void add_row(struct chart *c, struct out *o, struct chart_agg *a, const struct agg_rec *r,
		    struct places *to)
{
	const struct agg_ops *ops = r->desc->ops;
	struct chart_row row = {0};

	put_keys(c, o, r, &row, to);
	a->has_stacks |= row.n > row.nkeys;
	if (ops->hist)
		row.counts = counts_of(c, a, r->desc, r->words, r->normal);
	for (unsigned int i = 0; i < row.counts.n; i++)
		agg_add(&row.value, row.counts.a[i].n);
	if (!ops->hist)
		row.value = ops->scalar ? ops->scalar(r->words, r->normal) : r->words[0];
	vec_push(&a->rows, row);
}

void chart_set_labels(struct chart *c, struct chart_agg *a, const char *const *names,
		      unsigned int n)
{
	a->nlabels = n;
	a->labels = arena_new_arr(c->arena, const char *, n + 1);
	for (unsigned int i = 0; i < n; i++)
		a->labels[i] = names[i] ? chart_text(c, names[i]) : NULL;
}

/* The kinds of keys are known if there is a row. */
static void set_labels(struct chart *c, struct chart_agg *a, const struct agg_set *set)
{
	VEC(const char *) names = {0};

	for (unsigned int i = 0; set->n && i < set->nlabels && i < set->recs[0].nkeys; i++)
		if (!is_stack(&set->recs[0].keys[i]))
			vec_push(&names, set->labels[i]);
	chart_set_labels(c, a, names.a, names.n);
	vec_free(&names);
}

bool chart_has_value(const struct chart_agg *a)
{
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			return true;
	return false;
}

struct chart_agg *chart_add_set(struct chart *c, struct out *o, const struct agg_set *set)
{
	struct chart_agg *a = chart_agg_new(c, set->name, set->desc->ops->name, 0);
	struct places places = {0};

	a->is_hist = set->desc->ops->hist != NULL;
	a->unit = set->unit;
	set_labels(c, a, set);
	vec_reserve(&a->rows, set->n);
	for (unsigned int i = 0; i < set->n; i++)
		add_row(c, o, a, &set->recs[i], &places);
	vec_free(&places);
	return a;
}

void chart_add_column(struct chart *c, struct chart_agg *a, const struct agg_desc *d,
		      const int64_t *words, double from, double to)
{
	struct chart_column col = {.from = from, .to = to, .counts = counts_of(c, a, d, words, 1)};

	vec_push(&a->columns, col);
}

void chart_pair(struct chart *c)
{
	unsigned int n = c->aggs.n;

	for (unsigned int i = 0; i < n; i++) {
		const struct chart_agg *before = c->aggs.a[i];
		struct chart_agg *a = chart_agg_named(c, before->name, 1);

		if (before->run != 0)
			continue;
		if (!a) {
			a = chart_agg_new(c, before->name, before->function, 1);
			a->is_hist = before->is_hist;
			a->labels = before->labels;
			a->nlabels = before->nlabels;
			a->unit = before->unit;
		}
		a->has_stacks |= before->has_stacks;
	}
}

/* ---- order ---- */

/* Returns true for a key that is a number.  Sets it. */
static bool is_number(const struct chart_frame *f, long long *n)
{
	char *end;

	if (f->kind != CHART_KEY || !*f->name)
		return false;
	*n = strtoll(f->name, &end, 10);
	return !*end;
}

/* Keys that are numbers come first, by their values, so that times are in order. */
static int by_name(const void *x, const void *y, void *frames)
{
	const struct chart_frame *f = frames;
	const struct chart_frame *a = &f[*(const uint32_t *)x], *b = &f[*(const uint32_t *)y];
	long long l = 0, r = 0;
	bool has_l = is_number(a, &l), has_r = is_number(b, &r);
	int d = has_l && has_r ? (l > r) - (l < r) : has_r - has_l;

	d = d ? d : strcmp(a->name, b->name);
	return d ? d : (int)a->kind - (int)b->kind;
}

void chart_rank(struct chart *c)
{
	uint32_t *order = mem_alloc((c->frames.n + 1) * sizeof(*order));

	for (unsigned int i = 0; i < c->frames.n; i++)
		order[i] = i;
	qsort_r(order, c->frames.n, sizeof(*order), by_name, c->frames.a);
	for (unsigned int i = 0; i < c->frames.n; i++)
		c->frames.a[order[i]].rank = i;
	mem_free(order);
}

static int by_frames(const void *x, const void *y, void *frames)
{
	const struct chart_frame *f = frames;
	const struct chart_row *a = x, *b = y;

	for (unsigned int i = 0; i < a->n && i < b->n; i++)
		if (a->ids[i] != b->ids[i])
			return f[a->ids[i]].rank < f[b->ids[i]].rank ? -1 : 1;
	return (a->n > b->n) - (a->n < b->n);
}

void chart_sort(struct chart *c)
{
	for (unsigned int i = 0; i < c->aggs.n; i++)
		if (c->aggs.a[i]->has_stacks && c->aggs.a[i]->rows.n)
			qsort_r(c->aggs.a[i]->rows.a, c->aggs.a[i]->rows.n,
				sizeof(*c->aggs.a[i]->rows.a), by_frames, c->frames.a);
}

static int by_bound(const void *x, const void *y, void *buckets)
{
	const struct chart_bucket *b = buckets;
	double l = b[*(const uint32_t *)x].low, r = b[*(const uint32_t *)y].low;

	return l < r ? -1 : l > r;
}

uint32_t *chart_order(struct chart *c, const struct chart_agg *a)
{
	uint32_t *order = arena_new_arr(c->arena, uint32_t, a->buckets.n + 1);

	for (unsigned int i = 0; i < a->buckets.n; i++)
		order[i] = i;
	qsort_r(order, a->buckets.n, sizeof(*order), by_bound, a->buckets.a);
	return order;
}

void chart_key_name(struct buf *b, const struct chart_agg *a, unsigned int i, unsigned int nkeys)
{
	if (i < a->nlabels && a->labels[i])
		buf_puts(b, a->labels[i]);
	else if (nkeys > 1)
		buf_printf(b, "key %u", i + 1);
	else
		buf_puts(b, "key");
}

bool chart_is_binary(const struct chart_agg *a)
{
	for (unsigned int i = 0; i < a->buckets.n; i++)
		if (!isinf(a->buckets.a[i].low) && !scale_is_binary(a->buckets.a[i].low))
			return false;
	return true;
}

static bool is_wanted(const struct chart *c, const struct chart_agg *a, const char *name)
{
	return a->run + 1 == c->nruns && (!name || strcmp(a->name, name) == 0);
}

struct chart_agg *chart_flame(const struct chart *c, const char *name)
{
	for (unsigned int i = 0; i < c->aggs.n; i++)
		if (is_wanted(c, c->aggs.a[i], name) && c->aggs.a[i]->has_stacks)
			return c->aggs.a[i];
	return NULL;
}

struct chart_agg *chart_heat(const struct chart *c, const char *name)
{
	for (unsigned int i = 0; i < c->aggs.n; i++)
		if (is_wanted(c, c->aggs.a[i], name) && c->aggs.a[i]->columns.n)
			return c->aggs.a[i];
	return NULL;
}
