/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c: profile-N on every CPU and tick-N on one, from the perf software event cpu-clock,
 * which also fires on idle CPUs.  Intervals below 10 us are raised to that: the kernel does not go
 * lower (measured on 6.18: asked for 10 us and less, 72 to 81 thousand firings a second).
 */
#include <asm/unistd.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/rate.h"
#include "kern/kern.h"
#include "lower/leaf.h"

#define INTERVAL_MIN 200000 /* ns */

static const char *const standard[] = {
    "profile-97",   "profile-199",  "profile-499", "profile-997", "profile-1999",
    "profile-4001", "profile-4999", "tick-1",	   "tick-10",	  "tick-100",
    "tick-500",	    "tick-1000",    "tick-5000"};

#define NSTANDARD (sizeof(standard) / sizeof(standard[0]))

/* Interval in ns of "tick-10ms", 0 if it is not a name of ours or too short. */
static uint64_t interval(const char *name)
{
	const char *p = strncmp(name, "tick-", 5) == 0	    ? name + 5
			: strncmp(name, "profile-", 8) == 0 ? name + 8
							    : NULL;
	uint64_t ns;

	if (!p || !rate_parse(p, RATE_HZ, &ns) || strtoull(p, NULL, 10) == 0)
		return 0;
	return ns < INTERVAL_MIN ? 0 : ns;
}

static bool is_tick(const struct probe *p)
{
	return p->name[0] == 't';
}

static void add(struct probes *ps, const struct provider *pv, uint64_t index, const char *name)
{
	struct probe *p = probe_add_near(ps, pv, index, "profile", "", "", name);

	if (p)
		p->key = (int64_t)interval(name);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	bool is_standard = false;

	for (uint32_t i = 0; i < NSTANDARD; i++) {
		if (!probe_glob(d->name, standard[i]) && !d->id)
			continue;
		add(ps, pv, i, standard[i]);
		is_standard = true;
	}
	if (!is_standard && d->name && interval(d->name))
		add(ps, pv, NSTANDARD + probe_index("", d->name) % (pv->ids.n - NSTANDARD),
		    d->name);
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
	u->prog_type = BPF_PROG_TYPE_PERF_EVENT;
	return true;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
}

static struct ir_ins *is_user(struct lw *lw)
{
	struct ir_ins *mode = lw_load_pure(lw, 8, lw->firing.ctx, arch_native->mode, IR_MEM_CTX);
	struct ir_ins *bits = lw_bini(lw, IR_AND, mode, (int64_t)arch_native->mode_mask);

	return arch_native->user_is_zero ? lw_bini(lw, IR_EQ, bits, 0) : bits;
}

/* arg0: kernel pc or 0, arg1: user pc or 0. */
static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
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

static int attach_cpu(struct unit *u, uint64_t ns, int cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_CPU_CLOCK,
				       .sample_period = ns};
	int fd = (int)syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	vec_push(&u->links, fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, u->fd) != 0 ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0)
		return -errno;
	return 0;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	struct probe *p = u->probes.a[0];
	unsigned int n;
	const int *cpus = kern_cpus_online(plan->kern, &n);
	int r = 0;

	/* With -x cpu the other CPUs would fire for nothing. */
	if (plan->cpu >= 0) {
		cpus = &plan->cpu;
		n = 1;
	}
	for (unsigned int i = 0; i < (is_tick(p) ? 1 : n) && r == 0; i++)
		r = attach_cpu(u, (uint64_t)p->key, cpus[i]);
	if (r)
		*err = arena_printf(plan->arena, "perf event for %s: %s", p->name, strerror(-r));
	return r;
}

const struct provider provider_profile = {
    .name = "profile",
    .ids = {10, 890},
    .attrs = {"Evolving/Evolving/Common", "Unstable/Unstable/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/Common", "Evolving/Evolving/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = arg,
    .rawarg = rawarg,
    .attach = attach,
    .is_gated = true,
    .is_timer = true,
    .has_irqs_off = true,
};
