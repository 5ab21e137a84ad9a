// SPDX-License-Identifier: BSD-2-Clause
/*
 * load.c: a traced program that knows its right result.
 *
 * usage: load calls N US	makes N steps with US microseconds between them; SIGTERM ends it
 *early load forks N		forks N children, which fork, execute this file again and end
 *
 * A step calls lseek(-1, i, SEEK_SET), which fails, fires chaos:::step, and adds to a sum.  At the
 * end "right" is printed, or "wrong" if the sum is not the sum of a formula.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

static volatile int is_over;

static void on_end(int sig)
{
	is_over = 1;
}

__attribute__((noipa)) long step(long i)
{
	syscall(SYS_lseek, -1, i, SEEK_SET);
	CHAOS_STEP(i);
	return i + 1;
}

static int calls(long n, long us)
{
	long i, sum = 0;

	signal(SIGTERM, on_end);
	for (i = 0; i < n && !is_over; i++) {
		sum += step(i);
		if (us)
			usleep(us);
	}
	puts(sum == i * (i + 1) / 2 ? "right" : "wrong");
	return 0;
}

__attribute__((noipa)) void deep(int n)
{
	if (n)
		deep(n - 1);
	else
		syscall(SYS_lseek, -1, n, SEEK_SET);
	__asm__ volatile("");
}

/* Each child walks another way: it ends at once, forks once more, or executes a file. */
static int forks(const char *path, long n)
{
	for (long i = 0; i < n; i++) {
		deep(i % 8);
		if (fork() != 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		deep(4);
		if (i % 3 == 1 && fork() == 0)
			deep(6);
		if (i % 3 == 2)
			execl(path, path, "calls", "3", "1000", NULL);
		usleep(i * 1000);
		deep(4);
		while (wait(NULL) > 0)
			;
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	return strcmp(argv[1], "forks") == 0 ? forks(argv[0], n) : calls(n, atol(argv[3]));
}
