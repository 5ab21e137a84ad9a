/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c: a module as text.  One line for each instruction:
 *
 *	func probe(1) {			; "writes {": see has_writes in ir.h
 *		slot 0 16 8		; number, size, alignment
 *	.0:
 *		%0 = arg 0
 *		%1 = ld64 [%0 + 8] ctx	@3:14
 *		%2 = call 14 ()		; get_current_pid_tgid
 *		br %1, .1, .2
 *
 * `@line:column` is the place in the D source, printed where it changes; text after `;` is comment.
 */
#include <assert.h>
#include <inttypes.h>
#include <linux/bpf.h>

#include "base/buf.h"
#include "ir/ir.h"

static const char *const mem_names[] = {"any", "ctx", "kernel", "slot", "map", "row", "record"};

static const char *const helper_names[] = {
#define HELPER_NAME(x) #x
    __BPF_FUNC_MAPPER(HELPER_NAME)
#undef HELPER_NAME
};

const char *ir_helper_name(int64_t helper)
{
	if (helper < 0 || helper >= (int64_t)(sizeof(helper_names) / sizeof(helper_names[0])))
		return "unknown";
	return helper_names[helper];
}

const char *ir_mem_name(enum ir_mem mem)
{
	assert(mem <= IR_MEM_RECORD);
	return mem_names[mem];
}

static void print_args(struct buf *out, const struct ir_ins *i, unsigned int from)
{
	for (unsigned int n = from; n < i->nargs; n++)
		buf_printf(out, "%s%%%u", n > from ? ", " : "", i->args[n]->id);
}

static void print_call(struct buf *out, const struct ir_module *m, const struct ir_ins *i)
{
	buf_printf(out, " %" PRId64 " (", i->imm);
	print_args(out, i, 0);
	buf_putc(out, ')');
	if (i->op == IR_CALL)
		buf_printf(out, "\t; %s", ir_helper_name(i->imm));
	else if (i->op == IR_CALLRT && m->rt_names)
		buf_printf(out, "\t; %s", m->rt_names[i->imm]);
	else if (i->op == IR_CALLFN && i->imm >= 0 && i->imm < m->nfuncs)
		buf_printf(out, "\t; %s", m->funcs[i->imm]->name);
}

static void print_memory(struct buf *out, const struct ir_ins *i)
{
	buf_printf(out, " [%%%u + %" PRId64 "]", i->args[0]->id, i->imm);
	if (i->nargs > 1)
		buf_puts(out, ", ");
	print_args(out, i, 1);
	if (ir_is_load(i->op) || ir_is_store(i->op))
		buf_printf(out, " %s", ir_mem_name((enum ir_mem)i->imm2));
}

static void print_terminator(struct buf *out, const struct ir_ins *i)
{
	const char *sep = " ";

	if (i->nargs) {
		buf_printf(out, " %%%u", i->args[0]->id);
		sep = ", ";
	}
	for (unsigned int n = 0; n < i->ntargets; n++) {
		buf_puts(out, sep);
		if (i->op == IR_SWITCH && n)
			buf_printf(out, "%" PRId64 ": ", i->cases[n - 1]);
		buf_printf(out, ".%u", i->target[n]->id);
		sep = ", ";
	}
}

static void print_phi(struct buf *out, const struct ir_ins *i)
{
	for (unsigned int n = 0; n < i->nargs; n++)
		buf_printf(out, "%s%%%u .%u", n ? ", " : " ", i->args[n]->id,
			   n < i->block->npreds ? i->block->preds[n]->id : 0);
}

static void print_leaf(struct buf *out, const struct ir_module *m, const struct ir_ins *i)
{
	buf_printf(out, " %" PRId64, i->imm);
	if (i->op == IR_MAPVAL)
		buf_printf(out, " + %" PRId64, i->imm2);
	if ((i->op == IR_MAPVAL || i->op == IR_MAPFD) && m->map_names)
		buf_printf(out, "\t; %s", m->map_names[i->imm]);
}

static void print_ins(struct buf *out, const struct ir_module *m, const struct ir_ins *i)
{
	unsigned int flags = ir_op_flags(i->op);

	buf_putc(out, '\t');
	if (!(flags & IR_V))
		buf_printf(out, "%%%u = ", i->id);
	buf_puts(out, ir_op_name(i->op));
	if (i->op == IR_PHI) {
		print_phi(out, i);
	} else if (ir_is_call(i->op)) {
		print_call(out, m, i);
	} else if (flags & IR_T) {
		print_terminator(out, i);
	} else if (flags & (IR_R | IR_W)) {
		print_memory(out, i);
	} else if (i->nargs) {
		buf_putc(out, ' ');
		print_args(out, i, 0);
	} else {
		print_leaf(out, m, i);
	}
}

static void print_func(struct buf *out, const struct ir_module *m, const struct ir_func *f)
{
	unsigned int line = 0, col = 0;

	buf_printf(out, "func %s(%u) %s{\n", f->name, f->nargs, f->has_writes ? "writes " : "");
	for (unsigned int s = 0; s < f->nslots; s++)
		buf_printf(out, "\tslot %u %u %u\n", s, f->slots[s].size, f->slots[s].align);
	for (unsigned int b = 0; b < f->nblocks; b++) {
		buf_printf(out, ".%u:\n", f->blocks[b]->id);
		for (const struct ir_ins *i = f->blocks[b]->first; i; i = i->next) {
			print_ins(out, m, i);
			if (i->loc.line && (i->loc.line != line || i->loc.col != col)) {
				line = i->loc.line;
				col = i->loc.col;
				buf_printf(out, "\t@%u:%u", line, col);
			}
			buf_putc(out, '\n');
		}
	}
	buf_puts(out, "}\n");
}

void ir_print(struct buf *out, const struct ir_module *m)
{
	for (unsigned int f = 0; f < m->nfuncs; f++)
		print_func(out, m, m->funcs[f]);
}
