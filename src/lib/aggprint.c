/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggprint.c: prints aggregations as text: to a file as a whole, or piece by piece to the handler
 * of buffered output.  The handler also gets the key or value of each piece.
 */
#include <string.h>

#include "lib/priv.h"
#include "print/agg.h"
#include "print/value.h"
#include "consume/aggs.h"

/* data: of the record that prints the row, or NULL. */
static void give_row(dtrace_hdl_t *h, const struct lib_row *row, dtrace_probedata_t *data)
{
	const dtrace_aggdesc_t *d = row->pub.dtada_desc;
	struct out *out = &h->s->out;

	for (unsigned int i = 0; i < row->rec->nkeys; i++) {
		value_key(out, &row->rec->keys[i]);
		lib_give(h, data, &d->dtagd_rec[i + 1], &row->pub, DTRACE_BUFDATA_AGGKEY);
	}
	row->rec->desc->ops->print(out, row->rec);
	lib_give(h, data, &d->dtagd_rec[d->dtagd_nrecs - 1], &row->pub, DTRACE_BUFDATA_AGGVAL);
	out_putc(out, '\n');
	lib_give(h, data, NULL, &row->pub, DTRACE_BUFDATA_AGGLAST);
}

static int give_printed(const dtrace_aggdata_t *a, void *arg)
{
	dtrace_hdl_t *h = a->dtada_handle;

	if (!h->abort)
		give_row(h, (const struct lib_row *)a, &h->data);
	return DTRACE_AGGWALK_NEXT;
}

bool lib_printa(void *ctx, const struct rec_act *act, uint64_t time)
{
	dtrace_hdl_t *h = ctx;
	struct consume *co = &h->s->consume;
	struct agg_state *st;

	if (h->fp || act->fmt || act->naggs != 1 || co->reopened || out_is_structured(co->out))
		return false;
	st = aggs_at(co, act->aggs[0], time);
	if (!st)
		return true;
	st->was_printed = true;
	out_putc(co->out, '\n');
	lib_give(h, &h->data, h->rec, NULL, 0);
	lib_each_row(h, st, give_printed, NULL);
	return true;
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
		give_row(h, row, NULL);
	return h->abort ? DTRACE_AGGWALK_ABORT : DTRACE_AGGWALK_NEXT;
}

int dtrace_aggregate_print(dtrace_hdl_t *h, FILE *fp, dtrace_aggregate_walk_f *func)
{
	LIB_ENTER(h, -1);
	int err, r = 0;

	lib_enter(h);
	if (!h->is_active)
		return lib_fail(h, EDT_NOTACTIVE);
	if (h->doc && !fp && !h->buffered_func)
		return lib_fail(h, EDT_NOBUFFERED);
	h->abort = 0;
	lib_bind(h, fp);
	if ((h->fp || h->doc) && !func)
		aggs_print(&h->s->consume, h->is_done);
	else
		r = (func ? func : dtrace_aggregate_walk_sorted)(h, print_row, NULL);
	err = lib_unbind(h);
	if (err)
		return lib_fail_text(h, EDT_WRITE, "%s", strerror(err));
	return h->abort ? lib_fail(h, h->abort) : r;
}
