/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ir_test.c: building in SSA form, printing, parsing, verifying, dominators, evaluation of
 * constants.
 */
#include "base/buf.h"
#include "ir/dom.h"

#include "ireval.h"
#include "irgen.h"
#include "test.h"

static void round_trip(void)
{
	for (unsigned int seed = 1; seed <= 200; seed++) {
		struct arena *a = arena_new();
		struct ir_module *m = gen_module(a, seed, 40, 4), *again;
		struct buf one = {0}, two = {0};
		const char *err;

		ir_renumber(m->funcs[0]);
		ir_renumber(m->funcs[1]);
		CHECK(!ir_verify(m));
		ir_print(&one, m);
		again = ir_parse(a, buf_str(&one), &err);
		CHECK(again != NULL);
		if (again) {
			CHECK(!ir_verify(again));
			ir_renumber(again->funcs[0]);
			ir_renumber(again->funcs[1]);
			ir_print(&two, again);
			CHECK(strcmp(buf_str(&one), buf_str(&two)) == 0);
		} else {
			printf("%s\n", err);
		}
		buf_free(&one);
		buf_free(&two);
		arena_free(a);
	}
}

/* A call is followed by the name of its function. */
static void names(void)
{
	static const char *const rt[] = {"one", "two"};
	static const char text[] = "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = callfn 1 (%0)\n"
				   "\t%2 = callrt 1 (%1)\n\t%3 = call 5 ()\n\tret %2\n}\n"
				   "func each(1) {\n.0:\n\t%0 = arg 0\n\tret %0\n}\n";
	struct arena *a = arena_new();
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);
	struct buf b = {0};

	CHECK(m != NULL);
	m->rt_names = rt;
	ir_print(&b, m);
	CHECK(strstr(buf_str(&b), "callfn 1 (%0)\t; each\n"));
	CHECK(strstr(buf_str(&b), "callrt 1 (%1)\t; two\n"));
	CHECK(strstr(buf_str(&b), "call 5 ()\t; ktime_get_ns\n"));
	if (test_failures)
		puts(buf_str(&b));
	buf_free(&b);
	arena_free(a);
}

/* Places in the D source: a place holds until the next one, and comments can contain anything. */
static void places(void)
{
	static const char text[] =
	    "; from someone@example\nfunc f(1) {\n.0:\n\t%0 = arg 0\n"
	    "\t%1 = call 5 ()\t; ktime_get_ns\t@3:14\n\t; between @ lines\n"
	    "\t%2 = add %0, %1\n\t%3 = neg %2\t@3:15 ; after\n\tret %3\t@4:15\n}\n";
	static const unsigned int want[][2] = {{0, 0}, {3, 14}, {3, 14}, {3, 15}, {4, 15}};
	struct arena *a = arena_new();
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);
	struct buf b = {0};
	unsigned int n = 0;

	CHECK(m != NULL);
	for (struct ir_ins *i = m->funcs[0]->blocks[0]->first; i; i = i->next, n++) {
		CHECK_INT(i->loc.line, want[n][0]);
		CHECK_INT(i->loc.col, want[n][1]);
	}
	ir_print(&b, m);
	CHECK_STR(buf_str(&b), "func f(1) {\n.0:\n\t%0 = arg 0\n"
			       "\t%1 = call 5 ()\t; ktime_get_ns\t@3:14\n\t%2 = add %0, %1\n"
			       "\t%3 = neg %2\t@3:15\n\tret %3\t@4:15\n}\n");
	buf_free(&b);
	arena_free(a);
}

/* A loop: a variable that changes gets a PHI at its head, one that does not change gets none. */
static void loops(void)
{
	struct arena *a = arena_new();
	struct ir_func *f = ir_func_new(ir_module_new(a), "loop", 2);
	struct ir_builder b = {.func = f};
	struct ir_block *entry = ir_block_new(f), *head = ir_block_new(f), *body = ir_block_new(f),
			*end = ir_block_new(f);
	unsigned int sum = ir_var_new(f), n = ir_var_new(f), step = ir_var_new(f), phis = 0;
	struct gen_memory mem;
	uint64_t args[2] = {10, 3};

	ir_seal(f, entry);
	ir_at(&b, entry);
	ir_var_write(&b, n, ir_arg(&b, 0));
	ir_var_write(&b, step, ir_arg(&b, 1));
	ir_jmp(&b, head);
	ir_at(&b, head);
	ir_br(&b, ir_bin(&b, IR_NE, ir_var_read(&b, n), ir_const(&b, 0)), body, end);
	ir_seal(f, body);
	ir_at(&b, body);
	ir_var_write(&b, sum, ir_bin(&b, IR_ADD, ir_var_read(&b, sum), ir_var_read(&b, step)));
	ir_var_write(&b, n, ir_bin(&b, IR_SUB, ir_var_read(&b, n), ir_const(&b, 1)));
	ir_jmp(&b, head);
	ir_seal(f, head);
	ir_seal(f, end);
	ir_at(&b, end);
	ir_ret(&b, ir_var_read(&b, sum));
	CHECK(!ir_verify(f->mod));
	for (struct ir_ins *i = head->first; i->op == IR_PHI; i = i->next)
		phis++;
	CHECK(phis >= 2 && phis <= 3);
	CHECK_INT(gen_eval(f->mod, 0, args, &mem), 30);
	CHECK(ir_dominates(ir_dom_new(f), head, end));
	CHECK(!ir_dominates(ir_dom_new(f), body, end));
	arena_free(a);
}

/* Code after a terminator is dropped; a value read there is a constant that is valid anywhere. */
static void dead_code(void)
{
	struct arena *a = arena_new();
	struct ir_func *f = ir_func_new(ir_module_new(a), "dead", 1);
	struct ir_builder b = {.func = f};
	struct ir_block *entry = ir_block_new(f), *never = ir_block_new(f);
	struct ir_ins *v;

	ir_seal(f, entry);
	ir_at(&b, entry);
	ir_br(&b, ir_const(&b, 1), ir_block_new(f), never);
	CHECK(b.cur == NULL);
	ir_seal(f, never);
	ir_at(&b, never);
	CHECK(b.cur == NULL);
	v = ir_bin(&b, IR_ADD, ir_arg(&b, 0), ir_arg(&b, 0));
	ir_store(&b, 8, v, 0, v, IR_MEM_MAP);
	ir_seal(f, f->blocks[2]);
	ir_at(&b, f->blocks[2]);
	ir_ret(&b, v);
	ir_remove_unreachable(f);
	CHECK_INT(f->nblocks, 2);
	CHECK(!ir_verify(f->mod));
	arena_free(a);
}

static void constants(void)
{
	CHECK_INT(ir_eval(IR_SDIV, INT64_MIN, -1), INT64_MIN);
	CHECK_INT(ir_eval(IR_SMOD, INT64_MIN, -1), 0);
	CHECK_INT(ir_eval(IR_SDIV, -7, 2), -3);
	CHECK_INT(ir_eval(IR_SMOD, -7, 2), -1);
	CHECK_INT(ir_eval(IR_UDIV, 7, 0), 0);
	CHECK_INT(ir_eval(IR_UMOD, 7, 0), 7);
	CHECK_INT(ir_eval(IR_SHL, 1, 65), 2);
	CHECK_INT(ir_eval(IR_ASHR, -8, 1), -4);
	CHECK_INT(ir_eval(IR_SEXT8, 0x1ff, 0), -1);
	CHECK_INT(ir_eval(IR_ZEXT16, -1, 0), 0xffff);
	CHECK_INT(ir_eval(IR_BSWAP16, 0x11223344, 0), 0x4433);
	CHECK_INT(ir_eval(IR_BSWAP32, 0x11223344, 0), 0x44332211);
	CHECK_INT(ir_eval(IR_ULT, -1, 1), 0);
	CHECK_INT(ir_eval(IR_SLT, -1, 1), 1);
	CHECK(ir_helper_is_pure(BPF_FUNC_get_smp_processor_id));
	CHECK(!ir_helper_is_pure(BPF_FUNC_ktime_get_ns));
	CHECK_STR(ir_op_name(IR_ATOMIC_CMPXCHG), "atomic_cmpxchg");
	CHECK_STR(ir_helper_name(BPF_FUNC_map_lookup_elem), "map_lookup_elem");
}

/* Texts that must be refused, by the parser or by the verifier. */
static const char *const bad_texts[] = {
    "func f(1) {\n.0:\n\t%0 = arg 1\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tjmp .1\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tjmp .0\n}\n",
    "func f(1) {\n.0:\n\t%0 = add %1, %1\n\t%1 = const 1\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = slot 0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tret %0\n.1:\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tret %0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = const\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = nonsense 1\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = add 1\n\tret %0\n}\n",
    "func f(9) {\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\t@3\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\t@x:3\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0 0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%9999999 = arg 0\n\tret %9999999\n}\n",
    "func f(1) {\n.0:\n\t%-1 = arg 0\n\tret %-1\n}\n",
    "func f(1) {\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n.1:\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n\tslot 1 8 8\n.0:\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n\tslot 0 8 3\n.0:\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = ld64 [%0 + 0] nowhere\n\tret %1\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = ld64 [%0 - 8] any\n\tret %1\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = neg %0, %0\n\tret %1\n}\n",
    "func f(1) reads {\n.0:\n\t%0 = arg 0\n\tret %0\n}\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\tret %0\n",
    "func f(1) {\n.0:\n\t%0 = arg 0\n\tret %0\n}\nmore\n",
    "func 1 (1) {\n.0:\n\t%0 = arg\n\tret %0\n}\n",
    "nothing",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tbr %0, .1, .2\n.1:\n\t%1 = const 2\n\tjmp .2\n.2:\n"
    "\t%2 = phi %0 .0, %1 .0\n\tret %2\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tbr %0, .1, .2\n.1:\n\t%1 = const 2\n\tjmp .2\n.2:\n"
    "\tret %1\n}\n",
    "func f(1) {\n.0:\n\t%0 = const 1\n\tst64 [%0 + 0], %0 ctx\n\tret %0\n}\n",
};

static void refused(void)
{
	for (unsigned int n = 0; n < sizeof(bad_texts) / sizeof(*bad_texts); n++) {
		struct arena *a = arena_new();
		const char *err;
		struct ir_module *m = ir_parse(a, bad_texts[n], &err);

		if (m ? !ir_verify(m) : !err) {
			CHECK(!"refused");
			printf("%s", bad_texts[n]);
		} else {
			CHECK(true);
		}
		arena_free(a);
	}
}

int main(void)
{
	constants();
	loops();
	dead_code();
	refused();
	round_trip();
	names();
	places();
	return TEST_DONE();
}
