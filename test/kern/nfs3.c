// SPDX-License-Identifier: BSD-2-Clause
/*
 * nfs3.c: sends requests of NFS version 3 (RFC 1813, RFC 5531), because the kernel's client would
 * ask a daemon for the first file handle.
 *
 * usage: test-nfs3 register	answers a server like a port mapper (RFC 1833), with "done"
 *	  test-nfs3 DOMAIN FILE	works on a file, whose handle it gets from the local server;
 *					prints the name and the status of each request
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NULL_PROC = 0, GETATTR = 1, ACCESS = 4, READ = 6, WRITE = 7, COMMIT = 21 };

struct text {
	unsigned char b[8192];
	size_t n;
};

static void put32(struct text *t, uint32_t v)
{
	v = htonl(v);
	memcpy(t->b + t->n, &v, 4);
	t->n += 4;
}

static void put64(struct text *t, uint64_t v)
{
	put32(t, (uint32_t)(v >> 32));
	put32(t, (uint32_t)v);
}

static void put_opaque(struct text *t, const void *data, size_t n)
{
	put32(t, (uint32_t)n);
	memcpy(t->b + t->n, data, n);
	memset(t->b + t->n + n, 0, 4);
	t->n += (n + 3) / 4 * 4;
}

static void send_record(int fd, const struct text *t)
{
	uint32_t mark = htonl(1U << 31 | (uint32_t)t->n);

	if (send(fd, &mark, 4, MSG_MORE) != 4 || send(fd, t->b, t->n, 0) != (ssize_t)t->n)
		exit(1);
}

static int take(int fd, void *p, size_t n)
{
	return recv(fd, p, n, MSG_WAITALL) == (ssize_t)n;
}

static int take_record(int fd, struct text *t)
{
	uint32_t mark;

	if (!take(fd, &mark, 4))
		return 0;
	t->n = ntohl(mark) & 0x7fffffff;
	return t->n <= sizeof(t->b) && take(fd, t->b, t->n);
}

static struct sockaddr_in address_of(int port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons((uint16_t)port),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int register_servers(void)
{
	int sock = socket(AF_INET, SOCK_STREAM, 0), fd;
	struct sockaddr_in a = address_of(111);
	struct text t;

	if (bind(sock, (struct sockaddr *)&a, sizeof(a)) != 0 || listen(sock, 10) != 0)
		return 1;
	while ((fd = accept(sock, NULL, NULL)) >= 0) {
		if (fork() != 0) {
			close(fd);
			continue;
		}
		while (take_record(fd, &t)) {
			/* The number of the request; accepted, no verifier, success, true. */
			t.n = 4;
			put32(&t, 1);
			for (int i = 0; i < 4; i++)
				put32(&t, 0);
			put32(&t, 1);
			send_record(fd, &t);
		}
		return 0;
	}
	return 1;
}

static int server;

/* Returns the status of the answer: of NFS, or of RPC for the null procedure. */
static uint32_t call(uint32_t proc, const struct text *args)
{
	static uint32_t xid = 0x10000;
	struct text t = {.n = 0}, rights = {.n = 0};
	uint32_t status;

	put32(&rights, 0);
	put_opaque(&rights, "test", 4);
	for (int i = 0; i < 3; i++)
		put32(&rights, 0);
	put32(&t, ++xid);
	put32(&t, 0);
	put32(&t, 2);
	put32(&t, 100003);
	put32(&t, 3);
	put32(&t, proc);
	put32(&t, 1);
	put_opaque(&t, rights.b, rights.n);
	put64(&t, 0);
	memcpy(t.b + t.n, args->b, args->n);
	t.n += args->n;
	send_record(server, &t);
	if (!take_record(server, &t))
		exit(1);
	memcpy(&status, t.b + (proc == NULL_PROC ? 20 : 24), 4);
	return ntohl(status);
}

/* The server prints a handle as \xHEX. */
static size_t handle_of(const char *domain, const char *path, unsigned char *handle)
{
	int fd = open("/proc/fs/nfsd/filehandle", O_RDWR);
	char text[512];
	ssize_t n = snprintf(text, sizeof(text), "%s %s 64\n", domain, path);
	size_t len = 0;
	unsigned int byte;

	if (fd < 0 || write(fd, text, (size_t)n) != n || (n = read(fd, text, sizeof(text) - 1)) < 4)
		exit(1);
	text[n] = 0;
	for (char *p = text + 2; len < 64 && sscanf(p, "%2x", &byte) == 1; p += 2)
		handle[len++] = (unsigned char)byte;
	return len;
}

static void requests(const unsigned char *handle, size_t n)
{
	struct text fh = {.n = 0}, t = {.n = 0};

	put_opaque(&fh, handle, n);
	printf("null %u\n", call(NULL_PROC, &t));
	for (int i = 0; i < 3; i++)
		printf("getattr %u\n", call(GETATTR, &fh));
	put_opaque(&t, "nothing!", 8);
	printf("getattr %u\n", call(GETATTR, &t));
	t = fh;
	put32(&t, 1);
	printf("access %u\n", call(ACCESS, &t));
	for (unsigned int i = 0; i < 4; i++) {
		t = fh;
		put64(&t, 1000 * i);
		put32(&t, 100 + i);
		put32(&t, 0);
		put_opaque(&t, t.b, 100 + i);
		printf("write %u\n", call(WRITE, &t));
	}
	t = fh;
	put64(&t, 0);
	put32(&t, 0);
	printf("commit %u\n", call(COMMIT, &t));
	for (unsigned int i = 0; i < 5; i++) {
		t = fh;
		put64(&t, 10 * i);
		put32(&t, 200);
		printf("read %u\n", call(READ, &t));
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = address_of(2049);
	unsigned char handle[64];
	size_t n;

	if (argc == 2)
		return register_servers();
	if (argc != 3)
		return 1;
	n = handle_of(argv[1], argv[2], handle);
	server = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(server, (struct sockaddr *)&a, sizeof(a)) != 0)
		return 1;
	requests(handle, n);
	return 0;
}
