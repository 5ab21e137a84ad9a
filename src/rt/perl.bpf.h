/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perl.bpf.h: the frames of Perl of a thread, from the innermost one.
 *
 * The interpreter has a list of stacks of contexts.  Contexts of subroutines and evals are frames;
 * their callers are at the statements that contexts have saved.  The offsets are equal in 5.36 and
 * 5.40 (intrpvar.h, cop.h, sv.h, cv.h, gv.h, hv.h; built with threads).
 */
#define PERL_STATEMENT	  208 /* in an interpreter: PL_curcop */
#define PERL_STACK	  224 /* PL_curstackinfo */
#define PERL_CONTEXTS	  8   /* in a stack: cxstack, si_prev, cxix, and type in the upper half */
#define PERL_OUTER	  16
#define PERL_TOP	  32
#define PERL_TYPE	  40
#define PERL_CONTEXT	  104 /* bytes of a context; oldcop, and cv of a subroutine */
#define PERL_CALLER	  16
#define PERL_RETURN	  48 /* of a subroutine: the operation after the call; 0: C called it */
#define PERL_CODE	  72
#define PERL_LINE	  36 /* in a statement */
#define PERL_FILE	  48
#define PERL_BODY	  0  /* in a subroutine */
#define PERL_CODE_PACKAGE 32 /* in its body */
#define PERL_CODE_GLOB	  56 /* with the name, unless PERL_IS_NAMED: then the name is here */
#define PERL_CODE_FLAGS	  88 /* the upper half */
#define PERL_IS_NAMED	  0x8000
#define PERL_GLOB_FIRST	  56 /* in the inner part of a glob: the glob that it was made from */
#define PERL_GLOB_NAME	  32 /* in its body */
#define PERL_GLOB_PACKAGE 40
#define PERL_IS_GLOB	  0x8000 /* flag: it has an inner part */
#define PERL_GLOB_TYPE	  9	 /* or the next one */
#define PERL_PACKAGE	  32	 /* in the body of a hash that is a package: struct perl_package */
#define PERL_STEPS	  512

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

/* Any object. */
struct perl_sv {
	u64 body, flags, inner; /* flags: the upper half; its lowest byte is the type */
};

struct perl_package {
	u64 names, unused[2], count; /* count: the upper half */
};

/*
 * Returns a number for a name and its package, which are at two addresses; 0: one is unreadable.  A
 * key of a hash begins with its hash and its length.  A package with several names has an array of
 * them.  A negative count means that it lost the first.
 */
RT u64 rt_perl_names(u64 name_at, u64 package_at)
{
	struct perl_package p;
	u64 name = 0, word = 0;

	if (!user_word(name_at, &name) || !user_word(name, &name) ||
	    !user_word(package_at, &word) || !user_word(word, &word) ||
	    read_user(&p, sizeof(p), (const void *)(word + PERL_PACKAGE)))
		return 0;
	if (p.count >> 32)
		user_word(p.names + (p.count >> 63) * 8, &p.names);
	return user_word(p.names, &word) ? abi_mix(abi_mix(1, name), word) : 0;
}

/* Returns the body with the names of a glob. */
RT u64 rt_perl_glob(u64 glob)
{
	struct perl_sv sv;
	u64 first = 0;

	if (read_user(&sv, sizeof(sv), (const void *)glob))
		return 0;
	if ((sv.flags >> 32 & 0xff) - PERL_GLOB_TYPE <= 1 && sv.flags >> 32 & PERL_IS_GLOB &&
	    user_word(sv.inner + PERL_GLOB_FIRST, &first) && first)
		user_word(first, &sv.body);
	return sv.body;
}

/* Adds a text to a number.  Returns 0 if the number is 0, or the text is unreadable. */
RT u64 rt_perl_text(u64 number, u64 addr)
{
	u64 part[ABI_CONTENT_WORDS];

	return number ? add_content(number, addr, ~0ULL, part) : 0;
}

/* Sets the object of a subroutine.  Returns a number for its names. */
ALWAYS_INLINE u64 perl_sub(u64 code, struct lang_frame *res)
{
	u64 body = 0, flags = 0, glob = 0;

	res->object = code | ABI_PERL_SUB;
	user_word(code + PERL_BODY, &body);
	user_word(body + PERL_CODE_FLAGS, &flags);
	if (flags >> 32 & PERL_IS_NAMED)
		return rt_perl_names(body + PERL_CODE_GLOB, body + PERL_CODE_PACKAGE);
	if (!user_word(body + PERL_CODE_GLOB, &glob) || !glob)
		return 0;
	res->object = glob | ABI_PERL_GLOB;
	body = rt_perl_glob(glob);
	return rt_perl_names(body + PERL_GLOB_NAME, body + PERL_GLOB_PACKAGE);
}

/*
 * Returns 0 if there is no frame.  Perl frees statements of an eval and subroutines, and makes
 * others in their place, so names stand for them.  Each statement has a copy of the name of the
 * file.
 */
ALWAYS_INLINE u32 perl_next(const struct abi_perl *perl, struct abi_walk *w, struct lang_frame *res)
{
	struct perl_walk p;
	u64 line = 0, number, file = 0, statement = w->caller;

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
	user_word(statement + PERL_FILE, &file);
	if (p.kind == ABI_PERL_SUB) {
		number = rt_perl_text(perl_sub(p.found, res), file);
		res->check = file;
		res->key = abi_mix(number ? number : res->object, file);
	} else {
		res->object = file | p.kind;
		number = rt_perl_text(p.kind, file);
		res->key = res->check = number ? number : res->object;
	}
	return 1;
}
