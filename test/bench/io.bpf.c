/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.bpf.c: the latency of disk requests as it is written by hand: a hash by request, a histogram.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct request {
	unsigned int cmd_flags, __data_len;
} __attribute__((preserve_access_index));

struct block_device_operations {
	void *submit_bio;
} __attribute__((preserve_access_index));

struct gendisk {
	const struct block_device_operations *fops;
} __attribute__((preserve_access_index));

struct block_device {
	struct gendisk *bd_disk;
} __attribute__((preserve_access_index));

struct bio {
	struct block_device *bi_bdev;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, __u64);
} started SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} bins SEC(".maps");

/* Devices without a queue of requests. */
SEC("tp_btf/block_bio_queue")
int BPF_PROG(hand_bio, struct bio *bio)
{
	__u64 key = (__u64)bio, now;

	if (!bio->bi_bdev->bd_disk->fops->submit_bio)
		return 0;
	now = bpf_ktime_get_ns();
	bpf_map_update_elem(&started, &key, &now, BPF_ANY);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(hand_start, struct request *rq)
{
	__u64 key = (__u64)rq, now = bpf_ktime_get_ns();

	if ((rq->cmd_flags & 0xff) < 34)
		bpf_map_update_elem(&started, &key, &now, BPF_ANY);
	return 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(hand_done, struct request *rq, int error, unsigned int bytes)
{
	__u64 key = (__u64)rq, *began, *bin, ns;
	__u32 i = 0;

	if (bytes < rq->__data_len || (rq->cmd_flags & 0xff) >= 34)
		return 0;
	began = bpf_map_lookup_elem(&started, &key);
	if (!began)
		return 0;
	ns = bpf_ktime_get_ns() - *began;
	for (__u32 step = 32; step; step >>= 1) {
		if (ns >> step) {
			ns >>= step;
			i += step;
		}
	}
	i &= 63;
	bin = bpf_map_lookup_elem(&bins, &i);
	if (bin)
		++*bin;
	bpf_map_delete_elem(&started, &key);
	return 0;
}
