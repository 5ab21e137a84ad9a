/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * about.c: see about.h.
 */
#include <inttypes.h>
#include <time.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/about.h"
#include "chart/scale.h"

#define SECOND_NS 1000000000

static void put_start(struct buf *b, uint64_t start)
{
	time_t seconds = (time_t)(start / SECOND_NS);
	char text[64];
	struct tm tm;

	if (localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%F %T %z", &tm))
		buf_printf(b, "Start: %s. ", text);
}

/* Every run that has a host counts its drops. */
static void put_run(struct buf *b, const struct chart_run *r)
{
	if (r->program && *r->program)
		buf_printf(b, "Program: %s. ", r->program);
	if (r->command)
		buf_printf(b, "Command: %s. ", r->command);
	if (r->host)
		buf_printf(b, "Host: %s. ", r->host);
	if (r->kernel)
		buf_printf(b, "Kernel: %s. ", r->kernel);
	if (r->start)
		put_start(b, r->start);
	if (r->duration) {
		buf_puts(b, "Duration: ");
		scale_put(b, (double)r->duration, "ns", false);
		buf_puts(b, ". ");
	}
	if (r->host || r->drops)
		buf_printf(b, "Drops: %" PRIu64 ". ", r->drops);
}

void about_put(struct buf *b, const struct chart *c)
{
	for (unsigned int i = 0; i < c->nruns; i++) {
		struct buf run = {0};

		put_run(&run, &c->runs[i]);
		if (run.n && c->nruns > 1)
			buf_printf(b, "%s: ", c->runs[i].name);
		buf_add(b, run.s, run.n);
		buf_free(&run);
	}
}
