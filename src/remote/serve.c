/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.c: serves one connection in a process of its own.  Programs, links and maps are descriptors
 * of this process, so they are gone when it ends, for whatever reason.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clocks.h"
#include "base/mem.h"
#include "base/vec.h"
#include "load/load.h"
#include "remote/allow.h"
#include "remote/serve.h"
#include "remote/wire.h"

/* Intervals of reading the ring: while little happens, and while many records come.  A ring of the
 * default size lasts 110 ms at 3 million records a second. */
#define LOOK_IDLE_MS 100
#define LOOK_BUSY_MS 2
#define BUSY_SIZE    (32U << 10)

/* Time for a frame, and on a socket for the first one, because other peers get BUSY until then. */
#define FRAME_NS (10 * 1000000000ULL)

/* Approximate size of the frames with records. */
#define BATCH_SIZE (256U << 10)

struct area {
	void *p;
	size_t size;
};

struct serve {
	struct wire wire;
	struct machine *machine;
	allow_fds fds;		/* that calls have opened */
	VEC(struct area) areas; /* of WIRE_MAP, by number */
	struct buf records;	/* the frame being filled */
	uint64_t untaken;	/* bytes of records sent, but not yet taken */
	bool has_ring;
	uint64_t looked; /* time of the last read of the ring */
	uint64_t heard;	 /* time of the last complete frame */
	bool is_socket;
	int look_ms; /* interval until the next one */
};

/* ---- calls ---- */

static int64_t make(struct serve *s, struct sys_call *c)
{
	int64_t r;

	if (!allow_call(&s->fds, c))
		return -EACCES;
	r = s->machine->ops->call(s->machine, c);
	if (r >= 0 && !allow_opened(c, (int)r)) {
		close((int)r);
		r = -EACCES;
	}
	allow_note(&s->fds, c, r);
	return r;
}

static bool serve_call(struct serve *s, const void *p, size_t len)
{
	struct buf b = {0};
	struct sys_call c;
	void *room;
	bool ok = wire_get_call(p, len, &c, &room);

	if (ok) {
		int64_t r = make(s, &c);

		buf_add(&b, &r, sizeof(r));
		wire_put_results(&b, &c, r);
		wire_send(&s->wire, WIRE_RESULT, b.s, b.n, NULL, 0);
	}
	buf_free(&b);
	mem_free(room);
	return ok;
}

/* ---- memory ---- */

static void result(struct serve *s, int64_t r, const void *bytes, size_t n)
{
	wire_send(&s->wire, WIRE_RESULT, &r, sizeof(r), bytes, n);
}

static void serve_map(struct serve *s, const struct wire_area *a)
{
	struct area area = {.size = a->size};

	area.p =
	    allow_area(&s->fds, a->fd) ? s->machine->ops->map(s->machine, a->fd, a->size) : NULL;
	if (!area.p) {
		result(s, -ENOMEM, NULL, 0);
		return;
	}
	vec_push(&s->areas, area);
	result(s, s->areas.n - 1, NULL, 0);
}

/* Returns a part of an area; NULL: it has no such part. */
static void *part_of(struct serve *s, const struct wire_area *a)
{
	if (a->id >= s->areas.n || !s->areas.a[a->id].p || a->off > s->areas.a[a->id].size ||
	    a->size > s->areas.a[a->id].size - a->off || a->size > WIRE_MAX / 2)
		return NULL;
	return (char *)s->areas.a[a->id].p + a->off;
}

/* Stores whole words, because programs read them at the same time. */
static void store(void *to, const char *from, size_t size)
{
	if (size == 8 && (uintptr_t)to % 8 == 0) {
		uint64_t v;

		memcpy(&v, from, 8);
		__atomic_store_n((uint64_t *)to, v, __ATOMIC_SEQ_CST);
	} else {
		memcpy(to, from, size);
	}
}

static bool serve_area(struct serve *s, enum wire_type type, const char *p, size_t len)
{
	struct wire_area a;
	void *part;

	if (len < sizeof(a))
		return false;
	memcpy(&a, p, sizeof(a));
	if (type == WIRE_MAP) {
		serve_map(s, &a);
		return true;
	}
	part = part_of(s, &a);
	if (!part || (type == WIRE_STORE && len - sizeof(a) != a.size))
		return false;
	switch (type) {
	case WIRE_FETCH:
		result(s, 0, part, a.size);
		break;
	case WIRE_STORE:
		store(part, p + sizeof(a), a.size);
		result(s, 0, NULL, 0);
		break;
	default:
		s->machine->ops->unmap(s->machine, s->areas.a[a.id].p, s->areas.a[a.id].size);
		s->areas.a[a.id].p = NULL;
		result(s, 0, NULL, 0);
	}
	return true;
}

/* ---- records ---- */

static int on_record(void *ctx, void *data, size_t len)
{
	struct serve *s = ctx;
	uint64_t size = len;

	buf_add(&s->records, &size, sizeof(size));
	buf_add(&s->records, data, len);
	buf_pad(&s->records, '\0', -len & 7);
	return s->records.n >= BATCH_SIZE ? -EAGAIN : 0;
}

/*
 * Sends the records of the ring, as long as the other side reads.  The rest stays in the ring.  If
 * the ring is full, the programs count the records that they drop.
 */
static void send_records(struct serve *s)
{
	bool is_more = true, is_due = clock_ns() - s->looked >= LOOK_IDLE_MS * 1000000ULL;

	s->look_ms = LOOK_IDLE_MS;
	while (is_more && s->untaken < WIRE_WINDOW) {
		struct wire_records head = {.time = clock_ns()};

		buf_reset(&s->records);
		is_more = s->machine->ops->drain(s->machine) == -EAGAIN;
		if (s->records.n >= BUSY_SIZE)
			s->look_ms = LOOK_BUSY_MS;
		if (!s->records.n && !is_due)
			return;
		/* Older records may follow the full frame. */
		head.time = is_more ? 0 : head.time;
		wire_send(&s->wire, WIRE_RECORDS, &head, sizeof(head), buf_str(&s->records),
			  s->records.n);
		s->untaken += s->records.n;
		s->looked = clock_ns();
	}
}

static bool serve_ring(struct serve *s, const void *p, size_t len)
{
	struct wire_area a;
	int r;

	if (len != sizeof(a) || s->has_ring)
		return false;
	memcpy(&a, p, sizeof(a));
	r = !allow_find(&s->fds, a.fd) ? -EBADF
				       : s->machine->ops->ring(s->machine, a.fd, on_record, s);
	s->has_ring = r == 0;
	result(s, r, NULL, 0);
	return true;
}

static bool serve_taken(struct serve *s, const void *p, size_t len)
{
	uint64_t n;

	if (len != sizeof(n))
		return false;
	memcpy(&n, p, sizeof(n));
	s->untaken -= n < s->untaken ? n : s->untaken;
	return true;
}

static bool serve_ping(struct serve *s, const void *p, size_t len)
{
	struct wire_ping ping;

	if (len != sizeof(ping))
		return false;
	memcpy(&ping, p, sizeof(ping));
	ping.answered = clock_ns();
	wire_send(&s->wire, WIRE_PONG, &ping, sizeof(ping), NULL, 0);
	return true;
}

/* ---- the connection ---- */

/* Returns false if the frame violates the protocol. */
static bool serve_frame(struct serve *s, const struct wire_head *h)
{
	const void *p = h + 1;

	switch ((enum wire_type)h->type) {
	case WIRE_CALL:
		return serve_call(s, p, h->len);
	case WIRE_MAP:
	case WIRE_UNMAP:
	case WIRE_FETCH:
	case WIRE_STORE:
		return serve_area(s, (enum wire_type)h->type, p, h->len);
	case WIRE_RING:
		return serve_ring(s, p, h->len);
	case WIRE_TAKEN:
		return serve_taken(s, p, h->len);
	case WIRE_PING:
		return serve_ping(s, p, h->len);
	default:
		return false;
	}
}

static void greet(struct serve *s, const struct wire_head *h, bool is_busy)
{
	struct wire_hello hello = {.machine = arch_native->machine};

	wire_meet(&s->wire, h->session);
	if (is_busy)
		wire_send(&s->wire, WIRE_BUSY, NULL, 0, NULL, 0);
	else
		wire_send(&s->wire, WIRE_WELCOME, &hello, sizeof(hello), NULL, 0);
}

/* In a channel that is never closed, the next peer may come while we still serve. */
static bool is_another(const struct serve *s, const struct wire_head *h)
{
	return s->wire.session && h->type == WIRE_HELLO && h->session != s->wire.session;
}

static bool serve_all(struct serve *s, bool is_busy)
{
	const struct wire_head *h;

	while (!wire_is_full(&s->wire) && (h = wire_next(&s->wire)) != NULL) {
		if (is_another(s, h))
			return false;
		s->heard = clock_ns();
		/* A peer that waits for an answer repeats its hello. */
		if (h->type == WIRE_HELLO)
			greet(s, h, is_busy);
		else if (!serve_frame(s, h))
			return false;
	}
	return !s->wire.is_over;
}

/* Returns true if the peer owes us a frame, or the rest of one, for too long. */
static bool is_overdue(struct serve *s)
{
	bool has_part = s->wire.got.n > s->wire.used && !wire_is_full(&s->wire);

	if (!has_part && (s->wire.session || !s->is_socket))
		s->heard = clock_ns();
	return clock_ns() - s->heard > FRAME_NS;
}

void serve_connection(struct machine *m, int in, int out, bool is_busy)
{
	struct serve s = {.machine = m, .look_ms = LOOK_IDLE_MS, .heard = clock_ns()};
	bool goes_on = true;
	struct stat st;

	wire_init(&s.wire, in, out);
	s.is_socket = fstat(in, &st) == 0 && S_ISSOCK(st.st_mode);
	while (goes_on && !is_overdue(&s)) {
		bool reads = s.has_ring && s.untaken < WIRE_WINDOW;

		wire_wait(&s.wire, reads ? s.machine->ops->ring_fd(s.machine) : -1, s.look_ms);
		wire_fill(&s.wire);
		goes_on = serve_all(&s, is_busy);
		if (s.has_ring)
			send_records(&s);
		goes_on = wire_flush(&s.wire) && goes_on;
		if (is_busy && s.wire.session && !s.wire.sent.n)
			break;
	}
	wire_free(&s.wire);
	vec_free(&s.fds);
	vec_free(&s.areas);
	buf_free(&s.records);
}
