/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup.c: hooks of a root of cgroups: packets that reach a socket (args: packet, socket), new
 * sockets, TCP connections before their SYN (args: socket).  Internal to the network libraries.
 *
 * These hooks decide about traffic, so the program's entry is a fixed stub.  It calls the generated
 * code, ignores its result, and returns 1, "pass".
 *
 * Before 6.2 a hook's program cannot read the kernel's own structures.  In some later kernels
 * (6.12, but not 6.18) it cannot use stacks or thread-locals.  If a program needs these, a
 * function is traced instead: the function that runs the hook, or a function called at that point.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/buf.h"
#include "kern/kern.h"
#include "lower/leaf.h"
#include "sys/bpf.h"
#include "sys/machine.h"

static const struct hook {
	const char *mod, *name, *ctx; /* ctx: result of bpf_cast_to_kern_ctx */
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
	/* function that is traced instead, and the type of its argument ... */
	const char *func, *func_arg;
	unsigned int func_n; /* ... of this number, the source of arguments */
} hooks[] = {
    {"skb", "ingress", "struct sk_buff", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS,
     "sk_filter_trim_cap", "struct sk_buff", 1},
    {"sock", "create", "struct sock", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE,
     "security_socket_post_create", "struct socket", 0},
    {"sock", "connect", "struct bpf_sock_ops_kern", BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS,
     "tcp_connect", "struct sock", 0},
};

static bool is_packet(const struct hook *h)
{
	return h->mod[1] == 'k';
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	for (uint32_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		probe_add(ps, pv, i, "cgroup", hooks[i].mod, "", hooks[i].name)->data = &hooks[i];
}

static struct type *lookup(const struct plan *plan, const char *name)
{
	struct type *t = type_lookup(plan->env.types, name);

	return t ? type_resolve(plan->env.types, t) : type_void(plan->env.types);
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	const struct hook *h = p->data;
	struct type *sk = type_ptr(plan->env.types, lookup(plan, "struct sock"));

	a->native = arena_new_arr(plan->env.arena, struct type *, 2);
	a->native[0] =
	    is_packet(h) ? type_ptr(plan->env.types, lookup(plan, "struct sk_buff")) : sk;
	a->native[1] = sk;
	a->nnative = is_packet(h) ? 2 : 1;
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->name;
}

/* Traces the function instead of the hook. */
static bool trace_function(struct plan *plan, struct unit *u)
{
	const struct hook *h = u->probes.a[0]->data;

	if (!kern_has(plan->env.kern, KERN_FENTRY))
		return false;
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_FENTRY;
	u->nstubs = 0;
	u->btf_id = kern_btf_find(plan->env.kern, h->func, BTF_KIND_FUNC);
	return u->btf_id != 0;
}

static bool another(struct plan *plan, struct unit *u)
{
	return u->prog_type != BPF_PROG_TYPE_TRACING && trace_function(plan, u);
}

/* The result is the same if the program is compiled again. */
static bool program(struct plan *plan, struct unit *u, const char **err)
{
	const struct hook *h = u->probes.a[0]->data;

	if (kern_has(plan->env.kern, KERN_KERN_CTX)) {
		u->prog_type = h->type;
		u->attach_type = h->attach;
		u->nstubs = 1;
		return true;
	}
	if (!trace_function(plan, u)) {
		*err = "this kernel has neither bpf_cast_to_kern_ctx nor function tracing";
		return false;
	}
	return true;
}

static void stub(const struct plan *plan, struct ir_module *mod)
{
	struct ir_builder b = {.func = ir_func_new(mod, "stub", 1)};
	struct ir_ins *ctx;

	ir_at(&b, ir_block_new(b.func));
	ir_seal(b.func, b.cur);
	ctx = ir_arg(&b, 0);
	ir_call(&b, IR_CALLFN, 1, 1, &ctx);
	ir_ret(&b, ir_const(&b, 1));
}

/* Returns the hook's own structure, or the argument of the function that replaces it. */
static struct val source(struct lw *lw)
{
	const struct hook *h = lw->unit->probes.a[0]->data;
	struct memo_key k = MEMO_OF(source);
	struct val v = {.place = PLACE_BTF};

	if (!lw->unit->nstubs) {
		v.btf = lookup(lw->plan, h->func_arg);
		v.type = type_ptr(lw->plan->env.types, v.btf);
		v.v = lw_load_pure(lw, 8, lw->firing.ctx, h->func_n * 8, IR_MEM_CTX);
		return v;
	}
	v.btf = lookup(lw->plan, h->ctx);
	v.type = type_ptr(lw->plan->env.types, v.btf);
	v.v = memo_get(lw, &k);
	if (!v.v) {
		v.v = lw_kfunc(
		    lw, kern_btf_find(lw->plan->env.kern, "bpf_cast_to_kern_ctx", BTF_KIND_FUNC),
		    lw->firing.ctx, NULL);
		memo_put(lw, &k, v.v);
	}
	return v;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	const struct hook *h = lw->unit->probes.a[0]->data;
	const char *from = lw->unit->nstubs ? h->ctx : h->func_arg;
	struct val v = source(lw);

	if (n == 1 && !lw->unit->nstubs) {
		v.btf = lookup(lw->plan, "struct sock");
		v.v = lw_load_pure(lw, 8, lw->firing.ctx, 0, IR_MEM_CTX);
	} else if (n == is_packet(h) && strcmp(from, "struct sock") != 0) {
		v = lw_field(lw, v, "sk");
	}
	v.type = type;
	return v;
}

/* The hooks are for internet protocols only.  The hook of SYNs has many other uses. */
static struct ir_ins *applies(struct lw *lw)
{
	bool is_skb = is_packet(lw->unit->probes.a[0]->data);
	struct val sk = {0};
	struct ir_ins *family;

	if (lw->unit->prog_type == BPF_PROG_TYPE_SOCK_OPS)
		return lw_bini(lw, IR_EQ,
			       lw_load_pure(lw, 4, lw->firing.ctx,
					    offsetof(struct bpf_sock_ops, op), IR_MEM_CTX),
			       BPF_SOCK_OPS_TCP_CONNECT_CB);
	if (lw->unit->nstubs)
		return lw_const(lw, 1);
	sk = arg(lw, is_skb, type_ptr(lw->plan->env.types, lookup(lw->plan, "struct sock")));
	family = lw_inner(lw, sk, "__sk_common", "skc_family").v;
	return lw_bin(lw, IR_OR, lw_bini(lw, IR_EQ, family, AF_INET),
		      lw_bini(lw, IR_EQ, family, AF_INET6));
}

/* Opens the mount point of cgroup2, from /proc/self/mounts. */
static int open_root(struct machine *m)
{
	char dir[512], type[64], *line, *rest;
	struct buf b = {0};
	int fd = -ENOENT;

	if (!sys_read_file(m, "/proc/self/mounts", &b) || !b.n)
		return fd;
	for (line = strtok_r(b.s, "\n", &rest); line && fd < 0; line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, "%*s %511s %63s", dir, type) == 2 && strcmp(type, "cgroup2") == 0)
			fd = sys_open(m, dir, O_DIRECTORY);
	buf_free(&b);
	return fd;
}

/*
 * For a hook: the helper and its callees (get_task_stack() starts there), the program, its stub,
 * and the function that runs hooks.  For a function: program and trampoline.
 */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	if (!u->nstubs)
		return (struct own_frames){.least = 2};
	return (struct own_frames){.least = 3,
				   .more = 5,
				   .in = {"__cgroup_bpf_run_filter_skb",
					  "__cgroup_bpf_run_filter_sk",
					  "__cgroup_bpf_run_filter_sock_ops"}};
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	struct machine *m = kern_machine(plan->env.kern);
	int fd, scope;

	if (!u->nstubs)
		return unit_attach(plan, u, "function at cgroup hook", err);
	/* The cgroup of option cgroup may be removed and made again, but not the root of its mount.
	 * The libraries compare the cgroup of the socket. */
	scope = plan->opt.scope ? sys_open(m, plan->opt.scope_at.root, O_DIRECTORY) : open_root(m);
	if (scope < 0) {
		*err = plan->opt.scope ? "the mount of the cgroup of -x cgroup cannot be opened"
				       : "no cgroup2 file system is mounted";
		return -ENOENT;
	}
	fd = sys_link(m, u->fd, scope, u->attach_type);
	sys_close(m, scope);
	if (fd < 0) {
		*err = arena_printf(plan->env.arena,
				    fd == -EPERM
					? "cgroup hook %s: %s (an exclusive program is attached?)"
					: "cgroup hook %s: %s",
				    u->place, strerror(-fd));
		return fd;
	}
	vec_push(&u->links, fd);
	return 0;
}

const struct provider provider_cgroup = {
    .name = "cgroup",
    .ids = {900, 50},
    .attrs = {"Private/Private/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Common", "Private/Private/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .another = another,
    .applies = applies,
    .arg = arg,
    .stub = stub,
    .own_frames = own_frames,
    .attach = attach,
    .is_gated = true,
    .is_hidden = true,
};
