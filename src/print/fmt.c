/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt.c: parses printf formats, and says which types their conversions take.
 *
 * A conversion is  %[flags][width][.prec][size]letter.  The letter with its size modifier must be a
 * row of the table below.  The row has the class of the conversion and, for h, l and ll, the size
 * of integer that it requires: long and long long are the same to both l and ll.  Flags may also
 * follow the width, as long as the width and the precision are given once.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "print/fmt.h"

static const struct row {
	const char *name;
	enum fmt_class cls;
	unsigned int size; /* required bytes of the integer; 0: any */
	const char *wants;
} rows[] = {
    {"a", FMT_SYMADDR, 0, "a pointer, an integer or a kernel symbol"},
    {"A", FMT_USYMADDR, 0, "a user symbol (with $target also a pointer or an integer)"},
    {"c", FMT_CHAR, 0, "char, short or int"},
    {"C", FMT_CHAR, 0, "char, short or int"},
    {"d", FMT_INT, 0, "an integer"},
    {"e", FMT_FLOAT, 0, "float, double or long double"},
    {"E", FMT_FLOAT, 0, "float, double or long double"},
    {"f", FMT_FLOAT, 0, "float, double or long double"},
    {"g", FMT_FLOAT, 0, "float, double or long double"},
    {"G", FMT_FLOAT, 0, "float, double or long double"},
    {"hd", FMT_INT, 2, "short"},
    {"hi", FMT_INT, 2, "short"},
    {"ho", FMT_INT, 2, "short"},
    {"hu", FMT_INT, 2, "short"},
    {"hx", FMT_INT, 2, "short"},
    {"hX", FMT_INT, 2, "short"},
    {"i", FMT_INT, 0, "an integer"},
    {"I", FMT_IP, 0, "a string"},
    {"k", FMT_STACK, 0, "a stack"},
    {"lc", FMT_WCHAR, 4, "int"},
    {"ld", FMT_INT, 8, "long"},
    {"li", FMT_INT, 8, "long"},
    {"lo", FMT_INT, 8, "long"},
    {"ls", FMT_WSTR, 0, "an array of wchar_t"},
    {"lu", FMT_INT, 8, "long"},
    {"lx", FMT_INT, 8, "long"},
    {"lX", FMT_INT, 8, "long"},
    {"lld", FMT_INT, 8, "long long"},
    {"lli", FMT_INT, 8, "long long"},
    {"llo", FMT_INT, 8, "long long"},
    {"llu", FMT_INT, 8, "long long"},
    {"llx", FMT_INT, 8, "long long"},
    {"llX", FMT_INT, 8, "long long"},
    {"Le", FMT_FLOAT, 0, "long double"},
    {"LE", FMT_FLOAT, 0, "long double"},
    {"Lf", FMT_FLOAT, 0, "long double"},
    {"Lg", FMT_FLOAT, 0, "long double"},
    {"LG", FMT_FLOAT, 0, "long double"},
    {"o", FMT_INT, 0, "an integer"},
    {"p", FMT_PTR, 0, "a pointer or an integer"},
    {"P", FMT_PORT, 0, "uint16_t"},
    {"s", FMT_STR, 0, "a string or an array of char"},
    {"S", FMT_STR, 0, "a string or an array of char"},
    {"T", FMT_TIME, 0, "a 64-bit integer"},
    {"u", FMT_INT, 0, "an integer"},
    {"wc", FMT_WCHAR, 4, "int"},
    {"ws", FMT_WSTR, 0, "an array of wchar_t"},
    {"x", FMT_INT, 0, "an integer"},
    {"X", FMT_INT, 0, "an integer"},
    {"Y", FMT_TIME, 0, "a 64-bit integer"},
};

static const struct row *find_row(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strncmp(rows[i].name, name, n) == 0 && rows[i].name[n] == '\0')
			return &rows[i];
	return NULL;
}

static const struct row *row_of(const struct fmt_conv *c)
{
	const struct row *r = find_row(c->name, strlen(c->name));

	assert(r);
	return r;
}

struct parser {
	struct arena *arena;
	const char *p;	   /* next character */
	const char *start; /* the % of this conversion */
	unsigned int nth;  /* conversions so far, for messages */
	const char *err;
};

static bool fail(struct parser *ps, const char *what)
{
	size_t n = (size_t)(ps->p - ps->start) + (*ps->p != '\0');

	ps->err = arena_printf(ps->arena, "format conversion #%u, \"%.*s\": %s", ps->nth, (int)n,
			       ps->start, what);
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool parse_number(struct parser *ps, int *val)
{
	for (*val = 0; is_digit(*ps->p); ps->p++) {
		*val = *val * 10 + (*ps->p - '0');
		if (*val > FMT_NUMBER_MAX)
			return fail(ps, "number too large");
	}
	if (*ps->p == '$')
		return fail(ps, "numbered arguments are not supported");
	return true;
}

static unsigned int flag_of(char c)
{
	switch (c) {
	case '#':
		return FMT_FLAG_ALT;
	case '0':
		return FMT_FLAG_ZERO;
	case '-':
		return FMT_FLAG_LEFT;
	case '+':
		return FMT_FLAG_PLUS;
	case ' ':
		return FMT_FLAG_SPACE;
	case '\'':
		return FMT_FLAG_GROUP;
	}
	return 0;
}

static bool parse_width(struct parser *ps, struct fmt_conv *c, bool *given)
{
	if (*given)
		return fail(ps, "width given twice");
	*given = true;
	c->is_ptr_wide = false;
	if (*ps->p != '*')
		return parse_number(ps, &c->width);
	ps->p++;
	c->width_star = true;
	return true;
}

static bool parse_prec(struct parser *ps, struct fmt_conv *c)
{
	if (c->prec >= 0 || c->prec_star)
		return fail(ps, "precision given twice");
	ps->p++;
	if (*ps->p != '*')
		return parse_number(ps, &c->prec);
	ps->p++;
	c->prec_star = true;
	if (*ps->p == '*')
		return fail(ps, "precision given twice");
	return true;
}

/* Everything between the % and the size modifier. */
static bool parse_modifiers(struct parser *ps, struct fmt_conv *c)
{
	bool width = false, ok = true;

	while (ok) {
		char ch = *ps->p;
		unsigned int flag = flag_of(ch);

		if (flag) {
			c->flags |= flag;
			ps->p++;
		} else if (ch == '@') {
			c->is_agg = true;
			ps->p++;
		} else if (ch == '?') {
			/* as wide as a pointer in hex, unless the format has a width */
			if (!width)
				c->width = 16;
			c->is_ptr_wide = !width;
			ps->p++;
		} else if (is_digit(ch) || ch == '*') {
			ok = parse_width(ps, c, &width);
		} else if (ch == '.') {
			ok = parse_prec(ps, c);
		} else {
			break;
		}
	}
	return ok;
}

static bool parse_letter(struct parser *ps, struct fmt_conv *c)
{
	static const struct {
		const char *text;
		enum fmt_size size;
	} sizes[] = {
	    {"ll", FMT_SIZE_LL}, {"l", FMT_SIZE_L}, {"h", FMT_SIZE_H},
	    {"L", FMT_SIZE_LD},	 {"w", FMT_SIZE_W},
	};
	const char *word = ps->p;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = strlen(sizes[i].text);

		if (strncmp(ps->p, sizes[i].text, n) == 0) {
			c->size = sizes[i].size;
			ps->p += n;
			break;
		}
	}
	if (*ps->p == '\0')
		return fail(ps, "the format ends inside a conversion");
	const struct row *r = find_row(word, (size_t)(ps->p - word) + 1);
	if (!r)
		return fail(ps, "unknown conversion");
	c->cls = r->cls;
	c->name = r->name;
	c->bytes = r->size;
	c->conv = *ps->p++;
	return true;
}

/* Parses a piece: text, then a conversion, "%%" or the end. */
static bool parse_piece(struct parser *ps, struct fmt_conv *c)
{
	*c = (struct fmt_conv){.text = ps->p, .prec = -1};
	ps->start = strchrnul(ps->p, '%');
	c->textlen = (size_t)(ps->start - ps->p);
	ps->p = ps->start;
	if (*ps->p == '\0')
		return true;
	ps->p++;
	ps->nth++;
	if (!parse_modifiers(ps, c))
		return false;
	if (*ps->p != '%')
		return parse_letter(ps, c);
	/* print the text with one percent sign: the first, if there is nothing between the two */
	if (ps->p != ps->start + 1)
		return fail(ps, "a literal % takes no flags, width or precision");
	ps->nth--;
	c->textlen++;
	ps->p++;
	return true;
}

struct fmt *fmt_parse(struct arena *a, const char *format, const char **err)
{
	struct parser ps = {.arena = a, .p = format};
	VEC(struct fmt_conv) v = {0};

	while (*ps.p && !ps.err) {
		struct fmt_conv c;

		if (parse_piece(&ps, &c))
			vec_push(&v, c);
	}
	*err = ps.err;
	struct fmt *f = NULL;
	if (!ps.err) {
		f = arena_new_obj(a, struct fmt);
		f->text = format;
		f->n = v.n;
		f->conv = arena_new_arr(a, struct fmt_conv, v.n);
		for (unsigned int i = 0; i < v.n; i++) {
			const struct fmt_conv *c = &v.a[i];

			f->conv[i] = *c;
			f->nargs += c->width_star + c->prec_star;
			f->nargs += c->cls != FMT_NONE && !c->is_agg;
			f->naggs += c->is_agg;
		}
	}
	vec_free(&v);
	return f;
}

void fmt_set_ilp32(struct fmt *f)
{
	for (unsigned int i = 0; i < f->n; i++) {
		struct fmt_conv *c = &f->conv[i];

		if (c->is_ptr_wide)
			c->width = 8;
		if (c->cls == FMT_INT && c->size == FMT_SIZE_L)
			c->bytes = 4;
	}
}

bool fmt_accepts(const struct fmt_conv *c, const struct fmt_type *t, bool has_target)
{
	bool number = t->kind == FMT_KIND_INT || t->kind == FMT_KIND_PTR;

	switch (c->cls) {
	case FMT_NONE:
		return false;
	case FMT_INT:
	case FMT_WCHAR:
		return t->kind == FMT_KIND_INT && (!c->bytes || t->size == c->bytes);
	case FMT_PTR:
		return number;
	case FMT_CHAR:
		return t->kind == FMT_KIND_INT && t->size <= 4;
	case FMT_STR:
		return t->kind == FMT_KIND_STRING || t->kind == FMT_KIND_CHARS;
	case FMT_WSTR:
		return t->kind == FMT_KIND_WCHARS;
	case FMT_FLOAT:
		return t->kind == FMT_KIND_FLOAT && (c->size != FMT_SIZE_LD || t->size == 16);
	case FMT_STACK:
		return t->kind == FMT_KIND_STACK;
	case FMT_SYMADDR:
		return number || t->kind == FMT_KIND_SYMADDR;
	case FMT_USYMADDR:
		return (number && has_target) || t->kind == FMT_KIND_USYMADDR;
	case FMT_IP:
		return t->kind == FMT_KIND_STRING;
	case FMT_PORT:
		return t->kind == FMT_KIND_INT && t->size == 2 && !t->is_signed;
	case FMT_TIME:
		return t->kind == FMT_KIND_INT && t->size == 8;
	}
	return false;
}

const char *fmt_wants(const struct fmt_conv *c)
{
	return c->cls == FMT_NONE ? "nothing" : row_of(c)->wants;
}

struct fmt_type fmt_agg_type(void)
{
	return (struct fmt_type){.kind = FMT_KIND_INT, .size = 8, .is_signed = true};
}
