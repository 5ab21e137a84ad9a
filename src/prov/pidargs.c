/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidargs.c: places of arguments, by debug information and by type.
 *
 * A type is split into numbers and pointers (leaves).  Each convention is a function that gives the
 * next argument its place.  After a type that it cannot place, all later places are unknown, too.
 */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "prov/pidargs.h"
#include "type/type.h"

#define LEAVES_MAX 64
#define LEVELS_MAX 32

static const char in_vector[] = "it is in a floating-point register, which probes cannot read";
static const char not_known[] = "its place is unknown";
static const char left_out[] = "the compiler has omitted it";
static const char left_out_maybe[] = "the compiler omits unused results";

struct leaf {
	uint32_t off, size;
	bool is_float;
};

struct leaves {
	struct leaf a[LEAVES_MAX];
	unsigned int n;
	bool has_array, has_long_array; /* array with more than one element */
	bool is_bad;			/* too many, unions, bit-fields, unknown types */
};

static void add_leaves(struct types *ts, struct type *t, uint64_t off, unsigned int level,
		       struct leaves *to)
{
	const struct type *b;
	uint64_t size = type_sizeof(ts, t);

	t = type_resolve(ts, t);
	b = type_base(t);
	if (level == LEVELS_MAX || to->n == LEAVES_MAX || type_is_void(b) ||
	    b->kind == TYPE_UNION) {
		to->is_bad = true;
	} else if (b->kind == TYPE_ARRAY) {
		to->has_array = true;
		to->has_long_array = to->has_long_array || b->nelem > 1;
		for (uint64_t i = 0; i < b->nelem && !to->is_bad; i++)
			add_leaves(ts, b->to, off + i * type_sizeof(ts, b->to), level + 1, to);
	} else if (type_is_sou(b)) {
		to->is_bad = to->is_bad || (!b->nmembers && size);
		for (unsigned int i = 0; i < b->nmembers && !to->is_bad; i++) {
			to->is_bad = b->members[i].bits > 0;
			add_leaves(ts, b->members[i].type, off + b->members[i].bit_off / 8,
				   level + 1, to);
		}
	} else {
		to->a[to->n++] =
		    (struct leaf){(uint32_t)off, (uint32_t)size, b->kind == TYPE_FLOAT};
	}
}

/* ---- an argument's pieces ---- */

static void add_piece(struct pid_arg *a, struct pid_piece p)
{
	if (a->npieces == PID_ARG_PIECES)
		a->why = not_known;
	else
		a->pieces[a->npieces++] = p;
}

static void in_register(struct pid_arg *a, unsigned int reg, uint32_t off)
{
	add_piece(a, (struct pid_piece){.kind = INFO_REG, .reg = reg, .off = off});
}

/* n: bytes from the stack pointer before the call. */
static void on_stack(struct pid_arg *a, uint64_t at)
{
	add_piece(a, (struct pid_piece){.kind = INFO_MEM,
					.reg = arch_native->sp,
					.n = (int64_t)(at + 8ULL * arch_native->stack_args)});
}

/* ---- conventions ---- */

/* Registers and stack that the arguments so far have used. */
struct calls {
	struct types *types;
	unsigned int ints, vectors;
	uint64_t stack; /* bytes */
	bool is_lost;	/* the places of the next arguments are unknown */
};

static void lose(struct calls *c, struct pid_arg *a)
{
	c->is_lost = true;
	a->why = not_known;
}

static void pass_on_stack(struct calls *c, struct pid_arg *a, uint64_t size, uint64_t align)
{
	c->stack = (c->stack + align - 1) / align * align;
	on_stack(a, c->stack);
	c->stack += (size + 7) & ~7ULL;
}

/* Passes words in general registers, or all of them on the stack. */
static void pass_words(struct calls *c, struct pid_arg *a, uint64_t size)
{
	unsigned int n = (unsigned int)(size + 7) / 8;

	if (c->ints + n > arch_native->nargs) {
		if (arch_native->link)
			c->ints = arch_native->nargs;
		pass_on_stack(c, a, size, 8);
		return;
	}
	for (unsigned int i = 0; i < n; i++)
		in_register(a, arch_native->args[c->ints++], i * 8);
}

static void pass_address(struct calls *c, struct pid_arg *a)
{
	a->is_address = true;
	pass_words(c, a, 8);
}

static void pass_vectors(struct calls *c, struct pid_arg *a, unsigned int n, uint64_t size)
{
	if (c->vectors + n > arch_native->nvector_args) {
		if (arch_native->link)
			c->vectors = arch_native->nvector_args;
		pass_on_stack(c, a, size, 8);
		return;
	}
	c->vectors += n;
	a->why = in_vector;
}

static void pass_float(struct calls *c, struct pid_arg *a, const struct type *t)
{
	bool is_plain =
	    t->name && (strcmp(t->name, "float") == 0 || strcmp(t->name, "double") == 0);
	bool is_x87 = t->name && strcmp(t->name, "long double") == 0 && !arch_native->link;

	if (is_x87)
		pass_on_stack(c, a, 16, 16);
	else if (is_plain)
		pass_vectors(c, a, 1, 8);
	else
		lose(c, a);
}

/*
 * System V ABI, AMD64: eight bytes are in a vector register if they contain only floating-point
 * numbers.
 */
static void pass_eightbytes(struct calls *c, struct pid_arg *a, const struct leaves *l,
			    uint64_t size)
{
	unsigned int n = (unsigned int)(size + 7) / 8, ints = 0, vectors = 0;
	bool has_int[2] = {false, false};

	for (unsigned int i = 0; i < l->n; i++) {
		if (l->a[i].size > 8 || l->a[i].off % l->a[i].size) {
			pass_on_stack(c, a, size, 8);
			return;
		}
		if (!l->a[i].is_float)
			has_int[l->a[i].off / 8] = true;
	}
	for (unsigned int i = 0; i < n; i++) {
		ints += has_int[i];
		vectors += !has_int[i];
	}
	if (c->ints + ints > arch_native->nargs ||
	    c->vectors + vectors > arch_native->nvector_args) {
		pass_on_stack(c, a, size, 8);
		return;
	}
	for (unsigned int i = 0; i < n; i++)
		if (has_int[i])
			in_register(a, arch_native->args[c->ints++], i * 8);
	c->vectors += vectors;
	if (vectors)
		a->why = in_vector;
}

/*
 * Procedure Call Standard for Arm: up to four equal floating-point numbers are in vector registers.
 */
static bool is_float_array(const struct leaves *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (!l->a[i].is_float || l->a[i].size != l->a[0].size)
			return false;
	return l->n > 0 && l->n <= 4;
}

/*
 * Returns true if a type may contain floating-point numbers, also in bit-fields and unions, which
 * have no leaves.
 */
static bool has_float(struct types *ts, struct type *t, unsigned int level)
{
	const struct type *b;

	t = type_resolve(ts, t);
	b = type_base(t);
	if (level == LEVELS_MAX || type_is_void(b) || b->kind == TYPE_FLOAT)
		return true;
	if (b->kind == TYPE_ARRAY)
		return has_float(ts, b->to, level + 1);
	for (unsigned int i = 0; type_is_sou(b) && i < b->nmembers; i++)
		if (has_float(ts, b->members[i].type, level + 1))
			return true;
	return type_is_sou(b) && !b->nmembers;
}

static void pass_structure(struct calls *c, struct pid_arg *a, struct type *t, uint64_t size)
{
	struct leaves l = {.n = 0};

	add_leaves(c->types, t, 0, 0, &l);
	if (!size || (size == 1 && !l.n && !type_base(t)->nmembers))
		a->why = "it is empty";
	else if (size > 16 && !(arch_native->link && !l.is_bad && is_float_array(&l)))
		if (arch_native->large_words)
			pass_address(c, a);
		else
			pass_on_stack(c, a, size, 8);
	else if (l.is_bad && has_float(c->types, t, 0))
		lose(c, a);
	else if (l.is_bad)
		pass_words(c, a, size);
	else if (!arch_native->link)
		pass_eightbytes(c, a, &l, size);
	else if (is_float_array(&l))
		pass_vectors(c, a, l.n, size);
	else
		pass_words(c, a, size);
}

static void pass_c(struct calls *c, struct pid_arg *a, struct type *t, bool is_by_reference)
{
	const struct type *b = type_base(type_resolve(c->types, t));
	uint64_t size = type_sizeof(c->types, t);

	if (is_by_reference)
		pass_address(c, a);
	else if (type_is_sou(b))
		pass_structure(c, a, t, size);
	else if (b->kind == TYPE_FLOAT)
		pass_float(c, a, b);
	else if (type_is_scalar(b))
		pass_words(c, a, size);
	else
		lose(c, a);
	if (type_is_scalar(b) && size > 8)
		a->why = "it has more than 64 bits";
}

/* Supports numbers, pointers, types with one or two of these, and types too large for registers. */
static void pass_rust(struct calls *c, struct pid_arg *a, struct type *t)
{
	uint64_t size = type_sizeof(c->types, t);
	struct leaves l = {.n = 0};

	add_leaves(c->types, t, 0, 0, &l);
	if (type_is_sou(type_base(t)) && size > 16)
		pass_address(c, a);
	else if (l.is_bad)
		lose(c, a);
	else if (!l.n)
		a->why = "it is empty";
	else if (l.n == 1 && l.a[0].is_float)
		pass_vectors(c, a, 1, 8);
	else if (l.n == 1 && l.a[0].size == size && size <= 8)
		pass_words(c, a, 8);
	else if (l.n == 2 && size == 16 && !l.has_array && !l.a[0].is_float && !l.a[1].is_float &&
		 l.a[0].size == 8 && c->ints + 2 <= arch_native->nargs)
		pass_words(c, a, 16);
	else
		lose(c, a);
}

/*
 * Passes each leaf in a register of its own.  If they do not fit, the whole argument is on the
 * stack.
 */
static void pass_go(struct calls *c, struct pid_arg *a, struct type *t)
{
	struct calls before = *c;
	struct leaves l = {.n = 0};

	add_leaves(c->types, t, 0, 0, &l);
	for (unsigned int i = 0; i < l.n && !l.is_bad; i++) {
		bool fits =
		    !l.has_long_array && (l.a[i].is_float ? c->vectors++ < arch_native->ngo_vectors
							  : c->ints < arch_native->ngo_args);

		if (!fits) {
			*c = before;
			a->npieces = 0;
			pass_on_stack(c, a, type_sizeof(c->types, t), 8);
			return;
		}
		if (l.a[i].is_float)
			a->why = in_vector;
		else
			in_register(a, arch_native->dwarf_regs[arch_native->go_args[c->ints++]],
				    l.a[i].off);
	}
	if (l.is_bad)
		lose(c, a);
	else if (!l.n)
		a->why = "it is empty";
}

static void pass(struct calls *c, enum info_language language, struct pid_arg *a, struct type *t,
		 bool is_by_reference)
{
	if (c->is_lost) {
		a->why = not_known;
		return;
	}
	switch (language) {
	case INFO_C:
		pass_c(c, a, t, is_by_reference);
		break;
	case INFO_RUST:
		pass_rust(c, a, t);
		break;
	case INFO_GO:
		pass_go(c, a, t);
		break;
	case INFO_GO_STACK:
		lose(c, a);
		break;
	}
}

/* ---- by debug information ---- */

/* In Go, pieces omit the padding between members of a structure. */
static bool is_padded(const struct info_param *p, const struct leaves *l)
{
	if (l->is_bad || l->n != p->npieces)
		return false;
	for (unsigned int i = 0; i < l->n; i++)
		if (l->a[i].size != p->pieces[i].size)
			return false;
	return true;
}

static struct pid_arg by_pieces(struct types *ts, const struct info_param *p, struct type *t)
{
	struct pid_arg a = {.why = NULL};
	struct leaves l = {.n = 0};
	uint32_t off = 0;
	bool padded;

	add_leaves(ts, t, 0, 0, &l);
	padded = is_padded(p, &l);

	for (unsigned int i = 0; i < p->npieces && !a.why; i++) {
		const struct info_piece *from = &p->pieces[i];
		struct pid_piece to = {
		    .kind = from->kind, .n = from->n, .off = padded ? l.a[i].off : off};

		if (from->kind == INFO_MEM && from->reg == INFO_CFA) {
			to.reg = arch_native->sp;
			to.n += 8LL * arch_native->stack_args;
		} else if (from->kind != INFO_VALUE && from->reg >= arch_native->ndwarf_regs) {
			a.why = from->reg >= arch_native->dwarf_vector ? in_vector : not_known;
		} else if (from->kind != INFO_VALUE) {
			to.reg = arch_native->dwarf_regs[from->reg];
		}
		add_piece(&a, to);
		off += from->size;
	}
	if (p->npieces > 1 && !padded && off != type_sizeof(ts, t))
		a.why = not_known;
	return a;
}

static bool is_by_reference(struct info *in, info_ref ref)
{
	struct info_type t = {0};

	for (unsigned int i = 0; i < LEVELS_MAX && ref; i++) {
		info_type(in, ref, &t);
		if (t.kind != INFO_TYPEDEF && t.kind != INFO_CONST && t.kind != INFO_VOLATILE &&
		    t.kind != INFO_SAME)
			return t.is_by_reference;
		ref = t.to;
	}
	return false;
}

static struct pid_args *new_args(struct plan *plan, unsigned int n)
{
	struct pid_args *args = arena_new_obj(plan->env.arena, struct pid_args);

	args->n = n;
	args->a = arena_new_arr(plan->env.arena, struct pid_arg, n);
	return args;
}

/* A function may get the address of its result as the first argument. */
static void pass_result_address(struct calls *c, struct info *in, const struct info_function *f)
{
	struct type *t = f->results.n ? type_from_info(c->types, in, f->results.a[0]) : NULL;
	struct calls as_first = {.types = c->types};
	struct pid_arg a = {.why = NULL};

	if (!t || f->language == INFO_GO || f->language == INFO_GO_STACK)
		return;
	pass(&as_first, f->language, &a, t, is_by_reference(in, f->results.a[0]));
	if (a.why == not_known)
		c->is_lost = true;
	else if (a.is_address || (type_is_sou(type_base(t)) && as_first.stack))
		c->ints = arch_native->result_words;
}

struct pid_args *pidargs_params(struct plan *plan, struct info *in, const struct info_function *f)
{
	struct pid_args *args = new_args(plan, f->params.n);
	struct calls c = {.types = plan->env.types, .is_lost = f->is_free};

	pass_result_address(&c, in, f);
	for (unsigned int i = 0; i < args->n; i++) {
		const struct info_param *p = &f->params.a[i];
		struct type *t = type_from_info(plan->env.types, in, p->type);
		struct pid_arg *a = &args->a[i];

		pass(&c, f->language, a, t, is_by_reference(in, p->type));
		if (p->where == INFO_IN_PIECES)
			*a = by_pieces(plan->env.types, p, t);
		else if (p->where != INFO_BY_TYPE)
			*a = (struct pid_arg){.why =
						  p->where == INFO_NOWHERE ? left_out : not_known};
	}
	return args;
}

/* A result is passed like a first argument, in the registers for results. */
static void result(struct plan *plan, struct info *in, const struct info_function *f,
		   struct pid_arg *a)
{
	struct type *t = type_from_info(plan->env.types, in, f->results.a[0]);
	struct calls c = {.types = plan->env.types};

	if (type_base(t)->kind == TYPE_FLOAT || f->is_free) {
		a->why = f->is_free ? left_out_maybe : in_vector;
		return;
	}
	pass(&c, f->language, a, t, is_by_reference(in, f->results.a[0]));
	if (a->npieces && a->pieces[0].kind == INFO_MEM)
		a->is_address = true;
	if (a->is_address && !arch_native->result_words)
		a->why = "its address is no longer known";
	if (a->is_address)
		a->npieces = 1;
	for (unsigned int i = 0; i < a->npieces; i++)
		a->pieces[i] = (struct pid_piece){
		    .kind = INFO_REG,
		    .reg = arch_native->dwarf_regs[arch_native->dwarf_results[i & 1]],
		    .off = a->pieces[i].off};
	if (a->npieces > 2)
		a->why = not_known;
}

struct pid_args *pidargs_results(struct plan *plan, struct info *in, const struct info_function *f)
{
	struct pid_args *args = new_args(plan, f->results.n);
	struct calls c = {.types = plan->env.types};

	if (f->language == INFO_GO || f->language == INFO_GO_STACK)
		for (unsigned int i = 0; i < args->n; i++) {
			struct pid_arg *a = &args->a[i];

			pass(&c, f->language, a,
			     type_from_info(plan->env.types, in, f->results.a[i]), false);
			if (a->npieces && a->pieces[0].kind == INFO_MEM)
				a->why = not_known;
		}
	else if (args->n)
		result(plan, in, f, &args->a[0]);
	return args;
}
