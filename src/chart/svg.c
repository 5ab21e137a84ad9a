/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svg.c: see svg.h.
 */
#include <string.h>

#include "base/buf.h"
#include "print/out.h"
#include "chart/svg.h"

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
		buf_puts(b, "...");
}

void svg_begin(struct buf *b, const struct svg *s)
{
	unsigned int height = s->height + (s->is_file ? SVG_HEAD : 0);

	if (s->is_file)
		buf_puts(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			    "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n");
	buf_printf(b,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture %s\" width=\"1200\" "
		   "height=\"%u\" role=\"img\" aria-label=\"",
		   s->class, height);
	svg_str(b, s->title);
	buf_puts(b, "\">\n");
	if (!s->is_file)
		return;
	buf_puts(b, "<style><![CDATA[\n");
	buf_puts(b, web_picture_css);
	buf_puts(b, "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
		    "<text class=\"head\" x=\"8\" y=\"20\">");
	svg_short(b, s->title, 200);
	buf_puts(b, "</text>\n");
	if (s->note) {
		buf_puts(b, "<text class=\"note\" x=\"8\" y=\"38\">");
		svg_str(b, s->note);
		buf_puts(b, "</text>\n");
	}
	buf_printf(b, "<svg class=\"body\" y=\"%d\" width=\"100%%\" height=\"%u\">\n", SVG_HEAD,
		   s->height);
}

void svg_end(struct buf *b, const struct svg *s)
{
	if (s->is_file) {
		buf_puts(b, "</svg>\n<script><![CDATA[\n");
		buf_puts(b, web_picture_js);
		buf_puts(b, "]]></script>\n");
	}
	buf_puts(b, "</svg>\n");
}
