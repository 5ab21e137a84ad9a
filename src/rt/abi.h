/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abi.h: what the programs in the kernel and the consumer have to agree on, and nothing else.
 *
 * Records travel in one BPF ring buffer.  A record is an abi_rec followed by the data items of its
 * clause part, at the offsets of the descriptor that abi_rec.desc numbers.  Numbers below
 * ABI_DESC_MIN mark records of the run-time system itself.
 */
#ifndef RT_ABI_H
#define RT_ABI_H

#ifndef __bpf__
#include <stdint.h>
typedef uint16_t __abi16;
typedef uint32_t __abi32;
typedef uint64_t __abi64;
#else
typedef unsigned short __abi16;
typedef unsigned int __abi32;
typedef unsigned long long __abi64;
#endif

struct abi_rec {
	__abi16 desc; /* ABI_DESC_*, or ABI_DESC_MIN + index of the descriptor */
	__abi16 cpu;
	__abi32 probe; /* id of the published probe */
};

enum {
	ABI_DESC_ERROR,	  /* a run-time fault: struct abi_error */
	ABI_DESC_COMMIT,  /* of a speculation: struct abi_spec */
	ABI_DESC_DISCARD, /* the same */
	ABI_DESC_PROC,	  /* user addresses of a new process will come: struct abi_proc */
	ABI_DESC_MIN,
};

struct abi_error {
	struct abi_rec rec; /* probe: the one whose clause failed */
	__abi32 desc;	    /* descriptor of the failed part, without ABI_DESC_MIN */
	__abi32 action;	    /* 1-based; 0: predicate */
	__abi32 fault;	    /* DTRACEFLT_* */
	__abi32 pad;
	__abi64 value; /* address, or what the fault says */
};

struct abi_spec {
	struct abi_rec rec;
	__abi64 handle; /* number of the speculation, which use of it << 32 */
};

/*
 * The word of a speculation: these bits, and a counter of uses from bit ABI_SPEC_USE on.  If the
 * ring has no room for the record of a commit or discard, the bits tell the consumer instead.
 */
#define ABI_SPEC_ACTIVE 1
#define ABI_SPEC_ENDED	2 /* the consumer frees the number, */
#define ABI_SPEC_COMMIT 4 /* after printing the records */
#define ABI_SPEC_USE	3

struct abi_proc {
	struct abi_rec rec;
	__abi32 pid;
	__abi32 pad;
	__abi64 mm; /* struct mm_struct * */
};

/*
 * A stack is a word that says whose it is, and frames up to the first that is 0.  Zeros alone are
 * no stack.
 */
#define ABI_STACK_KERNEL (1ULL << 32)
#define ABI_STACK_USER	 (2ULL << 32) /* with the process's id */
#define ABI_STACK_NAMED	 (4ULL << 32) /* a kernel's; the consumer gives its frames names at once */

/* Run-time faults (the numbers are those of D's DTRACEFLT_*). */
enum abi_fault {
	ABI_FLT_UNKNOWN = 0,
	ABI_FLT_BADADDR = 1,
	ABI_FLT_BADALIGN = 2,
	ABI_FLT_ILLOP = 3,
	ABI_FLT_DIVZERO = 4,
	ABI_FLT_NOSCRATCH = 5,
	ABI_FLT_KPRIV = 6,
	ABI_FLT_UPRIV = 7,
	ABI_FLT_TUPOFLOW = 8,
	ABI_FLT_BADSTACK = 9,
	ABI_FLT_BADSIZE = 10,
	ABI_FLT_BADINDEX = 11,
};

/* What is counted instead of being lost: words of the per-CPU map `drops`. */
enum abi_drop {
	ABI_DROP_PRINCIPAL,   /* ring buffer full */
	ABI_DROP_AGGREGATION, /* no room for a new key */
	ABI_DROP_DYNAMIC, /* no room for an associative array element or thread-local variables */
	ABI_DROP_SPEC,	  /* speculation full */
	ABI_DROP_SPECBUSY,
	ABI_DROP_SPECUNAVAIL,
	ABI_DROP_DBLERROR, /* fault inside an ERROR clause */
	ABI_DROP_STKSTROVERFLOW,
	ABI_DROP_NESTED, /* no scratch memory left: probes nested too deeply */
	ABI_DROP_MAX,
};

/*
 * Of a kernel that is not ours: a time t of it is t + offset + (t - since) * rate / 2^32 by our
 * clock.
 */
struct abi_clock {
	__abi64 since, offset, rate;
};

/*
 * First bytes of the map `state`: written by the consumer and by exit().  Processors fetch
 * so much at a time, and rows that are written all the time follow (plan_row).
 */
struct abi_state {
	__abi64 active; /* ABI_STATE_* */
	__abi64 exit_status;
	__abi64 agg_half; /* 0 or 1: of the two halves of aggregations, the one that is written */
	__abi64 clock;	  /* which of the two clocks counts */
	struct abi_clock clocks[2];
	__abi64 wall; /* ns from CLOCK_MONOTONIC to the time of day, signed */
	/* Of the machine, each second where a program asks (struct plan, watches_machine). */
	__abi64 load[3];      /* load averages of 1, 5 and 15 minutes, times 65536 */
	__abi64 free_pages;   /* pages of memory that nobody uses, */
	__abi64 usable_pages; /* and with what can be had for the asking */
	__abi64 late_ends;    /* counts words that got ABI_SPEC_ENDED */
};

enum {
	ABI_STATE_IDLE, /* attached, BEGIN has not finished */
	ABI_STATE_ACTIVE,
	ABI_STATE_STOPPED, /* exit() ran, or the consumer stopped tracing */
};

/* Under policy ring, in front of each record. */
struct abi_kept {
	__abi64 before;	     /* position of the record before it, + 1; 0: it is the first */
	__abi64 time;	     /* CLOCK_MONOTONIC in ns */
	__abi32 size;	     /* with this, a multiple of 8 */
	__abi32 is_complete; /* not while it is written, nor if it was given back */
};

/* Memory of a CPU for them.  Position n is at records + n % its size. */
struct abi_memory {
	__abi64 end;  /* where the next record goes */
	__abi64 last; /* as abi_kept.before */
	char records[];
};

/*
 * What a process tells that has mapped something, and waits until the consumer has read it: for so
 * long, unless more than a few are waiting already, as when nobody reads.
 */
struct abi_pause {
	__abi32 pid, waits;
	__abi64 time; /* CLOCK_MONOTONIC in ns */
};

#define ABI_PAUSE_NS 1000000000ULL
#define ABI_PAUSES   4

/*
 * Stands for strsize in the run-time library: every `mov` of this number is replaced when a program
 * is linked, and the BTF type `struct str` is given that size.
 */
#define ABI_MAGIC_STRSIZE 0x53545253

/*
 * Scratch memory: the array map `scratch` has ABI_SCRATCH_SLOTS entries for each CPU.  The first
 * word of an entry is its owner flag: taken by an atomic exchange, because a program may be
 * interrupted by a probe, or preempted in favour of another one, at any instruction.
 */
#define ABI_SCRATCH_SLOTS 6
#define ABI_SCRATCH_HEAD  16 /* bytes of an entry in front of what clauses use */

/*
 * Unwinding: what the walk along the stack of a process knows, as elements of the hash `unwind`.
 * An element and what the kernel puts around it (struct htab_elem, 64 bytes with the key, and a
 * list node of 8) are four pages at most.
 */
#define ABI_UNWIND_SIZE	  16312
#define ABI_UNWIND_ROWS	  2039 /* of a page of a table */
#define ABI_UNWIND_PAGES  4078 /* of a table */
#define ABI_UNWIND_RANGES 508  /* of a process */
#define ABI_UNWIND_CACHE  (1 << 16)

/* A process, or, with ABI_UNWIND_TABLE, a page of a table; page 0 has the first pc of all others.
 */
#define ABI_UNWIND_TABLE (1ULL << 32)

struct abi_unwind_key {
	__abi64 of;
	__abi64 page;
};

/* From pc on, which is one of the file: how to find the caller. */
struct abi_unwind_row {
	__abi32 pc;
	__abi32 rule; /* ABI_RULE_* | slot << ABI_RULE_SLOT | offset << ABI_RULE_OFF */
};

/*
 * The canonical frame address (CFA) is where the stack pointer is when the function has returned;
 * the word below it is the return address.  `offset` and `slot` count words: the frame pointer of
 * the caller is at CFA - slot; 0: it has not been changed, ABI_SLOT_LOST: it is not known.
 */
enum abi_rule {
	ABI_RULE_FRAME,	 /* nothing is known of this code: perhaps it has a frame pointer */
	ABI_RULE_SP,	 /* stack pointer + offset */
	ABI_RULE_FP,	 /* frame pointer + offset */
	ABI_RULE_SAVED,	 /* what is at frame pointer - offset; the caller's is where that points to
			  */
	ABI_RULE_PLT,	 /* a procedure linkage table: one word, or two behind its first push */
	ABI_RULE_SIGNAL, /* a frame that the kernel has made for a signal handler */
	ABI_RULE_END,	 /* nobody called this */
	ABI_RULE_LOST,	 /* in another way than these */
};

#define ABI_RULE_MASK	 7
#define ABI_RULE_SLOT	 3
#define ABI_RULE_OFF	 13
#define ABI_SLOT_LOST	 1023
#define ABI_RULE_OFF_MAX ((1U << 19) - 1)

/* Part of a process's memory; those behind the last begin at INT64_MAX. */
struct abi_unwind_range {
	__abi64 start, end;
	__abi64 moved; /* from addresses of the file to those of the process */
	__abi64 table; /* 0: there is none */
};

struct abi_unwind_space {
	__abi64 mm;   /* struct mm_struct *; 0: not known yet */
	__abi64 due;  /* when to say next that an address is in no range (CLOCK_MONOTONIC, ns) */
	__abi64 wait; /* and then not for so long */
	__abi64 pad[4];
	struct abi_unwind_range ranges[ABI_UNWIND_RANGES];
};

/* A walk: the registers of a frame, and the range that its pc is in. */
struct abi_walk {
	__abi64 pid, mm; /* as in struct abi_unwind_space */
	__abi64 pc, sp, fp;
	__abi64 is_caller; /* pc is behind a call */
	__abi64 is_over;
	__abi64 is_unknown; /* an address was in no range, and it is due to say so */
	__abi64 caller;	    /* address in the caller if it is known, else 0; ... */
	__abi64 caller_sp;  /* ... and its stack pointer */
	struct abi_unwind_range range;
};

#define ABI_MM_ANY    (~0ULL)
#define ABI_MM_FORKED (~1ULL) /* that of a child until it executes a program */

/* Stands for the rest of a stack: it goes on, but nobody knows how. */
#define ABI_FRAME_LOST (~0ULL)

/*
 * Frames of python are behind those of the process in its stack: the address of a code object and
 * the number of the instruction that it is at, from 1 on; 0: of none, or of one too far away.
 */
#define ABI_FRAME_PYTHON      (1ULL << 63)
#define ABI_PYTHON_CODE	      19 /* bits in front of the address, in which so many are 0: */
#define ABI_PYTHON_ALIGN_BITS 3
#define ABI_PYTHON_AT_MAX     ((1ULL << ABI_PYTHON_CODE) - 1)
#define ABI_PYTHON_UNIT	      2 /* bytes of an instruction */

/* Of a process: where it has what; members are offsets. */
struct abi_python {
	__abi64 interpreter;		    /* address of the pointer to the main one */
	__abi32 threads;		    /* in an interpreter: the first */
	__abi32 next, thread_id, innermost; /* in a thread */
	__abi32 frame; /* in what `innermost` points to; ABI_PYTHON_HERE: it is the frame */
	__abi32 code, caller, at, owner; /* in a frame; owner: a byte, which is `shim` ... */
	__abi32 shim;			 /* ... in those that stand for calls from C */
	__abi32 first;			 /* in a code object: the first instruction */
	__abi32 pad;
};

#define ABI_PYTHON_HERE (~0U)

struct abi_python_code {
	__abi64 pid, code;
};

/* Six members of small structures of the kernel are told in one word. */
#define ABI_OFFSET_BITS 10

/* A number for a name in the kernel, of which ABI_NAME_WORDS words count, filled up with zeros. */
#define ABI_NAME_WORDS 8

static inline __abi64 abi_name_hash(const __abi64 *words)
{
	const __abi64 odd = 0x9e3779b97f4a7c15;
	__abi64 h = 0;

	/* A sum of products: none has to wait for another. */
	for (int i = 0; i < ABI_NAME_WORDS; i++)
		h += (words[i] ^ words[i] >> 29) * (odd * (2 * i + 1));
	return (h ^ h >> 32) * odd;
}

#endif
