/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interp_test.c: the interpreter: violations it must notice, maps, ring buffers, helpers,
 * callbacks.
 *
 * Programs are IR text if the compiler makes the needed code, otherwise instructions.
 */
#include <linux/bpf.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/codegen.h"
#include "bpf/interp.h"
#include "ir/ir.h"

#include "run_code.h"
#include "test.h"

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}
#define EXIT	   INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define MOVI(d, i) INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define CALL(id)   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, id)

enum { MAP_HASH, MAP_PERCPU, MAP_RING, MAP_TASK, MAP_LRU, MAP_VALUE, MAP_QUEUE, NMAPS };

static char kernel_text[] = "kernel string", user_text[] = "user string";

#define KERNEL_ADDR 0xffff888000001000ULL
#define USER_ADDR   0x7f0000001000ULL

struct world {
	struct arena *arena;
	struct bpf_interp *in;
	int fds[NMAPS];
	struct bpf_firing f;
	uint64_t ctx[4];
};

static struct world *world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));

	w->arena = arena_new();
	w->in = bpf_interp_new(2);
	w->fds[MAP_HASH] = bpf_interp_map(w->in, BPF_MAP_TYPE_HASH, 8, 16, 3);
	w->fds[MAP_PERCPU] = bpf_interp_map(w->in, BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 2);
	w->fds[MAP_RING] = bpf_interp_map(w->in, BPF_MAP_TYPE_RINGBUF, 0, 0, 64);
	w->fds[MAP_TASK] = bpf_interp_map(w->in, BPF_MAP_TYPE_TASK_STORAGE, 4, 8, 0);
	w->fds[MAP_LRU] = bpf_interp_map(w->in, BPF_MAP_TYPE_LRU_HASH, 8, 8, 2);
	w->fds[MAP_VALUE] = bpf_interp_map(w->in, BPF_MAP_TYPE_ARRAY, 4, 64, 1);
	w->fds[MAP_QUEUE] = bpf_interp_map(w->in, BPF_MAP_TYPE_QUEUE, 0, 8, 2);
	bpf_interp_region(w->in, KERNEL_ADDR, kernel_text, sizeof(kernel_text), BPF_REGION_KERNEL);
	bpf_interp_region(w->in, USER_ADDR, user_text, sizeof(user_text), BPF_REGION_USER);
	w->f = (struct bpf_firing){.ctx = w->ctx,
				   .ctx_size = sizeof(w->ctx),
				   .pid = 7,
				   .tgid = 8,
				   .comm = "sh",
				   .task = KERNEL_ADDR,
				   .ktime = 1000};
	return w;
}

static void world_free(struct world *w)
{
	bpf_interp_free(w->in);
	arena_free(w->arena);
	free(w);
}

/* Result of running IR text; stops the test program when the text is wrong. */
static uint64_t run_ir(struct world *w, const char *text)
{
	struct bpf_target t = {.nregs = 10};
	const char *err;
	struct ir_module *m = ir_parse(w->arena, text, &err);
	struct bpf_code *c = m ? bpf_codegen(w->arena, m, &t, &err) : NULL;
	uint64_t r = 0;

	if (!c || !bpf_link(c, NULL, 0, &err) || !bpf_resolve_maps(c, w->fds, NULL, NMAPS)) {
		printf("%s\n%s", err ? err : "unresolved", text);
		exit(1);
	}
	if (!run_code(w->in, c, &w->f, &r)) {
		CHECK(!"the run ends");
		printf("%s\n", bpf_interp_error(w->in));
	}
	return r;
}

static const char *run_bad(struct world *w, const struct bpf_insn *insns, unsigned int n)
{
	struct bpf_code c = {.insns = (struct bpf_insn *)insns, .n = n};
	uint64_t r;

	CHECK(!run_code(w->in, &c, &w->f, &r));
	return bpf_interp_error(w->in);
}

#define BAD(text, ...)                                                       \
	do {                                                                 \
		struct bpf_insn p_[] = {__VA_ARGS__};                        \
		const char *err_ = run_bad(w, p_, sizeof(p_) / sizeof(*p_)); \
		CHECK(strstr(err_, text) != NULL);                           \
		if (!strstr(err_, text))                                     \
			printf("%s\n", err_);                                \
	} while (0)

static void violations(void)
{
	struct world *w = world_new();

	BAD("r0 is undefined", EXIT);
	BAD("r6 is undefined", INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 6, 0, 0), EXIT);
	BAD("r6 is undefined", INSN(BPF_ST | BPF_MEM | BPF_DW, 6, 0, 0, 0), MOVI(0, 0), EXIT);
	BAD("r1 is undefined", CALL(BPF_FUNC_ktime_get_ns),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 0, 0), EXIT);
	BAD("ran out", MOVI(0, 0));
	BAD("ran too long", INSN(BPF_JMP | BPF_JA, 0, 0, -1, 0));
	CHECK_INT(bpf_interp_insns(w->in), 1000001);
	BAD("not readable", MOVI(2, 0), INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 2, 0, 0), EXIT);
	BAD("not readable", INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 10, 0, 0), EXIT);
	BAD("not readable", INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 1, 28, 0), EXIT);
	BAD("not writable", INSN(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 0, 0), EXIT);
	BAD("not writable", INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -520, 0), EXIT);
	BAD("constant 0", MOVI(0, 1), INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 0, 0), EXIT);
	BAD("has no helper", CALL(BPF_FUNC_xdp_adjust_head), EXIT);
	BAD("is not a map", MOVI(1, 5), CALL(BPF_FUNC_map_lookup_elem), EXIT);
	BAD("too deep", INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -1), EXIT);
	BAD("neither submitted",
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, w->fds[MAP_RING]),
	    INSN(0, 0, 0, 0, 0), MOVI(2, 8), MOVI(3, 0), CALL(BPF_FUNC_ringbuf_reserve), MOVI(0, 0),
	    EXIT);
	world_free(w);
}

#define MAP_FD(d, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define MAP_VALUE_AT(d, fd, off) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_VALUE, 0, fd), INSN(0, 0, 0, 0, off)
#define ATOMIC(size, op)      INSN(BPF_STX | BPF_ATOMIC | (size), 10, 1, -8, op)
#define ATOMIC_AT(off)	      INSN(BPF_STX | BPF_ATOMIC | BPF_W, 10, 1, off, BPF_ADD)
#define STORE(size, off, i)   INSN(BPF_ST | BPF_MEM | (size), 10, 0, off, i)
#define LOAD(size, d, s, off) INSN(BPF_LDX | (size), d, s, off, 0)

#define STACK_AT(d, off)                                \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, 10, 0, 0), \
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, off)

/* Instructions that no compiler makes, and addresses that no program may use. */
static void more_violations(void)
{
	struct world *w = world_new();
	int odd = bpf_interp_map(w->in, BPF_MAP_TYPE_ARRAY, 4, 12, 1);

	BAD("write to r10", MOVI(10, 0), EXIT);
	BAD("write to r10", LOAD(BPF_MEM | BPF_DW, 10, 1, 0), EXIT);
	BAD("unknown operation", MOVI(0, 1), INSN(BPF_ALU64 | 0xe0, 0, 0, 0, 1), EXIT);
	BAD("unknown operation", MOVI(0, 1), INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 2, 1), EXIT);
	BAD("unknown jump", MOVI(0, 1), INSN(BPF_JMP | 0xe0, 0, 0, 0, 0), EXIT);
	BAD("unknown jump", MOVI(0, 1), INSN(BPF_JMP32 | BPF_EXIT, 0, 0, 0, 0), EXIT);
	BAD("unknown jump", MOVI(0, 1), INSN(BPF_JMP32 | BPF_CALL, 0, 0, 0, 0), EXIT);
	BAD("unknown instruction", INSN(BPF_LD | BPF_ABS | BPF_W, 0, 0, 0, 0), EXIT);
	BAD("unknown instruction", INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0));
	BAD("no map 0", MAP_FD(1, 0), EXIT);
	BAD("no map 9", MAP_FD(1, 9), EXIT);
	BAD("no value in map 0", MAP_VALUE_AT(1, 0, 0), EXIT);
	BAD("no value in map 9", MAP_VALUE_AT(1, 9, 0), EXIT);
	BAD("no value in map 1", MAP_VALUE_AT(1, w->fds[MAP_HASH], 0), EXIT);
	BAD("no value in map 2", MAP_VALUE_AT(1, w->fds[MAP_PERCPU], 0), EXIT);
	BAD("no value in map 8", MAP_VALUE_AT(1, odd, -1), EXIT);
	BAD("no value in map 8", MAP_VALUE_AT(1, odd, 12), EXIT);
	BAD("not readable", MAP_VALUE_AT(1, odd, 8), LOAD(BPF_MEM | BPF_DW, 0, 1, 0), EXIT);
	BAD("not readable", MAP_VALUE_AT(1, odd, 8), LOAD(BPF_MEM | BPF_B, 0, 1, 4), EXIT);
	BAD("no kernel variables", INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_BTF_ID, 0, 1),
	    INSN(0, 0, 0, 0, 0), EXIT);
	BAD("odd address", MOVI(1, 1), ATOMIC_AT(-6), EXIT);
	BAD("not writable", MOVI(1, 1), ATOMIC_AT(0), EXIT);
	BAD("r1 is undefined", MOVI(0, 0), CALL(BPF_FUNC_ktime_get_ns), ATOMIC_AT(-8), EXIT);
	BAD("r0 is undefined", MOVI(1, 1), ATOMIC(BPF_DW, BPF_CMPXCHG), EXIT);
	BAD("the call failed", INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, 1), EXIT);
	bpf_interp_free(NULL);
	world_free(w);
}

static void check_insns(struct world *w, const struct bpf_insn *insns, unsigned int n,
			uint64_t want)
{
	struct bpf_code c = {.insns = (struct bpf_insn *)insns, .n = n};
	uint64_t r = 0;

	CHECK(run_code(w->in, &c, &w->f, &r));
	CHECK_STR(bpf_interp_error(w->in), "");
	CHECK_INT(r, want);
}

#define GIVES(want, ...)                                              \
	do {                                                          \
		struct bpf_insn p_[] = {__VA_ARGS__};                 \
		check_insns(w, p_, sizeof(p_) / sizeof(*p_), (want)); \
	} while (0)

/* Results are the memory after the operation, and the register with the old value. */
static void atomics(void)
{
	static const struct {
		int op;
		uint64_t memory, old;
	} list[] = {
	    {BPF_ADD, 0xc + 0xa, 0xa},
	    {BPF_OR, 0xc | 0xa, 0xa},
	    {BPF_AND, 0xc & 0xa, 0xa},
	    {BPF_XOR, 0xc ^ 0xa, 0xa},
	    {BPF_ADD | BPF_FETCH, 0xc + 0xa, 0xc},
	    {BPF_OR | BPF_FETCH, 0xc | 0xa, 0xc},
	    {BPF_AND | BPF_FETCH, 0xc & 0xa, 0xc},
	    {BPF_XOR | BPF_FETCH, 0xc ^ 0xa, 0xc},
	    {BPF_XCHG, 0xa, 0xc},
	};
	struct world *w = world_new();

	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		GIVES(list[n].memory, STORE(BPF_DW, -8, 0xc), MOVI(1, 0xa),
		      ATOMIC(BPF_DW, list[n].op), LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
		GIVES(list[n].old, STORE(BPF_DW, -8, 0xc), MOVI(1, 0xa), ATOMIC(BPF_DW, list[n].op),
		      INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 0, 0), EXIT);
	}
	/* The other half stays, and the old value is extended with zeros. */
	GIVES(0xffffffff00000000, STORE(BPF_DW, -8, -1), MOVI(1, 1), ATOMIC(BPF_W, BPF_ADD),
	      LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
	GIVES(0xffffffff, STORE(BPF_DW, -8, -1), MOVI(1, 1), ATOMIC(BPF_W, BPF_XCHG),
	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 0, 0), EXIT);
	for (int expected = 12; expected < 14; expected++) {
		GIVES(12, STORE(BPF_DW, -8, 12), MOVI(1, 7), MOVI(0, expected),
		      ATOMIC(BPF_DW, BPF_CMPXCHG), EXIT);
		GIVES(expected == 12 ? 7 : 12, STORE(BPF_DW, -8, 12), MOVI(1, 7), MOVI(0, expected),
		      ATOMIC(BPF_DW, BPF_CMPXCHG), LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
		GIVES(7, STORE(BPF_DW, -8, 12), MOVI(1, 7), MOVI(0, expected),
		      ATOMIC(BPF_DW, BPF_CMPXCHG), INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 0, 0),
		      EXIT);
	}
	world_free(w);
}

static uint64_t kernel_address(void *arg, int32_t btf_id)
{
	CHECK(arg == &kernel_text);
	return KERNEL_ADDR + (uint64_t)btf_id;
}

/* Loads with a sign, wide constants, and jumps that compare halves. */
static void loads_and_jumps(void)
{
	static const struct {
		uint8_t op;
		int32_t a, b;
	} taken[] = {
	    {BPF_JEQ, 5, 5},   {BPF_JNE, 5, 6},	  {BPF_JGT, -1, 5},  {BPF_JGE, -1, 5},
	    {BPF_JGE, 5, 5},   {BPF_JLT, 5, -1},  {BPF_JLE, 5, -1},  {BPF_JLE, 5, 5},
	    {BPF_JSGT, 5, -1}, {BPF_JSGE, 5, -1}, {BPF_JSGE, 5, 5},  {BPF_JSLT, -1, 5},
	    {BPF_JSLE, -1, 5}, {BPF_JSLE, 5, 5},  {BPF_JSET, 12, 4},
	};
	static const struct {
		uint8_t op;
		int32_t a, b;
	} passed[] = {
	    {BPF_JEQ, 5, 6},   {BPF_JNE, 5, 5},	  {BPF_JGT, 5, -1},  {BPF_JGT, 5, 5},
	    {BPF_JGE, 5, -1},  {BPF_JLT, -1, 5},  {BPF_JLT, 5, 5},   {BPF_JLE, -1, 5},
	    {BPF_JSGT, -1, 5}, {BPF_JSGT, 5, 5},  {BPF_JSGE, -1, 5}, {BPF_JSLT, 5, -1},
	    {BPF_JSLT, 5, 5},  {BPF_JSLE, 5, -1}, {BPF_JSET, 12, 3},
	};
	struct bpf_interp_hooks h = {.btf_addr = kernel_address, .arg = kernel_text};
	struct world *w = world_new();

	GIVES((uint64_t)-2, STORE(BPF_DW, -8, 254), LOAD(0x80 | BPF_B, 0, 10, -8), EXIT);
	GIVES((uint64_t)-2, STORE(BPF_DW, -8, 65534), LOAD(0x80 | BPF_H, 0, 10, -8), EXIT);
	GIVES((uint64_t)-2, STORE(BPF_DW, -8, -2), LOAD(0x80 | BPF_W, 0, 10, -8), EXIT);
	GIVES(254, STORE(BPF_DW, -8, -2), LOAD(BPF_MEM | BPF_B, 0, 10, -8), EXIT);
	bpf_interp_set_hooks(w->in, &h);
	GIVES(KERNEL_ADDR + 12, INSN(BPF_LD | BPF_IMM | BPF_DW, 0, BPF_PSEUDO_BTF_ID, 0, 12),
	      INSN(0, 0, 0, 0, 0), EXIT);
	for (unsigned int n = 0; n < sizeof(taken) / sizeof(*taken); n++)
		for (unsigned int m = 0; m < 4; m++) {
			uint8_t class = m & 1 ? BPF_JMP32 : BPF_JMP, src = m & 2 ? BPF_X : BPF_K;
			uint8_t reg = src == BPF_X ? 2 : 0;

			GIVES(1, MOVI(0, 1), MOVI(1, taken[n].a), MOVI(2, taken[n].b),
			      INSN(class | taken[n].op | src, 1, reg, 1, reg ? 0 : taken[n].b),
			      MOVI(0, 0), EXIT);
			GIVES(0, MOVI(0, 1), MOVI(1, passed[n].a), MOVI(2, passed[n].b),
			      INSN(class | passed[n].op | src, 1, reg, 1, reg ? 0 : passed[n].b),
			      MOVI(0, 0), EXIT);
		}
	/* The high half of a register makes no difference. */
	GIVES(1, MOVI(0, 1), MOVI(1, 1), INSN(BPF_ALU64 | BPF_LSH | BPF_K, 1, 0, 0, 32),
	      INSN(BPF_JMP32 | BPF_JEQ | BPF_K, 1, 0, 1, 0), MOVI(0, 0), EXIT);
	GIVES(1, MOVI(0, 1), INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, 1), MOVI(0, 0), EXIT);
	world_free(w);
}

/* Helpers that get a number instead of a map, or of memory, stop the program. */
static void bad_arguments(void)
{
	static const struct {
		int helper, map, memory[2]; /* map: -1 if none; memory: registers, or 0 */
		const char *verb;	    /* for the last memory */
	} list[] = {
	    {BPF_FUNC_map_lookup_elem, MAP_HASH, {2}, "read"},
	    {BPF_FUNC_map_lookup_percpu_elem, MAP_PERCPU, {2}, "read"},
	    {BPF_FUNC_map_update_elem, MAP_HASH, {2}, "read"},
	    {BPF_FUNC_map_update_elem, MAP_HASH, {3, 2}, "read"},
	    {BPF_FUNC_map_delete_elem, MAP_HASH, {2}, "read"},
	    {BPF_FUNC_map_push_elem, MAP_QUEUE, {2}, "read"},
	    {BPF_FUNC_map_pop_elem, MAP_QUEUE, {2}, "write"},
	    {BPF_FUNC_task_storage_get, MAP_TASK, {3}, "read"},
	    {BPF_FUNC_task_storage_delete, MAP_TASK, {0}, NULL},
	    {BPF_FUNC_ringbuf_reserve, MAP_RING, {0}, NULL},
	    {BPF_FUNC_ringbuf_output, MAP_RING, {2}, "read"},
	    {BPF_FUNC_ringbuf_query, MAP_RING, {0}, NULL},
	    {BPF_FUNC_probe_read_kernel, -1, {1}, "write"},
	    {BPF_FUNC_probe_read_user, -1, {1}, "write"},
	    {BPF_FUNC_probe_read_kernel_str, -1, {1}, "write"},
	    {BPF_FUNC_probe_read_user_str, -1, {1}, "write"},
	    {BPF_FUNC_probe_write_user, -1, {2}, "read"},
	    {BPF_FUNC_strncmp, -1, {1}, "read"},
	    {BPF_FUNC_strncmp, -1, {3, 1}, "read"},
	    {BPF_FUNC_get_ns_current_pid_tgid, -1, {3}, "write"},
	    {BPF_FUNC_get_current_comm, -1, {1}, "write"},
	    {BPF_FUNC_get_stack, -1, {2}, "write"},
	};
	struct world *w = world_new();

	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		int map = list[n].map, good = list[n].memory[1];
		struct bpf_insn p[] = {STORE(BPF_DW, -8, 0x6162), MOVI(1, 8), MOVI(2, 8),
				       MOVI(3, 8), MOVI(4, 1), MOVI(5, 0),
				       /* r1 or the good memory */
				       MOVI(0, 0), MOVI(0, 0), MOVI(0, 0), MOVI(0, 0),
				       CALL(list[n].helper), EXIT};
		const unsigned int len = sizeof(p) / sizeof(*p);
		char want[80];

		if (map >= 0)
			CHECK(strstr(run_bad(w, p, len), "r1 is not a map") != NULL);
		if (!list[n].verb)
			continue;
		if (map >= 0)
			p[6] = (struct bpf_insn)INSN(BPF_LD | BPF_IMM | BPF_DW, 1,
						     BPF_PSEUDO_MAP_FD, 0, w->fds[map]),
			p[7] = (struct bpf_insn)INSN(0, 0, 0, 0, 0);
		if (list[n].helper == BPF_FUNC_task_storage_get)
			p[2].imm = 1;
		if (good) {
			p[8] = (struct bpf_insn)INSN(BPF_ALU64 | BPF_MOV | BPF_X, good, 10, 0, 0);
			p[9] = (struct bpf_insn)INSN(BPF_ALU64 | BPF_ADD | BPF_K, good, 0, 0, -8);
		}
		snprintf(want, sizeof(want), "at 0x8, which it may not %s", list[n].verb);
		CHECK(strstr(run_bad(w, p, len), want) != NULL);
		if (!strstr(bpf_interp_error(w->in), want))
			printf("%d: %s\n", list[n].helper, bpf_interp_error(w->in));
	}
	BAD("not an open ring record", MOVI(1, 8), CALL(BPF_FUNC_ringbuf_submit), EXIT);
	BAD("not an open ring record", MOVI(1, 8), CALL(BPF_FUNC_ringbuf_discard), EXIT);
	world_free(w);
}

/* A chain of nine frames fits.  Each has its own stack, which no other frame writes. */
static void frames(void)
{
	struct world *w = world_new();

	for (int calls = 0; calls < 12; calls++) {
		struct bpf_insn p[] = {MOVI(1, calls),
				       INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1),
				       EXIT,
				       INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 1, -8, 0),
				       MOVI(0, 0),
				       INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 4, 0),
				       INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -1),
				       INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -5),
				       LOAD(BPF_MEM | BPF_DW, 1, 10, -8),
				       INSN(BPF_ALU64 | BPF_ADD | BPF_X, 0, 1, 0, 0),
				       EXIT};

		if (calls < 8)
			check_insns(w, p, 11, (uint64_t)(calls * (calls + 1) / 2));
		else
			CHECK(strstr(run_bad(w, p, 11), "too deep") != NULL);
	}
	world_free(w);
}

static char writable[16] = "0123456789abcdef", user_writable[8];

/* Each region can be accessed within its bounds, and as its flags allow; no bytes are always
 * accessible at the end. */
static void bounds(void)
{
	enum { ADDR = 0x10000 };
	struct world *w = world_new();

	bpf_interp_region(w->in, ADDR, writable, sizeof(writable),
			  BPF_REGION_KERNEL | BPF_REGION_WRITE);
	bpf_interp_region(w->in, 2 * ADDR, user_writable, sizeof(user_writable),
			  BPF_REGION_USER | BPF_REGION_WRITE);
	GIVES((uint64_t)'f', MOVI(1, ADDR), LOAD(BPF_MEM | BPF_B, 0, 1, 15), EXIT);
	BAD("not readable", MOVI(1, ADDR), LOAD(BPF_MEM | BPF_B, 0, 1, 16), EXIT);
	BAD("not readable", MOVI(1, ADDR), LOAD(BPF_MEM | BPF_H, 0, 1, 15), EXIT);
	BAD("not readable", MOVI(1, ADDR), LOAD(BPF_MEM | BPF_B, 0, 1, -1), EXIT);
	GIVES(7, MOVI(1, ADDR), INSN(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 8, 7),
	      LOAD(BPF_MEM | BPF_DW, 0, 1, 8), EXIT);
	BAD("not writable", MOVI(1, ADDR), INSN(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 9, 7), EXIT);
	BAD("not readable", MOVI(1, 2 * ADDR), LOAD(BPF_MEM | BPF_B, 0, 1, 0), EXIT);
	BAD("not writable", INSN(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, (int32_t)KERNEL_ADDR),
	    INSN(0, 0, 0, 0, (int32_t)(KERNEL_ADDR >> 32)),
	    INSN(BPF_ST | BPF_MEM | BPF_B, 1, 0, 0, 7), EXIT);
	BAD("not readable", LOAD(BPF_MEM | BPF_DW, 0, 10, -513), EXIT);
	GIVES(0xa5a5a5a5a5a5a5a5, LOAD(BPF_MEM | BPF_DW, 0, 10, -512), EXIT);
	GIVES((uint64_t)-14, STACK_AT(1, 0), MOVI(2, 0), MOVI(3, 8),
	      CALL(BPF_FUNC_probe_read_kernel), EXIT);
	GIVES((uint64_t)-14, STACK_AT(1, -8), MOVI(2, 8), MOVI(3, ADDR + 9),
	      CALL(BPF_FUNC_probe_read_kernel), EXIT);
	GIVES(0, STACK_AT(1, -8), MOVI(2, 8), MOVI(3, ADDR + 8), CALL(BPF_FUNC_probe_read_kernel),
	      EXIT);
	world_free(w);
}

/* Helpers of maps return the errors of the kernel. */
static void wrong_maps(void)
{
	struct world *w = world_new();
	int ring = w->fds[MAP_RING], hash = w->fds[MAP_HASH], queue = w->fds[MAP_QUEUE];
	uint64_t key = 1, value[2] = {5, 6};
	size_t size;

	CHECK_INT(bpf_interp_update(w->in, ring, &key, value, 0, BPF_ANY), -22);
	CHECK(!bpf_interp_lookup(w->in, ring, &key, 0));
	CHECK_INT(bpf_interp_delete(w->in, ring, &key), -22);
	GIVES((uint64_t)-22, STORE(BPF_DW, -8, 7), STORE(BPF_DW, -16, 8), MAP_FD(1, hash),
	      STACK_AT(2, -16), MOVI(3, 0), CALL(BPF_FUNC_map_push_elem), EXIT);
	GIVES((uint64_t)-22, MAP_FD(1, hash), STACK_AT(2, -16), CALL(BPF_FUNC_map_pop_elem), EXIT);
	GIVES(0, MAP_FD(1, hash), MOVI(2, 8), MOVI(3, 0), CALL(BPF_FUNC_ringbuf_reserve), EXIT);
	GIVES((uint64_t)-11, STORE(BPF_DW, -8, 7), MAP_FD(1, hash), STACK_AT(2, -8), MOVI(3, 8),
	      MOVI(4, 0), CALL(BPF_FUNC_ringbuf_output), EXIT);
	/* An empty queue clears the value.  The queue has room for two numbers. */
	GIVES(0, STORE(BPF_DW, -8, 7), MAP_FD(1, queue), STACK_AT(2, -8),
	      CALL(BPF_FUNC_map_pop_elem), LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
	for (int n = 0; n < 5; n++) {
		for (int k = 0; k < 3; k++)
			GIVES(k < 2 ? 0 : (uint64_t)-7, STORE(BPF_DW, -8, 10 * n + k),
			      MAP_FD(1, queue), STACK_AT(2, -8), MOVI(3, 0),
			      CALL(BPF_FUNC_map_push_elem), EXIT);
		for (int k = 0; k < 2; k++)
			GIVES((uint64_t)(10 * n + k), MAP_FD(1, queue), STACK_AT(2, -8),
			      CALL(BPF_FUNC_map_pop_elem), LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
		GIVES((uint64_t)-2, MAP_FD(1, queue), STACK_AT(2, -8), CALL(BPF_FUNC_map_pop_elem),
		      EXIT);
	}
	/* A record that stays open hides later ones. */
	BAD("neither submitted", MAP_FD(1, ring), MOVI(2, 8), MOVI(3, 0),
	    CALL(BPF_FUNC_ringbuf_reserve), MOVI(0, 0), EXIT);
	CHECK(!bpf_interp_ring_next(w->in, ring, &size));
	world_free(w);
}

/* A discarded record is left out. */
static void discarded(void)
{
	struct world *w = world_new();
	int ring = w->fds[MAP_RING];
	const uint64_t *rec;
	size_t size = 0;

	GIVES(0, MAP_FD(1, ring), MOVI(2, 8), MOVI(3, 0), CALL(BPF_FUNC_ringbuf_reserve),
	      INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0), MOVI(2, 0),
	      CALL(BPF_FUNC_ringbuf_discard), MOVI(0, 0), EXIT);
	GIVES(0, STORE(BPF_DW, -8, 7), MAP_FD(1, ring), STACK_AT(2, -8), MOVI(3, 8), MOVI(4, 0),
	      CALL(BPF_FUNC_ringbuf_output), EXIT);
	rec = bpf_interp_ring_next(w->in, ring, &size);
	CHECK(rec && *rec == 7 && size == 8);
	CHECK(!bpf_interp_ring_next(w->in, ring, &size));
	/* A finished record is neither readable nor finished again. */
	BAD("not readable", MAP_FD(1, ring), MOVI(2, 8), MOVI(3, 0), CALL(BPF_FUNC_ringbuf_reserve),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 0, 0, 0),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0), MOVI(2, 0),
	    CALL(BPF_FUNC_ringbuf_submit), LOAD(BPF_MEM | BPF_DW, 0, 6, 0), EXIT);
	BAD("not an open ring record", MAP_FD(1, ring), MOVI(2, 8), MOVI(3, 0),
	    CALL(BPF_FUNC_ringbuf_reserve), INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 0, 0, 0),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0), MOVI(2, 0),
	    CALL(BPF_FUNC_ringbuf_submit), INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),
	    MOVI(2, 0), CALL(BPF_FUNC_ringbuf_submit), EXIT);
	world_free(w);
}

/* Names are cut with a terminator; stacks have as many words as fit. */
static void sizes_of_results(void)
{
	static const uint64_t kernel[] = {11, 22}, user[] = {33, 44, 55};
	struct world *w = world_new();

	strcpy(w->f.comm, "abc");
	BAD("the call failed", STACK_AT(1, -8), MOVI(2, 0), CALL(BPF_FUNC_get_current_comm), EXIT);
	for (int size = 1; size < 8; size++)
		GIVES(0xffffffffffffffff << 8 * size | (size > 3   ? 0x636261
							: size > 2 ? 0x6261
							: size > 1 ? 0x61
								   : 0),
		      STORE(BPF_DW, -8, -1), STACK_AT(1, -8), MOVI(2, size),
		      CALL(BPF_FUNC_get_current_comm), LOAD(BPF_MEM | BPF_DW, 0, 10, -8), EXIT);
	w->f.kstack = kernel;
	w->f.nkstack = 2;
	w->f.ustack = user;
	w->f.nustack = 3;
	for (int flags = 0; flags < 4; flags++) {
		GIVES(flags < 2 ? 16 - 8 * (uint64_t)flags : (uint64_t)-14, STACK_AT(2, -64),
		      MOVI(3, 64), MOVI(4, flags), CALL(BPF_FUNC_get_stack), EXIT);
		GIVES(flags < 2	   ? 16
		      : flags == 2 ? 8
				   : (uint64_t)-14,
		      STACK_AT(2, -16), MOVI(3, 16), MOVI(4, BPF_F_USER_STACK | flags),
		      CALL(BPF_FUNC_get_stack), EXIT);
		GIVES(flags < 3 ? user[flags] : 0, STORE(BPF_DW, -16, -1), STACK_AT(2, -16),
		      MOVI(3, 16), MOVI(4, BPF_F_USER_STACK | flags), CALL(BPF_FUNC_get_stack),
		      LOAD(BPF_MEM | BPF_DW, 0, 10, -16), EXIT);
	}
	world_free(w);
}

/* Returns the result of bpf_loop whose callback is at the end of these instructions. */
#define LOOP(n, ...)                                                                        \
	INSN(BPF_ALU | BPF_MOV | BPF_K, 1, 0, 0, n),                                        \
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_FUNC, 0, 5), INSN(0, 0, 0, 0, 0), \
	    MOVI(3, 0), MOVI(4, 0), CALL(BPF_FUNC_loop), EXIT, __VA_ARGS__

static void numbers_of_loops(void)
{
	enum { MAX = 1 << 23 };
	struct world *w = world_new();

	GIVES(0, LOOP(0, EXIT));
	GIVES(3, LOOP(3, MOVI(0, 0), EXIT));
	GIVES(1, LOOP(MAX, MOVI(0, 1), EXIT));
	GIVES((uint64_t)-7, LOOP(MAX + 1, MOVI(0, 1), EXIT));
	BAD("r0 is undefined", LOOP(1, EXIT));
	BAD("ran too long", LOOP(1 << 20, MOVI(0, 0), EXIT));
	world_free(w);
}

/* Instructions with a value in a field without a meaning, which the verifier refuses. */
static void reserved_fields(void)
{
	static const struct bpf_insn bad[] = {
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 1, 0),
	    INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 10, -8, 1),
	    INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 1, -8, 0),
	    INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 1, -8, 1),
	    INSN(BPF_JMP | BPF_CALL, 1, 0, 0, BPF_FUNC_ktime_get_ns),
	    INSN(BPF_JMP | BPF_CALL, 0, 0, 1, BPF_FUNC_ktime_get_ns),
	    INSN(BPF_JMP | BPF_EXIT, 1, 0, 0, 0),
	    INSN(BPF_JMP | BPF_EXIT, 0, 1, 0, 0),
	    INSN(BPF_JMP | BPF_EXIT, 0, 0, 1, 0),
	    INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 1),
	    INSN(BPF_JMP | BPF_JA, 1, 0, 0, 0),
	    INSN(BPF_JMP | BPF_JA, 0, 1, 0, 0),
	    INSN(BPF_JMP | BPF_JA, 0, 0, 0, 1),
	    INSN(BPF_JMP32 | BPF_JA, 0, 0, 1, 0),
	    INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 1, 0, 0),
	    INSN(BPF_JMP | BPF_JEQ | BPF_X, 1, 1, 0, 1),
	    INSN(BPF_JMP32 | BPF_JEQ | BPF_K, 1, 1, 0, 0),
	    INSN(BPF_ALU64 | BPF_NEG, 1, 1, 0, 0),
	    INSN(BPF_ALU64 | BPF_NEG, 1, 0, 1, 0),
	    INSN(BPF_ALU64 | BPF_NEG, 1, 0, 0, 1),
	    INSN(BPF_ALU | BPF_END | BPF_TO_BE, 1, 1, 0, 16),
	    INSN(BPF_ALU | BPF_END | BPF_TO_BE, 1, 0, 1, 16),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 1, 0, 1),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 1, 0, 0),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 8, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 1, 0, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 1, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_X, 1, 1, 0, 1),
	    INSN(BPF_ALU64 | BPF_DIV | BPF_K, 1, 1, 0, 1),
	    INSN(BPF_ALU64 | BPF_MOD | BPF_X, 1, 1, 0, 1),
	};
	struct world *w = world_new();

	/* Also if the instruction never runs. */
	for (unsigned int n = 0; n < sizeof(bad) / sizeof(*bad); n++)
		BAD("reserved field", MOVI(0, 0), EXIT, bad[n], INSN(0, 0, 0, 0, 0), EXIT);
	world_free(w);
}

/* Instructions with a value in every field that has a meaning. */
static void used_fields(void)
{
	static const struct bpf_insn good[] = {
	    MOVI(0, 0),
	    EXIT,
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, 1),
	    INSN(0, 0, 0, 0, 1),
	    INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 1, 1, 0),
	    INSN(BPF_ST | BPF_MEM | BPF_DW, 1, 0, 1, 1),
	    INSN(BPF_STX | BPF_MEM | BPF_DW, 1, 1, 1, 0),
	    INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 1, 1, BPF_XCHG),
	    INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1),
	    INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0),
	    INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, 1),
	    INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1, 1),
	    INSN(BPF_JMP | BPF_JEQ | BPF_X, 1, 1, 1, 0),
	    INSN(BPF_ALU64 | BPF_NEG, 1, 0, 0, 0),
	    INSN(BPF_ALU | BPF_END | BPF_TO_BE, 1, 0, 0, 16),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 1, 8, 0),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 1),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_X, 1, 1, 0, 0),
	    INSN(BPF_ALU64 | BPF_DIV | BPF_K, 1, 0, 1, 1),
	    INSN(BPF_ALU64 | BPF_MOD | BPF_X, 1, 1, 1, 0),
	};
	struct world *w = world_new();
	struct bpf_code c = {.insns = (struct bpf_insn *)good, .n = sizeof(good) / sizeof(*good)};

	CHECK(run_code(w->in, &c, &w->f, NULL));
	CHECK_STR(bpf_interp_error(w->in), "");
	world_free(w);
}

/* Results of single instructions that change r0.  The machine is little-endian. */
static void arithmetic(void)
{
	static const uint64_t from = 0x8182838485868788;
	static const struct {
		struct bpf_insn insn;
		uint64_t to;
	} list[] = {
	    {INSN(BPF_ALU | BPF_END | BPF_TO_LE, 0, 0, 0, 16), 0x8788},
	    {INSN(BPF_ALU | BPF_END | BPF_TO_LE, 0, 0, 0, 32), 0x85868788},
	    {INSN(BPF_ALU | BPF_END | BPF_TO_LE, 0, 0, 0, 64), 0x8182838485868788},
	    {INSN(BPF_ALU | BPF_END | BPF_TO_BE, 0, 0, 0, 16), 0x8887},
	    {INSN(BPF_ALU | BPF_END | BPF_TO_BE, 0, 0, 0, 32), 0x88878685},
	    {INSN(BPF_ALU | BPF_END | BPF_TO_BE, 0, 0, 0, 64), 0x8887868584838281},
	    {INSN(BPF_ALU64 | BPF_END, 0, 0, 0, 16), 0x8887},
	    {INSN(BPF_ALU64 | BPF_END, 0, 0, 0, 32), 0x88878685},
	    {INSN(BPF_ALU64 | BPF_END, 0, 0, 0, 64), 0x8887868584838281},
	    {INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 0, 8, 0), 0xffffffffffffff88},
	    {INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 0, 16, 0), 0xffffffffffff8788},
	    {INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 0, 32, 0), 0xffffffff85868788},
	    {INSN(BPF_ALU | BPF_MOV | BPF_X, 0, 0, 0, 0), 0x85868788},
	    {INSN(BPF_ALU | BPF_MOV | BPF_X, 0, 0, 8, 0), 0xffffff88},
	    {INSN(BPF_ALU64 | BPF_NEG, 0, 0, 0, 0), 0x7e7d7c7b7a797878},
	    {INSN(BPF_ALU | BPF_NEG, 0, 0, 0, 0), 0x7a797878},
	    {INSN(BPF_ALU64 | BPF_ADD | BPF_K, 0, 0, 0, -1), 0x8182838485868787},
	    {INSN(BPF_ALU | BPF_SUB | BPF_K, 0, 0, 0, -1), 0x85868789},
	    {INSN(BPF_ALU64 | BPF_ARSH | BPF_K, 0, 0, 0, 60), 0xfffffffffffffff8},
	    {INSN(BPF_ALU | BPF_ARSH | BPF_K, 0, 0, 0, 28), 0xfffffff8},
	    {INSN(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 60), 8},
	    {INSN(BPF_ALU | BPF_RSH | BPF_K, 0, 0, 0, 28), 8},
	    {INSN(BPF_ALU | BPF_LSH | BPF_K, 0, 0, 0, 28), 0x80000000},
	    {INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 0, -1), 0},
	    {INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 1, -1), 0x7e7d7c7b7a797878},
	    {INSN(BPF_ALU | BPF_DIV | BPF_K, 0, 0, 1, 2), 0xc2c343c4},
	    {INSN(BPF_ALU | BPF_DIV | BPF_K, 0, 0, 0, 2), 0x42c343c4},
	    {INSN(BPF_ALU64 | BPF_MOD | BPF_K, 0, 0, 1, 16), 0xfffffffffffffff8},
	    {INSN(BPF_ALU64 | BPF_MOD | BPF_K, 0, 0, 0, 16), 8},
	};
	struct world *w = world_new();

	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		struct bpf_insn p[] = {INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, (int32_t)from),
				       INSN(0, 0, 0, 0, (int32_t)(from >> 32)), list[n].insn, EXIT};
		struct bpf_code c = {.insns = p, .n = 4};
		uint64_t r = 0;

		CHECK(run_code(w->in, &c, &w->f, &r));
		CHECK_INT(r, list[n].to);
	}
	BAD("bad width", MOVI(0, 1), INSN(BPF_ALU | BPF_END | BPF_TO_LE, 0, 0, 0, 8), EXIT);
	world_free(w);
}

static void hashes(void)
{
	struct world *w = world_new();
	uint64_t key = 5, *v, value[2] = {1, 2};

	CHECK_INT(run_ir(w, "func f(1) {\n\tslot 0 8 8\n\tslot 1 16 8\n.0:\n"
			    "\t%0 = slot 0\n\t%1 = const 5\n\tst64 [%0 + 0], %1 slot\n"
			    "\t%2 = slot 1\n\tst64 [%2 + 0], %1 slot\n\tst64 [%2 + 8], %1 slot\n"
			    "\t%3 = mapfd 0\n\t%4 = const 1\n\t%5 = call 2 (%3, %0, %2, %4)\n"
			    "\t%6 = call 2 (%3, %0, %2, %4)\n\tret %6\n}\n"),
		  -17);
	v = bpf_interp_lookup(w->in, w->fds[MAP_HASH], &key, 0);
	CHECK(v && v[0] == 5 && v[1] == 5);
	for (key = 6; key < 8; key++)
		CHECK_INT(bpf_interp_update(w->in, w->fds[MAP_HASH], &key, value, 0, 0), 0);
	CHECK_INT(bpf_interp_update(w->in, w->fds[MAP_HASH], &key, value, 0, 0), -7);
	key = 6;
	CHECK_INT(bpf_interp_delete(w->in, w->fds[MAP_HASH], &key), 0);
	CHECK_INT(bpf_interp_delete(w->in, w->fds[MAP_HASH], &key), -2);
	CHECK(!bpf_interp_lookup(w->in, w->fds[MAP_HASH], &key, 0));
	CHECK_INT(*(uint64_t *)bpf_interp_key(w->in, w->fds[MAP_HASH], 0), 5);
	CHECK_INT(*(uint64_t *)bpf_interp_key(w->in, w->fds[MAP_HASH], 1), 7);
	CHECK(!bpf_interp_key(w->in, w->fds[MAP_HASH], 2));
	for (key = 1; key < 4; key++)
		CHECK_INT(bpf_interp_update(w->in, w->fds[MAP_LRU], &key, value, 0, 0), 0);
	key = 1;
	CHECK(!bpf_interp_lookup(w->in, w->fds[MAP_LRU], &key, 0));
	key = 3;
	CHECK(bpf_interp_lookup(w->in, w->fds[MAP_LRU], &key, 0));
	world_free(w);
}

/* Each kind of map has the errors of the kernel, and keeps the same elements. */
static void kinds_of_maps(void)
{
	struct bpf_interp *in = bpf_interp_new(2);
	int array = bpf_interp_map(in, BPF_MAP_TYPE_ARRAY, 4, 12, 2);
	int queue = bpf_interp_map(in, BPF_MAP_TYPE_QUEUE, 0, 8, 2);
	int hash = bpf_interp_map(in, BPF_MAP_TYPE_PERCPU_HASH, 8, 8, 2);
	int lru = bpf_interp_map(in, BPF_MAP_TYPE_LRU_PERCPU_HASH, 8, 8, 3);
	uint64_t key = 1, value[2] = {5, 6}, *v;

	CHECK_INT(bpf_interp_update(in, array, &key, value, 0, BPF_ANY), 0);
	CHECK_INT(bpf_interp_update(in, array, &key, value, 0, BPF_NOEXIST), -17);
	CHECK_INT(bpf_interp_update(in, array, &key, value, 0, BPF_EXIST), 0);
	v = bpf_interp_lookup(in, array, &key, 0);
	CHECK(v && v[0] == 5 && *(uint32_t *)(v + 1) == 6);
	CHECK_INT(bpf_interp_delete(in, array, &key), -22);
	CHECK(!bpf_interp_key(in, array, 0));
	key = 2;
	CHECK_INT(bpf_interp_update(in, array, &key, value, 0, BPF_ANY), -7);
	CHECK(!bpf_interp_lookup(in, array, &key, 0));

	for (unsigned int n = 0; n < 3; n++)
		CHECK_INT(bpf_interp_update(in, queue, NULL, value, 0, BPF_ANY), n < 2 ? 0 : -7);

	CHECK_INT(bpf_interp_update(in, hash, &key, value, 0, BPF_EXIST), -2);
	CHECK_INT(bpf_interp_update(in, hash, &key, value, 1, BPF_ANY), 0);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(in, hash, &key, 0), 0);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(in, hash, &key, 1), 5);
	CHECK_INT(bpf_interp_update(in, hash, &key, value + 1, 0, BPF_EXIST), 0);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(in, hash, &key, 0), 6);
	CHECK_INT(bpf_interp_delete(in, hash, &key), 0);
	CHECK_INT(bpf_interp_update(in, hash, &key, value, 0, BPF_NOEXIST), 0);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(in, hash, &key, 1), 0);

	/* The element that was not used for the longest time makes way: 2, because 1 was read. */
	for (key = 1; key < 5; key++) {
		uint64_t first = 1;

		CHECK_INT(bpf_interp_update(in, lru, &key, value, 0, BPF_ANY), 0);
		CHECK(bpf_interp_lookup(in, lru, &first, 0) != NULL);
	}
	for (key = 1; key < 5; key++)
		CHECK_INT(bpf_interp_lookup(in, lru, &key, 0) != NULL, key != 2);
	bpf_interp_free(in);
}

static void percpu(void)
{
	static const char text[] = "func f(1) {\n\tslot 0 4 4\n.0:\n\t%0 = slot 0\n\t%1 = const 1\n"
				   "\tst32 [%0 + 0], %1 slot\n\t%2 = mapfd 1\n"
				   "\t%3 = call 1 (%2, %0)\n\tbr %3, .1, .2\n.1:\n"
				   "\tatomic_add [%3 + 0], %1\n\tjmp .2\n.2:\n\tret %1\n}\n";
	struct world *w = world_new();
	uint32_t key = 1;

	run_ir(w, text);
	w->f.cpu = 1;
	run_ir(w, text);
	run_ir(w, text);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(w->in, w->fds[MAP_PERCPU], &key, 0), 1);
	CHECK_INT(*(uint64_t *)bpf_interp_lookup(w->in, w->fds[MAP_PERCPU], &key, 1), 2);
	/* The program reads the value of any CPU; a CPU that the machine lacks has none. */
	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		static const int64_t want[] = {1, 2, 77};
		char text[400];

		snprintf(text, sizeof(text),
			 "func f(1) {\n\tslot 0 4 4\n.0:\n\t%%0 = slot 0\n\t%%1 = const 1\n"
			 "\tst32 [%%0 + 0], %%1 slot\n\t%%2 = mapfd 1\n\t%%3 = const %u\n"
			 "\t%%4 = call %d (%%2, %%0, %%3)\n\t%%5 = const 77\n"
			 "\tbr %%4, .1, .2\n.1:\n\t%%6 = ld64 [%%4 + 0] map\n\tret %%6\n"
			 ".2:\n\tret %%5\n}\n",
			 cpu, BPF_FUNC_map_lookup_percpu_elem);
		CHECK_INT(run_ir(w, text), want[cpu]);
	}
	key = 2;
	CHECK(!bpf_interp_lookup(w->in, w->fds[MAP_PERCPU], &key, 0));
	world_free(w);
}

/* Returns the result of BPF_FUNC_ringbuf_query. */
static uint64_t query(struct world *w, int what)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "func f(1) {\n.0:\n\t%%0 = mapfd 2\n\t%%1 = const %d\n"
		 "\t%%2 = call %d (%%0, %%1)\n\tret %%2\n}\n",
		 what, BPF_FUNC_ringbuf_query);
	return run_ir(w, text);
}

/* The ring has room for two records of 24 bytes with their headers. */
static void rings(void)
{
	static const char text[] =
	    "func f(1) {\n.0:\n\t%0 = mapfd 2\n\t%1 = const 24\n\t%2 = const 0\n"
	    "\t%3 = call 131 (%0, %1, %2)\n\tbr %3, .1, .2\n.1:\n"
	    "\t%4 = call 5 ()\n\tst64 [%3 + 16], %4 record\n"
	    "\t%5 = call 132 (%3, %2)\n\tret %1\n.2:\n\tret %2\n}\n";
	struct world *w = world_new();
	const char *rec;
	size_t size = 0;
	uint64_t v, zero = 0;

	CHECK(!bpf_interp_ring_next(w->in, w->fds[MAP_RING], &size));
	CHECK_INT(query(w, BPF_RB_AVAIL_DATA), 0);
	CHECK_INT(run_ir(w, text), 24);
	CHECK_INT(query(w, BPF_RB_AVAIL_DATA), 32);
	CHECK_INT(query(w, BPF_RB_RING_SIZE), 64);
	CHECK_INT(query(w, 99), 0);
	w->f.ktime = 2000;
	CHECK_INT(run_ir(w, text), 24);
	CHECK_INT(run_ir(w, text), 0);
	for (uint64_t want = 1000; want <= 2000; want += 1000) {
		rec = bpf_interp_ring_next(w->in, w->fds[MAP_RING], &size);
		CHECK(rec && size == 24);
		memcpy(&v, rec ? rec + 16 : (const char *)&zero, 8);
		CHECK_INT(v, want);
	}
	CHECK(!bpf_interp_ring_next(w->in, w->fds[MAP_RING], &size));
	CHECK_INT(run_ir(w, text), 24);
	bpf_interp_ring_next(w->in, w->fds[MAP_RING], &size);
	/* A record can come from memory that is not writable: the context. */
	w->ctx[1] = 77;
	CHECK_INT(run_ir(w, "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = mapfd 2\n\t%2 = const 16\n"
			    "\t%3 = const 0\n\t%4 = call 130 (%1, %0, %2, %3)\n\tret %4\n}\n"),
		  0);
	rec = bpf_interp_ring_next(w->in, w->fds[MAP_RING], &size);
	CHECK(rec && size == 16 && memcmp(rec, w->ctx, 16) == 0);
	world_free(w);
}

static uint64_t probe(struct world *w, int helper, uint64_t addr, unsigned int size)
{
	struct buf b = {0};
	uint64_t r;

	buf_printf(&b,
		   "func f(1) {\n.0:\n\t%%0 = mapval 5 + 0\n\t%%1 = const %u\n\t%%2 = const %lld\n"
		   "\t%%3 = call %d (%%0, %%1, %%2)\n\tret %%3\n}\n",
		   size, (long long)addr, helper);
	r = run_ir(w, buf_str(&b));
	buf_free(&b);
	return r;
}

static void probe_reads(void)
{
	struct world *w = world_new();
	uint32_t zero = 0;
	const char *dst = bpf_interp_lookup(w->in, w->fds[MAP_VALUE], &zero, 0);

	CHECK_INT(probe(w, BPF_FUNC_probe_read_kernel, KERNEL_ADDR + 7, 6), 0);
	CHECK(memcmp(dst, "string", 6) == 0);
	CHECK_INT(probe(w, BPF_FUNC_probe_read_kernel, KERNEL_ADDR + 10, 8), -14);
	CHECK(memcmp(dst, "\0\0\0", 3) == 0);
	CHECK_INT(probe(w, BPF_FUNC_probe_read_kernel, USER_ADDR, 4), -14);
	CHECK_INT(probe(w, BPF_FUNC_probe_read_user, USER_ADDR, 4), 0);
	CHECK_INT(probe(w, BPF_FUNC_probe_read_kernel_str, KERNEL_ADDR, 64), 14);
	CHECK_STR(dst, "kernel string");
	CHECK_INT(probe(w, BPF_FUNC_probe_read_user_str, USER_ADDR, 5), 5);
	CHECK_STR(dst, "user");
	CHECK_INT(probe(w, BPF_FUNC_probe_read_user_str, 8, 5), -14);
	CHECK_STR(dst, "");
	world_free(w);
}

/* Writes the first bytes of MAP_VALUE to user memory; returns the result of the helper. */
static uint64_t write_user(struct world *w, uint64_t addr, unsigned int size)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "func f(1) {\n.0:\n\t%%0 = const %lld\n\t%%1 = mapval 5 + 0\n\t%%2 = const %u\n"
		 "\t%%3 = call %d (%%0, %%1, %%2)\n\tret %%3\n}\n",
		 (long long)addr, size, BPF_FUNC_probe_write_user);
	return run_ir(w, text);
}

/* Only user memory that is writable is written, and only within its bounds. */
static void user_writes(void)
{
	enum { ADDR = 0x1000, SIZE = 8 };
	struct world *w = world_new();
	uint32_t zero = 0;
	char memory[SIZE + 1] = "abcdefgh";

	strcpy(bpf_interp_lookup(w->in, w->fds[MAP_VALUE], &zero, 0), "01234567");
	bpf_interp_region(w->in, ADDR, memory, SIZE, BPF_REGION_USER | BPF_REGION_WRITE);
	CHECK_INT(write_user(w, ADDR, 2), 0);
	CHECK_STR(memory, "01cdefgh");
	CHECK_INT(write_user(w, ADDR + SIZE - 3, 3), 0);
	CHECK_STR(memory, "01cde012");
	CHECK_INT(write_user(w, ADDR, SIZE), 0);
	CHECK_STR(memory, "01234567");
	CHECK_INT(write_user(w, ADDR + SIZE - 3, 4), -14);
	CHECK_INT(write_user(w, ADDR - 1, 4), -14);
	CHECK_INT(write_user(w, ADDR, SIZE + 1), -14);
	CHECK_INT(write_user(w, USER_ADDR, 4), -14);
	CHECK_INT(write_user(w, KERNEL_ADDR, 4), -14);
	CHECK_STR(memory, "01234567");
	CHECK_STR(user_text, "user string");
	world_free(w);
}

/* Compares two texts of MAP_VALUE, at most n bytes. */
static int64_t compare(struct world *w, const char *x, const char *y, unsigned int n)
{
	uint32_t zero = 0;
	char text[200], *value = bpf_interp_lookup(w->in, w->fds[MAP_VALUE], &zero, 0);

	strcpy(value, x);
	strcpy(value + 32, y);
	snprintf(text, sizeof(text),
		 "func f(1) {\n.0:\n\t%%0 = mapval 5 + 0\n\t%%1 = const %u\n"
		 "\t%%2 = mapval 5 + 32\n\t%%3 = call %d (%%0, %%1, %%2)\n\tret %%3\n}\n",
		 n, BPF_FUNC_strncmp);
	return (int64_t)run_ir(w, text);
}

static void comparisons(void)
{
	struct world *w = world_new();

	CHECK(compare(w, "abc", "abd", 3) < 0);
	CHECK_INT(compare(w, "abc", "abd", 2), 0);
	CHECK(compare(w, "b", "a", 4) > 0);
	CHECK(compare(w, "ab", "a", 4) > 0);
	CHECK_INT(compare(w, "ab", "ab", 32), 0);
	CHECK(compare(w, "\xff", "a", 1) > 0);
	world_free(w);
}

static void firing(void)
{
	static const uint64_t stack[3] = {11, 22, 33};
	struct world *w = world_new();
	uint32_t zero = 0;
	const char *dst = bpf_interp_lookup(w->in, w->fds[MAP_VALUE], &zero, 0);
	const uint64_t *pcs = (const uint64_t *)dst;

	w->f.kstack = stack;
	w->f.nkstack = 3;
	w->ctx[2] = 99;
	CHECK_INT(
	    run_ir(w, "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = ld64 [%0 + 16] ctx\n\tret %1\n}\n"),
	    99);
	CHECK_INT(run_ir(w, "func f(1) {\n.0:\n\t%0 = call 14 ()\n\tret %0\n}\n"), 8LL << 32 | 7);
	CHECK_INT(run_ir(w, "func f(1) {\n.0:\n\t%0 = mapval 5 + 0\n\t%1 = const 16\n"
			    "\t%2 = call 16 (%0, %1)\n\tret %2\n}\n"),
		  0);
	CHECK_STR(dst, "sh");
	CHECK_INT(run_ir(w, "func f(1) {\n.0:\n\t%0 = arg 0\n\t%1 = mapval 5 + 0\n\t%2 = const 64\n"
			    "\t%3 = const 1\n\t%4 = call 67 (%0, %1, %2, %3)\n\tret %4\n}\n"),
		  16);
	CHECK(pcs[0] == 22 && pcs[1] == 33 && pcs[2] == 0);
	/* Task storage: created at the first get, found at the second. */
	for (uint64_t want = 1; want <= 2; want++)
		CHECK_INT(run_ir(w, "func f(1) {\n.0:\n\t%0 = mapfd 3\n\t%1 = call 158 ()\n"
				    "\t%2 = const 0\n\t%3 = const 1\n"
				    "\t%4 = call 156 (%0, %1, %2, %3)\n\tbr %4, .1, .2\n.1:\n"
				    "\tatomic_add [%4 + 0], %3\n\t%5 = ld64 [%4 + 0] map\n"
				    "\tret %5\n.2:\n\tret %2\n}\n"),
			  want);
	world_free(w);
}

/* A deleted word of a task begins with 0 again. */
static void task_words(void)
{
	static const char text[] =
	    "func f(1) {\n.0:\n\t%0 = mapfd 3\n\t%1 = call 158 ()\n\t%2 = const 0\n"
	    "\t%3 = const 1\n\t%4 = call 156 (%0, %1, %2, %3)\n\tbr %4, .1, .2\n.1:\n"
	    "\t%5 = const 6\n\tst64 [%4 + 0], %5 map\n\t%6 = call 157 (%0, %1)\n"
	    "\t%7 = call 157 (%0, %1)\n\t%8 = call 156 (%0, %1, %2, %2)\n"
	    "\t%9 = eq %8, %2\n\t%10 = add %6, %7\n\t%11 = mul %10, %9\n\tret %11\n.2:\n"
	    "\tret %3\n}\n";
	struct world *w = world_new();

	CHECK_INT(run_ir(w, text), -2);
	world_free(w);
}

/* Returns the result of a helper without arguments. */
static uint64_t ask(struct world *w, int helper)
{
	char text[100];

	snprintf(text, sizeof(text), "func f(1) {\n.0:\n\t%%0 = call %d ()\n\tret %%0\n}\n",
		 helper);
	return run_ir(w, text);
}

/* Each helper returns its own member of the firing. */
static void members(void)
{
	struct world *w = world_new();
	uint64_t random;

	w->f.boot_time = 2000;
	w->f.tai_time = 3000;
	w->f.uid = 5;
	w->f.gid = 6;
	w->f.cpu = 1;
	w->f.cgroup = 77;
	w->f.cookie = 88;
	w->f.func_ip = 99;
	w->f.stackid = 111;
	CHECK_INT(ask(w, BPF_FUNC_ktime_get_ns), 1000);
	CHECK_INT(ask(w, BPF_FUNC_ktime_get_boot_ns), 2000);
	CHECK_INT(ask(w, BPF_FUNC_ktime_get_tai_ns), 3000);
	CHECK_INT(ask(w, BPF_FUNC_get_current_pid_tgid), 8LL << 32 | 7);
	CHECK_INT(ask(w, BPF_FUNC_get_current_uid_gid), 6LL << 32 | 5);
	CHECK_INT(ask(w, BPF_FUNC_get_smp_processor_id), 1);
	CHECK_INT(ask(w, BPF_FUNC_get_current_cgroup_id), 77);
	CHECK_INT(ask(w, BPF_FUNC_get_current_task), KERNEL_ADDR);
	CHECK_INT(ask(w, BPF_FUNC_get_attach_cookie), 88);
	CHECK_INT(ask(w, BPF_FUNC_get_func_ip), 99);
	CHECK_INT(ask(w, BPF_FUNC_get_stackid), 111);
	CHECK_INT(ask(w, BPF_FUNC_get_numa_node_id), 0);
	/* The namespace is the arguments 0 and 0, the result pid and tgid. */
	CHECK_INT(run_ir(w, "func f(1) {\n\tslot 0 8 8\n.0:\n\t%0 = slot 0\n\t%1 = const 0\n"
			    "\t%2 = const 8\n\t%3 = call 120 (%1, %1, %0, %2)\n"
			    "\t%4 = ld64 [%0 + 0] slot\n\t%5 = add %4, %3\n\tret %5\n}\n"),
		  8LL << 32 | 7);
	random = ask(w, BPF_FUNC_get_prandom_u32);
	CHECK(random <= UINT32_MAX && ask(w, BPF_FUNC_get_prandom_u32) != random);
	world_free(w);
}

/* bpf_loop with a callback that counts in the caller's stack and stops at 5. */
static void loops(void)
{
	static const struct bpf_insn code[] = {
	    INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0),
	    MOVI(1, 100),
	    INSN(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_FUNC, 0, 7),
	    INSN(0, 0, 0, 0, 0),
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -8),
	    MOVI(4, 0),
	    CALL(BPF_FUNC_loop),
	    INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 10, -8, 0),
	    EXIT,
	    INSN(BPF_LDX | BPF_MEM | BPF_DW, 3, 2, 0, 0),
	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, 1),
	    INSN(BPF_STX | BPF_MEM | BPF_DW, 2, 3, 0, 0),
	    MOVI(0, 0),
	    INSN(BPF_JMP | BPF_JLT | BPF_K, 1, 0, 1, 4),
	    MOVI(0, 1),
	    EXIT,
	};
	struct world *w = world_new();
	struct bpf_code c = {.insns = (struct bpf_insn *)code, .n = sizeof(code) / sizeof(*code)};
	uint64_t r = 0;

	CHECK(run_code(w->in, &c, &w->f, &r));
	CHECK_INT(r, 5);
	CHECK_STR(bpf_interp_error(w->in), "");
	world_free(w);
}

static bool double_it(void *arg, struct bpf_interp *in, int32_t id, uint64_t *r)
{
	if (id != 1234)
		return false;
	r[0] = 2 * r[1] + (arg != NULL) + (bpf_interp_mem(in, KERNEL_ADDR, 4, true) != NULL);
	return true;
}

static void hooks(void)
{
	struct world *w = world_new();
	struct bpf_interp_hooks h = {.helper = double_it, .kfunc = double_it};

	bpf_interp_set_hooks(w->in, &h);
	CHECK_INT(
	    run_ir(w, "func f(1) {\n.0:\n\t%0 = const 21\n\t%1 = call 1234 (%0)\n\tret %1\n}\n"),
	    42);
	CHECK_INT(
	    run_ir(w, "func f(1) {\n.0:\n\t%0 = const 4\n\t%1 = callk 1234 (%0)\n\tret %1\n}\n"),
	    8);
	CHECK(bpf_interp_insns(w->in) <= 3);
	world_free(w);
}

int main(void)
{
	violations();
	more_violations();
	frames();
	bounds();
	atomics();
	loads_and_jumps();
	bad_arguments();
	wrong_maps();
	discarded();
	sizes_of_results();
	numbers_of_loops();
	reserved_fields();
	used_fields();
	arithmetic();
	hashes();
	kinds_of_maps();
	percpu();
	rings();
	probe_reads();
	user_writes();
	comparisons();
	firing();
	task_words();
	members();
	loops();
	hooks();
	return TEST_DONE();
}
