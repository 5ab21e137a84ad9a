/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_test.c: items alive at the ends of blocks, compared with equations solved by repetition;
 * frequencies of blocks; and operands and lengths of machine instructions.
 */
#include <string.h>

#include "base/arena.h"
#include "bpf/mir.h"
#include "test.h"

#define BLOCKS 9
#define ITEMS  3

static struct arena *arena;

/* A function of empty blocks that end with a jump: `yes` and `no` are numbers of blocks, or -1. */
static struct mfunc *new_func(const int yes[BLOCKS], const int no[BLOCKS])
{
	struct mfunc *f = arena_new_obj(arena, struct mfunc);

	f->arena = arena;
	f->nblocks = BLOCKS;
	f->blocks = arena_new_arr(arena, struct mblock *, BLOCKS);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		f->blocks[i] = arena_new_obj(arena, struct mblock);
		f->blocks[i]->id = i;
	}
	for (unsigned int i = 0; i < BLOCKS; i++) {
		struct mins *jump = m_ins_new(f, yes[i] < 0 ? M_EXIT : no[i] < 0 ? M_JMP : M_JCCI);

		jump->yes = yes[i] < 0 ? NULL : f->blocks[yes[i]];
		jump->no = no[i] < 0 ? NULL : f->blocks[no[i]];
		m_append(f->blocks[i], jump);
	}
	return f;
}

/* Returns the set as bits; 1 << 31 if it contains an item twice. */
static unsigned int bits_of(const struct mset *s)
{
	unsigned int bits = 0;

	for (unsigned int i = 0; i < s->n; i++)
		bits |= bits & 1U << s->a[i] ? 1U << 31 : 1U << s->a[i];
	return bits;
}

/* How a block uses an item; READS_WRITES: first it reads the item, then it writes it. */
enum { NOTHING, READS, WRITES, READS_WRITES, WRITES_READS, NACTS };

static void check_sets(const struct mfunc *f, unsigned char acts[BLOCKS][ITEMS])
{
	unsigned int in[BLOCKS] = {0}, out[BLOCKS] = {0};

	for (unsigned int round = 0; round < BLOCKS * ITEMS; round++)
		for (unsigned int b = 0; b < BLOCKS; b++) {
			struct mblock *to[2];

			for (unsigned int n = m_succs(f->blocks[b], to); n-- > 0;)
				out[b] |= in[to[n]->id];
			for (unsigned int i = 0; i < ITEMS; i++) {
				unsigned int act = acts[b][i], bit = 1U << i;

				if (act == READS || act == READS_WRITES || act == NOTHING)
					in[b] |= act == NOTHING ? out[b] & bit : bit;
			}
		}
	for (unsigned int b = 0; b < BLOCKS; b++) {
		CHECK_INT(bits_of(&f->blocks[b]->live_in), in[b]);
		CHECK_INT(bits_of(&f->blocks[b]->live_out), out[b]);
	}
}

static unsigned int drawn(unsigned int below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned int)(state >> 33) % below;
}

static void test_random(void)
{
	for (unsigned int n = 0; n < 300; n++) {
		unsigned char acts[BLOCKS][ITEMS];
		int yes[BLOCKS], no[BLOCKS];
		struct live *l;
		struct mfunc *f;

		for (unsigned int b = 0; b < BLOCKS; b++) {
			yes[b] = drawn(8) ? (int)drawn(BLOCKS) : -1;
			no[b] = yes[b] >= 0 && drawn(2) ? (int)drawn(BLOCKS) : -1;
		}
		f = new_func(yes, no);
		l = live_new(f, ITEMS);
		for (unsigned int b = 0; b < BLOCKS; b++)
			for (unsigned int i = 0; i < ITEMS; i++) {
				unsigned int act = acts[b][i] = (unsigned char)drawn(NACTS);

				if (act == WRITES || act == WRITES_READS)
					live_write(l, i, f->blocks[b]);
				if (act == READS || act == READS_WRITES || act == WRITES_READS)
					live_read(l, i, f->blocks[b]);
				if (act == READS_WRITES)
					live_write(l, i, f->blocks[b]);
			}
		live_solve(l);
		CHECK(!f->err);
		check_sets(f, acts);
	}
}

static bool is_about(double a, double b)
{
	return a > b * 0.999 && a < b * 1.001;
}

/* 0 goes to 1 or 2, and both to 3, the head of a loop of 3 and 4, which ends in 5. */
static void test_frequencies(void)
{
	static const int yes[BLOCKS] = {1, 3, 3, 4, 3, 6, 7, 8, -1};
	static const int no[BLOCKS] = {2, -1, -1, 5, -1, -1, -1, -1, -1};
	struct mfunc *f = new_func(yes, no);

	for (unsigned int b = 0; b < BLOCKS; b++)
		f->blocks[b]->freq = 7;
	live_freq(f);
	CHECK(is_about(f->blocks[0]->freq, 1));
	CHECK(is_about(f->blocks[1]->freq, 0.5));
	CHECK(is_about(f->blocks[2]->freq, 0.5));
	CHECK(is_about(f->blocks[3]->freq, 1.5));
	CHECK(is_about(f->blocks[4]->freq, 0.5));
	CHECK(is_about(f->blocks[5]->freq, 0.5));
	CHECK(is_about(f->blocks[8]->freq, 0.5));
	f->blocks[0]->last->likely = 1;
	live_freq(f);
	CHECK(is_about(f->blocks[1]->freq, 0.9));
	CHECK(is_about(f->blocks[2]->freq, 0.1));
	f->blocks[0]->last->likely = -1;
	live_freq(f);
	CHECK(is_about(f->blocks[1]->freq, 0.1));
	CHECK(is_about(f->blocks[2]->freq, 0.9));
}

/* Each block is unlikely after the last one.  None counts as one that never runs. */
static void test_rarest(void)
{
	static const int yes[BLOCKS] = {8, 8, 8, 8, 8, 8, 8, 8, -1};
	static const int no[BLOCKS] = {1, 2, 3, 4, 5, 6, 7, -1, -1};
	struct mfunc *f = new_func(yes, no);

	for (unsigned int b = 0; b < BLOCKS - 2; b++)
		f->blocks[b]->last->likely = 1;
	live_freq(f);
	CHECK(is_about(f->blocks[5]->freq, 1e-5));
	CHECK(is_about(f->blocks[6]->freq, 1e-6));
	CHECK(is_about(f->blocks[7]->freq, 1e-6));
}

/* Registers that an instruction reads and writes, as bits of dst, src, src2 and r0 to r5. */
enum { D = 1, S = 2, S2 = 4, R0 = 8, R1 = 16, R2 = 32, ARGS = 63 * R0 };

static const int operands[] = {20, 21, 22, 0, 1, 2, 3, 4, 5};

static unsigned int mask_of(const int *regs, unsigned int n)
{
	unsigned int mask = 0;

	for (unsigned int k = 0; k < n; k++)
		for (unsigned int o = 0; o < sizeof(operands) / sizeof(*operands); o++)
			if (regs[k] == operands[o])
				mask |= 1U << o;
	return mask;
}

static void test_operands(void)
{
	static const struct {
		enum m_kind kind;
		int imm;
		unsigned int uses, uses_of_object, defs, length;
	} list[] = {
	    {M_MOV, 0, S, S, D, 1},
	    {M_MOVI, 0, 0, 0, D, 2},
	    {M_SYM, 0, 0, 0, D, 2},
	    {M_FRAME, 0, 0, 0, D, 2},
	    {M_ALU, 0, D | S, D | S, D, 1},
	    {M_ALUI, 0, D, D, D, 1},
	    {M_NEG, 0, D, D, D, 1},
	    {M_SWAP, 0, D, D, D, 1},
	    {M_MOVSX, 0, S, S, D, 1},
	    {M_MOV32, 0, S, S, D, 1},
	    {M_LD, 0, S, 0, D, 1},
	    {M_ST, 0, D | S, S, 0, 1},
	    {M_STI, 0, D, 0, 0, 1},
	    {M_ATOMIC, BPF_ADD, D | S, S, 0, 1},
	    {M_ATOMIC, BPF_ADD | BPF_FETCH, D | S, S, S, 1},
	    {M_ATOMIC, BPF_XCHG, D | S, S, S, 1},
	    {M_ATOMIC, BPF_CMPXCHG, D | S | R0, S | R0, R0, 1},
	    {M_SET, 0, S | S2, S | S2, D, 3},
	    {M_SETI, 0, S, S, D, 3},
	    {M_CALL, 0, R1 | R2, R1 | R2, ARGS, 1},
	    {M_JCC, 0, S | S2, S | S2, 0, 2},
	    {M_JCCI, 0, S, S, 0, 2},
	    {M_JMP, 0, 0, 0, 0, 1},
	    {M_EXIT, 0, R0, R0, 0, 1},
	};
	struct mfunc *f = arena_new_obj(arena, struct mfunc);
	int regs[6];

	f->arena = arena;
	for (unsigned int n = 0; n < sizeof(list) / sizeof(*list); n++) {
		struct mins *i = m_ins_new(f, list[n].kind);

		i->dst = 20;
		i->src = 21;
		i->src2 = 22;
		i->nargs = 2;
		i->imm = list[n].imm;
		CHECK_INT(mask_of(regs, m_uses(i, regs)), list[n].uses);
		CHECK_INT(mask_of(regs, m_defs(i, regs)), list[n].defs);
		CHECK_INT(m_length(i), list[n].length);
		i->obj = 0;
		CHECK_INT(mask_of(regs, m_uses(i, regs)), list[n].uses_of_object);
		m_replace_use(i, 20, 3);
		m_replace_use(i, 21, 4);
		m_replace_use(i, 22, 5);
		CHECK_INT(i->dst, list[n].uses_of_object & D ? 3 : 20);
		CHECK_INT(i->src, list[n].uses_of_object & S ? 4 : 21);
		CHECK_INT(i->src2, list[n].uses_of_object & S2 ? 5 : 22);
	}
	CHECK(m_fits32(INT32_MAX) && m_fits32(INT32_MIN));
	CHECK(!m_fits32(INT32_MAX + 1LL) && !m_fits32(INT32_MIN - 1LL));
}

int main(void)
{
	arena = arena_new();
	test_random();
	test_frequencies();
	test_rarest();
	test_operands();
	arena_free(arena);
	return TEST_DONE();
}
