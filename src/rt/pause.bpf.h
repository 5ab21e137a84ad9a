/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pause.bpf.h: makes a thread wait after its dynamic linker has mapped something, at the place that
 * informs debuggers, until the consumer has examined the process (session/pause.c).
 *
 * The thread waits in the kernel, and no signal stops it.  Nobody has to resume it, its parent and
 * debuggers do not notice, and the wait is bounded.  No helper sleeps, so the wait calls the helper
 * that reads memory as a debugger does: it lets other threads run, and fails if the thread must
 * end.
 */
struct {
	int (*type)[1];
} state __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} pause __attribute__((section(".maps"), used));

enum { AVAIL_DATA, RING_SIZE, CONS_POS, PROD_POS }; /* of BPF_FUNC_ringbuf_query */
enum { FORCE_WAKEUP = 2 };

static u64 (*const this_process)(void) = (void *)14;
static long (*const output)(void *ring, void *data, u64 size, u64 flags) = (void *)130;
static u64 (*const query)(void *ring, u64 flags) = (void *)134;
static void *(*const this_task)(void) = (void *)158;
static long (*const read_task)(void *dst, u32 size, const void *src, void *task,
			       u64 flags) = (void *)191;

struct pause_wait {
	u64 pos, until, readable;
};

static long pause_on(u32 i, struct pause_wait *w)
{
	u32 zero = 0;
	volatile struct abi_state *s = lookup(&state, &zero);
	char byte;

	return !s || s->active == ABI_STATE_STOPPED || query(&pause, CONS_POS) >= w->pos ||
	       ktime() >= w->until ||
	       read_task(&byte, sizeof(byte), (void *)w->readable, this_task(), 0);
}

/*
 * Waits.  pid: the process in the namespace of dtrace, and in the upper half its number in the
 * first one.  readable: any readable address of the process.
 */
RT u64 rt_pause(u64 pid, u64 readable)
{
	struct abi_pause notice = {.pid = (u32)pid, .time = ktime()};
	struct pause_wait w = {.until = notice.time + ABI_PAUSE_NS, .readable = readable};

	if (this_process() >> 32 != pid >> 32)
		return 0;
	notice.waits = query(&pause, AVAIL_DATA) < ABI_PAUSES * sizeof(notice);
	if (output(&pause, &notice, sizeof(notice), FORCE_WAKEUP) || !notice.waits)
		return 0;
	w.pos = query(&pause, PROD_POS);
	loop(ENDLESS, pause_on, &w, 0);
	return 0;
}
