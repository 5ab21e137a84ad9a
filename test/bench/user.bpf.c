/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.bpf.c: the programs of user.c, written by hand.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { DEPTH = 127 };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} sums SEC(".maps");

/* A thread that preempts another can be in the same program. */
static __always_inline int add(long n)
{
	__u32 zero = 0;
	__u64 *sum = bpf_map_lookup_elem(&sums, &zero);

	if (sum)
		__sync_fetch_and_add(sum, n);
	return 0;
}

SEC("uprobe")
int BPF_KPROBE(entry, long n)
{
	return add(n);
}

SEC("uprobe")
int returned(void *ctx)
{
	return add(1);
}

SEC("usdt")
int BPF_USDT(probe, long n)
{
	return add(n);
}

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, 4);
	__uint(value_size, DEPTH * 8);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, __u64);
} by_stack SEC(".maps");

SEC("uprobe")
int stack(struct pt_regs *ctx)
{
	long id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	__u64 key = (bpf_get_current_pid_tgid() & 0xffffffff00000000) | (__u32)id, one = 1, *n;

	if (id < 0)
		return 0;
	n = bpf_map_lookup_elem(&by_stack, &key);
	if (n)
		__sync_fetch_and_add(n, 1);
	else
		bpf_map_update_elem(&by_stack, &key, &one, BPF_NOEXIST);
	return 0;
}
