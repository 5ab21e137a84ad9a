/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidns.c: numbers of processes in the PID namespace of dtrace, and in the first namespace.
 *
 * Programs in the kernel see the numbers of the first namespace (task_struct::tgid).  System calls
 * and /proc use the numbers of the caller's namespace.  struct pid has one number for each
 * namespace of a process, by level.  No system call shows the outer numbers, so two small programs
 * read them.  One looks at the calling thread.  The other looks at all processes of its namespace,
 * which the iterator of tasks visits (bpf_iter_task, kernel/bpf/task_iter.c).
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "kern/priv.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define FIRST_NS 0xeffffffcU /* PROC_PID_INIT_INO, include/linux/proc_ns.h */

/* struct upid: int nr; struct pid_namespace *ns (include/linux/pid.h). */
#define UPID_SIZE 16
#define UPID_NS	  8

/* The result of a program. */
struct found {
	uint64_t level, number, ns;
};

static bool find_members(struct kern *k, struct kern_pidns *ns)
{
	return kern_btf_member(k, "task_struct", "tgid", &ns->tgid) &&
	       kern_btf_member(k, "task_struct", "group_leader", &ns->group_leader) &&
	       kern_btf_member(k, "task_struct", "thread_pid", &ns->thread_pid) &&
	       kern_btf_member(k, "pid", "level", &ns->pid_level) &&
	       kern_btf_member(k, "pid", "numbers", &ns->pid_numbers);
}

#define REG(c, d, s)	    INSN(BPF_ALU64 | (c) | BPF_X, d, s, 0, 0)
#define IMM(c, d, i)	    INSN(BPF_ALU64 | (c) | BPF_K, d, 0, 0, i)
#define LOAD(size, d, s, o) INSN(BPF_LDX | (size) | BPF_MEM, d, s, o, 0)
#define STORE(d, o, s)	    INSN(BPF_STX | BPF_DW | BPF_MEM, d, s, o, 0)
#define CALL(id)	    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##id)
/* Reads bytes at register s + off to the frame, at r10 + slot. */
#define READ(slot, size, s, off)                                                          \
	REG(BPF_MOV, 1, 10), IMM(BPF_ADD, 1, slot), MOV_IMM(2, size), REG(BPF_MOV, 3, s), \
	    IMM(BPF_ADD, 3, off), CALL(probe_read_kernel)
#define VALUE_OF(map) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, 9, BPF_PSEUDO_MAP_VALUE, 0, map), INSN(0, 0, 0, 0, 0)

static int load(struct kern *k, enum bpf_prog_type type, enum bpf_attach_type attach,
		const char *func, const struct bpf_insn *insns, uint32_t n)
{
	struct sys_prog p = {.type = type, .attach_type = attach, .insns = insns, .n = n};

	if (func)
		p.btf_id = kern_btf_find(k, func, BTF_KIND_FUNC);
	return sys_prog_load(k->machine, &p);
}

#define LENGTH(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

/* Loads a program that finds the level, number and namespace of the calling thread. */
static int load_own(struct kern *k, const struct kern_pidns *ns, int map)
{
	const struct bpf_insn insns[] = {
	    VALUE_OF(map),
	    CALL(get_current_task),
	    REG(BPF_MOV, 6, 0),
	    INSN(BPF_ST | BPF_DW | BPF_MEM, 10, 0, -8, 0),
	    INSN(BPF_ST | BPF_DW | BPF_MEM, 10, 0, -16, 0),
	    READ(-8, 8, 6, (int32_t)ns->thread_pid),
	    LOAD(BPF_DW, 7, 10, -8),
	    READ(-16, 4, 7, (int32_t)ns->pid_level),
	    LOAD(BPF_DW, 8, 10, -16),
	    STORE(9, 0, 8),
	    IMM(BPF_MUL, 8, UPID_SIZE),
	    REG(BPF_ADD, 8, 7),
	    READ(-16, UPID_SIZE, 8, (int32_t)ns->pid_numbers),
	    LOAD(BPF_W, 1, 10, -16),
	    STORE(9, 8, 1),
	    LOAD(BPF_DW, 1, 10, -16 + UPID_NS),
	    STORE(9, 16, 1),
	    MOV_IMM(0, 0),
	    EXIT(),
	};

	return load(k, BPF_PROG_TYPE_RAW_TRACEPOINT, 0, NULL, insns, LENGTH(insns));
}

/*
 * Loads a program that maps a thread's number in dtrace's namespace to its process in the first
 * one.
 */
static int load_search(struct kern *k, const struct kern_pidns *ns, int map, uint32_t pid)
{
	int32_t number = (int32_t)(ns->pid_numbers + ns->level * UPID_SIZE);
	const struct bpf_insn insns[] = {
	    VALUE_OF(map),
	    LOAD(BPF_DW, 6, 1, 8),
	    INSN(BPF_JMP | BPF_JEQ | BPF_K, 6, 0, 19, 0), /* after the last thread: no task */
	    INSN(BPF_ST | BPF_DW | BPF_MEM, 10, 0, -8, 0),
	    INSN(BPF_ST | BPF_DW | BPF_MEM, 10, 0, -16, 0),
	    READ(-8, 8, 6, (int32_t)ns->thread_pid),
	    LOAD(BPF_DW, 7, 10, -8),
	    READ(-16, 4, 7, number),
	    LOAD(BPF_DW, 8, 10, -16),
	    INSN(BPF_JMP | BPF_JNE | BPF_K, 8, 0, 2, (int32_t)pid),
	    LOAD(BPF_W, 8, 6, (int16_t)ns->tgid),
	    STORE(9, 8, 8),
	    MOV_IMM(0, 0),
	    EXIT(),
	};

	return load(k, BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "bpf_iter_task", insns,
		    LENGTH(insns));
}

static int new_map(struct kern *k)
{
	const struct sys_map map = {.type = BPF_MAP_TYPE_ARRAY,
				    .name = "pidns",
				    .key_size = 4,
				    .value_size = sizeof(struct found),
				    .max_entries = 1};

	return sys_map_new(k->machine, &map);
}

/* Runs one of the programs, and returns its result from the map. */
static bool run(struct kern *k, int prog, int map, bool is_iterator, struct found *res)
{
	uint64_t none[1] = {0};
	uint32_t zero = 0;
	int r = prog;

	if (r >= 0)
		r = is_iterator ? sys_iterate(k->machine, prog)
				: sys_test_run(k->machine, prog, none, sizeof(none), -1);
	if (prog >= 0)
		sys_close(k->machine, prog);
	return r >= 0 &&
	       sys_map_lookup(k->machine, map, &zero, sizeof(zero), res, sizeof(*res)) == 0;
}

static bool read_level(struct kern *k, struct kern_pidns *ns)
{
	struct found f = {0};
	int map = find_members(k, ns) ? new_map(k) : -1;
	bool ok = map >= 0 && run(k, load_own(k, ns, map), map, false, &f);

	if (map >= 0)
		sys_close(k->machine, map);
	/* Both the first thread and other threads of a process may call this. */
	ns->level = (uint32_t)f.level;
	ns->ns = f.ns;
	return ok && f.level && f.ns && f.number == (uint64_t)gettid();
}

/* Returns true if /proc shows the processes of dtrace's own namespace. */
static bool is_own_proc(struct kern *k)
{
	char link[32];

	return sys_readlink(k->machine, "/proc/self", link, sizeof(link)) > 0 &&
	       atol(link) == getpid();
}

static void find_out(struct kern *k, struct kern_pidns *ns)
{
	char link[64];
	unsigned int number = 0;

	if (!k->is_live || !k->machine->is_here ||
	    sys_readlink(k->machine, "/proc/self/ns/pid", link, sizeof(link)) <= 0 ||
	    sscanf(link, "pid:[%u]", &number) != 1 || number == FIRST_NS)
		return;
	ns->is_inner = true;
	ns->is_known = read_level(k, ns);
	ns->has_proc = is_own_proc(k);
	ns->hosts = map_new();
}

const struct kern_pidns *kern_pidns(struct kern *k)
{
	if (!k->pidns) {
		k->pidns = arena_new_obj(k->arena, struct kern_pidns);
		find_out(k, k->pidns);
	}
	return k->pidns->is_inner ? k->pidns : NULL;
}

uint32_t kern_host_pid(struct kern *k, uint32_t pid)
{
	const struct kern_pidns *ns = kern_pidns(k);
	struct found f = {0};
	uintptr_t known;
	int map;

	if (!ns || !pid)
		return pid;
	known = (uintptr_t)map_get_int(ns->hosts, pid);
	if (known || !ns->is_known)
		return (uint32_t)known;
	map = new_map(k);
	if (map >= 0) {
		if (run(k, load_search(k, ns, map, pid), map, true, &f) && f.number)
			map_set_int(ns->hosts, pid, (void *)(uintptr_t)f.number);
		sys_close(k->machine, map);
	}
	return (uint32_t)f.number;
}

uint32_t kern_host_ns(struct kern *k, const char *kind)
{
	static const char *const processes[] = {"1", "self"};
	unsigned int number = 0;

	for (unsigned int i = 0; i < 2; i++) {
		char path[64], link[64];

		snprintf(path, sizeof(path), "/proc/%s/ns/%s", processes[i], kind);
		if (sys_readlink(k->machine, path, link, sizeof(link)) > 0 &&
		    sscanf(link, "%*[^[][%u]", &number) == 1)
			break;
	}
	return number;
}

void kern_pidns_free(struct kern *k)
{
	if (k->pidns)
		map_free(k->pidns->hosts);
}
