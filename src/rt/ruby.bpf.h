/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ruby.bpf.h: the frames of Ruby of a thread, from the innermost one.  A thread has an execution
 * context, whose address is thread-local data of the interpreter.  The context has a stack of
 * control frames, which grows down.  These offsets are equal in Ruby 3.1 and 3.3 (vm_core.h,
 * method.h, internal/imemo.h).
 */
#define RUBY_DTV       8 /* from the thread pointer: the vector of thread-local data (x86-64 ABI) */
#define RUBY_DTV_ENTRY 16
#define RUBY_STACK \
	0 /* in a context: the stack, its size in words, the innermost frame, the thread */
#define RUBY_STACK_SIZE 8
#define RUBY_INNERMOST	16
#define RUBY_THREAD	48
#define RUBY_BODY	16 /* in an iseq */
#define RUBY_DEF	16 /* in a method */
#define RUBY_ID		32 /* in its definition */
#define RUBY_SKIPPED	8  /* limit of consecutive frames that are no calls */

#define RUBY_IS_C   0x80 /* flags of a frame: its iseq is none */
#define RUBY_KIND   0x7fff0001
#define RUBY_CFUNC  0x55550001
#define RUBY_FINISH 0x20   /* C called the function, so the interpreter's loop ends with it */
#define RUBY_IMEMO  0xf01f /* flags of an object: its kind */
#define RUBY_METHOD 0x601a

/* Returns the execution context of the thread; 0: it has none. */
ALWAYS_INLINE u64 ruby_context(const struct abi_ruby *ruby, u64 tls)
{
	u64 dtv = 0, block = 0, context = 0, thread = 0, back = 0;

	if (!user_word(tls + RUBY_DTV, &dtv) ||
	    !user_word(dtv + ruby->module * RUBY_DTV_ENTRY, &block) ||
	    !user_word(block + ruby->context, &context) ||
	    !user_word(context + RUBY_THREAD, &thread) || !user_word(thread + ruby->back, &back) ||
	    back != context)
		return 0;
	return context;
}

/* Sets w->sp to the outermost frame, which is a dummy.  Returns the innermost frame; 0: none. */
ALWAYS_INLINE u64 ruby_begin(const struct abi_ruby *ruby, struct abi_walk *w, u64 tls)
{
	u64 context = ruby_context(ruby, tls), stack = 0, words = 0, frame = 0;

	if (!context || !user_word(context + RUBY_STACK, &stack) ||
	    !user_word(context + RUBY_STACK_SIZE, &words) || words >= 1U << 24 ||
	    !user_word(context + RUBY_INNERMOST, &frame) || frame < stack ||
	    frame > stack + words * 8)
		return 0;
	w->sp = stack + words * 8 - ruby->frame;
	return frame;
}

/* A function of C.  Its definition does not move, as methods do.  Returns 0 if there is none. */
ALWAYS_INLINE u32 ruby_method(u64 ep, struct lang_frame *res)
{
	u64 method = 0, head = 0, def = 0;

	if (!user_word(ep - 16, &method) || !user_word(method, &head) ||
	    (head & RUBY_IMEMO) != RUBY_METHOD || !user_word(method + RUBY_DEF, &def) || !def)
		return 0;
	res->key = res->object = def | ABI_RUBY_DEF;
	user_word(def + RUBY_ID, &res->check);
	return 1;
}

struct ruby_frame {
	u64 pc, stack, iseq, self, ep; /* ep: flags; the method is two words before them */
};

struct ruby_body {
	u64 head, code;
};

/* Returns the check of a body (abi.h). */
RT u64 rt_ruby_check(u64 body, u64 head, u64 code)
{
	u64 words[4] = {0}, number = abi_mix(head, code), full, label;

	read_user(words, sizeof(words), (const void *)(body + ABI_RUBY_PLACE));
	number = abi_mix_words(number, words, 4);
	label = words[ABI_RUBY_LABEL];
	if (read_user(words, ABI_RUBY_TEXT_WORDS * 8,
		      (const void *)(words[ABI_RUBY_PATH] + ABI_RUBY_TEXT)))
		return number;
	full = abi_mix_words(number, words, ABI_RUBY_TEXT_WORDS);
	if (read_user(words, ABI_RUBY_TEXT_WORDS * 8, (const void *)(label + ABI_RUBY_TEXT)))
		return number;
	return abi_mix_words(full, words, ABI_RUBY_TEXT_WORDS);
}

/* A function in Ruby.  Its body does not move, as iseqs do. */
ALWAYS_INLINE u32 ruby_function(const struct ruby_frame *f, struct lang_frame *res)
{
	struct ruby_body b;
	u64 body = 0;

	if (!f->iseq || !user_word(f->iseq + RUBY_BODY, &body) ||
	    read_user(&b, sizeof(b), (const void *)body))
		return 0;
	res->key = res->object = body;
	res->check = rt_ruby_check(body, b.head, b.code);
	res->at = f->pc - b.code < ABI_LANG_AT_MAX * 8 ? (f->pc - b.code) / 8 + 1 : 0;
	return 1;
}

/* Sets w->fp to the caller.  Returns 0 if there is no frame. */
ALWAYS_INLINE u32 ruby_next(const struct abi_ruby *ruby, struct abi_walk *w, struct lang_frame *res)
{
	for (u32 i = 0; i < RUBY_SKIPPED && w->fp < w->sp; i++) {
		struct ruby_frame f;
		u64 flags = 0;

		if (read_user(&f, sizeof(f), (const void *)w->fp) || !user_word(f.ep, &flags))
			return 0;
		w->fp += ruby->frame;
		res->is_entry = (flags & RUBY_FINISH) != 0;
		if ((flags & RUBY_KIND) == RUBY_CFUNC
			? ruby_method(f.ep, res)
			: !(flags & RUBY_IS_C) && ruby_function(&f, res))
			return 1;
	}
	return 0;
}
