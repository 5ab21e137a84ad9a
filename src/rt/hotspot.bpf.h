/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot.bpf.h: frames of Java (HotSpot on x86-64).  All code lies in the code cache.  Interpreted
 * methods have a frame pointer.  Compiled methods (nmethods) and other pieces of code (blobs) have
 * a frame of fixed size.  hotspot_step.bpf.h goes to their callers.
 */
#define HOTSPOT_HOPS 20 /* to the start of a block; 18 for the largest one, 1 for most */

/* In an interpreted frame, from its frame pointer. */
#define HOTSPOT_SENDER (-8) /* stack pointer of the caller, before it was extended */
#define HOTSPOT_METHOD (-24)
#define HOTSPOT_BCP    (-64) /* address of the bytecode */

/* Registers that the kernel saved (struct pt_regs). */
#define HOTSPOT_R13 16
#define HOTSPOT_RBX 40
#define HOTSPOT_RAX 80
#define HOTSPOT_RIP 128
#define HOTSPOT_RSP 152

/* The first bytes of names of blobs. */
#define HOTSPOT_NMETHOD 0x00646f6874656d6eULL /* nmethod */
#define HOTSPOT_NATIVE	0x6e2065766974616eULL /* native nmethod */
#define HOTSPOT_STUBS	0x74756f5262757453ULL /* StubRoutines */

static void *(*const current_btf)(void) = (void *)158;
static void *(*const task_regs)(void *task) = (void *)175;

/* A piece of code. */
struct hotspot_blob {
	u64 at, code, end, name;
	s64 frame; /* words, with the return address and the saved frame pointer */
};

ALWAYS_INLINE u64 user_u32(u64 addr)
{
	u32 n = 0;

	read_user(&n, sizeof(n), (const void *)addr);
	return n;
}

ALWAYS_INLINE u64 hotspot_word(u64 addr)
{
	u64 word = 0;

	user_word(addr, &word);
	return word;
}

ALWAYS_INLINE u64 hotspot_reg(u64 regs, u64 off)
{
	u64 value = 0;

	read_kernel(&value, sizeof(value), (const void *)(regs + off));
	return value;
}

/* Returns the registers of the thread if the frame is the one it runs, else 0. */
ALWAYS_INLINE u64 hotspot_regs(const struct abi_walk *w)
{
	u64 regs;

	if (w->is_caller)
		return 0;
	regs = (u64)task_regs(current_btf());
	if (hotspot_reg(regs, HOTSPOT_RIP) != w->pc || hotspot_reg(regs, HOTSPOT_RSP) != w->sp)
		return 0;
	return regs;
}

ALWAYS_INLINE u32 is_hotspot_code(const struct abi_hotspot *x, u64 pc)
{
	return pc - x->start < x->end - x->start;
}

/* ---- blobs ---- */

/*
 * Returns the address of the blob with pc, or 0.  A byte of the table is the number of segments to
 * go back, 0 at the start of a block, and 255 where nothing is.
 *
 * Functions with loops are global, so that the verifier follows each loop once, and not again for
 * each path to it.
 */
RT u64 rt_hotspot_blob_at(struct abi_walk *w, u64 pc)
{
	struct abi_runtime *r = w ? runtime_of(w) : 0;
	const struct abi_hotspot *x;
	u64 start = 0, segments = 0, at;
	u8 back = 0;

	if (!r)
		return 0;
	x = &r->hotspot;

	for (u32 i = 0; i < ABI_HOTSPOT_HEAPS; i++)
		if (pc - x->heaps[i].start < x->heaps[i].end - x->heaps[i].start) {
			start = x->heaps[i].start;
			segments = x->heaps[i].segments;
		}
	if (!segments)
		return 0;
	at = (pc - start) >> (x->shift & 63);
	for (u32 i = 0; i < HOTSPOT_HOPS; i++) {
		if (read_user(&back, 1, (const void *)(segments + at)) != 0 || back == 255 ||
		    back > at)
			return 0;
		if (!back)
			return start + (at << (x->shift & 63)) + x->block;
		at -= back;
	}
	return 0;
}

/* Reads an address in the code of a blob. */
ALWAYS_INLINE u64 hotspot_address(const struct abi_hotspot *x, u64 blob, u64 off)
{
	return x->is_relative ? blob + user_u32(blob + off) : hotspot_word(blob + off);
}

ALWAYS_INLINE u32 hotspot_blob(const struct abi_hotspot *x, struct abi_walk *w,
			       struct hotspot_blob *b)
{
	u64 pc = w->pc;

	b->at = rt_hotspot_blob_at(w, pc);
	if (!b->at)
		return 0;
	b->code = hotspot_address(x, b->at, x->code);
	b->end = hotspot_address(x, b->at, x->code_end);
	b->name = hotspot_word(hotspot_word(b->at + x->name));
	b->frame = (int)user_u32(b->at + x->frame);
	return pc - b->code < b->end - b->code;
}

ALWAYS_INLINE u32 is_compiled(const struct hotspot_blob *b)
{
	return b->name == HOTSPOT_NMETHOD || b->name == HOTSPOT_NATIVE;
}

/* Returns 1 if the frame of code at pc may not be complete. */
ALWAYS_INLINE u32 is_in_prologue(const struct abi_hotspot *x, u64 pc, const struct hotspot_blob *b)
{
	u32 shift = x->complete_shift & 31;
	int complete = (int)((u32)user_u32(b->at + x->complete) << shift) >> shift;

	return (s64)(pc - b->code) < complete;
}

/* ---- the interpreter ---- */

ALWAYS_INLINE u32 is_interpreter(const struct abi_hotspot *x, u64 pc)
{
	return pc - x->interpreter < x->interpreter_end - x->interpreter;
}

/*
 * Returns 1 if the thread has entered the method, which has no frame yet.  Then r13 is the stack
 * pointer of the caller, and rbp is still the frame pointer of the caller.
 */
ALWAYS_INLINE u32 hotspot_entered(const struct abi_walk *w, u64 regs)
{
	u64 r13 = regs ? hotspot_reg(regs, HOTSPOT_R13) : 0;

	return r13 > w->sp && r13 - w->sp <= FRAME_FAR && !(r13 & 7) &&
	       (w->fp < w->sp || w->fp >= r13);
}

/* Returns a word of the frame; as long as the thread has not pushed it, from its register. */
ALWAYS_INLINE u64 hotspot_pushed(const struct abi_walk *w, u64 regs, s64 off, u64 reg)
{
	u64 at = w->fp + (u64)off;

	return regs && at < w->sp ? hotspot_reg(regs, reg) : hotspot_word(at);
}

/* Returns the place in n bytes of code that begin at an address; 0: it is unknown. */
ALWAYS_INLINE u64 hotspot_bytecode(const struct abi_walk *w, u64 regs, u64 start, u64 n)
{
	/* While the interpreter runs, the address is in a register. */
	u64 at = regs ? hotspot_reg(regs, HOTSPOT_R13) - start : n;

	if (at >= n)
		at = hotspot_word(w->fp + HOTSPOT_BCP) - start;
	return at < n ? at + 1 : 0;
}

/* Adds a name to a number.  Returns 0 if it is unreadable. */
ALWAYS_INLINE u64 hotspot_add(u64 number, const struct abi_hotspot *x, u64 symbol,
			      u64 part[ABI_CONTENT_WORDS])
{
	u64 length = (u16)user_u32(symbol + x->symbol_length);

	return length ? add_content(number, symbol + x->symbol, length, part) : 0;
}

/*
 * Returns the check of a method, by its fixed part (abi.h): a class that is loaded often has the
 * memory of one that was unloaded.
 */
RT u64 rt_hotspot_check(struct abi_walk *w, u64 part, u64 nbytecodes)
{
	u64 words[ABI_CONTENT_WORDS], pool, number, name, before, left;
	struct abi_runtime *r = w ? runtime_of(w) : 0;
	const struct abi_hotspot *x;

	if (!r)
		return part;
	x = &r->hotspot;
	pool = hotspot_word(part + x->pool);
	number = hotspot_add(part, x, hotspot_word(hotspot_word(pool + x->class) + x->class_name),
			     words);
	name = (u16)user_u32(part + x->method_name);
	if (number)
		number = hotspot_add(number, x, hotspot_word(pool + x->entries + 8 * name) & ~1ULL,
				     words);
	if (!number)
		return part;
	before = x->bytecodes + nbytecodes;
	left = 8 * (u64)user_u32(part + x->nwords) - before;
	words[0] = words[1] = 0;
	if (left >= ABI_HOTSPOT_LINES)
		read_user(words, ABI_HOTSPOT_LINES, (const void *)(part + before));
	return abi_mix(abi_mix(number, words[0]), words[1]);
}

ALWAYS_INLINE u32 hotspot_interpreted(const struct abi_hotspot *x, struct abi_walk *w,
				      struct lang_frame *res)
{
	u64 regs = hotspot_regs(w);
	u32 is_entered = hotspot_entered(w, regs);
	u16 n = 0;

	if (!is_entered && !is_frame(w))
		return 0;
	res->key = is_entered ? hotspot_reg(regs, HOTSPOT_RBX)
			      : hotspot_pushed(w, regs, HOTSPOT_METHOD, HOTSPOT_RBX);
	res->object = res->key;
	res->check = hotspot_word(res->key + x->const_method);
	if (!res->check ||
	    read_user(&n, sizeof(n), (const void *)(res->check + x->nbytecodes)) != 0)
		return 0;
	if (!is_entered)
		res->at = hotspot_bytecode(w, regs, res->check + x->bytecodes, n);
	res->check = rt_hotspot_check(w, res->check, n);
	return 1;
}

/* ---- for lang.bpf.h ---- */

/*
 * Returns the place of a return address, or of the pc of the thread.  A frame that waits for its
 * deoptimization has kept the address on the stack.
 */
ALWAYS_INLINE u64 hotspot_place(const struct abi_hotspot *x, struct abi_walk *w,
				const struct hotspot_blob *b)
{
	u64 pc = w->pc;

	if (!w->is_caller && is_in_prologue(x, pc, b))
		return 0;
	if (w->is_caller && (pc == hotspot_address(x, b->at, x->deopt[0]) ||
			     pc == hotspot_address(x, b->at, x->deopt[1])))
		pc = hotspot_word(w->sp + user_u32(b->at + x->original_pc));
	return pc - b->code < b->end - b->code ? pc - b->code + 1 : 0;
}

/* Describes the method at w.  Returns 0 if it is another piece of code. */
ALWAYS_INLINE u32 hotspot_frame(const struct abi_hotspot *x, struct abi_walk *w,
				struct lang_frame *res)
{
	struct hotspot_blob b;

	if (is_interpreter(x, w->pc))
		return hotspot_interpreted(x, w, res);
	if (!hotspot_blob(x, w, &b) || !is_compiled(&b))
		return 0;
	res->key = res->object = b.at | ABI_HOTSPOT_COMPILED;
	res->check = user_u32(b.at + x->compile_id);
	res->at = hotspot_place(x, w, &b);
	return 1;
}
