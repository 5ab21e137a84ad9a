/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidfind.h: finds probes of the pid provider.
 *
 * A probe has one or more places: functions of the same name, and the instructions at which one
 * returns.  The cookie of each place has the number of the probe and the position in the function.
 */
#ifndef PROV_PIDFIND_H
#define PROV_PIDFIND_H

#include "prov/process.h"

/* Kinds of places.  PID_NARROW_ENTRY is an entry in a program of 32 bits. */
enum pid_kind { PID_ENTRY, PID_RETURN, PID_OFFSET, PID_NARROW_ENTRY, PID_KINDS };

struct pid_probe {
	struct process_probe in;
	struct probe *probe;
	enum pid_kind kind;
	uint64_t func;	       /* address of the function in the file; 0: none */
	struct pid_args *args; /* places of args[]; NULL: not used */
};

/*
 * A cookie: number of the probe, condition of a jump (enum insn_cond), whether the place is a hook
 * of the function's return, enum arch_caller, offset in the function, kind.
 */
#define PID_NUMBER_BITS	 20
#define PID_COND_SHIFT	 20
#define PID_COND_BITS	 7
#define PID_HOOK_SHIFT	 27
#define PID_CALLER_SHIFT 30
#define PID_OFFSET_SHIFT 32
#define PID_KIND_SHIFT	 62

/* The provider's provide(). */
void pidfind(struct probes *ps, const struct provider *pv, const struct pdesc *d);

#endif
