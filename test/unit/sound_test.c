/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sound_test.c: BTF of other machines, with types that contain themselves and types that no kernel
 * has.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "kern/priv.h"
#include "test.h"

static struct btf *b;
static int number, word;

static void start(void)
{
	b = btf__new_empty();
	number = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	word = btf__add_int(b, "long", 8, BTF_INT_SIGNED);
}

static bool is_sound_file(const char *path)
{
	struct kern_btf *kb = mem_alloc(sizeof(*kb));
	bool is;

	kern_btf_read(kb, path);
	is = kern_btf_is_sound(kb);
	kern_btf_free(kb);
	return is;
}

static bool is_sound(void)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	const void *data;
	char path[32];
	uint32_t size;
	bool is;

	data = btf__raw_data(b, &size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(write(fd, data, size) == (ssize_t)size);
	is = is_sound_file(path);
	close(fd);
	btf__free(b);
	return is;
}

static void real(void)
{
	static const char kernel[] = "/sys/kernel/btf/vmlinux";

	if (access(kernel, R_OK) == 0)
		CHECK(is_sound_file(kernel));
	start();
	/* struct list { struct list *next; union { int a; long b; }; int c[3]; } */
	btf__add_struct(b, "list", 32);
	btf__add_field(b, "next", word + 2, 0, 0);
	btf__add_field(b, NULL, word + 3, 64, 0);
	btf__add_field(b, "c", word + 4, 128, 0);
	btf__add_ptr(b, word + 1);
	btf__add_union(b, NULL, 8);
	btf__add_field(b, "a", number, 0, 0);
	btf__add_field(b, "b", word, 0, 0);
	btf__add_array(b, number, number, 3);
	/* A bit-field at the end of a structure. */
	btf__add_struct(b, "bits", 4);
	btf__add_field(b, "low", number, 0, 31);
	btf__add_field(b, "high", number, 31, 1);
	CHECK(is_sound());
}

static void circles(void)
{
	start();
	btf__add_typedef(b, "a", word + 2);
	btf__add_typedef(b, "b", word + 1);
	CHECK(!is_sound());
	start();
	btf__add_ptr(b, word + 2);
	btf__add_const(b, word + 1);
	CHECK(!is_sound());
	start();
	btf__add_struct(b, "self", 8);
	btf__add_field(b, "me", word + 1, 0, 0);
	CHECK(!is_sound());
	start();
	for (int i = 0; i < 1000; i++)
		btf__add_ptr(b, word + i);
	CHECK(!is_sound());
}

static void outside(void)
{
	start();
	btf__add_struct(b, "small", 8);
	btf__add_field(b, "a", word, 32, 0);
	CHECK(!is_sound());
	start();
	btf__add_struct(b, "small", 8);
	btf__add_field(b, "a", word + 2, 0, 0);
	btf__add_array(b, number, word, 0x40000000);
	CHECK(!is_sound());
	start();
	btf__add_func(b, "f", BTF_FUNC_GLOBAL, number);
	CHECK(!is_sound());
}

int main(void)
{
	real();
	circles();
	outside();
	return TEST_DONE();
}
