/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consume.c: passes records, errors and losses to the functions of the program.
 *
 * The session writes the text of an action to the given file, or to a buffer.  At the end of the
 * action the handler of buffered output gets the buffer.  After a function ends consuming, the rest
 * of the round is dropped.
 */
#include <errno.h>
#include <string.h>

#include "lib/priv.h"
#include "print/msg.h"
#include "print/table.h"

void lib_bind(dtrace_hdl_t *h, FILE *fp)
{
	struct consume *co = &h->s->consume;

	h->fp = fp;
	if (h->doc)
		return;
	co->file = fp ? fp : stdout;
	if (fp && !co->reopened)
		out_redirect(co->out, fp);
}

/* Binds the output again, between records: freopen("") may have asked for the original file. */
static void bind_again(dtrace_hdl_t *h)
{
	if (!h->fp && !h->doc && !h->s->consume.reopened)
		out_redirect_buf(&h->s->out, &h->out);
}

/* Gives the part of the document that exists so far. */
static void give_document(dtrace_hdl_t *h, dtrace_probedata_t *data)
{
	if (!h->doc || (!h->fp && !h->buffered_func))
		return;
	fflush(h->doc);
	if (h->fp)
		fwrite(h->doc_text, 1, h->doc_size, h->fp);
	else
		buf_add(&h->out, h->doc_text, h->doc_size);
	rewind(h->doc);
	if (!h->fp)
		lib_give(h, data, NULL, NULL, 0);
}

int lib_unbind(dtrace_hdl_t *h)
{
	struct out *out = &h->s->out;
	int err = 0;

	give_document(h, NULL);
	if (h->fp && fflush(h->fp) != 0)
		err = errno;
	if (out->error)
		err = -out->error;
	h->fp = NULL;
	bind_again(h);
	if (!h->doc)
		h->s->consume.file = stdout;
	return err;
}

void lib_set_probe(dtrace_hdl_t *h, uint32_t id)
{
	struct probe *p = probe_by_id(h->s->plan.env.probes, id);

	memset(&h->probe, 0, sizeof(h->probe));
	if (p)
		lib_put_probe(&h->probe, p);
	h->probe.dtpd_id = id;
}

void lib_give(dtrace_hdl_t *h, dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
	      const dtrace_aggdata_t *agg, uint32_t flags)
{
	dtrace_bufdata_t b = {.dtbda_handle = h,
			      .dtbda_buffered = buf_str(&h->out),
			      .dtbda_probe = data,
			      .dtbda_recdesc = rec,
			      .dtbda_aggdata = agg,
			      .dtbda_flags = flags};

	if (!h->out.n)
		return;
	/* A handler cannot see text that follows a NUL. */
	if (!h->buffered_func)
		h->abort = EDT_NOBUFFERED;
	else if (h->buffered_func(&b, h->buffered_arg) == DTRACE_HANDLE_ABORT)
		h->abort = EDT_DIRABORT;
	buf_reset(&h->out);
}

/* Acts on the answer of a function of the program.  Returns true if the record continues. */
static bool goes_on(dtrace_hdl_t *h, int answer)
{
	if (answer == DTRACE_CONSUME_ABORT || answer == DTRACE_CONSUME_ERROR)
		h->abort = EDT_DIRABORT;
	else if (answer != DTRACE_CONSUME_THIS && answer != DTRACE_CONSUME_NEXT)
		h->abort = EDT_BADRVAL;
	return answer == DTRACE_CONSUME_THIS;
}

/* Passes the data of an action until a function stops it.  Returns the number of the next item. */
static int tell_action(dtrace_hdl_t *h, const struct lib_desc *ld, const struct rec_desc *d,
		       const struct abi_rec *r, int i)
{
	const dtrace_recdesc_t *rec = &ld->pub->dtepd_rec[i];
	unsigned int act = ld->of[i].act;
	bool is_exit = rec->dtrd_action == DTRACEACT_EXIT, does = false;

	for (; i < ld->pub->dtepd_nrecs && ld->of[i].act == act && !does && !h->abort; i++) {
		rec = &ld->pub->dtepd_rec[i];
		h->data.dtpda_data = h->record + rec->dtrd_offset;
		does = h->rec_func && goes_on(h, h->rec_func(&h->data, rec, h->arg));
	}
	h->rec = rec;
	if (does || is_exit)
		consume_action(&h->s->consume, d, r, act);
	bind_again(h);
	if (!h->fp)
		lib_give(h, &h->data, rec, NULL,
			 d->acts.a[act].naggs && d->acts.a[act].fmt ? DTRACE_BUFDATA_AGGFORMAT : 0);
	while (i < ld->pub->dtepd_nrecs && ld->of[i].act == act)
		i++;
	return i;
}

static void set_flow(dtrace_hdl_t *h, const struct rec_desc *d, const struct abi_rec *r,
		     const struct abi_rec *next)
{
	struct consume *co = &h->s->consume;
	struct table_rec head = consume_header(co, r, d), head_next;
	struct table_step step;

	h->data.dtpda_flow = DTRACEFLOW_NONE;
	h->data.dtpda_prefix = "";
	h->data.dtpda_indent = 0;
	if (!co->out->opts.flowindent)
		return;
	if (next)
		head_next = consume_header(co, next, h->s->plan.descs.a[next->desc - ABI_DESC_MIN]);
	step = table_flow_step(&co->flow[r->cpu], &head,
			       next && next->cpu == r->cpu ? &head_next : NULL);
	h->data.dtpda_flow = step.is_entry    ? DTRACEFLOW_ENTRY
			     : step.is_return ? DTRACEFLOW_RETURN
					      : DTRACEFLOW_NONE;
	h->data.dtpda_prefix = step.prefix;
	h->data.dtpda_indent = (int)step.indent;
}

static struct lib_desc *set_enabled(dtrace_hdl_t *h, const struct rec_desc *d,
				    const struct abi_rec *r)
{
	struct lib_desc *ld = lib_desc(h, d);

	ld->pub->dtepd_epid = d->epid_base + r->probe - d->probe_base;
	ld->pub->dtepd_probeid = r->probe;
	ld->pub->dtepd_uarg = d->clause->id;
	h->data.dtpda_edesc = ld->pub;
	h->data.dtpda_cpu = r->cpu;
	lib_set_probe(h, r->probe);
	return ld;
}

static void on_record(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		      const struct abi_rec *next)
{
	dtrace_hdl_t *h = ctx;
	struct lib_desc *ld;
	struct table_rec head;
	bool is_wanted;

	if (h->abort)
		return;
	ld = set_enabled(h, d, r);
	lib_copy_record(h, ld, d, r);
	set_flow(h, d, r, next);
	/* In a document the record begins without the program. */
	if (out_is_structured(&h->s->out))
		consume_begin(&h->s->consume, d, r, NULL, &head);
	h->data.dtpda_data = h->record;
	is_wanted = !h->probe_func || goes_on(h, h->probe_func(&h->data, h->arg));
	for (int i = 0; is_wanted && !h->abort && i < ld->pub->dtepd_nrecs;)
		i = tell_action(h, ld, d, r, i);
	h->data.dtpda_data = h->record;
	if (is_wanted && !h->abort && h->rec_func)
		goes_on(h, h->rec_func(&h->data, NULL, h->arg));
	if (out_is_structured(&h->s->out))
		table_record_end(&h->s->out);
	give_document(h, &h->data);
}

/* Ends consuming, if there is no handler, or if the handler ends it.  The text is the reason. */
static void end_by(dtrace_hdl_t *h, int err, const char *text)
{
	if (h->abort)
		return;
	h->abort = err;
	buf_reset(&h->text);
	buf_puts(&h->text, text);
}

static void on_error(void *ctx, const struct rec_desc *d, const struct abi_rec *r,
		     const struct msg_error *m, const char *text)
{
	dtrace_hdl_t *h = ctx;
	struct lib_desc *ld = set_enabled(h, d, r);
	struct buf msg = {0};
	dtrace_errdata_t e = {.dteda_handle = h,
			      .dteda_edesc = ld->pub,
			      .dteda_pdesc = &h->probe,
			      .dteda_cpu = r->cpu,
			      .dteda_action = (int)m->action,
			      .dteda_offset = (int)m->offset,
			      .dteda_fault = m->text ? DTRACEFLT_LIBRARY : (int)m->fault,
			      .dteda_addr = m->addr};

	if (h->abort)
		return;
	buf_printf(&msg, "%s\n", text);
	e.dteda_msg = buf_str(&msg);
	if (!h->err_func || h->err_func(&e, h->err_arg) == DTRACE_HANDLE_ABORT)
		end_by(h, EDT_ERRABORT, text);
	buf_free(&msg);
}

static void on_drop(void *ctx, const struct msg_loss *loss, int cpu)
{
	dtrace_hdl_t *h = ctx;
	struct buf msg = {0};
	/* Both enums have the same values. */
	dtrace_dropdata_t d = {.dtdda_handle = h,
			       .dtdda_cpu = cpu,
			       .dtdda_kind = (dtrace_dropkind_t)loss->kind,
			       .dtdda_drops = loss->n,
			       .dtdda_total = loss->total};

	_Static_assert((int)DTRACEDROP_DBLERROR == (int)MSG_DROP_DBLERROR, "kinds of drops");
	buf_printf(&msg, "%s\n", loss->text);
	d.dtdda_msg = buf_str(&msg);
	if (!h->drop_func || h->drop_func(&d, h->drop_arg) == DTRACE_HANDLE_ABORT)
		end_by(h, EDT_DROPABORT, loss->text);
	buf_free(&msg);
}

const struct consume_listener lib_listener = {
    .record = on_record, .error = on_error, .drop = on_drop, .printa = lib_printa};
