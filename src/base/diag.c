/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.c: the list of errors, and their printing.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/dialect.h"

static const char *const tags[] = {
#define DIAG(tag, when) [D_##tag] = "D_" #tag,
#include "base/diag.def"
#undef DIAG
};

bool diag(struct diags *d, struct loc loc, enum diag_tag tag, const char *fmt, ...)
{
	struct diag *dg;
	va_list ap;

	if (d->n == d->cap) {
		unsigned int cap = d->cap ? d->cap * 2 : 8;
		struct diag *list = arena_new_arr(d->arena, struct diag, cap);

		if (d->n)
			memcpy(list, d->list, d->n * sizeof(*list));
		d->list = list;
		d->cap = cap;
	}
	dg = &d->list[d->n++];
	dg->tag = dialect_tag(d->dialect, tag);
	dg->loc = loc;
	dg->where = d->where;
	dg->program = d->program;
	va_start(ap, fmt);
	dg->text = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	return false;
}

const char *diag_tag_name(enum diag_tag tag)
{
	return tags[tag];
}

/* Returns line n of a text, without its newline, or NULL. */
static const char *text_line(const char *p, unsigned int n, int *len)
{
	while (n > 1 && *p)
		if (*p++ == '\n')
			n--;
	*len = (int)strcspn(p, "\n");
	return n == 1 ? p : NULL;
}

/*
 * Returns the preprocessor's output for line n of a script, or NULL.  Line markers (`# 7
 * "script.d"`) give the file and number of the next line.  A pragma is a line of the script.
 */
static const char *made_line(const struct source *s, unsigned int n, int *len)
{
	unsigned int line = 1;
	bool is_script = true;

	for (const char *p = s->text; *p; p += p[*len] ? *len + 1 : *len) {
		*len = (int)strcspn(p, "\n");
		if (p[0] == '#' && p[1] == ' ' && isdigit((unsigned char)p[2])) {
			const char *name = memchr(p, '"', (size_t)*len);

			line = (unsigned int)strtoul(p + 2, NULL, 10);
			is_script = name && s->name &&
				    strncmp(name + 1, s->name, strlen(s->name)) == 0 &&
				    name[strlen(s->name) + 1] == '"';
		} else if (is_script && line++ == n) {
			return p;
		}
	}
	return NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Returns the length of the word at p in a line that ends at end.  Any other character is a
 * separate word.
 */
static int word_len(const char *p, const char *end)
{
	int n = 0;

	while (p + n < end && is_word(p[n]))
		n++;
	return n ? n : p < end;
}

/*
 * Returns the column in the line before preprocessing.  Example: the third "x" of the preprocessed
 * line is the third "x" of the line as written.  0: a macro made the word.
 */
static unsigned int written_col(const struct loc *loc, const char *line, int len)
{
	const char *made, *at, *end;
	unsigned int before = 0;
	int made_len, n;

	made = made_line(loc->src, loc->line, &made_len);
	if (!made || (int)loc->col > made_len)
		return 0;
	at = made + loc->col - 1;
	n = word_len(at, made + made_len);
	for (const char *p = made; p < at; p += word_len(p, at))
		before += word_len(p, made + made_len) == n && strncmp(p, at, (size_t)n) == 0;
	end = line + len;
	for (const char *p = line; p < end; p += word_len(p, end))
		if (word_len(p, end) == n && strncmp(p, at, (size_t)n) == 0 && before-- == 0)
			return (unsigned int)(p - line) + 1;
	return 0;
}

/* Maximum characters shown of a long line, and quoted of a command line. */
enum { SHOWN_MAX = 160, QUOTED_MAX = 60 };

static void put_caret(struct buf *b, const struct loc *loc)
{
	unsigned int col = loc->col, cut;
	const char *line;
	int len;

	if (!loc->src || loc->file || !loc->line || !loc->col)
		return;
	line = text_line(loc->src->written ? loc->src->written : loc->src->text, loc->line, &len);
	if (line && loc->src->written)
		col = written_col(loc, line, len);
	if (!line || (int)col > len + 1)
		return;
	cut = col > SHOWN_MAX / 2 && len > SHOWN_MAX ? col - SHOWN_MAX / 2 : 0;
	line += cut;
	len -= (int)cut;
	buf_printf(b, "%6u | %.*s\n", loc->line, len > SHOWN_MAX ? SHOWN_MAX : len, line);
	if (!col)
		return;
	buf_puts(b, "       | ");
	for (unsigned int i = 0; i + 1 < col - cut; i++)
		buf_putc(b, line[i] == '\t' ? '\t' : ' ');
	buf_puts(b, "^\n");
}

/*
 * Appends the start of the text of -n and similar options.  The line with the caret shows the rest.
 */
static void put_cmdline(struct buf *b, const struct source *s)
{
	int n = (int)strcspn(s->text, "\n");
	bool is_long = n > QUOTED_MAX || s->text[n];

	if (n > QUOTED_MAX)
		n = QUOTED_MAX;
	buf_printf(b, "invalid probe specifier %.*s%s: ", n, s->text, is_long ? "..." : "");
}

void diag_text(struct buf *b, const struct diag *dg, bool tags_on)
{
	const struct source *s = dg->loc.src;
	const char *tag = tags_on ? diag_tag_name(dg->tag) : NULL;

	if (tag)
		buf_printf(b, "[%s] ", tag);
	if (s && s->is_library)
		buf_printf(b, "\"%s\", line %u: ", s->name, dg->loc.line);
	else if (dg->loc.file)
		buf_printf(b, "\"%s\", line %u: ", dg->loc.file, dg->loc.line);
	else if (s && !s->is_cmdline && dg->loc.line)
		buf_printf(b, "line %u: ", dg->loc.line);
	if (s && s->is_cmdline && dg->where)
		buf_printf(b, "in %s: ", dg->where);
	buf_puts(b, dg->text);
}

void diag_show(struct buf *b, const char *prog, const struct diag *dg, bool tags_on)
{
	const struct source *s = dg->loc.src, *of = s && s->is_library ? dg->program : s;

	buf_printf(b, "%s: ", prog);
	if (of && of->is_cmdline)
		put_cmdline(b, of);
	else if (of && of->name && !of->is_library)
		buf_printf(b, "failed to compile script %s: ", of->name);
	diag_text(b, dg, tags_on);
	buf_putc(b, '\n');
	put_caret(b, &dg->loc);
}
