/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline_outs.c: see timeline_outs.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "config/opts.h"
#include "config/report.h"
#include "print/table.h"
#include "sink/push_records.h"
#include "sink/sinks.h"
#include "sink/timeline_outs.h"
#include "timeline/event.h"
#include "timeline/slices.h"

static void add(struct timeline_outs *outs, struct timeline_out *out,
		const struct timeline_format *format, const char *path)
{
	out->format = format;
	out->path = path;
	vec_push(outs, out);
}

static bool open_otlp(struct timeline_outs *outs, const struct sink_env *env, int64_t wall)
{
	struct timeline_out *out;

	if (!opts_otlp_records(env->opts))
		return true;
	out = push_records_new(env, wall);
	if (out)
		vec_push(outs, out);
	return out;
}

bool timeline_outs_open(struct timeline_outs *outs, const struct sink_env *env, FILE *f,
			int64_t wall)
{
	const struct opts *o = env->opts;
	static const struct {
		enum opt opt;
		const struct timeline_format *format;
	} rows[] = {{OPT_perfetto, &timeline_perfetto},
		    {OPT_chrome, &timeline_chrome},
		    {OPT_ctf, &timeline_ctf}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *path = o->text[rows[i].opt];
		struct timeline_out *out;

		if (!o->is_set[rows[i].opt])
			continue;
		out = rows[i].format->open(path, NULL, wall);
		if (!out) {
			report_error(env->report, "could not write '%s': %s", path, file_why());
			return false;
		}
		add(outs, out, rows[i].format, path);
	}
	if (opts_timeline_output(o))
		add(outs, timeline_chrome.open(NULL, f, wall), &timeline_chrome, NULL);
	return open_otlp(outs, env, wall);
}

bool timeline_outs_ok(const struct timeline_outs *outs, const struct report *report)
{
	bool ok = true;

	for (unsigned int i = 0; i < outs->n; i++) {
		const struct timeline_out *out = outs->a[i];

		if (out->error && out->path)
			report_error(report, "could not write '%s': %s", out->path,
				     strerror(out->error));
		ok &= !out->error && !out->has_failed;
	}
	return ok;
}

static void report_count(const struct report *report, uint64_t n, const char *text)
{
	if (n)
		report_error(report, "timeline: %" PRIu64 " %s", n, text);
}

void timeline_outs_report(const struct report *report, const struct slices_counts *counts,
			  uint64_t nomitted)
{
	report_count(report, counts->unended,
		     "slices have no end; they end with the slice around them or with the trace");
	report_count(report, counts->unbegun, "ends have no beginning; they are instants");
	report_count(report, nomitted, "rows of aggregations have no counter");
}

static const char *key_of(struct buf *b, uint32_t vmid, const char *prov, const char *mod,
			  const char *func, const char *name)
{
	buf_reset(b);
	buf_printf(b, "%u:%s:%s:%s:%s", vmid, prov, mod, func, name);
	return buf_str(b);
}

void timeline_add_name(struct map *names, uint32_t vmid, const char *prov, const char *mod,
		       const char *func, const char *name)
{
	struct buf b = {0};

	map_set_str(names, key_of(&b, vmid, prov, mod, func, name), names);
	map_set_str(names, key_of(&b, vmid, prov, mod, "", name), names);
	buf_free(&b);
}

bool timeline_has_name(const struct map *names, const struct table_rec *r, const char *name,
		       bool any_function)
{
	struct buf b = {0};
	bool has = map_get_str(
	    names, key_of(&b, r->vmid, r->prov, r->mod, any_function ? "" : r->func, name));

	buf_free(&b);
	return has;
}
