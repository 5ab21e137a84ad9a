/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc.c: writes documents without building them in memory.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "print/doc.h"
#include "print/out.h"

bool doc_parse(const char *format, enum doc_style *style, bool *pretty)
{
	static const char *const names[] = {[DOC_TEXT] = "text",
					    [DOC_JSON] = "json",
					    [DOC_JSONL] = "jsonl",
					    [DOC_XML] = "xml",
					    [DOC_HTML] = "html"};

	*style = DOC_TEXT;
	*pretty = false;
	for (const char *p = format;; p++) {
		size_t n = strcspn(p, ",");
		bool found = n == 6 && strncmp(p, "pretty", n) == 0;

		*pretty |= found;
		for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (strlen(names[i]) != n || strncmp(p, names[i], n) != 0)
				continue;
			*style = i;
			found = true;
		}
		if (!found)
			return false;
		p += n;
		if (!*p)
			return !(*pretty && *style == DOC_JSONL);
	}
}

static struct doc_level *top(struct doc *d)
{
	return &d->level[d->depth - 1];
}

/* Lists have no brackets of their own in XML and HTML. */
static void newline(struct doc *d)
{
	int indent = d->style == DOC_JSON;

	for (unsigned int i = 1; i < d->depth; i++)
		indent += d->style == DOC_JSON || !d->level[i].is_list;
	if (d->pretty)
		fprintf(d->f, "%s%*s", d->is_empty ? "" : "\n", indent * 2, "");
	d->is_empty = false;
}

/* Writes the comma and the name before a member.  Returns the name of its element. */
static const char *member(struct doc *d, const char *name, bool is_container)
{
	struct doc_level *in = top(d);

	if (in->is_list)
		name = in->name;
	if (d->style == DOC_JSON && in->n)
		fputc(',', d->f);
	in->n++;
	newline(d);
	if (d->style == DOC_JSON && !in->is_list)
		fprintf(d->f, "\"%s\":%s", name, is_container || d->pretty ? " " : "");
	return name;
}

/* RFC 8259, 7 */
static void json_char(FILE *f, unsigned char c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *p = c ? strchr(plain, c) : NULL;

	if (p)
		fprintf(f, "\\%c", letters[p - plain]);
	else if (c < 0x20)
		fprintf(f, "\\u%04x", c);
	else
		fputc(c, f);
}

/* XML 1.0, 2.2 and 2.4: most control characters are not allowed, even as references. */
static void xml_char(FILE *f, unsigned char c)
{
	if (c == '<')
		fputs("&lt;", f);
	else if (c == '>')
		fputs("&gt;", f);
	else if (c == '&')
		fputs("&amp;", f);
	else if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r')
		fputc(c, f);
	else
		fputs("\xef\xbf\xbd", f);
}

/* U+FFFE and U+FFFF are not allowed in XML (2.2). */
static bool is_noncharacter(const char *s, size_t len)
{
	return len == 3 && memcmp(s, "\xef\xbf", 2) == 0 && (unsigned char)s[2] >= 0xbe;
}

static void escaped(struct doc *d, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t len = out_utf8_len(s + i, n - i);

		if (len == 0 || (d->style != DOC_JSON && is_noncharacter(s + i, len)))
			fputs("\xef\xbf\xbd", d->f); /* U+FFFD */
		else if (len > 1)
			fwrite(s + i, 1, len, d->f);
		else if (d->style == DOC_JSON)
			json_char(d->f, (unsigned char)s[i]);
		else
			xml_char(d->f, (unsigned char)s[i]);
		i += len ? len : 1;
	}
}

static void value(struct doc *d, const char *name, const char *s, size_t n, bool is_text)
{
	name = member(d, name, false);
	if (d->style == DOC_XML)
		fprintf(d->f, "<%s>", name);
	else if (d->style == DOC_HTML)
		fprintf(d->f, "<div class=\"data\" data-tag=\"%s\">", name);
	else if (is_text)
		fputc('"', d->f);
	escaped(d, s, n);
	if (d->style == DOC_XML)
		fprintf(d->f, "</%s>", name);
	else if (d->style == DOC_HTML)
		fputs("</div>", d->f);
	else if (is_text)
		fputc('"', d->f);
}

void doc_text(struct doc *d, const char *name, const char *s, size_t n)
{
	value(d, name, s, n, true);
}

void doc_str(struct doc *d, const char *name, const char *s)
{
	doc_text(d, name, s, strlen(s));
}

void doc_int(struct doc *d, const char *name, int64_t v)
{
	char text[32];

	value(d, name, text, (size_t)snprintf(text, sizeof(text), "%" PRId64, v), false);
}

void doc_uint(struct doc *d, const char *name, uint64_t v)
{
	char text[32];

	value(d, name, text, (size_t)snprintf(text, sizeof(text), "%" PRIu64, v), false);
}

void doc_word(struct doc *d, const char *name, const char *word)
{
	value(d, name, word, strlen(word), false);
}

void doc_thousandths(struct doc *d, const char *name, int64_t v)
{
	uint64_t n = v < 0 ? -(uint64_t)v : (uint64_t)v;
	char text[32];

	value(d, name, text,
	      (size_t)snprintf(text, sizeof(text), "%s%" PRIu64 ".%03u", v < 0 ? "-" : "", n / 1000,
			       (unsigned int)(n % 1000)),
	      false);
}

void doc_open(struct doc *d, const char *name, bool is_list)
{
	assert(d->depth < DOC_DEPTH);
	if (d->style == DOC_JSON) {
		name = member(d, name, true);
		fputc(is_list ? '[' : '{', d->f);
	} else if (is_list) {
		name = top(d)->is_list ? top(d)->name : name;
		top(d)->n++;
	} else {
		name = member(d, name, true);
		if (d->style == DOC_XML)
			fprintf(d->f, "<%s>", name);
		else
			fputs("<div class=\"line\">", d->f);
	}
	d->level[d->depth++] = (struct doc_level){.name = name, .is_list = is_list};
}

void doc_close(struct doc *d)
{
	struct doc_level was = *top(d);

	assert(d->depth > 1);
	d->depth--;
	if (d->style != DOC_JSON && was.is_list)
		return;
	if (was.n)
		newline(d);
	if (d->style == DOC_JSON)
		fputc(was.is_list ? ']' : '}', d->f);
	else if (d->style == DOC_XML)
		fprintf(d->f, "</%s>", was.name);
	else
		fputs("</div>", d->f);
}

void doc_begin(struct doc *d, FILE *f, enum doc_style style, bool pretty)
{
	*d = (struct doc){
	    .f = f, .style = style, .pretty = pretty, .is_empty = style != DOC_JSON, .depth = 1};
	if (style == DOC_JSON)
		fputc('{', f);
}

void doc_end(struct doc *d)
{
	while (d->depth > 1)
		doc_close(d);
	if (d->style == DOC_JSON)
		fputs(d->pretty ? "\n}" : "}", d->f);
	fputc('\n', d->f);
}
