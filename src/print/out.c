/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.c: the text back ends and the primitives over them.
 *
 * A failed write is counted and remembered, and tracing continues.  After out_flush() the caller
 * decides whether a full disk ends the run.  A record of usual size needs no allocation: formatted
 * text is built on the stack, and only overlong text goes through a buffer.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "print/out.h"

/*
 * A signal has interrupted a write that waited for its reader.  The next write would wait as well,
 * so nothing is written any more, not even at exit.
 */
static bool is_interrupted(const struct out *o)
{
	return o->error == -EINTR;
}

static int file_text(struct out *o, const char *s, size_t n)
{
	if (is_interrupted(o))
		return -EINTR;
	if (fwrite_unlocked(s, 1, n, o->dest) == n)
		return 0;
	return errno ? -errno : -EIO;
}

static int file_flush(struct out *o)
{
	if (is_interrupted(o)) {
		__fpurge(o->dest);
		return -EINTR;
	}
	return fflush(o->dest) ? -errno : 0;
}

static const struct out_backend file_backend = {.text = file_text, .flush = file_flush};

static int buf_text(struct out *o, const char *s, size_t n)
{
	buf_add(o->dest, s, n);
	return 0;
}

static int buf_flush(struct out *o)
{
	return 0;
}

static int dump_text(struct out *o, const char *s, size_t n)
{
	struct buf b = {0};
	int err;

	buf_printf(&b, "output, %zu bytes: \"", n);
	for (size_t i = 0; i < n; i++)
		out_escaped(&b, (unsigned char)s[i]);
	buf_puts(&b, "\"\n");
	err = file_text(o, b.s, b.n);
	buf_free(&b);
	return err;
}

static void dump_redirect(struct out *o, FILE *f)
{
	o->dest = f;
}

static const struct out_backend dump_backend = {
    .text = dump_text, .flush = file_flush, .redirect = dump_redirect};

static const struct out_backend buf_backend = {.text = buf_text, .flush = buf_flush};

static void init(struct out *o, const struct out_backend *back, void *dest)
{
	assert(dest);
	memset(o, 0, sizeof(*o));
	o->back = back;
	o->dest = dest;
	o->opts.stackindent = 14;
}

void out_init(struct out *o, FILE *f)
{
	init(o, &file_backend, f);
	o->is_terminal = isatty(fileno(f));
}

void out_dump(struct out *o)
{
	assert(o->back == &file_backend);
	o->back = &dump_backend;
}

void out_init_buf(struct out *o, struct buf *b)
{
	init(o, &buf_backend, b);
}

void out_redirect(struct out *o, FILE *f)
{
	assert(f);
	if (o->back->redirect) {
		o->back->redirect(o, f);
		return;
	}
	o->back = &file_backend;
	o->dest = f;
	o->is_terminal = isatty(fileno(f));
}

void out_redirect_buf(struct out *o, struct buf *b)
{
	o->back = &buf_backend;
	o->dest = b;
	o->is_terminal = false;
}

void out_finish(struct out *o)
{
	if (o->back->finish)
		o->back->finish(o);
}

void out_free(struct out *o)
{
	buf_free(&o->scratch);
}

struct buf *out_scratch(struct out *o)
{
	buf_reset(&o->scratch);
	return &o->scratch;
}

static void failed(struct out *o, int err)
{
	assert(err < 0);
	o->errors++;
	if (!o->error)
		o->error = err;
}

void out_own(struct out *o, const char *s, size_t n)
{
	int err = n ? o->back->text(o, s, n) : 0;

	if (err)
		failed(o, err);
}

/* Returns the length of the control character at the start of n > 0 bytes, except newline and tab;
 * 0: none.  Control characters from 128 on may also be single bytes. */
static size_t control_len(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] == 0xc2 && n > 1 && s[1] < 0xa0)
		return out_utf8_len(text, n);
	if (s[0] >= 0x80)
		return s[0] < 0xa0;
	return (s[0] < 0x20 && s[0] != '\n' && s[0] != '\t') || s[0] == 0x7f;
}

/* Returns the length of the text before the first control character. */
static size_t harmless_len(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && !control_len(s + i, n - i)) {
		size_t len = out_utf8_len(s + i, n - i);

		i += len ? len : 1;
	}
	return i;
}

void out_visible(struct buf *b, const char *s, size_t n)
{
	while (n) {
		size_t len = harmless_len(s, n);

		buf_add(b, s, len);
		s += len;
		n -= len;
		len = n ? control_len(s, n) : 0;
		for (size_t i = 0; i < len; i++)
			out_escaped(b, (unsigned char)s[i]);
		s += len;
		n -= len;
	}
}

static bool obeys(const struct out *o)
{
	return o->is_terminal || o->opts.visible;
}

void out_text(struct out *o, const char *s, size_t n)
{
	struct buf b = {0};

	if (!obeys(o) || harmless_len(s, n) == n) {
		out_own(o, s, n);
		return;
	}
	out_visible(&b, s, n);
	out_own(o, b.s, b.n);
	buf_free(&b);
}

void out_escaped(struct buf *b, unsigned char c)
{
	static const char letters[] = "0abfnrtv\"\\", codes[] = "\0\a\b\f\n\r\t\v\"\\";
	const char *p = memchr(codes, c, sizeof(codes) - 1);

	if (p)
		buf_printf(b, "\\%c", letters[p - codes]);
	else if (c >= 0x20 && c < 0x7f)
		buf_putc(b, (char)c);
	else
		buf_printf(b, "\\%03o", c);
}

void out_puts(struct out *o, const char *s)
{
	out_text(o, s, strlen(s));
}

void out_putc(struct out *o, char c)
{
	out_text(o, &c, 1);
}

void out_pad(struct out *o, char c, size_t n)
{
	char chunk[64];

	memset(chunk, c, n < sizeof(chunk) ? n : sizeof(chunk));
	for (; n > sizeof(chunk); n -= sizeof(chunk))
		out_text(o, chunk, sizeof(chunk));
	out_text(o, chunk, n);
}

void out_printf(struct out *o, const char *fmt, ...)
{
	char small[256];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0) {
		failed(o, -EINVAL);
		return;
	}
	if ((size_t)n < sizeof(small)) {
		out_text(o, small, (size_t)n);
		return;
	}
	struct buf b = {0};
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	out_text(o, buf_str(&b), b.n);
	buf_free(&b);
}

void out_field(struct out *o, const char *s, size_t n, int width, bool left)
{
	bool is_changed = obeys(o) && harmless_len(s, n) < n;
	struct buf b = {0};
	size_t pad;

	if (is_changed) {
		out_visible(&b, s, n);
		s = b.s;
		n = b.n;
	}
	pad = width > 0 && (size_t)width > n ? (size_t)width - n : 0;
	if (!left)
		out_pad(o, ' ', pad);
	out_own(o, s, n);
	if (left)
		out_pad(o, ' ', pad);
	buf_free(&b);
}

void out_utf8(struct out *o, uint32_t c)
{
	char s[4];

	if (c < 0x80) {
		out_putc(o, (char)c);
	} else if (c < 0x800) {
		s[0] = (char)(0xc0 | c >> 6);
		s[1] = (char)(0x80 | (c & 0x3f));
		out_text(o, s, 2);
	} else if (c < 0x10000) {
		s[0] = (char)(0xe0 | c >> 12);
		s[1] = (char)(0x80 | (c >> 6 & 0x3f));
		s[2] = (char)(0x80 | (c & 0x3f));
		out_text(o, s, 3);
	} else if (c < 0x110000) {
		s[0] = (char)(0xf0 | c >> 18);
		s[1] = (char)(0x80 | (c >> 12 & 0x3f));
		s[2] = (char)(0x80 | (c >> 6 & 0x3f));
		s[3] = (char)(0x80 | (c & 0x3f));
		out_text(o, s, 4);
	} else {
		out_putc(o, '?');
	}
}

size_t out_utf8_len(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] > 0xf4 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

int out_flush(struct out *o)
{
	int err = o->back->flush(o);

	if (err)
		failed(o, err);
	return o->error;
}
