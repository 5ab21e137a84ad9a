/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtrace.c: BEGIN, END and ERROR.  BEGIN and END are raw tracepoint programs that the session runs
 * itself (BPF_PROG_TEST_RUN).  The clauses of ERROR are a function in every other program.
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "lower/leaf.h"

enum { BEGIN, END, ERROR };

#define IDS          \
	{            \
		1, 3 \
	}

extern const struct provider provider_dtrace;
static const struct provider provider_error;

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	probe_add(ps, &provider_dtrace, BEGIN, "dtrace", "", "", "BEGIN")->fired = FIRED_AT_BEGIN;
	probe_add(ps, &provider_dtrace, END, "dtrace", "", "", "END")->fired = FIRED_AT_END;
	probe_add(ps, &provider_error, ERROR, "dtrace", "", "", "ERROR");
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	return true;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	return lw_const(lw, 0);
}

/*
 * Parameters of the function: context, epid, action, fault, value.  A program offset does not
 * exist.  The value may be an address that the verifier knows as a pointer, and so forbids
 * arithmetic on it.
 */
static struct ir_ins *error_rawarg(struct lw *lw, unsigned int n)
{
	switch (n) {
	case 1:
	case 2:
		return ir_arg(&lw->b, n);
	case 3:
		return lw_const(lw, -1);
	case 4:
		return ir_arg(&lw->b, 3);
	case 5:
		return lw_number(lw, (struct val){.v = ir_arg(&lw->b, 4), .place = PLACE_SAFE});
	default:
		return lw_const(lw, 0);
	}
}

/* The frames are the program, and the functions that run it for the system call. */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){
	    .least = 1,
	    .more = 2,
	    .in = {"__bpf_prog_test_run_raw_tp", "bpf_prog_test_run_raw_tp"}};
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return 0;
}

#define ATTRS                                                                                 \
	{                                                                                     \
		"Stable/Stable/Common", "Private/Private/Unknown", "Private/Private/Unknown", \
		    "Stable/Stable/Common", "Stable/Stable/Common"                            \
	}

static const char *const reserved[] = {"BEGIN", "END", "ERROR", NULL};

const struct provider provider_dtrace = {
    .name = "dtrace",
    .ids = IDS,
    .reserved = reserved,
    .attrs = ATTRS,
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = arg,
    .rawarg = rawarg,
    .own_frames = own_frames,
    .attach = attach,
};

static const struct provider provider_error = {
    .name = "dtrace",
    .ids = IDS,
    .attrs = ATTRS,
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = arg,
    .rawarg = error_rawarg,
    .attach = attach,
    .is_error = true,
    /* It is a part of every program, which may have several faults in a firing. */
    .has_irqs_off = true,
    .may_nest = true,
};
