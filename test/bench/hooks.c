/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.c: cost of a firing of a stable probe, compared with a hand-written program on the same
 * hooks.
 *
 * usage: hooks HOOKS.bpf.o DTRACE DEVICE [rounds]      DEVICE: a disk that is read directly, or ""
 *
 * The kernel itself measures the time in programs.  Both sides have programs on the same hooks, in
 * turn, round after round; the output is the median time of a run of them.  Hooks see the whole
 * machine; only the load makes events that count.
 *
 * Then, without the kernel's measurement: how much longer a build takes with each of them than
 * without.  The output has wall-clock time, and processor time, which other load disturbs less.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "median.h"

#define ROUNDS_MAX 100
#define PROGS_MAX  8
#define LINKS_MAX  1024

static const char *disk;

static void read_disk(void)
{
	int fd = open(disk, O_RDONLY | O_DIRECT);
	void *page = aligned_alloc(4096, 4096);

	for (int i = 0; i < 20000; i++)
		if (pread(fd, page, 4096, (i & 255) * 4096) != 4096)
			exit(1);
	free(page);
	close(fd);
}

static void run_programs(void)
{
	char *argv[] = {"true", NULL};
	pid_t pid;

	for (int i = 0; i < 1000; i++)
		if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, NULL) != 0 ||
		    waitpid(pid, NULL, 0) != pid)
			exit(1);
}

static int there[2], back[2];

static void *echo(void *arg)
{
	char c;

	for (int i = 0; i < 20000; i++)
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			exit(1);
	return arg;
}

static void switch_threads(void)
{
	pthread_t t;
	char c = 0;

	if (pipe(there) != 0 || pipe(back) != 0 || pthread_create(&t, NULL, echo, NULL) != 0)
		exit(1);
	for (int i = 0; i < 20000; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	pthread_join(t, NULL);
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

/* Large writes and reads of one pipe, which hold its mutex. */
static void *use_pipe(void *arg)
{
	static char from[65536], to[65536];

	for (int i = 0; i < 20000; i++)
		if (write(there[1], from, sizeof(from)) < 1 || read(there[0], to, sizeof(to)) < 1)
			exit(1);
	return arg;
}

static void wait_for_mutex(void)
{
	pthread_t t[3];

	if (pipe(there) != 0 || fcntl(there[0], F_SETPIPE_SZ, 1 << 20) < 0)
		exit(1);
	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, use_pipe, NULL) != 0)
			exit(1);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	close(there[0]);
	close(there[1]);
}

static void look_up(void)
{
	for (int i = 0; i < 100000; i++)
		if (access("/nonexistent", F_OK) == 0)
			exit(1);
}

static void touch_pages(void)
{
	enum { N = 10000 };

	for (int i = 0; i < 10; i++) {
		char *p = mmap(NULL, N * 4096UL, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			exit(1);
		for (int j = 0; j < N; j++)
			p[j * 4096L] = 1;
		munmap(p, N * 4096UL);
	}
}

/* A name of negative length is refused, but only if the caller may set one. */
static void ask_for_privilege(void)
{
	for (int i = 0; i < 100000; i++)
		if (syscall(SYS_sethostname, "", -1) == 0)
			exit(1);
}

static void sleep_often(void)
{
	struct timespec t = {0, 50000};

	for (int i = 0; i < 5000; i++)
		nanosleep(&t, NULL);
}

/* Makes descriptors, files, inodes, names. */
static void make_objects(void)
{
	for (int i = 0; i < 20000; i++)
		if (pipe(there) != 0 || close(there[0]) != 0 || close(there[1]) != 0)
			exit(1);
}

static void send_packets(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(to);
	int from = socket(AF_INET, SOCK_DGRAM, 0), at = socket(AF_INET, SOCK_DGRAM, 0);
	char c = 0;

	if (bind(at, (struct sockaddr *)&to, len) != 0 ||
	    getsockname(at, (struct sockaddr *)&to, &len) != 0)
		exit(1);
	for (int i = 0; i < 30000; i++)
		if (sendto(from, &c, 1, 0, (struct sockaddr *)&to, len) != 1 ||
		    recv(at, &c, 1, 0) != 1)
			exit(1);
	close(from);
	close(at);
}

/* Compiles some files of this project. */
static void build(void)
{
	if (system(
		"for f in src/base/*.c src/ir/*.c src/print/*.c; do "
		"gcc -std=gnu11 -D_GNU_SOURCE -iquote src -O1 -c -o /dev/null $f || exit; done") !=
	    0)
		exit(1);
}

static const struct row {
	const char *label, *d, *hand[PROGS_MAX];
	void (*load)(void);
} rows[] = {
    {"io: latency",
     "io:::start { t[arg0] = timestamp; } "
     "io:::done /t[arg0]/ { @ = quantize(timestamp - t[arg0]); t[arg0] = 0; }",
     {"hand_bio", "hand_start", "hand_back", "hand_front", "hand_done"},
     read_disk},
    {"proc: create, exec, exit",
     "proc:::create { @c = count(); } proc:::exec-success { @e = count(); } "
     "proc:::exit { @x = count(); }",
     {"proc_create", "proc_exec", "proc_exit"},
     run_programs},
    {"sysinfo: switches", "sysinfo:::pswitch { @ = count(); }", {"sysinfo_switch"}, switch_threads},
    {"lockstat: adaptive-block",
     "lockstat:::adaptive-block { @ = quantize(arg1); }",
     {"lock_begin", "lock_end"},
     wait_for_mutex},
    {"vfs: lookups, by system calls",
     "vfs:namei:lookup:entry { @ = count(); }",
     {"lookup"},
     look_up},
    {"cpc: page faults", "cpc:::page_faults-all-1 { @ = count(); }", {"page_fault"}, touch_pages},
    {"priv: what is allowed", "priv:::priv-ok { @ = count(); }", {"priv_ok"}, ask_for_privilege},
    {"callout_execute: timers",
     "callout_execute:::callout_start { @ = count(); }",
     {"callout_timer", "callout_hrtimer"},
     sleep_often},
    {"dtmalloc: by cache",
     "dtmalloc:::malloc { @[probefunc] = count(); }",
     {"cache_kmalloc", "cache_alloc"},
     make_objects},
    {"sdt: m-init", "sdt:::m-init { @ = count(); }", {"packet_init"}, send_packets},
    {"sctp: send, none of many", "sctp:::send { @ = count(); }", {"sctp_send"}, send_packets},
    {"sched, io: a build",
     "sched:::off-cpu { @a = count(); } sched:::on-cpu { @b = count(); } "
     "sched:::wakeup { @c = count(); } io:::start { @d = count(); } io:::done { @e = count(); }",
     {"sched_change", "sched_wake", "io_bio", "io_start", "io_back", "io_front", "io_done"},
     build},
};

#define NROWS (sizeof(rows) / sizeof(rows[0])) /* the last is the build */

/* Measures the nanoseconds in the programs of a process, and how often they ran. */
static void measure(pid_t pid, double *ns, double *runs)
{
	char path[64], line[128];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	dir = opendir(path);
	*ns = *runs = 0;
	while (dir && (e = readdir(dir))) {
		int fd = openat(dirfd(dir), e->d_name, O_RDONLY);
		FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;

		while (f && fgets(line, sizeof(line), f)) {
			double v;

			if (sscanf(line, "run_time_ns: %lf", &v) == 1)
				*ns += v;
			else if (sscanf(line, "run_cnt: %lf", &v) == 1)
				*runs += v;
		}
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
}

/* Returns the time of a run of the programs of the process. */
static double time_of_run(const struct row *r, pid_t pid)
{
	double before, before_runs, ns, runs;

	measure(pid, &before, &before_runs);
	r->load();
	measure(pid, &ns, &runs);
	return (ns - before) / (runs - before_runs);
}

static double wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns the processor time of all children that have ended. */
static double cpu_time(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double (*clock_of_load)(void);

/* Returns the seconds that the load takes, by that clock. */
static double time_of_load(const struct row *r, pid_t pid)
{
	double began = clock_of_load();

	r->load();
	return clock_of_load() - began;
}

typedef double measured(const struct row *r, pid_t pid);

static bool is_of(const struct row *r, const char *name)
{
	for (int i = 0; i < PROGS_MAX && r->hand[i]; i++)
		if (strcmp(r->hand[i], name) == 0)
			return true;
	return false;
}

/* Attaches to the page faults of each CPU. */
static int attach_faults(struct bpf_program *p, struct bpf_link **links)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_PAGE_FAULTS,
				       .size = sizeof(attr),
				       .sample_period = 1};
	int ncpu = libbpf_num_possible_cpus(), n = 0;

	for (int cpu = 0; cpu < ncpu && cpu < LINKS_MAX; cpu++) {
		long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);

		if (fd >= 0)
			links[n++] = bpf_program__attach_perf_event(p, (int)fd);
	}
	return n;
}

static double by_hand(const char *path, const struct row *r, measured *measure)
{
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct bpf_program *p;
	struct bpf_link *links[LINKS_MAX];
	int n = 0;
	double result;

	if (!o)
		exit(1);
	bpf_object__for_each_program(p, o)
	    bpf_program__set_autoload(p, is_of(r, bpf_program__name(p)));
	if (bpf_object__load(o))
		exit(1);
	bpf_object__for_each_program(p, o)
	{
		if (!is_of(r, bpf_program__name(p)))
			continue;
		if (bpf_program__type(p) == BPF_PROG_TYPE_PERF_EVENT)
			n += attach_faults(p, links + n);
		else
			links[n++] = bpf_program__attach(p);
	}
	result = measure(r, getpid());
	while (n > 0)
		bpf_link__destroy(links[--n]);
	bpf_object__close(o);
	return result;
}

static double by_dtrace(const char *path, const struct row *r, measured *measure)
{
	int fds[2];
	char line[64];
	double result;
	pid_t pid;

	if (pipe(fds) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		dup2(fds[1], 2);
		dup2(open("/dev/null", O_WRONLY), 1);
		execl(path, path, "-n", r->d, (char *)NULL);
		_exit(127);
	}
	if (read(fds[0], line, sizeof(line)) <= 0)
		exit(1);
	usleep(300000);
	result = measure(r, pid);
	kill(pid, SIGINT);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	return result;
}

static void compare_runs(char **argv, int rounds)
{
	double hand[ROUNDS_MAX], ours[ROUNDS_MAX];

	printf("ns of a program, by hand, dtrace, ratio:\n");
	for (size_t i = 0; i < NROWS; i++) {
		if (rows[i].load == read_disk && !*disk)
			continue;
		for (int r = 0; r < rounds; r++) {
			hand[r] = by_hand(argv[1], &rows[i], time_of_run);
			ours[r] = by_dtrace(argv[2], &rows[i], time_of_run);
		}
		printf("%-32s %7.1f %7.1f %5.2f\n", rows[i].label, median(hand, rounds),
		       median(ours, rounds), median(ours, rounds) / median(hand, rounds));
		fflush(stdout);
	}
}

static void compare_builds(char **argv, int rounds, double (*clock)(void), const char *label)
{
	double none[ROUNDS_MAX], hand[ROUNDS_MAX], ours[ROUNDS_MAX];
	const struct row *r = &rows[NROWS - 1];

	clock_of_load = clock;
	for (int i = 0; i < rounds; i++) {
		none[i] = time_of_load(r, 0);
		hand[i] = by_hand(argv[1], r, time_of_load) / none[i];
		ours[i] = by_dtrace(argv[2], r, time_of_load) / none[i];
	}
	printf("%-32s %7.3f %+6.1f%% %+6.1f%%\n", label, median(none, rounds),
	       100 * (median(hand, rounds) - 1), 100 * (median(ours, rounds) - 1));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rounds = argc > 4 ? atoi(argv[4]) : 7, stats;

	if (argc < 4 || rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	disk = argv[3];
	stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (stats < 0)
		return 1;
	compare_runs(argv, rounds);
	close(stats);
	printf("seconds, and how many more by hand, dtrace:\n");
	compare_builds(argv, rounds, wall_clock, "the build");
	compare_builds(argv, rounds, cpu_time, "its processor time");
	return 0;
}
