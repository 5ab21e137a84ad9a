/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lang.bpf.h: the frames of the language that a process runs.  The consumer provides the layout of
 * the runtime for each process (consume/runtime.c).  Each runtime has a function that finds the
 * innermost frame of the thread, and one that reads a frame and finds its caller.
 */
struct {
	int (*type)[1];
} runtimes __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} lang_known __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} lang_new __attribute__((section(".maps"), used));

static long (*const update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static u64 (*const pid_tgid)(void) = (void *)14;

struct lang_frame {
	u64 key, check; /* see struct abi_lang_key and struct abi_lang_known */
	u64 object;	/* what the consumer reads */
	u64 at;
};

#include "rt/perl.bpf.h"
#include "rt/php.bpf.h"
#include "rt/python.bpf.h"
#include "rt/ruby.bpf.h"

/* Begins a walk.  Returns 0 if the process has no known runtime, or the thread does not run it. */
RT u64 rt_lang_begin(struct abi_walk *w, u64 tls)
{
	struct abi_runtime *r;
	u64 key;

	if (!w)
		return 0;
	key = w->pid;
	w->fp = 0;
	w->is_unknown = 0;
	r = lookup(&runtimes, &key);
	if (!r)
		return 0;
	if (r->kind == ABI_PYTHON)
		w->fp = python_begin(&r->python, tls);
	else if (r->kind == ABI_PHP)
		w->fp = php_begin(&r->php);
	else if (r->kind == ABI_PERL)
		w->fp = perl_begin(&r->perl, w, tls);
	else if (r->kind == ABI_RUBY)
		w->fp = ruby_begin(&r->ruby, w, tls);
	return w->fp != 0;
}

/* Returns the number of a function.  Reports a new one, so that the consumer reads its name. */
ALWAYS_INLINE u64 number_of(struct abi_walk *w, const struct lang_frame *f)
{
	struct abi_lang_key key = {.pid = w->pid, .object = f->key};
	struct abi_lang_new new = {.pid = w->pid, .object = f->object};
	struct abi_lang_known *found = lookup(&lang_known, &key), known;
	struct abi_runtime *counter;
	u64 zero = 0;

	if (found && found->check == f->check)
		return found->number;
	counter = lookup(&runtimes, &zero);
	if (!counter)
		return 0;
	known.check = f->check;
	known.number = __sync_fetch_and_add(&counter->nfunctions, 1) + 1;
	update(&lang_known, &key, &known, 0);
	update(&lang_new, &known.number, &new, 0);
	w->is_unknown = 1;
	return known.number;
}

/* Sets w->pc to the next frame (abi.h).  Returns 0 if there is none. */
RT u64 rt_lang_next(struct abi_walk *w)
{
	struct abi_runtime *r;
	struct lang_frame f;
	u64 key;
	u32 ok = 0;

	if (!w || !w->fp)
		return 0;
	key = w->pid;
	r = lookup(&runtimes, &key);
	if (!r)
		return 0;
	START(f);
	f.key = f.check = f.object = f.at = 0;
	if (r->kind == ABI_PYTHON)
		ok = python_next(&r->python, &w->fp, &f);
	else if (r->kind == ABI_PHP)
		ok = php_next(&r->php, &w->fp, &f);
	else if (r->kind == ABI_PERL)
		ok = perl_next(w, &f);
	else if (r->kind == ABI_RUBY)
		ok = ruby_next(&r->ruby, w, &f);
	if (!ok)
		return 0;
	if (f.at > ABI_LANG_AT_MAX)
		f.at = 0;
	w->pc = ABI_FRAME_LANG | number_of(w, &f) << ABI_LANG_AT_BITS | f.at;
	return 1;
}
