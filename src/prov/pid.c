/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c: functions and instructions of processes: pid123:OBJECT:FUNCTION:entry, return, OFFSET.
 *
 * A description that names a process creates its probes (pidfind.h): from the symbols of the files
 * mapped there, and from decoding the functions (proc/).
 *
 * The kernel puts a breakpoint on each place (uprobes).  All of a process run one program, which
 * the cookie tells where it fires.
 *
 * The kernel could catch returns itself (uretprobe), but that changes the return addresses on the
 * stack, which breaks programs that look at them: setjmp(), exceptions of C++.
 */
#include <bpf/bpf.h>

#include "arch/arch.h"
#include "prov/call.h"
#include "prov/pidfind.h"

static const struct pid_probe *own(const struct probe *p)
{
	return p->data;
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->prov;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	return lw_bini(lw, IR_AND, call_cookie(lw), (1 << PID_NUMBER_BITS) - 1);
}

static struct ir_ins *return_address(struct lw *lw, struct ir_ins *caller)
{
	struct ir_ins *below;
	struct tmp t;

	if (arch_native->link)
		return call_reg(lw, arch_native->link);
	below = lw_bini(lw, IR_SUB, caller, ARCH_CALLER_ON_TOP);
	t = lw_slot(lw, 8);
	ir_store(&lw->b, 8, t.p, 0, lw_const(lw, 0), t.mem);
	lw_helper(lw, BPF_FUNC_probe_read_user, t.p, lw_const(lw, 8),
		  lw_bin(lw, IR_ADD, call_reg(lw, arch_native->sp), lw_bini(lw, IR_SHL, below, 3)),
		  NULL);
	return ir_load(&lw->b, 8, t.p, 0, t.mem);
}

static struct ir_ins *hidden_caller(struct lw *lw)
{
	struct ir_ins *caller =
	    lw_bini(lw, IR_AND, lw_bini(lw, IR_LSHR, call_cookie(lw), PID_CALLER_SHIFT), 3);
	struct ir_block *hidden = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;

	ir_var_write(&lw->b, var, lw_const(lw, 0));
	lw_if(lw, caller, hidden, done);
	lw_seal_at(lw, hidden);
	mark = lw_push(lw);
	ir_var_write(&lw->b, var, return_address(lw, caller));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* arg0: where in the function it returns, arg1: what. */
static struct ir_ins *return_arg(struct lw *lw, unsigned int n)
{
	if (n == 0)
		return lw_bini(lw, IR_ASHR,
			       lw_bini(lw, IR_SHL, call_cookie(lw), 64 - PID_KIND_SHIFT),
			       64 - PID_KIND_SHIFT + PID_OFFSET_SHIFT);
	return n == 1 ? call_reg(lw, arch_native->result) : lw_const(lw, 0);
}

static struct ir_ins *arg_of(struct lw *lw, enum pid_kind kind, unsigned int n)
{
	switch (kind) {
	case PID_ENTRY:
		return call_arg(lw, n, PLACE_USER);
	case PID_RETURN:
		return return_arg(lw, n);
	case PID_OFFSET:
		break;
	}
	return lw_const(lw, 0);
}

/* Probes of one group may be of several kinds: pid123::main: has all. */
static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	bool has[PID_OFFSET + 1] = {false};
	unsigned int var = ir_var_new(lw->b.func), kinds = 0, all;
	struct ir_ins *which;
	struct ir_block *done;
	enum pid_kind kind = PID_ENTRY;

	for (unsigned int i = 0; i < lw->firing.group->probes.n; i++) {
		kind = own(lw->firing.group->probes.a[i])->kind;
		kinds += !has[kind];
		has[kind] = true;
	}
	if (kinds == 1)
		return arg_of(lw, kind, n);
	done = lw_block(lw);
	which = lw_bini(lw, IR_LSHR, call_cookie(lw), PID_KIND_SHIFT);
	all = lw_push(lw);
	for (kind = PID_ENTRY; kind < PID_OFFSET; kind++) {
		struct ir_block *yes = lw_block(lw), *no = lw_block(lw);
		unsigned int one;

		lw_if(lw, lw_bini(lw, IR_EQ, which, (int64_t)kind), yes, no);
		one = lw_push(lw);
		lw_seal_at(lw, yes);
		ir_var_write(&lw->b, var, arg_of(lw, kind, n));
		ir_jmp(&lw->b, done);
		lw_pop(lw, one);
		lw_seal_at(lw, no);
	}
	ir_var_write(&lw->b, var, arg_of(lw, PID_OFFSET, n));
	ir_jmp(&lw->b, done);
	lw_pop(lw, all);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = rawarg(lw, n), .type = type, .place = PLACE_SCALAR};
}

static bool comes_later(const struct pdesc *d, uint32_t *pid)
{
	return process_comes_later(d, true, pid);
}

const struct provider provider_pid = {
    .name = "pid",
    .ids = {600000, 2000000000},
    .attrs = {"Evolving/Evolving/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/ISA", "Private/Private/Unknown"},
    .provide = pidfind,
    .args = args,
    .place = place,
    .program = process_program,
    .another = process_another,
    .dispatch = dispatch,
    .applies = process_applies,
    .arg = arg,
    .rawarg = rawarg,
    .hidden_caller = hidden_caller,
    .attach = process_attach,
    .comes_later = comes_later,
    .has_more = process_has_more,
    .matches_prefix = true,
    .is_gated = true,
    .may_nest = true,
};
