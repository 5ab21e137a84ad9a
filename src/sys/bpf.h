/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf.h: bpf(2) and perf_event_open(2) of a machine.  All functions return 0, a descriptor, or
 * -errno.
 */
#ifndef SYS_BPF_H
#define SYS_BPF_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;
struct perf_event_attr;

struct sys_map {
	enum bpf_map_type type;
	const char *name; /* at most 15 letters, digits, _ and . */
	uint32_t key_size, value_size, max_entries, flags;
	int inner, btf; /* descriptors, 0: none */
	uint32_t btf_key, btf_value;
};

int sys_map_new(struct machine *m, const struct sys_map *map);
int sys_map_freeze(struct machine *m, int fd);

/* Sizes are the bytes read or written.  For a per-CPU map they include the values of all CPUs. */
int sys_map_lookup(struct machine *m, int fd, const void *key, size_t key_size, void *value,
		   size_t value_size);
int sys_map_update(struct machine *m, int fd, const void *key, size_t key_size, const void *value,
		   size_t value_size, uint64_t flags);
int sys_map_delete(struct machine *m, int fd, const void *key, size_t key_size);

/* BPF_MAP_LOOKUP_AND_DELETE_BATCH: takes up to *n elements after *from, NULL: from the first. */
int sys_map_take(struct machine *m, int fd, const uint32_t *from, uint32_t *next, void *keys,
		 size_t key_size, void *values, size_t value_size, uint32_t *n);

struct sys_prog {
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type;
	uint32_t flags;
	const struct bpf_insn *insns;
	uint32_t n;
	uint32_t btf_id;
	int btf_obj; /* BTF that btf_id belongs to, 0: the kernel's own */
	int btf;     /* BTF of func_info and line_info, 0: none */
	const struct bpf_func_info *funcs;
	const struct bpf_line_info *lines;
	uint32_t nfuncs, nlines;
	char *log;
	uint32_t log_size, log_level;
};

int sys_prog_load(struct machine *m, const struct sys_prog *p);
int sys_btf_load(struct machine *m, const void *data, uint32_t size);
int sys_object_info(struct machine *m, int fd, void *info, uint32_t size);
int sys_btf_info(struct machine *m, int fd, struct bpf_btf_info *info, char *name, uint32_t size);

/* Return the next BTF object after a number; a descriptor of an object. */
int sys_btf_next(struct machine *m, uint32_t id, uint32_t *next);
int sys_btf_by_id(struct machine *m, uint32_t id);

/* Attaches a program to a raw tracepoint by name; NULL: to the place that it was loaded for. */
int sys_attach(struct machine *m, int prog, const char *name);
int sys_link(struct machine *m, int prog, int target, enum bpf_attach_type type);
int sys_link_event(struct machine *m, int prog, int event, uint64_t cookie);
int sys_link_kprobes(struct machine *m, int prog, uint32_t flags, const unsigned long *addrs,
		     const uint64_t *cookies, uint32_t n);

/* Links a program to places of a file: BPF_LINK_CREATE as in linux/bpf.h of kernel 6.6. */
#define SYS_TRACE_UPROBE_MULTI	48
#define SYS_UPROBE_MULTI_RETURN 1

struct sys_uprobes_attr {
	uint32_t prog_fd, target_fd, attach_type, link_flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, flags, pid, pad;
};

struct sys_uprobes {
	int prog;
	const char *path;
	const uint64_t *offsets, *semaphores, *cookies; /* NULL: none */
	uint32_t n, pid;
	bool is_return; /* when functions that begin at the places return */
};

int sys_link_uprobes(struct machine *m, const struct sys_uprobes *u);

/* Runs an iterator once. */
int sys_iterate(struct machine *m, int prog);

/* Runs a program once; cpu -1: on any CPU. */
int sys_test_run(struct machine *m, int prog, const void *ctx, uint32_t size, int cpu);

/* Runs a program of type SYSCALL, which may change its context. */
int sys_run(struct machine *m, int prog, void *ctx, uint32_t size);

/* Waits until all programs that run now have ended. */
int sys_settle(struct machine *m);

/* Opens a perf event.  path: target of attr->config1, or NULL. */
int sys_perf_open(struct machine *m, struct perf_event_attr *attr, const char *path, int pid,
		  int cpu);
int sys_perf_program(struct machine *m, int event, int prog);
int sys_perf_enable(struct machine *m, int event);

/* Returns the ns from CLOCK_MONOTONIC to the clock of this machine's scheduler; 0: unknown. */
int64_t sys_sched_offset(void);

#endif
