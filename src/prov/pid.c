/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c: functions and instructions of processes: pid123:OBJECT:FUNCTION:entry, return, OFFSET.
 *
 * A description that names a process creates its probes (pidfind.h): from the symbols of the mapped
 * files, and from decoding the functions (proc/).
 *
 * The kernel puts a breakpoint on each place (uprobes).  All places of a process run one program,
 * and the cookie says which one has fired.
 *
 * The kernel can catch returns itself (uretprobe), but that changes the return addresses on the
 * stack.  It breaks programs that read these, such as exceptions of C++.  Option uretprobe allows
 * it.  Then a firing does not know where the function has returned, and its stack lacks a frame.
 */
#include <bpf/bpf.h>
#include <limits.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "base/arena.h"
#include "base/map.h"
#include "prov/call.h"
#include "prov/pidargs.h"
#include "prov/pidfind.h"

static const struct pid_probe *own(const struct probe *p)
{
	return p->data;
}

/* ---- typed arguments, from debug information ---- */

/* Returns true if the symbol shows that the compiler has changed the function's parameters. */
static bool is_changed(const char *name)
{
	static const char *const marks[] = {".isra", ".constprop", ".part"};

	for (unsigned int i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

static struct info *debug_of(struct plan *plan, const struct pid_probe *p)
{
	const struct process_place *pl = p->in.places;

	return p->func && pl && pl->object->is_native
		   ? proc_info(plan->env.procs, pl->object, pl->file)
		   : NULL;
}

/* Returns the reason why an argument cannot be read, with its name. */
static const char *why_not(struct plan *plan, const struct info_param *param, const char *why)
{
	if (!why || !param || !param->name)
		return why;
	return arena_printf(plan->env.arena, "parameter %s: %s", param->name, why);
}

static void add_native(struct lang_args *a, struct type *t, const char *unreadable)
{
	a->unreadable[a->nnative] = unreadable;
	a->native[a->nnative++] = t;
}

static void entry_args(struct plan *plan, struct pid_probe *p, struct info *in,
		       const struct info_function *f, struct lang_args *a)
{
	p->args = pidargs_params(plan, in, f);
	for (unsigned int i = 0; i < p->args->n; i++)
		add_native(a, type_from_info(plan->env.types, in, f->params.a[i].type),
			   why_not(plan, &f->params.a[i], p->args->a[i].why));
}

static void return_args(struct plan *plan, struct pid_probe *p, struct info *in,
			const struct info_function *f, struct lang_args *a)
{
	p->args = pidargs_results(plan, in, f);
	add_native(a, type_int(plan->env.types, 4, true), NULL);
	for (unsigned int i = 0; i < p->args->n; i++)
		add_native(a, type_from_info(plan->env.types, in, f->results.a[i]),
			   p->args->a[i].why);
}

static uint64_t hash_places(const struct pid_args *args)
{
	uint64_t h = 0;

	for (unsigned int i = 0; args && i < args->n; i++)
		for (unsigned int j = 0; j < args->a[i].npieces; j++) {
			const struct pid_piece *p = &args->a[i].pieces[j];
			uint64_t words[] = {
			    h, i, args->a[i].is_address, p->kind, p->reg, (uint64_t)p->n, p->off};

			h = map_hash(words, sizeof(words));
		}
	return h;
}

static void late_args(struct plan *plan, struct probe *probe, struct lang_args *a)
{
	struct pid_probe *p = (struct pid_probe *)probe->data;
	struct info *in = debug_of(plan, p);
	struct info_function f = {.language = INFO_C};
	unsigned int most;

	a->lacks =
	    in ? "the function has no debug information" : "the file has no debug information";
	if (in && info_function(in, p->func, p->probe->func, &f)) {
		a->lacks = f.is_split ? "its debug information is in a file of its own (.dwo), "
					"which cannot be read"
			   : f.lacks_types ? "its debug information has no types (-g1)"
					   : NULL;
		most = f.params.n + f.results.n + 1;
		a->native = arena_new_arr(plan->env.arena, struct type *, most);
		a->unreadable = arena_new_arr(plan->env.arena, const char *, most);
		f.is_free = f.is_free || is_changed(p->probe->func);
		if (p->kind == PID_ENTRY)
			entry_args(plan, p, in, &f, a);
		else if (p->kind == PID_RETURN)
			return_args(plan, p, in, &f, a);
		a->places = hash_places(p->args);
	}
	info_function_free(&f);
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	a->is_late = true;
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->prov;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	return lw_bini(lw, IR_AND, call_cookie(lw), (1 << PID_NUMBER_BITS) - 1);
}

/* Bits of enum insn_cond. */
enum { AT_SIGN = 3, AT_OVERFLOW, AT_LESS, AT_NOT };

static struct ir_ins *cond_bit(struct lw *lw, struct ir_ins *conds, unsigned int n)
{
	return lw_bini(lw, IR_AND, lw_bini(lw, IR_LSHR, conds, n), 1);
}

/* Returns 1 if the jump at the firing place is taken, in case it is conditional. */
static struct ir_ins *is_taken(struct lw *lw)
{
	struct ir_ins *conds = lw_bini(lw, IR_LSHR, call_cookie(lw), PID_COND_SHIFT);
	struct ir_ins *word = call_reg(lw, arch_native->flags), *flags[ARCH_FLAGS];
	struct ir_ins *taken = lw_const(lw, 0), *less, *any;

	for (unsigned int i = 0; i < ARCH_FLAGS; i++) {
		flags[i] = cond_bit(lw, word, arch_native->flag_bits[i]);
		taken =
		    lw_bin(lw, IR_OR, taken, lw_bin(lw, IR_AND, flags[i], cond_bit(lw, conds, i)));
	}
	less = lw_bin(lw, IR_XOR, flags[AT_SIGN], flags[AT_OVERFLOW]);
	taken = lw_bin(lw, IR_OR, taken, lw_bin(lw, IR_AND, less, cond_bit(lw, conds, AT_LESS)));
	taken = lw_bin(lw, IR_XOR, taken, cond_bit(lw, conds, AT_NOT));
	any = lw_bini(lw, IR_AND, conds, (1 << PID_COND_BITS) - 1);
	return lw_bin(lw, IR_OR, taken, lw_bini(lw, IR_EQ, any, 0));
}

static bool has_condition(const struct group *g)
{
	for (unsigned int i = 0; i < g->probes.n; i++)
		for (const struct process_place *pl = own(g->probes.a[i])->in.places; pl;
		     pl = pl->next)
			if (pl->cookie >> PID_COND_SHIFT & ((1 << PID_COND_BITS) - 1))
				return true;
	return false;
}

static bool has_hook(const struct group *g)
{
	for (unsigned int i = 0; i < g->probes.n; i++)
		for (const struct process_place *pl = own(g->probes.a[i])->in.places; pl;
		     pl = pl->next)
			if (pl->is_hook)
				return true;
	return false;
}

static struct ir_ins *is_hook(struct lw *lw)
{
	return lw_bini(lw, IR_AND, lw_bini(lw, IR_LSHR, call_cookie(lw), PID_HOOK_SHIFT), 1);
}

/*
 * The kernel does not count the calls that it does not hook because MAX_URETPROBE_DEPTH (64,
 * include/linux/uprobes.h) are in progress.  The depth includes the hook that fires, until Linux
 * 6.13.
 */
#define HOOKS_NEAR_MAX 63

static void count_lost(struct lw *lw)
{
	struct val task = lw_field(lw, lw_current(lw), "utask");
	struct ir_ins *depth = lw_field(lw, task, "depth").v;
	struct ir_block *deepest = lw_block(lw), *done = lw_block(lw);
	unsigned int mark;

	lw_if(lw, lw_bin(lw, IR_ULE, lw_const(lw, HOOKS_NEAR_MAX), depth), deepest, done);
	lw_seal_at(lw, deepest);
	mark = lw_push(lw);
	lw_drop(lw, ABI_DROP_RETURNS);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static struct ir_ins *applies(struct lw *lw)
{
	struct ir_ins *is_process = process_applies(lw);

	if (has_hook(lw->firing.group))
		count_lost(lw);
	return has_condition(lw->firing.group) ? lw_bin(lw, IR_AND, is_process, is_taken(lw))
					       : is_process;
}

/* sp: stack pointer of the caller, if the address is on the stack. */
static struct ir_ins *return_address(struct lw *lw, struct ir_ins *sp)
{
	struct tmp t;

	if (arch_native->link)
		return call_reg(lw, arch_native->link);
	t = lw_slot_word(lw);
	ir_store(&lw->b, 8, t.p, 0, lw_const(lw, 0), t.mem);
	lw_helper(lw, BPF_FUNC_probe_read_user, t.p, lw_const(lw, 8), lw_bini(lw, IR_SUB, sp, 8),
		  NULL);
	return ir_load(&lw->b, 8, t.p, 0, t.mem);
}

/* A hook shows neither the frame of the function nor the returning instruction. */
static void fail_in_hook(struct lw *lw, enum abi_fault fault)
{
	if (has_hook(lw->firing.group))
		lw_fault_if(lw, is_hook(lw), fault, lw_const(lw, 0));
}

static struct ir_ins *hidden_caller(struct lw *lw, struct ir_ins **sp)
{
	struct ir_ins *caller =
	    lw_bini(lw, IR_AND, lw_bini(lw, IR_LSHR, call_cookie(lw), PID_CALLER_SHIFT), 3);
	struct ir_block *hidden = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	struct ir_ins *is_below = lw_bini(lw, IR_EQ, caller, ARCH_CALLER_BELOW_TOP), *top;

	fail_in_hook(lw, ABI_FLT_BADSTACK);
	top = lw_bini(lw, IR_ADD, call_reg(lw, arch_native->sp), 8);
	top = lw_bin(lw, IR_ADD, top, lw_bini(lw, IR_SHL, is_below, 3));
	if (sp)
		*sp = top;
	else
		caller =
		    lw_bin(lw, IR_AND, caller,
			   lw_bini(lw, IR_SUB, lw_bini(lw, IR_EQ, caller, ARCH_CALLER_SHOWN), 1));
	ir_var_write(&lw->b, var, lw_const(lw, 0));
	lw_if(lw, caller, hidden, done);
	lw_seal_at(lw, hidden);
	mark = lw_push(lw);
	ir_var_write(&lw->b, var, return_address(lw, top));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* arg0: offset of the return in the function, arg1: the result. */
static struct ir_ins *return_arg(struct lw *lw, unsigned int n)
{
	if (n == 0)
		fail_in_hook(lw, ABI_FLT_ILLOP);
	if (n == 0)
		return lw_bini(lw, IR_ASHR,
			       lw_bini(lw, IR_SHL, call_cookie(lw), 64 - PID_KIND_SHIFT),
			       64 - PID_KIND_SHIFT + PID_OFFSET_SHIFT);
	return n == 1 ? call_reg(lw, arch_native->result) : lw_const(lw, 0);
}

/* Arguments are above the return address. */
static struct ir_ins *narrow_arg(struct lw *lw, unsigned int n)
{
	struct type *t = type_int(lw->plan->env.types, 4, false);
	struct val at = {.v = call_reg(lw, arch_native->sp), .type = t, .place = PLACE_USER};

	return lw_load(lw, at, t, (1 + n) * 32, 0).v;
}

static struct ir_ins *arg_of(struct lw *lw, enum pid_kind kind, unsigned int n)
{
	switch (kind) {
	case PID_ENTRY:
		return call_arg(lw, n, PLACE_USER);
	case PID_RETURN:
		return return_arg(lw, n);
	case PID_NARROW_ENTRY:
		return narrow_arg(lw, n);
	case PID_OFFSET:
	case PID_KINDS:
		break;
	}
	return lw_const(lw, 0);
}

/* Probes of one group may be of several kinds: pid123::main: has all. */
static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	bool has[PID_KINDS] = {false};
	unsigned int var = ir_var_new(lw->b.func), kinds = 0, all;
	struct ir_ins *which;
	struct ir_block *done;
	enum pid_kind kind = PID_ENTRY;

	for (unsigned int i = 0; i < lw->firing.group->probes.n; i++) {
		kind = own(lw->firing.group->probes.a[i])->kind;
		kinds += !has[kind];
		has[kind] = true;
	}
	if (kinds == 1)
		return arg_of(lw, kind, n);
	done = lw_block(lw);
	which = lw_bini(lw, IR_LSHR, call_cookie(lw), PID_KIND_SHIFT);
	all = lw_push(lw);
	for (kind = PID_ENTRY; kind < PID_KINDS; kind++) {
		struct ir_block *yes, *no;
		unsigned int one;

		if (!has[kind])
			continue;
		yes = lw_block(lw);
		no = lw_block(lw);
		lw_if(lw, lw_bini(lw, IR_EQ, which, (int64_t)kind), yes, no);
		one = lw_push(lw);
		lw_seal_at(lw, yes);
		ir_var_write(&lw->b, var, arg_of(lw, kind, n));
		ir_jmp(&lw->b, done);
		lw_pop(lw, one);
		lw_seal_at(lw, no);
	}
	ir_var_write(&lw->b, var, lw_const(lw, 0));
	ir_jmp(&lw->b, done);
	lw_pop(lw, all);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/* ---- args[] ---- */

static struct ir_ins *piece_address(struct lw *lw, const struct pid_piece *p)
{
	struct ir_ins *base = call_reg(lw, p->reg);

	return p->n ? lw_bini(lw, IR_ADD, base, p->n) : base;
}

static struct ir_ins *piece_value(struct lw *lw, const struct pid_piece *p)
{
	struct type *t = type_int(lw->plan->env.types, 8, false);
	struct val at = {.type = t, .place = PLACE_USER};

	switch (p->kind) {
	case INFO_REG:
		return call_reg(lw, p->reg);
	case INFO_VALUE:
		return lw_const(lw, p->n);
	case INFO_MEM:
		break;
	}
	at.v = piece_address(lw, p);
	return lw_load(lw, at, t, 0, 0).v;
}

static struct val scalar_arg(struct lw *lw, const struct pid_arg *a, struct type *type)
{
	struct val v = {.type = type, .place = PLACE_USER}, at = v;

	if (a->pieces[0].kind == INFO_MEM) {
		at.v = piece_address(lw, &a->pieces[0]);
		v.v = lw_load(lw, at, type, 0, 0).v;
	} else {
		v.v = piece_value(lw, &a->pieces[0]);
	}
	if (type_base(type)->kind != TYPE_PTR) {
		v.v = lw_norm(lw, v.v, type);
		v.place = PLACE_SCALAR;
	}
	return v;
}

/* Stores the lowest bytes of a value to memory that may have less alignment. */
static void store_bytes(struct lw *lw, struct tmp t, uint32_t off, uint32_t size, struct ir_ins *v)
{
	for (uint32_t done = 0, n; done < size; done += n) {
		for (n = 8; (off + done) % n || n > size - done;)
			n /= 2;
		ir_store(&lw->b, n, t.p, off + done, done ? lw_bini(lw, IR_LSHR, v, done * 8) : v,
			 t.mem);
	}
}

/* Returns a structure in the process, or a copy of one in registers. */
static struct val object_arg(struct lw *lw, const struct pid_arg *a, struct type *type)
{
	struct val v = {.type = type, .place = PLACE_USER};
	uint64_t size = type_sizeof(lw->plan->env.types, type);
	struct tmp t;

	if (a->is_address || (a->npieces == 1 && a->pieces[0].kind == INFO_MEM)) {
		v.v = a->is_address ? piece_value(lw, &a->pieces[0])
				    : piece_address(lw, &a->pieces[0]);
		return v;
	}
	t = lw_slot(lw, (uint32_t)(size + 7) & ~7U);
	for (unsigned int i = 0; i < a->npieces; i++) {
		uint32_t off = a->pieces[i].off;
		uint32_t end = i + 1 < a->npieces ? a->pieces[i + 1].off : (uint32_t)size;

		if (end > size || end <= off || end - off > 8)
			end = off + 8 < size ? off + 8 : (uint32_t)size;
		if (off < size)
			store_bytes(lw, t, off, end - off, piece_value(lw, &a->pieces[i]));
	}
	v.v = t.p;
	v.place = PLACE_SAFE;
	v.mem = t.mem;
	return v;
}

static const struct pid_arg *arg_at(const struct pid_probe *p, unsigned int n)
{
	/* args[0] of a return is the offset. */
	if (p->kind == PID_RETURN)
		n--;
	return p->args && n < p->args->n ? &p->args->a[n] : NULL;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	const struct pid_probe *p = own(lw->firing.group->probes.a[0]);
	const struct pid_arg *a = arg_at(p, n);
	struct val v = {.type = type, .place = PLACE_SCALAR};

	if (p->kind == PID_RETURN && n == 0) {
		v.v = lw_norm(lw, rawarg(lw, 0), type);
		return v;
	}
	if (a && !a->why && a->npieces)
		return type_is_scalar(type) ? scalar_arg(lw, a, type) : object_arg(lw, a, type);
	/* Arguments of probes that were created during tracing are unknown. */
	lw_fault_if(lw, lw_const(lw, 1), ABI_FLT_ILLOP, lw_const(lw, 0));
	v.v = lw_const(lw, 0);
	v.place = PLACE_USER;
	return v;
}

static bool comes_later(const struct pdesc *d, uint32_t *pid)
{
	return process_comes_later(d, true, pid);
}

const struct provider provider_pid = {
    .name = "pid",
    .ids = {600000, 2000000000},
    .attrs = {"Evolving/Evolving/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Evolving/Evolving/ISA", "Private/Private/Unknown"},
    .provide = pidfind,
    .args = args,
    .late_args = late_args,
    .place = place,
    .program = process_program,
    .another = process_another,
    .dispatch = dispatch,
    .applies = applies,
    .arg = arg,
    .rawarg = rawarg,
    .hidden_caller = hidden_caller,
    .attach = process_attach,
    .comes_later = comes_later,
    .has_more = process_has_more,
    .matches_prefix = true,
    .is_gated = true,
    .may_nest = true,
};
