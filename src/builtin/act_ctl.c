/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * act_ctl.c: actions that control the consumer (setopt, ftruncate), the traced process (raise,
 * stop) or the machine (chill).  panic() and breakpoint() have no way to be done: they are rows
 * without an implementation, which the session refuses.
 */
#include <bpf/bpf.h>
#include <signal.h>
#include <stddef.h>

#include "builtin/builtin.h"

static void plan_setopt(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
	for (unsigned int i = 0; i < e->nargs; i++)
		rec_item_expr(lo, d, e->args[i]);
}

static void emit_setopt(struct lw *lw, struct expr *e, unsigned int item)
{
	for (unsigned int i = 0; i < e->nargs; i++)
		lw_item_store(lw, item + i, e->args[i]);
}

static void plan_none(struct lower *lo, struct rec_desc *d, struct expr *e)
{
	rec_act_add(lo, d, e->ident->name, e);
}

static void emit_raise(struct lw *lw, struct expr *e, unsigned int item)
{
	lw_helper(lw, BPF_FUNC_send_signal, lw_scalar(lw, e->args[0]), NULL);
}

static void emit_stop(struct lw *lw, struct expr *e, unsigned int item)
{
	lw_helper(lw, BPF_FUNC_send_signal, ir_const(&lw->b, SIGSTOP), NULL);
}

/* At most so much in a second on each CPU, in nanoseconds (dtrace(1M) of illumos). */
#define CHILL_MAX      500000000LL
#define CHILL_INTERVAL 1000000000LL

/* Of this CPU: when the second began, and how long it was chilled since. */
struct chilled {
	uint64_t since, ns;
};

static const struct lower_map chilled = {.name = "chilled",
					 .type = BPF_MAP_TYPE_PERCPU_ARRAY,
					 .key_size = 4,
					 .value_size = sizeof(struct chilled),
					 .max_entries = 1};

static void emit_chill(struct lw *lw, struct expr *e, unsigned int item)
{
	struct ir_ins *ns = lw_norm(lw, lw_scalar(lw, e->args[0]), e->args[0]->type), *p, *now,
		      *sum;
	struct ir_block *have = lw_block(lw), *later = lw_block(lw), *same = lw_block(lw),
			*done = lw_block(lw);
	unsigned int mark = lw_push(lw);
	struct tmp key = lw_slot(lw, 4);

	ir_store(&lw->b, 4, key.p, 0, ir_const(&lw->b, 0), key.mem);
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
    BUILTIN_ACT(setopt, LANG_RECORDS, .plan = plan_setopt, .emit = emit_setopt),
    BUILTIN_ACT(ftruncate, LANG_RECORDS, .plan = plan_none),
    BUILTIN_ACT(raise, LANG_DESTRUCTIVE, .plan = plan_none, .emit = emit_raise),
    BUILTIN_ACT(stop, LANG_DESTRUCTIVE, .plan = plan_none, .emit = emit_stop),
    BUILTIN_ACT(chill, LANG_DESTRUCTIVE, .plan = plan_none, .emit = emit_chill,
		.use = {.map = &chilled}),
    {.name = "panic", .kind = IDENT_ACTION, .flags = LANG_DESTRUCTIVE},
    {.name = "breakpoint", .kind = IDENT_ACTION, .flags = LANG_DESTRUCTIVE},
    {0},
};
