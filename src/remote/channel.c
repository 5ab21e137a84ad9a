/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.c: connects, listens, and runs commands.
 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/vm_sockets.h> /* needs the headers above */

#include "base/file.h"
#include "remote/agent.h"
#include "remote/channel.h"

static const char *after(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

static int unix_address(const char *path, struct sockaddr_un *a)
{
	*a = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(a->sun_path))
		return -ENAMETOOLONG;
	strcpy(a->sun_path, path);
	return 0;
}

/* "CID:PORT" or "CID"; "PORT" for a listener. */
static struct sockaddr_vm vsock_address(const char *text, bool listens)
{
	struct sockaddr_vm a = {
	    .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_ANY, .svm_port = AGENT_VSOCK};
	char *end = (char *)text;

	if (!listens)
		a.svm_cid = (unsigned int)strtoul(text, &end, 0);
	if (*end == ':')
		end++;
	if (*end)
		a.svm_port = (unsigned int)strtoul(end, NULL, 0);
	return a;
}

/*
 * Returns a connected socket or -errno.  Waits at most 5 s for a listener with a full queue, or not
 * at all: nobody knows yet who listens.
 */
static int connect_to(const struct sockaddr *a, socklen_t len, bool may_wait)
{
	int wait = may_wait ? 0 : SOCK_NONBLOCK, r;
	int fd = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC | wait, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = 5},
		   sizeof(struct timeval));
	r = connect(fd, a, len) == 0 ? fd : -errno;
	if (r < 0)
		close(fd);
	return r;
}

static int open_unix(const char *path, bool may_wait)
{
	struct sockaddr_un a;
	int r = unix_address(path, &a);

	return r ? r : connect_to((struct sockaddr *)&a, sizeof(a), may_wait);
}

bool channel_is_trusted(uid_t uid)
{
	static const char *const users[] = {"libvirt-qemu", "qemu"};

	if (uid == 0 || uid == geteuid())
		return true;
	for (unsigned int i = 0; i < 2; i++) {
		const struct passwd *user = getpwnam(users[i]);

		if (user && user->pw_uid == uid)
			return true;
	}
	return false;
}

/*
 * The socket says who listens there: command lines and paths are of anybody's choice, and a program
 * that is set-user-ID belongs to root.
 */
static int open_guest(const char *path)
{
	int fd = open_unix(path, false);
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (fd < 0 || (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
		       channel_is_trusted(peer.uid)))
		return fd;
	close(fd);
	return -EACCES;
}

static int open_path(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) != 0)
		return -errno;
	if (S_ISSOCK(st.st_mode))
		return open_unix(path, true);
	fd = file_open(path, O_RDWR);
	return fd < 0 ? -errno : fd;
}

/* Starts a command.  Its standard error is ours. */
static int open_command(const char *command, struct channel *c)
{
	int ends[2], r;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	c->pid = fork();
	if (c->pid == 0) {
		dup2(ends[1], STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		/* A ^C at the terminal is for us, and we end the connection. */
		setpgid(0, 0);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	r = c->pid < 0 ? -errno : ends[0];
	close(ends[1]);
	if (r < 0)
		close(ends[0]);
	return r;
}

int channel_open(const char *name, struct channel *c)
{
	const char *rest;
	int fd;

	c->pid = 0;
	if ((rest = after(name, "unix:")) != NULL) {
		fd = open_unix(rest, true);
	} else if ((rest = after(name, "guest:")) != NULL) {
		fd = open_guest(rest);
	} else if ((rest = after(name, "vsock:")) != NULL) {
		struct sockaddr_vm a = vsock_address(rest, false);

		fd = connect_to((struct sockaddr *)&a, sizeof(a), true);
	} else if ((rest = after(name, "exec:")) != NULL) {
		fd = open_command(rest, c);
	} else if (*name == '/') {
		fd = open_path(name);
	} else {
		fd = -EPROTONOSUPPORT;
	}
	if (fd < 0)
		return fd;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	c->in = c->out = fd;
	return 0;
}

bool channel_is_socket(const char *name)
{
	return after(name, "unix:") || after(name, "vsock");
}

int channel_listen(const char *name)
{
	const char *path = after(name, "unix:"), *port = after(name, "vsock");
	struct sockaddr_un a = {0};
	struct sockaddr_vm v = {0};
	int fd, r = path ? unix_address(path, &a) : 0;

	if (r)
		return r;
	if (!path)
		v = vsock_address(*port ? port + 1 : port, true);
	fd = socket(path ? AF_UNIX : AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (bind(fd, path ? (struct sockaddr *)&a : (struct sockaddr *)&v,
		 path ? sizeof(a) : sizeof(v)) == 0 &&
	    (!path || chmod(path, 0600) == 0) && listen(fd, 8) == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}
