/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_elf.c: any bytes as an executable.  The file is mapped into this process, addresses inside
 * are resolved, functions are decoded, and notes and tables of Go are read.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "proc/debug.h"
#include "proc/func.h"
#include "proc/gotable.h"
#include "proc/notes.h"
#include "proc/reader.h"
#include "session/session.h"

static char path[] = "/tmp/fuzz-elf-XXXXXX";

static void forget(void)
{
	unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int fd = mkstemp(path);

	if (fd < 0)
		exit(1);
	close(fd);
	atexit(forget);
	return 0;
}

/* Looks for the places of the first bytes of code. */
static void find_places(int fd, const struct proc_object *o)
{
	struct reader_place places[GOPLACES_MAX];
	struct goplaces *g = NULL;
	struct image im;

	if (image_read(&im, fd))
		g = goplaces_open(&im);
	image_free(&im);
	for (unsigned int i = 0; g && i < o->loads.n && i < 4; i++)
		for (uint64_t off = 0; off < 64; off += 3)
			goplaces_find(g, o->loads.a[i].vaddr + off, places);
	goplaces_close(g);
}

static void decode(int fd)
{
	struct proc_object *o = mem_alloc(sizeof(*o));
	struct arena *a = arena_new();
	struct debug_dir dir = {.path = "/tmp"};
	struct notes ns = {0};

	proc_object_read(o, fd, path, &dir);
	for (unsigned int i = 0; i < o->syms.n && i < 16; i++) {
		struct func f;

		func_read(fd, o, &o->syms.a[i], &f);
		func_free(&f);
	}
	find_places(fd, o);
	proc_object_free(o);
	notes_read(&ns, a, fd);
	notes_free(&ns);
	arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = session_new("dtrace");
	int fd = open(path, O_RDWR | O_TRUNC | O_CLOEXEC);
	char *p = MAP_FAILED;

	s->plan.env.kern = kern_open(s->machine);
	if (fd >= 0 && size && write(fd, data, size) == (ssize_t)size)
		p = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	for (size_t i = 0; p != MAP_FAILED && i < 8; i++) {
		struct out_sym sym;

		syms_table.usym(&s->consume, (uint32_t)getpid(), (uintptr_t)p + i * size / 8, &sym);
	}
	if (p != MAP_FAILED)
		munmap(p, size);
	decode(fd);
	close(fd);
	session_free(s);
	return 0;
}
