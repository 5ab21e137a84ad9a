/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_decl.c: declarators and declarations.
 *
 * A declarator is read into a list of modifiers in the order in which they bind to the name.  The
 * type is then built from the other end.  An associative array (`[` types `]`) can only be the
 * modifier next to the name.  The declaration is then one of an element, with keys.
 */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "lang/parse.h"

enum mod_kind { MOD_PTR, MOD_ARRAY, MOD_NULL, MOD_ASSOC, MOD_FUNC };

struct mod {
	enum mod_kind kind;
	struct loc loc;
	uint64_t n;
	unsigned int quals; /* MOD_PTR */
	struct parse_params params;
};

#define MODS_MAX 24
#define DEPTH	 8 /* levels that a declarator counts for: its frames on the stack are large */

struct mods {
	struct mod list[MODS_MAX];
	unsigned int n;
};

void parse_decl_free(struct parse_decl *d)
{
	vec_free(&d->keys.list);
}

bool parse_scoped(struct parser *p, const char *name, struct loc loc)
{
	if (strchr(name, '`'))
		return parse_error(p, loc, D_DECL_SCOPE,
				   "scoping operator may not be used in a declaration: %s", name);
	return true;
}

static struct mod *add_mod(struct parser *p, struct mods *m, enum mod_kind kind)
{
	if (m->n == MODS_MAX) {
		parse_error(p, p->t.loc, D_SYNTAX, "declarator is too complicated near \"%.*s\"",
			    (int)p->t.textlen, p->t.text);
		return NULL;
	}
	memset(&m->list[m->n], 0, sizeof(m->list[0]));
	m->list[m->n].kind = kind;
	m->list[m->n].loc = p->t.loc;
	return &m->list[m->n++];
}

/* ---- parameters ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the text of a parameter without its name: "const char *" of "const char *s". */
static const char *param_text(struct parser *p, const char *start, const char *end,
			      const char *name)
{
	size_t n = name ? strlen(name) : 0;
	const char *at = end - n;
	char *text;

	while (name && at > start &&
	       (strncmp(at, name, n) != 0 || is_word(at[-1]) || is_word(at[n])))
		at--;
	text = arena_printf(p->l->arena, "%.*s%.*s", (int)(at - start), start,
			    (int)(end - at - (ptrdiff_t)n), at + n);
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

static bool one_param(struct parser *p, struct parse_params *ps)
{
	struct parse_param pm = {.loc = p->t.loc};
	struct parse_spec s;
	struct parse_decl d = {0};
	const char *start;
	bool ok;

	pm.is_optional = p->l->in_proto && parse_accept(p, TOK_LBRACK);
	start = p->t.text;
	if (!parse_specs(p, &s, true))
		return false;
	if (s.cls != CLASS_NONE)
		return parse_error(p, s.loc, D_DECL_PARMCLASS,
				   "storage class may not be used for a parameter");
	ok = parse_declarator(p, &s, PARSE_MAYBE, &d);
	pm.name = d.name;
	pm.type = d.type;
	if (!p->l->in_proto)
		pm.text = param_text(p, start, p->t.text, d.name);
	if (ok && d.is_assoc)
		ok = parse_error(p, pm.loc, D_DECL_PROTO_TYPE,
				 "associative array may not be a parameter");
	if (ok && type_is_array(pm.type) && !p->l->in_proto)
		pm.type = type_ptr(p->l->types, type_base(pm.type)->to);
	if (ok && pm.is_optional)
		ok = parse_expect(p, TOK_RBRACK);
	parse_decl_free(&d);
	if (ok)
		vec_push(&ps->list, pm);
	return ok;
}

bool parse_param_list(struct parser *p, enum tok close, struct parse_params *ps)
{
	memset(ps, 0, sizeof(*ps));
	while (!p->failed && p->t.kind != close) {
		if (p->t.kind == TOK_ELLIPSIS) {
			ps->is_variadic = true;
			parse_next(p, LEX_EXPR);
			break;
		}
		if (!one_param(p, ps))
			return false;
		if (p->t.kind != TOK_COMMA)
			break;
		parse_next(p, LEX_EXPR);
		if (p->t.kind == close)
			return parse_syntax(p);
	}
	if (!parse_expect(p, close))
		return false;
	for (unsigned int i = 0; i < ps->list.n; i++) {
		const struct parse_param *pm = &ps->list.a[i];

		if (!type_is_void(pm->type))
			continue;
		if (ps->list.n > 1 || ps->is_variadic)
			return parse_error(
			    p, pm->loc, close == TOK_RBRACK ? D_DECL_PROTO_TYPE : D_DECL_PROTO_VOID,
			    "void must be the only parameter");
		if (pm->name)
			return parse_error(p, pm->loc, D_DECL_PROTO_NAME,
					   "void parameter may not have a name");
		ps->list.n = 0;
	}
	return true;
}

/* ---- declarators ---- */

/* Returns true if key types follow, not a size.  one_param() rejects storage classes of keys. */
static bool is_keys(struct parser *p)
{
	switch (p->t.kind) {
	case TOK_ELLIPSIS:
	case TOK_AUTO:
	case TOK_EXTERN:
	case TOK_REGISTER:
	case TOK_STATIC:
		return true;
	case TOK_SELF:
	case TOK_THIS:
		return scan_peek(&p->lx.sc) != '-';
	default:
		return parse_is_type(p);
	}
}

/* Parses [], [const] or [types]. */
static bool subscript(struct parser *p, struct mods *m)
{
	struct loc loc = p->t.loc;
	struct mod *md;
	int64_t n = 0;
	bool ok;

	parse_next(p, LEX_EXPR);
	if (p->failed)
		return false;
	if (p->t.kind == TOK_RBRACK) {
		parse_next(p, LEX_EXPR);
		return add_mod(p, m, MOD_NULL) != NULL;
	}
	if (is_keys(p)) {
		md = add_mod(p, m, MOD_ASSOC);
		return md && parse_param_list(p, TOK_RBRACK, &md->params);
	}
	ok = parse_const(p, &n);
	if (p->failed)
		return false;
	/* Older C headers write [] as [0]. */
	if (ok && !n && p->lx.file)
		return add_mod(p, m, MOD_NULL) && parse_expect(p, TOK_RBRACK);
	if (!ok || n <= 0)
		return parse_error(p, loc, D_DECL_ARRSUB,
				   "array subscript must be a positive integer constant or types");
	md = add_mod(p, m, MOD_ARRAY);
	if (md)
		md->n = (uint64_t)n;
	return md && parse_expect(p, TOK_RBRACK);
}

static bool declarator(struct parser *p, enum parse_named named, struct parse_decl *d,
		       struct mods *m);

/* Parses a name or a declarator in parentheses, then subscripts and parameters. */
static bool direct(struct parser *p, enum parse_named named, struct parse_decl *d, struct mods *m)
{
	struct mod *md;

	d->loc = p->t.loc;
	if (p->t.kind == TOK_IDENT && named != PARSE_ABSTRACT) {
		d->name = p->t.s;
		if (!parse_scoped(p, d->name, d->loc))
			return false;
		parse_next(p, LEX_EXPR);
	} else if (p->t.kind == TOK_LPAR && (named == PARSE_NAMED || scan_peek(&p->lx.sc) == '*' ||
					     scan_peek(&p->lx.sc) == '(')) {
		parse_next(p, LEX_EXPR);
		if (!declarator(p, named, d, m) || !parse_expect(p, TOK_RPAR))
			return false;
	} else if (named == PARSE_NAMED) {
		return parse_syntax(p);
	}
	while (!p->failed && (p->t.kind == TOK_LBRACK || p->t.kind == TOK_LPAR)) {
		if (p->t.kind == TOK_LBRACK) {
			if (!subscript(p, m))
				return false;
			continue;
		}
		parse_next(p, LEX_EXPR);
		md = add_mod(p, m, MOD_FUNC);
		if (!md || !parse_param_list(p, TOK_RPAR, &md->params))
			return false;
	}
	return !p->failed;
}

static bool declarator(struct parser *p, enum parse_named named, struct parse_decl *d,
		       struct mods *m)
{
	unsigned int stars = 0, quals[MODS_MAX + 1] = {0};
	struct mod *md;

	p->depth += DEPTH;
	if (p->depth > PARSE_DEPTH_MAX)
		return parse_syntax(p);
	while (!p->failed && (parse_qualifier(p, &quals[stars]) || p->t.kind == TOK_MUL)) {
		if (p->t.kind != TOK_MUL)
			continue;
		if (++stars > MODS_MAX)
			return parse_syntax(p);
		parse_next(p, LEX_EXPR);
	}
	if (p->failed || !direct(p, named, d, m))
		return false;
	for (; stars; stars--) {
		md = add_mod(p, m, MOD_PTR);
		if (!md)
			return false;
		md->quals = quals[stars];
	}
	p->depth -= DEPTH;
	return true;
}

static struct type *func_type(struct parser *p, struct type *ret, const struct parse_params *ps)
{
	struct type *t = type_new(p->l->types, TYPE_FUNC, NULL);

	t->to = ret;
	t->is_variadic = ps->is_variadic;
	t->nmembers = ps->list.n;
	t->members = arena_new_arr(p->l->arena, struct type_member, ps->list.n + 1);
	for (unsigned int i = 0; i < ps->list.n; i++) {
		t->members[i].name = ps->list.a[i].name;
		t->members[i].type = ps->list.a[i].type;
	}
	return t;
}

/* Maximum size of a type.  The kernel limits offsets into maps to it (BPF_MAX_VAR_OFF). */
#define SIZE_MAX_OF_TYPE (1U << 29)

static bool array_elem(struct parser *p, const struct mod *md, struct type *t)
{
	uint64_t size;

	if (type_is_void(t))
		return parse_error(p, md->loc, D_DECL_VOIDOBJ, "array of void is not allowed");
	if (type_is_incomplete(p->l->types, t))
		return parse_error(p, md->loc, D_DECL_INCOMPLETE, "array of an incomplete type: %s",
				   lang_type(p->l, t));
	size = type_sizeof(p->l->types, t);
	if (size && md->n > SIZE_MAX_OF_TYPE / size)
		return parse_error(p, md->loc, D_DECL_ARRBIG, "array dimension is too large");
	return true;
}

/*
 * Applies modifier i to t.  The outermost modifier of an associative array or function goes to D.
 */
static struct type *apply(struct parser *p, struct mods *m, unsigned int i, struct type *t,
			  struct parse_decl *d)
{
	struct mod *md = &m->list[i];
	struct type *ptr;

	switch (md->kind) {
	case MOD_PTR:
		ptr = type_ptr(p->l->types, t);
		if (d->is_userland)
			ptr = type_userland(p->l->types, ptr);
		return type_qualified(p->l->types, ptr, md->quals);
	case MOD_ARRAY:
		return array_elem(p, md, t) ? type_array(p->l->types, t, md->n) : NULL;
	case MOD_NULL:
		d->is_null_array = i == 0;
		if (i) {
			parse_error(p, md->loc, D_DECL_ARRNULL, "array dimension expected");
			return NULL;
		}
		return type_array(p->l->types, t, 0);
	case MOD_FUNC:
		if (i == 0)
			d->is_func = true;
		return func_type(p, t, &md->params);
	case MOD_ASSOC:
		if (i) {
			parse_error(p, md->loc, D_DECL_DYNOBJ,
				    "array of associative arrays is not allowed");
			return NULL;
		}
		d->is_assoc = true;
		return t;
	}
	return NULL;
}

bool parse_declarator(struct parser *p, const struct parse_spec *s, enum parse_named named,
		      struct parse_decl *d)
{
	struct mods m;
	struct type *t = s->type;
	bool ok;

	assert(t);
	m.n = 0;
	memset(d, 0, sizeof(*d));
	ok = declarator(p, named, d, &m);
	d->is_userland = s->is_userland;
	for (unsigned int i = m.n; ok && t && i-- > 0;)
		t = apply(p, &m, i, t, d);
	if (ok && t && t->levels > TYPE_LEVELS_MAX)
		ok = parse_error(p, p->t.loc, D_SYNTAX, "type has more than %d levels",
				 TYPE_LEVELS_MAX);
	if (ok && t && s->is_userland && type_is_pointer(t))
		t = type_userland(p->l->types, t);
	if (m.n && (d->is_assoc || d->is_func)) {
		d->keys = m.list[0].params;
		memset(&m.list[0].params, 0, sizeof(m.list[0].params));
	}
	for (unsigned int i = 0; i < m.n; i++)
		vec_free(&m.list[i].params.list);
	d->type = t;
	return ok && t && !p->failed;
}

/* ---- declarations ---- */

static bool declare_typedef(struct parser *p, const struct parse_decl *d)
{
	struct lang *l = p->l;
	struct ident *id = names_find(l, SCOPE_GLOBAL, d->name);

	if (d->is_assoc)
		return parse_error(p, d->loc, D_DECL_DYNOBJ,
				   "associative array may not be given a type name");
	/* A C header and a D library may both define a type of the system. */
	if (!id && p->lx.file && type_lookup_program(l->types, d->name))
		return true;
	if (id || type_lookup_program(l->types, d->name))
		return parse_error(p, d->loc, D_DECL_IDRED,
				   "identifier redeclared: %s\n\t current: a type\n\tprevious: %s",
				   d->name, id ? names_kind(id) : "a type");
	type_define(l->types, d->name, type_typedef(l->types, d->name, d->type),
		    p->lx.file != NULL);
	return true;
}

static bool declare_extern(struct parser *p, const struct parse_decl *d)
{
	struct ident *id;

	if (map_get_str(p->l->externs, d->name))
		return true;
	id = names_param(p->l, d->name, d->type, d->loc);
	id->kind = IDENT_KSYM;
	map_set_str(p->l->externs, d->name, id);
	return true;
}

static bool check_keys_of(struct parser *p, const struct parse_decl *d)
{
	if (d->keys.is_variadic)
		return parse_error(p, d->loc, D_DECL_PROTO_VARARGS,
				   "variable-length key list is not allowed: %s", d->name);
	if (!d->keys.list.n)
		return parse_error(p, d->loc, D_DECL_PROTO_TYPE,
				   "associative array key may not be of type void: %s", d->name);
	return true;
}

static bool declare_variable(struct parser *p, const struct parse_spec *s, struct parse_decl *d)
{
	enum ident_kind kind = s->cls == CLASS_SELF   ? IDENT_SELF
			       : s->cls == CLASS_THIS ? IDENT_THIS
						      : IDENT_GLOBAL;
	struct type **keys = NULL;

	assert(d->name && s->cls != CLASS_TYPEDEF);
	if (s->cls == CLASS_STATIC || s->cls == CLASS_AUTO || s->cls == CLASS_REGISTER)
		return parse_error(p, d->loc, D_DECL_BADCLASS,
				   "storage class may not be used for a D variable: %s", d->name);
	if (type_is_void(d->type))
		return parse_error(p, d->loc, D_DECL_VOIDOBJ,
				   "variable may not be of type void: %s", d->name);
	if (d->is_null_array)
		return parse_error(p, d->loc, D_DECL_ARRNULL,
				   "array dimensions or key types expected: %s", d->name);
	if (d->is_assoc && kind == IDENT_THIS)
		return parse_error(p, d->loc, D_DECL_LOCASSC,
				   "associative array may not be clause-local: %s", d->name);
	if (type_is_incomplete(p->l->types, d->type) && !type_is_stack(d->type))
		return parse_error(p, d->loc, D_DECL_INCOMPLETE,
				   "variable of an incomplete type: %s %s",
				   lang_type(p->l, d->type), d->name);
	if (d->is_assoc) {
		if (!check_keys_of(p, d))
			return false;
		keys = arena_new_arr(p->l->arena, struct type *, d->keys.list.n);
		for (unsigned int i = 0; i < d->keys.list.n; i++)
			keys[i] = d->keys.list.a[i].type;
	}
	if (names_declare(p->l, kind, d->name, d->type, keys, d->keys.list.n, d->is_assoc, d->loc))
		return true;
	p->failed = true;
	return false;
}

static bool declare(struct parser *p, const struct parse_spec *s, struct parse_decl *d)
{
	if (s->cls == CLASS_TYPEDEF)
		return declare_typedef(p, d);
	if (s->cls == CLASS_EXTERN || d->is_func) {
		if (s->cls != CLASS_EXTERN && s->cls != CLASS_NONE &&
		    (s->cls != CLASS_STATIC || !p->lx.file))
			return parse_error(p, d->loc, D_DECL_BADCLASS,
					   "storage class may not be used for a function: %s",
					   d->name);
		return declare_extern(p, d);
	}
	return declare_variable(p, s, d);
}

/*
 * Skips the body of a function to its last brace.  C headers have inline functions; D calls none.
 */
static bool skip_body(struct parser *p)
{
	unsigned int outside = p->braces - 1;

	while (p->braces > outside && !p->failed && p->t.kind != TOK_EOF)
		parse_next(p, LEX_EXPR);
	return p->t.kind == TOK_RBRACE || parse_syntax(p);
}

/* Parses up to the semicolon, or to the end of a header's function.  That token stays current. */
bool parse_declaration(struct parser *p)
{
	struct parse_spec s;
	bool is_func;

	if (!parse_specs(p, &s, true))
		return false;
	if (p->t.kind == TOK_SEMI) {
		if (!s.is_tag || (s.cls != CLASS_NONE && s.cls != CLASS_TYPEDEF))
			return parse_error(p, s.loc, D_DECL_USELESS,
					   "declaration does not declare anything");
		return true;
	}
	for (;;) {
		struct parse_decl d = {0};
		bool ok = parse_declarator(p, &s, PARSE_NAMED, &d) && declare(p, &s, &d);

		is_func = d.is_func;
		parse_decl_free(&d);
		if (!ok)
			return false;
		if (is_func && p->lx.file && p->t.kind == TOK_LBRACE)
			return skip_body(p);
		if (p->t.kind != TOK_COMMA)
			break;
		parse_next(p, LEX_EXPR);
	}
	return p->t.kind == TOK_SEMI || parse_syntax(p);
}

bool parse_proto(struct lang *l, struct ident *id, const char *proto)
{
	struct source src = {.text = proto, .len = (unsigned int)strlen(proto)};
	struct diags quiet = {.arena = l->arena}, *diags = l->diags;
	struct parser p = {.l = l};
	struct parse_spec s;
	struct parse_decl d = {0};
	bool ok;

	l->diags = &quiet;
	l->in_proto++;
	lex_init(&p.lx, l, &src, LANG_SPEC_NONE);
	p.lx.sc.keeps_nl = true;
	parse_next(&p, LEX_EXPR);
	ok = parse_specs(&p, &s, false) && parse_declarator(&p, &s, PARSE_NAMED, &d) &&
	     (p.t.kind == TOK_EOF || p.t.kind == TOK_SEMI);
	l->in_proto--;
	l->diags = diags;
	if (ok) {
		id->type = d.is_func ? d.type->to : d.type;
		id->is_assoc = false;
		id->is_variadic = d.keys.is_variadic;
		id->nkeys = d.keys.list.n;
		id->keys = arena_new_arr(l->arena, struct type *, id->nkeys + 1);
		for (unsigned int i = 0; i < id->nkeys; i++) {
			id->keys[i] = d.keys.list.a[i].type;
			id->nopt += d.keys.list.a[i].is_optional;
		}
		id->keys_known = d.is_assoc;
	}
	parse_decl_free(&d);
	return ok;
}
