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
 * Makes 11 calls with numbers that no system call has, and takes 5 signals with a handler.  The
 * kernel reports their return without a number.
 *
 * usage: calls interrupted
 *
 * Signals interrupt read(), pause(), nanosleep() and rt_sigsuspend().  Prints how many of these
 * fail with EINTR.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
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

/*
 * SIGALRM comes every 20 ms, so a call that begins after the first signal does not wait forever.
 */
static int run_interrupted(void)
{
	struct sigaction action = {.sa_handler = handler};
	struct itimerval timer = {{0, 20000}, {0, 20000}};
	struct timespec time = {10, 0};
	sigset_t none;
	int fds[2], n = 0;
	char c;

	sigemptyset(&none);
	if (pipe(fds) != 0 || sigaction(SIGALRM, &action, NULL) != 0 ||
	    setitimer(ITIMER_REAL, &timer, NULL) != 0)
		return 1;
	n += read(fds[0], &c, 1) < 0 && errno == EINTR;
	n += pause() < 0 && errno == EINTR;
	n += syscall(SYS_nanosleep, &time, NULL) < 0 && errno == EINTR;
	n += sigsuspend(&none) < 0 && errno == EINTR;
	printf("interrupted %d\n", n);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	if (argc == 2 && strcmp(argv[1], "nosuch") == 0)
		return run_nosuch();
	if (argc == 2 && strcmp(argv[1], "interrupted") == 0)
		return run_interrupted();

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
