/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: a running kernel: CPUs, features found by trying, tracefs.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/priv.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define SYSCALL_ARGS 6 /* at most, syscall(2) */

static struct kern *kern_new(struct machine *m, const char *btf_path, bool is_live)
{
	struct kern *k = mem_alloc(sizeof(*k));

	k->machine = m;
	k->arena = arena_new();
	k->btf_path = arena_strdup(k->arena, btf_path);
	k->is_live = is_live;
	k->tracefs_fd = -1;
	return k;
}

struct kern *kern_open(struct machine *m)
{
	return kern_new(m, "/sys/kernel/btf/vmlinux", true);
}

struct machine *kern_machine(const struct kern *k)
{
	return k->machine;
}

struct kern *kern_open_fixture(const char *btf_path)
{
	struct kern *k;

	if (access(btf_path, R_OK) != 0)
		return NULL;
	k = kern_new(machine_here(), btf_path, false);
	k->ncpu_possible = 1;
	return k;
}

void kern_close(struct kern *k)
{
	if (!k)
		return;
	kern_btf_unload(k);
	kern_syms_unload(k);
	kern_debug_free(k->debug);
	map_free(k->calls);
	kern_pidns_free(k);
	vec_free(&k->funcs);
	buf_free(&k->func_text);
	mem_free(k->cpus);
	if (k->tracefs_fd >= 0)
		close(k->tracefs_fd);
	arena_free(k->arena);
	if (!k->is_live)
		machine_free(k->machine);
	mem_free(k);
}

#define CPUS_MAX 8192 /* of a kernel (NR_CPUS_RANGE_END, arch/x86/Kconfig) */

/*
 * Reads "0-3,5" from a file of sysfs.  keep: adds each number to k->cpus.  Returns the largest
 * number + 1; 0 if a number is impossible.
 */
static unsigned int read_cpu_list(struct kern *k, const char *path, bool keep)
{
	char text[4096] = "", *p = text, *end;
	int fd = sys_open(k->machine, path, 0);
	long last = -1;

	if (fd >= 0) {
		sys_read(k->machine, fd, text, sizeof(text) - 1);
		sys_close(k->machine, fd);
	}
	while (*p >= '0' && *p <= '9') {
		long lo = strtol(p, &end, 10), hi = lo;

		if (*end == '-')
			hi = strtol(end + 1, &end, 10);
		if (lo >= CPUS_MAX || hi >= CPUS_MAX || k->ncpus > CPUS_MAX)
			return 0;
		for (long c = lo; keep && c <= hi; c++) {
			k->cpus = mem_realloc(k->cpus, (k->ncpus + 1) * sizeof(int));
			k->cpus[k->ncpus++] = (int)c;
		}
		last = hi > last ? hi : last;
		p = *end == ',' ? end + 1 : end;
	}
	return (unsigned int)(last + 1);
}

unsigned int kern_ncpu_possible(struct kern *k)
{
	if (!k->ncpu_possible)
		k->ncpu_possible = read_cpu_list(k, "/sys/devices/system/cpu/possible", false);
	if (k->ncpu_possible - 1 >= CPUS_MAX) {
		k->ncpu_possible = 1;
		k->lacks_cpus = true;
	}
	return k->ncpu_possible;
}

bool kern_knows_cpus(struct kern *k)
{
	kern_ncpu_possible(k);
	return !k->lacks_cpus;
}

const int *kern_cpus_online(struct kern *k, unsigned int *n)
{
	if (!k->cpus)
		read_cpu_list(k, "/sys/devices/system/cpu/online", true);
	if (!k->cpus) {
		k->cpus = mem_alloc(sizeof(int));
		k->ncpus = 1;
	}
	*n = k->ncpus;
	return k->cpus;
}

/* Loads a program of these instructions.  Returns a descriptor or -errno. */
static int load(struct kern *k, enum bpf_prog_type type, const struct bpf_insn *insns, uint32_t n,
		enum bpf_attach_type attach, uint32_t btf_id)
{
	struct sys_prog p = {.type = type, .attach_type = attach, .insns = insns, .n = n};

	p.btf_id = kern_btf_ref(k, btf_id, &p.btf_obj);
	return sys_prog_load(k->machine, &p);
}

static bool loads(struct kern *k, enum bpf_prog_type type, const struct bpf_insn *insns, uint32_t n,
		  enum bpf_attach_type attach, uint32_t btf_id)
{
	int fd = load(k, type, insns, n, attach, btf_id);

	if (fd >= 0)
		sys_close(k->machine, fd);
	return fd >= 0;
}

static const struct bpf_insn nothing[] = {MOV_IMM(0, 0), EXIT()};

static bool feature_sdiv(struct kern *k)
{
	struct bpf_insn insns[] = {
	    MOV_IMM(0, 7),
	    INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 1, 2), /* off 1: signed */
	    EXIT(),
	};

	return loads(k, BPF_PROG_TYPE_RAW_TRACEPOINT, insns, 3, 0, 0);
}

static bool feature_kern_ctx(struct kern *k)
{
	return kern_btf_find(k, "bpf_cast_to_kern_ctx", BTF_KIND_FUNC) != 0;
}

static bool feature_rdonly_cast(struct kern *k)
{
	return kern_btf_find(k, "bpf_rdonly_cast", BTF_KIND_FUNC) != 0;
}

/* Adds task_struct.stack, a void pointer, to itself: the verifier refuses sums of two pointers. */
static bool feature_void_pointers(struct kern *k)
{
	uint32_t off = 0;

	if (!kern_btf_member(k, "task_struct", "stack", &off))
		return true;

	struct bpf_insn insns[] = {
	    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_task_btf),
	    INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 0, (int16_t)off, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_X, 0, 0, 0, 0),
	    MOV_IMM(0, 0),
	    EXIT(),
	};

	return !loads(k, BPF_PROG_TYPE_RAW_TRACEPOINT, insns, 5, 0, 0);
}

/* fentry programs load everywhere; a locked-down kernel refuses to attach them. */
static bool feature_fentry(struct kern *k)
{
	uint32_t id = kern_btf_find(k, "tcp_connect", BTF_KIND_FUNC);
	int fd = id ? load(k, BPF_PROG_TYPE_TRACING, nothing, 2, BPF_TRACE_FENTRY, id) : -1, link;

	if (fd < 0)
		return false;
	link = sys_attach(k->machine, fd, NULL);
	if (link >= 0)
		sys_close(k->machine, link);
	sys_close(k->machine, fd);
	return link >= 0;
}

bool kern_is_modifiable(struct kern *k, uint32_t id)
{
	return loads(k, BPF_PROG_TYPE_TRACING, nothing, 2, BPF_MODIFY_RETURN, id);
}

static bool feature_kprobe(struct kern *k)
{
	return kern_event_type(k, "kprobe") != 0;
}

/*
 * A kernel with this feature may still refuse every kprobe, as it refuses kprobes of perf events.
 */
static bool feature_kprobe_multi(struct kern *k)
{
	int fd = load(k, BPF_PROG_TYPE_KPROBE, nothing, 2, BPF_TRACE_KPROBE_MULTI, 0), r;

	if (fd < 0)
		return false;
	/* With no address the result is EINVAL; without CONFIG_FPROBE it is EOPNOTSUPP. */
	r = sys_link_kprobes(k->machine, fd, 0, NULL, NULL, 0);
	sys_close(k->machine, fd);
	return r == -EINVAL && kern_has(k, KERN_KPROBE);
}

static bool feature_uprobe(struct kern *k)
{
	return kern_event_type(k, "uprobe") != 0;
}

/*
 * Such a call overwrites the red zone below the stack pointer, and leads to a page that fork(2)
 * does not copy, so that a child dies.  Later kernels replace longer nops in another way, so it is
 * tried.
 */
static bool feature_uprobe_call(struct kern *k)
{
	struct sys_call c = {.op = SYS_UPROBE};

	return k->machine->ops->call(k->machine, &c) > 0;
}

/* The commit gave the structure this member. */
static bool feature_uprobe_caller(struct kern *k)
{
	const struct btf_type *t =
	    kern_btf_type(k, kern_btf_find(k, "uprobe_task", BTF_KIND_STRUCT));

	for (int i = 0; t && i < btf_vlen(t); i++)
		if (strcmp(kern_btf_name(k, btf_members(t)[i].name_off), "auprobe") == 0)
			return true;
	return false;
}

/*
 * A kernel with this feature says that a folder cannot have probes.  Others do not know the
 * request.
 */
static bool feature_uprobe_multi(struct kern *k)
{
	uint64_t off = 0;
	struct sys_uprobes u = {.path = "/", .offsets = &off, .n = 1};
	int r;

	u.prog = load(k, BPF_PROG_TYPE_KPROBE, nothing, 2,
		      (enum bpf_attach_type)SYS_TRACE_UPROBE_MULTI, 0);
	if (u.prog < 0)
		return false;
	r = sys_link_uprobes(k->machine, &u);
	if (r >= 0)
		sys_close(k->machine, r);
	sys_close(k->machine, u.prog);
	return r == -EBADF;
}

bool kern_capable(struct kern *k, int cap)
{
	return sys_capable(k->machine, cap);
}

bool kern_has(struct kern *k, enum kern_feature f)
{
	static bool (*const test[])(struct kern *) = {
#define FEATURE(name, doc, fn) [KERN_##name] = fn,
#include "kern/feature.def"
#undef FEATURE
	};

	if (!k->features[f])
		k->features[f] = k->is_live && test[f](k) ? 1 : -1;
	return k->features[f] > 0;
}

/*
 * If tracefs is not mounted, as in many containers, mounts an instance without a place in the tree
 * of files (fsmount(2)).  Paths go through its descriptor.
 */
static void tracefs_mount(struct kern *k)
{
	int fs = fsopen("tracefs", FSOPEN_CLOEXEC);

	if (fs < 0)
		return;
	if (fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		k->tracefs_fd = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	close(fs);
	if (k->tracefs_fd >= 0)
		k->tracefs = arena_printf(k->arena, "/proc/self/fd/%d", k->tracefs_fd);
}

const char *kern_tracefs(struct kern *k)
{
	static const char *const dirs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	char path[128];

	for (unsigned int i = 0; !k->tracefs && k->is_live && i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events", dirs[i]);
		if (sys_exists(k->machine, path))
			k->tracefs = dirs[i];
	}
	if (!k->tracefs && k->is_live && k->machine->is_here)
		tracefs_mount(k);
	if (!k->tracefs)
		k->tracefs = "";
	return k->tracefs;
}

struct event_search {
	struct kern *k;
	const char *name;
	bool is_found;
};

static void search_event(void *ctx, const char *group)
{
	struct event_search *es = ctx;
	char path[512];

	snprintf(path, sizeof(path), "%s/events/%s/%s", kern_tracefs(es->k), group, es->name);
	es->is_found = es->is_found || sys_exists(es->k->machine, path);
}

bool kern_has_event(struct kern *k, const char *name)
{
	struct event_search es = {.k = k, .name = name};

	if (*kern_tracefs(k))
		sys_list(k->machine, arena_printf(k->arena, "%s/events", kern_tracefs(k)),
			 search_event, &es);
	return es.is_found;
}

/* Reads a file of the tracepoint of a system call.  Returns false if there is none. */
static bool read_syscall(struct kern *k, const char *name, bool is_entry, const char *file,
			 struct buf *b)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/events/syscalls/sys_%s_%s/%s", kern_tracefs(k),
		 is_entry ? "enter" : "exit", name, file);
	return *kern_tracefs(k) && sys_read_file(k->machine, path, b);
}

uint64_t kern_syscall_tracepoint(struct kern *k, const char *name, bool is_entry)
{
	struct buf b = {0};
	uint64_t id =
	    read_syscall(k, name, is_entry, "id", &b) ? strtoull(buf_str(&b), NULL, 10) : 0;

	buf_free(&b);
	return id;
}

/* Returns the type in "field:const char * filename;\toffset:24;...", or NULL. */
static const char *field_type(struct kern *k, const char *line)
{
	const char *s = strstr(line, "field:"), *end = s ? strchr(s, ';') : NULL;

	if (!end)
		return NULL;
	s += strlen("field:");
	while (end > s && end[-1] != ' ' && end[-1] != '*')
		end--;
	while (end > s && end[-1] == ' ')
		end--;
	return end == s ? NULL : arena_strndup(k->arena, s, (size_t)(end - s));
}

/* The types of a call's parameters; NULL: no more. */
struct call {
	const char *types[SYSCALL_ARGS];
};

/*
 * The format of events/syscalls/sys_enter_NAME has one line per parameter, after the common fields
 * and __syscall_nr.
 */
static struct call *read_call(struct kern *k, const char *name)
{
	struct call *c = arena_new_obj(k->arena, struct call);
	struct buf b = {0};
	char *line, *rest;
	bool after = false;
	unsigned int n = 0;

	if (!read_syscall(k, name, true, "format", &b) || !b.n)
		return c;
	for (line = strtok_r(b.s, "\n", &rest); line && n < SYSCALL_ARGS;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!strstr(line, "field:"))
			continue;
		if (strstr(line, "__syscall_nr"))
			after = true;
		else if (after && !(c->types[n++] = field_type(k, line)))
			break;
	}
	buf_free(&b);
	return c;
}

bool kern_syscall_arg(struct kern *k, const char *name, unsigned int i, const char **type)
{
	struct call *c;

	k->calls = k->calls ? k->calls : map_new();
	c = map_get_str(k->calls, name);
	if (!c) {
		c = read_call(k, name);
		map_set_str(k->calls, arena_strdup(k->arena, name), c);
	}
	*type = i < SYSCALL_ARGS ? c->types[i] : NULL;
	return *type != NULL;
}
