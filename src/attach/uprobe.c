/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uprobe.c: attaches a program to places in files.  From 6.6 on it uses one link for all places of
 * a file, before that a perf event for each place.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/progress.h"
#include "kern/kern.h"
#include "proc/proc.h"
#include "attach/keeper.h"
#include "attach/uprobe.h"
#include "sys/bpf.h"
#include "sys/machine.h"

void uprobe_program(struct plan *plan, struct unit *u)
{
	u->prog_type = BPF_PROG_TYPE_KPROBE;
	u->attach_type = kern_has(plan->env.kern, KERN_UPROBE_MULTI) ? SYS_TRACE_UPROBE_MULTI : 0;
}

/* Places of one file, in the kernel's form. */
struct batch {
	const struct uprobe *first;
	uint32_t pid;
	int file; /* -errno: it does not exist */
	VEC(uint64_t) offs;
	VEC(uint64_t) semaphores;
	VEC(uint64_t) cookies;
	bool has_semaphores;
	VEC(const struct uprobe *) places;
};

typedef VEC(struct batch) batch_list;

/* The path may name a mapping that the process has removed and made again. */
static int open_file(const struct uprobe *up, uint32_t pid)
{
	const char *name = strchr(up->object->id, '/');
	int fd = file_handle(AT_FDCWD, up->file, 0);
	char path[PATH_MAX];

	if (fd < 0 && pid && name) {
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, name);
		fd = file_handle(AT_FDCWD, path, 0);
	}
	if (fd < 0)
		return -errno;
	if (proc_is_file(up->object->id, fd))
		return fd;
	close(fd);
	return -ENOENT;
}

static struct batch *batch_for(struct plan *plan, batch_list *b, const struct uprobe *up,
			       uint32_t pid)
{
	struct batch n = {.first = up, .pid = pid};

	for (unsigned int i = 0; i < b->n; i++)
		if (b->a[i].first->object == up->object && b->a[i].first->is_hook == up->is_hook)
			return &b->a[i];
	n.file = kern_machine(plan->env.kern)->is_here ? open_file(up, pid) : -ENOENT;
	vec_push(b, n);
	return &vec_last(b);
}

/* On another machine the agent cleans up. */
static int attach_some(struct plan *plan, struct unit *u, const struct batch *b, unsigned int first,
		       unsigned int n)
{
	bool is_multi = u->attach_type == SYS_TRACE_UPROBE_MULTI;
	struct machine *m = kern_machine(plan->env.kern);
	struct keeper_places p = {.prog = u->fd,
				  .event_type =
				      is_multi ? 0 : kern_event_type(plan->env.kern, "uprobe"),
				  .path = b->first->file,
				  .file = b->file,
				  .pid = b->pid,
				  .is_hook = b->first->is_hook,
				  .n = n,
				  .offs = &b->offs.a[first],
				  .cookies = &b->cookies.a[first]};
	int r;

	if (b->has_semaphores)
		p.semaphores = &b->semaphores.a[first];
	if (!m->is_here) {
		r = keeper_link(m, &p);
		if (r >= 0)
			vec_push(&u->links, r);
	} else {
		r = b->file < 0 ? b->file : keeper_attach(&plan->env.keeper, &p);
	}
	for (unsigned int i = first; r >= 0 && i < first + n; i++)
		*b->places.a[i]->is_attached = true;
	return r < 0 ? r : 0;
}

/*
 * Returns true for errors that mean a refused instruction: uprobe_register,
 * kernel/events/uprobes.c.
 */
static bool is_refusal(int err)
{
	enum { NOTSUPP = 524 }; /* ENOTSUPP, include/linux/errno.h */

	return err == -NOTSUPP || err == -ENOEXEC;
}

/* Returns the owner of a file, or of the process if another file has replaced it. */
static uid_t owner_of(const struct batch *b)
{
	struct stat st = {0};
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", b->pid);
	if (b->file >= 0)
		fstat(b->file, &st);
	else if (!b->pid || stat(path, &st) != 0)
		stat(b->first->file, &st);
	return st.st_uid;
}

static const char *reason(struct plan *plan, const struct uprobe *up, int err)
{
	return arena_printf(plan->env.arena, "uprobe of %s:%s:%s: %s", up->probe->mod,
			    up->probe->func, up->probe->name,
			    is_refusal(err)
				? "the kernel cannot put a breakpoint on this instruction"
				: strerror(-err));
}

/* Counts a place that is left out.  The next search for places does not try it again. */
static void lose(struct plan *plan, const struct batch *b, const struct uprobe *up, int err)
{
	uid_t uid = owner_of(b);
	struct plan_lost *lost = NULL;

	*up->is_attached = true;
	for (unsigned int i = 0; i < plan->lost.n; i++)
		if (plan->lost.a[i].uid == uid)
			lost = &plan->lost.a[i];
	if (!lost) {
		vec_push(&plan->lost,
			 ((struct plan_lost){.uid = uid, .first = reason(plan, up, err)}));
		lost = &vec_last(&plan->lost);
	}
	lost->n++;
}

/* An attempt to attach the places of a unit. */
struct attempt {
	struct plan *plan;
	struct unit *u;
	const struct uprobe *refused; /* the first one */
	unsigned int attached;	      /* or refused and not counted */
	int err;		      /* of the first one */
};

/* Leaves out n places that could not be attached.  Returns 0, or -errno if one is required. */
static int leave_out(struct attempt *at, const struct batch *b, unsigned int first, unsigned int n,
		     int err)
{
	for (unsigned int i = first; i < first + n; i++) {
		const struct uprobe *up = b->places.a[i];

		if (up->need == UPROBE_OPTIONAL && is_refusal(err)) {
			*up->is_attached = true;
			at->attached++;
			continue;
		}
		if (!at->refused || up->need == UPROBE_REQUIRED) {
			at->refused = up;
			at->err = err;
		}
		if (up->need == UPROBE_REQUIRED)
			return err;
		lose(at->plan, b, up, err);
	}
	return 0;
}

/*
 * Attaches n places of a batch.  If the kernel refuses a place, it does not say which, so halves
 * are tried.
 */
static int attach_range(struct attempt *at, const struct batch *b, unsigned int first,
			unsigned int n)
{
	bool is_multi = at->u->attach_type == SYS_TRACE_UPROBE_MULTI;
	int r;

	if (at->plan->env.signals && *at->plan->env.signals)
		return -EINTR;
	if (n == 1 || is_multi) {
		progress_at("placing breakpoints", first, b->offs.n);
		r = attach_some(at->plan, at->u, b, first, n);
		if (r == 0) {
			at->attached += n;
			return 0;
		}
		if (n == 1 || !is_refusal(r))
			return leave_out(at, b, first, n, r);
	}
	r = attach_range(at, b, first, n / 2);
	return r ? r : attach_range(at, b, first + n / 2, n - n / 2);
}

int uprobe_attach(struct plan *plan, struct unit *u, uint32_t pid, const uprobe_list *list,
		  const char **err)
{
	struct attempt at = {.plan = plan, .u = u};
	batch_list batches = {0};
	int r = 0;

	for (unsigned int i = 0; i < list->n; i++) {
		struct batch *b = batch_for(plan, &batches, &list->a[i], pid);

		vec_push(&b->offs, list->a[i].off);
		vec_push(&b->semaphores, list->a[i].semaphore);
		vec_push(&b->cookies, list->a[i].cookie);
		b->has_semaphores |= list->a[i].semaphore != 0;
		vec_push(&b->places, &list->a[i]);
	}
	for (unsigned int i = 0; i < batches.n && r == 0; i++)
		r = attach_range(&at, &batches.a[i], 0, batches.a[i].offs.n);
	if (r == 0 && !at.attached)
		r = at.err;
	if (r && at.refused)
		*err = reason(plan, at.refused, r);
	for (unsigned int i = 0; i < batches.n; i++) {
		if (batches.a[i].file >= 0)
			close(batches.a[i].file);
		vec_free(&batches.a[i].offs);
		vec_free(&batches.a[i].semaphores);
		vec_free(&batches.a[i].cookies);
		vec_free(&batches.a[i].places);
	}
	vec_free(&batches);
	return r;
}
