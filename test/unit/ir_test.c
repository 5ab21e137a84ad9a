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

static const char *const map_names[] = {"zero", "one", "two", "counts"};

/* Maps have names; a helper without one is unknown. */
static void more_names(void)
{
	static const char text[] = "func f(1) {\n.0:\n\t%0 = mapfd 3\n\t%1 = mapval 2 + 8\n"
				   "\t%2 = const 3\n\t%3 = call 9999 (%0, %1, %2)\n\tret %3\n}\n";
	struct arena *a = arena_new();
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);
	struct buf b = {0};

	m->map_names = map_names;
	ir_print(&b, m);
	CHECK_STR(buf_str(&b),
		  "func f(1) {\n.0:\n\t%0 = mapfd 3\t; counts\n\t%1 = mapval 2 + 8\t; two\n"
		  "\t%2 = const 3\n\t%3 = call 9999 (%0, %1, %2)\t; unknown\n\tret %3\n}\n");
	CHECK_STR(ir_helper_name(0), "unspec");
	CHECK_STR(ir_helper_name(-1), "unknown");
	buf_free(&b);
	arena_free(a);
}

static struct ir_module *damaged; /* the text below: a branch to .1 and .2, which joins in .2 */

static struct ir_block *block(unsigned int n)
{
	return damaged->funcs[0]->blocks[n];
}

static void add_target(struct ir_ins *t, struct ir_block *to)
{
	struct ir_block **target =
	    arena_new_arr(damaged->arena, struct ir_block *, t->ntargets + 1);

	memcpy(target, t->target, t->ntargets * sizeof(*target));
	target[t->ntargets++] = to;
	t->target = target;
}

static void break_block(void)
{
	block(0)->first->block = block(1);
}

static void break_prev(void)
{
	block(0)->last->prev = block(0)->first;
}

static void break_last(void)
{
	block(0)->last = block(0)->first;
}

static void no_instructions(void)
{
	block(1)->first = NULL;
}

static void unknown_op(void)
{
	block(0)->first->op = IR_OP_MAX;
}

static void no_terminator(void)
{
	block(1)->last->op = IR_ADD;
}

static void foreign_target(void)
{
	block(1)->last->target[0] = arena_new_obj(damaged->arena, struct ir_block);
}

static void no_target(void)
{
	block(1)->last->target[0] = NULL;
}

static void other_target(void)
{
	struct ir_block *copy = arena_new_obj(damaged->arena, struct ir_block);

	*copy = *block(2);
	block(1)->last->target[0] = copy;
}

static void no_edge(void)
{
	ir_add_pred(damaged->funcs[0], block(1), block(2));
}

static void foreign_pred(void)
{
	ir_add_pred(damaged->funcs[0], block(1), NULL);
}

static void short_phi(void)
{
	block(2)->first->nargs = 1;
}

static void empty_phi(void)
{
	struct ir_ins *phi = ir_ins_new(damaged->funcs[0], IR_PHI, 0);

	ir_insert_before(block(0)->first, phi);
}

static void number(void)
{
	block(2)->first->next->imm = 1;
}

static void second_number(void)
{
	block(0)->first->imm2 = 1;
}

static void number_of_phi(void)
{
	block(2)->first->imm = 1;
}

static void memory(void)
{
	block(0)->first->next->imm2 = IR_MEM_RECORD + 1;
}

static void more_targets(void)
{
	add_target(block(1)->last, block(2));
	ir_add_pred(damaged->funcs[0], block(2), block(1));
	for (struct ir_ins *i = block(2)->first; i->op == IR_PHI; i = i->next) {
		struct ir_ins **args = arena_new_arr(damaged->arena, struct ir_ins *, 3);

		memcpy(args, i->args, 2 * sizeof(*args));
		args[2] = i->args[ir_find_pred(block(2), block(1))];
		i->args = args;
		i->nargs = 3;
	}
}

static void missing(void)
{
	block(2)->first->next->args[1] = NULL;
}

static void no_value(void)
{
	block(2)->first->next->args[1] = block(0)->last;
}

static void foreign_value(void)
{
	block(2)->first->next->args[1] = ir_ins_new(damaged->funcs[0], IR_CONST, 0);
}

static void operands(void)
{
	block(2)->first->next->nargs = 1;
}

static void no_blocks(void)
{
	damaged->funcs[0]->nblocks = 0;
}

static void block_number(void)
{
	block(1)->id = 2;
}

/* Faults that no text can have. */
static void faults(void)
{
	static const char text[] =
	    "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = ld64 [%0 + 8] ctx\n\tbr %1, .1, .2\n"
	    ".1:\n\tjmp .2\n.2:\n\t%2 = phi %0 .0, %1 .1\n\t%3 = add %2, %1\n\tret %3\n}\n";
	static const struct {
		void (*make)(void);
		const char *want;
	} list[] = {
	    {break_block, "f: .0: arg %0: broken list"},
	    {break_prev, "f: .0: br %4: broken list"},
	    {break_last, "f: .0: empty or broken block"},
	    {no_instructions, "f: .1: empty or broken block"},
	    {unknown_op, "f: .0: unknown operation"},
	    {no_terminator, "f: .1: add %5: terminator in the middle, or none at the end"},
	    {foreign_target, "f: .1: jmp %5: target is not in the function"},
	    {no_target, "f: .1: jmp %5: target is not in the function"},
	    {other_target, "f: .1: jmp %5: target is not in the function"},
	    {no_edge, "f: .1: predecessor without edge"},
	    {foreign_pred, "f: .1: predecessor without edge"},
	    {short_phi, "f: .2: phi %2: 1 operands, 2 predecessors"},
	    {empty_phi, "f: .0: phi %7: 0 operands, 0 predecessors"},
	    {number, "f: .2: add %3: a number without meaning"},
	    {second_number, "f: .0: arg %0: a number without meaning"},
	    {number_of_phi, "f: .2: phi %2: a number without meaning"},
	    {memory, "f: .0: ld64 %1: no such memory class"},
	    {more_targets, "f: .1: jmp %5: 2 targets"},
	    {missing, "f: .2: add %3: operand 1 is missing"},
	    {no_value, "f: .2: add %3: operand %4 yields no value"},
	    {foreign_value, "f: .2: add %3: operand %7 is not in the function"},
	    {operands, "f: .2: add %3: 1 operands"},
	    {no_blocks, "f: no blocks"},
	    {block_number, "f: .2: wrong number"},
	};

	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		struct arena *a = arena_new();
		const char *err;

		damaged = ir_parse(a, text, &err);
		CHECK(damaged && !ir_verify(damaged));
		list[n].make();
		err = ir_verify(damaged);
		CHECK_STR(err ? err : "", list[n].want);
		arena_free(a);
	}
}

/* Bytes at a known place lie inside of their slot or record. */
static void known_places(void)
{
	/* %0 is a slot and %1 a record, both of 16 bytes; %2 is the context. */
	static const struct {
		const char *body, *want;
	} list[] = {
	    {"st64 [%0 + 8], %3 slot", ""},
	    {"st64 [%0 + 9], %3 slot", "8 bytes at 9 of 16"},
	    {"st8 [%0 + 15], %3 slot", ""},
	    {"st8 [%0 + 16], %3 slot", "1 bytes at 16 of 16"},
	    {"st64 [%0 + -8], %3 slot", "8 bytes at -8 of 16"},
	    {"%8 = ld32 [%0 + 12] slot", ""},
	    {"%8 = ld32 [%0 + 13] slot", "4 bytes at 13 of 16"},
	    {"st64 [%1 + 8], %3 record", ""},
	    {"st64 [%1 + 16], %3 record", "8 bytes at 16 of 16"},
	    {"%8 = add %0, %4", ""},
	    {"%8 = add %0, %5", "0 bytes at 17 of 16"},
	    {"%8 = add %0, %4\n\tst8 [%8 + -1], %3 slot", ""},
	    {"%8 = add %0, %4\n\tst8 [%8 + 0], %3 slot", "1 bytes at 16 of 16"},
	    {"%8 = ld64 [%2 + 100] ctx", ""},
	    {"%8 = call 113 (%0, %4, %2)", ""},
	    {"%8 = call 113 (%0, %5, %2)", "17 bytes at 0 of 16"},
	    {"%8 = call 16 (%1, %5)", "17 bytes at 0 of 16"},
	    {"%8 = call 67 (%2, %0, %4, %3)", ""},
	    {"%8 = call 67 (%2, %0, %5, %3)", "17 bytes at 0 of 16"},
	    {"%8 = call 67 (%0, %2, %5, %3)", ""},
	    {"%8 = call 5 ()", ""},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct arena *a = arena_new();
		struct buf b = {0};
		const char *err;
		struct ir_module *m;

		buf_printf(
		    &b,
		    "func f(1) {\n\tslot 0 16 8\n.0:\n\t%%0 = slot 0\n\t%%2 = arg 0\n"
		    "\t%%3 = const 1\n\t%%4 = const 16\n\t%%5 = const 17\n"
		    "\t%%6 = const 0\n\t%%1 = call 131 (%%2, %%4, %%6)\n\t%s\n\tret %%3\n}\n",
		    list[i].body);
		m = ir_parse(a, buf_str(&b), &err);
		CHECK(m != NULL);
		err = m ? ir_verify(m) : err;
		CHECK_STR(err ? strrchr(err, ':') + 2 : "", list[i].want);
		buf_free(&b);
		arena_free(a);
	}
}

/* The builder folds constants, identities and decided branches. */
static void building(void)
{
	static const struct {
		enum ir_op op;
		int64_t same, other; /* constants with which the result is the operand, or not */
	} list[] = {
	    {IR_ADD, 0, 1},  {IR_SUB, 0, 1},  {IR_OR, 0, 1},   {IR_XOR, 0, 1},
	    {IR_SHL, 0, 1},  {IR_LSHR, 0, 1}, {IR_ASHR, 0, 1}, {IR_MUL, 1, 2},
	    {IR_UDIV, 1, 0}, {IR_SDIV, 1, 0}, {IR_AND, -1, 1},
	};
	struct arena *a = arena_new();
	struct ir_func *f = ir_func_new(ir_module_new(a), "f", 2);
	struct ir_builder b = {.func = f};
	struct ir_ins *x, *y;

	/* Before there is code, an undefined value is at the start. */
	ir_seal(f, ir_block_new(f));
	x = ir_const(&b, 7);
	CHECK(x->block == f->blocks[0] && f->blocks[0]->first == x && x->imm == 7);
	CHECK(ir_arg(&b, 0)->op == IR_CONST && f->blocks[0]->first->imm == 0);
	ir_at(&b, f->blocks[0]);
	x = ir_arg(&b, 0);
	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		CHECK(ir_bin(&b, list[n].op, x, ir_const(&b, list[n].same)) == x);
		y = ir_bin(&b, list[n].op, x, ir_const(&b, list[n].other));
		CHECK(y->op == list[n].op && y->args[0] == x);
	}
	CHECK_INT(ir_bin(&b, IR_AND, x, ir_const(&b, 0))->imm, 0);
	CHECK(ir_bin(&b, IR_AND, x, ir_const(&b, 0))->op == IR_CONST);
	CHECK(ir_bin(&b, IR_MUL, x, ir_const(&b, 0))->op == IR_CONST);
	CHECK(ir_bin(&b, IR_UMOD, x, ir_const(&b, 0))->op == IR_UMOD);
	CHECK_INT(ir_bin(&b, IR_SUB, ir_const(&b, 7), ir_const(&b, 3))->imm, 4);
	y = ir_bin(&b, IR_ADD, ir_const(&b, 3), x);
	CHECK(y->args[0] == x && y->args[1]->imm == 3);
	y = ir_bin(&b, IR_SUB, ir_const(&b, 3), x);
	CHECK(y->args[1] == x && y->args[0]->imm == 3);
	CHECK_INT(ir_un(&b, IR_NEG, ir_const(&b, 3))->imm, -3);
	y = ir_fnaddr(&b, 3);
	CHECK(y->op == IR_FNADDR && y->imm == 3 && y->block == f->blocks[0]);
	arena_free(a);
}

/* A branch on a constant, or with one target, is a jump. */
static void decided_branches(void)
{
	for (int cond = 0; cond < 4; cond++) {
		struct arena *a = arena_new();
		struct ir_func *f = ir_func_new(ir_module_new(a), "f", 1);
		struct ir_builder b = {.func = f};
		struct ir_block *entry = ir_block_new(f), *yes = ir_block_new(f),
				*no = ir_block_new(f);

		ir_seal(f, entry);
		ir_at(&b, entry);
		if (cond < 3)
			ir_br(&b, ir_const(&b, cond), yes, no);
		else
			ir_br(&b, ir_arg(&b, 0), yes, yes);
		CHECK(entry->last->op == IR_JMP && entry->last->target[0] == (cond ? yes : no));
		CHECK_INT(yes->npreds, cond != 0);
		CHECK_INT(no->npreds, cond == 0);
		arena_free(a);
	}
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

enum { BLOCKS = 9 };

/* Returns a function whose blocks end at random. */
static struct ir_func *random_blocks(struct arena *a, struct gen *g)
{
	struct buf b = {0};
	const char *err;
	struct ir_module *m;

	buf_puts(&b, "func f(1) {\n.0:\n\t%0 = arg 0\n");
	for (unsigned int n = 0; n < BLOCKS; n++) {
		static const unsigned int targets[] = {0, 1, 1, 2, 2, 2, 3};
		unsigned int k = targets[gen_pick(g, 7)];

		buf_printf(&b, n ? ".%u:\n" : "", n);
		buf_puts(&b, k == 0   ? "\tret %0"
			     : k == 1 ? "\tjmp "
			     : k == 2 ? "\tbr %0, "
				      : "\tswitch %0, ");
		for (unsigned int t = 0; t < k; t++) {
			buf_puts(&b, t ? ", " : "");
			if (k == 3 && t)
				buf_printf(&b, "%u: ", t);
			buf_printf(&b, ".%u", 1 + gen_pick(g, BLOCKS - 1));
		}
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "}\n");
	m = ir_parse(a, buf_str(&b), &err);
	buf_free(&b);
	ir_remove_unreachable(m->funcs[0]);
	return m->funcs[0];
}

/* Returns the blocks that the entry reaches on ways without block `without`, as bits. */
static unsigned int reached(const struct ir_func *f, unsigned int without)
{
	unsigned int set = without ? 1 : 0, was;

	do {
		was = set;
		for (unsigned int b = 0; b < f->nblocks; b++)
			for (unsigned int t = 0; t < f->blocks[b]->last->ntargets; t++)
				if (set >> b & 1 && f->blocks[b]->last->target[t]->id != without)
					set |= 1U << f->blocks[b]->last->target[t]->id;
	} while (set != was);
	return set;
}

static void check_dominators(struct ir_func *f)
{
	const struct ir_dom *d = ir_dom_new(f);

	CHECK(d->n == f->nblocks && d->rpo[0] == f->blocks[0]);
	for (unsigned int a = 0; a < f->nblocks; a++) {
		unsigned int set = reached(f, a), before = 0;

		for (unsigned int b = 0; b < f->nblocks; b++) {
			bool want = a == b || !(set >> b & 1);

			CHECK_INT(ir_dominates(d, f->blocks[a], f->blocks[b]), want);
			if (want && a != b)
				CHECK(ir_dominates(d, f->blocks[a], f->blocks[d->idom[b]]));
		}
		CHECK(d->rpo[d->pos[a]] == f->blocks[a]);
		CHECK(d->order[d->pre[a]] == a);
		for (unsigned int p = 0; p < f->blocks[a]->npreds; p++)
			before += d->pos[f->blocks[a]->preds[p]->id] < d->pos[a];
		CHECK(!a || before);
		CHECK(!a || d->pre[d->idom[a]] < d->pre[a]);
	}
}

/* Every block can be reached, and edges are recorded on both sides. */
static void check_edges(const struct ir_func *f)
{
	CHECK_INT(reached(f, BLOCKS), (1U << f->nblocks) - 1);
	CHECK(!ir_verify(f->mod));
}

static void dominators(void)
{
	struct gen g = {.rng = 7};

	for (unsigned int n = 0; n < 300; n++) {
		struct arena *a = arena_new();
		struct ir_func *f = random_blocks(a, &g);

		check_edges(f);
		check_dominators(f);
		arena_free(a);
	}
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

/* Every operation, with every kind of operand: the text is printed as it was. */
static void every_operation(void)
{
	static const char text[] = "func f(5) writes {\n"
				   "\tslot 0 1 1\n"
				   "\tslot 1 2 2\n"
				   "\tslot 2 4 4\n"
				   "\tslot 3 600 8\n"
				   ".0:\n"
				   "\t%0 = arg 0\n"
				   "\t%1 = arg 1\n"
				   "\t%2 = arg 2\n"
				   "\t%3 = arg 3\n"
				   "\t%4 = arg 4\n"
				   "\t%5 = const -9223372036854775808\n"
				   "\t%6 = const 9223372036854775807\n"
				   "\t%7 = slot 3\n"
				   "\t%8 = mapfd 1048575\n"
				   "\t%9 = fnaddr 1\n"
				   "\t%10 = mapval 3 + -8\n"
				   "\t%11 = add %0, %5\n"
				   "\t%12 = sub %0, %5\n"
				   "\t%13 = mul %0, %5\n"
				   "\t%14 = udiv %0, %5\n"
				   "\t%15 = umod %0, %5\n"
				   "\t%16 = sdiv %0, %5\n"
				   "\t%17 = smod %0, %5\n"
				   "\t%18 = and %0, %5\n"
				   "\t%19 = or %0, %5\n"
				   "\t%20 = xor %0, %5\n"
				   "\t%21 = shl %0, %5\n"
				   "\t%22 = lshr %0, %5\n"
				   "\t%23 = ashr %0, %5\n"
				   "\t%24 = eq %0, %5\n"
				   "\t%25 = ne %0, %5\n"
				   "\t%26 = ult %0, %5\n"
				   "\t%27 = ule %0, %5\n"
				   "\t%28 = slt %0, %5\n"
				   "\t%29 = sle %0, %5\n"
				   "\t%30 = neg %1\n"
				   "\t%31 = not %1\n"
				   "\t%32 = sext8 %1\n"
				   "\t%33 = sext16 %1\n"
				   "\t%34 = sext32 %1\n"
				   "\t%35 = zext8 %1\n"
				   "\t%36 = zext16 %1\n"
				   "\t%37 = zext32 %1\n"
				   "\t%38 = bswap16 %1\n"
				   "\t%39 = bswap32 %1\n"
				   "\t%40 = bswap64 %1\n"
				   "\t%41 = ld8 [%0 + -8] any\n"
				   "\t%42 = ld8 [%0 + -8] ctx\n"
				   "\t%43 = ld8 [%0 + -8] kernel\n"
				   "\t%44 = ld8 [%0 + -8] slot\n"
				   "\t%45 = ld8 [%0 + -8] map\n"
				   "\t%46 = ld8 [%0 + -8] row\n"
				   "\t%47 = ld8 [%0 + -8] record\n"
				   "\tst8 [%0 + 8], %1 any\n"
				   "\tst8 [%0 + 8], %1 slot\n"
				   "\tst8 [%0 + 8], %1 map\n"
				   "\tst8 [%0 + 8], %1 row\n"
				   "\tst8 [%0 + 8], %1 record\n"
				   "\t%48 = ld16 [%0 + -16] any\n"
				   "\t%49 = ld16 [%0 + -16] ctx\n"
				   "\t%50 = ld16 [%0 + -16] kernel\n"
				   "\t%51 = ld16 [%0 + -16] slot\n"
				   "\t%52 = ld16 [%0 + -16] map\n"
				   "\t%53 = ld16 [%0 + -16] row\n"
				   "\t%54 = ld16 [%0 + -16] record\n"
				   "\tst16 [%0 + 16], %1 any\n"
				   "\tst16 [%0 + 16], %1 slot\n"
				   "\tst16 [%0 + 16], %1 map\n"
				   "\tst16 [%0 + 16], %1 row\n"
				   "\tst16 [%0 + 16], %1 record\n"
				   "\t%55 = ld32 [%0 + -32] any\n"
				   "\t%56 = ld32 [%0 + -32] ctx\n"
				   "\t%57 = ld32 [%0 + -32] kernel\n"
				   "\t%58 = ld32 [%0 + -32] slot\n"
				   "\t%59 = ld32 [%0 + -32] map\n"
				   "\t%60 = ld32 [%0 + -32] row\n"
				   "\t%61 = ld32 [%0 + -32] record\n"
				   "\tst32 [%0 + 32], %1 any\n"
				   "\tst32 [%0 + 32], %1 slot\n"
				   "\tst32 [%0 + 32], %1 map\n"
				   "\tst32 [%0 + 32], %1 row\n"
				   "\tst32 [%0 + 32], %1 record\n"
				   "\t%62 = ld64 [%0 + -64] any\n"
				   "\t%63 = ld64 [%0 + -64] ctx\n"
				   "\t%64 = ld64 [%0 + -64] kernel\n"
				   "\t%65 = ld64 [%0 + -64] slot\n"
				   "\t%66 = ld64 [%0 + -64] map\n"
				   "\t%67 = ld64 [%0 + -64] row\n"
				   "\t%68 = ld64 [%0 + -64] record\n"
				   "\tst64 [%0 + 64], %1 any\n"
				   "\tst64 [%0 + 64], %1 slot\n"
				   "\tst64 [%0 + 64], %1 map\n"
				   "\tst64 [%0 + 64], %1 row\n"
				   "\tst64 [%0 + 64], %1 record\n"
				   "\tatomic_add [%0 + 8], %1\n"
				   "\t%69 = atomic_fadd [%0 + 8], %1\n"
				   "\t%70 = atomic_xchg [%0 + -8], %1\n"
				   "\t%71 = atomic_cmpxchg [%0 + 0], %1, %2\n"
				   "\t%72 = callrt 7 ()\n"
				   "\t%73 = callrt 7 (%0)\n"
				   "\t%74 = callrt 7 (%0, %1)\n"
				   "\t%75 = callrt 7 (%0, %1, %2)\n"
				   "\t%76 = callrt 7 (%0, %1, %2, %3)\n"
				   "\t%77 = callrt 7 (%0, %1, %2, %3, %4)\n"
				   "\t%78 = callfn 1 (%0)\t; g\n"
				   "\t%79 = callk 9 ()\n"
				   "\t%80 = call 5 ()\t; ktime_get_ns\n"
				   "\tswitch %3, .1, -1: .2, 9223372036854775807: .1, 0: .3\n"
				   ".1:\n"
				   "\tjmp .3\n"
				   ".2:\n"
				   "\tbr %4, .1, .3\n"
				   ".3:\n"
				   "\t%81 = phi %0 .0, %1 .1, %5 .2\n"
				   "\tret %81\n"
				   "}\n"
				   "func g(0) {\n"
				   "\tslot 0 8 8\n"
				   ".0:\n"
				   "\t%0 = const 1048575\n"
				   "\tret %0\n"
				   "}\n";
	struct arena *a = arena_new();
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);
	struct buf b = {0};

	CHECK_STR(err ? err : "", "");
	CHECK(m && !ir_verify(m));
	ir_print(&b, m);
	CHECK_STR(buf_str(&b), text);
	buf_free(&b);
	arena_free(a);
}

/* A variable needs a PHI only in a join whose predecessors have different values. */
static void joins(void)
{
	struct arena *a = arena_new();
	struct ir_func *f = ir_func_new(ir_module_new(a), "joins", 2);
	struct ir_builder b = {.func = f};
	struct ir_block *entry = ir_block_new(f), *yes = ir_block_new(f), *inner = ir_block_new(f),
			*middle = ir_block_new(f), *no = ir_block_new(f), *end = ir_block_new(f);
	unsigned int same = ir_var_new(f), other = ir_var_new(f), none = ir_var_new(f);
	struct ir_ins *x, *y, *z;

	ir_seal(f, entry);
	ir_at(&b, entry);
	x = ir_arg(&b, 0);
	y = ir_arg(&b, 1);
	ir_var_write(&b, same, x);
	ir_var_write(&b, other, x);
	ir_br(&b, x, yes, no);
	ir_seal(f, yes);
	ir_at(&b, yes);
	ir_br(&b, y, inner, middle);
	ir_seal(f, inner);
	ir_at(&b, inner);
	ir_jmp(&b, middle);
	ir_seal(f, middle);
	ir_at(&b, middle);
	ir_jmp(&b, end);
	ir_seal(f, no);
	ir_at(&b, no);
	ir_var_write(&b, other, y);
	ir_jmp(&b, end);
	ir_seal(f, end);
	ir_at(&b, end);
	CHECK(ir_var_read(&b, same) == x);
	z = ir_var_read(&b, other);
	CHECK(z->op == IR_PHI && z->block == end && z->nargs == 2);
	CHECK(z->args[0] == x && z->args[1] == y);
	CHECK(ir_var_read(&b, other) == z && end->first == z && !z->next);
	CHECK(!middle->first->next);
	CHECK(ir_var_read(&b, none)->op == IR_CONST);
	ir_var_write(&b, other, x);
	CHECK(ir_var_read(&b, other) == x);
	ir_ret(&b, z);
	CHECK(!ir_verify(f->mod));
	arena_free(a);
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
    "func f(1) {\n.0:\n\t%1048576 = arg 0\n\tret %1048576\n}\n",
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
	joins();
	every_operation();
	dominators();
	dead_code();
	refused();
	round_trip();
	names();
	more_names();
	faults();
	known_places();
	building();
	decided_branches();
	places();
	return TEST_DONE();
}
