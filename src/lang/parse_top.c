/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_top.c: inlines, translators and provider declarations.  They take effect as soon as they
 * are complete, so later text can use them.  Each function starts after its keyword and ends with
 * its closing semicolon as the current token.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/intern.h"
#include "lang/index.h"
#include "lang/parse.h"

/* Parameters are ordinary names while their expression is read and checked. */
static void push_params(struct lang *l, struct ident **params, void **saved, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		saved[i] = map_get_str(l->scopes[SCOPE_GLOBAL], params[i]->name);
		map_set_str(l->scopes[SCOPE_GLOBAL], params[i]->name, params[i]);
	}
}

static void pop_params(struct lang *l, struct ident **params, void **saved, unsigned int n)
{
	while (n-- > 0) {
		const char *name = params[n]->name;

		if (saved[n])
			map_set_str(l->scopes[SCOPE_GLOBAL], name, saved[n]);
		else
			map_del(l->scopes[SCOPE_GLOBAL], name, strlen(name));
	}
}

static bool inline_params(struct parser *p, const struct parse_decl *d, struct ident **params,
			  struct type **keys)
{
	if (d->keys.is_variadic)
		return parse_error(p, d->loc, D_DECL_PROTO_VARARGS,
				   "variable-length parameter list is not allowed: %s", d->name);
	for (unsigned int i = 0; i < d->keys.list.n; i++) {
		const struct parse_param *pm = &d->keys.list.a[i];

		if (!pm->name)
			return parse_error(p, pm->loc, D_DECL_PROTO_NAME,
					   "parameter %u of inline %s has no name", i + 1, d->name);
		keys[i] = pm->type;
		params[i] = names_param(p->l, pm->name, pm->type, pm->loc);
	}
	return true;
}

static bool check_inline(struct parser *p, const struct parse_spec *s, const struct parse_decl *d)
{
	struct ident *id;

	if (s->cls != CLASS_NONE)
		return parse_error(p, s->loc, D_DECL_BADCLASS,
				   "storage class may not be used for an inline");
	if (type_is_void(d->type))
		return parse_error(p, d->loc, D_DECL_VOIDOBJ, "inline may not be of type void: %s",
				   d->name);
	if (d->is_null_array || (type_is_array(d->type) && !d->is_assoc) || d->is_func)
		return parse_error(p, d->loc, D_DECL_ARRNULL,
				   "inline requires key types in its brackets: %s", d->name);
	if (d->is_assoc && !d->keys.list.n)
		return parse_error(p, d->loc, D_DECL_ARRNULL, "inline requires a key signature: %s",
				   d->name);
	if (d->keys.list.n > LANG_PARAMS_MAX)
		return parse_error(p, d->loc, D_DECL_PROTO_TYPE,
				   "inline has more than %d parameters: %s", LANG_PARAMS_MAX,
				   d->name);
	id = names_find(p->l, SCOPE_GLOBAL, d->name);
	/* A program may redefine an inline of a library.  Libraries still see their own. */
	if (id && id->kind == IDENT_INLINE && id->is_library && id->loc.src && !p->l->in_library)
		id = NULL;
	if (id || type_lookup_program(p->l->types, d->name))
		return parse_error(p, d->loc, D_DECL_IDRED,
				   "identifier redeclared: %s\n"
				   "\t current: an inline\n\tprevious: %s",
				   d->name, id ? names_kind(id) : "a type");
	return true;
}

/*
 * Parses "A else B ...": the first alternative that this kernel's types and names permit is the
 * value.  The errors of the others do not count, but at least one alternative must be right.
 * Returns NULL after an error.
 */
static struct expr *parse_alternatives(struct parser *p, struct check *ck, struct type *t,
				       struct loc loc)
{
	struct diags *diags = p->l->diags;
	unsigned int before = diags->n;
	struct expr *chosen = NULL;
	bool more;

	do {
		struct expr *e = parse_assign(p);

		if (!e)
			return NULL;
		more = p->t.kind == TOK_ELSE;
		if (more)
			parse_next(p, LEX_EXPR);
		if (chosen)
			continue;
		if (check_init(ck, &e, t, loc) && size_check(p->l, e))
			chosen = e;
		if (chosen || more)
			diags->n = before;
	} while (more);
	return chosen;
}

bool parse_inline(struct parser *p)
{
	struct lang *l = p->l;
	struct ident *params[LANG_PARAMS_MAX], *id, *hidden;
	struct type *keys[LANG_PARAMS_MAX];
	void *saved[LANG_PARAMS_MAX];
	struct parse_spec s;
	struct parse_decl d = {0};
	struct check ck = {.l = l};
	struct expr *e;
	unsigned int n;
	bool ok;

	if (!parse_specs(p, &s, true))
		return false;
	if (p->t.kind == TOK_SEMI || p->t.kind == TOK_ASSIGN)
		return parse_error(p, s.loc, D_DECL_USELESS, "inline declaration requires a name");
	ok = parse_declarator(p, &s, PARSE_NAMED, &d) && check_inline(p, &s, &d) &&
	     inline_params(p, &d, params, keys) && parse_expect(p, TOK_ASSIGN);
	n = d.keys.list.n;
	parse_decl_free(&d);
	if (!ok)
		return false;
	push_params(l, params, saved, n);
	e = parse_alternatives(p, &ck, d.type, d.loc);
	ok = e && (p->t.kind == TOK_SEMI || parse_syntax(p));
	pop_params(l, params, saved, n);
	if (!ok) {
		missed_name(l, SCOPE_GLOBAL, d.name);
		p->failed = true;
		return false;
	}
	hidden = names_find(l, SCOPE_GLOBAL, d.name);
	id = names_add(l, IDENT_INLINE, d.name, d.loc);
	id->hides = hidden;
	id->type = d.type;
	id->expr = e;
	/*
	 * A translation of a kernel object counts as kernel-private, unless a pragma says
	 * otherwise.
	 */
	if (e->xlator && !l->in_library) {
		stab_use_kernel(&ck);
		id->attr = ck.attr;
	}
	id->size = size_named(l, e, params, n);
	id->nkeys = n;
	if (d.is_assoc) {
		id->keys_known = true;
		id->keys = arena_new_arr(l->arena, struct type *, n);
		id->params = arena_new_arr(l->arena, struct ident *, n);
		memcpy(id->keys, keys, n * sizeof(*keys));
		memcpy(id->params, params, n * sizeof(*params));
	}
	return true;
}

/* ---- translators ---- */

/* Returns any word, keywords included: members and probes may be called "return". */
static const char *any_word(struct parser *p)
{
	if (!p->t.textlen || !(isalpha((unsigned char)*p->t.text) || *p->t.text == '_')) {
		parse_syntax(p);
		return NULL;
	}
	return intern_mem(p->l->names, p->t.text, p->t.textlen);
}

static bool xlator_member(struct parser *p, struct xlator *x, struct xmember *m)
{
	uint64_t off;
	const struct type_member *tm;
	struct loc loc = p->t.loc;

	m->name = any_word(p);
	if (!m->name)
		return false;
	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_ASSIGN))
		return false;
	m->expr = parse_assign(p);
	if (!m->expr || !parse_expect(p, TOK_SEMI))
		return false;
	tm = type_member(p->l->types, x->out, m->name, &off);
	if (!tm)
		return parse_error(p, loc, D_XLATE_MEMB,
				   "translator member %s is not a member of %s", m->name,
				   lang_type(p->l, x->out));
	m->type = tm->type;
	m->bit_off = off;
	m->bits = tm->bits;
	return true;
}

static bool xlator_body(struct parser *p, struct xlator *x)
{
	VEC(struct xmember) list = {0};

	while (!p->failed && p->t.kind != TOK_RBRACE) {
		struct xmember m = {0};

		if (xlator_member(p, x, &m))
			vec_push(&list, m);
	}
	x->nmembers = list.n;
	x->members = arena_new_arr(p->l->arena, struct xmember, list.n + 1);
	if (list.n)
		memcpy(x->members, list.a, list.n * sizeof(*list.a));
	vec_free(&list);
	return parse_expect(p, TOK_RBRACE);
}

bool parse_translator(struct parser *p)
{
	struct lang *l = p->l;
	struct xlator *x = arena_new_obj(l->arena, struct xlator);
	struct typename *out;
	struct parse_spec s;
	struct parse_decl d = {0};
	void *saved[1];
	bool ok;

	x->loc = p->t.loc;
	out = parse_typename(p);
	if (!out || !parse_expect(p, TOK_LT))
		return false;
	x->out = out->type;
	if (!type_is_sou(x->out) || type_is_incomplete(l->types, x->out))
		return parse_error(p, out->loc, D_XLATE_SOU,
				   "translator output type must be a complete struct or union: %s",
				   lang_type(l, x->out));
	ok = parse_specs(p, &s, false) && parse_declarator(p, &s, PARSE_NAMED, &d);
	parse_decl_free(&d);
	if (!ok || !parse_expect(p, TOK_GT) || !parse_expect(p, TOK_LBRACE))
		return false;
	x->in = d.type;
	x->param = names_param(l, d.name, d.type, d.loc);
	push_params(l, &x->param, saved, 1);
	ok = xlator_body(p, x) && (p->t.kind == TOK_SEMI || parse_syntax(p));
	if (ok)
		xlate_define(l, x);
	pop_params(l, &x->param, saved, 1);
	if (!ok)
		p->failed = true;
	return ok;
}

/* ---- providers ---- */

static struct probe_param *copy_params(struct parser *p, const struct parse_params *ps)
{
	struct probe_param *out = arena_new_arr(p->l->arena, struct probe_param, ps->list.n + 1);

	for (unsigned int i = 0; i < ps->list.n; i++) {
		out[i].type = ps->list.a[i].type;
		out[i].name = ps->list.a[i].name;
		out[i].text = ps->list.a[i].text;
	}
	return out;
}

static bool check_params(struct parser *p, const struct parse_params *ps, struct loc loc)
{
	if (ps->is_variadic)
		return parse_error(p, loc, D_DECL_PROTO_VARARGS,
				   "probe may not have a variable number of arguments");
	if (ps->list.n > 255)
		return parse_error(p, loc, D_PROV_PRARGLEN,
				   "probe has %u arguments, 255 are allowed", ps->list.n);
	return true;
}

/* Finds the native argument of each translated argument. */
static bool map_params(struct parser *p, struct probe_decl *d, const struct parse_params *out)
{
	d->map = arena_new_arr(p->l->arena, unsigned int, out->list.n + 1);
	for (unsigned int i = 0; i < out->list.n; i++) {
		const struct parse_param *pm = &out->list.a[i];
		unsigned int found = 0;

		if (!pm->name)
			return parse_error(p, pm->loc, D_DECL_PROTO_NAME,
					   "output argument %u needs the name of an input argument",
					   i + 1);
		for (unsigned int j = 0; j < d->nnative; j++) {
			if (d->native[j].name && strcmp(d->native[j].name, pm->name) == 0) {
				d->map[i] = j;
				found++;
			}
		}
		if (found != 1)
			return parse_error(p, pm->loc, D_DECL_PROTO_FORM,
					   "%s must be declared once in the input arguments",
					   pm->name);
	}
	return true;
}

static bool probe_params(struct parser *p, struct probe_decl *d, struct loc loc)
{
	struct parse_params in = {0}, out = {0};
	bool ok;

	ok = parse_param_list(p, TOK_RPAR, &in) && check_params(p, &in, loc);
	d->native = copy_params(p, &in);
	d->nnative = in.list.n;
	if (ok && parse_accept(p, TOK_COLON)) {
		ok = parse_expect(p, TOK_LPAR) && parse_param_list(p, TOK_RPAR, &out) &&
		     check_params(p, &out, loc) && map_params(p, d, &out);
		d->xlated = copy_params(p, &out);
		d->nxlated = out.list.n;
	} else if (ok) {
		d->xlated = d->native;
		d->nxlated = d->nnative;
		d->map = arena_new_arr(p->l->arena, unsigned int, d->nnative + 1);
		for (unsigned int i = 0; i < d->nnative; i++)
			d->map[i] = i;
	}
	vec_free(&in.list);
	vec_free(&out.list);
	return ok && !p->failed;
}

/* Returns one field of a probe, or NULL after an error. */
static const char *probe_field(struct parser *p)
{
	const char *s = any_word(p);

	if (s && (strlen(s) >= 64 || strchr(s, '`'))) {
		parse_error(p, p->t.loc, D_PROV_BADNAME, "probe name is not valid: %s", s);
		return NULL;
	}
	parse_next(p, LEX_EXPR);
	return s;
}

/* Parses NAME, or in a library MODULE:FUNCTION:NAME or MODULE::NAME. */
static bool probe_fields(struct parser *p, struct probe_decl *d)
{
	const char *name = probe_field(p);

	d->mod = d->func = "";
	if (name && p->l->in_library && parse_accept(p, TOK_COLON)) {
		d->mod = name;
		if (p->t.kind != TOK_COLON)
			d->func = probe_field(p);
		name = d->func && parse_expect(p, TOK_COLON) ? probe_field(p) : NULL;
	}
	if (name)
		d->name = index_probe_name(p->l->arena, name, strlen(name));
	return name != NULL;
}

static struct probe_decl *parse_probe(struct parser *p, const struct provider_decl *pv)
{
	struct probe_decl *d = arena_new_obj(p->l->arena, struct probe_decl);
	struct loc loc;

	if (!parse_expect(p, TOK_PROBE))
		return NULL;
	loc = d->loc = p->t.loc;
	if (!probe_fields(p, d))
		return NULL;
	if (provider_find(pv, d->mod, d->func, d->name)) {
		parse_error(p, loc, D_PROV_PRDUP, "probe is declared twice: %s", d->name);
		return NULL;
	}
	if (!parse_expect(p, TOK_LPAR) || !probe_params(p, d, loc) || !parse_expect(p, TOK_SEMI))
		return NULL;
	return d;
}

/* Returns the default stability of a provider, until a pragma changes it. */
static const char **provider_attrs(struct lang *l)
{
	const char **a = arena_new_arr(l->arena, const char *, 5);

	a[0] = a[3] = a[4] = "Evolving/Evolving/ISA";
	a[1] = a[2] = "Private/Private/Unknown";
	return a;
}

bool parse_provider(struct parser *p, struct program *prog)
{
	struct provider_decl *pv = arena_new_obj(p->l->arena, struct provider_decl);
	struct probe_decl **end = &pv->probes;
	struct provider_decl **pend = &prog->providers;
	size_t n;

	pv->loc = p->t.loc;
	pv->is_library = p->l->in_library;
	pv->attrs = provider_attrs(p->l);
	if (p->t.kind != TOK_IDENT)
		return parse_syntax(p);
	pv->name = p->t.s;
	n = strlen(pv->name);
	if (n >= 64 || strchr(pv->name, '`') ||
	    (isdigit((unsigned char)pv->name[n - 1]) && !pv->is_library &&
	     !pv->loc.src->is_of_process))
		return parse_error(p, pv->loc, D_PROV_BADNAME, "provider name is not valid: %s",
				   pv->name);
	parse_next(p, LEX_EXPR);
	if (!parse_expect(p, TOK_LBRACE))
		return false;
	while (!p->failed && p->t.kind != TOK_RBRACE) {
		struct probe_decl *d = parse_probe(p, pv);

		if (!d)
			return false;
		*end = d;
		end = &d->next;
	}
	if (!parse_expect(p, TOK_RBRACE))
		return false;
	if (p->t.kind != TOK_SEMI)
		return parse_syntax(p);
	if (!provider_define(p->l, pv)) {
		p->failed = true;
		return false;
	}
	assert(!p->failed);
	while (*pend)
		pend = &(*pend)->next;
	*pend = arena_new_obj(p->l->arena, struct provider_decl);
	**pend = *pv;
	(*pend)->next = NULL;
	return true;
}
