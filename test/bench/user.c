/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.c: cost of probes in programs.  Untraced static probes are compared with a function that has
 * none.  Traced static probes, function entries and stacks are compared with hand-written programs
 * and bpftrace at the same places.
 *
 * usage: user USER.bpf.o DTRACE BPFTRACE [rounds]      BPFTRACE: its tree, see bpftrace.sh, or ""
 *
 * A child of this process calls the functions, and reports the CPU time of a call: the median of
 * many slices.  The tools trace it in turn, round after round, and the output is the median of the
 * time that they add to a call.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/user.h"
#include "median.h"

#define SLICES	    30
#define ROUNDS_MAX  100
#define READY_US    1500000 /* by then all tools are ready */
#define END_SECONDS 20

/* ---- the traced functions ---- */

#define CALLED __attribute__((noinline, noclone))

/* It begins with a push, as most functions do, so the kernel need not single-step. */
#define BODY(n) __asm__ volatile("" : : "r"(n) : "rbx")

CALLED void bench_bare(long n)
{
	BODY(n);
}

/* It begins with a nop of five bytes, which a kernel may replace by a call. */
void bench_nop(long n);
#ifdef __x86_64__
__asm__(".text\n.globl bench_nop\n.type bench_nop, @function\n"
	"bench_nop: .byte 0x0f, 0x1f, 0x44, 0, 0\npush %rbx\npop %rbx\nret\n.size bench_nop, . - "
	"bench_nop\n");
#else
CALLED void bench_nop(long n)
{
	BODY(n);
}
#endif

CALLED void bench_plain(long n)
{
	BODY(n);
	BENCH_PLAIN(n);
}

CALLED void bench_tested(long n)
{
	BODY(n);
	if (BENCH_TESTED_ENABLED())
		BENCH_TESTED(n);
}

/* Several frames, as in real programs, then the function. */
CALLED void bench_deep(long n)
{
	if (n > 0)
		bench_deep(n - 1);
	else
		bench_bare(n);
	__asm__ volatile("");
}

/* The same without frame pointers, like Debian's programs. */
CALLED __attribute__((optimize("omit-frame-pointer"))) void bench_bare_frames(long n)
{
	if (n > 0)
		bench_bare_frames(n - 1);
	else
		bench_bare(n);
	__asm__ volatile("");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double slice(int which, long calls)
{
	double began = now();

	for (long i = 0; i < calls; i++)
		switch (which) {
		case 'b':
			bench_bare(i);
			break;
		case 'n':
			bench_nop(i);
			break;
		case 'p':
			bench_plain(i);
			break;
		case 't':
			bench_tested(i);
			break;
		case 'd':
			bench_deep(20);
			break;
		case 'f':
			bench_bare_frames(20);
			break;
		}
	return (now() - began) / (double)calls;
}

struct order {
	int which;
	long calls; /* of a slice */
};

/* The child: orders come in, times go out. */
static void serve(int in, int out)
{
	struct order o;

	while (read(in, &o, sizeof(o)) == sizeof(o)) {
		double v[SLICES], m;

		slice(o.which, o.calls);
		for (int i = 0; i < SLICES; i++)
			v[i] = slice(o.which, o.calls);
		m = median(v, SLICES);
		if (write(out, &m, sizeof(m)) != sizeof(m))
			break;
	}
	_exit(0);
}

static int to_child, from_child;

static pid_t start_child(void)
{
	int in[2], out[2];
	pid_t pid;

	if (pipe(in) != 0 || pipe(out) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(in[1]);
		close(out[0]);
		serve(in[0], out[1]);
	}
	close(in[0]);
	close(out[1]);
	to_child = in[1];
	from_child = out[0];
	return pid;
}

/* Returns the nanoseconds of a call in the child. */
static double ns_of(int which, long calls)
{
	struct order o = {which, calls};
	double ns;

	if (write(to_child, &o, sizeof(o)) != sizeof(o) ||
	    read(from_child, &ns, sizeof(ns)) != sizeof(ns))
		exit(1);
	return ns;
}

/* ---- the tracers ---- */

struct row {
	const char *label;
	int which;
	const char *hand, *func, *probe; /* a function of user.bpf.c, at that function or probe */
	const char *d;			 /* %d is the process */
	const char *bpftrace;		 /* %s is the file */
	const char *option;		 /* of dtrace, with -x */
	bool is_return;			 /* by hand: when the function returns */
};

static const struct row rows[] = {
    {"static probe, its argument summed", 'p', "probe", NULL, "plain",
     "bench%d:::plain { @ = sum(arg0); }", "usdt:%s:bench:plain { @ = sum(arg0); }"},
    {"the same, asked for first", 't', "probe", NULL, "tested",
     "bench%d:::tested { @ = sum(arg0); }", "usdt:%s:bench:tested { @ = sum(arg0); }"},
    {"entry, its argument summed", 'b', "entry", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:entry { @ = sum(arg0); }", "uprobe:%s:bench_bare { @ = sum(arg0); }"},
    {"the same at a nop of five bytes", 'n', "entry", "bench_nop", NULL,
     "pid%d:a.out:bench_nop:entry { @ = sum(arg0); }", "uprobe:%s:bench_nop { @ = sum(arg0); }"},
    {"return, counted", 'b', "returned", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:return { @ = count(); }", "uretprobe:%s:bench_bare { @ = count(); }",
     .is_return = true},
    {"return, counted, by a hook", 'b', "returned", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:return { @ = count(); }", "uretprobe:%s:bench_bare { @ = count(); }",
     "uretprobe", true},
    {"entry, counted by ustack()", 'd', "stack", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:entry { @[ustack()] = count(); }",
     "uprobe:%s:bench_bare { @[ustack] = count(); }", "unwindsize=0"},
    {"the same, dtrace by unwind tables", 'd', "stack", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:entry { @[ustack()] = count(); }",
     "uprobe:%s:bench_bare { @[ustack] = count(); }"},
    {"no frame pointers: only dtrace sees", 'f', "stack", "bench_bare", NULL,
     "pid%d:a.out:bench_bare:entry { @[ustack()] = count(); }",
     "uprobe:%s:bench_bare { @[ustack] = count(); }"},
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))
#define CALLS 2000

static const char *object, *dtrace, *bpftrace;
static char self[4096];

static struct bpf_link *attach_by_hand(const struct row *r, struct bpf_object *o, pid_t pid)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .func_name = r->func, .retprobe = r->is_return);
	struct bpf_program *p = bpf_object__find_program_by_name(o, r->hand);

	if (r->probe)
		return bpf_program__attach_usdt(p, pid, self, "bench", r->probe, NULL);
	return bpf_program__attach_uprobe_opts(p, pid, self, 0, &opts);
}

static double by_hand(const struct row *r, pid_t pid)
{
	struct bpf_object *o = bpf_object__open_file(object, NULL);
	struct bpf_link *link;
	double ns;

	if (!o || bpf_object__load(o) != 0 || !(link = attach_by_hand(r, o, pid)))
		exit(1);
	ns = ns_of(r->which, CALLS);
	bpf_link__destroy(link);
	bpf_object__close(o);
	return ns;
}

/* bpftrace can miss a signal: interrupt it each second, and kill it after END_SECONDS. */
static void end_tool(const char *name, pid_t pid)
{
	for (int i = 0; i < END_SECONDS * 100; i++) {
		if (i % 100 == 0)
			kill(pid, SIGINT);
		usleep(10000);
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fprintf(stderr, "%s ignored SIGINT for %d seconds and was killed\n", name, END_SECONDS);
}

/* Times the calls while the command runs, then interrupts it; its output is discarded. */
static double while_running(const struct row *r, char *const argv[])
{
	double ns;
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* A shell starts its background jobs with SIGINT ignored, and tools keep that. */
		signal(SIGINT, SIG_DFL);
		dup2(null, 1);
		dup2(null, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	usleep(READY_US);
	if (waitpid(pid, NULL, WNOHANG) != 0) {
		fprintf(stderr, "%s does not run\n", argv[0]);
		exit(1);
	}
	ns = ns_of(r->which, CALLS);
	end_tool(argv[0], pid);
	return ns;
}

static double by_dtrace(const struct row *r, pid_t pid)
{
	char text[256];

	snprintf(text, sizeof(text), r->d, pid);
	return while_running(r, (char *[]){(char *)dtrace, "-n", text, r->option ? "-x" : NULL,
					   (char *)r->option, NULL});
}

static double by_bpftrace(const struct row *r, pid_t pid)
{
	char text[4352], id[16], program[4096];

	snprintf(text, sizeof(text), r->bpftrace, self);
	snprintf(id, sizeof(id), "%d", pid);
	snprintf(program, sizeof(program), "%s/usr/bin/bpftrace", bpftrace);
	return while_running(r, (char *[]){program, "-p", id, "-e", text, NULL});
}

/* ---- rows ---- */

static void show_disabled(int rounds)
{
	static const struct {
		const char *label;
		int which;
	} loops[] = {
	    {"no probe", 'b'}, {"a probe (a nop)", 'p'}, {"one asked for first (a load)", 't'}};
	double v[3][ROUNDS_MAX];

	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < 3; i++)
			v[i][r] = ns_of(loops[i].which, 1000000);
	printf("ns of a call of a function that has, nobody tracing:\n");
	for (int i = 0; i < 3; i++)
		printf("  %-34s %6.2f\n", loops[i].label, median(v[i], rounds));
}

static void show_row(const struct row *r, pid_t pid, int rounds)
{
	double none[ROUNDS_MAX], hand[ROUNDS_MAX], ours[ROUNDS_MAX], other[ROUNDS_MAX], h, o;

	for (int i = 0; i < rounds; i++) {
		none[i] = ns_of(r->which, CALLS);
		hand[i] = by_hand(r, pid) - none[i];
		ours[i] = by_dtrace(r, pid) - none[i];
		if (*bpftrace)
			other[i] = by_bpftrace(r, pid) - none[i];
	}
	h = median(hand, rounds);
	o = median(ours, rounds);
	printf("  %-34s %7.0f %7.0f %5.2f", r->label, h, o, o / h);
	if (*bpftrace)
		printf(" %9.0f %5.2f", median(other, rounds), o / median(other, rounds));
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rounds = argc > 4 ? atoi(argv[4]) : 5;
	pid_t pid;

	if (argc < 4 || rounds < 1 || rounds > ROUNDS_MAX ||
	    readlink("/proc/self/exe", self, sizeof(self) - 1) <= 0)
		return 2;
	object = argv[1];
	dtrace = argv[2];
	bpftrace = argv[3];
	if (*bpftrace) {
		char lib[4096];

		snprintf(lib, sizeof(lib), "%s/usr/lib/x86_64-linux-gnu", bpftrace);
		setenv("LD_LIBRARY_PATH", lib, 1);
	}
	pid = start_child();
	show_disabled(rounds);
	printf(
	    "ns added to a call that is traced: by hand, dtrace, ratio; bpftrace, dtrace / it:\n");
	for (size_t i = 0; i < NROWS; i++)
		show_row(&rows[i], pid, rounds);
	close(to_child);
	waitpid(pid, NULL, 0);
	return 0;
}
