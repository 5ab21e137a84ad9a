/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_fmt.c: any bytes as a printf format, printed with values that its conversions accept.
 */
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/buf.h"
#include "print/fmt.h"
#include "print/out.h"
#include "print/value.h"

#define ARGS_MAX 256

static const int64_t number = -1234567;
static const uint64_t pcs[4] = {1, 2, 3, 0};

static struct value value_for(enum fmt_class cls)
{
	static const double real = 2.5;

	switch (cls) {
	case FMT_STR:
	case FMT_IP:
		return (struct value){.kind = VALUE_STR, .data = "text\n\"\\", .len = 8};
	case FMT_STACK:
		return (struct value){.kind = VALUE_STACK, .data = pcs, .len = sizeof(pcs)};
	case FMT_SYMADDR:
	case FMT_USYMADDR:
		return (struct value){.kind = VALUE_SYM, .data = pcs, .len = 8};
	case FMT_FLOAT:
		return (struct value){.kind = VALUE_FLOAT, .size = 8, .data = &real, .len = 8};
	case FMT_WSTR:
		return (struct value){
		    .kind = VALUE_BYTES, .data = L"wide", .len = 5 * sizeof(wchar_t)};
	default:
		return (struct value){
		    .kind = VALUE_INT, .size = 8, .is_signed = true, .data = &number, .len = 8};
	}
}

static unsigned int arguments(const struct fmt *f, struct value *v)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < f->n && n + 3 < ARGS_MAX; i++) {
		const struct fmt_conv *c = &f->conv[i];

		if (c->width_star)
			v[n++] = value_for(FMT_INT);
		if (c->prec_star)
			v[n++] = value_for(FMT_INT);
		if (c->cls != FMT_NONE && !c->is_agg)
			v[n++] = value_for(c->cls);
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct value v[ARGS_MAX];
	struct arena *a = arena_new();
	struct buf b = {0};
	const char *err;
	struct out o;
	struct fmt *f;

	f = fmt_parse(a, arena_strndup(a, (const char *)data, size), &err);
	if (f) {
		out_init_buf(&o, &b);
		fmt_print(&o, f, v, arguments(f, v));
		out_free(&o);
	}
	buf_free(&b);
	arena_free(a);
	return 0;
}
