/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kprobe.c: attaches a program to places of the kernel.  Functions use one link if the kernel
 * supports it (from 5.18 on, with CONFIG_FPROBE).  All other places use a perf event each.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/arena.h"
#include "base/progress.h"
#include "kern/kern.h"
#include "prov/kprobe.h"
#include "sys/bpf.h"
#include "sys/machine.h"

/* Each perf event takes a descriptor, and time at the end. */
#define EVENTS_MAX 512U

bool kprobe_in_ring(const struct probe *p)
{
	return strncmp(p->func, "_raw_spin_", 10) == 0 || strstr(p->func, "queued_spin_") != NULL;
}

void kprobe_program(struct plan *plan, struct unit *u, bool is_func)
{
	u->prog_type = BPF_PROG_TYPE_KPROBE;
	u->attach_type =
	    is_func && kern_has(plan->env.kern, KERN_KPROBE_MULTI) ? BPF_TRACE_KPROBE_MULTI : 0;
	u->is_exact = true;
}

struct attach {
	struct plan *plan;
	struct unit *u;
	const kprobe_list *list;
	bool is_return;
	VEC(unsigned long) addrs;
	VEC(uint64_t) cookies;
	unsigned int done;
	int err; /* the last refusal, and its probe */
	const struct probe *refused;
};

static int attach_multi(const struct attach *a, unsigned int first, unsigned int n)
{
	return sys_link_kprobes(kern_machine(a->plan->env.kern), a->u->fd,
				a->is_return ? BPF_F_KPROBE_MULTI_RETURN : 0, &a->addrs.a[first],
				&a->cookies.a[first], n);
}

/* Bit 0 of config selects the return (Documentation/ABI/testing/sysfs-bus-event_source-devices). */
static int attach_event(const struct attach *a, unsigned int i)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .config = a->is_return};
	struct machine *m = kern_machine(a->plan->env.kern);
	int event, link;

	attr.type = kern_event_type(a->plan->env.kern, "kprobe");
	attr.config2 = a->addrs.a[i];
	event = sys_perf_open(m, &attr, NULL, -1, 0);
	if (event < 0)
		return event;
	link = sys_link_event(m, a->u->fd, event, a->cookies.a[i]);
	sys_close(m, event);
	return link;
}

/* If the kernel refuses one of many places it does not say which, so halves are tried. */
static int attach_range(struct attach *a, unsigned int first, unsigned int n)
{
	bool is_multi = a->u->attach_type == BPF_TRACE_KPROBE_MULTI;
	int r;

	if (a->plan->env.signals && *a->plan->env.signals)
		return -EINTR;
	if (n == 1 || is_multi) {
		progress_at("attaching to functions", first, a->list->n);
		r = is_multi ? attach_multi(a, first, n) : attach_event(a, first);
		if (r >= 0) {
			vec_push(&a->u->links, r);
			a->done += n;
			return 0;
		}
		a->err = r;
		a->refused = a->list->a[first].probe;
		if (r == -EMFILE || r == -ENOMEM || r == -EPERM || r == -EACCES)
			return r;
		if (n == 1)
			return a->list->a[first].is_optional ? 0 : r;
	}
	r = attach_range(a, first, n / 2);
	return r ? r : attach_range(a, first + n / 2, n - n / 2);
}

/* Errors of register_kprobe() and its callees (kernel/kprobes.c, kernel/trace/trace_kprobe.c). */
static const char *reason(int err)
{
	return err == -EILSEQ	? "the kernel finds no start of an instruction there"
	       : err == -EINVAL ? "the kernel allows no probe there"
				: strerror(-err);
}

int kprobe_attach(struct plan *plan, struct unit *u, const kprobe_list *list, bool is_return,
		  const char **err)
{
	struct attach a = {.plan = plan, .u = u, .list = list, .is_return = is_return};
	int r = 0;

	if (u->attach_type != BPF_TRACE_KPROBE_MULTI && list->n > EVENTS_MAX) {
		*err = arena_printf(
		    plan->env.arena,
		    "%u probes are too many: this kernel attaches them one by one, at most %u",
		    list->n, EVENTS_MAX);
		return -E2BIG;
	}
	for (unsigned int i = 0; i < list->n; i++) {
		vec_push(&a.addrs, (unsigned long)list->a[i].addr);
		vec_push(&a.cookies, list->a[i].cookie);
	}
	if (list->n)
		r = attach_range(&a, 0, list->n);
	if (r == 0 && !a.done)
		r = a.err ? a.err : -ENOENT;
	if (r) {
		const struct probe *p = a.refused ? a.refused : u->probes.a[0];

		*err = arena_printf(plan->env.arena, "%s:%s: %s", p->func, p->name, reason(r));
	}
	vec_free(&a.addrs);
	vec_free(&a.cookies);
	return r;
}
