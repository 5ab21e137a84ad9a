/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables_test.c: the unwind tables that the kernel side gets, in a simulated kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/proc.h"
#include "consume/consume.h"
#include "consume/runtime.h"
#include "consume/unwind.h"
#include "load/backend.h"
#include "test.h"

#define GONE (1U << 30) /* a pid above any that the kernel assigns */

static unsigned int npages, nspaces;

static bool update(struct load *l, unsigned int map, const void *key, const void *value,
		   uint64_t flags)
{
	const struct abi_unwind_key *k = key;

	npages += (k->of & ABI_UNWIND_TABLE) != 0;
	nspaces += (k->of & ABI_UNWIND_TABLE) == 0;
	return true;
}

static void take_out(struct load *l, unsigned int map, const void *key)
{
}

static uint64_t now(struct load *l)
{
	return 1;
}

/* A file that was missing when it was looked up, and has come back, is read then, and once. */
static void again(struct consume *co, struct procs *ps)
{
	char path[] = "/tmp/tables_test.XXXXXX", away[sizeof(path) + 1], id[128];
	struct proc_map m = {.start = 0x1000, .end = 0x3000, .id = id};
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = mkstemp(path);
	struct stat st;
	struct proc *p;

	CHECK(fstat(from, &st) == 0 && sendfile(to, from, NULL, (size_t)st.st_size) > 0);
	CHECK(fstat(to, &st) == 0);
	close(from);
	close(to);
	snprintf(away, sizeof(away), "%s-", path);
	snprintf(id, sizeof(id), "%x:%x %llu %s", major(st.st_dev), minor(st.st_dev),
		 (unsigned long long)st.st_ino, path);
	m.path = strchr(id, '/');
	CHECK(rename(path, away) == 0);
	procs_mapped(ps, GONE, &m);
	p = procs_get(ps, GONE);
	unwind_learn(co, p, 1);
	CHECK_INT(nspaces, 1);
	CHECK_INT(npages, 0);
	CHECK(rename(away, path) == 0);
	unwind_learn(co, p, 1);
	CHECK_INT(nspaces, 2);
	CHECK(npages > 0);
	npages = 0;
	unwind_learn(co, p, 1);
	CHECK_INT(npages, 0);
	unlink(path);
}

int main(void)
{
	const struct backend backend = {.update = update, .remove = take_out, .now = now};
	struct arena *a = arena_new();
	struct load load = {.backend = &backend};
	struct plan plan = {.unwind = 1, .env.procs = procs_new(a)};
	struct consume co = {.load = &load, .plan = &plan};

	runtime_init(&co);
	unwind_init(&co);
	again(&co, plan.env.procs);
	unwind_fini(&co);
	runtime_fini(&co);
	procs_free(plan.env.procs);
	arena_free(a);
	return TEST_DONE();
}
