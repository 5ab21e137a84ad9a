/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opt_test.c: passes keep the meaning of random functions, alone, in any order, and as the
 * pipeline.
 */
#include "base/buf.h"
#include "opt/opt.h"

#include "ireval.h"
#include "irgen.h"
#include "test.h"

static const char *const names[] = {"cfg",  "copy", "fold",   "gvn", "load",
				    "cond", "read", "thread", "dce", "sink"};

static unsigned int count_ins(const struct ir_module *m)
{
	unsigned int n = 0;

	for (unsigned int f = 0; f < m->nfuncs; f++)
		for (unsigned int b = 0; b < m->funcs[f]->nblocks; b++)
			for (struct ir_ins *i = m->funcs[f]->blocks[b]->first; i; i = i->next)
				n++;
	return n;
}

static bool same_result(struct ir_module *m, struct ir_module *plain, uint64_t seed)
{
	struct gen_memory want, got;
	uint64_t r;

	gen_fill(&want, seed);
	gen_fill(&got, seed);
	r = gen_run_ir(plain, &want);
	return gen_run_ir(m, &got) == r && memcmp(&want, &got, sizeof(want)) == 0;
}

static void report(unsigned int seed, const char *what, const char *msg, const struct ir_module *m)
{
	struct buf b = {0};

	printf("seed %u, %s: %s\n", seed, what, msg ? msg : "");
	if (getenv("SHOW")) {
		ir_print(&b, m);
		fputs(buf_str(&b), stdout);
	}
	buf_free(&b);
}

/* A few passes, chosen at random, verified and evaluated after each. */
static void random_order(unsigned int seed)
{
	struct gen g = {.rng = seed * 77 + 5};
	struct arena *a = arena_new();
	struct ir_module *m = gen_module(a, seed, 5 + seed % 120, seed % 5);
	struct ir_module *plain = gen_module(a, seed, 5 + seed % 120, seed % 5);

	for (unsigned int n = 0; n < 12; n++) {
		const struct opt_pass *p =
		    opt_find(names[gen_pick(&g, sizeof(names) / sizeof(*names))]);
		const char *msg;

		for (unsigned int f = 0; f < m->nfuncs; f++)
			p->run(m->funcs[f]);
		msg = ir_verify(m);
		CHECK(!msg);
		if (msg || !same_result(m, plain, seed)) {
			CHECK(!"same result");
			report(seed, p->name, msg, m);
			break;
		}
	}
	arena_free(a);
}

static unsigned int before, after;

static void pipeline(unsigned int seed)
{
	struct arena *a = arena_new();
	struct ir_module *m = gen_module(a, seed, 5 + seed % 150, seed % 6);
	struct ir_module *plain = gen_module(a, seed, 5 + seed % 150, seed % 6);
	const char *msg;

	opt_run(m, 2);
	msg = ir_verify(m);
	CHECK(!msg);
	before += count_ins(plain);
	after += count_ins(m);
	for (unsigned int k = 0; k < 3 && !msg; k++)
		if (!same_result(m, plain, seed + k * 1000)) {
			CHECK(!"same result");
			report(seed, "pipeline", msg, m);
		}
	arena_free(a);
}

int main(void)
{
	CHECK(opt_find("no such pass") == NULL);
	for (unsigned int seed = 1; seed <= 800 && test_failures < 5; seed++) {
		random_order(seed);
		pipeline(seed);
	}
	printf("%u instructions became %u\n", before, after);
	/* A pass that finds less changes no result.  After a change that improves other code, write
	 * the new number here. */
	CHECK(after <= 149663);
	return TEST_DONE();
}
