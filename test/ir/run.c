/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c: runs the optimizer tests on its command line; each file has one rule of one pass.
 *
 *	; the rule
 *	;; pass NAME [NAME...]
 *	IR before
 *	---
 *	IR after, or `bad TEXT`: the message of the parser or verifier
 *
 * Values are numbered in order on both sides before the texts are compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "base/arena.h"
#include "base/buf.h"
#include "opt/opt.h"

#define MAX_PASSES 8
#define MAX_RUNS   8

static unsigned int failed;

static void fail(const char *name, const char *what, const char *more)
{
	printf("%s: %s%s%s\n", name, what, more ? ": " : "", more ? more : "");
	failed++;
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	struct buf b = {0};
	char chunk[4096];
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	fclose(f);
	return b.s;
}

/* Prints IR with values numbered in order. */
static void print(struct buf *out, struct ir_module *m)
{
	for (unsigned int f = 0; f < m->nfuncs; f++)
		ir_renumber(m->funcs[f]);
	ir_print(out, m);
}

static struct ir_module *parse(struct arena *a, const char *name, const char *text)
{
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);

	if (m)
		err = ir_verify(m);
	if (!err)
		return m;
	fail(name, "bad IR", err);
	return NULL;
}

/* Runs a pass, which must report its changes, because the pipeline ends when nothing changes. */
static void run_pass(struct ir_module *m, const char *name, const struct opt_pass *pass)
{
	struct buf before = {0}, after = {0};
	bool changed = false;

	print(&before, m);
	for (unsigned int f = 0; f < m->nfuncs; f++)
		changed = pass->run(m->funcs[f]) || changed;
	print(&after, m);
	if (!changed && strcmp(buf_str(&before), buf_str(&after)) != 0)
		fail(name, "changed, but not reported", pass->name);
	buf_free(&before);
	buf_free(&after);
}

/* Finds the passes of a list; returns their number, or 0 if one does not exist or there are too
 * many. */
static unsigned int find_passes(const char *name, char *list, const struct opt_pass **passes)
{
	unsigned int n = 0;

	for (char *p = strtok(list, " \t"); p; p = strtok(NULL, " \t")) {
		const struct opt_pass *pass = n < MAX_PASSES ? opt_find(p) : NULL;

		if (!pass) {
			fail(name, "no such pass", p);
			return 0;
		}
		passes[n++] = pass;
	}
	return n;
}

static bool run_passes(struct ir_module *m, const char *name, const struct opt_pass **passes,
		       unsigned int n)
{
	for (unsigned int p = 0; p < n; p++) {
		const char *msg;

		run_pass(m, name, passes[p]);
		msg = ir_verify(m);
		if (msg) {
			fail(name, passes[p]->name, msg);
			return false;
		}
	}
	return n > 0;
}

/* A pass with nothing left to do must report no change, otherwise the pipeline runs all its
 * rounds. */
static void check_rest(struct ir_module *m, const char *name, const struct opt_pass *pass)
{
	for (unsigned int f = 0; f < m->nfuncs; f++) {
		unsigned int n = 0;

		for (; n < MAX_RUNS && pass->run(m->funcs[f]); n++)
			opt_dce(m->funcs[f]);
		if (n == MAX_RUNS)
			fail(name, "reports a change without end", pass->name);
	}
}

static void expect_bad(struct arena *a, const char *name, const char *text, const char *want)
{
	const char *err;
	struct ir_module *m = ir_parse(a, text, &err);

	if (m)
		err = ir_verify(m);
	if (!err || !strstr(err, want))
		fail(name, "wrong message", err ? err : "none");
}

static void compare(const char *name, struct ir_module *got, struct ir_module *want)
{
	struct buf x = {0}, y = {0};

	print(&x, got);
	print(&y, want);
	if (strcmp(buf_str(&x), buf_str(&y)) != 0) {
		fail(name, "differs", NULL);
		printf("--- got\n%s--- want\n%s", buf_str(&x), buf_str(&y));
	}
	buf_free(&x);
	buf_free(&y);
}

static void run_test(const char *name, char *text)
{
	struct arena *a = arena_new();
	char *list = strstr(text, ";; pass "), *after = strstr(text, "\n---\n"), *end;
	const struct opt_pass *passes[MAX_PASSES];
	struct ir_module *m, *want;
	unsigned int n;

	if (!list || !after) {
		fail(name, "no passes or no result", NULL);
		arena_free(a);
		return;
	}
	after[1] = '\0';
	after += 5;
	end = strchr(list, '\n');
	list += strlen(";; pass ");
	if (strncmp(after, "bad ", 4) == 0) {
		after[strcspn(after, "\n")] = '\0';
		expect_bad(a, name, end, after + 4);
	} else {
		*end = '\0';
		m = parse(a, name, end + 1);
		want = parse(a, name, after);
		n = find_passes(name, list, passes);
		if (m && want && run_passes(m, name, passes, n)) {
			compare(name, m, want);
			for (unsigned int p = 0; p < n; p++)
				check_rest(m, name, passes[p]);
		}
	}
	arena_free(a);
}

static bool run_file(const char *path)
{
	unsigned int before = failed;
	char *text = read_file(path);

	if (text)
		run_test(path, text);
	else
		fail(path, "cannot be read", NULL);
	free(text);
	return failed == before;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		result_begin();
		result_end(argv[i], run_file(argv[i]));
	}
	return result_status();
}
