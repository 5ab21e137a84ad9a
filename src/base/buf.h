/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buf.h: a growing byte string, always NUL-terminated, for building text.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *s; /* NULL while empty; s[n] is NUL otherwise */
	size_t n, cap;
};

void buf_free(struct buf *b);
void buf_reset(struct buf *b); /* length 0, memory kept */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t n); /* n times c */
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
/* reads the rest of a file; returns false with errno set */
bool buf_read(struct buf *b, int fd);
const char *buf_str(const struct buf *b); /* "" while empty */

/* Adds a character of Unicode in UTF-8. */
void buf_put_char(struct buf *b, uint32_t c);

/* Replaces control characters by question marks, so that a terminal does not obey them. */
void buf_clean(char *text);

#endif
