/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.c: clauses that run at the host.  Each is a probe that fires when its values have arrived.
 * The context is the received record.  These programs are never loaded into the kernel.
 */
#include <stddef.h>

#include "base/arena.h"
#include "lower/leaf.h"

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return p->func;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	return true;
}

static struct ir_ins *probe_id(struct lw *lw)
{
	return ir_load(&lw->b, 4, lw->firing.ctx, offsetof(struct abi_rec, probe), IR_MEM_CTX);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	return (struct val){.v = lw_const(lw, 0), .type = type, .place = PLACE_SCALAR};
}

static struct ir_ins *rawarg(struct lw *lw, unsigned int n)
{
	return lw_const(lw, 0);
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return 0;
}

const struct provider provider_hosted = {
    .name = HOSTED_PROVIDER,
    .ids = {2100600000, 100000},
    .attrs = {"Private/Private/Unknown", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Unknown", "Private/Private/Unknown"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .probe_id = probe_id,
    .arg = arg,
    .rawarg = rawarg,
    .attach = attach,
    .is_hidden = true,
};
