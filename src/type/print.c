/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c: types as C text.  A declarator grows around its (absent) name from the inside out.  The
 * text of pointers, arrays and functions is built in a buffer and then follows the name of the
 * innermost type: "struct sock *", "char [16]", "int (*)(void *)".
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "type/priv.h"

static const char *const quals_text[] = {"", "const", "volatile", "const volatile"};

static void wrap(struct buf *d, const char *before, const char *after)
{
	struct buf tmp = {0};

	buf_puts(&tmp, before);
	buf_puts(&tmp, buf_str(d));
	buf_puts(&tmp, after);
	buf_reset(d);
	buf_puts(d, buf_str(&tmp));
	buf_free(&tmp);
}

static void print_params(struct buf *out, const struct type *f)
{
	buf_putc(out, '(');
	for (unsigned int i = 0; i < f->nmembers; i++) {
		if (i)
			buf_puts(out, ", ");
		type_print(out, f->members[i].type);
	}
	if (f->is_variadic)
		buf_puts(out, f->nmembers ? ", ..." : "...");
	else if (!f->nmembers)
		buf_puts(out, "void");
	buf_putc(out, ')');
}

static void print_base(struct buf *out, const struct type *t)
{
	switch (t->kind) {
	case TYPE_STRUCT:
		buf_puts(out, "struct ");
		break;
	case TYPE_UNION:
		buf_puts(out, "union ");
		break;
	case TYPE_ENUM:
		buf_puts(out, "enum ");
		break;
	case TYPE_FWD:
		buf_puts(out, t->is_enum_fwd ? "enum " : t->is_union_fwd ? "union " : "struct ");
		break;
	case TYPE_VOID:
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_TYPEDEF:
	case TYPE_STRING:
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
	case TYPE_DYN:
	case TYPE_PTR:
	case TYPE_ARRAY:
	case TYPE_FUNC:
		break;
	}
	buf_puts(out, t->name ? t->name : "(anonymous)");
}

/*
 * Adds one level around d.  is_tight: d starts with a `*` that binds weaker than [] and ().  quals:
 * qualifiers of a pointer.
 */
static void add_level(struct buf *d, const struct type *t, bool is_tight, unsigned int quals)
{
	struct buf tail = {0};

	assert(t->kind == TYPE_PTR || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNC);
	if (t->kind == TYPE_PTR) {
		if (quals && d->n)
			wrap(d, " ", "");
		wrap(d, quals_text[quals], "");
		wrap(d, "*", "");
		return;
	}
	if (t->kind == TYPE_ARRAY)
		buf_printf(&tail, "[%" PRIu64 "]", t->nelem);
	else
		print_params(&tail, t);
	if (is_tight)
		wrap(d, "(", ")");
	buf_puts(d, buf_str(&tail));
	buf_free(&tail);
}

void type_print(struct buf *out, const struct type *t)
{
	struct buf d = {0};
	unsigned int quals;
	bool is_tight = false;

	if (t->is_userland)
		buf_puts(out, "userland ");
	for (;;) {
		quals = t->quals;
		if (quals)
			t = t->to;
		if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY && t->kind != TYPE_FUNC)
			break;
		add_level(&d, t, is_tight, quals);
		is_tight = t->kind == TYPE_PTR;
		quals = 0;
		if (!t->to)
			break;
		t = t->to;
	}
	if (quals)
		buf_printf(out, "%s ", quals_text[quals]);
	print_base(out, t);
	if (d.n) {
		buf_putc(out, ' ');
		buf_puts(out, buf_str(&d));
	}
	buf_free(&d);
}
