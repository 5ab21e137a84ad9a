/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_params.c: gets the function at an address, and the places of its parameters at its first
 * instruction, from libdw.
 *
 * At that point nothing of the function has run.  A location list is exact.  A single expression
 * holds for the body.  Code without optimization uses a slot in the frame, which is written later.
 * Such a parameter is still in the place of the calling convention (INFO_BY_TYPE).
 */
#include <string.h>

#include "arch/arch.h"
#include "proc/dwarf_priv.h"

#define LEVELS_MAX 64 /* nesting of namespaces */

/* Finds the function that begins at an address, in a unit or its namespaces. */
static bool find_function(struct dwarf *d, Dwarf_Die *parent, uint64_t addr, unsigned int level,
			  Dwarf_Die *res)
{
	const struct dw *dw = d->dw;
	int r = dw->dwarf_child(parent, res);
	Dwarf_Addr at;

	for (; r == 0; r = dw->dwarf_siblingof(res, res)) {
		int tag = dw->dwarf_tag(res);
		Dwarf_Die in;

		if (tag == DW_TAG_subprogram && dw->dwarf_entrypc(res, &at) == 0 && at == addr)
			return true;
		if ((tag == DW_TAG_namespace || tag == DW_TAG_module) && level < LEVELS_MAX &&
		    find_function(d, res, addr, level + 1, &in)) {
			*res = in;
			return true;
		}
	}
	return false;
}

/* ---- expressions ---- */

/* Context of an expression. */
struct about {
	struct dwarf *d;
	bool is_list;	   /* from a location list, for the first instruction */
	bool frame_is_cfa; /* DW_OP_fbreg counts from the stack pointer before the call */
	bool is_go;
};

/* The remaining operations. */
struct ops {
	const Dwarf_Op *op, *end;
};

static bool takes(struct ops *o, unsigned int atom)
{
	if (o->op == o->end || o->op->atom != atom)
		return false;
	o->op++;
	return true;
}

/*
 * Handles a place in the frame.  Arguments on the stack are above the return address.  All other
 * slots are written later.
 */
static enum info_where in_frame(const struct about *a, struct ops *o, int64_t off,
				struct info_piece *p)
{
	if (a->is_list ? !a->frame_is_cfa : !a->frame_is_cfa || off < 0 || a->is_go)
		return a->is_list ? INFO_UNKNOWN : INFO_BY_TYPE;
	if (o->op != o->end && o->op->atom != DW_OP_piece)
		return INFO_UNKNOWN;
	*p = (struct info_piece){.kind = INFO_MEM, .reg = INFO_CFA, .n = off};
	return INFO_IN_PIECES;
}

static bool is_argument(uint64_t reg)
{
	if (reg >= arch_native->ndwarf_regs)
		return reg >= arch_native->dwarf_vector &&
		       reg < arch_native->dwarf_vector + arch_native->nvector_args;
	for (unsigned int i = 0; i < arch_native->nargs; i++)
		if (arch_native->args[i] == arch_native->dwarf_regs[reg])
			return true;
	return false;
}

/* In code without optimization, a register that no argument uses is set later (`register`). */
static enum info_where in_register(const struct about *a, uint64_t reg, struct info_piece *p)
{
	if (!a->is_list && !is_argument(reg))
		return INFO_BY_TYPE;
	*p = (struct info_piece){.kind = INFO_REG, .reg = (uint32_t)reg};
	return reg < INFO_CFA ? INFO_IN_PIECES : INFO_UNKNOWN;
}

/* Handles memory at an address in a register.  Only a list shows that it is valid already. */
static enum info_where at_register(const struct about *a, struct ops *o, uint64_t reg, int64_t off,
				   struct info_piece *p)
{
	if (!a->is_list)
		return INFO_BY_TYPE;
	if ((o->op != o->end && o->op->atom != DW_OP_piece) || reg >= INFO_CFA)
		return INFO_UNKNOWN;
	*p = (struct info_piece){.kind = INFO_MEM, .reg = (uint32_t)reg, .n = off};
	return INFO_IN_PIECES;
}

static enum info_where constant(struct ops *o, uint64_t n, struct info_piece *p)
{
	if (!takes(o, DW_OP_stack_value))
		return INFO_UNKNOWN;
	*p = (struct info_piece){.kind = INFO_VALUE, .n = (int64_t)n};
	return INFO_IN_PIECES;
}

/* Takes one place, up to DW_OP_piece or the end. */
static enum info_where take_place(const struct about *a, struct ops *o, struct info_piece *p)
{
	const Dwarf_Op *op = o->op++;
	int64_t off = 0;

	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return in_register(a, op->atom - DW_OP_reg0, p);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return at_register(a, o, op->atom - DW_OP_breg0, (int64_t)op->number, p);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return constant(o, op->atom - DW_OP_lit0, p);
	switch (op->atom) {
	case DW_OP_regx:
		return in_register(a, op->number, p);
	case DW_OP_bregx:
		return at_register(a, o, op->number, (int64_t)op->number2, p);
	case DW_OP_fbreg:
		return in_frame(a, o, (int64_t)op->number, p);
	case DW_OP_call_frame_cfa:
		if (takes(o, DW_OP_plus_uconst))
			off = (int64_t)o->op[-1].number;
		else if (takes(o, DW_OP_consts)) {
			off = (int64_t)o->op[-1].number;
			if (!takes(o, DW_OP_plus))
				return INFO_UNKNOWN;
		}
		return in_frame(
		    &(struct about){.is_list = a->is_list, .frame_is_cfa = true, .is_go = a->is_go},
		    o, off, p);
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		return constant(o, op->number, p);
	default:
		return INFO_UNKNOWN;
	}
}

/* An unused part of a structure has only a size, and no place. */
static enum info_where take_piece(const struct about *a, struct ops *o, struct info_param *res)
{
	struct info_piece p = {0};
	enum info_where where = INFO_NOWHERE;

	if (o->op->atom != DW_OP_piece)
		where = take_place(a, o, &p);
	if (where != INFO_IN_PIECES || res->npieces == INFO_PIECES)
		return where == INFO_IN_PIECES ? INFO_UNKNOWN : where;
	if (o->op != o->end) {
		if (!takes(o, DW_OP_piece) || !o->op[-1].number || o->op[-1].number > UINT16_MAX)
			return INFO_UNKNOWN;
		p.size = (uint32_t)o->op[-1].number;
	} else if (res->npieces) {
		return INFO_UNKNOWN;
	}
	res->pieces[res->npieces++] = p;
	return INFO_IN_PIECES;
}

static enum info_where evaluate(const struct about *a, const Dwarf_Op *ops, size_t n,
				struct info_param *res)
{
	struct ops o = {ops, ops + n};
	enum info_where where = INFO_NOWHERE;

	while (o.op != o.end) {
		where = take_piece(a, &o, res);
		if (where != INFO_IN_PIECES)
			break;
	}
	return where;
}

/* ---- parameters ---- */

static bool is_expression(const struct dw *dw, Dwarf_Attribute *attr)
{
	switch (dw->dwarf_whatform(attr)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return true;
	default:
		return false;
	}
}

static bool frame_is_cfa(const struct dw *dw, Dwarf_Die *func)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dw->dwarf_attr(func, DW_AT_frame_base, &attr) &&
	       dw->dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 &&
	       ops[0].atom == DW_OP_call_frame_cfa;
}

/* Handles DW_AT_const_value. */
static bool is_constant(const struct dw *dw, Dwarf_Die *die, struct info_param *res)
{
	Dwarf_Attribute attr;
	Dwarf_Sword n;

	if (!dw->dwarf_attr(die, DW_AT_const_value, &attr) || dw->dwarf_formsdata(&attr, &n) != 0)
		return false;
	res->pieces[0] = (struct info_piece){.kind = INFO_VALUE, .n = n};
	res->npieces = 1;
	return true;
}

static enum info_where where_is(struct about *a, Dwarf_Die *die, uint64_t addr,
				struct info_param *res)
{
	const struct dw *dw = a->d->dw;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (is_constant(dw, die, res))
		return INFO_IN_PIECES;
	if (!dw->dwarf_attr(die, DW_AT_location, &attr))
		return INFO_NOWHERE;
	a->is_list = !is_expression(dw, &attr);
	if (dw->dwarf_getlocation_addr(&attr, addr, &ops, &n, 1) != 1)
		return INFO_NOWHERE;
	return evaluate(a, ops, n, res);
}

static bool is_go_result(const struct dw *dw, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool is_result = false;

	return dw->dwarf_attr(die, DW_AT_variable_parameter, &attr) &&
	       dw->dwarf_formflag(&attr, &is_result) == 0 && is_result;
}

static bool is_made_by(struct dwarf *d, Dwarf_Die *unit, const char *what)
{
	Dwarf_Attribute attr;
	const char *producer = d->dw->dwarf_attr(unit, DW_AT_producer, &attr)
				   ? dwarf_text(d, d->dw->dwarf_formstring(&attr))
				   : NULL;

	return producer && strstr(producer, what);
}

/* Go passes parameters in registers since 1.17, and records that. */
static enum info_language language_of(struct dwarf *d, Dwarf_Die *unit)
{
	switch (d->dw->dwarf_srclang(unit)) {
	case DW_LANG_Rust:
		return INFO_RUST;
	case DW_LANG_Go:
		return is_made_by(d, unit, "regabi") ? INFO_GO : INFO_GO_STACK;
	default:
		return INFO_C;
	}
}

/* Code without optimization keeps everything in the frame. */
static bool is_optimized(const struct dw *dw, Dwarf_Die *func)
{
	bool has_frame = false;
	Dwarf_Attribute attr;
	Dwarf_Die die;
	int r = dw->dwarf_child(func, &die);

	if (dw->dwarf_hasattr(func, DW_AT_call_all_calls) ||
	    dw->dwarf_hasattr(func, DW_AT_GNU_all_call_sites))
		return true;
	for (; r == 0; r = dw->dwarf_siblingof(&die, &die)) {
		int tag = dw->dwarf_tag(&die);

		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		if (!dw->dwarf_attr(&die, DW_AT_location, &attr) || !is_expression(dw, &attr))
			return true;
		has_frame = true;
	}
	return !has_frame;
}

/*
 * LLVM removes parameters and unused results of functions that are not external.  gcc renames such
 * functions.
 */
static bool is_free(struct dwarf *d, Dwarf_Die *unit, Dwarf_Die *func)
{
	Dwarf_Attribute attr;
	bool is_external = false;

	if (d->dw->dwarf_attr_integrate(func, DW_AT_external, &attr))
		d->dw->dwarf_formflag(&attr, &is_external);
	return !is_external && is_made_by(d, unit, "clang") && is_optimized(d->dw, func);
}

static bool lacks_types(const struct dw *dw, Dwarf_Die *unit)
{
	Dwarf_Die die;
	int r = dw->dwarf_child(unit, &die);

	while (r == 0 && dw->dwarf_tag(&die) != DW_TAG_base_type)
		r = dw->dwarf_siblingof(&die, &die);
	return r != 0;
}

bool dwarf_function(struct dwarf *d, uint64_t addr, struct info_function *res)
{
	const struct dw *dw = d->dw;
	struct about a = {.d = d};
	Dwarf_Die unit, func, die;
	info_ref type;
	int r;

	if (!dwarf_unit(d, addr, &unit))
		return false;
	res->is_split = !dwarf_join(d, &unit);
	if (res->is_split)
		return true;
	if (!find_function(d, &unit, addr, 0, &func))
		return false;
	res->language = language_of(d, &unit);
	a.is_go = res->language == INFO_GO || res->language == INFO_GO_STACK;
	a.frame_is_cfa = frame_is_cfa(dw, &func);
	res->is_free = is_free(d, &unit, &func);
	type = dwarf_type_of(d, &func);
	if (type)
		vec_push(&res->results, type);
	r = dw->dwarf_child(&func, &die);
	for (; r == 0 && res->params.n < DWARF_PARAMS_MAX; r = dw->dwarf_siblingof(&die, &die)) {
		struct info_param p = {.type = dwarf_type_of(d, &die)};

		if (dw->dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		if (a.is_go && is_go_result(dw, &die)) {
			if (res->results.n < DWARF_PARAMS_MAX)
				vec_push(&res->results, p.type);
			continue;
		}
		p.name = dwarf_name(d, &die);
		p.where = where_is(&a, &die, addr, &p);
		if (p.where != INFO_IN_PIECES)
			p.npieces = 0;
		vec_push(&res->params, p);
	}
	res->lacks_types = !res->params.n && !res->results.n && lacks_types(dw, &unit);
	return true;
}
