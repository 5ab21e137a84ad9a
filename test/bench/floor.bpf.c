/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * floor.bpf.c: the minimal program for each job of the benchmark, written by hand for the same
 * hooks.  `want` is the process whose calls count.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 want = 0, nr = 0;

struct comm_key {
	char comm[16];
};

struct record {
	__u64 head, value;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} slot SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 128);
	__type(key, __u32);
	__type(value, __u64);
} bins SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct comm_key);
	__type(value, __u64);
} bycomm SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} started SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} ring SEC(".maps");

__u64 drops;

static __always_inline int is_ours(__u64 *c)
{
	return c[1] == nr && (__u32)(bpf_get_current_pid_tgid() >> 32) == want;
}

static __always_inline void add_bin(__u64 v)
{
	__u32 b = 0;
	__u64 *p;

	for (int s = 32; s; s /= 2) {
		if (v >> s) {
			v >>= s;
			b += s;
		}
	}
	b += v != 0;
	p = bpf_map_lookup_elem(&bins, &b);
	if (p)
		(*p)++;
}

SEC("tp_btf/sys_enter")
int empty(__u64 *c)
{
	return 0;
}

SEC("tp_btf/sys_enter")
int count(__u64 *c)
{
	__u32 zero = 0;
	__u64 *v;

	if (!is_ours(c))
		return 0;
	v = bpf_map_lookup_elem(&slot, &zero);
	if (v)
		(*v)++;
	return 0;
}

SEC("tp_btf/sys_enter")
int execname(__u64 *c)
{
	struct comm_key k = {};
	__u64 *v, one = 1;

	if (!is_ours(c))
		return 0;
	bpf_get_current_comm(&k.comm, sizeof(k.comm));
	v = bpf_map_lookup_elem(&bycomm, &k);
	if (v)
		(*v)++;
	else
		bpf_map_update_elem(&bycomm, &k, &one, BPF_ANY);
	return 0;
}

SEC("tp_btf/sys_enter")
int quantize(__u64 *c)
{
	if (is_ours(c))
		add_bin(bpf_get_current_pid_tgid() >> 32);
	return 0;
}

SEC("tp_btf/sys_enter")
int latency(__u64 *c)
{
	__u64 *v;

	if (!is_ours(c))
		return 0;
	v = bpf_task_storage_get(&started, bpf_get_current_task_btf(), 0,
				 BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (v)
		*v = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int latency_return(__u64 *c)
{
	__u64 *v = bpf_task_storage_get(&started, bpf_get_current_task_btf(), 0, 0);

	if (v && *v) {
		add_bin(bpf_ktime_get_ns() - *v);
		*v = 0;
	}
	return 0;
}

struct task_struct {
	int pid, tgid;
} __attribute__((preserve_access_index));

SEC("tp_btf/sched_switch")
int switched(__u64 *c)
{
	struct task_struct *prev = (struct task_struct *)c[1];
	__u64 *v;

	if ((__u32)prev->tgid == want) {
		v = bpf_task_storage_get(&started, prev, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (v)
			*v = bpf_ktime_get_ns();
	}
	v = bpf_task_storage_get(&started, (struct task_struct *)c[2], 0, 0);
	if (v && *v) {
		add_bin(bpf_ktime_get_ns() - *v);
		*v = 0;
	}
	return 0;
}

SEC("tp_btf/sys_enter")
int trace(__u64 *c)
{
	struct record *r;

	if (!is_ours(c))
		return 0;
	r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
		__sync_fetch_and_add(&drops, 1);
		return 0;
	}
	r->head = (__u64)bpf_get_smp_processor_id() << 32 | 1;
	r->value = bpf_get_current_pid_tgid() >> 32;
	bpf_ringbuf_submit(r, BPF_RB_NO_WAKEUP);
	return 0;
}
