// SPDX-License-Identifier: BSD-2-Clause
/*
 * switch.c: threads that are switched, moved and given priorities, and that count this themselves.
 *
 * usage: switch ping CPU N	two threads on one CPU pass a byte to and fro, N times
 *	  switch hogs CPU MS N	N threads each use MS milliseconds of one CPU
 *	  switch move N		a busy thread is moved between the first two CPUs, N times
 *	  switch yield CPU N	a real-time thread yields N times
 *	  switch pri		nice 5, real time 7, back, nice 5 again, nice 6 with the attributes
 *	  switch lend		a real-time thread waits for a lock with inheritance
 *
 * A thread calls getpgid(BEGINS) before it counts, and getpgid(ENDS) after it.  It repeats a call
 * until it was not switched between the two reads of its counters around the call.  So a tracer
 * that uses the last call of each kind sees what the thread sees.  Then it prints
 *	thread TID VOLUNTARY INVOLUNTARY TIMESLICES WAITED-NS RAN-NS TICKS
 *
 * from getrusage(2) and /proc/PID/task/TID/schedstat; TICKS is the run time in clock ticks.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BEGINS	0x7ffffff1
#define ENDS	0x7ffffff2
#define THREADS 8

struct count {
	long voluntary, involuntary;
	unsigned long long ran, waited, slices;
};

static int cpu, rounds, there[2], back[2];
static long ms;
static volatile bool is_over;

static void pin(int to)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(to, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		exit(1);
}

static struct count look(void)
{
	struct count c = {0};
	char path[64];
	struct rusage r;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", gettid());
	f = fopen(path, "r");
	if (!f || fscanf(f, "%llu %llu %llu", &c.ran, &c.waited, &c.slices) != 3)
		exit(1);
	fclose(f);
	getrusage(RUSAGE_THREAD, &r);
	c.voluntary = r.ru_nvcsw;
	c.involuntary = r.ru_nivcsw;
	return c;
}

static struct count mark(int what)
{
	struct count before, after;

	do {
		before = look();
		syscall(SYS_getpgid, what);
		after = look();
	} while (before.voluntary + before.involuntary != after.voluntary + after.involuntary);
	return after;
}

static void report(struct count a, struct count b)
{
	unsigned long long ran = b.ran - a.ran;
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	printf("thread %d %ld %ld %llu %llu %llu %llu\n", gettid(), b.voluntary - a.voluntary,
	       b.involuntary - a.involuntary, b.slices - a.slices, b.waited - a.waited, ran,
	       ran / (unsigned long long)tick.tv_nsec);
}

/* This thread reads and then writes; the other writes and then reads. */
static void *pong(void *arg)
{
	struct count begin;
	char c;

	pin(cpu);
	begin = mark(BEGINS);
	for (int i = 0; i < rounds; i++)
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			exit(1);
	report(begin, mark(ENDS));
	return NULL;
}

static void *ping(void *arg)
{
	struct count begin;
	char c = 0;

	pin(cpu);
	begin = mark(BEGINS);
	for (int i = 0; i < rounds; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	report(begin, mark(ENDS));
	return NULL;
}

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *hog(void *arg)
{
	struct count begin;

	pin(cpu);
	begin = mark(BEGINS);
	while (cpu_ms() < ms)
		;
	report(begin, mark(ENDS));
	return NULL;
}

static void *busy(void *arg)
{
	struct count begin = mark(BEGINS);

	while (!is_over)
		;
	report(begin, mark(ENDS));
	return NULL;
}

static void *yielder(void *arg)
{
	struct sched_param p = {.sched_priority = 7};
	struct count begin;

	pin(cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &p) != 0)
		exit(1);
	begin = mark(BEGINS);
	for (int i = 0; i < rounds; i++)
		sched_yield();
	report(begin, mark(ENDS));
	return NULL;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, NULL) != 0)
		exit(1);
	return t;
}

static void run_all(void *(*run)(void *), void *(*last)(void *), int n)
{
	pthread_t t[THREADS];

	for (int i = 0; i < n; i++)
		t[i] = start(i < n - 1 ? run : last);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

/* This thread is busy as well, so the other one waits in a queue when it is moved. */
static void move(void)
{
	pthread_t t = start(busy);
	cpu_set_t set;

	pin(0);
	for (int i = 0; i < rounds; i++) {
		long end = cpu_ms() + 2;

		CPU_ZERO(&set);
		CPU_SET(i % 2, &set);
		pthread_setaffinity_np(t, sizeof(set), &set);
		while (cpu_ms() < end)
			;
	}
	is_over = true;
	pthread_join(t, NULL);
}

static void priorities(void)
{
	struct sched_param rt = {.sched_priority = 7}, none = {0};
	struct {
		unsigned int size, policy;
		unsigned long long flags;
		int nice;
		unsigned int priority;
		unsigned long long deadline[3];
	} attr = {.size = sizeof(attr), .nice = 6};

	if (setpriority(PRIO_PROCESS, 0, 5) != 0 || sched_setscheduler(0, SCHED_FIFO, &rt) != 0 ||
	    sched_setscheduler(0, SCHED_OTHER, &none) != 0 ||
	    setpriority(PRIO_PROCESS, 0, 5) != 0 || syscall(SYS_sched_setattr, 0, &attr, 0) != 0)
		exit(1);
}

static pthread_mutex_t lock;

static void *borrower(void *arg)
{
	struct sched_param rt = {.sched_priority = 7};

	sched_setscheduler(0, SCHED_FIFO, &rt);
	printf("lender %d\n", gettid());
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void lend(void)
{
	pthread_mutexattr_t attr;
	pthread_t t;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &attr);
	pthread_mutex_lock(&lock);
	t = start(borrower);
	usleep(300000);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	cpu = argc > 3 ? atoi(argv[2]) : 0;
	rounds = argc > 2 ? atoi(argv[argc - 1]) : 0;
	if (pipe(there) != 0 || pipe(back) != 0)
		return 1;
	if (strcmp(what, "ping") == 0) {
		run_all(pong, ping, 2);
	} else if (strcmp(what, "hogs") == 0 && argc > 4 && rounds <= THREADS) {
		ms = atol(argv[3]);
		run_all(hog, hog, rounds);
	} else if (strcmp(what, "move") == 0) {
		move();
	} else if (strcmp(what, "yield") == 0) {
		run_all(yielder, yielder, 1);
	} else if (strcmp(what, "pri") == 0) {
		priorities();
	} else if (strcmp(what, "lend") == 0) {
		lend();
	} else {
		return 2;
	}
	return 0;
}
