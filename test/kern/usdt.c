// SPDX-License-Identifier: BSD-2-Clause
/*
 * usdt.c: a program with static probes, and with LIBRARY a library with one.
 *
 * usage: usdt calls N		fire each probe N times
 *	  usdt wait N		the same for each line of standard input
 *	  usdt fork K N		the same in each of K children, one after the other
 *	  usdt load FILE N	load a library and fire its probe N times
 *	  usdt again FILE N	the same, after loading and unloading it for 20 ms
 *	  usdt thread FILE N	the same in another thread, after a line of standard input
 *	  usdt memory FILE N	the same with a nameless copy of the library
 *	  usdt now N FILE...	load libraries, fire the probe of each N times at once
 *	  usdt forever FILE	load it, fire once, unload it, and so on; prints how often
 *	  usdt exec PROGRAM...	run it instead, after a line of standard input
 *
 * Prints "enabled N": how many times a probe was enabled.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

#include "usdt-lib.h"

static volatile int began;

__attribute__((noipa, constructor)) void begin_library(void)
{
	began++;
}

__attribute__((noipa)) int add(int i)
{
	return i + 1;
}

static inline __attribute__((always_inline)) void fire(int n)
{
	for (int i = 0; i < n; i++) {
		TESTLIB_LOADED(i);
		add(i);
	}
}

void fire_now(int n)
{
	fire(n);
}

/*
 * Waits until the probe is traced, for at most 10 seconds.  Before Linux 6.6 the kernel increments
 * the semaphore a moment before it attaches the program, and other probes can follow.
 */
void fire_loaded(int n)
{
	for (int i = 0; i < 10000 && !TESTLIB_LOADED_ENABLED(); i++)
		usleep(1000);
	usleep(500000);
	fire(n);
}

#else

typedef struct request {
	int size;
} request_t;

#ifdef CALLS

/* Functions that -G makes, as the headers of other systems declare them. */
extern void __dtrace_testprov___numbers(uint8_t, int8_t, uint16_t, short, unsigned, int, uint64_t,
					int64_t);
extern void __dtrace_testprov___text__done(int, const char *);
extern void __dtrace_testprov___asked(request_t *);
extern void __dtrace_testprov___many(int, int, int, int, int, int, int, int, int, int, int, int);
extern void __dtrace_testprov___twice(int);
extern void __dtrace_testprov___idle(void);
extern int __dtraceenabled_testprov___numbers(void);
#define TESTPROV_NUMBERS	 __dtrace_testprov___numbers
#define TESTPROV_TEXT_DONE	 __dtrace_testprov___text__done
#define TESTPROV_ASKED		 __dtrace_testprov___asked
#define TESTPROV_MANY		 __dtrace_testprov___many
#define TESTPROV_TWICE		 __dtrace_testprov___twice
#define TESTPROV_IDLE		 __dtrace_testprov___idle
#define TESTPROV_NUMBERS_ENABLED __dtraceenabled_testprov___numbers

#else

#include "usdt.h"

#endif

static int enabled;

static __attribute__((noinline)) void fire(int i)
{
	static request_t request;

	request.size = i * 2;
	if (TESTPROV_NUMBERS_ENABLED())
		enabled++;
	TESTPROV_NUMBERS(200 + i, -100 - i, 60000 + i, -30000 - i, 4000000000U + i, -2000000000 - i,
			 0xffffffff00000000ULL + i, INT64_MIN + i);
	TESTPROV_TEXT_DONE(i, i & 1 ? "odd" : "even");
	TESTPROV_ASKED(&request);
	TESTPROV_MANY(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11);
	TESTPROV_TWICE(1);
	TESTPROV_TWICE(i + 2);
	TESTPROV_IDLE();
}

static void fire_all(const char *n)
{
	for (int i = 0; i < atoi(n); i++)
		fire(i);
}

/* A static program loads nothing. */
static void *load_and(const char *func, const char *file, int n)
{
#ifndef STATIC
	void *lib = dlopen(file, RTLD_NOW);
	void (*fire_lib)(int) = lib ? (void (*)(int))(uintptr_t)dlsym(lib, func) : NULL;

	if (!fire_lib) {
		fprintf(stderr, "usdt: %s\n", dlerror());
		exit(1);
	}
	fire_lib(n);
	return lib;
#else
	return NULL;
#endif
}

static void load(const char *file, const char *n)
{
	load_and("fire_loaded", file, atoi(n));
}

static void load_forever(const char *file)
{
#ifndef STATIC
	for (int i = 1;; i++) {
		dlclose(load_and("fire_now", file, 1));
		if (i % 100 == 0) {
			printf("%d\n", i);
			fflush(stdout);
		}
	}
#endif
}

static void load_again(const char *file, const char *n)
{
#ifndef STATIC
	struct timespec begin, now;
	void *lib;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		lib = dlopen(file, RTLD_NOW);
		if (lib)
			dlclose(lib);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 20000000);
#endif
	load(file, n);
}

static void *load_later(void *arg)
{
	char **argv = arg, line[16];

	if (fgets(line, sizeof(line), stdin))
		load(argv[2], argv[3]);
	return NULL;
}

static void load_in_thread(char **argv)
{
	pthread_t thread;

	pthread_create(&thread, NULL, load_later, argv);
	pthread_join(thread, NULL);
}

static void load_memory(const char *file, const char *n)
{
	int from = open(file, O_RDONLY), to = memfd_create("usdt", 0);
	struct stat st;
	char path[64];

	if (from < 0 || to < 0 || fstat(from, &st) || sendfile(to, from, NULL, st.st_size) < 0)
		exit(1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
	load(path, n);
}

static void fork_some(int children, const char *n)
{
	for (int i = 0; i < children; i++) {
		if (fork() == 0) {
			fire_all(n);
			_exit(0);
		}
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	char line[16];

	if (argc > 3 && strcmp(argv[1], "now") == 0)
		for (int i = 3; i < argc; i++)
			load_and("fire_now", argv[i], atoi(argv[2]));
	else if (argc > 2 && strcmp(argv[1], "exec") == 0)
		return fgets(line, sizeof(line), stdin) ? execv(argv[2], argv + 2) : 1;
	else if (argc == 3 && strcmp(argv[1], "forever") == 0)
		load_forever(argv[2]);
	else if (argc == 3 && strcmp(argv[1], "calls") == 0)
		fire_all(argv[2]);
	else if (argc == 3 && strcmp(argv[1], "wait") == 0)
		while (fgets(line, sizeof(line), stdin))
			fire_all(argv[2]);
	else if (argc == 4 && strcmp(argv[1], "fork") == 0)
		fork_some(atoi(argv[2]), argv[3]);
	else if (argc == 4 && strcmp(argv[1], "again") == 0)
		load_again(argv[2], argv[3]);
	else if (argc == 4 && strcmp(argv[1], "load") == 0)
		load(argv[2], argv[3]);
	else if (argc == 4 && strcmp(argv[1], "thread") == 0)
		load_in_thread(argv);
	else if (argc == 4 && strcmp(argv[1], "memory") == 0)
		load_memory(argv[2], argv[3]);
	else
		return 1;
	printf("enabled %d\n", enabled);
	return 0;
}

#endif
