// SPDX-License-Identifier: BSD-2-Clause
/*
 * exec32.c: a 32-bit program without a library.  It executes a missing file, then its first
 * argument with the following ones.  Paths are on the stack, where tracing can read them.
 */
static long call3(long nr, const void *a, const void *b, const void *c)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return r;
}

static void run(char **argv)
{
	volatile char missing[] = {'/', 'n', 'o', 'w', 'h', 'e', 'r', 'e', 0};

	call3(11, (const char *)missing, argv, 0);
	call3(11, argv[1], argv + 1, 0);
	call3(1, (void *)2, 0, 0);
}

/* The kernel leaves the number of arguments on the stack, followed by the vector. */
__asm__(".globl _start\n_start:\n\tleal 4(%esp), %eax\n\tpushl %eax\n\tcall start\n");

__attribute__((used)) static void start(char **argv) __asm__("start");

static void start(char **argv)
{
	run(argv);
}
