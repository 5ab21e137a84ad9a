/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far.c: see far.h.  A file is copied whole, as those who read it want parts from all over it, and
 * each part would be a round trip.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "proc/far.h"
#include "proc/proc.h"
#include "sys/machine.h"

#define PART_SIZE (1 << 20)
#define COPY_MAX  (64 << 20) /* bytes: names of what is larger are not worth the time */
#define COPY_NS	  3000000000ULL

int far_read(struct machine *m, uint32_t pid, struct buf *maps, struct buf *exe)
{
	char path[64], link[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (!sys_read_file(m, path, maps))
		return -ENOENT;
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	sys_readlink(m, path, link, sizeof(link));
	buf_puts(exe, link);
	return 0;
}

/* 0 or -errno */
static long copy(struct machine *m, int from, int to)
{
	char *part = mem_alloc(PART_SIZE);
	uint64_t begin = proc_clock(), size = 0;
	long n;

	while ((n = sys_read(m, from, part, PART_SIZE)) > 0) {
		size += (uint64_t)n;
		if (write(to, part, (size_t)n) != n)
			n = -ENOMEM;
		else if (size > COPY_MAX)
			n = -EFBIG;
		else if (proc_clock() - begin > COPY_NS)
			n = -ETIME;
		if (n < 0)
			break;
	}
	mem_free(part);
	return n;
}

int far_copy(struct machine *m, const char *path)
{
	int from = sys_open(m, path, 0), to;
	long r;

	if (from < 0)
		return from;
	to = memfd_create("copy", MFD_CLOEXEC);
	r = to < 0 ? -errno : copy(m, from, to);
	sys_close(m, from);
	if (r >= 0)
		return to;
	if (to >= 0)
		close(to);
	return (int)r;
}
