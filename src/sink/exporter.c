/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exporter.c: a sink that serves aggregations by HTTP (option metrics).  GET /metrics returns their
 * current state.
 *
 * libmicrohttpd implements the protocol.  It is loaded on demand, because its dependencies would
 * double the start time of dtrace.  It runs without a thread; the consumer waits for its epoll
 * descriptor.  A connection ends when a request takes too long to arrive, so that slow clients
 * leave room for others.
 *
 * A web site can make a browser send us requests under the name of the site (DNS rebinding).  So a
 * request must name an address, this machine, or a name from an option.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clocks.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/vec.h"
#include "metrics/openmetrics.h"
#include "consume/gather.h"
#include "consume/consume.h"
#include "load/load.h"
#include "config/opts.h"
#include "config/report.h"
#include "sink/sinks.h"

#define LIBRARY	    "libmicrohttpd.so.12"
#define CONNECTIONS 256
#define REQUEST_NS  2000000000ULL  /* for the first request of a connection */
#define KEPT_NS	    10000000000ULL /* from an answer to the end of the next request */

#define FUNCTIONS(X)                       \
	X(MHD_start_daemon)                \
	X(MHD_stop_daemon)                 \
	X(MHD_run)                         \
	X(MHD_get_daemon_info)             \
	X(MHD_get_connection_info)         \
	X(MHD_lookup_connection_value)     \
	X(MHD_create_response_from_buffer) \
	X(MHD_add_response_header)         \
	X(MHD_queue_response)              \
	X(MHD_destroy_response)

struct client {
	int fd;	      /* owned by the library */
	uint64_t end; /* clock_ns() when it is shut down */
};

struct exporter {
	struct sink k;
	void *lib;
	struct MHD_Daemon *daemon;
	LIBRARY_MEMBERS(FUNCTIONS)
	const char *host; /* of the listening address */
	VEC(struct client *) clients;
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

/* Returns true if the name is in a comma-separated list. */
static bool is_listed(const char *list, const char *name, size_t n)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == n && strncasecmp(list, name, n) == 0)
			return true;
	return false;
}

/* Returns true for a numeric address, which DNS cannot redirect. */
static bool is_address(const char *name)
{
	unsigned char bytes[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

/*
 * Returns true if "HOST", "HOST:PORT" or "[HOST]:PORT" of a request names this machine or a
 * permitted host.
 */
static bool is_us(const struct exporter *e, const char *text)
{
	const struct opts *o = e->k.env->opts;
	bool has_brackets = *text == '[';
	const char *from = text + has_brackets;
	size_t n = strcspn(from, has_brackets ? "]" : ":");
	char name[256], own[HOST_NAME_MAX + 1] = "";

	if (!n || n >= sizeof(name))
		return false;
	memcpy(name, from, n);
	name[n] = '\0';
	gethostname(own, sizeof(own) - 1);
	return is_address(name) || strcasecmp(name, "localhost") == 0 ||
	       strcasecmp(name, own) == 0 || strcasecmp(name, e->host) == 0 ||
	       (o->is_set[OPT_metricshost] && is_listed(o->text[OPT_metricshost], name, n));
}

static void put_all(struct exporter *e, bool is_openmetrics, struct buf *text)
{
	struct openmetrics om = openmetrics_to(text, e->k.env->consume->out, !is_openmetrics);

	gather_metrics(e->k.env->consume, &om.m, false);
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
	const char *host = e->MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
	struct buf text = {0};
	enum MHD_Result result;

	if (host && !is_us(e, host))
		return refuse(e, c, MHD_HTTP_FORBIDDEN,
			      "unknown host name; option metricshost allows it\n");
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

/* Keeps escapes, because /metrics%00 is not /metrics. */
static size_t keep_escapes(void *ctx, struct MHD_Connection *c, char *text)
{
	return strlen(text);
}

/* ---- connections ---- */

static void connected(void *ctx, struct MHD_Connection *c, void **socket_ctx,
		      enum MHD_ConnectionNotificationCode what)
{
	struct exporter *e = ctx;
	struct client *client = *socket_ctx;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		client = mem_alloc(sizeof(*client));
		client->fd =
		    e->MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
		client->end = clock_ns() + REQUEST_NS;
		vec_push(&e->clients, client);
		*socket_ctx = client;
		return;
	}
	for (unsigned int i = 0; i < e->clients.n; i++)
		if (e->clients.a[i] == client) {
			e->clients.a[i] = vec_last(&e->clients);
			e->clients.n--;
			break;
		}
	mem_free(client);
}

/* Prolongs a connection whose request was answered. */
static void completed(void *ctx, struct MHD_Connection *c, void **request,
		      enum MHD_RequestTerminationCode how)
{
	struct exporter *e = ctx;
	const union MHD_ConnectionInfo *info =
	    e->MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (client)
		client->end = clock_ns() + KEPT_NS;
}

/* Shuts down connections whose time is over; the library closes them. */
static void cut_off(const struct exporter *e)
{
	uint64_t now = clock_ns();

	for (unsigned int i = 0; i < e->clients.n; i++)
		if (e->clients.a[i]->end < now)
			shutdown(e->clients.a[i]->fd, SHUT_RDWR);
}

/* ---- the address ---- */

/* Splits "HOST:PORT" or "[HOST]:PORT".  Returns NULL or the error. */
static const char *split_address(struct arena *a, const char *text, char **host, char **port)
{
	unsigned long number;
	char *colon, *end;
	size_t n;

	*host = arena_strdup(a, text);
	colon = strrchr(*host, ':');
	if (!colon)
		return "expected ADDRESS:PORT";
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
		return "expected an address before the port";
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

/* Returns a socket, or -1 and the error in *why. */
static int open_socket(struct exporter *e, const char *text, const char **why)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *list;
	char *host, *port;
	int fd = -1, err;

	*why = split_address(e->k.env->arena, text, &host, &port);
	if (*why)
		return -1;
	e->host = host;
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

/* ---- start and stop ---- */

/* Returns NULL, or the error. */
static const char *start(struct exporter *e, const char *address)
{
	const char *why;
	int fd;

	if (!library_open(e, LIBRARY, FUNCTIONS))
		return LIBRARY " is not installed";
	fd = open_socket(e, address, &why);
	if (fd < 0)
		return why;
	e->daemon = e->MHD_start_daemon(
	    MHD_USE_EPOLL, 0, NULL, NULL, answer, e, MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned int)CONNECTIONS, MHD_OPTION_NOTIFY_CONNECTION,
	    connected, e, MHD_OPTION_NOTIFY_COMPLETED, completed, e, MHD_OPTION_UNESCAPE_CALLBACK,
	    keep_escapes, NULL, MHD_OPTION_END);
	if (e->daemon)
		return NULL;
	close(fd);
	return "the HTTP server does not start";
}

static void stop(struct sink *k)
{
	struct exporter *e = (struct exporter *)k;

	if (e->daemon)
		e->MHD_stop_daemon(e->daemon);
	library_close(e);
	vec_free(&e->clients);
	mem_free(e);
}

static struct sink *open_exporter(const struct sink_env *env, bool *failed)
{
	const char *address = env->opts->is_set[OPT_metrics] ? env->opts->text[OPT_metrics] : NULL;
	const char *why;
	struct exporter *e;

	if (!address)
		return NULL;
	*failed = !gather_has_names(env->consume);
	if (*failed)
		return NULL;
	e = mem_alloc(sizeof(*e));
	e->k.env = env;
	why = start(e, address);
	if (!why)
		return &e->k;
	report_error(env->report, "could not serve metrics at '%s': %s", address, why);
	stop(&e->k);
	*failed = true;
	return NULL;
}

static int wait_fd(const struct sink *k)
{
	const struct exporter *e = (const struct exporter *)k;

	return e->MHD_get_daemon_info(e->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

static void serve(struct sink *k)
{
	struct exporter *e = (struct exporter *)k;

	cut_off(e);
	e->MHD_run(e->daemon);
}

const struct sink_type sink_exporter = {
    .start = open_exporter,
    .round = serve,
    .fd = wait_fd,
    .free = stop,
};
