/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * folded.c: see folded.h.
 */
#include <inttypes.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/folded.h"

/* Names of frames have no control characters, so a line ends where its row ends. */
static void put_name(struct buf *b, const char *name)
{
	for (; *name; name++)
		buf_putc(b, *name == ';' ? ':' : *name);
}

bool folded_write(struct buf *b, struct chart *c, struct chart_agg *a)
{
	bool has_any = false;

	for (unsigned int i = 0; i < a->rows.n; i++) {
		const struct chart_row *r = &a->rows.a[i];

		if (r->value <= 0)
			continue;
		for (unsigned int k = 0; k < r->n; k++) {
			if (k)
				buf_putc(b, ';');
			put_name(b, c->frames.a[r->ids[k]].name);
		}
		buf_printf(b, " %" PRId64 "\n", r->value);
		has_any = true;
	}
	return has_any;
}
