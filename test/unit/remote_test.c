/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote_test.c: agents that send impossible results, records and times.  Each is a thread at the
 * other end of a socket.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clocks.h"
#include "load/load.h"
#include "remote/remote.h"
#include "remote/wire.h"
#include "test.h"

enum lie { NONE, SHORT_RESULT, HUGE_RESULT, SPLIT_RECORD, LATE_TIME };

static enum lie lie;
static int listener;
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void pong(struct wire *w, const struct wire_head *h)
{
	struct wire_ping ping;

	memcpy(&ping, h + 1, sizeof(ping));
	ping.answered = lie == LATE_TIME ? UINT64_MAX : clock_ns();
	wire_send(w, WIRE_PONG, &ping, sizeof(ping), NULL, 0);
}

/* The length of the record is right, but the frame ends in the middle of a word. */
static void send_record(struct wire *w)
{
	struct {
		struct wire_records head;
		uint64_t len;
		char record;
	} bytes = {.len = 1};

	wire_send(w, WIRE_RECORDS, &bytes, offsetof(typeof(bytes), record) + 1, NULL, 0);
}

static void answer(struct wire *w, const struct wire_head *h)
{
	struct wire_hello hello = {.machine = arch_native->machine};
	int64_t result = lie == HUGE_RESULT ? INT64_MIN : 0;

	if (h->type == WIRE_HELLO) {
		wire_meet(w, h->session);
		wire_send(w, WIRE_WELCOME, &hello, sizeof(hello), NULL, 0);
	} else if (h->type == WIRE_PING) {
		pong(w, h);
	} else if (h->type == WIRE_RING) {
		if (lie == SPLIT_RECORD)
			send_record(w);
		wire_send(w, WIRE_RESULT, &result, lie == SHORT_RESULT ? 3 : sizeof(result), NULL,
			  0);
	}
}

static void *agent(void *arg)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	const struct wire_head *h;
	struct wire w;

	wire_init(&w, fd, fd);
	while (!w.is_over) {
		wire_wait(&w, -1, 1000);
		wire_fill(&w);
		while ((h = wire_next(&w)) != NULL)
			answer(&w, h);
		wire_flush(&w);
	}
	wire_free(&w);
	return NULL;
}

static int on_record(void *ctx, void *data, size_t len)
{
	return 0;
}

/* Opens a ring of an agent.  Returns true if the agent is still there; *r is the result. */
static bool survives(enum lie l, int *r)
{
	char channel[128];
	const char *err;
	struct machine *m;
	pthread_t thread;
	bool is;

	lie = l;
	*r = -ENOTCONN;
	snprintf(channel, sizeof(channel), "unix:%s", address.sun_path);
	pthread_create(&thread, NULL, agent, NULL);
	m = remote_open(channel, &err);
	if (m) {
		*r = m->ops->ring(m, 3, on_record, NULL);
		m->ops->drain(m);
	}
	is = m && !remote_lost(m);
	machine_free(m);
	pthread_join(thread, NULL);
	return is;
}

int main(void)
{
	int r;

	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/remote_test-%d", getpid());
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(listen(listener, 1) == 0);
	CHECK(survives(NONE, &r) && r == 0);
	CHECK(!survives(SHORT_RESULT, &r) && r == -ENOTCONN);
	CHECK(!survives(HUGE_RESULT, &r) && r == -ENOTCONN);
	CHECK(!survives(SPLIT_RECORD, &r) && r == -ENOTCONN);
	CHECK(!survives(LATE_TIME, &r) && r == -ENOTCONN);
	unlink(address.sun_path);
	close(listener);
	return TEST_DONE();
}
