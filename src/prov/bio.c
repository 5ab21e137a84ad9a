/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bio.c: the progress of a device on each bio of a request, into which bios were merged.
 * bio:::done fires for each in turn.  args: the arguments of tracepoint block_rq_complete, the bio,
 * and the number of its remaining bytes that are done.  Internal to the io library.
 *
 * The program's entry is on the tracepoint.  It walks the list of bios with bpf_loop, so that the
 * clauses are verified once.  They find the current bio in its stack frame.
 */
#include <bpf/bpf.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "kern/kern.h"
#include "lower/leaf.h"

#define TRACEPOINT "block_rq_complete"
#define BYTES_ARG  2	     /* argument of the tracepoint: bytes done of the request */
#define BIO_ARG	   3	     /* follows the tracepoint's arguments */
#define BIOS_MAX   (1 << 20) /* limit of bpf_loop (BPF_MAX_LOOPS is larger) */

/* The frame.  Clauses treat it as constant, like the context. */
enum { FRAME_CTX, FRAME_BIO = 8, FRAME_DONE = 16, FRAME_LEFT = 24, FRAME_SIZE = 32 };

static const struct kern_tp *tracepoint(const struct plan *plan)
{
	size_t n;
	const struct kern_tp *tps = kern_tracepoints(plan->env.kern, "vmlinux", &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(tps[i].name, TRACEPOINT) == 0)
			return &tps[i];
	return NULL;
}

static void provide(struct probes *ps, const struct provider *pv, const struct pdesc *d)
{
	if (tracepoint(probes_plan(ps)))
		probe_add(ps, pv, 0, "bio", "", "", "done");
}

static struct type *lookup(const struct plan *plan, const char *name)
{
	struct type *t = type_lookup(plan->env.types, name);

	return t ? type_resolve(plan->env.types, t) : type_void(plan->env.types);
}

static void args(struct plan *plan, struct probe *p, struct lang_args *a)
{
	struct type *uint = type_int(plan->env.types, 4, false);

	a->nnative = BIO_ARG + 2;
	a->native = arena_new_arr(plan->env.arena, struct type *, a->nnative);
	a->native[0] = type_ptr(plan->env.types, lookup(plan, "struct request"));
	a->native[1] = type_int(plan->env.types, 4, true);
	a->native[BYTES_ARG] = uint;
	a->native[BIO_ARG] = type_ptr(plan->env.types, lookup(plan, "struct bio"));
	a->native[BIO_ARG + 1] = uint;
}

static const char *place(struct plan *plan, const struct probe *p)
{
	return TRACEPOINT;
}

static bool program(struct plan *plan, struct unit *u, const char **err)
{
	u->prog_type = BPF_PROG_TYPE_TRACING;
	u->attach_type = BPF_TRACE_RAW_TP;
	u->btf_id = tracepoint(plan)->typedef_id;
	u->nstubs = 2;
	return true;
}

/* Returns the offset of a member in bytes. */
static int64_t offset(const struct plan *plan, const char *type, const char *member)
{
	uint64_t bits = 0;

	type_member(plan->env.types, lookup(plan, type), member, &bits);
	return (int64_t)(bits / 8);
}

static struct ir_builder begin(struct ir_module *mod, const char *name, unsigned int nargs)
{
	struct ir_builder b = {.func = ir_func_new(mod, name, nargs)};

	ir_at(&b, ir_block_new(b.func));
	ir_seal(b.func, b.cur);
	return b;
}

/* Continues if the condition holds, else returns v. */
static void go_on_if(struct ir_builder *b, struct ir_ins *cond, int64_t v)
{
	struct ir_block *on = ir_block_new(b->func), *out = ir_block_new(b->func);

	ir_br(b, cond, on, out);
	ir_seal(b->func, out);
	ir_at(b, out);
	ir_ret(b, ir_const(b, v));
	ir_seal(b->func, on);
	ir_at(b, on);
}

/* Function 0 stores the first bio and all bytes, and starts the loop. */
static void entry(const struct plan *plan, struct ir_module *mod)
{
	struct ir_builder b = begin(mod, "stub", 1);
	struct ir_ins *ctx = ir_arg(&b, 0), *rq = ir_load(&b, 8, ctx, 0, IR_MEM_CTX), *args[4];
	struct ir_ins *frame = ir_slot(&b, ir_slot_new(b.func, FRAME_SIZE, 8));

	ir_store(&b, 8, frame, FRAME_CTX, ctx, IR_MEM_SLOT);
	ir_store(&b, 8, frame, FRAME_BIO,
		 ir_load(&b, 8, rq, offset(plan, "struct request", "bio"), IR_MEM_KERNEL),
		 IR_MEM_SLOT);
	ir_store(&b, 8, frame, FRAME_LEFT,
		 ir_un(&b, IR_ZEXT32, ir_load(&b, 8, ctx, 8 * BYTES_ARG, IR_MEM_CTX)), IR_MEM_SLOT);
	args[0] = ir_const(&b, BIOS_MAX);
	args[1] = ir_fnaddr(&b, 1);
	args[2] = frame;
	args[3] = ir_const(&b, 0);
	ir_call(&b, IR_CALL, BPF_FUNC_loop, 4, args);
	ir_ret(&b, ir_const(&b, 0));
}

/*
 * Function 1 runs for each bio.  A bio that has more bytes than are left is the last that is partly
 * done.
 */
static void each(const struct plan *plan, struct ir_module *mod)
{
	struct ir_builder b = begin(mod, "each", 2);
	struct ir_ins *frame = ir_arg(&b, 1), *bio, *size, *left, *rest;
	int64_t iter = offset(plan, "struct bio", "bi_iter");
	struct ir_block *some = ir_block_new(b.func), *all = ir_block_new(b.func),
			*both = ir_block_new(b.func);

	bio = ir_load(&b, 8, frame, FRAME_BIO, IR_MEM_ANY);
	go_on_if(&b, bio, 1);
	left = ir_load(&b, 8, frame, FRAME_LEFT, IR_MEM_ANY);
	size =
	    ir_load(&b, 4, bio, iter + offset(plan, "struct bvec_iter", "bi_size"), IR_MEM_KERNEL);
	ir_br(&b, ir_bin(&b, IR_ULT, left, size), some, all);
	ir_seal(b.func, some);
	ir_seal(b.func, all);
	ir_at(&b, some);
	ir_store(&b, 8, frame, FRAME_DONE, left, IR_MEM_ANY);
	ir_store(&b, 8, frame, FRAME_LEFT, ir_const(&b, 0), IR_MEM_ANY);
	ir_jmp(&b, both);
	ir_at(&b, all);
	ir_store(&b, 8, frame, FRAME_DONE, size, IR_MEM_ANY);
	ir_store(&b, 8, frame, FRAME_LEFT, ir_bin(&b, IR_SUB, left, size), IR_MEM_ANY);
	ir_jmp(&b, both);
	ir_seal(b.func, both);
	ir_at(&b, both);
	ir_call(&b, IR_CALLFN, 2, 1, &frame);
	rest = ir_load(&b, 8, bio, offset(plan, "struct bio", "bi_next"), IR_MEM_KERNEL);
	ir_store(&b, 8, frame, FRAME_BIO, rest, IR_MEM_ANY);
	go_on_if(&b, ir_load(&b, 8, frame, FRAME_LEFT, IR_MEM_ANY), 1);
	ir_ret(&b, ir_const(&b, 0));
}

static void stub(const struct plan *plan, struct ir_module *mod)
{
	entry(plan, mod);
	each(plan, mod);
}

static struct ir_ins *ctx(struct lw *lw)
{
	return lw_load_pure(lw, 8, lw->firing.frame, FRAME_CTX, IR_MEM_CTX);
}

static struct val arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct val v = {.type = type};

	if (n < BIO_ARG)
		return lw_ctx_arg(lw, n, type);
	v.v = lw_load_pure(lw, 8, lw->firing.frame, n == BIO_ARG ? FRAME_BIO : FRAME_DONE,
			   IR_MEM_CTX);
	if (n == BIO_ARG) {
		v.place = PLACE_BTF;
		v.btf = lookup(lw->plan, "struct bio");
	}
	return v;
}

/* The program has two further functions.  The kernel inlines the loop into the first. */
static struct own_frames own_frames(const struct plan *plan, const struct unit *u)
{
	struct own_frames own = unit_tracepoint_frames(plan, TRACEPOINT);

	own.least += 2;
	return own;
}

static int attach(struct plan *plan, struct unit *u, const char **err)
{
	return unit_attach(plan, u, "tracepoint", err);
}

const struct provider provider_bio = {
    .name = "bio",
    .ids = {975, 25},
    .attrs = {"Private/Private/Common", "Private/Private/Unknown", "Private/Private/Unknown",
	      "Private/Private/Common", "Private/Private/Common"},
    .provide = provide,
    .args = args,
    .place = place,
    .program = program,
    .stub = stub,
    .ctx = ctx,
    .arg = arg,
    .own_frames = own_frames,
    .attach = attach,
    .is_gated = true,
    .is_hidden = true,
    .has_irqs_off = true,
    .has_batches = true,
};
