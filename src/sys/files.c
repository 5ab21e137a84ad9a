/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.c: reading files of a machine.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "sys/machine.h"

#define READ_SIZE (1 << 20)
#define LIST_SIZE (1 << 15)
#define LISTS_MAX 1024 /* maximum parts of a directory */

/* Maximum bytes of a file that is read whole.  Symbols of a kernel take 20 MB. */
#define FILE_MAX_SIZE ((size_t)256 << 20)

static void add_path(struct sys_call *c, const char *path)
{
	sys_arg_in(c, 0, path, strlen(path) + 1);
}

int sys_open(struct machine *m, const char *path, int flags)
{
	struct sys_call c = {.op = SYS_OPEN, .args = {0, flags}};

	add_path(&c, path);
	return (int)m->ops->call(m, &c);
}

void sys_close(struct machine *m, int fd)
{
	struct sys_call c = {.op = SYS_CLOSE, .args = {fd}};

	m->ops->call(m, &c);
}

long sys_read(struct machine *m, int fd, void *p, size_t size)
{
	struct sys_call c = {.op = SYS_READ, .args = {fd, 0, (int64_t)size}};

	sys_arg_out(&c, 1, p, size);
	return m->ops->call(m, &c);
}

long sys_pread(struct machine *m, int fd, void *p, size_t size, uint64_t off)
{
	struct sys_call c = {.op = SYS_PREAD, .args = {fd, 0, (int64_t)size, (int64_t)off}};

	sys_arg_out(&c, 1, p, size);
	return m->ops->call(m, &c);
}

bool sys_exists(struct machine *m, const char *path)
{
	struct sys_call c = {.op = SYS_ACCESS, .args = {0, R_OK}};

	add_path(&c, path);
	return m->ops->call(m, &c) == 0;
}

long sys_readlink(struct machine *m, const char *path, char *text, size_t size)
{
	struct sys_call c = {.op = SYS_READLINK, .args = {0, 0, (int64_t)size - 1}};
	long n;

	add_path(&c, path);
	sys_arg_out(&c, 1, text, size - 1);
	n = m->ops->call(m, &c);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

bool sys_read_file(struct machine *m, const char *path, struct buf *b)
{
	int fd = sys_open(m, path, 0);
	char *part;
	long n;

	if (fd < 0)
		return false;
	part = mem_alloc(READ_SIZE);
	while (b->n < FILE_MAX_SIZE && (n = sys_read(m, fd, part, READ_SIZE)) > 0)
		buf_add(b, part, (size_t)n);
	mem_free(part);
	sys_close(m, fd);
	return true;
}

void sys_list(struct machine *m, const char *path, void (*f)(void *ctx, const char *name),
	      void *ctx)
{
	int fd = sys_open(m, path, O_DIRECTORY);
	char *part = mem_alloc(LIST_SIZE);
	long n = fd;

	/* Another machine may send data for ever. */
	for (unsigned int part_no = 0; n >= 0 && part_no < LISTS_MAX; part_no++) {
		struct sys_call c = {.op = SYS_LIST, .args = {fd, 0, LIST_SIZE}};

		sys_arg_out(&c, 1, part, LIST_SIZE);
		n = m->ops->call(m, &c);
		for (long i = 0; i < n;) {
			const struct dirent64 *e = (void *)(part + i);

			if (n - i < (long)sizeof(*e) - (long)sizeof(e->d_name) ||
			    e->d_reclen > n - i ||
			    e->d_reclen <= offsetof(struct dirent64, d_name) ||
			    !memchr(e->d_name, '\0',
				    e->d_reclen - offsetof(struct dirent64, d_name))) {
				n = 0;
				break;
			}
			if (e->d_name[0] != '.')
				f(ctx, e->d_name);
			i += e->d_reclen;
		}
		if (n == 0)
			break;
	}
	if (fd >= 0)
		sys_close(m, fd);
	mem_free(part);
}
