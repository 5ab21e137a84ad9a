/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c: timelines of a saved run (option from).  docs/json.md describes the file.
 *
 * The file is read twice, because all its probes must be known to find pairs that form slices.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "config/opts.h"
#include "config/report.h"
#include "print/agg.h"
#include "print/msg.h"
#include "print/table.h"
#include "sink/json.h"
#include "sink/sinks.h"
#include "sink/timeline.h"
#include "sink/timeline_outs.h"
#include "timeline/timeline.h"

struct replay {
	struct json *j;
	struct timeline *tl;
	struct map *names;    /* of the probes in the file */
	struct map *machines; /* name -> number */
	bool has_threads;
	struct arena *arena;
	const char *host;  /* NULL: the file does not name it */
	uint64_t nomitted; /* rows without a counter */
	/* the current printing of an aggregation */
	struct buf agg;
	int64_t printing;
	uint64_t printed;
};

/* ---- records ---- */

/* Returns the number of a machine, from 1; 0: the host. */
static uint32_t machine_of(struct replay *r, const char *name)
{
	uintptr_t number = (uintptr_t)map_get_str(r->machines, name);

	if (!*name || number)
		return (uint32_t)number;
	number = map_count(r->machines) + 1;
	map_set_str(r->machines, name, (void *)number);
	return (uint32_t)number;
}

static uint64_t number(struct replay *r, struct json_object *o, const char *name)
{
	return json_uint(r->j, json_member(r->j, o, name));
}

/* The texts belong to the document. */
static struct table_rec record_of(struct replay *r, struct json_object *o)
{
	const char *machine = json_text_of(r->j, o, "vmname");
	struct table_rec rec = {
	    .cpu = (int)json_int(r->j, json_member(r->j, o, "cpu")),
	    .id = (uint32_t)number(r, o, "id"),
	    .prov = json_text_of(r->j, o, "provider"),
	    .mod = json_text_of(r->j, o, "module"),
	    .func = json_text_of(r->j, o, "function"),
	    .name = json_text_of(r->j, o, "name"),
	    .time = number(r, o, "walltimestamp"),
	    .has_thread = true,
	    .thread = {.pid = (uint32_t)number(r, o, "pid"), .tid = (uint32_t)number(r, o, "tid")},
	    .machine = *machine ? machine : NULL,
	    .vmid = machine_of(r, machine)};

	snprintf(rec.thread.name, sizeof(rec.thread.name), "%s", json_text_of(r->j, o, "execname"));
	return rec;
}

static bool has_record(struct replay *r, struct json_object *o)
{
	return json_member(r->j, o, "output") && json_member(r->j, o, "walltimestamp");
}

static void note_name(void *ctx, struct json *j, struct json_object *o)
{
	struct replay *r = ctx;
	const char *host = json_text_of(j, o, "host");
	struct table_rec rec;

	r->j = j;
	if (*host && !r->host)
		r->host = arena_strdup(r->arena, host);
	if (!has_record(r, o))
		return;
	r->has_threads = true;
	rec = record_of(r, o);
	timeline_add_name(r->names, rec.vmid, rec.prov, rec.mod, rec.func, rec.name);
}

static bool is_recorded(void *ctx, const struct table_rec *rec, const char *name, bool any_function)
{
	return timeline_has_name(((struct replay *)ctx)->names, rec, name, any_function);
}

/* ---- data ---- */

static void replay_text(struct replay *r, const char *name, struct json_object *o)
{
	const char *t = json_text(r->j, o);
	size_t n = strlen(t);

	while (n && t[n - 1] == '\n')
		n--;
	timeline_text(r->tl, name, t, n);
}

/* Numbers beyond INT64_MAX are unsigned. */
static void replay_value(struct replay *r, struct json_object *o)
{
	int64_t v = json_int(r->j, o);

	if (!json_is_int(r->j, o))
		replay_text(r, "value", o);
	else if (v == INT64_MAX)
		timeline_number(r->tl, "value", json_uint(r->j, o), false);
	else
		timeline_number(r->tl, "value", (uint64_t)v, true);
}

static void replay_stack(struct replay *r, struct json_object *stack)
{
	for (size_t i = 0; i < json_length(r->j, stack); i++) {
		const char *sym = json_symbol(r->j, json_item(r->j, stack, i));

		timeline_frame(r->tl, sym, strlen(sym));
	}
}

static void replay_print(struct replay *r, struct json_object *lines)
{
	struct buf b = {0};

	for (size_t i = 0; i < json_length(r->j, lines); i++) {
		struct json_object *o = json_item(r->j, lines, i);
		struct json_object *name = json_member(r->j, o, "member-name");
		struct json_object *v = json_member(r->j, o, "value");

		buf_printf(&b, "%s%s", i ? "\n" : "", json_text_of(r->j, o, "name"));
		if (name)
			buf_printf(&b, " %s", json_text(r->j, name));
		if (v)
			buf_printf(&b, " = %s", json_text(r->j, v));
	}
	timeline_text(r->tl, "print", buf_str(&b), b.n);
	buf_free(&b);
}

static const char *text_or_null(struct replay *r, struct json_object *o, const char *name)
{
	const char *t = json_text_of(r->j, o, name);

	return *t ? t : NULL;
}

static void replay_span(struct replay *r, struct json_object *o)
{
	const char *id = text_or_null(r, o, "id"), *parent = text_or_null(r, o, "traceparent");

	if (strcmp(json_text_of(r->j, o, "span"), "begin") == 0)
		timeline_span_begins(r->tl, json_text_of(r->j, o, "name"), id, parent);
	else
		timeline_span_ends(r->tl, id);
}

static void replay_datum(struct replay *r, struct json_object *o)
{
	static const struct {
		const char *member, *name;
	} texts[] = {{"sym", "value"},	       {"mod", "value"},     {"usym", "value"},
		     {"umod", "value"},	       {"uaddr", "value"},   {"message", "message"},
		     {"tracemem", "tracemem"}, {"printm", "printm"}, {"pcap", "pcap"}};

	if (json_member(r->j, o, "span"))
		replay_span(r, o);
	else if (json_member(r->j, o, "value"))
		replay_value(r, json_member(r->j, o, "value"));
	replay_stack(r, json_member(r->j, o, "stack-frames"));
	replay_stack(r, json_member(r->j, o, "ustack-frames"));
	if (json_member(r->j, o, "type"))
		replay_print(r, json_member(r->j, o, "type"));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (json_member(r->j, o, texts[i].member))
			replay_text(r, texts[i].name, json_member(r->j, o, texts[i].member));
}

static void replay_record(struct replay *r, struct json_object *o)
{
	struct json_object *output = json_member(r->j, o, "output");
	struct table_rec rec = record_of(r, o);

	timeline_record(r->tl, &rec);
	for (size_t i = 0; i < json_length(r->j, output); i++)
		replay_datum(r, json_item(r->j, output, i));
	timeline_record_ends(r->tl);
}

/* ---- aggregations ---- */

static void end_printing(struct replay *r)
{
	if (r->printed)
		timeline_rows_end(r->tl, buf_str(&r->agg), r->printed);
	r->printed = 0;
}

/* Begins a printing, unless it is the current one. */
static void set_printing(struct replay *r, const char *agg, int64_t printing, uint64_t at)
{
	if (r->printed && r->printing == printing && strcmp(buf_str(&r->agg), agg) == 0)
		return;
	end_printing(r);
	buf_reset(&r->agg);
	buf_puts(&r->agg, agg);
	r->printing = printing;
	r->printed = at;
}

/* Returns the value; of histograms, the number of values. */
static int64_t value_of(struct replay *r, struct json_object *value)
{
	int64_t n = 0;

	if (!json_is_list(r->j, value))
		return json_int(r->j, value);
	for (size_t i = 0; i < json_length(r->j, value); i++)
		agg_add(&n, json_int(r->j, json_member(r->j, json_item(r->j, value, i), "count")));
	return n;
}

static void replay_row(struct replay *r, struct json_object *o)
{
	struct json_object *value, *keys = json_member(r->j, o, "keys");
	const char *name = buf_str(&r->agg);
	struct buf b = {0};

	if (!json_function(r->j, o, &value) || !keys)
		return;
	buf_printf(&b, "@%s", strcmp(name, "_") == 0 ? "" : name);
	for (size_t i = 0; i < json_length(r->j, keys); i++) {
		struct json_object *k = json_item(r->j, keys, i);

		buf_puts(&b, i ? ", " : "[");
		buf_puts(&b, !json_is_list(r->j, k) ? json_text(r->j, k)
			     : json_length(r->j, k) ? json_symbol(r->j, json_item(r->j, k, 0))
						    : "");
	}
	buf_puts(&b, json_length(r->j, keys) ? "]" : "");
	r->nomitted += !timeline_row(r->tl, name, buf_str(&b), value_of(r, value));
	buf_free(&b);
}

/* Rows of aggregations are lines of jsonl, or data of a record. */
static void replay_rows(struct replay *r, struct json_object *o, uint64_t at)
{
	struct json_object *output = json_member(r->j, o, "output");
	struct json_object *printing = json_member(r->j, o, "printing");

	if (printing) {
		set_printing(r, json_text_of(r->j, o, "aggregation-name"), json_int(r->j, printing),
			     at);
		replay_row(r, o);
	}
	for (size_t i = 0; i < json_length(r->j, output); i++) {
		struct json_object *item = json_item(r->j, output, i);
		struct json_object *rows = json_member(r->j, item, "aggregation-data");

		if (rows)
			set_printing(r, json_text_of(r->j, item, "aggregation-name"), 0, at);
		for (size_t k = 0; k < json_length(r->j, rows); k++)
			replay_row(r, json_item(r->j, rows, k));
		if (rows)
			end_printing(r);
	}
}

/* ---- the file ---- */

static void replay_end(struct replay *r, struct json_object *o, uint64_t at)
{
	struct json_object *status = json_member(r->j, o, "status");
	struct json_object *signal = json_member(r->j, o, "signal");
	struct msg_end m = {.pid = (int)json_int(r->j, json_member(r->j, o, "pid")),
			    .status = (int)json_int(r->j, signal ? signal : status),
			    .has_status = status || signal,
			    .is_killed = signal};
	struct buf b = {0};

	msg_end(&b, &m);
	timeline_note(r->tl, at, "exit", buf_str(&b));
	buf_free(&b);
}

static void replay(void *ctx, struct json *j, struct json_object *o)
{
	struct replay *r = ctx;
	struct json_object *msg = json_member(j, o, "msg");
	uint64_t at = json_uint(j, json_member(j, o, "timestamp"));

	r->j = j;
	if (has_record(r, o))
		replay_record(r, o);
	replay_rows(r, o, at);
	if (strcmp(json_text_of(j, o, "type"), "exit") == 0)
		replay_end(r, o, at);
	if (msg)
		timeline_note(r->tl, at, json_member(j, o, "kind") ? "drop" : "error",
			      json_text(j, msg));
}

/*
 * Reads the names.  Returns false after reporting an error.  If no timeline is asked for, a file
 * that has none is not an error: r->has_threads.
 */
static bool read_names(struct replay *r, const struct report *report, const char *path,
		       bool is_asked)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (is_asked)
			report_error(report, "cannot read '%s' twice; save the run to a file",
				     path);
		return !is_asked;
	}
	if (!json_read(report, path, note_name, r))
		return false;
	if (!r->has_threads && is_asked)
		report_error(report,
			     "cannot write a timeline of '%s': its records have no threads; save "
			     "them with -x timeline",
			     path);
	return r->has_threads || !is_asked;
}

static bool replay_all(struct replay *r, const struct report *report, const char *path,
		       struct timeline_outs *outs)
{
	struct slices_counts counts;

	if (!json_read(report, path, replay, r))
		return false;
	end_printing(r);
	timeline_end(r->tl, 0, &counts);
	timeline_outs_report(report, &counts, r->nomitted);
	return timeline_outs_ok(outs, report);
}

bool timeline_of_saved(struct report *report, const struct opts *opts, const char *path)
{
	struct replay r = {.names = map_new(), .machines = map_new(), .arena = arena_new()};
	struct sink_env env = {.report = report, .opts = opts, .arena = r.arena};
	struct timeline_outs outs = {0};
	/* A URL without a path is for all data of the file, and the file can lack records. */
	bool is_asked = opts_timeline_written(opts) || !opts_otlp(opts, OPTS_OTLP_PROFILES);
	bool ok = read_names(&r, report, path, is_asked);

	if (ok && r.has_threads) {
		env.run.host = r.host;
		ok = timeline_outs_open(&outs, &env, stdout, 0);
		r.tl = timeline_new(outs.a, outs.n, is_recorded, &r);
		ok = ok && replay_all(&r, report, path, &outs);
		timeline_free(r.tl);
	}
	vec_free(&outs);
	map_free(r.names);
	map_free(r.machines);
	arena_free(r.arena);
	buf_free(&r.agg);
	return ok;
}
