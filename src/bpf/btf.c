/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c: type and line information for the kernel: the types of a program's functions, and the D
 * line of each instruction, which verifier logs and `bpftool prog dump` show.
 *
 * The verifier checks global functions alone, and knows only the types of their parameters:
 * numbers, or pointers to struct str, which has the size of the session's strings, or to walk.  If
 * there is line information at all, the first instruction of each function must have some.
 */
#include <assert.h>
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "bpf/codegen.h"
#include "rt/abi.h"

#define MAX_LINE_TEXT 160

struct types {
	struct btf *btf;
	int u64, u32, i64, ptr, str, walk;
	int err; /* the first error */
};

/* Returns a BTF id, or 0 after an error. */
static int checked(struct types *t, int id)
{
	if (id < 0 && !t->err)
		t->err = id;
	return id < 0 ? 0 : id;
}

/* Adds a pointer to a structure of n elements of one type. */
static int add_pointer(struct types *t, const char *name, int element, uint32_t size, uint32_t n)
{
	int array = checked(t, btf__add_array(t->btf, t->u32, element, n)), type;

	type = checked(t, btf__add_struct(t->btf, name, n * size));
	checked(t, btf__add_field(t->btf, "a", array, 0, 0));
	return checked(t, btf__add_ptr(t->btf, type));
}

static void add_types(struct types *t, uint32_t strsize)
{
	int chr;

	t->u64 = checked(t, btf__add_int(t->btf, "unsigned long long", 8, 0));
	t->u32 = checked(t, btf__add_int(t->btf, "unsigned int", 4, 0));
	t->i64 = checked(t, btf__add_int(t->btf, "long", 8, BTF_INT_SIGNED));
	chr = checked(t, btf__add_int(t->btf, "char", 1, BTF_INT_SIGNED));
	t->ptr = checked(t, btf__add_ptr(t->btf, 0));
	t->str = add_pointer(t, "str", chr, 1, strsize);
	t->walk = add_pointer(t, "walk", t->u64, 8, sizeof(struct abi_walk) / 8);
}

static int param_type(const struct types *t, enum bpf_param p)
{
	const int list[] = {[BPF_PARAM_SCALAR] = t->u64,
			    [BPF_PARAM_STR] = t->str,
			    [BPF_PARAM_WALK] = t->walk,
			    [BPF_PARAM_CTX] = t->ptr};

	return list[p];
}

/* Adds a FUNC with its prototype. */
static int add_func(struct types *t, const struct bpf_function *fn)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	int proto = checked(t, btf__add_func_proto(t->btf, fn->is_callback ? t->i64 : t->u64));

	assert(fn->nargs <= 5);
	if (fn->is_callback) {
		checked(t, btf__add_func_param(t->btf, "index", t->u32));
		checked(t, btf__add_func_param(t->btf, "data", t->ptr));
	}
	for (unsigned int p = 0; p < fn->nargs && !fn->is_callback; p++)
		checked(t, btf__add_func_param(t->btf, names[p], param_type(t, fn->params[p])));
	return checked(t, btf__add_func(t->btf, fn->name,
					fn->is_global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, proto));
}

/* ---- lines ---- */

static const char *file_name(const struct loc *loc)
{
	if (loc->file)
		return loc->file;
	return loc->src && loc->src->name ? loc->src->name : "<command line>";
}

/* Returns the source line without leading blanks.  Lines moved by #line have no text. */
static const char *line_text(struct arena *a, const struct loc *loc)
{
	const char *s = loc->src ? loc->src->text : NULL;
	size_t len;

	if (!s || loc->file)
		return "";
	for (unsigned int n = 1; n < loc->line && s; n++) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	if (!s)
		return "";
	s += strspn(s, " \t");
	len = strcspn(s, "\n");
	return arena_strndup(a, s, len < MAX_LINE_TEXT ? len : MAX_LINE_TEXT);
}

static void add_line(struct types *t, struct bpf_debug *out, struct arena *a, unsigned int insn,
		     const struct loc *loc)
{
	struct bpf_line_info *l;

	if (out->nlines && out->lines[out->nlines - 1].insn_off == insn)
		out->nlines--;
	l = &out->lines[out->nlines++];
	*l = (struct bpf_line_info){.insn_off = insn};
	if (!loc)
		return;
	l->file_name_off = (__u32)checked(t, btf__add_str(t->btf, file_name(loc)));
	l->line_off = (__u32)checked(t, btf__add_str(t->btf, line_text(a, loc)));
	l->line_col = loc->line << 10 | (loc->col < 1024 ? loc->col : 0);
}

static void add_lines(struct types *t, const struct bpf_code *c, struct bpf_debug *out)
{
	unsigned int f = 0, l = 0;

	out->lines = arena_new_arr(c->arena, struct bpf_line_info, c->nlines + c->nfuncs);
	while (f < c->nfuncs || l < c->nlines) {
		bool is_func =
		    f < c->nfuncs && (l == c->nlines || c->funcs[f].insn <= c->lines[l].insn);

		if (is_func) {
			add_line(t, out, c->arena, c->funcs[f].insn, NULL);
			f++;
		} else {
			add_line(t, out, c->arena, c->lines[l].insn, &c->lines[l].loc);
			l++;
		}
	}
}

int bpf_btf(const struct bpf_code *c, uint32_t strsize, struct bpf_debug *out)
{
	struct types t = {.btf = btf__new_empty()};

	*out = (struct bpf_debug){0};
	if (!t.btf)
		return -errno;
	add_types(&t, strsize ? strsize : 1);
	out->funcs = arena_new_arr(c->arena, struct bpf_func_info, c->nfuncs);
	for (unsigned int f = 0; f < c->nfuncs; f++) {
		out->funcs[f].insn_off = c->funcs[f].insn;
		out->funcs[f].type_id = (__u32)add_func(&t, &c->funcs[f]);
	}
	out->nfuncs = c->nfuncs;
	add_lines(&t, c, out);
	if (t.err) {
		btf__free(t.btf);
		*out = (struct bpf_debug){0};
		return t.err;
	}
	out->btf = t.btf;
	return 0;
}
