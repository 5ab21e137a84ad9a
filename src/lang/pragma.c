/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pragma.c: control lines (man/d.7, PRAGMAS).  The scanner processes them in place, so that an
 * option affects the text after it.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "lang/pragma.h"
#include "lang/priv.h"
#include "lang/version.h"

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

/* Returns true if the preprocessor returns from an include to the source itself. */
static bool is_own_name(const struct lexer *lx, const char *name)
{
	return lx->src->name && strcmp(lx->src->name, name) == 0;
}

/* Processes N ["file" [state ...]]. */
static void do_line(struct lexer *lx, const struct scan_words *ws, unsigned int first,
		    struct loc loc)
{
	struct lang *l = lx->lang;

	if (ws->n <= first || !is_number(ws->w[first]) ||
	    (ws->n > first + 1 && !ws->quoted[first + 1])) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #line: expected a line number and a file name in quotes");
		return;
	}
	/* The newline at the end of this line adds one. */
	lx->sc.line = (unsigned int)strtoul(ws->w[first], NULL, 10) - 1;
	lx->renumbered = true;
	if (ws->n > first + 1)
		lx->file = is_own_name(lx, ws->w[first + 1])
			       ? NULL
			       : intern_str(l->names, ws->w[first + 1]);
}

static void do_option(struct lang *l, const struct scan_words *ws, struct loc loc)
{
	const char *eq, *name, *value = NULL, *err;

	if (ws->n != 4) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D option: expected name or name=value");
		return;
	}
	name = ws->w[3];
	eq = strchr(name, '=');
	if (eq) {
		value = eq + 1;
		name = arena_strndup(l->arena, name, (size_t)(eq - name));
	}
	err = l->env->setopt ? l->env->setopt(l->env->ctx, name, value) : NULL;
	if (err)
		diag(l->diags, loc, D_PRAGMA_OPTSET, "failed to set option '%s': %s", ws->w[3],
		     err);
	else if (strcmp(name, "strsize") == 0 && lang_option(l, "strsize"))
		type_set_strsize(l->types, strtoull(lang_option(l, "strsize"), NULL, 0));
}

static void do_depends(struct lang *l, const struct scan_words *ws, struct loc loc)
{
	static const char *const kinds[] = {"provider", "module", "library"};
	const char *kind = ws->n > 3 ? ws->w[3] : "";
	bool known = false;

	for (int i = 0; i < 3; i++)
		known |= strcmp(kind, kinds[i]) == 0;
	if (ws->n != 5) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D depends_on: expected provider, module or library and a "
		     "name");
		return;
	}
	if (!known) {
		diag(l->diags, loc, D_PRAGMA_INVAL, "invalid class of #pragma D depends_on: %s",
		     kind);
		return;
	}
	if (strcmp(kind, "library") == 0 && !l->in_library) {
		diag(l->diags, loc, D_PRAGMA_DEPEND, "only a library may depend on a library: %s",
		     ws->w[4]);
		return;
	}
	/* A library with unmet dependencies is never compiled. */
	if (!l->in_library && l->env->have && !l->env->have(l->env->ctx, kind, ws->w[4]))
		diag(l->diags, loc, D_PRAGMA_DEPEND, "program requires %s %s", kind, ws->w[4]);
}

static struct pending *add_pending(struct lang *l, const char *name, struct attr_ *a,
				   struct loc loc)
{
	struct pending *p = arena_new_obj(l->arena, struct pending);

	p->name = intern_str(l->names, name);
	p->loc = loc;
	p->attr = a;
	p->next = l->pending;
	l->pending = p;
	return p;
}

/* If the name exists, it must belong to this program. */
static bool in_scope(struct lang *l, const char *name, struct loc loc, struct ident **id)
{
	*id = names_find(l, SCOPE_GLOBAL, intern_str(l->names, name));
	if (*id && (*id)->is_library && !l->in_library)
		return diag(l->diags, loc, D_PRAGMA_SCOPE,
			    "pragma applies to %s, which is not declared in this program", name);
	return true;
}

static void provider_attributes(struct lang *l, const struct scan_words *ws, struct loc loc)
{
	static const char *const parts[] = {"provider", "module", "function", "name", "args"};
	struct pending *later;
	int part = 5;

	if (ws->n == 7)
		for (part = 0; part < 5 && strcmp(ws->w[6], parts[part]) != 0; part++)
			;
	if (part == 5) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D attributes: expected provider NAME and provider, module, "
		     "function, name or args");
		return;
	}
	for (struct provider_decl *p = l->providers; p; p = p->next) {
		if (strcmp(p->name, ws->w[5]) != 0)
			continue;
		if (p->is_library && !l->in_library)
			diag(l->diags, loc, D_PRAGMA_SCOPE,
			     "provider %s is not declared in this program", ws->w[5]);
		p->attrs[part] = ws->w[3];
		return;
	}
	later = add_pending(l, ws->w[5], NULL, loc);
	later->text = ws->w[3];
	later->part = part;
}

static void do_attributes(struct lang *l, const struct scan_words *ws, struct loc loc)
{
	struct attr_ *a = arena_new_obj(l->arena, struct attr_);
	struct ident *id;

	if (ws->n < 5) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D attributes: expected attributes and a name");
		return;
	}
	if (!stab_parse(ws->w[3], strlen(ws->w[3]), a)) {
		diag(l->diags, loc, D_PRAGMA_INVAL, "invalid attributes: %s", ws->w[3]);
		return;
	}
	if (strcmp(ws->w[4], "provider") == 0) {
		provider_attributes(l, ws, loc);
		return;
	}
	if (ws->n != 5) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D attributes: superfluous text after %s", ws->w[4]);
		return;
	}
	if (!in_scope(l, ws->w[4], loc, &id))
		return;
	if (id)
		id->attr = a;
	else
		add_pending(l, ws->w[4], a, loc);
}

static void do_binding(struct lang *l, const struct scan_words *ws, struct loc loc)
{
	struct ident *id;
	uint32_t version;

	if (ws->n != 5 || !ws->quoted[3]) {
		diag(l->diags, loc, D_PRAGMA_MALFORM,
		     "malformed #pragma D binding: expected a version in quotes and a name");
		return;
	}
	if (!version_parse(ws->w[3], &version)) {
		diag(l->diags, loc, D_PRAGMA_INVAL, "invalid version: %s", ws->w[3]);
		return;
	}
	if (strcmp(ws->w[4], "translator") == 0)
		l->xlator_version = ws->w[3];
	else if (in_scope(l, ws->w[4], loc, &id) && id)
		id->version = ws->w[3];
	else if (!id)
		add_pending(l, ws->w[4], NULL, loc)->version = ws->w[3];
}

static void do_pragma_d(struct lexer *lx, const struct scan_words *ws, struct loc loc)
{
	struct lang *l = lx->lang;
	const char *what = ws->n > 2 ? ws->w[2] : "";

	if (strcmp(what, "option") == 0)
		do_option(l, ws, loc);
	else if (strcmp(what, "attributes") == 0)
		do_attributes(l, ws, loc);
	else if (strcmp(what, "binding") == 0)
		do_binding(l, ws, loc);
	else if (strcmp(what, "depends_on") == 0)
		do_depends(l, ws, loc);
	else if (strcmp(what, "error") == 0)
		diag(l->diags, loc, D_PRAGERR, "#error: %s", ws->n > 3 ? ws->rest[3] : "");
	else if (strcmp(what, "ident") != 0 && strcmp(what, "line") != 0)
		diag(l->diags, loc, D_PRAGMA_INVAL, "invalid D pragma: %s", what);
}

void pragma_line(struct lexer *lx, const char *text, size_t n, struct loc loc)
{
	struct lang *l = lx->lang;
	struct scan_words ws;

	assert(memchr(text, '\n', n) == NULL);
	if (lx->is_quiet)
		return;
	scan_split(l->arena, text, n, &ws);
	if (!ws.n)
		return;
	if (is_number(ws.w[0])) {
		do_line(lx, &ws, 0, loc);
	} else if (strcmp(ws.w[0], "line") == 0) {
		do_line(lx, &ws, 1, loc);
	} else if (strcmp(ws.w[0], "error") == 0) {
		diag(l->diags, loc, D_PRAGERR, "#error: %s", ws.n > 1 ? ws.rest[1] : "");
	} else if (strcmp(ws.w[0], "pragma") == 0) {
		if (ws.n > 1 && strcmp(ws.w[1], "D") == 0)
			do_pragma_d(lx, &ws, loc);
		else if (ws.n > 1 && strcmp(ws.w[1], "error") == 0)
			diag(l->diags, loc, D_PRAGERR, "#error: %s", ws.n > 2 ? ws.rest[2] : "");
	} else if (strcmp(ws.w[0], "ident") != 0) {
		diag(l->diags, loc, D_PRAGCTL_INVAL, "invalid control directive: #%s", ws.w[0]);
	}
}

bool pragma_finish(struct lang *l)
{
	bool ok = true;

	for (struct pending *p = l->pending; p; p = p->next) {
		if (p->is_used)
			continue;
		p->is_used = true;
		ok = diag(l->diags, p->loc, D_PRAGMA_UNUSED,
			  "pragma names an identifier that does not appear: %s", p->name);
	}
	return ok;
}
