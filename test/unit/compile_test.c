/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile_test.c: compiling without a session: from a program to planned units, which nothing
 * loads.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/torture.h"
#include "ir/ir.h"
#include "kern/priv.h"
#include "lower/lower.h"
#include "opt/opt.h"
#include "compile/compile.h"
#include "compile/header.h"
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

static const char text_program[] =
    "struct from { int x; }; struct to { int a; long b; };"
    "translator struct to < struct from *f > { a = f->x; b = 1; };"
    "string first; int g[string, int], h; struct to st; int words[4];"
    "END { h = g[\"a\", 1]; self->s = \"abc\"; this->a = \"x\";"
    " this->b = strjoin(this->a, \"y\"); first = this->b; g[\"a\", 1]++;"
    " @n[pid, stack(3)] = sum(2); @m = count(); *(char *)alloca(16) = 1;"
    " trace(xlate<struct to>((struct from *)arg0).b);"
    " trace(xlate<struct to>((struct from *)arg0).a); }"
    "ERROR { h = 0; trace(stack()); trace(usym(1)); this->f = 0; }"
    "syscall::read:entry, syscall::write:entry { this->c = arg0; this->d = this->c; }"
    "syscall::write:entry { exit(0); } tick-1s { }"
    "tick-2s { st.b = 1; words[1] += 2; }";

static const char text_of_plan[] =
    "unit dtrace:END\n"
    "    1 probe, from dtrace:::END: clause 0\n"
    "    reads     g[] this->a this->b\n"
    "    writes    g[] h self->s this->a this->b first\n"
    "    members   struct to.b struct to.a\n"
    "    memory    16+264 a\n"
    "    memory    280+264 b\n"
    "    memory    544+32784 alloca\n"
    "unit syscall:entry\n"
    "    1 probe, from syscall:vmlinux:read:entry: clause 2\n"
    "    1 probe, from syscall:vmlinux:write:entry: clause 3, clause 4\n"
    "    reads     this->c\n"
    "    writes    this->c this->d\n"
    "unit profile:tick-1s\n"
    "    1 probe, from profile:::tick-1s: clause 5\n"
    "unit profile:tick-2s\n"
    "    1 probe, from profile:::tick-2s: clause 6\n"
    "    reads     st words\n"
    "    writes    st words\n"
    "unit dtrace:ERROR\n"
    "    1 probe, from dtrace:::ERROR: clause 1\n"
    "    writes    h this->f\n"
    "variable g[]: map 11, keys string:0+257 int:264+8\n"
    "variable h: at 0, size 8\n"
    "variable self->s: at 0, size 264\n"
    "variable first: at 8, size 264\n"
    "variable st: at 272, size 16\n"
    "variable words: at 288, size 16\n"
    "aggregation @n: map 12, 2 words, keys int:0+4 stack:8+32\n"
    "aggregation @m: map 0, 1 words, keys\n"
    "record 0 of clause 0: 24 bytes, int:8+8 int:16+4\n"
    "record 1 of clause 2: 8 bytes,\n"
    "record 2 of clause 3: 8 bytes,\n"
    "record 3 of clause 4: 16 bytes, int:8+4\n"
    "record 4 of clause 5: 8 bytes,\n"
    "record 5 of clause 6: 8 bytes,\n"
    "record 6 of clause 1: 192 bytes, stack:8+168 usym:176+16\n"
    "map 0 state: type 2, flags 1024, key 0, value 0, 0 entries\n"
    "map 1 ring: type 27, flags 0, key 0, value 0, 0 entries\n"
    "map 2 drops: type 6, flags 0, key 0, value 0, 0 entries\n"
    "map 4 rodata: type 2, flags 128, key 0, value 0, 0 entries\n"
    "map 6 self: type 29, flags 1, key 0, value 0, 0 entries\n"
    "map 10 known: type 9, flags 0, key 16, value 8, 4096 entries\n"
    "map 11 g: type 1, flags 0, key 272, value 8, 3196 entries\n"
    "map 12 n: type 1, flags 1, key 48, value 16, 131072 entries\n"
    "map 13 n: type 1, flags 1, key 48, value 16, 131072 entries\n";

static const char maps_program[] =
    "int a[int]; self int x;"
    "syscall::read:entry { ustack(); @[ustack(3), 1] = count(); self->x = 1; a[pid] = 1;"
    " @q = quantize(arg0); @l[pid] = llquantize(arg0, 10, 0, 6, 10); @s = stddev(1); }"
    "syscall::read:return { speculate(speculation()); trace(self->x); }"
    "syscall::write:return { @[ustack(3), 2] = count(); jstack(); }"
    "tick-1s { @twice[1] = count(); @twice[2] = count(); @once[1] = count();"
    " @big[1] = lquantize(1, 0, 5000, 1); }";

static const char maps_of_plan[] =
    "unit syscall:entry\n"
    "    1 probe, from syscall:vmlinux:read:entry: clause 0\n"
    "    writes    self->x a[]\n"
    "unit syscall:return\n"
    "    1 probe, from syscall:vmlinux:read:return: clause 1\n"
    "    1 probe, from syscall:vmlinux:write:return: clause 2\n"
    "    reads     self->x\n"
    "unit profile:tick-1s\n"
    "    1 probe, from profile:::tick-1s: clause 3\n"
    "variable self->x: at 0, size 8\n"
    "variable a[]: map 19, keys int:0+8\n"
    "aggregation @_: map 20, 1 words (shared), keys stack:0+32 int:32+4\n"
    "aggregation @q: map 0, 128 words, keys\n"
    "aggregation @l: map 22, 66 words, keys int:0+4\n"
    "aggregation @s: map 0, 4 words, keys\n"
    "aggregation @twice: map 24, 1 words, keys int:0+4\n"
    "aggregation @once: map 26, 1 words, keys int:0+4\n"
    "aggregation @big: map 28, 5003 words, keys int:0+4\n"
    "record 0 of clause 0: 176 bytes, stack:8+168\n"
    "record 1 of clause 1: 24 bytes, int:8+8 int:16+4\n"
    "record 2 of clause 2: 816 bytes, stack:8+808\n"
    "record 3 of clause 3: 8 bytes,\n"
    "map 0 state: type 2, flags 1024, key 0, value 0, 0 entries\n"
    "map 1 ring: type 27, flags 0, key 0, value 0, 0 entries\n"
    "map 2 drops: type 6, flags 0, key 0, value 0, 0 entries\n"
    "map 4 rodata: type 2, flags 128, key 0, value 0, 0 entries\n"
    "map 6 self: type 29, flags 1, key 0, value 0, 0 entries\n"
    "map 10 known: type 9, flags 0, key 16, value 8, 4096 entries\n"
    "map 11 unwind: type 1, flags 1, key 16, value 16312, 16456 entries\n"
    "map 12 unwind_cache: type 2, flags 0, key 4, value 8, 65536 entries\n"
    "map 13 runtimes: type 1, flags 1, key 8, value 216, 4096 entries\n"
    "map 14 spec_free: type 22, flags 0, key 0, value 4, 1 entries\n"
    "map 15 spec_words: type 2, flags 0, key 4, value 8, 2 entries\n"
    "map 16 spec_fill: type 6, flags 0, key 4, value 16, 2 entries\n"
    "map 17 lang_known: type 9, flags 0, key 16, value 16, 16384 entries\n"
    "map 18 lang_new: type 1, flags 0, key 8, value 32, 16384 entries\n"
    "map 19 a: type 1, flags 0, key 8, value 8, 16384 entries\n"
    "map 20 _: type 1, flags 1, key 48, value 8, 131072 entries\n"
    "map 21 _: type 1, flags 1, key 48, value 8, 131072 entries\n"
    "map 22 l: type 1, flags 1, key 16, value 528, 16384 entries\n"
    "map 23 l: type 1, flags 1, key 16, value 528, 16384 entries\n"
    "map 24 twice: type 1, flags 0, key 16, value 8, 16384 entries\n"
    "map 25 twice: type 1, flags 0, key 16, value 8, 16384 entries\n"
    "map 26 once: type 1, flags 1, key 16, value 8, 131072 entries\n"
    "map 27 once: type 1, flags 1, key 16, value 8, 131072 entries\n"
    "map 28 big: type 1, flags 0, key 16, value 40024, 256 entries\n"
    "map 29 big: type 1, flags 0, key 16, value 40024, 256 entries\n";

/* The plan of a program as text, on a machine of 4 processors. */
static void check_plan(const char *program, const char *want)
{
	struct buf b = {0};
	struct stage g;

	start(&g, program);
	CHECK(compile_programs(&g.compile) && compile_check_actions(&g.compile, 0));
	g.plan.env.kern->ncpu_possible = 4;
	CHECK(compile_units(&g.compile));
	plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
	CHECK_STR(buf_str(&b), want);
	buf_free(&b);
	end(&g);
}

/*
 * A unit reads everything that the used arguments of a site are made of, in any order, and nothing
 * of other arguments.  args[0] is the site's arg1.
 */
static void test_site_args(void)
{
	static const struct {
		const char *program;
		bool reads;
	} list[] = {
	    {"proc:::signal-clear { trace(args[0]); trace(args[1]->si_code); }", true},
	    {"proc:::signal-clear { trace(args[0]); }", false},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct buf b = {0};
		struct stage g;

		start(&g, list[i].program);
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
		CHECK_INT(strstr(buf_str(&b), "variable self->proc_siginfo") != NULL,
			  list[i].reads);
		buf_free(&b);
		end(&g);
	}
}

/* Starts a process of this program that waits to be killed. */
static pid_t start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* Compiles a program, and returns its first unit. */
static struct unit *first_unit(struct stage *g, const char *program)
{
	start(g, program);
	CHECK(compile_programs(&g->compile) && compile_check_actions(&g->compile, 0));
	CHECK(compile_units(&g->compile));
	return g->compile.units.a[0];
}

static struct ir_module *lower(struct stage *g, struct unit *u)
{
	struct lowered low = {0};

	lower_unit(&g->plan, u, &low);
	buf_free(&low.consts);
	for (unsigned int f = 0; f < low.mod->nfuncs; f++)
		ir_remove_unreachable(low.mod->funcs[f]);
	CHECK(!ir_verify(low.mod));
	return low.mod;
}

/* Returns IR of the first unit of a program.  is_in_ring: as if a probe could fire in the ring
 * buffer. */
static struct ir_module *lower_first(struct stage *g, const char *program, bool is_in_ring)
{
	struct unit *u = first_unit(g, program);

	if (is_in_ring)
		g->plan.ring_busy =
		    plan_map_new(&g->plan, "ring_busy", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1, 0);
	return lower(g, u);
}

/* Only rows that two programs update need atomic operations. */
static void test_extremes(void)
{
	static const struct {
		const char *program;
		bool is_shared;
	} list[] = {
	    {"syscall::read:entry { @m = max(arg0); }", false},
	    {"syscall::read:entry, syscall::read:return { @m = max(arg0); }", true},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct buf b = {0};
		struct stage g;

		ir_print(&b, lower_first(&g, list[i].program, false));
		CHECK_INT(strstr(buf_str(&b), "atomic_cmpxchg") != NULL, list[i].is_shared);
		buf_free(&b);
		end(&g);
	}
}

/* The word that marks a CPU as taking a record is 0 again when the CPU has the record. */
static void test_ring_busy(void)
{
	const struct ir_ins *word = NULL; /* the first word that is added to */
	unsigned int nadds = 0;
	int64_t sum = 0;
	struct stage g;
	const struct ir_module *m = lower_first(&g, "syscall::read:entry { trace(1); }", true);

	for (unsigned int n = 0; n < m->nfuncs; n++)
		for (unsigned int b = 0; b < m->funcs[n]->nblocks; b++)
			for (struct ir_ins *i = m->funcs[n]->blocks[b]->first; i; i = i->next)
				if (i->op == IR_ATOMIC_ADD && (!word || i->args[0] == word)) {
					word = i->args[0];
					CHECK_INT(i->imm, 0);
					sum += i->args[1]->imm;
					nadds++;
				}
	CHECK_INT(nadds, 2);
	CHECK_INT(sum, 0);
	end(&g);
}

/* Returns the number of instructions for which is_one(instruction, x, y) is true. */
static unsigned int count_ins(const struct ir_module *m,
			      bool (*is_one)(const struct ir_ins *i, int64_t x, int64_t y),
			      int64_t x, int64_t y)
{
	unsigned int count = 0;

	for (unsigned int n = 0; n < m->nfuncs; n++)
		for (unsigned int b = 0; b < m->funcs[n]->nblocks; b++)
			for (struct ir_ins *i = m->funcs[n]->blocks[b]->first; i; i = i->next)
				count += is_one(i, x, y);
	return count;
}

static bool is_const(const struct ir_ins *i, int64_t value)
{
	return i->op == IR_CONST && i->imm == value;
}

static bool is_op(const struct ir_ins *i, int64_t op, int64_t imm)
{
	return i->op == (enum ir_op)op && i->imm == imm;
}

/* An operation whose second operand is this constant. */
static bool is_op_with(const struct ir_ins *i, int64_t op, int64_t value)
{
	return i->op == (enum ir_op)op && is_const(i->args[1], value);
}

static bool is_load_at(const struct ir_ins *i, int64_t off, int64_t mem)
{
	return ir_is_load(i->op) && i->imm == off && i->imm2 == mem;
}

/* A call of a helper for stacks that leaves out this number of frames. */
static bool is_stack_from(const struct ir_ins *i, int64_t helper, int64_t skipped)
{
	return is_op(i, IR_CALL, helper) && is_const(i->args[3], skipped);
}

static bool is_phi_of(const struct ir_ins *i, int64_t value, int64_t unused)
{
	for (unsigned int k = 0; i->op == IR_PHI && k < i->nargs; k++)
		if (is_const(i->args[k], value))
			return true;
	return false;
}

/* Returns the number of instructions with this operation and number. */
static unsigned int count_ops(const struct ir_module *m, enum ir_op op, int64_t imm)
{
	return count_ins(m, is_op, op, imm);
}

static unsigned int count_calls(const struct ir_module *m, int64_t helper)
{
	return count_ops(m, IR_CALL, helper);
}

/*
 * The kernel may not show the caller at the entry of a function.  The program then gets the frames
 * in two ways, unless it wants the caller alone.  A mark follows the frames that are surely right:
 * the function alone where the kernel finds the caller, else the function and the caller.
 */
static void test_hidden_caller(void)
{
	static const struct {
		const char *what;
		unsigned int nways, nmarks;
	} list[] = {{"ustack(1)", 2, 0},
		    {"ustack(2)", 2, 1},
		    {"ustack(3)", 2, 2},
		    {"trace(ucaller)", 1, 1}};

	pid_t child = start_child();

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const struct ir_module *m;
		char text[200];
		struct stage g;

		snprintf(text, sizeof(text), "pid%d:compile_test:main:entry { %s; }", child,
			 list[i].what);
		m = lower_first(&g, text, false);
		CHECK_INT(count_calls(m, BPF_FUNC_get_stack), list[i].nways);
		CHECK_INT(
		    count_ins(m, is_op_with, IR_ST64, (int64_t)(ABI_FRAME_LOST - ABI_LOST_EARLY)),
		    list[i].nmarks);
		end(&g);
	}
	end_child(child);
}

/* A program that walks stacks has the tables for it. */
static void test_unwind_maps(void)
{
	static const char *const list[] = {"ustack()", "jstack()", "langstack()", "trace(ucaller)",
					   "@[langstack(3)] = count()"};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char program[100];
		struct buf b = {0};
		struct stage g;

		snprintf(program, sizeof(program), "syscall::read:entry { %s; }", list[i]);
		first_unit(&g, program);
		plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
		CHECK(strstr(buf_str(&b), " unwind: ") != NULL);
		buf_free(&b);
		end(&g);
	}
}

static unsigned int count_lines(const char *text, const char *line)
{
	unsigned int n = 0;

	while ((text = strstr(text, line))) {
		text += strlen(line);
		n++;
	}
	return n;
}

/* Counts calls that report a drop.  is_shared: another program updates the aggregation, too. */
static unsigned int count_drops(const char *update, bool is_shared)
{
	struct buf b = {0};
	unsigned int n;
	char text[200];
	struct stage g;

	snprintf(text, sizeof(text), "syscall::read:entry { %s; } syscall::read:return { %s; }",
		 update, is_shared ? update : "");
	ir_print(&b, lower_first(&g, text, false));
	n = count_lines(buf_str(&b), "\t; drop\n");
	buf_free(&b);
	end(&g);
	return n;
}

/* A minimum that other programs change again and again is given up, and that is counted. */
static void test_lost_minimum(void)
{
	for (unsigned int is_shared = 0; is_shared < 2; is_shared++)
		CHECK_INT(count_drops("@[1] = min(2)", is_shared),
			  count_drops("@[1] = sum(2)", is_shared) + is_shared);
}

/*
 * Stacks of a language alone walk through native frames; others already have these.  Each frame is
 * one call.
 */
static void test_language_walks(void)
{
	static const struct {
		const char *what;
		unsigned int nalone, nin_chain;
	} list[] = {{"ustack(3)", 0, 0},
		    {"jstack(3)", 0, 3},
		    {"langstack(3)", 3, 0},
		    {"@[ustack(3)] = count()", 0, 0},
		    {"@[jstack(3)] = count()", 0, 3},
		    {"@[langstack(3)] = count()", 3, 0}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[100];
		struct buf b = {0};
		struct stage g;

		snprintf(text, sizeof(text), "syscall::read:entry { %s; }", list[i].what);
		ir_print(&b, lower_first(&g, text, false));
		CHECK_INT(count_lines(buf_str(&b), "; rt_lang_next\n"), list[i].nalone);
		CHECK_INT(count_lines(buf_str(&b), "; rt_lang_next_in_chain\n"), list[i].nin_chain);
		buf_free(&b);
		end(&g);
	}
}

/* A walk by tables records the address of each frame, and takes a step from one to the next. */
static void test_walk_frames(void)
{
	static const struct {
		const char *what;
		unsigned int nframes, nsteps;
	} list[] = {{"ustack(1)", 1, 0}, {"ustack(3)", 3, 2}, {"trace(ucaller)", 1, 1}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const struct ir_module *m;
		struct buf b = {0};
		char text[100];
		struct stage g;

		snprintf(text, sizeof(text), "syscall::read:entry { %s; }", list[i].what);
		m = lower_first(&g, text, false);
		ir_print(&b, m);
		CHECK_INT(count_lines(buf_str(&b), "; rt_unwind\n"), list[i].nsteps);
		CHECK_INT(count_ins(m, is_load_at, offsetof(struct abi_walk, pc), IR_MEM_SLOT),
			  list[i].nframes);
		buf_free(&b);
		end(&g);
	}
}

/* A clause that needs the running thread runs in it, where the kernel has a site there. */
static void test_running(void)
{
	static const struct {
		const char *what;
		bool is_in_thread;
	} list[] = {{"trace(copyinstr(0))", true},	 {"trace(1)", false},
		    {"this->p = alloca(4)", false},	 {"bcopy(alloca(8), alloca(8), 8)", false},
		    {"tracemem(copyin(0, 4), 4)", true}, {"copyinto(0, 4, alloca(4))", true},
		    {"trace(uregs[0])", false},		 {"trace(ucaller)", true}};
	char *in_thread = NULL, *other = NULL;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[100], **place = list[i].is_in_thread ? &in_thread : &other;
		const struct unit *u;
		struct stage g;

		snprintf(text, sizeof(text), "sched:::on-cpu { %s; }", list[i].what);
		u = first_unit(&g, text);
		if (!*place)
			*place = mem_strdup(u->place);
		CHECK_STR(u->place, *place);
		end(&g);
	}
	mem_free(in_thread);
	mem_free(other);
}

/* At a traced instruction, the program counter is the address of the breakpoint. */
static void test_regs_at_break(void)
{
	unsigned int nsubs[2];

	for (unsigned int is_pc = 0; is_pc < 2; is_pc++) {
		char text[100];
		struct stage g;
		struct unit *u;
		struct provider pv;

		snprintf(text, sizeof(text), "rawtp:::sched_switch { trace(regs[%u]); }",
			 is_pc ? arch_native->pc / 8 : arch_native->pc / 8 - 1);
		u = first_unit(&g, text);
		pv = *u->provider;
		pv.has_regs = true;
		u->provider = &pv;
		nsubs[is_pc] = count_ops(lower(&g, u), IR_SUB, 0);
		end(&g);
	}
	CHECK_INT(nsubs[1] - nsubs[0], arch_native->brk_len != 0);
}

/* A unit whose program runs at its many probes only needs to find out which one it is only if they
 * have different clauses. */
static void test_groups(void)
{
	static const struct {
		const char *more;
		unsigned int nswitches;
	} list[] = {{"", 0}, {"pid%d:compile_test:lang_host_clause:entry { trace(2222); }", 1}};
	pid_t child = start_child();

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct buf text = {0};
		struct stage g;
		struct unit *u;
		const struct ir_module *m;

		buf_printf(&text, "pid%d:compile_test:lang_*:entry { trace(1111); }", child);
		buf_printf(&text, list[i].more, child);
		u = first_unit(&g, buf_str(&text));
		u->is_exact = true;
		m = lower(&g, u);
		CHECK_INT(g.compile.units.n, 1);
		CHECK_INT(u->groups.n, i + 1);
		CHECK_INT(count_ops(m, IR_SWITCH, 0), list[i].nswitches);
		CHECK(count_ops(m, IR_CONST, 1111) > 0);
		CHECK_INT(count_ops(m, IR_CONST, 2222) > 0, i);
		buf_free(&text);
		end(&g);
	}
	end_child(child);
}

/* If there are few probes, each probe of each group has a case of its own. */
static void test_few_probes(void)
{
	pid_t child = start_child();
	unsigned int ntargets = 0, nprobes = 0;
	const struct ir_module *m;
	struct buf text = {0};
	struct stage g;
	struct unit *u;

	buf_printf(
	    &text,
	    "pid%d:compile_test:lang_h*:entry, pid%d:compile_test:lang_c*:entry { trace(1); }",
	    child, child);
	u = first_unit(&g, buf_str(&text));
	m = lower(&g, u);
	for (unsigned int i = 0; i < u->groups.n; i++)
		nprobes += u->groups.a[i]->probes.n;
	for (unsigned int b = 0; b < m->funcs[0]->nblocks; b++)
		if (m->funcs[0]->blocks[b]->last->op == IR_SWITCH)
			ntargets += m->funcs[0]->blocks[b]->last->ntargets;
	CHECK_INT(u->groups.n, 2);
	CHECK(nprobes > 2 && nprobes <= 24);
	CHECK_INT(ntargets, nprobes + 1);
	buf_free(&text);
	end(&g);
	end_child(child);
}

static struct own_frames at_break(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){.next = FRAME_AT_BREAK};
}

static struct own_frames no_frames(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){0};
}

/* The first address of a stack that begins at a breakpoint is the address of the breakpoint. */
static void test_at_break(void)
{
	unsigned int subs[2];

	for (int is_at_break = 0; is_at_break < 2; is_at_break++) {
		struct stage g;
		struct unit *u = first_unit(&g, "rawtp:::sched_switch { stack(); }");
		struct provider pv = *u->provider;

		pv.own_frames = is_at_break ? at_break : no_frames;
		u->provider = &pv;
		subs[is_at_break] = count_ops(lower(&g, u), IR_SUB, 0);
		end(&g);
	}
	CHECK_INT(subs[1] - subs[0], arch_native->brk_len != 0);
}

static struct own_frames at_call(const struct plan *plan, const struct unit *u)
{
	return (struct own_frames){.least = 4, .next = FRAME_OF_CALL};
}

/* If the call of a function is probed, stack() leaves out the frame of the call.  In a clause of a
 * site it stays. */
static void test_stack_top(void)
{
	static const struct {
		const char *program;
		bool is_call;
		int64_t skipped;
	} list[] = {{"rawtp:::sched_switch { stack(); }", true, 5},
		    {"rawtp:::sched_switch { stack(); }", false, 0},
		    {"sched:::off-cpu { stack(); }", true, 4}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct stage g;
		struct unit *u = first_unit(&g, list[i].program);
		struct provider pv = *u->provider;
		const struct ir_module *m;

		pv.own_frames = list[i].is_call ? at_call : no_frames;
		u->provider = &pv;
		m = lower(&g, u);
		CHECK_INT(count_calls(m, BPF_FUNC_get_stack), 1);
		CHECK_INT(count_ins(m, is_stack_from, BPF_FUNC_get_stack, list[i].skipped), 1);
		end(&g);
	}
}

/* Numbers and pointers are loaded where the verifier knows their types, and copied elsewhere. */
static void test_direct(void)
{
	static const struct {
		const char *expr;
		unsigned int ncopies;
	} list[] = {
	    {"args[0]->pid", 0},
	    {"args[0]->se.vruntime", 0},
	    {"args[0]->se.run_node.__rb_parent_color", 0},
	    {"args[0]->cpus_mask.bits[0]", 0},
	    {"args[0]->comm[3]", 0},
	    {"args[0]->real_parent->real_parent->tgid", 0},
	    {"args[0]->rcu.next->func", 0},
	    {"(uint64_t)args[0]->set_child_tid", 0},
	    {"args[0]->fs->pwd.dentry->d_flags", 0},
	    {"args[0]->restart_block.nanosleep.type", 0},
	    {"args[0]->in_iowait", 1},
	    {"(args[0] + 1)->pid", 1},
	    {"*(uint64_t *)&args[0]->comm[0]", 1},
	    {"*(uint32_t *)&args[0]->real_parent", 1},
	    {"*(uint64_t *)&args[0]->pid", 1},
	    {"(uint32_t)args[0]->real_parent", 1},
	    {"(uint64_t)&args[0]->pid * 3", 1},
	    {"(uint64_t)args[0] * 3 + arg0", 0},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[200];
		struct stage g;

		snprintf(text, sizeof(text), "rawtp:::sched_process_hang { trace(%s); }",
			 list[i].expr);
		CHECK_INT(count_calls(lower_first(&g, text, false), BPF_FUNC_probe_read_kernel),
			  list[i].ncopies);
		end(&g);
	}
}

/* Prepares the compiler, so that a test can change the kernel or the plan before lower_opened(). */
static void open_stage(struct stage *g, const char *program)
{
	start(g, program);
	CHECK(compile_open(&g->compile));
}

/* Returns IR of the first unit. */
static struct ir_module *lower_opened(struct stage *g)
{
	CHECK(compile_program(&g->compile, g->compile.progs.a[0]) && compile_units(&g->compile));
	return lower(g, g->compile.units.a[0]);
}

/* If the verifier refuses loads through a pointer, the pointer becomes a number, and helpers copy
 * the memory. */
static void test_indirect(void)
{
	static const struct {
		const char *expr;
		unsigned int ncopies;
	} list[] = {{"(uint32_t)args[0]", 1},
		    {"args[0]->pid", 2},
		    {"args[0]->real_parent->pid", 3},
		    {"args[0]->pid + args[0]->tgid", 3}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[200];
		struct stage g;

		snprintf(text, sizeof(text), "rawtp:::sched_process_hang { trace(%s); }",
			 list[i].expr);
		open_stage(&g, text);
		g.plan.no_direct = true;
		CHECK_INT(count_calls(lower_opened(&g), BPF_FUNC_probe_read_kernel),
			  list[i].ncopies);
		end(&g);
	}
}

/* Returns IR of the first unit of a program, with these symbols instead of the kernel's. */
static struct ir_module *lower_with(struct stage *g, const char *program,
				    const struct kern_sym *syms, unsigned int n,
				    const struct kern_sym *absolute, unsigned int nabsolute)
{
	struct kern *k;

	open_stage(g, program);
	k = g->plan.env.kern;
	k->syms_done = true;
	for (unsigned int i = 0; i < n; i++)
		vec_push(&k->syms, syms[i]);
	for (unsigned int i = 0; i < nabsolute; i++)
		vec_push(&k->absolute, absolute[i]);
	return lower_opened(g);
}

/* An operation with this constant on the number of the CPU. */
static bool is_op_on_cpu(const struct ir_ins *i, int64_t op, int64_t value)
{
	return is_op_with(i, op, value) &&
	       is_op(i->args[0], IR_CALL, BPF_FUNC_get_smp_processor_id);
}

/*
 * A per-CPU variable is found by the offset of this CPU in a table of the kernel, which has 8 bytes
 * for each CPU.
 */
static void test_percpu_variable(void)
{
	static const struct kern_sym offsets[] = {{"__per_cpu_start", "vmlinux", 0, 0},
						  {"runqueues", "vmlinux", 0x2a000, 0},
						  {"__per_cpu_end", "vmlinux", 0x40000, 0}},
				     table = {"__per_cpu_offset", "vmlinux", 0xffffffff82400000, 8};
	struct stage g;
	const struct ir_module *m = lower_with(
	    &g, "syscall::read:entry { trace(`runqueues.nr_running); }", &table, 1, offsets, 3);

	CHECK_INT(count_ins(m, is_op_on_cpu, IR_SHL, 3), 1);
	CHECK(count_ops(m, IR_CONST, (int64_t)table.addr) > 0);
	CHECK(count_ops(m, IR_CONST, 0x2a000) > 0);
	end(&g);
}

/* In an inner PID namespace, the kernel side finds a process's number there. */
static void test_inner_pids(void)
{
	struct kern_pidns ns = {.is_inner = true,
				.is_known = true,
				.level = 7,
				.ns = 0xffff888012345678,
				.group_leader = 0x111,
				.thread_pid = 0x222,
				.pid_level = 0x333,
				.pid_numbers = 0x444};
	struct stage g;
	const struct ir_module *m;
	struct kern_pidns *own;
	struct kern *k;

	open_stage(&g, "syscall::read:entry { ustack(1); }");
	k = g.plan.env.kern;
	own = k->pidns;
	k->pidns = &ns;
	m = lower_opened(&g);
	CHECK(count_ops(m, IR_CONST, (int64_t)ns.ns) > 0);
	CHECK(count_ops(m, IR_CONST, ns.level) > 0);
	CHECK(count_ops(m, IR_CONST, 0x22200000111) > 0);
	CHECK(count_ops(m, IR_CONST, 0x44400000333) > 0);
	ns.is_known = false;
	CHECK(count_ops(lower(&g, g.compile.units.a[0]), IR_CONST, UINT32_MAX) > 0);
	k->pidns = own;
	end(&g);
}

/* A provider says why it has no probes. */
static void test_absent(void)
{
	static const struct {
		const char *prov;
		bool is_absent;
	} list[] = {{"fbt", true}, {"syscall", false}, {"nosuch", false}, {NULL, false}};
	struct stage g;

	open_stage(&g, "BEGIN { }");
	g.plan.env.kern->features[KERN_FENTRY] = g.plan.env.kern->features[KERN_KPROBE] = -1;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct pdesc d = {.prov = list[i].prov, .func = "vfs_read", .name = "entry"};
		const char *why = probes_absent(g.plan.env.probes, &d);

		CHECK_INT(why && strstr(why, "refuses function tracing"), list[i].is_absent);
	}
	end(&g);
}

/* Frames of the functions that run a program are left out of stack(), by addresses and sizes. */
static void test_own_frames(void)
{
	static const struct kern_sym syms[] = {
	    {"__bpf_prog_test_run_raw_tp", "vmlinux", 0xffffffff81001000, 0x123},
	    {"bpf_prog_test_run_raw_tp", "vmlinux", 0xffffffff81002000, 0x456}};
	struct stage g;
	const struct ir_module *m = lower_with(&g, "BEGIN { stack(); }", syms, 2, NULL, 0);

	for (size_t i = 0; i < 2; i++) {
		CHECK(count_ops(m, IR_CONST, (int64_t)syms[i].addr) > 0);
		/* Two frames may be such functions. */
		CHECK_INT(count_ins(m, is_op_with, IR_ULT, (int64_t)syms[i].size), 2);
	}
	/* The number of frames to leave out is 2 or 3 then. */
	CHECK(count_ins(m, is_phi_of, 2, 0) > 0 && count_ins(m, is_phi_of, 3, 0) > 0);
	CHECK_INT(count_ins(m, is_phi_of, 4, 0), 0);
	end(&g);
}

/* For a picture over time, each record has its time and thread. */
static void test_threads(void)
{
	struct stage g;
	const struct ir_module *m;
	const struct rec_desc *d;

	open_stage(&g, "syscall::read:entry { trace(1); }");
	g.plan.opt.has_threads = true;
	m = lower_opened(&g);
	d = g.plan.descs.a[0];
	CHECK_INT(d->time_off, sizeof(struct abi_rec));
	CHECK_INT(d->thread_off, d->time_off + 8);
	CHECK(count_ops(m, IR_ST64, d->time_off) > 0);
	CHECK_INT(count_ops(m, IR_ST32, d->thread_off + offsetof(struct abi_thread, pid)), 1);
	CHECK_INT(count_ops(m, IR_ST32, d->thread_off + offsetof(struct abi_thread, tid)), 1);
	CHECK_INT(count_ops(m, IR_CONST, d->thread_off + offsetof(struct abi_thread, name)), 1);
	end(&g);
}

/* The stack of a thread that waits has no frames of tracing to leave out. */
static void test_stack_of_waiting(void)
{
	struct stage g;
	const struct ir_module *m = lower_first(&g, "io:::wait-done { stack(); }", false);

	CHECK_INT(count_calls(m, BPF_FUNC_get_task_stack), 1);
	CHECK_INT(count_ins(m, is_stack_from, BPF_FUNC_get_task_stack, 0), 1);
	end(&g);
}

/* Returns the offset of a member of a structure in bytes, or -1. */
static int64_t offset_in(struct stage *g, const char *structure, const char *member)
{
	struct type *t = type_lookup(g->plan.env.types, structure);
	uint64_t bits;

	return t && type_member(g->plan.env.types, t, member, &bits) ? (int64_t)(bits / 8) : -1;
}

/* Registers of a process are in its struct pt_regs, and some in its struct thread_struct. */
static void test_uregs(void)
{
	static const struct {
		const char *index; /* %u: the number of registers in struct pt_regs */
		unsigned int nregs, ncopies;
	} list[] = {{"0", 1, 1}, {"arg0", 1, 1}, {"%u", 0, 0}};

	for (size_t i = 0; arch_native->thread_regs && i < sizeof(list) / sizeof(list[0]); i++) {
		char index[20], text[100];
		struct stage g;
		const struct ir_module *m;

		snprintf(index, sizeof(index), list[i].index, arch_native->nuregs);
		snprintf(text, sizeof(text), "syscall::read:entry { trace(uregs[%s]); }", index);
		m = lower_first(&g, text, false);
		CHECK_INT(count_calls(m, BPF_FUNC_task_pt_regs), list[i].nregs);
		CHECK_INT(count_calls(m, BPF_FUNC_probe_read_kernel), list[i].ncopies);
		if (!list[i].nregs)
			CHECK_INT(count_ins(m, is_load_at,
					    offset_in(&g, "struct task_struct", "thread") +
						offset_in(&g, "struct thread_struct",
							  arch_native->thread_regs[0]),
					    IR_MEM_KERNEL),
				  1);
		end(&g);
	}
}

/* Where an instruction of the kernel is traced, regs[] has the registers of the context. */
static void test_context_regs(void)
{
	static const struct {
		const char *index;
		unsigned int ncopies;
		bool is_pc;
	} list[] = {{"1", 0, false}, {"%u", 0, true}, {"arg0", 2, true}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char index[20], text[100];
		const struct ir_module *m;
		struct provider pv;
		struct stage g;
		struct unit *u;

		snprintf(index, sizeof(index), list[i].index, arch_native->pc / 8);
		snprintf(text, sizeof(text), "rawtp:::sched_switch { trace(regs[%s]); }", index);
		u = first_unit(&g, text);
		pv = *u->provider;
		pv.has_regs = true;
		u->provider = &pv;
		m = lower(&g, u);
		CHECK_INT(count_calls(m, BPF_FUNC_probe_read_kernel), list[i].ncopies);
		CHECK_INT(count_calls(m, BPF_FUNC_task_pt_regs), 0);
		if (list[i].ncopies == 0)
			CHECK_INT(count_ins(m, is_load_at, list[i].is_pc ? arch_native->pc : 8,
					    IR_MEM_CTX),
				  1);
		if (arch_native->brk_len)
			CHECK_INT(count_ops(m, IR_SUB, 0) > 0, list[i].is_pc);
		end(&g);
	}
}

/* The preemption count is in the task, or the CPU's, found through the run queue. */
static void test_ipl(void)
{
	struct stage g;
	const struct ir_module *m = lower_first(&g, "syscall::read:entry { trace(ipl); }", false);
	int64_t own = offset_in(&g, "struct thread_info", "preempt_count");

	CHECK_INT(count_calls(m, BPF_FUNC_probe_read_kernel), own >= 0 ? 1 : 3);
	if (own < 0)
		own = offset_in(&g, "struct task_struct", "se") +
		      offset_in(&g, "struct sched_entity", "cfs_rq");
	CHECK(count_ops(m, IR_CONST, own) > 0);
	end(&g);
}

/* Characters of the kernel or of a process become a string with one copy. */
static void test_chars(void)
{
	static const char *const list[] = {
	    "this->s = stringof(curthread->comm);", "this->s = (string)curthread->comm;",
	    "trace(stringof(curthread->comm));", "@[stringof(curthread->comm)] = count();"};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[200];
		struct stage g;
		const struct ir_module *m;

		snprintf(text, sizeof(text), "BEGIN { %s }", list[i]);
		m = lower_first(&g, text, false);
		CHECK_INT(count_calls(m, BPF_FUNC_probe_read_kernel_str), 1);
		end(&g);
	}
}

/* If a number is taken, a probe gets the next free number; after the last number comes the first.
 */
static void test_probe_numbers(void)
{
	const struct provider *pv = provider_table[0];
	struct probe *last, *first, *same;
	struct stage g;

	start(&g, "BEGIN { }");
	CHECK(compile_programs(&g.compile));
	last = probe_add_near(g.plan.env.probes, pv, pv->ids.n - 2, "p", "", "", "last");
	first = probe_add_near(g.plan.env.probes, pv, pv->ids.n - 2, "p", "", "", "first");
	same = probe_add_near(g.plan.env.probes, pv, 5, "p", "", "", "last");
	CHECK_INT(last->id, pv->ids.first + pv->ids.n - 2);
	CHECK_INT(first->id, pv->ids.first + pv->ids.n - 1);
	CHECK(same == last);
	first = probe_add_near(g.plan.env.probes, pv, pv->ids.n - 2, "p", "", "", "second");
	CHECK_INT(first->id - pv->ids.first, 0);
	end(&g);
}

/* A string variable has one byte more than its text, in units of 8. */
static void test_string_sizes(void)
{
	for (uint32_t strsize = 7; strsize <= 16; strsize++) {
		char want[60];
		struct buf b = {0};
		struct stage g;

		start(&g, "string s; BEGIN { s = \"a\"; }");
		g.plan.opt.strsize = strsize;
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
		snprintf(want, sizeof(want), "variable s: at 0, size %u\n", strsize / 8 * 8 + 8);
		CHECK(strstr(buf_str(&b), want) != NULL);
		buf_free(&b);
		end(&g);
	}
}

/* Each attribute of a program is the lowest one among the names that the program uses. */
static void test_stability(void)
{
	static const struct {
		const char *program, *desc, *stmt;
	} list[] = {
	    {"dtrace:::BEGIN { trace(1); }", "Stable/Stable/Common", "Stable/Stable/Common"},
	    {"BEGIN { trace(1); }", "Unstable/Unstable/Common", "Stable/Stable/Common"},
	};
	static const char *const mins[][3] = {
	    {"Stable/Private/ISA", "Evolving/Evolving/CPU", "Evolving/Private/CPU"},
	    {"evolving/EVOLVING/cpu", "Stable/Private/ISA", "Evolving/Private/CPU"},
	    {"Standard/Standard/Common", "Internal/Internal/Unknown", "Internal/Internal/Unknown"},
	    {"none", "Stable/Stable/Common", "none"},
	};
	static const char *const bad[] = {"Stable",
					  "Stable/Stable",
					  "Stable/Stable/Stable",
					  "Stable/Common/Common",
					  "Stabl/Stable/Common",
					  "Stable/Stable/Common/",
					  ""};
	struct stage g;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const char *desc, *stmt;

		start(&g, list[i].program);
		CHECK(compile_programs(&g.compile));
		lang_stability(g.plan.env.lang, g.compile.progs.a[0]->program, &desc, &stmt);
		CHECK_STR(desc, list[i].desc);
		CHECK_STR(stmt, list[i].stmt);
		end(&g);
	}
	start(&g, "BEGIN { }");
	CHECK(compile_programs(&g.compile));
	for (size_t i = 0; i < sizeof(mins) / sizeof(mins[0]); i++)
		CHECK_STR(lang_attributes_min(g.plan.env.lang, mins[i][0], mins[i][1]), mins[i][2]);
	end(&g);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!lang_is_attributes(bad[i]));
	CHECK(lang_is_attributes("Stable/Private/Group"));
}

/*
 * Shared maps have few sizes: keys in steps of 64 bytes, 8 of which name the aggregation, and rows
 * of powers of 2.
 */
static void test_shared_sizes(void)
{
	struct buf program = {0}, b = {0};
	struct stage g;

	buf_puts(&program, "BEGIN { ");
	for (unsigned int i = 0; i < 20; i++)
		buf_printf(&program, "@f%u[1] = sum(1); ", i);
	buf_puts(&program, "@six[1LL, 2LL, 3LL, 4LL, 5LL, 6LL] = sum(1);"
			   "@seven[1LL, 2LL, 3LL, 4LL, 5LL, 6LL, 7LL] = lquantize(1, 0, 8, 1);"
			   "@eight[1] = lquantize(1, 0, 5, 1);"
			   "@wide[1] = quantize(1); @less[2] = lquantize(1, 0, 100, 1); }");
	start(&g, buf_str(&program));
	CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
	plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
	/* In a torture build the small aggregations share this map, too. */
	CHECK(TORTURE_OR(true, strstr(buf_str(&b), " shared: type 1, flags 1, key 64, value 64, "
						   "32768 entries") != NULL));
	CHECK(strstr(buf_str(&b), " shared: type 1, flags 1, key 128, value 128, 32768 entries"));
	CHECK(strstr(buf_str(&b), " shared: type 1, flags 1, key 64, value 1024, 8192 entries"));
	CHECK_INT(count_lines(buf_str(&b), " key 64, value 1024,"), 2); /* a map and its twin */
	CHECK_INT(count_lines(buf_str(&b), " key 64, value 128,"), 0);
	buf_free(&program);
	buf_free(&b);
	end(&g);
}

/* Clause-locals are in memory only if a unit assigns more than PLAN_LOCALS_MAX of them. */
static void test_locals(void)
{
	for (unsigned int n = PLAN_LOCALS_MAX; n <= PLAN_LOCALS_MAX + 1; n++) {
		struct buf program = {0}, b = {0};
		struct stage g;

		buf_puts(&program, "BEGIN { ");
		for (unsigned int i = 0; i < n; i++)
			buf_printf(&program, "this->v%u = %u; ", i, i);
		buf_puts(&program, "trace(0); }");
		start(&g, buf_str(&program));
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		plan_text(&b, &g.plan, g.compile.units.a, g.compile.units.n);
		CHECK_INT(strstr(buf_str(&b), "    memory ") != NULL, n > PLAN_LOCALS_MAX);
		buf_free(&program);
		buf_free(&b);
		end(&g);
	}
}

/* The unit of an aggregation's values: from its name, or else from the values. */
static void test_measures(void)
{
	static const struct {
		const char *program;
		enum measure measure;
	} list[] = {
	    {"@wait_us = sum(vtimestamp);", MEASURE_US},
	    {"@wait_s = sum(1);", MEASURE_S},
	    {"@s = sum(timestamp);", MEASURE_NS},
	    {"@s = sum(pid);", MEASURE_UNKNOWN},
	    {"@ns = sum(pid);", MEASURE_NS},
	    {"@bytes = sum(1);", MEASURE_BYTES},
	    {"@waits = sum(timestamp - self->t);", MEASURE_NS},
	    {"@x = sum((timestamp - self->t) / 1000000);", MEASURE_MS},
	    {"@x = sum(timestamp / 1000000000);", MEASURE_S},
	    {"@x = sum(timestamp / 1000000000000);", MEASURE_UNKNOWN},
	    {"@x = sum(timestamp / 999);", MEASURE_UNKNOWN},
	    {"@x = sum(-(vtimestamp / 1000 / 1000));", MEASURE_MS},
	    {"@x = sum((size_t)pid); @x = sum(1);", MEASURE_BYTES},
	    {"@x = sum((size_t)pid / 1000);", MEASURE_UNKNOWN},
	    {"@x = sum((size_t)pid); @x = sum(timestamp);", MEASURE_UNKNOWN},
	    {"@x = sum(pid ? timestamp : 0);", MEASURE_NS},
	    {"@x = sum(pid ? timestamp : pid);", MEASURE_UNKNOWN},
	    {"@x = count();", MEASURE_ANY},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char program[100];
		struct stage g;

		snprintf(program, sizeof(program), "self uint64_t t; BEGIN { %s }",
			 list[i].program);
		start(&g, program);
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		CHECK_INT(g.plan.aggs.a[0]->measure, list[i].measure);
		end(&g);
	}
}

/* Rows without keys of all processors fit ROWS_MAX, in two halves; later ones are shared. */
static void test_keyless_rows(void)
{
	struct buf program = {0};
	struct stage g;

	buf_puts(&program, "BEGIN { ");
	for (unsigned int i = 0; i < 33; i++)
		buf_printf(&program, "@a%u = quantize(1); ", i);
	buf_puts(&program, "}");
	start(&g, buf_str(&program));
	CHECK(compile_programs(&g.compile));
	g.plan.env.kern->ncpu_possible = 4096;
	CHECK(compile_units(&g.compile));
	CHECK_INT(g.plan.aggs.n, 33);
	for (unsigned int i = 0; i < g.plan.aggs.n; i++)
		CHECK_INT(g.plan.aggs.a[i]->is_shared, i == 32);
	buf_free(&program);
	end(&g);
}

/* With execute=host only clauses go to the host that have something to do there. */
static void test_hosted(void)
{
	static const struct {
		const char *program;
		bool is_hosted;
	} list[] = {
	    {"self->x = pid;", false}, {"self->x = pid; self->y = 1;", false}, {"trace(1);", true},
	    {"@ = count();", true},    {"self->x = pid; trace(1);", true},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char program[100];
		struct clause *c;
		struct stage g;

		snprintf(program, sizeof(program), "BEGIN { %s }", list[i].program);
		start(&g, program);
		CHECK(compile_programs(&g.compile));
		c = g.compile.progs.a[0]->program->clauses;
		lang_host_clause(c, true);
		CHECK_INT(c->is_hosted, list[i].is_hosted);
		end(&g);
	}
}

/* With several machines, only clauses that use a shared variable go to the host. */
static void test_shared(void)
{
	static const struct {
		const char *program;
		bool is_hosted;
	} list[] = {{"trace(1);", false},
		    {"trace(a[1]);", true},
		    {"trace(element[1]);", true},
		    {"trace(1 + two[a[2]]);", true},
		    {"trace(two[3]);", false},
		    {"a[1] = 2;", true},
		    {"trace((xlate<struct o *>(1))->p);", true},
		    {"trace((xlate<struct o *>(1))->q);", false},
		    {"print(xlate<struct o>(1));", true},
		    {"print(xlate<struct r>(1));", false},
		    {"a[1]++;", true},
		    {"@[a[1]] = count();", true}};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char program[500];
		struct clause *c;
		struct stage g;

		snprintf(
		    program, sizeof(program),
		    "int a[int]; inline int element[int n] = a[n]; inline int two[int n] = n + 2; "
		    "struct o { int p, q; }; struct r { int q, s; }; "
		    "translator struct o < int x > { p = a[x]; q = x; }; "
		    "translator struct r < int x > { q = x; s = 2; }; "
		    "BEGIN { a[1] = 1; } END { %s }",
		    list[i].program);
		start(&g, program);
		CHECK(compile_programs(&g.compile));
		c = g.compile.progs.a[0]->program->clauses;
		c->parts[0].stmts->expr->x->ident->is_hosted = true;
		lang_host_clause(c->next, false);
		CHECK_INT(c->next->is_hosted, list[i].is_hosted);
		end(&g);
	}
}

/*
 * Modules and functions of other systems: a description of a stable probe can name them together
 * with the provider.
 */
static void test_foreign(void)
{
	static const struct {
		const char *mod, *func; /* of the probe */
		bool is_stable;
		struct pdesc d;
		bool want;
	} list[] = {
	    {"", "", true, {.prov = "io", .func = "bdev_strategy", .name = "start"}, true},
	    {"", "", true, {.prov = "i?", .func = "bdev_*", .name = "start"}, true},
	    {"", "", true, {.prov = "io", .func = "biodone", .name = "start"}, false},
	    {"", "", true, {.prov = "io", .func = "bdev", .name = "start"}, false},
	    {"", "", true, {.func = "bdev_strategy", .name = "start"}, false},
	    {"", "", true, {.prov = "", .func = "bdev_strategy", .name = "start"}, false},
	    {"", "", false, {.prov = "io", .func = "bdev_strategy", .name = "start"}, false},
	    {"", "f", true, {.prov = "io", .func = "bdev_strategy", .name = "start"}, false},
	    {"", "f", true, {.prov = "io", .func = "f", .name = "start"}, true},
	    {"", "", true, {.prov = "io", .mod = "vmlinux"}, true},
	    {"", "", true, {.prov = "io", .mod = "ip"}, true},
	    {"", "", true, {.prov = "io", .mod = "gen*"}, true},
	    {"", "", true, {.prov = "io", .mod = "nfs"}, false},
	    {"", "", true, {.mod = "genunix"}, false},
	    {"", "", true, {.prov = "", .mod = "genunix"}, false},
	    {"", "", false, {.prov = "io", .mod = "genunix"}, false},
	    {"nfs", "", true, {.prov = "io", .mod = "genunix"}, false},
	    {"nfs", "", true, {.prov = "io", .mod = "nfs"}, true},
	};
	static const struct {
		const char *prov, *func, *name;
		bool want;
	} functions[] = {
	    {"io", "biowait", "wait-start", true},
	    {"io", "biowait", "wait-done", true},
	    {"io", "biowait", "done", false},
	    {"io", "biowait", "wait", false},
	    {"lockstat", "mutex_exit", "adaptive-release", true},
	    {"lockstat", "mutex_exit", "spin-release", true},
	    {"lockstat", "mutex_exit", "release", false},
	    {"sched", "swtch", "off-cpu", true},
	    {"proc", "swtch", "off-cpu", false},
	};
	struct probe_decl decl = {0};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct probe p = {.prov = "io",
				  .mod = list[i].mod,
				  .func = list[i].func,
				  .name = "start",
				  .decl = list[i].is_stable ? &decl : NULL};

		CHECK_INT(probe_matches(&list[i].d, &p), list[i].want);
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const char *prov = functions[i].prov, *name = functions[i].name;
		struct probe p = {.prov = prov, .mod = "", .func = "", .name = name, .decl = &decl};
		struct pdesc d = {.prov = prov, .func = functions[i].func, .name = name};

		CHECK_INT(probe_matches(&d, &p), functions[i].want);
	}
}

/* A module of a process is named with or without its version, the program also as a.out, and each
 * with the base link map LM0. */
static void test_modules(void)
{
	static const struct {
		const char *pattern, *mod;
		enum mod_kind kind;
		bool want;
	} list[] = {
	    {"libc.so.6", "libc.so.6", MOD_LIBRARY, true},
	    {"libc", "libc.so.6", MOD_LIBRARY, true},
	    {"libc.so", "libc.so.6", MOD_LIBRARY, true},
	    {"lib", "libc.so.6", MOD_LIBRARY, false},
	    {"libc*", "libc.so.6", MOD_LIBRARY, true},
	    {"LM0`libc", "libc.so.6", MOD_LIBRARY, true},
	    {"LM1`libc", "libc.so.6", MOD_LIBRARY, false},
	    {"a.out", "cat", MOD_PROGRAM, true},
	    {"LM0`a.out", "cat", MOD_PROGRAM, true},
	    {"a.out", "libc.so.6", MOD_LIBRARY, false},
	    {"cat", "cat", MOD_PROGRAM, true},
	    {"", "cat", MOD_PROGRAM, true},
	    {NULL, "ext4", MOD_NAME, true},
	    {"ext", "ext4", MOD_NAME, false},
	    {"ext?", "ext4", MOD_NAME, true},
	    {"libc", "libc.so.6", MOD_NAME, false},
	    {"a.out", "cat", MOD_NAME, false},
	    {"LM0`ext4", "ext4", MOD_NAME, false},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		CHECK_INT(probe_mod_glob(list[i].pattern, list[i].mod, list[i].kind), list[i].want);
}

/* Names have room for their end, in steps of 8 bytes, and the room only grows before the plan is
 * made. */
static void test_name_room(void)
{
	static const struct {
		size_t len;
		uint32_t want;
	} list[] = {{0, 8}, {1, 8}, {7, 8}, {8, 16}, {15, 16}, {16, 24}, {5, 24}};
	struct plan plan = {0};
	struct stage g;
	uint32_t size;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		plan_name_room(&plan, list[i].len);
		CHECK_INT(plan.name_size, list[i].want);
	}
	first_unit(&g, "BEGIN { trace(probename); }");
	size = g.plan.name_size;
	plan_name_room(&g.plan, 100);
	CHECK_INT(g.plan.name_size, size);
	end(&g);
}

/* All providers search for a description without a provider. */
static void test_no_provider(void)
{
	probe_list found = {0};
	struct stage g;

	start(&g, "BEGIN { }");
	CHECK(compile_programs(&g.compile));
	probes_match(g.plan.env.probes, &(struct pdesc){.func = "no-function", .name = "no-name"},
		     &found);
	CHECK_INT(found.n, 0);
	probes_match(g.plan.env.probes, &(struct pdesc){.prov = "profile", .name = "tick-7"},
		     &found);
	CHECK_INT(found.n, 1);
	vec_free(&found);
	end(&g);
}

/* A description with a number names the probe with this number, and no other. */
static void test_ids(void)
{
	struct probe p = {.id = 7, .prov = "a", .mod = "b", .func = "c", .name = "d"};
	struct stage g;

	CHECK(probe_matches(&(struct pdesc){.id = 7}, &p));
	CHECK(!probe_matches(&(struct pdesc){.id = 8}, &p));
	CHECK(
	    probe_matches(&(struct pdesc){.prov = "a", .mod = "b", .func = "c", .name = "d"}, &p));
	CHECK(!probe_matches(&(struct pdesc){.prov = "x"}, &p));
	CHECK(!probe_matches(&(struct pdesc){.mod = "x"}, &p));
	CHECK(!probe_matches(&(struct pdesc){.func = "x"}, &p));
	CHECK(!probe_matches(&(struct pdesc){.name = "x"}, &p));
	start(&g, "BEGIN { }");
	CHECK(compile_programs(&g.compile));
	for (uint32_t id = 0; id <= 4; id++) {
		probe_list found = {0};

		if (id)
			probes_match(g.plan.env.probes, &(struct pdesc){.id = id}, &found);
		CHECK_INT(found.n, id >= 1 && id <= 3);
		if (found.n)
			CHECK_INT(found.a[0]->id, id);
		vec_free(&found);
	}
	end(&g);
}

/* Returns the libraries that a program wants, with the -L directory DIR or none. */
static const char *wanted(const char *dir, const char *program)
{
	static char text[256];
	struct stage g;

	start(&g, program);
	if (dir)
		vec_push(&g.compile.libdirs, dir);
	compile_programs(&g.compile);
	*text = '\0';
	for (unsigned int i = 0; i < g.compile.libs.n; i++)
		if (g.compile.libs.a[i]->is_wanted) {
			strcat(text, g.compile.libs.a[i]->base);
			strcat(text, " ");
		}
	end(&g);
	return text;
}

static void write_library(const char *dir, const char *name, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	CHECK(f && fputs(text, f) >= 0);
	fclose(f);
}

/* A program wants the libraries that declare its words, and no others. */
static void test_libraries(void)
{
	char dir[] = "/tmp/compile_test.XXXXXX", command[64];

	CHECK_STR(wanted(NULL, "BEGIN { trace(1); }"), "");
	CHECK_STR(wanted(NULL, "BEGIN { trace(SIGKILL); }"), "signal.d ");
	CHECK_STR(wanted(NULL, "BEGIN { trace(SIGKIL); }"), "");
	CHECK_STR(wanted(NULL, "BEGIN { trace(\"SIGKILL { \"); /* SIGKILL */ }"), "");
	CHECK_STR(wanted(NULL, "BEGIN /SIGKILL/ { @SIGUSR1 = count(); self->SIGUSR2 = 1; }"),
		  "signal.d ");
	CHECK_STR(wanted(NULL, "BEGIN { @SIGUSR1 = count(); self->SIGUSR2 = 1; }"), "");
	CHECK_STR(wanted(NULL, "inline int mine = SIGKILL; BEGIN { trace(mine); }"), "signal.d ");
	CHECK(mkdtemp(dir) != NULL);
	write_library(
	    dir, "mine.d",
	    "#pragma D depends_on library signal.d\n"
	    "enum { MINE = 1 }; /* inline int no = TH_SYN; */ inline int mine = SIGHUP;\n");
	write_library(dir, "unistd.d", "inline int _SC_MINE = 1;\n");
	CHECK_STR(wanted(dir, "BEGIN { trace(MINE); }"), "mine.d unistd.d signal.d ");
	CHECK_STR(wanted(dir, "BEGIN { trace(O_RDONLY + _SC_MINE); }"),
		  "mine.d unistd.d signal.d ");
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK(system(command) == 0);
}

/* A library clause is enabled if it changes what a program reads, however it says so. */
static void test_library_state(void)
{
	static const char library[] =
	    "struct from { int x; }; struct to { int set; int plain; };"
	    "int got, array[int]; self int own; this int local; struct to whole; int bytes[8];"
	    "inline int put[int v] = (got = v);"
	    "inline int put_twice[int v] = put[v] + 1;"
	    "inline int put_none = got++;"
	    "inline int get[int v] = got + v;"
	    "translator struct to < struct from *f > { set = (got = f->x); plain = f->x; };"
	    "tick-3s%s { %s }";
	static const struct {
		const char *pred, *body, *program;
		bool is_wanted;
	} list[] = {
	    {"", "got = 1;", "got", true},
	    {"", "got = 1;", "1", false},
	    {"", "got = 1;", "array[1]", false},
	    {"", "array[got] = 1;", "got", false},
	    {"", "put[1];", "got", true},
	    {"", "put(1);", "got", true},
	    {"", "put_twice[1];", "got", true},
	    {"", "put_none;", "got", true},
	    {"", "get[1];", "got", false},
	    {"", "get[got = 1];", "got", true},
	    {"", "array[put[1]] = 2;", "got", true},
	    {"", "self->own = put[1];", "got", true},
	    {"", "self->own++;", "self->own", true},
	    {"", "self->own = 1;", "got", false},
	    {"", "this->local = 1;", "this->local", true},
	    {"", "self->local = 1;", "this->local", false},
	    {"", "--array[2];", "array[2]", true},
	    {"", "whole.set = 1;", "whole.set", true},
	    {"", "bytes[2] += 1;", "bytes[2]", true},
	    {"", "this->p = &bytes[1]; *this->p = 1;", "bytes[1]", true},
	    {"", "bcopy(curthread, bytes, 4);", "bytes[1]", true},
	    {"", "this->local = bytes[1];", "bytes[1]", false},
	    {"", "if (pid) { } else { if (pid == 1) { put[1]; } }", "got", true},
	    {"", "if (put[1]) { }", "got", true},
	    {"", "pid ? put[1] : 0;", "got", true},
	    {"", "pid, put[1];", "got", true},
	    {"", "pid && put[1];", "got", true},
	    {"", "!(int)-put[1];", "got", true},
	    {"", "strlen(lltostr(put[1]));", "got", true},
	    {" /put[1]/", "", "got", true},
	    {" /get[1]/", "", "got", false},
	    {"", "xlate<struct to>((struct from *)0).set;", "got", true},
	    {"", "xlate<struct to *>((struct from *)0)->set;", "got", true},
	    {"", "whole = xlate<struct to>((struct from *)0);", "got", true},
	    {"", "((struct from *)0)->x;", "got", false},
	    {"", "@n = count();", "pid", false},
	    {"", "@n = count(); printa(@n);", "pid", false},
	    {"", "@[put[1]] = count();", "got", true},
	    {"", "@n = sum(put[1]);", "got", true},
	};
	char dir[] = "/tmp/compile_test.XXXXXX", command[64];

	CHECK(mkdtemp(dir) != NULL);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char text[1024], program[128];
		struct stage g;

		snprintf(text, sizeof(text), library, list[i].pred, list[i].body);
		write_library(dir, "mine.d", text);
		snprintf(program, sizeof(program), "BEGIN { trace(%s); }", list[i].program);
		start(&g, program);
		vec_push(&g.compile.libdirs, dir);
		if (!compile_programs(&g.compile) || !compile_units(&g.compile) ||
		    (g.compile.units.n == 2) != list[i].is_wanted) {
			fprintf(stderr, "the library clause%s { %s }\n", list[i].pred,
				list[i].body);
			CHECK(false);
		}
		end(&g);
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK(system(command) == 0);
}

/* An aggregation that only a library updates has values if a program prints it. */
static void test_library_aggregation(void)
{
	static const struct {
		const char *program;
		unsigned int nunits;
	} list[] = {{"END { printa(@lib); }", 2}, {"END { printa(@other); }", 1}};
	char dir[] = "/tmp/compile_test.XXXXXX", command[64];

	CHECK(mkdtemp(dir) != NULL);
	write_library(dir, "mine.d", "tick-3s { @lib[pid] = count(); }");
	for (size_t i = 0; i < 2; i++) {
		char program[128];
		struct stage g;

		snprintf(program, sizeof(program),
			 "END { @lib[1] = count(); @other[1] = count(); }"
			 "%s",
			 list[i].program);
		start(&g, program);
		vec_push(&g.compile.libdirs, dir);
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		CHECK_INT(g.compile.units.n, list[i].nunits);
		end(&g);
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK(system(command) == 0);
}

/* If a clause uses an argument of a site, the plan has what its expression in `return` needs. */
static void test_site_return(void)
{
	static const struct {
		const char *program;
		bool has_self;
	} list[] = {{"mine:::go { trace(arg0); }", true},
		    {"mine:::go { trace(args[0]); }", true},
		    {"mine:::go { trace(arg1); }", false}};
	char dir[] = "/tmp/compile_test.XXXXXX", command[64];

	CHECK(mkdtemp(dir) != NULL);
	write_library(dir, "mine.d",
		      "self int64_t seen;\n"
		      "provider mine { probe go(int64_t, int64_t); };\n"
		      "site mine:::go from syscall::read:entry { return (self->seen, 2); }\n");
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct stage g;

		start(&g, list[i].program);
		vec_push(&g.compile.libdirs, dir);
		CHECK(compile_programs(&g.compile) && compile_units(&g.compile));
		CHECK_INT(g.plan.maps.a[MAP_SELF].is_used, list[i].has_self);
		lower(&g, g.compile.units.a[0]);
		end(&g);
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	CHECK(system(command) == 0);
}

/* Parameters in a header keep their written form, with other names. */
static void test_header(void)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct stage g;

	start(&g, "struct x; provider p { probe a(const char *names, struct x*x, string text, "
		  "int n , int v[3], char  , int *const nn); probe none(); };");
	CHECK(compile_programs(&g.compile));
	header_write(&g.compile, f, "dir/p-1.h");
	fclose(f);
	CHECK(strstr(text, "#ifndef\t_P_1_H\n#define\t_P_1_H\n"));
	CHECK(strstr(text, "__dtrace_p___a(const char *arg0, struct x*arg1, char *arg2, int arg3, "
			   "__typeof__(int [3]) arg4, char arg5, int *const arg6)\n{"));
	CHECK(strstr(text, "__dtrace_p___none(void)\n{"));
	if (test_failures)
		puts(text);
	free(text);
	end(&g);
}

/* A value computed from another machine's clock for one record is not used for the next record. */
static void test_clock(void)
{
	struct lowered low = {0};
	struct stage g;

	start(&g, "BEGIN { @a = count(); @b = count(); trunc(@a, 2); clear(@b); trace(1); }");
	g.plan.opt.has_clock = g.plan.opt.is_timed = true;
	CHECK(compile_programs(&g.compile) && compile_check_actions(&g.compile, 0));
	CHECK(compile_units(&g.compile));
	lower_unit(&g.plan, g.compile.units.a[0], &low);
	opt_run(low.mod, 0);
	CHECK(!ir_verify(low.mod));
	buf_free(&low.consts);
	end(&g);
}

int main(void)
{
	test_clock();
	test_header();
	test_shared_sizes();
	test_name_room();
	test_no_provider();
	test_site_args();
	test_extremes();
	test_ring_busy();
	test_hidden_caller();
	test_at_break();
	test_stack_top();
	test_direct();
	test_indirect();
	test_percpu_variable();
	test_inner_pids();
	test_absent();
	test_own_frames();
	test_threads();
	test_stack_of_waiting();
	test_unwind_maps();
	test_lost_minimum();
	test_language_walks();
	test_walk_frames();
	test_running();
	test_regs_at_break();
	test_groups();
	test_few_probes();
	test_uregs();
	test_context_regs();
	test_ipl();
	test_chars();
	test_probe_numbers();
	test_string_sizes();
	test_stability();
	test_locals();
	test_measures();
	test_keyless_rows();
	test_hosted();
	test_shared();
	test_foreign();
	test_modules();
	test_ids();
	test_libraries();
	test_library_state();
	test_library_aggregation();
	test_site_return();
	test_units();
	/* The plans of a torture build have other numbers, because its tables are tiny. */
	if (TORTURE_OR(0, 1)) {
		check_plan(text_program, text_of_plan);
		check_plan(maps_program, maps_of_plan);
	}
	test_error();
	test_setopt();
	return TEST_DONE();
}
