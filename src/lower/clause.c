/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clause.c: one clause at one probe: predicate, parts, record, faults.
 *
 * The record is reserved when a part begins, so that a part without room for its data does nothing
 * at all.  A fault leaves through one of two blocks: with or without a record to discard.  It never
 * tests for one, because the verifier of 6.1 does not follow a reservation that exists on some
 * paths only.
 */
#include <assert.h>
#include <bpf/bpf.h>

#include "lower/leaf.h"

struct ir_ins *lw_spec_handle(struct lw *lw, struct ir_ins *id, struct ir_ins *word)
{
	struct ir_ins *use = ir_bin(&lw->b, IR_LSHR, word, ir_const(&lw->b, ABI_SPEC_USE));

	use = ir_bin(&lw->b, IR_SHL, use, ir_const(&lw->b, 32));
	return ir_bin(&lw->b, IR_OR, use, id);
}

struct ir_ins *lw_epid(struct lw *lw)
{
	struct rec_desc *d = lw->clause.desc;

	return lw_bini(lw, IR_ADD, lw->firing.probe_id, (int64_t)d->epid_base - d->probe_base);
}

/* The block where faults of the clause end: fires ERROR and reports to the consumer. */
static void report_fault(struct lw *lw, struct ir_block *next)
{
	struct ir_ins *code = ir_var_read(&lw->b, lw->clause.var_fault), *rec, *args[5];
	struct ir_ins *val = ir_var_read(&lw->b, lw->clause.var_fault_val);
	struct ir_ins *act = ir_var_read(&lw->b, lw->clause.var_fault_act);

	if (lw->firing.in_error) {
		lw_drop(lw, ABI_DROP_DBLERROR);
		ir_jmp(&lw->b, next);
		return;
	}
	if (lw->plan->error_unit) {
		bool by_clause = dialect_has(lw->plan->opt.dialect, DIALECT_ERROR_CLAUSE);

		args[0] = lw->firing.ctx;
		args[1] = by_clause ? lw->firing.probe_id : lw_epid(lw);
		args[2] = by_clause ? lw_const(lw, lw->clause.desc->clause->id) : act;
		args[3] = code;
		args[4] = val;
		ir_call(&lw->b, IR_CALLFN, lw->unit->nstubs + 1, 5, args);
		lw->firing.may_stop = true;
	}
	rec = lw_reserve(lw, sizeof(struct abi_error), next);
	lw_rec_head(lw, rec, ABI_DESC_ERROR);
	ir_store(&lw->b, 4, rec, offsetof(struct abi_error, desc),
		 ir_const(&lw->b, lw->clause.desc->index), IR_MEM_RECORD);
	ir_store(&lw->b, 4, rec, offsetof(struct abi_error, action), act, IR_MEM_RECORD);
	ir_store(&lw->b, 4, rec, offsetof(struct abi_error, fault), code, IR_MEM_RECORD);
	ir_store(&lw->b, 8, rec, offsetof(struct abi_error, value), val, IR_MEM_RECORD);
	lw_submit(lw, rec, ir_const(&lw->b, BPF_RB_NO_WAKEUP));
	ir_jmp(&lw->b, next);
}

void lw_stmt(struct lw *lw, const struct expr *e)
{
	if (e->loc.line)
		lw->b.loc = e->loc;
	if (e->kind == EXPR_ASSIGN && e->x->kind == EXPR_AGG)
		lw_agg_update(lw, e);
	else if (e->kind == EXPR_ASSIGN)
		lw_assign(lw, e);
	else if (type_is_string(e->type))
		lw_str(lw, e);
	else if (type_is_scalar(e->type) || type_base(e->type)->kind == TYPE_VOID)
		lw_expr(lw, e);
}

static bool is_action(const struct stmt *s)
{
	return s->kind == STMT_EXPR && s->expr->kind == EXPR_CALL &&
	       s->expr->ident->kind == IDENT_ACTION;
}

static void next_action(struct lw *lw, unsigned int number)
{
	lw->clause.action = number ? number : lw->clause.action + 1;
}

static void part_stmts(struct lw *lw, struct part *pt)
{
	unsigned int nact = 0;

	for (struct stmt *s = pt->stmts; s; s = s->next) {
		if (s->kind != STMT_EXPR)
			continue;
		next_action(lw, s->action);
		if (is_action(s)) {
			struct rec_act *act = &lw->clause.desc->acts.a[nact++];
			const struct builtin_act *impl = s->expr->ident->row->impl;

			lw->b.loc = s->loc;
			if (impl->emit)
				impl->emit(lw, s->expr, act->first);
		} else {
			lw_stmt(lw, s->expr);
		}
	}
}

/* Submits the record of a finished part.  Speculative records take no room of the buffer. */
static void finish_rec(struct lw *lw)
{
	if (lw->clause.meter && !lw->clause.desc->spec_item)
		lw_take_room(lw);
	lw_submit(lw, lw->clause.rec, ir_var_read(&lw->b, lw->clause.var_flags));
}

void lw_end_clause(struct lw *lw)
{
	lw_discard(lw, lw->clause.rec);
	ir_jmp(&lw->b, lw->clause.skip);
}

static void part_body(struct lw *lw, struct clause *c, unsigned int n, struct ir_block *next)
{
	struct part *pt = &c->parts[n];
	struct ir_block *with_rec, *without = lw->clause.fault;

	lw->clause.desc = plan_desc(lw->plan, c, n);
	if (lw->clause.desc->size > REC_SIZE_MAX) {
		lw_drop(lw, ABI_DROP_PRINCIPAL);
		ir_jmp(&lw->b, next);
		return;
	}
	with_rec = lw_block(lw);
	lw->clause.rec = NULL;
	lw->clause.var_flags = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, lw->clause.var_flags, ir_const(&lw->b, BPF_RB_NO_WAKEUP));
	if (pt->records) {
		if (!lw->clause.meter)
			lw->clause.meter = lw_check_room(lw, next);
		lw->clause.rec = lw_reserve(lw, (uint32_t)lw->clause.desc->size, next);
		lw_rec_head(lw, lw->clause.rec, ABI_DESC_MIN + lw->clause.desc->index);
		if (lw_has_times(lw))
			lw_rec_time(lw);
		if (lw->plan->opt.has_threads)
			lw_rec_thread(lw);
		lw->clause.fault = with_rec;
	}
	part_stmts(lw, pt);
	if (lw->clause.rec)
		finish_rec(lw);
	ir_jmp(&lw->b, next);
	lw->clause.fault = without;
	lw_seal_at(lw, with_rec);
	if (with_rec->npreds) {
		lw_discard(lw, lw->clause.rec);
		ir_jmp(&lw->b, without);
	} else {
		lw->b.cur = NULL;
	}
	lw->clause.rec = lw->clause.meter = NULL;
}

static void lower_part(struct lw *lw, struct clause *c, unsigned int n)
{
	struct ir_block *next = lw_block(lw);
	unsigned int mark = lw_push(lw);

	part_body(lw, c, n, next);
	lw_pop(lw, mark);
	lw_seal_at(lw, next);
}

/*
 * exit() ends all clauses but END and ERROR: the later clauses of the same firing, and the later
 * parts of its own clause, which count as clauses.
 */
static void check_stopped(struct lw *lw, const struct clause *c, struct ir_block *done)
{
	struct ir_block *on = lw_block(lw);
	struct ir_ins *active;

	if (lw->firing.in_error || c->is_library || lw->unit->fired == FIRED_AT_END) {
		ir_jmp(&lw->b, on);
	} else {
		active = ir_load(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, 0), 0, IR_MEM_MAP);
		lw_if(lw, ir_bin(&lw->b, IR_EQ, active, ir_const(&lw->b, ABI_STATE_STOPPED)), done,
		      on);
	}
	lw_seal_at(lw, on);
}

static unsigned int lower_parts(struct lw *lw, struct clause *c, unsigned int n,
				const struct guard *in, unsigned int depth);

/* Lowers part n, a condition, and the parts of its two branches, which follow it. */
static unsigned int lower_if(struct lw *lw, struct clause *c, unsigned int n, unsigned int depth)
{
	struct ir_block *to[2] = {lw_block(lw), lw_block(lw)}, *done = lw_block(lw);
	struct guard in = {.cond_var = c->parts[n].cond_var};

	lw->clause.desc = plan_desc(lw->plan, c, n);
	next_action(lw, c->parts[n].action);
	lw_if(lw, lw_bool(lw, c->parts[n].cond), to[0], to[1]);
	n++;
	for (unsigned int i = 0; i < 2; i++) {
		unsigned int mark = lw_push(lw);

		in.want = i == 0;
		lw_seal_at(lw, to[i]);
		n = lower_parts(lw, c, n, &in, depth + 1);
		lw_pop(lw, mark);
		ir_jmp(&lw->b, done);
	}
	lw_seal_at(lw, done);
	return n;
}

/* Returns true if the part is in this branch, or in an if inside it.  depth 0: in the clause. */
static bool is_in(const struct part *pt, const struct guard *in, unsigned int depth)
{
	return !depth || (pt->nguards >= depth && pt->guards[depth - 1].cond_var == in->cond_var &&
			  pt->guards[depth - 1].want == in->want);
}

/* Lowers the parts from n on that are in a branch.  Returns the first part that is not. */
static unsigned int lower_parts(struct lw *lw, struct clause *c, unsigned int n,
				const struct guard *in, unsigned int depth)
{
	while (n < c->nparts && is_in(&c->parts[n], in, depth)) {
		if (n && lw->firing.may_stop)
			check_stopped(lw, c, lw->clause.skip);
		if (c->parts[n].cond)
			n = lower_if(lw, c, n, depth);
		else
			lower_part(lw, c, n++);
	}
	return n;
}

void lw_clause(struct lw *lw, const struct enabling *en)
{
	struct clause *c = en->clause;
	struct ir_block *done = lw_block(lw), *fault = lw_block(lw), *body;
	uint32_t scratch = lw->mem.scratch_used;
	unsigned int mark = lw_push(lw);

	/*
	 * Faults of a library, as of a process that ends meanwhile, are no errors of the program.
	 */
	lw->clause.fault = c->is_library ? NULL : fault;
	lw->clause.skip = done;
	lw->clause.action = 0;
	lw_alloca_reset(lw);
	if (lw->firing.may_stop)
		check_stopped(lw, c, done);
	lw->firing.trusted = c->is_library;
	lw->clause.desc = plan_desc(lw->plan, c, 0);
	lw->clause.meter = c->parts[0].records ? lw_check_room(lw, done) : NULL;
	if (c->pred) {
		body = lw_block(lw);
		lw_if(lw, lw_bool(lw, c->pred), body, done);
		lw_seal_at(lw, body);
	}
	lower_parts(lw, c, 0, NULL, 0);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, fault);
	if (fault->npreds)
		report_fault(lw, done);
	else
		lw->b.cur = NULL;
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
	lw->mem.scratch_used = scratch;
	lw->clause.fault = NULL;
}
