/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_exporter.c: any bytes as requests of HTTP clients for metrics.
 *
 * The input is a list of steps of up to four clients: connect, send text in one write, read, close.
 * The low two bits of a step are the client, the next three the action, and the others a number of
 * bytes.  The exporter serves the received requests after each step with SERVE.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../exec/stage.h"
#include "session/session.h"

#define CLIENTS 4
#define PORTS	100 /* tried, from one computed from our pid on */

enum { SEND, SEND_LONG, SEND_SERVE, SERVE, READ, FINISH, RESET, GET };

static const char program[] =
    "BEGIN\n"
    "{\n"
    "	@[\"a\\\\b\\\"c\\n\"] = count(); @sizes[1, execname] = quantize(5);\n"
    "	@least = min(-3); @mean = avg(7); @levels = lquantize(4, 0, 9);\n"
    "}\n";

static const struct fire firing = {
    .pid = 100, .tid = 100, .ppid = 1, .time = 1000000, .comm = "fuzz"};

static struct session *s;
static struct stage g;
static struct sockaddr_in address = {.sin_family = AF_INET};
static char *out;
static size_t out_size;

/* Simultaneous runs need ports of their own. */
static bool find_port(void)
{
	static char text[64];
	bool ok = false;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (unsigned int i = 0; !ok && i < PORTS; i++) {
		unsigned int port = 20000 + ((unsigned int)getpid() + i) % 10000;

		snprintf(text, sizeof(text), "127.0.0.1:%u", port);
		address.sin_port = htons((uint16_t)port);
		s->opts.text[OPT_metrics] = text;
		ok = session_start_sinks(s);
	}
	sinks_free(&s->sinks);
	return ok;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	/* Stays loaded from run to run. */
	bool has_library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL) != NULL;

	s = session_new("dtrace");
	s->consume.file = s->report.file = open_memstream(&out, &out_size);
	stage_init(&g, s, &firing, &firing);
	session_setopt(s, "metrics", "127.0.0.1:1");
	compile_add_text(&s->compile, LANG_SPEC_NONE, program);
	if (stage_start(&g, false) && has_library && find_port()) {
		session_go(s);
		return 0;
	}
	fputs("the program of fuzz_exporter cannot be started\n", stderr);
	exit(1);
}

/* A closed connection leaves nothing in the kernel, otherwise ports would run out. */
static void reset(int *fd)
{
	struct linger now = {.l_onoff = 1};

	if (*fd < 0)
		return;
	setsockopt(*fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(*fd);
	*fd = -1;
}

/* Returns -1 if the machine has no free port at the moment. */
static int connected(int *fd)
{
	if (*fd >= 0)
		return *fd;
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(*fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		reset(fd);
	else
		fcntl(*fd, F_SETFL, O_NONBLOCK);
	return *fd;
}

static void send_bytes(int *fd, const void *p, size_t n)
{
	if (connected(fd) >= 0)
		send(*fd, p, n, MSG_NOSIGNAL);
}

static void serve(void)
{
	sinks_round(&s->sinks);
	/* A request is answered in the turn after its arrival. */
	sinks_round(&s->sinks);
}

static void read_all(int fd)
{
	char part[4096];

	while (fd >= 0 && recv(fd, part, sizeof(part), 0) > 0)
		;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char get[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
	int clients[CLIENTS] = {-1, -1, -1, -1};

	/* Another program can have taken the port meanwhile. */
	if (!session_start_sinks(s) && !(find_port() && session_start_sinks(s)))
		exit(1);
	while (size) {
		uint8_t step = *data++;
		int *fd = &clients[step & 3];
		unsigned int action = step >> 2 & 7;
		size_t n = step >> 5;

		size--;
		n = action == SEND_LONG || action == SEND_SERVE ? 32 * n + 16 : n + 1;
		n = action > SEND_SERVE ? 0 : n < size ? n : size;
		switch (action) {
		case SEND:
		case SEND_LONG:
		case SEND_SERVE:
			send_bytes(fd, data, n);
			break;
		case GET:
			send_bytes(fd, get, sizeof(get) - 1);
			break;
		case READ:
			read_all(*fd);
			break;
		case FINISH:
			if (*fd >= 0)
				shutdown(*fd, SHUT_WR);
			break;
		case RESET:
			reset(fd);
			break;
		}
		if (action >= SEND_SERVE)
			serve();
		data += n;
		size -= n;
	}
	for (unsigned int i = 0; i < CLIENTS; i++) {
		read_all(clients[i]);
		/* Some clients are still connected when the exporter stops. */
		if (i & 1)
			reset(&clients[i]);
	}
	serve();
	sinks_free(&s->sinks);
	for (unsigned int i = 0; i < CLIENTS; i++)
		reset(&clients[i]);
	return 0;
}
