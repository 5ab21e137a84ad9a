/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buffer.c: room for records.
 *
 * With policies switch and fill, records go to the BPF ring buffer, and the consumer frees room.
 * The bytes of each CPU are counted under fill, and if its share is less than the smallest ring.
 *
 * With policy ring nobody reads before tracing ends, and new records replace the oldest.  Each CPU
 * has its own memory (MAP_KEPT) that is written cyclically.  The memory is larger than the cycle,
 * so that a record may extend over the end.  Records are linked backwards and have a mark that they
 * are complete.  Records that the consumer needs at once still use the ring buffer.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stddef.h>

#include "lower/leaf.h"

static struct ir_ins *cpu_id(struct lw *lw)
{
	return lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id);
}

/* desc | cpu << 16 | probe << 32 */
void lw_rec_head(struct lw *lw, struct ir_ins *rec, unsigned int desc)
{
	struct ir_ins *head, *cpu = lw_bini(lw, IR_SHL, cpu_id(lw), 16);

	head = lw_bini(lw, IR_OR, cpu, desc);
	head = lw_bin(lw, IR_OR, head, lw_bini(lw, IR_SHL, lw->firing.probe_id, 32));
	ir_store(&lw->b, 8, rec, 0, head, IR_MEM_RECORD);
}

/* Returns the fill of this CPU's share after the record is added to sum bytes. */
static struct ir_ins *with_record(struct lw *lw, struct ir_ins *sum)
{
	const struct rec_desc *d = lw->clause.desc;

	sum = ir_bin(&lw->b, IR_ADD, sum, ir_const(&lw->b, d->align - 1));
	sum = ir_bin(&lw->b, IR_AND, sum, ir_const(&lw->b, -(int64_t)d->align));
	return ir_bin(&lw->b, IR_ADD, sum, ir_const(&lw->b, (int64_t)d->room));
}

/* Records of ERROR, of the end of tracing and, under fill, of END always have room. */
static bool is_counted(const struct lw *lw)
{
	const struct rec_desc *d = lw->clause.desc;

	if (!lw->plan->opt.is_metered || lw->firing.in_error)
		return false;
	if (lw->plan->opt.policy == PLAN_FILL)
		return lw->unit->fired != FIRED_AT_END;
	return !d->clause->parts[d->part].has_exit;
}

/* With policy fill the first record that does not fit ends tracing. */
struct ir_ins *lw_check_room(struct lw *lw, struct ir_block *full)
{
	struct ir_block *have = lw_block(lw), *fits = lw_block(lw), *over = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct ir_ins *p, *sum;
	struct tmp key;

	if (!is_counted(lw))
		return NULL;
	key = lw_array_key(lw, ir_const(&lw->b, 0));
	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, MAP_METER), key.p, NULL);
	lw_if(lw, p, have, full);
	lw_seal_at(lw, have);
	sum = with_record(lw, ir_load(&lw->b, 8, p, 0, IR_MEM_MAP));
	lw_if(lw, ir_bin(&lw->b, IR_ULE, sum, ir_const(&lw->b, (int64_t)lw->plan->opt.bufsize)),
	      fits, over);
	lw_seal_at(lw, over);
	if (lw->plan->opt.policy == PLAN_FILL)
		ir_store(&lw->b, 8,
			 ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, active)), 0,
			 ir_const(&lw->b, ABI_STATE_STOPPED), IR_MEM_MAP);
	else
		lw_drop(lw, ABI_DROP_PRINCIPAL);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, full);
	lw_seal_at(lw, fits);
	if (lw->plan->opt.policy == PLAN_FILL)
		lw->firing.may_stop = true;
	return p;
}

void lw_take_room(struct lw *lw)
{
	ir_store(&lw->b, 8, lw->clause.meter, 0,
		 with_record(lw, ir_load(&lw->b, 8, lw->clause.meter, 0, IR_MEM_MAP)), IR_MEM_MAP);
}

/* ---- records ---- */

/* Counts a lost record. */
static void lose(struct lw *lw, struct ir_block *full)
{
	lw_drop(lw, ABI_DROP_PRINCIPAL);
	ir_jmp(&lw->b, full);
}

/*
 * Marks that this CPU reserves a record.  If the program that this one interrupts is doing so,
 * there is no record for this one.  The mark covers the helper that holds the lock.
 */
static struct ir_ins *enter_ring(struct lw *lw, struct ir_block *none)
{
	struct ir_block *there = lw_block(lw), *is_free = lw_block(lw);
	struct tmp key = lw_array_key(lw, ir_const(&lw->b, 0));
	struct ir_ins *word;

	word = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, lw->plan->ring_busy), key.p,
			 NULL);
	lw_if(lw, word, there, none);
	lw_seal_at(lw, there);
	lw_if(lw, ir_load(&lw->b, 8, word, 0, IR_MEM_MAP), none, is_free);
	lw_seal_at(lw, is_free);
	ir_atomic(&lw->b, IR_ATOMIC_ADD, word, 0, ir_const(&lw->b, 1), NULL);
	return word;
}

/* is_loss: count a missing record as a loss. */
static struct ir_ins *reserve_now(struct lw *lw, uint32_t size, struct ir_block *full, bool is_loss)
{
	struct ir_block *ok = lw_block(lw), *none = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct ir_ins *rec, *busy = NULL;

	if (lw->plan->ring_busy)
		busy = enter_ring(lw, none);
	rec = lw_helper(lw, BPF_FUNC_ringbuf_reserve, ir_mapfd(&lw->b, MAP_RING),
			ir_const(&lw->b, size), ir_const(&lw->b, 0), NULL);
	if (busy)
		ir_atomic(&lw->b, IR_ATOMIC_ADD, busy, 0, ir_const(&lw->b, -1), NULL);
	lw_if(lw, rec, ok, none);
	lw_seal_at(lw, none);
	if (is_loss)
		lw_drop(lw, ABI_DROP_PRINCIPAL);
	ir_jmp(&lw->b, full);
	lw_pop(lw, mark);
	lw_seal_at(lw, ok);
	return rec;
}

struct ir_ins *lw_reserve_now(struct lw *lw, uint32_t size, struct ir_block *full)
{
	return reserve_now(lw, size, full, true);
}

void lw_submit_now(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags)
{
	lw_helper(lw, BPF_FUNC_ringbuf_submit, rec, flags, NULL);
}

/* Reserves the next place in this CPU's memory, and links it to the record before. */
static struct ir_ins *reserve_kept(struct lw *lw, uint32_t size, struct ir_block *full)
{
	struct ir_block *ok = lw_block(lw), *none = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct tmp key = lw_array_key(lw, cpu_id(lw));
	struct ir_ins *p, *at, *rec;

	size = plan_kept_room(size);
	assert(size <= lw->plan->kept_max);
	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, MAP_KEPT), key.p, NULL);
	lw_if(lw, p, ok, none);
	lw_seal_at(lw, none);
	lose(lw, full);
	lw_pop(lw, mark);
	lw_seal_at(lw, ok);
	at = ir_atomic(&lw->b, IR_ATOMIC_FADD, p, offsetof(struct abi_memory, end),
		       ir_const(&lw->b, size), NULL);
	rec = ir_bin(&lw->b, IR_AND, at, ir_const(&lw->b, (int64_t)plan_kept_size(lw->plan) - 1));
	rec = ir_bin(&lw->b, IR_ADD, p, rec);
	rec = ir_bin(&lw->b, IR_ADD, rec,
		     ir_const(&lw->b, offsetof(struct abi_memory, records) +
					  (int64_t)sizeof(struct abi_kept)));
#define KEPT(member) ((int64_t)offsetof(struct abi_kept, member) - (int64_t)sizeof(struct abi_kept))
	ir_store(&lw->b, 4, rec, KEPT(is_complete), ir_const(&lw->b, 0), IR_MEM_RECORD);
	ir_store(&lw->b, 4, rec, KEPT(size), ir_const(&lw->b, size), IR_MEM_RECORD);
	ir_store(&lw->b, 8, rec, KEPT(time), lw_helper(lw, BPF_FUNC_ktime_get_ns, NULL),
		 IR_MEM_RECORD);
	ir_store(&lw->b, 8, rec, KEPT(before),
		 ir_atomic(&lw->b, IR_ATOMIC_XCHG, p, offsetof(struct abi_memory, last),
			   ir_bin(&lw->b, IR_ADD, at, ir_const(&lw->b, 1)), NULL),
		 IR_MEM_RECORD);
	return rec;
}

struct ir_ins *lw_reserve(struct lw *lw, uint32_t size, struct ir_block *full)
{
	return lw->plan->opt.policy == PLAN_RING ? reserve_kept(lw, size, full)
						 : lw_reserve_now(lw, size, full);
}

struct ir_ins *lw_reserve_word(struct lw *lw, uint32_t size, struct ir_block *full)
{
	return lw->plan->opt.policy == PLAN_RING ? reserve_kept(lw, size, full)
						 : reserve_now(lw, size, full, false);
}

void lw_submit(struct lw *lw, struct ir_ins *rec, struct ir_ins *flags)
{
	if (lw->plan->opt.policy == PLAN_RING)
		ir_store(&lw->b, 4, rec, KEPT(is_complete), ir_const(&lw->b, 1), IR_MEM_RECORD);
	else
		lw_submit_now(lw, rec, flags);
}

void lw_discard(struct lw *lw, struct ir_ins *rec)
{
	if (lw->plan->opt.policy != PLAN_RING)
		lw_helper(lw, BPF_FUNC_ringbuf_discard, rec, ir_const(&lw->b, BPF_RB_NO_WAKEUP),
			  NULL);
}
