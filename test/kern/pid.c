/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c: a program whose functions are called a known number of times.
 *
 *	pid calls N		each function N times, see calls(); fib calls itself
 *	pid threads T N		leaf N times in each of T threads
 *	pid late N end|stay	leaf N times in a thread that waits for a character, and in a
 *				second one; the first thread has ended or waits
 *	pid fork N		leaf N times, also in a child of fork and in one of vfork
 *	pid leaves N		leaf N times
 *	pid exec N		the same, also in a child that executes the program again
 *	pid choice N		pick N times, and strlen and memcpy N times with 1237 bytes
 *	pid conditions		jumps out of functions by each condition, with all flags;
 *				prints how often each jump was taken
 *	pid below N		below N times; prints how often the result was wrong
 *	pid loop		leaf once a millisecond, until a signal comes
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* No function is inlined, and none is removed because it has no effect. */
#define FUNCTION __attribute__((noipa))

static volatile long sink;
static void *volatile memory;

FUNCTION long leaf(long x)
{
	sink++;
	return x + 1;
}

/* A jump, when optimized. */
FUNCTION long tail(long x)
{
	sink++;
	return leaf(x * 2);
}

/* A jump to the target of a pointer. */
static long (*volatile pointer)(long) = leaf;

FUNCTION long computed(long x)
{
	sink++;
	return pointer(x);
}

FUNCTION long several(long x)
{
	if (x == 0)
		return 10;
	if (x == 1) {
		sink++;
		return 20;
	}
	sink -= 2;
	return 30;
}

/* A table of jump targets. */
FUNCTION long chosen(long x)
{
	switch (x) {
	case 0:
		sink += 3;
		return 1;
	case 1:
		sink -= 5;
		return leaf(4);
	case 2:
		sink = 4;
		return 7;
	case 3:
		sink *= 5;
		return 11;
	case 4:
		sink ^= 5;
		return 13;
	}
	return -1;
}

FUNCTION __attribute__((cold)) void seldom(void)
{
	sink++;
}

/* Two parts, when optimized. */
FUNCTION long split(long x)
{
	if (__builtin_expect(x > 1, 0)) {
		seldom();
		sink += 2;
		return -x;
	}
	sink++;
	return x;
}

/* Calls through a pointer, because compilers turn direct calls into loops. */
FUNCTION long fib(long n);
static long (*volatile again)(long) = fib;

long fib(long n)
{
	long x;

	if (n < 2)
		return n;
	x = again(n - 1);
	return x + again(n - 2);
}

FUNCTION long eight(long a, long b, long c, long d, long e, long f, long g, long h)
{
	sink++;
	return a + b + c + d + e + f + g + h;
}

/*
 * Variables below the stack pointer, where compilers put them in a leaf function, and a nop of the
 * length of a call.
 */
FUNCTION long below(long x)
{
	volatile long a[4] = {x, x, x, x};

#ifdef __x86_64__
	__asm__ volatile(".byte 0x0f, 0x1f, 0x44, 0x00, 0x00");
#endif
	return a[0] + a[1] + a[2] + a[3];
}

/* Two candidates: a resolver, which the dynamic linker or the start-up code of a static program
 * calls, chooses one.
 */
FUNCTION long pick_first(long x)
{
	return x;
}

FUNCTION long pick_second(long x)
{
	sink++;
	return x + 2;
}

static long (*resolve_pick(void))(long)
{
	return pick_second;
}

long pick(long x) __attribute__((ifunc("resolve_pick")));

static size_t (*volatile length)(const char *) = strlen;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void choices(long n)
{
	static char text[1238], to[1238];

	memset(text, 'a', sizeof(text) - 1);
	for (long i = 0; i < n; i++) {
		sink += pick(i);
		sink += (long)length(text);
		copy(to, text, 1237);
	}
}

/* Does not read the text, because its page can be absent. */
FUNCTION void say(const char *text)
{
	sink++;
}

FUNCTION __attribute__((constructor)) void early(void)
{
	sink++;
}

static void calls(long n)
{
	for (long i = 0; i < n; i++) {
		leaf(1);
		tail(2);
		computed(3);
		several(i % 3);
		chosen(i % 5);
		split(i % 3);
		fib(5);
		eight(1, 2, 3, 4, 5, 6, 7, 8);
		say("a text that nobody reads");
		memory = malloc(12345);
		free(memory);
	}
}

static void leaves(long n)
{
	for (long i = 0; i < n; i++)
		leaf(i);
}

static void *thread(void *n)
{
	leaves(*(long *)n);
	return NULL;
}

static void threads(int count, long n)
{
	pthread_t ids[64];

	for (int i = 0; i < count && i < 64; i++)
		pthread_create(&ids[i], NULL, thread, &n);
	for (int i = 0; i < count && i < 64; i++)
		pthread_join(ids[i], NULL);
}

static void *late(void *arg)
{
	pthread_t id;

	if (getchar() == EOF)
		return NULL;
	pthread_create(&id, NULL, thread, arg);
	thread(arg);
	pthread_join(id, NULL);
	exit(0);
}

/* The number of calls must outlive the first thread. */
static void lates(long n, const char *what)
{
	static long calls;
	pthread_t id;

	calls = n;
	pthread_create(&id, NULL, late, &calls);
	if (strcmp(what, "end") == 0)
		pthread_exit(NULL);
	pthread_join(id, NULL);
}

static void forks(long n)
{
	pid_t child = fork();

	if (child == 0) {
		leaves(n);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (child == 0) {
		leaves(n);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	leaves(n);
}

#ifdef __x86_64__

static volatile long taken __attribute__((used));

__asm__(".text\n.type jumped_to, @function\njumped_to: incq taken(%rip)\n ret\n.size jumped_to, . "
	"- jumped_to\n");

/* Sets the flags to its argument and jumps out if a condition holds. */
#define CONDITION(cc)                                                                  \
	void cond_##cc(long flags);                                                    \
	__asm__(".text\n.globl cond_" #cc "\n.type cond_" #cc ", @function\ncond_" #cc \
		": push %rdi\n popfq\n j" #cc " jumped_to\n ret\n"                     \
		".size cond_" #cc ", . - cond_" #cc "\n");

#define CONDITIONS(X) \
	X(o) X(no) X(b) X(ae) X(e) X(ne) X(be) X(a) X(s) X(ns) X(p) X(np) X(l) X(ge) X(le) X(g)

CONDITIONS(CONDITION)

static void conditions(void)
{
	static const struct {
		const char *name;
		void (*func)(long flags);
	} list[] = {
#define ROW(cc) {#cc, cond_##cc},
	    CONDITIONS(ROW)};
	static const long bits[] = {1 << 0, 1 << 2, 1 << 6, 1 << 7, 1 << 11};

	for (unsigned int i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		taken = 0;
		for (unsigned int set = 0; set < 32; set++) {
			long flags = 0x202;

			for (unsigned int k = 0; k < 5; k++)
				flags |= set >> k & 1 ? bits[k] : 0;
			list[i].func(flags);
		}
		printf("jumps %s %ld\n", list[i].name, taken);
	}
}

#else

static void conditions(void)
{
}

#endif

static void execs(char *n)
{
	pid_t child = fork();

	if (child == 0) {
		execl("/proc/self/exe", "test-pid", "leaves", n, NULL);
		_exit(1);
	}
	leaves(atol(n));
	waitpid(child, NULL, 0);
}

static void belows(long n)
{
	long wrong = 0;

	for (long i = 0; i < n; i++)
		wrong += below(i) != 4 * i;
	printf("wrong %ld\n", wrong);
}

static void loop(void)
{
	struct timespec ms = {0, 1000000};

	for (;;) {
		leaf(1);
		nanosleep(&ms, NULL);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "calls") == 0 && argc > 2)
		calls(atol(argv[2]));
	else if (strcmp(what, "threads") == 0 && argc > 3)
		threads(atoi(argv[2]), atol(argv[3]));
	else if (strcmp(what, "late") == 0 && argc > 3)
		lates(atol(argv[2]), argv[3]);
	else if (strcmp(what, "fork") == 0 && argc > 2)
		forks(atol(argv[2]));
	else if (strcmp(what, "leaves") == 0 && argc > 2)
		leaves(atol(argv[2]));
	else if (strcmp(what, "exec") == 0 && argc > 2)
		execs(argv[2]);
	else if (strcmp(what, "choice") == 0 && argc > 2)
		choices(atol(argv[2]));
	else if (strcmp(what, "below") == 0 && argc > 2)
		belows(atol(argv[2]));
	else if (strcmp(what, "conditions") == 0)
		conditions();
	else if (strcmp(what, "loop") == 0)
		loop();
	else
		return 2;
	return 0;
}
