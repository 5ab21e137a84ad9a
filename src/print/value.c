/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.c: text of single data: values of trace(), keys of aggregations, symbols, stacks, hex
 * dumps; and the order of keys.
 *
 * Integers of 8 and 4 bytes print signed, and integers of 2 and 1 unsigned, whatever their type
 * (but see trace_typed()).  looks_like() decides whether an array of bytes is text.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "print/out.h"
#include "print/value.h"
#include "rt/abi.h"

#define TRACE_WIDTH 33
#define KEY_WIDTH   50

uint64_t value_unsigned(const struct value *v)
{
	uint64_t u = 0;
	uint32_t n = v->size ? v->size : v->len;

	assert(n <= 8 && v->len >= n);
	/* the low bytes come first on every machine that runs eBPF here */
	memcpy(&u, v->data, n);
	return u;
}

int64_t value_signed(const struct value *v)
{
	uint32_t n = v->size ? v->size : v->len;
	unsigned int unused = n ? 64 - 8 * n : 0;

	return (int64_t)(value_unsigned(v) << unused) >> unused;
}

int64_t value_int(const struct value *v)
{
	return v->is_signed ? value_signed(v) : (int64_t)value_unsigned(v);
}

uint32_t value_strlen(const struct value *v)
{
	return (uint32_t)strnlen(v->data, v->len);
}

static void print_int(struct out *o, const struct value *v, uint32_t size, bool quiet)
{
	struct value as = {
	    .kind = VALUE_INT, .size = (uint8_t)size, .data = v->data, .len = v->len};
	long long n = size >= 4 ? value_signed(&as) : (long long)value_unsigned(&as);

	if (quiet)
		out_printf(o, "%lld", n);
	else
		out_printf(o, " %*lld", size == 8 ? 16 : size == 4 ? 8 : size == 2 ? 5 : 3, n);
}

enum look { LOOK_RAW, LOOK_TEXT, LOOK_STRING };

/* Text is printable or white characters up to a NUL that is not the first byte, then NULs only; or
 * it has no NUL at all. */
static enum look looks_like(const unsigned char *p, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && p[i] < 0x80 && (isprint(p[i]) || isspace(p[i])))
		i++;
	if (i == n)
		return LOOK_TEXT;
	if (i == 0)
		return LOOK_RAW;
	for (uint32_t k = i; k < n; k++)
		if (p[k])
			return LOOK_RAW;
	return LOOK_STRING;
}

static void print_text(struct out *o, const struct value *v, int width)
{
	out_text(o, "  ", 2);
	out_field(o, v->data, value_strlen(v), width, true);
}

static void print_bytes(struct out *o, const struct value *v, int width, bool quiet)
{
	enum look look = o->opts.rawbytes ? LOOK_RAW : looks_like(v->data, v->len);

	if (look == LOOK_RAW || v->len == 0)
		value_hexdump(o, v->data, v->len);
	else if (look == LOOK_STRING && quiet)
		out_text(o, v->data, value_strlen(v));
	else
		print_text(o, v, width);
}

static void print_symbol(struct out *o, const struct value *v)
{
	struct buf b = {0};

	value_symbol(o, &b, v);
	out_text(o, "  ", 2);
	out_field(o, buf_str(&b), b.n, KEY_WIDTH, true);
	buf_free(&b);
}

static bool is_int_size(uint32_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

static void print_string(struct out *o, const struct value *v, int width, bool quiet)
{
	if (quiet)
		out_text(o, v->data, value_strlen(v));
	else
		print_text(o, v, width);
}

/* For trace() and for keys; the width differs. */
static void print_value(struct out *o, const struct value *v, int width, bool quiet)
{
	uint32_t size = v->size ? v->size : v->len;

	switch (v->kind) {
	case VALUE_INT:
	case VALUE_PTR:
	case VALUE_BYTES:
	case VALUE_FLOAT:
		if (is_int_size(size))
			print_int(o, v, size, quiet);
		else
			print_bytes(o, v, width, quiet);
		break;
	case VALUE_STR:
		print_string(o, v, width, quiet);
		break;
	case VALUE_STACK:
	case VALUE_USTACK:
	case VALUE_LINES:
		value_stack(o, v, o->opts.stackindent);
		break;
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		print_symbol(o, v);
		break;
	}
}

/* Prints by type: integers by their sign; everything except strings, stacks and symbols as
 * bytes. */
static bool trace_typed(struct out *o, const struct value *v, bool quiet)
{
	uint32_t size = v->size ? v->size : v->len;
	int width = size == 8 ? 20 : size == 4 ? 10 : size == 2 ? 5 : 3;

	switch (v->kind) {
	case VALUE_INT:
	case VALUE_PTR:
		break;
	case VALUE_BYTES:
	case VALUE_FLOAT:
		value_hexdump(o, v->data, v->len);
		return true;
	default:
		return false;
	}
	if (o->opts.rawbytes)
		value_hexdump(o, v->data, size);
	else if (quiet)
		out_printf(o, v->is_signed ? "%lld" : "%llu", (long long)value_int(v));
	else if (v->is_signed)
		out_printf(o, " %*lld", size == 8 ? 19 : width, (long long)value_int(v));
	else
		out_printf(o, " %*llu", width, (unsigned long long)value_unsigned(v));
	return true;
}

/* Dumps all bytes of a string.  The bytes that follow its end are 0. */
static void dump_string(struct out *o, const struct value *v)
{
	struct buf *b = out_scratch(o);
	uint32_t n = value_strlen(v), size = o->opts.strsize > v->len ? o->opts.strsize : v->len;

	buf_add(b, v->data, n);
	buf_pad(b, '\0', size - n);
	value_hexdump(o, b->s, size);
}

void value_trace(struct out *o, const struct value *v, bool quiet)
{
	if (out_object(o, OUT_OBJECT_TRACE, v))
		return;
	if (dialect_has(o->opts.dialect, DIALECT_TYPED_TRACE) && trace_typed(o, v, quiet))
		return;
	if (v->kind == VALUE_STR && o->opts.rawbytes)
		dump_string(o, v);
	else
		print_value(o, v, TRACE_WIDTH, quiet);
}

void value_span(struct out *o, const struct value_span *s)
{
	if (out_object(o, OUT_OBJECT_SPAN, s))
		return;
	if (s->name)
		print_value(o, s->name, TRACE_WIDTH, o->opts.quiet);
	if (s->id)
		print_value(o, s->id, TRACE_WIDTH, o->opts.quiet);
	if (s->parent)
		print_value(o, s->parent, TRACE_WIDTH, o->opts.quiet);
}

void value_key(struct out *o, const struct value *v)
{
	print_value(o, v, KEY_WIDTH, false);
}

void value_resolve(struct out *o, bool user, uint32_t pid, uint64_t addr, struct out_sym *sym)
{
	int err = -1;

	memset(sym, 0, sizeof(*sym));
	if (o->syms && user && o->syms->usym)
		err = o->syms->usym(o->symctx, pid, addr, sym);
	else if (o->syms && !user && o->syms->ksym)
		err = o->syms->ksym(o->symctx, addr, sym);
	if (err)
		memset(sym, 0, sizeof(*sym));
}

static void address_text(struct buf *b, const struct out_sym *sym, uint64_t addr, bool offset)
{
	if (sym->name) {
		buf_printf(b, "%s`%s", sym->module ? sym->module : "", sym->name);
		if (offset && sym->offset)
			buf_printf(b, "+0x%llx", (unsigned long long)sym->offset);
		return;
	}
	if (sym->module)
		buf_printf(b, "%s`", sym->module);
	buf_printf(b, "0x%llx", (unsigned long long)(sym->in_file ? sym->in_file : addr));
}

static void symbol_text(const struct out *o, struct buf *b, bool user, const struct out_sym *sym,
			uint64_t addr, bool offset)
{
	if (o->opts.noresolve && user)
		buf_printf(b, "%s%s0x%llx", sym->module ? sym->module : "", sym->module ? ":" : "",
			   (unsigned long long)(sym->module ? sym->mapped : addr));
	else if (sym->text && !sym->name && sym->text[0] != '@')
		buf_puts(b, sym->text);
	else
		address_text(b, sym, addr, offset);
}

static void any_address(struct out *o, struct buf *b, bool user, uint32_t pid, uint64_t addr,
			bool offset)
{
	struct out_sym sym;

	value_resolve(o, user, pid, addr, &sym);
	symbol_text(o, b, user, &sym, addr, offset);
}

/* Resolves a return address by the call instruction before it.  Returns false if it has no name. */
static bool resolve_call(struct out *o, const struct value *v, uint64_t pc, struct out_sym *sym)
{
	value_resolve(o, true, v->pid, pc - 1, sym);
	sym->offset++;
	sym->mapped++;
	sym->in_file += sym->in_file != 0;
	return sym->name != NULL;
}

/* Selects the symbols of the machine that has the address.  Returns the former ones, to restore. */
static void *use_symbols(struct out *o, const struct value *v)
{
	void *before = o->symctx;

	if (v->symctx)
		o->symctx = v->symctx;
	return before;
}

/* Puts why a stack ends, with the module of the frame before. */
static void put_lost(struct out *o, const struct value *v, unsigned int frame, const char *why,
		     struct buf *b)
{
	struct out_sym last = {0};
	uint64_t pc;

	memcpy(&pc, (const char *)v->data + (frame - 1) * 8, sizeof(pc));
	if (pc & ABI_FRAME_LANG) {
		buf_printf(b, "(not unwound: %s this process)", why);
		return;
	}
	if (frame == 1 || !resolve_call(o, v, pc, &last))
		value_resolve(o, true, v->pid, pc, &last);
	buf_printf(b, "(not unwound: %s %s)", why, last.module ? last.module : "generated code");
}

void value_frame(struct out *o, const struct value *v, unsigned int frame, uint64_t pc,
		 struct out_sym *sym, struct buf *b)
{
	bool user = v->kind == VALUE_USTACK;
	void *before = use_symbols(o, v);

	if (!user || frame == 0 || !resolve_call(o, v, pc, sym))
		value_resolve(o, user, v->pid, pc, sym);
	if (sym->lost && frame && !o->opts.noresolve)
		put_lost(o, v, frame, sym->lost, b);
	else
		symbol_text(o, b, user, sym, pc, true);
	o->symctx = before;
}

void value_address(struct out *o, struct buf *b, uint32_t pid, uint64_t addr)
{
	any_address(o, b, pid != 0, pid, addr, true);
}

static void module_text(struct out *o, struct buf *b, bool user, const struct value *v)
{
	uint64_t addr = value_unsigned(v);
	struct out_sym sym;

	value_resolve(o, user, v->pid, addr, &sym);
	if (sym.module || sym.name)
		buf_puts(b, sym.module ? sym.module : sym.name);
	else if (sym.text && sym.text[0] == '(')
		buf_puts(b, sym.text); /* not an address: "(not unwound)" */
	else
		buf_printf(b, "0x%llx", (unsigned long long)addr);
}

void value_symbol(struct out *o, struct buf *b, const struct value *v)
{
	bool user = v->kind == VALUE_USYM || v->kind == VALUE_UMOD || v->kind == VALUE_UADDR;
	void *before = use_symbols(o, v);

	if (v->kind == VALUE_MOD || v->kind == VALUE_UMOD)
		module_text(o, b, user, v);
	else
		any_address(o, b, user, v->pid, value_unsigned(v),
			    v->kind != VALUE_SYM && v->kind != VALUE_USYM);
	o->symctx = before;
}

void value_plain(struct out *o, struct buf *b, const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
	case VALUE_PTR:
		if (v->kind == VALUE_INT && v->is_signed)
			buf_printf(b, "%" PRId64, value_int(v));
		else
			buf_printf(b, "%" PRIu64, value_unsigned(v));
		break;
	case VALUE_STR:
		buf_add(b, v->data, value_strlen(v));
		break;
	case VALUE_BYTES:
	case VALUE_FLOAT:
		for (uint32_t i = 0; i < v->len; i++)
			buf_printf(b, "%02x", ((const unsigned char *)v->data)[i]);
		break;
	case VALUE_STACK:
	case VALUE_USTACK:
	case VALUE_LINES:
		assert(!"a stack");
		break;
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		value_symbol(o, b, v);
		break;
	}
}

unsigned int value_places(struct out *o, const struct value *v, unsigned int frame, uint64_t pc,
			  struct out_place *to)
{
	if (v->kind != VALUE_USTACK || o->opts.noresolve || !o->syms || !o->syms->places ||
	    (!o->opts.inlines && !o->opts.lines))
		return 0;
	/* Return addresses lie after the call. */
	return o->syms->places(v->symctx ? v->symctx : o->symctx, v->pid, pc - (frame > 0), to,
			       VALUE_PLACES);
}

static void end_frame(struct out *o, const struct out_place *p)
{
	if (p && p->file && o->opts.lines)
		out_printf(o, " at %s:%d", p->file, p->line);
	out_putc(o, '\n');
}

static void print_inlined(struct out *o, const struct out_place *places, unsigned int n,
			  const char *module, size_t indent)
{
	for (unsigned int i = 0; o->opts.inlines && i < n; i++) {
		out_pad(o, ' ', indent);
		out_printf(o, "%s`%s (inlined)", module, places[i].func ? places[i].func : "?");
		end_frame(o, &places[i]);
	}
}

static void print_frame(struct out *o, const struct value *v, unsigned int frame, uint64_t pc,
			size_t indent)
{
	struct out_place places[VALUE_PLACES];
	unsigned int n = value_places(o, v, frame, pc, places);
	bool user = v->kind == VALUE_USTACK;
	struct buf b = {0};
	struct out_sym sym;

	value_frame(o, v, frame, pc, &sym, &b);
	if (n)
		print_inlined(o, places, n - 1, sym.module ? sym.module : "", indent);
	out_pad(o, ' ', indent);
	out_text(o, buf_str(&b), b.n);
	end_frame(o, n ? &places[n - 1] : NULL);
	buf_free(&b);
	if (user && !o->opts.noresolve && sym.text && sym.text[0] == '@') {
		out_pad(o, ' ', indent);
		out_printf(o, "  [ %s ]\n", sym.text + 1);
	}
}

static void print_lines(struct out *o, const char *text, size_t indent)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		out_pad(o, ' ', indent);
		out_text(o, text, n);
		out_putc(o, '\n');
	}
}

void value_stack(struct out *o, const struct value *v, int indent)
{
	const char *p = v->data;

	out_putc(o, '\n');
	if (v->kind == VALUE_LINES) {
		print_lines(o, p, indent > 0 ? (size_t)indent : 0);
		return;
	}
	assert(v->kind == VALUE_STACK || v->kind == VALUE_USTACK);
	for (uint32_t i = 0; (i + 1) * 8 <= v->len; i++) {
		uint64_t pc;

		memcpy(&pc, p + i * 8, 8);
		if (pc == 0)
			break;
		print_frame(o, v, i, pc, indent > 0 ? (size_t)indent : 0);
	}
}

void value_dump(struct out *o, const char *action, const void *data, uint32_t len)
{
	struct value_bytes b = {action, data, len};

	if (!out_object(o, OUT_OBJECT_BYTES, &b))
		value_hexdump(o, data, len);
}

void value_hexdump(struct out *o, const void *data, uint32_t len)
{
	const unsigned char *p = data;

	if (len == 0)
		return;
	out_putc(o, '\n');
	out_pad(o, ' ', 11);
	for (unsigned int i = 0; i < 16; i++)
		out_printf(o, "  %x", i);
	out_puts(o, "  0123456789abcdef\n");
	for (uint32_t row = 0; row < len; row += 16) {
		uint32_t n = len - row < 16 ? len - row : 16;
		char text[16];

		out_printf(o, "     %5x:", row);
		for (uint32_t i = 0; i < n; i++) {
			unsigned char c = p[row + i];

			out_printf(o, " %02x", c);
			text[i] = c >= 0x20 && c <= 0x7e ? (char)c : '.';
		}
		out_pad(o, ' ', 3 * (16 - n) + 2);
		out_text(o, text, n);
		out_putc(o, '\n');
	}
}

/* Compares bytes.  The shorter one counts as if zeros followed. */
static int compare_bytes(const struct value *a, uint32_t na, const struct value *b, uint32_t nb)
{
	uint32_t n = na < nb ? na : nb;
	int d = n ? memcmp(a->data, b->data, n) : 0;

	for (uint32_t i = n; d == 0 && i < na; i++)
		d = ((const unsigned char *)a->data)[i] != 0;
	for (uint32_t i = n; d == 0 && i < nb; i++)
		d = -(((const unsigned char *)b->data)[i] != 0);
	return d;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static bool is_stack(const struct value *v)
{
	return v->kind == VALUE_STACK || v->kind == VALUE_USTACK;
}

static bool has_address(const struct value *v)
{
	return v->kind == VALUE_STACK || v->kind == VALUE_USTACK || v->kind == VALUE_SYM ||
	       v->kind == VALUE_MOD || v->kind == VALUE_USYM || v->kind == VALUE_UMOD ||
	       v->kind == VALUE_UADDR;
}

void value_identify(struct buf *b, const struct value *v)
{
	const void *of = has_address(v) ? v->symctx : NULL;
	int64_t n = v->size ? value_int(v) : 0;
	uint32_t len = v->kind == VALUE_STR	? value_strlen(v)
		       : v->kind == VALUE_LINES ? (uint32_t)strlen(v->data)
						: v->len;

	buf_add(b, &of, sizeof(of));
	buf_add(b, &v->pid, sizeof(v->pid));
	if (v->size) {
		buf_add(b, &n, sizeof(n));
	} else {
		buf_add(b, &len, sizeof(len));
		buf_add(b, v->data, len);
	}
}

int value_compare(const struct value *a, const struct value *b)
{
	int d = 0;

	assert(a->kind == b->kind || (is_stack(a) && is_stack(b)));
	switch (a->kind) {
	case VALUE_INT:
	case VALUE_PTR:
	case VALUE_SYM:
	case VALUE_MOD:
		d = compare_u64(value_unsigned(a), value_unsigned(b));
		break;
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		d = compare_u64(a->pid, b->pid);
		if (d == 0)
			d = compare_u64(value_unsigned(a), value_unsigned(b));
		break;
	case VALUE_LINES:
		d = strcmp(a->data, b->data);
		break;
	case VALUE_STR:
		d = compare_bytes(a, value_strlen(a), b, value_strlen(b));
		break;
	case VALUE_STACK:
	case VALUE_USTACK:
		d = compare_u64(a->pid, b->pid);
		if (d)
			break;
		__attribute__((fallthrough));
	case VALUE_BYTES:
	case VALUE_FLOAT:
		d = compare_bytes(a, a->len, b, b->len);
		break;
	}
	return d;
}
