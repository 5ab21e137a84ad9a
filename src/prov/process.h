/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h: code that the providers of probes in processes share: descriptions whose provider ends
 * with a process number, and values in registers and notes.
 */
#ifndef PROV_PROCESS_H
#define PROV_PROCESS_H

#include "attach/uprobe.h"
#include "lang/lang.h"
#include "lower/leaf.h"
#include "plan/plan.h"
#include "proc/func.h"
#include "proc/proc.h"

/* A place of a probe: breakpoints (uprobe.h) in a file that processes execute. */
struct process_place {
	const struct proc_object *object;
	const char *file; /* path for the kernel */
	uint64_t off, semaphore;
	uint64_t cookie;
	bool is_hook; /* see struct uprobe */
	bool is_attached;
	struct process_place *next;
};

/* Start of probe->data of all these providers. */
struct process_probe {
	uint32_t pid; /* 0: all processes */
	enum uprobe_need need;
	struct process_place *places;
};

/*
 * Returns true if the probe already has a place of a file.  If that is not attached yet, sets its
 * path to FILE, since the first process that mapped the file may be gone.
 */
bool process_place_again(const struct process_probe *p, const struct proc_object *object,
			 uint64_t off, const char *file);

/* Members of struct provider that are equal for all. */
bool process_program(struct plan *plan, struct unit *u, const char **err);
bool process_another(struct plan *plan, struct unit *u);
struct ir_ins *process_applies(struct lw *lw);
bool process_has_more(const struct probe *p);
int process_attach(struct plan *plan, struct unit *u, const char **err);

/* Returns true for a field of a description that several names can match. */
bool process_is_pattern(const char *field);

/*
 * Returns the process whose number ends a description's provider, and keeps it.  Sets *base to the
 * length of the text before the number.  NULL: there is no number, or a diagnostic has been
 * reported because the process cannot be traced.  Only one provider, with is_pid, reports it.
 */
struct proc *process_of(struct plan *plan, const struct pdesc *d, bool is_pid, size_t *base);

/* Returns true for a pattern of processes by their numbers, all or some: pid*. */
bool process_is_all_pids(const struct pdesc *d);

/* Returns the n descendants of a process in which probes are searched now. */
const uint32_t *process_family(struct plan *plan, uint32_t pid, unsigned int *n);

/*
 * Returns true if probes of a description may come during tracing: the provider names a process, or
 * is a pattern.  is_pid: for provider pid, else for others.
 */
bool process_comes_later(const struct pdesc *d, bool is_pid, uint32_t *pid);

/*
 * Returns true if a breakpoint on an instruction may harm the process.  Linux 6.18 replaces a nop
 * as long as a call by a call, which writes below the stack pointer (arch_uprobe_optimize,
 * arch/x86/kernel/uprobes.c): leaf functions keep variables there (the red zone of the x86-64 ABI).
 * The call leads to a page that fork(2) does not copy, so that a child that makes it dies, even
 * after tracing has ended.
 */
bool process_is_spoilt(struct plan *plan, bool is_call_nop);

/* Returns the length of such a nop at an offset of the file open as fd; 0: there is none. */
uint32_t process_spoilt_nop(struct plan *plan, int fd, uint64_t off);

/*
 * Returns true if the instruction at an offset of a function can stand for the nop before it: no
 * jump leads there, and a breakpoint does no harm.
 */
bool process_stands_in(const struct func *f, uint32_t off);

#endif
