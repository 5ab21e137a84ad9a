/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leaks.c: a program that keeps memory and descriptors, and gives others back.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *kept[64];
static unsigned int nkept;

static void keep(void *p)
{
	kept[nkept++] = p;
}

__attribute__((noinline)) void keep_malloc(void)
{
	for (int i = 0; i < 10; i++)
		keep(malloc(100));
}

__attribute__((noinline)) void keep_calloc(void)
{
	for (int i = 0; i < 5; i++)
		keep(calloc(3, 7));
}

__attribute__((noinline)) void keep_realloc(void)
{
	void *volatile p = malloc(10);

	for (size_t n = 20; n <= 5000; n = n < 2500 ? 2 * n : n + 2500)
		p = realloc(p, n);
	keep(realloc(p, 5000));
}

__attribute__((noinline)) void keep_aligned(void)
{
	void *p = NULL;

	if (posix_memalign(&p, 64, 4096) == 0)
		keep(p);
	free(aligned_alloc(64, 192));
}

__attribute__((noinline)) void keep_nothing(void)
{
	for (int i = 0; i < 1000; i++) {
		void *volatile p = malloc((size_t)i + 1);

		free(realloc(p, 3000));
		free(NULL);
	}
}

__attribute__((noinline)) void keep_files(void)
{
	for (int i = 0; i < 7; i++)
		open("/etc/passwd", O_RDONLY);
	for (int i = 0; i < 20; i++)
		close(open("/etc/passwd", O_RDONLY));
}

__attribute__((noinline)) void keep_pipe(void)
{
	int pair[2];

	if (pipe(pair) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
		close(pair[0]);
		close(pair[1]);
	}
}

__attribute__((noinline)) void keep_copies(void)
{
	int fd = dup(0);

	for (int i = 0; i < 3; i++)
		dup2(0, fd);
	dup2(fd, fd);
}

int main(void)
{
	keep_malloc();
	keep_calloc();
	keep_realloc();
	keep_aligned();
	keep_nothing();
	keep_files();
	keep_pipe();
	keep_copies();
	return 0;
}
