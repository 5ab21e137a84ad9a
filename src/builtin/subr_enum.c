/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subr_enum.c: enumname(), the name of an enumerator.  The names are rows of a constant table.  Row
 * 0 stands for a value without a name, whose result is the number.
 */
#include <bpf/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "builtin/builtin.h"
#include "lang/check.h"

#define DENSE_MAX  4096U	/* maximum range of values for a look-up by table */
#define SPARSE_MAX 256U		/* otherwise, maximum enumerators for comparisons */
#define NAMES_MAX  (256U << 10) /* maximum bytes of the names */

static bool check_enumname(struct check *ck, struct expr *e)
{
	if (e->nargs != 1)
		return diag(check_diags(ck), e->loc, D_PROTO_LEN,
			    "enumname( ) prototype mismatch: %u arguments passed, 1 expected",
			    e->nargs);
	if (type_base(e->args[0]->type)->kind != TYPE_ENUM)
		return diag(check_diags(ck), e->args[0]->loc, D_PROTO_ARG,
			    "enumname( ) argument #1 is incompatible with prototype:\n"
			    "\tprototype: enum\n\t argument: %s",
			    check_type_text(ck, e->args[0]->type));
	return true;
}

/* Returns a value as a variable of the type stores it. */
static int64_t kept(const struct type *t, int64_t value)
{
	unsigned int other = t->size < 8 ? 64 - 8 * (unsigned int)t->size : 0;
	uint64_t high = (uint64_t)value << other;

	return t->is_signed ? (int64_t)high >> other : (int64_t)(high >> other);
}

static struct ir_ins *dense_row(struct lw *lw, const struct type *t, struct ir_ins *v, int64_t min,
				uint32_t n)
{
	uint16_t *rows = arena_new_arr(lw->mod->arena, uint16_t, n + 1);
	struct ir_ins *at;
	uint32_t off;

	/* If a value has two names, the first one wins. */
	for (unsigned int i = t->nenums; i-- > 0;)
		rows[kept(t, t->enums[i].value) - min] = (uint16_t)(i + 1);
	off = lw_bytes(lw, rows, (n + 1) * sizeof(*rows), sizeof(*rows));
	at = lw_umin(lw, lw_bini(lw, IR_SUB, v, min), lw_const(lw, n));
	return ir_load(
	    &lw->b, sizeof(*rows),
	    ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_RODATA, off), lw_bini(lw, IR_SHL, at, 1)),
	    0, IR_MEM_MAP);
}

static bool is_known(const struct type *t, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (kept(t, t->enums[i].value) == kept(t, t->enums[n].value))
			return true;
	return false;
}

static struct ir_ins *sparse_row(struct lw *lw, const struct type *t, struct ir_ins *v)
{
	struct ir_ins *row = lw_const(lw, 0);

	for (unsigned int i = 0; i < t->nenums; i++)
		if (!is_known(t, i))
			row = lw_bin(lw, IR_ADD, row,
				     lw_bini(lw, IR_MUL,
					     lw_bini(lw, IR_EQ, v, kept(t, t->enums[i].value)),
					     i + 1));
	return row;
}

/* Returns the row of a value; NULL: the type has too many or too long names. */
static struct ir_ins *find_row(struct lw *lw, const struct type *t, struct ir_ins *v)
{
	int64_t min = INT64_MAX, max = INT64_MIN;

	for (unsigned int i = 0; i < t->nenums; i++) {
		int64_t value = kept(t, t->enums[i].value);

		min = value < min ? value : min;
		max = value > max ? value : max;
	}
	if (t->nenums && t->nenums < UINT16_MAX && (uint64_t)max - (uint64_t)min < DENSE_MAX)
		return dense_row(lw, t, v, min, (uint32_t)(max - min) + 1);
	return t->nenums <= SPARSE_MAX ? sparse_row(lw, t, v) : NULL;
}

/* Returns the bytes of a row: the longest name, at most strsize. */
static uint32_t row_size(const struct lw *lw, const struct type *t)
{
	size_t longest = 0;

	for (unsigned int i = 0; i < t->nenums; i++) {
		size_t n = strlen(t->enums[i].name);

		longest = n > longest ? n : longest;
	}
	return longest < lw->plan->opt.strsize ? (uint32_t)longest + 1 : lw->plan->opt.strsize;
}

static uint32_t names_table(struct lw *lw, const struct type *t, uint32_t size)
{
	char *names = arena_new_arr(lw->mod->arena, char, (t->nenums + 1) * size);

	for (unsigned int i = 0; i < t->nenums; i++)
		strncpy(names + (i + 1) * size, t->enums[i].name, size - 1);
	return lw_bytes(lw, names, (t->nenums + 1) * size, 1);
}

static struct strv str_enumname(struct lw *lw, const struct expr *e)
{
	struct type *t = type_resolve(lw->plan->env.types, e->args[0]->type);
	struct ir_block *known = lw_block(lw), *unknown = lw_block(lw), *done = lw_block(lw);
	struct ir_ins *v = lw_scalar(lw, e->args[0]), *row, *name;
	struct tmp to = lw_scratch(lw, lw->plan->opt.strsize);
	uint32_t size = row_size(lw, t);
	unsigned int mark;

	row = (uint64_t)size * (t->nenums + 1) <= NAMES_MAX ? find_row(lw, t, v) : NULL;
	row = row ? lw_umin(lw, row, lw_const(lw, t->nenums)) : lw_const(lw, 0);
	lw_if(lw, row, known, unknown);
	lw_seal_at(lw, known);
	mark = lw_push(lw);
	name = ir_bin(&lw->b, IR_ADD, ir_mapval(&lw->b, MAP_RODATA, names_table(lw, t, size)),
		      lw_bini(lw, IR_MUL, row, size));
	lw_helper(lw, BPF_FUNC_probe_read_kernel_str, to.p, ir_const(&lw->b, size), name, NULL);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, unknown);
	mark = lw_push(lw);
	lw_rt(lw, "rt_lltostr", to.p, v, ir_const(&lw->b, 10), NULL);
	lw_pop(lw, mark);
	ir_jmp(&lw->b, done);
	lw_seal_at(lw, done);
	return (struct strv){.p = to.p, .size = lw->plan->opt.strsize, .mem = to.mem};
}

const struct lang_row builtin_subr_enum[] = {
    {.name = "enumname",
     .kind = IDENT_FUNC,
     .flags = LANG_EXTENSION,
     .proto = "string enumname(...)",
     .check = check_enumname,
     .impl = &(const struct builtin_func){.str = str_enumname}},
    {0},
};
