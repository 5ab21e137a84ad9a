/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traffic.c: network traffic with known properties, for tests to trace.
 *
 *	traffic 4|6 ADDRESS SERVER-NETNS CLIENT-NETNS CASE...
 *
 * Each case has a server and a client process, each in its network namespace (a name below
 * /run/netns, or - for the current one), and a port of its own.  The server reports through a pipe
 * that it is ready before the client starts.  If a case does not go as described, the program ends
 * with status 1, so tests can rely on it.
 *
 * When a case is over, it prints one line: CASE server PID client PID port PORT.  The server is
 * named tserver, the client tclient, a forked worker tworker ("worker PID" in its line).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sctp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef IPPROTO_UDPLITE
#define IPPROTO_UDPLITE 136
#endif

/* State of one side of a case. */
struct side {
	int family;	  /* AF_INET or AF_INET6 */
	const char *addr; /* the server's address */
	int port;
	int tell; /* pipe to the parent */
};

struct test_case {
	const char *name;
	int port;
	void (*server)(struct side *s); /* NULL: no server */
	void (*client)(struct side *s);
};

static void die(const char *what)
{
	fprintf(stderr, "traffic: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void need(bool cond, const char *what)
{
	if (!cond)
		die(what);
}

static void pause_ms(unsigned int ms)
{
	usleep(ms * 1000);
}

static void tell(struct side *s, const char *text)
{
	need(write(s->tell, text, strlen(text)) > 0, "pipe");
}

static void ready(struct side *s)
{
	tell(s, "ready\n");
}

/* Writes the server's address, or the wildcard address if ANY is set; returns its size. */
static socklen_t address(struct side *s, bool any, struct sockaddr_storage *out)
{
	memset(out, 0, sizeof(*out));
	if (s->family == AF_INET) {
		struct sockaddr_in *in = (struct sockaddr_in *)out;

		in->sin_family = AF_INET;
		in->sin_port = htons(s->port);
		if (!any)
			need(inet_pton(AF_INET, s->addr, &in->sin_addr) == 1, s->addr);
		return sizeof(*in);
	}
	assert(s->family == AF_INET6);
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;

	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(s->port);
	if (!any)
		need(inet_pton(AF_INET6, s->addr, &in6->sin6_addr) == 1, s->addr);
	return sizeof(*in6);
}

static int new_socket(struct side *s, int type, int protocol)
{
	int fd = socket(s->family, type, protocol);

	need(fd >= 0, "socket");
	return fd;
}

static void set_int(int fd, int level, int option, int value)
{
	need(setsockopt(fd, level, option, &value, sizeof(value)) == 0, "setsockopt");
}

static void set_receive_timeout(int fd, int ms)
{
	struct timeval tv = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

	need(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) == 0, "SO_RCVTIMEO");
}

/* Returns a socket bound to the server's port; it listens if the type is a stream. */
static int serve(struct side *s, int type, int protocol)
{
	struct sockaddr_storage addr;
	socklen_t len = address(s, true, &addr);
	int fd = new_socket(s, type, protocol);

	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	need(bind(fd, (struct sockaddr *)&addr, len) == 0, "bind");
	if (type == SOCK_STREAM)
		need(listen(fd, 8) == 0, "listen");
	return fd;
}

static int accept_one(int fd)
{
	int conn = accept(fd, NULL, NULL);

	need(conn >= 0, "accept");
	return conn;
}

static int try_connect(struct side *s, int fd)
{
	struct sockaddr_storage addr;
	socklen_t len = address(s, false, &addr);

	return connect(fd, (struct sockaddr *)&addr, len);
}

static int connect_to(struct side *s, int type, int protocol)
{
	int fd = new_socket(s, type, protocol);

	need(try_connect(s, fd) == 0, "connect");
	return fd;
}

static void send_bytes(int fd, size_t size)
{
	static const char zeroes[100000];

	assert(size <= sizeof(zeroes));
	need(send(fd, zeroes, size, MSG_NOSIGNAL) == (ssize_t)size, "send");
}

/* Reads until size bytes have come or the stream ends; returns the number of bytes. */
static size_t receive_bytes(int fd, size_t size)
{
	char buf[65536];
	size_t sum = 0;
	ssize_t n;

	while (sum < size && (n = recv(fd, buf, sizeof(buf), 0)) > 0)
		sum += n;
	return sum;
}

static void expect_bytes(int fd, size_t size)
{
	need(receive_bytes(fd, size) == size, "short read");
}

static void hello_accept(struct side *s, int fd)
{
	ready(s);
	int conn = accept_one(fd);

	expect_bytes(conn, 100);
	send_bytes(conn, 100);
	need(receive_bytes(conn, 1) == 0, "more bytes");
	pause_ms(20);
	close(conn);
}

static void hello_connect(struct side *s, int fd)
{
	need(try_connect(s, fd) == 0, "connect");
	send_bytes(fd, 100);
	expect_bytes(fd, 100);
	shutdown(fd, SHUT_WR);
	need(receive_bytes(fd, 1) == 0, "more bytes");
	close(fd);
}

/* hello: 100 bytes each way; the client closes first, so its side has the TIME_WAIT. */
static void hello_server(struct side *s)
{
	hello_accept(s, serve(s, SOCK_STREAM, 0));
}

static void hello_client(struct side *s)
{
	hello_connect(s, new_socket(s, SOCK_STREAM, 0));
}

/* bulk: 2 MB to the server; closed at once after the last byte. */
static void bulk_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	ready(s);
	int conn = accept_one(fd);

	expect_bytes(conn, 2000000);
	need(receive_bytes(conn, 1) == 0, "more bytes");
	close(conn);
}

static void bulk_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);

	for (int i = 0; i < 20; i++)
		send_bytes(fd, 100000);
	shutdown(fd, SHUT_WR);
	need(receive_bytes(fd, 1) == 0, "more bytes");
	close(fd);
}

/* half-closed: the client closes after a shutdown, in FIN_WAIT_2; the server follows later. */
static void half_closed_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	ready(s);
	int conn = accept_one(fd);

	need(receive_bytes(conn, 1) == 0, "more bytes");
	pause_ms(200);
	close(conn);
}

static void half_closed_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);

	shutdown(fd, SHUT_WR);
	pause_ms(20);
	close(fd);
}

/* refused: a SYN to a port without a listener is answered by a reset. */
static void refused_client(struct side *s)
{
	int fd = new_socket(s, SOCK_STREAM, 0);

	need(try_connect(s, fd) < 0 && errno == ECONNREFUSED, "connect was not refused");
	close(fd);
}

/* reset-linger: the client ends the connection with a reset, by choice. */
static void reset_linger_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);
	char byte;

	ready(s);
	int conn = accept_one(fd);

	expect_bytes(conn, 50);
	need(recv(conn, &byte, 1, 0) < 0 && errno == ECONNRESET, "no reset came");
	close(conn);
}

static void reset_linger_client(struct side *s)
{
	struct linger linger = {.l_onoff = 1, .l_linger = 0};
	int fd = connect_to(s, SOCK_STREAM, 0);

	send_bytes(fd, 50);
	pause_ms(20);
	need(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)) == 0, "SO_LINGER");
	close(fd);
}

/* reset-unread: the server closes with unread data, which makes a reset. */
static void reset_unread_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	char byte;

	ready(s);
	int conn = accept_one(fd);

	need(recv(conn, &byte, 1, MSG_PEEK) == 1, "no bytes came");
	close(conn);
}

static void reset_unread_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);
	char byte;

	send_bytes(fd, 50);
	need(recv(fd, &byte, 1, 0) < 0 && errno == ECONNRESET, "no reset came");
	close(fd);
}

static void tell_worker(struct side *s, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "worker %d\n", pid);
	tell(s, text);
}

/* A server that forks a process for its connection, as many do. */
static void fork_server(struct side *s, void (*serve_one)(int conn))
{
	int fd = serve(s, SOCK_STREAM, 0);

	ready(s);
	int conn = accept_one(fd);
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid == 0) {
		prctl(PR_SET_NAME, "tworker");
		close(fd);
		serve_one(conn);
		_exit(0);
	}
	tell_worker(s, pid);
	close(conn);
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
}

/* worker: 60 bytes to a worker, 70 back. */
static void worker_serve(int conn)
{
	expect_bytes(conn, 60);
	send_bytes(conn, 70);
	need(receive_bytes(conn, 1) == 0, "more bytes");
}

static void worker_server(struct side *s)
{
	fork_server(s, worker_serve);
}

static void worker_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);

	send_bytes(fd, 60);
	expect_bytes(fd, 70);
	close(fd);
}

/* banner: 40 bytes from a worker, before it reads. */
static void banner_serve(int conn)
{
	send_bytes(conn, 40);
	need(receive_bytes(conn, 1) == 0, "more bytes");
}

static void banner_server(struct side *s)
{
	fork_server(s, banner_serve);
}

static void banner_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);

	expect_bytes(fd, 40);
	close(fd);
}

/* prefork: a forked worker accepts the connection, and gets 60 bytes some time later. */
static void prefork_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid == 0) {
		prctl(PR_SET_NAME, "tworker");
		int conn = accept_one(fd);

		expect_bytes(conn, 60);
		need(receive_bytes(conn, 1) == 0, "more bytes");
		_exit(0);
	}
	ready(s);
	tell_worker(s, pid);
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
}

static void prefork_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);

	pause_ms(100);
	send_bytes(fd, 60);
	close(fd);
}

/* timewait-reuse: the server closes first; then the same four-tuple is opened again. */
static void timewait_reuse_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	ready(s);
	close(accept_one(fd));
	int conn = accept_one(fd);

	expect_bytes(conn, 10);
	need(receive_bytes(conn, 1) == 0, "more bytes");
	close(conn);
}

static void timewait_reuse_client(struct side *s)
{
	struct sockaddr_storage mine;
	socklen_t len = sizeof(mine);
	int fd = connect_to(s, SOCK_STREAM, 0);

	need(getsockname(fd, (struct sockaddr *)&mine, &len) == 0, "getsockname");
	need(receive_bytes(fd, 1) == 0, "more bytes");
	close(fd);
	/* A SYN with an older timestamp than the last segment would be taken for a late copy. */
	pause_ms(30);
	fd = new_socket(s, SOCK_STREAM, 0);
	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	need(bind(fd, (struct sockaddr *)&mine, len) == 0, "bind to the old port");
	need(try_connect(s, fd) == 0, "connect again");
	send_bytes(fd, 10);
	shutdown(fd, SHUT_WR);
	need(receive_bytes(fd, 1) == 0, "more bytes");
	close(fd);
}

/* dead: SYNs to an address that does not answer; at least two within this time. */
static void dead_client(struct side *s)
{
	int fd = new_socket(s, SOCK_STREAM | SOCK_NONBLOCK, 0);

	need(try_connect(s, fd) < 0 && errno == EINPROGRESS, "connect did not wait");
	pause_ms(1300);
	close(fd);
}

/* no-port: the only local port (the test restricts the range) has a connection to this server. */
static void no_port_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	ready(s);
	int conn = accept_one(fd);

	need(receive_bytes(conn, 1) == 0, "more bytes");
	close(conn);
}

static void no_port_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, 0);
	int more = new_socket(s, SOCK_STREAM, 0);

	need(try_connect(s, more) < 0 && errno == EADDRNOTAVAIL, "there was a port");
	close(more);
	close(fd);
}

/* self: a socket connected to itself, by a simultaneous open: 10 bytes, 30 more later. */
static void self_client(struct side *s)
{
	struct sockaddr_storage addr;
	socklen_t len = address(s, false, &addr);
	int fd = new_socket(s, SOCK_STREAM, 0);

	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	need(bind(fd, (struct sockaddr *)&addr, len) == 0, "bind");
	need(connect(fd, (struct sockaddr *)&addr, len) == 0, "connect");
	send_bytes(fd, 10);
	expect_bytes(fd, 10);
	send_bytes(fd, 30);
	expect_bytes(fd, 30);
	close(fd);
}

/* debug: hello, with SO_DEBUG set at both ends. */
static void debug_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, 0);

	set_int(fd, SOL_SOCKET, SO_DEBUG, 1);
	hello_accept(s, fd);
}

static void debug_client(struct side *s)
{
	int fd = new_socket(s, SOCK_STREAM, 0);

	set_int(fd, SOL_SOCKET, SO_DEBUG, 1);
	hello_connect(s, fd);
}

static void echo_server(struct side *s, int protocol)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);
	char buf[1000];
	int fd = serve(s, SOCK_DGRAM, protocol);

	ready(s);
	ssize_t n = recvfrom(fd, buf, sizeof(buf), 0, (struct sockaddr *)&peer, &len);

	need(n == 30, "recvfrom");
	need(sendto(fd, buf, 20, 0, (struct sockaddr *)&peer, len) == 20, "sendto");
}

static void echo_client(struct side *s, int protocol)
{
	int fd = connect_to(s, SOCK_DGRAM, protocol);

	set_receive_timeout(fd, 2000);
	send_bytes(fd, 30);
	expect_bytes(fd, 20);
	close(fd);
}

/* udp: 30 bytes to the server, 20 back. */
static void udp_server(struct side *s)
{
	echo_server(s, 0);
}

static void udp_client(struct side *s)
{
	echo_client(s, 0);
}

/* udplite: the same, with checksums over a part of the data. */
static void udplite_server(struct side *s)
{
	echo_server(s, IPPROTO_UDPLITE);
}

static void udplite_client(struct side *s)
{
	echo_client(s, IPPROTO_UDPLITE);
}

/* udp-unconnected: the client's socket never has a peer of its own. */
static void udp_unconnected_client(struct side *s)
{
	struct sockaddr_storage addr;
	socklen_t len = address(s, false, &addr);
	int fd = new_socket(s, SOCK_DGRAM, 0);

	set_receive_timeout(fd, 2000);
	need(sendto(fd, "123456789 123456789 123456789 ", 30, 0, (struct sockaddr *)&addr, len) ==
		 30,
	     "sendto");
	expect_bytes(fd, 20);
	close(fd);
}

static void closed_client(struct side *s, int protocol)
{
	int fd = connect_to(s, SOCK_DGRAM, protocol);
	char byte;

	set_receive_timeout(fd, 2000);
	send_bytes(fd, 33);
	need(recv(fd, &byte, 1, 0) < 0 && errno == ECONNREFUSED, "no error came");
	close(fd);
}

/* udp-closed: a datagram to a port without a listener; an ICMP error comes back. */
static void udp_closed_client(struct side *s)
{
	closed_client(s, 0);
}

static void udplite_closed_client(struct side *s)
{
	closed_client(s, IPPROTO_UDPLITE);
}

static void udp_sink_server(struct side *s, size_t size)
{
	int fd = serve(s, SOCK_DGRAM, 0);

	set_receive_timeout(fd, 2000);
	ready(s);
	expect_bytes(fd, size);
	close(fd);
}

/* udp-gso: eight datagrams of 1000 bytes passed to the kernel as one. */
static void udp_gso_server(struct side *s)
{
	udp_sink_server(s, 8000);
}

static void udp_gso_client(struct side *s)
{
	int fd = connect_to(s, SOCK_DGRAM, 0);

	set_int(fd, SOL_UDP, UDP_SEGMENT, 1000);
	send_bytes(fd, 8000);
	close(fd);
}

/* udp-fragments: one datagram of 5000 bytes, four fragments at an MTU of 1500. */
static void udp_fragments_server(struct side *s)
{
	udp_sink_server(s, 5000);
}

static void udp_fragments_client(struct side *s)
{
	int fd = connect_to(s, SOCK_DGRAM, 0);

	send_bytes(fd, 5000);
	close(fd);
}

/* udp-multicast: three datagrams to a group; the given address is the group's. */
static void udp_multicast_client(struct side *s)
{
	int fd = connect_to(s, SOCK_DGRAM, 0);

	for (int i = 0; i < 3; i++)
		send_bytes(fd, 11);
	close(fd);
}

#define SCTP_BULK 7032

/* sctp: 30 bytes to the server, 40 back; sctp-bulk: 200000, and the client then prints its window.
 */
static void sctp_server(struct side *s)
{
	int fd = serve(s, SOCK_STREAM, IPPROTO_SCTP);

	ready(s);
	int conn = accept_one(fd);

	expect_bytes(conn, s->port == SCTP_BULK ? 200000 : 30);
	send_bytes(conn, 40);
	/* The client reads its status, and closes first. */
	need(receive_bytes(conn, 1) == 0, "no end");
	close(conn);
}

static void sctp_client(struct side *s)
{
	int fd = connect_to(s, SOCK_STREAM, IPPROTO_SCTP);
	struct sctp_status now = {0};

	for (int i = 0; i < (s->port == SCTP_BULK ? 4 : 1); i++)
		send_bytes(fd, s->port == SCTP_BULK ? 50000 : 30);
	expect_bytes(fd, 40);
	need(getsockopt(fd, IPPROTO_SCTP, SCTP_STATUS, &now, &(socklen_t){sizeof(now)}) == 0,
	     "status");
	if (s->port == SCTP_BULK)
		dprintf(STDOUT_FILENO, "window %u\n", now.sstat_primary.spinfo_cwnd);
	close(fd);
}

static const struct test_case cases[] = {
    {"hello", 7001, hello_server, hello_client},
    {"bulk", 7002, bulk_server, bulk_client},
    {"refused", 7003, NULL, refused_client},
    {"reset-linger", 7004, reset_linger_server, reset_linger_client},
    {"reset-unread", 7005, reset_unread_server, reset_unread_client},
    {"worker", 7006, worker_server, worker_client},
    {"timewait-reuse", 7007, timewait_reuse_server, timewait_reuse_client},
    {"dead", 7008, NULL, dead_client},
    {"no-port", 7009, no_port_server, no_port_client},
    {"self", 7010, NULL, self_client},
    {"half-closed", 7020, half_closed_server, half_closed_client},
    {"banner", 7018, banner_server, banner_client},
    {"prefork", 7019, prefork_server, prefork_client},
    {"debug", 7017, debug_server, debug_client},
    {"udp", 7011, udp_server, udp_client},
    {"udp-unconnected", 7012, udp_server, udp_unconnected_client},
    {"udp-closed", 7013, NULL, udp_closed_client},
    {"udp-gso", 7014, udp_gso_server, udp_gso_client},
    {"udp-fragments", 7015, udp_fragments_server, udp_fragments_client},
    {"udp-multicast", 7016, NULL, udp_multicast_client},
    {"udplite", 7021, udplite_server, udplite_client},
    {"udplite-closed", 7022, NULL, udplite_closed_client},
    {"sctp", 7031, sctp_server, sctp_client},
    {"sctp-bulk", SCTP_BULK, sctp_server, sctp_client},
};

static const struct test_case *find_case(const char *name)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	errno = ENOENT;
	die(name);
	return NULL;
}

static void enter_netns(const char *name)
{
	char path[256];

	if (strcmp(name, "-") == 0)
		return;
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	need(fd >= 0 && setns(fd, CLONE_NEWNET) == 0, path);
	close(fd);
}

static pid_t start(struct side *s, const char *netns, const char *name, void (*body)(struct side *))
{
	fflush(stdout);
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	enter_netns(netns);
	alarm(20);
	body(s);
	_exit(0);
}

static bool ended_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool run_case(const struct test_case *c, struct side *s, const char *server_ns,
		     const char *client_ns)
{
	char line[64] = "", extra[64] = "";
	pid_t server = 0;
	int pipes[2];

	need(pipe(pipes) == 0, "pipe");
	s->tell = pipes[1];
	s->port = c->port;
	if (c->server)
		server = start(s, server_ns, "tserver", c->server);
	/* Only the server has this end now, so its death ends a read. */
	close(pipes[1]);
	if (server && read(pipes[0], line, 6) != 6)
		die("the server did not start");
	pid_t client = start(s, client_ns, "tclient", c->client);
	bool ok = ended_well(client);

	if (server)
		ok &= ended_well(server);
	ssize_t n = read(pipes[0], extra, sizeof(extra) - 1);

	extra[n > 0 ? n - 1 : 0] = '\0';
	close(pipes[0]);
	printf("%s server %d client %d port %d%s%s\n", c->name, server, client, c->port,
	       *extra ? " " : "", extra);
	if (!ok)
		fprintf(stderr, "traffic: case %s went wrong\n", c->name);
	return ok;
}

int main(int argc, char **argv)
{
	struct side s = {.family = AF_INET};
	bool ok = true;

	if (argc < 6 || (strcmp(argv[1], "4") != 0 && strcmp(argv[1], "6") != 0)) {
		fprintf(stderr, "usage: traffic 4|6 ADDRESS SERVER-NETNS CLIENT-NETNS CASE...\n");
		return 2;
	}
	if (strcmp(argv[1], "6") == 0)
		s.family = AF_INET6;
	s.addr = argv[2];
	for (int i = 5; i < argc; i++)
		ok &= run_case(find_case(argv[i]), &s, argv[3], argv[4]);
	/* Wait for the last acknowledgements. */
	pause_ms(50);
	return ok ? 0 : 1;
}
