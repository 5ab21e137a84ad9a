/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stab.c: interface stability: Name/Data/Class attributes, their order, and option amin, the
 * minimum for everything that a clause uses.
 */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "lang/priv.h"

static const char *const levels[] = {"Internal", "Private",  "Obsolete", "External",
				     "Unstable", "Evolving", "Stable",	 "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

static int find_word(const char *const *words, unsigned int n, const char *s, size_t len)
{
	for (unsigned int i = 0; i < n; i++)
		if (strlen(words[i]) == len && strncasecmp(words[i], s, len) == 0)
			return (int)i;
	return -1;
}

bool stab_parse(const char *text, size_t n, struct attr_ *a)
{
	const char *end = text + n, *s1 = memchr(text, '/', n), *s2;
	int name, data, cls;

	if (!s1)
		return false;
	s2 = memchr(s1 + 1, '/', (size_t)(end - s1 - 1));
	if (!s2)
		return false;
	name = find_word(levels, 8, text, (size_t)(s1 - text));
	data = find_word(levels, 8, s1 + 1, (size_t)(s2 - s1 - 1));
	cls = find_word(classes, 6, s2 + 1, (size_t)(end - s2 - 1));
	if (name < 0 || data < 0 || cls < 0)
		return false;
	*a = (struct attr_){(unsigned char)name, (unsigned char)data, (unsigned char)cls};
	return true;
}

bool lang_is_attributes(const char *text)
{
	struct attr_ a;

	return stab_parse(text, strlen(text), &a);
}

const struct attr_ *stab_of(struct lang *l, struct ident *id)
{
	const char *text = id->row ? id->row->attr : NULL;

	if (id->attr || !text)
		return id->attr;
	id->attr = arena_new_obj(l->arena, struct attr_);
	if (!stab_parse(text, strlen(text), id->attr))
		id->attr = NULL;
	assert(id->attr);
	return id->attr;
}

static void lower_to(struct lang *l, struct attr_ **min, const struct attr_ *a)
{
	if (!a)
		return;
	if (!*min) {
		*min = arena_new_obj(l->arena, struct attr_);
		**min = *a;
		return;
	}
	if (a->name < (*min)->name)
		(*min)->name = a->name;
	if (a->data < (*min)->data)
		(*min)->data = a->data;
	if (a->cls < (*min)->cls)
		(*min)->cls = a->cls;
}

void stab_use(struct check *ck, const struct attr_ *a)
{
	lower_to(ck->l, &ck->attr, a);
}

static bool probe_attr(const struct check *ck, unsigned int field, struct attr_ *a)
{
	const char *text = ck->args ? ck->args->attrs[field] : NULL;

	assert(field < 5);
	return text && stab_parse(text, strlen(text), a);
}

void stab_use_probe(struct check *ck, unsigned int field)
{
	struct attr_ a;

	if (probe_attr(ck, field, &a))
		stab_use(ck, &a);
}

/* Notes a use of the kernel's own symbols or types. */
void stab_use_kernel(struct check *ck)
{
	static const struct attr_ private = {1, 1, 0};

	stab_use(ck, &private);
}

/* Attributes of a description that names no provider. */
static const struct attr_ any_provider = {4, 4, 5};

/* Fields that a description leaves out do not count. */
void stab_description(struct check *ck, const struct pdesc *d)
{
	const char *const fields[] = {d->prov, d->mod, d->func, d->name};
	struct attr_ a;

	if (!d->id && (!d->prov || strpbrk(d->prov, "*?["))) {
		lower_to(ck->l, &ck->desc_attr, &any_provider);
		return;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (fields[i] && probe_attr(ck, i, &a))
			lower_to(ck->l, &ck->desc_attr, &a);
}

static const char *attr_text(struct lang *l, const struct attr_ *a)
{
	if (!a)
		return "Stable/Stable/Common";
	return arena_printf(l->arena, "%s/%s/%s", levels[a->name], levels[a->data],
			    classes[a->cls]);
}

const char *lang_attributes_min(struct lang *l, const char *a, const char *b)
{
	struct attr_ x, y, *min = NULL;

	if (!stab_parse(a, strlen(a), &x) || !stab_parse(b, strlen(b), &y))
		return a;
	lower_to(l, &min, &x);
	lower_to(l, &min, &y);
	return attr_text(l, min);
}

void lang_clause_stability(struct lang *l, const struct clause *c, const char **desc,
			   const char **stmt)
{
	*desc = attr_text(l, c->desc_attr);
	*stmt = attr_text(l, c->stmt_attr);
}

void lang_stability(struct lang *l, const struct program *p, const char **desc, const char **stmt)
{
	struct attr_ *d = NULL, *s = NULL;

	for (const struct clause *c = p->clauses; c; c = c->next) {
		lower_to(l, &d, c->desc_attr);
		lower_to(l, &s, c->stmt_attr);
	}
	*desc = attr_text(l, d);
	*stmt = attr_text(l, s);
}

static bool reaches(const struct attr_ *a, const struct attr_ *min)
{
	return !a || (a->name >= min->name && a->data >= min->data && a->cls >= min->cls);
}

void stab_begin(struct check *ck)
{
	const char *amin = lang_option(ck->l, "amin");
	struct attr_ *min = arena_new_obj(ck->l->arena, struct attr_);

	ck->amin = amin && stab_parse(amin, strlen(amin), min) ? min : NULL;
}

bool stab_check(struct check *ck, struct loc loc)
{
	const struct attr_ *bad;

	if (!ck->amin)
		return true;
	bad = !reaches(ck->desc_attr, ck->amin) ? ck->desc_attr
	      : !reaches(ck->attr, ck->amin)	? ck->attr
						: NULL;
	if (!bad)
		return true;
	return diag(ck->l->diags, loc, D_ATTR_MIN,
		    "attributes of the program (%s) are less than the minimum (%s)",
		    attr_text(ck->l, bad), attr_text(ck->l, ck->amin));
}
