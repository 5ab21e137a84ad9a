/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.c: processes of a handle.  Created ones wait until tracing begins; grabbed ones are watched.
 */
#include <errno.h>
#include <stdio.h>

#include "base/mem.h"
#include "lib/priv.h"

static struct ps_prochandle *add(dtrace_hdl_t *h, bool ok)
{
	struct ps_prochandle *P;

	if (!ok) {
		lib_fail(h, EDT_PROC);
		return NULL;
	}
	P = mem_alloc(sizeof(*P));
	P->pid = vec_last(&h->s->procs).pid;
	vec_push(&h->procs, P);
	return P;
}

struct ps_prochandle *dtrace_proc_create(dtrace_hdl_t *h, const char *file, char *const *argv)
{
	LIB_ENTER(h, NULL);
	lib_enter(h);
	if (h->is_active) {
		lib_fail(h, EDT_ACTIVE);
		return NULL;
	}
	if (!file || !argv || !argv[0]) {
		lib_fail(h, EINVAL);
		return NULL;
	}
	return add(h, proc_run(h->s, file, argv));
}

struct ps_prochandle *dtrace_proc_grab(dtrace_hdl_t *h, pid_t pid, int flags)
{
	LIB_ENTER(h, NULL);
	char text[32];

	lib_enter(h);
	for (unsigned int i = 0; i < h->procs.n; i++)
		if (h->procs.a[i]->pid == pid)
			return h->procs.a[i];
	snprintf(text, sizeof(text), "%d", (int)pid);
	return add(h, proc_grab(h->s, text));
}

/* Returns true for a process that the handle still has; P may be freed, and h closed. */
static bool has(const dtrace_hdl_t *h, const struct ps_prochandle *P)
{
	for (unsigned int i = 0; P && lib_is_open(h) && i < h->procs.n; i++)
		if (h->procs.a[i] == P)
			return true;
	return false;
}

static void release(dtrace_hdl_t *h, struct ps_prochandle *P)
{
	LIB_ENTER(h, );
	proc_let_go(h->s, P->pid);
	for (unsigned int i = 0; i < h->procs.n; i++) {
		if (h->procs.a[i] != P)
			continue;
		h->procs.a[i] = h->procs.a[--h->procs.n];
		mem_free(P);
		return;
	}
}

void dtrace_proc_release(dtrace_hdl_t *h, struct ps_prochandle *P)
{
	if (has(h, P))
		release(h, P);
}

/* dtrace_go() continues all. */
static void go_on(dtrace_hdl_t *h, struct ps_prochandle *P)
{
	LIB_ENTER(h, );
	if (!h->is_active)
		proc_continue(h->s, P->pid);
}

void dtrace_proc_continue(dtrace_hdl_t *h, struct ps_prochandle *P)
{
	if (has(h, P))
		go_on(h, P);
}

pid_t dtrace_proc_getpid(dtrace_hdl_t *h, struct ps_prochandle *P)
{
	return has(h, P) ? P->pid : -1;
}
