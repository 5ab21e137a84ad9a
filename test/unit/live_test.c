/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_test.c: items alive at the ends of blocks, compared with equations solved by repetition; and
 * frequencies of blocks.
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

/* What happens to an item in a block. */
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

int main(void)
{
	arena = arena_new();
	test_random();
	test_frequencies();
	test_rarest();
	arena_free(arena);
	return TEST_DONE();
}
