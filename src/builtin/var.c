/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * var.c: built-in variables with facts about the current firing.  Variables that can be written in
 * D (curpsinfo, curcpu ...) are inlines of the libraries.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "builtin/builtin.h"
#include "kern/kern.h"
#include "sys/machine.h"

#define VMNAME_MAX 64 /* HOST_NAME_MAX, which fits a field of a description */

static struct val read_pid(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_pid(lw), e);
}

static struct val read_tid(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_tid(lw), e);
}

/* Returns the user or group id that a thread acts with. */
static struct val read_cred(struct lw *lw, const struct expr *e, const char *member,
			    unsigned int shift)
{
	struct ir_ins *both;

	if (lw_has_current(lw))
		return builtin_int(
		    lw_inner(lw, lw_field(lw, lw_current(lw), "cred"), member, "val").v, e);
	both = lw_helper_pure(lw, BPF_FUNC_get_current_uid_gid);
	return builtin_int(lw_un(lw, IR_ZEXT32, lw_bini(lw, IR_LSHR, both, shift)), e);
}

static struct val read_uid(struct lw *lw, const struct expr *e)
{
	return read_cred(lw, e, "uid", 0);
}

static struct val read_gid(struct lw *lw, const struct expr *e)
{
	return read_cred(lw, e, "gid", 32);
}

static struct val read_ppid(struct lw *lw, const struct expr *e)
{
	struct val parent = lw_field(lw, lw_current(lw), "real_parent");

	return builtin_int(lw_field(lw, parent, "tgid").v, e);
}

static struct val read_curthread(struct lw *lw, const struct expr *e)
{
	return lw_outside(lw, lw_current(lw));
}

static struct val read_cpu(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id), e);
}

static struct val read_timestamp(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_time(lw), e);
}

static struct val read_walltimestamp(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_wall_time(lw), e);
}

/*
 * Returns the nanoseconds of this CPU that count for no thread: of interrupts, and of a
 * hypervisor's other guests.  0 if the kernel does not leave them out.
 */
static struct ir_ins *lost_time(struct lw *lw)
{
	struct val queue, rq;

	if (!lw_has_member(lw, "struct sched_entity", "cfs_rq") ||
	    !lw_has_member(lw, "struct cfs_rq", "rq"))
		return lw_const(lw, 0);
	queue = lw_inner(lw, lw_current(lw), "se", "cfs_rq");
	rq = lw_field(lw, queue, "rq");
	return lw_bin(lw, IR_SUB, lw_field(lw, rq, "clock").v, lw_field(lw, rq, "clock_task").v);
}

/*
 * sum_exec_runtime does not advance between updates by the scheduler, so the time since exec_start
 * is added.  exec_start is a time of this CPU's clock_task (kernel/sched/core.c,
 * update_rq_clock_task), which differs from the scheduler's clock by the lost time.  That clock
 * differs from ktime by an offset that the consumer measures, because corrections of ktime (NTP)
 * change it.
 */
static struct val read_vtimestamp(struct lw *lw, const struct expr *e)
{
	struct ir_ins *sum = lw_inner(lw, lw_current(lw), "se", "sum_exec_runtime").v;
	struct ir_ins *start = lw_inner(lw, lw_current(lw), "se", "exec_start").v;
	struct ir_ins *offset = ir_load(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, 0),
					offsetof(struct abi_state, sched), IR_MEM_MAP);
	struct ir_ins *now = lw_bin(lw, IR_ADD, lw_kernel_time(lw), offset);
	struct ir_ins *since = lw_bin(lw, IR_SUB, lw_bin(lw, IR_SUB, now, start), lost_time(lw));

	return builtin_int(lw_bin(lw, IR_ADD, sum, since), e);
}

static struct val read_id(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw->firing.probe_id, e);
}

static struct val read_epid(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_epid(lw), e);
}

static struct val read_errno(struct lw *lw, const struct expr *e)
{
	struct ir_ins *v = lw->firing.mech->err ? lw->firing.mech->err(lw) : lw_const(lw, 0);

	return builtin_int(v, e);
}

static struct val read_ipl(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_ipl(lw), e);
}

/* Reads arg0 ... arg9. */
static struct val read_arg(struct lw *lw, const struct expr *e)
{
	const struct builtin_var *v = e->ident->row->impl;

	return builtin_int(lw_rawarg(lw, v->use.raw_arg - 1), e);
}

#define FRAMES_LEAST 127 /* default of kernel.perf_event_max_stack */
#define FRAMES_MOST  512

/* Returns the number of frames from number n on, limited as stacks are by option maxframes. */
static struct val depth(struct lw *lw, const struct expr *e, uint64_t flags, unsigned int n)
{
	unsigned int max = lw->plan->opt.maxframes;
	uint32_t size = 8 * (max < FRAMES_LEAST	 ? FRAMES_LEAST
			     : max > FRAMES_MOST ? FRAMES_MOST
						 : max);
	struct tmp t = lw_scratch(lw, size);
	struct ir_ins *bytes = lw_stack(lw, t, size, flags, n);

	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, bytes, ir_const(&lw->b, 0)), ABI_FLT_BADSTACK, NULL);
	return builtin_int(lw_bini(lw, IR_LSHR, bytes, 3), e);
}

static struct val read_stackdepth(struct lw *lw, const struct expr *e)
{
	return depth(lw, e, 0, lw_stack_top(lw));
}

static struct val read_ustackdepth(struct lw *lw, const struct expr *e)
{
	return depth(lw, e, BPF_F_USER_STACK, 0);
}

/* Returns frame n of the stack, or 0 if the stack is not that deep. */
static struct val frame(struct lw *lw, const struct expr *e, uint64_t flags, unsigned int n)
{
	struct tmp t = lw_slot_word(lw);

	ir_store(&lw->b, 8, t.p, 0, ir_const(&lw->b, 0), t.mem);
	lw_stack(lw, t, 8, flags, n);
	return builtin_int(ir_load(&lw->b, 8, t.p, 0, t.mem), e);
}

static struct val read_caller(struct lw *lw, const struct expr *e)
{
	return frame(lw, e, 0, lw_stack_caller(lw));
}

/* Without a caller, all bits are set: the variable does not show the reason. */
static struct val read_ucaller(struct lw *lw, const struct expr *e)
{
	struct val v = frame(lw, e, BPF_F_USER_STACK, 1);
	struct ir_ins *is_lost =
	    lw_bin(lw, IR_ULT, lw_const(lw, (int64_t)(ABI_FRAME_LOST - ABI_LOST_REASONS)), v.v);

	v.v = lw_bin(lw, IR_OR, v.v, lw_un(lw, IR_NEG, is_lost));
	return v;
}

/*
 * uregs[]: the registers of the process when it entered the kernel, by their place in struct
 * pt_regs.  Constant indexes beyond it name registers that are stored elsewhere.
 */
static struct val read_uregs(struct lw *lw, const struct expr *e)
{
	struct val reg = {.type = e->type, .place = PLACE_SCALAR};
	unsigned int n = arch_native->nuregs;
	struct ir_ins *regs, *i;
	struct tmp t;

	if (e->args[0]->kind == EXPR_INT && e->args[0]->val >= n)
		return builtin_int(lw_inner(lw, lw_current(lw), "thread",
					    arch_native->thread_regs[e->args[0]->val - n])
				       .v,
				   e);
	regs = lw_helper(lw, BPF_FUNC_task_pt_regs, lw_current(lw).v, NULL);
	i = lw_scalar(lw, e->args[0]);
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULE, ir_const(&lw->b, n), i), ABI_FLT_ILLOP, NULL);
	reg.v = ir_bin(&lw->b, IR_ADD, regs, lw_bini(lw, IR_SHL, i, 3));
	t = lw_kread(lw, reg, 8);
	return builtin_int(ir_load(&lw->b, 8, t.p, 0, t.mem), e);
}

/*
 * Reads the registers in the context.  After a breakpoint of the kernel the address must be moved
 * back.
 */
static struct val context_regs(struct lw *lw, const struct expr *e)
{
	struct val ctx = {.v = lw->firing.ctx, .place = PLACE_CTX}, reg = {.place = PLACE_SCALAR};
	struct ir_ins *i = lw_scalar(lw, e->args[0]), *is_pc, *v;
	struct tmp t;

	if (e->args[0]->kind == EXPR_INT) {
		v = lw_load_pure(lw, 8, ctx.v, (int64_t)e->args[0]->val * 8, IR_MEM_CTX);
	} else {
		lw_fault_if(lw, ir_bin(&lw->b, IR_ULE, ir_const(&lw->b, arch_native->nuregs), i),
			    ABI_FLT_ILLOP, NULL);
		reg.v = lw_bin(lw, IR_ADD, lw_number(lw, ctx), lw_bini(lw, IR_SHL, i, 3));
		t = lw_kread(lw, reg, 8);
		v = ir_load(&lw->b, 8, t.p, 0, t.mem);
	}
	is_pc = lw_bini(lw, IR_EQ, i, arch_native->pc / 8);
	return builtin_int(lw_bin(lw, IR_SUB, v, lw_bini(lw, IR_MUL, is_pc, arch_native->brk_len)),
			   e);
}

/* regs[] has the kernel's registers if an instruction of the kernel is traced, else uregs[]. */
static struct val read_regs(struct lw *lw, const struct expr *e)
{
	bool is_context = lw->firing.mech->has_regs &&
			  (e->args[0]->kind != EXPR_INT || e->args[0]->val < arch_native->nuregs);

	return is_context ? context_regs(lw, e) : read_uregs(lw, e);
}

static void text_into(struct lw *lw, const char *s, struct ir_ins *dst, uint32_t size,
		      enum ir_mem mem)
{
	struct expr lit = {.kind = EXPR_STR, .name = s, .len = (unsigned int)strlen(s)};

	lit.type = type_string(lw->plan->env.types);
	lw_str_into(lw, &lit, dst, size, mem);
}

/* Fields of a probe's description. */
static const char *probe_prov(const struct probe *p)
{
	return p->prov;
}

static const char *probe_mod(const struct probe *p)
{
	return p->mod;
}

static const char *probe_func(const struct probe *p)
{
	return p->func;
}

static const char *probe_name(const struct probe *p)
{
	return p->name;
}

static bool is_same(const struct group *g, const char *(*field)(const struct probe *))
{
	for (unsigned int i = 1; i < g->probes.n; i++)
		if (field(g->probes.a[i]) != field(g->probes.a[i - 1]))
			return false;
	return true;
}

/*
 * Numbers the distinct texts of a field, by dispatch number.  *texts gets them padded with zeros.
 */
static uint32_t *number_texts(struct lw *lw, const char *(*field)(const struct probe *),
			      uint32_t size, struct buf *texts)
{
	const struct group *g = lw->firing.group;
	uint32_t *numbers = lw_key_table(lw), n = 0;
	struct map *known = map_new();

	for (unsigned int i = 0; i < g->probes.n; i++) {
		const char *text = field(g->probes.a[i]);
		uintptr_t at = (uintptr_t)map_get_int(known, (uintptr_t)text);

		if (!at) {
			at = ++n;
			map_set_int(known, (uintptr_t)text, (void *)at);
			buf_add(texts, text, strnlen(text, size - 1));
			buf_pad(texts, '\0', n * size - texts->n);
		}
		numbers[g->probes.a[i]->key] = (uint32_t)at - 1;
	}
	map_free(known);
	return numbers;
}

#define WORDS_MAX 8 /* longer texts are copied by a helper */

/* Writes the text of the firing probe, `size` bytes, from a table by dispatch number. */
static void text_by_key(struct lw *lw, const char *(*field)(const struct probe *),
			struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	struct buf texts = {0};
	uint32_t *numbers = number_texts(lw, field, size, &texts), at;
	struct ir_ins *n =
	    lw_umin(lw, lw_by_key(lw, numbers), ir_const(&lw->b, (int64_t)(texts.n / size) - 1));
	struct ir_ins *from;

	at = lw_bytes(lw, texts.s, (uint32_t)texts.n, 8);
	from =
	    ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_RODATA, at), lw_bini(lw, IR_MUL, n, size));
	if (size % 8 || size / 8 > WORDS_MAX)
		lw_helper(lw, BPF_FUNC_probe_read_kernel, dst, ir_const(&lw->b, size), from, NULL);
	else
		for (uint32_t i = 0; i < size; i += 8)
			ir_store(&lw->b, 8, dst, i, ir_load(&lw->b, 8, from, i, IR_MEM_MAP), mem);
	buf_free(&texts);
}

/* Writes a field of the probe.  If one program serves many probes, it is by dispatch number. */
static void field_into(struct lw *lw, const char *(*field)(const struct probe *),
		       struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	if (lw->firing.probe || is_same(lw->firing.group, field))
		text_into(
		    lw, field(lw->firing.probe ? lw->firing.probe : lw->firing.group->probes.a[0]),
		    dst, size, mem);
	else
		text_by_key(lw, field, dst, size < lw->plan->name_size ? size : lw->plan->name_size,
			    mem);
}

static void probeprov_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	field_into(lw, probe_prov, dst, size, mem);
}

static void probemod_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	field_into(lw, probe_mod, dst, size, mem);
}

static void probefunc_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	field_into(lw, probe_func, dst, size, mem);
}

static void probename_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	field_into(lw, probe_name, dst, size, mem);
}

static void vmname_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	text_into(lw, lw->plan->env.vmname ? lw->plan->env.vmname : "host", dst, size, mem);
}

static struct val read_vmid(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, lw->plan->env.vmid), e);
}

/* ---- facts of the session for the libraries: constants of the run ---- */

static struct val read_cgroup_scope(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, (int64_t)lw->plan->opt.scope_at.id), e);
}

static struct val read_cgroup_level(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, lw->plan->opt.scope_at.level), e);
}

static struct val read_cgroup_root(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, (int64_t)lw->plan->opt.scope_at.root_id), e);
}

static struct val read_cgroup_root_level(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, lw->plan->opt.scope_at.root_level), e);
}

static void cgroup_path_into(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	const char *rest = lw->plan->opt.scope_at.rest;

	text_into(lw, rest ? rest : "", dst, size, mem);
}

static struct val read_host_netns(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, kern_host_ns(lw->plan->env.kern, "net")), e);
}

static struct val read_host_pidns(struct lw *lw, const struct expr *e)
{
	return builtin_int(lw_const(lw, kern_host_ns(lw->plan->env.kern, "pid")), e);
}

/* The coarse clocks advance by one tick (clock_getres(2)). */
static struct val read_jiffy_ns(struct lw *lw, const struct expr *e)
{
	struct sys_call c = {.op = SYS_TICK};
	struct machine *m = kern_machine(lw->plan->env.kern);
	long ns = m->ops->call(m, &c);

	return builtin_int(lw_const(lw, ns > 0 ? ns : 1000000), e);
}

#define INT_VAR_FLAGS(id, text, fn, bits)                                         \
	{                                                                         \
		.name = #id, .kind = IDENT_BUILTIN, .flags = bits, .proto = text, \
		.impl = &(const struct builtin_var)                               \
		{                                                                 \
			.read = fn                                                \
		}                                                                 \
	}
#define INT_VAR(id, text, fn) INT_VAR_FLAGS(id, text, fn, 0)
/* Row of a variable with user frames, which lie in memory of the process. */
#define USER_VAR(id, text, fn)                                     \
	{                                                          \
		.name = #id, .kind = IDENT_BUILTIN, .proto = text, \
		.impl = &(const struct builtin_var)                \
		{                                                  \
			.read = fn,                                \
			.use = {.user_addrs = true,                \
				.user_stack = true,                \
				.running = true }                  \
		}                                                  \
	}
#define STR_VAR_FLAGS(id, fn, max, bits)                                                   \
	{                                                                                  \
		.name = #id, .kind = IDENT_BUILTIN, .flags = bits, .proto = "string " #id, \
		.impl = &(const struct builtin_var)                                        \
		{                                                                          \
			.str_into = fn, .bound = max                                       \
		}                                                                          \
	}
#define STR_VAR(id, fn, max) STR_VAR_FLAGS(id, fn, max, 0)
#define ARG_VAR(n)                                                               \
	{                                                                        \
		.name = "arg" #n, .kind = IDENT_BUILTIN, .flags = LANG_OF_PROBE, \
		.proto = "int64_t arg" #n, .impl = &(const struct builtin_var)   \
		{                                                                \
			.read = read_arg, .use = {.raw_arg = n + 1 }             \
		}                                                                \
	}

const struct lang_row builtin_var[] = {
    ARG_VAR(0),
    ARG_VAR(1),
    ARG_VAR(2),
    ARG_VAR(3),
    ARG_VAR(4),
    ARG_VAR(5),
    ARG_VAR(6),
    ARG_VAR(7),
    ARG_VAR(8),
    ARG_VAR(9),
    INT_VAR(caller, "uintptr_t caller", read_caller),
    INT_VAR(cgroup_scope, "uint64_t cgroup_scope", read_cgroup_scope),
    INT_VAR(cgroup_level, "int cgroup_level", read_cgroup_level),
    STR_VAR(cgroup_path, cgroup_path_into, 0),
    INT_VAR(cgroup_root, "uint64_t cgroup_root", read_cgroup_root),
    INT_VAR(cgroup_root_level, "int cgroup_root_level", read_cgroup_root_level),
    INT_VAR(cpu, "processorid_t cpu", read_cpu),
    {
	.name = "curthread",
	.kind = IDENT_BUILTIN,
	.proto = "struct task_struct *curthread",
	.attr = "Stable/Private/Common",
	.impl = &(const struct builtin_var){.read = read_curthread},
    },
    INT_VAR_FLAGS(epid, "uint_t epid", read_epid, LANG_OF_PROBE),
    INT_VAR_FLAGS(errno, "int errno", read_errno, LANG_OF_PROBE),
    INT_VAR(gid, "gid_t gid", read_gid),
    INT_VAR(host_netns, "uint32_t host_netns", read_host_netns),
    INT_VAR(host_pidns, "uint32_t host_pidns", read_host_pidns),
    INT_VAR_FLAGS(id, "uint_t id", read_id, LANG_OF_PROBE),
    INT_VAR(ipl, "uint_t ipl", read_ipl),
    INT_VAR(jiffy_ns, "uint64_t jiffy_ns", read_jiffy_ns),
    INT_VAR(pid, "pid_t pid", read_pid),
    INT_VAR(ppid, "pid_t ppid", read_ppid),
    INT_VAR(regs, arch_regs, read_regs),
    INT_VAR(stackdepth, "uint32_t stackdepth", read_stackdepth),
    INT_VAR(tid, "id_t tid", read_tid),
    INT_VAR_FLAGS(timestamp, "uint64_t timestamp", read_timestamp, LANG_CLOCK),
    USER_VAR(ucaller, "uint64_t ucaller", read_ucaller),
    INT_VAR(uid, "uid_t uid", read_uid),
    INT_VAR(uregs, arch_uregs, read_uregs),
    USER_VAR(ustackdepth, "uint32_t ustackdepth", read_ustackdepth),
    INT_VAR(vmid, "uint_t vmid", read_vmid),
    {.name = "vtimestamp",
     .kind = IDENT_BUILTIN,
     .flags = LANG_CLOCK,
     .proto = "uint64_t vtimestamp",
     .impl = &(const struct builtin_var){.read = read_vtimestamp, .use = {.machine = true}}},
    INT_VAR_FLAGS(walltimestamp, "int64_t walltimestamp", read_walltimestamp, LANG_CLOCK),
    STR_VAR(execname, lw_execname, ABI_COMM),
    STR_VAR(threadname, lw_execname, ABI_COMM),
    STR_VAR_FLAGS(probeprov, probeprov_into, PLAN_BOUND_NAME, LANG_OF_PROBE),
    STR_VAR_FLAGS(probemod, probemod_into, PLAN_BOUND_NAME, LANG_OF_PROBE),
    STR_VAR_FLAGS(probefunc, probefunc_into, PLAN_BOUND_NAME, LANG_OF_PROBE),
    STR_VAR_FLAGS(probename, probename_into, PLAN_BOUND_NAME, LANG_OF_PROBE),
    STR_VAR(vmname, vmname_into, VMNAME_MAX),
    {0},
};
