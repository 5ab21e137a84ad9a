/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c: see report.h.
 */
#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/progress.h"
#include "run/opts.h"
#include "run/report.h"

void report_error(const struct report *r, const char *fmt, ...)
{
	va_list ap;

	progress_hide();
	fprintf(r->file, "%s: ", r->progname);
	if (r->about)
		fprintf(r->file, "%s: ", r->about);
	va_start(ap, fmt);
	vfprintf(r->file, fmt, ap);
	va_end(ap);
	fputc('\n', r->file);
}

void report_debug(const struct report *r, const char *fmt, ...)
{
	va_list ap;

	if (!r->opts->is_set[OPT_debug])
		return;
	fprintf(r->file, "%s DEBUG: ", r->progname);
	va_start(ap, fmt);
	vfprintf(r->file, fmt, ap);
	va_end(ap);
	fputc('\n', r->file);
}

/* Bits of option tree: the tree as it was parsed, and as it was checked. */
enum { TREE_PARSE = 1, TREE_CHECK = 2 };

bool report_dumps(const struct report *r, const char *stage)
{
	uint64_t tree = r->opts->is_set[OPT_tree] ? r->opts->num[OPT_tree] : 0;

	if ((tree & TREE_PARSE && strcmp(stage, "parse") == 0) ||
	    (tree & TREE_CHECK && strcmp(stage, "check") == 0))
		return true;
	return r->opts->is_set[OPT_dump] && strstr(r->opts->text[OPT_dump], stage);
}

void report_dump(const struct report *r, const char *stage, struct buf *b)
{
	fprintf(r->file, "# %s\n%s", stage, buf_str(b));
	buf_free(b);
}
