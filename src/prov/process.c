/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.c: finds the process that a description names.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "kern/kern.h"
#include "prov/process.h"
#include "sys/machine.h"

static const struct process_probe *own(const struct probe *p)
{
	return p->data;
}

bool process_place_again(const struct process_probe *p, const struct proc_object *object,
			 uint64_t off, const char *file)
{
	struct process_place *pl = p->places;

	while (pl && (pl->object != object || pl->off != off))
		pl = pl->next;
	if (pl && !pl->is_attached)
		pl->file = file;
	return pl != NULL;
}

bool process_program(struct plan *plan, struct unit *u, const char **err)
{
	uprobe_program(plan, u);
	u->is_exact = true;
	u->may_sleep = true;
	return true;
}

/* Sleepable programs lack some features.  Tries without sleeping. */
bool process_another(struct plan *plan, struct unit *u)
{
	bool may_sleep = u->may_sleep;

	u->may_sleep = false;
	return may_sleep;
}

/*
 * A child between vfork() and exec() runs in the memory of its parent.  dtrace itself is never
 * traced, because each record would cause more.
 */
struct ir_ins *process_applies(struct lw *lw)
{
	uint32_t pid = own(lw->firing.group->probes.a[0])->pid;

	if (!pid)
		return lw_bini(lw, IR_NE, lw_own_pid(lw), getpid());
	return lw->plan->opt.follows
		   ? lw_progenyof(lw, lw_const(lw, kern_host_pid(lw->plan->env.kern, pid)))
		   : lw_bini(lw, IR_EQ, lw_own_pid(lw), pid);
}

bool process_has_more(const struct probe *p)
{
	const struct process_place *pl = own(p)->places;

	while (pl && pl->is_attached)
		pl = pl->next;
	return pl != NULL;
}

static void add_places(uprobe_list *list, const struct probe *p)
{
	for (struct process_place *pl = own(p)->places; pl; pl = pl->next) {
		struct uprobe up = {.object = pl->object,
				    .file = pl->file,
				    .off = pl->off,
				    .semaphore = pl->semaphore,
				    .cookie = pl->cookie,
				    .is_hook = pl->is_hook,
				    .probe = p,
				    .need = own(p)->need,
				    .is_attached = &pl->is_attached};

		if (!pl->is_attached)
			vec_push(list, up);
	}
}

/* If one place has several probes, the kernel fires the last attached first. */
int process_attach(struct plan *plan, struct unit *u, const char **err)
{
	uint32_t pid = own(u->probes.a[0])->pid;
	uprobe_list list = {0};
	int r;

	for (unsigned int i = u->probes.n; i-- > 0;)
		add_places(&list, u->probes.a[i]);
	/* The kernel uses the memory of the first thread, which may have ended. */
	if (plan->opt.follows || (kern_machine(plan->env.kern)->is_here && proc_thread(pid) != pid))
		pid = 0;
	r = uprobe_attach(plan, u, pid, &list, err);
	vec_free(&list);
	return r;
}

bool process_is_pattern(const char *field)
{
	return !field || strpbrk(field, "*?[\\");
}

bool process_is_all_pids(const struct pdesc *d)
{
	return !d->id && d->prov && strncmp(d->prov, "pid", 3) == 0 &&
	       process_is_pattern(d->prov) &&
	       strchr("*?[\\", d->prov[3 + strspn(d->prov + 3, "0123456789")]);
}

const uint32_t *process_family(struct plan *plan, uint32_t pid, unsigned int *n)
{
	const uint32_t *all = procs_all(plan->env.procs, n);
	uint32_t *list = arena_new_arr(plan->env.arena, uint32_t, *n + 1);
	unsigned int count = 0;

	/* Processes of a target share the current mappings.  Later ones are not searched. */
	if (!kern_machine(plan->env.kern)->is_here)
		*n = 0;

	for (unsigned int i = 0; i < *n; i++)
		if (all[i] != pid && (!plan->env.only_pid || plan->env.only_pid == all[i]) &&
		    proc_descends(all[i], pid))
			list[count++] = all[i];
	*n = count;
	return list;
}

bool process_is_spoilt(struct plan *plan, bool is_call_nop)
{
	return is_call_nop && kern_has(plan->env.kern, KERN_UPROBE_CALL);
}

uint32_t process_spoilt_nop(struct plan *plan, int fd, uint64_t off)
{
	struct insn in;

	return func_insn_in(fd, off, &in) && process_is_spoilt(plan, in.is_call_nop) ? in.len : 0;
}

bool process_stands_in(const struct func *f, uint32_t off)
{
	const struct func_insn *in = func_insn_at(f, off);

	return in && !in->is_target && !in->is_refused && !in->is_call_nop;
}

/* Returns the length of the provider's name without digits at its end. */
static size_t base_of(const char *prov)
{
	size_t at = strlen(prov);

	while (at && prov[at - 1] >= '0' && prov[at - 1] <= '9')
		at--;
	return at;
}

/*
 * Returns the process number in the provider, or 0 if it does not belong to this kind of provider.
 */
static uint64_t number_in(const struct pdesc *d, size_t base, bool is_pid)
{
	bool names_pid = strncmp(d->prov, "pid", 3) == 0 && d->prov[3] >= '0' && d->prov[3] <= '9';

	return is_pid == names_pid && base && (!is_pid || base == 3)
		   ? strtoull(d->prov + base, NULL, 10)
		   : 0;
}

bool process_comes_later(const struct pdesc *d, bool is_pid, uint32_t *pid)
{
	uint64_t v;

	*pid = 0;
	if (d->id || !d->prov || !*d->prov)
		return false;
	if (process_is_pattern(d->prov))
		return !is_pid || process_is_all_pids(d);
	v = number_in(d, base_of(d->prov), is_pid);
	*pid = v <= INT_MAX ? (uint32_t)v : 0;
	return *pid != 0;
}

static bool parse(struct plan *plan, const struct pdesc *d, size_t base, bool is_pid, uint32_t *pid)
{
	bool names_pid = strncmp(d->prov, "pid", 3) == 0 && d->prov[3] >= '0' && d->prov[3] <= '9';
	unsigned long v;

	if (is_pid && !base)
		return diag(plan->env.diags, d->loc, D_PROC_BADPROV,
			    "%s is not a valid provider: it has no name before the process id",
			    d->prov);
	errno = 0;
	v = strtoul(d->prov + base, NULL, 10);
	if (is_pid != names_pid || !base)
		return false;
	if (errno || !v || v > INT_MAX || (is_pid && base != 3))
		return diag(plan->env.diags, d->loc, D_PROC_BADPID,
			    "%s contains no valid process id", d->prov);
	*pid = (uint32_t)v;
	return true;
}

static struct proc *grab(struct plan *plan, const struct pdesc *d, uint32_t pid)
{
	struct proc *p;
	const char *why;

	if (!kern_has(plan->env.kern, KERN_UPROBE)) {
		diag(plan->env.diags, d->loc, D_PROC_NODEV,
		     "cannot trace process %u: this kernel has no uprobes", pid);
		return NULL;
	}
	if (kern_machine(plan->env.kern)->is_here && pid == (uint32_t)getpid()) {
		diag(plan->env.diags, d->loc, D_PROC_DYN,
		     "process %u is dtrace itself, which cannot be traced", pid);
		return NULL;
	}
	p = procs_get(plan->env.procs, pid);
	if (p) {
		p->is_pinned = true;
		proc_read(p);
		return p;
	}
	why = errno == ENOENT	 ? strerror(ESRCH)
	      : errno == ENOEXEC ? "it runs no program"
				 : strerror(errno);
	diag(plan->env.diags, d->loc, D_PROC_GRAB, "failed to grab process %u: %s", pid, why);
	return NULL;
}

struct proc *process_of(struct plan *plan, const struct pdesc *d, bool is_pid, size_t *base)
{
	uint32_t pid = 0;

	if (d->id || !d->prov || process_is_pattern(d->prov))
		return NULL;
	*base = base_of(d->prov);
	if (!d->prov[*base] || !parse(plan, d, *base, is_pid, &pid))
		return NULL;
	return grab(plan, d, pid);
}
