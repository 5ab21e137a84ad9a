/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jail.c: a process that answers questions and can do nothing else.
 *
 * A message is its length (uint32_t) and its bytes.
 */
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/mem.h"
#include "base/vec.h"
#include "proc/jail.h"
#include "proc/proc.h"

#define ANSWER_MAX  (64U << 20)	   /* bytes of an answer */
#define ANSWERS_MAX (256ULL << 20) /* bytes of all answers of a jail */
#define MEMORY_MAX  (1ULL << 30)   /* bytes that the process may add to dtrace's memory */
#define WAIT_NS	    30000000000ULL /* for an answer, however little processor time it uses */
#define NOBODY	    65534

static const char too_slow[] = "the file takes too much time";

struct jail {
	int sock;	   /* -1: failed */
	int process;	   /* a pidfd; -1: none */
	uint64_t answered; /* bytes */
	const char *error;
};

/* ---- inside ---- */

/* Calls for malloc(3), locks and messages. */
static const int allowed[] = {
    SYS_read,	       SYS_write,     SYS_mmap,	   SYS_munmap,	    SYS_mremap,
    SYS_mprotect,      SYS_brk,	      SYS_madvise, SYS_futex,	    SYS_exit_group,
    SYS_clock_gettime, SYS_getrandom, SYS_gettid,  SYS_sched_yield, SYS_rt_sigreturn,
};
#define NALLOWED (sizeof(allowed) / sizeof(*allowed))

#define LOAD(member)                                            \
	((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
				      offsetof(struct seccomp_data, member)))
#define RETURN(what) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what))

/* Other calls fail with EPERM, which libraries survive. */
static bool filter_calls(void)
{
	VEC(struct sock_filter) code = {0};
	uint32_t arch = arch_native->machine | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
	struct sock_fprog prog;

	vec_push(&code, LOAD(arch));
	vec_push(&code, ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0)));
	vec_push(&code, RETURN(SECCOMP_RET_KILL_PROCESS));
	vec_push(&code, LOAD(nr));
	for (unsigned int i = 0; i < NALLOWED; i++)
		vec_push(&code, ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							      (uint32_t)allowed[i],
							      (uint8_t)(NALLOWED - i), 0)));
	vec_push(&code, RETURN(SECCOMP_RET_ERRNO | EPERM));
	vec_push(&code, RETURN(SECCOMP_RET_ALLOW));
	prog = (struct sock_fprog){(unsigned short)code.n, code.a};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0;
}

static bool limit_resources(rlim_t seconds)
{
	struct rlimit time = {seconds, seconds + 1}, none = {0, 0}, bytes;
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	bool ok = f && fscanf(f, "%lu", &pages) == 1;

	if (f)
		fclose(f);
	bytes.rlim_max = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_MAX;
	bytes.rlim_cur = bytes.rlim_max;
	return ok && setrlimit(RLIMIT_CPU, &time) == 0 && setrlimit(RLIMIT_AS, &bytes) == 0 &&
	       setrlimit(RLIMIT_NOFILE, &none) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

/* The user and group do not exist in every namespace.  Without capabilities they matter little. */
static bool drop_privileges(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	if (geteuid() == 0) {
		(void)!setgroups(0, NULL);
		(void)!setresgid(NOBODY, NOBODY, NOBODY);
		(void)!setresuid(NOBODY, NOBODY, NOBODY);
	}
	return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0;
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
	for (unsigned int i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
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

	ignore_signals();
	if (r->begin)
		r->begin(r->ctx);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
	    !limit_resources(r->seconds ? r->seconds : JAIL_SECONDS) || !close_all_but(sock) ||
	    !drop_privileges() || !filter_calls())
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
	j->sock = -1;
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

struct jail *jail_new(const struct jail_reader *r)
{
	struct jail *j = mem_alloc(sizeof(*j));
	int ends[2];
	pid_t pid;

	*j = (struct jail){-1, -1, 0, "no process can be made for its reader"};
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

/* Receives n bytes before a time of proc_clock().  Returns NULL, or the reason of a failure. */
static const char *receive(const struct jail *j, void *to, size_t n, uint64_t until)
{
	char *p = to;

	while (n) {
		struct pollfd fd = {.fd = j->sock, .events = POLLIN};
		int64_t left = (int64_t)(until - proc_clock());
		ssize_t r;

		if (left <= 0)
			return too_slow;
		if (poll(&fd, 1, (int)(left / 1000000) + 1) <= 0)
			continue;
		r = recv(j->sock, p, n, MSG_DONTWAIT);
		if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
			return "its reader has failed";
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
	uint64_t until = proc_clock() + WAIT_NS;
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
		error = "its reader answers too much";
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
