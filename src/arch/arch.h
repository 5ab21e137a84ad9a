/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.h: descriptions of processors.  All are compiled in, so that each can be tested anywhere,
 * and arch_native is the one of this machine.
 *
 * Places of registers are offsets in the kernel's view of a process's registers.  This is the start
 * of struct pt_regs, which is also the context of perf event and uprobe programs, and the result of
 * PTRACE_GETREGSET.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct insn;
struct operand;

/*
 * Location of the return address if a walk along the frames misses it: in the link register, at the
 * stack pointer, or one word above it.  A walk misses it before the function has set up its frame,
 * and after it has removed it.
 */
enum arch_caller {
	ARCH_CALLER_IN_FRAME,
	ARCH_CALLER_ON_TOP,
	ARCH_CALLER_BELOW_TOP,
	ARCH_CALLER_SHOWN, /* on top, and the kernel's own walk finds it there */
};

#define ARCH_SYSCALL_ARGS 6
#define ARCH_FLAGS	  5
#define ARCH_HEAD	  8 /* bytes of code that decide on the location */

struct arch {
	const char *name; /* "x86_64" */
	uint16_t machine; /* of ELF files: EM_* */

	/* relocations: result of a resolver; called function; function whose address is taken */
	uint32_t rel_choice, rel_call, rel_address;

	/* constants of Capstone: CS_ARCH_*, CS_MODE_* */
	int capstone, capstone_mode;

	/* registers */
	unsigned int nregs; /* words of PTRACE_GETREGSET */
	unsigned int pc, sp, result;
	unsigned int fp;   /* the frame pointer, if a function keeps one */
	unsigned int link; /* register with the return address; 0: it is on the stack */
	unsigned int mode; /* the word that says whether user code runs */
	uint64_t mode_mask;
	unsigned int flags; /* the word with the flags of conditional jumps; 0: unknown */
	uint8_t flag_bits[ARCH_FLAGS]; /* bit of each flag, in the order of enum insn_cond */
	/* user code runs if the bits are 0; else: if they are not 0 */
	bool user_is_zero;

	/* calls: arguments in registers, and the word of the stack where the others start */
	const unsigned int *args;
	unsigned int nargs, stack_args;

	/* words for a structure too large for registers, and for one as a result */
	unsigned int large_words, result_words;

	/*
	 * Places of registers in the order of their DWARF numbers.  Vector registers begin with
	 * number dwarf_vector.  Then the numbers of registers for results, and for Go's parameters.
	 */
	const unsigned int *dwarf_regs;
	unsigned int ndwarf_regs, dwarf_vector;
	unsigned int dwarf_results[2];
	const unsigned int *go_args;
	unsigned int ngo_args, ngo_vectors;

	/* vector registers for arguments */
	unsigned int nvector_args;

	/* system calls: arguments, and the member of struct pt_regs with the number */
	unsigned int syscall_args[ARCH_SYSCALL_ARGS];
	const char *syscall_nr;

	/*
	 * Numbers of the frame pointer, the stack pointer and the return address in unwind tables.
	 * All 0: no tables are made (src/proc/unwind.h).
	 */
	unsigned int dwarf_fp, dwarf_sp, dwarf_ra;

	/* 32-bit calls: a bit in a member of struct thread_info; arguments */
	const char *compat_word;
	uint64_t compat_bit;
	unsigned int compat_args[ARCH_SYSCALL_ARGS];

	/*
	 * uregs[]: words of struct pt_regs, then members of struct thread_struct, ended by NULL.
	 * The latter are saved when the thread is switched out.
	 */
	unsigned int nuregs;
	const char *const *thread_regs;
	const char *thread_pointer; /* the member that identifies a thread; NULL: none */

	/*
	 * breakpoints: the bits of a word of code, and the distance after it at which a process
	 * stops
	 */
	uint64_t brk, brk_mask;
	unsigned int brk_len;

	/*
	 * Decodes the instruction at code, of which n bytes can be read.  Returns false if there is
	 * none, or if it does not end within n bytes.
	 */
	bool (*decode)(const uint8_t *code, size_t n, struct insn *res);

	/* Programs of 32 bits, with arguments on the stack: their machine, 0: none. */
	uint16_t narrow_machine;
	bool (*narrow_decode)(const uint8_t *code, size_t n, struct insn *res);

	/*
	 * Returns the location of the return address at the instruction `code`, which is `at` bytes
	 * after the start `head` of a function.  Both have ARCH_HEAD bytes.  is_shown: the kernel
	 * corrects its walk for the first instructions of functions.
	 */
	enum arch_caller (*caller)(const uint8_t *head, const uint8_t *code, uint32_t at,
				   bool is_shown);

	/*
	 * Parses the location of a value in assembler syntax, n bytes.  Returns false if it is
	 * unknown.
	 */
	bool (*operand)(const char *text, size_t n, struct operand *res);
};

extern const struct arch arch_x86_64, arch_aarch64;

/* The description of this machine, and the D declarations of its regs[] and uregs[]. */
extern const struct arch *const arch_native;
extern const char arch_regs[], arch_uregs[];

#endif
