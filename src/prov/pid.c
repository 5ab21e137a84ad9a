/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c: functions and instructions of processes: pid123:OBJECT:FUNCTION:entry, return, OFFSET.
 *
 * A description that names a process creates its probes (pidfind.h): from the symbols of the files
 * mapped there, and from decoding the functions (proc/).
 *
 * The kernel puts a breakpoint on each place (uprobes).  All of a process run one program, which
 * the cookie tells where it fires.
 *
 * The kernel could catch returns itself (uretprobe), but that changes the return addresses on the
 * stack, which breaks programs that look at them: setjmp(), exceptions of C++.
 */
#include <bpf/bpf.h>
#include <limits.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"
#include "base/arena.h"
#include "prov/call.h"
#include "prov/pidfind.h"

static const struct pid_probe *own(const struct probe *p)
{
	return p->data;
}

/* ---- typed arguments, of what has debug information ---- */

#define NO_WORD UINT_MAX /* a parameter that is not in words, or it is not known in which */

/* A function whose parameters the compiler has changed says so in its symbol. */
static bool is_changed(const char *name)
{
	static const char *const marks[] = {".isra", ".constprop", ".part"};

	for (unsigned int i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

static bool is_large(const struct type *t)
{
	return type_is_sou(t) && type_base(t)->size > 16;
}

/*
 * Which words of the arguments parameters are: integers and pointers are one each, floating-point
 * numbers none.  Of what follows a structure in registers nothing is known.
 */
static unsigned int *words_of(struct plan *plan, const struct lang_args *a, struct type *result)
{
	unsigned int *words = arena_new_arr(plan->arena, unsigned int, a->nnative + 1);
	unsigned int at = result && is_large(result) ? arch_native->result_words : 0;

	for (unsigned int i = 0; i < a->nnative; i++) {
		const struct type *t = type_base(a->native[i]);

		words[i] = NO_WORD;
		if (t->kind == TYPE_FLOAT || at == NO_WORD)
			continue;
		if (type_is_scalar(t))
			words[i] = at++;
		else
			at = is_large(t) ? at + arch_native->large_words : NO_WORD;
	}
	return words;
}

static struct info *debug_of(struct plan *plan, const struct pid_probe *p)
{
	const struct process_place *pl = p->in.places;

	return p->func && pl && pl->object->is_native && !is_changed(p->probe->func)
		   ? proc_info(plan->procs, pl->object, pl->file)
		   : NULL;
}

static void late_args(struct plan *plan, struct probe *probe, struct lang_args *a)
{
	struct pid_probe *p = (struct pid_probe *)probe->data;
	struct info *d = debug_of(plan, p);
	info_list params = {0};
	info_ref ref;
	struct type *result;

	if (!d || !info_function(d, p->func, p->probe->func, &params, &ref))
		return;
	result = ref ? type_from_info(plan->types, d, ref) : NULL;
	a->native = arena_new_arr(plan->arena, struct type *, params.n + 2);
	if (p->kind == PID_RETURN) {
		a->native[a->nnative++] = type_int(plan->types, 4, true);
		if (result)
			a->native[a->nnative++] = result;
	} else if (p->kind == PID_ENTRY) {
		for (unsigned int i = 0; i < params.n; i++)
			a->native[a->nnative++] = type_from_info(plan->types, d, params.a[i].type);
		p->words = words_of(plan, a, result);
	}
	vec_free(&params);
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

/* Whether the jump at the place that fires is taken, if it depends. */
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

static struct ir_ins *applies(struct lw *lw)
{
	struct ir_ins *is_process = process_applies(lw);

	return has_condition(lw->firing.group) ? lw_bin(lw, IR_AND, is_process, is_taken(lw))
					       : is_process;
}

/* sp: stack pointer of the caller, if the address is on the stack. */
static struct ir_ins *return_address(struct lw *lw, struct ir_ins *sp)
{
	struct tmp t;

	if (arch_native->link)
		return call_reg(lw, arch_native->link);
	t = lw_slot(lw, 8);
	ir_store(&lw->b, 8, t.p, 0, lw_const(lw, 0), t.mem);
	lw_helper(lw, BPF_FUNC_probe_read_user, t.p, lw_const(lw, 8), lw_bini(lw, IR_SUB, sp, 8),
		  NULL);
	return ir_load(&lw->b, 8, t.p, 0, t.mem);
}

static struct ir_ins *hidden_caller(struct lw *lw, struct ir_ins **sp)
{
	struct ir_ins *caller =
	    lw_bini(lw, IR_AND, lw_bini(lw, IR_LSHR, call_cookie(lw), PID_CALLER_SHIFT), 3);
	struct ir_block *hidden = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	struct ir_ins *is_below = lw_bini(lw, IR_EQ, caller, ARCH_CALLER_BELOW_TOP), *top;

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

/* arg0: where in the function it returns, arg1: what. */
static struct ir_ins *return_arg(struct lw *lw, unsigned int n)
{
	if (n == 0)
		return lw_bini(lw, IR_ASHR,
			       lw_bini(lw, IR_SHL, call_cookie(lw), 64 - PID_KIND_SHIFT),
			       64 - PID_KIND_SHIFT + PID_OFFSET_SHIFT);
	return n == 1 ? call_reg(lw, arch_native->result) : lw_const(lw, 0);
}

/* Above the return address. */
static struct ir_ins *narrow_arg(struct lw *lw, unsigned int n)
{
	struct type *t = type_int(lw->plan->types, 4, false);
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

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	const struct pid_probe *p = own(lw->firing.group->probes.a[0]);
	struct val v = {.type = type, .place = PLACE_USER};
	/* Of what came while tracing went on nobody has asked. */
	unsigned int word = p->words ? p->words[n] : n;

	if (word == NO_WORD || !type_is_scalar(type)) {
		lw_fault_if(lw, lw_const(lw, 1), ABI_FLT_ILLOP, lw_const(lw, 0));
		v.v = lw_const(lw, 0);
		return v;
	}
	v.v = rawarg(lw, word);
	if (type_base(type)->kind != TYPE_PTR) {
		v.v = lw_norm(lw, v.v, type);
		v.place = PLACE_SCALAR;
	}
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
