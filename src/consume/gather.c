/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gather.c: see gather.h.
 */
#include <ctype.h>
#include <string.h>

#include "metrics/metrics.h"
#include "print/msg.h"
#include "consume/consume.h"
#include "consume/gather.h"

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
