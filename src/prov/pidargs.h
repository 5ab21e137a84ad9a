/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidargs.h: places of the arguments and results of functions of processes, for args[].
 *
 * Most places come from debug information (proc/info.h).  The others follow from the types: System
 * V ABI, AMD64 supplement, 3.2.3; Procedure Call Standard for the Arm 64-bit Architecture, 6.8;
 * Go's internal ABI (go.dev/s/regabi).  Rust documents no convention, so only the forms whose
 * passing has never changed are supported.
 */
#ifndef PROV_PIDARGS_H
#define PROV_PIDARGS_H

#include "plan/plan.h"
#include "proc/info.h"

#define PID_ARG_PIECES 4

/* An argument. */
struct pid_arg {
	const char *why; /* reason why it is unknown, as the end of a sentence; NULL: it is known */
	bool is_address; /* the pieces are the address of the argument */
	unsigned int npieces;
	struct pid_piece {
		enum info_piece_kind kind;
		unsigned int reg; /* offset in struct pt_regs */
		int64_t n;	  /* INFO_MEM: bytes from there; INFO_VALUE: the value */
		uint32_t off;	  /* bytes from the start of the argument */
	} pieces[PID_ARG_PIECES];
};

struct pid_args {
	unsigned int n;
	struct pid_arg *a;
};

/*
 * Return the places of a function's parameters, or of its results.  If the compiler was free to
 * change the convention, types do not determine places.
 */
struct pid_args *pidargs_params(struct plan *plan, struct info *in, const struct info_function *f);
struct pid_args *pidargs_results(struct plan *plan, struct info *in, const struct info_function *f);

#endif
