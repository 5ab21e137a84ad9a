/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io.bpf.c: the latency of disk requests as it is written by hand: a hash by request, a histogram.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct block_device_operations {
	void *submit_bio;
} __attribute__((preserve_access_index));

struct gendisk {
	const struct block_device_operations *fops;
} __attribute__((preserve_access_index));

struct block_device {
	struct gendisk *bd_disk;
} __attribute__((preserve_access_index));

struct bvec_iter {
	unsigned int bi_size;
} __attribute__((preserve_access_index));

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	struct bvec_iter bi_iter;
} __attribute__((preserve_access_index));

struct request {
	struct bio *bio;
} __attribute__((preserve_access_index));

/* What is asked of a device is a bio; a request has those that were merged into it. */
struct walk {
	struct bio *bio;
	__u64 left;
};

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

static __always_inline int begin(struct bio *bio)
{
	__u64 key = (__u64)bio, now = bpf_ktime_get_ns();

	if ((bio->bi_opf & 0xff) < 34)
		bpf_map_update_elem(&started, &key, &now, BPF_ANY);
	return 0;
}

SEC("tp_btf/block_getrq")
int BPF_PROG(hand_start, struct bio *bio)
{
	return begin(bio);
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(hand_back, struct bio *bio)
{
	return begin(bio);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(hand_front, struct bio *bio)
{
	return begin(bio);
}

static __always_inline void end(struct bio *bio)
{
	__u64 key = (__u64)bio, *began, *bin, ns;
	__u32 i = 0;

	began = bpf_map_lookup_elem(&started, &key);
	if (!began)
		return;
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
}

static long hand_each(__u32 i, struct walk *w)
{
	struct bio *bio = w->bio;
	__u32 size;

	if (!bio)
		return 1;
	size = bio->bi_iter.bi_size;
	if (size > w->left)
		return 1;
	end(bio);
	w->left -= size;
	w->bio = bio->bi_next;
	return w->left == 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(hand_done, struct request *rq, int error, unsigned int bytes)
{
	struct walk w = {rq->bio, bytes};

	bpf_loop(1 << 20, hand_each, &w, 0);
	return 0;
}
