/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jail.c: a process that answers questions and can do nothing else.
 *
 * A message is its length (uint32_t) and its bytes.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/clocks.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/vec.h"
#include "proc/jail.h"
#include "proc/proc.h"

#define ANSWER_MAX  (64U << 20)	   /* bytes of an answer */
#define ANSWERS_MAX (256ULL << 20) /* bytes of all answers of a jail */
#define MEMORY_MAX  (1ULL << 30)   /* bytes that the process may add to dtrace's memory */
#define WAIT_NS	    30000000000ULL /* for an answer, however little processor time it uses */
#define NOBODY	    65534
#define FILES_MAX   16	/* that the library has open at a time */
#define NOTICE_MAX  512 /* bytes of the kernel's structures: there is room for later members */

static const char too_slow[] = "reading the file takes too long";

struct jail {
	struct jail_reader reader;
	int sock;	   /* -1: failed */
	int calls;	   /* seccomp descriptor that reports calls of open(2), -1: none */
	int process;	   /* a pidfd; -1: none */
	uint64_t answered; /* bytes */
	const char *error;
};

/* ---- inside ---- */

/* Calls for malloc(3), locks, messages, and open files. */
static const int allowed[] = {
    SYS_read,	       SYS_write,     SYS_mmap,	   SYS_munmap,	    SYS_mremap,
    SYS_mprotect,      SYS_brk,	      SYS_madvise, SYS_futex,	    SYS_exit_group,
    SYS_clock_gettime, SYS_getrandom, SYS_gettid,  SYS_sched_yield, SYS_rt_sigreturn,
    SYS_close,	       SYS_pread64,   SYS_lseek,   SYS_sendmsg,
};
#define NALLOWED (sizeof(allowed) / sizeof(allowed[0]))

#define LOAD(member)                                            \
	((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
				      offsetof(struct seccomp_data, member)))
#define RETURN(what) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what))

/* Sends a byte to dtrace, with the descriptor unless it is negative, and closes that. */
static bool give(int sock, int fd)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec io = {&byte, 1};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	bool ok;

	if (fd < 0)
		return write(sock, &byte, 1) == 1;
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	ok = sendmsg(sock, &m, 0) == 1;
	close(fd);
	return ok;
}

/*
 * Other calls fail with EPERM, which libraries survive.  If files may be opened, dtrace answers
 * openat(2).  A process has at most one such filter; without it openat(2) fails with ENOSYS.
 */
static bool filter_calls(int sock, bool may_open)
{
	unsigned int flags = may_open ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
	VEC(struct sock_filter) code = {0};
	uint32_t arch = arch_native->machine | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
	struct sock_fprog prog;
	int res;

	vec_push(&code, LOAD(arch));
	vec_push(&code, ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0)));
	vec_push(&code, RETURN(SECCOMP_RET_KILL_PROCESS));
	vec_push(&code, LOAD(nr));
	for (unsigned int i = 0; i < NALLOWED; i++)
		vec_push(&code, ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							      (uint32_t)allowed[i],
							      (uint8_t)(NALLOWED + 1 - i), 0)));
	vec_push(&code, ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat,
						      may_open ? 2 : 0, 0)));
	vec_push(&code, RETURN(SECCOMP_RET_ERRNO | EPERM));
	vec_push(&code, RETURN(SECCOMP_RET_ALLOW));
	vec_push(&code, RETURN(SECCOMP_RET_USER_NOTIF));
	prog = (struct sock_fprog){(unsigned short)code.n, code.a};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	res = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	if (!may_open)
		return res == 0;
	if (res >= 0)
		return give(sock, res);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) == 0 && give(sock, -1);
}

static bool limit_resources(const struct jail_reader *r)
{
	rlim_t seconds = r->seconds ? r->seconds : JAIL_SECONDS, nfiles = r->open ? FILES_MAX : 0;
	struct rlimit time = {seconds, seconds + 1}, files = {nfiles, nfiles}, none = {0, 0}, bytes;
	unsigned long pages = 0;
	FILE *f = file_stream("/proc/self/statm");
	bool ok = f && fscanf(f, "%lu", &pages) == 1;

	if (f)
		fclose(f);
	bytes.rlim_max = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_MAX;
	bytes.rlim_cur = bytes.rlim_max;
	return ok && setrlimit(RLIMIT_CPU, &time) == 0 && setrlimit(RLIMIT_AS, &bytes) == 0 &&
	       setrlimit(RLIMIT_NOFILE, &files) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

/*
 * The user and group do not exist in every namespace.  Without capabilities they matter little.
 * dtrace reads the memory of the process, so it stays dumpable if dtrace is an ordinary user.
 */
static bool drop_privileges(bool may_open)
{
	bool is_root = geteuid() == 0;
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	if (is_root) {
		(void)!setgroups(0, NULL);
		(void)!setresgid(NOBODY, NOBODY, NOBODY);
		(void)!setresuid(NOBODY, NOBODY, NOBODY);
	}
	return syscall(SYS_capset, &head, none) == 0 &&
	       prctl(PR_SET_DUMPABLE, may_open && !is_root) == 0;
}

static bool close_all_but(int fd)
{
	return (fd == 0 || close_range(0, (unsigned int)fd - 1, 0) == 0) &&
	       close_range((unsigned int)fd + 1, ~0U, 0) == 0;
}

/* Signals of a terminal are for dtrace, and its end ends this process. */
static void ignore_signals(void)
{
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGTSTP};

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	for (unsigned int i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
}

/* Returns false if the other side is gone. */
static bool get(int sock, void *to, size_t n)
{
	for (char *p = to; n;) {
		ssize_t r = read(sock, p, n);

		if (r <= 0)
			return false;
		p += r;
		n -= (size_t)r;
	}
	return true;
}

static bool put(int sock, const void *from, size_t n)
{
	for (const char *p = from; n;) {
		ssize_t r = write(sock, p, n);

		if (r <= 0)
			return false;
		p += r;
		n -= (size_t)r;
	}
	return true;
}

static void __attribute__((noreturn)) serve(const struct jail_reader *r, int sock)
{
	char question[JAIL_QUESTION_MAX];
	struct buf answer = {0};
	uint32_t n;

	mem_escape(NULL);
	ignore_signals();
	if (r->begin)
		r->begin(r->ctx);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || !limit_resources(r) || !close_all_but(sock) ||
	    !drop_privileges(r->open != NULL) || !filter_calls(sock, r->open != NULL))
		_exit(1);
	while (get(sock, &n, sizeof(n)) && n <= sizeof(question) && get(sock, question, n)) {
		buf_reset(&answer);
		r->answer(r->ctx, question, n, &answer);
		n = answer.n > ANSWER_MAX ? ANSWER_MAX + 1 : (uint32_t)answer.n;
		if (!put(sock, &n, sizeof(n)) || n > ANSWER_MAX || !put(sock, answer.s, n))
			break;
	}
	_exit(0);
}

/* ---- outside ---- */

/* Ends the process.  If it ended by itself, the error says why. */
static void end(struct jail *j, const char *error)
{
	siginfo_t si = {0};

	if (j->sock >= 0)
		close(j->sock);
	if (j->calls >= 0)
		close(j->calls);
	j->sock = j->calls = -1;
	j->error = error;
	if (j->process < 0)
		return;
	pidfd_send_signal(j->process, SIGKILL, NULL, 0);
	while (waitid(P_PIDFD, (id_t)j->process, &si, WEXITED) != 0 && errno == EINTR)
		;
	if (error && si.si_code != CLD_EXITED && si.si_status == SIGXCPU)
		j->error = too_slow;
	close(j->process);
	j->process = -1;
}

/* Receives the seccomp descriptor.  If the process fails, the first question shows it. */
static void receive_calls(struct jail *j)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec io = {&byte, 1};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c;
	ssize_t n;

	while ((n = recvmsg(j->sock, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	c = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&j->calls, CMSG_DATA(c), sizeof(j->calls));
}

/* Copies the path of a call from the memory of the process.  Returns false if it has no end. */
static bool read_path(const struct seccomp_notif *call, char path[PATH_MAX])
{
	struct iovec to = {path, PATH_MAX}, from = {(void *)call->data.args[1], PATH_MAX};
	ssize_t n = process_vm_readv((pid_t)call->pid, &to, 1, &from, 1, 0);

	return n > 0 && memchr(path, '\0', (size_t)n);
}

/* Answers a call of openat(2). */
static void answer_call(struct jail *j)
{
	union {
		struct seccomp_notif call;
		char room[NOTICE_MAX];
	} in = {0};
	union {
		struct seccomp_notif_resp resp;
		char room[NOTICE_MAX];
	} out = {0};
	struct seccomp_notif_addfd add = {.newfd_flags = O_CLOEXEC};
	char path[PATH_MAX];
	int fd = -1, remote;

	if (ioctl(j->calls, SECCOMP_IOCTL_NOTIF_RECV, &in) != 0)
		return;
	if (read_path(&in.call, path))
		fd = j->reader.open(j->reader.ctx, path);
	add.id = out.resp.id = in.call.id;
	add.srcfd = (uint32_t)fd;
	remote = fd < 0 ? -1 : ioctl(j->calls, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	if (fd >= 0)
		close(fd);
	out.resp.val = remote;
	out.resp.error = remote < 0 ? -ENOENT : 0;
	if (remote < 0)
		out.resp.val = 0;
	ioctl(j->calls, SECCOMP_IOCTL_NOTIF_SEND, &out);
}

struct jail *jail_new(const struct jail_reader *r)
{
	struct jail *j = mem_alloc(sizeof(*j));
	int ends[2];
	pid_t pid;

	*j = (struct jail){*r, -1, -1, -1, 0, "could not start the reader process"};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return j;
	pid = fork();
	if (pid == 0)
		serve(r, ends[0]);
	close(ends[0]);
	if (pid > 0)
		j->process = pidfd_open(pid, 0);
	if (j->process >= 0) {
		j->sock = ends[1];
		j->error = NULL;
		if (r->open)
			receive_calls(j);
		return j;
	}
	close(ends[1]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return j;
}

void jail_free(struct jail *j)
{
	if (!j)
		return;
	end(j, NULL);
	mem_free(j);
}

/* Receives n bytes before a time of clock_ns().  Returns NULL, or the reason of a failure. */
static const char *receive(struct jail *j, void *to, size_t n, uint64_t until)
{
	char *p = to;

	while (n) {
		struct pollfd fds[] = {{.fd = j->sock, .events = POLLIN},
				       {.fd = j->calls, .events = POLLIN}};
		int64_t left = (int64_t)(until - clock_ns());
		ssize_t r;

		if (left <= 0)
			return too_slow;
		if (poll(fds, 2, (int)(left / 1000000) + 1) <= 0)
			continue;
		if (fds[1].revents & POLLIN)
			answer_call(j);
		if (!fds[0].revents)
			continue;
		r = recv(j->sock, p, n, MSG_DONTWAIT);
		if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
			return "the reader process has ended early";
		if (r > 0) {
			p += r;
			n -= (size_t)r;
		}
	}
	return NULL;
}

bool jail_ask(struct jail *j, const void *question, size_t n, struct buf *answer)
{
	char message[sizeof(uint32_t) + JAIL_QUESTION_MAX];
	uint64_t until = clock_ns() + WAIT_NS;
	const char *error;
	uint32_t len = (uint32_t)n;

	buf_reset(answer);
	if (j->sock < 0)
		return false;
	assert(n <= JAIL_QUESTION_MAX);
	memcpy(message, &len, sizeof(len));
	if (n)
		memcpy(message + sizeof(len), question, n);
	/* The process waits for a question, so there is room.  A failure shows when receiving. */
	(void)!send(j->sock, message, sizeof(len) + n, MSG_NOSIGNAL);
	error = receive(j, &len, sizeof(len), until);
	if (!error && (len > ANSWER_MAX || (j->answered += len) > ANSWERS_MAX))
		error = "the reader process sent too much data";
	if (!error) {
		buf_pad(answer, 0, len);
		error = len ? receive(j, answer->s, len, until) : NULL;
	}
	if (!error)
		return true;
	buf_reset(answer);
	end(j, error);
	return false;
}

const char *jail_error(const struct jail *j)
{
	return j->error;
}
