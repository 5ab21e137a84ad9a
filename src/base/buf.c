/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buf.c: a growing byte string.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static void room(struct buf *b, size_t more)
{
	size_t cap = (b->n + more + 1) * 2;

	if (b->n + more + 1 > b->cap) {
		b->s = mem_realloc(b->s, cap);
		b->cap = cap;
	}
}

void buf_free(struct buf *b)
{
	mem_free(b->s);
	memset(b, 0, sizeof(*b));
}

void buf_reset(struct buf *b)
{
	b->n = 0;
	if (b->s)
		b->s[0] = '\0';
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	room(b, n);
	if (n)
		memcpy(b->s + b->n, p, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_pad(struct buf *b, char c, size_t n)
{
	room(b, n);
	memset(b->s + b->n, c, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	room(b, (size_t)n);
	vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

const char *buf_str(const struct buf *b)
{
	return b->s ? b->s : "";
}

#define READ_SIZE (64 << 10) /* bytes of one read */

bool buf_read(struct buf *b, int fd)
{
	ssize_t n;

	do {
		room(b, READ_SIZE);
		n = read(fd, b->s + b->n, READ_SIZE);
		if (n > 0)
			b->n += (size_t)n;
		b->s[b->n] = '\0';
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n == 0;
}

void buf_put_char(struct buf *b, uint32_t c)
{
	unsigned int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};

	buf_putc(b, (char)(first[more] | (uint8_t)(c >> (6 * more))));
	while (more--)
		buf_putc(b, (char)(0x80 | (c >> (6 * more) & 0x3f)));
}

void buf_clean(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}
