/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_type.c: type specifiers: words like `unsigned long`, structures, enums, type names.
 *
 * A name is a type name only if a type may stand there, no variable hides it, and the next token
 * does not make it a new variable.  A structure that is only named becomes a TYPE_FWD.  Its
 * definition completes it in place.
 */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "lang/parse.h"

static struct type *parse_struct(struct parser *p, bool is_union, const char **full, bool *is_def);

static struct type *parse_enum(struct parser *p, bool *is_def);

enum base_word { BASE_NONE, BASE_CHAR, BASE_INT, BASE_FLOAT, BASE_DOUBLE, BASE_VOID, BASE_TYPE };

struct words {
	enum base_word base;
	unsigned int nlong, nshort, nsigned, nunsigned;
	bool too_many; /* has more than one base word */
};

static bool is_type_name(struct parser *p)
{
	struct ident *id;

	/* An inline may have the name of a type. */
	if (p->t.kind != TOK_IDENT || scan_peek(&p->lx.sc) == '=')
		return false;
	id = map_get_str(p->l->scopes[SCOPE_GLOBAL], p->t.s);
	if (id || names_row(p->l, p->t.s))
		return false;
	return type_lookup(p->l->types, p->t.s) != NULL;
}

bool parse_is_type(struct parser *p)
{
	char next;

	switch (p->t.kind) {
	case TOK_VOID:
	case TOK_CHAR:
	case TOK_SHORT:
	case TOK_INT:
	case TOK_LONG:
	case TOK_FLOAT:
	case TOK_DOUBLE:
	case TOK_SIGNED:
	case TOK_UNSIGNED:
	case TOK_CONST:
	case TOK_VOLATILE:
	case TOK_RESTRICT:
	case TOK_STRUCT:
	case TOK_UNION:
	case TOK_ENUM:
	case TOK_STRING:
	case TOK_USERLAND:
		return true;
	case TOK_IDENT:
		/*
		 * Only these follow a type name in parentheses or keys.  This saves looking up
		 * variables.  strchr() finds the end of the text, too.
		 */
		next = scan_peek(&p->lx.sc);
		return (next == '_' || isalpha((unsigned char)next) || strchr(")*,](", next)) &&
		       is_type_name(p);
	default:
		return false;
	}
}

static bool check_words(struct parser *p, const struct words *w, struct loc loc)
{
	bool is_int = w->base == BASE_NONE || w->base == BASE_INT || w->base == BASE_CHAR;

	if (w->too_many || w->nlong > 2 || w->nshort > 1 || w->nsigned > 1 || w->nunsigned > 1)
		return parse_error(p, loc, D_DECL_COMBO, "invalid type combination");
	if ((w->nsigned && w->nunsigned) || (w->nlong && w->nshort))
		return parse_error(p, loc, D_UNKNOWN, "type attributes exclude each other");
	if (w->base == BASE_CHAR && (w->nlong || w->nshort))
		return parse_error(p, loc, D_DECL_CHARATTR,
				   "short and long may not be used with char type");
	if (w->base == BASE_VOID && (w->nlong || w->nshort || w->nsigned || w->nunsigned))
		return parse_error(p, loc, D_DECL_VOIDATTR,
				   "attributes may not be used with void type");
	if (!is_int && (w->nsigned || w->nunsigned))
		return parse_error(p, loc, D_DECL_SIGNINT,
				   "signed and unsigned may only be used with integer types");
	if (!is_int && (w->nshort || (w->nlong && w->base != BASE_DOUBLE)))
		return parse_error(p, loc, D_DECL_LONGINT,
				   "short and long may only be used with integer types");
	return true;
}

static struct type *type_of_words(struct parser *p, const struct words *w)
{
	struct types *ts = p->l->types;
	const char *u = w->nunsigned ? "unsigned " : "";
	char name[32];

	switch (w->base) {
	case BASE_CHAR:
		return type_int_named(ts, w->nunsigned ? "unsigned char"
					  : w->nsigned ? "signed char"
						       : "char");
	case BASE_FLOAT:
		return type_int_named(ts, "float");
	case BASE_DOUBLE:
		return type_int_named(ts, w->nlong ? "long double" : "double");
	case BASE_VOID:
		return type_void(ts);
	case BASE_NONE:
	case BASE_INT:
	case BASE_TYPE:
		break;
	}
	snprintf(name, sizeof(name), "%s%s", u,
		 w->nlong == 2 ? "long long"
		 : w->nlong    ? "long"
		 : w->nshort   ? "short"
			       : "int");
	return type_int_named(ts, name);
}

static bool set_base(struct words *w, enum base_word base)
{
	if (w->base != BASE_NONE)
		w->too_many = true;
	w->base = base;
	return true;
}

/* Parses one token of a type.  Returns false at another token or after an error. */
static bool type_word(struct parser *p, struct parse_spec *s, struct words *w)
{
	const char *full = NULL;
	bool is_def = false;

	switch (p->t.kind) {
	case TOK_VOID:
		return set_base(w, BASE_VOID);
	case TOK_CHAR:
		return set_base(w, BASE_CHAR);
	case TOK_INT:
		return set_base(w, BASE_INT);
	case TOK_FLOAT:
		return set_base(w, BASE_FLOAT);
	case TOK_DOUBLE:
		return set_base(w, BASE_DOUBLE);
	case TOK_SHORT:
		w->nshort++;
		return true;
	case TOK_LONG:
		w->nlong++;
		return true;
	case TOK_SIGNED:
		w->nsigned++;
		return true;
	case TOK_UNSIGNED:
		w->nunsigned++;
		return true;
	case TOK_STRING:
		s->type = type_string(p->l->types);
		return set_base(w, BASE_TYPE);
	case TOK_STRUCT:
	case TOK_UNION:
		s->type = parse_struct(p, p->t.kind == TOK_UNION, &full, &is_def);
		s->is_userland =
		    s->is_userland || (s->type && type_is_of_object(p->l->types, full));
		s->is_tag = true;
		return s->type && set_base(w, BASE_TYPE);
	case TOK_ENUM:
		s->type = parse_enum(p, &is_def);
		s->is_tag = true;
		return s->type && set_base(w, BASE_TYPE);
	case TOK_IDENT:
		if (w->base != BASE_NONE || w->nlong || w->nshort || w->nsigned || w->nunsigned ||
		    !is_type_name(p))
			return false;
		s->type = type_lookup(p->l->types, p->t.s);
		s->is_userland = s->is_userland || type_is_of_object(p->l->types, p->t.s);
		return set_base(w, BASE_TYPE);
	default:
		return false;
	}
}

static bool class_word(struct parser *p, struct parse_spec *s)
{
	enum parse_class cls;

	switch (p->t.kind) {
	case TOK_TYPEDEF:
		cls = CLASS_TYPEDEF;
		break;
	case TOK_EXTERN:
		cls = CLASS_EXTERN;
		break;
	case TOK_STATIC:
		cls = CLASS_STATIC;
		break;
	case TOK_AUTO:
		cls = CLASS_AUTO;
		break;
	case TOK_REGISTER:
		cls = CLASS_REGISTER;
		break;
	case TOK_SELF:
		cls = CLASS_SELF;
		break;
	case TOK_THIS:
		cls = CLASS_THIS;
		break;
	default:
		return false;
	}
	if (s->cls != CLASS_NONE)
		return parse_error(p, p->t.loc, D_DECL_CLASS,
				   "only one storage class allowed in declaration");
	s->cls = cls;
	return true;
}

/* Handles the end of the specifiers without a type word: implied int, or an error. */
static bool missing_type(struct parser *p, struct parse_spec *s)
{
	char next = scan_peek(&p->lx.sc);

	if (s->cls != CLASS_NONE && s->cls != CLASS_TYPEDEF && p->t.kind == TOK_IDENT && next &&
	    strchr(";,[(", next)) {
		s->type = type_int(p->l->types, 4, true);
		return true;
	}
	/* A name directly before a declared name is meant as a type. */
	if (p->t.kind == TOK_IDENT && next != '*' && next != '_' && !isalpha((unsigned char)next))
		return parse_error(p, p->t.loc, D_DECL_IDENT,
				   "declaration has no type, or %s is not the name of one", p->t.s);
	return parse_syntax(p);
}

bool parse_qualifier(struct parser *p, unsigned int *quals)
{
	switch (p->t.kind) {
	case TOK_CONST:
		*quals |= TYPE_CONST;
		break;
	case TOK_VOLATILE:
		*quals |= TYPE_VOLATILE;
		break;
	case TOK_RESTRICT:
		break;
	default:
		return false;
	}
	parse_next(p, LEX_EXPR);
	return true;
}

bool parse_specs(struct parser *p, struct parse_spec *s, bool in_decl)
{
	struct words w = {0};

	memset(s, 0, sizeof(*s));
	s->loc = p->t.loc;
	while (!p->failed) {
		bool took_struct =
		    p->t.kind == TOK_STRUCT || p->t.kind == TOK_UNION || p->t.kind == TOK_ENUM;

		if (parse_qualifier(p, &s->quals))
			continue;
		if (p->t.kind == TOK_INLINE && p->lx.file) {
			parse_next(p, LEX_EXPR);
		} else if (p->t.kind == TOK_USERLAND) {
			s->is_userland = true;
			parse_next(p, LEX_EXPR);
		} else if (in_decl && class_word(p, s)) {
			parse_next(p, LEX_EXPR);
		} else if (!p->failed && type_word(p, s, &w)) {
			if (!took_struct)
				parse_next(p, LEX_EXPR);
		} else {
			break;
		}
	}
	if (p->failed)
		return false;
	if (w.base == BASE_NONE && !w.nlong && !w.nshort && !w.nsigned && !w.nunsigned)
		return missing_type(p, s);
	if (!check_words(p, &w, s->loc))
		return false;
	if (w.base != BASE_TYPE)
		s->type = type_of_words(p, &w);
	assert(s->type);
	s->type = type_qualified(p->l->types, s->type, s->quals);
	return true;
}

struct typename *parse_typename(struct parser *p)
{
	struct typename *tn = arena_new_obj(p->l->arena, struct typename);
	struct parse_spec s;
	struct parse_decl d = {0};

	/*
	 * Elsewhere an unknown name declares a variable without a type.  Here nothing is declared.
	 */
	if (!p->failed && p->t.kind == TOK_IDENT && !is_type_name(p))
		parse_syntax(p);
	if (p->failed || !parse_specs(p, &s, false) ||
	    !parse_declarator(p, &s, PARSE_ABSTRACT, &d)) {
		parse_decl_free(&d);
		return NULL;
	}
	tn->loc = s.loc;
	tn->type = d.type;
	if (d.is_assoc || d.is_null_array)
		parse_error(p, s.loc, D_DECL_ARRSUB, "type name is an array without a size");
	parse_decl_free(&d);
	return p->failed ? NULL : tn;
}

/* Returns false for structures that are only named: they have no known type. */
static bool is_known(struct types *ts, struct type *t)
{
	while (t->kind == TYPE_PTR || t->kind == TYPE_ARRAY)
		t = t->to;
	return type_resolve(ts, t)->kind != TYPE_FWD;
}

struct type *lang_typename(struct lang *l, const char *text)
{
	struct source *src = arena_new_obj(l->arena, struct source);
	struct diags quiet = {.arena = l->arena}, *diags = l->diags;
	struct parser p = {.l = l};
	struct typename *tn = NULL;

	/* Types that the text declares remain. */
	src->text = arena_strdup(l->arena, text);
	src->len = (unsigned int)strlen(text);
	l->diags = &quiet;
	lex_init(&p.lx, l, src, LANG_SPEC_NONE);
	parse_next(&p, LEX_EXPR);
	if (parse_is_type(&p))
		tn = parse_typename(&p);
	l->diags = diags;
	return tn && p.t.kind == TOK_EOF && is_known(l->types, tn->type) ? tn->type : NULL;
}

/* ---- structures ---- */

static struct type *new_fwd(struct parser *p, const char *full, const char *tag, bool is_union,
			    bool is_enum)
{
	struct type *t = type_new(p->l->types, TYPE_FWD, tag);

	t->is_union_fwd = is_union;
	t->is_enum_fwd = is_enum;
	type_define(p->l->types, full, t, p->lx.file != NULL);
	return t;
}

/* Returns the type of a tag that is about to be defined, or NULL after an error. */
static struct type *defined_tag(struct parser *p, const char *full, const char *tag,
				enum type_kind kind, struct loc loc)
{
	struct type *t = tag ? type_lookup_program(p->l->types, full) : NULL;

	if (t && t->kind != TYPE_FWD) {
		parse_error(p, loc, D_DECL_TYPERED, "%s is defined already", full);
		return NULL;
	}
	if (!t) {
		t = type_new(p->l->types, kind, tag);
		if (tag)
			type_define(p->l->types, full, t, p->lx.file != NULL);
	}
	return t;
}

static bool member_type(struct parser *p, const struct parse_decl *d, struct loc loc)
{
	struct types *ts = p->l->types;
	const char *name = d->name ? d->name : "?";

	if (d->is_assoc)
		return parse_error(p, loc, D_DECL_DYNOBJ,
				   "member may not be an associative array: %s", name);
	if (type_is_void(d->type))
		return parse_error(p, loc, D_DECL_VOIDOBJ, "member may not be of type void: %s",
				   name);
	/* C headers have flexible arrays.  A D program has to give a size. */
	if (d->is_null_array && !p->lx.file)
		return parse_error(p, loc, D_DECL_ARRNULL, "array dimension expected: %s", name);
	if (d->is_func)
		return parse_error(p, loc, D_DECL_VOIDOBJ, "member may not be a function: %s",
				   name);
	if (type_is_incomplete(ts, d->type))
		return parse_error(p, loc, D_DECL_INCOMPLETE,
				   "incomplete type may not be used for member %s: %s", name,
				   lang_type(p->l, d->type));
	return true;
}

static bool bit_field(struct parser *p, const struct parse_decl *d, struct type_member *m)
{
	struct loc loc = p->t.loc;
	int64_t width = 0;
	bool ok = parse_const(p, &width);

	if (p->failed)
		return false;
	if (!ok || width <= 0)
		return parse_error(p, loc, D_DECL_BFCONST,
				   "width of a bit-field must be a positive integer constant");
	if (!type_is_integer(d->type))
		return parse_error(p, loc, D_DECL_BFTYPE,
				   "type of a bit-field must be an integer type");
	if ((uint64_t)width > type_sizeof(p->l->types, d->type) * 8)
		return parse_error(p, loc, D_DECL_BFSIZE, "bit-field is wider than its type: %s",
				   d->name ? d->name : "?");
	m->bits = (unsigned int)width;
	return true;
}

typedef VEC(struct type_member) member_list;

static bool add_member(struct parser *p, const struct parse_spec *s, member_list *list)
{
	struct type_member m = {0};
	struct parse_decl d = {0};
	struct loc loc = p->t.loc;
	bool ok = p->t.kind == TOK_COLON || parse_declarator(p, s, PARSE_MAYBE, &d);

	if (!ok)
		return false;
	if (p->t.kind == TOK_COLON) {
		if (!d.type)
			d.type = s->type;
		parse_next(p, LEX_EXPR);
		ok = bit_field(p, &d, &m);
	} else if (!d.name && !(d.type && type_is_sou(d.type))) {
		ok = p->t.kind == TOK_SEMI || p->t.kind == TOK_COMMA
			 ? parse_error(p, loc, D_DECL_MNAME, "member declaration requires a name")
			 : parse_syntax(p);
	}
	m.name = d.name;
	m.type = d.type;
	ok = ok && member_type(p, &d, loc);
	for (unsigned int i = 0; ok && m.name && i < list->n; i++)
		if (list->a[i].name == m.name)
			ok = parse_error(p, loc, D_UNKNOWN, "member is declared twice: %s", m.name);
	parse_decl_free(&d);
	if (ok)
		vec_push(list, m);
	return ok;
}

static bool struct_body(struct parser *p, member_list *list)
{
	p->depth += PARSE_DEPTH_STRUCT;
	if (p->depth > PARSE_DEPTH_MAX)
		return parse_error(p, p->t.loc, D_SYNTAX, "structures are nested too deeply");
	parse_next(p, LEX_EXPR);
	/* C headers have empty structures. */
	if (p->t.kind == TOK_RBRACE && !p->lx.file)
		return parse_syntax(p);
	while (!p->failed && p->t.kind != TOK_RBRACE) {
		struct parse_spec s;

		if (!parse_specs(p, &s, false))
			return false;
		do {
			if (!add_member(p, &s, list))
				return false;
		} while (parse_accept(p, TOK_COMMA));
		if (!parse_expect(p, TOK_SEMI))
			return false;
	}
	p->depth -= PARSE_DEPTH_STRUCT;
	return parse_expect(p, TOK_RBRACE);
}

/* Returns the name of a tag or NULL.  Sets *full to the key of the type: "struct x". */
static const char *tag_name(struct parser *p, const char *word, const char **full)
{
	const char *tag = NULL;

	*full = word;
	if (p->t.kind == TOK_IDENT) {
		tag = p->t.s;
		*full = arena_printf(p->l->arena, "%s %s", word, tag);
		parse_next(p, LEX_EXPR);
	}
	return tag;
}

/* Sets *full to the key under which the type is entered. */
static struct type *parse_struct(struct parser *p, bool is_union, const char **full, bool *is_def)
{
	struct loc loc = p->t.loc;
	member_list list = {0};
	const char *tag;
	struct type *t;

	parse_next(p, LEX_EXPR);
	tag = tag_name(p, is_union ? "union" : "struct", full);
	if (p->failed || (!tag && p->t.kind != TOK_LBRACE)) {
		parse_syntax(p);
		return NULL;
	}
	if (p->t.kind != TOK_LBRACE) {
		t = type_lookup(p->l->types, *full);
		return t ? t : new_fwd(p, *full, tag, is_union, false);
	}
	t = defined_tag(p, *full, tag, is_union ? TYPE_UNION : TYPE_STRUCT, loc);
	if (!t)
		return NULL;
	/* The type is incomplete while its members are read. */
	t->kind = TYPE_FWD;
	t->is_union_fwd = is_union;
	if (struct_body(p, &list)) {
		t->kind = is_union ? TYPE_UNION : TYPE_STRUCT;
		t->nmembers = list.n;
		t->members = arena_new_arr(p->l->arena, struct type_member, list.n + 1);
		if (list.n)
			memcpy(t->members, list.a, list.n * sizeof(*list.a));
		type_layout(p->l->types, t);
		*is_def = true;
	}
	vec_free(&list);
	return p->failed ? NULL : t;
}

/* ---- enums ---- */

static bool enumerator(struct parser *p, struct type *t, struct type_enumerator *en, int64_t next)
{
	struct loc loc = p->t.loc;
	struct ident *id;
	bool ok = true;

	if (p->t.kind != TOK_IDENT)
		return parse_syntax(p);
	en->name = p->t.s;
	if (!parse_scoped(p, en->name, loc))
		return false;
	parse_next(p, LEX_EXPR);
	en->value = next;
	if (parse_accept(p, TOK_ASSIGN))
		ok = parse_const(p, &en->value);
	if (p->failed)
		return false;
	if (!ok)
		return parse_error(p, loc, D_DECL_ENCONST,
				   "value of enumerator %s must be an integer constant", en->name);
	if ((en->value > INT_MAX || en->value < INT_MIN) && !p->lx.file)
		return parse_error(p, loc, D_DECL_ENOFLOW, "value of enumerator %s exceeds INT_MAX",
				   en->name);
	id = names_find(p->l, SCOPE_GLOBAL, en->name);
	/* A C header and a D library may both define a constant of the system. */
	if (id && id->is_library && id->kind == IDENT_INLINE && p->lx.file)
		return true;
	if (id)
		return parse_error(
		    p, loc, id->kind == IDENT_ENUM && id->type == t ? D_UNKNOWN : D_DECL_IDRED,
		    "identifier redeclared: %s\n"
		    "\t current: an enumerator\n\tprevious: %s",
		    en->name, names_kind(id));
	id = names_add(p->l, IDENT_ENUM, en->name, loc);
	id->type = t;
	id->addr = (uint64_t)en->value;
	return true;
}

static bool enum_body(struct parser *p, struct type *t)
{
	VEC(struct type_enumerator) list = {0};
	int64_t next = 0;

	parse_next(p, LEX_EXPR);
	do {
		struct type_enumerator en = {0};

		if (p->t.kind == TOK_RBRACE && list.n)
			break;
		if (enumerator(p, t, &en, next))
			vec_push(&list, en);
		next = en.value == INT64_MAX ? INT64_MIN : en.value + 1;
	} while (!p->failed && parse_accept(p, TOK_COMMA));
	t->nenums = list.n;
	t->enums = arena_new_arr(p->l->arena, struct type_enumerator, list.n + 1);
	if (list.n)
		memcpy(t->enums, list.a, list.n * sizeof(*list.a));
	vec_free(&list);
	return !p->failed && parse_expect(p, TOK_RBRACE);
}

/*
 * C compilers accept enumerators above INT_MAX: EPOLLET is 1u << 31.  If the values fit neither
 * into an int nor into an unsigned int, the type has 8 bytes.
 */
static void widen_enum(struct type *t)
{
	bool is_negative = false;

	for (unsigned int i = 0; i < t->nenums; i++)
		is_negative = is_negative || t->enums[i].value < 0;
	for (unsigned int i = 0; i < t->nenums; i++)
		if (t->enums[i].value > (is_negative ? INT_MAX : UINT_MAX) ||
		    t->enums[i].value < INT_MIN)
			t->size = t->align = 8;
}

static struct type *parse_enum(struct parser *p, bool *is_def)
{
	struct loc loc = p->t.loc;
	const char *tag, *full;
	struct type *t;

	parse_next(p, LEX_EXPR);
	tag = tag_name(p, "enum", &full);
	if (p->failed || (!tag && p->t.kind != TOK_LBRACE)) {
		parse_syntax(p);
		return NULL;
	}
	if (p->t.kind != TOK_LBRACE) {
		t = type_lookup(p->l->types, full);
		return t ? t : new_fwd(p, full, tag, false, true);
	}
	t = defined_tag(p, full, tag, TYPE_ENUM, loc);
	if (!t)
		return NULL;
	t->kind = TYPE_ENUM;
	t->size = t->align = 4;
	t->is_signed = true;
	if (!enum_body(p, t))
		return NULL;
	widen_enum(t);
	type_add_enumerators(p->l->types, t);
	*is_def = true;
	return t;
}
