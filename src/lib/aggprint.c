/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggprint.c: aggregations as text: to a file as a whole, to the handler of buffered output piece
 * by piece, so that it knows what is a key and what a value.
 */
#include "base/arena.h"
#include "lib/priv.h"
#include "out/agg.h"
#include "out/value.h"
#include "run/aggs_priv.h"

static void give_row(dtrace_hdl_t *h, const struct lib_row *row)
{
	const dtrace_aggdesc_t *d = row->pub.dtada_desc;
	struct out *out = &h->s->out;

	for (unsigned int i = 0; i < row->rec->nkeys; i++) {
		value_key(out, &row->rec->keys[i]);
		lib_give(h, NULL, &d->dtagd_rec[i + 1], &row->pub, DTRACE_BUFDATA_AGGKEY);
	}
	row->rec->desc->ops->print(out, row->rec);
	lib_give(h, NULL, &d->dtagd_rec[d->dtagd_nrecs - 1], &row->pub, DTRACE_BUFDATA_AGGVAL);
	out_putc(out, '\n');
	lib_give(h, NULL, NULL, &row->pub, DTRACE_BUFDATA_AGGLAST);
}

static int print_row(const dtrace_aggdata_t *a, void *arg)
{
	const struct lib_row *row = (const struct lib_row *)a;
	dtrace_hdl_t *h = a->dtada_handle;

	if (row->was_printed)
		return DTRACE_AGGWALK_NEXT;
	if (h->fp)
		agg_print(&h->s->out, row->rec, 1);
	else
		give_row(h, row);
	return h->abort ? DTRACE_AGGWALK_ABORT : DTRACE_AGGWALK_NEXT;
}

/* As dtrace(1) does at the end: sorted and laid out by the options. */
static void print_all(dtrace_hdl_t *h)
{
	struct consume *co = &h->s->consume;
	bool is_reversed = co->out->opts.aggsortrev;

	for (unsigned int i = 0; i < co->aggs.n; i++) {
		struct agg_state *st = co->aggs.a[is_reversed ? co->aggs.n - 1 - i : i];
		struct rec_list l;

		if (st->was_printed || st->is_library)
			continue;
		l = aggs_collect(co, st, false);
		agg_print(co->out, l.recs, l.n);
		arena_free(l.arena);
	}
}

int dtrace_aggregate_print(dtrace_hdl_t *h, FILE *fp, dtrace_aggregate_walk_f *func)
{
	int r = 0;

	lib_enter(h);
	if (!h->is_active)
		return lib_fail(h, EDT_NOTACTIVE);
	if (!lib_bind(h, fp))
		return lib_fail(h, EDT_NOBUFFERED);
	h->abort = 0;
	if (h->fp && !func)
		print_all(h);
	else
		r = (func ? func : dtrace_aggregate_walk_sorted)(h, print_row, NULL);
	if (h->fp)
		out_flush(&h->s->out);
	return r;
}
