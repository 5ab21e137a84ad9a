/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.c: a sink that turns records into events over time: options perfetto, chrome and ctf,
 * oformat=chrome, and the spans and logs of option otlp.
 *
 * The values of aggregations are read at an interval and at the end, so that the last value of a
 * counter is the printed value.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/map.h"
#include "base/mem.h"
#include "config/opts.h"
#include "config/report.h"
#include "consume/consume.h"
#include "metrics/metrics.h"
#include "print/agg.h"
#include "print/fmt.h"
#include "print/hist.h"
#include "print/print.h"
#include "sink/sinks.h"
#include "sink/timeline_outs.h"
#include "timeline/timeline.h"

struct sink_timeline {
	struct sink k;
	struct timeline *tl;
	struct timeline_outs outs;
	const struct table_rec *head; /* of the current record; NULL: none, or it is an event */
	bool is_in_record;
	struct out text; /* of values */
	struct buf buf;	 /* its destination */
	uint64_t looked; /* CLOCK_MONOTONIC, ns */
	uint64_t nomitted;
	struct map *recorded; /* names of the probes that leave records */
	unsigned int nprobes; /* in it, with repetitions */
};

/* ---- what a program records ---- */

static unsigned int count_probes(const struct consume *co)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < co->plan->descs.n; i++) {
		const struct clause_probes *cp = co->plan->descs.a[i]->clause->probes;

		n += cp ? cp->list.n : 0;
	}
	return n;
}

static void add_recorded(struct sink_timeline *s, const struct consume *co)
{
	for (unsigned int i = 0; i < co->plan->descs.n; i++) {
		const struct rec_desc *d = co->plan->descs.a[i];
		const struct clause_probes *cp = d->clause->probes;

		for (unsigned int k = 0; cp && d->clause->parts[d->part].records && k < cp->list.n;
		     k++) {
			const struct probe *p = cp->list.a[k];

			timeline_add_name(s->recorded, co->plan->env.vmid, p->prov, p->mod, p->func,
					  p->name);
		}
	}
}

/* Probes of new files of processes are added during the run. */
static bool is_recorded(void *ctx, const struct table_rec *r, const char *name, bool any_function)
{
	struct sink_timeline *s = ctx;
	const struct consume *co = s->k.env->consume;
	unsigned int n = 0;

	for (unsigned int i = 0; i < co->npeers; i++)
		n += count_probes(co->peers[i]);
	for (unsigned int i = 0; n != s->nprobes && i < co->npeers; i++)
		add_recorded(s, co->peers[i]);
	s->nprobes = n;
	return timeline_has_name(s->recorded, r, name, any_function);
}

/* ---- data ---- */

/* Prepares the text of a value, with the same names of addresses as the output. */
static struct out *begin_text(struct sink_timeline *s)
{
	const struct out *o = s->k.env->consume->out;

	buf_reset(&s->buf);
	s->text.opts = o->opts;
	s->text.syms = o->syms;
	s->text.symctx = o->symctx;
	s->text.target = o->target;
	return &s->text;
}

static void add_lines(struct sink_timeline *s, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		timeline_frame(s->tl, text, n);
	}
}

static void add_stack(struct sink_timeline *s, const struct value *v)
{
	struct out *o = begin_text(s);
	struct out_sym sym;

	for (uint32_t i = 0; (i + 1) * 8 <= v->len; i++) {
		uint64_t pc;

		memcpy(&pc, (const char *)v->data + i * 8, 8);
		if (!pc)
			break;
		buf_reset(&s->buf);
		value_frame(o, v, i, pc, &sym, &s->buf);
		timeline_frame(s->tl, buf_str(&s->buf), s->buf.n);
	}
}

static void add_text(struct sink_timeline *s, const char *name)
{
	size_t n = s->buf.n;

	while (n && s->buf.s[n - 1] == '\n')
		n--;
	timeline_text(s->tl, name, buf_str(&s->buf), n);
}

static void add_value(struct sink_timeline *s, const struct value *v)
{
	switch (v->kind) {
	case VALUE_STACK:
	case VALUE_USTACK:
		add_stack(s, v);
		break;
	case VALUE_LINES:
		add_lines(s, v->data);
		break;
	case VALUE_INT:
	case VALUE_PTR:
		timeline_number(s->tl, "value",
				v->kind == VALUE_INT && v->is_signed ? (uint64_t)value_int(v)
								     : value_unsigned(v),
				v->kind == VALUE_INT && v->is_signed);
		break;
	default:
		value_plain(begin_text(s), &s->buf, v);
		add_text(s, "value");
		break;
	}
}

static void add_member(void *ctx, unsigned int depth, const char *name, const struct print_type *t,
		       const char *text)
{
	struct buf *b = ctx;

	if (b->n)
		buf_putc(b, '\n');
	buf_printf(b, "%s", t->name);
	if (depth)
		buf_printf(b, " %s", name ? name : "");
	if (text)
		buf_printf(b, " = %s", text);
}

static void add_bytes(struct sink_timeline *s, const struct value_bytes *v)
{
	begin_text(s);
	for (uint32_t i = 0; i < v->len; i++)
		buf_printf(&s->buf, "%02x", ((const unsigned char *)v->data)[i]);
	add_text(s, v->action);
}

/* Returns the text of a value in b; NULL: there is none, or an empty one. */
static const char *text_of(struct sink_timeline *s, struct buf *b, const struct value *v)
{
	if (v)
		value_plain(begin_text(s), b, v);
	return b->n ? buf_str(b) : NULL;
}

static void add_span(struct sink_timeline *s, const struct value_span *span)
{
	struct buf name = {0}, id = {0}, parent = {0};

	text_of(s, &name, span->name);
	if (span->name)
		timeline_span_begins(s->tl, buf_str(&name), text_of(s, &id, span->id),
				     text_of(s, &parent, span->parent));
	else
		timeline_span_ends(s->tl, text_of(s, &id, span->id));
	buf_free(&name);
	buf_free(&id);
	buf_free(&parent);
}

static void add_datum(struct sink_timeline *s, enum out_object what, const void *obj)
{
	const struct fmt_call *call = obj;

	if (s->head)
		timeline_record(s->tl, s->head);
	s->head = NULL;
	switch (what) {
	case OUT_OBJECT_TRACE:
		add_value(s, obj);
		break;
	case OUT_OBJECT_PRINTF:
		fmt_print(begin_text(s), call->f, call->args, call->n);
		add_text(s, "message");
		for (unsigned int i = 0; i < call->n; i++)
			add_value(s, &call->args[i]);
		break;
	case OUT_OBJECT_PRINT:
		print_walk(begin_text(s), obj, add_member, &s->buf);
		add_text(s, "print");
		break;
	case OUT_OBJECT_BYTES:
		add_bytes(s, obj);
		break;
	case OUT_OBJECT_SPAN:
		add_span(s, obj);
		break;
	default:
		break;
	}
}

/* ---- events without a record ---- */

static void note_error(struct sink_timeline *s, const struct msg_error *m)
{
	struct buf b = {0};

	msg_error(&b, m);
	timeline_note(s->tl, clock_ns(), "error", buf_str(&b));
	buf_free(&b);
}

static void note_end(struct sink_timeline *s, const struct msg_end *m)
{
	struct buf b = {0};

	msg_end(&b, m);
	timeline_note(s->tl, clock_ns(), "exit", buf_str(&b));
	buf_free(&b);
}

/* Records of actions without data, such as clear(), are no events. */
static void begin_record(struct sink_timeline *s, const struct table_rec *r)
{
	s->is_in_record = true;
	s->head = r->is_default ? NULL : r;
	if (r->is_default)
		timeline_record(s->tl, r);
}

static void object(struct sink *k, enum out_object what, const void *obj)
{
	struct sink_timeline *s = (struct sink_timeline *)k;

	switch (what) {
	case OUT_OBJECT_RECORD:
		begin_record(s, obj);
		break;
	case OUT_OBJECT_RECORD_END:
		s->is_in_record = false;
		break;
	case OUT_OBJECT_DROP:
		timeline_note(s->tl, clock_ns(), "drop", ((const struct msg_loss *)obj)->text);
		break;
	case OUT_OBJECT_ERROR:
		note_error(s, obj);
		break;
	case OUT_OBJECT_END:
		note_end(s, obj);
		break;
	case OUT_OBJECT_FILE:
		timeline_renew(s->tl);
		break;
	case OUT_OBJECT_AGGS:
		break;
	default:
		if (s->is_in_record)
			add_datum(s, what, obj);
		break;
	}
}

/* ---- aggregations ---- */

/* Returns the value of a row; for a histogram, the number of its values. */
static int64_t number_of(const struct agg_rec *r)
{
	const struct agg_desc *d = r->desc;
	int64_t n = 0;

	if (d->ops->scalar)
		return d->ops->scalar(r->words, 1);
	for (unsigned int i = 0; d->ops->hist && i < agg_nwords(d); i++)
		agg_add(&n, r->words[i]);
	return d->ops->hist ? n : r->words[0];
}

static void put_key(struct sink_timeline *s, struct buf *name, const struct value *v)
{
	struct out_sym sym;
	uint64_t pc;

	switch (v->kind) {
	case VALUE_STACK:
	case VALUE_USTACK:
		memcpy(&pc, v->data, sizeof(pc));
		if (pc)
			value_frame(begin_text(s), v, 0, pc, &sym, name);
		break;
	case VALUE_LINES:
		buf_add(name, v->data, strcspn(v->data, "\n"));
		break;
	default:
		value_plain(begin_text(s), name, v);
		break;
	}
}

static void add_agg(void *ctx, const struct metrics_agg *a)
{
	struct sink_timeline *s = ctx;
	struct buf name = {0};

	for (unsigned int i = 0; i < a->set.n; i++) {
		const struct agg_rec *r = &a->set.recs[i];

		buf_reset(&name);
		buf_printf(&name, "@%s", strcmp(a->set.name, "_") == 0 ? "" : a->set.name);
		for (unsigned int k = 0; k < r->nkeys; k++) {
			buf_puts(&name, k ? ", " : "[");
			put_key(s, &name, &r->keys[k]);
		}
		if (r->nkeys)
			buf_putc(&name, ']');
		s->nomitted += !timeline_row(s->tl, a->set.name, buf_str(&name), number_of(r));
	}
	timeline_rows_end(s->tl, a->set.name, s->looked);
	buf_free(&name);
}

/* An output that only sends records needs no counters, because aggregations are metrics. */
static void look(struct sink_timeline *s, bool is_last)
{
	struct consume *co = s->k.env->consume;
	void *symctx = co->out->symctx;

	if (!opts_timeline_written(co->opts))
		return;
	s->looked = clock_ns();
	s->nomitted = 0;
	co->out->symctx = co;
	aggs_each(co, is_last, add_agg, s);
	co->out->symctx = symctx;
}

/* ---- the run ---- */

static void begin(struct sink *k)
{
	((struct sink_timeline *)k)->looked = clock_ns();
}

/* If the output itself fails, the run ends. */
static void check_outs(struct sink_timeline *s)
{
	for (unsigned int i = 0; i < s->outs.n; i++)
		if (s->outs.a[i]->error && !s->outs.a[i]->path && !s->k.env->consume->out->error)
			s->k.env->consume->out->error = -s->outs.a[i]->error;
}

static void round_ends(struct sink *k)
{
	struct sink_timeline *s = (struct sink_timeline *)k;

	if (clock_ns() - s->looked >= k->env->opts->num[OPT_timelinerate])
		look(s, false);
	timeline_flush(s->tl, clock_ns());
	check_outs(s);
}

static void take(struct sink *k)
{
	look((struct sink_timeline *)k, true);
}

static bool write_rest(struct sink *k, bool is_hasty)
{
	struct sink_timeline *s = (struct sink_timeline *)k;
	struct slices_counts counts;

	timeline_end(s->tl, clock_ns(), &counts);
	timeline_outs_report(k->env->report, &counts, s->nomitted);
	check_outs(s);
	return timeline_outs_ok(&s->outs, k->env->report);
}

static void free_timeline(struct sink *k)
{
	struct sink_timeline *s = (struct sink_timeline *)k;

	timeline_free(s->tl);
	vec_free(&s->outs);
	map_free(s->recorded);
	out_free(&s->text);
	buf_free(&s->buf);
	mem_free(s);
}

static struct sink *start(const struct sink_env *env, bool *failed)
{
	struct sink_timeline *s;

	if (!opts_timeline_written(env->opts) && !opts_otlp_records(env->opts))
		return NULL;
	s = mem_alloc(sizeof(*s));
	s->k.env = env;
	s->recorded = map_new();
	out_init_buf(&s->text, &s->buf);
	*failed = !timeline_outs_open(&s->outs, env, env->consume->file,
				      env->consume->plan->opt.wall_offset);
	s->tl = timeline_new(s->outs.a, s->outs.n, is_recorded, s);
	if (!*failed)
		return &s->k;
	free_timeline(&s->k);
	return NULL;
}

const struct sink_type sink_timeline = {
    .start = start,
    .begin = begin,
    .object = object,
    .round = round_ends,
    .take = take,
    .write = write_rest,
    .free = free_timeline,
};
