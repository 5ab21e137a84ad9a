/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fetch.c: the BTF of a remote machine.  The kernel's own, some megabytes, is cached from run to
 * run.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "kern/priv.h"
#include "sys/machine.h"

void kern_set_store(struct kern *k, const char *dir)
{
	k->store = dir ? arena_strdup(k->arena, dir) : NULL;
}

static void read_sound(struct kern_btf *b, const char *path)
{
	kern_btf_read(b, path);
	if (!kern_btf_is_sound(b))
		b->count = b->named.n = 0;
}

void kern_btf_fetch(struct kern *k, struct kern_btf *b, const char *path)
{
	const char *kept =
	    k->store && !b->module ? arena_printf(k->arena, "%s/vmlinux", k->store) : NULL;
	struct buf text = {0};
	int fd;

	if (kept && access(kept, R_OK) == 0) {
		read_sound(b, kept);
		if (b->count)
			return;
	}
	if (!sys_read_file(k->machine, path, &text))
		return;
	if (kept)
		file_replace(kept, text.s, text.n);
	fd = memfd_create("btf", MFD_CLOEXEC);
	if (fd >= 0 && file_write_all(fd, text.s, text.n))
		read_sound(b, arena_printf(k->arena, "/proc/self/fd/%d", fd));
	if (fd >= 0)
		close(fd);
	buf_free(&text);
}
