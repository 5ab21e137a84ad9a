/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * allow_test.c: calls that an agent makes for its peer, and calls that it refuses.
 */
#include <string.h>

#include "target/allow.h"
#include "test.h"

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
	CHECK(may_open("/proc/12/maps") && may_open("/proc/12/root/usr/bin/sh"));
	CHECK(may_open("/sys/fs/cgroup/") && may_open("/etc/os-release"));
	CHECK(!may_open("/etc/passwd") && !may_open("/proc/12/environ"));
	CHECK(!may_open("/proc/self/environ") && !may_open("/proc/thread-self/maps"));
	CHECK(!may_open("/sys/../etc/passwd"));
}

/* Another spelling of a path leads to the same file. */
static void spellings(void)
{
	CHECK(!may_open("/proc//12/environ") && !may_open("/proc/./12/root/etc/shadow"));
	CHECK(!may_open("/proc//self/environ") && !may_open("/proc/.//thread-self/maps"));
	CHECK(!may_open("/proc/12//environ") && !may_open("/proc/12/./environ"));
	CHECK(!may_open("/sys/..") && !may_open("/proc/12/root/.."));
	CHECK(!may_open("/etc/os-release/x") && !may_open("/etc/os-release.old"));
}

int main(void)
{
	paths();
	spellings();
	vec_free(&fds);
	return TEST_DONE();
}
