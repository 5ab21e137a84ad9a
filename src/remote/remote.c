/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote.c: makes calls as frames, one at a time.  Records and times that arrive meanwhile are
 * kept.  After the connection is lost, all calls fail with ENOTCONN.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "base/vec.h"
#include "load/load.h"
#include "remote/channel.h"
#include "remote/remote.h"
#include "remote/wire.h"

/* A hello is repeated: the process that served before may have read it. */
#define HELLO_MS 500

/* A target that has just answered is likely to answer again. */
#define AWAKE_MS 20

#define ERRNO_MAX 4095 /* MAX_ERRNO, include/linux/err.h */

/* Times in ns are below this, 146 years, so differences of two times cannot overflow. */
#define TIME_MAX (1ULL << 62)

/*
 * Round trips at the start: this many, and more for some time while the error is larger.  If
 * the error is above the shortest trip, the target's clock has jumped, and more trips help: then
 * dtrace waits for up to SET_NS.
 */
#define FIRST_PINGS 32
#define FIRST_ERROR 100000
#define FIRST_NS    500000000
#define SET_NS	    5000000000

struct area {
	char *p;
	size_t size;
	uint32_t id;
};

struct remote {
	struct machine machine;
	struct wire wire;
	struct channel channel;
	const char *lost;
	struct buf result; /* of the current call */
	bool has_result;
	unsigned int unasked; /* results of calls that did not wait, which come before others */
	VEC(struct area) areas;
	struct buf records; /* in order of arrival */
	machine_record *record;
	void *ctx;
	uint64_t complete, arrived; /* until when drained and arrived records are complete */
	uint64_t ndrained, nclaims; /* number of such reports */
	struct clock clock;
	uint64_t deadline;	 /* when it must have given all its answers; 0: none */
	uint64_t pinged;	 /* time of an unanswered ping, or 0 */
	uint64_t answered;	 /* time of the last answer */
	uint64_t trip, shortest; /* time of the last round trip, and of the shortest */
	uint64_t greeted;	 /* time of the last hello */
};

static struct remote *remote(struct machine *m)
{
	return (struct remote *)m;
}

static void lose(struct remote *r, const char *why)
{
	if (!r->lost)
		r->lost = why;
}

/* ---- incoming frames ---- */

static void got_records(struct remote *r, const char *p, size_t len)
{
	struct wire_records head;

	/* An agent of ours never has more untaken records than the window. */
	if (len < sizeof(head) || r->records.n > WIRE_WINDOW + WIRE_MAX) {
		lose(r, "it sends invalid data");
		return;
	}
	/* Each record is a whole number of words. */
	if (len % 8) {
		lose(r, "it sends invalid data");
		return;
	}
	memcpy(&head, p, sizeof(head));
	if (len > sizeof(head))
		buf_add(&r->records, p + sizeof(head), len - sizeof(head));
	if (head.time) {
		r->arrived = head.time;
		r->nclaims++;
	}
}

static void got_pong(struct remote *r, const void *p, size_t len)
{
	struct wire_ping ping;

	if (len != sizeof(ping))
		return;
	memcpy(&ping, p, sizeof(ping));
	if (ping.sent != r->pinged)
		return;
	if (ping.answered >= TIME_MAX) {
		lose(r, "it sends invalid data");
		return;
	}
	r->answered = clock_ns();
	r->trip = r->answered - ping.sent;
	if (!r->shortest || r->trip < r->shortest)
		r->shortest = r->trip;
	clock_sample(&r->clock, ping.sent, ping.answered, r->answered);
	r->pinged = 0;
}

static void got(struct remote *r, const struct wire_head *h)
{
	switch ((enum wire_type)h->type) {
	case WIRE_RESULT:
		if (r->unasked) {
			r->unasked--;
			break;
		}
		buf_reset(&r->result);
		buf_add(&r->result, h + 1, h->len);
		r->has_result = true;
		break;
	case WIRE_RECORDS:
		got_records(r, (const char *)(h + 1), h->len);
		break;
	case WIRE_PONG:
		got_pong(r, h + 1, h->len);
		break;
	default:
		break;
	}
}

void remote_poll(struct machine *m)
{
	struct remote *r = remote(m);
	const struct wire_head *h;

	if (r->lost)
		return;
	wire_flush(&r->wire);
	wire_fill(&r->wire);
	while (!r->lost && (h = wire_next(&r->wire)) != NULL)
		got(r, h);
	if (r->wire.is_over)
		lose(r, "the connection has ended");
	else if (r->pinged && clock_ns() - r->pinged > WIRE_TIMEOUT_MS * 1000000ULL)
		lose(r, "it does not answer");
}

/* Waits for a result.  Returns false if none will come. */
static bool await(struct remote *r)
{
	uint64_t since = clock_ns();

	r->has_result = false;
	while (!r->lost && !r->has_result) {
		remote_poll(&r->machine);
		if (r->has_result)
			break;
		if (clock_ns() - since > WIRE_TIMEOUT_MS * 1000000ULL)
			lose(r, "it does not answer");
		else if (r->deadline && clock_ns() > r->deadline)
			lose(r, "it takes too long to end");
		else
			wire_wait(&r->wire, -1, 1000);
	}
	if (r->has_result && r->result.n < sizeof(int64_t))
		lose(r, "it sends invalid data");
	return !r->lost && r->has_result;
}

static int64_t result(const struct remote *r)
{
	int64_t v;

	memcpy(&v, r->result.s, sizeof(v));
	return v;
}

/* ---- calls ---- */

/* Returns true if the call can have this result: callers use it as a size, a count or a
 * descriptor. */
static bool is_possible(const struct sys_call *c, int64_t r)
{
	switch (c->op) {
	case SYS_READ:
	case SYS_PREAD:
	case SYS_READLINK:
	case SYS_LIST:
		return r >= -ERRNO_MAX && r <= c->args[2];
	default:
		return r >= -ERRNO_MAX && r <= INT_MAX;
	}
}

static long call(struct machine *m, struct sys_call *c)
{
	struct remote *r = remote(m);
	struct buf b = {0};

	if (r->lost)
		return -ENOTCONN;
	wire_put_call(&b, c);
	if (b.n <= WIRE_MAX)
		wire_send(&r->wire, WIRE_CALL, b.s, b.n, NULL, 0);
	buf_free(&b);
	if (b.n > WIRE_MAX)
		return -E2BIG;
	if (!await(r))
		return -ENOTCONN;
	if (!is_possible(c, result(r)) ||
	    !wire_get_results(r->result.s + sizeof(int64_t), r->result.n - sizeof(int64_t), c,
			      result(r))) {
		lose(r, "it sends invalid data");
		return -ENOTCONN;
	}
	return result(r);
}

static bool ask(struct remote *r, enum wire_type type, const struct wire_area *a, const void *bytes,
		size_t n)
{
	if (r->lost)
		return false;
	wire_send(&r->wire, type, a, sizeof(*a), bytes, n);
	if (!await(r))
		return false;
	if (result(r) < -ERRNO_MAX || result(r) > INT_MAX)
		lose(r, "it sends invalid data");
	return !r->lost && result(r) >= 0;
}

/* ---- memory ---- */

static void *map(struct machine *m, int fd, size_t size)
{
	struct wire_area a = {.fd = fd, .size = size};
	struct area area = {.size = size};

	if (!ask(remote(m), WIRE_MAP, &a, NULL, 0))
		return NULL;
	area.id = (uint32_t)result(remote(m));
	area.p = mem_alloc(size);
	vec_push(&remote(m)->areas, area);
	return area.p;
}

/* Returns the area that contains these bytes. */
static struct area *area_of(struct remote *r, const void *p, size_t size)
{
	for (unsigned int i = 0; i < r->areas.n; i++) {
		struct area *a = &r->areas.a[i];

		if ((const char *)p >= a->p && (const char *)p < a->p + a->size) {
			assert(size <= a->size - (size_t)((const char *)p - a->p));
			return a;
		}
	}
	assert(!"memory of another machine");
	return NULL;
}

static void unmap(struct machine *m, void *p, size_t size)
{
	struct area *area = area_of(remote(m), p, size);
	struct wire_area a = {.id = area->id};

	ask(remote(m), WIRE_UNMAP, &a, NULL, 0);
	mem_free(area->p);
	*area = vec_last(&remote(m)->areas);
	remote(m)->areas.n--;
}

#define PART_MAX (WIRE_MAX / 4)

static void fetch(struct machine *m, void *p, size_t size)
{
	struct remote *r = remote(m);
	const struct area *area = area_of(r, p, size);

	for (size_t done = 0, n; done < size; done += n) {
		struct wire_area a = {.id = area->id};

		n = size - done < PART_MAX ? size - done : PART_MAX;
		a.off = (uint64_t)((char *)p + done - area->p);
		a.size = n;
		if (!ask(r, WIRE_FETCH, &a, NULL, 0) || r->result.n != sizeof(int64_t) + n)
			return;
		memcpy((char *)p + done, r->result.s + sizeof(int64_t), n);
	}
}

static void store(struct machine *m, const void *p, size_t size)
{
	struct remote *r = remote(m);
	const struct area *area = area_of(r, p, size);
	struct wire_area a = {
	    .id = area->id, .off = (uint64_t)((const char *)p - area->p), .size = size};

	if (r->lost)
		return;
	wire_send(&r->wire, WIRE_STORE, &a, sizeof(a), p, size);
	wire_flush(&r->wire);
	r->unasked++;
}

/* ---- records ---- */

static int ring(struct machine *m, int fd, machine_record *f, void *ctx)
{
	struct remote *r = remote(m);
	struct wire_area a = {.fd = fd};

	r->record = f;
	r->ctx = ctx;
	if (ask(r, WIRE_RING, &a, NULL, 0))
		return 0;
	return r->lost ? -ENOTCONN : (int)result(r);
}

static int drain(struct machine *m)
{
	struct remote *r = remote(m);
	struct buf got;
	uint64_t len, taken;
	size_t at = 0;
	int n = 0;

	remote_poll(m);
	/* Handling a record may bring more. */
	got = r->records;
	r->records = (struct buf){0};
	r->complete = r->arrived;
	r->ndrained = r->nclaims;
	taken = got.n;
	for (; got.n - at >= sizeof(len); at += sizeof(len) + ((len + 7) & ~7ULL), n++) {
		memcpy(&len, got.s + at, sizeof(len));
		if (len > got.n - at - sizeof(len)) {
			lose(r, "it sends invalid data");
			break;
		}
		r->record(r->ctx, got.s + at + sizeof(len), len);
	}
	buf_free(&got);
	if (taken && !r->lost)
		wire_send(&r->wire, WIRE_TAKEN, &taken, sizeof(taken), NULL, 0);
	wire_flush(&r->wire);
	return n;
}

static int ring_fd(struct machine *m)
{
	return remote_fd(m);
}

int remote_fd(struct machine *m)
{
	return remote(m)->lost ? -1 : remote(m)->wire.in;
}

uint64_t remote_complete(struct machine *m)
{
	return remote(m)->complete;
}

uint64_t remote_mark(struct machine *m)
{
	return remote(m)->nclaims;
}

bool remote_is_past(struct machine *m, uint64_t mark)
{
	return remote(m)->ndrained > mark;
}

void remote_give_up(struct machine *m, const char *why)
{
	lose(remote(m), why);
	shutdown(remote(m)->wire.in, SHUT_RDWR);
}

void remote_end_within(struct machine *m, uint64_t ns)
{
	remote(m)->deadline = clock_ns() + ns;
}

const char *remote_lost(struct machine *m)
{
	return remote(m)->lost;
}

/* ---- time ---- */

void remote_ping(struct machine *m)
{
	struct remote *r = remote(m);
	struct wire_ping ping = {.sent = clock_ns()};

	if (r->lost || r->pinged)
		return;
	r->pinged = ping.sent;
	wire_send(&r->wire, WIRE_PING, &ping, sizeof(ping), NULL, 0);
	wire_flush(&r->wire);
}

bool remote_is_awake(struct machine *m)
{
	return clock_ns() - remote(m)->answered < AWAKE_MS * 1000000ULL;
}

const struct clock *remote_clock(struct machine *m)
{
	return &remote(m)->clock;
}

bool remote_is_pinged(struct machine *m)
{
	return remote(m)->pinged != 0;
}

uint64_t remote_trip(struct machine *m)
{
	return remote(m)->trip;
}

/* Returns true if more round trips will not make the estimate better. */
static bool is_measured(const struct remote *r, uint64_t ns)
{
	uint64_t error = clock_error(&r->clock, r->clock.since);

	return error <= FIRST_ERROR || (ns > FIRST_NS && error <= r->shortest) || ns > SET_NS;
}

void remote_measure(struct machine *m)
{
	struct remote *r = remote(m);
	uint64_t since = clock_ns();

	for (int i = 0; !r->lost; i++) {
		if ((i >= FIRST_PINGS && is_measured(r, clock_ns() - since)) ||
		    (i && clock_ns() - since > SET_NS))
			break;
		remote_ping(&r->machine);
		while (r->pinged && !r->lost) {
			wire_wait(&r->wire, -1, 1000);
			remote_poll(&r->machine);
		}
	}
}

/* ---- the connection ---- */

static void close_remote(struct machine *m)
{
	struct remote *r = remote(m);
	int status;

	wire_free(&r->wire);
	if (r->channel.pid > 0) {
		kill(r->channel.pid, SIGTERM);
		waitpid(r->channel.pid, &status, 0);
	}
	for (unsigned int i = 0; i < r->areas.n; i++)
		mem_free(r->areas.a[i].p);
	vec_free(&r->areas);
	buf_free(&r->records);
	buf_free(&r->result);
	mem_free(r);
}

/* Returns NULL if the peer is an agent of ours and free; otherwise the reason. */
static const char *check_welcome(const struct wire_head *h)
{
	struct wire_hello hello;

	if (h->type == WIRE_BUSY)
		return "its agent serves another dtrace";
	if (h->version != WIRE_VERSION)
		return "its agent has another version";
	if (h->len != sizeof(hello))
		return "it sends invalid data";
	memcpy(&hello, h + 1, sizeof(hello));
	return hello.machine == arch_native->machine ? NULL
						     : "its processors differ from the host's";
}

enum remote_state remote_meet(struct machine *m, const char **err)
{
	struct wire_hello hello = {.machine = arch_native->machine};
	struct remote *r = remote(m);
	const struct wire_head *h;

	if (!r->greeted || clock_ns() - r->greeted > HELLO_MS * 1000000ULL) {
		wire_send(&r->wire, WIRE_HELLO, &hello, sizeof(hello), NULL, 0);
		r->greeted = clock_ns();
	}
	wire_flush(&r->wire);
	wire_fill(&r->wire);
	h = wire_next(&r->wire);
	if (!h && !r->wire.is_over)
		return REMOTE_WAITS;
	*err = h ? check_welcome(h) : "the other end is not open";
	if (*err)
		return REMOTE_REFUSES;
	wire_meet(&r->wire, r->wire.session);
	remote_measure(m);
	*err = r->lost;
	return r->lost ? REMOTE_REFUSES : REMOTE_ANSWERS;
}

struct machine *remote_begin(const char *channel, const char **err)
{
	static const struct machine_ops ops = {.call = call,
					       .map = map,
					       .unmap = unmap,
					       .fetch = fetch,
					       .store = store,
					       .ring = ring,
					       .drain = drain,
					       .ring_fd = ring_fd,
					       .free = close_remote};
	struct remote *r = mem_alloc(sizeof(*r));
	int status = channel_open(channel, &r->channel);

	if (status < 0) {
		*err = strerror(-status);
		mem_free(r);
		return NULL;
	}
	r->machine.ops = &ops;
	wire_init(&r->wire, r->channel.in, r->channel.out);
	do
		getrandom(&r->wire.session, sizeof(r->wire.session), 0);
	while (!r->wire.session);
	return &r->machine;
}

struct machine *remote_open(const char *channel, const char **err)
{
	struct machine *m = remote_begin(channel, err);
	uint64_t since = clock_ns();
	enum remote_state state;

	if (!m)
		return NULL;
	*err = "no agent answers";
	do {
		state = remote_meet(m, err);
		if (state == REMOTE_ANSWERS)
			return m;
		if (state == REMOTE_REFUSES)
			break;
		wire_wait(&remote(m)->wire, -1, HELLO_MS);
	} while (clock_ns() - since < WIRE_TIMEOUT_MS * 1000000ULL);
	machine_free(m);
	return NULL;
}
