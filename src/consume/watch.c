/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch.c: perf events of mappings and tasks.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "proc/proc.h"
#include "consume/watch.h"

#define RING_PAGES 32 /* a power of two; a record has about 100 bytes */

struct ring {
	int fd;
	struct perf_event_mmap_page *head; /* followed by RING_PAGES pages */
};

struct watch {
	const struct watch_calls *calls;
	void *ctx;
	int epoll;
	VEC(struct ring) rings;
};

/* Records of the kernel (kernel/events/core.c: perf_event_mmap_output, perf_event_task_output). */
struct mapping {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t addr, len, off;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

struct task {
	struct perf_event_header head;
	uint32_t pid, ppid;
	uint32_t tid, ptid;
	uint64_t time;
};

union record {
	struct perf_event_header head;
	struct mapping mapping;
	struct task task;
	char bytes[8192];
};

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void mapped(struct watch *w, const struct mapping *m, size_t size)
{
	struct proc_map map = {.start = m->addr, .end = m->addr + m->len, .off = m->off};
	char id[PATH_MAX + 64];
	int n = snprintf(id, sizeof(id), "%02x:%02x %llu ", m->major, m->minor,
			 (unsigned long long)m->inode);

	if (size <= sizeof(*m) || !memchr(m->path, '\0', size - sizeof(*m)))
		return;
	snprintf(id + n, sizeof(id) - (size_t)n, "%s", m->path);
	map.id = id;
	map.path = id + n;
	w->calls->mapped(w->ctx, m->pid, &map);
}

static bool is_process(uint32_t pid)
{
	return pid && pid != UINT32_MAX;
}

/* A record may wrap around the end of the ring. */
static void read_record(struct watch *w, const char *data, size_t size, uint64_t at, size_t n)
{
	union record r;

	if (n > sizeof(r))
		return;
	for (size_t i = 0; i < n; i++)
		r.bytes[i] = data[(at + i) % size];
	/* A process outside our PID namespaces has number 0, or -1 if it ends. */
	if ((r.head.type == PERF_RECORD_MMAP2 && !is_process(r.mapping.pid)) ||
	    (r.head.type != PERF_RECORD_MMAP2 && r.head.type != PERF_RECORD_LOST &&
	     !is_process(r.task.pid)))
		return;
	if (r.head.type == PERF_RECORD_LOST)
		w->calls->lost(w->ctx);
	else if (r.head.type == PERF_RECORD_MMAP2)
		mapped(w, &r.mapping, n);
	else if (r.head.type == PERF_RECORD_FORK && r.task.pid != r.task.ppid)
		w->calls->forked(w->ctx, r.task.ppid, r.task.pid);
	else if (r.head.type == PERF_RECORD_EXIT && r.task.pid == r.task.tid)
		w->calls->ended(w->ctx, r.task.pid);
}

static void read_ring(struct watch *w, const struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->head->data_tail;
	size_t size = RING_PAGES * page();
	const char *data = (const char *)r->head + page();

	while (tail + sizeof(struct perf_event_header) <= head) {
		struct perf_event_header h;

		/* Records are aligned to 8 bytes, so the header does not wrap. */
		memcpy(&h, data + tail % size, sizeof(h));
		if (h.size < sizeof(h) || tail + h.size > head)
			break;
		read_record(w, data, size, tail, h.size);
		tail += h.size;
	}
	__atomic_store_n(&r->head->data_tail, head, __ATOMIC_RELEASE);
}

void watch_read(struct watch *w)
{
	for (unsigned int i = 0; i < w->rings.n; i++)
		read_ring(w, &w->rings.a[i]);
}

static bool watch_on(struct watch *w, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .mmap = 1,
				       .mmap2 = 1,
				       .task = 1,
				       .inherit = pid > 0,
				       .watermark = 1,
				       .wakeup_watermark = 1};
	struct ring r = {
	    .fd = (int)syscall(__NR_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)};
	struct epoll_event ev = {.events = EPOLLIN};

	if (r.fd < 0)
		return errno == ENODEV || errno == ESRCH; /* CPU off, or process gone */
	r.head = mmap(NULL, (1 + RING_PAGES) * page(), PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
	if (r.head == MAP_FAILED || epoll_ctl(w->epoll, EPOLL_CTL_ADD, r.fd, &ev) != 0) {
		close(r.fd);
		return false;
	}
	vec_push(&w->rings, r);
	return true;
}

bool watch_add(struct watch *w, pid_t pid, unsigned int ncpu)
{
	for (unsigned int i = 0; i < ncpu; i++)
		if (!watch_on(w, pid, (int)i))
			return false;
	return true;
}

struct watch *watch_new(const struct watch_calls *calls, void *ctx)
{
	struct watch *w = mem_alloc(sizeof(*w));

	w->calls = calls;
	w->ctx = ctx;
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (unsigned int i = 0; i < w->rings.n; i++) {
		munmap(w->rings.a[i].head, (1 + RING_PAGES) * page());
		close(w->rings.a[i].fd);
	}
	close(w->epoll);
	vec_free(&w->rings);
	mem_free(w);
}

void watch_also(struct watch *w, int fd)
{
	struct epoll_event ev = {.events = EPOLLIN};

	epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &ev);
}

bool watch_is_on(const struct watch *w)
{
	return w->rings.n > 0;
}

int watch_fd(const struct watch *w)
{
	return w->epoll;
}
