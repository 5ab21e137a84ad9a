/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf.c: bpf(2) and perf_event_open(2) of a machine.  libbpf can make such calls only in this
 * process.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sys/bpf.h"
#include "sys/machine.h"

/* Begins a command with its attributes.  Memory may be added. */
static void begin(struct sys_call *c, enum bpf_cmd cmd, union bpf_attr *attr, size_t size)
{
	*c = (struct sys_call){.op = SYS_BPF, .args = {cmd, 0, (int64_t)size}};
	sys_arg_both(c, 1, attr, size);
}

static int end(struct machine *m, struct sys_call *c)
{
	return (int)m->ops->call(m, c);
}

static int simple(struct machine *m, enum bpf_cmd cmd, union bpf_attr *attr)
{
	struct sys_call c;

	begin(&c, cmd, attr, sizeof(*attr));
	return end(m, &c);
}

/* Converts a field from linux/bpf.h's __aligned_u64. */
static uint64_t *field(__u64 *f)
{
	return (uint64_t *)f;
}

int sys_map_new(struct machine *m, const struct sys_map *map)
{
	union bpf_attr attr = {.map_type = map->type,
			       .key_size = map->key_size,
			       .value_size = map->value_size,
			       .max_entries = map->max_entries,
			       .map_flags = map->flags,
			       .inner_map_fd = (uint32_t)map->inner,
			       .btf_fd = (uint32_t)map->btf,
			       .btf_key_type_id = map->btf_key,
			       .btf_value_type_id = map->btf_value};

	strncpy(attr.map_name, map->name, sizeof(attr.map_name) - 1);
	return simple(m, BPF_MAP_CREATE, &attr);
}

int sys_map_freeze(struct machine *m, int fd)
{
	union bpf_attr attr = {.map_fd = (uint32_t)fd};

	return simple(m, BPF_MAP_FREEZE, &attr);
}

int sys_map_lookup(struct machine *m, int fd, const void *key, size_t key_size, void *value,
		   size_t value_size)
{
	union bpf_attr attr = {.map_fd = (uint32_t)fd};
	struct sys_call c;

	begin(&c, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.key), key, key_size);
	sys_field_out(&c, field(&attr.value), value, value_size);
	return end(m, &c);
}

int sys_map_update(struct machine *m, int fd, const void *key, size_t key_size, const void *value,
		   size_t value_size, uint64_t flags)
{
	union bpf_attr attr = {.map_fd = (uint32_t)fd, .flags = flags};
	struct sys_call c;

	begin(&c, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
	if (key)
		sys_field_in(&c, field(&attr.key), key, key_size);
	sys_field_in(&c, field(&attr.value), value, value_size);
	return end(m, &c);
}

int sys_map_delete(struct machine *m, int fd, const void *key, size_t key_size)
{
	union bpf_attr attr = {.map_fd = (uint32_t)fd};
	struct sys_call c;

	begin(&c, BPF_MAP_DELETE_ELEM, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.key), key, key_size);
	return end(m, &c);
}

int sys_map_take(struct machine *m, int fd, const uint32_t *from, uint32_t *next, void *keys,
		 size_t key_size, void *values, size_t value_size, uint32_t *n)
{
	union bpf_attr attr = {.batch = {.map_fd = (uint32_t)fd, .count = *n}};
	struct sys_call c;
	int r;

	begin(&c, BPF_MAP_LOOKUP_AND_DELETE_BATCH, &attr, sizeof(attr));
	if (from)
		sys_field_in(&c, field(&attr.batch.in_batch), from, sizeof(*from));
	sys_field_out(&c, field(&attr.batch.out_batch), next, sizeof(*next));
	sys_field_out(&c, field(&attr.batch.keys), keys, *n * key_size);
	sys_field_out(&c, field(&attr.batch.values), values, *n * value_size);
	r = end(m, &c);
	/* The other machine is not trusted. */
	if (attr.batch.count > *n)
		return -EPROTO;
	*n = attr.batch.count;
	return r;
}

int sys_prog_load(struct machine *m, const struct sys_prog *p)
{
	static const char license[] = "Dual BSD/GPL";
	union bpf_attr attr = {.prog_type = p->type,
			       .expected_attach_type = p->attach_type,
			       .prog_flags = p->flags,
			       .prog_name = "dtrace",
			       .insn_cnt = p->n,
			       .attach_btf_id = p->btf_id,
			       .attach_btf_obj_fd = (uint32_t)p->btf_obj,
			       .prog_btf_fd = (uint32_t)p->btf};
	struct sys_call c;

	begin(&c, BPF_PROG_LOAD, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.insns), p->insns, p->n * sizeof(*p->insns));
	sys_field_in(&c, field(&attr.license), license, sizeof(license));
	if (p->nfuncs) {
		attr.func_info_cnt = p->nfuncs;
		attr.func_info_rec_size = sizeof(*p->funcs);
		sys_field_in(&c, field(&attr.func_info), p->funcs, p->nfuncs * sizeof(*p->funcs));
	}
	if (p->nlines) {
		attr.line_info_cnt = p->nlines;
		attr.line_info_rec_size = sizeof(*p->lines);
		sys_field_in(&c, field(&attr.line_info), p->lines, p->nlines * sizeof(*p->lines));
	}
	if (p->log) {
		attr.log_size = p->log_size;
		attr.log_level = p->log_level;
		sys_field_out(&c, field(&attr.log_buf), p->log, p->log_size);
	}
	return end(m, &c);
}

int sys_btf_load(struct machine *m, const void *data, uint32_t size)
{
	union bpf_attr attr = {.btf_size = size};
	struct sys_call c;

	begin(&c, BPF_BTF_LOAD, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.btf), data, size);
	return end(m, &c);
}

/* Reads object information, and the text that one of its pointers requests. */
static int object_info(struct machine *m, int fd, void *info, uint32_t size, uint64_t *name_field,
		       char *name, uint32_t name_size)
{
	union bpf_attr attr = {.info = {.bpf_fd = (uint32_t)fd, .info_len = size}};
	struct sys_call c;

	begin(&c, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.info.info), info, size);
	c.mems[c.nmems - 1].is_out = true;
	if (name)
		sys_field_out(&c, name_field, name, name_size);
	return end(m, &c);
}

int sys_object_info(struct machine *m, int fd, void *info, uint32_t size)
{
	return object_info(m, fd, info, size, NULL, NULL, 0);
}

int sys_btf_info(struct machine *m, int fd, struct bpf_btf_info *info, char *name, uint32_t size)
{
	*info = (struct bpf_btf_info){.name_len = size};
	return object_info(m, fd, info, sizeof(*info), field(&info->name), name, size);
}

int sys_btf_next(struct machine *m, uint32_t id, uint32_t *next)
{
	union bpf_attr attr = {.start_id = id};
	int r = simple(m, BPF_BTF_GET_NEXT_ID, &attr);

	*next = attr.next_id;
	return r;
}

int sys_btf_by_id(struct machine *m, uint32_t id)
{
	union bpf_attr attr = {.btf_id = id};

	return simple(m, BPF_BTF_GET_FD_BY_ID, &attr);
}

int sys_attach(struct machine *m, int prog, const char *name)
{
	union bpf_attr attr = {.raw_tracepoint = {.prog_fd = (uint32_t)prog}};
	struct sys_call c;

	begin(&c, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	if (name)
		sys_field_in(&c, field(&attr.raw_tracepoint.name), name, strlen(name) + 1);
	return end(m, &c);
}

int sys_link(struct machine *m, int prog, int target, enum bpf_attach_type type)
{
	union bpf_attr attr = {.link_create = {.prog_fd = (uint32_t)prog,
					       .target_fd = (uint32_t)target,
					       .attach_type = type}};

	return simple(m, BPF_LINK_CREATE, &attr);
}

int sys_link_event(struct machine *m, int prog, int event, uint64_t cookie)
{
	union bpf_attr attr = {.link_create = {.prog_fd = (uint32_t)prog,
					       .target_fd = (uint32_t)event,
					       .attach_type = BPF_PERF_EVENT,
					       .perf_event.bpf_cookie = cookie}};

	return simple(m, BPF_LINK_CREATE, &attr);
}

int sys_link_kprobes(struct machine *m, int prog, uint32_t flags, const unsigned long *addrs,
		     const uint64_t *cookies, uint32_t n)
{
	union bpf_attr attr = {.link_create = {.prog_fd = (uint32_t)prog,
					       .attach_type = BPF_TRACE_KPROBE_MULTI,
					       .kprobe_multi = {.flags = flags, .cnt = n}}};
	struct sys_call c;

	begin(&c, BPF_LINK_CREATE, &attr, sizeof(attr));
	if (addrs)
		sys_field_in(&c, field(&attr.link_create.kprobe_multi.addrs), addrs,
			     n * sizeof(*addrs));
	if (cookies)
		sys_field_in(&c, field(&attr.link_create.kprobe_multi.cookies), cookies,
			     n * sizeof(*cookies));
	return end(m, &c);
}

int sys_link_uprobes(struct machine *m, const struct sys_uprobes *u)
{
	struct sys_uprobes_attr attr = {.prog_fd = (uint32_t)u->prog,
					.attach_type = SYS_TRACE_UPROBE_MULTI,
					.cnt = u->n,
					.flags = u->is_return ? SYS_UPROBE_MULTI_RETURN : 0,
					.pid = u->pid};
	struct sys_call c;

	begin(&c, BPF_LINK_CREATE, (union bpf_attr *)&attr, sizeof(attr));
	sys_field_in(&c, &attr.path, u->path, strlen(u->path) + 1);
	sys_field_in(&c, &attr.offsets, u->offsets, u->n * sizeof(*u->offsets));
	if (u->semaphores)
		sys_field_in(&c, &attr.ref_ctr_offsets, u->semaphores,
			     u->n * sizeof(*u->semaphores));
	if (u->cookies)
		sys_field_in(&c, &attr.cookies, u->cookies, u->n * sizeof(*u->cookies));
	return end(m, &c);
}

#define READS_MAX 1024

int sys_iterate(struct machine *m, int prog)
{
	int link = sys_link(m, prog, 0, BPF_TRACE_ITER), fd;
	union bpf_attr attr = {.iter_create = {.link_fd = (uint32_t)link}};
	char text[256];

	if (link < 0)
		return link;
	fd = simple(m, BPF_ITER_CREATE, &attr);
	/* The programs write nothing, but another machine may send data for ever. */
	for (unsigned int n = 0; fd >= 0 && n < READS_MAX; n++)
		if (sys_read(m, fd, text, sizeof(text)) <= 0)
			break;
	if (fd >= 0)
		sys_close(m, fd);
	sys_close(m, link);
	return 0;
}

int sys_test_run(struct machine *m, int prog, const void *ctx, uint32_t size, int cpu)
{
	union bpf_attr attr = {.test = {.prog_fd = (uint32_t)prog, .ctx_size_in = size}};
	struct sys_call c;

	if (cpu >= 0) {
		attr.test.flags = BPF_F_TEST_RUN_ON_CPU;
		attr.test.cpu = (uint32_t)cpu;
	}
	begin(&c, BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	sys_field_in(&c, field(&attr.test.ctx_in), ctx, size);
	return end(m, &c);
}

int sys_run(struct machine *m, int prog, void *ctx, uint32_t size)
{
	union bpf_attr attr = {.test = {.prog_fd = (uint32_t)prog, .ctx_size_in = size}};
	struct sys_call c;

	begin(&c, BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	sys_field_both(&c, field(&attr.test.ctx_in), ctx, size);
	return end(m, &c);
}

/*
 * When a map inside a map is set, the kernel waits for all running programs, as they might use the
 * old one (maybe_wait_bpf_programs in kernel/bpf/syscall.c).
 */
int sys_settle(struct machine *m)
{
	struct sys_map map = {.type = BPF_MAP_TYPE_ARRAY,
			      .name = "grace",
			      .key_size = 4,
			      .value_size = 4,
			      .max_entries = 1};
	int inner = sys_map_new(m, &map), outer, r;
	uint32_t zero = 0;

	if (inner < 0)
		return inner;
	map.type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
	map.inner = inner;
	outer = sys_map_new(m, &map);
	r = outer < 0 ? outer
		      : sys_map_update(m, outer, &zero, sizeof(zero), &inner, sizeof(inner), 0);
	if (outer >= 0)
		sys_close(m, outer);
	sys_close(m, inner);
	return r;
}

int sys_perf_open(struct machine *m, struct perf_event_attr *attr, const char *path, int pid,
		  int cpu)
{
	struct sys_call c = {.op = SYS_PERF_OPEN, .args = {0, pid, cpu}};
	__u64 *config1 = &attr->config1;

	sys_arg_in(&c, 0, attr, sizeof(*attr));
	if (path)
		sys_field_in(&c, field(config1), path, strlen(path) + 1);
	return (int)m->ops->call(m, &c);
}

static int perf_ioctl(struct machine *m, int event, unsigned long request, int arg)
{
	struct sys_call c = {.op = SYS_PERF_IOCTL, .args = {event, (int64_t)request, arg}};

	return (int)m->ops->call(m, &c);
}

int sys_perf_program(struct machine *m, int event, int prog)
{
	return perf_ioctl(m, event, PERF_EVENT_IOC_SET_BPF, prog);
}

int sys_perf_enable(struct machine *m, int event)
{
	return perf_ioctl(m, event, PERF_EVENT_IOC_ENABLE, 0);
}
