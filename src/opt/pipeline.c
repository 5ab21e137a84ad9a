/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipeline.c: the list of passes, in the order in which they run.
 *
 * Each file of this folder is one pass and opens with its contract: what it requires of the
 * function, what it keeps, what it breaks.  Common to all: input and output satisfy ir_verify, no
 * arithmetic on pointers is invented, and memory operations and calls never move across a branch
 * that guards them.  The list runs until nothing changes, a few times at most; the last two passes
 * run once.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "ir/ir.h"
#include "opt/opt.h"

#define MAX_ROUNDS 4

static const struct opt_pass passes[] = {
    {"cfg", opt_cfg},	{"copy", opt_copy},	{"fold", opt_fold},
    {"gvn", opt_gvn},	{"read", opt_read},	{"load", opt_load},
    {"cond", opt_cond}, {"thread", opt_thread}, {"dce", opt_dce},
};

static const struct opt_pass final_passes[] = {
    {"sink", opt_sink},
    {"dce", opt_dce},
};

#define COUNT(x) (sizeof(x) / sizeof(*(x)))

const struct opt_pass *opt_find(const char *name)
{
	for (unsigned int p = 0; p < COUNT(passes); p++)
		if (strcmp(passes[p].name, name) == 0)
			return &passes[p];
	for (unsigned int p = 0; p < COUNT(final_passes); p++)
		if (strcmp(final_passes[p].name, name) == 0)
			return &final_passes[p];
	return NULL;
}

/* In checking builds, names the pass that breaks a rule, and stops the program. */
static void check(struct ir_func *f, const char *pass)
{
#ifdef IR_CHECK
	const char *msg = ir_verify(f->mod);

	if (msg) {
		fprintf(stderr, "after %s: %s\n", pass, msg);
		assert(!"a pass broke the function");
	}
#endif
}

static bool run_list(struct ir_func *f, const struct opt_pass *list, unsigned int n)
{
	bool changed = false;

	for (unsigned int p = 0; p < n; p++) {
		changed = list[p].run(f) || changed;
		check(f, list[p].name);
	}
	return changed;
}

static void run_func(struct ir_func *f)
{
	for (unsigned int round = 0; round < MAX_ROUNDS; round++)
		if (!run_list(f, passes, COUNT(passes)))
			break;
	run_list(f, final_passes, COUNT(final_passes));
}

void opt_run(struct ir_module *m, int level)
{
	for (unsigned int f = 0; f < m->nfuncs; f++)
		ir_remove_unreachable(m->funcs[f]);
	for (unsigned int f = 0; f < m->nfuncs; f++) {
		check(m->funcs[f], "lowering");
		if (level > 0)
			run_func(m->funcs[f]);
	}
}
