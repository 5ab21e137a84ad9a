/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lang.bpf.h: the frames of the language that a process runs.  The consumer provides the layout of
 * the runtime for each process (consume/runtime.c).
 *
 * An interpreter has a chain of frames of its own: one function finds the innermost frame of the
 * thread, another one reads a frame and finds its caller.  A runtime that makes machine code has a
 * function that says which function of the language a frame of this code is.
 */
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
	u64 object;	/* the object that the consumer reads */
	u32 at;
	u32 is_entry; /* native code called it */
};

ALWAYS_INLINE struct abi_runtime *runtime_of(struct abi_walk *w)
{
	u64 key = w->pid;

	return lookup(&runtimes, &key);
}

#include "rt/content.bpf.h"
#include "rt/perl.bpf.h"
#include "rt/php.bpf.h"
#include "rt/python.bpf.h"
#include "rt/ruby.bpf.h"
#include "rt/v8.bpf.h"
#include "rt/hotspot.bpf.h"
#include "rt/hotspot_step.bpf.h"

/* Finds out whether frames of a language lie between the native frames of a process. */
RT u64 rt_lang_is_inline(struct abi_walk *w)
{
	struct abi_runtime *r;

	if (!w)
		return 0;
	r = runtime_of(w);
	w->is_inline = r && r->kind >= ABI_INLINE;
	return w->is_inline;
}

/*
 * Begins a walk.  Returns 0 if the process has no known runtime, or the thread does not run it.  If
 * w->is_inline, a walk of native frames has begun already.
 */
RT u64 rt_lang_begin(struct abi_walk *w, u64 tls)
{
	struct abi_runtime *r;

	if (!w)
		return 0;
	if (w->is_inline)
		return 1;
	w->fp = 0;
	w->news = 0;
	r = runtime_of(w);
	if (!r)
		return 0;
	w->kind = r->kind;
	if (r->kind == ABI_PYTHON)
		w->fp = python_begin(&r->python, w, tls);
	else if (r->kind == ABI_PHP)
		w->fp = php_begin(&r->php);
	else if (r->kind == ABI_PERL)
		w->fp = perl_begin(&r->perl, w, tls);
	else if (r->kind == ABI_RUBY)
		w->fp = ruby_begin(&r->ruby, w, tls);
	return w->fp != 0;
}

#define IS_NEW (1ULL << 63)

/*
 * Returns the number of a function (struct lang_frame).  Reports a new one, so that the consumer
 * reads its name, and adds IS_NEW.
 */
RT u64 rt_lang_number(u64 pid, u64 of, u64 check, u64 object)
{
	struct abi_lang_key key = {.pid = pid, .object = of};
	struct abi_lang_new new = {.pid = pid, .object = object, .check = check, .key = of};
	struct abi_lang_known *found = lookup(&lang_known, &key), known = {0};
	struct abi_runtime *counter;

	if (found && found->check == check)
		return found->number;
	counter = lookup(&runtimes, &known.check); /* process 0 */
	if (!counter)
		return 0;
	known.check = check;
	known.number = __sync_fetch_and_add(&counter->nfunctions, 1) + 1;
	update(&lang_known, &key, &known, 0);
	update(&lang_new, &known.number, &new, 0);
	return known.number | IS_NEW;
}

/* Returns the frame of a thread without frames of a language, by the words of its name; or 0. */
RT u64 rt_lang_none(u64 name, u64 more)
{
	u64 number = rt_lang_number(ABI_LANG_THREAD, name, more, name) & ~IS_NEW;

	return number ? ABI_FRAME_LANG | number << ABI_LANG_AT_BITS : 0;
}

ALWAYS_INLINE u64 word_of(struct abi_walk *w, const struct lang_frame *f)
{
	u64 at = f->at > ABI_LANG_AT_MAX ? 0 : f->at;
	u64 number = rt_lang_number(w->pid, f->key, f->check, f->object);

	if (number & IS_NEW)
		w->news |= ABI_NEWS_FUNCTION;
	return ABI_FRAME_LANG | (f->is_entry ? ABI_LANG_ENTRY : 0) |
	       (number & ~IS_NEW) << ABI_LANG_AT_BITS | at;
}

/* Returns the frame to record (abi.h) for a native one. */
RT u64 rt_lang_frame(struct abi_walk *w)
{
	struct lang_frame f = {0};
	struct abi_runtime *r;
	u32 ok = 0;

	if (!w)
		return 0;
	if (!w->is_inline || w->is_over || !in_range(w))
		return w->pc;
	r = runtime_of(w);
	if (!r)
		return w->pc;
	if (r->kind == ABI_V8)
		ok = v8_frame(&r->v8, w, &f);
	else if (r->kind == ABI_HOTSPOT && w->range.table == ABI_CODE_HOTSPOT)
		ok = hotspot_frame(&r->hotspot, w, &f);
	return ok ? word_of(w, &f) : w->pc;
}

#define NATIVE_MAX 100 /* limit of consecutive native frames */

/* A loop without a callback of bpf_loop, because the walk cannot be its context. */
ALWAYS_INLINE u64 next_inline(struct abi_walk *w)
{
	u64 frame;

#pragma clang loop unroll(disable)
	for (u32 i = 0; i < NATIVE_MAX; i++) {
		if (w->has_begun && !rt_unwind(w))
			return 0;
		w->has_begun = 1;
		frame = rt_lang_frame(w);
		if (frame & ABI_FRAME_LANG)
			return frame;
	}
	return 0;
}

/*
 * Returns the next frame of an interpreter (abi.h); 0: there is none.  Each interpreter has a
 * function of its own, because one function for all would need the stack of all.
 */
#define NEXT(name)                                                             \
	RT u64 rt_##name##_next(struct abi_walk *w)                            \
	{                                                                      \
		struct abi_runtime *r = w ? runtime_of(w) : 0;                 \
		struct lang_frame f = {0};                                     \
                                                                               \
		return r && name##_next(&r->name, w, &f) ? word_of(w, &f) : 0; \
	}

NEXT(python)
NEXT(php)
NEXT(perl)
NEXT(ruby)

ALWAYS_INLINE u64 next_in_chain(struct abi_walk *w)
{
	if (w->kind == ABI_PYTHON && !w->fp && w->caller)
		rt_python_older(w);
	if (!w->fp)
		return 0;
	switch (w->kind) {
	case ABI_PYTHON:
		return rt_python_next(w);
	case ABI_PHP:
		return rt_php_next(w);
	case ABI_PERL:
		return rt_perl_next(w);
	case ABI_RUBY:
		return rt_ruby_next(w);
	}
	return 0;
}

RT u64 rt_lang_next_in_chain(struct abi_walk *w)
{
	return w ? next_in_chain(w) : 0;
}

/* The same for any runtime.  A small frame, since native walks are deep. */
RT u64 rt_lang_next(struct abi_walk *w)
{
	if (!w)
		return 0;
	if (!w->is_inline)
		return next_in_chain(w);
	return w->is_over ? 0 : next_inline(w);
}
