/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.c: what a probe costs the traced program, beside a hand-written program at the same hook.
 *
 * usage: bench FLOOR.bpf.o DTRACE [rounds]
 *
 * A loop of getppid(2) is timed (thread CPU time) untraced, under a program of floor.bpf.c, and
 * under dtrace, in turn, round after round in one run, so that what else the machine does hits all
 * three alike.  The last row traces a call that is never made: what getppid pays for being traced
 * nearby; by hand, and for calls that are made often, that is a test in the one tracepoint of all
 * calls.  Printed: the median cost added to a call by each, and their ratio.  The tracing
 * programs see only this process.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS	   400000
#define ROUNDS_MAX 100

static const struct job {
	const char *label, *prog, *prog2, *d;
	unsigned int nr; /* the call that is traced by hand, 0: getppid */
} jobs[] = {
    {"(a) keyless count", "count", NULL, "syscall::getppid:entry /pid == %d/ { @ = count(); }"},
    {"(b) count by execname", "execname", NULL,
     "syscall::getppid:entry /pid == %d/ { @[execname] = count(); }"},
    {"(c) quantize of a value", "quantize", NULL,
     "syscall::getppid:entry /pid == %d/ { @ = quantize(pid); }"},
    {"(d) latency through self->", "latency", "latency_return",
     "syscall::getppid:entry /pid == %d/ { self->t = timestamp; } "
     "syscall::getppid:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }"},
    {"(e) one integer traced", "trace", NULL, "syscall::getppid:entry /pid == %d/ { trace(pid); }"},
    {"(f) another, rare call", "count", NULL, "syscall::acct:entry /pid == %d/ { @ = count(); }",
     SYS_acct},
};

static double loop_ns(void)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / CALLS;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

static int ignore(void *ctx, void *data, size_t len)
{
	return 0;
}

/* The loop with the hand-written program attached. */
static double floor_ns(const char *path, const struct job *j)
{
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct ring_buffer *rb = NULL;
	struct bpf_link *links[2] = {NULL};
	struct bpf_program *p;
	unsigned int n = 0;
	double ns;

	if (!o)
		exit(1);
	bpf_object__for_each_program(p, o)
	{
		const char *name = bpf_program__name(p);

		bpf_program__set_autoload(p, !strcmp(name, j->prog) ||
						 (j->prog2 && !strcmp(name, j->prog2)));
	}
	struct bpf_map *ro = bpf_object__find_map_by_name(o, ".rodata");
	size_t size;
	unsigned int *vars = (unsigned int *)bpf_map__initial_value(ro, &size);

	vars[0] = (unsigned int)getpid();
	vars[1] = j->nr ? j->nr : SYS_getppid;
	if (bpf_object__load(o))
		exit(1);
	bpf_object__for_each_program(p, o) if (bpf_program__autoload(p) &&
					       !(links[n++] = bpf_program__attach(p))) exit(1);
	rb = ring_buffer__new(bpf_object__find_map_fd_by_name(o, "ring"), ignore, NULL, NULL);
	ns = loop_ns();
	ring_buffer__consume(rb);
	ring_buffer__free(rb);
	for (unsigned int i = 0; i < n; i++)
		bpf_link__destroy(links[i]);
	bpf_object__close(o);
	return ns;
}

/* The loop with dtrace running the same job; its output goes to /dev/null. */
static double dtrace_ns(const char *path, const struct job *j)
{
	char d[512], line[64];
	int fds[2], status;
	pid_t pid;
	double ns;

	snprintf(d, sizeof(d), j->d, getpid());
	if (pipe(fds) != 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		cpu_set_t all;

		CPU_ZERO(&all);
		for (int i = 1; i < CPU_SETSIZE; i++)
			CPU_SET(i, &all);
		sched_setaffinity(0, sizeof(all), &all);
		dup2(fds[1], 2);
		int null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		execl(path, path, "-n", d, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	/* "dtrace: description ... matched" comes when everything is attached. */
	if (read(fds[0], line, sizeof(line)) <= 0)
		exit(1);
	usleep(50000);
	ns = loop_ns();
	kill(pid, SIGINT);
	waitpid(pid, &status, 0);
	close(fds[0]);
	return ns;
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[3]) : 9;
	cpu_set_t one;

	if (argc < 3 || rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	printf("%-28s %10s %10s %10s %8s\n", "ns added to a getppid", "untraced", "by hand",
	       "dtrace", "ratio");
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		double base[ROUNDS_MAX], hand[ROUNDS_MAX], ours[ROUNDS_MAX], b, h, o;

		for (int r = 0; r < rounds; r++) {
			base[r] = loop_ns();
			hand[r] = floor_ns(argv[1], &jobs[i]);
			ours[r] = dtrace_ns(argv[2], &jobs[i]);
		}
		b = median(base, rounds);
		h = median(hand, rounds) - b;
		o = median(ours, rounds) - b;
		printf("%-28s %10.1f %10.1f %10.1f %8.2f\n", jobs[i].label, b, h, o, o / h);
	}
	return 0;
}
