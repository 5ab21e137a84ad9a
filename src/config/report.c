/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c: see report.h.
 */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/progress.h"
#include "print/out.h"
#include "config/opts.h"
#include "config/report.h"

/* Names from traced processes may be in a message, and a terminal must not obey them. */
static void put(const struct report *r, const char *text, size_t n)
{
	struct buf b = {0};

	if (r->is_shown || (r->opts && r->opts->num[OPT_visible]) || isatty(fileno(r->file))) {
		out_visible(&b, text, n);
		text = buf_str(&b);
		n = b.n;
	}
	fwrite(text, 1, n, r->file);
	buf_free(&b);
}

void report_error(const struct report *r, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	if (r->about)
		buf_printf(&b, "%s: ", r->about);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (r->sink) {
		r->sink(r->ctx, buf_str(&b));
	} else {
		progress_hide();
		fprintf(r->file, "%s: ", r->progname);
		buf_putc(&b, '\n');
		put(r, b.s, b.n);
	}
	buf_free(&b);
}

void report_diag(const struct report *r, const struct diag *dg)
{
	bool has_tags = r->opts->is_set[OPT_errtags];
	struct buf b = {0};

	if (r->sink) {
		diag_text(&b, dg, has_tags);
		r->sink(r->ctx, buf_str(&b));
	} else {
		progress_hide();
		diag_show(&b, r->progname, dg, has_tags);
		put(r, b.s, b.n);
	}
	buf_free(&b);
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

/* Bits of option tree: print the parsed tree, the checked tree. */
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
