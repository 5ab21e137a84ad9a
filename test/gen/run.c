/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c: runs random programs and compares them with the evaluator of the checked tree.
 *
 *	gen [--kernel] [--big] [--print] [FIRST [COUNT]]
 *
 * Each program runs in the interpreter at opt 0 and 2, or with --kernel in the kernel.  A program
 * fails if the checker or the kernel refuses it, or if its output differs.  It is then made as
 * small as possible and printed; its seed makes it again.  With GEN_PROGRAM of a file instead of
 * FIRST, only that program runs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../exec/stage.h"
#include "base/arena.h"
#include "base/buf.h"
#include "eval.h"
#include "gen.h"
#include "load/backend.h"

#define SHRINK_TRIES 3000

struct job {
	const char *opt;
	bool in_kernel;
	char *want, *got; /* of the last run */
};

static const struct fire firing = {
    .pid = 100, .tid = 100, .ppid = 1, .time = 1000000, .comm = "gen"};

/* Options that pragmas set are read after compiling. */
static bool start(struct session *s, struct stage *g, bool in_kernel)
{
	if (!in_kernel)
		return stage_start(g, false);
	return session_compile(s) && compile_units(&s->compile) && session_load(s);
}

/* Computes both outputs of a program; want NULL: it could not be run, got has the reason. */
static void run(struct job *j, const char *text)
{
	struct session *s = session_new("dtrace");
	struct arena *a = arena_new();
	struct stage g;
	size_t n = 0;
	FILE *f;

	free(j->got);
	free(j->want);
	j->want = NULL;
	f = open_memstream(&j->got, &n);
	s->consume.file = s->report.file = f;
	if (!j->in_kernel)
		stage_init(&g, s, &firing, &firing);
	session_setopt(s, "opt", j->opt);
	compile_add_text(&s->compile, LANG_SPEC_NONE, text);
	s->compile.progs.a[0]->src.name = "gen.d";
	s->compile.progs.a[0]->src.is_cmdline = false;
	if (start(s, &g, j->in_kernel)) {
		j->want = strdup(eval_program(a, s->plan.env.types, s->plan.opt.strsize,
					      s->compile.progs.a[0]->program));
		session_go(s);
		session_stop(s);
	}
	session_free(s);
	fclose(f);
	arena_free(a);
}

static bool differs(const struct job *j)
{
	return !j->want || strcmp(j->want, j->got) != 0;
}

/* While shrinking, a program must fail in the same way: refused, or with other output. */
struct shrinking {
	struct job *j;
	bool was_refused;
	char reason[48];
};

/* Returns the last words of the first line, without the number of the source line. */
static void reason(char *to, size_t n, const struct job *j)
{
	size_t len = strcspn(j->got, "\n"), at = len;

	while (at > 0 && j->got[at - 1] != ':')
		at--;
	snprintf(to, n, "%.*s", j->want ? 0 : (int)(len - at), j->got + at);
}

static bool fails(void *arg, const char *text)
{
	struct shrinking *sh = arg;
	char why[sizeof(sh->reason)];

	run(sh->j, text);
	reason(why, sizeof(why), sh->j);
	return differs(sh->j) && sh->was_refused == !sh->j->want && strcmp(why, sh->reason) == 0;
}

static void show_outputs(const struct job *j)
{
	printf("-- got\n%s\n-- want\n%s\n--\n", j->got, j->want ? j->want : "(to be run)");
}

/* A rare difference disappears when the program is made small, so it is printed first. */
static void show(struct job *j, struct gen_node *program)
{
	struct shrinking sh = {.j = j, .was_refused = !j->want};
	struct buf b = {0};

	show_outputs(j);
	reason(sh.reason, sizeof(sh.reason), j);
	gen_shrink(program, fails, &sh, SHRINK_TRIES);
	gen_render(&b, program);
	run(j, buf_str(&b));
	printf("-- program\n%s", buf_str(&b));
	show_outputs(j);
	buf_free(&b);
}

/*
 * The kernel creates no thread-locals while it frees the thread-locals of an ending thread that was
 * preempted on the CPU (bpf_task_storage_trylock in kernel/bpf/bpf_task_storage.c).  That is a
 * reported drop. If the next run has none, the program is right.
 */
static bool has_lost(const struct job *j)
{
	return j->in_kernel && j->got && strstr(j->got, " dynamic variable drop");
}

/* The verifier of 6.1 processes far more instructions than the verifier of 6.18; some programs
 * exceed its limit. */
static bool is_too_large(const struct job *j)
{
	return j->in_kernel && !j->want && strstr(j->got, "exceeds maximum program size");
}

enum outcome { PASSED, FAILED, TOO_LARGE, OUTCOMES };

static enum outcome test(struct job *jobs, unsigned int n, uint64_t seed, enum gen_size size)
{
	struct arena *a = arena_new();
	struct gen_node *program = gen_program(a, seed, size);
	struct buf b = {0};
	enum outcome res = PASSED;

	gen_render(&b, program);
	for (unsigned int i = 0; i < n && res == PASSED; i++) {
		run(&jobs[i], buf_str(&b));
		if (has_lost(&jobs[i])) {
			printf("seed %llu: a drop, run again\n", (unsigned long long)seed);
			run(&jobs[i], buf_str(&b));
		}
		if (is_too_large(&jobs[i])) {
			printf("seed %llu: too large for the kernel\n", (unsigned long long)seed);
			res = TOO_LARGE;
		} else if (differs(&jobs[i])) {
			res = FAILED;
			printf("seed %llu, %s, -x opt=%s\n", (unsigned long long)seed,
			       jobs[i].in_kernel ? "kernel" : "interpreter", jobs[i].opt);
			show(&jobs[i], program);
		}
	}
	gen_free(program);
	buf_free(&b);
	arena_free(a);
	return res;
}

static void print(uint64_t seed, enum gen_size size)
{
	struct arena *a = arena_new();
	struct gen_node *program = gen_program(a, seed, size);
	struct buf b = {0};

	gen_render(&b, program);
	fputs(buf_str(&b), stdout);
	gen_free(program);
	buf_free(&b);
	arena_free(a);
}

int main(int argc, char **argv)
{
	struct job jobs[] = {{.opt = "0"}, {.opt = "2"}};
	bool in_kernel = false, only_print = false;
	enum gen_size size = GEN_SMALL;
	uint64_t range[2] = {0, 1000};
	unsigned int n[OUTCOMES] = {0}, nargs = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("TZ", "UTC", 1);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--kernel") == 0)
			in_kernel = true;
		else if (strcmp(argv[i], "--big") == 0)
			size = GEN_BIG;
		else if (strcmp(argv[i], "--print") == 0)
			only_print = true;
		else if (nargs < 2)
			range[nargs++] = strtoull(argv[i], NULL, 0);
	}
	jobs[0].in_kernel = jobs[1].in_kernel = in_kernel;
	if (only_print) {
		print(range[0], size);
		return 0;
	}
	for (uint64_t i = range[0]; i < range[0] + range[1] && n[FAILED] < 5; i++)
		n[test(jobs + in_kernel, 2 - in_kernel, i, size)]++;
	for (unsigned int i = 0; i < 2; i++) {
		free(jobs[i].got);
		free(jobs[i].want);
	}
	printf("%u passed, %u failed", n[PASSED], n[FAILED]);
	printf(n[TOO_LARGE] ? ", %u too large\n" : "\n", n[TOO_LARGE]);
	return n[FAILED] || !n[PASSED];
}
