/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c: entry and return of every system call, from the two BTF tracepoints sys_enter and
 * sys_exit: one program for all enabled calls, which dispatches by number.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "kern/kern.h"
#include "lower/memo.h"

#define ERRNO_MAX 4095 /* MAX_ERRNO, include/linux/err.h */

#if defined(__x86_64__)
static const char *const arg_regs[] = {"di", "si", "dx", "r10", "r8", "r9"};
#define NR_REG "orig_ax"
#elif defined(__aarch64__)
static const char *const arg_regs[] = {NULL, NULL, NULL, NULL, NULL, NULL};
#define NR_REG "syscallno"
#endif

static bool is_entry(const char *name)
{
	return name[0] == 'e';
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	size_t n;
	const struct kern_syscall *sc = kern_syscalls(&n);
	static const char *const names[] = {"entry", "return"};

	for (size_t i = 0; i < n; i++) {
		if (!d->id && !probe_glob(d->func, sc[i].name))
			continue;
		for (uint32_t k = 0; k < 2; k++) {
			uint32_t id = pv->id_base + (uint32_t)sc[i].nr * 2 + k;

			if (d->id ? d->id == id : probe_glob(d->name, names[k]))
				probe_add(ps, id, pv, "syscall", "vmlinux", sc[i].name, names[k])
				    ->key = sc[i].nr;
		}
	}
}

/* "const char *" of user memory, "size_t" ... as the kernel's format files spell them. */
static struct type *type_by_text(struct lower *lo, const char *text)
{
	char name[128];
	size_t len = strlen(text), stars = 0;
	struct type *t;

	while (len && (text[len - 1] == '*' || text[len - 1] == ' '))
		stars += text[--len] == '*';
	if (strncmp(text, "const ", 6) == 0) {
		text += 6;
		len -= 6;
	}
	if (len >= sizeof(name))
		return type_int(lo->types, 8, true);
	memcpy(name, text, len);
	name[len] = '\0';
	t = type_lookup(lo->types, name);
	if (!t)
		t = stars ? type_void(lo->types) : type_int(lo->types, 8, true);
	for (; stars; stars--)
		t = type_userland(lo->types, type_ptr(lo->types, t));
	return t;
}

static void args(struct lower *lo, struct probe *p, struct lang_args *a)
{
	const char *text;

	a->native = arena_new_arr(lo->arena, struct type *, 6);
	if (is_entry(p->name)) {
		while (a->nnative < 6 && kern_syscall_arg(lo->kern, p->func, a->nnative, &text))
			a->native[a->nnative++] = type_by_text(lo, text);
	} else {
		a->native[0] = a->native[1] = type_int(lo->types, 8, true);
		a->nnative = 2;
	}
}

static const char *place(struct lower *lo, const struct probe *p)
{
	return is_entry(p->name) ? "entry" : "return";
}

static bool program(struct lower *lo, struct unit *u, const char **err)
{
	const char *name = is_entry(u->place) ? "btf_trace_sys_enter" : "btf_trace_sys_exit";
	size_t n;

	kern_syscalls(&n);
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_RAW_TP;
	u->btf_id = kern_btf_find(lo->kern, name, BTF_KIND_TYPEDEF);
	u->mech_total = (unsigned int)n;
	if (!u->btf_id)
		*err = "the kernel has no BTF for its system call tracepoints";
	return u->btf_id != 0;
}

/* A register of the calling thread, from struct pt_regs, argument 0 of both tracepoints. */
static struct ir_ins *reg(struct lw *lw, const char *name)
{
	struct type *t = type_resolve(lw->lo->types, type_lookup(lw->lo->types, "struct pt_regs"));
	struct val regs = {.v = lw_load_pure(lw, 8, lw->ctx, 0, IR_MEM_CTX),
			   .type = t,
			   .place = PLACE_BTF,
			   .btf = t};
	const struct type_member *m;
	uint64_t off = 0;

	m = type_member(lw->lo->types, t, name, &off);
	return lw_load(lw, regs, m->type, off, 0).v;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	if (is_entry(lw->unit->place))
		return lw_load_pure(lw, 8, lw->ctx, 8, IR_MEM_CTX);
	return reg(lw, NR_REG);
}

/* The kernel's return value: a result, or an error number with a minus. */
static struct ir_ins *retval(struct lw *lw)
{
	return lw_load_pure(lw, 8, lw->ctx, 8, IR_MEM_CTX);
}

static struct ir_ins *has_failed(struct lw *lw)
{
	return lw_bin(lw, IR_ULE, lw_const(lw, -ERRNO_MAX), retval(lw));
}

static struct ir_ins *choose(struct lw *lw, struct ir_ins *cond, struct ir_ins *yes,
			     struct ir_ins *no)
{
	struct ir_block *set = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);

	ir_var_write(&lw->b, var, no);
	lw_if(lw, cond, set, done);
	lw_seal_at(lw, set);
	ir_var_write(&lw->b, var, yes);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	if (is_entry(lw->unit->place))
		return n < 6 ? reg(lw, arg_regs[n]) : lw_const(lw, 0);
	if (n > 1)
		return lw_const(lw, 0);
	return choose(lw, has_failed(lw), lw_const(lw, -1), retval(lw));
}

static struct ir_ins *err(struct lw *lw)
{
	if (is_entry(lw->unit->place))
		return lw_const(lw, 0);
	return choose(lw, has_failed(lw), lw_un(lw, IR_NEG, retval(lw)), lw_const(lw, 0));
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	bool is_ptr = type_is_pointer(type);

	return (struct val){.v = lw_norm(lw, rawarg(lw, n), type),
			    .type = type,
			    .place = is_ptr ? PLACE_USER : PLACE_SCALAR};
}

/*
 * The calls of a 32-bit program pass the same tracepoints with numbers of their own.  x86:
 * TS_COMPAT, arch/x86/include/asm/thread_info.h; arm64: TIF_32BIT,
 * arch/arm64/include/asm/thread_info.h.
 */
static struct ir_ins *is_native(struct lw *lw)
{
#if defined(__x86_64__)
	const char *const path[] = {"thread_info", "status"};
	int64_t compat = 0x0002;
#elif defined(__aarch64__)
	const char *const path[] = {"thread_info", "flags"};
	int64_t compat = 1 << 22;
#endif
	struct val task = lw_current(lw);
	struct type *t = task.btf;
	const struct type_member *m = NULL;
	uint64_t off = 0, total = 0;
	struct ir_ins *word;

	for (unsigned int i = 0; i < 2; i++) {
		m = type_member(lw->lo->types, t, path[i], &off);
		t = type_resolve(lw->lo->types, m->type);
		total += off;
	}
	word = lw_load(lw, lw_deref(lw, task, task.btf), m->type, total, 0).v;
	return lw_bini(lw, IR_EQ, lw_bini(lw, IR_AND, word, compat), 0);
}

static int attach(struct lower *lo, struct unit *u, const char **err_text)
{
	return unit_attach(lo, u, "system call tracepoint", err_text);
}

const struct provider provider_syscall = {
    .name = "syscall",
    .id_base = 5000,
    .attrs = {"Evolving/Evolving/Common", "Private/Private/Unknown", "Private/Private/ISA",
	      "Evolving/Evolving/Common", "Private/Private/ISA"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .dispatch = dispatch,
    .applies = is_native,
    .arg = arg,
    .rawarg = rawarg,
    .err = err,
    .attach = attach,
    .is_gated = true,
};
