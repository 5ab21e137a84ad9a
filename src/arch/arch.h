/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.h: what differs between processors: a description of each, which are all there, so that each
 * can be tested anywhere; and the one of this machine.
 *
 * Places of registers are offsets in what the kernel shows of a process's registers: the start of
 * struct pt_regs, which is also the context of perf event and uprobe programs, and what
 * PTRACE_GETREGSET gives.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct insn;
struct operand;

/*
 * Where the address is that a function returns to, if a walk along the frames misses it because its
 * own is not set up yet, or not any more: in the link register, or at the stack pointer, or one
 * word above it.
 */
enum arch_caller {
	ARCH_CALLER_IN_FRAME,
	ARCH_CALLER_ON_TOP,
	ARCH_CALLER_BELOW_TOP,
	ARCH_CALLER_SHOWN, /* on top, from where the kernel's own walk takes it */
};

#define ARCH_SYSCALL_ARGS 6
#define ARCH_FLAGS	  5
#define ARCH_HEAD	  8 /* bytes of code that tell where the caller is */

struct arch {
	const char *name; /* "x86_64" */
	uint16_t machine; /* of ELF files: EM_* */

	/* relocations: of what a resolver chooses; of what is called, and whose address is taken */
	uint32_t rel_choice, rel_call, rel_address;

	/* what Capstone calls it: CS_ARCH_*, CS_MODE_* */
	int capstone, capstone_mode;

	/* registers */
	unsigned int nregs; /* words that PTRACE_GETREGSET gives */
	unsigned int pc, sp, result;
	unsigned int fp;   /* the frame pointer, if a function keeps one */
	unsigned int link; /* what a function returns to; 0: that is on the stack */
	unsigned int mode; /* the word that tells whether user code runs ... */
	uint64_t mode_mask;
	unsigned int flags; /* the word with those that conditional jumps ask; 0: not known */
	uint8_t flag_bits[ARCH_FLAGS]; /* where each is, in the order of enum insn_cond */
	bool user_is_zero;	       /* ... which is so if these bits are, or else are not, 0 */

	/* calls: arguments in registers, and from which word of the stack on the others are */
	const unsigned int *args;
	unsigned int nargs, stack_args;

	/* words that a structure too large for registers takes, and one that is the result */
	unsigned int large_words, result_words;

	/*
	 * Registers in the order of their numbers in DWARF, as places; the vector registers begin
	 * with number dwarf_vector.  Numbers of those with results, and with Go's parameters.
	 */
	const unsigned int *dwarf_regs;
	unsigned int ndwarf_regs, dwarf_vector;
	unsigned int dwarf_results[2];
	const unsigned int *go_args;
	unsigned int ngo_args, ngo_vectors;

	/* vector registers that arguments may take */
	unsigned int nvector_args;

	/* system calls: arguments, and the member of struct pt_regs that has the number */
	unsigned int syscall_args[ARCH_SYSCALL_ARGS];
	const char *syscall_nr;

	/*
	 * What unwind tables call the frame pointer, the stack pointer and the return address,
	 * which is below the frame; all 0: no tables are made (src/proc/unwind.h).
	 */
	unsigned int dwarf_fp, dwarf_sp, dwarf_ra;

	/* 32-bit calls: a bit in a member of struct thread_info; arguments */
	const char *compat_word;
	uint64_t compat_bit;
	unsigned int compat_args[ARCH_SYSCALL_ARGS];

	/*
	 * uregs[]: words of struct pt_regs, then members of struct thread_struct, up to NULL, saved
	 * when the thread was last switched out.
	 */
	unsigned int nuregs;
	const char *const *thread_regs;
	const char *thread_pointer; /* the one of these that tells threads apart; NULL: none */

	/* breakpoints: the bits of a word of code, and how far behind it a process stops */
	uint64_t brk, brk_mask;
	unsigned int brk_len;

	/*
	 * Decode the instruction at code, of which n bytes can be read.  False: it is none, or does
	 * not end within n bytes.
	 */
	bool (*decode)(const uint8_t *code, size_t n, struct insn *res);

	/* Programs of 32 bits, which have their arguments on the stack: their machine, 0: none. */
	uint16_t narrow_machine;
	bool (*narrow_decode)(const uint8_t *code, size_t n, struct insn *res);

	/*
	 * At the instruction `code`, `at` bytes behind the start `head` of a function; of both
	 * there are ARCH_HEAD bytes.  is_shown: the kernel puts the walk right at what functions
	 * begin with.
	 */
	enum arch_caller (*caller)(const uint8_t *head, const uint8_t *code, uint32_t at,
				   bool is_shown);

	/* Where a value is, in the syntax of the assembler: n bytes.  False: nothing is known. */
	bool (*operand)(const char *text, size_t n, struct operand *res);
};

extern const struct arch arch_x86_64, arch_aarch64;

/* This machine, and the D declarations of its regs[] and uregs[]. */
extern const struct arch *const arch_native;
extern const char arch_regs[], arch_uregs[];

#endif
