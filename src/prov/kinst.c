/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kinst.c: instructions of kernel functions: kinst::FUNCTION:OFFSET, bytes from the start.  Without
 * a name it is all instructions.
 *
 * A description that names a function creates its probes from the code that the kernel runs at that
 * moment (kern_code_read).  Each is a kprobe, which fires before the instruction.  All share one
 * program, see kprobe.c.  Debug information shows where a function was inlined:
 * kinst::FUNCTION:entry is one probe at all of these places.  The kernel refuses some places, such
 * as places that it patches itself.  They are left out unless a description names them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "kern/kern.h"
#include "prov/call.h"
#include "prov/kprobe.h"

/* Data of a probe: its places. */
struct point {
	uint64_t addr;
	bool is_named;
	struct point *next;
};

struct state {
	uint32_t last; /* last cookie */
};

/* A description while its function is searched. */
struct finder {
	struct probes *ps;
	const struct provider *pv;
	const struct pdesc *d;
	struct plan *plan;
	struct kern_sym func;
	struct kern_code code;
	bool has_debug; /* debug information exists */
};

static bool is_pattern(const char *field)
{
	return !field || !*field || strpbrk(field, "*?[\\");
}

/* ---- creating probes ---- */

/* Ids ascend with the offsets. */
static struct probe *add_probe(struct finder *f, uint32_t off, const char *name)
{
	struct state *st = probes_state(f->ps, f->pv, sizeof(*st));
	struct probe *p =
	    probe_add_near(f->ps, f->pv, probe_index(f->func.module, f->func.name) + off, "kinst",
			   f->func.module, f->func.name, name);

	if (p && !p->data)
		p->key = ++st->last;
	return p;
}

static struct point *new_point(struct finder *f, uint64_t addr, struct point *next)
{
	struct point *pt = arena_new_obj(f->plan->env.arena, struct point);

	pt->addr = addr;
	pt->next = next;
	return pt;
}

static void add(struct finder *f, uint32_t off, const char *name)
{
	struct probe *p = add_probe(f, off, name);
	struct point *pt;

	if (!p)
		return;
	pt = p->data ? (struct point *)p->data : new_point(f, f->func.addr + off, NULL);
	pt->is_named |= !is_pattern(f->d->name);
	p->data = pt;
}

static void add_all(struct finder *f)
{
	char name[16];

	for (unsigned int i = 0; i < f->code.insns.n; i++) {
		snprintf(name, sizeof(name), "%u", f->code.insns.a[i]);
		if (probe_glob(f->d->name, name))
			add(f, f->code.insns.a[i], name);
	}
}

static void add_one(struct finder *f)
{
	const struct pdesc *d = f->d;
	unsigned long off;
	char *end;

	errno = 0;
	off = strtoul(d->name, &end, 10);
	if (strspn(d->name, "0123456789") != strlen(d->name) || errno)
		diag(f->plan->env.diags, d->loc, D_PDESC_INVAL,
		     "%s: the name of a kinst probe must be the offset of an instruction, in "
		     "decimal",
		     d->name);
	else if (off >= f->code.size)
		diag(f->plan->env.diags, d->loc, D_PDESC_INVAL,
		     "offset %lu is outside of function %s, which has %u bytes", off, d->func,
		     f->code.size);
	else if (!kern_code_begins(&f->code, (uint32_t)off))
		diag(f->plan->env.diags, d->loc, D_PDESC_INVAL,
		     "offset %lu of function %s is not the start of an instruction", off, d->func);
	else
		add(f, (uint32_t)off, d->name);
}

static const char *module_of(const struct finder *f)
{
	return is_pattern(f->d->mod) ? NULL : f->d->mod;
}

/* All places where the function was inlined are one probe. */
static bool add_inlined(struct finder *f)
{
	const char *mod = module_of(f) ? module_of(f) : "vmlinux";
	kern_sym_list places = {0};
	struct point *points = NULL;
	struct probe *p;

	f->has_debug = kern_debug_inlined(f->plan->env.kern, mod, f->d->func, &places);
	f->func = (struct kern_sym){.name = f->d->func, .module = mod};
	p = places.n ? add_probe(f, 0, "entry") : NULL;
	for (unsigned int i = 0; p && i < places.n; i++)
		points = new_point(f, places.a[i].addr, points);
	if (p && !p->data)
		p->data = points;
	vec_free(&places);
	return points != NULL;
}

/* The last of the symbols at one address has the size. */
static bool find_function(struct finder *f)
{
	struct kern *k = f->plan->env.kern;
	const char *mod = module_of(f);
	unsigned int n = kern_sym_count(k, mod, f->d->func);
	struct kern_sym last;

	if (n == 0)
		return diag(
		    f->plan->env.diags, f->d->loc, D_PDESC_INVAL, "no function %s in %s%s",
		    f->d->func, mod ? mod : "the kernel",
		    f->has_debug
			? ", and none is inlined"
			: "; finding inlined ones needs debug information, which is not installed");
	if (n > 1)
		return diag(f->plan->env.diags, f->d->loc, D_PDESC_INVAL,
			    "%u functions have the name %s%s", n, f->d->func,
			    mod ? "" : "; name the module");
	kern_sym_by_name(k, mod, f->d->func, &f->func);
	if (kern_sym_by_addr(k, f->func.addr, &last))
		f->func.size = last.size;
	return probe_glob(f->d->mod, f->func.module);
}

/* Returns true if the name is entry, or a pattern that nothing else matches. */
static bool may_be_inlined(const struct finder *f)
{
	return strcmp(f->d->name ? f->d->name : "", "entry") == 0 ||
	       (probe_glob(f->d->name, "entry") &&
		kern_sym_count(f->plan->env.kern, module_of(f), f->d->func) == 0);
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	struct finder f = {.ps = ps, .pv = pv, .d = d, .plan = probes_plan(ps)};
	const char *why;

	if (d->id || is_pattern(d->prov) || is_pattern(d->func) ||
	    !kern_has(f.plan->env.kern, KERN_KPROBE) || (may_be_inlined(&f) && add_inlined(&f)) ||
	    !find_function(&f))
		return;
	if (!kern_code_read(f.plan->env.kern, &f.func, &f.code, &why))
		diag(f.plan->env.diags, d->loc, D_PDESC_INVAL, "function %s: %s", d->func, why);
	else if (is_pattern(d->name))
		add_all(&f);
	else
		add_one(&f);
	kern_code_free(&f.code);
}

static const char *absent(struct plan *plan, const struct pdesc *d)
{
	if (!kern_has(plan->env.kern, KERN_KPROBE))
		return "this kernel refuses probes of its instructions; use tracepoints (rawtp:::)";
	return "name a function: kinst::FUNCTION: for all of its instructions, "
	       "kinst::FUNCTION:OFFSET for one, kinst::FUNCTION:entry for the places where it was "
	       "inlined";
}

/* ---- the program ---- */

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return "instructions";
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	kprobe_program(plan, u, false);
	return true;
}

static struct ir_ins *dispatch(struct lw *lw)
{
	return call_cookie(lw);
}

static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){.next = FRAME_AT_BREAK};
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	kprobe_list list = {0};
	int r;

	for (unsigned int i = 0; i < u->probes.n; i++) {
		const struct probe *p = u->probes.a[i];

		for (const struct point *pt = p->data; pt; pt = pt->next)
			vec_push(&list, ((struct kprobe){pt->addr, (uint64_t)p->key, p,
							 .is_optional = !pt->is_named}));
	}
	r = kprobe_attach(plan, u, &list, false, err);
	vec_free(&list);
	return r;
}

const struct provider provider_kinst = {
    .name = "kinst",
    .ids = {2000600000, 100000000},
    .attrs = {"Evolving/Evolving/ISA", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Unknown", "Private/Private/ISA"},
    .provide = provide,
    .absent = absent,
    .args = args,
    .place = place,
    .program = program,
    .dispatch = dispatch,
    .own_frames = own_frames,
    .attach = attach,
    .is_in_ring = kprobe_in_ring,
    .is_gated = true,
    .has_regs = true,
};
