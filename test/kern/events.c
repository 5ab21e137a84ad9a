// SPDX-License-Identifier: BSD-2-Clause
/*
 * events.c: does something N times that makes the kernel do another thing once each.
 *
 * usage: events allowed N	the kernel grants the privilege CAP_SYS_CHROOT
 *	  events denied N	the kernel denies it
 *	  events sleep N	a high-resolution timer wakes the program
 *	  events receive N	a timer ends a wait for a datagram
 *	  events message N	a message of 1000 bytes goes into a queue and out again
 *	  events memfd N	a file in memory is made and closed
 *	  events crowd N	a thread wakes up, at the same moment as all others
 *	  events send N ADDRESS	a datagram of 100 bytes goes to port 9 of the address
 *
 * Prints "own N", the number of events that went as expected.  With "wait" as last argument it does
 * not end by itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

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

static int message(void)
{
	static struct {
		long type;
		char text[1000];
	} m = {.type = 1};
	int queue = msgget(IPC_PRIVATE, 0600);
	int ok = queue >= 0 && msgsnd(queue, &m, sizeof(m.text), 0) == 0 &&
		 msgrcv(queue, &m, sizeof(m.text), 0, 0) == sizeof(m.text);

	msgctl(queue, IPC_RMID, NULL);
	return ok;
}

static int memfd(void)
{
	return close(memfd_create("events", 0)) == 0;
}

static int crowd_pipe[2];

static void *crowd_member(void *unused)
{
	return poll(&(struct pollfd){.fd = crowd_pipe[0], .events = POLLIN}, 1, -1) == 1
		   ? crowd_pipe
		   : NULL;
}

/* Returns the number of threads that still wait. */
static int crowd_waits(void)
{
	char text[4096];
	int n = 0;
	FILE *f = popen("cat /proc/$PPID/task/*/wchan | grep -o poll | wc -l", "r");

	n = f && fgets(text, sizeof(text), f) ? atoi(text) : 0;
	if (f)
		pclose(f);
	return n;
}

/* All wait for one pipe: the kernel wakes them up with interrupts off. */
static int crowd(int n)
{
	pthread_t *threads = calloc((size_t)n, sizeof(*threads));
	int done = 0;
	void *woken;

	if (!threads || pipe(crowd_pipe) != 0)
		return 0;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, crowd_member, NULL);
	while (crowd_waits() < n)
		usleep(10000);
	done = write(crowd_pipe[1], "x", 1) == 1 ? 0 : -n;
	for (int i = 0; i < n; i++)
		done += pthread_join(threads[i], &woken) == 0 && woken;
	free(threads);
	return done;
}

static const char *address;

static int sends(void)
{
	static int sock = -1;
	static struct addrinfo *to;
	static char bytes[100];

	if (!to) {
		if (getaddrinfo(address, "9", &(struct addrinfo){.ai_socktype = SOCK_DGRAM}, &to) !=
		    0)
			return 0;
		sock = socket(to->ai_family, SOCK_DGRAM, 0);
	}
	return sendto(sock, bytes, sizeof(bytes), 0, to->ai_addr, to->ai_addrlen) == sizeof(bytes);
}

static const struct {
	const char *name;
	int (*once)(void);
} things[] = {{"allowed", allowed}, {"denied", denied},	  {"sleep", sleeps}, {"receive", receive},
	      {"send", sends},	    {"message", message}, {"memfd", memfd}};

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0, done = 0;

	address = argc > 3 ? argv[3] : "";
	if (argc > 1 && strcmp(argv[1], "denied") == 0 && setuid(65534) != 0)
		return 1;
	if (argc > 1 && strcmp(argv[1], "crowd") == 0)
		done = crowd(n);
	for (size_t i = 0; argc > 1 && i < sizeof(things) / sizeof(things[0]); i++)
		while (strcmp(argv[1], things[i].name) == 0 && n-- > 0)
			done += things[i].once();
	printf("own %d\n", done);
	fflush(stdout);
	if (strcmp(argv[argc - 1], "wait") == 0)
		pause();
	return 0;
}
