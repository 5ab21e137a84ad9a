/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * later.c: the kernel tells of mappings with code through perf events that count nothing
 * (PERF_COUNT_SW_DUMMY): a ring of each CPU, for one process or for all.
 *
 * What a process does between mapping a file and our breakpoints in it is not seen; that is
 * milliseconds.  A file with probes that any process may run has its breakpoints for good, so
 * the next process that maps it is seen from the start.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/map.h"
#include "kern/kern.h"
#include "proc/proc.h"
#include "run/later.h"
#include "run/session.h"

#define RING_PAGES 32 /* a power of two; a record has about 100 bytes */

struct ring {
	int fd;
	struct perf_event_mmap_page *head; /* and RING_PAGES behind it */
};

struct later {
	struct session *s;
	int epoll;
	VEC(struct ring) rings;
	VEC(uint32_t) wanted; /* processes whose probes clauses may be waiting for, 0: all */
	VEC(uint32_t) pids;   /* those that have mapped something, each once */
	bool has_lost;	      /* the kernel had no room to tell which */
	bool is_noted;	      /* only files with static probes matter */
};

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- records ---- */

/* What the kernel writes (perf_event_mmap_output, kernel/events/core.c), behind the header. */
struct mapping {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t addr, len, off;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

static void add_pid(struct later *lt, uint32_t pid)
{
	for (unsigned int i = 0; i < lt->pids.n; i++)
		if (lt->pids.a[i] == pid)
			return;
	if (pid != (uint32_t)getpid())
		vec_push(&lt->pids, pid);
}

static bool is_wanted(const struct later *lt, uint32_t pid)
{
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (compile_wants(&lt->s->compile, lt->wanted.a[i], pid))
			return true;
	return false;
}

/* Of files without probes nobody need be asked again, if that is all that is wanted. */
static void add_mapping(struct later *lt, const struct mapping *m, size_t size)
{
	struct proc_map map = {.start = m->addr, .end = m->addr + m->len, .off = m->off};
	struct procs *ps = lt->s->plan.procs;
	char id[PATH_MAX + 64];
	int n = snprintf(id, sizeof(id), "%02x:%02x %llu ", m->major, m->minor,
			 (unsigned long long)m->inode);

	if (size <= sizeof(*m) || m->path[0] != '/' || !memchr(m->path, '\0', size - sizeof(*m)))
		return;
	snprintf(id + n, sizeof(id) - (size_t)n, "%s", m->path);
	if ((lt->is_noted && procs_lack_notes(ps, id)) || !is_wanted(lt, m->pid))
		return;
	map.id = id;
	map.path = id + n;
	procs_mapped(ps, m->pid, &map);
	add_pid(lt, m->pid);
}

/* A record may go round the end of the ring. */
static void read_record(struct later *lt, const char *data, size_t size, uint64_t at, size_t n)
{
	union {
		struct mapping m;
		char bytes[8192];
	} copy;

	if (n > sizeof(copy))
		return;
	for (size_t i = 0; i < n; i++)
		copy.bytes[i] = data[(at + i) % size];
	if (copy.m.head.type == PERF_RECORD_LOST)
		lt->has_lost = true;
	if (copy.m.head.type == PERF_RECORD_MMAP2)
		add_mapping(lt, &copy.m, n);
}

static void read_ring(struct later *lt, const struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->head->data_tail;
	size_t size = RING_PAGES * page();
	const char *data = (const char *)r->head + page();

	while (tail + sizeof(struct perf_event_header) <= head) {
		struct perf_event_header h;

		/* Records begin at multiples of 8, so that this part is in one piece. */
		memcpy(&h, data + tail % size, sizeof(h));
		if (h.size < sizeof(h) || tail + h.size > head)
			break;
		read_record(lt, data, size, tail, h.size);
		tail += h.size;
	}
	__atomic_store_n(&r->head->data_tail, head, __ATOMIC_RELEASE);
}

/* ---- what has come ---- */

static void attach_more(struct later *lt, uint32_t pid)
{
	struct session *s = lt->s;

	if (compile_more(&s->compile, pid))
		load_more(&s->load, s->compile.units.a, s->compile.units.n);
}

void later_run(struct later *lt)
{
	for (unsigned int i = 0; i < lt->rings.n; i++)
		read_ring(lt, &lt->rings.a[i]);
	if (lt->has_lost) {
		unsigned int n;
		const uint32_t *all = procs_all(lt->s->plan.procs, &n);

		for (unsigned int i = 0; i < n; i++)
			if (is_wanted(lt, all[i]))
				add_pid(lt, all[i]);
		lt->has_lost = false;
	}
	for (unsigned int i = 0; i < lt->pids.n; i++)
		attach_more(lt, lt->pids.a[i]);
	lt->pids.n = 0;
}

/* ---- watching ---- */

static bool watch_on(struct later *lt, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .mmap = 1,
				       .mmap2 = 1,
				       .inherit = pid > 0,
				       .watermark = 1,
				       .wakeup_watermark = 1};
	struct ring r = {
	    .fd = (int)syscall(__NR_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)};
	struct epoll_event ev = {.events = EPOLLIN};

	if (r.fd < 0)
		return errno == ENODEV || errno == ESRCH; /* a CPU that is off; it has gone */
	r.head = mmap(NULL, (1 + RING_PAGES) * page(), PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
	if (r.head == MAP_FAILED || epoll_ctl(lt->epoll, EPOLL_CTL_ADD, r.fd, &ev) != 0) {
		close(r.fd);
		return false;
	}
	vec_push(&lt->rings, r);
	return true;
}

static bool watch(struct later *lt, pid_t pid)
{
	unsigned int ncpu = kern_ncpu_possible(lt->s->plan.kern);

	for (unsigned int i = 0; i < ncpu; i++)
		if (!watch_on(lt, pid, (int)i))
			return false;
	return true;
}

static void add_wanted(struct later *lt, uint32_t pid)
{
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (lt->wanted.a[i] == pid)
			return;
	vec_push(&lt->wanted, pid);
}

/* The processes of all clauses. */
static void find_wanted(struct later *lt)
{
	const struct compile *comp = &lt->s->compile;

	lt->is_noted = true;
	for (unsigned int i = 0; i < comp->progs.n; i++) {
		for (struct clause *c = comp->progs.a[i]->program->clauses; c; c = c->next) {
			const struct clause_probes *cp = c->probes;

			if (!cp->later)
				continue;
			add_wanted(lt, cp->later_pid);
			lt->is_noted &= cp->later->is_noted;
		}
	}
}

/*
 * The kernel watches a thread and those that it will make; if that is not all of the processes,
 * everything is watched.
 */
static bool is_one_thread(const struct later *lt, uint32_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	return pid && !lt->s->plan.follows && stat(path, &st) == 0 && st.st_nlink <= 3;
}

static bool watch_wanted(struct later *lt)
{
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (!is_one_thread(lt, lt->wanted.a[i]))
			return watch(lt, -1);
	for (unsigned int i = 0; i < lt->wanted.n; i++)
		if (!watch(lt, (pid_t)lt->wanted.a[i]))
			return false;
	return true;
}

struct later *later_start(struct session *s)
{
	struct later *lt = mem_alloc(sizeof(*lt));

	lt->s = s;
	lt->epoll = epoll_create1(EPOLL_CLOEXEC);
	find_wanted(lt);
	if (!watch_wanted(lt))
		report_error(&s->report, "probes of what is loaded later will be missing: %s",
			     strerror(errno));
	if (!lt->rings.n) {
		later_stop(lt);
		return NULL;
	}
	/* What has been mapped between looking and watching. */
	lt->has_lost = true;
	later_run(lt);
	return lt;
}

void later_stop(struct later *lt)
{
	if (!lt)
		return;
	for (unsigned int i = 0; i < lt->rings.n; i++) {
		munmap(lt->rings.a[i].head, (1 + RING_PAGES) * page());
		close(lt->rings.a[i].fd);
	}
	close(lt->epoll);
	vec_free(&lt->rings);
	vec_free(&lt->pids);
	vec_free(&lt->wanted);
	mem_free(lt);
}

int later_fd(const struct later *lt)
{
	return lt->epoll;
}
