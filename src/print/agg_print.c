/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_print.c: sorts, joins and prints whole aggregations.
 *
 * The records arrive in any order and stay in place; sorting moves pointers.  Joining sorts the
 * records of all sets by key, and makes one row of the records with one key.  An aggregation
 * without a record for the key gets zeros.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "print/agg.h"
#include "print/fmt.h"
#include "print/hist.h"
#include "print/out.h"
#include "print/value.h"

/* Integers of different sizes are different keys. */
int agg_compare_keys(const struct agg_rec *a, const struct agg_rec *b, unsigned int first)
{
	if (a->nkeys != b->nkeys)
		return a->nkeys < b->nkeys ? -1 : 1;
	for (unsigned int i = 0; i < a->nkeys; i++)
		if (a->keys[i].size != b->keys[i].size)
			return a->keys[i].size < b->keys[i].size ? -1 : 1;
	for (unsigned int i = 0; i < a->nkeys; i++) {
		unsigned int k = (i + first) % a->nkeys;
		int d = value_compare(&a->keys[k], &b->keys[k]);

		if (d)
			return d;
	}
	return 0;
}

/* Returns the value of a position option if there are so many elements, else 0. */
static unsigned int position(int opt, unsigned int n)
{
	return opt >= 0 && (unsigned int)opt < n ? (unsigned int)opt : 0;
}

/* A row of output: records of the same key, one of each aggregation. */
struct row {
	const struct agg_rec *recs;
	unsigned int n;
};

static int compare_rows(const struct out_opts *opts, const struct row *a, const struct row *b)
{
	unsigned int first = position(opts->aggsortpos, a->n);
	int d = 0;

	assert(a->n == b->n && a->n > 0);
	for (unsigned int i = 0; i < a->n && d == 0 && !opts->aggsortkey; i++) {
		unsigned int k = (i + first) % a->n;

		d = a->recs[k].desc->ops->compare(a->recs[k].desc, a->recs[k].words,
						  b->recs[k].words);
	}
	if (d == 0)
		d = agg_compare_keys(a->recs, b->recs,
				     position(opts->aggsortkeypos, a->recs->nkeys));
	return opts->aggsortrev ? -d : d;
}

int agg_compare(const struct out_opts *opts, const struct agg_rec *a, const struct agg_rec *b)
{
	struct row x = {a, 1}, y = {b, 1};

	return compare_rows(opts, &x, &y);
}

static int by_options(const void *a, const void *b, void *opts)
{
	return compare_rows(opts, a, b);
}

static void sort_rows(struct out *o, struct row *rows, unsigned int n)
{
	qsort_r(rows, n, sizeof(rows[0]), by_options, &o->opts);
}

/* Prints the values of single CPUs (option aggpercpu).  A minimum or maximum without data is left
 * out. */
static void print_cpus(struct out *o, const struct agg_rec *r)
{
	struct agg_rec one = *r;

	for (unsigned int c = 0; c < r->ncpu; c++) {
		one.words = r->words + (size_t)(c + 1) * agg_nwords(r->desc);
		if (r->desc->ops->init && agg_is_fresh(r->desc, one.words))
			continue;
		out_printf(o, "\n    [CPU %u]", c);
		one.desc->ops->print(o, &one);
	}
}

static void print_row(struct out *o, const struct row *row)
{
	for (unsigned int i = 0; i < row->recs->nkeys; i++)
		value_key(o, &row->recs->keys[i]);
	for (unsigned int i = 0; i < row->n; i++) {
		row->recs[i].desc->ops->print(o, &row->recs[i]);
		print_cpus(o, &row->recs[i]);
	}
	out_putc(o, '\n');
}

/* Returns the columns of a key in one-line layouts; 0: the key does not fit on one line. */
static int packed_width(const struct value *v)
{
	uint32_t size = v->size ? v->size : v->len;

	switch (v->kind) {
	case VALUE_INT:
	case VALUE_PTR:
		return size == 8 ? 16 : size == 4 ? 8 : size == 2 ? 5 : 3;
	case VALUE_STR:
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		return 16;
	case VALUE_BYTES:
	case VALUE_STACK:
	case VALUE_USTACK:
	case VALUE_LINES:
	case VALUE_FLOAT:
		break;
	}
	return 0;
}

/* Returns the columns of all keys with their blanks; -1: a key does not fit on one line. */
static int keys_width(const struct agg_rec *r)
{
	int width = 0;

	for (unsigned int i = 0; i < r->nkeys; i++) {
		int w = packed_width(&r->keys[i]);

		if (w == 0)
			return -1;
		width += w + 1;
	}
	return width;
}

static void print_packed_keys(struct out *o, const struct agg_rec *r)
{
	for (unsigned int i = 0; i < r->nkeys; i++) {
		const struct value *v = &r->keys[i];

		if (v->kind == VALUE_INT || v->kind == VALUE_PTR) {
			value_key(o, v);
		} else if (v->kind == VALUE_STR) {
			out_putc(o, ' ');
			out_field(o, v->data, value_strlen(v), packed_width(v), false);
		} else {
			struct buf *b = out_scratch(o);

			value_symbol(o, b, v);
			out_putc(o, ' ');
			out_field(o, buf_str(b), b->n, packed_width(v), false);
		}
	}
}

static void print_bars(struct out *o, const struct row *rows, unsigned int n, int width)
{
	struct hist_scale s = {0};

	for (unsigned int i = 0; i < n; i++)
		hist_scale_add(&s, rows[i].recs->words[0]);
	hist_scale_whole(o, &s);
	hist_header(o, width ? "key" : "value", width ? width : 16);
	for (unsigned int i = 0; i < n; i++) {
		const struct agg_rec *r = rows[i].recs;

		print_packed_keys(o, r);
		out_pad(o, ' ', width ? 1 : 17);
		hist_bar(o, &s, r->words[0], r->normal);
	}
}

static void print_packed(struct out *o, const struct row *rows, unsigned int n,
			 struct hist_range range, int width)
{
	hist_pack_header(o, rows->recs, range, width);
	for (unsigned int i = 0; i < n; i++) {
		print_packed_keys(o, rows[i].recs);
		hist_pack(o, rows[i].recs, range);
	}
}

/* Prints the titles above the columns that follow the keys of a row. */
static void print_titles(struct out *o, const struct agg_rec *r)
{
	struct buf b = {0};
	struct out keys;
	const char *last;

	out_init_buf(&keys, &b);
	keys.opts = o->opts;
	keys.syms = o->syms;
	keys.symctx = o->symctx;
	for (unsigned int i = 0; i < r->nkeys; i++)
		value_key(&keys, &r->keys[i]);
	last = strrchr(buf_str(&b), '\n');
	out_pad(o, ' ', last ? strlen(last + 1) : b.n);
	out_puts(o, r->desc->ops->titles);
	out_putc(o, '\n');
	out_free(&keys);
	buf_free(&b);
}

void agg_print(struct out *o, const struct agg_rec *recs, unsigned int n)
{
	if (n == 0)
		return;
	const struct agg_ops *ops = recs->desc->ops;
	int width = keys_width(recs);
	struct row *rows = mem_alloc(n * sizeof(*rows));
	for (unsigned int i = 0; i < n; i++)
		rows[i] = (struct row){&recs[i], 1};
	sort_rows(o, rows, n);
	if (o->opts.agghist && width >= 0 && ops->has_bar)
		print_bars(o, rows, n, width);
	else if (o->opts.aggpack && width >= 0 && ops->hist && ops->hist->pack_range)
		print_packed(o, rows, n, ops->hist->pack_range(recs, n), width);
	else {
		if (ops->titles)
			print_titles(o, recs);
		for (unsigned int i = 0; i < n; i++)
			print_row(o, &rows[i]);
	}
	mem_free(rows);
}

/* Several aggregations joined by key. */
struct join {
	struct row *rows;
	unsigned int n;
	struct agg_rec *recs; /* of all rows */
	int64_t *zeros;	      /* the value of an aggregation without a record */
};

/* A record and the set it comes from. */
struct member {
	const struct agg_rec *rec;
	unsigned int set;
};

static int by_key(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int d = agg_compare_keys(a->rec, b->rec, 0);

	return d ? d : a->set < b->set ? -1 : a->set > b->set;
}

static unsigned int collect(const struct agg_set *sets, unsigned int n, struct member **out)
{
	unsigned int total = 0, k = 0;

	for (unsigned int s = 0; s < n; s++)
		total += sets[s].n;
	struct member *m = mem_alloc((total + 1) * sizeof(*m));
	for (unsigned int s = 0; s < n; s++)
		for (unsigned int i = 0; i < sets[s].n; i++)
			m[k++] = (struct member){&sets[s].recs[i], s};
	qsort(m, total, sizeof(*m), by_key);
	*out = m;
	return total;
}

static int64_t *make_zeros(const struct agg_set *sets, unsigned int n)
{
	unsigned int most = 1;

	for (unsigned int s = 0; s < n; s++) {
		unsigned int words = agg_nwords(sets[s].desc);

		most = words > most ? words : most;
	}
	return mem_alloc(most * sizeof(int64_t));
}

/* A row of zeros for the key of rec. */
static void start_row(struct join *j, const struct agg_set *sets, unsigned int nsets,
		      const struct agg_rec *rec)
{
	struct agg_rec *recs = j->recs + (size_t)j->n * nsets;

	for (unsigned int s = 0; s < nsets; s++)
		recs[s] = (struct agg_rec){.desc = sets[s].desc,
					   .keys = rec->keys,
					   .nkeys = rec->nkeys,
					   .words = j->zeros,
					   .normal = 1};
	j->rows[j->n++] = (struct row){recs, nsets};
}

static struct join join(struct out *o, const struct agg_set *sets, unsigned int nsets)
{
	struct member *m;
	unsigned int total = collect(sets, nsets, &m);
	struct join j = {0};

	j.rows = mem_alloc((total + 1) * sizeof(*j.rows));
	j.recs = mem_alloc(((size_t)total * nsets + 1) * sizeof(*j.recs));
	j.zeros = make_zeros(sets, nsets);
	for (unsigned int i = 0; i < total; i++) {
		if (i == 0 || agg_compare_keys(m[i - 1].rec, m[i].rec, 0) != 0)
			start_row(&j, sets, nsets, m[i].rec);
		j.recs[(size_t)(j.n - 1) * nsets + m[i].set] = *m[i].rec;
	}
	mem_free(m);
	if (j.n)
		sort_rows(o, j.rows, j.n);
	return j;
}

static void join_free(struct join *j)
{
	mem_free(j->rows);
	mem_free(j->recs);
	mem_free(j->zeros);
}

/* Several aggregations joined by key, default layout; all have the same key types. */
static void print_multi(struct out *o, const struct agg_set *sets, unsigned int n)
{
	struct join j = join(o, sets, n);

	for (unsigned int i = 0; i < j.n; i++)
		print_row(o, &j.rows[i]);
	join_free(&j);
}

/* Prints aggregations, joined by key, through a format. */
static void print_fmt(struct out *o, const struct fmt *f, const struct agg_set *sets,
		      unsigned int n)
{
	struct join j = join(o, sets, n);

	for (unsigned int i = 0; i < j.n; i++) {
		const struct agg_rec *recs = j.rows[i].recs;

		fmt_print_agg(o, f, recs->keys, recs->nkeys, recs, n);
	}
	join_free(&j);
}

void agg_printa(struct out *o, const struct fmt *f, const struct agg_set *sets, unsigned int n)
{
	struct agg_call call = {sets, n};

	assert(n > 0);
	if (out_object(o, OUT_OBJECT_AGGS, &call))
		return;
	if (f) {
		print_fmt(o, f, sets, n);
		return;
	}
	out_putc(o, '\n');
	if (n == 1)
		agg_print(o, sets->recs, sets->n);
	else
		print_multi(o, sets, n);
}
