// SPDX-License-Identifier: BSD-2-Clause
/*
 * jit.c: makes two functions, writes their names to /tmp/perf-PID.map, and calls them.  They call
 * back, and a system call is made.  The second function is made half a second after the call of
 * the first, and after somebody has opened the file, if others open it.
 *
 * usage: jit own	the file is an ordinary one
 *	  jit late	it is made after a first call of the first function
 *	  jit memfd	as own, but the functions are in a memfd, where .NET has its functions
 *	  jit link	it is a link to one
 *	  jit other	it belongs to another user
 *	  jit pipe	it is a pipe
 *
 * The file is removed at the end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

/* A function that makes a frame, calls its argument, and returns. */
#if defined(__x86_64__)
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
#elif defined(__aarch64__)
static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
#endif

static char path[64], target[80];
static const struct timespec nap = {.tv_nsec = 500000000};
static struct pollfd reads = {.fd = -1, .events = POLLIN};

static __attribute__((noipa)) void back(void)
{
	umask(022);
}

static void tell(const char *name, const void *at)
{
	FILE *f = fopen(path, "a");

	if (!f)
		exit(1);
	fprintf(f, "%lx %zx %s\n", (unsigned long)at, sizeof(code), name);
	fclose(f);
}

static void watch(void)
{
	reads.fd = inotify_init1(IN_CLOEXEC);
	inotify_add_watch(reads.fd, path, IN_OPEN | IN_DONT_FOLLOW);
}

static void call(char *at, const char *name, const char *kind)
{
	void (*made)(void (*)(void));

	memcpy(at, code, sizeof(code));
	__builtin___clear_cache(at, at + sizeof(code));
	memcpy(&made, &at, sizeof(made));
	if (strcmp(kind, "late") == 0 && reads.fd < 0) {
		made(back);
		nanosleep(&nap, NULL);
	}
	if (strcmp(kind, "pipe") != 0)
		tell(name, at);
	if (reads.fd < 0)
		watch();
	made(back);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "own";
	int file = -1;
	char *page;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	snprintf(target, sizeof(target), "%s.target", path);
	/* Before there is code that needs a name. */
	if ((strcmp(kind, "link") == 0 && symlink(target, path) != 0) ||
	    (strcmp(kind, "pipe") == 0 && mkfifo(path, 0600) != 0) ||
	    (strcmp(kind, "other") == 0 &&
	     (close(creat(path, 0600)) != 0 || chown(path, 65534, 65534) != 0)))
		return 1;
	if (strcmp(kind, "memfd") == 0) {
		file = memfd_create("code", 0);
		if (ftruncate(file, 4096) != 0)
			return 1;
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
	if (page == MAP_FAILED)
		return 1;
	call(page, "made first:1", kind);
	if (strcmp(kind, "own") == 0 || strcmp(kind, "late") == 0 || file >= 0)
		poll(&reads, 1, 20000);
	nanosleep(&nap, NULL);
	call(page + 64, "made_second", kind);
	unlink(path);
	unlink(target);
	return 0;
}
