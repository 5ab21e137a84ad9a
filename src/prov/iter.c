/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iter.c: what was there before tracing began: iter:::task_file fires once for every open file of
 * every process, when the session starts.  Plumbing for the libraries (owners of sockets).
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

/* struct bpf_iter__task_file (kernel/bpf/task_iter.c): meta, task, fd, file. */
static const struct {
	int64_t off;
	const char *type;
} fields[] = {{8, "struct task_struct"}, {16, NULL}, {24, "struct file"}};

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	probe_add(ps, pv, 0, "iter", "", "", "task_file");
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	a->nnative = 3;
	a->native = arena_new_arr(plan->arena, struct type *, 3);
	for (unsigned int i = 0; i < 3; i++) {
		struct type *t = fields[i].type ? type_lookup(plan->types, fields[i].type) : NULL;

		a->native[i] = t ? type_ptr(plan->types, t) : type_int(plan->types, 4, false);
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
	u->btf_id = kern_btf_find(plan->kern, "bpf_iter_task_file", BTF_KIND_FUNC);
	if (!u->btf_id)
		*err = "the kernel has no iterator over open files";
	return u->btf_id != 0;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct val v = {.type = type, .place = PLACE_SCALAR};

	v.v = lw_load_pure(lw, fields[n].type ? 8 : 4, lw->firing.ctx, fields[n].off, IR_MEM_CTX);
	if (fields[n].type) {
		v.place = PLACE_BTF;
		v.btf = type_resolve(lw->plan->types, type_lookup(lw->plan->types, fields[n].type));
	}
	return v;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	int link = bpf_link_create(u->fd, 0, BPF_TRACE_ITER, NULL), fd;
	char text[256];

	if (link < 0) {
		*err = arena_printf(plan->arena, "iterator %s: %s", u->place, strerror(-link));
		return link;
	}
	fd = bpf_iter_create(link);
	while (fd >= 0 && read(fd, text, sizeof(text)) > 0)
		;
	if (fd >= 0)
		close(fd);
	close(link);
	return 0;
}

const struct provider provider_iter = {
    .name = "iter",
    .ids = {950, 50},
    .attrs = {"Private/Private/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Common", "Private/Private/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .arg = arg,
    .attach = attach,
    .is_hidden = true,
};
