/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link.c: a program with the part of the run-time library that it calls.
 *
 * Library functions are appended to the program's own in the order of the library, each once.
 * Distances between functions are resolved here; maps stay relocations until the maps exist.  The
 * kernel allows 512 bytes of stack for a chain of calls, each frame rounded up to 32.  This is
 * checked here too, so that the message can name the D program.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "bpf/codegen.h"
#include "rt/abi.h"

#define FRAME_ROUND 32

struct link {
	struct bpf_code *c;
	const struct bpf_rtlib *rt;
	bool *wanted;	    /* by library function */
	unsigned int *func; /* by library function: its number in c->funcs */
	VEC(struct bpf_insn) insns;
	VEC(struct bpf_reloc) relocs;
};

int bpf_rt_find(const struct bpf_rtlib *rt, const char *name)
{
	for (unsigned int f = 0; f < rt->n; f++)
		if (strcmp(rt->funcs[f].name, name) == 0)
			return (int)f;
	return -1;
}

static void want(struct link *l, unsigned int f)
{
	const struct bpf_rtfunc *fn;

	assert(f < l->rt->n);
	if (l->wanted[f])
		return;
	l->wanted[f] = true;
	fn = &l->rt->funcs[f];
	for (unsigned int r = 0; r < fn->nrelocs; r++)
		if (fn->relocs[r].kind != BPF_RT_MAP)
			want(l, fn->relocs[r].func);
}

static bool is_wide(const struct bpf_insn *in)
{
	return in->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static bool is_mov_imm(const struct bpf_insn *in)
{
	return in->code == (BPF_ALU64 | BPF_MOV | BPF_K) ||
	       in->code == (BPF_ALU | BPF_MOV | BPF_K) || is_wide(in);
}

/* Library relocations become relocations of the program, which are resolved with the rest. */
static void append_func(struct link *l, unsigned int f, uint32_t strsize)
{
	const struct bpf_rtfunc *fn = &l->rt->funcs[f];
	struct bpf_function *out = &l->c->funcs[l->func[f]];
	unsigned int base = l->insns.n;

	*out = (struct bpf_function){.name = fn->name,
				     .insn = base,
				     .nargs = fn->nargs,
				     .is_global = !fn->is_static,
				     .is_callback = fn->is_callback};
	memcpy(out->params, fn->params, sizeof(out->params));
	for (unsigned int i = 0; i < fn->n; i++) {
		struct bpf_insn in = fn->insns[i];

		if (is_mov_imm(&in) && in.imm == ABI_MAGIC_STRSIZE)
			in.imm = (int32_t)strsize;
		vec_push(&l->insns, in);
	}
	for (unsigned int r = 0; r < fn->nrelocs; r++) {
		const struct bpf_rtreloc *from = &fn->relocs[r];
		struct bpf_reloc to = {.insn = base + from->insn, .target = from->func};

		to.kind = from->kind == BPF_RT_CALL ? BPF_RELOC_RT : BPF_RELOC_RTFUNC_ADDR;
		if (from->kind == BPF_RT_MAP) {
			to.kind = BPF_RELOC_RTMAP;
			to.name = from->map;
		}
		vec_push(&l->relocs, to);
	}
}

/* Calls and function addresses are distances from the next instruction. */
static void resolve_calls(struct link *l)
{
	struct bpf_code *c = l->c;
	unsigned int kept = 0;

	for (unsigned int r = 0; r < c->nrelocs; r++) {
		struct bpf_reloc *rel = &c->relocs[r];
		struct bpf_insn *in = &c->insns[rel->insn];
		unsigned int f = (unsigned int)rel->target;

		if (rel->kind == BPF_RELOC_MAPFD || rel->kind == BPF_RELOC_MAPVAL ||
		    rel->kind == BPF_RELOC_RTMAP) {
			c->relocs[kept++] = *rel;
			continue;
		}
		if (rel->kind == BPF_RELOC_RT || rel->kind == BPF_RELOC_RTFUNC_ADDR)
			f = l->func[f];
		assert(f < c->nfuncs);
		in->imm = (int32_t)c->funcs[f].insn - (int32_t)rel->insn - 1;
		in->src_reg = is_wide(in) ? BPF_PSEUDO_FUNC : BPF_PSEUDO_CALL;
	}
	c->nrelocs = kept;
}

/* ---- stack ---- */

static unsigned int func_end(const struct bpf_code *c, unsigned int f)
{
	return f + 1 < c->nfuncs ? c->funcs[f + 1].insn : c->n;
}

/* Returns the function that starts at an instruction. */
static unsigned int func_at(const struct bpf_code *c, unsigned int insn)
{
	unsigned int f = 0;

	while (c->funcs[f].insn != insn) {
		f++;
		assert(f < c->nfuncs);
	}
	return f;
}

/* Returns the lowest offset from r10 that a function mentions. */
static unsigned int frame_size(const struct bpf_code *c, unsigned int f)
{
	unsigned int end = func_end(c, f);
	int low = 0;

	for (unsigned int i = c->funcs[f].insn; i < end; i++) {
		const struct bpf_insn *in = &c->insns[i];
		unsigned int class = BPF_CLASS(in->code);
		int off = 0;

		if (class == BPF_LDX && in->src_reg == BPF_REG_10)
			off = in->off;
		if ((class == BPF_STX || class == BPF_ST) && in->dst_reg == BPF_REG_10)
			off = in->off;
		if (in->code == (BPF_ALU64 | BPF_MOV | BPF_X) && in->src_reg == BPF_REG_10 &&
		    i + 1 < end && in[1].code == (BPF_ALU64 | BPF_ADD | BPF_K))
			off = in[1].imm;
		low = off < low ? off : low;
		i += is_wide(in);
	}
	return (unsigned int)-low;
}

/* Returns the bytes that function f and its callees need; 0 in depth: unknown yet. */
static int stack_depth(const struct bpf_code *c, unsigned int f, int *depth)
{
	unsigned int end = func_end(c, f);
	int below = 0;

	if (depth[f])
		return depth[f];
	for (unsigned int i = c->funcs[f].insn; i < end; i++) {
		const struct bpf_insn *in = &c->insns[i];
		bool is_call = in->code == (BPF_JMP | BPF_CALL) && in->src_reg == BPF_PSEUDO_CALL;
		int d = 0;

		if (is_call || (is_wide(in) && in->src_reg == BPF_PSEUDO_FUNC))
			d = stack_depth(c, func_at(c, (unsigned int)((int)i + in->imm + 1)), depth);
		below = d > below ? d : below;
		i += is_wide(in);
	}
	depth[f] = (int)((frame_size(c, f) + FRAME_ROUND - 1) / FRAME_ROUND * FRAME_ROUND);
	depth[f] = (depth[f] ? depth[f] : FRAME_ROUND) + below;
	return depth[f];
}

static bool check_stack(const struct bpf_code *c, const char **err)
{
	int *depth = arena_new_arr(c->arena, int, c->nfuncs), need;

	need = stack_depth(c, 0, depth);
	if (need <= BPF_STACK_MAX)
		return true;
	*err = arena_printf(c->arena, "needs %d bytes of stack with its callees; %d are allowed",
			    need, BPF_STACK_MAX);
	return false;
}

/* Moves the collected functions into the code's arena. */
static void finish(struct link *l)
{
	struct bpf_code *c = l->c;

	c->n = l->insns.n;
	c->insns = arena_new_arr(c->arena, struct bpf_insn, c->n);
	if (c->n)
		memcpy(c->insns, l->insns.a, c->n * sizeof(*c->insns));
	c->nrelocs = l->relocs.n;
	c->relocs = arena_new_arr(c->arena, struct bpf_reloc, c->nrelocs);
	if (c->nrelocs)
		memcpy(c->relocs, l->relocs.a, c->nrelocs * sizeof(*c->relocs));
	vec_free(&l->insns);
	vec_free(&l->relocs);
}

bool bpf_link(struct bpf_code *c, const struct bpf_rtlib *rt, uint32_t strsize, const char **err)
{
	static const struct bpf_rtlib none;
	struct link l = {.c = c, .rt = rt ? rt : &none};
	struct bpf_function *funcs;

	*err = NULL;
	l.wanted = arena_new_arr(c->arena, bool, l.rt->n);
	l.func = arena_new_arr(c->arena, unsigned int, l.rt->n);
	for (unsigned int i = 0; i < c->n; i++)
		vec_push(&l.insns, c->insns[i]);
	for (unsigned int r = 0; r < c->nrelocs; r++) {
		vec_push(&l.relocs, c->relocs[r]);
		if (c->relocs[r].kind == BPF_RELOC_RT || c->relocs[r].kind == BPF_RELOC_RTFUNC_ADDR)
			want(&l, (unsigned int)c->relocs[r].target);
	}
	funcs = arena_new_arr(c->arena, struct bpf_function, c->nfuncs + l.rt->n);
	memcpy(funcs, c->funcs, c->nfuncs * sizeof(*funcs));
	c->funcs = funcs;
	for (unsigned int f = 0; f < l.rt->n; f++) {
		if (!l.wanted[f])
			continue;
		l.func[f] = c->nfuncs++;
		append_func(&l, f, strsize);
	}
	finish(&l);
	resolve_calls(&l);
	return check_stack(c, err);
}

void bpf_move_value(struct bpf_code *c, unsigned int map, uint32_t by)
{
	for (unsigned int r = 0; r < c->nrelocs; r++)
		if (c->relocs[r].kind == BPF_RELOC_MAPVAL &&
		    (unsigned int)c->relocs[r].target == map)
			c->relocs[r].off += by;
}

bool bpf_resolve_maps(struct bpf_code *c, const int *fds, const char *const *names, unsigned int n)
{
	for (unsigned int r = 0; r < c->nrelocs; r++) {
		const struct bpf_reloc *rel = &c->relocs[r];
		struct bpf_insn *in = &c->insns[rel->insn];
		unsigned int m = (unsigned int)rel->target;

		assert(is_wide(in));
		if (rel->kind == BPF_RELOC_RTMAP)
			for (m = 0; names && m < n && strcmp(names[m], rel->name) != 0; m++)
				;
		if (m >= n || (rel->kind == BPF_RELOC_RTMAP && !names))
			return false;
		assert(in[0].imm == 0 && in[1].imm == 0);
		in[0].src_reg =
		    rel->kind == BPF_RELOC_MAPVAL ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
		in[0].imm = fds[m];
		in[1].imm = rel->kind == BPF_RELOC_MAPVAL ? (int32_t)rel->off : 0;
	}
	return true;
}
