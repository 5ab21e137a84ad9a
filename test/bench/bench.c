/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.c: cost of a probe for the traced program, compared with a hand-written program at the same
 * hook.
 *
 * usage: bench FLOOR.bpf.o DTRACE [rounds [rows]]      rows: letters, such as ae
 *
 * A loop of getppid(2) is timed (CPU time) under a program of floor.bpf.c and under dtrace, in
 * turn, round after round in one run.  Each is timed between two untraced loops, so that other load
 * affects all alike.  Row f traces a call that is never made: the cost for getppid of being traced
 * nearby.  By hand, and for frequent calls, that is a test in the one tracepoint of all calls.  The
 * loop of the later rows passes a byte to another thread and back, on one CPU: two switches.  The
 * output is the median cost added to a call by each, and their ratio.  The tracing programs see
 * only this process.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "median.h"

#define SLICES	   50	/* of a loop; its time is the time of the median slice */
#define CALLS	   4000 /* of a slice; the records of all slices fit the rings */
#define ROUNDS_MAX 100

/* As dtrace reads its ring (src/session/trace.c). */
#define IDLE_US	     20000
#define BUSY_US	     2000
#define BUSY_RECORDS 1000

static const struct job {
	const char *label, *prog, *prog2, *d;
	unsigned int nr; /* the call traced by hand, 0: getppid */
	bool is_switch;	 /* switches are timed */
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
    {"(g) switches, off to on", "switched", NULL,
     "sched:::off-cpu /pid == %d/ { self->t = timestamp; } "
     "sched:::on-cpu /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }",
     .is_switch = true},
    {"(h) the same with ustack()", "switched", NULL,
     "sched:::off-cpu /pid == %d/ { self->t = timestamp; } "
     "sched:::on-cpu /self->t == 1/ { ustack(); } "
     "sched:::on-cpu /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }",
     .is_switch = true},
    {"(i) e, with bufpolicy=ring", "trace", NULL,
     "#pragma D option bufpolicy=ring\nsyscall::getppid:entry /pid == %d/ { trace(pid); }"},
};

/* A byte goes to the other thread through one pipe and comes back through the other. */
static int there[2], back[2];

static void *echo(void *arg)
{
	char c;

	while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
		;
	return NULL;
}

static void send_byte(void)
{
	char c = 0;

	if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
		exit(1);
}

static double slice_ns(const struct job *j)
{
	int calls = j->is_switch ? CALLS / 10 : CALLS;
	struct timespec a, b;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (int i = 0; i < calls; i++) {
		if (j->is_switch)
			send_byte();
		else
			syscall(SYS_getppid);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	return ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / calls;
}

static double loop_ns(const struct job *j)
{
	double v[SLICES];

	for (int i = 0; i < SLICES; i++)
		v[i] = slice_ns(j);
	return median(v, SLICES);
}

/* Prints a line like dtrace's. */
static int print_record(void *ctx, void *data, size_t len)
{
	const unsigned long long *r = data;

	printf("%3u %6llu %32s %16lld\n", (unsigned int)(r[0] >> 32), r[0] & 0xffff,
	       "getppid:entry", (long long)r[1]);
	return 0;
}

static struct ring_buffer *attach_by_hand(const char *path, const struct job *j, pid_t want)
{
	struct ring_buffer *rb;
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct bpf_program *p;
	struct bpf_map *ro;
	unsigned int *vars;
	size_t size;

	if (!o)
		exit(1);
	bpf_object__for_each_program(p, o)
	{
		const char *name = bpf_program__name(p);

		bpf_program__set_autoload(p, !strcmp(name, j->prog) ||
						 (j->prog2 && !strcmp(name, j->prog2)));
	}
	ro = bpf_object__find_map_by_name(o, ".rodata");
	vars = (unsigned int *)bpf_map__initial_value(ro, &size);
	vars[0] = (unsigned int)want;
	vars[1] = j->nr ? j->nr : SYS_getppid;
	if (bpf_object__load(o))
		exit(1);
	bpf_object__for_each_program(p, o) if (bpf_program__autoload(p) && !bpf_program__attach(p))
	    exit(1);
	rb = ring_buffer__new(bpf_object__find_map_fd_by_name(o, "ring"), print_record, NULL, NULL);
	if (!rb)
		exit(1);
	return rb;
}

/* Starts the tracer of a loop: a process on the other CPUs, which writes to file 2 when it is
 * ready. */
static pid_t start(const char *path, const struct job *j, bool is_dtrace, int *ready)
{
	pid_t want = getpid(), pid;
	char d[512];
	int fds[2];

	snprintf(d, sizeof(d), j->d, want);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		struct ring_buffer *rb;
		cpu_set_t others;

		CPU_ZERO(&others);
		for (int i = 1; i < CPU_SETSIZE; i++)
			CPU_SET(i, &others);
		sched_setaffinity(0, sizeof(others), &others);
		dup2(fds[1], 2);
		close(fds[0]);
		dup2(open("/dev/null", O_WRONLY), 1);
		if (is_dtrace) {
			execl(path, path, "-n", d, (char *)NULL);
			_exit(127);
		}
		rb = attach_by_hand(path, j, want);
		if (write(2, "ready\n", 6) != 6)
			_exit(1);
		for (;;)
			usleep(ring_buffer__consume(rb) > BUSY_RECORDS ? BUSY_US : IDLE_US);
	}
	close(fds[1]);
	*ready = fds[0];
	return pid;
}

/* Times the loop under a tracer, whose output goes to /dev/null. */
static double traced_ns(const char *path, const struct job *j, bool is_dtrace)
{
	int ready;
	pid_t pid = start(path, j, is_dtrace, &ready);
	char line[64];
	double ns;

	if (read(ready, line, sizeof(line)) <= 0)
		exit(1);
	usleep(50000);
	ns = loop_ns(j);
	kill(pid, SIGINT);
	waitpid(pid, NULL, 0);
	close(ready);
	return ns;
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[3]) : 21;
	pthread_t other;
	cpu_set_t one;

	if (argc < 3 || rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (pipe2(there, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0 ||
	    pthread_create(&other, NULL, echo, NULL) != 0)
		return 1;
	printf("%-28s %10s %10s %10s %8s\n", "ns added to a loop", "untraced", "by hand", "dtrace",
	       "ratio");
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		const struct job *j = &jobs[i];

		if (argc > 4 && !strchr(argv[4], j->label[1]))
			continue;

		double base[ROUNDS_MAX], hand[ROUNDS_MAX], ours[ROUNDS_MAX], b, h, o;

		for (int r = 0; r < rounds; r++) {
			double before = loop_ns(j), between, after;

			hand[r] = traced_ns(argv[1], j, false);
			between = loop_ns(j);
			ours[r] = traced_ns(argv[2], j, true);
			after = loop_ns(j);
			hand[r] -= (before + between) / 2;
			ours[r] -= (between + after) / 2;
			base[r] = between;
		}
		b = median(base, rounds);
		h = median(hand, rounds);
		o = median(ours, rounds);
		printf("%-28s %10.1f %10.1f %10.1f %8.2f\n", j->label, b, h, o, o / h);
	}
	return 0;
}
