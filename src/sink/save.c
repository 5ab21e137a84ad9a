/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.c: a sink that writes all data to a file as lines of JSON, beside the text (option save).
 * --from reads the file.
 *
 * Each round of the loop flushes the file.  After a write has failed, nothing more is written, and
 * the run fails at its end.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "config/opts.h"
#include "config/report.h"
#include "consume/consume.h"
#include "print/out.h"
#include "print/structured.h"
#include "sink/sinks.h"

struct save {
	struct sink k;
	struct out out;
	FILE *f;
};

static const char *path_of(const struct sink *k)
{
	return k->env->opts->text[OPT_save];
}

static struct sink *start(const struct sink_env *env, bool *failed)
{
	struct save *s;
	FILE *f;

	if (!env->opts->is_set[OPT_save])
		return NULL;
	f = file_write(env->opts->text[OPT_save], FILE_REPLACE);
	if (!f) {
		report_error(env->report, "could not write '%s': %s", env->opts->text[OPT_save],
			     file_why());
		*failed = true;
		return NULL;
	}
	s = mem_alloc(sizeof(*s));
	s->k.env = env;
	s->f = f;
	out_init(&s->out, f);
	structured_init(&s->out, f, "jsonl");
	return &s->k;
}

/* Returns false if a write has failed; reports the first failure. */
static bool flush(struct save *s)
{
	if (s->out.error)
		return false;
	if (out_flush(&s->out) == 0)
		return true;
	report_error(s->k.env->report, "could not write '%s': %s", path_of(&s->k),
		     strerror(-s->out.error));
	return false;
}

static void object(struct sink *k, enum out_object what, const void *obj)
{
	struct save *s = (struct save *)k;
	const struct out *text = k->env->consume->out;

	if (s->out.error)
		return;
	s->out.opts = text->opts;
	s->out.syms = text->syms;
	s->out.symctx = text->symctx;
	s->out.target = text->target;
	out_object(&s->out, what, obj);
}

static void round_ends(struct sink *k)
{
	flush((struct save *)k);
}

static bool write_rest(struct sink *k, bool is_hasty)
{
	return flush((struct save *)k);
}

static void free_save(struct sink *k)
{
	struct save *s = (struct save *)k;

	out_finish(&s->out);
	out_free(&s->out);
	fclose(s->f);
	mem_free(s);
}

const struct sink_type sink_save = {
    .start = start,
    .object = object,
    .round = round_ends,
    .write = write_rest,
    .free = free_save,
};
