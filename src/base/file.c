/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.c: see file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

static bool is_link(const char *path, bool *is_foreign)
{
	struct stat st;

	if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
		return false;
	*is_foreign = st.st_uid != geteuid() && st.st_uid != 0;
	return true;
}

bool file_is_foreign_link(const char *path)
{
	bool is_foreign;

	return is_link(path, &is_foreign) && is_foreign;
}

/* Returns a stream that owns fd; NULL: fd is no descriptor, or there is no memory. */
static FILE *stream(int fd, const char *mode)
{
	FILE *f = fd < 0 ? NULL : fdopen(fd, mode);
	int err;

	if (!f && fd >= 0) {
		err = errno;
		close(fd);
		errno = err;
	}
	return f;
}

FILE *file_open(const char *path, bool appends)
{
	bool is_foreign;
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC);

	if (!is_link(path, &is_foreign)) {
		/* Another user might replace the file by a link before open(). */
		flags |= O_NOFOLLOW;
	} else if (is_foreign) {
		errno = ELOOP;
		return NULL;
	}
	return stream(open(path, flags, 0666), appends ? "a" : "w");
}

bool file_is_numbered(const char *path)
{
	return strstr(path, "%n") != NULL;
}

FILE *file_open_next(const char *path, unsigned int *number)
{
	const char *at = strstr(path, "%n");
	struct buf name = {0};
	int fd;

	do {
		name.n = 0;
		buf_add(&name, path, (size_t)(at - path));
		buf_printf(&name, "%u%s", ++*number, at + 2);
		fd = open(buf_str(&name), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST);
	buf_free(&name);
	return stream(fd, "a");
}

const char *file_why(void)
{
	return errno == ELOOP ? "it is a symbolic link of another user" : strerror(errno);
}
