/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buf.h: a growing byte string, always NUL-terminated, for building text.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

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
bool buf_read(struct buf *b, int fd);	  /* all that is left of a file; false: errno says why */
const char *buf_str(const struct buf *b); /* "" while empty */

/* Replaces control characters, which a terminal would obey, by question marks. */
void buf_clean(char *text);

#endif
