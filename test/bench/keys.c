/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keys.c: cost of a count by key with few and with many keys, compared with a hand-written program.
 *
 * usage: keys KEYS.bpf.o DTRACE [rounds]
 *
 * A loop of lseek(2) on no file, with the keys in turn, is timed (thread CPU time).  It is
 * untraced, under the hand-written program, under dtrace with an aggsize that holds all keys, or
 * under dtrace with defaults, whose consumer takes rows out meanwhile.  All take turns, round after
 * round.  The output is the median of the added cost of a call, and its growth for dtrace from the
 * fewest keys on.  The numbers of calls and counts are compared.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "median.h"

#define CALLS	   2000000
#define ROUNDS_MAX 100

static const long key_counts[] = {1000, 100000, 1000000};

/* Calls are spread over the keys, because an odd step visits all of them. */
static double calls_ns(long ncalls, long nkeys)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	for (long i = 0; i < ncalls; i++)
		syscall(SYS_lseek, -1, i * 7919 % nkeys, SEEK_SET);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) /
	       (double)ncalls;
}

static double loop_ns(long nkeys)
{
	return calls_ns(CALLS, nkeys);
}

/*
 * The kernel frees the elements of ended maps later, in interrupts whose time counts for the
 * interrupted thread.  Waits until untraced calls cost the same as at the start.
 */
static void wait_until_quiet(double base)
{
	for (int i = 0, quiet = 0; i < 50 && quiet < 2; i++) {
		quiet = calls_ns(CALLS / 8, 1) < base * 1.15 ? quiet + 1 : 0;
		if (!quiet)
			usleep(50000);
	}
}

static double by_hand_ns(const char *path, long nkeys)
{
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct bpf_link *link;
	unsigned int *vars;
	size_t size;
	double ns;

	if (!o)
		exit(1);
	vars = (unsigned int *)bpf_map__initial_value(bpf_object__find_map_by_name(o, ".rodata"),
						      &size);
	vars[0] = (unsigned int)getpid();
	vars[1] = SYS_lseek;
	if (bpf_object__load(o) || !(link = bpf_program__attach(bpf_object__next_program(o, NULL))))
		exit(1);
	ns = loop_ns(nkeys);
	bpf_link__destroy(link);
	bpf_object__close(o);
	return ns;
}

/* Runs dtrace on the other CPUs; its standard error says when it is ready, and reports losses. */
static double dtrace_ns(const char *path, long nkeys, const char *aggsize, long *lost)
{
	char program[256], text[65536] = "", out[] = "/tmp/keys.XXXXXX";
	int fds[2], made = mkstemp(out);
	size_t n = 0;
	ssize_t got;
	pid_t pid;
	double ns;
	FILE *f;
	long sum = 0, count;

	snprintf(program, sizeof(program),
		 "syscall::lseek:entry /pid == %d/ { @[arg1] = count(); } END { "
		 "printa(\"%%@d\\n\", @); }",
		 getpid());
	if (made < 0 || pipe(fds) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		cpu_set_t others;

		CPU_ZERO(&others);
		for (int i = 1; i < CPU_SETSIZE; i++)
			CPU_SET(i, &others);
		sched_setaffinity(0, sizeof(others), &others);
		dup2(fds[1], 2);
		dup2(made, 1);
		execl(path, path, "-q", "-x", aggsize, "-n",
		      "BEGIN { system(\"echo ready >&2\"); }", "-w", "-n", program, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	if (read(fds[0], text, sizeof(text)) <= 0)
		exit(1);
	usleep(50000);
	ns = loop_ns(nkeys);
	kill(pid, SIGINT);
	while (n < sizeof(text) - 1 && (got = read(fds[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	waitpid(pid, NULL, 0);
	f = fdopen(made, "r");
	rewind(f);
	while (fscanf(f, "%ld", &count) == 1)
		sum += count;
	*lost = 0;
	for (char *p = text; (p = strstr(p, "dtrace: ")) != NULL; p++)
		if (strstr(p, "aggregation drop"))
			*lost += atol(p + strlen("dtrace: "));
	if (sum + *lost != CALLS)
		fprintf(stderr, "%ld shown and %ld dropped of %d\n", sum, *lost, CALLS);
	fclose(f);
	unlink(out);
	close(fds[0]);
	return ns;
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[3]) : 5;
	double first = 0, base, before[5];
	cpu_set_t one;

	if (argc < 3 || rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (int r = 0; r < 5; r++)
		before[r] = loop_ns(1);
	base = median(before, 5);
	printf("%-20s %8s %8s %8s %8s %8s %8s %8s\n", "ns added to a lseek", "untraced", "by hand",
	       "dtrace", "ratio", "growth", "default", "dropped");
	for (size_t i = 0; i < sizeof(key_counts) / sizeof(key_counts[0]); i++) {
		double hand[ROUNDS_MAX], large[ROUNDS_MAX], small[ROUNDS_MAX];
		double h, l, s;
		char label[32];
		long lost = 0, none;

		for (int r = 0; r < rounds; r++) {
			wait_until_quiet(base);
			hand[r] = by_hand_ns(argv[1], key_counts[i]) - base;
			wait_until_quiet(base);
			large[r] = dtrace_ns(argv[2], key_counts[i], "aggsize=256m", &none) - base;
			wait_until_quiet(base);
			small[r] = dtrace_ns(argv[2], key_counts[i], "aggsize=4m", &lost) - base;
		}
		h = median(hand, rounds);
		l = median(large, rounds);
		s = median(small, rounds);
		first = i ? first : l;
		snprintf(label, sizeof(label), "%ld keys", key_counts[i]);
		printf("%-20s %8.1f %8.1f %8.1f %8.2f %8.2f %8.1f %8ld\n", label, base, h, l, l / h,
		       l / first, s, lost);
	}
	return 0;
}
