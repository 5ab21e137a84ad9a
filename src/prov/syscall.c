/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c: entry and return of every system call.  One program serves all enabled calls and
 * dispatches by number.  It runs at one of two places:
 *
 * - the BTF tracepoints sys_enter and sys_exit, at every call of the machine;
 * - the calls' own tracepoints.  A traced call costs about twice as much there, but all others a
 *   third (`make bench`, row f).  They serve a few calls that are rarely made.  Their programs keep
 *   perf events from running on top of them (bpf_prog_active), so they are not used together with
 *   profile probes.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "kern/kern.h"
#include "lower/leaf.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define ERRNO_MAX 4095 /* MAX_ERRNO, include/linux/err.h */

/*
 * ERESTARTSYS to ERESTART_RESTARTBLOCK (include/linux/errno.h): a signal interrupted the call.
 * Programs see EINTR, or the call is restarted.  ENOIOCTLCMD, 515, never leaves a call.
 */
#define RESTART_FIRST 512
#define RESTART_LAST  516

/* Names of equivalent calls on other systems, which published scripts enable. */
static const struct {
	const char *name, *aliases[5];
} foreign[] = {
    {"clone", {"fork1", "forkall"}},
    {"creat", {"creat64"}},
    {"execve", {"exec", "exece"}},
    {"exit_group", {"rexit"}},
    {"fstat", {"fstat64"}},
    {"getdents64", {"getdirentries", "getdirentries64"}},
    {"gettid", {"lwp_self", "thr_self"}},
    {"lseek", {"llseek", "lseek64"}},
    {"lstat", {"lstat64"}},
    {"mmap", {"mmap64"}},
    {"open", {"open64", "open_nocancel"}},
    {"openat", {"openat64", "openat_nocancel"}},
    {"poll", {"poll_nocancel"}},
    {"ppoll", {"pollsys"}},
    {"pread64", {"pread", "pread_nocancel"}},
    {"pwrite64", {"pwrite", "pwrite_nocancel"}},
    {"read", {"read_nocancel"}},
    {"reboot", {"uadmin"}},
    {"recvfrom", {"recv"}},
    {"rt_sigaction", {"sigaction"}},
    {"rt_sigpending", {"sigpending"}},
    {"rt_sigprocmask", {"lwp_sigmask", "sigprocmask"}},
    {"rt_sigqueueinfo", {"sigqueue"}},
    {"rt_sigreturn", {"sigreturn"}},
    {"rt_sigsuspend", {"sigsuspend"}},
    {"rt_sigtimedwait", {"sigtimedwait"}},
    {"sched_yield", {"yield"}},
    {"sendto", {"send"}},
    {"socket", {"so_socket"}},
    {"stat", {"stat64"}},
    {"time", {"gtime"}},
    {"umount2", {"umount", "unmount"}},
    {"waitid", {"waitsys"}},
    {"write", {"write_nocancel"}},
};

static const char *const *aliases_of(const struct plan *plan, const char *name)
{
	if (dialect_has(plan->opt.dialect, DIALECT_OWN_CALLS))
		return NULL;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (strcmp(foreign[i].name, name) == 0)
			return foreign[i].aliases;
	return NULL;
}

/* Calls of other systems whose work another call does, in another way. */
static const char *absent(struct plan *plan, const struct pdesc *d)
{
	static const struct {
		const char *name, *instead;
	} lacking[] = {
	    {"acl", "getxattr and setxattr"},
	    {"adjtime", "adjtimex"},
	    {"door", "sendmsg and recvmsg"},
	    {"fsat", "openat, unlinkat and the like"},
	    {"fxstat", "newfstatat and statx"},
	    {"getmsg", "read and recvmsg"},
	    {"kevent", "epoll_wait"},
	    {"kqueue", "epoll_create1"},
	    {"lwp_create", "clone"},
	    {"lwp_exit", "exit"},
	    {"lwp_kill", "tgkill"},
	    {"lwp_park", "futex"},
	    {"lxstat", "newfstatat and statx"},
	    {"pgrpsys", "getpgrp, setpgid, getsid and setsid"},
	    {"posix_spawn", "clone and execve"},
	    {"putmsg", "write and sendmsg"},
	    {"resolvepath", "readlink and getcwd"},
	    {"sigsendsys", "kill"},
	    {"stime", "clock_settime"},
	    {"xstat", "newfstatat and statx"},
	};

	for (size_t i = 0; d->func && i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (strcmp(lacking[i].name, d->func) == 0)
			return arena_printf(plan->env.arena,
					    "Linux has no such call; programs use %s",
					    lacking[i].instead);
	return NULL;
}

static bool is_entry(const char *name)
{
	return name[0] == 'e';
}

static void add(struct probes *ps, const struct provider *pv, uint32_t index, const char *call,
		const char *name, int64_t nr, const char *const *aliases)
{
	struct probe *p = probe_add(ps, pv, index, "syscall", "vmlinux", call, name);

	p->key = nr;
	p->aliases = aliases;
}

/*
 * Calls of 32-bit programs have their own numbers.  Here they get the number of the 64-bit call of
 * the same name, else their own plus this.
 */
#define ONLY32 500

static void provide_call(struct probes *ps, const struct provider *pv, const struct pdesc *d,
			 const char *call, int64_t nr)
{
	static const char *const names[] = {"entry", "return"};
	const char *const *aliases = aliases_of(probes_plan(ps), call);

	if (!d->id && !probe_glob(d->func, call) && !probe_is_alias(aliases, d->func))
		return;
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t index = (uint32_t)nr * 2 + k;

		if (d->id ? d->id == pv->ids.first + index : probe_glob(d->name, names[k]))
			add(ps, pv, index, call, names[k], nr, aliases);
	}
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	size_t n, n32;
	const struct kern_syscall *sc = kern_syscalls(&n);
	const struct kern_syscall32 *sc32 = kern_syscalls32(&n32);

	for (size_t i = 0; i < n; i++) {
		assert(sc[i].nr < ONLY32);
		provide_call(ps, pv, d, sc[i].name, sc[i].nr);
	}
	for (size_t i = 0; i < n32; i++)
		if (sc32[i].same < 0)
			provide_call(ps, pv, d, sc32[i].name, ONLY32 + sc32[i].nr);
}

/*
 * Returns a type as the kernel's format files spell it: "const char *" of user memory, "size_t" ...
 */
static struct type *type_by_text(const struct plan *plan, const char *text)
{
	char name[128];
	size_t len = strlen(text), stars = 0;
	unsigned int quals = 0;
	struct type *t;

	while (len && (text[len - 1] == '*' || text[len - 1] == ' '))
		stars += text[--len] == '*';
	if (strncmp(text, "const ", 6) == 0) {
		text += 6;
		len -= 6;
		quals = TYPE_CONST;
	}
	if (len >= sizeof(name))
		return type_int(plan->env.types, 8, true);
	memcpy(name, text, len);
	name[len] = '\0';
	t = type_lookup(plan->env.types, name);
	if (!t)
		t = stars ? type_void(plan->env.types) : type_int(plan->env.types, 8, true);
	t = type_qualified(plan->env.types, t, quals);
	for (; stars; stars--)
		t = type_userland(plan->env.types, type_ptr(plan->env.types, t));
	return t;
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const char *text;

	a->native = arena_new_arr(plan->env.arena, struct type *, 6);
	if (is_entry(p->name)) {
		while (a->nnative < 6 &&
		       kern_syscall_arg(plan->env.kern, p->func, a->nnative, &text))
			a->native[a->nnative++] = type_by_text(plan, text);
	} else {
		a->native[0] = a->native[1] = type_int(plan->env.types, 8, true);
		a->nnative = 2;
	}
}

static int raw_size(const struct plan *plan, const struct probe *p, unsigned int n)
{
	const char *text;
	struct type *t;

	if (!is_entry(p->name) || n >= 6 || !kern_syscall_arg(plan->env.kern, p->func, n, &text))
		return 0;
	t = type_by_text(plan, text);
	if (type_is_pointer(t) || !type_is_scalar(t) || type_base(t)->size >= 8)
		return 0;
	return type_base(t)->is_signed ? -(int)type_base(t)->size : (int)type_base(t)->size;
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return is_entry(p->name) ? "entry" : "return";
}

/* Frequent calls, sorted. */
static const char *const frequent[] = {
    "access",	      "brk",	  "clock_gettime", "clock_nanosleep", "close",	      "epoll_pwait",
    "epoll_wait",     "fcntl",	  "fstat",	   "futex",	      "getegid",      "geteuid",
    "getgid",	      "getpgid",  "getpgrp",	   "getpid",	      "getppid",      "getrandom",
    "getrusage",      "gettid",	  "gettimeofday",  "getuid",	      "io_getevents", "io_submit",
    "io_uring_enter", "ioctl",	  "lseek",	   "lstat",	      "madvise",      "mmap",
    "mprotect",	      "munmap",	  "nanosleep",	   "newfstatat",      "open",	      "openat",
    "poll",	      "ppoll",	  "pread64",	   "preadv",	      "pselect6",     "pwrite64",
    "pwritev",	      "read",	  "readlink",	   "readlinkat",      "readv",	      "recvfrom",
    "recvmmsg",	      "recvmsg",  "rt_sigaction",  "rt_sigprocmask",  "sched_yield",  "select",
    "sendfile",	      "sendmmsg", "sendmsg",	   "sendto",	      "stat",	      "statx",
    "time",	      "umask",	  "write",	   "writev",
};

#define SELDOM_MAX 8 /* maximum number of calls with a perf event each */

static int by_name(const void *name, const void *elem)
{
	return strcmp(name, *(const char *const *)elem);
}

/* Returns true if the enabled calls are few and rarely made, and each has its own tracepoint. */
static bool is_seldom(struct plan *plan, const struct unit *u)
{
	if (u->probes.n > SELDOM_MAX || plan->has_timer)
		return false;
	for (unsigned int i = 0; i < u->probes.n; i++) {
		const char *name = u->probes.a[i]->func;

		if (bsearch(name, frequent, sizeof(frequent) / sizeof(frequent[0]),
			    sizeof(frequent[0]), by_name) ||
		    !kern_syscall_tracepoint(plan->env.kern, name, is_entry(u->place)))
			return false;
	}
	return true;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	const char *name = is_entry(u->place) ? "btf_trace_sys_enter" : "btf_trace_sys_exit";
	if (is_seldom(plan, u)) {
		u->prog_type = BPF_PROG_TYPE_TRACEPOINT;
		return true;
	}
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_RAW_TP;
	u->btf_id = kern_btf_find(plan->env.kern, name, BTF_KIND_TYPEDEF);
	if (!u->btf_id)
		*err = "the kernel has no BTF for its system call tracepoints";
	return u->btf_id != 0;
}

/*
 * Context of a call's own tracepoint: number of the call, and arguments or result (struct
 * syscall_tp_t, kernel/trace/trace_syscalls.c).
 */
#define OWN_NR	 8
#define OWN_ARGS 16

static bool has_own(const struct lw *lw)
{
	return lw->unit->prog_type == BPF_PROG_TYPE_TRACEPOINT;
}

/*
 * Returns the number of arguments that all enabled calls have.  The kernel refuses a program that
 * reads beyond a tracepoint's arguments (perf_event_set_bpf_prog(), kernel/events/core.c).
 */
static unsigned int own_args(const struct lw *lw)
{
	const struct unit *u = lw->unit;
	unsigned int n = 6;
	const char *text;

	for (unsigned int i = 0; i < u->probes.n; i++)
		while (n > 0 &&
		       !kern_syscall_arg(lw->plan->env.kern, u->probes.a[i]->func, n - 1, &text))
			n--;
	return n;
}

/*
 * Returns the registers of the calling thread: argument 0 of the BTF tracepoints.  A call's own
 * tracepoint lacks them.
 */
static struct val regs(struct lw *lw)
{
	struct type *t =
	    type_resolve(lw->plan->env.types, type_lookup(lw->plan->env.types, "struct pt_regs"));

	return (struct val){.v = has_own(lw)
				     ? lw_helper(lw, BPF_FUNC_task_pt_regs, lw_current(lw).v, NULL)
				     : lw_load_pure(lw, 8, lw->firing.ctx, 0, IR_MEM_CTX),
			    .type = t,
			    .place = PLACE_BTF,
			    .btf = t};
}

static struct ir_ins *number(struct lw *lw)
{
	struct val r = regs(lw);
	const struct type_member *m;
	uint64_t off = 0;

	m = type_member(lw->plan->env.types, r.type, arch_native->syscall_nr, &off);
	return lw_load(lw, r, m->type, off, 0).v;
}

/* Returns not 0 for a 32-bit call. */
static struct ir_ins *is_compat(struct lw *lw)
{
	const char *const path[] = {"thread_info", arch_native->compat_word};
	struct val task = lw_current(lw);
	struct type *t = task.btf;
	const struct type_member *m = NULL;
	uint64_t off = 0, total = 0;
	struct ir_ins *word;

	for (unsigned int i = 0; i < 2; i++) {
		m = type_member(lw->plan->env.types, t, path[i], &off);
		t = type_resolve(lw->plan->env.types, m->type);
		total += off;
	}
	word = lw_load(lw, lw_deref(lw, task, task.btf), m->type, total, 0).v;
	return lw_bini(lw, IR_AND, word, (int64_t)arch_native->compat_bit);
}

/* Returns the number here of a 32-bit call, from a table; -1: no such call. */
static struct ir_ins *number32(struct lw *lw, struct ir_ins *nr)
{
	size_t n;
	const struct kern_syscall32 *sc = kern_syscalls32(&n);
	uint32_t size = (uint32_t)sc[n - 1].nr + 2, off;
	int32_t *table = arena_new_arr(lw->mod->arena, int32_t, size);
	struct ir_ins *row;

	for (uint32_t i = 0; i < size; i++)
		table[i] = -1;
	for (size_t i = 0; i < n; i++)
		table[sc[i].nr] = sc[i].same < 0 ? ONLY32 + sc[i].nr : sc[i].same;
	off = lw_bytes(lw, table, size * 4, 4);
	row = lw_bini(lw, IR_SHL, lw_umin(lw, nr, lw_const(lw, size - 1)), 2);
	return ir_load(&lw->b, 4, ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_RODATA, off), row),
		       0, IR_MEM_MAP);
}

static bool has_table32(void)
{
	size_t n;

	kern_syscalls32(&n);
	return n != 0;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	struct ir_block *set, *done;
	struct ir_ins *nr;
	unsigned int var, mark;

	if (has_own(lw))
		return lw_load_pure(lw, 4, lw->firing.ctx, OWN_NR, IR_MEM_CTX);
	nr = is_entry(lw->unit->place) ? lw_load_pure(lw, 8, lw->firing.ctx, 8, IR_MEM_CTX)
				       : number(lw);
	if (!has_table32())
		return nr;
	set = lw_block(lw);
	done = lw_block(lw);
	var = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, var, nr);
	lw_if(lw, is_compat(lw), set, done);
	lw_seal_at(lw, set);
	mark = lw_push(lw);
	ir_var_write(&lw->b, var, number32(lw, nr));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* Returns the kernel's return value: a result, or a negative error number. */
static struct ir_ins *retval(struct lw *lw)
{
	return lw_load_pure(lw, 8, lw->firing.ctx, has_own(lw) ? OWN_ARGS : 8, IR_MEM_CTX);
}

static struct ir_ins *has_failed(struct lw *lw)
{
	return lw_bin(lw, IR_ULE, lw_const(lw, -ERRNO_MAX), retval(lw));
}

static struct ir_ins *choose(struct lw *lw, struct ir_ins *cond, struct ir_ins *yes,
			     struct ir_ins *no)
{
	struct ir_block *set = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);

	ir_var_write(&lw->b, var, no);
	lw_if(lw, cond, set, done);
	lw_seal_at(lw, set);
	ir_var_write(&lw->b, var, yes);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct ir_ins *reg(struct lw *lw, unsigned int n)
{
	return lw_load(lw, regs(lw), type_int(lw->plan->env.types, 8, false), n * 8, 0).v;
}

/* Returns an argument.  In a 32-bit call it is the lower half of another register. */
static struct ir_ins *entry_arg(struct lw *lw, unsigned int n, bool is_signed)
{
	struct ir_block *set, *done;
	unsigned int var, mark;

	if (has_own(lw) && n < own_args(lw))
		return lw_load_pure(lw, 8, lw->firing.ctx, OWN_ARGS + 8 * n, IR_MEM_CTX);
	if (has_own(lw) || !has_table32())
		return reg(lw, arch_native->syscall_args[n]);
	set = lw_block(lw);
	done = lw_block(lw);
	var = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, var, reg(lw, arch_native->syscall_args[n]));
	lw_if(lw, is_compat(lw), set, done);
	lw_seal_at(lw, set);
	mark = lw_push(lw);
	ir_var_write(&lw->b, var,
		     lw_norm(lw, reg(lw, arch_native->compat_args[n]),
			     type_int(lw->plan->env.types, 4, is_signed)));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	if (is_entry(lw->unit->place) && n >= 6)
		return lw_const(lw, 0);
	if (is_entry(lw->unit->place))
		return entry_arg(lw, n, false);
	if (n > 1)
		return lw_const(lw, 0);
	return choose(lw, has_failed(lw), lw_const(lw, -1), retval(lw));
}

static struct ir_ins *err(struct lw *lw)
{
	struct ir_ins *error, *is_restart;

	if (is_entry(lw->unit->place))
		return lw_const(lw, 0);
	error = choose(lw, has_failed(lw), lw_un(lw, IR_NEG, retval(lw)), lw_const(lw, 0));
	is_restart = lw_bini(lw, IR_ULE, lw_bini(lw, IR_SUB, error, RESTART_FIRST),
			     RESTART_LAST - RESTART_FIRST);
	return choose(lw, is_restart, lw_const(lw, EINTR), error);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	bool is_ptr = type_is_pointer(type);
	bool is_signed = !is_ptr && type_base(type)->is_signed;
	struct ir_ins *v = is_entry(lw->unit->place) && is_signed && n < ARCH_SYSCALL_ARGS
			       ? entry_arg(lw, n, true)
			       : rawarg(lw, n);

	return (struct val){
	    .v = lw_norm(lw, v, type), .type = type, .place = is_ptr ? PLACE_USER : PLACE_SCALAR};
}

/*
 * A call's own tracepoint does not fire for 32-bit calls.  If their numbers are unknown, their
 * numbers would mean other calls.
 */
static struct ir_ins *is_ours(struct lw *lw)
{
	if (has_own(lw) || has_table32())
		return lw_const(lw, 1);
	return lw_bini(lw, IR_EQ, is_compat(lw), 0);
}

/*
 * Frames of a call's own tracepoint: the helper, the program, then the parts of trace_call_bpf(),
 * perf_call_bpf_enter() ... that were not inlined (kernel/trace/trace_syscalls.c).
 */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	bool enters = is_entry(u->place);

	if (u->prog_type != BPF_PROG_TYPE_TRACEPOINT)
		return unit_tracepoint_frames(plan, enters ? "sys_enter" : "sys_exit");
	return (struct own_frames){
	    .least = 2,
	    .more = 7,
	    .in = {enters ? "perf_syscall_enter" : "perf_syscall_exit",
		   enters ? "__traceiter_sys_enter" : "__traceiter_sys_exit"}};
}

static int attach_own(struct plan *plan, struct unit *u, struct probe *p)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr)};
	struct machine *m = kern_machine(plan->env.kern);
	int fd;

	attr.config = kern_syscall_tracepoint(plan->env.kern, p->func, is_entry(u->place));
	/* An event on any CPU makes the tracepoint run its programs on all. */
	fd = sys_perf_open(m, &attr, NULL, -1, 0);
	if (fd < 0)
		return fd;
	vec_push(&u->links, fd);
	return sys_perf_program(m, fd, u->fd);
}

static int attach(struct plan *plan, struct unit *u, const char **err_text)
{
	int r = 0;

	if (u->prog_type != BPF_PROG_TYPE_TRACEPOINT)
		return unit_attach(plan, u, "system call tracepoint", err_text);
	for (unsigned int i = 0; i < u->probes.n && r == 0; i++) {
		r = attach_own(plan, u, u->probes.a[i]);
		if (r)
			*err_text = arena_printf(plan->env.arena, "system call %s: %s",
						 u->probes.a[i]->func, strerror(-r));
	}
	return r;
}

const struct provider provider_syscall = {
    .name = "syscall",
    .ids = {5000, 2000},
    .attrs = {"Evolving/Evolving/Common", "Private/Private/Unknown", "Private/Private/ISA",
	      "Evolving/Evolving/Common", "Private/Private/ISA"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .dispatch = dispatch,
    .applies = is_ours,
    .arg = arg,
    .rawarg = rawarg,
    .raw_size = raw_size,
    .own_frames = own_frames,
    .err = err,
    .attach = attach,
    .absent = absent,
    .is_gated = true,
    .is_gate = true,
    .has_dear_args = true,
};
