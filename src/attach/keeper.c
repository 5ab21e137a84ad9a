/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keeper.c: a copy of dtrace that answers requests of its parent over a socket.  A request is a
 * head, with the program's descriptor, and the announced data; the answer is a number.  The end of
 * the socket means the end of the parent.  Links are open files of the keeper: the kernel closes
 * them when it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "attach/keeper.h"
#include "sys/bpf.h"
#include "sys/machine.h"

struct keeper {
	int fd;
	pid_t pid;
};

struct head {
	bool has_semaphores, is_hook;
	uint32_t event_type, pid, n;
};

/* Descriptors that come with a request. */
enum { FD_PROG, FD_FILE, FDS };

/* ---- requests to the kernel ---- */

static int link_file(struct machine *m, const struct keeper_places *p)
{
	struct sys_uprobes places = {.prog = p->prog,
				     .path = p->path,
				     .offsets = p->offs,
				     .semaphores = p->semaphores,
				     .cookies = p->cookies,
				     .n = p->n,
				     .pid = p->pid,
				     .is_return = p->is_hook};

	return sys_link_uprobes(m, &places);
}

#define SEMAPHORE_SHIFT 32 /* PERF_UPROBE_REF_CTR_OFFSET_SHIFT, kernel/events/core.c */

/* Attaches to a single place with a perf event, for kernels before 6.6. */
static int link_event(struct machine *m, const struct keeper_places *p)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .type = p->event_type};
	pid_t pid = p->pid ? (pid_t)p->pid : -1;
	int event, link;

	attr.config = (p->semaphores ? p->semaphores[0] : 0) << SEMAPHORE_SHIFT;
	attr.config2 = p->offs[0];
	/* For all processes the program runs on every CPU, whatever CPU the event names. */
	event = sys_perf_open(m, &attr, p->path, pid, pid < 0 ? 0 : -1);
	if (event < 0)
		return event;
	link = sys_link_event(m, p->prog, event, p->cookies[0]);
	sys_close(m, event);
	return link;
}

int keeper_link(struct machine *m, const struct keeper_places *p)
{
	return p->event_type ? link_event(m, p) : link_file(m, p);
}

/* ---- the socket ---- */

/* Returns false if the other end is closed. */
static bool put(int fd, const void *data, size_t n)
{
	const char *p = data;
	ssize_t done;

	for (; n; p += done, n -= (size_t)done)
		while ((done = send(fd, p, n, MSG_NOSIGNAL)) <= 0)
			if (done == 0 || errno != EINTR)
				return false;
	return true;
}

static bool get(int fd, void *data, size_t n)
{
	char *p = data;
	ssize_t done;

	for (; n; p += done, n -= (size_t)done)
		while ((done = recv(fd, p, n, 0)) <= 0)
			if (done == 0 || errno != EINTR)
				return false;
	return true;
}

union control {
	struct cmsghdr align;
	char space[CMSG_SPACE(FDS * sizeof(int))];
};

static bool put_head(int fd, struct head *h, const int fds[FDS])
{
	struct iovec io = {h, sizeof(*h)};
	union control control = {0};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	ssize_t n;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(FDS * sizeof(*fds));
	memcpy(CMSG_DATA(c), fds, FDS * sizeof(*fds));
	while ((n = sendmsg(fd, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return n == sizeof(*h);
}

static bool get_head(int fd, struct head *h, int fds[FDS])
{
	struct iovec io = {h, sizeof(*h)};
	union control control;
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c;

	if (recvmsg(fd, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof(*h) ||
	    !(c = CMSG_FIRSTHDR(&m)))
		return false;
	memcpy(fds, CMSG_DATA(c), FDS * sizeof(*fds));
	return true;
}

/* ---- the process ---- */

static bool serve(int fd)
{
	uint64_t *words = NULL;
	char path[32];
	int fds[FDS], r;
	struct head h;
	bool ok = get_head(fd, &h, fds);

	if (ok) {
		words = mem_alloc(3ULL * h.n * sizeof(*words));
		ok = get(fd, words, (h.has_semaphores ? 3ULL : 2ULL) * h.n * sizeof(*words));
	}
	if (ok) {
		struct machine *m = machine_here();
		struct keeper_places p = {.prog = fds[FD_PROG],
					  .path = path,
					  .event_type = h.event_type,
					  .pid = h.pid,
					  .is_hook = h.is_hook,
					  .n = h.n,
					  .offs = words,
					  .cookies = words + h.n,
					  .semaphores =
					      h.has_semaphores ? words + 2ULL * h.n : NULL};

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[FD_FILE]);
		r = keeper_link(m, &p);
		machine_free(m);
		for (unsigned int i = 0; i < FDS; i++)
			close(fds[i]);
		ok = put(fd, &r, sizeof(r));
	}
	mem_free(words);
	return ok;
}

/* Separates the keeper from signals by name or terminal, and from dtrace's open files. */
static void __attribute__((noreturn)) be_keeper(int fd)
{
	int null = file_open("/dev/null", O_RDWR);
	sigset_t all;

	mem_escape(NULL);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "uprobe-keeper");
	for (int i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
	fd = dup2(fd, STDERR_FILENO + 1);
	close_range((unsigned int)fd + 1, ~0U, 0);
	while (serve(fd))
		;
	_exit(0);
}

int keeper_start(struct keeper **k)
{
	int ends[2], err;
	pid_t pid;

	if (*k)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		be_keeper(ends[1]);
	err = -errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err;
	}
	*k = mem_alloc(sizeof(**k));
	**k = (struct keeper){ends[0], pid};
	return 0;
}

int keeper_attach(struct keeper **k, const struct keeper_places *p)
{
	struct head h = {.event_type = p->event_type,
			 .has_semaphores = p->semaphores != NULL,
			 .pid = p->pid,
			 .is_hook = p->is_hook,
			 .n = p->n};
	const int fds[FDS] = {p->prog, p->file};
	size_t size = p->n * sizeof(*p->offs);
	int fd, r = keeper_start(k);

	if (r < 0)
		return r;
	fd = (*k)->fd;
	if (!put_head(fd, &h, fds) || !put(fd, p->offs, size) || !put(fd, p->cookies, size) ||
	    (p->semaphores && !put(fd, p->semaphores, size)) || !get(fd, &r, sizeof(r)))
		return -EPIPE;
	return r < 0 ? r : 0;
}

/* The keeper sends nothing but answers, and each was read. */
bool keeper_is_lost(const struct keeper *k)
{
	struct pollfd p = {.fd = k ? k->fd : -1, .events = POLLIN};

	return poll(&p, 1, 0) > 0;
}

void keeper_forget(struct keeper *k)
{
	if (k)
		close(k->fd);
	mem_free(k);
}

void keeper_end(struct keeper *k)
{
	if (!k)
		return;
	/* Children that the program has forked may have it open, too. */
	shutdown(k->fd, SHUT_RDWR);
	close(k->fd);
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	mem_free(k);
}
