/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speedscope.c: see speedscope.h.
 *
 * A file has a list of frames, and profiles that refer to them by their position.  In a profile of
 * kind "sampled", each sample is a stack from the root on, and has a weight.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/speedscope.h"
#include "print/agg.h"
#include "print/doc.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static void put_frames(struct doc *d, const struct chart *c)
{
	doc_open(d, "shared", false);
	doc_open(d, "frames", true);
	for (unsigned int i = 0; i < c->frames.n; i++) {
		doc_open(d, NULL, false);
		doc_str(d, "name", c->frames.a[i].name);
		doc_close(d);
	}
	doc_close(d);
	doc_close(d);
}

static void put_samples(struct doc *d, const struct chart_agg *a)
{
	doc_open(d, "samples", true);
	for (unsigned int i = 0; i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		if (r->value <= 0)
			continue;
		doc_open(d, NULL, true);
		for (unsigned int k = 0; k < r->n; k++)
			doc_uint(d, NULL, r->ids[k]);
		doc_close(d);
	}
	doc_close(d);
}

/* Returns the sum of the weights. */
static int64_t put_weights(struct doc *d, const struct chart_agg *a)
{
	int64_t sum = 0;

	doc_open(d, "weights", true);
	for (unsigned int i = 0; i < a->rows.n; i++) {
		if (a->rows.a[i].value <= 0)
			continue;
		doc_int(d, NULL, a->rows.a[i].value);
		agg_add(&sum, a->rows.a[i].value);
	}
	doc_close(d);
	return sum;
}

static void put_profile(struct doc *d, const struct chart_agg *a)
{
	struct buf name = {0};

	buf_printf(&name, "@%s = %s()", strcmp(a->name, "_") == 0 ? "" : a->name, a->function);
	doc_open(d, "profiles", true);
	doc_open(d, NULL, false);
	doc_str(d, "type", "sampled");
	doc_str(d, "name", buf_str(&name));
	doc_str(d, "unit", "none");
	doc_int(d, "startValue", 0);
	put_samples(d, a);
	doc_int(d, "endValue", put_weights(d, a));
	doc_close(d);
	doc_close(d);
	buf_free(&name);
}

static bool has_value(const struct chart_agg *a)
{
	for (unsigned int i = 0; i < a->rows.n; i++)
		if (a->rows.a[i].value > 0)
			return true;
	return false;
}

bool speedscope_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = has_value(a) ? open_memstream(&text, &n) : NULL;
	struct doc d;

	if (!f)
		return false;
	doc_begin(&d, f, DOC_JSON, false);
	doc_str(&d, "$schema", SCHEMA);
	doc_str(&d, "exporter", "dtrace");
	doc_str(&d, "name", c->runs[a->run].name);
	put_frames(&d, c);
	put_profile(&d, a);
	doc_end(&d);
	fclose(f);
	buf_add(b, text, n);
	free(text);
	return true;
}
