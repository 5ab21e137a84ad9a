// SPDX-License-Identifier: BSD-2-Clause
/*
 * events.c: does a thing N times, each of which makes the kernel do another once.
 *
 * usage: events allowed N	is given the privilege CAP_SYS_CHROOT
 *	  events denied N	is refused it
 *	  events sleep N	a high-resolution timer wakes it up
 *	  events receive N	a timer ends its waiting for a datagram
 *
 * Prints "own N", how often it was as it should be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <errno.h>
#include <netinet/in.h>

static int allowed(void)
{
	return chroot("/") == 0;
}

static int denied(void)
{
	return chroot("/") != 0 && errno == EPERM;
}

static int sleeps(void)
{
	return nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL) == 0;
}

static int receive(void)
{
	static int sock = -1;
	struct timeval tv = {.tv_usec = 2000};
	char byte;

	if (sock < 0) {
		sock = socket(AF_INET, SOCK_DGRAM, 0);
		setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	}
	return recv(sock, &byte, 1, 0) < 0 && errno == EAGAIN;
}

static const struct {
	const char *name;
	int (*once)(void);
} things[] = {
    {"allowed", allowed}, {"denied", denied}, {"sleep", sleeps}, {"receive", receive}};

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0, done = 0;

	if (argc > 1 && strcmp(argv[1], "denied") == 0 && setuid(65534) != 0)
		return 1;
	for (size_t i = 0; argc > 1 && i < sizeof(things) / sizeof(things[0]); i++)
		while (strcmp(argv[1], things[i].name) == 0 && n-- > 0)
			done += things[i].once();
	printf("own %d\n", done);
	return 0;
}
