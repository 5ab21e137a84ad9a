/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel_model.h: a machine that replaces the kernel for the calls of an agent.
 *
 * It touches the memory that the kernel would touch (kernel/bpf/syscall.c).  The program ends if
 * that is not memory of the call, or if tracing does not need the call.  Results come from the end
 * of the input.
 */
#ifndef TEST_FUZZ_KERNEL_MODEL_H
#define TEST_FUZZ_KERNEL_MODEL_H

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "sys/bpf.h"
#include "sys/machine.h"
#include "remote/wire.h"

#define FD_FILE	 500  /* descriptors of files from here on, which exist */
#define FD_BPF	 1000 /* and of maps, programs, links, which do not */
#define FILES	 64
#define OBJECTS	 64
#define AREA_MAX (1 << 16)

/* ---- the input ---- */

static const uint8_t *input;
static size_t ninput;

static uint8_t byte(void)
{
	if (!ninput)
		return 0;
	ninput--;
	return *input++;
}

static uint8_t last_byte(void)
{
	return ninput ? input[--ninput] : 0;
}

/* ---- the machine that replaces the kernel ---- */

struct object {
	int cmd; /* -1: none */
	union bpf_attr attr;
};

static struct object objects[OBJECTS];
static unsigned int nobjects;
static bool is_open[FILES], is_secret[FILES];
static int elf = -1, other = -1;

static void check(bool ok)
{
	if (!ok)
		abort();
}

/* Touches SIZE bytes, which must be memory of the call.  The kernel refuses NULL. */
static void touch(const struct sys_call *c, uint64_t addr, uint64_t size)
{
	for (unsigned int i = 0; i < c->nmems; i++) {
		uint64_t at = (uintptr_t)c->mems[i].at;

		if (addr >= at && addr - at <= c->mems[i].len &&
		    size <= c->mems[i].len - (addr - at))
			return;
	}
	check(!addr || !size);
}

static void touch_text(const struct sys_call *c, uint64_t addr, size_t max)
{
	size_t n = 0;

	for (; addr && n < max; n++) {
		touch(c, addr + n, 1);
		if (!*(const char *)(uintptr_t)(addr + n))
			break;
	}
}

static const struct object *object(uint32_t fd, int cmd)
{
	if (fd < FD_BPF || fd >= FD_BPF + nobjects || objects[fd - FD_BPF].cmd != cmd)
		return NULL;
	return &objects[fd - FD_BPF];
}

static uint64_t value_size(const union bpf_attr *a)
{
	bool is_percpu = a->map_type == BPF_MAP_TYPE_PERCPU_HASH ||
			 a->map_type == BPF_MAP_TYPE_LRU_PERCPU_HASH ||
			 a->map_type == BPF_MAP_TYPE_PERCPU_ARRAY ||
			 a->map_type == BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE;

	return is_percpu ? ((uint64_t)a->value_size + 7) & ~7ULL : a->value_size;
}

static void touch_element(const struct sys_call *c, const union bpf_attr *a)
{
	const struct object *map = object(a->map_fd, BPF_MAP_CREATE);

	if (!map)
		return;
	touch(c, a->key, map->attr.key_size);
	touch(c, a->value, value_size(&map->attr));
}

static void touch_batch(const struct sys_call *c, const union bpf_attr *a)
{
	const struct object *map = object(a->batch.map_fd, BPF_MAP_CREATE);
	uint64_t n = a->batch.count;

	if (!map)
		return;
	touch(c, a->batch.in_batch, sizeof(uint32_t));
	touch(c, a->batch.out_batch, sizeof(uint32_t));
	touch(c, a->batch.keys, n * map->attr.key_size);
	touch(c, a->batch.values, n * value_size(&map->attr));
	if (n)
		touch(c, (uint64_t)c->args[1] + offsetof(union bpf_attr, batch.count), 4);
}

static void touch_program(const struct sys_call *c, const union bpf_attr *a)
{
	touch(c, a->insns, (uint64_t)a->insn_cnt * sizeof(struct bpf_insn));
	touch_text(c, a->license, 128);
	touch(c, a->log_buf, a->log_size);
	touch(c, a->func_info, (uint64_t)a->func_info_cnt * a->func_info_rec_size);
	touch(c, a->line_info, (uint64_t)a->line_info_cnt * a->line_info_rec_size);
	check(!a->fd_array && !a->core_relos);
}

static void touch_test(const struct sys_call *c, const union bpf_attr *a)
{
	touch(c, a->test.data_in, a->test.data_size_in);
	touch(c, a->test.data_out, a->test.data_size_out);
	touch(c, a->test.ctx_in, a->test.ctx_size_in);
	touch(c, a->test.ctx_out, a->test.ctx_size_out);
	touch(c, (uint64_t)c->args[1] + offsetof(union bpf_attr, test.retval), 4);
}

/* Information about BTF has two addresses of texts; information about other objects has more. */
static void touch_info(const struct sys_call *c, const union bpf_attr *a)
{
	bool is_btf = object(a->info.bpf_fd, BPF_BTF_GET_FD_BY_ID);
	const char *at = (const char *)(uintptr_t)a->info.info;
	struct bpf_btf_info info = {0};

	touch(c, a->info.info, a->info.info_len);
	touch(c, (uint64_t)c->args[1] + offsetof(union bpf_attr, info.info_len), 4);
	if (is_btf && at) {
		memcpy(&info, at,
		       a->info.info_len < sizeof(info) ? a->info.info_len : sizeof(info));
		touch(c, info.btf, info.btf_size);
		touch(c, info.name, info.name_len);
	}
	for (uint32_t i = 0; !is_btf && at && i < a->info.info_len; i++)
		check(!at[i]);
}

static void touch_link(const struct sys_call *c, const union bpf_attr *a)
{
	struct sys_uprobes_attr u;
	uint64_t n = a->link_create.kprobe_multi.cnt;

	memcpy(&u, a, sizeof(u));
	switch ((unsigned int)a->link_create.attach_type) {
	case BPF_TRACE_KPROBE_MULTI:
		check(!a->link_create.kprobe_multi.syms);
		touch(c, a->link_create.kprobe_multi.addrs, n * 8);
		touch(c, a->link_create.kprobe_multi.cookies, n * 8);
		break;
	case SYS_TRACE_UPROBE_MULTI:
		touch_text(c, u.path, 4096);
		touch(c, u.offsets, u.cnt * 8ULL);
		touch(c, u.ref_ctr_offsets, u.cnt * 8ULL);
		touch(c, u.cookies, u.cnt * 8ULL);
		break;
	case BPF_PERF_EVENT:
		break;
	default:
		check(!a->link_create.iter_info && !a->link_create.iter_info_len);
	}
}

static int64_t make_object(int cmd, const union bpf_attr *a)
{
	if (nobjects == OBJECTS || last_byte() == 255)
		return -ENOMEM;
	objects[nobjects] = (struct object){.cmd = cmd, .attr = *a};
	return FD_BPF + nobjects++;
}

static int64_t bpf(const struct sys_call *c)
{
	union bpf_attr a = {0};
	size_t size = (size_t)c->args[2];

	touch(c, (uint64_t)c->args[1], size);
	if (size)
		memcpy(&a, (const void *)(intptr_t)c->args[1], size < sizeof(a) ? size : sizeof(a));
	switch (c->args[0]) {
	case BPF_MAP_CREATE:
		/* fd_array_map_alloc_check() of the kernel */
		if ((a.map_type == BPF_MAP_TYPE_ARRAY_OF_MAPS ||
		     a.map_type == BPF_MAP_TYPE_HASH_OF_MAPS) &&
		    a.value_size != sizeof(uint32_t))
			return -EINVAL;
		break;
	case BPF_BTF_GET_FD_BY_ID:
	case BPF_ITER_CREATE:
		break;
	case BPF_MAP_LOOKUP_ELEM:
	case BPF_MAP_UPDATE_ELEM:
	case BPF_MAP_DELETE_ELEM:
		touch_element(c, &a);
		return -(int64_t)(last_byte() & 1);
	case BPF_MAP_LOOKUP_AND_DELETE_BATCH:
		touch_batch(c, &a);
		return -(int64_t)(last_byte() & 1);
	case BPF_MAP_FREEZE:
		return 0;
	case BPF_PROG_LOAD:
		touch_program(c, &a);
		break;
	case BPF_PROG_TEST_RUN:
		touch_test(c, &a);
		return 0;
	case BPF_BTF_LOAD:
		touch(c, a.btf, a.btf_size);
		touch(c, a.btf_log_buf, a.btf_log_size);
		break;
	case BPF_BTF_GET_NEXT_ID:
		touch(c, (uint64_t)c->args[1] + offsetof(union bpf_attr, next_id), 4);
		return 0;
	case BPF_OBJ_GET_INFO_BY_FD:
		touch_info(c, &a);
		return 0;
	case BPF_RAW_TRACEPOINT_OPEN:
		touch_text(c, a.raw_tracepoint.name, 128);
		break;
	case BPF_LINK_CREATE:
		touch_link(c, &a);
		break;
	default:
		abort();
	}
	return make_object((int)c->args[0], &a);
}

static int64_t perf_open(const struct sys_call *c)
{
	struct perf_event_attr attr;

	touch(c, (uint64_t)c->args[0], PERF_ATTR_SIZE_VER0);
	memcpy(&attr, (const void *)(intptr_t)c->args[0], PERF_ATTR_SIZE_VER0);
	touch(c, (uint64_t)c->args[0], attr.size);
	return make_object(-1, &(union bpf_attr){0});
}

/* ---- files ---- */

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

/* Splits a path into names, ended with NUL, and returns their number.  "..", which would lead
 * elsewhere, is not allowed. */
static unsigned int split(char *path, const char **names, unsigned int max)
{
	unsigned int n = 0;

	check(*path == '/');
	for (char *p = strtok(path, "/"); p; p = strtok(NULL, "/")) {
		check(strcmp(p, "..") != 0);
		if (strcmp(p, ".") != 0 && n < max)
			names[n++] = p;
	}
	return n;
}

/* The file must be a fact about the system or a process; *is_mapped: it must be an ELF file. */
static void check_path(const struct sys_call *c, bool *is_mapped)
{
	static const char *const alone[] = {"maps", "mem", "exe", "auxv", NULL};
	static const char *const below[] = {"root", "map_files", NULL};
	char path[4096];
	const char *names[4];
	unsigned int n;

	*is_mapped = false;
	touch_text(c, (uint64_t)c->args[0], sizeof(path));
	strncpy(path, (const char *)(intptr_t)c->args[0], sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	if (strcmp(path, "/etc/os-release") == 0 || strcmp(path, "/usr/lib/os-release") == 0)
		return;
	n = split(path, names, 4);
	check(n && (strcmp(names[0], "proc") == 0 || strcmp(names[0], "sys") == 0));
	if (n < 3 || strcmp(names[0], "sys") == 0)
		return;
	if (strcmp(names[1], "self") == 0 || strcmp(names[1], "thread-self") == 0) {
		check(strcmp(names[2], "ns") == 0 || (n == 3 && strcmp(names[2], "mounts") == 0));
	} else if (names[1][strspn(names[1], "0123456789")] == '\0') {
		*is_mapped = is_one_of(names[2], below);
		check(*is_mapped || strcmp(names[2], "ns") == 0 ||
		      (n == 3 && is_one_of(names[2], alone)));
	}
}

static int64_t open_file(const struct sys_call *c)
{
	bool is_mapped, is_elf = last_byte() & 1;
	int fd;

	check_path(c, &is_mapped);
	check(!(c->args[1] & ~(int64_t)(O_DIRECTORY | O_CLOEXEC)));
	fd = fcntl(is_elf ? elf : other, F_DUPFD_CLOEXEC, FD_FILE);
	check(fd >= FD_FILE);
	if (fd >= FD_FILE + FILES) {
		close(fd);
		return -EMFILE;
	}
	is_open[fd - FD_FILE] = true;
	is_secret[fd - FD_FILE] = is_mapped && !is_elf;
	return fd;
}

/* The descriptor comes from a call, and the peer may read it. */
static bool is_known(int64_t fd)
{
	if (fd >= FD_FILE && fd < FD_FILE + FILES)
		return is_open[fd - FD_FILE] && !is_secret[fd - FD_FILE];
	return fd >= FD_BPF && fd < FD_BPF + (int64_t)nobjects;
}

static int64_t close_fd(int64_t fd)
{
	check(is_known(fd));
	if (fd < FD_BPF) {
		is_open[fd - FD_FILE] = false;
		close((int)fd);
	}
	return 0;
}

static int64_t read_to(const struct sys_call *c)
{
	int64_t n = last_byte();

	touch(c, (uint64_t)c->args[1], (uint64_t)c->args[2]);
	n = n < c->args[2] ? n : c->args[2];
	if (n)
		memset((void *)(intptr_t)c->args[1], 'r', (size_t)n);
	return n;
}

static long call(struct machine *m, struct sys_call *c)
{
	bool is_mapped;

	switch (c->op) {
	case SYS_BPF:
		return bpf(c);
	case SYS_PERF_OPEN:
		return perf_open(c);
	case SYS_PERF_IOCTL:
		check(is_known(c->args[0]));
		check(c->args[1] == PERF_EVENT_IOC_ENABLE || c->args[1] == PERF_EVENT_IOC_SET_BPF);
		return 0;
	case SYS_OPEN:
		return open_file(c);
	case SYS_CLOSE:
		return close_fd(c->args[0]);
	case SYS_READ:
	case SYS_PREAD:
	case SYS_LIST:
		check(is_known(c->args[0]));
		return read_to(c);
	case SYS_READLINK:
		check_path(c, &is_mapped);
		return read_to(c);
	case SYS_ACCESS:
		check_path(c, &is_mapped);
		return 0;
	case SYS_CAPABLE:
	case SYS_UPROBE:
	case SYS_TICK:
		return 1;
	case SYS_OP_MAX:
		break;
	}
	abort();
}

/* ---- memory and records ---- */

static VEC(void *) areas;

static void *map(struct machine *m, int fd, size_t size)
{
	const struct object *o = object((uint32_t)fd, BPF_MAP_CREATE);
	void *p;

	check(o && o->attr.map_type == BPF_MAP_TYPE_ARRAY);
	if (!size || size > AREA_MAX)
		return NULL;
	p = mem_alloc(size);
	vec_push(&areas, p);
	return p;
}

static void unmap(struct machine *m, void *p, size_t size)
{
	for (unsigned int i = 0; i < areas.n; i++)
		if (areas.a[i] == p) {
			mem_free(p);
			areas.a[i] = NULL;
			return;
		}
	abort();
}

static machine_record *on_record;
static void *record_ctx;

static int ring(struct machine *m, int fd, machine_record *f, void *ctx)
{
	check(is_known(fd));
	on_record = f;
	record_ctx = ctx;
	return last_byte() == 255 ? -EINVAL : 0;
}

static int drain(struct machine *m)
{
	char record[64] = "record";
	int n = last_byte() & 3;

	for (int i = 0; i < n; i++)
		if (on_record(record_ctx, record, last_byte() & 63) < 0)
			return -EAGAIN;
	return n;
}

static int ring_fd(struct machine *m)
{
	return -1;
}

static void start_over(void)
{
	nobjects = 0;
	for (unsigned int i = 0; i < FILES; i++) {
		if (is_open[i])
			close(FD_FILE + (int)i);
		is_open[i] = is_secret[i] = false;
	}
	for (unsigned int i = 0; i < areas.n; i++)
		mem_free(areas.a[i]);
	vec_free(&areas);
}

static const struct machine_ops kernel_ops = {
    .call = call, .map = map, .unmap = unmap, .ring = ring, .drain = drain, .ring_fd = ring_fd};

#endif
