/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile_test.c: compiling without a session: from a program to planned units, which nothing
 * loads.
 */
#include <string.h>

#include "base/arena.h"
#include "run/compile.h"
#include "sys/machine.h"
#include "test.h"

static const char *no_setopt(void *ctx, const char *name, const char *value)
{
	return "not here";
}

struct stage {
	struct arena *arena;
	struct machine *machine;
	struct opts opts;
	struct report report;
	struct plan plan;
	struct compile compile;
};

static void start(struct stage *g, const char *text)
{
	memset(g, 0, sizeof(*g));
	g->arena = arena_new();
	g->machine = machine_here();
	opts_init(&g->opts, g->arena);
	g->report = (struct report){.progname = "test", .file = tmpfile(), .opts = &g->opts};
	g->compile = (struct compile){.arena = g->arena,
				      .machine = g->machine,
				      .plan = &g->plan,
				      .opts = &g->opts,
				      .report = &g->report,
				      .setopt = no_setopt};
	compile_init(&g->compile);
	compile_set_options(&g->compile);
	compile_add_text(&g->compile, LANG_SPEC_NAME, text);
}

static void end(struct stage *g)
{
	compile_free(&g->compile);
	fclose(g->report.file);
	machine_free(g->machine);
	arena_free(g->arena);
}

static void test_units(void)
{
	struct stage g;

	start(&g, "BEGIN { @[pid] = count(); } END { trace(1); }");
	CHECK(compile_programs(&g.compile) && compile_check_actions(&g.compile, 0));
	CHECK(g.compile.progs.a[0]->nmatched == 2);
	CHECK(compile_units(&g.compile));
	CHECK(g.compile.units.n == 2 && g.plan.maps.n > 0);
	CHECK(ftell(g.report.file) == 0);
	end(&g);
}

static void test_error(void)
{
	struct stage g;

	start(&g, "BEGIN { trace(nonesuch); }");
	CHECK(!compile_programs(&g.compile));
	CHECK(ftell(g.report.file) > 0);
	end(&g);
}

static void test_setopt(void)
{
	struct stage g;

	start(&g, "#pragma D option quiet\nBEGIN { }");
	CHECK(!compile_programs(&g.compile));
	end(&g);
}

int main(void)
{
	test_units();
	test_error();
	test_setopt();
	return TEST_DONE();
}
