/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c: calls itself in shapes that compilers build differently.  At the end of each it prints
 * the callers that libgcc's unwinder finds, in the form of dtrace with -x noresolve.  Then it makes
 * the system call umask(2) with the number of the shape.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE   __attribute__((noinline, noclone))
#define FRAMES_MAX 100

#if defined(LIBRARY)

int call(int (*f)(int), int shape)
{
	volatile char b[200];

	b[0] = 1;
	return f(shape) + b[0];
}

#elif defined(BLIND)

/* A function without any unwind information, which uses the frame pointer as an ordinary
 * register. */
NOINLINE void inner(void)
{
	umask(0);
	__asm__("");
}

__asm__(".globl blind\n.type blind, @function\n"
	"blind: push %rbp\n mov $12345, %ebp\n call inner\n pop %rbp\n ret\n"
	".size blind, . - blind\n");
void blind(void);

NOINLINE void guessed(void)
{
	umask(4);
	__asm__("");
}

/* The same, but the frame pointer leads to two words that look like a frame: 0, and the argument.
 */
__asm__(".globl guess\n.type guess, @function\n"
	"guess: push %rbp\n push %rdi\n push $0\n mov %rsp, %rbp\n call guessed\n"
	"add $16, %rsp\n pop %rbp\n ret\n"
	".size guess, . - guess\n");
void guess(unsigned long caller);

/* Calls that never return, at the ends of functions. */
__attribute__((noinline, noreturn)) void last(void)
{
	umask(1);
	_exit(0);
}

__attribute__((noinline, noreturn)) void always(void)
{
	last();
}

NOINLINE int deep(int n)
{
	int r = n ? deep(n - 1) : (int)umask(3);

	__asm__("");
	return r + 1;
}

/* Runs on a stack of its own, where it has no caller. */
NOINLINE void coroutine(void)
{
	umask(2);
	__asm__("");
}

static void run_coroutine(void)
{
	static char stack[65536];
	ucontext_t here, there;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, coroutine, 0);
	swapcontext(&here, &there);
}

int main(void)
{
	static char data[4096];

	blind();
	guess((unsigned long)data + 2048);
	guess(0x10);
	run_coroutine();
	deep(299);
	always();
}

#else

/* Prints "file:0xoffset" in the mapping of the address. */
static void print_address(unsigned long addr)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[4096], *path;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx", &start, &end) != 2 || addr < start || addr >= end)
			continue;
		line[strcspn(line, "\n")] = '\0';
		path = strrchr(line, '/');
		printf(" %s:0x%lx", path ? path + 1 : "?", addr - start);
	}
	if (f)
		fclose(f);
}

/* Its own frame and its callees are not compared. */
NOINLINE int probe(int shape)
{
	void *frames[FRAMES_MAX];
	int n = backtrace(frames, FRAMES_MAX);

	printf("%d", shape);
	for (int i = 1; i < n; i++)
		print_address((unsigned long)frames[i]);
	printf("\n");
	fflush(stdout);
	umask((mode_t)shape);
	return shape;
}

static volatile int zero;

NOINLINE int plain(int shape)
{
	return probe(shape) + zero;
}

NOINLINE int deep(int shape, int n)
{
	volatile char b[100];

	b[0] = (char)n;
	return (n ? deep(shape, n - 1) : plain(shape)) + b[0];
}

/* Memory of variable size needs a frame pointer. */
NOINLINE int variable(int shape)
{
	volatile char *b = __builtin_alloca((size_t)(zero + 1000));

	b[zero] = 1;
	return plain(shape) + b[zero];
}

/* More than a page of variables, and all registers in use. */
NOINLINE int large(int shape)
{
	volatile long b[9000];
	long v[12];

	for (int i = 0; i < 12; i++)
		v[i] = b[i] = zero + i;
	b[8999] = plain(shape);
	for (int i = 0; i < 12; i++)
		b[0] += v[i] * b[i];
	return (int)(b[0] + b[8999]);
}

/* A stack with a larger alignment than the ABI requires. */
NOINLINE int aligned(int shape)
{
	volatile char b[64] __attribute__((aligned(64)));

	b[zero] = 1;
	return variable(shape) + b[zero];
}

static int compare(const void *x, const void *y)
{
	return plain(*(const int *)x) - plain(*(const int *)y) + 1;
}

/* Calls through the C library. */
NOINLINE int sorted(int shape)
{
	int v[2] = {shape, shape};

	qsort(v, 2, sizeof(v[0]), compare);
	return v[0] + zero;
}

static void handler(int sig)
{
	plain(sig == SIGUSR1 ? 6 : 7);
}

/* On top of a signal handler, which can run on a stack of its own. */
NOINLINE int signalled(int sig, int flags)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags};
	stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};

	sigaltstack(&other, NULL);
	sigaction(sig, &sa, NULL);
	return raise(sig) + zero;
}

static void *in_thread(void *arg)
{
	deep(8, 3);
	return arg;
}

static void all(void)
{
	pthread_t t;

	deep(1, 20);
	variable(2);
	large(3);
	aligned(4);
	sorted(5);
	signalled(SIGUSR1, 0);
	signalled(SIGUSR2, SA_ONSTACK);
	pthread_create(&t, NULL, in_thread, NULL);
	pthread_join(t, NULL);
}

#ifndef STATIC
/*
 * The kernel notifies dtrace, which started this program, of new mappings and processes.  When
 * dtrace sleeps again, it has read the notifications.
 */
static void let_dtrace_read(pid_t dtrace)
{
	char path[64], line[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", dtrace);
	do {
		FILE *f;

		usleep(200000);
		f = fopen(path, "re");
		if (!f || !fgets(line, sizeof(line), f))
			return;
		fclose(f);
	} while (!strstr(line, ") S "));
}

/* In a library that is loaded now, and in a child. */
static void more(const char *library)
{
	pid_t dtrace = getppid();
	void *h = dlopen(library, RTLD_NOW);
	int (*call)(int (*)(int), int) = h ? (int (*)(int (*)(int), int))dlsym(h, "call") : NULL;
	int status;

	let_dtrace_read(dtrace);
	if (call)
		call(plain, 9);
	fflush(stdout);
	if (fork() == 0) {
		let_dtrace_read(dtrace);
		deep(10, 3);
		exit(0);
	}
	wait(&status);
	/* These processes end before dtrace hears of them. */
	for (int i = 0; i < 50; i++) {
		if (fork() == 0)
			exit(deep(11, 2) < 0);
		wait(&status);
	}
}
#else
static void more(const char *library)
{
}
#endif

int main(int argc, char **argv)
{
	all();
	if (argc > 1)
		more(argv[1]);
	return 0;
}

#endif
