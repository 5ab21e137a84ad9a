/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval.c: expressions and variables (man/d.7).
 *
 * Integers are 64 bits wide, in variables too, and are cut by casts, in memory (members, elements
 * of C arrays) and when they are recorded.  After a fault nothing is stored any more, so evaluation
 * can run on to the end of the statement.
 */
#include "eval.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"

/* Address of an lvalue: a variable holds an integer in 8 bytes, memory in its own size. */
struct place {
	unsigned char *p;
	uint64_t bit_off;
	unsigned int bits;
	bool is_var;
};

void eval_raise(struct eval *ev, int fault, uint64_t val)
{
	if (ev->fault)
		return;
	ev->fault = fault;
	ev->fault_val = val;
}

static bool is_signed(const struct type *t)
{
	t = type_base(t);
	return t->kind == TYPE_ENUM || (t->kind == TYPE_INT && t->is_signed);
}

uint64_t eval_cut(uint64_t v, const struct type *t)
{
	const struct type *b = type_base(t);

	if (b->kind != TYPE_INT && b->kind != TYPE_ENUM)
		return v;
	switch (b->size) {
	case 1:
		return is_signed(b) ? (uint64_t)(int8_t)v : (uint8_t)v;
	case 2:
		return is_signed(b) ? (uint64_t)(int16_t)v : (uint16_t)v;
	case 4:
		return is_signed(b) ? (uint64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

static uint64_t size_of(struct eval *ev, struct type *t)
{
	return type_sizeof(ev->types, t);
}

/* ---- variables ---- */

static void *fresh(struct eval *ev, struct type *t)
{
	uint64_t n = type_is_string(t) ? ev->strsize + 1 : size_of(ev, t);

	return arena_alloc(ev->arena, n < 8 ? 8 : n);
}

static void *map_cell(struct eval *ev, struct map *m, const void *key, size_t len, struct type *t)
{
	void *p = map_get(m, key, len);

	if (!p) {
		p = fresh(ev, t);
		map_set(m, key, len, p);
	}
	return p;
}

/* State of a string variable, stored after its text: nothing assigned yet, text, NULL. */
enum { FRESH, TEXT, NONE };

static bool is_null(const struct eval *ev, const struct expr *e, const struct place *pl)
{
	bool begins_null = e->ident->is_assoc || e->ident->kind == IDENT_SELF;
	int is = pl->p[ev->strsize];

	return is == NONE || (is == FRESH && begins_null);
}

/* Returns keys as bytes: integers whole, strings up to the NUL. */
static const char *key_bytes(struct eval *ev, struct expr *e, size_t *len)
{
	struct buf b = {0};
	const char *key;

	for (unsigned int i = 0; i < e->nargs; i++) {
		struct type *t = e->ident->keys[i];

		if (type_is_string(t)) {
			const char *s = eval_text(ev, e->args[i]);

			buf_add(&b, s, strlen(s) + 1);
		} else {
			uint64_t v = eval_int(ev, e->args[i]);

			buf_add(&b, &v, sizeof(v));
		}
	}
	*len = b.n;
	key = arena_strndup(ev->arena, buf_str(&b), b.n);
	buf_free(&b);
	return key;
}

static void *element(struct eval *ev, struct expr *e)
{
	struct map *m;
	size_t len;
	const char *key = key_bytes(ev, e, &len);

	m = map_get_int(ev->arrays, (uintptr_t)e->ident);
	if (!m) {
		m = map_new();
		map_set_int(ev->arrays, (uintptr_t)e->ident, m);
	}
	return ev->fault ? fresh(ev, e->type) : map_cell(ev, m, key, len, e->ident->type);
}

static void *variable(struct eval *ev, struct ident *id)
{
	struct map *m = id->kind == IDENT_THIS ? ev->locals : ev->vars;
	uintptr_t key = (uintptr_t)id;

	return map_cell(ev, m, &key, sizeof(key), id->type);
}

static struct place place(struct eval *ev, struct expr *e)
{
	struct place pl = {.is_var = type_is_scalar(e->type)};
	uint64_t i, n;

	switch (e->kind) {
	case EXPR_IDENT:
		pl.p = variable(ev, e->ident);
		return pl;
	case EXPR_MEMBER:
		assert(!e->is_arrow);
		pl = place(ev, e->x);
		pl.bit_off += e->bit_off;
		pl.bits = e->bits;
		pl.is_var = false;
		return pl;
	default:
		assert(e->kind == EXPR_INDEX);
		break;
	}
	if (e->ident && e->ident->is_assoc) {
		pl.p = element(ev, e);
		return pl;
	}
	pl = place(ev, e->x);
	pl.is_var = false;
	i = eval_int(ev, e->args[0]);
	n = type_base(e->x->type)->nelem;
	if (i >= n)
		eval_raise(ev, EVAL_BADADDR, i);
	else
		pl.bit_off += i * size_of(ev, e->type) * 8;
	return pl;
}

/* Returns the low bits of v as a value of type t. */
static uint64_t sized(uint64_t v, unsigned int bits, const struct type *t)
{
	uint64_t high = bits < 64 ? ~0ULL << bits : 0;

	return is_signed(t) && v >> (bits - 1) & 1 ? v | high : v & ~high;
}

static uint64_t load(struct eval *ev, struct place pl, struct type *t)
{
	unsigned int bits = pl.bits ? pl.bits : (unsigned int)size_of(ev, t) * 8;
	uint64_t v = 0;

	if (pl.is_var) {
		memcpy(&v, pl.p, 8);
		return v;
	}
	for (unsigned int i = 0; i < bits; i++)
		v |= (uint64_t)(pl.p[(pl.bit_off + i) / 8] >> ((pl.bit_off + i) % 8) & 1) << i;
	return sized(v, bits, t);
}

/* Stores v; returns the value that is left there. */
static uint64_t stored(struct place pl, const struct type *t, uint64_t v)
{
	if (pl.is_var)
		return v;
	return pl.bits ? sized(v, pl.bits, t) : eval_cut(v, t);
}

static void store(struct eval *ev, struct place pl, struct type *t, uint64_t v)
{
	unsigned int bits = pl.bits ? pl.bits : (unsigned int)size_of(ev, t) * 8;

	if (ev->fault)
		return;
	if (pl.is_var) {
		memcpy(pl.p, &v, 8);
		return;
	}
	for (unsigned int i = 0; i < bits; i++) {
		unsigned char *p = &pl.p[(pl.bit_off + i) / 8], bit = 1 << (pl.bit_off + i) % 8;

		*p = v >> i & 1 ? *p | bit : *p & ~bit;
	}
}

/* ---- integers ---- */

static uint64_t divide(struct eval *ev, enum expr_op op, uint64_t x, uint64_t y, bool s)
{
	if (!y) {
		eval_raise(ev, EVAL_DIVZERO, 0);
		return 0;
	}
	if (!s)
		return op == OP_DIV ? x / y : x % y;
	if (x == 1ULL << 63 && y == ~0ULL) {
		eval_raise(ev, EVAL_DIVZERO, 0);
		return 0;
	}
	return (uint64_t)(op == OP_DIV ? (int64_t)x / (int64_t)y : (int64_t)x % (int64_t)y);
}

/* s: the result is signed */
static uint64_t arith(struct eval *ev, enum expr_op op, uint64_t x, uint64_t y, bool s)
{
	switch (op) {
	case OP_ADD:
		return x + y;
	case OP_SUB:
		return x - y;
	case OP_MUL:
		return x * y;
	case OP_AND:
		return x & y;
	case OP_OR:
		return x | y;
	case OP_XOR:
		return x ^ y;
	case OP_SHL:
		return x << (y & 63);
	case OP_SHR:
		return s ? (uint64_t)((int64_t)x >> (y & 63)) : x >> (y & 63);
	default:
		assert(op == OP_DIV || op == OP_MOD);
		return divide(ev, op, x, y, s);
	}
}

static bool by_sign(enum expr_op op, int d)
{
	switch (op) {
	case OP_EQ:
		return d == 0;
	case OP_NE:
		return d != 0;
	case OP_LT:
		return d < 0;
	case OP_LE:
		return d <= 0;
	case OP_GT:
		return d > 0;
	default:
		assert(op == OP_GE);
		return d >= 0;
	}
}

static bool compare(struct eval *ev, struct expr *e)
{
	uint64_t x, y;
	bool s;

	if (type_is_string(e->x->type) || type_is_string(e->y->type)) {
		const char *a = eval_str(ev, e->x), *b = eval_str(ev, e->y);

		return by_sign(e->op, strcmp(a ? a : "", b ? b : ""));
	}
	x = eval_int(ev, e->x);
	y = eval_int(ev, e->y);
	s = is_signed(type_promote(ev->types, e->x->type, e->y->type));
	if (s)
		return by_sign(e->op, ((int64_t)x > (int64_t)y) - ((int64_t)x < (int64_t)y));
	return by_sign(e->op, (x > y) - (x < y));
}

static uint64_t binary(struct eval *ev, struct expr *e)
{
	uint64_t x, y;

	switch (e->op) {
	case OP_LAND:
		return eval_int(ev, e->x) && eval_int(ev, e->y);
	case OP_LOR:
		return eval_int(ev, e->x) || eval_int(ev, e->y);
	case OP_LXOR:
		x = eval_int(ev, e->x) != 0;
		return x ^ (eval_int(ev, e->y) != 0);
	case OP_COMMA:
		eval_effect(ev, e->x);
		return eval_int(ev, e->y);
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:
		return compare(ev, e);
	default:
		x = eval_int(ev, e->x);
		y = eval_int(ev, e->y);
		return arith(ev, e->op, x, y, is_signed(e->type));
	}
}

static uint64_t step(struct eval *ev, struct expr *e)
{
	bool is_inc = e->op == OP_PREINC || e->op == OP_POSTINC;
	struct place pl = place(ev, e->x);
	uint64_t old = load(ev, pl, e->x->type),
		 v = stored(pl, e->type, is_inc ? old + 1 : old - 1);

	store(ev, pl, e->x->type, v);
	return e->op == OP_POSTINC || e->op == OP_POSTDEC ? old : v;
}

static uint64_t unary(struct eval *ev, struct expr *e)
{
	switch (e->op) {
	case OP_NEG:
		return -eval_int(ev, e->x);
	case OP_PLUS:
		return eval_int(ev, e->x);
	case OP_BITNOT:
		return ~eval_int(ev, e->x);
	case OP_NOT:
		return !eval_int(ev, e->x);
	default:
		return step(ev, e);
	}
}

static uint64_t assign(struct eval *ev, struct expr *e)
{
	uint64_t v, old;
	struct place pl;

	if (e->op == OP_NONE) {
		v = eval_int(ev, e->y);
		pl = place(ev, e->x);
	} else {
		pl = place(ev, e->x);
		old = load(ev, pl, e->x->type);
		v = arith(ev, e->op, old, eval_int(ev, e->y), is_signed(e->x->type));
	}
	v = stored(pl, e->x->type, v);
	store(ev, pl, e->x->type, v);
	return v;
}

/* ---- inlines ---- */

static const struct eval_bind *bind_args(struct eval *ev, struct expr *e)
{
	const struct eval_bind *list = NULL;

	for (unsigned int i = 0; i < e->nargs; i++) {
		struct eval_bind *b = arena_new_obj(ev->arena, struct eval_bind);

		*b = (struct eval_bind){e->ident->params[i], e->args[i], ev->env, list};
		list = b;
	}
	return list;
}

static const struct eval_bind *binding(struct eval *ev, const struct ident *param)
{
	const struct eval_bind *b = ev->env;

	while (b->param != param)
		b = b->next;
	return b;
}

/* Returns the value of the expression that a name stands for, in its scope. */
static struct eval_val in_scope(struct eval *ev, struct expr *e, const struct eval_bind *env)
{
	const struct eval_bind *saved = ev->env;
	struct eval_val v = {0};

	ev->env = env;
	if (type_is_string(e->type))
		v.s = (char *)eval_str(ev, e);
	else
		v.n = eval_int(ev, e);
	ev->env = saved;
	return v;
}

/* Expands names and indexes that are not lvalues; returns false for an lvalue. */
static bool expand(struct eval *ev, struct expr *e, struct eval_val *v)
{
	const struct ident *id = e->ident;

	if (id && id->kind == IDENT_PARAM) {
		const struct eval_bind *b = binding(ev, id);

		*v = in_scope(ev, b->arg, b->env);
		return true;
	}
	if (id && id->kind == IDENT_INLINE) {
		*v = in_scope(ev, id->expr, e->kind == EXPR_INDEX ? bind_args(ev, e) : NULL);
		return true;
	}
	return false;
}

static uint64_t builtin(struct eval *ev, const struct ident *id)
{
	if (strcmp(id->name, "epid") == 0)
		return ev->epid;
	assert(strncmp(id->name, "arg", 3) == 0 && id->name[3] < '6' && !id->name[4]);
	return ev->args[id->name[3] - '0'];
}

uint64_t eval_int(struct eval *ev, struct expr *e)
{
	struct eval_val v;

	switch (e->kind) {
	case EXPR_INT:
		return e->val;
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_BUILTIN)
			return builtin(ev, e->ident);
		/* fall through */
	case EXPR_INDEX:
		if (expand(ev, e, &v))
			return v.n;
		/* fall through */
	case EXPR_MEMBER:
		return load(ev, place(ev, e), e->type);
	case EXPR_UNARY:
		return unary(ev, e);
	case EXPR_BINARY:
		return binary(ev, e);
	case EXPR_ASSIGN:
		return assign(ev, e);
	case EXPR_COND:
		return eval_int(ev, e->x) ? eval_int(ev, e->y) : eval_int(ev, e->z);
	case EXPR_CAST:
		return eval_cut(eval_int(ev, e->x), e->type);
	default:
		assert(e->kind == EXPR_CALL);
		return eval_int_call(ev, e);
	}
}

/* ---- strings and structures ---- */

static const char *cut_str(struct eval *ev, const char *s)
{
	return arena_strndup(ev->arena, s, strnlen(s, ev->strsize - 1));
}

static bool is_variable(const struct expr *e)
{
	return e->kind == EXPR_IDENT || (e->kind == EXPR_INDEX && e->ident && e->ident->is_assoc);
}

static const char *read_str(struct eval *ev, struct expr *e, struct place pl)
{
	if (is_variable(e) && is_null(ev, e, &pl))
		return NULL;
	return cut_str(ev, (char *)pl.p + pl.bit_off / 8);
}

/* A string in a structure or array has room for strsize bytes with the NUL, and is never NULL. */
static const char *assign_str(struct eval *ev, struct expr *e)
{
	const char *s = eval_str(ev, e->y);
	struct place pl = place(ev, e->x);
	char *to = (char *)pl.p + pl.bit_off / 8;
	size_t n = s ? strnlen(s, ev->strsize - 1 - !is_variable(e->x)) : 0;

	if (!ev->fault) {
		memcpy(to, s ? s : "", n);
		to[n] = '\0';
		if (is_variable(e->x))
			to[ev->strsize] = s ? TEXT : NONE;
	}
	return read_str(ev, e->x, pl);
}

const char *eval_text(struct eval *ev, struct expr *e)
{
	const char *s = eval_str(ev, e);

	if (!s)
		eval_raise(ev, EVAL_BADADDR, 0);
	return s ? s : "";
}

const char *eval_str(struct eval *ev, struct expr *e)
{
	struct eval_val v;

	switch (e->kind) {
	case EXPR_INT:
		assert(e->val == 0);
		return NULL;
	case EXPR_STR:
		return cut_str(ev, e->name);
	case EXPR_COND:
		return eval_int(ev, e->x) ? eval_str(ev, e->y) : eval_str(ev, e->z);
	case EXPR_CAST:
	case EXPR_STRINGOF:
		return eval_str(ev, e->x);
	case EXPR_CALL:
		return eval_str_call(ev, e);
	case EXPR_ASSIGN:
		return assign_str(ev, e);
	case EXPR_BINARY:
		assert(e->op == OP_COMMA);
		eval_effect(ev, e->x);
		return eval_str(ev, e->y);
	case EXPR_IDENT:
		if (e->ident->kind == IDENT_BUILTIN) {
			assert(strcmp(e->name, "probename") == 0);
			return ev->probe;
		}
		break;
	default:
		break;
	}
	if (expand(ev, e, &v))
		return v.s;
	return read_str(ev, e, place(ev, e));
}

const void *eval_bytes(struct eval *ev, struct expr *e)
{
	struct place pl = place(ev, e);
	uint64_t n = size_of(ev, e->type);
	void *copy = arena_alloc(ev->arena, n);

	memcpy(copy, pl.p + pl.bit_off / 8, n);
	return copy;
}

static void assign_bytes(struct eval *ev, struct expr *e)
{
	const void *from = eval_bytes(ev, e->y);
	struct place pl = place(ev, e->x);

	if (!ev->fault)
		memcpy(pl.p + pl.bit_off / 8, from, size_of(ev, e->type));
}

void eval_effect(struct eval *ev, struct expr *e)
{
	if (type_is_string(e->type))
		eval_str(ev, e);
	else if (type_is_scalar(e->type))
		eval_int(ev, e);
	else if (e->kind == EXPR_ASSIGN)
		assign_bytes(ev, e);
}
