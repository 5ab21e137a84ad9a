/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c: see event.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "print/out.h"
#include "timeline/event.h"

#define MANY (1 << 16) /* bytes that are worth a write */

bool timeline_file_open(struct timeline_file *t, const char *path, FILE *f)
{
	*t = (struct timeline_file){.to = f ? f : file_write(path, FILE_REPLACE), .is_own = !f};
	if (!t->to)
		return false;
	fflush(t->to);
	t->f = open_memstream(&t->s, &t->n);
	return t->f;
}

static bool is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/*
 * Makes the next write replace the tail.  A stream for appending is cut off, which a killed dtrace
 * might not follow up; nothing is cut off that others have written.
 */
static void take_tail(struct timeline_file *t)
{
	int fd = fileno(t->to);
	bool appends = fcntl(fd, F_GETFL) & O_APPEND;
	off_t begin = t->end - (off_t)strlen(t->tail);

	if (appends && lseek(fd, 0, SEEK_END) == t->end && ftruncate(fd, begin) != 0)
		return;
	if (!appends && lseek(fd, 0, SEEK_CUR) == t->end)
		lseek(fd, begin, SEEK_SET);
	t->end = 0;
}

/* Writes the text, and the tail at once, so that no reader sees the text without it. */
static void flush(struct timeline_out *out, struct timeline_file *t, bool has_tail)
{
	int fd = fileno(t->to);

	if (t->end)
		take_tail(t);
	if (has_tail)
		fputs(t->tail, t->f);
	fclose(t->f);
	if (!out->error)
		out->error = file_write_all(fd, t->s, t->n) ? 0 : errno;
	if (has_tail && is_regular(fd))
		t->end = lseek(fd, 0, SEEK_CUR);
	free(t->s);
	t->f = open_memstream(&t->s, &t->n);
}

void timeline_file_flush(struct timeline_out *out, struct timeline_file *t)
{
	if (ftello(t->f))
		flush(out, t, t->tail && is_regular(fileno(t->to)));
}

void timeline_file_end(struct timeline_out *out, struct timeline_file *t)
{
	timeline_file_flush(out, t);
	if (!t->end && t->tail)
		flush(out, t, true);
	t->end = 0;
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
