/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * push_records.c: see push_records.h.
 *
 * Spans and logs are two streams.  A stream collects items, and sends a request with them in each
 * interval of option otlprate, or when there are many.  A request is sent again if the collector
 * could not take it.  Meanwhile up to MOST bytes of items wait; more are dropped, and counted.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "config/opts.h"
#include "config/report.h"
#include "metrics/otlp.h"
#include "sink/collector.h"
#include "sink/push_records.h"
#include "sink/sinks.h"
#include "timeline/otlp.h"

#define MANY	(1U << 20)
#define MOST	(16U << 20)
#define LAST_NS 5000000000ULL /* of the last requests */

struct stream {
	const struct collector_signal *signal;
	struct collector *to; /* NULL: not sent */
	struct timeline_otlp_items items;
	struct buf body; /* of the current request; empty: none */
	uint64_t nbody;	 /* items in it */
	uint64_t due;	 /* clock_ns */
	uint64_t nlost;
	bool is_late; /* the time for the last requests is over */
};

struct records {
	struct timeline_out out;
	const struct sink_env *env;
	struct timeline_otlp *t;
	struct stream spans, logs;
};

/* ---- streams ---- */

/* Moves the items to a request. */
static void fill(struct stream *s)
{
	struct metrics_labels resource = collector_resource(s->to);

	if (!s->items.n)
		return;
	otlp_request(&s->body, &resource, &s->items.b);
	s->nbody = s->items.n;
	buf_reset(&s->items.b);
	s->items.n = 0;
}

/* Gives up n items of the request. */
static void lose(struct stream *s, uint64_t n)
{
	s->nlost += n;
	buf_reset(&s->body);
}

/* Ends a finished request, unless it is to be sent again. */
static void settle(struct stream *s)
{
	if (collector_ok(s->to))
		buf_reset(&s->body);
	else if (!collector_can_retry(s->to))
		lose(s, collector_rejected(s->to, s->nbody));
}

static void step(struct stream *s, uint64_t interval)
{
	uint64_t now = clock_ns();

	if (!s->to)
		return;
	if (collector_is_sending(s->to)) {
		collector_go_on(s->to);
		if (collector_is_sending(s->to))
			return;
		settle(s);
	}
	if (now < s->due && (s->body.n || s->items.b.n < MANY))
		return;
	if (!s->body.n)
		fill(s);
	if (s->body.n)
		collector_send(s->to, &s->body);
	s->due = now + interval;
}

/* Sends the current request, if any, and waits.  Returns false if it remains. */
static bool deliver(struct stream *s, uint64_t end)
{
	if (!s->body.n || s->is_late)
		return !s->body.n;
	if (!collector_is_sending(s->to))
		collector_send(s->to, &s->body);
	s->is_late = !collector_wait(s->to, end);
	if (s->is_late)
		collector_too_late(s->to);
	else
		settle(s);
	return !s->body.n;
}

/* Returns false if items were lost, after reporting them. */
static bool send_last(struct stream *s, const struct report *report)
{
	uint64_t end = clock_ns() + LAST_NS;

	if (!s->to)
		return true;
	if (deliver(s, end) || deliver(s, end)) {
		fill(s);
		deliver(s, end);
	}
	if (s->body.n)
		lose(s, s->nbody);
	s->nlost += s->items.n;
	if (s->nlost)
		report_error(report, "%" PRIu64 " %s were lost", s->nlost, s->signal->items);
	return !s->nlost && collector_ok(s->to);
}

/* Drops the items that were added after n, with at bytes, if there are too many. */
static void limit(struct stream *s, uint64_t n, size_t at)
{
	if (s->items.b.n <= MOST)
		return;
	s->nlost += s->items.n - n;
	s->items.n = n;
	s->items.b.n = at;
}

/* ---- the output ---- */

/* A saved run can be read as slowly as the collector takes its items. */
static void send_now(struct stream *s)
{
	uint64_t end = clock_ns() + LAST_NS;

	if (!s->to || s->items.b.n < MANY)
		return;
	if (!deliver(s, end) && !deliver(s, end))
		lose(s, s->nbody);
	fill(s);
}

static void take_event(struct timeline_out *out, const struct timeline_event *e)
{
	struct records *r = (struct records *)out;
	uint64_t nspans = r->spans.items.n, nlogs = r->logs.items.n;
	size_t spans_end = r->spans.items.b.n, logs_end = r->logs.items.b.n;

	timeline_otlp_event(r->t, e);
	if (!r->env->consume) {
		send_now(&r->spans);
		send_now(&r->logs);
	}
	limit(&r->spans, nspans, spans_end);
	limit(&r->logs, nlogs, logs_end);
}

/* The thread is in each event. */
static void take_thread(struct timeline_out *out, const struct timeline_thread *t)
{
}

static void send_due(struct timeline_out *out)
{
	struct records *r = (struct records *)out;

	step(&r->spans, r->env->opts->num[OPT_otlprate]);
	step(&r->logs, r->env->opts->num[OPT_otlprate]);
}

static void close_records(struct timeline_out *out)
{
	struct records *r = (struct records *)out;

	out->has_failed |= !send_last(&r->spans, r->env->report);
	out->has_failed |= !send_last(&r->logs, r->env->report);
}

static void free_stream(struct stream *s)
{
	collector_free(s->to);
	buf_free(&s->items.b);
	buf_free(&s->body);
}

static void free_records(struct timeline_out *out)
{
	struct records *r = (struct records *)out;

	free_stream(&r->spans);
	free_stream(&r->logs);
	timeline_otlp_free(r->t);
	mem_free(r);
}

/* Returns false after reporting an error. */
static bool open_stream(struct stream *s, const struct sink_env *env,
			const struct collector_signal *signal)
{
	s->signal = signal;
	if (!opts_otlp(env->opts, signal->path))
		return true;
	s->due = clock_ns() + env->opts->num[OPT_otlprate];
	s->to = collector_new(env, signal);
	return s->to;
}

struct timeline_out *push_records_new(const struct sink_env *env, int64_t wall)
{
	static const struct timeline_format format = {.thread = take_thread,
						      .event = take_event,
						      .flush = send_due,
						      .close = close_records,
						      .free = free_records};
	static const struct collector_signal spans = {"spans", "spans", OPTS_OTLP_SPANS};
	static const struct collector_signal logs = {"logs", "log records", OPTS_OTLP_LOGS};
	struct records *r = mem_alloc(sizeof(*r));
	bool ok;

	r->out.format = &format;
	r->env = env;
	ok = open_stream(&r->spans, env, &spans) && open_stream(&r->logs, env, &logs);
	r->t = timeline_otlp_new(r->spans.to ? &r->spans.items : NULL,
				 r->logs.to ? &r->logs.items : NULL, wall);
	if (ok)
		return &r->out;
	free_records(&r->out);
	return NULL;
}
