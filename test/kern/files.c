/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.c: test-files DIRECTORY: works on files in an empty directory, with one system call for
 * each operation, and then prints how many of each it made.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	OPEN,
	CREATE,
	CLOSE,
	READ,
	WRITE,
	MKDIR,
	RMDIR,
	REMOVE,
	RENAME,
	LINK,
	SYMLINK,
	READLINK,
	GETATTR,
	SETATTR,
	FSYNC,
	READDIR,
	IOCTL,
	MKNOD,
	RECLAIM,
	LOOKUP,
	COUNTS
};

static const char *const names[] = {
    "vop_open",	   "vop_create",   "vop_close",	  "vop_read",	 "vop_write",
    "vop_mkdir",   "vop_rmdir",	   "vop_remove",  "vop_rename",	 "vop_link",
    "vop_symlink", "vop_readlink", "vop_getattr", "vop_setattr", "vop_fsync",
    "vop_readdir", "vop_ioctl",	   "vop_mknod",	  "vop_reclaim", "lookup",
};

static unsigned int counts[COUNTS];

/* Counts an operation that looked up this number of paths. */
static void did(int what, int paths, long result)
{
	if (result < 0) {
		perror(names[what]);
		exit(1);
	}
	counts[what]++;
	counts[LOOKUP] += (unsigned int)paths;
}

static const char *name(const char *kind, int n)
{
	static char text[4][32];
	static int last;

	last = (last + 1) % 4;
	snprintf(text[last], sizeof(text[last]), "%s%d", kind, n);
	return text[last];
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	did(OPEN, 1, fd);
	return fd;
}

static void close_file(int fd)
{
	did(CLOSE, 0, close(fd));
}

static void missing(void)
{
	for (int i = 0; i < 30; i++)
		counts[LOOKUP] += access(name("missing", i), F_OK) != 0;
	for (int i = 0; i < 20; i++)
		counts[LOOKUP] += access("missing0", F_OK) != 0;
}

static void contents(void)
{
	char data[10] = "123456789";
	struct iovec parts[2] = {{data, 5}, {data + 5, 5}};
	struct stat st;
	int fd;

	for (int i = 0; i < 25; i++) {
		fd = open_file(name("new", i), O_CREAT | O_RDWR);
		counts[CREATE]++;
		did(WRITE, 0, i % 2 ? write(fd, data, sizeof(data)) : writev(fd, parts, 2));
		if (i < 3)
			did(FSYNC, 0, fsync(fd));
		if (i < 4)
			did(SETATTR, 0, fchmod(fd, 0640));
		if (i < 5)
			did(GETATTR, 0, syscall(SYS_fstat, fd, &st));
		close_file(fd);
	}
	for (int i = 0; i < 40; i++) {
		fd = open_file("new0", O_RDONLY);
		for (int j = 0; j < 2; j++)
			did(READ, 0, pread(fd, data, sizeof(data), 0));
		did(READ, 0, readv(fd, parts, 2));
		/* A request that no file system knows. */
		did(IOCTL, 0, ioctl(fd, _IO('z', 99)) == -1 ? 0 : -1);
		close_file(fd);
	}
}

static void links(void)
{
	char data[64];
	struct stat st;

	for (int i = 0; i < 10; i++)
		did(RENAME, 2, rename(name("new", i), name("moved", i)));
	for (int i = 0; i < 5; i++)
		did(LINK, 2, link("moved0", name("link", i)));
	for (int i = 0; i < 6; i++)
		did(SYMLINK, 1, symlink("moved0", name("symlink", i)));
	for (int i = 0; i < 4; i++)
		did(MKNOD, 1, mknod(name("fifo", i), S_IFIFO | 0600, 0));
	for (int i = 0; i < 6; i++)
		did(READLINK, 1, readlink(name("symlink", i), data, sizeof(data)));
	for (int i = 0; i < 9; i++)
		did(GETATTR, 1, lstat(name("moved", i), &st));
}

static void directories(void)
{
	char data[4096];
	struct stat st;
	long n = 1;
	int fd;

	for (int i = 0; i < 12; i++)
		did(MKDIR, 1, mkdir(name("dir", i), 0700));
	fd = open_file("dir0", O_RDONLY | O_DIRECTORY);
	did(GETATTR, 1, fstatat(fd, "../dir1", &st, 0));
	did(GETATTR, 1, fstatat(fd, ".", &st, 0));
	close_file(fd);
	fd = open_file(".", O_RDONLY | O_DIRECTORY);
	while (n > 0)
		did(READDIR, 0, n = syscall(SYS_getdents64, fd, data, sizeof(data)));
	close_file(fd);
	for (int i = 0; i < 12; i++)
		did(RMDIR, 1, rmdir(name("dir", i)));
	counts[RECLAIM] += 12;
}

static void removals(void)
{
	for (int i = 0; i < 25; i++)
		did(REMOVE, 1, unlink(i < 10 ? name("moved", i) : name("new", i)));
	for (int i = 0; i < 5; i++)
		did(REMOVE, 1, unlink(name("link", i)));
	for (int i = 0; i < 6; i++)
		did(REMOVE, 1, unlink(name("symlink", i)));
	for (int i = 0; i < 4; i++)
		did(REMOVE, 1, unlink(name("fifo", i)));
	counts[RECLAIM] += 25 + 6 + 4;
}

int main(int argc, char **argv)
{
	char text[1024];
	int n = 0;

	if (argc != 2 || chdir(argv[1]) != 0)
		return 1;
	counts[LOOKUP]++;
	missing();
	contents();
	links();
	directories();
	removals();
	counts[WRITE]++;
	for (int i = 0; i < COUNTS; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "did %s %u\n", names[i],
			      counts[i]);
	return write(STDOUT_FILENO, text, (size_t)n) != n;
}
