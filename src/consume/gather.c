/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.c: see gather.h.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "config/report.h"
#include "lang/lang.h"
#include "metrics/metrics.h"
#include "metrics/names.h"
#include "print/msg.h"
#include "consume/consume.h"
#include "consume/gather.h"

static const char *shown(const char *agg)
{
	return strcmp(agg, "_") == 0 ? "" : agg;
}

/* The name for "DTRACEDROP_PRINCIPAL" is "principal". */
static void put_drops(struct metrics *m, enum msg_drop kind, uint64_t lost)
{
	const char *tag = strchr(msg_drop_tag(kind), '_') + 1;
	char name[32];
	size_t n = 0;

	for (; tag[n] && n < sizeof(name) - 1; n++)
		name[n] = (char)tolower((unsigned char)tag[n]);
	name[n] = '\0';
	metrics_number(m, "kind", name, (int64_t)lost);
}

static void put_own(const struct consume *co, struct metrics *m, bool is_last)
{
	uint64_t lost[MSG_DROP_MAX] = {0}, records = 0;

	for (unsigned int i = 0; i < co->npeers; i++) {
		records += co->peers[i]->nrecords;
		consume_lost(co->peers[i], lost);
	}
	metrics_family(m, "dtracer_up", AGG_METRIC_GAUGE, "tracing is on");
	metrics_number(m, NULL, NULL, !is_last);
	metrics_family(m, "dtracer_records", AGG_METRIC_COUNTER, "records consumed");
	metrics_number(m, NULL, NULL, (int64_t)records);
	metrics_family(m, "dtracer_drops", AGG_METRIC_COUNTER, "losses by kind");
	for (unsigned int i = 0; i < MSG_DROP_MAX; i++)
		put_drops(m, (enum msg_drop)i, lost[i]);
}

bool gather_has_names(const struct consume *co)
{
	struct lang *l = co->plan->env.lang;
	struct arena *a = arena_new();
	unsigned int n = lang_nidents(l, IDENT_AGG), naggs = 0;
	struct names_agg *aggs = arena_new_arr(a, struct names_agg, n);
	struct agg_desc *descs = arena_new_arr(a, struct agg_desc, n);
	struct names_clash clash;
	bool clashes;

	for (unsigned int i = 0; i < n; i++) {
		const struct ident *id = lang_ident(l, IDENT_AGG, i);

		if (!id->agg_func || id->is_library)
			continue;
		descs[naggs] = lang_agg_desc(id);
		aggs[naggs] = (struct names_agg){id->name, &descs[naggs]};
		naggs++;
	}
	clashes = names_find_clash(a, aggs, naggs, &clash);
	if (clashes)
		report_error(co->report,
			     "cannot export @%s and @%s: both have the metric %s; rename one",
			     shown(clash.first), shown(clash.second), clash.metric);
	arena_free(a);
	return !clashes;
}

static void put_agg(void *m, const struct metrics_agg *a)
{
	metrics_agg(m, a);
}

void gather_metrics(struct consume *co, struct metrics *m, bool is_last)
{
	void *symctx = co->out->symctx;

	co->out->symctx = co;
	aggs_each(co, is_last, put_agg, m);
	co->out->symctx = symctx;
	put_own(co, m, is_last);
	metrics_end(m);
}
