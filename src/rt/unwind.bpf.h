/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.bpf.h: a walk along the stack of a process by unwind tables (abi.h).
 *
 * Searches take the same steps for any input, without branches: `step` becomes 0 if it would go too
 * far.  The steps add up to the number of elements less one, so the verifier sees that no access is
 * beyond the last.
 */

struct {
	int (*type)[1];
} unwind __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} unwind_cache __attribute__((section(".maps"), used));

struct {
	int (*type)[1];
} runtimes __attribute__((section(".maps"), used));

static void *(*const lookup)(void *map, const void *key) = (void *)1;
static long (*const read_user)(void *dst, u32 size, const void *src) = (void *)112;

/*
 * Returns 1 if a <= b, else 0; both below 2^63.  The assembler hides the range from the compiler.
 */
ALWAYS_INLINE u64 at_most(u64 a, u64 b)
{
	asm("%0 -= %1\n%0 >>= 63\n%0 ^= 1" : "+r"(b) : "r"(a));
	return b;
}

#define STEP(at, step, first_of, x) (at) += (step)*at_most(first_of((at) + (step)), (x))

/* 127 = 64 + 32 + 16 + 8 + 4 + 2 + 1 */
#define STEPS_127(at, first_of, x)         \
	do {                               \
		STEP(at, 64, first_of, x); \
		STEP(at, 32, first_of, x); \
		STEP(at, 16, first_of, x); \
		STEP(at, 8, first_of, x);  \
		STEP(at, 4, first_of, x);  \
		STEP(at, 2, first_of, x);  \
		STEP(at, 1, first_of, x);  \
	} while (0)

RT u64 rt_unwind_search(u64 table, u64 pc)
{
	struct abi_unwind_key key = {.of = table};
	struct abi_unwind_row *rows;
	u64 at = 0;
	u32 *pages;

	pages = lookup(&unwind, &key);
	if (!pages)
		return ABI_RULE_FRAME;
#define PAGE(i) ((u64)pages[i])
	STEP(at, 2039, PAGE, pc);
	STEP(at, 1019, PAGE, pc);
	STEP(at, 510, PAGE, pc);
	STEP(at, 255, PAGE, pc);
	STEPS_127(at, PAGE, pc);
	STEPS_127(at, PAGE, pc);
	key.page = at + 1;
	rows = lookup(&unwind, &key);
	if (!rows)
		return ABI_RULE_FRAME;
	at = 0;
#define ROW(i) ((u64)rows[i].pc)
	STEP(at, 1019, ROW, pc);
	STEP(at, 510, ROW, pc);
	STEP(at, 255, ROW, pc);
	STEPS_127(at, ROW, pc);
	STEPS_127(at, ROW, pc);
	return rows[at].pc <= pc ? rows[at].rule : ABI_RULE_FRAME;
}

/*
 * Returns the rule to find the caller from pc in a table.  The place in the cache gives 16 bits of
 * pc.  The element has the other bits and the number of the table.
 */
RT u64 rt_unwind_rule(u64 table, u64 pc)
{
	u64 number = (u32)table, rule, is_of;
	u32 at = (u16)(pc + number * 40503);
	u64 *cached = lookup(&unwind_cache, &at);

	is_of = number << 16 | pc >> 16;
	if (!cached || number > 0xffff || pc >> 32)
		return rt_unwind_search(table, pc);
	rule = *cached;
	if (rule >> 32 == is_of)
		return (u32)rule;
	rule = rt_unwind_search(table, pc);
	*cached = is_of << 32 | rule;
	return rule;
}

_Static_assert(ABI_UNWIND_PAGES - 1 == 2039 + 1019 + 510 + 255 + 127 + 127, "steps");
_Static_assert(ABI_UNWIND_ROWS - 1 == 1019 + 510 + 255 + 127 + 127, "steps");
_Static_assert(ABI_UNWIND_RANGES - 1 == 253 + 127 + 127, "steps");
_Static_assert(sizeof(struct abi_unwind_space) == ABI_UNWIND_SIZE, "space");

/*
 * Returns 1 if the process is known with its address space.  Data without an address space applies
 * to the first address space that asks, until the process executes another program.
 */
RT u64 rt_unwind_known(struct abi_walk *w)
{
	struct abi_unwind_space *s;
	struct abi_unwind_key key = {0};

	if (!w)
		return 0;
	key.of = w->pid;
	s = lookup(&unwind, &key);
	if (!s || !w->mm)
		return 0;
	if (w->mm == ABI_MM_ANY)
		return 1;
	if (!s->mm)
		s->mm = w->mm;
	return s->mm == w->mm;
}

/* Finds the range of an address.  Notes a missing range, unless one was just reported. */
ALWAYS_INLINE u64 find_range(struct abi_walk *w, u64 pc)
{
	struct abi_unwind_key key = {.of = w->pid};
	struct abi_unwind_space *s = lookup(&unwind, &key);
	u64 at = 0, now;

	if (!s)
		return 0;
#define RANGE(i) s->ranges[i].start
	STEP(at, 253, RANGE, pc);
	STEPS_127(at, RANGE, pc);
	STEPS_127(at, RANGE, pc);
	w->range.start = s->ranges[at].start;
	w->range.end = s->ranges[at].end;
	w->range.moved = s->ranges[at].moved;
	w->range.table = s->ranges[at].table;
	if (pc - w->range.start < w->range.end - w->range.start)
		return 1;
	w->range.end = w->range.start;
	now = ktime();
	if (now >= s->due) {
		s->due = now + s->wait;
		w->news |= ABI_NEWS_RANGE;
	}
	return 0;
}

ALWAYS_INLINE u64 user_word(u64 addr, u64 *res)
{
	return read_user(res, sizeof(*res), (const void *)addr) == 0;
}

/* A frame pointer is trusted if it points up the stack, and not far. */
#define FRAME_FAR (1 << 20)

ALWAYS_INLINE u64 is_frame(const struct abi_walk *w)
{
	return w->fp >= w->sp && w->fp - w->sp < FRAME_FAR && !(w->fp & 7);
}

/* Restores the registers that the kernel saved for a handler (struct rt_sigframe of x86-64). */
ALWAYS_INLINE u64 leave_handler(struct abi_walk *w)
{
	u64 sp = w->sp;

	w->is_caller = 0;
	return user_word(sp + 120, &w->fp) && user_word(sp + 160, &w->sp) &&
	       user_word(sp + 168, &w->pc);
}

/* Returns the canonical frame address, or 0. */
ALWAYS_INLINE u64 frame_address(struct abi_walk *w, u64 rule)
{
	u64 off = (rule >> ABI_RULE_OFF) * 8, cfa = 0;

	switch (rule & ABI_RULE_MASK) {
	case ABI_RULE_SP:
		return w->sp + off;
	case ABI_RULE_FP:
		return w->fp + off;
	case ABI_RULE_SAVED:
		return user_word(w->fp - off, &cfa) ? cfa : 0;
	case ABI_RULE_PLT:
		return w->sp + 8 + ((w->pc & 15) >= off / 8 ? 8 : 0);
	case ABI_RULE_FRAME:
		return is_frame(w) ? w->fp + 16 : 0;
	}
	return 0;
}

/* Sets the registers to their values after the function has returned. */
ALWAYS_INLINE u64 leave(struct abi_walk *w, u64 rule)
{
	u64 kind = rule & ABI_RULE_MASK, slot = rule >> ABI_RULE_SLOT & ABI_SLOT_LOST, cfa;

	if (kind == ABI_RULE_SIGNAL)
		return leave_handler(w);
	cfa = frame_address(w, rule);
	if (cfa <= w->sp || !user_word(cfa - 8, &w->pc))
		return 0;
	if (kind == ABI_RULE_FRAME || kind == ABI_RULE_SAVED) {
		if (!user_word(w->fp, &w->fp))
			return 0;
	} else if (slot == ABI_SLOT_LOST) {
		w->fp = 1;
	} else if (slot && !user_word(cfa - slot * 8, &w->fp)) {
		return 0;
	}
	w->sp = cfa;
	w->is_caller = 1;
	return 1;
}

/*
 * Returns the rule for pc.  A return address at the start of the table's first function ends the
 * stack, which was made by hand (makecontext(3)): no call is before it.
 */
ALWAYS_INLINE u64 rule_at(struct abi_walk *w, u64 pc)
{
	u64 rule = rt_unwind_rule(w->range.table, pc);

	if (rule == ABI_RULE_FRAME && w->is_caller &&
	    rt_unwind_rule(w->range.table, pc + 1) != ABI_RULE_FRAME)
		return ABI_RULE_END;
	return rule;
}

/* Finds the range of the frame's pc.  Returns 0 if it is unknown. */
ALWAYS_INLINE u64 in_range(struct abi_walk *w)
{
	u64 pc = w->pc - w->is_caller;

	return pc - w->range.start < w->range.end - w->range.start || find_range(w, pc);
}

/* Goes from a frame of Java code to its caller.  Returns 0 if it cannot be found. */
u64 rt_hotspot_leave(struct abi_walk *w);

/* No process has code in the first page, or in the kernel's half of 57 bits. */
#define CODE_MIN 0x1000
#define CODE_MAX (1ULL << 56)

ALWAYS_INLINE u64 may_be_code(u64 pc)
{
	return pc - CODE_MIN < CODE_MAX - CODE_MIN;
}

ALWAYS_INLINE void lose(struct abi_walk *w, u64 reason)
{
	w->pc = ABI_FRAME_LOST - reason;
	w->is_over = 1;
}

ALWAYS_INLINE u64 leave_java(struct abi_walk *w)
{
	if (!rt_hotspot_leave(w))
		lose(w, ABI_LOST_UNKNOWN);
	w->nframes++;
	return 1;
}

/* Returns the reason why the caller was not found by a rule.  Without a range, no rule applied. */
ALWAYS_INLINE u64 reason_of(const struct abi_walk *w, u64 rule)
{
	if (w->range.start == w->range.end)
		return ABI_LOST_RANGE;
	if (rule == ABI_RULE_FRAME)
		return ABI_LOST_TABLE;
	return rule == ABI_RULE_LOST ? ABI_LOST_RULE : ABI_LOST_MEMORY;
}

/*
 * Goes from a frame to its caller.  Returns 0 if there is none.  If the caller cannot be found, it
 * is the last frame, ABI_FRAME_LOST.
 */
RT u64 rt_unwind(struct abi_walk *w)
{
	u64 rule = ABI_RULE_FRAME;

	if (!w || w->is_over)
		return 0;
	if (w->caller) {
		w->pc = w->caller;
		w->sp = w->caller_sp;
		w->caller = 0;
		w->is_caller = 1;
		w->nframes++;
		return 1;
	}
	if (!in_range(w))
		rule = ABI_RULE_LOST;
	else if (w->range.table == ABI_CODE_HOTSPOT)
		return leave_java(w);
	else if (w->range.table)
		rule = rule_at(w, w->pc - w->is_caller - w->range.moved);
	/* A chain of frame pointers ends with 0. */
	if (rule == ABI_RULE_END || (rule == ABI_RULE_FRAME && !w->fp)) {
		w->is_over = 1;
		return 0;
	}
	if (!leave(w, rule) || (w->pc && !may_be_code(w->pc)))
		lose(w, reason_of(w, rule));
	if (!w->pc)
		return 0;
	w->nframes++;
	return 1;
}
