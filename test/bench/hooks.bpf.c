/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.bpf.c: the programs of hooks.c, written by hand.  They measure the latency of disk requests
 * (a hash by request, a histogram), the time that threads sleep for mutexes, and count processes,
 * switches, looked-up names, and so on.  They do all that the probe means: the same calls and
 * objects, and no count is lost when one program interrupts another.  For x86-64.
 */
#include <asm/unistd_64.h>
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

/* A unit of I/O is a bio; a request has the bios that were merged into it. */
struct walk {
	struct bio *bio;
	__u64 left;
};

/* Allocated in advance, which makes a request cheaper, and as large as dtrace's map. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, __u64);
} started SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} bins SEC(".maps");

/* Devices without a request queue. */
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

static __always_inline void add_to_bin(__u64 ns)
{
	__u32 i = 0;
	__u64 *bin;

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
}

static __always_inline void end(struct bio *bio)
{
	__u64 key = (__u64)bio, *began = bpf_map_lookup_elem(&started, &key);

	if (!began)
		return;
	add_to_bin(bpf_ktime_get_ns() - *began);
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

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

static __always_inline int count(__u32 which)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &which);

	if (n)
		++*n;
	return 0;
}

struct task_struct {
	int pid, tgid;
} __attribute__((preserve_access_index));

SEC("tp_btf/task_newtask")
int BPF_PROG(proc_create, struct task_struct *task)
{
	return task->pid == task->tgid && task->pid ? count(0) : 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(proc_exec)
{
	return count(1);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(proc_exit, struct task_struct *task, _Bool is_last)
{
	return is_last ? count(2) : 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sysinfo_switch)
{
	return count(0);
}

/* A thread can spin for a mutex, sleep, and spin again until it gets the mutex. */
struct waiting {
	__u64 lock, since, slept;
	__u32 flags;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct waiting);
} waits SEC(".maps");

enum { SPIN = 1, MUTEX = 32 };

static __always_inline __u64 slept(const struct waiting *w, __u64 now)
{
	return w->slept + (w->flags & SPIN ? 0 : now - w->since);
}

SEC("tp_btf/contention_begin")
int BPF_PROG(lock_begin, void *lock, unsigned int flags)
{
	__u64 now;
	struct waiting *w;

	if (!(flags & MUTEX))
		return 0;
	w = bpf_task_storage_get(&waits, bpf_get_current_task_btf(), 0,
				 BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!w)
		return 0;
	now = bpf_ktime_get_ns();
	w->slept = w->lock == (__u64)lock ? slept(w, now) : 0;
	w->lock = (__u64)lock;
	w->flags = flags;
	w->since = now;
	return 0;
}

SEC("tp_btf/contention_end")
int BPF_PROG(lock_end, void *lock, int error)
{
	struct waiting *w = bpf_task_storage_get(&waits, bpf_get_current_task_btf(), 0, 0);
	__u64 ns;

	if (!w || w->lock != (__u64)lock)
		return 0;
	w->lock = 0;
	ns = slept(w, bpf_ktime_get_ns());
	if (!error && ns)
		add_to_bin(ns);
	return 0;
}

struct thread_info {
	unsigned int status;
} __attribute__((preserve_access_index));

struct pt_regs___64 {
	unsigned long si;
} __attribute__((preserve_access_index));

struct task_struct___thread {
	struct thread_info thread_info;
} __attribute__((preserve_access_index));

/* 32-bit calls have other numbers. */
static __always_inline int is_compat(void)
{
	struct task_struct___thread *task = (void *)bpf_get_current_task_btf();

	return task->thread_info.status & 2;
}

enum { SOME = 3 };

/* Number of names that a call looks up; SOME: one, if it is not empty.  452 is fchmodat2. */
/* clang-format off */
static const volatile __u8 lookups[512] = {
	[__NR_chdir] = 1, [__NR_creat] = 1, [__NR_open] = 1, [__NR_stat] = 1, [__NR_lstat] = 1,
	[__NR_access] = 1, [__NR_chmod] = 1, [__NR_chown] = 1, [__NR_lchown] = 1,
	[__NR_mkdir] = 1, [__NR_rmdir] = 1, [__NR_unlink] = 1, [__NR_readlink] = 1,
	[__NR_truncate] = 1, [__NR_mknod] = 1, [__NR_execve] = 1, [__NR_statfs] = 1,
	[__NR_chroot] = 1, [__NR_utime] = 1, [__NR_utimes] = 1, [__NR_umount2] = 1,
	[__NR_openat] = 1, [__NR_openat2] = 1, [__NR_faccessat] = 1, [__NR_faccessat2] = 1,
	[__NR_mkdirat] = 1, [__NR_unlinkat] = 1, [__NR_readlinkat] = 1, [__NR_fchmodat] = 1,
	[__NR_fchownat] = 1, [__NR_mknodat] = 1, [__NR_utimensat] = 1, [__NR_futimesat] = 1,
	[__NR_symlink] = 1, [__NR_symlinkat] = 1, [452] = 1, [__NR_link] = 2, [__NR_rename] = 2,
	[__NR_linkat] = 2, [__NR_renameat] = 2, [__NR_renameat2] = 2, [__NR_newfstatat] = SOME,
	[__NR_statx] = SOME, [__NR_execveat] = SOME,
};
/* clang-format on */

SEC("tp_btf/sys_enter")
int BPF_PROG(lookup, struct pt_regs___64 *regs, unsigned long nr)
{
	__u8 n = nr < sizeof(lookups) ? lookups[nr] : 0;
	char c;

	if (!n || is_compat())
		return 0;
	if (n == 2)
		count(0);
	if (n == SOME && (bpf_probe_read_user(&c, 1, (void *)regs->si) || !c))
		return 0;
	return count(0);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_change)
{
	count(0);
	return count(1);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(sched_wake)
{
	return count(2);
}

static __always_inline int count_nested(__u32 which)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &which);

	if (n)
		__sync_fetch_and_add(n, 1);
	return 0;
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(io_bio, struct bio *bio)
{
	return bio->bi_bdev->bd_disk->fops->submit_bio ? count_nested(3) : 0;
}

SEC("tp_btf/block_getrq")
int BPF_PROG(io_start)
{
	return count_nested(3);
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(io_back)
{
	return count_nested(3);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(io_front)
{
	return count_nested(3);
}

static long count_each(__u32 i, struct walk *w)
{
	struct bio *bio = w->bio;

	if (!bio || bio->bi_iter.bi_size > w->left)
		return 1;
	count(4);
	w->left -= bio->bi_iter.bi_size;
	w->bio = bio->bi_next;
	return w->left == 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(io_done, struct request *rq, int error, unsigned int bytes)
{
	struct walk w = {rq->bio, bytes};

	bpf_loop(1 << 20, count_each, &w, 0);
	return 0;
}

SEC("perf_event")
int page_fault(void *ctx)
{
	return count(0);
}

SEC("tp_btf/cap_capable")
int BPF_PROG(priv_ok, void *cred, void *target, void *capable, int cap, int err)
{
	return err ? 0 : count(0);
}

SEC("tp_btf/timer_expire_entry")
int BPF_PROG(callout_timer)
{
	return count_nested(0);
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(callout_hrtimer)
{
	return count_nested(0);
}

struct kmem_cache {
	const char *name;
} __attribute__((preserve_access_index));

extern struct kmem_cache *bpf_get_kmem_cache(__u64 addr) __ksym __weak;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__type(key, char[32]);
	__type(value, __u64);
} by_cache SEC(".maps");

/* The kernel merges caches: the name belongs to the cache of the object, not to the requested one.
 */
static __always_inline int count_cache(const void *object)
{
	struct kmem_cache *cache = bpf_get_kmem_cache((__u64)object);
	char name[32] = "";
	__u64 one = 1, *n;

	if (!cache || bpf_probe_read_kernel_str(name, sizeof(name), cache->name) < 0)
		return 0;
	n = bpf_map_lookup_elem(&by_cache, name);
	if (n)
		__sync_fetch_and_add(n, 1);
	else
		bpf_map_update_elem(&by_cache, name, &one, BPF_NOEXIST);
	return 0;
}

SEC("tp_btf/kmalloc")
int BPF_PROG(cache_kmalloc, unsigned long pc, const void *object)
{
	return count_cache(object);
}

SEC("tp_btf/kmem_cache_alloc")
int BPF_PROG(cache_alloc, unsigned long pc, const void *object)
{
	return count_cache(object);
}

extern const void __alloc_skb __ksym, skb_clone __ksym, __build_skb __ksym;

/* A packet is made by one of these functions, which also allocate memory for its data. */
SEC("tp_btf/kmem_cache_alloc")
int BPF_PROG(packet_init, unsigned long pc, const void *object, struct kmem_cache *cache)
{
	char name[20];

	if (pc - (unsigned long)&__alloc_skb >= 512 && pc - (unsigned long)&skb_clone >= 512 &&
	    pc - (unsigned long)&__build_skb >= 512)
		return 0;
	if (!object || bpf_probe_read_kernel_str(name, sizeof(name), cache->name) < 0 ||
	    bpf_strncmp(name, sizeof(name), "skbuff_small_head") == 0)
		return 0;
	return count(0);
}

struct net_device;

struct sock;

struct sk_buff {
	unsigned char *head;
	__u16 protocol, network_header;
	int skb_iif;
} __attribute__((preserve_access_index));

/* Packets of SCTP among all others: the first fragment, and no received packets. */
SEC("tp_btf/net_dev_queue")
int BPF_PROG(sctp_send, struct sk_buff *skb)
{
	unsigned char ip[40];

	if ((skb->protocol != 0x0008 && skb->protocol != 0xdd86) || skb->skb_iif ||
	    bpf_probe_read_kernel(ip, 20, skb->head + skb->network_header))
		return 0;
	if (ip[0] >> 4 == 4)
		return ip[9] == 132 && !(*(__u16 *)(ip + 6) & 0xff1f) ? count(0) : 0;
	if (bpf_probe_read_kernel(ip, 40, skb->head + skb->network_header))
		return 0;
	return ip[6] == 132 ? count(0) : 0;
}
