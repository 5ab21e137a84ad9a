/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keys.bpf.c: counts calls of lseek(2) by their second argument, written by hand: a hash for all
 * CPUs, allocated in advance, and an atomic addition.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 want = 0, nr = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2000000);
	__type(key, __u64);
	__type(value, __u64);
} bykey SEC(".maps");

/* The head of struct pt_regs of x86-64: rsi is the second argument. */
struct regs {
	unsigned long before[13], rsi;
};

SEC("tp_btf/sys_enter")
int keys(__u64 *c)
{
	__u64 key, one = 1, *p;

	if (c[1] != nr || (__u32)(bpf_get_current_pid_tgid() >> 32) != want)
		return 0;
	bpf_probe_read_kernel(&key, sizeof(key), &((struct regs *)c[0])->rsi);
	p = bpf_map_lookup_elem(&bykey, &key);
	if (p)
		__sync_fetch_and_add(p, 1);
	else
		bpf_map_update_elem(&bykey, &key, &one, BPF_NOEXIST);
	return 0;
}
