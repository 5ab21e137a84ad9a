/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * abi.h: the interface between the programs in the kernel and the consumer, and nothing else.
 *
 * Records travel in one BPF ring buffer.  A record is an abi_rec and then the data items of its
 * clause part, at the offsets of the descriptor with number abi_rec.desc.  Numbers below
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
	ABI_DESC_ERROR,	   /* a run-time fault: struct abi_error */
	ABI_DESC_COMMIT,   /* commit of a speculation: struct abi_spec */
	ABI_DESC_DISCARD,  /* discard of a speculation: struct abi_spec */
	ABI_DESC_PROC,	   /* user addresses of a new process follow: struct abi_proc */
	ABI_DESC_SNAPSHOT, /* snapshot() was called: struct abi_rec */
	ABI_DESC_MIN,
};

/* The thread of a firing, in records that have it (struct rec_desc, thread_off). */
#define ABI_COMM 16 /* TASK_COMM_LEN, linux/sched.h */

struct abi_thread {
	__abi32 pid, tid;
	char name[ABI_COMM];
};

struct abi_error {
	struct abi_rec rec; /* probe: probe of the failed clause */
	__abi32 desc;	    /* descriptor of the failed part, without ABI_DESC_MIN */
	__abi32 action;	    /* 1-based; 0: predicate */
	__abi32 fault;	    /* DTRACEFLT_* */
	__abi32 pad;
	__abi64 value; /* address, or another value for the fault */
};

struct abi_spec {
	struct abi_rec rec;
	__abi64 handle; /* number of the speculation, use count << 32 */
};

/*
 * The word of a speculation: these bits, and a counter of uses from bit ABI_SPEC_USE on.  If the
 * ring has no room for the record of a commit or discard, the bits inform the consumer instead.
 */
#define ABI_SPEC_ACTIVE 1
#define ABI_SPEC_ENDED	2 /* the consumer frees the number, */
#define ABI_SPEC_COMMIT 4 /* after printing the records */
#define ABI_SPEC_USE	3

struct abi_proc {
	struct abi_rec rec;
	__abi32 pid;
	__abi32 news; /* ABI_NEWS_*; 0: the process itself is new */
	__abi64 mm;   /* struct mm_struct * */
};

#define ABI_NEWS_RANGE	  1 /* an address in no range of struct abi_unwind_space */
#define ABI_NEWS_FUNCTION 2 /* a function of a language */

/* A stack is a word with its owner, and frames up to the first 0.  Zeros alone are no stack. */
#define ABI_STACK_KERNEL (1ULL << 32)
#define ABI_STACK_USER	 (2ULL << 32) /* with the process's id */
#define ABI_STACK_NAMED	 (4ULL << 32) /* kernel stack; the consumer names its frames at once */
#define ABI_STACK_MIXED	 (8ULL << 32) /* made by the consumer, which has the frames */

/* Run-time faults, with the numbers of D's DTRACEFLT_*. */
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

/* Counters of losses: words of the per-CPU map `drops`. */
enum abi_drop {
	ABI_DROP_PRINCIPAL,   /* ring buffer full */
	ABI_DROP_AGGREGATION, /* no room for a new key */
	ABI_DROP_DYNAMIC, /* no room for an associative array element or thread-local variables */
	ABI_DROP_SPEC,	  /* speculation full */
	ABI_DROP_SPECBUSY,
	ABI_DROP_SPECUNAVAIL,
	ABI_DROP_DBLERROR, /* fault inside an ERROR clause */
	ABI_DROP_STKSTROVERFLOW,
	ABI_DROP_RETURNS, /* hooks of returns are nested as deep as possible */
	ABI_DROP_NESTED,  /* no scratch memory left: probes nested too deeply */
	ABI_DROP_MAX,
};

/*
 * Clock of another machine's kernel.  Its time t is t + offset + (t - since) * rate / 2^32 by the
 * host's clock.  The clock is valid from `since`, which is in the future when it arrives.
 */
struct abi_clock {
	__abi64 since, offset, rate;
};

/*
 * First bytes of the map `state`, written by the consumer and by exit().  The size is one fetch of
 * a processor, since rows that change often follow (plan_row).
 */
struct abi_state {
	__abi64 active; /* ABI_STATE_* */
	__abi64 exit_status;
	__abi64 agg_half; /* 0 or 1: the half of aggregations that programs write */
	__abi64 clock;	  /* index of the newest clock; the other one is valid before it */
	struct abi_clock clocks[2];
	__abi64 wall; /* ns from CLOCK_MONOTONIC to the time of day, signed */
	/*
	 * Facts about the machine, updated each second if a program uses them (struct plan,
	 * watches_machine).
	 */
	__abi64 load[3];      /* load averages of 1, 5 and 15 minutes, times 65536 */
	__abi64 free_pages;   /* free pages of memory */
	__abi64 usable_pages; /* pages available without swapping */
	__abi64 sched;	      /* ns from CLOCK_MONOTONIC to the scheduler's clock, signed */
	__abi64 late_ends;    /* counts words that got ABI_SPEC_ENDED */
};

enum {
	ABI_STATE_IDLE, /* attached, BEGIN has not finished */
	ABI_STATE_ACTIVE,
	ABI_STATE_STOPPED, /* exit() ran, or the consumer stopped tracing */
};

/* Header of each record under policy ring. */
struct abi_kept {
	__abi64 before;	     /* position of the previous record, + 1; 0: none */
	__abi64 time;	     /* CLOCK_MONOTONIC in ns */
	__abi32 size;	     /* bytes including this header, a multiple of 8 */
	__abi32 is_complete; /* 0 while it is written, and after it was discarded */
};

/* Memory of a CPU for such records.  Position n is at records + n % its size. */
struct abi_memory {
	__abi64 end;  /* position of the next record */
	__abi64 last; /* as abi_kept.before */
	char records[];
};

/*
 * Sent by a process that has mapped something.  It waits until the consumer has read this, at most
 * ABI_PAUSE_NS.  It does not wait if many are waiting already, as when nobody reads.
 */
struct abi_pause {
	__abi32 pid, waits;
	__abi64 time; /* CLOCK_MONOTONIC in ns */
};

#define ABI_PAUSE_NS 1000000000ULL
#define ABI_PAUSES   4

/*
 * Placeholder for strsize in the run-time library.  Linking a program replaces this number in every
 * `mov`, and gives that size to the BTF type `struct str`.
 */
#define ABI_MAGIC_STRSIZE 0x53545253

/*
 * Scratch memory: the array map `scratch` has ABI_SCRATCH_SLOTS entries for each CPU.  The first
 * word of an entry is its owner flag.  It is taken by an atomic exchange, because a probe may
 * interrupt a program, or another program preempt it, at any instruction.
 */
#define ABI_SCRATCH_SLOTS 6
#define ABI_SCRATCH_HEAD  16 /* bytes of an entry before the memory of clauses */

/*
 * Unwinding: data for walks of user stacks, as elements of the hash `unwind`.  An element takes at
 * most four pages, with its overhead in the kernel (struct htab_elem, 64 bytes with the key, and a
 * list node of 8).
 */
#define ABI_UNWIND_SIZE	  16312
#define ABI_UNWIND_ROWS	  2039 /* rows in a page of a table */
#define ABI_UNWIND_PAGES  4078 /* pages of a table */
#define ABI_UNWIND_RANGES 508  /* ranges of a process */
#define ABI_UNWIND_CACHE  (1 << 16)

/*
 * Key of a process, or with ABI_UNWIND_TABLE of a page of a table.  Page 0 has the first pc of all
 * other pages.
 */
#define ABI_UNWIND_TABLE (1ULL << 32)

struct abi_unwind_key {
	__abi64 of;
	__abi64 page;
};

/* Rule to find the caller, valid from pc (in the file) on. */
struct abi_unwind_row {
	__abi32 pc;
	__abi32 rule; /* ABI_RULE_* | slot << ABI_RULE_SLOT | offset << ABI_RULE_OFF */
};

/*
 * The canonical frame address (CFA) is the stack pointer after the function has returned.  The word
 * below it is the return address.  `offset` and `slot` count words.  The frame pointer of the
 * caller is at CFA - slot.  0: it is unchanged.  ABI_SLOT_LOST: it is unknown.
 */
enum abi_rule {
	ABI_RULE_FRAME, /* no table for this code: it may have a frame pointer */
	ABI_RULE_SP,	/* stack pointer + offset */
	ABI_RULE_FP,	/* frame pointer + offset */
	/*
	 * CFA stored at frame pointer - offset; the caller's frame pointer is where the frame
	 * pointer points
	 */
	ABI_RULE_SAVED,
	ABI_RULE_PLT,	 /* a procedure linkage table: one word, or two after its first push */
	ABI_RULE_SIGNAL, /* a frame that the kernel made for a signal handler */
	ABI_RULE_END,	 /* no caller */
	ABI_RULE_LOST,	 /* a rule that these cannot express */
};

#define ABI_RULE_MASK	 7
#define ABI_RULE_SLOT	 3
#define ABI_RULE_OFF	 13
#define ABI_SLOT_LOST	 1023
#define ABI_RULE_OFF_MAX ((1U << 19) - 1)

/* A mapping in a process's memory.  Unused ones at the end begin at INT64_MAX. */
struct abi_unwind_range {
	__abi64 start, end;
	__abi64 moved; /* from addresses of the file to addresses of the process */
	__abi64 table; /* 0: none; below ABI_UNWIND_TABLE: enum abi_code */
};

/* Code that a runtime made, whose frames only this runtime can follow. */
enum abi_code { ABI_CODE_HOTSPOT = 1 };

struct abi_unwind_space {
	__abi64 mm;   /* struct mm_struct *; 0: unknown yet */
	__abi64 due;  /* next time to report an address in no range (CLOCK_MONOTONIC, ns) */
	__abi64 wait; /* and the pause after that */
	__abi64 pad[4];
	struct abi_unwind_range ranges[ABI_UNWIND_RANGES];
};

/* State of a walk: the registers of a frame, and the range of its pc. */
struct abi_walk {
	__abi64 pid, mm; /* as in struct abi_unwind_space */
	__abi64 pc, sp, fp;
	__abi64 is_caller; /* pc is after a call */
	__abi64 is_over;
	__abi64 news;	   /* ABI_NEWS_* to report */
	__abi64 caller;	   /* address in the caller if it is known, else 0 */
	__abi64 caller_sp; /* stack pointer of that caller */
	/*
	 * Number of frames, counted by rt_unwind: the verifier does not know it, so it does not
	 * follow the program for each number of frames.
	 */
	__abi64 nframes;
	__abi64 is_inline; /* the process has a runtime whose frames lie between native ones */
	__abi64 kind;	   /* of an interpreter (enum abi_runtime_kind) */
	__abi64 has_begun; /* of rt_lang_next for such a runtime: the first frame was looked at */
	struct abi_unwind_range range;
};

#define ABI_MM_ANY    (~0ULL)
#define ABI_MM_FORKED (~1ULL) /* mm of a child until it executes a program */

/* Frame for the rest of a stack if unwinding fails: ABI_FRAME_LOST less the reason. */
#define ABI_FRAME_LOST (~0ULL)
enum abi_lost {
	ABI_LOST_UNKNOWN,
	ABI_LOST_EARLY,	 /* the walk has no tables (yet), and follows frame pointers */
	ABI_LOST_RANGE,	 /* code in no known mapping */
	ABI_LOST_TABLE,	 /* code without a table, and its frame pointer leads nowhere */
	ABI_LOST_RULE,	 /* code whose table has no rule that abi_unwind_row can express */
	ABI_LOST_MEMORY, /* the stack is unreadable, or has no return address */
	ABI_LOST_REASONS
};

static inline int abi_is_lost(__abi64 frame)
{
	return frame > ABI_FRAME_LOST - ABI_LOST_REASONS;
}

/*
 * A frame of a language is the number of a function, and a place in it: an instruction of Python,
 * Ruby or JavaScript, from 1 on, or a line of PHP or Perl.  0: no place, or one that is too large.
 *
 * Frames of interpreters follow the frames of the process in its stack (the consumer puts them in
 * between).  Frames of runtimes that make machine code replace the frames of this code.
 *
 * Each function gets its number when it is first seen.  A function that takes the place of a freed
 * one gets a number of its own.
 */
#define ABI_FRAME_LANG	 (1ULL << 63)
#define ABI_FRAME_NAMED	 (1ULL << 62) /* with ABI_FRAME_LANG: made by the consumer, as it likes */
#define ABI_LANG_ENTRY	 (1ULL << 61) /* native code called this function of an interpreter */
#define ABI_LANG_NUMBER	 (ABI_LANG_ENTRY - 1) /* number and place */
#define ABI_LANG_AT_BITS 19
#define ABI_LANG_AT_MAX	 ((1ULL << ABI_LANG_AT_BITS) - 1)
#define ABI_PYTHON_UNIT	 2 /* bytes of an instruction */

/* Layout of python in a process.  Members are offsets. */
struct abi_python {
	__abi64 interpreters;		    /* address of the pointer to the newest interpreter */
	__abi32 older, threads;		    /* in an interpreter: the next one, the first thread */
	__abi32 next, thread_id, innermost; /* in a thread */
	__abi32 frame; /* in the target of `innermost`; ABI_PYTHON_HERE: the target is the frame */
	__abi32 code, caller, at, owner; /* in a frame; owner is a byte */
	__abi32 shim;  /* least owner byte of frames that stand for calls from C */
	__abi32 entry; /* byte of a frame that C has called; 0: such a frame is before a shim; or
			  ABI_PYTHON_EACH: C has called each frame */
	__abi32 first; /* in a code object: the first instruction; ABI_PYTHON_HERE: member `at` of a
			  frame is no address, but a number of bytes (int) */
	__abi32 names; /* in a code object: 4 words; ABI_PYTHON_FUNC and ABI_PYTHON_TABLE are
			  numbers of them, from 0 on */
	__abi32 file;  /* number of co_filename: 0 or 1 */
	__abi32 id;    /* in a code object: a word with its first line, or with its number */
	__abi32 is_own; /* `id` has the number, which no other object ever has */
};

#define ABI_PYTHON_FUNC	 2 /* name of the function */
#define ABI_PYTHON_TABLE 3 /* of its lines */
#define ABI_PYTHON_HERE	 (~0U)
#define ABI_PYTHON_EACH	 (~0U)

struct abi_v8 {
	__abi64 builtins, builtins_size;       /* addresses of variables with their code */
	__abi16 first_function, last_function; /* types of JSFunctions */
	__abi16 type_info, type_script, type_bytecode;
	__abi16 exit_type;	     /* of a frame that calls a function in C++ */
	__abi16 info;		     /* in a JSFunction: its SharedFunctionInfo */
	__abi16 name, script, flags; /* in that */
	__abi16 bytecode;	     /* in a BytecodeArray: the first instruction */
};

#define ABI_V8_MAP_TYPE	 12
#define ABI_V8_SCRIPT_ID 64

/* The object of a frame is the thread, or in compiled code the pc. */
#define ABI_V8_THREAD (1ULL << 63) /* with a thread */
#define ABI_V8_TOP    (1ULL << 62) /* with a pc that is no return address */

struct abi_php {
	__abi64 innermost; /* address of the pointer to the innermost frame */
	__abi32 file;	   /* in a function that is written in PHP */
	__abi32 pad;
};

/*
 * The key of a function is a number for its names: of the function, the class and the file.  If one
 * is unreadable, it is a number for their addresses.
 *
 * Flag in the object: the function is the code of a file whose name outlasts the code, and the
 * check is the address of this name.
 */
#define ABI_PHP_MAIN 1

/* In a string: the hash, 0 if it is not known yet, the length, and the bytes. */
#define ABI_PHP_HASH  8
#define ABI_PHP_BYTES 24

/* The interpreter of a thread is a value of a key of pthread_getspecific(3). */
struct abi_perl {
	__abi32 block; /* from the thread pointer: the pointer to a block of values */
	__abi32 value; /* in the block */
};

/*
 * The object of a frame is a subroutine, or the name of the file of an eval or of the main program.
 * Closures come and go, but the glob with the name of a subroutine stays: then it is the object.
 *
 * The key is a number for the names: of the subroutine, its package, and the file of the statement.
 * If one is unreadable, it is a number for the object.  With a subroutine, the check is the address
 * of the name of the file, and a part of the key, because each statement has a copy of the name.
 */
enum { ABI_PERL_SUB, ABI_PERL_EVAL, ABI_PERL_MAIN, ABI_PERL_GLOB };
#define ABI_PERL_KIND_BITS 2 /* lowest bits of the object */

/* The execution context of a thread is a word of the thread-local data of a module. */
struct abi_ruby {
	__abi64 module;	 /* its number, from 1 on */
	__abi32 context; /* in the data of the module */
	__abi32 back;	 /* in a thread: its context */
	__abi32 frame;	 /* bytes of a control frame */
	__abi32 pad;
};

/* The object of a frame is the body of an iseq, or the definition of a function in C. */
#define ABI_RUBY_DEF 1 /* added to a definition */

/* Memory for code. */
struct abi_hotspot_heap {
	__abi64 start, end;
	__abi64 segments; /* address of a byte for each segment of memory */
};

#define ABI_HOTSPOT_HEAPS 3

/* HotSpot, the virtual machine of Java.  Members are offsets, unless described otherwise. */
struct abi_hotspot {
	__abi64 start, end;		      /* addresses: all heaps are between them */
	__abi64 interpreter, interpreter_end; /* addresses */
	__abi64 call_stub; /* return address in the code that C++ calls to run a method */
	struct abi_hotspot_heap heaps[ABI_HOTSPOT_HEAPS];
	__abi32 shift;	     /* log2 of the bytes of a segment */
	__abi32 block;	     /* in a block of a heap: the blob, a piece of code */
	__abi32 is_relative; /* addresses in a blob are offsets from the blob */
	__abi32 name, frame, complete, code, code_end; /* in a blob */
	__abi32 complete_shift;			       /* its unused bits in 32 bits */
	__abi32 compile_id, original_pc, deopt[2];     /* in a compiled method, which is a blob */
	__abi32 const_method;			       /* in a method: its fixed part */
	__abi32 bytecodes, nbytecodes, nwords;	       /* in a fixed part */
	__abi32 pool, method_name;		   /* constants, and the number of the name there */
	__abi32 entries, class;			   /* in the constants */
	__abi32 class_name, symbol_length, symbol; /* symbol: its text */
};

/* The object of a frame is a method, or a compiled method.  Its place is a bytecode, or a byte of
 * code. */
#define ABI_HOTSPOT_COMPILED 1 /* added to a compiled method */

/*
 * The check of a method is a number for the address of its fixed part, for the names of the class
 * and the method, and for these bytes after its bytecodes, among them lines.  If a name is
 * unreadable, it is the address.
 */
#define ABI_HOTSPOT_LINES 16

enum abi_runtime_kind {
	ABI_PYTHON,
	ABI_PHP,
	ABI_PERL,
	ABI_RUBY,
	ABI_INLINE, /* the frames of the runtimes from here on lie between native frames */
	ABI_V8 = ABI_INLINE,
	ABI_HOTSPOT,
	ABI_RUNTIMES
};

/* The runtime of a language in a process.  Process 0 has the number of known functions. */
struct abi_runtime {
	__abi32 kind; /* enum abi_runtime_kind */
	__abi32 pad;
	union {
		struct abi_python python;
		struct abi_php php;
		struct abi_perl perl;
		struct abi_ruby ruby;
		struct abi_v8 v8;
		struct abi_hotspot hotspot;
		__abi64 nfunctions;
	};
};

/* A function of a process, by the address of an object that is its own while it exists. */
struct abi_lang_key {
	__abi64 pid, object;
};

/*
 * A thread that runs no function of a language has one frame, as if its name was a function: pid is
 * ABI_LANG_THREAD, object and check are the words of the name.
 */
#define ABI_LANG_THREAD (1ULL << 32)

/* check: changes when another function takes the place. */
struct abi_lang_known {
	__abi64 check, number;
};

/* Report of a new function: the process, the object to read, and its check (struct lang_frame). */
struct abi_lang_new {
	__abi64 pid, object, check;
	__abi64 key; /* abi_lang_key.object */
};

/* A word holds six offsets of members in small structures of the kernel. */
#define ABI_OFFSET_BITS 10

/* Returns a number for a kernel name of ABI_NAME_WORDS words, padded with zeros. */
#define ABI_NAME_WORDS 8

static inline __abi64 abi_name_hash(const __abi64 *words)
{
	const __abi64 odd = 0x9e3779b97f4a7c15;
	__abi64 h = 0;

	/* The products are independent, so the CPU can compute them in parallel. */
	for (int i = 0; i < ABI_NAME_WORDS; i++)
		h += (words[i] ^ words[i] >> 29) * (odd * (2 * i + 1));
	return (h ^ h >> 32) * odd;
}

/* Adds a word to a number that stands for words.  The number for no words is 0. */
static inline __abi64 abi_mix(__abi64 number, __abi64 word)
{
	number = (number ^ word) * 0x9e3779b97f4a7c15;
	return number ^ number >> 32;
}

static inline __abi64 abi_mix_words(__abi64 number, const __abi64 *words, int n)
{
	for (int i = 0; i < n; i++)
		number = abi_mix(number, words[i]);
	return number;
}

/*
 * A text is added to a number in parts of 32 bytes: 31 bytes of the text, and a NUL.  The last part
 * has fewer bytes, and more NULs.  What follows after ABI_CONTENT_PARTS parts does not count.
 */
#define ABI_CONTENT_WORDS 4
#define ABI_CONTENT_PARTS 33

/*
 * Objects often get the memory of others that were freed.  The checks of Ruby, and of Python before
 * 3.12, therefore count not only addresses of strings and of a table of lines, but also their first
 * bytes.  If the kernel side cannot read these bytes, the check counts the addresses alone.
 */

/* Returns the first n bytes of a word, and 0 for the others. */
static inline __abi64 abi_bytes(__abi64 word, __abi64 n)
{
	return n < 8 ? word & ((1ULL << n * 8) - 1) : word;
}

/* Returns the highest bit of the first byte of a word that is 0; 0: there is none. */
static inline __abi64 abi_end(__abi64 word)
{
	__abi64 zeros = (word - 0x0101010101010101) & ~word & 0x8080808080808080;

	return zeros & -zeros;
}

/*
 * The check of Python counts the first 16 characters of the names of the file and the function, and
 * the length and the first 16 bytes of the table of lines.
 */
#define ABI_PYTHON_LENGTH 16 /* of a string or table */
#define ABI_PYTHON_BYTES  32 /* of a table */
#define ABI_PYTHON_CHARS  48 /* of a string, before 3.12 */

#define ABI_ALWAYS static inline __attribute__((always_inline))

ABI_ALWAYS __abi64 abi_python_text(__abi64 number, const __abi64 first[2])
{
	__abi64 end = abi_end(first[0]);

	number = abi_mix(number, first[0] & (end - 1));
	return abi_mix(number, end ? 0 : first[1] & (abi_end(first[1]) - 1));
}

ABI_ALWAYS __abi64 abi_python_table(__abi64 number, __abi64 n, const __abi64 first[2])
{
	number = abi_mix(abi_mix(number, n), abi_bytes(first[0], n));
	return abi_mix(number, n > 8 ? abi_bytes(first[1], n - 8) : 0);
}

/* In a body of Ruby: four words, the path, a name, the label, and the line. */
#define ABI_RUBY_PLACE	    64
#define ABI_RUBY_PATH	    0 /* their numbers */
#define ABI_RUBY_LABEL	    2
#define ABI_RUBY_TEXT	    16 /* in a string: its length and address, or characters */
#define ABI_RUBY_TEXT_WORDS 3

/*
 * The check of a function of V8 is the address of its SharedFunctionInfo, without 3 bits, and bits
 * of a number for its other words.
 */
#define ABI_V8_HASH_BITS 20

static inline __abi64 abi_v8_check(__abi64 info, __abi64 number)
{
	return info >> 3 << ABI_V8_HASH_BITS | number >> (64 - ABI_V8_HASH_BITS);
}

#endif
