/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * str.c: strings, and other values that are memory.
 *
 * A string expression is lowered in one of two ways.  lw_str finds or makes it in readable memory.
 * lw_str_into writes it to the caller's place, which saves a copy for kernel strings and built-in
 * names in a record or key.  The kernel's bounded string helpers make all copies, so every string
 * ends with a NUL within its bound.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <string.h>

#include "lower/leaf.h"

bool lw_is_null(const struct expr *e)
{
	while (e->kind == EXPR_CAST)
		e = e->x;
	return e->kind == EXPR_INT && e->val == 0;
}

/* A constant that contains \0 ends there as a string. */
static struct strv literal(struct lw *lw, const char *s, uint32_t len)
{
	uint32_t max = lw->plan->opt.strsize;
	struct ir_ins *p;

	if (len >= max)
		len = max - 1;
	p = ir_mapval(&lw->b, MAP_RODATA, lw_bytes(lw, s, len, 1));
	len = (uint32_t)strnlen(s, len);
	return (struct strv){.p = p, .size = len + 1, .mem = IR_MEM_MAP, .len = lw_const(lw, len)};
}

/* Copies the C string at p to dst.  Faults if it cannot be read.  Returns its length. */
static struct ir_ins *copy_str(struct lw *lw, struct ir_ins *dst, uint32_t size, struct ir_ins *p,
			       bool is_user)
{
	struct ir_ins *r =
	    lw_copy_string(lw, is_user ? PLACE_USER : PLACE_SCALAR, dst, ir_const(&lw->b, size), p);

	return ir_bin(&lw->b, IR_SUB, r, ir_const(&lw->b, 1));
}

/* Returns a copy of the C string at an address. */
static struct strv str_at(struct lw *lw, struct val a, uint32_t max)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.strsize);
	struct strv s = {.p = t.p, .size = max, .mem = t.mem};

	s.len = copy_str(lw, t.p, max, lw_flat(lw, a), a.place == PLACE_USER);
	return s;
}

/* Returns the address of the characters of a string-like expression that is not of type string. */
struct val lw_str_chars(struct lw *lw, const struct expr *e)
{
	const struct type *b = type_base(e->type);

	return b->kind == TYPE_PTR || type_is_integer(b) ? lw_expr(lw, e) : lw_addr(lw, e);
}

static struct strv builtin_str(struct lw *lw, const struct expr *e)
{
	const struct builtin_var *v = e->ident->row->impl;
	uint32_t size = plan_var_bound(lw->plan, v);
	struct memo_key k = MEMO_OF(v);
	struct tmp t = {.mem = size <= 64 ? IR_MEM_SLOT : IR_MEM_MAP};

	k.a = lw->firing.thread.v;
	t.p = memo_get(lw, &k);
	if (!t.p) {
		t = size <= 64 ? lw_slot(lw, size) : lw_scratch(lw, size);
		v->str_into(lw, t.p, size, t.mem);
		memo_put(lw, &k, t.p);
	}
	return (struct strv){.p = t.p, .size = size, .mem = t.mem};
}

static struct strv var_str(struct lw *lw, const struct expr *e)
{
	struct val a = lw_var_read(lw, e);

	return (struct strv){
	    .p = lw_flat(lw, a), .size = lw->plan->opt.strsize, .mem = a.mem, .found = a.found};
}

static struct strv made_str(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.strsize);

	struct ir_ins *found = lw_str_or_null(lw, e, t.p, lw->plan->opt.strsize, t.mem);

	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem, .found = found};
}

static struct strv null(struct lw *lw)
{
	struct strv s = literal(lw, "", 0);

	s.found = lw_const(lw, 0);
	return s;
}

struct strv lw_str(struct lw *lw, const struct expr *e)
{
	if (e->loc.line)
		lw->b.loc = e->loc;
	if (e->kind == EXPR_STR)
		return literal(lw, e->name, e->len);
	if (lw_is_null(e))
		return null(lw);
	if (e->kind == EXPR_STRINGOF || e->kind == EXPR_CAST) {
		if (type_is_string(e->x->type) || e->x->kind == EXPR_STR)
			return lw_str(lw, e->x);
		return str_at(lw, lw_str_chars(lw, e->x), plan_array_bound(lw->plan, e->x));
	}
	if (e->kind == EXPR_MEMBER && e->xmember)
		return lw_str_in_xlator(lw, e);
	if (e->kind == EXPR_IDENT && e->ident->kind == IDENT_PARAM)
		return lw_str_in_binding(lw, e);
	if (e->kind == EXPR_IDENT && e->ident->kind == IDENT_INLINE)
		return lw_str(lw, e->ident->expr);
	if (e->kind == EXPR_INDEX && e->ident && e->ident->kind == IDENT_INLINE)
		return lw_str_inline(lw, e);
	if (!type_is_string(e->type))
		return str_at(lw, lw_str_chars(lw, e), plan_array_bound(lw->plan, e));
	switch (e->kind) {
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_BUILTIN)
			return builtin_str(lw, e);
		return var_str(lw, e);
	case EXPR_INDEX:
		if (e->ident && e->ident->is_assoc)
			return var_str(lw, e);
		if (e->ident && e->ident->kind == IDENT_BUILTIN)
			return made_str(lw, e);
		break;
	case EXPR_CALL: {
		const struct builtin_func *f = e->ident->row->impl;

		assert(f->str);
		return f->str(lw, e);
	}
	case EXPR_COND:
		return made_str(lw, e);
	case EXPR_ASSIGN:
		lw_assign(lw, e);
		return lw_str(lw, e->x);
	case EXPR_BINARY:
		if (e->op != OP_COMMA)
			return str_at(lw, lw_expr(lw, e), lw->plan->opt.strsize);
		lw_stmt(lw, e->x);
		return lw_str(lw, e->y);
	default:
		break;
	}
	struct val a = lw_addr(lw, e);
	uint32_t room = plan_str_room(lw->plan, e);

	if (a.place == PLACE_SAFE)
		return (struct strv){.p = lw_flat(lw, a), .size = room, .mem = a.mem};
	return str_at(lw, a, room);
}

/* Short constants are stored, longer ones copied. */
static void literal_into(struct lw *lw, const char *s, uint32_t len, struct ir_ins *dst,
			 uint32_t size, enum ir_mem mem)
{
	uint32_t n = (uint32_t)strnlen(s, len < size ? len : size - 1) + 1;
	uint64_t word = 0;

	if (n > 48) {
		lw_helper(lw, BPF_FUNC_probe_read_kernel, dst, ir_const(&lw->b, n),
			  literal(lw, s, n - 1).p, NULL);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		word |= (uint64_t)(i < n - 1 ? (unsigned char)s[i] : 0) << (i % 8 * 8);
		if (i % 8 == 7) {
			ir_store(&lw->b, 8, dst, i - 7, ir_const(&lw->b, (int64_t)word), mem);
			word = 0;
		}
	}
	for (uint32_t i = n & ~7U; i < n; i++) {
		ir_store(&lw->b, 1, dst, i, ir_const(&lw->b, (int64_t)(word & 0xff)), mem);
		word >>= 8;
	}
}

static struct ir_ins *cond_into(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				uint32_t size, enum ir_mem mem)
{
	struct ir_block *yes = lw_block(lw), *no = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	struct ir_ins *y, *z;

	lw_if(lw, lw_bool(lw, e->x), yes, no);
	lw_seal_at(lw, yes);
	mark = lw_push(lw);
	y = lw_str_or_null(lw, e->y, dst, size, mem);
	ir_var_write(&lw->b, var, y ? y : ir_const(&lw->b, 1));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, no);
	z = lw_str_or_null(lw, e->z, dst, size, mem);
	ir_var_write(&lw->b, var, z ? z : ir_const(&lw->b, 1));
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return y || z ? ir_var_read(&lw->b, var) : NULL;
}

/* Returns true for a string made of characters in memory. */
static bool is_of_chars(const struct expr *e)
{
	return (e->kind == EXPR_STRINGOF || e->kind == EXPR_CAST) && !lw_is_null(e) &&
	       !type_is_string(e->x->type) && e->x->kind != EXPR_STR;
}

struct ir_ins *lw_str_or_null(struct lw *lw, const struct expr *e, struct ir_ins *dst,
			      uint32_t size, enum ir_mem mem)
{
	struct strv s = {0};

	if (e->loc.line)
		lw->b.loc = e->loc;
	if (e->kind == EXPR_STR) {
		literal_into(lw, e->name, e->len, dst, size, mem);
	} else if (e->kind == EXPR_COND) {
		return cond_into(lw, e, dst, size, mem);
	} else if (e->kind == EXPR_MEMBER && e->xmember && !lw_str_is_known(lw, e)) {
		return lw_str_into_xlator(lw, e, dst, size, mem);
	} else if (e->kind == EXPR_IDENT && e->ident->kind == IDENT_BUILTIN) {
		((const struct builtin_var *)e->ident->row->impl)->str_into(lw, dst, size, mem);
	} else if (is_of_chars(e)) {
		struct val a = lw_str_chars(lw, e->x);
		uint32_t bound = plan_array_bound(lw->plan, e->x);

		copy_str(lw, dst, bound < size ? bound : size, lw_flat(lw, a),
			 a.place == PLACE_USER);
	} else {
		s = lw_str(lw, e);
		copy_str(lw, dst, s.size < size ? s.size : size, s.p, false);
	}
	return s.found;
}

static void fault_if_null(struct lw *lw, struct ir_ins *found)
{
	if (found)
		lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, found, ir_const(&lw->b, 0)), ABI_FLT_BADADDR,
			    NULL);
}

void lw_str_into(struct lw *lw, const struct expr *e, struct ir_ins *dst, uint32_t size,
		 enum ir_mem mem)
{
	fault_if_null(lw, lw_str_or_null(lw, e, dst, size, mem));
}

/* Copies as many characters of x as a comparison with a literal needs. */
static struct strv enough_of(struct lw *lw, const struct expr *x, const struct expr *literal)
{
	struct val chars = lw_str_chars(lw, x->x);
	uint32_t size = plan_array_bound(lw->plan, x->x);
	struct tmp t;

	if (size > literal->len + 2)
		size = literal->len + 2;
	t = lw_temp(lw, size);
	copy_str(lw, t.p, size, lw_flat(lw, chars), chars.place == PLACE_USER);
	return (struct strv){.p = t.p, .size = size, .mem = t.mem};
}

/*
 * Compares with a literal by one helper that stops at the first difference.  Otherwise both go to
 * scratch memory, where the run-time library can rely on strsize readable bytes.
 */
struct ir_ins *lw_strcmp(struct lw *lw, const struct expr *x, const struct expr *y)
{
	struct strv a, b;
	struct tmp t;

	if (y->kind == EXPR_STR) {
		a = is_of_chars(x) ? enough_of(lw, x, y) : lw_str(lw, x);
		b = lw_str(lw, y);
		return lw_un(
		    lw, IR_SEXT32,
		    lw_helper(lw, BPF_FUNC_strncmp, a.p, ir_const(&lw->b, a.size), b.p, NULL));
	}
	if (x->kind == EXPR_STR)
		return lw_un(lw, IR_NEG, lw_strcmp(lw, y, x));
	t = lw_scratch(lw, lw->plan->opt.strsize);
	lw_str_or_null(lw, x, t.p, lw->plan->opt.strsize, t.mem);
	a.p = t.p;
	t = lw_scratch(lw, lw->plan->opt.strsize);
	lw_str_or_null(lw, y, t.p, lw->plan->opt.strsize, t.mem);
	return lw_rt(lw, "rt_strcmp", a.p, t.p, NULL);
}

struct strv lw_str_arg(struct lw *lw, const struct expr *e)
{
	struct strv s = lw_str(lw, e);

	fault_if_null(lw, s.found);
	return s;
}

struct strv lw_str_copy(struct lw *lw, const struct expr *e)
{
	struct tmp t = lw_scratch(lw, lw->plan->opt.strsize);

	if (e->kind == EXPR_CALL)
		return lw_str_arg(lw, e);
	lw_str_into(lw, e, t.p, lw->plan->opt.strsize, t.mem);
	return (struct strv){.p = t.p, .size = lw->plan->opt.strsize, .mem = t.mem};
}

/* Stores a translated object as a structure: every member that its translator defines. */
static void xlated_into(struct lw *lw, const struct expr *e, struct ir_ins *dst, enum ir_mem mem)
{
	struct val to = {.v = dst, .place = PLACE_SAFE, .mem = mem};

	for (unsigned int i = 0; i < e->xlator->nmembers; i++) {
		const struct expr *m = e->whole[i];

		if (type_is_scalar(m->type))
			lw_store(lw, to, m->type, m->bit_off, m->xmember->bits, lw_scalar(lw, m));
		else
			lw_value_into(
			    lw, m, m->type,
			    ir_bin(&lw->b, IR_ADD, dst, ir_const(&lw->b, (int64_t)m->bit_off / 8)),
			    plan_type_size(lw->plan, m->type), mem);
	}
}

/* Stores the value of e, which is not scalar, at dst. */
void lw_value_into(struct lw *lw, const struct expr *e, struct type *t, struct ir_ins *dst,
		   uint32_t size, enum ir_mem mem)
{
	struct val a;

	if (type_is_string(t)) {
		lw_str_or_null(lw, e, dst,
			       size < lw->plan->opt.strsize ? size : lw->plan->opt.strsize, mem);
		return;
	}
	if (e->whole) {
		xlated_into(lw, e, dst, mem);
		return;
	}
	if (e->kind == EXPR_CALL && type_is_stack(t)) {
		lw_stack_into(lw, e, dst, mem);
		return;
	}
	assert(!type_is_scalar(t));
	a = lw_addr(lw, e);
	lw_copy_bytes(lw, a.place, dst, ir_const(&lw->b, plan_type_size(lw->plan, t)),
		      lw_flat(lw, a));
}
