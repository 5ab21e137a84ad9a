// SPDX-License-Identifier: BSD-2-Clause
/*
 * calls.c: a known number of system calls for aggregations to count.
 *
 * usage: calls N KEYS [THREADS]
 *
 * Each thread makes N calls lseek(-1, key, SEEK_SET), which fail, with the keys 0 to KEYS-1 in
 * turn.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
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
