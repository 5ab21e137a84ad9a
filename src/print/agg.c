/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c: shared by aggregating functions: arithmetic, and values of a single number.
 *
 * Sums wrap, as in the kernel.
 */
#include <string.h>

#include "base/mem.h"

#include "print/agg.h"
#include "print/doc.h"
#include "print/out.h"

unsigned int agg_nwords(const struct agg_desc *d)
{
	return d->ops->nwords ? d->ops->nwords : d->ops->count_words(d);
}

bool agg_is_total(const struct agg_desc *d)
{
	return d->ops->hist || d->ops->metric != AGG_METRIC_GAUGE;
}

void agg_init(const struct agg_desc *d, int64_t *words)
{
	memset(words, 0, agg_nwords(d) * sizeof(words[0]));
	if (d->ops->init)
		d->ops->init(words);
}

bool agg_is_fresh(const struct agg_desc *d, const int64_t *words)
{
	unsigned int n = agg_nwords(d);
	int64_t *fresh = mem_alloc(n * sizeof(*fresh));
	bool is;

	agg_init(d, fresh);
	is = memcmp(words, fresh, n * sizeof(*fresh)) == 0;
	mem_free(fresh);
	return is;
}

void agg_add(int64_t *dst, int64_t n)
{
	*dst = (int64_t)((uint64_t)*dst + (uint64_t)n);
}

int64_t agg_divide(int64_t a, int64_t b)
{
	if (b == 0)
		return a;
	return b == -1 ? (int64_t) - (uint64_t)a : a / b;
}

void agg_merge_sums(const struct agg_desc *d, int64_t *dst, const int64_t *src)
{
	unsigned int n = agg_nwords(d);

	for (unsigned int i = 0; i < n; i++)
		agg_add(&dst[i], src[i]);
}

int agg_compare_number(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	int64_t x = d->ops->scalar(a, 1), y = d->ops->scalar(b, 1);

	return x < y ? -1 : x > y;
}

void agg_print_number(struct out *o, const struct agg_rec *r)
{
	out_printf(o, " %16lld", (long long)r->desc->ops->scalar(r->words, r->normal));
}

void agg_document_number(struct doc *doc, const struct agg_rec *r, const int64_t *words)
{
	doc_int(doc, r->desc->ops->name, r->desc->ops->scalar(words, r->normal));
}
