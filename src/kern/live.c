/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c: the running kernel: CPUs, features found by trying, tracefs.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/capability.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "kern/priv.h"

static struct kern *kern_new(const char *btf_path, bool is_live)
{
	struct kern *k = mem_alloc(sizeof(*k));

	k->arena = arena_new();
	k->btf_path = arena_strdup(k->arena, btf_path);
	k->is_live = is_live;
	k->tracefs_fd = -1;
	return k;
}

struct kern *kern_open_live(void)
{
	return kern_new("/sys/kernel/btf/vmlinux", true);
}

struct kern *kern_open_fixture(const char *btf_path)
{
	struct kern *k;

	if (access(btf_path, R_OK) != 0)
		return NULL;
	k = kern_new(btf_path, false);
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
	vec_free(&k->funcs);
	buf_free(&k->func_text);
	mem_free(k->cpus);
	if (k->tracefs_fd >= 0)
		close(k->tracefs_fd);
	arena_free(k->arena);
	mem_free(k);
}

/* "0-3,5" in a file of sysfs: calls add for every number, returns the largest + 1. */
static unsigned int read_cpu_list(struct kern *k, const char *path, bool keep)
{
	char text[4096], *p = text, *end;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	long last = -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	while (*p >= '0' && *p <= '9') {
		long lo = strtol(p, &end, 10), hi = lo;

		if (*end == '-')
			hi = strtol(end + 1, &end, 10);
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
	if (!k->ncpu_possible)
		k->ncpu_possible = 1;
	return k->ncpu_possible;
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

/* Does a program of these instructions load? */
static bool loads(enum bpf_prog_type type, const struct bpf_insn *insns, size_t n,
		  enum bpf_attach_type attach, uint32_t btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach,
		    .attach_btf_id = btf_id);
	int fd = bpf_prog_load(type, NULL, "Dual BSD/GPL", insns, n, &opts);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV_IMM(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define EXIT()	      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static bool feature_sdiv(struct kern *k)
{
	struct bpf_insn insns[] = {
	    MOV_IMM(0, 7),
	    INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 1, 2), /* off 1: signed */
	    EXIT(),
	};

	return loads(BPF_PROG_TYPE_RAW_TRACEPOINT, insns, 3, 0, 0);
}

static bool feature_kern_ctx(struct kern *k)
{
	return kern_btf_find(k, "bpf_cast_to_kern_ctx", BTF_KIND_FUNC) != 0;
}

static bool feature_rdonly_cast(struct kern *k)
{
	return kern_btf_find(k, "bpf_rdonly_cast", BTF_KIND_FUNC) != 0;
}

/* fentry programs load everywhere; a locked-down kernel refuses to attach them. */
static bool feature_fentry(struct kern *k)
{
	struct bpf_insn insns[] = {MOV_IMM(0, 0), EXIT()};
	uint32_t id = kern_btf_find(k, "tcp_connect", BTF_KIND_FUNC);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = id);
	int fd, link;

	if (!id)
		return false;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "Dual BSD/GPL", insns, 2, &opts);
	if (fd < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, fd);
	if (link >= 0)
		close(link);
	close(fd);
	return link >= 0;
}

bool kern_is_modifiable(struct kern *k, uint32_t id)
{
	struct bpf_insn insns[] = {MOV_IMM(0, 0), EXIT()};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_MODIFY_RETURN);
	int fd;

	opts.attach_btf_id = kern_btf_ref(k, id, &opts.attach_btf_obj_fd);
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, NULL, "Dual BSD/GPL", insns, 2, &opts);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int kern_uprobe_multi(const struct kern_uprobe_multi *attr)
{
	int fd = (int)syscall(__NR_bpf, BPF_LINK_CREATE, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

static bool feature_kprobe(struct kern *k)
{
	return kern_event_type("kprobe") != 0;
}

/* A kernel that knows it may yet refuse every kprobe, as it refuses those of perf events. */
static bool feature_kprobe_multi(struct kern *k)
{
	struct bpf_insn insns[] = {MOV_IMM(0, 0), EXIT()};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, NULL, "Dual BSD/GPL", insns, 2, &opts), r;

	if (fd < 0)
		return false;
	/* Nowhere: EINVAL; without CONFIG_FPROBE: EOPNOTSUPP. */
	r = bpf_link_create(fd, 0, BPF_TRACE_KPROBE_MULTI, &link);
	close(fd);
	return r == -EINVAL && kern_has(k, KERN_KPROBE);
}

static bool feature_uprobe(struct kern *k)
{
	return kern_event_type("uprobe") != 0;
}

/* What the calls make is a system call that nobody else may make. */
static bool feature_uprobe_call(struct kern *k)
{
#ifdef __x86_64__
	enum { NR_UPROBE = 336 }; /* arch/x86/entry/syscalls/syscall_64.tbl */

	return syscall(NR_UPROBE) < 0 && errno != ENOSYS;
#else
	return false;
#endif
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

/* A kernel that knows it says of a folder that no probe can be there, others that they do not. */
static bool feature_uprobe_multi(struct kern *k)
{
	struct bpf_insn insns[] = {MOV_IMM(0, 0), EXIT()};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = KERN_TRACE_UPROBE_MULTI);
	struct kern_uprobe_multi attr = {.attach_type = KERN_TRACE_UPROBE_MULTI, .cnt = 1};
	uint64_t off = 0;
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, NULL, "Dual BSD/GPL", insns, 2, &opts), r;

	if (fd < 0)
		return false;
	attr.prog_fd = (uint32_t)fd;
	attr.path = (uint64_t)(uintptr_t) "/";
	attr.offsets = (uint64_t)(uintptr_t)&off;
	r = kern_uprobe_multi(&attr);
	if (r >= 0)
		close(r);
	close(fd);
	return r == -EBADF;
}

bool kern_capable(int cap)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(__NR_capget, &head, data) != 0)
		return false;
	return (data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap)) ||
	       (data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN));
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
 * Where tracefs is not mounted, as in many containers, an instance that has no place in the tree of
 * files serves as well (fsmount(2)); it is reached through its descriptor.
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
		if (access(path, R_OK) == 0)
			k->tracefs = dirs[i];
	}
	if (!k->tracefs && k->is_live)
		tracefs_mount(k);
	if (!k->tracefs)
		k->tracefs = "";
	return k->tracefs;
}

bool kern_has_event(struct kern *k, const char *name)
{
	glob_t g = {0};
	bool has = *kern_tracefs(k) &&
		   glob(arena_printf(k->arena, "%s/events/*/%s", kern_tracefs(k), name),
			GLOB_NOSORT, NULL, &g) == 0;

	globfree(&g);
	return has;
}

uint64_t kern_syscall_tracepoint(struct kern *k, const char *name, bool is_entry)
{
	unsigned long long id = 0;
	char path[256];
	FILE *f;

	if (!*kern_tracefs(k))
		return 0;
	snprintf(path, sizeof(path), "%s/events/syscalls/sys_%s_%s/id", kern_tracefs(k),
		 is_entry ? "enter" : "exit", name);
	f = fopen(path, "re");
	if (f && fscanf(f, "%llu", &id) != 1)
		id = 0;
	if (f)
		fclose(f);
	return id;
}

/*
 * The format of events/syscalls/sys_enter_NAME has one line a parameter:
 * "\tfield:const char * filename;\toffset:24;..." after the common ones and __syscall_nr.
 */
bool kern_syscall_arg(struct kern *k, const char *name, unsigned int i, const char **type)
{
	char path[256], line[512];
	bool after = false, found = false;
	FILE *f;

	if (!*kern_tracefs(k))
		return false;
	snprintf(path, sizeof(path), "%s/events/syscalls/sys_enter_%s/format", kern_tracefs(k),
		 name);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		char *s = strstr(line, "field:"), *end;

		if (!s)
			continue;
		if (strstr(line, "__syscall_nr")) {
			after = true;
			continue;
		}
		if (!after || i--)
			continue;
		s += strlen("field:");
		end = strchr(s, ';');
		while (end && end > s && end[-1] != ' ' && end[-1] != '*')
			end--;
		while (end && end > s && end[-1] == ' ')
			end--;
		if (!end || end == s)
			break;
		*type = arena_strndup(k->arena, s, (size_t)(end - s));
		found = true;
	}
	fclose(f);
	return found;
}
