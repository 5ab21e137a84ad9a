/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stab.c: interface stability: Name/Data/Class attributes, their order, and the option amin, which
 * sets a minimum for everything that a clause uses.
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

void stab_use(struct check *ck, const struct attr_ *a)
{
	if (!a)
		return;
	if (!ck->attr) {
		ck->attr = arena_new_obj(ck->l->arena, struct attr_);
		*ck->attr = *a;
		return;
	}
	if (a->name < ck->attr->name)
		ck->attr->name = a->name;
	if (a->data < ck->attr->data)
		ck->attr->data = a->data;
	if (a->cls < ck->attr->cls)
		ck->attr->cls = a->cls;
}

bool stab_check(struct check *ck, struct loc loc)
{
	const char *amin = lang_option(ck->l, "amin");
	const struct attr_ *a = ck->attr;
	struct attr_ min;

	if (!amin || !a || !stab_parse(amin, strlen(amin), &min))
		return true;
	if (a->name >= min.name && a->data >= min.data && a->cls >= min.cls)
		return true;
	return diag(ck->l->diags, loc, D_ATTR_MIN,
		    "attributes of the program (%s/%s/%s) are less than the minimum (%s)",
		    levels[a->name], levels[a->data], classes[a->cls], amin);
}
