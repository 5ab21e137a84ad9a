/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * printact.c: describes D types for print(), as print/print.h defines.  A type is described once.
 * The target of a pointer is not described, so descriptions have no cycles.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "print/print.h"
#include "consume/consume.h"

static const char *name_of(struct consume *co, struct type *t)
{
	struct buf b = {0};
	const char *name;

	if (!t->name && (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION))
		return t->kind == TYPE_STRUCT ? "struct" : "union";
	/* The parameters of a function that is pointed to are omitted. */
	if (t->kind == TYPE_PTR && type_base(t->to)->kind == TYPE_FUNC) {
		type_print(&b, type_base(t->to)->to);
		buf_puts(&b, " (*)()");
	} else {
		type_print(&b, t);
	}
	name = arena_strdup(co->arena, buf_str(&b));
	buf_free(&b);
	return name;
}

static void describe_sou(struct consume *co, struct type *t, struct print_type *p)
{
	struct print_member *m = arena_new_arr(co->arena, struct print_member, t->nmembers + 1);

	for (unsigned int i = 0; i < t->nmembers; i++)
		m[i] = (struct print_member){.name = t->members[i].name,
					     .type = print_type_of(co, t->members[i].type),
					     .bit_off = t->members[i].bit_off,
					     .bits = t->members[i].bits};
	p->kind = PRINT_STRUCT;
	p->members = m;
	p->nmembers = t->nmembers;
}

static void describe_enum(struct consume *co, struct type *t, struct print_type *p)
{
	struct print_enumerator *e =
	    arena_new_arr(co->arena, struct print_enumerator, t->nenums + 1);

	for (unsigned int i = 0; i < t->nenums; i++)
		e[i] = (struct print_enumerator){t->enums[i].name, t->enums[i].value};
	p->kind = PRINT_ENUM;
	p->enums = e;
	p->nenums = t->nenums;
	p->is_signed = t->is_signed;
}

const struct print_type *print_type_of(struct consume *co, struct type *type)
{
	struct type *t = type_resolve(co->plan->env.types, type);
	struct print_type *p = map_get(co->print_types, &type, sizeof(type));

	if (p)
		return p;
	p = arena_new_obj(co->arena, struct print_type);
	map_set(co->print_types, &type, sizeof(type), p);
	p->name = name_of(co, type);
	p->id = t->btf_id;
	p->size = plan_type_size(co->plan, type);
	switch (t->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		describe_sou(co, t, p);
		break;
	case TYPE_ENUM:
		describe_enum(co, t, p);
		break;
	case TYPE_ARRAY:
		p->kind = PRINT_ARRAY;
		p->elem = print_type_of(co, t->to);
		p->nelem = t->nelem;
		break;
	case TYPE_PTR:
		p->kind = type_resolve(co->plan->env.types, t->to)->kind == TYPE_FUNC
			      ? PRINT_FUNCPTR
			      : PRINT_PTR;
		break;
	case TYPE_STRING:
		p->kind = PRINT_STRING;
		break;
	case TYPE_FLOAT:
		p->kind = PRINT_FLOAT;
		break;
	default:
		/* uint8_t is a number. */
		p->kind = t->is_char && t->is_signed ? PRINT_CHAR : PRINT_INT;
		p->is_signed = t->is_signed;
		break;
	}
	return p;
}
