/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hist.c: prints histograms, as rows of bars or packed into one line.
 *
 * The length of a bar is its share of the sum of all counts, rounded to the nearest character, in
 * exact integers.  With option aggzoom the largest count has 95% of the space.  Positive counts
 * grow to the right, negative ones to the left.  With both signs each side has half the space.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "print/agg.h"
#include "print/doc.h"
#include "print/hist.h"
#include "print/out.h"

#define BAR 40

typedef unsigned __int128 u128;

void hist_scale_add(struct hist_scale *s, int64_t count)
{
	uint64_t m = agg_magnitude(count);

	s->total += m;
	if (m > s->max)
		s->max = m;
	s->has_pos |= count > 0;
	s->has_neg |= count < 0;
}

/* Returns twice the length of a bar, times *per, which it sets.  A full bar has length full. */
static u128 scaled2(const struct out *o, const struct hist_scale *s, int64_t count,
		    unsigned int full, u128 *per)
{
	/* zoomed, length = full * count * 0.95 / max */
	bool is_zoomed = o->opts.aggzoom && !s->is_whole;

	*per = is_zoomed ? (u128)s->max * 100 : s->total;
	if (*per == 0)
		*per = 1;
	return (u128)2 * full * agg_magnitude(count) * (is_zoomed ? 95 : 1);
}

void hist_scale_whole(const struct out *o, struct hist_scale *s)
{
	if (!o->opts.aggzoom)
		return;
	s->total = (u128)s->max * 100 / 95;
	s->is_whole = true;
}

static unsigned int length(const struct out *o, const struct hist_scale *s, int64_t count,
			   unsigned int full)
{
	u128 per, twice = scaled2(o, s, count, full, &per);

	return (unsigned int)((twice + per) / (2 * per));
}

void hist_header(struct out *o, const char *label, int width)
{
	out_printf(o, "\n%*s %41s %-9s\n", width, label, "------------- Distribution -------------",
		   "count");
}

/* Draws full blocks and one of 1/8 to 7/8; the rest is cut off. */
static void bar_utf8(struct out *o, const struct hist_scale *s, int64_t count)
{
	u128 per, twice = scaled2(o, s, count, 8 * BAR, &per);
	unsigned int eighths = (unsigned int)(twice / (2 * per));
	unsigned int used = eighths / 8 + (eighths % 8 != 0);

	for (unsigned int i = 0; i < eighths / 8; i++)
		out_utf8(o, 0x2588);
	if (eighths % 8)
		out_utf8(o, 0x2590 - eighths % 8);
	out_pad(o, ' ', BAR - used);
}

void hist_bar(struct out *o, const struct hist_scale *s, int64_t count, int64_t normal)
{
	unsigned int full = s->has_pos && s->has_neg ? BAR / 2 : BAR;
	unsigned int left = s->has_neg ? full : 0, right = s->has_pos || !s->has_neg ? full : 0;
	unsigned int len = length(o, s, count, full);

	assert(len <= full);
	if (left) {
		unsigned int bar = count > 0 ? 0 : len;

		out_pad(o, ' ', left - bar);
		out_pad(o, '@', bar);
	}
	out_putc(o, '|');
	if (right && !left && o->opts.encoding == OUT_ENCODING_UTF8) {
		bar_utf8(o, s, count);
	} else if (right) {
		unsigned int bar = count > 0 ? len : 0;

		out_pad(o, '@', bar);
		out_pad(o, ' ', right - bar);
	}
	out_printf(o, " %-9lld\n", (long long)agg_divide(count, normal));
}

struct hist_range hist_range(const struct agg_rec *recs, unsigned int n)
{
	assert(n > 0 && recs[0].desc->ops->hist);
	unsigned int nbuckets = agg_nwords(recs[0].desc);
	struct hist_range r = {nbuckets, 0};

	for (unsigned int i = 0; i < n; i++) {
		for (unsigned int b = 0; b < nbuckets; b++) {
			if (recs[i].words[b] == 0)
				continue;
			r.first = b < r.first ? b : r.first;
			r.last = b > r.last ? b : r.last;
		}
	}
	if (r.first == nbuckets)
		return recs[0].desc->ops->hist->empty(recs[0].desc);
	if (r.first > 0)
		r.first--;
	if (r.last < nbuckets - 1)
		r.last++;
	return r;
}

static struct hist_scale scale_of(const struct agg_rec *r, struct hist_range range)
{
	struct hist_scale s = {0};

	for (unsigned int b = range.first; b <= range.last; b++)
		hist_scale_add(&s, r->words[b]);
	return s;
}

/* Returns a label in the scratch buffer. */
static const char *label(struct out *o, const struct agg_desc *d, unsigned int bucket,
			 struct hist_range range)
{
	struct buf *b = out_scratch(o);

	hist_label(d, bucket, range.first, b);
	return buf_str(b);
}

void hist_print(struct out *o, const struct agg_rec *r)
{
	struct hist_range range = hist_range(r, 1);
	struct hist_scale s = scale_of(r, range);

	hist_header(o, "value", 16);
	for (unsigned int b = range.first; b <= range.last; b++) {
		out_printf(o, "%16s ", label(o, r->desc, b, range));
		hist_bar(o, &s, r->words[b], r->normal);
	}
}

static bool pack_is_ascii(const struct out *o)
{
	const char *term = getenv("TERM");

	if (o->opts.encoding != OUT_ENCODING_UNSET)
		return o->opts.encoding == OUT_ENCODING_ASCII;
	return term && (strcmp(term, "sun") == 0 || strcmp(term, "sun-color") == 0 ||
			strcmp(term, "dumb") == 0);
}

static void pack_char(struct out *o, const struct hist_scale *s, int64_t count)
{
	if (count == 0)
		out_putc(o, ' ');
	else if (count < 0)
		out_putc(o, "vvvvVV"[length(o, s, count, 5)]);
	else if (pack_is_ascii(o))
		out_putc(o, "__xxxxXX"[length(o, s, count, 7)]);
	else
		out_utf8(o, 0x2581 + length(o, s, count, 7));
}

/* Returns the columns of a label before or after the packed bars. */
static int pack_width(const struct hist_ops *h, const char *text)
{
	int n = (int)strlen(text);

	return h->pack_grows && n > h->pack_width ? n : h->pack_width;
}

/* A first label of fixed width has no blank before it. */
void hist_pack_header(struct out *o, const struct agg_rec *r, struct hist_range range, int width)
{
	const struct hist_ops *h = r->desc->ops->hist;
	int low = pack_width(h, label(o, r->desc, range.first, range));

	out_printf(o, "\n%*s %*s .", width, width ? "key" : "", h->pack_grows ? low : low - 1,
		   "min");
	out_pad(o, '-', range.last - range.first + 1);
	out_printf(o, ". %*s | count\n", -pack_width(h, label(o, r->desc, range.last, range)),
		   "max");
}

void hist_pack(struct out *o, const struct agg_rec *r, struct hist_range range)
{
	const struct hist_ops *h = r->desc->ops->hist;
	struct hist_scale s = scale_of(r, range);
	uint64_t sum = 0;
	const char *text = label(o, r->desc, range.first, range);

	if (h->pack_grows)
		out_putc(o, ' ');
	out_printf(o, "%*s :", pack_width(h, text), text);
	for (unsigned int b = range.first; b <= range.last; b++) {
		pack_char(o, &s, r->words[b]);
		sum += (uint64_t)r->words[b];
	}
	text = label(o, r->desc, range.last, range);
	out_printf(o, ": %*s | %lld\n", -pack_width(h, text), text,
		   (long long)agg_divide((int64_t)sum, r->normal));
}

/* ---- for agg_ops and hist_ops ---- */

void hist_label(const struct agg_desc *d, unsigned int bucket, unsigned int first, struct buf *b)
{
	assert(bucket < agg_nwords(d));
	d->ops->hist->label(d, bucket, first, b);
}

void hist_number(struct buf *b, __int128 n)
{
	char text[48], *p = text + sizeof(text);
	u128 u = n < 0 ? -(u128)n : (u128)n;

	do
		*--p = (char)('0' + (int)(u % 10));
	while (u /= 10);
	if (n < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(text + sizeof(text) - p));
}

void hist_label_open(const struct agg_desc *d, unsigned int bucket, unsigned int first,
		     struct buf *b)
{
	if (bucket == 0)
		buf_puts(b, "< ");
	else if (bucket == agg_nwords(d) - 1)
		buf_puts(b, ">= ");
	hist_number(b, d->ops->hist->bound(d, bucket ? bucket : 1));
}

/* In negative buckets of some functions the bound is the largest value. */
__int128 hist_upper(const struct agg_desc *d, unsigned int bucket)
{
	const struct hist_ops *h = d->ops->hist;
	__int128 below = h->bound(d, bucket + 1) - 1;

	if (below > INT64_MAX || h->bucket(d, (int64_t)below) == bucket)
		return below;
	return h->bound(d, bucket);
}

void hist_update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[d->ops->hist->bucket(d, value)], times);
}

static long double weight(const struct agg_desc *d, const int64_t *words)
{
	const struct hist_ops *h = d->ops->hist;
	unsigned int n = agg_nwords(d);
	long double sum = 0, beyond = h->beyond;

	for (unsigned int i = 0; i < n; i++)
		if (words[i])
			sum += ((long double)h->bound(d, i) + (i == n - 1 ? beyond : 0)) *
			       (long double)words[i];
	return sum;
}

int hist_compare(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	long double x = weight(d, a), y = weight(d, b);
	unsigned int zero = d->ops->hist->bucket(d, 0);

	if (x != y)
		return x < y ? -1 : 1;
	return a[zero] < b[zero] ? -1 : a[zero] > b[zero];
}

void hist_document(struct doc *doc, const struct agg_rec *r, const int64_t *words)
{
	struct buf b = {0};

	doc_open(doc, "buckets", true);
	for (unsigned int i = 0; i < agg_nwords(r->desc); i++) {
		char *end;
		long long label;

		if (!words[i])
			continue;
		buf_reset(&b);
		hist_label(r->desc, i, 0, &b);
		doc_open(doc, NULL, false);
		/* "< 0" and ">= 100" are not numbers. */
		label = strtoll(buf_str(&b), &end, 10);
		if (*end)
			doc_text(doc, "value", buf_str(&b), b.n);
		else
			doc_int(doc, "value", label);
		doc_int(doc, "count", agg_divide(words[i], r->normal));
		doc_close(doc);
	}
	doc_close(doc);
	buf_free(&b);
}
