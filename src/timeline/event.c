/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c: see event.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "print/out.h"
#include "timeline/event.h"

#define MANY (1 << 16) /* bytes that are worth a write */

bool timeline_file_open(struct timeline_file *t, const char *path, FILE *f)
{
	*t = (struct timeline_file){.to = f ? f : file_open(path, false), .is_own = !f};
	if (!t->to)
		return false;
	fflush(t->to);
	t->f = open_memstream(&t->s, &t->n);
	return t->f;
}

/* Writes all bytes.  Returns 0, or the error. */
static int write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t written = write(fd, s, n);

		if (written < 0 && errno != EINTR)
			return errno;
		s += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

void timeline_file_flush(struct timeline_out *out, struct timeline_file *t)
{
	if (!ftello(t->f))
		return;
	fclose(t->f);
	if (!out->error)
		out->error = write_all(fileno(t->to), t->s, t->n);
	free(t->s);
	t->f = open_memstream(&t->s, &t->n);
}

void timeline_file_event_ends(struct timeline_out *out, struct timeline_file *t)
{
	if (ftello(t->f) >= MANY)
		timeline_file_flush(out, t);
}

void timeline_file_close(struct timeline_file *t)
{
	fclose(t->f);
	free(t->s);
	if (t->is_own)
		fclose(t->to);
}

void timeline_utf8(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t len = s[i] ? out_utf8_len(s + i, n - i) : 0;

		if (len)
			buf_add(b, s + i, len);
		else
			buf_puts(b, "\xef\xbf\xbd");
		i += len ? len : 1;
	}
}
