// SPDX-License-Identifier: BSD-2-Clause
/*
 * locks.c: threads that compete for locks of the kernel.
 *
 * usage: locks N THREADS
 *
 * Each of the threads N times maps, touches and unmaps memory (a rw_semaphore), writes to a pipe
 * and reads as much (a mutex), and makes and closes a file descriptor (a spin lock).  All begin
 * together.  The program prints their numbers.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS_MAX 64
#define CHUNK	    16384

static long rounds;
static int ends[2];
static pthread_barrier_t barrier;

static void one_round(void)
{
	char chunk[CHUNK] = {0};
	char *p = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	*p = 1;
	munmap(p, CHUNK);
	if (write(ends[1], chunk, CHUNK) != CHUNK || read(ends[0], chunk, CHUNK) < 1)
		exit(1);
	close(dup(ends[0]));
}

static void *run(void *arg)
{
	printf("thread %d\n", gettid());
	pthread_barrier_wait(&barrier);
	for (long i = 0; i < rounds; i++)
		one_round();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (n < 1 || n > THREADS_MAX) {
		fprintf(stderr, "usage: locks N THREADS\n");
		return 2;
	}
	rounds = atol(argv[1]);
	if (pipe(ends) || fcntl(ends[0], F_SETPIPE_SZ, 1 << 20) < 0 ||
	    pthread_barrier_init(&barrier, NULL, n))
		return 1;
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
