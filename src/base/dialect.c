/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dialect.c: the table of dialect.def.
 */
#include <assert.h>
#include <strings.h>

#include "base/dialect.h"

static const struct {
	enum diag_tag tag, as;
} tags[] = {
#define DIALECT_TAG(tag, as) {D_##tag, D_##as},
#include "base/dialect.def"
};

bool dialect_has(enum dialect d, enum dialect_row row)
{
	assert(row < DIALECT_MAX);
	return d == DIALECT_ORACLE;
}

enum diag_tag dialect_tag(enum dialect d, enum diag_tag tag)
{
	for (size_t i = 0; d == DIALECT_ORACLE && i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i].tag == tag)
			return tags[i].as;
	return tag;
}

bool dialect_parse(const char *name, enum dialect *d)
{
	*d = name && strcasecmp(name, "oracle") == 0 ? DIALECT_ORACLE : DIALECT_ILLUMOS;
	return !name || *d == DIALECT_ORACLE || strcasecmp(name, "illumos") == 0;
}
