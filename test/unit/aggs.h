/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.h: the aggregating functions of the product, by name.
 */
#ifndef TEST_UNIT_AGGS_H
#define TEST_UNIT_AGGS_H

#include <stdlib.h>
#include <string.h>

#include "lower/lower.h"
#include "print/agg.h"

static inline struct agg_desc aggs_desc(const char *name, uint64_t param)
{
	for (const struct lang_row *const *t = builtin_tables; *t; t++)
		for (const struct lang_row *r = *t; r->name; r++)
			if (r->kind == IDENT_AGGFUNC && strcmp(r->name, name) == 0)
				return (struct agg_desc){r->agg->ops, param};
	abort();
}

#endif
