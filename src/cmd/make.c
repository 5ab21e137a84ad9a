/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * make.c: see make.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "compile/header.h"
#include "compile/object.h"
#include "session/session.h"
#include "cmd/make.h"

static const char *name_of(struct session *s, const char *output, const char *suffix)
{
	const char *path = s->compile.progs.a[0]->text, *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');

	return output
		   ? output
		   : arena_printf(s->arena, "%.*s%s",
				  (int)(dot ? (size_t)(dot - base) : strlen(base)), base, suffix);
}

int make_check(struct session *s, char letter, const char *output)
{
	if (!s->compile.progs.n) {
		report_error(&s->report, "-%c needs a program", letter);
		return 2;
	}
	if (!output && (s->compile.progs.n > 1 || s->compile.progs.a[0]->src.is_cmdline)) {
		report_error(&s->report, "-%c needs an output file (-o) unless there is one script",
			     letter);
		return 2;
	}
	return 0;
}

int make_header(struct session *s, const char *output)
{
	const char *path = name_of(s, output, ".h");
	char *text = NULL;
	size_t n = 0;
	FILE *f;
	bool ok;

	if (!header_is_wanted(&s->compile)) {
		report_error(&s->report, "-h: '%s' declares no provider",
			     s->compile.progs.a[0]->text);
		return 1;
	}
	f = open_memstream(&text, &n);
	if (f)
		header_write(&s->compile, f, path);
	ok = f && fclose(f) == 0 && file_replace(path, text, n);
	free(text);
	if (!ok)
		report_error(&s->report, "could not write header file '%s': %s", path, file_why());
	return ok ? 0 : 1;
}

int make_object(struct session *s, const char *output, char *const *objects, unsigned int n)
{
	return object_write(&s->compile, name_of(s, output, ".o"), objects, n) ? 0 : 1;
}
