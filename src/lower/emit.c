/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.c: the layer between lowering and the IR builder: value numbering, structured control flow,
 * temporaries, faults and drops.
 *
 * The memo maps an operation and its operands to the value that has the result.  It is a chained
 * hash table with a log of insertions.  lw_pop takes back everything after a mark, so an entry is
 * visible exactly where its value dominates.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/torture.h"
#include "lower/leaf.h"

#define BUCKETS TORTURE_OR(1, 512)

struct memo_ent {
	struct memo_ent *next;
	uint32_t bucket;
	struct memo_key key;
	void *val;
};

struct memo {
	struct memo_ent *bucket[BUCKETS];
	VEC(struct memo_ent *) log;
};

struct memo *memo_new(struct arena *a)
{
	return arena_new_obj(a, struct memo);
}

void memo_free(struct memo *m)
{
	vec_free(&m->log);
}

static uint32_t memo_bucket(const struct memo_key *k)
{
	uint64_t h = ((uint64_t)k->op << 8 | k->flags) * 0x9e3779b97f4a7c15ULL;

	h = (h ^ (uint64_t)k->imm) * 0xff51afd7ed558ccdULL;
	h = (h ^ (uint64_t)k->imm2) * 0xff51afd7ed558ccdULL;
	h = (h ^ (uintptr_t)k->a) * 0xc4ceb9fe1a85ec53ULL;
	h = (h ^ (uintptr_t)k->b) * 0xc4ceb9fe1a85ec53ULL;
	return (h >> 40) % BUCKETS;
}

void *memo_get(struct lw *lw, const struct memo_key *k)
{
	for (struct memo_ent *e = lw->memo->bucket[memo_bucket(k)]; e; e = e->next)
		if (e->key.op == k->op && e->key.flags == k->flags && e->key.imm == k->imm &&
		    e->key.imm2 == k->imm2 && e->key.a == k->a && e->key.b == k->b)
			return e->val;
	return NULL;
}

void memo_put(struct lw *lw, const struct memo_key *k, void *val)
{
	struct memo_ent *e;

	if (!lw->b.cur)
		return;
	e = arena_new_obj(lw->mod->arena, struct memo_ent);
	e->bucket = memo_bucket(k);
	e->key = *k;
	e->val = val;
	e->next = lw->memo->bucket[e->bucket];
	lw->memo->bucket[e->bucket] = e;
	vec_push(&lw->memo->log, e);
}

unsigned int lw_push(struct lw *lw)
{
	return lw->memo->log.n;
}

void lw_pop(struct lw *lw, unsigned int mark)
{
	assert(mark <= lw->memo->log.n);
	while (lw->memo->log.n > mark) {
		struct memo_ent *e = vec_pop(&lw->memo->log);

		assert(lw->memo->bucket[e->bucket] == e);
		lw->memo->bucket[e->bucket] = e->next;
	}
}

struct ir_ins *lw_const(struct lw *lw, int64_t v)
{
	struct memo_key k = {.op = IR_CONST, .imm = v};
	struct ir_ins *i = memo_get(lw, &k);

	if (!i) {
		i = ir_const(&lw->b, v);
		memo_put(lw, &k, i);
	}
	return i;
}

struct ir_ins *lw_bin(struct lw *lw, enum ir_op op, struct ir_ins *x, struct ir_ins *y)
{
	struct memo_key k = {.op = op, .a = x, .b = y};
	struct ir_ins *i = memo_get(lw, &k);

	if (!i) {
		i = ir_bin(&lw->b, op, x, y);
		memo_put(lw, &k, i);
	}
	return i;
}

struct ir_ins *lw_bini(struct lw *lw, enum ir_op op, struct ir_ins *x, int64_t y)
{
	return lw_bin(lw, op, x, lw_const(lw, y));
}

struct ir_ins *lw_un(struct lw *lw, enum ir_op op, struct ir_ins *x)
{
	struct memo_key k = {.op = op, .a = x};
	struct ir_ins *i = memo_get(lw, &k);

	if (!i) {
		i = ir_un(&lw->b, op, x);
		memo_put(lw, &k, i);
	}
	return i;
}

struct ir_ins *lw_load_pure(struct lw *lw, unsigned int size, struct ir_ins *p, int64_t off,
			    enum ir_mem mem)
{
	struct memo_key k = {.op = IR_LD8 + (int)size * 256, .imm = off, .imm2 = mem, .a = p};
	struct ir_ins *i = memo_get(lw, &k);

	if (!i) {
		i = ir_load(&lw->b, size, p, off, mem);
		memo_put(lw, &k, i);
	}
	return i;
}

struct ir_ins *lw_helper_pure(struct lw *lw, int64_t helper)
{
	struct memo_key k = {.op = IR_CALL, .imm = helper};
	struct ir_ins *i = memo_get(lw, &k);

	if (!i) {
		i = ir_call(&lw->b, IR_CALL, helper, 0, NULL);
		memo_put(lw, &k, i);
	}
	return i;
}

static struct ir_ins *call_list(struct lw *lw, enum ir_op op, int64_t which, va_list ap)
{
	struct ir_ins *args[5], *a;
	unsigned int n = 0;

	while ((a = va_arg(ap, struct ir_ins *)) != NULL) {
		assert(n < 5);
		args[n++] = a;
	}
	return ir_call(&lw->b, op, which, n, args);
}

struct ir_ins *lw_helper(struct lw *lw, int64_t helper, ...)
{
	struct ir_ins *i;
	va_list ap;

	va_start(ap, helper);
	i = call_list(lw, IR_CALL, helper, ap);
	va_end(ap);
	return i;
}

struct ir_ins *lw_kfunc(struct lw *lw, uint32_t btf_id, ...)
{
	struct ir_ins *i;
	va_list ap;

	va_start(ap, btf_id);
	i = call_list(lw, IR_CALLK, btf_id, ap);
	va_end(ap);
	return i;
}

struct ir_ins *lw_rt(struct lw *lw, const char *name, ...)
{
	int which = bpf_rt_find(&bpf_rt, name);
	struct ir_ins *i;
	va_list ap;

	assert(which >= 0);
	va_start(ap, name);
	i = call_list(lw, IR_CALLRT, which, ap);
	va_end(ap);
	return i;
}

struct ir_block *lw_block(struct lw *lw)
{
	return ir_block_new(lw->b.func);
}

void lw_if(struct lw *lw, struct ir_ins *cond, struct ir_block *yes, struct ir_block *no)
{
	ir_br(&lw->b, cond, yes, no);
}

void lw_seal_at(struct lw *lw, struct ir_block *bb)
{
	ir_seal(lw->b.func, bb);
	ir_at(&lw->b, bb);
}

struct ir_ins *lw_umin(struct lw *lw, struct ir_ins *x, struct ir_ins *y)
{
	struct ir_block *more = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);

	ir_var_write(&lw->b, var, x);
	lw_if(lw, ir_bin(&lw->b, IR_ULT, y, x), more, done);
	lw_seal_at(lw, more);
	ir_var_write(&lw->b, var, y);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

void lw_fault_if(struct lw *lw, struct ir_ins *cond, enum abi_fault code, struct ir_ins *value)
{
	if (lw->b.cur)
		lw_fault_code_if(lw, cond, ir_const(&lw->b, code), value);
}

void lw_fault_code_if(struct lw *lw, struct ir_ins *cond, struct ir_ins *code, struct ir_ins *value)
{
	struct ir_block *bad, *ok;

	if (!lw->b.cur || (cond->op == IR_CONST && cond->imm == 0))
		return;
	bad = lw_block(lw);
	ok = lw_block(lw);
	lw_if(lw, cond, bad, ok);
	lw_seal_at(lw, bad);
	if (lw->clause.fault) {
		ir_var_write(&lw->b, lw->clause.var_fault, code);
		ir_var_write(&lw->b, lw->clause.var_fault_val, value ? value : ir_const(&lw->b, 0));
		ir_var_write(&lw->b, lw->clause.var_fault_act, ir_const(&lw->b, lw->clause.action));
		ir_jmp(&lw->b, lw->clause.fault);
	} else {
		ir_jmp(&lw->b, lw->clause.skip);
	}
	lw_seal_at(lw, ok);
}

struct ir_ins *lw_leaf_map(struct lw *lw, const struct plan_map *like)
{
	unsigned int n = MAP_FIRST;

	while (lw->plan->maps.a[n].leaf != like)
		n++;
	return ir_mapfd(&lw->b, n);
}

void lw_drop(struct lw *lw, enum abi_drop kind)
{
	struct ir_ins *arg = ir_const(&lw->b, kind);

	ir_call(&lw->b, IR_CALLFN, lw->drop_func, 1, &arg);
}

struct tmp lw_slot(struct lw *lw, uint32_t size)
{
	size = (size + 7) & ~7U;
	lw->mem.stack_used += size;
	return (struct tmp){ir_slot(&lw->b, ir_slot_new(lw->b.func, size, 8)), IR_MEM_SLOT};
}

struct tmp lw_slot_word(struct lw *lw)
{
	return lw_slot(lw, sizeof(uint64_t));
}

struct tmp lw_array_key(struct lw *lw, struct ir_ins *number)
{
	struct tmp key = lw_slot(lw, sizeof(uint32_t));

	ir_store(&lw->b, sizeof(uint32_t), key.p, 0, number, key.mem);
	return key;
}

struct tmp lw_scratch(struct lw *lw, uint32_t size)
{
	uint32_t off = lw->mem.scratch_used;

	lw->mem.want_scratch = true;
	lw->mem.scratch_used += (size + 7) & ~7U;
	if (lw->mem.scratch_used > lw->mem.scratch_max)
		lw->mem.scratch_max = lw->mem.scratch_used;
	return (struct tmp){lw_bini(lw, IR_ADD, lw->mem.scratch, off), IR_MEM_MAP};
}

/* Bytes: the key of an aggregation by a name of 64 bytes, with the CPU. */
#define SLOT_MAX 80

/* Slots of different clauses share stack words, so the sum may exceed 512 bytes a little. */
struct tmp lw_temp(struct lw *lw, uint32_t size)
{
	if (size <= SLOT_MAX && lw->mem.stack_used + size <= 320)
		return lw_slot(lw, size);
	return lw_scratch(lw, size);
}

/* Bytes of zeros in one copy. */
#define ZEROS_MAX 4096

void lw_zero(struct lw *lw, struct ir_ins *p, uint32_t size, enum ir_mem mem)
{
	struct ir_ins *zero = ir_const(&lw->b, 0);

	if (size <= 128) {
		for (uint32_t off = 0; off < size; off += 8)
			ir_store(&lw->b, 8, p, off, zero, mem);
		return;
	}
	for (uint32_t off = 0; off < size; off += ZEROS_MAX) {
		uint32_t n = size - off < ZEROS_MAX ? size - off : ZEROS_MAX;

		lw_helper(lw, BPF_FUNC_probe_read_kernel,
			  ir_bin(&lw->b, IR_ADD, p, ir_const(&lw->b, off)), ir_const(&lw->b, n),
			  ir_mapval(&lw->b, MAP_RODATA, lw_zeros(lw, n)), NULL);
	}
}

struct ir_ins *lw_norm(struct lw *lw, struct ir_ins *v, const struct type *t)
{
	const struct type *b = type_base(t);
	bool is_signed = b->is_signed;

	if (b->kind != TYPE_INT && b->kind != TYPE_ENUM)
		return v;
	switch (b->size) {
	case 1:
		return lw_un(lw, is_signed ? IR_SEXT8 : IR_ZEXT8, v);
	case 2:
		return lw_un(lw, is_signed ? IR_SEXT16 : IR_ZEXT16, v);
	case 4:
		return lw_un(lw, is_signed ? IR_SEXT32 : IR_ZEXT32, v);
	default:
		return v;
	}
}
