/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_ctl.c: actions that control the consumer (exit, setopt, snapshot), the traced process (raise,
 * stop), the machine (chill), or the value that a kernel function returns (return).  panic() and
 * breakpoint() are impossible: the session refuses these rows, which have no implementation.
 */
#include <bpf/bpf.h>
#include <signal.h>
#include <stddef.h>

#include "base/buf.h"
#include "builtin/builtin.h"

/* After exit() no clause starts, and the consumer wakes up. */
static void emit_exit(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct ir_ins *status = lw_scalar(lw, e->args[0]);

	lw_item_store_int(lw, item, status);
	ir_var_write(&lw->b, lw->clause.var_flags, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	lw->firing.may_stop = true;
	ir_store(&lw->b, 8, ir_mapval(&lw->b, MAP_STATE, offsetof(struct abi_state, active)), 0,
		 ir_const(&lw->b, ABI_STATE_STOPPED), IR_MEM_MAP);
}

static void consume_exit(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	c->ops->exit(c, (int)value_int(v));
}

static void consume_setopt(struct consumer *c, const struct rec_act *act, const struct value *v)
{
	const char *name = v[0].data, *value = act->n > 1 ? v[1].data : NULL;
	const char *why = c->ops->setopt(c, name, value);
	struct buf b = {0};

	if (!why)
		return;
	buf_printf(&b, "couldn't set option \"%s\" to \"%s\": %s", name, value ? value : "", why);
	c->ops->error(c, buf_str(&b));
	buf_free(&b);
}

/* The record goes through the ring buffer, so it wakes the consumer before the memory is full. */
static void emit_snapshot(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct ir_block *done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct ir_ins *rec = lw_reserve_now(lw, sizeof(struct abi_rec), done);

	lw_rec_head(lw, rec, ABI_DESC_SNAPSHOT);
	lw_submit_now(lw, rec, ir_const(&lw->b, BPF_RB_FORCE_WAKEUP));
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

static void emit_raise(struct lw *lw, const struct expr *e, unsigned int item)
{
	lw_need_running(lw, ABI_FLT_ILLOP, NULL);
	lw_helper(lw, BPF_FUNC_send_signal, lw_scalar(lw, e->args[0]), NULL);
}

static void emit_stop(struct lw *lw, const struct expr *e, unsigned int item)
{
	lw_need_running(lw, ABI_FLT_ILLOP, NULL);
	lw_helper(lw, BPF_FUNC_send_signal, ir_const(&lw->b, SIGSTOP), NULL);
}

/* A value of 0 would let the function run, so it is a fault. */
static void emit_return(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct ir_ins *v = lw_scalar(lw, e->args[0]);

	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, v, ir_const(&lw->b, 0)), ABI_FLT_ILLOP, NULL);
	ir_var_write(&lw->b, lw->firing.result, v);
}

/* Maximum chill per second and CPU, in nanoseconds (dtrace(1M) of illumos). */
#define CHILL_MAX      500000000LL
#define CHILL_INTERVAL 1000000000LL

/* Start of this CPU's current second, and its chill since then. */
struct chilled {
	uint64_t since, ns;
};

static const struct plan_map chilled = {.name = "chilled",
					.type = BPF_MAP_TYPE_PERCPU_ARRAY,
					.key_size = 4,
					.value_size = sizeof(struct chilled),
					.max_entries = 1};

static void emit_chill(struct lw *lw, const struct expr *e, unsigned int item)
{
	struct ir_ins *ns = lw_norm(lw, lw_scalar(lw, e->args[0]), e->args[0]->type), *p, *now,
		      *sum;
	struct ir_block *have = lw_block(lw), *later = lw_block(lw), *same = lw_block(lw),
			*done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct tmp key = lw_array_key(lw, ir_const(&lw->b, 0));

	p = lw_helper(lw, BPF_FUNC_map_lookup_elem, lw_leaf_map(lw, &chilled), key.p, NULL);
	lw_if(lw, p, have, done);
	lw_seal_at(lw, have);
	now = lw_helper(lw, BPF_FUNC_ktime_get_ns, NULL);
	sum = ir_load(&lw->b, 8, p, offsetof(struct chilled, since), IR_MEM_MAP);
	sum = ir_bin(&lw->b, IR_SUB, now, sum);
	lw_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, CHILL_INTERVAL), sum), later, same);
	lw_seal_at(lw, later);
	ir_store(&lw->b, 8, p, offsetof(struct chilled, since), now, IR_MEM_MAP);
	ir_store(&lw->b, 8, p, offsetof(struct chilled, ns), ir_const(&lw->b, 0), IR_MEM_MAP);
	ir_jmp(&lw->b, same);
	lw_seal_at(lw, same);
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, CHILL_MAX), ns), ABI_FLT_ILLOP,
		    NULL);
	sum = ir_load(&lw->b, 8, p, offsetof(struct chilled, ns), IR_MEM_MAP);
	sum = ir_bin(&lw->b, IR_ADD, sum, ns);
	lw_fault_if(lw, ir_bin(&lw->b, IR_ULT, ir_const(&lw->b, CHILL_MAX), sum), ABI_FLT_ILLOP,
		    NULL);
	ir_store(&lw->b, 8, p, offsetof(struct chilled, ns), sum, IR_MEM_MAP);
	lw_rt(lw, "rt_chill", ir_bin(&lw->b, IR_ADD, now, ns), NULL);
	ir_jmp(&lw->b, done);
	lw_pop(lw, mark);
	lw_seal_at(lw, done);
}

const struct lang_row builtin_act_ctl[] = {
    {BUILTIN_ACT(exit, .plan = builtin_plan_args, .emit = emit_exit, .consume = consume_exit),
     .proto = "void exit(int)", .state = LANG_EXIT, .flags = LANG_RECORDS},
    {BUILTIN_ACT(setopt, .plan = builtin_plan_args, .emit = builtin_emit_args,
		 .consume = consume_setopt),
     .proto = "void setopt(const char *, [const char *])", .flags = LANG_RECORDS},
    {BUILTIN_ACT(snapshot, .plan = builtin_plan_none, .emit = emit_snapshot, .use = {.ring = true}),
     .proto = "void snapshot(void)", .state = LANG_NEUTRAL, .flags = LANG_EXTENSION},
    {BUILTIN_ACT(raise, .plan = builtin_plan_none, .emit = emit_raise, .use = {.running = true}),
     .proto = "void raise(int)", .state = LANG_NEUTRAL, .flags = LANG_DESTRUCTIVE},
    {BUILTIN_ACT(stop, .plan = builtin_plan_none, .emit = emit_stop, .use = {.running = true}),
     .proto = "void stop(void)", .state = LANG_NEUTRAL, .flags = LANG_DESTRUCTIVE},
    {BUILTIN_ACT(chill, .plan = builtin_plan_none, .emit = emit_chill, .use = {.map = &chilled}),
     .proto = "void chill(int)", .state = LANG_NEUTRAL, .flags = LANG_DESTRUCTIVE},
    {BUILTIN_ACT(return, .plan = builtin_plan_none, .emit = emit_return, .use = {.result = true}),
     .nargs = {1, 1}, .check = check_returns, .state = LANG_NEUTRAL,
     .flags = LANG_DESTRUCTIVE | LANG_EXTENSION},
    {.name = "panic",
     .kind = IDENT_ACTION,
     .proto = "void panic(void)",
     .state = LANG_NEUTRAL,
     .flags = LANG_DESTRUCTIVE},
    {.name = "breakpoint",
     .kind = IDENT_ACTION,
     .proto = "void breakpoint(void)",
     .state = LANG_NEUTRAL,
     .flags = LANG_DESTRUCTIVE},
    {0},
};
