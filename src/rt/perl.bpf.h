/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perl.bpf.h: the frames of Perl of a thread, from the innermost one.
 *
 * The interpreter has a list of stacks of contexts.  Contexts of subroutines and evals are frames;
 * their callers are at the statements that contexts have saved.  The offsets are equal in 5.36 and
 * 5.40 (intrpvar.h, cop.h; built with threads).
 */
#define PERL_STATEMENT	208 /* in an interpreter: PL_curcop */
#define PERL_STACK	224 /* PL_curstackinfo */
#define PERL_CONTEXTS	8   /* in a stack: cxstack, si_prev, cxix, and type in the upper half */
#define PERL_OUTER	16
#define PERL_TOP	32
#define PERL_TYPE	40
#define PERL_CONTEXT	104 /* bytes of a context; oldcop, and cv of a subroutine */
#define PERL_CALLER	16
#define PERL_RETURN	48 /* of a subroutine: the operation after the call; 0: C called it */
#define PERL_CODE	72
#define PERL_LINE	36 /* in a statement */
#define PERL_FILE	48
#define PERL_BODY	0  /* in a subroutine */
#define PERL_ROOT	48 /* in its body: the first operation */
#define PERL_CODE_GLOB	56 /* with the name, unless PERL_IS_NAMED: then the name is here */
#define PERL_CODE_FILE	64
#define PERL_CODE_FLAGS 88 /* the upper half */
#define PERL_IS_NAMED	0x8000
#define PERL_STEPS	512

#define PERL_MAIN_STACK 1
#define PERL_NOT_READ	(~0ULL)

enum { PERL_SUB = 9, PERL_FORMAT = 10, PERL_EVAL = 11 };
#define PERL_FAKE 0x80 /* of PERL_SUB: a code block of a regular expression */

struct perl_walk {
	u64 stack, top; /* top: number of contexts that are left, or PERL_NOT_READ */
	u64 statement;
	u64 found, kind, is_entry;
};

static long perl_outer(struct perl_walk *p)
{
	u64 type = 0, outer = 0;

	user_word(p->stack + PERL_TYPE, &type);
	user_word(p->stack + PERL_OUTER, &outer);
	p->stack = type >> 32 == PERL_MAIN_STACK ? 0 : outer;
	p->top = PERL_NOT_READ;
	if (p->stack)
		return 0;
	p->found = p->statement;
	p->kind = ABI_PERL_MAIN;
	return 1;
}

/* Looks at one context, or goes to the outer stack.  Returns 1 when a frame is found. */
static long perl_step(u32 i, struct perl_walk *p)
{
	u64 contexts = 0, head = 0, at, top = 0, word = 0, statement = p->statement;

	if (p->top == PERL_NOT_READ) {
		user_word(p->stack + PERL_TOP, &top);
		p->top = (u32)top + 1 > 1U << 24 ? 0 : (u32)top + 1;
	}
	if (!p->top)
		return perl_outer(p);
	p->top--;
	if (!user_word(p->stack + PERL_CONTEXTS, &contexts))
		return 1;
	at = contexts + p->top * PERL_CONTEXT;
	if (!user_word(at, &head))
		return 1;
	if ((head & 15) == PERL_EVAL) {
		p->found = statement;
		p->kind = ABI_PERL_EVAL;
	} else if ((head & 15) == PERL_FORMAT || ((head & 15) == PERL_SUB && !(head & PERL_FAKE))) {
		user_word(at + PERL_CODE, &p->found);
		user_word(at + PERL_RETURN, &word);
		p->kind = ABI_PERL_SUB;
		p->is_entry = !word;
	} else {
		return 0;
	}
	user_word(at + PERL_CALLER, &p->statement);
	return 1;
}

ALWAYS_INLINE u64 perl_begin(const struct abi_perl *perl, struct abi_walk *w, u64 tls)
{
	u64 block = 0, interpreter = 0, stack = 0;

	if (!user_word(tls + perl->block, &block) || !block ||
	    !user_word(block + perl->value, &interpreter) || !interpreter)
		return 0;
	w->sp = PERL_NOT_READ;
	user_word(interpreter + PERL_STATEMENT, &w->caller);
	user_word(interpreter + PERL_STACK, &stack);
	return stack;
}

/* Returns the glob with the name of the subroutine with this body, or `object`. */
ALWAYS_INLINE u64 perl_named(u64 body, u64 object)
{
	u64 flags = 0, glob = 0;

	user_word(body + PERL_CODE_FLAGS, &flags);
	user_word(body + PERL_CODE_GLOB, &glob);
	return glob && !(flags >> 32 & PERL_IS_NAMED) ? glob | ABI_PERL_GLOB : object;
}

/*
 * Returns 0 if there is no frame.  Perl frees statements of an eval, and makes others in their
 * place, so that the name of the file is compared: "(eval 7)".
 */
ALWAYS_INLINE u32 perl_next(const struct abi_perl *perl, struct abi_walk *w, struct lang_frame *res)
{
	struct perl_walk p;
	u64 line = 0, name = 0, statement = w->caller;

	START(p);
	p.stack = w->fp;
	p.top = w->sp;
	p.statement = statement;
	p.found = 0;
	p.kind = p.is_entry = 0;
	loop(PERL_STEPS, perl_step, &p, 0);
	w->fp = p.stack;
	w->sp = p.top;
	w->caller = p.statement;
	if (!p.found)
		return 0;
	user_word(statement + PERL_LINE, &line);
	res->at = (u32)line;
	res->is_entry = p.is_entry;
	res->key = res->object = p.found | p.kind;
	if (p.kind == ABI_PERL_SUB) {
		/* The code stands for a subroutine, because each closure is one of its own. */
		user_word(p.found + PERL_BODY, &name);
		user_word(name + PERL_ROOT, &res->key);
		res->object = perl_named(name, res->object);
		/* A closure has a copy of the name of the file, its statements share one. */
		user_word(res->object & ABI_PERL_GLOB ? statement + PERL_FILE
						      : name + PERL_CODE_FILE,
			  &res->check);
	} else if (user_word(p.found + PERL_FILE, &res->check)) {
		user_word(res->check, &name);
		res->check ^= name << 1;
	}
	return 1;
}
