/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_spec.c: speculation(), speculate(), commit(), discard().
 *
 * Speculative records travel like all others.  The consumer keeps them until it reads commit() or
 * discard() of their speculation.  The kernel side only has the state for immediate decisions: a
 * queue of free numbers, a word per number with its use count and state, and the bytes that each
 * CPU has used.  A record carries number and use, so a number can be reused while records of its
 * last use are still in the ring.
 */
#include <bpf/bpf.h>
#include <stddef.h>

#include "builtin/builtin.h"

/* Bytes of a CPU in a speculation, and the speculation's word. */
struct fill {
	uint64_t word, bytes;
};

static struct ir_ins *lookup(struct lw *lw, unsigned int map, struct tmp key)
{
	return lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, map), key.p, NULL);
}

static struct ir_ins *get_word(struct lw *lw, struct ir_ins *p)
{
	return ir_load(&lw->b, 8, p, 0, IR_MEM_MAP);
}

/*
 * An active speculation: its number, the address of its word, and the word.  find_active goes to
 * `none` for other numbers.  With must_exist, an impossible number is a fault.
 */
struct active {
	struct ir_ins *id, *p, *word;
	struct tmp key;
};

static struct active find_active(struct lw *lw, const struct expr *e, struct ir_block *none,
				 bool must_exist)
{
	struct ir_block *have = lw_block(lw), *on = lw_block(lw), *within = lw_block(lw);
	struct ir_ins *is_above;
	struct active a;

	a.id = lw_norm(lw, lw_scalar(lw, e), e->type);
	is_above = ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, (int64_t)lw->plan->opt.nspec), a.id);
	if (must_exist)
		lw_fault_if(lw, is_above, ABI_FLT_ILLOP, NULL);
	lw_if(lw, is_above, none, within);
	lw_seal_at(lw, within);
	a.key = lw_array_key(lw, a.id);
	a.p = lookup(lw, lw->plan->spec_words, a.key);
	lw_if(lw, a.p, have, none);
	lw_seal_at(lw, have);
	a.word = get_word(lw, a.p);
	lw_if(lw, ir_bin(&lw->b, IR_AND, a.word, ir_const(&lw->b, ABI_SPEC_ACTIVE)), on, none);
	lw_seal_at(lw, on);
	return a;
}

/* Makes a free number active for one use. */
static struct val call_speculation(struct lw *lw, const struct expr *e)
{
	struct ir_block *got = lw_block(lw), *none = lw_block(lw), *have = lw_block(lw),
			*done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark = lw_push(lw);
	struct tmp key = lw_array_key(lw, ir_const(&lw->b, 0));
	struct ir_ins *p, *word;

	ir_var_write(&lw->b, var, ir_const(&lw->b, 0));
	lw_if(lw,
	      lw_helper(lw, BPF_FUNC_map_pop_elem, ir_mapfd(&lw->b, lw->plan->spec_free), key.p,
			NULL),
	      none, got);
	lw_seal_at(lw, none);
	lw_drop(lw, ABI_DROP_SPECUNAVAIL);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, got);
	p = lookup(lw, lw->plan->spec_words, key);
	lw_if(lw, p, have, done);
	lw_seal_at(lw, have);
	word = ir_bin(&lw->b, IR_ADD, get_word(lw, p), ir_const(&lw->b, 1 << ABI_SPEC_USE));
	word = ir_bin(&lw->b, IR_OR, word, ir_const(&lw->b, ABI_SPEC_ACTIVE));
	ir_store(&lw->b, 8, p, 0, word, IR_MEM_MAP);
	ir_var_write(&lw->b, var, ir_load(&lw->b, 4, key.p, 0, key.mem));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
	return builtin_int(ir_var_read(&lw->b, var), e);
}

/*
 * Reserves n more bytes of this CPU in the speculation.  Without room, counts a drop and goes to
 * `full`.
 */
static void take_room(struct lw *lw, struct tmp key, struct ir_ins *word, uint64_t n,
		      struct ir_block *full)
{
	struct ir_block *have = lw_block(lw), *old = lw_block(lw), *same = lw_block(lw),
			*fits = lw_block(lw), *over = lw_block(lw);
	struct ir_ins *p = lookup(lw, lw->plan->spec_fill, key), *sum;

	lw_if(lw, p, have, full);
	lw_seal_at(lw, have);
	lw_if(lw, ir_bin(&lw->b, IR_EQ, get_word(lw, p), word), same, old);
	lw_seal_at(lw, old);
	ir_store(&lw->b, 8, p, 0, word, IR_MEM_MAP);
	ir_store(&lw->b, 8, p, offsetof(struct fill, bytes), ir_const(&lw->b, 0), IR_MEM_MAP);
	ir_jmp(&lw->b, same);
	lw_seal_at(lw, same);
	sum = ir_load(&lw->b, 8, p, offsetof(struct fill, bytes), IR_MEM_MAP);
	sum = ir_bin(&lw->b, IR_ADD, sum, ir_const(&lw->b, (int64_t)n));
	lw_if(lw, ir_bin(&lw->b, IR_ULE, sum, ir_const(&lw->b, (int64_t)lw->plan->opt.specsize)),
	      fits, over);
	lw_seal_at(lw, over);
	lw_drop(lw, ABI_DROP_SPEC);
	ir_jmp(&lw->b, full);
	lw_seal_at(lw, fits);
	ir_store(&lw->b, 8, p, offsetof(struct fill, bytes), sum, IR_MEM_MAP);
}

static void plan_speculate(struct plan *plan, struct rec_desc *d, const struct expr *e)
{
	rec_act_add(plan, d, e->ident->name, e);
	d->spec_item = rec_item_add(d, (struct item){.enc = ITEM_INT, .size = 8}) + 1;
}

/*
 * Makes the record of this part speculative.  If the number is not active or there is no room, the
 * clause ends.
 */
static void emit_speculate(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct ir_block *none = lw_block(lw), *done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct active a = find_active(lw, e->args[0], none, false);

	take_room(lw, a.key, a.word, (lw->clause.desc->room + 7) & ~7ULL, none);
	lw_item_store_int(lw, item, lw_spec_handle(lw, a.id, a.word));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, none);
	lw_end_clause(lw);
	lw_seal_at(lw, done);
}

/* Replaces the bits of an active speculation's word.  Returns the old word. */
static struct ir_ins *set_bits(struct lw *lw, const struct active *a, int64_t bits)
{
	struct ir_ins *word =
	    ir_bin(&lw->b, IR_AND, a->word, ir_const(&lw->b, ~(int64_t)ABI_SPEC_ACTIVE));

	return ir_atomic(&lw->b, IR_ATOMIC_CMPXCHG, a->p, 0, a->word,
			 ir_bin(&lw->b, IR_OR, word, ir_const(&lw->b, bits)));
}

/*
 * Ends an active speculation, once.  Reports it to the consumer by a record, or without room by its
 * word.
 */
static void end(struct lw *lw, const struct expr *e, unsigned int desc)
{
	struct ir_block *won = lw_block(lw), *lost = lw_block(lw), *done = lw_block(lw),
			*full = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct active a = find_active(lw, e->args[0], done, true);
	struct ir_ins *rec = lw_reserve_word(lw, sizeof(struct abi_spec), full), *old;

	lw_rec_head(lw, rec, desc);
	ir_store(&lw->b, 8, rec, offsetof(struct abi_spec, handle),
		 lw_spec_handle(lw, a.id, a.word), IR_MEM_RECORD);
	old = set_bits(lw, &a, 0);
	lw_if(lw, ir_bin(&lw->b, IR_EQ, old, a.word), won, lost);
	lw_seal_at(lw, lost);
	lw_discard(lw, rec);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, won);
	lw_submit(lw, rec, ir_const(&lw->b, BPF_RB_NO_WAKEUP));
	lw_helper(lw, BPF_FUNC_map_push_elem, ir_mapfd(&lw->b, lw->plan->spec_free), a.key.p,
		  ir_const(&lw->b, BPF_ANY), NULL);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, full);
	set_bits(lw, &a, ABI_SPEC_ENDED | (desc == ABI_DESC_COMMIT ? ABI_SPEC_COMMIT : 0));
	ir_atomic(&lw->b, IR_ATOMIC_ADD,
		  ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, late_ends)), 0,
		  ir_const(&lw->b, 1), NULL);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static void emit_commit(struct lw *lw, const struct expr *e, unsigned int item)
{
	end(lw, e, ABI_DESC_COMMIT);
}

static void emit_discard(struct lw *lw, const struct expr *e, unsigned int item)
{
	end(lw, e, ABI_DESC_DISCARD);
}

const struct lang_row builtin_act_spec[] = {
    {.name = "speculation",
     .kind = IDENT_FUNC,
     .proto = "int speculation()",
     .impl = &(const struct builtin_func){.call = call_speculation, .use = {.speculations = true}}},
    {BUILTIN_ACT(speculate, .plan = plan_speculate, .emit = emit_speculate,
		 .use = {.speculations = true}),
     .proto = "void speculate(int)", .state = LANG_SPECULATE, .flags = LANG_RECORDS},
    {BUILTIN_ACT(commit, .plan = builtin_plan_none, .emit = emit_commit,
		 .use = {.speculations = true}),
     .proto = "void commit(int)", .state = LANG_COMMIT},
    {BUILTIN_ACT(discard, .plan = builtin_plan_none, .emit = emit_discard,
		 .use = {.speculations = true}),
     .proto = "void discard(int)", .state = LANG_DISCARD},
    {0},
};
