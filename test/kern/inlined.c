/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inlined.c: an ELF file with debug information like a kernel's: variables with these names and
 * types, and functions into which test_inlined() was inlined at their beginning.  It is never run.
 * The test replaces its build id by the kernel's.
 */
struct task_struct {
	int pid;
} init_task = {1};
extern int console_printk[];
static int *test_declared(void)
{
	return console_printk;
}
int console_printk[4] = {1};
char *saved_command_line = (char *)console_printk;
int _stext[3] = {1}; /* every kernel has this symbol */
static unsigned long (*volatile test_unknown)(int);

static inline __attribute__((always_inline)) void test_inlined(void)
{
	__asm__ volatile("nop");
}

static inline __attribute__((always_inline)) void test_outer(void)
{
	test_inlined();
	__asm__ volatile("nop");
}

void ksys_read(void)
{
	test_inlined();
}

void ksys_write(void)
{
	test_outer();
}

/* The kernel has no function of this name. */
void test_main(void)
{
	test_inlined();
	test_unknown(*test_declared() + init_task.pid + _stext[0]);
}
