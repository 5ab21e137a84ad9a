/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h: what the providers share whose probes are in processes: descriptions whose provider
 * ends with the number of one, and where registers and notes say that a value is.
 */
#ifndef PROV_PROCESS_H
#define PROV_PROCESS_H

#include "lang/lang.h"
#include "lower/leaf.h"
#include "plan/plan.h"
#include "proc/proc.h"

/* A place of a probe: breakpoints (uprobe.h) in a file that processes run. */
struct process_place {
	const struct proc_object *object;
	const char *file; /* path of it, for the kernel */
	uint64_t off, semaphore;
	uint64_t cookie;
	bool is_attached;
	struct process_place *next;
};

/* What probe->data of all these providers begins with. */
struct process_probe {
	uint32_t pid;	  /* 0: all processes */
	bool is_optional; /* no error if the kernel refuses an instruction */
	struct process_place *places;
};

/*
 * Whether the probe has a place of a file already; if that is not attached yet, it may be so by
 * another path now, as the first process that mapped it may have gone.
 */
bool process_place_again(const struct process_probe *p, const struct proc_object *object,
			 uint64_t off, const char *file);

/* Of struct provider, the same for all. */
bool process_program(struct plan *plan, struct unit *u, const char **err);
bool process_another(struct plan *plan, struct unit *u);
struct ir_ins *process_applies(struct lw *lw);
bool process_has_more(const struct probe *p);
int process_attach(struct plan *plan, struct unit *u, const char **err);

/* A field of a description that more than one name can match. */
bool process_is_pattern(const char *field);

/*
 * The process that a description's provider ends with, read and kept; *base is the length of what
 * stands in front of it.  NULL: it ends otherwise, or, with a diagnostic, in no process that can be
 * traced.  Diagnostics are those of one provider, which asks with is_pid.
 */
struct proc *process_of(struct plan *plan, const struct pdesc *d, bool is_pid, size_t *base);

/* A pattern that means processes by their numbers, all or some: pid*. */
bool process_is_all_pids(const struct pdesc *d);

/* The children of a process, theirs, and so on: n of those that probes are looked for in now. */
const uint32_t *process_family(struct plan *plan, uint32_t pid, unsigned int *n);

/*
 * Whether probes of a description may come while tracing goes on: the provider names a process, or
 * may be that of any.  Of pid, and of others.
 */
bool process_comes_later(const struct pdesc *d, bool is_pid, uint32_t *pid);

/*
 * Whether a breakpoint on an instruction may spoil the process, `at` bytes behind the start of its
 * function.  Of a nop as long as a call Linux 6.18 makes a call, which writes below the stack
 * pointer (arch_uprobe_optimize, arch/x86/kernel/uprobes.c): there functions that call no others
 * keep variables (the red zone of the x86-64 ABI), but not yet where they begin.
 */
bool process_is_spoilt(struct plan *plan, bool is_call_nop, uint64_t at);

#endif
