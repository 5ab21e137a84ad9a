/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svg.c: see svg.h.
 */
#include <string.h>

#include "base/buf.h"
#include "chart/svg.h"
#include "print/out.h"

#define TITLE	130 /* characters of a title that fit */
#define LETTERS 165 /* the same of a line below it */
#define LINE	18  /* pixels of a line */

void svg_text(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '&')
			buf_puts(b, "&amp;");
		else if (s[i] == '<')
			buf_puts(b, "&lt;");
		else if (s[i] == '>')
			buf_puts(b, "&gt;");
		else if (s[i] == '"')
			buf_puts(b, "&quot;");
		else
			buf_putc(b, s[i]);
	}
}

void svg_str(struct buf *b, const char *s)
{
	svg_text(b, s, strlen(s));
}

void svg_short(struct buf *b, const char *s, size_t max)
{
	size_t all = strlen(s), n = 0;

	while (n < all && max--) {
		size_t len = out_utf8_len(s + n, all - n);

		n += len ? len : 1;
	}
	svg_text(b, s, n);
	if (n < all)
		buf_puts(b, "\xe2\x80\xa6"); /* U+2026 */
}

/* Returns the bytes of the first line of a text, which ends at a blank if possible. */
static size_t line_of(const char *s)
{
	size_t n = 0, blank = 0;

	for (unsigned int chars = 0; s[n] && chars < LETTERS; chars++) {
		size_t len = out_utf8_len(s + n, strlen(s + n));

		blank = s[n] == ' ' ? n : blank;
		n += len ? len : 1;
	}
	return s[n] && blank ? blank : n;
}

/* Appends a text in lines below y.  Returns the position of the last one. */
static unsigned int put_lines(struct buf *b, const char *class, const char *text, unsigned int y)
{
	while (text && *text) {
		size_t n = line_of(text);

		y += LINE;
		buf_printf(b, "<text class=\"%s\" x=\"8\" y=\"%u\">", class, y);
		svg_text(b, text, n);
		buf_puts(b, "</text>\n");
		text += n + strspn(text + n, " ");
	}
	return y;
}

/* Appends the heading.  Returns its pixels. */
static unsigned int put_head(struct buf *b, const struct svg *s)
{
	unsigned int y = 20;

	buf_printf(b, "<text class=\"head\" x=\"8\" y=\"%u\">", y);
	svg_short(b, s->title, TITLE);
	buf_puts(b, "</text>\n");
	y = put_lines(b, "about", s->about, y);
	y = put_lines(b, "note", s->note, y);
	return y + LINE / 2;
}

void svg_begin(struct buf *b, const struct svg *s)
{
	struct buf head = {0};
	unsigned int y = s->is_file ? put_head(&head, s) : 0;

	if (s->is_file)
		buf_puts(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			    "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n");
	buf_printf(b,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture %s\" width=\"%d\" "
		   "height=\"%u\" role=\"img\" aria-label=\"",
		   s->class, SVG_WIDTH, y + s->height);
	svg_str(b, s->title);
	buf_puts(b, "\">\n");
	if (s->is_file) {
		buf_puts(b, "<style><![CDATA[\n");
		buf_puts(b, web_picture_css);
		buf_puts(b, "]]></style>\n"
			    "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
		buf_add(b, head.s, head.n);
		buf_printf(b, "<svg class=\"body\" y=\"%u\" width=\"100%%\" height=\"%u\">\n", y,
			   s->height);
	}
	buf_free(&head);
}

void svg_end(struct buf *b, const struct svg *s)
{
	if (s->is_file) {
		buf_puts(b, "</svg>\n<script><![CDATA[\n");
		if (s->is_flame)
			buf_puts(b, web_stacks_js);
		buf_puts(b, web_picture_js);
		buf_puts(b, "]]></script>\n");
	}
	buf_puts(b, "</svg>\n");
}
