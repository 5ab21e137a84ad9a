/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * startup.c: cost of a whole short run: wall time, CPU time and peak memory, medians.
 *
 * usage: startup DTRACE [runs]
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "median.h"

#define RUNS_MAX 200

static const char *const programs[] = {
    "BEGIN { exit(0); }",
    "BEGIN { exit(0); } syscall:::entry { @[execname] = count(); }",
    "BEGIN { exit(0); } ip:::receive { @[args[2]->ip_saddr] = count(); }",
    "BEGIN { exit(0); } tcp:::accept-established { @[args[3]->tcps_raddr, args[3]->tcps_lport] = "
    "count(); }",
    "BEGIN { exit(0); } io:::start, io:::done { @[args[2]->fi_pathname, args[2]->fi_mount] = "
    "sum(args[0]->b_bcount); }",
};

static void run(const char *path, const char *program, double *wall, double *cpu, double *mem)
{
	struct timespec a, b;
	struct rusage ru;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = vfork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, 1);
		dup2(null, 2);
		execl(path, path, "-n", program, (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &ru) != pid || status != 0)
		exit(1);
	clock_gettime(CLOCK_MONOTONIC, &b);
	*wall = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
	*cpu = (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1e3 +
	       (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e3;
	*mem = (double)ru.ru_maxrss / 1024;
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[2]) : 21;

	if (argc < 2 || runs < 1 || runs > RUNS_MAX)
		return 2;
	printf("%8s %8s %8s\n", "wall ms", "cpu ms", "MiB");
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		double wall[RUNS_MAX], cpu[RUNS_MAX], mem[RUNS_MAX];

		for (int r = 0; r < runs; r++)
			run(argv[1], programs[i], &wall[r], &cpu[r], &mem[r]);
		printf("%8.1f %8.1f %8.1f  %s\n", median(wall, runs), median(cpu, runs),
		       median(mem, runs), programs[i]);
	}
	return 0;
}
