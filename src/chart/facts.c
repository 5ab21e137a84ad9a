/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * facts.c: see facts.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/facts.h"

void facts_title(struct buf *b, const struct chart_agg *a)
{
	buf_printf(b, "@%s = %s()", strcmp(a->name, "_") == 0 ? "" : a->name, a->function);
}

static uint64_t count_omitted(const struct chart_agg *a)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < a->rows.n; i++)
		n += a->rows.a[i].value <= 0;
	return n;
}

void facts_each(const struct chart *c, const struct chart_agg *a,
		void (*fact)(void *ctx, const char *name, const char *text), void *ctx)
{
	const struct chart_run *run = &c->runs[a->run];
	struct buf title = {0}, omitted = {0}, drops = {0};

	facts_title(&title, a);
	if (count_omitted(a))
		buf_printf(&omitted, "%" PRIu64, count_omitted(a));
	if (run->drops)
		buf_printf(&drops, "%" PRIu64, run->drops);
	const struct {
		const char *name, *text;
	} facts[] = {{"aggregation", title.s},	{"rows without a positive value", omitted.s},
		     {"program", run->program}, {"command", run->command},
		     {"host", run->host},	{"kernel", run->kernel},
		     {"drops", drops.s}};

	for (unsigned int i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].text)
			fact(ctx, facts[i].name, facts[i].text);
	buf_free(&title);
	buf_free(&omitted);
	buf_free(&drops);
}
