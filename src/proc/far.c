/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * far.c: see far.h.  A file is copied whole, because its readers need parts from all over it, and
 * each part would be a round trip.  Copies are kept for a while, because several readers use them
 * in turn.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "proc/far.h"
#include "proc/proc.h"
#include "sys/machine.h"

#define PART_SIZE (1 << 20)
#define COPY_MAX  (64 << 20) /* bytes: larger files are not worth the time */
#define COPY_NS	  3000000000ULL

#define KEPT 8

struct far {
	struct machine *machine;
	struct copy {
		char *id;
		int fd;
	} kept[KEPT];
	unsigned int next; /* next copy to be replaced */
};

struct far *far_new(struct machine *m)
{
	struct far *f = mem_alloc(sizeof(*f));

	f->machine = m;
	return f;
}

static void give_up(struct copy *c)
{
	if (c->id)
		close(c->fd);
	mem_free(c->id);
	*c = (struct copy){0};
}

void far_free(struct far *f)
{
	for (unsigned int i = 0; f && i < KEPT; i++)
		give_up(&f->kept[i]);
	mem_free(f);
}

int far_read(struct far *f, uint32_t pid, struct buf *maps, struct buf *exe)
{
	char path[64], link[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (!sys_read_file(f->machine, path, maps))
		return -ENOENT;
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	sys_readlink(f->machine, path, link, sizeof(link));
	buf_puts(exe, link);
	return 0;
}

/* Returns 0 or -errno. */
static long copy(struct machine *m, int from, int to)
{
	char *part = mem_alloc(PART_SIZE);
	uint64_t begin = clock_ns(), size = 0;
	long n;

	while ((n = sys_read(m, from, part, PART_SIZE)) > 0) {
		size += (uint64_t)n;
		if (write(to, part, (size_t)n) != n)
			n = -ENOMEM;
		else if (size > COPY_MAX)
			n = -EFBIG;
		else if (clock_ns() - begin > COPY_NS)
			n = -ETIME;
		if (n < 0)
			break;
	}
	mem_free(part);
	return n;
}

/* Returns a descriptor, or -errno. */
static int copy_of(struct machine *m, const char *path)
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

int far_copy(struct far *f, const char *id, const char *path)
{
	struct copy *c = &f->kept[f->next];
	int fd;

	for (unsigned int i = 0; i < KEPT; i++)
		if (f->kept[i].id && strcmp(f->kept[i].id, id) == 0)
			return fcntl(f->kept[i].fd, F_DUPFD_CLOEXEC, 0);
	fd = copy_of(f->machine, path);
	if (fd < 0)
		return fd;
	give_up(c);
	*c = (struct copy){mem_strdup(id), fd};
	f->next = (f->next + 1) % KEPT;
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int far_memory(struct far *f, uint32_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	return sys_open(f->machine, path, 0);
}

bool far_word(struct far *f, int fd, uint64_t addr, uint64_t *word)
{
	*word = 0;
	return sys_pread(f->machine, fd, word, sizeof(*word), addr) == sizeof(*word);
}

void far_close(struct far *f, int fd)
{
	sys_close(f->machine, fd);
}
