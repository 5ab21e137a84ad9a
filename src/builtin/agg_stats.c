/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg_stats.c: stats(): count, average and total in one.  The function comes from bpftrace
 * (docs/extensions.md).
 */
#include <stddef.h>

#include "builtin/builtin.h"
#include "print/doc.h"

enum { COUNT, SUM, NWORDS };

static void emit_update(struct lw *lw, struct agg_layout *ag, struct ir_ins *row, struct ir_ins *v,
			struct ir_ins *weight)
{
	lw_word_add(lw, ag, row, COUNT * 8, ir_const(&lw->b, 1));
	lw_word_add(lw, ag, row, SUM * 8, v);
}

static void update(const struct agg_desc *d, int64_t *words, int64_t value, int64_t times)
{
	agg_add(&words[COUNT], 1);
	agg_add(&words[SUM], value);
}

static int compare(const struct agg_desc *d, const int64_t *a, const int64_t *b)
{
	return a[SUM] < b[SUM] ? -1 : a[SUM] > b[SUM];
}

static int64_t total(const struct agg_rec *r, const int64_t *words)
{
	return agg_divide(words[SUM], r->normal);
}

static int64_t average(const struct agg_rec *r, const int64_t *words)
{
	return agg_divide(total(r, words), words[COUNT]);
}

static void print(struct out *o, const struct agg_rec *r)
{
	out_printf(o, " %16lld %16lld %16lld", (long long)r->words[COUNT],
		   (long long)average(r, r->words), (long long)total(r, r->words));
}

static void document(struct doc *doc, const struct agg_rec *r, const int64_t *words)
{
	doc_int(doc, "count", words[COUNT]);
	doc_int(doc, "avg", average(r, words));
	doc_int(doc, "sum", total(r, words));
}

static const struct agg_ops ops = {.name = "stats",
				   .nwords = NWORDS,
				   .update = update,
				   .merge = agg_merge_sums,
				   .metric = AGG_METRIC_SUMMARY,
				   .compare = compare,
				   .print = print,
				   .titles = "            count          average"
					     "            total",
				   .document = document};

const struct lang_row builtin_agg_stats[] = {
    {.name = "stats",
     .kind = IDENT_AGGFUNC,
     .nargs = {1, 1},
     .flags = LANG_EXTENSION,
     .agg = &(const struct lang_agg){.ops = &ops},
     .impl = &(const struct builtin_agg){.update = emit_update}},
    {0},
};
