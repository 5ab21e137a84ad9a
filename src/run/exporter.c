/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exporter.c: metrics by HTTP, see exporter.h.
 *
 * The protocol is libmicrohttpd's, which is loaded when it is asked for: with what it brings along
 * a start of dtrace would take twice as long.  It has no thread; its epoll descriptor is one that
 * the consumer waits for.  Connections are few and end when nothing happens on them.
 */
#include <ctype.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/library.h"
#include "base/mem.h"
#include "out/openmetrics.h"
#include "run/exporter.h"
#include "run/gather.h"
#include "run/session.h"

#define LIBRARY	    "libmicrohttpd.so.12"
#define CONNECTIONS 32
#define TIMEOUT	    10 /* seconds without anything */

#define FUNCTIONS(X)                       \
	X(MHD_start_daemon)                \
	X(MHD_stop_daemon)                 \
	X(MHD_run)                         \
	X(MHD_get_daemon_info)             \
	X(MHD_lookup_connection_value)     \
	X(MHD_create_response_from_buffer) \
	X(MHD_add_response_header)         \
	X(MHD_queue_response)              \
	X(MHD_destroy_response)

struct exporter {
	struct session *s;
	void *lib;
	struct MHD_Daemon *daemon;
	LIBRARY_MEMBERS(FUNCTIONS)
};

/* ---- HTTP ---- */

static enum MHD_Result reply(struct exporter *e, struct MHD_Connection *c, unsigned int status,
			     const char *type, const char *text, size_t n)
{
	struct MHD_Response *r =
	    e->MHD_create_response_from_buffer(n, (void *)text, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result = MHD_NO;

	if (!r)
		return MHD_NO;
	e->MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		e->MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = e->MHD_queue_response(c, status, r);
	e->MHD_destroy_response(r);
	return result;
}

static enum MHD_Result refuse(struct exporter *e, struct MHD_Connection *c, unsigned int status,
			      const char *text)
{
	return reply(e, c, status, "text/plain; charset=utf-8", text, strlen(text));
}

static void put_all(struct exporter *e, bool is_openmetrics, struct buf *text)
{
	struct openmetrics om = openmetrics_to(text, e->s->consume.out, !is_openmetrics);

	gather_metrics(e->s, &om.m, false);
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *ndata, void **request)
{
	static const char openmetrics[] = "application/openmetrics-text";
	struct exporter *e = ctx;
	const char *accept =
	    e->MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	bool is_open = accept && strstr(accept, openmetrics);
	struct buf text = {0};
	enum MHD_Result result;

	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return refuse(e, c, MHD_HTTP_METHOD_NOT_ALLOWED, "metrics can only be read\n");
	if (strcmp(url, "/metrics") != 0)
		return refuse(e, c, MHD_HTTP_NOT_FOUND, "metrics of dtrace are at /metrics\n");
	put_all(e, is_open, &text);
	result = reply(e, c, MHD_HTTP_OK,
		       is_open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
			       : "text/plain; version=0.0.4; charset=utf-8",
		       text.s, text.n);
	buf_free(&text);
	return result;
}

/* ---- the address ---- */

/* "HOST:PORT", "[HOST]:PORT"; NULL or what is wrong. */
static const char *split_address(struct arena *a, const char *text, char **host, char **port)
{
	unsigned long number;
	char *colon, *end;
	size_t n;

	*host = arena_strdup(a, text);
	colon = strrchr(*host, ':');
	if (!colon)
		return "ADDRESS:PORT is needed";
	*colon = '\0';
	*port = colon + 1;
	n = strlen(*host);
	if (**host == '[' && (*host)[n - 1] == ']') {
		(*host)[n - 1] = '\0';
		(*host)++;
	} else if (strchr(*host, ':')) {
		return "an IPv6 address needs brackets";
	}
	if (!**host)
		return "an address is needed in front of the port";
	number = strtoul(*port, &end, 10);
	if (!isdigit((unsigned char)**port) || *end || !number || number > UINT16_MAX)
		return "a port is a number from 1 to 65535";
	return NULL;
}

static int listen_at(const struct addrinfo *ai)
{
	int one = 1, fd, err;

	fd = socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) == 0 && listen(fd, CONNECTIONS) == 0)
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* A socket, or -1 with what is wrong. */
static int open_socket(struct arena *a, const char *text, const char **why)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *list;
	char *host, *port;
	int fd = -1, err;

	*why = split_address(a, text, &host, &port);
	if (*why)
		return -1;
	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		*why = err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err);
		return -1;
	}
	for (const struct addrinfo *ai = list; ai && fd < 0; ai = ai->ai_next)
		fd = listen_at(ai);
	freeaddrinfo(list);
	if (fd < 0)
		*why = strerror(-fd);
	return fd < 0 ? -1 : fd;
}

/* ---- its life ---- */

/* NULL, or what is wrong. */
static const char *start(struct exporter *e, const char *address)
{
	const char *why;
	int fd;

	if (!library_open(e, LIBRARY, FUNCTIONS))
		return LIBRARY " is not installed";
	fd = open_socket(e->s->arena, address, &why);
	if (fd < 0)
		return why;
	e->daemon = e->MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, e,
					MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
					(unsigned int)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
					(unsigned int)TIMEOUT, MHD_OPTION_END);
	if (e->daemon)
		return NULL;
	close(fd);
	return "the HTTP server does not start";
}

bool exporter_start(struct session *s)
{
	const char *address = s->opts.is_set[OPT_metrics] ? s->opts.text[OPT_metrics] : NULL, *why;
	struct exporter *e;

	if (!address)
		return true;
	e = mem_alloc(sizeof(*e));
	e->s = s;
	why = start(e, address);
	if (why) {
		report_error(&s->report, "failed to serve metrics at '%s': %s", address, why);
		exporter_stop(e);
		return false;
	}
	s->exporter = e;
	s->load.serve_fd = e->MHD_get_daemon_info(e->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	return true;
}

void exporter_run(struct exporter *e)
{
	if (e)
		e->MHD_run(e->daemon);
}

void exporter_stop(struct exporter *e)
{
	if (!e)
		return;
	if (e->daemon)
		e->MHD_stop_daemon(e->daemon);
	library_close(e);
	mem_free(e);
}
