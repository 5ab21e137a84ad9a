// SPDX-License-Identifier: BSD-2-Clause
/*
 * calls.c: a known number of system calls for aggregations to count.
 *
 * usage: calls N KEYS [THREADS]
 *
 * Each thread makes N calls lseek(-1, key, SEEK_SET), which fail, with the keys 0 to KEYS-1 in
 * turn.
 *
 * usage: calls nosuch
 *
 * 11 calls of numbers that no call has, and 5 signals with a handler, whose return the kernel
 * reports without a number.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS_MAX 64

static long ncalls, nkeys;

static void *run(void *arg)
{
	for (long i = 0; i < ncalls; i++)
		syscall(SYS_lseek, -1, i % nkeys, SEEK_SET);
	return NULL;
}

static void handler(int signal)
{
}

static int run_nosuch(void)
{
	for (int i = 0; i < 4; i++)
		syscall(600);
	for (int i = 0; i < 7; i++)
		syscall(-1);
	signal(SIGUSR1, handler);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	if (argc == 2 && strcmp(argv[1], "nosuch") == 0)
		return run_nosuch();

	int n = argc > 3 ? atoi(argv[3]) : 1;

	if (argc < 3 || n < 1 || n > THREADS_MAX) {
		fprintf(stderr, "usage: calls N KEYS [THREADS]\n");
		return 2;
	}
	ncalls = atol(argv[1]);
	nkeys = atol(argv[2]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
