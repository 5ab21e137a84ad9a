/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp_help.c: the helpers of the interpreter.  They act as in the kernel, as far as a program
 * can see, and use values of the firing instead of facts of the machine.
 *
 * A helper that gets a bad pointer from the program ends the run, because the verifier would have
 * refused the program.  A probe read of a bad address fails with -EFAULT and zeroes the
 * destination.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "bpf/interp_priv.h"
#include "ir/ir.h"

#define MAX_LOOPS (1 << 23) /* as in the kernel */

struct helper {
	int32_t id;
	bool (*run)(struct bpf_interp *in, uint64_t *r);
};

/* Returns memory that the program passes; NULL after a violation. */
static void *arg_mem(struct bpf_interp *in, uint64_t addr, uint64_t size, bool is_write)
{
	void *p = size <= SIZE_MAX / 2 ? bpf_interp_mem(in, addr, size, is_write) : NULL;

	if (!p)
		interp_fail(in,
			    "helper gets %" PRIu64 " bytes at 0x%" PRIx64 ", which it may not %s",
			    size, addr, is_write ? "write" : "read");
	return p;
}

static struct imap *arg_map(struct bpf_interp *in, uint64_t handle)
{
	struct imap *m = interp_map_of(in, handle);

	if (!m)
		interp_fail(in, "r1 is not a map");
	return m;
}

/* ---- maps ---- */

static bool do_lookup(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *key = m ? arg_mem(in, r[2], m->key_size, false) : NULL;

	if (!key)
		return false;
	r[0] = (uint64_t)(uintptr_t)map_lookup(in, m, key, in->firing->cpu);
	return true;
}

static bool do_lookup_percpu(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *key = m ? arg_mem(in, r[2], m->key_size, false) : NULL;

	if (!key)
		return false;
	r[0] =
	    r[3] < in->ncpus ? (uint64_t)(uintptr_t)map_lookup(in, m, key, (unsigned int)r[3]) : 0;
	return true;
}

static bool do_update(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *key = m ? arg_mem(in, r[2], m->key_size, false) : NULL;
	const void *value = key ? arg_mem(in, r[3], m->value_size, false) : NULL;

	if (!value)
		return false;
	r[0] = (uint64_t)(int64_t)map_update(in, m, key, value, in->firing->cpu, r[4]);
	return true;
}

static bool do_delete(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *key = m ? arg_mem(in, r[2], m->key_size, false) : NULL;

	if (!key)
		return false;
	r[0] = (uint64_t)(int64_t)map_delete(m, key);
	return true;
}

static bool do_push(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *value = m ? arg_mem(in, r[2], m->value_size, false) : NULL;

	if (!value)
		return false;
	r[0] = (uint64_t)(int64_t)map_push(m, value);
	return true;
}

static bool do_pop(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	void *value = m ? arg_mem(in, r[2], m->value_size, true) : NULL;

	if (!value)
		return false;
	r[0] = (uint64_t)(int64_t)map_pop(m, value);
	return true;
}

static bool do_task_storage_get(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *value = NULL;
	char *found, *zeros;

	if (!m)
		return false;
	found = r[2] ? map_lookup(in, m, &r[2], 0) : NULL;
	if (!found && r[2] && r[4] & BPF_LOCAL_STORAGE_GET_F_CREATE) {
		if (r[3] && !(value = arg_mem(in, r[3], m->value_size, false)))
			return false;
		zeros = mem_alloc(m->value_size);
		if (map_update(in, m, &r[2], value ? value : zeros, 0, BPF_NOEXIST) == 0)
			found = map_lookup(in, m, &r[2], 0);
		mem_free(zeros);
	}
	r[0] = (uint64_t)(uintptr_t)found;
	return true;
}

static bool do_task_storage_delete(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);

	if (!m)
		return false;
	r[0] = (uint64_t)(int64_t)map_delete(m, &r[2]);
	return true;
}

/* ---- reading memory ---- */

static bool probe_read(struct bpf_interp *in, uint64_t *r, bool is_user)
{
	const void *src = bpf_interp_probe(in, r[3], (uint32_t)r[2], is_user);
	void *dst = arg_mem(in, r[1], (uint32_t)r[2], true);

	if (!dst)
		return false;
	if (src)
		memmove(dst, src, (uint32_t)r[2]);
	else
		memset(dst, 0, (uint32_t)r[2]);
	r[0] = src ? 0 : (uint64_t)-EFAULT;
	return true;
}

static bool do_read_kernel(struct bpf_interp *in, uint64_t *r)
{
	return probe_read(in, r, false);
}

static bool do_read_user(struct bpf_interp *in, uint64_t *r)
{
	return probe_read(in, r, true);
}

static bool probe_read_str(struct bpf_interp *in, uint64_t *r, bool is_user)
{
	uint32_t size = (uint32_t)r[2];
	char *dst = arg_mem(in, r[1], size, true);

	if (!dst)
		return false;
	r[0] = 0;
	for (uint32_t n = 0; n < size; n++) {
		const char *c = bpf_interp_probe(in, r[3] + n, 1, is_user);

		if (!c) {
			memset(dst, 0, size);
			r[0] = (uint64_t)-EFAULT;
			return true;
		}
		dst[n] = n + 1 < size ? *c : 0;
		r[0] = n + 1;
		if (!dst[n])
			break;
	}
	return true;
}

static bool do_read_kernel_str(struct bpf_interp *in, uint64_t *r)
{
	return probe_read_str(in, r, false);
}

static bool do_read_user_str(struct bpf_interp *in, uint64_t *r)
{
	return probe_read_str(in, r, true);
}

static bool do_write_user(struct bpf_interp *in, uint64_t *r)
{
	const void *src = arg_mem(in, r[2], (uint32_t)r[3], false);
	void *dst = NULL;

	if (!src)
		return false;
	for (unsigned int g = 0; g < in->regions.n && !dst; g++) {
		const struct region *e = &in->regions.a[g];
		unsigned int want = BPF_REGION_USER | BPF_REGION_WRITE;

		if ((e->flags & want) == want && r[1] >= e->addr && r[3] <= e->size &&
		    r[1] - e->addr <= e->size - r[3])
			dst = e->host + (r[1] - e->addr);
	}
	if (dst)
		memcpy(dst, src, (uint32_t)r[3]);
	r[0] = dst ? 0 : (uint64_t)-EFAULT;
	return true;
}

static bool do_strncmp(struct bpf_interp *in, uint64_t *r)
{
	const char *x = arg_mem(in, r[1], (uint32_t)r[2], false), *y;

	for (uint32_t n = 0; x && n < (uint32_t)r[2]; n++) {
		y = arg_mem(in, r[3] + n, 1, false);
		if (!y)
			return false;
		r[0] = (uint64_t)(int64_t)((unsigned char)x[n] - (unsigned char)*y);
		if (r[0] || !x[n])
			return true;
	}
	r[0] = 0;
	return x != NULL;
}

/* ---- the firing ---- */

static bool do_ktime(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->ktime;
	return true;
}

static bool do_boot_time(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->boot_time;
	return true;
}

static bool do_tai_time(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->tai_time;
	return true;
}

static bool do_pid_tgid(struct bpf_interp *in, uint64_t *r)
{
	r[0] = (uint64_t)in->firing->tgid << 32 | in->firing->pid;
	return true;
}

static bool do_ns_pid_tgid(struct bpf_interp *in, uint64_t *r)
{
	uint32_t *ids = arg_mem(in, r[3], 8, true);

	if (!ids)
		return false;
	ids[0] = in->firing->pid;
	ids[1] = in->firing->tgid;
	r[0] = 0;
	return true;
}

static bool do_uid_gid(struct bpf_interp *in, uint64_t *r)
{
	r[0] = (uint64_t)in->firing->gid << 32 | in->firing->uid;
	return true;
}

static bool do_comm(struct bpf_interp *in, uint64_t *r)
{
	char *dst = arg_mem(in, r[1], (uint32_t)r[2], true);
	size_t n = strnlen(in->firing->comm, sizeof(in->firing->comm));

	if (!dst || !r[2])
		return false;
	memset(dst, 0, (uint32_t)r[2]);
	memcpy(dst, in->firing->comm, n < r[2] ? n : r[2] - 1);
	r[0] = 0;
	return true;
}

static bool do_task(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->task;
	return true;
}

static bool do_cpu(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->cpu;
	return true;
}

static bool do_zero(struct bpf_interp *in, uint64_t *r)
{
	r[0] = 0;
	return true;
}

static bool do_cgroup(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->cgroup;
	return true;
}

static bool do_cookie(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->cookie;
	return true;
}

static bool do_func_ip(struct bpf_interp *in, uint64_t *r)
{
	r[0] = in->firing->func_ip;
	return true;
}

static bool do_random(struct bpf_interp *in, uint64_t *r)
{
	in->random = in->random * 6364136223846793005ULL + 1442695040888963407ULL;
	r[0] = in->random >> 32;
	return true;
}

static bool do_stackid(struct bpf_interp *in, uint64_t *r)
{
	r[0] = (uint64_t)in->firing->stackid;
	return true;
}

static bool do_stack(struct bpf_interp *in, uint64_t *r)
{
	bool is_user = r[4] & BPF_F_USER_STACK;
	const uint64_t *from = is_user ? in->firing->ustack : in->firing->kstack;
	uint64_t n = is_user ? in->firing->nustack : in->firing->nkstack, skip = r[4] & 0xff;
	char *dst = arg_mem(in, r[2], (uint32_t)r[3], true);

	if (!dst)
		return false;
	skip = skip < n ? skip : n;
	n = n - skip < r[3] / 8 ? n - skip : r[3] / 8;
	memset(dst, 0, (uint32_t)r[3]);
	if (n)
		memcpy(dst, from + skip, n * 8);
	r[0] = n ? n * 8 : (uint64_t)-EFAULT;
	return true;
}

/* ---- ring buffers, loops ---- */

static bool do_reserve(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);

	if (!m)
		return false;
	r[0] = (uint64_t)(uintptr_t)ring_reserve(m, r[2]);
	return true;
}

static bool finish(struct bpf_interp *in, uint64_t *r, bool discard)
{
	for (unsigned int m = 0; m < in->maps.n; m++)
		if (ring_finish(in->maps.a[m], (const char *)(uintptr_t)r[1], discard))
			return true;
	return interp_fail(in, "r1 is not an open ring record");
}

static bool do_submit(struct bpf_interp *in, uint64_t *r)
{
	return finish(in, r, false);
}

static bool do_discard(struct bpf_interp *in, uint64_t *r)
{
	return finish(in, r, true);
}

static bool do_output(struct bpf_interp *in, uint64_t *r)
{
	struct imap *m = arg_map(in, r[1]);
	const void *src = m ? arg_mem(in, r[2], r[3], false) : NULL;
	char *dst = src ? ring_reserve(m, r[3]) : NULL;

	if (!src)
		return false;
	if (dst) {
		memcpy(dst, src, r[3]);
		ring_finish(m, dst, false);
	}
	r[0] = dst ? 0 : (uint64_t)-EAGAIN;
	return true;
}

static bool do_query(struct bpf_interp *in, uint64_t *r)
{
	const struct imap *m = arg_map(in, r[1]);

	if (!m)
		return false;
	r[0] = r[2] == BPF_RB_AVAIL_DATA  ? m->ring_used
	       : r[2] == BPF_RB_RING_SIZE ? m->max_entries
					  : 0;
	return true;
}

static bool do_loop(struct bpf_interp *in, uint64_t *r)
{
	uint64_t n = (uint32_t)r[1], done = 0, stop = 0;

	assert(in->depth > 0);
	if (n > MAX_LOOPS) {
		r[0] = (uint64_t)-E2BIG;
		return true;
	}
	while (done < n && !stop) {
		uint64_t args[5] = {done++, r[3]};

		if (!interp_call(in, (unsigned int)r[2], args, &stop))
			return false;
	}
	r[0] = done;
	return true;
}

static const struct helper helpers[] = {
    {BPF_FUNC_map_lookup_elem, do_lookup},
    {BPF_FUNC_map_lookup_percpu_elem, do_lookup_percpu},
    {BPF_FUNC_map_update_elem, do_update},
    {BPF_FUNC_map_delete_elem, do_delete},
    {BPF_FUNC_map_push_elem, do_push},
    {BPF_FUNC_map_pop_elem, do_pop},
    {BPF_FUNC_task_storage_get, do_task_storage_get},
    {BPF_FUNC_task_storage_delete, do_task_storage_delete},
    {BPF_FUNC_probe_read, do_read_kernel},
    {BPF_FUNC_probe_read_kernel, do_read_kernel},
    {BPF_FUNC_probe_read_user, do_read_user},
    {BPF_FUNC_probe_read_kernel_str, do_read_kernel_str},
    {BPF_FUNC_probe_read_user_str, do_read_user_str},
    {BPF_FUNC_probe_write_user, do_write_user},
    {BPF_FUNC_strncmp, do_strncmp},
    {BPF_FUNC_ktime_get_ns, do_ktime},
    {BPF_FUNC_ktime_get_coarse_ns, do_ktime},
    {BPF_FUNC_ktime_get_boot_ns, do_boot_time},
    {BPF_FUNC_ktime_get_tai_ns, do_tai_time},
    {BPF_FUNC_get_current_pid_tgid, do_pid_tgid},
    {BPF_FUNC_get_ns_current_pid_tgid, do_ns_pid_tgid},
    {BPF_FUNC_get_current_uid_gid, do_uid_gid},
    {BPF_FUNC_get_current_comm, do_comm},
    {BPF_FUNC_get_current_task, do_task},
    {BPF_FUNC_get_current_task_btf, do_task},
    {BPF_FUNC_get_smp_processor_id, do_cpu},
    {BPF_FUNC_get_numa_node_id, do_zero},
    {BPF_FUNC_get_current_cgroup_id, do_cgroup},
    {BPF_FUNC_get_attach_cookie, do_cookie},
    {BPF_FUNC_get_func_ip, do_func_ip},
    {BPF_FUNC_get_prandom_u32, do_random},
    {BPF_FUNC_get_stackid, do_stackid},
    {BPF_FUNC_get_stack, do_stack},
    {BPF_FUNC_ringbuf_reserve, do_reserve},
    {BPF_FUNC_ringbuf_submit, do_submit},
    {BPF_FUNC_ringbuf_discard, do_discard},
    {BPF_FUNC_ringbuf_output, do_output},
    {BPF_FUNC_ringbuf_query, do_query},
    {BPF_FUNC_loop, do_loop},
    {BPF_FUNC_send_signal, do_zero},
    {BPF_FUNC_send_signal_thread, do_zero},
};

bool interp_helper(struct bpf_interp *in, int32_t id, uint64_t *r)
{
	assert(in->firing);
	if (in->hooks.helper && in->hooks.helper(in->hooks.arg, in, id, r))
		return true;
	for (unsigned int h = 0; h < sizeof(helpers) / sizeof(helpers[0]); h++)
		if (helpers[h].id == id)
			return helpers[h].run(in, r);
	return interp_fail(in, "the interpreter has no helper %s", ir_helper_name(id));
}
