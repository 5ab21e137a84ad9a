/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_test.c: types and lines that the kernel gets with a program: prototypes as C text, and the
 * source line of each instruction that begins one.
 */
#include <bpf/btf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/codegen.h"
#include "ir/ir.h"
#include "rt/abi.h"
#include "test.h"

/* "unsigned int", "void *", "struct str (257 x 1) *". */
static void add_type(struct buf *b, const struct btf *btf, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (!id) {
		buf_puts(b, "void");
	} else if (btf_is_ptr(t)) {
		add_type(b, btf, t->type);
		buf_puts(b, " *");
	} else if (btf_is_struct(t)) {
		const struct btf_member *m = btf_members(t);
		const struct btf_array *a = btf_array(btf__type_by_id(btf, m->type));

		CHECK_INT(btf_vlen(t), 1);
		CHECK_INT(m->offset, 0);
		CHECK_INT(t->size, btf__resolve_size(btf, m->type));
		buf_printf(b, "struct %s { ", btf__name_by_offset(btf, t->name_off));
		add_type(b, btf, a->type);
		buf_printf(b, " %s[%u]; }", btf__name_by_offset(btf, m->name_off), a->nelems);
	} else {
		CHECK(btf_is_int(t));
		CHECK_INT(btf_int_bits(t), t->size * 8);
		buf_printf(b, "%s%s", btf_int_encoding(t) == BTF_INT_SIGNED ? "signed " : "",
			   btf__name_by_offset(btf, t->name_off));
		buf_printf(b, ":%u", t->size);
	}
}

static void add_func(struct buf *b, const struct btf *btf, const struct bpf_func_info *info)
{
	const struct btf_type *f = btf__type_by_id(btf, info->type_id);
	const struct btf_type *proto = btf__type_by_id(btf, f->type);
	const struct btf_param *p = btf_params(proto);

	CHECK(btf_is_func(f) && btf_is_func_proto(proto));
	buf_printf(b, "%u: %s", info->insn_off, btf_vlen(f) == BTF_FUNC_GLOBAL ? "global " : "");
	add_type(b, btf, proto->type);
	buf_printf(b, " %s(", btf__name_by_offset(btf, f->name_off));
	for (unsigned int n = 0; n < btf_vlen(proto); n++) {
		buf_puts(b, n ? ", " : "");
		add_type(b, btf, p[n].type);
		buf_printf(b, " %s", btf__name_by_offset(btf, p[n].name_off));
	}
	buf_puts(b, ")\n");
}

/* Checks functions and lines of code as text; strsize is the session's. */
static void check_text(struct bpf_code *c, uint32_t strsize, const char *want)
{
	struct bpf_debug d;
	struct buf b = {0};

	CHECK_INT(bpf_btf(c, strsize, &d), 0);
	for (unsigned int f = 0; f < d.nfuncs; f++)
		add_func(&b, d.btf, &d.funcs[f]);
	for (unsigned int l = 0; l < d.nlines; l++)
		buf_printf(&b, "%u: %s:%u:%u: %s\n", d.lines[l].insn_off,
			   btf__name_by_offset(d.btf, d.lines[l].file_name_off),
			   d.lines[l].line_col >> 10, d.lines[l].line_col & 1023,
			   btf__name_by_offset(d.btf, d.lines[l].line_off));
	CHECK_STR(buf_str(&b), want);
	buf_free(&b);
	btf__free(d.btf);
}

static void test_functions(void)
{
	struct bpf_function funcs[] = {
	    {.name = "entry", .nargs = 1, .params = {BPF_PARAM_CTX}},
	    {.name = "sub",
	     .insn = 7,
	     .nargs = 3,
	     .is_global = true,
	     .params = {BPF_PARAM_STR, BPF_PARAM_SCALAR, BPF_PARAM_WALK}},
	    {.name = "each", .insn = 9, .nargs = 2, .is_callback = true},
	    {.name = "none", .insn = 12},
	};
	struct bpf_code c = {.arena = arena_new(), .funcs = funcs, .nfuncs = 4};
	char want[600];

	snprintf(want, sizeof(want),
		 "0: unsigned long long:8 entry(void * a)\n"
		 "7: global unsigned long long:8 sub(struct str { signed char:1 a[257]; } * a, "
		 "unsigned long long:8 b, struct walk { unsigned long long:8 a[%zu]; } * c)\n"
		 "9: signed long:8 each(unsigned int:4 index, void * data)\n"
		 "12: unsigned long long:8 none()\n"
		 "0: :0:0: \n7: :0:0: \n9: :0:0: \n12: :0:0: \n",
		 sizeof(struct abi_walk) / 8);
	check_text(&c, 257, want);
	arena_free(c.arena);
}

/* A session without strings has no string type. */
static void test_no_strings(void)
{
	struct bpf_function func = {.name = "f", .nargs = 1, .params = {BPF_PARAM_STR}};
	struct bpf_code c = {.arena = arena_new(), .funcs = &func, .nfuncs = 1};

	check_text(
	    &c, 0,
	    "0: unsigned long long:8 f(struct str { signed char:1 a[1]; } * a)\n0: :0:0: \n");
	c.nfuncs = 0;
	check_text(&c, 0, "");
	arena_free(c.arena);
}

#define LONG "12345678901234567890123456789012345678901234567890123456789012345678901234567890"

/* A line is printed without its indentation.  If several lines begin at an instruction, only the
 * last is kept. */
static void test_lines(void)
{
	struct source src = {.name = "a.d", .text = "first\n \tsecond line\n\n" LONG LONG LONG},
		      line = {.text = "one"};
	struct bpf_line lines[] = {
	    {0, {&src, NULL, 1, 3}},	  {0, {&src, NULL, 2, 1023}}, {1, {&src, NULL, 2, 1024}},
	    {4, {&src, "other.d", 1, 2}}, {5, {&src, NULL, 3, 1}},    {6, {&src, NULL, 4, 1}},
	    {7, {&src, NULL, 5, 1}},	  {8, {&line, NULL, 1, 1}},   {9, {NULL, NULL, 1, 1}},
	};
	struct bpf_function funcs[] = {
	    {.name = "f"}, {.name = "g", .insn = 4}, {.name = "h", .insn = 12}};
	struct bpf_code c = {.arena = arena_new(),
			     .funcs = funcs,
			     .nfuncs = 3,
			     .lines = lines,
			     .nlines = sizeof(lines) / sizeof(lines[0])};

	check_text(&c, 1,
		   "0: unsigned long long:8 f()\n"
		   "4: unsigned long long:8 g()\n"
		   "12: unsigned long long:8 h()\n"
		   "0: a.d:2:1023: second line\n"
		   "1: a.d:2:0: second line\n"
		   "4: other.d:1:2: \n"
		   "5: a.d:3:1: \n"
		   "6: a.d:4:1: " LONG LONG "\n"
		   "7: a.d:5:1: \n"
		   "8: <command line>:1:1: one\n"
		   "9: <command line>:1:1: \n"
		   "12: :0:0: \n");
	arena_free(c.arena);
}

/* The first instruction of each run of instructions of a line has it.  Line 0 is no line. */
static void test_runs(void)
{
	static const struct {
		unsigned int line, want; /* want: of the line's entry, 0: none */
	} list[] = {{3, 3}, {3, 0}, {0, 0}, {3, 0}, {4, 4}, {0, 0}, {3, 3}};
	struct bpf_target target = {.nregs = 10};
	struct arena *arena = arena_new();
	const char *err = NULL;
	struct ir_module *m = ir_parse(arena,
				       "func f(1) {\n.0:\n\t%0 = arg 0\n"
				       "\tst64 [%0 + 0], %0 map\n\tst64 [%0 + 8], %0 map\n"
				       "\tst64 [%0 + 16], %0 map\n\tst64 [%0 + 24], %0 map\n"
				       "\tst64 [%0 + 32], %0 map\n\tst64 [%0 + 40], %0 map\n"
				       "\tret %0\n}\n",
				       &err);
	struct ir_ins *i;
	struct bpf_code *c;
	unsigned int n = 0, line = 0;

	CHECK(m != NULL);
	for (i = m ? m->funcs[0]->blocks[0]->first : NULL; i; i = i->next)
		if (i->op == IR_ST64 || i->op == IR_ARG)
			i->loc = (struct loc){.line = list[n++].line, .col = 1};
	c = m ? bpf_codegen(arena, m, &target, &err) : NULL;
	CHECK(c != NULL);
	for (n = 0; c && n < sizeof(list) / sizeof(list[0]); n++)
		if (list[n].want) {
			CHECK(line < c->nlines);
			if (line < c->nlines)
				CHECK_INT(c->lines[line].loc.line, list[n].want);
			line++;
		}
	CHECK(c && c->nlines == line);
	arena_free(arena);
}

int main(void)
{
	test_functions();
	test_no_strings();
	test_lines();
	test_runs();
	return TEST_DONE();
}
