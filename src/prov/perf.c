/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.c: programs that perf events run.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "kern/kern.h"
#include "prov/perf.h"
#include "sys/bpf.h"

void perf_args(struct plan *plan, struct probe *p, struct lang_args *a)
{
}

bool perf_program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_PERF_EVENT;
	return true;
}

struct val perf_arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
}

static struct ir_ins *is_user(struct lw *lw)
{
	struct ir_ins *mode = lw_load_pure(lw, 8, lw->firing.ctx, arch_native->mode, IR_MEM_CTX);
	struct ir_ins *bits = lw_bini(lw, IR_AND, mode, (int64_t)arch_native->mode_mask);

	return arch_native->user_is_zero ? lw_bini(lw, IR_EQ, bits, 0) : bits;
}

struct ir_ins *perf_rawarg(struct lw *lw, unsigned int n)
{
	struct ir_block *zero, *done;
	struct ir_ins *pc, *user;
	unsigned int var;

	if (n > 1)
		return lw_const(lw, 0);
	pc = lw_load_pure(lw, 8, lw->firing.ctx, arch_native->pc, IR_MEM_CTX);
	user = is_user(lw);
	zero = lw_block(lw);
	done = lw_block(lw);
	var = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, var, pc);
	if (n == 0)
		lw_if(lw, user, zero, done);
	else
		lw_if(lw, user, done, zero);
	lw_seal_at(lw, zero);
	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static int attach_cpu(struct machine *m, struct unit *u, const struct perf_event_attr *attr,
		      int cpu)
{
	struct perf_event_attr copy = *attr;
	int fd = sys_perf_open(m, &copy, NULL, -1, cpu), r;

	if (fd < 0)
		return fd;
	vec_push(&u->links, fd);
	r = sys_perf_program(m, fd, u->fd);
	return r ? r : sys_perf_enable(m, fd);
}

int perf_attach(struct plan *plan, struct unit *u, const struct perf_event_attr *attr, bool one_cpu,
		const char **err)
{
	unsigned int n;
	const int *cpus = kern_cpus_online(plan->env.kern, &n);
	int r = 0;

	/* With -x cpu the other CPUs would fire for nothing. */
	if (plan->opt.cpu >= 0) {
		cpus = &plan->opt.cpu;
		n = 1;
	}
	for (unsigned int i = 0; i < (one_cpu ? 1 : n) && r == 0; i++)
		r = attach_cpu(kern_machine(plan->env.kern), u, attr, cpus[i]);
	if (r)
		*err = arena_printf(plan->env.arena, "perf event for %s: %s", u->probes.a[0]->name,
				    strerror(-r));
	return r;
}
