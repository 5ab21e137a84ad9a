/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.c: the text of print.c back into a module.
 *
 * Values and blocks may be named before they appear.  Such a name gets an empty object, which its
 * definition fills; an object that is empty at the end of a function is an error.  The predecessors
 * of a block have the order of its first PHI, or without PHIs the order of the jumps.  The result
 * is not verified.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "ir/ir.h"

#define MAX_NUMBER (1 << 20) /* of blocks and values in one text */

struct parse {
	struct ir_module *m;
	struct ir_func *f;
	struct ir_block *bb;
	const char *at;
	unsigned int line;
	struct map *values, *blocks; /* of this function, by number + 1 */
	struct loc loc;
	const char *err;
	jmp_buf fail;
};

static void __attribute__((noreturn, format(printf, 2, 3)))
bad(struct parse *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	p->err =
	    arena_printf(p->m->arena, "line %u: %s", p->line, arena_vprintf(p->m->arena, fmt, ap));
	va_end(ap);
	longjmp(p->fail, 1);
}

/* ---- words ---- */

static void blanks(struct parse *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
	if (*p->at == ';')
		p->at += strcspn(p->at, "\n@");
}

/* If the next character is c, steps over it. */
static bool take(struct parse *p, char c)
{
	blanks(p);
	if (*p->at != c || !c)
		return false;
	p->at++;
	return true;
}

static void need(struct parse *p, char c)
{
	if (!take(p, c))
		bad(p, "'%c' expected", c);
}

static int64_t number(struct parse *p)
{
	char *end;
	int64_t v;

	blanks(p);
	if (*p->at == '-')
		v = (int64_t)strtoll(p->at, &end, 0);
	else
		v = (int64_t)strtoull(p->at, &end, 0);
	if (end == p->at || (!isdigit((unsigned char)*p->at) && *p->at != '-'))
		bad(p, "number expected");
	p->at = end;
	return v;
}

static unsigned int small(struct parse *p)
{
	int64_t v = number(p);

	if (v < 0 || v >= MAX_NUMBER)
		bad(p, "number out of range");
	return (unsigned int)v;
}

static const char *word(struct parse *p)
{
	const char *from;

	blanks(p);
	from = p->at;
	while (isalnum((unsigned char)*p->at) || *p->at == '_')
		p->at++;
	if (from == p->at)
		bad(p, "word expected");
	return arena_strndup(p->m->arena, from, (size_t)(p->at - from));
}

static void line_end(struct parse *p)
{
	blanks(p);
	if (take(p, '@')) {
		p->loc.line = small(p);
		need(p, ':');
		p->loc.col = small(p);
	}
	blanks(p);
	if (*p->at && *p->at != '\n')
		bad(p, "end of line expected");
}

/* Steps to the first character of the next line that is not empty; returns false at the end of the
 * text. */
static bool next_line(struct parse *p)
{
	for (;;) {
		blanks(p);
		if (*p->at == '@')
			p->at += strcspn(p->at, "\n");
		if (*p->at != '\n')
			return *p->at != 0;
		p->at++;
		p->line++;
	}
}

/* ---- names ---- */

static struct ir_ins *value(struct parse *p)
{
	unsigned int id;
	struct ir_ins *i;

	need(p, '%');
	id = small(p);
	i = map_get_int(p->values, id + 1);
	if (!i) {
		i = arena_new_obj(p->m->arena, struct ir_ins);
		i->id = id;
		i->op = IR_OP_MAX;
		map_set_int(p->values, id + 1, i);
		if (id >= p->f->next_id)
			p->f->next_id = id + 1;
	}
	return i;
}

static struct ir_block *block(struct parse *p)
{
	unsigned int id;
	struct ir_block *bb;

	need(p, '.');
	id = small(p);
	bb = map_get_int(p->blocks, id + 1);
	if (!bb) {
		bb = arena_new_obj(p->m->arena, struct ir_block);
		bb->id = id;
		map_set_int(p->blocks, id + 1, bb);
	}
	return bb;
}

static enum ir_op op_of(struct parse *p, const char *name)
{
	for (unsigned int op = 0; op < IR_OP_MAX; op++)
		if (strcmp(ir_op_name((enum ir_op)op), name) == 0)
			return (enum ir_op)op;
	bad(p, "unknown operation '%s'", name);
}

static enum ir_mem mem_of(struct parse *p)
{
	const char *name = word(p);

	for (unsigned int m = 0; m <= IR_MEM_RECORD; m++)
		if (strcmp(ir_mem_name((enum ir_mem)m), name) == 0)
			return (enum ir_mem)m;
	bad(p, "unknown memory class '%s'", name);
}

/* ---- operands ---- */

static void add_arg(struct parse *p, struct ir_ins *i, struct ir_ins *v)
{
	struct ir_ins **args = arena_new_arr(p->m->arena, struct ir_ins *, i->nargs + 1);

	if (i->nargs)
		memcpy(args, i->args, i->nargs * sizeof(*args));
	args[i->nargs++] = v;
	i->args = args;
}

static void add_target(struct parse *p, struct ir_ins *i, int64_t val)
{
	unsigned int n = i->ntargets;
	struct ir_block **to = arena_new_arr(p->m->arena, struct ir_block *, n + 1);
	int64_t *cases = arena_new_arr(p->m->arena, int64_t, n);

	if (n)
		memcpy(to, i->target, n * sizeof(*to));
	if (n > 1 && i->cases)
		memcpy(cases, i->cases, (n - 1) * sizeof(*cases));
	if (n)
		cases[n - 1] = val;
	to[n] = block(p);
	i->target = to;
	i->ntargets++;
	i->cases = i->op == IR_SWITCH ? cases : NULL;
}

static void parse_phi(struct parse *p, struct ir_ins *i)
{
	bool is_first = p->bb->npreds == 0;

	do {
		struct ir_ins *v = value(p);
		struct ir_block *from = block(p);

		add_arg(p, i, v);
		if (is_first)
			ir_add_pred(p->f, p->bb, from);
		else if (i->nargs > p->bb->npreds || p->bb->preds[i->nargs - 1] != from)
			bad(p, "predecessors differ from the PHI above");
	} while (take(p, ','));
}

static void parse_call(struct parse *p, struct ir_ins *i)
{
	i->imm = number(p);
	need(p, '(');
	if (take(p, ')'))
		return;
	do {
		add_arg(p, i, value(p));
	} while (take(p, ','));
	need(p, ')');
}

static void parse_memory(struct parse *p, struct ir_ins *i)
{
	need(p, '[');
	add_arg(p, i, value(p));
	need(p, '+');
	i->imm = number(p);
	need(p, ']');
	while (take(p, ','))
		add_arg(p, i, value(p));
	if (ir_is_load(i->op) || ir_is_store(i->op))
		i->imm2 = mem_of(p);
}

static void parse_terminator(struct parse *p, struct ir_ins *i)
{
	if (i->op != IR_JMP) {
		add_arg(p, i, value(p));
		if (!take(p, ','))
			return;
	}
	do {
		int64_t val = 0;

		if (i->op == IR_SWITCH && i->ntargets) {
			val = number(p);
			need(p, ':');
		}
		add_target(p, i, val);
	} while (take(p, ','));
}

static void parse_operands(struct parse *p, struct ir_ins *i)
{
	unsigned int flags = ir_op_flags(i->op);

	if (i->op == IR_PHI) {
		parse_phi(p, i);
	} else if (ir_is_call(i->op)) {
		parse_call(p, i);
	} else if (flags & IR_T) {
		parse_terminator(p, i);
	} else if (flags & (IR_R | IR_W)) {
		parse_memory(p, i);
	} else if (ir_op_nargs(i->op)) {
		do {
			add_arg(p, i, value(p));
		} while (take(p, ','));
	} else {
		i->imm = number(p);
		if (i->op == IR_MAPVAL) {
			need(p, '+');
			i->imm2 = number(p);
		}
	}
	if (ir_op_nargs(i->op) >= 0 && i->nargs != (unsigned int)ir_op_nargs(i->op))
		bad(p, "%s takes %d operands", ir_op_name(i->op), ir_op_nargs(i->op));
}

static void parse_ins(struct parse *p)
{
	struct ir_ins *i = NULL;
	enum ir_op op;

	if (!p->bb)
		bad(p, "instruction outside of a block");
	blanks(p);
	if (*p->at == '%') {
		i = value(p);
		if (i->op != IR_OP_MAX)
			bad(p, "%%%u is defined twice", i->id);
		need(p, '=');
	}
	op = op_of(p, word(p));
	if (!(ir_op_flags(op) & IR_V) != !!i)
		bad(p, "%s %s", ir_op_name(op), i ? "yields no value" : "needs a name");
	if (!i) {
		i = arena_new_obj(p->m->arena, struct ir_ins);
		i->id = MAX_NUMBER;
	}
	assert(op < IR_OP_MAX && !i->block);
	i->op = op;
	parse_operands(p, i);
	line_end(p);
	i->loc = p->loc;
	ir_append(p->bb, i);
}

/* ---- functions ---- */

static void parse_label(struct parse *p)
{
	struct ir_block *bb = block(p), *made;

	need(p, ':');
	line_end(p);
	if (bb->id != p->f->nblocks)
		bad(p, "block .%u expected", p->f->nblocks);
	made = ir_block_new(p->f);
	p->f->blocks[made->id] = bb;
	bb->sealed = true;
	p->bb = bb;
}

static void parse_slot(struct parse *p)
{
	unsigned int n = small(p), size = small(p), align = small(p);

	if (n != p->f->nslots || (align != 1 && align != 2 && align != 4 && align != 8))
		bad(p, "bad slot");
	ir_slot_new(p->f, size, align);
	line_end(p);
}

/* Orders predecessors of blocks without PHIs, and reports names without a definition. */
static void finish_func(struct parse *p)
{
	const void *key;
	size_t pos = 0, len;

	for (struct ir_ins *i; (i = map_next(p->values, &pos, &key, &len));)
		if (i->op == IR_OP_MAX)
			bad(p, "%%%u is not defined", i->id);
	pos = 0;
	for (struct ir_block *bb; (bb = map_next(p->blocks, &pos, &key, &len));)
		if (bb->id >= p->f->nblocks || p->f->blocks[bb->id] != bb)
			bad(p, "block .%u is not defined", bb->id);
	for (unsigned int b = 0; b < p->f->nblocks; b++)
		if (!p->f->blocks[b]->last || !(ir_op_flags(p->f->blocks[b]->last->op) & IR_T))
			bad(p, "block .%u has no end", b);
	for (unsigned int b = 0; b < p->f->nblocks; b++) {
		struct ir_ins *t = p->f->blocks[b]->last;

		for (unsigned int k = 0; k < t->ntargets; k++)
			if (t->target[k]->first->op != IR_PHI)
				ir_add_pred(p->f, t->target[k], t->block);
		for (struct ir_ins *i = p->f->blocks[b]->first; i; i = i->next)
			if (i->id == MAX_NUMBER)
				i->id = p->f->next_id++;
	}
	for (unsigned int b = 0; b < p->f->nblocks; b++)
		for (struct ir_ins *i = p->f->blocks[b]->first; i && i->op == IR_PHI; i = i->next)
			if (i->nargs != i->block->npreds)
				bad(p, "PHIs of block .%u differ in length", b);
}

static void parse_func(struct parse *p)
{
	const char *name = word(p);
	bool has_writes = false;
	unsigned int nargs;

	need(p, '(');
	nargs = small(p);
	if (nargs > 5)
		bad(p, "more than 5 parameters");
	need(p, ')');
	blanks(p);
	if (*p->at != '{') {
		has_writes = strcmp(word(p), "writes") == 0;
		if (!has_writes)
			bad(p, "writes or { expected");
	}
	need(p, '{');
	line_end(p);
	p->f = ir_func_new(p->m, name, nargs);
	p->f->has_writes = has_writes;
	p->bb = NULL;
	map_free(p->values);
	map_free(p->blocks);
	p->values = map_new();
	p->blocks = map_new();
	while (next_line(p) && *p->at != '}') {
		if (*p->at == '.')
			parse_label(p);
		else if (strncmp(p->at, "slot ", 5) == 0 && !p->bb)
			word(p), parse_slot(p);
		else
			parse_ins(p);
	}
	need(p, '}');
	finish_func(p);
}

struct ir_module *ir_parse(struct arena *a, const char *text, const char **err)
{
	struct parse *p = arena_new_obj(a, struct parse);

	p->m = ir_module_new(a);
	p->at = text;
	p->line = 1;
	*err = NULL;
	if (setjmp(p->fail) == 0) {
		while (next_line(p)) {
			const char *w = word(p);

			if (strcmp(w, "func") != 0)
				bad(p, "func expected");
			parse_func(p);
			line_end(p);
		}
	}
	map_free(p->values);
	map_free(p->blocks);
	assert(!p->err || *p->err);
	*err = p->err;
	return p->err ? NULL : p->m;
}
