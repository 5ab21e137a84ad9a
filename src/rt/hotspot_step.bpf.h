/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot_step.bpf.h: from a frame of Java, or of another piece of code that HotSpot made, to its
 * caller.  The rules come from src/hotspot/cpu/x86: frame_x86.hpp, sharedRuntime_x86_64.cpp,
 * stubGenerator_x86_64.cpp, templateInterpreterGenerator_x86.cpp and macroAssembler_x86.cpp.
 *
 * A frame whose callee runs is easy.  Where the thread itself runs, at any instruction, the code
 * around it decides which part of the frame exists.  A wrong rule ends the walk, or finds wrong
 * frames of that process.  Each step raises w->sp.
 */
#define HOTSPOT_NEAR   0x400   /* bytes of a stub's frame */
#define HOTSPOT_EXTRA  7       /* words that code may have pushed onto its frame, + 1 */
#define HOTSPOT_PUSHED 24      /* words that a stub may have pushed */
#define HOTSPOT_COOKIE (~0ULL) /* an entry barrier has pushed it */

/* The caller of a frame. */
struct hotspot_caller {
	u64 pc, sp;
	u64 fp_at; /* address of its frame pointer; 0: in the register */
};

/* Returns 1 if a call is right before pc: call rel32, call r/m64. */
ALWAYS_INLINE u32 is_after_call(u64 pc)
{
	u64 code = hotspot_word(pc - 8);

	return (code >> 24 & 0xff) == 0xe8 || (code >> 48 & 0x38ff) == 0x10ff ||
	       (code >> 40 & 0x38ff) == 0x10ff || (code >> 16 & 0x38ff) == 0x10ff;
}

/* ---- the interpreter ---- */

/*
 * The entry pops the return address, makes room for the variables, and pushes it again, then the
 * frame pointer.
 */
ALWAYS_INLINE u32 hotspot_leave_entered(const struct abi_hotspot *x, struct abi_walk *w, u64 regs,
					struct hotspot_caller *c)
{
	c->sp = hotspot_reg(regs, HOTSPOT_R13);
	c->pc = hotspot_word(w->sp);
	if (c->pc == w->fp)
		c->pc = hotspot_word(w->sp + 8);
	if (!is_hotspot_code(x, c->pc))
		c->pc = hotspot_reg(regs, HOTSPOT_RAX);
	return is_hotspot_code(x, c->pc);
}

ALWAYS_INLINE u32 hotspot_leave_interpreted(const struct abi_hotspot *x, struct abi_walk *w,
					    struct hotspot_caller *c)
{
	u64 regs = hotspot_regs(w);

	if (hotspot_entered(w, regs))
		return hotspot_leave_entered(x, w, regs, c);
	c->pc = hotspot_word(w->fp + 8);
	c->sp = hotspot_pushed(w, regs, HOTSPOT_SENDER, HOTSPOT_R13);
	c->fp_at = w->fp;
	return is_frame(w);
}

/* ---- compiled methods and stubs ---- */

#define SKIP_CODE(code, next, bits) \
	((code) = (code) >> (bits) | (next) << (64 - (bits)), (next) >>= (bits))

/* Returns the bits of an instruction push or pop (op: 50 or 58) of a register, or 0. */
ALWAYS_INLINE u32 is_push_or_pop(u64 code, u64 op)
{
	if ((code & 0xf8) == op)
		return 8;
	return (code & 0xff) == 0x41 && (code >> 8 & 0xf8) == op ? 16 : 0;
}

/*
 * Returns the words that are above the frame at pc.  Code pushes up to two for a call, and pops
 * them after it.  A pop of %rbp ends the frame.
 */
RT u64 rt_hotspot_above(u64 pc)
{
	u64 code = hotspot_word(pc), next = hotspot_word(pc + 8), pushes = 0, pops = 0, bits;

	for (u32 i = 0; i < 2; i++) {
		bits = is_push_or_pop(code, 0x50);
		if (!bits)
			break;
		SKIP_CODE(code, next, bits);
		pushes++;
	}
	if ((code & 0xff) == 0xe8)
		SKIP_CODE(code, next, 40);
	else if (pushes)
		return 0;
	for (u32 i = 0; i < 2; i++) {
		bits = is_push_or_pop(code, 0x58);
		if (!bits || (code & 0xff) == 0x5d)
			break;
		SKIP_CODE(code, next, bits);
		pops++;
	}
	return pops > pushes ? pops - pushes : 0;
}

/*
 * Returns the stack pointer after a frame whose size is known has been left: cfa, or a few words
 * more, if the code has pushed more.  Returns 0 if no return address is before either.
 */
RT u64 rt_hotspot_sized(struct abi_walk *w, u64 cfa)
{
	struct abi_runtime *r = w ? runtime_of(w) : 0;

	if (!r)
		return 0;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < HOTSPOT_EXTRA; i++, cfa += 8) {
		u64 pc = hotspot_word(cfa - 8);

		/* A frame that waits for its deoptimization has an address after no call. */
		if (is_hotspot_code(&r->hotspot, pc) && (!i || is_after_call(pc)))
			return cfa;
	}
	return 0;
}

/* Leaves a compiled method that has its whole frame. */
ALWAYS_INLINE u32 hotspot_leave_sized(struct abi_walk *w, const struct hotspot_blob *b,
				      struct hotspot_caller *c)
{
	u64 cfa = rt_hotspot_sized(w, w->sp + (u64)b->frame * 8);

	c->pc = hotspot_word(cfa - 8);
	c->sp = cfa;
	c->fp_at = cfa - 16;
	return cfa != 0;
}

/* Returns 1 if the call before pc goes to code from start to end: call rel32; mov $imm64,%r10 and
 * call %r10. */
ALWAYS_INLINE u32 is_call_of(u64 start, u64 end, u64 pc)
{
	u64 code = hotspot_word(pc - 8), to = 0;

	if ((code >> 24 & 0xff) == 0xe8)
		to = pc + (u64)(s64)(int)(code >> 32);
	else if (code >> 40 == 0xd2ff41)
		to = hotspot_word(pc - 11);
	return to - start < end - start;
}

/*
 * Returns where the return address of a stub is, among words that it may have pushed, or 0.  If end
 * is not 0, the call must go to the code from start to end.
 */
RT u64 rt_hotspot_pushed(struct abi_walk *w, u64 start, u64 end)
{
	struct abi_runtime *r = w ? runtime_of(w) : 0;
	u64 at;

	if (!r)
		return 0;
	at = w->sp;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < HOTSPOT_PUSHED; i++, at += 8) {
		u64 pc = hotspot_word(at);

		if (is_hotspot_code(&r->hotspot, pc) &&
		    (end ? is_call_of(start, end, pc) : is_after_call(pc)))
			return at;
	}
	return 0;
}

/* Leaves a stub that the thread runs.  is_exact: not an adapter, which jumps reach. */
ALWAYS_INLINE u32 hotspot_leave_pushed(struct abi_walk *w, const struct hotspot_blob *b,
				       u32 is_exact, struct hotspot_caller *c)
{
	u64 at = rt_hotspot_pushed(w, is_exact ? b->code : 0, is_exact ? b->end : 0);

	if (!at)
		return 0;
	c->pc = hotspot_word(at);
	c->sp = at + 8;
	c->fp_at = w->fp == at - 8 ? w->fp : 0;
	return 1;
}

/* Removes the last one of 16 bytes of code. */
#define DROP_CODE(last, before) ((last) = (last) << 8 | (before) >> 56, (before) <<= 8)

/* Returns 1 if four bytes of code end with push %rbp, or are that and mov %rsp,%rbp. */
ALWAYS_INLINE u32 is_push(u32 code)
{
	return code >> 24 == 0x55 || code == 0xec8b4855;
}

#define HOTSPOT_HAS_FP (1ULL << 32)

/*
 * Returns the words of the frame that exist at pc, which is not the first instruction.  The code
 * before it decides: a push as above and sub $n,%rsp; or this sub and mov %rbp,n(%rsp).  From
 * JDK 20 on cmpl $n,n(%r15) may follow.  Adds HOTSPOT_HAS_FP if the frame pointer is saved.
 */
RT u64 rt_hotspot_prologue(u64 pc, u64 frame)
{
	u64 last = hotspot_word(pc - 8), before = hotspot_word(pc - 16);

	/* Instructions that do nothing: nop, xchg %ax,%ax, nopl (%rax). */
	if (last >> 40 == 0x001f0f)
		last = last << 24 | before >> 40, before <<= 24;
	for (u32 i = 0; i < 3; i++)
		if (last >> 56 == 0x90 || last >> 48 == 0x9066)
			DROP_CODE(last, before);
	if (is_push(last >> 32))
		return 2 | HOTSPOT_HAS_FP;
	if ((u32)last == 0x24ac8948 || (u32)(last >> 24) == 0x246c8948 ||
	    (last & 0xffffff) == 0x7f8141)
		return frame | HOTSPOT_HAS_FP;
	if ((last >> 32 & 0xffffff) == 0xec8348)
		return frame | (is_push((u32)last) ? HOTSPOT_HAS_FP : 0);
	if ((last >> 8 & 0xffffff) == 0xec8148)
		return frame | (is_push((u32)(last << 24 | before >> 40)) ? HOTSPOT_HAS_FP : 0);
	return 1;
}

/* Returns the words of the frame that exist at pc, where the thread runs. */
ALWAYS_INLINE s64 hotspot_words(const struct abi_hotspot *x, u64 pc, const struct hotspot_blob *b,
				u32 *has_fp)
{
	u64 code = hotspot_word(pc);
	u32 is_ret = (code & 0xff) == 0xc3;

	*has_fp = 0;
	if (pc == b->code || is_ret)
		return 1;
	if (is_compiled(b)) {
		u64 before = hotspot_word(pc - 8) >> 56;

		/*
		 * After pop %rbp: cmp n(%r15),%rsp; after leave: cmpq $0,n(%r15).  Then ja n or
		 * jne n, which a ret follows.
		 */
		if (((code & 0xffff) == 0x3b49 && before == 0x5d) ||
		    ((code & 0xffff) == 0x8149 && before == 0xc9) ||
		    (code & 0xff00000000fdff) == 0xc300000000850f)
			return 1;
		if (is_in_prologue(x, pc, b)) {
			u64 words = rt_hotspot_prologue(pc, (u32)b->frame);

			*has_fp = (words & HOTSPOT_HAS_FP) != 0;
			return (u32)words;
		}
		*has_fp = 1;
		if ((code & 0xff) == 0x5d)
			return 2;
	}
	*has_fp = 1;
	return b->frame + rt_hotspot_above(pc);
}

/* Leaves a frame whose size is known. */
ALWAYS_INLINE u32 hotspot_leave_code(const struct abi_hotspot *x, struct abi_walk *w,
				     const struct hotspot_blob *b, struct hotspot_caller *c)
{
	s64 words = b->frame;
	u32 has_fp = 1;

	/* A stub that saves registers has less than its frame meanwhile. */
	if (!w->is_caller && !is_compiled(b) && hotspot_leave_pushed(w, b, 1, c))
		return 1;
	if (!w->is_caller)
		words = hotspot_words(x, w->pc, b, &has_fp);
	else if (is_compiled(b))
		words += rt_hotspot_above(w->pc);
	c->sp = w->sp + (u64)words * 8;
	c->pc = hotspot_word(c->sp - 8);
	c->fp_at = has_fp ? c->sp - 16 : 0;
	if (is_hotspot_code(x, c->pc))
		return 1;
	if (is_compiled(b))
		return hotspot_leave_sized(w, b, c);
	/* A stub may return to native code, too. */
	if (!w->is_caller)
		hotspot_leave_pushed(w, b, 0, c);
	return 1;
}

/*
 * Leaves a stub with a frame pointer.  The barrier at the entry of a method calls one after a push.
 */
ALWAYS_INLINE u32 hotspot_leave_framed(struct abi_walk *w, struct hotspot_caller *c)
{
	u64 is_pushed = hotspot_word(w->fp + 8) == HOTSPOT_COOKIE;

	c->sp = w->fp + 16 + 8 * is_pushed;
	c->pc = hotspot_word(c->sp - 8);
	c->fp_at = w->fp;
	return is_frame(w);
}

/*
 * Leaves a stub of unknown size.  Where the thread runs, it may have no frame yet or no longer, or
 * only words that it has pushed.  Adapters have no frame.
 */
ALWAYS_INLINE u32 hotspot_leave_stub(const struct abi_hotspot *x, struct abi_walk *w,
				     const struct hotspot_blob *b, struct hotspot_caller *c)
{
	u64 pc = hotspot_word(w->fp + 8), first = hotspot_word(w->sp);
	u32 is_framed = is_frame(w) && is_hotspot_code(x, pc);
	u32 is_adapter = b->name != HOTSPOT_STUBS && b->frame == 0;

	if (w->is_caller && b->frame >= 0)
		return hotspot_leave_framed(w, c);
	if (w->is_caller)
		return is_framed ? hotspot_leave_framed(w, c) : hotspot_leave_pushed(w, b, 0, c);
	if (w->pc == x->call_stub || (is_framed && is_call_of(b->code, b->end, pc)))
		return hotspot_leave_framed(w, c);
	if (hotspot_leave_pushed(w, b, 1, c))
		return 1;
	if (is_adapter && is_hotspot_code(x, first)) {
		c->pc = first;
		c->sp = w->sp + 8;
		c->fp_at = 0;
		return 1;
	}
	if (!is_adapter && is_framed && w->fp - w->sp < HOTSPOT_NEAR)
		return hotspot_leave_framed(w, c);
	/* Native code calls flush_icache_stub, which has no frame. */
	if (!is_hotspot_code(x, first) && is_after_call(first)) {
		c->pc = first;
		c->sp = w->sp + 8;
		c->fp_at = 0;
		return 1;
	}
	return hotspot_leave_pushed(w, b, 0, c);
}

/* ---- for unwind.bpf.h ---- */

/*
 * Goes from a frame in the code cache to its caller, and sets the registers.  Returns 0 if the
 * caller cannot be found.
 */
RT u64 rt_hotspot_leave(struct abi_walk *w)
{
	struct hotspot_caller c = {0};
	const struct abi_hotspot *x;
	struct abi_runtime *r;
	struct hotspot_blob b;
	u32 ok;

	if (!w)
		return 0;
	r = runtime_of(w);
	if (!r || r->kind != ABI_HOTSPOT)
		return 0;
	x = &r->hotspot;
	if (is_interpreter(x, w->pc))
		ok = hotspot_leave_interpreted(x, w, &c);
	else if (!hotspot_blob(x, w, &b))
		ok = 0;
	else if (b.frame > 0)
		ok = hotspot_leave_code(x, w, &b, &c);
	else
		ok = hotspot_leave_stub(x, w, &b, &c);
	if (!ok || !c.pc || c.sp <= w->sp || (c.fp_at && !user_word(c.fp_at, &w->fp)))
		return 0;
	w->pc = c.pc;
	w->sp = c.sp;
	w->is_caller = 1;
	return 1;
}
