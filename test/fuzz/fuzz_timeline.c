/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_timeline.c: any bytes as output of dtrace that was saved with option timeline, and all
 * timelines of it (option --from).
 *
 * Chrome's events are valid UTF-8, a line each, whatever the file contains.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "config/opts.h"
#include "config/report.h"
#include "print/out.h"
#include "sink/timeline.h"

static struct report report = {.progname = "dtrace"};
static struct arena *arena;
static struct opts opts;
static char folder[] = "/tmp/fuzz_timeline.XXXXXX";
static int chrome;

static void at_exit(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command) != 0)
		fprintf(stderr, "could not remove %s\n", folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char path[32];

	report.file = fopen("/dev/null", "w");
	chrome = memfd_create("chrome", MFD_CLOEXEC);
	if (!report.file || chrome < 0 || !mkdtemp(folder))
		return 1;
	atexit(at_exit);
	arena = arena_new();
	opts_init(&opts, arena);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", chrome);
	return opts_set(&opts, "chrome", path) || opts_set(&opts, "perfetto", "/dev/null") ||
	       opts_set(&opts, "ctf", folder);
}

static void check_lines(void)
{
	struct buf b = {0};

	if (lseek(chrome, 0, SEEK_SET) != 0 || !buf_read(&b, chrome) || b.n < 4 ||
	    strcmp(b.s + b.n - 3, "]}\n") != 0)
		abort();
	for (size_t i = 0, n; i < b.n; i += n) {
		unsigned char c = (unsigned char)b.s[i];

		n = out_utf8_len(b.s + i, b.n - i);
		if (!n || (c < ' ' && c != '\n'))
			abort();
	}
	buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) != (ssize_t)size)
		abort();
	if (timeline_of_saved(&report, &opts, path))
		check_lines();
	close(fd);
	return 0;
}
