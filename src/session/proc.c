/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.c: processes of -c and -p.  dtrace creates a process under ptrace(2) and releases it when
 * tracing begins.  It only watches an existing process, through a pidfd.
 *
 * Option evaltime says where a created process waits:
 *
 * exec      at its first instruction
 * preinit   when the dynamic linker has loaded all libraries
 * postinit  at the program's own first instruction, when libraries are initialised
 * main      at main, if such a symbol exists
 */
#include <ctype.h>
#include <errno.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "print/msg.h"
#include "proc/proc.h"
#include "session/session.h"

/*
 * Processes are listed once.  Returns 0, or -errno if the end of the process cannot be watched.  A
 * process that has ended can be added.
 */
static int add(struct session *s, pid_t pid, bool is_child)
{
	struct traced t = {.pid = pid, .is_child = is_child, .pidfd = -1};

	for (unsigned int i = 0; i < s->procs.n; i++)
		if (s->procs.a[i].pid == pid)
			return 0;
	t.pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (t.pidfd < 0 && !is_child && errno != ESRCH)
		return -errno;
	vec_push(&s->procs, t);
	return 0;
}

/* Returns the words of the command, split at white space, without quoting. */
static char **split(struct session *s, const char *cmd)
{
	char *copy = arena_strdup(s->arena, cmd), *save = NULL;
	VEC(char *) words = {0};
	char **list;

	for (char *w = strtok_r(copy, " \t\n", &save); w; w = strtok_r(NULL, " \t\n", &save))
		vec_push(&words, w);
	list = arena_new_arr(s->arena, char *, words.n + 1);
	if (words.n)
		memcpy(list, words.a, words.n * sizeof(*list));
	vec_free(&words);
	return list;
}

/* ---- control ---- */

/* A process under ptrace(2), and the error of the first call that failed. */
struct control {
	pid_t pid;
	int err;
};

/* Returns true if a child has ended; proc_reap will notice. */
static bool has_ended(pid_t pid)
{
	siginfo_t si = {0};

	return waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid;
}

/* Calls ptrace(2).  Returns false if it fails, and notes the error unless the process has ended. */
static bool control(struct control *c, enum __ptrace_request request, uint64_t addr, uint64_t data)
{
	if (ptrace(request, c->pid, (void *)addr, (void *)data) == 0)
		return true;
	if (!c->err && !has_ended(c->pid))
		c->err = errno;
	return false;
}

/*
 * Kills a child that a failed ptrace(2) has left stopped, or with a breakpoint.  The session then
 * ends with an error.
 */
static void give_up(struct session *s, const struct control *c)
{
	report_error(&s->report, "could not control process %d: %s", (int)c->pid, strerror(c->err));
	s->has_failed = true;
	kill(c->pid, SIGKILL);
}

static void detach(struct session *s, pid_t pid)
{
	struct control c = {.pid = pid};

	if (!control(&c, PTRACE_DETACH, 0, 0) && c.err)
		give_up(s, &c);
}

/* ---- breakpoints ---- */

#define REGSET_MAX 64 /* words */

/* Reads the program counter of a stopped process into *pc, or sets it to *pc. */
static bool pc_of(struct control *c, uint64_t *pc, bool write)
{
	uint64_t regs[REGSET_MAX];
	struct iovec io = {regs, sizeof(regs)};
	uint64_t *at = &regs[arch_native->pc / sizeof(*regs)];

	if (!control(c, PTRACE_GETREGSET, NT_PRSTATUS, (uintptr_t)&io) ||
	    io.iov_len != arch_native->nregs * sizeof(*regs))
		return false;
	if (!write) {
		*pc = *at;
		return true;
	}
	*at = *pc;
	return control(c, PTRACE_SETREGSET, NT_PRSTATUS, (uintptr_t)&io);
}

#define STOPS 2

/* Places where a process is to stop; 0: none. */
struct stops {
	uint64_t at[STOPS];
	long words[STOPS]; /* the original text */
	bool is_set[STOPS];
};

static void set(pid_t pid, struct stops *st)
{
	for (unsigned int i = 0; i < STOPS; i++) {
		if (!st->at[i])
			continue;
		errno = 0;
		st->words[i] = ptrace(PTRACE_PEEKTEXT, pid, (void *)st->at[i], NULL);
		st->is_set[i] =
		    !errno &&
		    ptrace(PTRACE_POKETEXT, pid, (void *)st->at[i],
			   (void *)(((unsigned long)st->words[i] & ~arch_native->brk_mask) |
				    arch_native->brk)) == 0;
	}
}

static void restore(struct control *c, const struct stops *st)
{
	for (unsigned int i = 0; i < STOPS; i++)
		if (st->is_set[i])
			control(c, PTRACE_POKETEXT, st->at[i], (unsigned long)st->words[i]);
}

/* Repeats waitpid(2) after signals.  Only for events that come soon. */
static pid_t wait_for(pid_t pid, int *status)
{
	pid_t r;

	do
		r = waitpid(pid, status, 0);
	while (r < 0 && errno == EINTR);
	return r;
}

/*
 * Waits until the process stops at a place, and returns it.  Passes signals on meanwhile.  Returns
 * 0 if the process has ended or cannot be controlled, or if dtrace is to end.
 */
static uint64_t wait_at(const struct session *s, struct control *c, const struct stops *st)
{
	for (;;) {
		siginfo_t si = {0};
		uint64_t pc = 0;
		int sig;

		while (waitid(P_PID, (id_t)c->pid, &si, WEXITED | WSTOPPED | WNOWAIT) != 0)
			if (errno != EINTR || signals_seen(s))
				return 0;
		if (si.si_code != CLD_TRAPPED && si.si_code != CLD_STOPPED)
			return 0;
		wait_for(c->pid, NULL);
		sig = si.si_status & 0xff;
		if (sig == SIGTRAP && pc_of(c, &pc, false))
			for (unsigned int i = 0; i < STOPS; i++)
				if (st->is_set[i] && pc == st->at[i] + arch_native->brk_len)
					return st->at[i];
		if (c->err || !control(c, PTRACE_CONT, 0, sig == SIGTRAP ? 0 : (unsigned int)sig))
			return 0;
	}
}

/*
 * Lets a stopped process run to one of these places, unless it has arrived already.  Returns the
 * place.
 */
static uint64_t run_to(const struct session *s, struct control *c, uint64_t addr, uint64_t other)
{
	struct stops st = {.at = {addr, other}};
	uint64_t pc;

	if (!addr || !pc_of(c, &pc, false) || pc == addr)
		return addr;
	set(c->pid, &st);
	if (!st.is_set[0] && !st.is_set[1])
		return 0;
	if (!control(c, PTRACE_CONT, 0, 0))
		return 0;
	pc = wait_at(s, c, &st);
	if (!pc)
		return 0;
	restore(c, &st);
	pc_of(c, &pc, true);
	return pc;
}

/*
 * Runs to the point where all libraries are loaded but not initialised: the second call of
 * _dl_debug_state, by which the dynamic linker notifies debuggers.  Without this function, runs to
 * the program's first instruction.
 */
static void run_to_preinit(struct session *s, struct control *c)
{
	struct proc *p = procs_get(s->plan.env.procs, (uint32_t)c->pid);
	uint64_t hook = p ? proc_func_addr(s->plan.env.procs, p, "_dl_debug_state", false) : 0;
	uint64_t entry = proc_auxv((uint32_t)c->pid, AT_ENTRY);

	if (hook && run_to(s, c, hook, entry) == hook && control(c, PTRACE_SINGLESTEP, 0, 0) &&
	    wait_for(c->pid, NULL) == c->pid)
		run_to(s, c, hook, entry);
	else if (!c->err)
		run_to(s, c, entry, 0);
	if (p)
		proc_read(p);
}

static void run_to_evaltime(struct session *s, struct control *c)
{
	const char *when = s->opts.is_set[OPT_evaltime] ? s->opts.text[OPT_evaltime] : "postinit";
	struct proc *p;

	if (strcmp(when, "exec") == 0)
		return;
	if (strcmp(when, "preinit") == 0) {
		run_to_preinit(s, c);
		return;
	}
	run_to(s, c, proc_auxv((uint32_t)c->pid, AT_ENTRY), 0);
	if (strcmp(when, "main") != 0 || c->err)
		return;
	p = procs_get(s->plan.env.procs, (uint32_t)c->pid);
	if (p)
		run_to(s, c, proc_func_addr(s->plan.env.procs, p, "main", true), 0);
}

/* Applies options setenv and unsetenv in the child. */
static void change_environment(struct session *s)
{
	for (unsigned int i = 0; i < s->environment.n; i++) {
		char *change = s->environment.a[i];

		if (strchr(change, '='))
			putenv(change);
		else
			unsetenv(change);
	}
}

/* Makes the child end when dtrace ends for any reason. */
static void end_with(pid_t tracer)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != tracer)
		_exit(127);
}

bool proc_run(struct session *s, const char *cmd, char *const *argv)
{
	struct control c = {0};
	int fds[2], err = 0;
	ssize_t n = 0;
	pid_t pid, tracer = getpid();

	if (!argv[0] || pipe2(fds, O_CLOEXEC) != 0) {
		report_error(&s->report, "failed to execute %s: %s", cmd,
			     strerror(argv[0] ? errno : EINVAL));
		return false;
	}
	pid = fork();
	if (pid == 0) {
		mem_escape(NULL);
		change_environment(s);
		end_with(tracer);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execvp(argv[0], argv);
		err = errno;
		if (write(fds[1], &err, sizeof(err)) != sizeof(err))
			_exit(126);
		_exit(127);
	}
	close(fds[1]);
	do
		n = pid < 0 ? 0 : read(fds[0], &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (pid < 0 || n == sizeof(err)) {
		close(fds[0]);
		report_error(&s->report, "failed to execute %s: %s", cmd,
			     strerror(pid < 0 ? errno : err));
		if (pid > 0)
			wait_for(pid, NULL);
		return false;
	}
	close(fds[0]);
	/* exec has succeeded: the child stops with SIGTRAP at the first instruction. */
	wait_for(pid, NULL);
	c.pid = pid;
	run_to_evaltime(s, &c);
	if (c.err) {
		give_up(s, &c);
		wait_for(pid, NULL);
		return false;
	}
	add(s, pid, true);
	return true;
}

bool proc_create(struct session *s, const char *cmd)
{
	s->sinks.env.run.command = arena_strdup(s->arena, cmd);
	return proc_run(s, cmd, split(s, cmd));
}

/* Returns a number that may have blanks around it, as ps(1) pads it; 0: no number. */
static pid_t parse_pid(const char *text)
{
	char *end;
	long pid;

	text += strspn(text, " \t\n");
	errno = 0;
	pid = strtol(text, &end, 10);
	end += strspn(end, " \t\n");
	return isdigit((unsigned char)*text) && !*end && !errno && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* Returns the process of a thread; 0: unknown.  The first thread has the number of its process. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[256];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	f = file_stream(path);
	while (f && !pid && fgets(line, sizeof(line), f))
		sscanf(line, "Tgid: %d", &pid);
	if (f)
		fclose(f);
	return pid;
}

bool proc_grab(struct session *s, const char *text)
{
	pid_t pid = parse_pid(text), process;
	int r;

	if (!pid) {
		report_error(&s->report, "invalid pid: %s", text);
		return false;
	}
	if (kill(pid, 0) != 0 && errno != EPERM) {
		report_error(&s->report, "failed to grab pid %d: %s", (int)pid, strerror(errno));
		return false;
	}
	process = process_of(pid);
	r = add(s, process ? process : pid, false);
	if (r)
		report_error(&s->report, "failed to grab pid %d: %s", (int)pid, strerror(-r));
	return r == 0;
}

/* Reads a process and pins it, so that the facts about it are kept. */
static void meet(struct session *s, uint32_t pid)
{
	struct proc *p;

	syms_learn(&s->consume, pid, 0);
	p = procs_get(s->plan.env.procs, pid);
	if (p)
		p->is_pinned = true;
}

static bool is_traced(const struct session *s, uint32_t pid)
{
	for (unsigned int i = 0; i < s->procs.n; i++)
		if ((uint32_t)s->procs.a[i].pid == pid)
			return true;
	return pid == (uint32_t)getpid();
}

/* Limit of processes that are read before tracing because a condition names their program. */
#define NAMED_MAX 64

/* Reads the processes with one of the names in conditions. */
static void learn_names(struct session *s)
{
	unsigned int n = 0, nread = 0;
	const uint32_t *all =
	    s->plan.named.n && !s->compile.self ? procs_all(s->plan.env.procs, &n) : NULL;

	for (unsigned int i = 0; i < n && nread < NAMED_MAX; i++) {
		char comm[PROC_COMM];

		if (is_traced(s, all[i]) || !proc_comm(all[i], comm))
			continue;
		for (unsigned int j = 0; j < s->plan.named.n; j++) {
			if (strcmp(comm, s->plan.named.a[j]) != 0)
				continue;
			meet(s, all[i]);
			nread++;
			break;
		}
	}
}

void proc_learn(struct session *s)
{
	if (!s->plan.known)
		return;
	for (unsigned int i = 0; i < s->procs.n; i++)
		meet(s, (uint32_t)s->procs.a[i].pid);
	for (unsigned int i = 0; i < s->plan.named_pids.n; i++)
		if (!is_traced(s, s->plan.named_pids.a[i]))
			meet(s, s->plan.named_pids.a[i]);
	learn_names(s);
}

void proc_release(struct session *s)
{
	for (unsigned int i = 0; i < s->procs.n; i++)
		if (s->procs.a[i].is_child)
			detach(s, s->procs.a[i].pid);
}

static void report(struct session *s, const struct traced *t, int status)
{
	bool is_killed = t->is_child && WIFSIGNALED(status);
	struct msg_end m = {.pid = t->pid,
			    .status = is_killed ? WTERMSIG(status) : WEXITSTATUS(status),
			    .has_status = t->is_child,
			    .is_killed = is_killed};
	struct buf b = {0};

	out_object(&s->out, OUT_OBJECT_END, &m);
	msg_end(&b, &m);
	if (s->ended) {
		s->ended(s->ended_ctx, t->pid, b.s);
	} else if (!s->out.opts.quiet) {
		out_flush(&s->out);
		report_error(&s->report, "%s", b.s);
	}
	buf_free(&b);
}

void proc_continue(struct session *s, pid_t pid)
{
	for (unsigned int i = 0; i < s->procs.n; i++)
		if (s->procs.a[i].is_child && s->procs.a[i].pid == pid)
			detach(s, pid);
}

void proc_let_go(struct session *s, pid_t pid)
{
	for (unsigned int i = 0; i < s->procs.n; i++) {
		struct traced *t = &s->procs.a[i];

		if (t->pid != pid)
			continue;
		if (t->is_child && !s->opts.is_active)
			detach(s, pid);
		if (t->pidfd >= 0)
			close(t->pidfd);
		*t = s->procs.a[--s->procs.n];
		return;
	}
}

/* Reports the end of each process once. */
bool proc_reap(struct session *s)
{
	unsigned int ended = 0;

	for (unsigned int i = 0; i < s->procs.n; i++) {
		struct traced *t = &s->procs.a[i];
		struct pollfd p = {.fd = t->pidfd, .events = POLLIN};
		int status = 0;

		if (!t->has_ended && (t->pidfd < 0 || poll(&p, 1, 0) > 0)) {
			if (t->is_child && waitpid(t->pid, &status, WNOHANG) != t->pid)
				continue;
			t->has_ended = true;
			report(s, t, status);
		}
		ended += t->has_ended;
	}
	return s->procs.n && ended == s->procs.n;
}

/* Kills created processes, which would keep our standard output open. */
void proc_end(struct session *s)
{
	for (unsigned int i = 0; i < s->procs.n; i++) {
		struct traced *t = &s->procs.a[i];

		if (t->is_child && !t->has_ended) {
			kill(t->pid, SIGKILL);
			wait_for(t->pid, NULL);
		}
		if (t->pidfd >= 0)
			close(t->pidfd);
	}
	vec_free(&s->procs);
}
