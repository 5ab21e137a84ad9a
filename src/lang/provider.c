/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.c: declared providers.  A declaration may be repeated if it says the same.  A program
 * may only declare arguments that have translators.  For libraries this is checked at the use of an
 * argument, since the translator may be in a later library.
 */
#include <assert.h>
#include <string.h>

#include "lang/priv.h"

static bool same_params(struct lang *l, const struct probe_param *a, unsigned int na,
			const struct probe_param *b, unsigned int nb)
{
	if (na != nb)
		return false;
	for (unsigned int i = 0; i < na; i++) {
		bool ints = type_is_integer(a[i].type) && type_is_integer(b[i].type);

		if (ints && type_base(a[i].type) != type_base(b[i].type))
			return false;
		if (!type_compatible(l->types, a[i].type, b[i].type))
			return false;
	}
	return true;
}

struct probe_decl *provider_find(const struct provider_decl *pv, const char *mod, const char *func,
				 const char *name)
{
	for (struct probe_decl *d = pv->probes; d; d = d->next)
		if (strcmp(d->name, name) == 0 && strcmp(d->func, func) == 0 &&
		    strcmp(d->mod, mod) == 0)
			return d;
	return NULL;
}

static bool incompatible(struct lang *l, const struct provider_decl *pv, struct loc loc,
			 const char *probe)
{
	return diag(l->diags, loc, D_PROV_INCOMPAT,
		    "provider %s was declared differently before: probe %s", pv->name, probe);
}

static bool same_provider(struct lang *l, const struct provider_decl *old,
			  const struct provider_decl *now)
{
	for (const struct probe_decl *d = now->probes; d; d = d->next) {
		const struct probe_decl *o = provider_find(old, d->mod, d->func, d->name);

		if (!o || !same_params(l, o->native, o->nnative, d->native, d->nnative) ||
		    !same_params(l, o->xlated, o->nxlated, d->xlated, d->nxlated))
			return incompatible(l, now, d->loc, d->name);
	}
	for (const struct probe_decl *o = old->probes; o; o = o->next)
		if (!provider_find(now, o->mod, o->func, o->name))
			return incompatible(l, now, now->loc, o->name);
	return true;
}

static bool check_translators(struct lang *l, const struct probe_decl *d)
{
	for (unsigned int i = 0; i < d->nxlated; i++) {
		struct type *from = d->native[d->map[i]].type, *to = d->xlated[i].type, *out = to;

		assert(d->map[i] < d->nnative);
		if (type_compatible(l->types, from, to))
			continue;
		if (type_is_pointer(out))
			out = (struct type *)type_base(out)->to;
		if (type_is_stringlike(from) && type_is_stringlike(to))
			continue;
		if (!xlate_find(l, out, from))
			return diag(l->diags, d->loc, D_PROV_PRXLATOR,
				    "translator for argument #%u of probe %s from %s to %s is not "
				    "defined",
				    i + 1, d->name, lang_type(l, from), lang_type(l, to));
	}
	return true;
}

static void apply_pending(struct lang *l, struct provider_decl *p)
{
	for (struct pending *pd = l->pending; pd; pd = pd->next) {
		if (pd->is_used || !pd->text || strcmp(pd->name, p->name) != 0)
			continue;
		pd->is_used = true;
		p->attrs[pd->part] = pd->text;
	}
}

bool provider_define(struct lang *l, struct provider_decl *p)
{
	struct provider_decl **end = &l->providers;

	for (struct probe_decl *d = p->probes; !l->in_library && d; d = d->next)
		if (!check_translators(l, d))
			return false;
	for (; *end; end = &(*end)->next)
		if (strcmp((*end)->name, p->name) == 0)
			return same_provider(l, *end, p);
	*end = p;
	apply_pending(l, p);
	return true;
}

struct probe_decl *provider_probe(struct lang *l, const struct pdesc *d)
{
	if (!d->prov || !d->name)
		return NULL;
	for (struct provider_decl *pv = l->providers; pv; pv = pv->next)
		if (strcmp(pv->name, d->prov) == 0)
			return provider_find(pv, d->mod ? d->mod : "", d->func ? d->func : "",
					     d->name);
	return NULL;
}

const struct probe_decl *lang_provider_probe(struct lang *l, const char *prov, const char *name,
					     const struct provider_decl **pv)
{
	const struct provider_decl *p = l->providers;

	while (p && strcmp(p->name, prov) != 0)
		p = p->next;
	*pv = p;
	return p ? provider_find(p, "", "", name) : NULL;
}
