/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plocks.c: takes locks of the C library in every way, and prints the count of each operation.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS	200

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER, nested;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static unsigned int nbusy, nturns;
static volatile int turn;

/* Each thread tries first, to count how often the mutex was not free. */
static void *contend(void *arg)
{
	struct timespec pause = {.tv_nsec = 1000};

	for (int i = 0; i < ROUNDS; i++) {
		if (pthread_mutex_trylock(&shared) != 0) {
			__atomic_add_fetch(&nbusy, 1, __ATOMIC_RELAXED);
			pthread_mutex_lock(&shared);
		}
		nanosleep(&pause, NULL);
		pthread_mutex_unlock(&shared);
	}
	return arg;
}

static void *take_held(void *arg)
{
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
	pthread_rwlock_wrlock(&rw);
	pthread_rwlock_unlock(&rw);
	return arg;
}

static void *wait_turn(void *arg)
{
	pthread_mutex_lock(&held);
	while (!turn) {
		nturns++;
		pthread_cond_wait(&cond, &held);
	}
	pthread_mutex_unlock(&held);
	return arg;
}

static void run(void *(*f)(void *), pthread_t *t)
{
	if (pthread_create(t, NULL, f, NULL) != 0)
		exit(1);
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attr;
	pthread_t t[THREADS];

	/* With an argument, repeat until killed. */
	do {
		for (int i = 0; i < THREADS; i++)
			run(contend, &t[i]);
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
	} while (argc > 1);

	/* A thread sleeps for each of the two locks. */
	pthread_mutex_lock(&held);
	pthread_rwlock_rdlock(&rw);
	run(take_held, t);
	usleep(300000);
	pthread_mutex_unlock(&held);
	usleep(300000);
	pthread_rwlock_unlock(&rw);
	pthread_join(t[0], NULL);

	run(wait_turn, t);
	usleep(300000);
	pthread_mutex_lock(&held);
	turn = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&held);
	pthread_join(t[0], NULL);

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&nested, &attr);
	for (int i = 0; i < 3; i++)
		pthread_mutex_lock(&nested);
	for (int i = 0; i < 3; i++)
		pthread_mutex_unlock(&nested);
	printf("addresses %llu %llu %llu %llu\n", (unsigned long long)&shared,
	       (unsigned long long)&held, (unsigned long long)&nested, (unsigned long long)&rw);
	printf("counts %d %u %u\n", THREADS * ROUNDS, nbusy, nturns);
	return 0;
}
