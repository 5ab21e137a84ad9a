/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agent.c: the channels on which an agent waits.  Each connection is served by a process of its
 * own.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "config/report.h"
#include "sys/machine.h"
#include "remote/agent.h"
#include "remote/channel.h"
#include "remote/serve.h"

/* Interval of checks of a device whose other end is not open. */
#define RETRY_MS 200

static pid_t serve(int in, int out, bool is_busy)
{
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		serve_connection(machine_here(), in, out, is_busy);
	_exit(0);
}

static void set_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static void on_child(int sig)
{
}

/* While one peer is served, others are refused as busy. */
static int serve_listener(int listener)
{
	struct sigaction sa = {.sa_handler = on_child}; /* interrupts accept4() */
	pid_t serving = 0;

	sigaction(SIGCHLD, &sa, NULL);
	for (;;) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), status;
		pid_t pid, gone;

		if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
			return -errno;
		while ((gone = waitpid(-1, &status, WNOHANG)) > 0)
			serving = gone == serving ? 0 : serving;
		if (fd < 0)
			continue;
		pid = serve(fd, fd, serving != 0);
		close(fd);
		if (pid > 0 && !serving)
			serving = pid;
	}
}

/* Returns true if the other end is open.  A port shows this (virtio_console); a terminal always
 * is. */
static bool is_connected(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	poll(&p, 1, RETRY_MS);
	return !(p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* Closing a device discards the rest of a connection, so it is opened again for each connection. */
static int serve_device(const char *path)
{
	for (;;) {
		int fd = file_open(path, O_RDWR | O_NONBLOCK), status;
		pid_t pid;

		if (fd < 0)
			return -errno;
		if (!is_connected(fd)) {
			close(fd);
			usleep(RETRY_MS * 1000);
			continue;
		}
		pid = serve(fd, fd, false);
		close(fd);
		if (pid < 0)
			return -errno;
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
}

static int serve_streams(void)
{
	set_nonblocking(STDIN_FILENO);
	set_nonblocking(STDOUT_FILENO);
	serve_connection(machine_here(), STDIN_FILENO, STDOUT_FILENO, false);
	return 0;
}

/* Returns the device of our port, also without links in /dev; "" if there is no such port. */
static const char *find_port(void)
{
	static char path[300];
	struct buf name = {0};
	glob_t g = {0};

	if (glob("/sys/class/virtio-ports/*/name", 0, NULL, &g) != 0)
		g.gl_pathc = 0;
	for (size_t i = 0; i < g.gl_pathc && !*path; i++) {
		int fd = file_open(g.gl_pathv[i], O_RDONLY);

		buf_reset(&name);
		if (fd >= 0 && buf_read(&name, fd) &&
		    strcmp(buf_str(&name), AGENT_PORT_NAME "\n") == 0) {
			*strrchr(g.gl_pathv[i], '/') = '\0';
			snprintf(path, sizeof(path), "/dev/%s", strrchr(g.gl_pathv[i], '/') + 1);
		}
		if (fd >= 0)
			close(fd);
	}
	globfree(&g);
	buf_free(&name);
	return path;
}

int agent_run(const struct report *report, const char *channel)
{
	int fd, r;

	signal(SIGPIPE, SIG_IGN);
	if (strcmp(channel, "port") == 0 && *find_port())
		channel = find_port();
	if (strcmp(channel, "-") == 0) {
		r = serve_streams();
	} else if (channel_is_socket(channel)) {
		fd = channel_listen(channel);
		r = fd < 0 ? fd : serve_listener(fd);
	} else {
		r = serve_device(channel);
	}
	if (r < 0)
		report_error(report, "--agent: %s: %s", channel, strerror(-r));
	return r < 0;
}
