/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * allow_test.c: calls that an agent makes for its peer, and calls that it refuses.
 */
#include <linux/bpf.h>
#include <string.h>

#include "remote/allow.h"
#include "test.h"

#define ROOT "/12/root" /* of a process, below /proc */

static allow_fds fds;

static bool may_open(const char *path)
{
	struct sys_call c = {.op = SYS_OPEN};

	sys_arg_in(&c, 0, path, strlen(path) + 1);
	return allow_call(&fds, &c);
}

static void paths(void)
{
	CHECK(may_open("/proc/kallsyms") && may_open("/sys/kernel/notes"));
	CHECK(may_open("/proc/self/mounts") && may_open("/proc/self/ns/net"));
	CHECK(may_open("/proc/12/maps") && may_open("/proc" ROOT "/usr/bin/sh"));
	CHECK(may_open("/sys/fs/cgroup/") && may_open("/etc/os-release"));
	CHECK(!may_open("/etc/passwd") && !may_open("/proc/12/environ"));
	CHECK(!may_open("/proc/self/environ") && !may_open("/proc/thread-self/maps"));
	CHECK(!may_open("/sys/../etc/passwd"));
}

/* Another spelling of a path leads to the same file. */
static void spellings(void)
{
	CHECK(!may_open("/proc//12/environ") && !may_open("/proc/." ROOT "/etc/shadow"));
	CHECK(!may_open("/proc//self/environ") && !may_open("/proc/.//thread-self/maps"));
	CHECK(!may_open("/proc/12//environ") && !may_open("/proc/12/./environ"));
	CHECK(!may_open("/sys/..") && !may_open("/proc" ROOT "/.."));
	CHECK(!may_open("/etc/os-release/x") && !may_open("/etc/os-release.old"));
}

static void make(int fd, enum bpf_cmd cmd, const union bpf_attr *attr)
{
	struct sys_call c = {.op = SYS_BPF, .args = {cmd, 0, sizeof(*attr)}};

	sys_arg_both(&c, 1, (void *)attr, sizeof(*attr));
	allow_note(&fds, &c, fd);
}

/* Tests a command whose first `size` bytes the kernel reads, in memory of `len` bytes. */
static bool may_command(enum bpf_cmd cmd, union bpf_attr *attr, size_t size, size_t len)
{
	struct sys_call c = {.op = SYS_BPF, .args = {cmd, 0, (int64_t)size}};

	sys_arg_both(&c, 1, attr, len);
	return allow_call(&fds, &c);
}

/* Tests a command that contains the address of memory of the call. */
static bool may_attach(size_t size)
{
	static const char name[] __attribute__((aligned(2))) = " sched_switch";
	union bpf_attr attr = {0};
	struct sys_call c = {.op = SYS_BPF, .args = {BPF_RAW_TRACEPOINT_OPEN, 0, (int64_t)size}};

	sys_arg_both(&c, 1, &attr, sizeof(attr));
	/* Its first byte is not 0 either. */
	sys_field_in(&c, (uint64_t *)&attr.raw_tracepoint.name, name + 1, sizeof(name) - 1);
	return allow_call(&fds, &c);
}

/* The kernel completes an address of which it reads only a few bytes. */
static void short_attributes(void)
{
	union bpf_attr attr = {.map_fd = 3, .key = 0x1000};
	size_t whole = offsetof(union bpf_attr, key) + sizeof(attr.key);

	for (size_t n = offsetof(union bpf_attr, key) + 2; n <= whole; n++)
		CHECK(!may_command(BPF_MAP_LOOKUP_ELEM, &attr, n, sizeof(attr)));
	attr.key = 0;
	CHECK(may_command(BPF_MAP_LOOKUP_ELEM, &attr, whole, sizeof(attr)));
	CHECK(may_attach(sizeof(attr.raw_tracepoint)) && may_attach(8));
	for (size_t n = 1; n < 8; n++)
		CHECK(!may_attach(n));
}

/* The kernel writes some results into the attributes, however many bytes it reads. */
static void results(void)
{
	union bpf_attr attr = {0}, batch = {.batch = {.count = 1, .map_fd = 4}};
	size_t n = offsetof(union bpf_attr, batch.flags);

	CHECK(may_command(BPF_BTF_GET_NEXT_ID, &attr, 4, sizeof(attr)));
	CHECK(!may_command(BPF_BTF_GET_NEXT_ID, &attr, 4, 4));
	CHECK(!may_command(BPF_PROG_TEST_RUN, &attr, 4, 4));
	CHECK(may_command(BPF_MAP_LOOKUP_AND_DELETE_BATCH, &batch, n, n));
	CHECK(!may_command(BPF_MAP_LOOKUP_AND_DELETE_BATCH, &batch, n,
			   offsetof(union bpf_attr, batch.count)));
}

static void areas(void)
{
	CHECK(allow_area(&fds, 3) && !allow_area(&fds, 4) && !allow_area(&fds, 5));
}

int main(void)
{
	make(3, BPF_MAP_CREATE,
	     &(union bpf_attr){.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8});
	make(4, BPF_MAP_CREATE,
	     &(union bpf_attr){.map_type = BPF_MAP_TYPE_HASH, .key_size = 4, .value_size = 8});
	paths();
	spellings();
	short_attributes();
	results();
	areas();
	vec_free(&fds);
	return TEST_DONE();
}
