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

/*
 * Attaches n places of a batch.  If the kernel refuses a place, it does not say which, so halves
 * are tried.  Refused optional places are left out.
 */
static int attach_range(struct plan *plan, struct unit *u, const struct batch *b,
			unsigned int first, unsigned int n, const struct uprobe **refused)
{
	bool is_multi = u->attach_type == SYS_TRACE_UPROBE_MULTI;
	int r = 0;

	if (plan->env.signals && *plan->env.signals)
		return -EINTR;

	if (n == 1 || is_multi) {
		progress_at("placing breakpoints", first, b->offs.n);
		r = attach_some(plan, u, b, first, n);
		if (r == 0)
			return 0;
		if (n == 1 && is_refusal(r) && b->places.a[first]->is_optional) {
			*b->places.a[first]->is_attached = true;
			return 0;
		}
		*refused = b->places.a[first];
		if (n == 1 || !is_refusal(r))
			return r;
	}
	r = attach_range(plan, u, b, first, n / 2, refused);
	return r ? r : attach_range(plan, u, b, first + n / 2, n - n / 2, refused);
}

int uprobe_attach(struct plan *plan, struct unit *u, uint32_t pid, const uprobe_list *list,
		  const char **err)
{
	const struct uprobe *refused = NULL;
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
		r = attach_range(plan, u, &batches.a[i], 0, batches.a[i].offs.n, &refused);
	if (refused)
		*err = arena_printf(plan->env.arena, "uprobe of %s:%s:%s: %s", refused->probe->mod,
				    refused->probe->func, refused->probe->name,
				    is_refusal(r) ? "the kernel cannot put a breakpoint on this "
						    "instruction"
						  : strerror(-r));
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
