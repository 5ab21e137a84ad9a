/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_text.c: actions with a format (printf, system, freopen), and ftruncate, which affects the
 * file of freopen.  The format is argument 0, already parsed.
 */
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "builtin/builtin.h"
#include "print/fmt.h"

static bool check_printf(struct check *ck, struct expr *e)
{
	return check_fmt(ck, e, false);
}

void builtin_plan_text(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	rec_act_add(plan, d, e->ident->name, e);
	for (unsigned int i = 1; i < e->nargs; i++)
		rec_item_expr(plan, d, e->args[i]);
}

void builtin_emit_text(struct lw *lw, const struct expr *e, unsigned int item)
{
	for (unsigned int i = 1; i < e->nargs; i++)
		lw_item_store(lw, item + i - 1, e->args[i]);
}

const char *builtin_text(struct buf *b, const struct rec_act *act, const struct value *v)
{
	struct out o;

	out_init_buf(&o, b);
	fmt_print(&o, act->fmt, v, act->n);
	out_free(&o);
	return buf_str(b);
}

static void consume_printf(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	fmt_print(c->out, act->fmt, v, act->n);
}

/* Prints a message and frees its text. */
static void message(struct consumer *c, struct buf *text)
{
	c->ops->message(c, buf_str(text));
	buf_free(text);
}

/* ---- system ---- */

static void consume_system(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	struct buf buf = {0}, why = {0};
	size_t skip;

	/* Output of other programs would damage a document. */
	if (out_is_structured(c->out))
		buf_puts(&buf, "exec >&2\n");
	skip = buf.n;
	builtin_text(&buf, act, v);
	out_flush(c->out);
	if (system(buf_str(&buf)) < 0) {
		buf_printf(&why, "failed to execute %s", buf_str(&buf) + skip);
		message(c, &why);
	}
	buf_free(&buf);
}

/* ---- freopen, ftruncate ---- */

/* Other implementations use this name to return to the original output. */
#define RESERVED "."

static bool check_freopen(struct check *ck, struct expr *e)
{
	if (e->args[0]->kind == EXPR_STR && strcmp(e->args[0]->name, RESERVED) == 0)
		return check_error(ck, e, D_FREOPEN_INVALID,
				   "may not be applied to this reserved path");
	return check_fmt(ck, e, true);
}

/* An empty name returns to the original output. */
static void consume_freopen(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	struct buf buf = {0}, why = {0};
	const char *path = builtin_text(&buf, act, v);
	FILE *f = *path ? file_write(path, FILE_APPEND) : NULL;

	if (f || !*path) {
		c->ops->reopen(c, f);
	} else {
		buf_printf(&why, "failed to open output file '%s': %s", path, file_why());
		message(c, &why);
	}
	buf_free(&buf);
}

static void consume_ftruncate(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	FILE *f = c->ops->reopened(c);

	if (!f)
		f = c->ops->original(c);
	out_flush(c->out);
	if (ftruncate(fileno(f), 0) == 0)
		rewind(f);
}

const struct lang_row builtin_act_text[] = {
    {BUILTIN_ACT(printf, .plan = builtin_plan_text, .emit = builtin_emit_text,
		 .consume = consume_printf),
     .nargs = {1, UINT_MAX}, .check = check_printf, .flags = LANG_RECORDS},
    {BUILTIN_ACT(system, .plan = builtin_plan_text, .emit = builtin_emit_text,
		 .consume = consume_system),
     .nargs = {1, UINT_MAX}, .check = check_printf, .state = LANG_NEUTRAL,
     .flags = LANG_RECORDS | LANG_DESTRUCTIVE},
    {BUILTIN_ACT(freopen, .plan = builtin_plan_text, .emit = builtin_emit_text,
		 .consume = consume_freopen),
     .nargs = {1, UINT_MAX}, .check = check_freopen, .state = LANG_NEUTRAL,
     .flags = LANG_RECORDS | LANG_DESTRUCTIVE},
    {BUILTIN_ACT(ftruncate, .plan = builtin_plan_none, .consume = consume_ftruncate),
     .proto = "void ftruncate(void)", .flags = LANG_RECORDS},
    {0},
};
