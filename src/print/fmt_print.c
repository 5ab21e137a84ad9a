/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt_print.c: prints records through a parsed format.
 *
 * The value has the size of an integer, so size modifiers do not matter here.  Every integer is
 * widened to 64 bits: by its own sign for %d, signed for %i, unsigned for the others.  Widths count
 * bytes.  The C library's printf gets numbers only.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "print/agg.h"
#include "print/fmt.h"
#include "print/out.h"
#include "print/value.h"

/* A conversion with its stars filled in. */
struct spec {
	const struct fmt_conv *c;
	unsigned int flags;
	int width, prec;
};

static void print_text(struct out *o, const struct spec *sp, const char *s, size_t n)
{
	if (sp->prec >= 0 && (size_t)sp->prec < n)
		n = (size_t)sp->prec;
	out_field(o, s, n, sp->width, sp->flags & FMT_FLAG_LEFT);
}

static void print_buf(struct out *o, const struct spec *sp, const struct buf *b)
{
	print_text(o, sp, buf_str(b), b->n);
}

/* "%", the flags, "*.*", size and letter, for the C library. */
static void c_format(char text[16], const struct spec *sp, const char *letter)
{
	static const char flags[] = "#0-+ '";
	char *p = text;

	*p++ = '%';
	for (unsigned int i = 0; i < sizeof(flags) - 1; i++)
		if (sp->flags & 1u << i)
			*p++ = flags[i];
	p = stpcpy(p, "*.*");
	p = stpcpy(p, letter);
	assert(p < text + 16);
}

static void print_int(struct out *o, const struct spec *sp, const struct value *v)
{
	char letter[] = "ll?", format[16];
	long long n = (long long)value_unsigned(v);

	letter[2] = sp->c->conv;
	switch (sp->c->conv) {
	case 'd':
		letter[2] = v->is_signed ? 'd' : 'u';
		n = value_int(v);
		break;
	case 'i':
		n = value_signed(v);
		break;
	case 'p':
		letter[2] = 'x';
		break;
	default:
		break;
	}
	c_format(format, sp, letter);
	out_printf(o, format, sp->width, sp->prec, n);
}

static void print_float(struct out *o, const struct spec *sp, const struct value *v)
{
	char letter[] = {'L', sp->c->conv, '\0'}, format[16];
	uint32_t size = v->size ? v->size : v->len;
	long double x = 0;

	assert(size <= v->len);
	if (size == sizeof(float)) {
		float f;
		memcpy(&f, v->data, sizeof(f));
		x = f;
	} else if (size == sizeof(double)) {
		double d;
		memcpy(&d, v->data, sizeof(d));
		x = d;
	} else if (size == sizeof(x)) {
		memcpy(&x, v->data, sizeof(x));
	}
	c_format(format, sp, letter);
	out_printf(o, format, sp->width, sp->prec, x);
}

static void print_char(struct out *o, const struct spec *sp, const struct value *v)
{
	struct buf *b = out_scratch(o);
	unsigned char c = (unsigned char)value_unsigned(v);

	if (sp->c->conv == 'c' || (c >= 0x20 && c < 0x7f))
		buf_putc(b, (char)c);
	else
		out_escaped(b, c);
	out_field(o, buf_str(b), b->n, sp->width, sp->flags & FMT_FLAG_LEFT);
}

static void print_str(struct out *o, const struct spec *sp, const struct value *v)
{
	const char *s = v->data;
	uint32_t n = value_strlen(v);

	if (sp->c->conv == 's') {
		print_text(o, sp, s, n);
		return;
	}
	struct buf *b = out_scratch(o);
	for (uint32_t i = 0; i < n; i++)
		out_escaped(b, (unsigned char)s[i]);
	print_buf(o, sp, b);
}

static void print_wide(struct out *o, const struct spec *sp, const struct value *v)
{
	struct buf *b = out_scratch(o);
	struct out mem;

	out_init_buf(&mem, b);
	if (sp->c->cls == FMT_WCHAR) {
		out_utf8(&mem, (uint32_t)value_unsigned(v));
	} else {
		for (uint32_t i = 0; i + 4 <= v->len; i += 4) {
			uint32_t c;

			memcpy(&c, (const char *)v->data + i, 4);
			if (c == 0)
				break;
			out_utf8(&mem, c);
		}
	}
	print_buf(o, sp, b);
}

static void print_symbol(struct out *o, const struct spec *sp, const struct value *v)
{
	struct buf *b = out_scratch(o);

	if (v->kind != VALUE_INT && v->kind != VALUE_PTR)
		value_symbol(o, b, v);
	else if (sp->c->cls == FMT_SYMADDR)
		value_address(o, b, 0, value_unsigned(v));
	else
		value_address(o, b, v->pid ? v->pid : o->target, value_unsigned(v));
	print_buf(o, sp, b);
}

/* Prints the host name of an address in text form, or the text if it has no name. */
static void print_ip(struct out *o, const struct spec *sp, const struct value *v)
{
	struct addrinfo hint = {.ai_flags = AI_NUMERICHOST}, *ai = NULL;
	char host[NI_MAXHOST];
	struct buf *b = out_scratch(o);

	buf_add(b, v->data, value_strlen(v));
	if (getaddrinfo(buf_str(b), NULL, &hint, &ai) == 0) {
		if (getnameinfo(ai->ai_addr, ai->ai_addrlen, host, sizeof(host), NULL, 0,
				NI_NAMEREQD) == 0) {
			buf_reset(b);
			buf_puts(b, host);
		}
		freeaddrinfo(ai);
	}
	print_buf(o, sp, b);
}

static void print_port(struct out *o, const struct spec *sp, const struct value *v)
{
	uint16_t port = (uint16_t)value_unsigned(v);
	struct buf *b = out_scratch(o);
	struct servent ent, *found = NULL;
	char mem[1024];

	if (getservbyport_r(htons(port), NULL, &ent, mem, sizeof(mem), &found) == 0 && found)
		buf_puts(b, found->s_name);
	else
		buf_printf(b, "%u", port);
	print_buf(o, sp, b);
}

static void print_time(struct out *o, const struct spec *sp, const struct value *v)
{
	static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	int64_t ns = value_int(v);
	time_t t = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
	struct buf *b = out_scratch(o);
	struct tm tm;

	if (!localtime_r(&t, &tm))
		buf_printf(b, "%lld", (long long)t);
	else if (sp->c->conv == 'Y')
		buf_printf(b, "%d %s %2d %02d:%02d:%02d", tm.tm_year + 1900, months[tm.tm_mon],
			   tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	else
		buf_printf(b, "%s, %02d %s %d %02d:%02d:%02d %s", days[tm.tm_wday], tm.tm_mday,
			   months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec,
			   tm.tm_zone);
	print_buf(o, sp, b);
}

static void print_stack(struct out *o, const struct spec *sp, const struct value *v)
{
	if (v->kind == VALUE_STACK || v->kind == VALUE_USTACK || v->kind == VALUE_LINES)
		value_stack(o, v, sp->flags & FMT_FLAG_LEFT ? sp->width : 0);
}

static void print_conv(struct out *o, const struct spec *sp, const struct value *v)
{
	switch (sp->c->cls) {
	case FMT_NONE:
		break;
	case FMT_INT:
	case FMT_PTR:
		print_int(o, sp, v);
		break;
	case FMT_CHAR:
		print_char(o, sp, v);
		break;
	case FMT_STR:
		print_str(o, sp, v);
		break;
	case FMT_WCHAR:
	case FMT_WSTR:
		print_wide(o, sp, v);
		break;
	case FMT_FLOAT:
		print_float(o, sp, v);
		break;
	case FMT_STACK:
		print_stack(o, sp, v);
		break;
	case FMT_SYMADDR:
	case FMT_USYMADDR:
		print_symbol(o, sp, v);
		break;
	case FMT_IP:
		print_ip(o, sp, v);
		break;
	case FMT_PORT:
		print_port(o, sp, v);
		break;
	case FMT_TIME:
		print_time(o, sp, v);
		break;
	}
}

/* Arguments not yet consumed. */
struct args {
	const struct value *v;
	unsigned int n;
};

static const struct value *next_arg(struct args *a)
{
	static const uint64_t zero;
	static const struct value none = {.kind = VALUE_INT, .size = 8, .data = &zero, .len = 8};

	if (a->n == 0)
		return &none;
	a->n--;
	return a->v++;
}

static struct spec make_spec(const struct fmt_conv *c, struct args *a)
{
	struct spec sp = {.c = c, .flags = c->flags, .width = c->width, .prec = c->prec};

	if (c->width_star) {
		sp.width = (int)value_signed(next_arg(a));
		if (sp.width < 0) {
			sp.flags |= FMT_FLAG_LEFT;
			sp.width = sp.width == INT32_MIN ? INT32_MAX : -sp.width;
		}
	}
	if (c->prec_star) {
		sp.prec = (int)value_signed(next_arg(a));
	}
	if (sp.prec <= 0)
		sp.prec = -1;
	if (sp.width > FMT_NUMBER_MAX)
		sp.width = FMT_NUMBER_MAX;
	if (sp.prec > FMT_NUMBER_MAX)
		sp.prec = FMT_NUMBER_MAX;
	return sp;
}

static void print_agg(struct out *o, const struct spec *sp, const struct agg_rec *r)
{
	const struct agg_ops *ops = r->desc->ops;

	if (!ops->scalar) {
		ops->print(o, r);
		return;
	}
	int64_t n = ops->scalar(r->words, r->normal);
	struct value v = {
	    .kind = VALUE_INT, .size = 8, .is_signed = !ops->is_unsigned, .data = &n, .len = 8};
	print_conv(o, sp, &v);
}

void fmt_print_agg(struct out *o, const struct fmt *f, const struct value *keys, unsigned int nkeys,
		   const struct agg_rec *aggs, unsigned int naggs)
{
	struct args a = {.v = keys, .n = nkeys};
	unsigned int nth = 0;

	for (unsigned int i = 0; i < f->n; i++) {
		const struct fmt_conv *c = &f->conv[i];

		out_own(o, c->text, c->textlen);
		if (c->cls == FMT_NONE)
			continue;
		struct spec sp = make_spec(c, &a);
		if (!c->is_agg) {
			print_conv(o, &sp, next_arg(&a));
		} else if (naggs) {
			print_agg(o, &sp, &aggs[nth]);
			nth += nth + 1 < naggs;
		}
	}
}

void fmt_print(struct out *o, const struct fmt *f, const struct value *args, unsigned int n)
{
	struct fmt_call call = {f, args, n};

	if (!out_object(o, OUT_OBJECT_PRINTF, &call))
		fmt_print_agg(o, f, args, n, NULL, 0);
}
