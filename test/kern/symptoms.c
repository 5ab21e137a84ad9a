/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symptoms.c MODE: a broken program for symptoms.t.  The program prints "ready", waits for the end
 * of its input, misbehaves, prints "done" with its own count, and waits until a signal ends it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAITS	 20
#define SESSIONS 60
#define FILES	 30

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t turn;
static volatile int is_locked;
void *sessions[SESSIONS];

/* Returns true if the first thread sleeps. */
static int is_asleep(void)
{
	char state = 0;
	FILE *file = fopen("/proc/self/stat", "r");

	if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
		exit(1);
	fclose(file);
	return state == 'S';
}

/* Holds the lock for 10 ms after the other thread has begun to wait. */
__attribute__((noinline)) void *hold_lock(void *arg)
{
	for (int i = 0; i < WAITS; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&turn);
		while (!is_locked || !is_asleep())
			usleep(100);
		usleep(10000);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&turn);
	}
	return arg;
}

__attribute__((noinline)) void wait_for_lock(void)
{
	for (int i = 0; i < WAITS; i++) {
		pthread_barrier_wait(&turn);
		is_locked = 1;
		pthread_mutex_lock(&lock);
		is_locked = 0;
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&turn);
	}
}

static unsigned long locks(void)
{
	pthread_t holder;

	pthread_barrier_init(&turn, NULL, 2);
	if (pthread_create(&holder, NULL, hold_lock, NULL) != 0)
		exit(1);
	wait_for_lock();
	pthread_join(holder, NULL);
	return WAITS;
}

__attribute__((noinline)) void forget_session(int i)
{
	sessions[i] = malloc(1000);
}

__attribute__((noinline)) void use_buffer(void)
{
	void *volatile p = malloc(5000);

	free(p);
}

static unsigned long memory(void)
{
	for (int i = 0; i < SESSIONS; i++) {
		forget_session(i);
		use_buffer();
	}
	return SESSIONS * 1000;
}

__attribute__((noinline)) void forget_file(void)
{
	if (open("/etc/passwd", O_RDONLY) < 0)
		exit(1);
}

__attribute__((noinline)) void read_file(void)
{
	close(open("/etc/passwd", O_RDONLY));
}

static unsigned long files(void)
{
	for (int i = 0; i < FILES; i++) {
		forget_file();
		read_file();
	}
	return FILES;
}

int main(int argc, char **argv)
{
	const char *mode = argc == 2 ? argv[1] : "";
	unsigned long count = 0;
	char byte;

	printf("ready\n");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	if (strcmp(mode, "locks") == 0)
		count = locks();
	else if (strcmp(mode, "memory") == 0)
		count = memory();
	else if (strcmp(mode, "files") == 0)
		count = files();
	printf("done %lu\n", count);
	fflush(stdout);
	pause();
	return 0;
}
