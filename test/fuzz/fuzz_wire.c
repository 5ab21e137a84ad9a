/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_wire.c: any bytes as the input of a connection, at either end.  An agent makes no call,
 * because nothing is allowed here; calls and results are also read by themselves.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "remote/wire.h"

static void as_call(const uint8_t *data, size_t size)
{
	struct sys_call c;
	void *room;

	if (wire_get_call(data, size, &c, &room)) {
		struct buf b = {0};

		/* All memory exists and is writable. */
		for (unsigned int i = 0; i < c.nmems; i++)
			if (!c.mems[i].is_in)
				memset(c.mems[i].at, 1, c.mems[i].len);
		wire_put_results(&b, &c, (int64_t)(size % 64));
		if (!wire_get_results(buf_str(&b), b.n, &c, (int64_t)(size % 64)))
			abort();
		wire_get_results(data, size, &c, (int64_t)size);
		buf_free(&b);
	}
	mem_free(room);
}

static void as_stream(const uint8_t *data, size_t size, bool is_met)
{
	const struct wire_head *h;
	struct wire w;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0)
		return;
	wire_init(&w, ends[0], ends[0]);
	if (is_met)
		wire_meet(&w, 0x44444444);
	if (write(ends[1], data, size) < 0)
		abort();
	close(ends[1]);
	wire_fill(&w);
	while ((h = wire_next(&w)) != NULL)
		if (h->len > WIRE_MAX || (const char *)(h + 1) + h->len > w.got.s + w.got.n)
			abort();
	wire_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_call(data, size);
	as_stream(data, size, false);
	as_stream(data, size, true);
	return 0;
}
