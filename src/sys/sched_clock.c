/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched_clock.c: the offset of the scheduler's clock, which starts at another time than
 * CLOCK_MONOTONIC and is not corrected by NTP.
 *
 * No call reads that clock, but records of perf events have its time (perf_clock() is
 * local_clock(), as rq_clock() is).  Setting the name of a thread makes a record, also if the name
 * stays the same.
 */
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clocks.h"
#include "sys/bpf.h"

enum { TRIES = 3, NAME_ROOM = 16 /* TASK_COMM_LEN */ };

/* Returns the time in the record that was written from position `from` on; 0: there is none. */
static uint64_t record_time(const struct perf_event_mmap_page *p, size_t page, uint64_t from)
{
	const char *data = (const char *)p + page;
	uint64_t head = __atomic_load_n(&p->data_head, __ATOMIC_ACQUIRE), time = 0;

	/* The time is the last word of the record; a word does not wrap. */
	if (head - from >= sizeof(struct perf_event_header) + sizeof(time))
		memcpy(&time, data + (head - sizeof(time)) % page, sizeof(time));
	return time;
}

/* Returns the offset that the best of some tries shows; 0: no try had a record. */
static int64_t measure(struct perf_event_mmap_page *p, size_t page)
{
	uint64_t best = UINT64_MAX, before, after, time, from;
	char name[NAME_ROOM];
	int64_t offset = 0;

	prctl(PR_GET_NAME, name);
	for (int i = 0; i < TRIES; i++) {
		from = p->data_head;
		before = clock_ns();
		prctl(PR_SET_NAME, name);
		after = clock_ns();
		time = record_time(p, page, from);
		p->data_tail = p->data_head;
		if (time && after - before < best) {
			best = after - before;
			offset = (int64_t)(time - before - best / 2);
		}
	}
	return offset;
}

int64_t sys_sched_offset(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_DUMMY,
				       .sample_type = PERF_SAMPLE_TIME,
				       .sample_id_all = 1,
				       .comm = 1,
				       .exclude_kernel = 1};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *p;
	int64_t offset = 0;
	int fd = (int)syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return 0;
	p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		offset = measure(p, page);
		munmap(p, 2 * page);
	}
	close(fd);
	return offset;
}
