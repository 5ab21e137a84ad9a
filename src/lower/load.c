/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c: reading and writing memory, by provenance.
 *
 * A pointer whose structure the verifier knows (struct val with PLACE_BTF) is followed by plain
 * loads, if the kernel's btf_struct_walk accepts the access: whole members, no bit-fields, no
 * pointers out of unions.  A helper that reports bad addresses reads any other kernel address.
 * Small structures read that way (protocol headers) are copied whole, once.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <linux/btf.h>

#include "arch/arch.h"
#include "kern/kern.h"
#include "lower/leaf.h"

#define WHOLE_MAX 64 /* structures up to this size are copied whole */

/* Returns an address as one value. */
struct ir_ins *lw_flat(struct lw *lw, struct val a)
{
	return a.off ? lw_bini(lw, IR_ADD, a.v, a.off) : a.v;
}

/*
 * Returns an address as a number for the verifier.  A value that a helper read from memory is a
 * number.  So is the difference of two pointers, which is faster but needs known pointers, as
 * arguments are.
 */
struct ir_ins *lw_number(struct lw *lw, struct val a)
{
	struct ir_ins *p = lw_flat(lw, a), *v;
	struct memo_key k = {.op = MEMO_NUMBER, .a = p};
	struct tmp from, to;

	if (a.place == PLACE_SCALAR || a.place == PLACE_USER)
		return p;
	v = memo_get(lw, &k);
	if (v)
		return v;
	if (a.place == PLACE_BTF && p->op == IR_LD64 && p->imm2 == IR_MEM_CTX && !lw->no_direct) {
		v = lw_bin(lw, IR_SUB, p, lw_helper_pure(lw, BPF_FUNC_get_current_task_btf));
		v = lw_bin(lw, IR_ADD, v, lw_helper_pure(lw, BPF_FUNC_get_current_task));
		memo_put(lw, &k, v);
		return v;
	}
	from = lw_slot_word(lw);
	to = lw_slot_word(lw);
	ir_store(&lw->b, 8, from.p, 0, p, from.mem);
	lw_helper(lw, BPF_FUNC_probe_read_kernel, to.p, ir_const(&lw->b, 8), from.p, NULL);
	v = ir_load(&lw->b, 8, to.p, 0, to.mem);
	memo_put(lw, &k, v);
	return v;
}

struct ir_ins *lw_kept(struct lw *lw, struct val p)
{
	if (p.place != PLACE_SAFE)
		return lw_flat(lw, p);
	lw->out->keeps_addresses = true;
	lw_forget_reads(lw);
	return lw_number(lw, p);
}

void lw_changed(struct lw *lw)
{
	if (lw->plan->is_aliased)
		lw_forget_reads(lw);
}

struct val lw_outside(struct lw *lw, struct val p)
{
	if (p.place != PLACE_BTF || !lw->no_direct)
		return p;
	return (struct val){.v = lw_number(lw, p), .type = p.type, .place = PLACE_SCALAR};
}

/* Faults if the pointer is NULL. */
static void check_null(struct lw *lw, struct ir_ins *p)
{
	struct memo_key k = {.op = MEMO_NONNULL, .a = p};

	if (memo_get(lw, &k))
		return;
	lw_fault_if(lw, ir_bin(&lw->b, IR_EQ, p, lw_const(lw, 0)), ABI_FLT_BADADDR, NULL);
	memo_put(lw, &k, p);
}

/* Returns the structure that the verifier knows for a pointer to `to`, by BTF; NULL: none. */
static struct type *known(const struct plan *plan, struct type *to)
{
	struct type *t =
	    type_base(to)->kind == TYPE_STRUCT ? type_resolve(plan->env.types, to) : NULL;

	return t && t->btf_id ? t : NULL;
}

/*
 * The verifier's view of a loaded value.  place: PLACE_BTF for a pointer to a known structure, or
 * out of a union (btf NULL) for a pointer that may neither be followed nor computed with.
 */
struct walked {
	enum place place;
	struct type *btf;
	bool is_other; /* a pointer, but to no structure */
};

/* Returns true if the verifier accepts a load of `size` bytes at byte `off` of structure t. */
static bool walk(const struct plan *plan, struct type *t, uint64_t off, uint64_t size,
		 bool in_union, struct walked *r)
{
	t = type_resolve(plan->env.types, t);
	for (unsigned int i = 0; i < t->nmembers; i++) {
		const struct type_member *m = &t->members[i];
		struct type *mt = type_resolve(plan->env.types, m->type);
		uint64_t at = m->bit_off / 8, len = mt->size;
		bool is_union = in_union || (t->kind == TYPE_UNION && t->nmembers > 1);

		if (off < at || off + size > at + len)
			continue;
		if (m->bits)
			return false;
		if (mt->kind == TYPE_STRUCT || mt->kind == TYPE_UNION) {
			if (walk(plan, mt, off - at, size, is_union, r))
				return true;
			continue;
		}
		if (mt->kind == TYPE_PTR) {
			struct type *target = known(plan, mt->to);

			if (off != at || size != 8)
				return false;
			r->is_other = mt->is_userland || !target;
			if (!r->is_other) {
				r->place = PLACE_BTF;
				r->btf = is_union ? NULL : target;
			}
			return true;
		}
		if (mt->kind == TYPE_ARRAY) {
			struct type *elem = type_resolve(plan->env.types, mt->to);

			return (elem->kind == TYPE_INT || elem->kind == TYPE_ENUM) &&
			       size <= elem->size && (off - at) % elem->size + size <= elem->size;
		}
		return mt->kind == TYPE_INT || mt->kind == TYPE_ENUM;
	}
	return false;
}

/* Casts an address for the verifier to its structure, if that is possible and useful. */
static struct val give_type(struct lw *lw, struct val a, struct type *sou)
{
	const struct plan *plan = lw->plan;
	struct memo_key k = {.op = MEMO_CAST, .a = a.v};
	struct ir_ins *p;

	if (!lw->firing.trusted || lw->no_direct || a.place != PLACE_SCALAR || a.off ||
	    !sou->btf_id || sou->btf_id >= kern_btf_count(plan->env.kern) ||
	    sou->kind != TYPE_STRUCT || !kern_has(plan->env.kern, KERN_RDONLY_CAST))
		return a;
	k.imm = sou->btf_id;
	p = memo_get(lw, &k);
	if (!p) {
		check_null(lw, a.v);
		p = lw_kfunc(lw, kern_btf_find(plan->env.kern, "bpf_rdonly_cast", BTF_KIND_FUNC),
			     a.v, lw_const(lw, sou->btf_id), NULL);
		memo_put(lw, &k, p);
	}
	a.v = p;
	a.place = PLACE_BTF;
	a.btf = sou;
	a.btf_off = 0;
	return a;
}

/* Returns the address that a pointer value holds, as the address of an object of type t. */
struct val lw_deref(struct lw *lw, struct val p, struct type *t)
{
	struct type *r = type_resolve(lw->plan->env.types, t);
	struct val a = p;

	a.type = t;
	a.off = 0;
	if (a.place == PLACE_BTF && a.btf != r)
		a.place = PLACE_SCALAR;
	if (a.place == PLACE_SCALAR)
		a = give_type(lw, a, r);
	if (a.place == PLACE_BTF)
		check_null(lw, a.v);
	return a;
}

/*
 * In a sleepable program: waits until the page of a user address is in memory.  Other programs
 * cannot read pages that the process has not touched, such as most of its literal strings.
 */
static void fetch_page(struct lw *lw, struct ir_ins *from)
{
	if (lw->unit->may_sleep)
		lw_helper(lw, BPF_FUNC_copy_from_user, lw_temp(lw, 8).p, ir_const(&lw->b, 1), from,
			  NULL);
}

void lw_need_running(struct lw *lw, enum abi_fault code, struct ir_ins *value)
{
	if (lw->firing.thread.v)
		lw_fault_if(lw, ir_const(&lw->b, 1), code, value);
}

/* The memory of another process can only be copied as bytes, in a sleepable program. */
static struct ir_ins *copy_of_thread(struct lw *lw, int64_t helper, struct ir_ins *dst,
				     struct ir_ins *size, struct ir_ins *from)
{
	if (helper != BPF_FUNC_probe_read_user)
		return lw_const(lw, -1);
	return lw_helper(lw, BPF_FUNC_copy_from_user_task, dst, size, from, lw_current(lw).v,
			 lw_const(lw, 0), NULL);
}

static struct ir_ins *copy_by(struct lw *lw, enum place place, int64_t helper, struct ir_ins *dst,
			      struct ir_ins *size, struct ir_ins *from)
{
	struct ir_ins *r;

	if (place == PLACE_USER && lw->firing.thread.v && lw->unit->may_sleep) {
		r = copy_of_thread(lw, helper, dst, size, from);
	} else {
		if (place == PLACE_USER) {
			lw_need_running(lw, ABI_FLT_BADADDR, from);
			fetch_page(lw, from);
		}
		r = lw_helper(lw, helper, dst, size, from, NULL);
	}
	lw_fault_if(lw, ir_bin(&lw->b, IR_SLT, r, ir_const(&lw->b, 0)), ABI_FLT_BADADDR, from);
	return r;
}

struct ir_ins *lw_copy_bytes(struct lw *lw, enum place place, struct ir_ins *dst,
			     struct ir_ins *size, struct ir_ins *from)
{
	return copy_by(lw, place,
		       place == PLACE_USER ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel,
		       dst, size, from);
}

struct ir_ins *lw_copy_string(struct lw *lw, enum place place, struct ir_ins *dst,
			      struct ir_ins *size, struct ir_ins *from)
{
	return copy_by(lw, place,
		       place == PLACE_USER ? BPF_FUNC_probe_read_user_str
					   : BPF_FUNC_probe_read_kernel_str,
		       dst, size, from);
}

/* Copies `size` bytes of kernel or user memory to a slot, and remembers the copy.  Faults. */
struct tmp lw_kread(struct lw *lw, struct val a, uint32_t size)
{
	struct ir_ins *base = lw_flat(lw, a);
	struct memo_key k = {.op = MEMO_KREAD, .a = base, .imm = lw->mem.nwrites, .imm2 = size};
	struct tmp t = {.p = memo_get(lw, &k), .mem = IR_MEM_SLOT};

	if (t.p)
		return t;
	t = lw_slot(lw, size);
	if (a.place == PLACE_SCALAR && !a.btf)
		lw_alloca_source(lw, base, ir_const(&lw->b, size), ABI_FLT_BADADDR, base);
	lw_copy_bytes(lw, a.place, t.p, ir_const(&lw->b, size), base);
	memo_put(lw, &k, t.p);
	return t;
}

static unsigned int load_size(uint64_t bytes)
{
	return bytes <= 1 ? 1 : bytes <= 2 ? 2 : bytes <= 4 ? 4 : 8;
}

/*
 * Returns the word to access for a bit-field: the smallest aligned word that contains it and lies
 * inside the structure.  Only packed structures may have none.
 */
static unsigned int bits_word(uint64_t bit_off, unsigned int bits, uint64_t *off)
{
	for (unsigned int size = 1; size <= 8; size *= 2) {
		*off = bit_off / 8 / size * size;
		if (bit_off + bits <= (*off + size) * 8)
			return size;
	}
	*off = bit_off / 8;
	return 8;
}

/*
 * Returns `bits` bits at bit offset `at` (from p + off, little-endian) as a canonical value of type
 * t.
 */
static struct ir_ins *extract_bits(struct lw *lw, struct ir_ins *word, unsigned int at,
				   unsigned int bits, const struct type *t)
{
	bool is_signed = type_base(t)->is_signed;

	word = lw_bini(lw, IR_SHL, word, 64 - at - bits);
	return lw_bini(lw, is_signed ? IR_ASHR : IR_LSHR, word, 64 - bits);
}

struct ir_ins *lw_stored(struct lw *lw, struct ir_ins *v, const struct expr *e)
{
	if (type_base(e->type)->is_bool)
		return lw_bini(lw, IR_NE, v, 0);
	/* Other integer variables have 64 bits whatever their type. */
	if (plan_is_variable(e) && !dialect_has(lw->plan->opt.dialect, DIALECT_NARROW_STORES))
		return v;
	if (e->kind == EXPR_MEMBER && e->bits)
		return extract_bits(lw, v, 0, e->bits, e->type);
	return lw_norm(lw, v, e->type);
}

static struct ir_ins *load_place(struct lw *lw, struct val a, uint64_t off, unsigned int size)
{
	struct type *sou = a.sou ? type_resolve(lw->plan->env.types, a.sou) : NULL;
	struct tmp t;

	switch (a.place) {
	case PLACE_SAFE:
		if (a.mem == IR_MEM_SLOT)
			return lw_load_pure(lw, size, a.v, a.off + (int64_t)off, a.mem);
		return ir_load(&lw->b, size, a.v, a.off + (int64_t)off, a.mem);
	case PLACE_CTX:
		return lw_load_pure(lw, size, a.v, a.off + (int64_t)off, IR_MEM_CTX);
	case PLACE_BTF:
		return lw_load_pure(lw, size, a.v, a.off + (int64_t)off, IR_MEM_KERNEL);
	case PLACE_SCALAR:
	case PLACE_USER:
		break;
	}
	if (sou && sou->size && sou->size <= WHOLE_MAX && off + size <= sou->size) {
		t = lw_kread(lw, a, (uint32_t)sou->size);
		return lw_load_pure(lw, size, t.p, (int64_t)off, IR_MEM_SLOT);
	}
	a.off += (int64_t)off;
	t = lw_kread(lw, a, size);
	return lw_load_pure(lw, size, t.p, 0, IR_MEM_SLOT);
}

bool lw_is_userland(const struct type *t)
{
	const struct type *b = type_base(t);

	return b->kind == TYPE_PTR && (b->is_userland || type_base(b->to)->is_userland);
}

void lw_mark_pointer(struct lw *lw, struct ir_ins *load)
{
	if (load->op == IR_LD64 && kern_has(lw->plan->env.kern, KERN_VOID_POINTERS))
		load->mark = MARK_POINTER;
}

struct val lw_load(struct lw *lw, struct val a, struct type *t, uint64_t bit_off, unsigned int bits)
{
	const struct plan *plan = lw->plan;
	const struct type *b = type_base(t);
	struct walked to = {.place = PLACE_SCALAR};
	struct val r = {.type = t, .place = PLACE_SCALAR};
	uint64_t off = bit_off / 8;
	unsigned int size = bits ? bits_word(bit_off, bits, &off) : load_size(b->size);

	if (a.place == PLACE_BTF &&
	    (bits || lw->no_direct ||
	     !walk(plan, a.btf, a.btf_off + (uint64_t)a.off + off, size, false, &to)))
		a.place = PLACE_SCALAR;
	if (bits) {
		r.v = extract_bits(lw, load_place(lw, a, off, size),
				   (unsigned int)(bit_off - off * 8), bits, t);
		return r;
	}
	r.v = load_place(lw, a, off, size);
	if (a.place == PLACE_BTF && to.is_other)
		lw_mark_pointer(lw, r.v);
	if (b->kind == TYPE_PTR) {
		if (a.place == PLACE_BTF) {
			r.place = to.place;
			r.btf = to.btf;
		}
		if (lw_is_userland(b))
			r.place = PLACE_USER;
	}
	/* The verifier types a word in a union by the union's first member. */
	if (b->kind != TYPE_PTR && a.place == PLACE_BTF && to.place == PLACE_BTF)
		r.v = lw_number(lw, (struct val){.v = r.v, .type = t, .place = PLACE_BTF});
	if ((b->kind == TYPE_INT || b->kind == TYPE_ENUM) && b->size < 8 && b->is_signed)
		r.v = lw_norm(lw, r.v, t);
	return r;
}

/* Returns an address for writing size bytes, in memory of alloca().  Faults for other memory. */
struct val lw_writable(struct lw *lw, struct val a, uint32_t size)
{
	struct ir_ins *bad = ir_const(&lw->b, a.place != PLACE_SCALAR);

	if (a.place == PLACE_SAFE)
		return a;
	lw_fault_if(lw, bad, ABI_FLT_BADADDR, lw_number(lw, a));
	return (struct val){.v = lw_alloca_find(lw, lw_flat(lw, a), ir_const(&lw->b, size)),
			    .type = a.type,
			    .place = PLACE_SAFE,
			    .mem = IR_MEM_ANY};
}

void lw_store(struct lw *lw, struct val a, struct type *t, uint64_t bit_off, unsigned int bits,
	      struct ir_ins *v)
{
	uint64_t start = bit_off / 8, mask;
	unsigned int size = bits ? bits_word(bit_off, bits, &start) : load_size(type_base(t)->size);
	int64_t off = a.off + (int64_t)start;

	lw_changed(lw);
	if (a.place != PLACE_SAFE) {
		a.off = off;
		a = lw_writable(lw, a, size);
		off = 0;
	}
	if (bits) {
		struct ir_ins *old = ir_load(&lw->b, size, a.v, off, a.mem);

		bit_off -= start * 8;
		mask = (bits == 64 ? ~0ULL : (1ULL << bits) - 1) << bit_off;
		v = lw_bini(lw, IR_AND, lw_bini(lw, IR_SHL, v, (int64_t)bit_off), (int64_t)mask);
		v = lw_bin(lw, IR_OR, lw_bini(lw, IR_AND, old, (int64_t)~mask), v);
	}
	ir_store(&lw->b, size, a.v, off, v, a.mem);
}

/* Returns the structure that a pointer points to. */
static struct type *pointee(struct lw *lw, const struct val *p)
{
	const struct type *t = type_base(p->type);

	return t->kind == TYPE_PTR ? type_resolve(lw->plan->env.types, t->to)
				   : type_void(lw->plan->env.types);
}

/* The program cannot run on this kernel, so its values do not matter. */
static struct val lacking(struct lw *lw, const struct val *p, const char *member)
{
	lw->out->lacks = lw->out->lacks ? lw->out->lacks : member;
	return (struct val){.v = lw_const(lw, 0), .type = p->type};
}

struct val lw_field(struct lw *lw, struct val p, const char *member)
{
	struct type *sou = pointee(lw, &p);
	const struct type_member *m;
	uint64_t bit_off = 0;
	struct val a;

	m = type_member(lw->plan->env.types, sou, member, &bit_off);
	if (!m)
		return lacking(lw, &p, member);
	a = lw_deref(lw, p, sou);
	a.sou = sou;
	return lw_load(lw, a, m->type, bit_off, m->bits);
}

struct val lw_inner(struct lw *lw, struct val p, const char *outer, const char *inner)
{
	struct type *sou = pointee(lw, &p);
	uint64_t outer_off = 0, off = 0;
	const struct type_member *o = type_member(lw->plan->env.types, sou, outer, &outer_off), *m;

	if (!o)
		return lacking(lw, &p, outer);
	m = type_member(lw->plan->env.types, o->type, inner, &off);
	if (!m)
		return lacking(lw, &p, inner);
	return lw_load(lw, lw_deref(lw, p, sou), m->type, outer_off + off, 0);
}

bool lw_has_member(struct lw *lw, const char *structure, const char *member)
{
	struct types *ts = lw->plan->env.types;
	struct type *t = type_lookup(ts, structure);
	uint64_t bits;

	return t && type_member(ts, type_resolve(ts, t), member, &bits);
}

struct val lw_current(struct lw *lw)
{
	struct type *found = type_lookup(lw->plan->env.types, "struct task_struct");
	struct type *t =
	    type_resolve(lw->plan->env.types, found ? found : type_void(lw->plan->env.types));
	struct ir_ins *task = lw->firing.thread.v
				  ? lw->firing.thread.v
				  : lw_helper_pure(lw, BPF_FUNC_get_current_task_btf);
	struct memo_key k = {.op = MEMO_NONNULL, .a = task};

	memo_put(lw, &k, task);
	return (struct val){
	    .v = task, .type = type_ptr(lw->plan->env.types, t), .place = PLACE_BTF, .btf = t};
}

static struct ir_ins *part_of_current(struct lw *lw, const char *member, uint64_t at,
				      unsigned int size)
{
	struct val task = lw_current(lw);
	uint64_t off;

	if (!type_member(lw->plan->env.types, task.btf, member, &off))
		return lacking(lw, &task, member).v;
	if (!lw->no_direct)
		return lw_load_pure(lw, size, task.v, (int64_t)(off / 8 + at), IR_MEM_KERNEL);
	task.off = (int64_t)(off / 8 + at);
	task.place = PLACE_SCALAR;
	return lw_load_pure(lw, size, lw_kread(lw, task, size).p, 0, IR_MEM_SLOT);
}

struct ir_ins *lw_current_word(struct lw *lw, const char *member, unsigned int size)
{
	return part_of_current(lw, member, 0, size);
}

bool lw_has_current(struct lw *lw)
{
	return !lw->plan->opt.is_hosting && (!lw->no_direct || lw->firing.thread.v) &&
	       type_lookup(lw->plan->env.types, "struct task_struct");
}

/*
 * A helper finds the current thread, and loads read its members.  If loads are impossible, another
 * helper gives the two numbers.  They are never negative.
 */
struct ir_ins *lw_pid(struct lw *lw)
{
	if (!lw_has_current(lw))
		return lw_bini(lw, IR_LSHR, lw_helper_pure(lw, BPF_FUNC_get_current_pid_tgid), 32);
	return lw_current_word(lw, "tgid", 4);
}

struct ir_ins *lw_own_pid_of(struct lw *lw, struct val task)
{
	const struct kern_pidns *ns = kern_pidns(lw->plan->env.kern);
	uint64_t task_offs, pid_offs;

	if (!ns)
		return lw_field(lw, task, "tgid").v;
	task_offs = ns->group_leader | (uint64_t)ns->thread_pid << 32;
	pid_offs = ns->pid_level | (uint64_t)ns->pid_numbers << 32;
	return lw_rt(lw, "rt_pid_in", lw_number(lw, task), lw_const(lw, (int64_t)ns->ns),
		     lw_const(lw, ns->is_known ? ns->level : UINT32_MAX),
		     lw_const(lw, (int64_t)task_offs), lw_const(lw, (int64_t)pid_offs), NULL);
}

struct ir_ins *lw_own_pid(struct lw *lw)
{
	return kern_pidns(lw->plan->env.kern) ? lw_own_pid_of(lw, lw_current(lw)) : lw_pid(lw);
}

static uint64_t offset_in_task(struct lw *lw, const char *name)
{
	struct types *ts = lw->plan->env.types;
	uint64_t bits = 0;

	type_member(ts, type_resolve(ts, type_lookup(ts, "struct task_struct")), name, &bits);
	return bits / 8;
}

struct ir_ins *lw_progenyof(struct lw *lw, struct ir_ins *pid)
{
	uint64_t offs = offset_in_task(lw, "real_parent") | offset_in_task(lw, "tgid") << 32;
	struct ir_ins *task = lw->firing.thread.v ? lw_number(lw, lw_current(lw)) : lw_const(lw, 0);

	return lw_rt(lw, "rt_progenyof", pid, lw_const(lw, (int64_t)offs), task, NULL);
}

struct ir_ins *lw_tid(struct lw *lw)
{
	if (!lw_has_current(lw))
		return lw_un(lw, IR_ZEXT32, lw_helper_pure(lw, BPF_FUNC_get_current_pid_tgid));
	return lw_current_word(lw, "pid", 4);
}

/* The kernel pads the name with zeros (__set_task_comm, fs/exec.c, since 5.17). */
void lw_execname(struct lw *lw, struct ir_ins *dst, uint32_t size, enum ir_mem mem)
{
	if (size < ABI_COMM || !lw_has_current(lw)) {
		lw_helper(lw, BPF_FUNC_get_current_comm, dst,
			  ir_const(&lw->b, size < ABI_COMM ? size : ABI_COMM), NULL);
		return;
	}
	for (unsigned int at = 0; at < ABI_COMM; at += 8)
		ir_store(&lw->b, 8, dst, at, part_of_current(lw, "comm", at, 8), mem);
}

struct val lw_ctx_arg(struct lw *lw, unsigned int n, struct type *type)
{
	struct val v = {.type = type, .place = PLACE_SCALAR};
	struct type *t = type_resolve(lw->plan->env.types, type), *to;

	v.v = lw_load_pure(lw, 8, lw->firing.ctx, n * 8, IR_MEM_CTX);
	if (t->kind != TYPE_PTR) {
		v.v = lw_norm(lw, v.v, type);
		return v;
	}
	to = known(lw->plan, t->to);
	if (to) {
		v.place = PLACE_BTF;
		v.btf = to;
	}
	return v;
}
