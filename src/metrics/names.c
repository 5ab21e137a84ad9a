/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c: see names.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "metrics/names.h"
#include "print/agg.h"

#define TOTAL "_total"

const char *names_family(struct arena *a, const char *agg, bool is_counter)
{
	const char *name = strcmp(agg, "_") == 0 ? "aggregation" : agg;
	size_t n = strlen(name), nsuffix = strlen(TOTAL);

	if (is_counter && n > nsuffix && strcmp(name + n - nsuffix, TOTAL) == 0)
		n -= nsuffix;
	return arena_printf(a, "dtrace_%.*s", (int)n, name);
}

/* Returns the suffixes that a type reserves, ended by NULL. */
static const char *const *suffixes_of(const struct agg_ops *ops)
{
	static const char *const counter[] = {"", TOTAL, "_created", NULL};
	static const char *const summary[] = {"", "_count", "_sum", "_created", NULL};
	static const char *const histogram[] = {"", "_bucket", "_count", "_sum", "_created", NULL};
	static const char *const gauge[] = {"", NULL};

	if (ops->hist)
		return histogram;
	switch (ops->metric) {
	case AGG_METRIC_COUNTER:
		return counter;
	case AGG_METRIC_SUMMARY:
		return summary;
	case AGG_METRIC_HISTOGRAM:
		return histogram;
	case AGG_METRIC_GAUGE:
		break;
	}
	return gauge;
}

bool names_find_clash(struct arena *a, const struct names_agg *aggs, unsigned int n,
		      struct names_clash *clash)
{
	struct map *owners = map_new();
	bool found = false;

	for (unsigned int i = 0; i < 2 * n && !found; i++) {
		const struct names_agg *agg = &aggs[i / 2];
		bool is_counter = i % 2 && agg->desc->ops->metric == AGG_METRIC_COUNTER;
		const char *family = names_family(a, agg->name, is_counter);

		for (const char *const *s = suffixes_of(agg->desc->ops); *s && !found; s++) {
			const char *metric = arena_printf(a, "%s%s", family, *s);
			const struct names_agg *owner = map_get_str(owners, metric);

			found = owner && owner != agg;
			if (found)
				*clash = (struct names_clash){owner->name, agg->name, metric};
			map_set_str(owners, metric, (void *)agg);
		}
	}
	map_free(owners);
	return found;
}
