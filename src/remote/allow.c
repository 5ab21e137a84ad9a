/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * allow.c: checks calls, see allow.h.  linux/bpf.h defines the attributes of each command.  Later
 * kernels can add attributes with addresses, so unknown attributes must be 0.
 */
#include <bpf/libbpf.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/bpf.h"
#include "remote/allow.h"
#include "remote/wire.h"

/* ---- memory ---- */

/* Returns true if the argument is the address of so many bytes of the call's memory. */
static bool has_memory(const struct sys_call *c, unsigned int arg, bool is_out, int64_t size)
{
	for (unsigned int i = 0; i < c->nmems; i++)
		if (c->mems[i].arg == (int)arg)
			return size >= 0 && size <= c->mems[i].len &&
			       (is_out ? c->mems[i].is_out : c->mems[i].is_in);
	return false;
}

/* A command of bpf(2). */
struct attr {
	const struct sys_call *call;
	const char *at;
	uint64_t size;
	union bpf_attr copy; /* the attributes, padded with zeros */
};

static uint64_t word_at(const struct attr *a, size_t off)
{
	uint64_t v = 0;

	/* The kernel completes attributes that end within a word. */
	if (off < a->size)
		memcpy(&v, a->at + off, a->size - off < sizeof(v) ? a->size - off : sizeof(v));
	return v;
}

static const struct sys_mem *mem_at(const struct sys_call *c, const void *field)
{
	for (unsigned int i = 0; i < c->nmems; i++)
		if ((const void *)c->mems[i].field == field)
			return &c->mems[i];
	return NULL;
}

/* Returns the memory whose start address is at this place, or NULL. */
static const struct sys_mem *pointed(const struct attr *a, size_t off)
{
	return off + sizeof(uint64_t) <= a->size ? mem_at(a->call, a->at + off) : NULL;
}

/* Returns true if the address at this place is NULL, or is the address of so many bytes to read. */
static bool reads(const struct attr *a, size_t off, uint64_t size)
{
	const struct sys_mem *m = pointed(a, off);

	return !word_at(a, off) || (m && m->is_in && size <= m->len);
}

static bool writes(const struct attr *a, size_t off, uint64_t size)
{
	const struct sys_mem *m = pointed(a, off);

	return !word_at(a, off) || (m && m->is_out && size <= m->len);
}

static bool reads_text(const struct attr *a, size_t off)
{
	const struct sys_mem *m = pointed(a, off);

	return !word_at(a, off) || (m && m->is_in && memchr(m->at, '\0', m->len));
}

static bool is_none(const struct attr *a, size_t off)
{
	return !word_at(a, off);
}

/* Returns true if all attributes from this place on are 0. */
static bool ends_at(const struct attr *a, size_t off)
{
	for (; off < a->size; off++)
		if (a->at[off])
			return false;
	return true;
}

#define AT(member)  offsetof(union bpf_attr, member)
#define END(member) (AT(member) + sizeof(((union bpf_attr *)NULL)->member))

/* ---- descriptors ---- */

const struct allow_fd *allow_find(const allow_fds *fds, int64_t fd)
{
	for (unsigned int i = 0; i < fds->n; i++)
		if (fds->a[i].fd == fd)
			return &fds->a[i];
	return NULL;
}

static bool is_per_cpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE;
}

static bool is_hash(uint32_t type)
{
	return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_LRU_HASH ||
	       type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* bpf_map_value_size() of the kernel (kernel/bpf/syscall.c). */
static uint64_t value_size(const union bpf_attr *attr)
{
	uint64_t size = attr->value_size;

	if (is_per_cpu(attr->map_type))
		return ((size + 7) & ~7ULL) * (uint64_t)libbpf_num_possible_cpus();
	if (attr->map_type == BPF_MAP_TYPE_ARRAY_OF_MAPS ||
	    attr->map_type == BPF_MAP_TYPE_HASH_OF_MAPS)
		return sizeof(uint32_t);
	return size;
}

/* ---- bpf(2) ---- */

static bool has_element(const struct attr *a, const allow_fds *fds, bool is_lookup)
{
	const struct allow_fd *map = allow_find(fds, a->copy.map_fd);

	return map && map->cmd == BPF_MAP_CREATE && reads(a, AT(key), map->key) &&
	       (is_lookup ? writes(a, AT(value), map->value) : reads(a, AT(value), map->value)) &&
	       ends_at(a, END(flags));
}

/* The kernel copies positions in a hash as words of 32 bits. */
static bool has_batch(const struct attr *a, const allow_fds *fds)
{
	const struct allow_fd *map = allow_find(fds, a->copy.batch.map_fd);
	uint64_t n = a->copy.batch.count;

	return map && map->cmd == BPF_MAP_CREATE && is_hash(map->type) && n <= WIRE_MAX &&
	       reads(a, AT(batch.in_batch), sizeof(uint32_t)) &&
	       writes(a, AT(batch.out_batch), sizeof(uint32_t)) &&
	       writes(a, AT(batch.keys), n * map->key) &&
	       writes(a, AT(batch.values), n * map->value) && ends_at(a, END(batch.flags));
}

/* The code names maps by descriptors, so it needs neither an array of them nor relocations. */
static bool has_program(const struct attr *a)
{
	const union bpf_attr *p = &a->copy;

	return reads(a, AT(insns), (uint64_t)p->insn_cnt * sizeof(struct bpf_insn)) &&
	       reads_text(a, AT(license)) && writes(a, AT(log_buf), p->log_size) &&
	       reads(a, AT(func_info), (uint64_t)p->func_info_cnt * p->func_info_rec_size) &&
	       reads(a, AT(line_info), (uint64_t)p->line_info_cnt * p->line_info_rec_size) &&
	       is_none(a, AT(fd_array)) && is_none(a, AT(core_relos)) &&
	       ends_at(a, END(core_relo_rec_size));
}

static bool has_test(const struct attr *a)
{
	return is_none(a, AT(test.data_in)) && is_none(a, AT(test.data_out)) &&
	       reads(a, AT(test.ctx_in), a->copy.test.ctx_size_in) &&
	       is_none(a, AT(test.ctx_out)) && ends_at(a, END(test.batch_size));
}

/*
 * The information itself can contain addresses to which the kernel writes.  Tracing needs one of
 * them: the name of a BTF object.
 */
static bool has_info(const struct attr *a, const allow_fds *fds)
{
	const struct allow_fd *object = allow_find(fds, a->copy.info.bpf_fd);
	const struct sys_mem *m = pointed(a, AT(info.info));
	struct bpf_btf_info info = {0};
	const struct sys_mem *name;

	if (!object || !m || !m->is_in || !m->is_out || a->copy.info.info_len > m->len ||
	    !ends_at(a, END(info.info)))
		return false;
	if (object->cmd == BPF_BTF_GET_FD_BY_ID && m->len == sizeof(info)) {
		memcpy(&info, m->at, sizeof(info));
		name = mem_at(a->call, (char *)m->at + offsetof(struct bpf_btf_info, name));
		return !info.btf &&
		       (!info.name || (name && name->is_out && info.name_len <= name->len));
	}
	for (uint32_t i = 0; i < m->len; i++)
		if (((const char *)m->at)[i])
			return false;
	return true;
}

/* Tracing needs no attributes of other links. */
static bool has_link(const struct attr *a)
{
	const union bpf_attr *p = &a->copy;
	uint64_t n;

	switch ((unsigned int)p->link_create.attach_type) {
	case BPF_PERF_EVENT:
		return ends_at(a, END(link_create.perf_event.bpf_cookie));
	case BPF_TRACE_KPROBE_MULTI:
		n = p->link_create.kprobe_multi.cnt;
		return is_none(a, AT(link_create.kprobe_multi.syms)) &&
		       reads(a, AT(link_create.kprobe_multi.addrs), n * sizeof(uint64_t)) &&
		       reads(a, AT(link_create.kprobe_multi.cookies), n * sizeof(uint64_t)) &&
		       ends_at(a, END(link_create.kprobe_multi.cookies));
	case SYS_TRACE_UPROBE_MULTI: {
		struct sys_uprobes_attr u = {0};

		memcpy(&u, a->at, a->size < sizeof(u) ? a->size : sizeof(u));
		n = u.cnt;
		return reads_text(a, offsetof(struct sys_uprobes_attr, path)) &&
		       reads(a, offsetof(struct sys_uprobes_attr, offsets), n * sizeof(uint64_t)) &&
		       reads(a, offsetof(struct sys_uprobes_attr, ref_ctr_offsets),
			     n * sizeof(uint64_t)) &&
		       reads(a, offsetof(struct sys_uprobes_attr, cookies), n * sizeof(uint64_t)) &&
		       ends_at(a, sizeof(u));
	}
	default:
		return ends_at(a, END(link_create.flags));
	}
}

/* None of these commands makes something that outlives the process, as BPF_OBJ_PIN does. */
static bool allows_command(const allow_fds *fds, const struct attr *a, int64_t cmd)
{
	switch (cmd) {
	case BPF_MAP_CREATE:
		return ends_at(a, END(map_extra));
	case BPF_MAP_LOOKUP_ELEM:
		return has_element(a, fds, true);
	case BPF_MAP_UPDATE_ELEM:
	case BPF_MAP_DELETE_ELEM:
		return has_element(a, fds, false);
	case BPF_MAP_LOOKUP_AND_DELETE_BATCH:
		return has_batch(a, fds);
	case BPF_MAP_FREEZE:
		return ends_at(a, END(map_fd));
	case BPF_PROG_LOAD:
		return has_program(a);
	case BPF_PROG_TEST_RUN:
		return has_test(a);
	case BPF_BTF_LOAD:
		return reads(a, AT(btf), a->copy.btf_size) && is_none(a, AT(btf_log_buf)) &&
		       ends_at(a, END(btf_log_level));
	case BPF_BTF_GET_FD_BY_ID:
	case BPF_BTF_GET_NEXT_ID:
		return ends_at(a, END(open_flags));
	case BPF_OBJ_GET_INFO_BY_FD:
		return has_info(a, fds);
	case BPF_RAW_TRACEPOINT_OPEN:
		return reads_text(a, AT(raw_tracepoint.name)) &&
		       ends_at(a, END(raw_tracepoint.prog_fd));
	case BPF_LINK_CREATE:
		return has_link(a);
	case BPF_ITER_CREATE:
		return ends_at(a, END(iter_create.flags));
	default:
		return false;
	}
}

/* Returns the size of the attributes up to the last result that the kernel writes. */
static size_t results_end(int64_t cmd)
{
	switch (cmd) {
	case BPF_MAP_LOOKUP_AND_DELETE_BATCH:
		return END(batch.count);
	case BPF_PROG_TEST_RUN:
		return END(test.ctx_size_out);
	case BPF_BTF_GET_NEXT_ID:
		return END(next_id);
	case BPF_OBJ_GET_INFO_BY_FD:
		return END(info.info_len);
	default:
		return 0;
	}
}

static bool allows_bpf(const allow_fds *fds, const struct sys_call *c)
{
	struct attr a = {
	    .call = c, .at = (const char *)(intptr_t)c->args[1], .size = (uint64_t)c->args[2]};

	if (!has_memory(c, 1, false, c->args[2]) ||
	    !has_memory(c, 1, false, (int64_t)results_end(c->args[0])))
		return false;
	memcpy(&a.copy, a.at, a.size < sizeof(a.copy) ? a.size : sizeof(a.copy));
	return allows_command(fds, &a, c->args[0]);
}

/* ---- other calls ---- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns "maps" of "/proc/NUMBER/maps"; NULL for other paths. */
static const char *about_process(const char *path)
{
	const char *number = path + strlen("/proc/");
	size_t n = begins(path, "/proc/") ? strspn(number, "0123456789") : 0;

	return n && number[n] == '/' ? number + n + 1 : NULL;
}

/* Returns true for the path of a mapped file.  The process can have replaced the file. */
static bool is_mapped(const char *path)
{
	const char *what = about_process(path);

	return what && (begins(what, "root/") || begins(what, "map_files/"));
}

/* Returns true if no name of the path is "", "." or "..", except an empty last name. */
static bool is_plain(const char *path)
{
	for (size_t n; *path == '/' && path[1]; path += 1 + n) {
		n = strcspn(path + 1, "/");
		if (!n || (path[1] == '.' && (n == 1 || (n == 2 && path[2] == '.'))))
			return false;
	}
	return true;
}

/* Returns true if reading takes messages away from other readers, and waits for more. */
static bool is_consumed(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && (strcmp(slash, "/kmsg") == 0 || begins(slash, "/trace_pipe"));
}

/* Opening a device could have an effect. */
static bool may_be_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* Peers read facts about the system and its processes. */
static bool may_open(const char *path)
{
	static const char *const facts[] = {"maps", "mem", "exe", "auxv"};
	const char *what = about_process(path);

	if (!is_plain(path) || is_consumed(path))
		return false;
	for (size_t i = 0; what && i < sizeof(facts) / sizeof(facts[0]); i++)
		if (strcmp(what, facts[i]) == 0)
			return true;
	if (begins(path, "/proc/self/ns/") || strcmp(path, "/proc/self/mounts") == 0 ||
	    (what && begins(what, "ns/")))
		return true;
	if (what || begins(path, "/proc/self/") || begins(path, "/proc/thread-self/"))
		return is_mapped(path) && may_be_regular(path);
	return begins(path, "/proc/") || begins(path, "/sys/") ||
	       strcmp(path, "/etc/os-release") == 0 || strcmp(path, "/usr/lib/os-release") == 0;
}

bool allow_opened(const struct sys_call *c, int fd)
{
	char magic[SELFMAG];

	return c->op != SYS_OPEN || !is_mapped(c->mems[0].at) ||
	       (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		memcmp(magic, ELFMAG, SELFMAG) == 0);
}

static bool has_path(const struct sys_call *c)
{
	return c->nmems && c->mems[0].arg == 0 && c->mems[0].is_in && c->mems[0].len &&
	       memchr(c->mems[0].at, '\0', c->mems[0].len);
}

/* Returns true if these flags of open(2) only read a file or list a folder. */
static bool is_reading(int64_t flags)
{
	return (flags & ~(int64_t)(O_DIRECTORY | O_CLOEXEC)) == 0;
}

/* An event can have the address of a path.  The kernel reads the path and writes nothing. */
static bool allows_perf(const struct sys_call *c)
{
	return has_memory(c, 0, false, PERF_ATTR_SIZE_VER0) &&
	       has_memory(c, 0, false, ((struct perf_event_attr *)(intptr_t)c->args[0])->size);
}

bool allow_call(const allow_fds *fds, const struct sys_call *c)
{
	switch (c->op) {
	case SYS_BPF:
		return allows_bpf(fds, c);
	case SYS_PERF_OPEN:
		return allows_perf(c);
	case SYS_OPEN:
		return has_path(c) && may_open(c->mems[0].at) && is_reading(c->args[1]);
	case SYS_ACCESS:
		return has_path(c) && may_open(c->mems[0].at);
	case SYS_READLINK:
		return has_path(c) && may_open(c->mems[0].at) && has_memory(c, 1, true, c->args[2]);
	case SYS_READ:
	case SYS_PREAD:
	case SYS_LIST:
		return allow_find(fds, c->args[0]) && has_memory(c, 1, true, c->args[2]);
	case SYS_CLOSE:
		return allow_find(fds, c->args[0]) != NULL;
	case SYS_PERF_IOCTL:
		return allow_find(fds, c->args[0]) && (c->args[1] == PERF_EVENT_IOC_ENABLE ||
						       c->args[1] == PERF_EVENT_IOC_SET_BPF);
	case SYS_CAPABLE:
	case SYS_TICK:
	case SYS_UPROBE:
		return true;
	case SYS_OP_MAX:
		break;
	}
	return false;
}

bool allow_area(const allow_fds *fds, int64_t fd)
{
	const struct allow_fd *map = allow_find(fds, fd);

	return map && map->cmd == BPF_MAP_CREATE && map->type == BPF_MAP_TYPE_ARRAY;
}

/* Returns true if the call opens a descriptor. */
static bool makes_fd(const struct sys_call *c)
{
	static const enum bpf_cmd makers[] = {
	    BPF_MAP_CREATE,	     BPF_PROG_LOAD,   BPF_BTF_LOAD,   BPF_BTF_GET_FD_BY_ID,
	    BPF_RAW_TRACEPOINT_OPEN, BPF_LINK_CREATE, BPF_ITER_CREATE};

	if (c->op == SYS_PERF_OPEN || c->op == SYS_OPEN)
		return true;
	for (size_t i = 0; c->op == SYS_BPF && i < sizeof(makers) / sizeof(makers[0]); i++)
		if ((int64_t)makers[i] == c->args[0])
			return true;
	return false;
}

void allow_note(allow_fds *fds, const struct sys_call *c, int64_t result)
{
	struct allow_fd made = {.fd = (int)result, .cmd = -1};
	union bpf_attr attr = {0};

	if (result < 0)
		return;
	if (c->op == SYS_CLOSE) {
		fds->a[allow_find(fds, c->args[0]) - fds->a] = vec_last(fds);
		fds->n--;
	}
	if (!makes_fd(c))
		return;
	if (c->op == SYS_BPF) {
		made.cmd = (int)c->args[0];
		memcpy(&attr, (const void *)(intptr_t)c->args[1],
		       (size_t)c->args[2] < sizeof(attr) ? (size_t)c->args[2] : sizeof(attr));
	}
	if (made.cmd == BPF_MAP_CREATE) {
		made.type = attr.map_type;
		made.key = attr.key_size;
		made.value = value_size(&attr);
	}
	vec_push(fds, made);
}
