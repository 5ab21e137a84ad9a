/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt.c: static probes of programs and libraries: PROVIDER123:OBJECT:FUNCTION:NAME.
 *
 * The notes of ELF files (proc/notes.h) have their places.  A description names one process, or by
 * a pattern any process of a binary.  Then a probe, called PROVIDER*, is for all processes that
 * execute the file, later ones included.  Only a listing shows it per process.
 *
 * A probe has one or more places.  The cookie of a place is the number of the probe, and in the
 * upper half the number of a form: the places of the arguments.  Places with equal arguments share
 * a form.
 */
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "kern/kern.h"
#include "proc/func.h"
#include "proc/image.h"
#include "proc/notes.h"
#include "prov/call.h"
#include "prov/process.h"
#include "sys/machine.h"

struct usdt_probe {
	struct process_probe in;
	struct probe *probe;
	const char *base; /* name of the provider as in the notes */
	/* Types that hold the arguments of all places. */
	unsigned int nargs;
	struct width {
		unsigned int size; /* 0: no place has the argument */
		bool is_signed;
	} widths[NOTE_ARGS];
};

#define FORM_SHIFT 32 /* in a cookie */

/* Places of the arguments at one place of a probe. */
struct form {
	unsigned int nargs;
	struct note_arg args[NOTE_ARGS];
};

/* State of a session. */
struct state {
	VEC(struct form *) forms;
	uint32_t nprobes;
	uint32_t *pids; /* processes that have notes; NULL: not all have been examined */
	unsigned int npids;
};

/* A description while processes are searched. */
struct finder {
	struct probes *ps;
	struct plan *plan;
	struct state *state;
	const struct provider *pv;
	const struct pdesc *d;
	size_t base;	/* length of the provider's name before the process number; 0: a pattern */
	uint32_t owner; /* that process number */
	struct proc *proc;
	struct proc_map *map;
};

/* Returns the published name: "query-start" for "query__start". */
static const char *published(struct plan *plan, const char *name)
{
	char *copy = arena_strdup(plan->env.arena, name), *to = copy;

	for (const char *p = copy; *p; to++) {
		bool is_dash = p[0] == '_' && p[1] == '_';

		*to = is_dash ? '-' : *p;
		p += is_dash ? 2 : 1;
	}
	*to = '\0';
	return copy;
}

static bool same_args(const struct form *f, const struct note *n)
{
	if (f->nargs != n->nargs)
		return false;
	for (unsigned int i = 0; i < n->nargs; i++) {
		const struct note_arg *a = &f->args[i], *b = &n->args[i];

		if (a->size != b->size || a->is_signed != b->is_signed ||
		    a->op.kind != b->op.kind || a->op.reg != b->op.reg ||
		    a->op.index != b->op.index || a->op.scale != b->op.scale ||
		    a->op.shift != b->op.shift || a->op.disp != b->op.disp)
			return false;
	}
	return true;
}

static unsigned int form_of(struct finder *f, const struct note *n)
{
	struct form *form;

	for (unsigned int i = 0; i < f->state->forms.n; i++)
		if (same_args(f->state->forms.a[i], n))
			return i;
	form = arena_new_obj(f->plan->env.arena, struct form);
	form->nargs = n->nargs;
	memcpy(form->args, n->args, sizeof(form->args));
	vec_push(&f->state->forms, form);
	return f->state->forms.n - 1;
}

/*
 * Moves a place from a nop that a breakpoint would spoil to the next instruction.  Returns false if
 * that cannot stand for the nop.
 */
static bool pass_nop(struct finder *f, struct proc_object *o, uint64_t addr, uint64_t *off)
{
	const struct proc_sym *sym = proc_sym_at(o, addr);
	int fd = proc_open(f->proc, f->map);
	uint32_t len = fd < 0 ? 0 : process_spoilt_nop(f->plan, fd, *off);
	struct func func = {0};
	bool ok = !len || (sym && func_read(fd, o, sym, &func) &&
			   process_stands_in(&func, (uint32_t)(addr - sym->addr) + len));

	*off += len;
	func_free(&func);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Moves a place to where a breakpoint does no harm.  Returns false if there is no such place. */
static bool find_harmless(struct finder *f, struct proc_object *o, uint64_t addr, uint64_t *off)
{
	bool ok = pass_nop(f, o, addr, off);

	if (!ok && !process_is_pattern(f->d->name))
		diag(
		    f->plan->env.diags, f->d->loc, D_PROC_USDT,
		    "failed to create probe %s of process %u: this kernel replaces its "
		    "instruction by a call, which can corrupt its variables, and kill its children",
		    f->d->name, f->proc->pid);
	return ok;
}

/* Extends a type so that it holds the values of an argument, too. */
static void widen(struct width *w, const struct note_arg *a)
{
	unsigned int size = a->size ? a->size : 8;
	bool differs = w->size && w->is_signed != a->is_signed;

	/* Four signed bytes cannot hold four unsigned bytes.  Eight bytes, the maximum, can. */
	w->size = differs ? 8 : size > w->size ? size : w->size;
	w->is_signed |= a->is_signed;
}

static void add_place(struct finder *f, struct usdt_probe *p, const struct proc_object *o,
		      const struct note *n, uint64_t off)
{
	struct procs *ps = f->plan->env.procs;
	bool is_own = p->in.pid == f->proc->pid;
	const char *file =
	    is_own ? proc_file(ps, f->proc, f->map) : proc_lasting_file(ps, f->proc, f->map);
	struct process_place *pl;
	uint64_t semaphore = 0;

	if (process_place_again(&p->in, o, off, file))
		return;
	if (n->semaphore && !proc_offset(o, n->semaphore, &semaphore))
		return;
	p->nargs = n->nargs > p->nargs ? n->nargs : p->nargs;
	for (unsigned int i = 0; i < n->nargs; i++)
		widen(&p->widths[i], &n->args[i]);
	/* Its objects are compared by their addresses. */
	f->proc->is_pinned = true;
	pl = arena_new_obj(f->plan->env.arena, struct process_place);
	*pl = (struct process_place){.object = o,
				     .file = file,
				     .off = off,
				     .semaphore = semaphore,
				     .cookie = (uint64_t)form_of(f, n) << FORM_SHIFT |
					       (uint32_t)p->probe->key,
				     .next = p->in.places};
	p->in.places = pl;
}

static void add_probe(struct finder *f, const char *prov, uint32_t pid, const struct note *n,
		      const char *name)
{
	struct proc_object *o = proc_object(f->plan->env.procs, f->proc, f->map);
	const struct proc_sym *sym = proc_sym_at(o, n->addr);
	const char *func = sym ? sym->name : "";
	struct usdt_probe *p;
	struct probe *probe;
	uint64_t off;

	if (!proc_offset(o, n->addr, &off) || !probe_glob(f->d->func, func) ||
	    !find_harmless(f, o, n->addr, &off))
		return;
	probe = probe_add_near(f->ps, f->pv, probe_index(prov, name) ^ probe_index(o->base, func),
			       prov, o->base, func, name);
	if (!probe)
		return;
	if (!probe->data) {
		p = arena_new_obj(f->plan->env.arena, struct usdt_probe);
		p->probe = probe;
		p->in.pid = pid;
		p->in.need = UPROBE_EXPECTED;
		p->base = intern_str(f->plan->env.names, n->prov);
		probe->data = p;
		probe->key = ++f->state->nprobes;
		probe->mod_kind = proc_is_exe(f->proc, f->map) ? MOD_PROGRAM : MOD_LIBRARY;
	}
	add_place(f, (struct usdt_probe *)probe->data, o, n, off);
}

/*
 * Adds the probe of a note, by one of its names, if it matches the description.  A pattern that
 * matches every process has one probe for all of them.
 */
static void find_named(struct finder *f, const struct note *n, const char *name)
{
	const char *any, *one;

	if (!probe_glob(f->d->name, name))
		return;
	if (f->base) {
		if (strlen(n->prov) == f->base && strncmp(n->prov, f->d->prov, f->base) == 0)
			add_probe(f, f->d->prov, f->owner, n, name);
		return;
	}
	any = arena_printf(f->plan->env.arena, "%s*", n->prov);
	one = arena_printf(f->plan->env.arena, "%s%u", n->prov, f->proc->pid);
	if (!f->plan->env.is_listing && probe_glob(f->d->prov, any))
		add_probe(f, any, 0, n, name);
	else if (probe_glob(f->d->prov, one))
		add_probe(f, one, f->proc->pid, n, name);
}

/*
 * Old names of probes in published scripts, with the same arguments.  Only a full name selects
 * them, since a pattern would match both.
 */
static const struct {
	const char *prov, *name, *is;
} old_names[] = {
    /* Ruby before 2.0 had its own probes. */
    {"ruby", "function-entry", "method-entry"},
    {"ruby", "function-entry", "cmethod-entry"},
    {"ruby", "function-return", "method-return"},
    {"ruby", "function-return", "cmethod-return"},
    {"ruby", "object-create-start", "object-create"},
    {"ruby", "object-create-done", "object-create"},
    {"ruby", "gc-begin", "gc-mark-begin"},
    {"ruby", "gc-end", "gc-sweep-end"},
};

static void find_probe(struct finder *f, const struct note *n)
{
	const char *name = published(f->plan, n->name);

	find_named(f, n, name);
	if (process_is_pattern(f->d->name))
		return;
	for (size_t i = 0; i < sizeof(old_names) / sizeof(old_names[0]); i++)
		if (strcmp(old_names[i].prov, n->prov) == 0 && strcmp(old_names[i].is, name) == 0)
			find_named(f, n, old_names[i].name);
}

/* Returns true if the process has any notes. */
static bool find_in_process(struct finder *f)
{
	bool any = false;

	for (unsigned int i = 0; i < f->proc->maps.n; i++) {
		const struct notes *ns;

		f->map = &f->proc->maps.a[i];
		if (!proc_is_first(f->proc, i))
			continue;
		ns = proc_notes(f->plan->env.procs, f->proc, f->map);
		for (unsigned int j = 0; j < ns->list.n; j++)
			find_probe(f, &ns->list.a[j]);
		any |= ns->list.n != 0;
	}
	return any;
}

/* Searches the process if it exists.  Returns false if it has no notes. */
static bool find_in(struct finder *f, uint32_t pid)
{
	f->proc = pid == (uint32_t)getpid() ? NULL : procs_get(f->plan->env.procs, pid);
	if (f->proc && f->plan->env.only_pid)
		proc_read(f->proc);
	return f->proc && find_in_process(f);
}

/*
 * Few processes have notes.  The first description examines all processes, later descriptions only
 * the processes with notes.
 */
static void find_in_all(struct finder *f)
{
	struct state *st = f->state;
	const uint32_t *pids;
	unsigned int n;

	if (st->pids) {
		for (unsigned int i = 0; i < st->npids; i++)
			find_in(f, st->pids[i]);
		return;
	}
	pids = procs_all(f->plan->env.procs, &n);
	st->pids = arena_new_arr(f->plan->env.arena, uint32_t, n + 1);
	for (unsigned int i = 0; i < n; i++)
		if (find_in(f, pids[i]))
			st->pids[st->npids++] = pids[i];
}

/* Searches a named process and, with option follow, its children. */
static void find_in_family(struct finder *f)
{
	const uint32_t *pids;
	unsigned int n = 0;

	f->owner = f->proc->pid;
	find_in_process(f);
	if (!f->plan->opt.follows)
		return;
	pids = process_family(f->plan, f->owner, &n);
	for (unsigned int i = 0; i < n; i++)
		find_in(f, pids[i]);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct finder f = {.ps = ps, .plan = probes_plan(ps), .pv = pv, .d = d};

	if (d->id || (!kern_machine(f.plan->env.kern)->is_here && process_is_pattern(d->prov)))
		return;
	f.state = probes_state(ps, pv, sizeof(*f.state));
	if (!d->prov || !*d->prov || process_is_pattern(d->prov)) {
		if (f.plan->env.only_pid)
			find_in(&f, f.plan->env.only_pid);
		else
			find_in_all(&f);
	} else {
		f.proc = process_of(f.plan, d, false, &f.base);
		if (f.proc)
			find_in_family(&f);
	}
}

/* ---- arguments ---- */

static const struct usdt_probe *own(const struct probe *p)
{
	return p->data;
}

/* Uses the arguments of a declaration of its provider in a program or library, if there is one. */
static bool declared_args(struct plan *plan, const struct usdt_probe *p, struct lang_args *a)
{
	const struct provider_decl *pv;
	const struct probe_decl *d =
	    lang_provider_probe(plan->env.lang, p->base, p->probe->name, &pv);

	if (!d)
		return false;
	probe_decl_args(plan, d, a);
	for (unsigned int i = 0; i < 5; i++)
		a->attrs[i] = pv->attrs[i];
	return true;
}

static struct type *width_type(struct plan *plan, const struct width *w)
{
	return type_int(plan->env.types, w->size, w->is_signed);
}

/* Without a declaration, arguments are integers that hold the values of all places. */
static void args(struct plan *plan, struct probe *probe, struct lang_args *a)
{
	const struct usdt_probe *p = own(probe);

	if (declared_args(plan, p, a))
		return;
	a->nnative = p->nargs;
	a->native = arena_new_arr(plan->env.arena, struct type *, p->nargs);
	for (unsigned int i = 0; i < p->nargs; i++)
		a->native[i] = width_type(plan, &p->widths[i]);
}

/* Returns the address of a value in memory. */
static struct ir_ins *address(struct lw *lw, const struct operand *op)
{
	struct ir_ins *v = lw_const(lw, op->disp);

	if (op->in_thread)
		v = lw_bin(lw, IR_ADD, v,
			   lw_inner(lw, lw_current(lw), "thread", arch_native->thread_pointer).v);
	if (op->kind == OPERAND_NEAR)
		return lw_bin(lw, IR_ADD, v, call_reg(lw, arch_native->pc));
	if (op->reg != OPERAND_NO_REG)
		v = lw_bin(lw, IR_ADD, v, call_reg(lw, op->reg));
	if (op->index != OPERAND_NO_REG)
		v = lw_bin(lw, IR_ADD, v, lw_bini(lw, IR_SHL, call_reg(lw, op->index), op->scale));
	return v;
}

static struct ir_ins *value(struct lw *lw, const struct note_arg *a)
{
	struct type *t = type_int(lw->plan->env.types, a->size ? a->size : 8, a->is_signed);
	struct val at = {.type = t, .place = PLACE_USER};

	switch (a->size ? a->op.kind : OPERAND_OTHER) {
	case OPERAND_CONST:
		/* Compilers write constants as signed numbers: -56 is 200 in an unsigned byte. */
		return lw_norm(lw, lw_const(lw, a->op.disp), t);
	case OPERAND_REG:
		return lw_norm(lw, lw_bini(lw, IR_LSHR, call_reg(lw, a->op.reg), a->op.shift), t);
	case OPERAND_MEM:
	case OPERAND_NEAR:
		at.v = address(lw, &a->op);
		return lw_load(lw, at, t, 0, 0).v;
	case OPERAND_OTHER:
		break;
	}
	lw_fault_if(lw, lw_const(lw, 1), ABI_FLT_ILLOP, lw_const(lw, 0));
	return lw_const(lw, 0);
}

typedef VEC(unsigned int) form_list;

/* Lists the forms of the group's places, each once. */
static void forms_of(const struct lw *lw, form_list *list)
{
	for (unsigned int i = 0; i < lw->firing.group->probes.n; i++) {
		const struct process_place *pl = own(lw->firing.group->probes.a[i])->in.places;

		for (; pl; pl = pl->next) {
			unsigned int form = (unsigned int)(pl->cookie >> FORM_SHIFT), j = 0;

			while (j < list->n && list->a[j] != form)
				j++;
			if (j == list->n)
				vec_push(list, form);
		}
	}
}

static const struct note_arg *arg_of(const struct form *f, unsigned int n)
{
	static const struct note_arg none = {.size = 8, .op = {.kind = OPERAND_CONST}};

	return n < f->nargs ? &f->args[n] : &none;
}

/* Returns the value, by the form of the firing place. */
static struct ir_ins *value_by_form(struct lw *lw, const struct state *st, const form_list *forms,
				    unsigned int n)
{
	struct ir_block **to = arena_new_arr(lw->mod->arena, struct ir_block *, forms->n);
	int64_t *cases = arena_new_arr(lw->mod->arena, int64_t, forms->n);
	struct ir_block *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;

	for (unsigned int i = 0; i < forms->n; i++) {
		to[i] = lw_block(lw);
		cases[i] = forms->a[i];
	}
	ir_var_write(&lw->b, var, lw_const(lw, 0));
	ir_switch(&lw->b, lw_bini(lw, IR_LSHR, call_cookie(lw), FORM_SHIFT), done, forms->n, cases,
		  to);
	for (unsigned int i = 0; i < forms->n; i++) {
		mark = lw_push(lw);
		lw_seal_at(lw, to[i]);
		ir_var_write(&lw->b, var, value(lw, arg_of(st->forms.a[forms->a[i]], n)));
		ir_jmp(&lw->b, done);
		lw_pop(lw, mark);
	}
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	const struct state *st =
	    probes_state(lw->plan->env.probes, lw->firing.mech, sizeof(struct state));
	form_list forms = {0};
	struct ir_ins *v;

	forms_of(lw, &forms);
	v = forms.n == 1 ? value(lw, arg_of(st->forms.a[forms.a[0]], n))
			 : value_by_form(lw, st, &forms, n);
	vec_free(&forms);
	return v;
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct val v = {.v = rawarg(lw, n), .type = type, .place = PLACE_SCALAR};

	if (type_base(type)->kind != TYPE_PTR)
		v.v = lw_norm(lw, v.v, type);
	return v;
}

/* ---- the program ---- */

static const char *place(struct plan *plan, const struct probe *p)
{
	return own(p)->in.pid ? arena_printf(plan->env.arena, "%u", own(p)->in.pid) : "*";
}

static struct ir_ins *dispatch(struct lw *lw)
{
	return lw_bini(lw, IR_AND, call_cookie(lw), UINT32_MAX);
}

static bool comes_later(const struct pdesc *d, uint32_t *pid)
{
	return process_comes_later(d, false, pid);
}

const struct provider provider_usdt = {
    .name = "usdt",
    .ids = {2100700000, 2000000000},
    .attrs = {"Unstable/Unstable/Common", "Unstable/Unstable/Common", "Unstable/Unstable/Common",
	      "Unstable/Unstable/Common", "Unstable/Unstable/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = process_program,
    .another = process_another,
    .dispatch = dispatch,
    .applies = process_applies,
    .arg = arg,
    .rawarg = rawarg,
    .attach = process_attach,
    .comes_later = comes_later,
    .has_more = process_has_more,
    .matches_prefix = true,
    .is_noted = true,
    .is_gated = true,
    .may_nest = true,
};
