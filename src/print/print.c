/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c: the action print(): values with their types.
 *
 * A place is a type at a byte (or, for bit-fields, a bit) of the data.  Integers print in hex, with
 * as many digits as they need, whatever their sign.  Structures open a level of four columns.
 * Arrays stay on their line unless their elements are structures.  Nothing is read beyond the data.
 */
#include <assert.h>
#include <string.h>

#include "print/out.h"
#include "print/print.h"
#include "print/value.h"

#define INDENT 4

/* Column of the value that a pointer points to. */
#define POINTED_INDENT 44

struct place {
	const struct print_type *type;
	const unsigned char *data; /* of the place */
	uint64_t left;		   /* bytes from the place on */
	unsigned int depth;
	unsigned int bit, bits; /* bit-field: first bit in data[0], width */
};

static void print_place(struct out *o, const struct place *p);

static uint64_t get_int(const struct place *p)
{
	unsigned __int128 raw = 0;
	uint64_t size = p->bits ? (p->bit + p->bits + 7) / 8 : p->type->size;

	assert(size <= sizeof(raw));
	memcpy(&raw, p->data, size);
	if (p->bits == 0)
		return (uint64_t)raw;
	raw >>= p->bit;
	return (uint64_t)raw & (p->bits >= 64 ? ~0ull : (1ull << p->bits) - 1);
}

static int64_t get_signed(const struct place *p)
{
	unsigned int bits = p->bits ? p->bits : 8 * (unsigned int)p->type->size;
	unsigned int unused = bits < 64 ? 64 - bits : 0;

	if (!p->type->is_signed)
		return (int64_t)get_int(p);
	return (int64_t)(get_int(p) << unused) >> unused;
}

static void print_char(struct out *o, unsigned char c)
{
	if (c == 0)
		out_puts(o, "'\\0'");
	else if (c >= 0x20 && c < 0x7f)
		out_printf(o, "'%c'", c);
	else
		out_printf(o, "'\\%03o'", c);
}

static void print_enum(struct out *o, const struct place *p)
{
	int64_t n = get_signed(p);
	unsigned int other = p->type->size < 8 ? 64 - 8 * (unsigned int)p->type->size : 0;

	/* The type may lack the sign of the enumeration, so only its own bits count. */
	for (unsigned int i = 0; i < p->type->nenums; i++) {
		if ((uint64_t)(p->type->enums[i].value ^ n) << other == 0) {
			out_puts(o, p->type->enums[i].name);
			return;
		}
	}
	out_printf(o, "%lld", (long long)n);
}

static void print_float(struct out *o, const struct place *p)
{
	float f;
	double d;
	long double l;

	if (p->type->size == sizeof(f)) {
		memcpy(&f, p->data, sizeof(f));
		out_printf(o, "%+.7e", (double)f);
	} else if (p->type->size == sizeof(d)) {
		memcpy(&d, p->data, sizeof(d));
		out_printf(o, "%+.7e", d);
	} else {
		assert(p->type->size == sizeof(l));
		memcpy(&l, p->data, sizeof(l));
		out_printf(o, "%+.16LE", l);
	}
}

static void print_funcptr(struct out *o, const struct place *p)
{
	uint64_t addr = get_int(p);
	struct buf *b = out_scratch(o);

	if (addr)
		value_address(o, b, 0, addr);
	else
		buf_putc(b, '0');
	out_text(o, buf_str(b), b->n);
}

static bool is_text(const unsigned char *s, uint64_t n)
{
	for (uint64_t i = 0; i < n && s[i]; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	return true;
}

static void print_quoted(struct out *o, const struct place *p, uint64_t size)
{
	out_putc(o, '"');
	out_text(o, (const char *)p->data, strnlen((const char *)p->data, size));
	out_putc(o, '"');
}

static void print_array(struct out *o, const struct place *p)
{
	const struct print_type *t = p->type, *elem = t->elem;

	if (elem->kind == PRINT_CHAR && t->nelem && t->size <= p->left &&
	    is_text(p->data, t->size)) {
		out_puts(o, p->depth ? "[ " : "");
		print_quoted(o, p, t->size);
		out_puts(o, p->depth ? " ]" : "");
		return;
	}
	bool lines = elem->kind == PRINT_STRUCT;
	out_puts(o, "[ ");
	for (uint64_t i = 0; i < t->nelem; i++) {
		uint64_t off = i * elem->size < p->left ? i * elem->size : p->left;
		struct place e = {.type = elem,
				  .data = p->data + off,
				  .left = p->left - off,
				  .depth = p->depth + 1};

		out_puts(o, i ? ", " : "");
		if (lines) {
			out_putc(o, '\n');
			out_pad(o, ' ', INDENT * (size_t)e.depth);
			out_printf(o, "%s ", elem->name);
		}
		print_place(o, &e);
		if (e.left == 0)
			break;
	}
	if (t->nelem)
		out_putc(o, lines ? '\n' : ' ');
	out_pad(o, ' ', lines && t->nelem ? INDENT * (size_t)p->depth : 0);
	out_putc(o, ']');
}

static struct place member_place(const struct place *p, const struct print_member *m)
{
	uint64_t byte = m->bit_off / 8;
	uint64_t off = byte < p->left ? byte : p->left;

	return (struct place){.type = m->type,
			      .data = p->data + off,
			      .left = p->left - off,
			      .depth = p->depth + 1,
			      .bit = m->bits ? m->bit_off % 8 : 0,
			      .bits = m->bits};
}

static void print_member(struct out *o, const struct place *p, const struct print_member *m)
{
	const char *name = m->type->name;
	size_t n = strlen(name);
	struct place e = member_place(p, m);

	out_pad(o, ' ', INDENT * (size_t)e.depth);
	out_puts(o, name);
	if (m->name) {
		if (n && name[n - 1] != '*')
			out_putc(o, ' ');
		out_puts(o, m->name);
	}
	if (m->bits)
		out_printf(o, " :%u", m->bits);
	out_puts(o, m->name ? " = " : " ");
	print_place(o, &e);
	out_putc(o, '\n');
}

static void print_struct(struct out *o, const struct place *p)
{
	out_puts(o, "{\n");
	for (unsigned int i = 0; i < p->type->nmembers; i++)
		if (p->type->members[i].name || !p->type->members[i].bits)
			print_member(o, p, &p->type->members[i]);
	out_pad(o, ' ', INDENT * (size_t)p->depth);
	out_putc(o, '}');
}

/* Returns true if the data ends before the end of a scalar. */
static bool is_cut(const struct place *p)
{
	const struct print_type *t = p->type;
	uint64_t need = p->bits ? (p->bit + p->bits + 7) / 8 : t->size;

	if (t->kind == PRINT_STRUCT || t->kind == PRINT_ARRAY || t->kind == PRINT_STRING)
		return p->left == 0 && need != 0;
	return need > p->left;
}

static void print_place(struct out *o, const struct place *p)
{
	if (is_cut(p)) {
		out_puts(o, "...");
		return;
	}
	switch (p->type->kind) {
	case PRINT_INT:
	case PRINT_PTR:
		out_printf(o, "%#llx", (unsigned long long)get_int(p));
		break;
	case PRINT_CHAR:
		print_char(o, (unsigned char)get_int(p));
		break;
	case PRINT_ENUM:
		print_enum(o, p);
		break;
	case PRINT_FUNCPTR:
		print_funcptr(o, p);
		break;
	case PRINT_FLOAT:
		print_float(o, p);
		break;
	case PRINT_STRING:
		out_puts(o, p->depth ? "[ " : "");
		print_quoted(o, p, p->left);
		out_puts(o, p->depth ? " ]" : "");
		break;
	case PRINT_ARRAY:
		print_array(o, p);
		break;
	case PRINT_STRUCT:
		print_struct(o, p);
		break;
	}
}

struct walk {
	struct out *o; /* its symbols name functions */
	void (*f)(void *ctx, unsigned int depth, const char *name, const struct print_type *t,
		  const char *text);
	void *ctx;
};

static void walk(const struct walk *w, const struct place *p, const char *name)
{
	struct buf b = {0};
	struct out o;

	if (p->type->kind == PRINT_STRUCT && !is_cut(p)) {
		w->f(w->ctx, p->depth, name, p->type, NULL);
		for (unsigned int i = 0; i < p->type->nmembers; i++) {
			struct place e = member_place(p, &p->type->members[i]);

			walk(w, &e, p->type->members[i].name);
		}
		return;
	}
	out_init_buf(&o, &b);
	o.syms = w->o->syms;
	o.symctx = w->o->symctx;
	print_place(&o, p);
	w->f(w->ctx, p->depth, name, p->type, buf_str(&b));
	out_free(&o);
	buf_free(&b);
}

void print_walk(struct out *o, const struct print_call *c,
		void (*f)(void *ctx, unsigned int depth, const char *name,
			  const struct print_type *t, const char *text),
		void *ctx)
{
	struct walk w = {o, f, ctx};
	struct place p = {.type = c->type, .data = c->data, .left = c->len};

	walk(&w, &p, NULL);
}

void print_value(struct out *o, const struct print_type *t, const void *data, uint64_t len)
{
	struct place p = {.type = t, .data = data, .left = len};
	struct print_call call = {t, data, len};

	assert(t->name);
	if (out_object(o, OUT_OBJECT_PRINT, &call))
		return;
	out_printf(o, "%s ", t->name);
	print_place(o, &p);
	if (t->kind != PRINT_STRUCT)
		out_putc(o, '\n');
}

/* ---- objects at pointers ---- */

/* Returns true for a member of value 0 that adds nothing. */
static bool is_left_out(const struct place *p)
{
	const struct print_type *t = p->type;

	if (t->kind == PRINT_ENUM || strcmp(t->name, "_Bool") == 0 || strcmp(t->name, "bool") == 0)
		return false;
	if (p->bits)
		return get_int(p) == 0;
	for (uint64_t i = 0; i < t->size; i++)
		if (p->data[i])
			return false;
	return true;
}

static void pointed_scalar(struct out *o, const struct place *p)
{
	if (p->type->kind == PRINT_FUNCPTR)
		out_printf(o, "%#llx", (unsigned long long)get_int(p));
	else if (p->type->kind != PRINT_INT)
		print_place(o, p);
	else if (p->type->is_signed)
		out_printf(o, "%lld", (long long)get_signed(p));
	else
		out_printf(o, "%llu", (unsigned long long)get_int(p));
}

static bool pointed_place(struct out *o, const struct place *p, const char *name);

/* Prints members or elements, up to the end of the data. */
static void pointed_parts(struct out *o, const struct place *p)
{
	const struct print_type *t = p->type;
	bool is_struct = t->kind == PRINT_STRUCT;
	uint64_t n = is_struct ? t->nmembers : t->nelem;

	for (uint64_t i = 0; i < n; i++) {
		const struct print_member elem = {.type = t->elem,
						  .bit_off = is_struct ? 0 : i * t->elem->size * 8};
		const struct print_member *m = is_struct ? &t->members[i] : &elem;
		struct place e = member_place(p, m);

		if (m->bits && !m->name)
			continue;
		/* Text ends at its NUL. */
		if (!is_struct && t->elem->kind == PRINT_CHAR && e.left && e.data[0] == 0)
			break;
		if (!pointed_place(o, &e, m->name))
			break;
	}
}

/* Prints one or more lines.  Returns false at the end of the data. */
static bool pointed_place(struct out *o, const struct place *p, const char *name)
{
	size_t indent = POINTED_INDENT + (size_t)p->depth;
	bool is_struct = p->type->kind == PRINT_STRUCT, is_array = p->type->kind == PRINT_ARRAY;

	if (is_cut(p)) {
		out_pad(o, ' ', indent);
		out_puts(o, "...\n");
		return false;
	}
	if (p->depth && p->left >= p->type->size && is_left_out(p))
		return true;
	out_pad(o, ' ', indent);
	if (name)
		out_printf(o, ".%s = ", name);
	out_printf(o, "(%s)", p->type->name);
	if (is_struct || is_array) {
		out_puts(o, is_struct ? " {\n" : " [\n");
		pointed_parts(o, p);
		out_pad(o, ' ', indent);
		out_putc(o, is_struct ? '}' : ']');
	} else {
		pointed_scalar(o, p);
	}
	out_puts(o, p->depth ? ",\n" : "\n");
	return true;
}

void print_pointed(struct out *o, uint64_t addr, const struct print_type *t, const void *data,
		   uint64_t len)
{
	struct place p = {.type = t, .data = data, .left = len};
	struct print_call call = {t, data, len};

	assert(t->name);
	if (out_object(o, OUT_OBJECT_PRINT, &call))
		return;
	out_printf(o, "0x%llx = *\n", (unsigned long long)addr);
	pointed_place(o, &p, NULL);
}
