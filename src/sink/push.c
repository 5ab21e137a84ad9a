/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push.c: a sink that sends aggregations as metrics by OTLP over HTTP (option otlp): in each
 * interval of option otlprate, and once more after tracing, for 5 s at most.  Values are
 * cumulative, so the next request makes up for a failed one.
 */
#include "base/buf.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "metrics/otlp.h"
#include "consume/gather.h"
#include "consume/consume.h"
#include "config/opts.h"
#include "sink/collector.h"
#include "sink/sinks.h"

#define LAST_NS 5000000000ULL /* of the last request */

struct push {
	struct sink k;
	struct collector *to;
	uint64_t begun; /* ns since 1970 */
	uint64_t due;	/* clock_ns */
	struct buf body;
};

static void begin_sending(struct push *p, bool is_last)
{
	struct metrics_labels resource = collector_resource(p->to);
	struct otlp t;

	buf_reset(&p->body);
	otlp_begin(&t, &p->body, p->k.env->consume->out, &resource, p->begun, clock_wall());
	gather_metrics(p->k.env->consume, &t.m, is_last);
	collector_send(p->to, &p->body);
	p->due = clock_ns() + p->k.env->opts->num[OPT_otlprate];
}

static void send_if_due(struct sink *k)
{
	struct push *p = (struct push *)k;

	if (!collector_is_sending(p->to) && clock_ns() >= p->due)
		begin_sending(p, false);
	if (collector_is_sending(p->to))
		collector_go_on(p->to);
}

static bool send_last(struct sink *k, bool is_hasty)
{
	struct push *p = (struct push *)k;
	uint64_t end = clock_ns() + LAST_NS;

	if (is_hasty)
		return true;
	if (collector_is_sending(p->to))
		collector_wait(p->to, end);
	begin_sending(p, true);
	if (!collector_wait(p->to, end))
		collector_too_late(p->to);
	return collector_ok(p->to);
}

static void stop(struct sink *k)
{
	struct push *p = (struct push *)k;

	collector_free(p->to);
	buf_free(&p->body);
	mem_free(p);
}

static struct sink *start(const struct sink_env *env, bool *failed)
{
	static const struct collector_signal signal = {"metrics", "data points", OPTS_OTLP_METRICS};
	struct collector *to;
	struct push *p;

	if (!opts_otlp(env->opts, signal.path))
		return NULL;
	to = gather_has_names(env->consume) ? collector_new(env, &signal) : NULL;
	*failed = !to;
	if (!to)
		return NULL;
	p = mem_alloc(sizeof(*p));
	p->k.env = env;
	p->to = to;
	p->begun = clock_wall();
	p->due = clock_ns() + env->opts->num[OPT_otlprate];
	return &p->k;
}

const struct sink_type sink_push = {
    .start = start,
    .round = send_if_due,
    .write = send_last,
    .free = stop,
};
