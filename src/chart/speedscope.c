/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speedscope.c: see speedscope.h.
 *
 * A file has a list of frames, and profiles that refer to them by their position.  In a profile of
 * kind "sampled", each sample is a stack from the root on, and has a weight.  A frame is a function
 * with its file and line, if they are known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "chart/chart.h"
#include "chart/facts.h"
#include "chart/profile.h"
#include "chart/speedscope.h"
#include "print/agg.h"
#include "print/doc.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static struct chart_place place_of(const struct chart_row *r, unsigned int i)
{
	return (struct chart_place){r->ids[i], r->lines ? r->lines[i] : 0};
}

/* Returns the position of a frame, which it numbers if it is new. */
static uint32_t position(struct map *numbers, const struct chart_row *r, unsigned int i)
{
	struct chart_place place = place_of(r, i);
	bool is_new;

	return map_number(numbers, &place, sizeof(place), &is_new) - 1;
}

/* Numbers the frames of the rows in the order of their first use. */
static struct map *number_frames(const struct chart_agg *a)
{
	struct map *numbers = map_new();

	for (unsigned int i = 0; i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		for (unsigned int k = 0; r->value > 0 && k < r->n; k++)
			position(numbers, r, k);
	}
	return numbers;
}

static void put_frames(struct doc *d, const struct chart *c, const struct map *numbers)
{
	const void *id;
	size_t pos = 0, len;

	doc_open(d, "shared", false);
	doc_open(d, "frames", true);
	while (map_next(numbers, &pos, &id, &len)) {
		const struct chart_place *place = id;

		doc_open(d, NULL, false);
		doc_str(d, "name", c->frames.a[place->id].name);
		if (place->line) {
			doc_str(d, "file", c->lines.a[place->line - 1].file);
			doc_uint(d, "line", c->lines.a[place->line - 1].number);
		}
		doc_close(d);
	}
	doc_close(d);
	doc_close(d);
}

static void put_samples(struct doc *d, const struct chart_agg *a, struct map *numbers)
{
	doc_open(d, "samples", true);
	for (unsigned int i = 0; i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		if (r->value <= 0)
			continue;
		doc_open(d, NULL, true);
		for (unsigned int k = 0; k < r->n; k++)
			doc_uint(d, NULL, position(numbers, r, k));
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

/* Returns the name of a unit in speedscope's schema. */
static const char *unit_of(const struct chart_agg *a)
{
	static const char *const names[][2] = {{"ns", "nanoseconds"},
					       {"us", "microseconds"},
					       {"ms", "milliseconds"},
					       {"s", "seconds"},
					       {"bytes", "bytes"}};
	const char *unit = profile_unit(a);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(unit, names[i][0]) == 0)
			return names[i][1];
	return "none";
}

static void put_profile(struct doc *d, const struct chart_agg *a, struct map *numbers)
{
	struct buf name = {0};

	facts_title(&name, a);
	doc_open(d, "profiles", true);
	doc_open(d, NULL, false);
	doc_str(d, "type", "sampled");
	doc_str(d, "name", buf_str(&name));
	doc_str(d, "unit", unit_of(a));
	doc_int(d, "startValue", 0);
	put_samples(d, a, numbers);
	doc_int(d, "endValue", put_weights(d, a));
	doc_close(d);
	doc_close(d);
	buf_free(&name);
}

bool speedscope_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = chart_has_value(a) ? open_memstream(&text, &n) : NULL;
	const struct chart_run *run = &c->runs[a->run];
	struct map *numbers;
	struct doc d;

	if (!f)
		return false;
	numbers = number_frames(a);
	doc_begin(&d, f, DOC_JSON, false);
	doc_str(&d, "$schema", SCHEMA);
	doc_str(&d, "exporter", "dtrace");
	doc_str(&d, "name", run->program ? run->program : run->name);
	put_frames(&d, c, numbers);
	put_profile(&d, a, numbers);
	doc_end(&d);
	map_free(numbers);
	fclose(f);
	buf_add(b, text, n);
	free(text);
	return true;
}
