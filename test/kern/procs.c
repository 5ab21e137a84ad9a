// SPDX-License-Identifier: BSD-2-Clause
/*
 * procs.c: makes and counts a known number of processes, threads, programs and signals.
 *
 * usage: procs WHAT...
 *
 * Does each WHAT, and then prints "PROBE COUNT" for every probe of proc, "reason REASON COUNT" for
 * exit and "number FAULT COUNT" for fault.  Other words make it a program that tests run:
 *
 *	nothing		ends
 *	child		ends when standard input does
 *	child retitle	writes a title over its arguments, then does the same
 *	child retitle-long	a title that extends into the environment
 *	empty		becomes a child without arguments
 *	contained	runs "procs child" in a PID namespace of its own, of which it is process 1
 *	nobody		is a child of user 65534 and group 65533, by effective group 65532
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum count {
	CREATE,
	EXEC,
	EXEC_FAILURE,
	EXEC_SUCCESS,
	EXIT,
	FAULT,
	LWP_CREATE,
	LWP_EXIT,
	LWP_START,
	SIGNAL_CLEAR,
	SIGNAL_DISCARD,
	SIGNAL_HANDLE,
	SIGNAL_SEND,
	START,
	COUNTS,
};

static const char *const names[COUNTS] = {
    "create",	      "exec",	       "exec-failure", "exec-success", "exit",
    "fault",	      "lwp-create",    "lwp-exit",     "lwp-start",    "signal-clear",
    "signal-discard", "signal-handle", "signal-send",  "start",
};

static long counts[COUNTS], reasons[4], faults[16];
static const char *self;
extern char **environ;

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

static void made_thread(void)
{
	counts[LWP_CREATE]++;
	counts[LWP_START]++;
	counts[LWP_EXIT]++;
}

/* Counts a process that will be waited for; SIGCHLD is at its default, so the kernel discards
 * it. */
static pid_t made(pid_t pid)
{
	must(pid >= 0, "fork");
	counts[CREATE]++;
	counts[START]++;
	counts[EXIT]++;
	made_thread();
	counts[SIGNAL_SEND]++;
	counts[SIGNAL_DISCARD]++;
	return pid;
}

static void ended(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		must(errno == EINTR, "waitpid");
	reasons[WIFEXITED(status) ? 1 : WCOREDUMP(status) ? 3 : 2]++;
}

/* Like fork(), but the child continues when fork() no longer blocks signals: see spawns(). */
static pid_t forked(void)
{
	int fds[2];
	char none;
	pid_t pid;

	must(pipe2(fds, O_CLOEXEC) == 0, "pipe");
	pid = fork();
	close(fds[1]);
	if (!pid && read(fds[0], &none, 1) != 0)
		_exit(1);
	close(fds[0]);
	return pid;
}

static void forks(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t pid = forked();

		if (!pid)
			_exit(i);
		ended(made(pid));
	}
}

/* The raw system call, which the C library does not use. */
static void plain_fork(void)
{
#ifdef SYS_fork
	pid_t pid = (pid_t)syscall(SYS_fork);

	if (!pid)
		_exit(0);
	ended(made(pid));
#endif
}

/* Executes a missing file, then a file that is no program. */
static void vforks(void)
{
	static char *const argv[] = {"missing", NULL};

	for (int i = 0; i < 2; i++) {
		pid_t pid = vfork();

		if (!pid) {
			execve(i ? "/dev/null" : "/nowhere/missing", argv, environ);
			_exit(1);
		}
		counts[EXEC]++;
		counts[EXEC_FAILURE]++;
		ended(made(pid));
	}
}

/* A failing exec, with a path on a page that the child has not touched. */
static void missing(void)
{
	char path[] = "/nowhere/missing", *argv[] = {path, NULL};
	pid_t pid = forked();

	if (!pid) {
		execve("/nowhere/missing", argv, environ);
		_exit(1);
	}
	counts[EXEC]++;
	counts[EXEC_FAILURE]++;
	ended(made(pid));
}

static void executed(void)
{
	counts[EXEC]++;
	counts[EXEC_SUCCESS]++;
}

/* The children end when posix_spawn() no longer blocks signals, because a blocked signal is not
 * ignored. */
static void spawns(void)
{
	char *argv[] = {(char *)self, "child", NULL};
	posix_spawn_file_actions_t input;

	for (int i = 0; i < 3; i++) {
		int fds[2];
		pid_t pid;

		must(pipe2(fds, O_CLOEXEC) == 0, "pipe");
		posix_spawn_file_actions_init(&input);
		posix_spawn_file_actions_adddup2(&input, fds[0], 0);
		must(posix_spawn(&pid, self, &input, NULL, argv, environ) == 0, "posix_spawn");
		posix_spawn_file_actions_destroy(&input);
		close(fds[0]);
		close(fds[1]);
		executed();
		ended(made(pid));
	}
}

/* Executes an open file that is a script: the same call executes its interpreter. */
static void script(void)
{
	char path[] = "/tmp/procs-XXXXXX", *argv[] = {path, NULL};
	int fd = mkstemp(path);
	pid_t pid;

	must(fd >= 0, "mkstemp");
	dprintf(fd, "#!%s nothing\n", self);
	fchmod(fd, 0700);
	close(fd);
	fd = open(path, O_RDONLY);
	pid = forked();
	if (!pid) {
		syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
		_exit(2);
	}
	executed();
	ended(made(pid));
	unlink(path);
}

static void *idle(void *arg)
{
	return arg;
}

static void threads(void)
{
	pthread_t t;

	for (int i = 0; i < 4; i++) {
		must(pthread_create(&t, NULL, idle, NULL) == 0, "pthread_create");
		pthread_join(t, NULL);
		made_thread();
	}
}

static void *execute(void *arg)
{
	char *argv[] = {(char *)self, "nothing", NULL};

	execve(self, argv, environ);
	return arg;
}

/* A thread other than the first executes a program: all others end, and it takes the place of
 * the first. */
static void thread_exec(void)
{
	pid_t pid = forked();
	pthread_t t;

	if (!pid) {
		pthread_create(&t, NULL, execute, NULL);
		pthread_join(t, NULL);
		_exit(2);
	}
	made_thread();
	executed();
	ended(made(pid));
}

static void *end_process(void *arg)
{
	pthread_barrier_wait(arg);
	syscall(SYS_exit, 0);
	return NULL;
}

/* Threads that end at the same time: one of them is the last. */
static void races(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = forked();

		if (!pid) {
			pthread_barrier_t all;
			pthread_t t;

			pthread_barrier_init(&all, NULL, 4);
			for (int k = 0; k < 3; k++)
				pthread_create(&t, NULL, end_process, &all);
			end_process(&all);
		}
		for (int k = 0; k < 3; k++)
			made_thread();
		ended(made(pid));
	}
}

/* ---- signals ---- */

static void handler(int sig)
{
}

static void handled(int sig)
{
	signal(sig, handler);
	kill(getpid(), sig);
	counts[SIGNAL_SEND]++;
	counts[SIGNAL_HANDLE]++;
	signal(sig, SIG_DFL);
}

static void ignored(int sig)
{
	kill(getpid(), sig);
	counts[SIGNAL_SEND]++;
	counts[SIGNAL_DISCARD]++;
}

static void waited(int sig)
{
	sigset_t set;
	siginfo_t info;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), sig);
	counts[SIGNAL_SEND]++;
	must(sigwaitinfo(&set, &info) == sig && info.si_pid == getpid(), "sigwaitinfo");
	counts[SIGNAL_CLEAR]++;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void wait_term(void)
{
	waited(SIGTERM);
}

static void queue(void)
{
	signal(SIGUSR1, handler);
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4711});
	counts[SIGNAL_SEND]++;
	counts[SIGNAL_HANDLE]++;
	printf("handler %lx\n", (long)handler);
}

/* Five signals of a timer, and one sent by the process itself. */
static void timer(void)
{
	struct itimerval every = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 5; i++)
		sigwait(&set, &sig);
	setitimer(ITIMER_REAL, &never, NULL);
	handled(SIGUSR1);
}

static void *wait_signal(void *arg)
{
	sigset_t none;

	sigemptyset(&none);
	sigsuspend(&none);
	return arg;
}

/* The signal is blocked until the thread waits, so the thread gets it, once. */
static void to_thread(int sig)
{
	sigset_t set;
	pthread_t t;

	signal(sig, handler);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	must(pthread_create(&t, NULL, wait_signal, NULL) == 0, "pthread_create");
	made_thread();
	pthread_kill(t, sig);
	counts[SIGNAL_SEND]++;
	counts[SIGNAL_HANDLE]++;
	pthread_join(t, NULL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	signal(sig, SIG_DFL);
}

static void signals(void)
{
	handled(SIGUSR1);
	handled(SIGRTMIN + 1);
	signal(SIGUSR2, SIG_IGN);
	ignored(SIGUSR2);
	signal(SIGUSR2, SIG_DFL);
	ignored(SIGURG);
	waited(SIGTERM);
	to_thread(SIGHUP);
}

/* Ends by its own signal, with a core dump if the signal allows one. */
static void killed(int sig)
{
	pid_t pid = forked();

	if (!pid) {
		struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

		setrlimit(RLIMIT_CORE, &all);
		kill(getpid(), sig);
		_exit(2);
	}
	counts[SIGNAL_SEND]++;
	ended(made(pid));
}

static void deaths(void)
{
	killed(SIGTERM);
	killed(SIGKILL);
	killed(SIGQUIT);
}

/* ---- faults ---- */

enum fault { ILLEGAL = 1, BREAKPOINT = 3, ACCESS = 5, BOUNDS = 6, DIVISION = 8, PAGE = 11 };

static char *read_only, *beyond;
static volatile int zero;

static void cause(enum fault f)
{
	switch (f) {
	case ILLEGAL:
#ifdef __x86_64__
		__asm__ volatile("ud2");
#endif
		break;
	case BREAKPOINT:
#ifdef __x86_64__
		__asm__ volatile("int3");
#endif
		break;
	case ACCESS:
		*read_only = 1;
		break;
	case BOUNDS:
		*(volatile char *)(uintptr_t)(zero + 64) = 1;
		break;
	case DIVISION:
		zero = 1000 / zero;
		break;
	case PAGE:
		*beyond = 1;
		break;
	}
}

static void fault(enum fault f)
{
	pid_t pid = forked();

	if (!pid) {
		struct rlimit none = {0, 0};

		setrlimit(RLIMIT_CORE, &none);
		cause(f);
		_exit(2);
	}
	counts[FAULT]++;
	faults[f]++;
	counts[SIGNAL_SEND]++;
	ended(made(pid));
}

static void all_faults(void)
{
	static const enum fault list[] = {ACCESS,  BOUNDS,
					  PAGE,
#ifdef __x86_64__
					  ILLEGAL, BREAKPOINT,
					  DIVISION
#endif
	};
	int fd = memfd_create("empty", 0);

	read_only = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	beyond = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		fault(list[i]);
}

static void bounds(void)
{
	fault(BOUNDS);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"fork", forks},
    {"plain-fork", plain_fork},
    {"vfork", vforks},
    {"spawn", spawns},
    {"script", script},
    {"threads", threads},
    {"thread-exec", thread_exec},
    {"races", races},
    {"signals", signals},
    {"deaths", deaths},
    {"faults", all_faults},
    {"missing", missing},
    {"queue", queue},
    {"wait", wait_term},
    {"bounds", bounds},
    {"timer", timer},
};

/* Arguments and environment are adjacent in memory, and other programs that set a title rely on
 * it, too. */
static void retitle(char **argv, size_t n)
{
	char *end = argv[2] + strlen(argv[2]);

	memset(argv[0], 0, (size_t)(end - argv[0]));
	memset(argv[0], 'x', n);
	memcpy(argv[0], "new title", 9);
	argv[0][n] = '\0';
}

static int child(char **argv)
{
	char c;

	if (argv[2] && strcmp(argv[2], "retitle") == 0)
		retitle(argv, 9);
	else if (argv[2] && strcmp(argv[2], "retitle-long") == 0)
		retitle(argv, (size_t)(environ[0] - argv[0]) + strlen(environ[0]) / 2);
	while (read(0, &c, 1) > 0)
		;
	return 0;
}

static int contained(void)
{
	char *argv[] = {(char *)self, "child", NULL};

	must(unshare(CLONE_NEWPID) == 0, "unshare");
	if (!fork())
		return execve(self, argv, environ);
	wait(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1 && strcmp(argv[1], "nothing") == 0)
		return 0;
	if (argc > 1 && strcmp(argv[1], "nobody") == 0) {
		must(setresgid(65533, 65532, 65532) == 0 && setresuid(65534, 65534, 65534) == 0,
		     "setresuid");
		return child(argv);
	}
	if (argc > 1 && strcmp(argv[1], "contained") == 0)
		return contained();
	if (argc > 1 && strcmp(argv[1], "empty") == 0)
		return execve("/proc/self/exe", (char *[]){NULL}, environ);
	if (!argv[0] || !*argv[0])
		return child((char *[]){"", "child", NULL});
	if (argc > 1 && strcmp(argv[1], "child") == 0)
		return child(argv);
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
			if (strcmp(argv[i], cases[k].name) == 0)
				cases[k].run();
	/* Count the end of this process as well. */
	counts[EXIT]++;
	counts[LWP_EXIT]++;
	reasons[1]++;
	for (int i = 0; i < COUNTS; i++)
		printf("%s %ld\n", names[i], counts[i]);
	for (int i = 1; i <= 3; i++)
		printf("reason %d %ld\n", i, reasons[i]);
	for (int i = 0; i < 16; i++)
		if (faults[i])
			printf("number %d %ld\n", i, faults[i]);
	return 0;
}
