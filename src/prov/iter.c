/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iter.c: state that existed before tracing began, reported when the session starts.  Internal to
 * the libraries:
 *
 * - iter:::task fires once for every thread as the current one: curthread, pid ... are the
 *   thread's, and its user memory can be read (arguments of processes);
 * - iter:::task_file fires once for every open file of every process (owners of sockets).
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"
#include "sys/bpf.h"
#include "sys/machine.h"

#define ARGS_MAX 3

/*
 * Offsets after the iterator's own data (struct bpf_iter__task, bpf_iter__task_file:
 * kernel/bpf/task_iter.c).
 */
static const struct iter {
	const char *name, *func;
	unsigned int nargs;
	bool is_thread; /* the program acts for the thread in argument 0, and may sleep */
	struct {
		int64_t off;
		const char *type;
	} args[ARGS_MAX];
} iters[] = {
    {"task", "bpf_iter_task", 1, true, {{8, "struct task_struct"}}},
    {"task_file",
     "bpf_iter_task_file",
     3,
     false,
     {{8, "struct task_struct"}, {16, NULL}, {24, "struct file"}}},
};

static const struct iter *iter_of(const struct unit *u)
{
	return u->probes.a[0]->data;
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	for (uint32_t i = 0; i < sizeof(iters) / sizeof(iters[0]); i++)
		if (d->id ? d->id == pv->ids.first + i : probe_glob(d->name, iters[i].name))
			probe_add(ps, pv, i, "iter", "", "", iters[i].name)->data = &iters[i];
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const struct iter *it = p->data;

	a->nnative = it->nargs;
	a->native = arena_new_arr(plan->env.arena, struct type *, ARGS_MAX);
	for (unsigned int i = 0; i < it->nargs; i++) {
		const char *name = it->args[i].type;
		struct type *t = name ? type_lookup(plan->env.types, name) : NULL;

		a->native[i] =
		    t ? type_ptr(plan->env.types, t) : type_int(plan->env.types, 4, false);
	}
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_ITER;
	u->btf_id = kern_btf_find(plan->env.kern, iter_of(u)->func, BTF_KIND_FUNC);
	u->may_sleep = iter_of(u)->is_thread;
	if (!u->btf_id)
		*err = "the kernel has no such iterator";
	return u->btf_id != 0;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct val v = {.type = type, .place = PLACE_SCALAR};
	const struct iter *it = iter_of(lw->unit);
	const char *name = it->args[n].type;

	v.v = lw_load_pure(lw, name ? 8 : 4, lw->firing.ctx, it->args[n].off, IR_MEM_CTX);
	if (name) {
		v.place = PLACE_BTF;
		v.btf = type_resolve(lw->plan->env.types, type_lookup(lw->plan->env.types, name));
	}
	return v;
}

static struct val thread(struct lw *lw)
{
	return iter_of(lw->unit)->is_thread ? arg(lw, 0, NULL) : (struct val){0};
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	int r = sys_iterate(kern_machine(plan->env.kern), u->fd);

	if (r < 0)
		*err = arena_printf(plan->env.arena, "iterator %s: %s", u->place, strerror(-r));
	return r;
}

const struct provider provider_iter = {
    .name = "iter",
    .ids = {950, 25},
    .attrs = {"Private/Private/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Common", "Private/Private/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = arg,
    .thread = thread,
    .attach = attach,
    .is_hidden = true,
};
