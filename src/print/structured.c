/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * structured.c: data as a document (option oformat; the names are FreeBSD's, dtrace(1)).
 *
 * The first datum of a record opens the record.  The first record, or the end, opens the document.
 * So a record without data does not appear.  Text that printers write is dropped.
 *
 * A line of jsonl is a document of its own.  A row of an aggregation or an error ends the line of
 * the current record, which continues on another line.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clocks.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "print/agg.h"
#include "print/doc.h"
#include "print/fmt.h"
#include "print/msg.h"
#include "print/out.h"
#include "print/print.h"
#include "print/structured.h"
#include "print/table.h"
#include "print/value.h"

/* A file with functions of stacks. */
struct object {
	const char *module, *path, *build_id; /* build_id: NULL: unknown */
};

struct structured {
	struct doc doc;
	FILE *f;
	enum doc_style style;
	bool pretty, is_lines;
	bool is_begun, is_open;	      /* the document; a record in it */
	uint64_t nprintings;	      /* of aggregations as lines */
	const struct table_rec *head; /* of the current record */
	struct msg_run run;	      /* program NULL: not known */
	struct arena *arena;	      /* NULL without lines; has the files */
	struct map *known;	      /* modules that have a line, or wait for one */
	VEC(struct object) waiting;
};

/* ---- records ---- */

static void begin(struct structured *st)
{
	if (st->is_begun || st->is_lines)
		return;
	doc_begin(&st->doc, st->f, st->style, st->pretty);
	doc_open(&st->doc, "dtrace", false);
	doc_open(&st->doc, "probes", true);
	st->is_begun = true;
}

/* Opens an element of the list, or a line of this type. */
static struct doc *open_item(struct structured *st, const char *type)
{
	struct doc *d = &st->doc;

	begin(st);
	if (st->is_lines) {
		doc_begin(d, st->f, DOC_JSON, false);
		doc_str(d, "type", type);
	} else {
		doc_open(d, NULL, false);
	}
	doc_uint(d, "timestamp", clock_wall());
	return d;
}

/* Writes the lines of files that the last lines have named. */
static void put_objects(struct structured *st)
{
	for (unsigned int i = 0; i < st->waiting.n; i++) {
		const struct object *object = &st->waiting.a[i];
		struct doc *d = open_item(st, "object");

		doc_str(d, "module", object->module);
		doc_str(d, "path", object->path);
		if (object->build_id)
			doc_str(d, "build-id", object->build_id);
		doc_end(d);
	}
	st->waiting.n = 0;
}

static void close_item(struct structured *st)
{
	if (!st->is_lines) {
		doc_close(&st->doc);
		return;
	}
	doc_end(&st->doc);
	put_objects(st);
}

static const struct table_rec internal = {
    .cpu = -1, .prov = "dtrace", .mod = "INTERNAL", .func = "INTERNAL", .name = "END"};

/* The members have the names of D's variables. */
static void put_thread(struct doc *d, const struct table_rec *r)
{
	doc_uint(d, "walltimestamp", r->time + (uint64_t)r->wall);
	doc_uint(d, "pid", r->thread.pid);
	doc_uint(d, "tid", r->thread.tid);
	doc_str(d, "execname", r->thread.name);
	if (r->machine)
		doc_str(d, "vmname", r->machine);
}

/* A record without a firing has no CPU and no id. */
static struct doc *open_record(struct structured *st, const char *type, const struct table_rec *r,
			       int64_t id)
{
	struct doc *d = open_item(st, type);

	doc_int(d, "cpu", r->cpu);
	doc_int(d, "id", id);
	doc_str(d, "provider", r->prov);
	doc_str(d, "module", r->mod);
	doc_str(d, "function", r->func);
	doc_str(d, "name", r->name);
	if (r->has_thread)
		put_thread(d, r);
	return d;
}

/* Opens the current record.  After the last record, output belongs to an internal one. */
static struct doc *open_current(struct structured *st, const char *type)
{
	return open_record(st, type, st->head ? st->head : &internal,
			   st->head ? (int64_t)st->head->id : -1);
}

/* Returns the list for data. */
static struct doc *output(struct structured *st)
{
	if (!st->is_open)
		doc_open(open_current(st, "record"), "output", true);
	st->is_open = true;
	return &st->doc;
}

/* Closes the element for another one; more data of the record may follow. */
static void interrupt(struct structured *st)
{
	if (!st->is_open)
		return;
	doc_close(&st->doc);
	close_item(st);
	st->is_open = false;
}

static void end_record(struct structured *st)
{
	st->head = NULL;
	interrupt(st);
}

/* ---- data ---- */

static void put_place(struct out *o, struct doc *d, const struct out_place *p)
{
	if (!o->opts.lines || !p->file)
		return;
	doc_str(d, "file", p->file);
	doc_uint(d, "line", (uint64_t)p->line);
}

/* Inlined functions have no offset of their own. */
static void put_inlined(struct out *o, struct doc *d, const struct out_place *places,
			unsigned int n, const char *module)
{
	for (unsigned int i = 0; o->opts.inlines && i < n; i++) {
		const char *name = places[i].func ? places[i].func : "?";
		struct buf b = {0};

		buf_printf(&b, "%s`%s", module ? module : "", name);
		doc_open(d, NULL, false);
		doc_text(d, "symbol", buf_str(&b), b.n);
		if (module)
			doc_str(d, "module", module);
		doc_str(d, "name", name);
		doc_uint(d, "inlined", 1);
		put_place(o, d, &places[i]);
		doc_close(d);
		buf_free(&b);
	}
}

/* The first file of a module gets a line after this one. */
static void note_object(struct structured *st, const struct out_sym *sym)
{
	struct object object = {0};

	if (!st->is_lines || !sym->path || map_get_str(st->known, sym->module))
		return;
	object.module = arena_strdup(st->arena, sym->module);
	object.path = arena_strdup(st->arena, sym->path);
	if (sym->build_id)
		object.build_id = arena_strdup(st->arena, sym->build_id);
	map_set_str(st->known, sym->module, st);
	vec_push(&st->waiting, object);
}

/* The outermost frame says that callers are missing. */
static void put_cut(struct doc *d, bool is_cut)
{
	if (is_cut)
		doc_uint(d, "cut", 1);
}

static void put_frame(struct out *o, struct doc *d, const struct value *v, unsigned int frame,
		      uint64_t pc, bool is_cut)
{
	struct out_place places[VALUE_PLACES];
	unsigned int n = value_places(o, v, frame, pc, places);
	struct out_sym sym;
	struct buf b = {0};

	value_frame(o, v, frame, pc, &sym, &b);
	if (n)
		put_inlined(o, d, places, n - 1, sym.module);
	doc_open(d, NULL, false);
	doc_text(d, "symbol", buf_str(&b), b.n);
	if (sym.module)
		doc_str(d, "module", sym.module);
	if (sym.name)
		doc_str(d, "name", sym.name);
	doc_uint(d, "offset", sym.name ? sym.offset : sym.in_file ? sym.in_file : pc);
	if (sym.text && sym.text[0] == '@')
		doc_str(d, "annotation", sym.text + 1);
	if (n)
		put_place(o, d, &places[n - 1]);
	put_cut(d, is_cut);
	doc_close(d);
	note_object(o->dest, &sym);
	buf_free(&b);
}

/* Returns the address of a frame; 0: the stack has ended. */
static uint64_t frame_of(const struct value *v, uint32_t i)
{
	uint64_t pc = 0;

	if ((i + 1) * 8 <= v->len)
		memcpy(&pc, (const char *)v->data + i * 8, 8);
	return pc;
}

static void put_frames(struct out *o, struct doc *d, const char *name, const struct value *v)
{
	doc_open(d, name, true);
	for (uint32_t i = 0; frame_of(v, i); i++)
		put_frame(o, d, v, i, frame_of(v, i), v->is_cut && !frame_of(v, i + 1));
	doc_close(d);
}

static void put_lines(struct doc *d, const char *name, const struct value *v)
{
	const char *text = v->data;

	doc_open(d, name, true);
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		doc_open(d, NULL, false);
		doc_text(d, "symbol", text, n);
		put_cut(d, v->is_cut && !text[n + (text[n] == '\n')]);
		doc_close(d);
	}
	doc_close(d);
}

static void put_bytes(struct doc *d, const char *name, const void *data, uint32_t len)
{
	struct buf b = {0};

	for (uint32_t i = 0; i < len; i++)
		buf_printf(&b, "%02x", ((const unsigned char *)data)[i]);
	doc_text(d, name, buf_str(&b), b.n);
	buf_free(&b);
}

static void put_symbol(struct out *o, struct doc *d, const char *name, const struct value *v)
{
	struct buf b = {0};

	value_symbol(o, &b, v);
	doc_text(d, name, buf_str(&b), b.n);
	buf_free(&b);
}

/* Puts a datum under this name, unless its kind has a name of its own. */
static void put_value(struct out *o, struct doc *d, const char *name, const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
	case VALUE_PTR:
		if (v->kind == VALUE_INT && v->is_signed)
			doc_int(d, name, value_int(v));
		else
			doc_uint(d, name, value_unsigned(v));
		break;
	case VALUE_STR:
		doc_text(d, name, v->data, value_strlen(v));
		break;
	case VALUE_BYTES:
	case VALUE_FLOAT:
		put_bytes(d, name, v->data, v->len);
		break;
	case VALUE_STACK:
		put_frames(o, d, "stack-frames", v);
		break;
	case VALUE_USTACK:
		put_frames(o, d, "ustack-frames", v);
		break;
	case VALUE_LINES:
		put_lines(d, "stack-frames", v);
		break;
	case VALUE_SYM:
		put_symbol(o, d, "sym", v);
		break;
	case VALUE_MOD:
		put_symbol(o, d, "mod", v);
		break;
	case VALUE_USYM:
		put_symbol(o, d, "usym", v);
		break;
	case VALUE_UMOD:
		put_symbol(o, d, "umod", v);
		break;
	case VALUE_UADDR:
		put_symbol(o, d, "uaddr", v);
		break;
	}
}

static void put_datum(struct out *o, struct doc *d, const struct value *v)
{
	struct out_sym sym;

	doc_open(d, NULL, false);
	put_value(o, d, "value", v);
	if (v->kind == VALUE_SYM) {
		value_resolve(o, false, 0, value_unsigned(v), &sym);
		if (sym.module)
			doc_str(d, "object", sym.module);
		if (sym.name)
			doc_str(d, "name", sym.name);
		doc_uint(d, "offset", sym.offset);
	}
	doc_close(d);
}

/* Documents have a value even without arguments, as DTrace writes them; lines have none. */
static void put_printf(struct out *o, struct structured *st, const struct fmt_call *c)
{
	struct doc *d = output(st);
	struct buf b = {0};
	struct out text;

	out_init_buf(&text, &b);
	text.opts = o->opts;
	text.syms = o->syms;
	text.symctx = o->symctx;
	text.target = o->target;
	fmt_print(&text, c->f, c->args, c->n);
	doc_open(d, NULL, false);
	doc_text(d, "message", buf_str(&b), b.n);
	doc_close(d);
	for (unsigned int i = 0; i < c->n; i++)
		put_datum(o, d, &c->args[i]);
	if (!c->n && !st->is_lines) {
		doc_open(d, NULL, false);
		doc_int(d, "value", 0);
		doc_close(d);
	}
	out_free(&text);
	buf_free(&b);
}

static void put_member(void *ctx, unsigned int depth, const char *name, const struct print_type *t,
		       const char *text)
{
	struct doc *d = ctx;

	doc_open(d, NULL, false);
	if (depth == 0)
		doc_str(d, "object-name", t->id ? "vmlinux" : "D");
	else
		doc_str(d, "member-name", name ? name : "");
	doc_str(d, "name", t->name);
	doc_uint(d, "ctfid", t->id);
	if (text)
		doc_str(d, "value", text);
	doc_close(d);
}

static void put_print(struct out *o, struct doc *d, const struct print_call *c)
{
	doc_open(d, NULL, false);
	doc_open(d, "type", true);
	print_walk(o, c, put_member, d);
	doc_close(d);
	doc_close(d);
}

static void put_span(struct out *o, struct doc *d, const struct value_span *s)
{
	doc_open(d, NULL, false);
	doc_str(d, "span", s->name ? "begin" : "end");
	if (s->name)
		put_value(o, d, "name", s->name);
	if (s->id)
		put_value(o, d, "id", s->id);
	if (s->parent)
		put_value(o, d, "traceparent", s->parent);
	doc_close(d);
}

/* ---- aggregations ---- */

/* Writes the values of CPUs that have added something. */
static void put_cpus(struct doc *d, const struct agg_rec *r)
{
	doc_open(d, "cpus", true);
	for (unsigned int c = 0; c < r->ncpu; c++) {
		const int64_t *words = r->words + (size_t)(c + 1) * agg_nwords(r->desc);

		if (agg_is_fresh(r->desc, words))
			continue;
		doc_open(d, NULL, false);
		doc_uint(d, "cpu", c);
		r->desc->ops->document(d, r, words);
		doc_close(d);
	}
	doc_close(d);
}

/* Puts the members of a row. */
static void put_row(struct out *o, struct doc *d, const struct agg_rec *r)
{
	doc_open(d, "keys", true);
	for (unsigned int i = 0; i < r->nkeys; i++)
		put_value(o, d, NULL, &r->keys[i]);
	doc_close(d);
	r->desc->ops->document(d, r, r->words);
	if (r->ncpu)
		put_cpus(d, r);
}

/* Puts the names of keys if there are any.  A key without a name has an empty one. */
static void put_key_names(struct doc *d, const struct agg_set *set)
{
	unsigned int i = 0;

	while (i < set->nlabels && !set->labels[i])
		i++;
	if (i == set->nlabels)
		return;
	doc_open(d, "key-names", true);
	for (i = 0; i < set->nlabels; i++)
		doc_str(d, NULL, set->labels[i] ? set->labels[i] : "");
	doc_close(d);
}

/* Puts facts about all rows. */
static void put_about(struct doc *d, const struct agg_set *set)
{
	doc_str(d, "aggregation-name", set->name);
	doc_str(d, "aggregation-function", set->desc->ops->name);
	put_key_names(d, set);
	if (set->unit)
		doc_str(d, "unit", set->unit);
}

static int by_options(const void *a, const void *b, void *opts)
{
	return agg_compare(opts, a, b);
}

static void put_list(struct out *o, struct doc *d, const struct agg_set *set,
		     const struct agg_rec *recs)
{
	doc_open(d, NULL, false);
	doc_open(d, "aggregation-data", true);
	for (unsigned int i = 0; i < set->n; i++) {
		doc_open(d, NULL, false);
		put_row(o, d, &recs[i]);
		doc_close(d);
	}
	doc_close(d);
	put_about(d, set);
	doc_close(d);
}

static void put_lines_of(struct out *o, struct structured *st, const struct agg_set *set,
			 const struct agg_rec *recs)
{
	interrupt(st);
	st->nprintings++;
	for (unsigned int i = 0; i < set->n; i++) {
		struct doc *d = open_current(st, "aggregation");

		put_about(d, set);
		doc_uint(d, "printing", st->nprintings);
		put_row(o, d, &recs[i]);
		close_item(st);
	}
}

static void put_set(struct out *o, struct structured *st, const struct agg_set *set)
{
	struct agg_rec *recs = mem_alloc(set->n * sizeof(*recs) + 1);

	memcpy(recs, set->recs, set->n * sizeof(*recs));
	qsort_r(recs, set->n, sizeof(*recs), by_options, &o->opts);
	if (st->is_lines)
		put_lines_of(o, st, set, recs);
	else
		put_list(o, output(st), set, recs);
	mem_free(recs);
}

/* ---- data outside records ---- */

static void put_drop(struct structured *st, const struct msg_loss *m)
{
	struct table_rec r = internal;
	struct doc *d;

	r.name = "DROP";
	d = open_record(st, "drop", &r, -1);
	doc_uint(d, "count", m->n);
	doc_uint(d, "total", m->total);
	doc_int(d, "kind", m->kind);
	doc_str(d, "msg", m->text);
	close_item(st);
}

/* Documents have the same data as FreeBSD's, which have no errors, no ends of processes
 * and no facts about the run. */
static void put_error(struct structured *st, const struct msg_error *m)
{
	struct buf b = {0};
	struct doc *d;

	if (!st->is_lines)
		return;
	interrupt(st);
	d = open_item(st, "error");
	doc_uint(d, "id", m->id);
	doc_str(d, "provider", m->prov);
	doc_str(d, "module", m->mod);
	doc_str(d, "function", m->func);
	doc_str(d, "name", m->name);
	if (!m->text) {
		doc_str(d, "fault", msg_fault_name(m->fault));
		doc_uint(d, "value", m->addr);
	}
	msg_error(&b, m);
	doc_text(d, "msg", buf_str(&b), b.n);
	close_item(st);
	buf_free(&b);
}

static void put_end(struct structured *st, const struct msg_end *m)
{
	struct doc *d;

	if (!st->is_lines)
		return;
	interrupt(st);
	d = open_item(st, "exit");
	doc_int(d, "pid", m->pid);
	if (m->has_status)
		doc_int(d, m->is_killed ? "signal" : "status", m->status);
	close_item(st);
}

static void put_facts(struct doc *d, const struct msg_run *m)
{
	doc_str(d, "program", m->program);
	if (m->command)
		doc_str(d, "command", m->command);
	doc_str(d, "host", m->host);
	doc_str(d, "kernel", m->kernel);
	doc_uint(d, "start", m->start);
	if (m->duration)
		doc_uint(d, "duration", m->duration);
}

/* Lines have the facts when tracing begins and when it ends.  JSON ends with them. */
static void put_run(struct structured *st, const struct msg_run *m)
{
	st->run = *m;
	if (!st->is_lines)
		return;
	interrupt(st);
	put_facts(open_item(st, "run"), m);
	close_item(st);
}

/* ---- the back end ---- */

static bool take(struct out *o, enum out_object what, const void *obj)
{
	struct structured *st = o->dest;
	const struct value_bytes *bytes = obj;
	const struct agg_call *aggs = obj;

	switch (what) {
	case OUT_OBJECT_RECORD:
		end_record(st);
		st->head = obj;
		/* Without a time, a record without data says nothing. */
		if (st->head->has_thread && st->head->is_default)
			output(st);
		break;
	case OUT_OBJECT_RECORD_END:
		end_record(st);
		break;
	case OUT_OBJECT_TRACE:
		put_datum(o, output(st), obj);
		break;
	case OUT_OBJECT_PRINTF:
		put_printf(o, st, obj);
		break;
	case OUT_OBJECT_PRINT:
		put_print(o, output(st), obj);
		break;
	case OUT_OBJECT_BYTES:
		doc_open(output(st), NULL, false);
		put_bytes(&st->doc, bytes->action, bytes->data, bytes->len);
		doc_close(&st->doc);
		break;
	case OUT_OBJECT_SPAN:
		put_span(o, output(st), obj);
		break;
	case OUT_OBJECT_AGGS:
		for (unsigned int i = 0; i < aggs->n; i++)
			put_set(o, st, &aggs->sets[i]);
		break;
	case OUT_OBJECT_DROP:
		put_drop(st, obj);
		break;
	case OUT_OBJECT_ERROR:
		put_error(st, obj);
		break;
	case OUT_OBJECT_END:
		put_end(st, obj);
		break;
	case OUT_OBJECT_RUN:
		put_run(st, obj);
		break;
	case OUT_OBJECT_FILE:
		break;
	}
	return true;
}

static int drop_text(struct out *o, const char *s, size_t n)
{
	return 0;
}

static int flush(struct out *o)
{
	struct structured *st = o->dest;

	return fflush(st->f) || ferror(st->f) ? errno ? -errno : -EIO : 0;
}

static void end_document(struct structured *st)
{
	struct doc *d = &st->doc;

	end_record(st);
	begin(st);
	st->is_begun = false;
	if (st->is_lines)
		return;
	doc_close(d);
	if (st->run.program && st->style == DOC_JSON) {
		doc_open(d, "run", false);
		put_facts(d, &st->run);
	}
	doc_end(d);
}

/* Each file has a document of its own.  The current record continues in the new one. */
static void redirect(struct out *o, FILE *f)
{
	struct structured *st = o->dest;
	const struct table_rec *head = st->head;

	end_document(st);
	fflush(st->f);
	st->head = head;
	st->f = f;
	if (st->is_lines) {
		map_free(st->known);
		st->known = map_new();
	}
}

static int flush_nothing(struct out *o)
{
	return 0;
}

/* The back end that follows a document. */
static const struct out_backend ended = {.text = drop_text, .flush = flush_nothing};

static void finish(struct out *o)
{
	struct structured *st = o->dest;

	end_document(st);
	out_flush(o);
	vec_free(&st->waiting);
	map_free(st->known);
	arena_free(st->arena);
	mem_free(st);
	o->back = &ended;
	o->dest = NULL;
}

static const struct out_backend structured_backend = {
    .text = drop_text, .flush = flush, .object = take, .redirect = redirect, .finish = finish};

bool structured_is_format(const char *format)
{
	enum doc_style style;
	bool pretty;

	return doc_parse(format, &style, &pretty);
}

bool structured_is_document(const char *format)
{
	enum doc_style style;
	bool pretty;

	return doc_parse(format, &style, &pretty) && style != DOC_TEXT && style != DOC_JSONL;
}

static bool discard(struct out *o, enum out_object what, const void *obj)
{
	return true;
}

static void stay(struct out *o, FILE *f)
{
}

void structured_discard(struct out *o)
{
	static const struct out_backend none = {
	    .text = drop_text, .flush = flush_nothing, .object = discard, .redirect = stay};

	o->back = &none;
}

void structured_init(struct out *o, FILE *f, const char *format)
{
	struct structured *st;
	enum doc_style style;
	bool pretty;

	if (!doc_parse(format, &style, &pretty) || style == DOC_TEXT)
		return;
	st = mem_alloc(sizeof(*st));
	*st = (struct structured){
	    .f = f, .style = style, .pretty = pretty, .is_lines = style == DOC_JSONL};
	if (st->is_lines) {
		st->arena = arena_new();
		st->known = map_new();
	}
	o->back = &structured_backend;
	o->dest = st;
}
