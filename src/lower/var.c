/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * var.c: variables of D.
 *
 * Globals lie in one array map whose value is addressed directly.  A scalar takes 8 bytes and keeps
 * all 64 assigned bits, whatever its type: scripts keep time stamps in an int.  Scalar
 * clause-locals are SSA variables; strings and structures among them live in scratch memory.
 * Thread-locals of a thread are one structure in task storage.  They are in a hash by thread id if
 * the type of some program has no task storage.  Each associative array is a hash map.  A missing
 * element reads as 0, and storing 0 deletes an element.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "lower/leaf.h"

/*
 * Thread-locals and array elements have no storage before an assignment, and are NULL until then.
 * Globals and clause-locals begin empty.  All begin as zeros.
 */
static bool begins_null(const struct ident *id)
{
	return id->is_assoc || id->kind == IDENT_SELF;
}

/* Returns 0 if the string variable id at p is NULL. */
static struct ir_ins *null_read(struct lw *lw, const struct ident *id, struct ir_ins *p,
				enum ir_mem mem)
{
	struct ir_ins *byte = ir_load(&lw->b, 1, p, lw->plan->opt.strsize, mem);

	return begins_null(id) ? byte : ir_bin(&lw->b, IR_EQ, byte, ir_const(&lw->b, 0));
}

static void null_write(struct lw *lw, const struct ident *id, struct ir_ins *p, enum ir_mem mem,
		       struct ir_ins *found)
{
	struct ir_ins *zero = ir_const(&lw->b, 0);

	if (!found)
		found = ir_const(&lw->b, 1);
	ir_store(&lw->b, 1, p, lw->plan->opt.strsize,
		 ir_bin(&lw->b, begins_null(id) ? IR_NE : IR_EQ, found, zero), mem);
}

/* ---- clause-locals ---- */

unsigned int lw_firing_var(struct lw *lw, const void *owner)
{
	struct firing_var v = {.owner = owner};

	for (unsigned int i = 0; i < lw->firing.vars.n; i++)
		if (lw->firing.vars.a[i].owner == owner)
			return lw->firing.vars.a[i].var;
	v.var = ir_var_new(lw->b.func);
	vec_push(&lw->firing.vars, v);
	return v.var;
}

struct tmp lw_firing_mem(struct lw *lw, const void *owner)
{
	const struct firing_mem *m = plan_mem_find(lw->unit->plan, owner);

	assert(m);
	lw->mem.want_scratch = true;
	return (struct tmp){lw_bini(lw, IR_ADD, lw->mem.scratch, m->off), IR_MEM_MAP};
}

/* Returns the address of a string, a structure, or a scalar in memory. */
static struct val this_addr(struct lw *lw, struct ident *id)
{
	struct tmp t = lw_firing_mem(lw, id);

	return (struct val){.v = t.p, .type = id->type, .place = PLACE_SAFE, .mem = t.mem};
}

static bool is_in_memory(struct lw *lw, const struct ident *id)
{
	return plan_mem_find(lw->unit->plan, id) != NULL;
}

/*
 * Clause-locals start as 0 or empty at each firing.  Scratch memory has the content of the last
 * firing.
 */
void lw_this_init(struct lw *lw)
{
	const struct unit_plan *up = lw->unit->plan;
	const struct plan *plan = lw->plan;

	for (unsigned int i = 0; i < up->locals.n; i++) {
		struct ident *id = up->locals.a[i].ident;
		struct tmp t;

		if (up->locals.a[i].group != lw->firing.group || !is_in_memory(lw, id))
			continue;
		t = lw_firing_mem(lw, id);
		if (type_is_string(id->type)) {
			ir_store(&lw->b, 1, t.p, 0, ir_const(&lw->b, 0), t.mem);
			ir_store(&lw->b, 1, t.p, plan->opt.strsize, ir_const(&lw->b, 0), t.mem);
		} else {
			lw_zero(lw, t.p, plan_var_size(plan, id->type), t.mem);
		}
	}
}

/* ---- thread-locals ---- */

static struct ir_ins *self_lookup_hash(struct lw *lw, struct tmp key)
{
	ir_store(&lw->b, 8, key.p, 0, lw_tid(lw), key.mem);
	return lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, MAP_SELF), key.p, NULL);
}

/*
 * Returns the structure of the current thread's variables; 0: none yet.  A missing structure is
 * remembered only until a branch may have created it.
 */
static struct ir_ins *self_ptr(struct lw *lw)
{
	struct memo_key k = {.op = MEMO_SELF, .imm = lw->mem.nself_new, .a = lw->firing.thread.v};
	struct memo_key kn = {.op = MEMO_SELF_NEW, .a = lw->firing.thread.v};
	struct ir_ins *p = memo_get(lw, &kn);

	if (!p)
		p = memo_get(lw, &k);
	if (p)
		return p;
	if (lw->plan->self_is_hash) {
		p = self_lookup_hash(lw, lw_slot_word(lw));
	} else {
		p = lw_helper(lw, BPF_FUNC_task_storage_get, ir_mapfd(&lw->b, MAP_SELF),
			      lw_current(lw).v, ir_const(&lw->b, 0), ir_const(&lw->b, 0), NULL);
	}
	memo_put(lw, &k, p);
	return p;
}

/* Does the same, and creates the structure if necessary.  Later code in block `have` may use it. */
static struct ir_ins *self_new(struct lw *lw)
{
	struct memo_key kn = {.op = MEMO_SELF_NEW, .a = lw->firing.thread.v};
	struct ir_ins *p = memo_get(lw, &kn);

	if (p)
		return p;
	lw->mem.nself_new++;
	if (lw->plan->self_is_hash) {
		struct tmp key = lw_slot_word(lw);
		struct ir_block *none = lw_block(lw), *done = lw_block(lw);
		unsigned int var = ir_var_new(lw->b.func);

		p = self_lookup_hash(lw, key);
		ir_var_write(&lw->b, var, p);
		lw_if(lw, p, done, none);
		lw_seal_at(lw, none);
		lw_helper(lw, BPF_FUNC_map_update_elem, ir_mapfd(&lw->b, MAP_SELF), key.p,
			  ir_mapval(&lw->b, MAP_RODATA, lw_zeros(lw, lw->plan->self_size)),
			  ir_const(&lw->b, BPF_NOEXIST), NULL);
		ir_var_write(&lw->b, var, self_lookup_hash(lw, key));
		ir_jmp(&lw->b, done);
		lw_seal_at(lw, done);
		p = ir_var_read(&lw->b, var);
	} else {
		p = lw_helper(lw, BPF_FUNC_task_storage_get, ir_mapfd(&lw->b, MAP_SELF),
			      lw_current(lw).v, ir_const(&lw->b, 0),
			      ir_const(&lw->b, BPF_LOCAL_STORAGE_GET_F_CREATE), NULL);
	}
	memo_put(lw, &kn, p);
	return p;
}

/* ---- associative arrays ---- */

static struct ir_ins *assoc_key(struct lw *lw, const struct expr *e)
{
	struct var_layout *v = plan_var(lw->plan, e->ident);

	return lw_key(lw, e->args, e->nargs, v->keys.a, lw->plan->maps.a[v->map].key_size,
		      v->id ? lw_const(lw, v->id) : NULL);
}

static struct ir_ins *assoc_lookup(struct lw *lw, const struct expr *e, struct ir_ins *key)
{
	struct var_layout *v = plan_var(lw->plan, e->ident);

	return lw_helper(lw, BPF_FUNC_map_lookup_elem, ir_mapfd(&lw->b, v->map), key, NULL);
}

struct ir_ins *lw_key(struct lw *lw, struct expr *const *args, unsigned int n,
		      const struct item *items, uint32_t size, struct ir_ins *last)
{
	struct tmp t = lw_temp(lw, size);
	bool has_tid = n && items[0].enc == ITEM_INT && !items[0].type;
	unsigned int first = has_tid;
	bool has_gaps = size != (first + n + (last != NULL)) * 8;

	for (unsigned int i = 0; i < n; i++)
		has_gaps = has_gaps || items[first + i].enc != ITEM_INT;
	if (has_gaps)
		lw_zero(lw, t.p, last ? size - 8 : size, t.mem);
	if (has_tid)
		ir_store(&lw->b, 8, t.p, 0, lw_tid(lw), t.mem);
	for (unsigned int i = 0; i < n; i++)
		lw_store_item(lw, &items[first + i], args[i], t);
	if (last)
		ir_store(&lw->b, 8, t.p, size - 8, last, t.mem);
	return t.p;
}

/* ---- reading ---- */

/*
 * Returns p ? value at p + off : 0.  For a type that is not scalar, returns a pointer to the value
 * or to zeros.
 */
static struct val read_or_zero(struct lw *lw, struct ir_ins *p, int64_t off, struct type *t)
{
	struct ir_block *have = lw_block(lw), *none = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func);
	bool is_scalar = type_is_scalar(t);
	struct val r = {
	    .type = t, .place = is_scalar ? PLACE_SCALAR : PLACE_SAFE, .mem = IR_MEM_ANY};

	lw_if(lw, p, have, none);
	lw_seal_at(lw, have);
	ir_var_write(&lw->b, var,
		     is_scalar ? ir_load(&lw->b, 8, p, off, IR_MEM_MAP)
			       : ir_bin(&lw->b, IR_ADD, p, ir_const(&lw->b, off)));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, none);
	ir_var_write(&lw->b, var,
		     is_scalar
			 ? ir_const(&lw->b, 0)
			 : ir_mapval(&lw->b, MAP_RODATA, lw_zeros(lw, plan_var_size(lw->plan, t))));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	r.v = ir_var_read(&lw->b, var);
	return r;
}

static struct val global_addr(struct lw *lw, struct ident *id)
{
	struct var_layout *v = plan_var(lw->plan, id);

	return (struct val){.v = ir_mapval(&lw->b, MAP_GLOBALS, v->off),
			    .type = id->type,
			    .place = PLACE_SAFE,
			    .mem = IR_MEM_MAP};
}

static struct ir_ins *global_load(struct lw *lw, struct ident *id)
{
	return ir_load(&lw->b, 8, global_addr(lw, id).v, 0, IR_MEM_MAP);
}

/* Faults if a sent value could not be evaluated where the clause fired. */
static void check_sent(struct lw *lw, struct ident *id)
{
	struct ir_ins *code = global_load(lw, id->fault);

	lw_fault_code_if(lw, code, code, global_load(lw, id->fault->fault));
}

static struct val var_value(struct lw *lw, const struct expr *e)
{
	struct ident *id = e->ident;
	struct val r = {.type = id->type, .place = PLACE_SCALAR};

	if (id->is_assoc)
		return read_or_zero(lw, assoc_lookup(lw, e, assoc_key(lw, e)), 0, id->type);
	switch (id->kind) {
	case IDENT_GLOBAL:
		if (id->fault && id->fault->fault)
			check_sent(lw, id);
		r = global_addr(lw, id);
		if (!type_is_scalar(id->type))
			return r;
		r.v = ir_load(&lw->b, 8, r.v, 0, IR_MEM_MAP);
		r.place = PLACE_SCALAR;
		return r;
	case IDENT_THIS:
		if (!type_is_scalar(id->type))
			return this_addr(lw, id);
		r.v = is_in_memory(lw, id)
			  ? ir_load(&lw->b, 8, lw_flat(lw, this_addr(lw, id)), 0, IR_MEM_MAP)
			  : ir_var_read(&lw->b, lw_firing_var(lw, id));
		return r;
	case IDENT_SELF:
		return read_or_zero(lw, self_ptr(lw), plan_var(lw->plan, id)->off, id->type);
	default:
		assert(!"not a variable");
		return r;
	}
}

struct val lw_var_read(struct lw *lw, const struct expr *e)
{
	struct val r;

	if (e == lw->clause.made_expr)
		return lw->clause.made;
	r = var_value(lw, e);
	if (r.place == PLACE_SCALAR && lw_is_userland(r.type))
		r.place = PLACE_USER;
	if (type_is_string(r.type))
		r.found = null_read(lw, e->ident, lw_flat(lw, r), r.mem);
	return r;
}

/* ---- writing ---- */

/*
 * Stores an element and continues at done.  Any result but 0 is a failure: before 6.4 (kernel
 * commit d7ba4cc900bf) the upper half of an error number is 0.
 */
static void assoc_set(struct lw *lw, const struct var_layout *l, struct ir_ins *key,
		      struct ir_ins *val, struct ir_block *done)
{
	struct ir_block *drop = lw_block(lw);
	struct ir_ins *r;

	r = lw_helper(lw, BPF_FUNC_map_update_elem, ir_mapfd(&lw->b, l->map), key, val,
		      ir_const(&lw->b, BPF_ANY), NULL);
	lw_if(lw, r, drop, done);
	lw_seal_at(lw, drop);
	lw_drop(lw, ABI_DROP_DYNAMIC);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

static void assoc_write(struct lw *lw, const struct expr *e, struct ir_ins *key, struct ir_ins *v)
{
	struct var_layout *l = plan_var(lw->plan, e->ident);
	struct ir_block *del = lw_block(lw), *set = lw_block(lw), *have = lw_block(lw),
			*add = lw_block(lw), *done = lw_block(lw);
	struct tmp t = lw_slot_word(lw);
	struct ir_ins *p;

	lw_if(lw, lw_bini(lw, IR_EQ, v, 0), del, set);
	lw_seal_at(lw, del);
	lw_helper(lw, BPF_FUNC_map_delete_elem, ir_mapfd(&lw->b, l->map), key, NULL);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, set);
	p = assoc_lookup(lw, e, key);
	lw_if(lw, p, have, add);
	lw_seal_at(lw, have);
	ir_store(&lw->b, 8, p, 0, v, IR_MEM_MAP);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, add);
	ir_store(&lw->b, 8, t.p, 0, v, t.mem);
	assoc_set(lw, l, key, t.p, done);
}

static void self_write(struct lw *lw, struct ident *id, struct ir_ins *v)
{
	struct ir_block *have = lw_block(lw), *drop = lw_block(lw), *done = lw_block(lw);
	int64_t off = plan_var(lw->plan, id)->off;
	struct ir_ins *p;
	unsigned int mark;

	/* Storing 0 does not create a structure. */
	p = v->op == IR_CONST && v->imm == 0 ? self_ptr(lw) : self_new(lw);
	lw_if(lw, p, have, drop);
	lw_seal_at(lw, have);
	ir_store(&lw->b, 8, p, off, v, IR_MEM_MAP);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, drop);
	mark = lw_push(lw);
	if (v->op != IR_CONST || v->imm != 0)
		lw_drop(lw, ABI_DROP_DYNAMIC);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

/* Returns an element of an associative array, created with zeros if necessary; 0: no room. */
static struct ir_ins *assoc_new(struct lw *lw, const struct expr *e)
{
	struct ir_block *none = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *key = assoc_key(lw, e), *p = assoc_lookup(lw, e, key);
	unsigned int var = ir_var_new(lw->b.func), map = plan_var(lw->plan, e->ident)->map;
	uint32_t zeros = lw_zeros(lw, lw->plan->maps.a[map].value_size);

	ir_var_write(&lw->b, var, p);
	lw_if(lw, p, done, none);
	lw_seal_at(lw, none);
	lw_helper(lw, BPF_FUNC_map_update_elem, ir_mapfd(&lw->b, map), key,
		  ir_mapval(&lw->b, MAP_RODATA, zeros), ir_const(&lw->b, BPF_NOEXIST), NULL);
	ir_var_write(&lw->b, var, assoc_lookup(lw, e, key));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return ir_var_read(&lw->b, var);
}

/*
 * Returns the address for writing a part of the variable.  Without room it counts a drop and
 * returns unused memory.
 */
static struct val make_variable(struct lw *lw, const struct expr *e)
{
	struct var_layout *l = plan_var(lw->plan, e->ident);
	struct tmp nowhere = lw_scratch(lw, l->size);
	struct ir_block *have = lw_block(lw), *none = lw_block(lw), *done = lw_block(lw);
	unsigned int var = ir_var_new(lw->b.func), mark;
	bool is_assoc = e->ident->is_assoc;
	struct ir_ins *p = is_assoc ? assoc_new(lw, e) : self_new(lw);

	lw_if(lw, p, have, none);
	lw_seal_at(lw, have);
	ir_var_write(&lw->b, var,
		     ir_bin(&lw->b, IR_ADD, p, ir_const(&lw->b, is_assoc ? 0 : l->off)));
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, none);
	mark = lw_push(lw);
	lw_drop(lw, ABI_DROP_DYNAMIC);
	lw_pop(lw, mark);
	ir_var_write(&lw->b, var, nowhere.p);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return (struct val){
	    .v = ir_var_read(&lw->b, var), .type = e->type, .place = PLACE_SAFE, .mem = IR_MEM_ANY};
}

/*
 * Prepares writing a part of e.  If e is inside a variable that its first write creates, creates it
 * now, so that lw_addr finds it.
 */
static void lw_made(struct lw *lw, const struct expr *e)
{
	while ((e->kind == EXPR_MEMBER && !e->is_arrow) ||
	       (e->kind == EXPR_INDEX && !e->ident &&
		(type_is_array(e->x->type) || type_is_string(e->x->type))))
		e = e->x;
	if ((e->kind != EXPR_IDENT && e->kind != EXPR_INDEX) || !e->ident ||
	    (e->ident->kind != IDENT_SELF && !e->ident->is_assoc))
		return;
	lw->clause.made = make_variable(lw, e);
	lw->clause.made_expr = e;
	if (type_is_string(e->type))
		lw_fault_if(lw,
			    ir_bin(&lw->b, IR_EQ,
				   null_read(lw, e->ident, lw->clause.made.v, lw->clause.made.mem),
				   ir_const(&lw->b, 0)),
			    ABI_FLT_BADADDR, NULL);
}

struct lvalue lw_lvalue(struct lw *lw, const struct expr *e)
{
	struct lvalue l = {.e = e};

	lw->clause.made_expr = NULL;
	if (e->kind == EXPR_MEMBER || (e->kind == EXPR_INDEX && !e->ident))
		lw_made(lw, e);

	if (e->kind == EXPR_INDEX && e->ident && e->ident->is_assoc) {
		l.key = assoc_key(lw, e);
	} else if (e->kind == EXPR_MEMBER) {
		struct type *sou = type_resolve(lw->plan->env.types, e->x->type);

		if (e->is_arrow)
			sou = type_resolve(lw->plan->env.types, sou->to);
		l.addr = e->is_arrow ? lw_deref(lw, lw_expr(lw, e->x), sou) : lw_addr(lw, e->x);
		l.addr.sou = sou;
	} else if (e->kind != EXPR_IDENT) {
		l.addr = lw_addr(lw, e);
	}
	lw->clause.made_expr = NULL;
	return l;
}

struct ir_ins *lw_lvalue_read(struct lw *lw, const struct lvalue *x)
{
	const struct expr *e = x->e;

	if (x->key)
		return read_or_zero(lw, assoc_lookup(lw, e, x->key), 0, e->type).v;
	if (e->kind == EXPR_IDENT)
		return lw_scalar(lw, e);
	return lw_flat(lw, lw_load(lw, x->addr, e->type, e->kind == EXPR_MEMBER ? e->bit_off : 0,
				   e->kind == EXPR_MEMBER ? e->bits : 0));
}

static void variable_write(struct lw *lw, struct ident *id, struct ir_ins *v)
{
	if (id->is_library)
		lw->mem.nfound++;
	switch (id->kind) {
	case IDENT_GLOBAL:
		ir_store(&lw->b, 8, global_addr(lw, id).v, 0, v, IR_MEM_MAP);
		return;
	case IDENT_THIS:
		if (is_in_memory(lw, id))
			ir_store(&lw->b, 8, lw_flat(lw, this_addr(lw, id)), 0, v, IR_MEM_MAP);
		else
			ir_var_write(&lw->b, lw_firing_var(lw, id), v);
		return;
	default:
		assert(id->kind == IDENT_SELF);
		self_write(lw, id, v);
		return;
	}
}

void lw_lvalue_write(struct lw *lw, const struct lvalue *x, struct ir_ins *v)
{
	const struct expr *e = x->e;

	if (x->key)
		assoc_write(lw, e, x->key, v);
	else if (e->kind == EXPR_IDENT)
		variable_write(lw, e->ident, v);
	else if (e->kind == EXPR_MEMBER)
		lw_store(lw, x->addr, e->type, e->bit_off, e->bits, v);
	else
		lw_store(lw, x->addr, e->type, 0, 0, v);
}

/*
 * Writes the value of e->y for variable e->x to dst.  Returns 0 if the value is empty, NULL if it
 * never is.
 */
static struct ir_ins *variable_into(struct lw *lw, const struct expr *e, struct ir_ins *dst,
				    enum ir_mem mem)
{
	struct type *t = e->x->type;
	struct ir_ins *found;

	if (!type_is_string(t) && lw_is_null(e->y)) {
		lw_zero(lw, dst, plan_var_size(lw->plan, t), mem);
		return lw_const(lw, 0);
	}
	if (!type_is_string(t)) {
		lw_value_into(lw, e->y, t, dst, plan_type_size(lw->plan, t), mem);
		return NULL;
	}
	found = lw_str_or_null(lw, e->y, dst, lw->plan->opt.strsize, mem);
	null_write(lw, e->x->ident, dst, mem, found);
	return found;
}

/*
 * Assigns a string or structure to an element of an associative array: makes it in scratch memory,
 * then stores it.  NULL, or 0 for a structure, frees the element.
 */
static void assoc_assign(struct lw *lw, const struct expr *e)
{
	struct var_layout *l = plan_var(lw->plan, e->x->ident);
	struct ir_block *del = lw_block(lw), *set = lw_block(lw), *done = lw_block(lw);
	struct tmp t = lw_scratch(lw, l->size);
	struct ir_ins *found = variable_into(lw, e, t.p, t.mem), *key;

	key = assoc_key(lw, e->x);
	lw_if(lw, found ? found : lw_const(lw, 1), set, del);
	lw_seal_at(lw, del);
	lw_helper(lw, BPF_FUNC_map_delete_elem, ir_mapfd(&lw->b, l->map), key, NULL);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, set);
	assoc_set(lw, l, key, t.p, done);
}

/* Returns the new value of x for x op= e.  x is read before e is evaluated. */
static struct ir_ins *applied(struct lw *lw, const struct expr *e, const struct lvalue *l)
{
	struct ir_ins *old = lw_lvalue_read(lw, l), *y = lw_number(lw, lw_expr(lw, e->y));
	const struct type *t = type_base(e->x->type);

	if (t->kind == TYPE_PTR)
		y = lw_bini(lw, IR_MUL, y, (int64_t)plan_type_size(lw->plan, t->to));
	return lw_arith(lw, e->op, t, old, y);
}

static void self_assign(struct lw *lw, const struct expr *e)
{
	struct var_layout *l = plan_var(lw->plan, e->x->ident);
	struct ir_block *have = lw_block(lw), *drop = lw_block(lw), *done = lw_block(lw);
	struct tmp t = lw_scratch(lw, l->size);
	struct ir_ins *p, *dst;
	unsigned int mark;

	variable_into(lw, e, t.p, t.mem);
	p = self_new(lw);
	lw_if(lw, p, have, drop);
	lw_seal_at(lw, have);
	mark = lw_push(lw);
	dst = ir_bin(&lw->b, IR_ADD, p, ir_const(&lw->b, l->off));
	lw_helper(lw, BPF_FUNC_probe_read_kernel, dst, ir_const(&lw->b, l->size), t.p, NULL);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, drop);
	lw_drop(lw, ABI_DROP_DYNAMIC);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
}

void lw_assign(struct lw *lw, const struct expr *e)
{
	const struct expr *x = e->x;
	struct ident *id = x->kind == EXPR_IDENT || x->kind == EXPR_INDEX ? x->ident : NULL;
	struct ir_ins *v;
	struct lvalue l;
	struct val a;

	if (type_is_scalar(x->type)) {
		if (e->op != OP_NONE) {
			l = lw_lvalue(lw, x);
			v = applied(lw, e, &l);
		} else {
			struct val y = lw_expr(lw, e->y);

			v = type_is_integer(x->type) ? lw_number(lw, y) : lw_kept(lw, y);
			l = lw_lvalue(lw, x);
		}
		v = lw_stored(lw, v, x);
		lw_lvalue_write(lw, &l, v);
		lw->clause.assigned = v;
		return;
	}
	lw_changed(lw);
	if (id && id->is_assoc) {
		assoc_assign(lw, e);
		return;
	}
	if (x->kind == EXPR_IDENT && id->kind == IDENT_SELF) {
		self_assign(lw, e);
		return;
	}
	if (x->kind == EXPR_IDENT) {
		a = lw_addr(lw, x);
		variable_into(lw, e, lw_flat(lw, a), a.mem);
		return;
	}
	lw->clause.made_expr = NULL;
	lw_made(lw, x);
	a = lw_addr(lw, x);
	lw->clause.made_expr = NULL;
	a = lw_writable(lw, a, plan_type_size(lw->plan, x->type));
	lw_value_into(lw, e->y, x->type, lw_flat(lw, a), plan_type_size(lw->plan, x->type), a.mem);
}
