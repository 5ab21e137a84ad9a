/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.c: see file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static bool is_link(const char *path, struct stat *st)
{
	return lstat(path, st) == 0 && S_ISLNK(st->st_mode);
}

bool file_is_foreign_link(const char *path)
{
	struct stat st;

	return is_link(path, &st) && st.st_uid != geteuid() && st.st_uid != 0;
}

FILE *file_open(const char *path, bool appends)
{
	struct stat st;
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), fd, err;
	FILE *f;

	/* What is no link now must not have become one when it is opened. */
	if (!is_link(path, &st)) {
		flags |= O_NOFOLLOW;
	} else if (st.st_uid != geteuid() && st.st_uid != 0) {
		errno = ELOOP;
		return NULL;
	}
	fd = open(path, flags, 0666);
	f = fd < 0 ? NULL : fdopen(fd, appends ? "a" : "w");
	if (!f && fd >= 0) {
		err = errno;
		close(fd);
		errno = err;
	}
	return f;
}

const char *file_why(void)
{
	return errno == ELOOP ? "it is a symbolic link of another user" : strerror(errno);
}
