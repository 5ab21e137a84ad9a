/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit.c: a unit becomes one function.  It tests whether tracing is on, finds the probe, takes
 * scratch memory, and runs the clauses of the probe's group.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "lower/leaf.h"

#define SCRATCH_TRIES 4
#define SWITCH_MAX    24

static void go_on_if(struct lw *lw, struct ir_ins *cond, struct ir_block *out)
{
	struct ir_block *on = lw_block(lw);

	lw_if(lw, cond, on, out);
	lw_seal_at(lw, on);
}

/*
 * Takes a free entry of scratch memory, by the function of lower_take.  Goes to `out` if there is
 * none.
 */
static struct ir_ins *take_scratch(struct lw *lw, struct ir_block *out)
{
	struct ir_ins *p = ir_call(&lw->b, IR_CALLFN, lw->drop_func + 1, 0, NULL);

	lw->mem.has_scratch = true;
	go_on_if(lw, p, out);
	return p;
}

static void check_active(struct lw *lw, struct ir_block *out)
{
	struct ir_ins *active = ir_load(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, 0), 0, IR_MEM_MAP);

	go_on_if(lw, ir_bin(&lw->b, IR_EQ, active, ir_const(&lw->b, ABI_STATE_ACTIVE)), out);
	if (lw->plan->opt.cpu >= 0)
		go_on_if(lw,
			 lw_bini(lw, IR_EQ, lw_helper_pure(lw, BPF_FUNC_get_smp_processor_id),
				 lw->plan->opt.cpu),
			 out);
}

/* Lowers the statements of a site before its return, and returns the return statement. */
static struct stmt *site_body(struct lw *lw, struct clause *site)
{
	struct stmt *s;

	for (s = site->body; s && s->kind != STMT_RETURN; s = s->next)
		lw_stmt(lw, s->expr);
	return s;
}

/*
 * Returns the thread of the site's firing.  The verifier must know it as a task, even if nothing
 * else is read directly.
 */
static struct val site_thread(struct lw *lw, struct clause *site)
{
	bool no_direct = lw->no_direct;
	struct val task;

	lw->no_direct = false;
	task = lw_expr(lw, site->thread);
	lw->no_direct = no_direct;
	return task;
}

/*
 * Lowers all clauses of one site, from enabling i on.  Returns the first enabling of another site.
 */
static unsigned int lower_site(struct lw *lw, struct group *g, unsigned int i)
{
	struct clause *site = g->list.a[i].site;
	struct ir_block *done = lw_block(lw), *in;
	unsigned int mark = lw_push(lw);
	uint32_t scratch = lw->mem.scratch_used;
	struct val thread = lw->firing.thread;

	lw->clause.fault = NULL;
	lw->clause.skip = done;
	lw->firing.trusted = lw->firing.in_site = true;
	if (site->thread)
		lw->firing.thread = site_thread(lw, site);
	if (site->pred) {
		in = lw_block(lw);
		lw_if(lw, lw_bool(lw, site->pred), in, done);
		lw_seal_at(lw, in);
	}
	lw->firing.site = site;
	lw->firing.site_ret = site_body(lw, site);
	lw->firing.in_site = false;
	for (; i < g->list.n && g->list.a[i].site == site; i++) {
		lw->firing.probe = g->list.a[i].probe;
		lw->firing.probe_id = lw_const(lw, lw->firing.probe->id);
		lw_clause(lw, &g->list.a[i]);
	}
	lw->firing.site = NULL;
	lw->firing.thread = thread;
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	lw->mem.scratch_used = scratch;
	return i;
}

static int64_t max_key(const struct unit *u)
{
	int64_t max = 0;

	for (unsigned int i = 0; i < u->probes.n; i++)
		max = u->probes.a[i]->key > max ? u->probes.a[i]->key : max;
	return max;
}

uint32_t *lw_key_table(struct lw *lw)
{
	return arena_new_arr(lw->mod->arena, uint32_t, (size_t)lw->firing.key_max + 2);
}

struct ir_ins *lw_by_key(struct lw *lw, const uint32_t *table)
{
	int64_t last = lw->firing.key_max + 1;
	uint32_t off = lw_bytes(lw, table, (uint32_t)(last + 1) * 4, 4);
	struct memo_key k = {.op = MEMO_ROW, .a = lw->firing.key};
	struct ir_ins *row = memo_get(lw, &k);

	if (!row) {
		row = lw_umin(lw, lw->firing.key, lw_const(lw, last));
		memo_put(lw, &k, row);
	}
	return ir_load(
	    &lw->b, 4,
	    ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_RODATA, off), lw_bini(lw, IR_SHL, row, 2)),
	    0, IR_MEM_MAP);
}

/* Returns the published probe's id: the dispatch number plus a constant, or from a table. */
static struct ir_ins *probe_id_by_key(struct lw *lw, struct group *g)
{
	uint32_t *ids = lw_key_table(lw);
	int64_t base = g->probes.a[0]->id - g->probes.a[0]->key;
	bool is_sum = true;

	for (unsigned int i = 0; i < g->probes.n; i++) {
		ids[g->probes.a[i]->key] = g->probes.a[i]->id;
		is_sum = is_sum && g->probes.a[i]->id - g->probes.a[i]->key == base;
	}
	return is_sum ? lw_bini(lw, IR_ADD, lw->firing.key, base) : lw_by_key(lw, ids);
}

/*
 * Evaluates arguments that many clauses use before the first of these.  The code of the clauses
 * then compares one value, and the kernel's verifier follows the branches of an argument once.
 */
#define SHARED_USES 8
static void share_args(struct lw *lw)
{
	for (unsigned int n = 0; lw->firing.mech->has_dear_args && n < PLAN_RAW_ARGS; n++)
		if (lw->unit->plan->narg_uses[n] > SHARED_USES)
			lw_rawarg(lw, n);
}

static void lower_enablings(struct lw *lw, struct group *g, struct ir_block *out)
{
	unsigned int i = 0;

	lw->clause.skip = out;
	lw_this_init(lw);
	while (i < g->list.n) {
		if (lw->firing.gate_late && lw->firing.mech->is_gated &&
		    !g->list.a[i].clause->is_library) {
			check_active(lw, out);
			lw->firing.gate_late = false;
		}
		if (g->list.a[i].site) {
			i = lower_site(lw, g, i);
			continue;
		}
		lw->firing.site = NULL;
		share_args(lw);
		if (lw->firing.mech->probe_id) {
			lw->firing.probe = NULL;
			lw->firing.probe_id = lw->firing.mech->probe_id(lw);
		} else if (g->probes.n == 1) {
			lw->firing.probe = g->list.a[i].probe;
			lw->firing.probe_id = lw_const(lw, lw->firing.probe->id);
		} else if (lw->firing.probe || !lw->firing.group_id) {
			lw->firing.probe = NULL;
			lw->firing.probe_id = lw->firing.group_id = probe_id_by_key(lw, g);
		}
		lw_clause(lw, &g->list.a[i++]);
	}
	lw->firing.group_id = NULL;
	ir_jmp(&lw->b, out);
}

/*
 * Lowers a group.  Its clauses, in `body`, decide whether it needs scratch memory.  The code that
 * takes scratch memory precedes them, and is made last.
 */
static void lower_group(struct lw *lw, struct group *g, struct ir_block *out)
{
	struct ir_block *release = lw_block(lw), *body = lw_block(lw), *front;
	unsigned int var_scratch = ir_var_new(lw->b.func), nblocks;

	lw->firing.group = g;
	lw->clause.skip = out;
	lw->clause.fault = NULL;
	if (lw->firing.mech->applies)
		go_on_if(lw, lw->firing.mech->applies(lw), out);
	front = lw->b.cur;
	ir_at(&lw->b, body);
	lw->mem.want_scratch = false;
	lw->mem.scratch = ir_var_read(&lw->b, var_scratch);
	lower_enablings(lw, g, release);
	lw_seal_at(lw, release);
	if (lw->mem.want_scratch)
		ir_store(&lw->b, 8, lw->mem.scratch, 0, ir_const(&lw->b, 0), IR_MEM_MAP);
	ir_jmp(&lw->b, out);
	nblocks = lw->b.func->nblocks;
	ir_at(&lw->b, front);
	if (lw->mem.want_scratch)
		ir_var_write(&lw->b, var_scratch, take_scratch(lw, out));
	ir_jmp(&lw->b, body);
	ir_seal(lw->b.func, body);
	ir_move_blocks(lw->b.func, nblocks, body);
}

/* Returns the number of the group by dispatch number, from 1; 0: none. */
static struct ir_ins *group_by_key(struct lw *lw, const struct unit *u)
{
	uint32_t *groups = lw_key_table(lw);

	for (unsigned int i = 0; i < u->groups.n; i++)
		for (unsigned int j = 0; j < u->groups.a[i]->probes.n; j++)
			groups[u->groups.a[i]->probes.a[j]->key] = i + 1;
	return lw_by_key(lw, groups);
}

/* Branches to the blocks of the groups, by a table if there are many dispatch numbers. */
static void branch_to_groups(struct lw *lw, const struct unit *u, unsigned int total,
			     struct ir_block **blocks, struct ir_block *out)
{
	bool has_table = total > SWITCH_MAX;
	struct ir_block **to = arena_new_arr(lw->mod->arena, struct ir_block *, total);
	int64_t *cases = arena_new_arr(lw->mod->arena, int64_t, total);
	unsigned int n = 0;

	for (unsigned int i = 0; i < u->groups.n; i++) {
		struct group *g = u->groups.a[i];

		blocks[i] = lw_block(lw);
		for (unsigned int j = 0; j < (has_table ? 1 : g->probes.n); j++) {
			cases[n] = has_table ? i + 1 : g->probes.a[j]->key;
			to[n++] = blocks[i];
		}
	}
	ir_switch(&lw->b, has_table ? group_by_key(lw, u) : lw->firing.key, out, n, cases, to);
}

/* Branches from the dispatch number to the block of each group. */
static void dispatch(struct lw *lw, const struct unit *u, struct ir_block *out)
{
	struct ir_block **blocks = arena_new_arr(lw->mod->arena, struct ir_block *, u->groups.n);
	unsigned int total = 0;

	lw->clause.skip = out;
	lw->firing.key = lw->firing.mech->dispatch(lw);
	lw->firing.key_max = max_key(u);
	for (unsigned int i = 0; i < u->groups.n; i++)
		total += u->groups.a[i]->probes.n;
	if (u->groups.n == 1 && total > SWITCH_MAX && u->is_exact) {
		lower_group(lw, u->groups.a[0], out);
		return;
	}
	branch_to_groups(lw, u, total, blocks, out);
	for (unsigned int i = 0; i < u->groups.n; i++) {
		unsigned int mark = lw_push(lw);

		lw_seal_at(lw, blocks[i]);
		lower_group(lw, u->groups.a[i], out);
		lw_pop(lw, mark);
	}
}

/*
 * Clauses of libraries keep state from the moment they are attached.  The user's clauses wait for
 * BEGIN.
 */
static bool has_library(const struct unit *u)
{
	for (unsigned int i = 0; i < u->groups.n; i++)
		for (unsigned int j = 0; j < u->groups.a[i]->list.n; j++)
			if (u->groups.a[i]->list.a[j].clause->is_library)
				return true;
	return false;
}

static bool has_error(const struct plan *plan, const struct unit *u)
{
	return plan->error_unit && !u->provider->is_error;
}

static void lower_func(struct lw *lw, const struct unit *u, const char *name, unsigned int nargs)
{
	struct ir_block *out;

	lw->b.func = ir_func_new(lw->mod, name, nargs);
	lw_seal_at(lw, lw_block(lw));
	out = lw_block(lw);
	lw->clause.var_fault = ir_var_new(lw->b.func);
	lw->clause.var_fault_val = ir_var_new(lw->b.func);
	lw->clause.var_fault_act = ir_var_new(lw->b.func);
	lw->firing.frame = lw->firing.ctx = ir_arg(&lw->b, 0);
	if (lw->firing.mech->ctx)
		lw->firing.ctx = lw->firing.mech->ctx(lw);
	lw->firing.result = ir_var_new(lw->b.func);
	ir_var_write(&lw->b, lw->firing.result, ir_const(&lw->b, 0));
	lw->firing.gate_late = has_library(u);
	if (u->provider->is_gated && !lw->firing.gate_late)
		check_active(lw, out);
	if (lw->firing.mech->thread)
		lw->firing.thread = lw->firing.mech->thread(lw);
	if (lw->firing.thread.v)
		go_on_if(lw, lw->firing.thread.v, out);
	if (lw->firing.mech->dispatch)
		dispatch(lw, u, out);
	else
		lower_group(lw, u->groups.a[0], out);
	lw_seal_at(lw, out);
	ir_ret(&lw->b, ir_var_read(&lw->b, lw->firing.result));
}

/*
 * Lowers the clauses of a unit to a function of the program: its own clauses, or the ERROR clauses.
 */
static void lower_clauses(const struct plan *plan, const struct unit *u, const struct unit *program,
			  struct lowered *out, struct consts *consts)
{
	struct lw lw = {.plan = plan,
			.unit = u,
			.program = program,
			.mod = out->mod,
			.out = out,
			.no_direct = plan->no_direct || program->no_direct,
			.consts = consts,
			.drop_func = program->nstubs + 1 + has_error(plan, program),
			.firing = {.mech = u->provider, .in_error = u->provider->is_error},
			.memo = memo_new(out->mod->arena)};

	lw.mem.scratch_used = lw.mem.scratch_max = ABI_SCRATCH_HEAD + u->plan->mem_size;
	if (lw.firing.in_error)
		lower_func(&lw, u, "error_clauses", 5);
	else
		lower_func(&lw, u, "probe", 1);
	lw_make_numbers(lw.b.func);
	if (lw.mem.has_scratch && lw.mem.scratch_max > out->scratch_size)
		out->scratch_size = lw.mem.scratch_max;
	memo_free(lw.memo);
	vec_free(&lw.firing.vars);
}

/*
 * Makes a function that counts a loss of a kind.  It is a function because each record and
 * aggregation calls it, and the kernel's time for loading grows with length times map accesses.
 */
static void lower_drop(struct ir_module *mod)
{
	struct ir_builder b = {.func = ir_func_new(mod, "drop", 1)};
	struct ir_block *is_kind, *have, *out;
	struct ir_ins *kind, *args[2];

	ir_at(&b, ir_block_new(b.func));
	ir_seal(b.func, b.cur);
	is_kind = ir_block_new(b.func);
	have = ir_block_new(b.func);
	out = ir_block_new(b.func);
	kind = ir_arg(&b, 0);
	ir_br(&b, ir_bin(&b, IR_ULT, kind, ir_const(&b, ABI_DROP_MAX)), is_kind, out);
	ir_seal(b.func, is_kind);
	ir_at(&b, is_kind);
	args[0] = ir_mapfd(&b, MAP_DROPS);
	args[1] = ir_slot(&b, ir_slot_new(b.func, 4, 4));
	ir_store(&b, 4, args[1], 0, ir_const(&b, 0), IR_MEM_SLOT);
	args[0] = ir_call(&b, IR_CALL, BPF_FUNC_map_lookup_elem, 2, args);
	ir_br(&b, args[0], have, out);
	ir_seal(b.func, have);
	ir_at(&b, have);
	ir_atomic(&b, IR_ATOMIC_ADD,
		  ir_bin(&b, IR_ADD, args[0], ir_bin(&b, IR_SHL, kind, ir_const(&b, 3))), 0,
		  ir_const(&b, 1), NULL);
	ir_jmp(&b, out);
	ir_seal(b.func, out);
	ir_at(&b, out);
	ir_ret(&b, ir_const(&b, 0));
}

/*
 * Makes a function that finds and marks a free entry of this CPU.  Without one it counts a loss and
 * returns 0.
 */
static void lower_take(struct ir_module *mod, unsigned int drop)
{
	struct ir_builder b = {.func = ir_func_new(mod, "take", 0)};
	struct ir_block *next = ir_block_new(b.func), *lost = ir_block_new(b.func), *have, *got;
	struct ir_ins *args[2], *base, *kind;

	ir_at(&b, next);
	ir_seal(b.func, next);
	args[0] = ir_mapfd(&b, MAP_SCRATCH);
	args[1] = ir_slot(&b, ir_slot_new(b.func, 4, 4));
	base = ir_bin(&b, IR_MUL, ir_call(&b, IR_CALL, BPF_FUNC_get_smp_processor_id, 0, NULL),
		      ir_const(&b, ABI_SCRATCH_SLOTS));
	for (unsigned int i = 0; i < SCRATCH_TRIES; i++) {
		struct ir_ins *p, *n = ir_bin(&b, IR_ADD, base, ir_const(&b, i));

		have = ir_block_new(b.func);
		got = ir_block_new(b.func);
		next = i + 1 < SCRATCH_TRIES ? ir_block_new(b.func) : lost;
		ir_store(&b, 4, args[1], 0, n, IR_MEM_SLOT);
		p = ir_call(&b, IR_CALL, BPF_FUNC_map_lookup_elem, 2, args);
		ir_br(&b, p, have, lost);
		ir_seal(b.func, have);
		ir_at(&b, have);
		ir_br(&b, ir_atomic(&b, IR_ATOMIC_XCHG, p, 0, ir_const(&b, 1), NULL), next, got);
		ir_seal(b.func, got);
		ir_at(&b, got);
		ir_ret(&b, p);
		ir_seal(b.func, next);
		ir_at(&b, next);
	}
	kind = ir_const(&b, ABI_DROP_NESTED);
	ir_call(&b, IR_CALLFN, drop, 1, &kind);
	ir_ret(&b, ir_const(&b, 0));
}

/* The names of maps and run-time functions, for dumps. */
static void set_names(const struct plan *plan, struct ir_module *m)
{
	const char **maps = arena_new_arr(m->arena, const char *, plan->maps.n);
	const char **funcs = arena_new_arr(m->arena, const char *, bpf_rt.n);

	for (unsigned int i = 0; i < plan->maps.n; i++)
		maps[i] = plan->maps.a[i].name;
	for (unsigned int i = 0; i < bpf_rt.n; i++)
		funcs[i] = bpf_rt.funcs[i].name;
	m->map_names = maps;
	m->rt_names = funcs;
}

/*
 * Functions in order: [stubs,] the clauses, [the clauses of ERROR, called by faults,] drop [,
 * take].
 */
void lower_unit(const struct plan *plan, const struct unit *u, struct lowered *out)
{
	struct consts *consts = consts_new(plan->env.arena, &out->consts);

	out->mod = ir_module_new(plan->env.arena);
	set_names(plan, out->mod);
	if (u->nstubs)
		u->provider->stub(plan, out->mod);
	lower_clauses(plan, u, u, out, consts);
	if (has_error(plan, u))
		lower_clauses(plan, plan->error_unit, u, out, consts);
	lower_drop(out->mod);
	if (out->scratch_size)
		lower_take(out->mod, out->mod->nfuncs - 1);
	consts_free(consts);
}
