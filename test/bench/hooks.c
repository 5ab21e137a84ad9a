/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.c: what tracing the latency of disk requests costs each, beside a hand-written program.
 *
 * usage: io IO.bpf.o DTRACE DEVICE [rounds]      DEVICE: a disk that is read directly
 *
 * The kernel itself measures the time in programs.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "median.h"

#define REQUESTS   20000
#define ROUNDS_MAX 100

static const char program[] =
    "io:::start { t[arg0] = timestamp; } "
    "io:::done /t[arg0]/ { @ = quantize(timestamp - t[arg0]); t[arg0] = 0; }";

/* Nanoseconds in the programs with a number above `after`. */
static double programs_ns(unsigned int after)
{
	double sum = 0;
	unsigned int id = after;

	while (bpf_prog_get_next_id(id, &id) == 0) {
		struct bpf_prog_info info = {0};
		unsigned int len = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &len) == 0)
			sum += (double)info.run_time_ns;
		close(fd);
	}
	return sum;
}

static unsigned int last_program(void)
{
	unsigned int id = 0;

	while (bpf_prog_get_next_id(id, &id) == 0)
		;
	return id;
}

static void read_disk(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECT);
	void *page = aligned_alloc(4096, 4096);

	for (int i = 0; i < REQUESTS; i++)
		if (pread(fd, page, 4096, (i & 255) * 4096) != 4096)
			exit(1);
	free(page);
	close(fd);
}

static double hand_ns(const char *path, const char *disk)
{
	unsigned int last = last_program();
	struct bpf_object *o = bpf_object__open_file(path, NULL);
	struct bpf_program *p;
	struct bpf_link *links[8];
	int n = 0;
	double before, ns;

	if (!o || bpf_object__load(o))
		exit(1);
	bpf_object__for_each_program(p, o) links[n++] = bpf_program__attach(p);
	before = programs_ns(last);
	read_disk(disk);
	ns = programs_ns(last) - before;
	while (n > 0)
		bpf_link__destroy(links[--n]);
	bpf_object__close(o);
	return ns / REQUESTS;
}

static double dtrace_ns(const char *path, const char *disk)
{
	unsigned int last = last_program();
	int fds[2];
	char line[64];
	double before, ns;
	pid_t pid;

	if (pipe(fds) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		dup2(fds[1], 2);
		dup2(open("/dev/null", O_WRONLY), 1);
		execl(path, path, "-n", program, (char *)NULL);
		_exit(127);
	}
	if (read(fds[0], line, sizeof(line)) <= 0)
		exit(1);
	usleep(300000);
	before = programs_ns(last);
	read_disk(disk);
	ns = programs_ns(last) - before;
	kill(pid, SIGINT);
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	return ns / REQUESTS;
}

int main(int argc, char **argv)
{
	int rounds = argc > 4 ? atoi(argv[4]) : 7;
	double hand[ROUNDS_MAX], ours[ROUNDS_MAX];

	if (argc < 4 || rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		return 1;
	for (int r = 0; r < rounds; r++) {
		hand[r] = hand_ns(argv[1], argv[3]);
		ours[r] = dtrace_ns(argv[2], argv[3]);
	}
	printf("ns of programs for a request: by hand %.1f, dtrace %.1f, ratio %.2f\n",
	       median(hand, rounds), median(ours, rounds),
	       median(ours, rounds) / median(hand, rounds));
	return 0;
}
